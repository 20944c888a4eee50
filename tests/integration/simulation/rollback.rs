//! Rollback: inputs that come late and in any order give the bits of inputs in time.

use crate::support::random::Random;
use murmuration::rollback::{InputTime, Rollback};
use murmuration::targets::Target;
use murmuration::{CpuOptions, EngineChoice, Failure, Input, InstructionSet, Mood, Place, Pointer, Simulation, open};
use std::collections::BTreeMap;

/// The number of steps of a game, and the maximum delay of an input in steps.
const STEPS: u64 = 240;
const LATEST: u64 = 25;

/// Presets of both models, with species, lives, falcons and food, and an endless world.
const GAMES: [(&str, [u32; 2], Option<u32>); 6] = [
    ("droplets", [64, 48], None),
    ("three", [64, 48], None),
    ("murmuration", [24, 24], Some(16)),
    ("flock", [60, 40], Some(20)),
    ("feeding", [64, 48], None),
    ("reef", [64, 48], Some(24)),
];

fn start(game: (&str, [u32; 2], Option<u32>)) -> Simulation {
    start_on(game, CpuOptions::default())
}

fn start_on((preset, [width, height], depth): (&str, [u32; 2], Option<u32>), options: CpuOptions) -> Simulation {
    let mut builder = open(preset).size(width, height).set("start.run_in", 0).engine(EngineChoice::Cpu(options));
    if let Some(depth) = depth {
        builder = builder.depth(depth);
    }
    builder.start().unwrap_or_else(|failure| panic!("{preset}: {failure}"))
}

/// A random input of a player. Some inputs are refused.
fn input(random: &mut Random, [width, height]: [u32; 2]) -> Input {
    let mut along = |extent: u32| random.below(u64::from(extent)) as i32;
    let at: Place = [along(width), along(height)].into();
    match random.below(14) {
        0..=3 => Input::Hunter(Some(Pointer {
            place: Place::from_cells([at.to_vector()[0].into(), at.to_vector()[1].into()]),
            reach: 6,
            mood: Mood::Flee,
            weight: 2048,
        })),
        4 => Input::Hunter(None),
        5 => Input::Jaws(random.below(5) as u32),
        6 => Input::Stroke,
        7 => Input::Spawn { at, radius: 3, boids: 20 },
        8 => Input::Lift { at, radius: 3 },
        9 => Input::Set { key: "weights.alignment".into(), value: "far too much".into() },
        11 => Input::Target { number: random.below(2) as u32, target: Some(Target::lure(at, 9)) },
        12 => Input::Target { number: random.below(2) as u32, target: None },
        10 => Input::Set { key: "weights.cohesion".into(), value: format!("0.{}", 1 + random.below(9)) },
        _ => Input::Solid { at, radius: 2, solid: random.below(2) == 0 },
    }
}

fn refused_is_nothing(applied: Result<(), Failure>) {
    assert!(matches!(applied, Ok(()) | Err(Failure::BadInput(_))), "{applied:?}");
}

#[test]
fn late_inputs_give_the_bits_of_inputs_in_time() {
    let mut all = 0;
    for (number, game) in GAMES.into_iter().enumerate() {
        let mut random = Random::new(41 + number as u64);
        let mut inputs = BTreeMap::new();
        for number in 0..170 {
            let time = InputTime { step: random.below(STEPS - 1), player: random.below(3) as u32, number };
            inputs.insert(time, input(&mut random, game.1));
        }
        let mut straight = start(game);
        for (time, input) in &inputs {
            straight.advance(time.step - straight.step()).unwrap();
            refused_is_nothing(straight.apply(input.clone()));
        }
        straight.advance(STEPS - straight.step()).unwrap();

        // Each input arrives at its own step. The inputs of one step arrive in any order.
        let mut coming: Vec<(u64, u64, InputTime)> =
            inputs.keys().map(|time| (time.step + random.below(LATEST), random.below(1 << 32), *time)).collect();
        coming.sort();
        let mut game_of_a_peer = Rollback::new(start(game), 1 + random.below(12), LATEST).unwrap();
        for (step, _, time) in &coming {
            game_of_a_peer.advance_to((*step).min(STEPS)).unwrap();
            game_of_a_peer.insert(*time, inputs[time].clone()).unwrap();
            // An input that arrives twice counts once.
            game_of_a_peer.insert(*time, inputs[time].clone()).unwrap();
        }
        game_of_a_peer.advance_to(STEPS).unwrap();
        let peer = game_of_a_peer.simulation();
        assert_eq!(peer.state_hash().unwrap(), straight.state_hash().unwrap(), "{game:?}");
        assert_eq!(peer.account().unwrap(), straight.account().unwrap(), "{game:?}");
        assert_eq!(peer.inputs(), straight.inputs(), "{game:?}");
        let replays = [peer, &mut straight].map(|simulation| {
            serde_json::to_string(&simulation.read(murmuration::reading::ReplayReading).unwrap()).unwrap()
        });
        assert!(replays[0] == replays[1], "{game:?}: another record");
        all += inputs.len();
    }
    assert!(all >= 1000, "{all} inputs");
}

#[test]
fn an_input_that_is_too_late_or_not_its_own_is_refused() {
    let mut game = Rollback::new(start(GAMES[0]), 5, 10).unwrap();
    game.advance_to(60).unwrap();
    assert_eq!(game.earliest(), 45);
    let time = |step| InputTime { step, player: 1, number: 0 };
    let said = game.insert(time(44), Input::Jaws(1)).unwrap_err().to_string();
    assert!(said.starts_with("an input: is of step 44, and the oldest snapshot is of step 45"), "{said}");
    game.insert(time(50), Input::Jaws(1)).unwrap();
    let said = game.insert(time(50), Input::Jaws(2)).unwrap_err().to_string();
    assert!(said.starts_with("an input: has the time of another one"), "{said}");
    assert!(game.insert(time(55), Input::Undo).unwrap_err().to_string().starts_with("an input: an undo goes back"));
    assert!(Rollback::new(start(GAMES[0]), 0, 10).is_err());
    // A snapshot must be from the past of its simulation.
    let mut simulation = start(GAMES[0]);
    simulation.advance(3).unwrap();
    let snapshot = simulation.snapshot().unwrap();
    let hash = simulation.state_hash().unwrap();
    simulation.advance(4).unwrap();
    simulation.restore(&snapshot).unwrap();
    assert_eq!((simulation.step(), simulation.state_hash().unwrap()), (3, hash));
    assert!(start(GAMES[0]).restore(&snapshot).is_err());
}

/// A peer of a game in lockstep. It sends its own inputs until the other peer has them.
struct Peer {
    game: Rollback,
    number: u32,
    random: Random,
    /// The peer's own inputs of each step.
    own: Vec<Vec<Input>>,
    /// The number of steps whose inputs from the other peer are known here, and the number of own steps that the other
    /// peer knows.
    known: usize,
    acknowledged: usize,
    hashes: Vec<String>,
}

/// A packet: the first step of the inputs, the inputs of each step, and the number of known steps of the other peer.
type Packet = (usize, Vec<Vec<Input>>, usize);

/// The number of steps that a peer plays ahead of the other peer's inputs, and the number of steps between two hashes.
const AHEAD: usize = 20;
const HASH_EVERY: usize = 30;

impl Peer {
    fn new(number: u32, simulation: Simulation) -> Self {
        let game = Rollback::new(simulation, 4, 2 * AHEAD as u64).unwrap();
        let random = Random::new(90 + u64::from(number));
        Self { game, number, random, own: Vec::new(), known: 0, acknowledged: 0, hashes: Vec::new() }
    }

    fn insert(&mut self, step: usize, player: u32, inputs: &[Input]) {
        for (number, input) in (0..).zip(inputs) {
            self.game.insert(InputTime { step: step as u64, player, number }, input.clone()).unwrap();
        }
    }

    /// Plays a step or takes a hash. Returns a packet.
    fn play(&mut self, steps: usize, extents: [u32; 2]) -> Packet {
        let (step, hash_at) = (self.own.len(), (self.hashes.len() + 1) * HASH_EVERY);
        if step == hash_at && self.known >= step {
            self.game.advance_to(step as u64).unwrap();
            self.hashes.push(self.game.simulation().state_hash().unwrap());
        } else if step < steps.min(hash_at).min(self.known + AHEAD) {
            let inputs: Vec<Input> = (0..self.random.below(8) / 7).map(|_| input(&mut self.random, extents)).collect();
            self.insert(step, self.number, &inputs);
            self.own.push(inputs);
            self.game.advance_to(step as u64 + 1).unwrap();
        }
        let first = self.acknowledged.min(self.own.len());
        (first, self.own[first..].to_vec(), self.known)
    }

    fn take(&mut self, (first, inputs, known): Packet) {
        self.acknowledged = self.acknowledged.max(known);
        for (step, inputs) in (first..).zip(&inputs) {
            if step == self.known {
                self.insert(step, 1 - self.number, inputs);
                self.known += 1;
            }
        }
    }
}

/// Two peers exchange only inputs. One of them plays with portable lanes on one thread. A fifth of the packets is lost;
/// the others come late and out of order.
#[test]
fn peers_in_lockstep_have_the_same_hashes_though_packets_are_lost() {
    const STEPS: usize = 300;
    let portable = CpuOptions { threads: Some(1), instruction_set: Some(InstructionSet::Portable) };
    for game in [GAMES[0], GAMES[1], GAMES[3]] {
        let mut random = Random::new(7);
        let mut peers = [Peer::new(0, start(game)), Peer::new(1, start_on(game, portable))];
        let mut under_way: Vec<(u64, usize, Packet)> = Vec::new();
        let (mut sent, mut lost, mut turn) = (0, 0, 0);
        while peers.iter().any(|peer| peer.hashes.len() < STEPS / HASH_EVERY) {
            for (to, peer) in peers.iter_mut().enumerate().map(|(own, peer)| (1 - own, peer)) {
                let packet = peer.play(STEPS, game.1);
                sent += 1;
                if random.below(5) == 0 {
                    lost += 1;
                } else {
                    under_way.push((turn + random.below(15), to, packet));
                }
            }
            for (_, to, packet) in under_way.extract_if(.., |(due, ..)| *due <= turn) {
                peers[to].take(packet);
            }
            turn += 1;
            assert!(turn < 100 * STEPS as u64, "{game:?}: the peers wait for each other");
        }
        let [one, other] = &mut peers;
        assert_eq!(one.hashes, other.hashes, "{game:?}");
        assert!(one.hashes.windows(2).all(|hashes| hashes[0] != hashes[1]), "{game:?}: nothing moves");
        assert!(lost * 10 > sent, "{lost} of {sent} packets were lost");
        for peer in &mut peers {
            assert!(peer.game.replayed() > 0, "{game:?}: no input came late");
            assert_eq!(peer.game.simulation().account().unwrap().lost, 0, "{game:?}");
        }
    }
}
