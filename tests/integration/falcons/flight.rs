//! Falcons: their flight against independent code in f64, equal on every engine, in checkpoints, hashes and replays.

use crate::support::random::Random;
use crate::support::scenes::EDGES;
use crate::support::size;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::falcons::SwarmMoments;
use murmuration_core::falcons::{CLIMBS, Falcon, FalconsReading, STOOPS, WAITS, YIELDS};
use murmuration_core::numbers::Vector3;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::CheckpointReading;
use murmuration_core::simulation::replay::{Replay, ReplayReading};
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::world::{Edges, HunterNumbers, Mood};

const SWARM: &str = "description = \"falcons\"\nseed = 5\n[world]\nsize = [61, 47]\n[start]\nboids = 1500\n\
    headings = \"random\"\n[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n\
    [weights]\ncohesion = 0.5\nseparation = 0.1\nalignment = 0.2\nhunter = 2.5\n";
const FALCONS: &str = "[[hunter]]\nkind = \"falcon\"\njaws = 2\nrest = 20\n[[hunter]]\nkind = \"falcon\"\nspeed = 1.3\n\
    rest = 12\n\
    sight = 14\n[[hunter]]\npath = [[0.1, 0.1], [0.9, 0.8]]\nreach = 5\njaws = 1\n[[hunter]]\nkind = \"falcon\"\n\
    mood = \"follow\"\nat = [0.5, 0.3]\n";

fn preset(text: &str, set: &[&str]) -> Preset {
    let overrides = Overrides { set: set.iter().map(|key| key.to_string()).collect(), ..Overrides::default() };
    Preset::from_text(murmuration::host(), "falcons.toml", text, &overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn begin(preset: Preset, choice: EngineChoice) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap_or_else(|failure| panic!("{failure}"))
}

fn processor(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set: None })
}

/// The engines of a model. In the suite a GPU plays the chain `cell` by render passes and the other models by compute.
/// Individuals have no render passes.
fn engines(model: &str) -> Vec<EngineChoice> {
    let mut engines = vec![processor(1), processor(2)];
    if crate::support::adapter::shared("falcons on the GPU").is_some() {
        if size(model != "cell", true) {
            engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
        }
        if size(model == "cell", model != "individuals") {
            engines.push(EngineChoice::Gpu(Dispatch::Fragment));
        }
    }
    engines
}

fn falcons(simulation: &mut Simulation) -> Vec<Falcon> {
    simulation.request(FalconsReading).unwrap().wait().unwrap()
}

/// The models with falcons: cells by both chains, deep cells, and individuals.
fn models() -> [(&'static str, Vec<&'static str>); 4] {
    [("cell-fast", vec![]), ("cell", vec!["chain=cell"]), ("deep", vec![]), ("individuals", vec![])]
}

fn of_model(name: &str, set: &[&str]) -> Preset {
    let flat = format!("{SWARM}{FALCONS}");
    if name == "deep" {
        return preset(&flat.replace("[61, 47]", "[21, 17, 13]").replace("disc", "ball"), set);
    }
    let cells = preset(&flat, set);
    if name == "individuals" { cells.as_individuals().unwrap() } else { cells }
}

#[test]
fn falcons_fly_alike_on_every_engine() {
    for (name, mut set) in models() {
        for (index, edges) in ["world.edges=torus", "world.edges=walls"].into_iter().enumerate() {
            set.push(edges);
            let mut known = None;
            for choice in engines(name) {
                // Render passes are not played with both kinds of edges.
                if choice == EngineChoice::Gpu(Dispatch::Fragment) && index == 0 {
                    continue;
                }
                let mut simulation = begin(of_model(name, &set), choice);
                let is_first = known.is_none();
                let mut phases = [false; 4];
                // The first engine is compared often. The others are compared at the end: equal ends mean equal
                // flights.
                let parts: &[u64] = if is_first { &[5; 30] } else { &[150] };
                for steps in parts {
                    simulation.advance(*steps).unwrap();
                    for falcon in falcons(&mut simulation) {
                        phases[falcon.phase as usize] = true;
                    }
                }
                let account = simulation.account().unwrap();
                assert_eq!(account.lost, 0);
                assert!(account.ledger.sum(Entry::Caught) > 0, "{name}, {edges}: nothing was caught");
                let end = (falcons(&mut simulation), simulation.state_hash().unwrap(), account);
                assert_eq!(*known.get_or_insert(end.clone()), end, "{name}, {edges} on {choice:?}");
                if is_first {
                    assert_eq!(phases, [true, true, true, false], "{name}, {edges}: some phase was never flown");
                }
            }
        }
    }
}

#[test]
fn falcons_are_part_of_the_hash_and_their_absence_is_none() {
    let mut with = begin(of_model("cell-fast", &[]), processor(1));
    let mut without = begin(preset(SWARM, &[]), processor(1));
    let (state, other) = (with.state().unwrap(), without.state().unwrap());
    assert_eq!(
        (state.layers[0].density.clone(), state.layers[0].control.clone()),
        (other.layers[0].density.clone(), other.layers[0].control.clone())
    );
    assert_ne!(state.hash(), other.hash());
    let mut bare = state.clone();
    Falcon::set_all(&[], &mut bare.columns);
    assert_eq!(bare.hash(), other.hash());
    let mut moved = state.clone();
    Falcon::all_of_mut(&mut moved.columns)[2].energy += 1;
    assert_ne!(moved.hash(), state.hash());
}

/// A player among falcons: the falcons yield, and hunt again after the player has gone.
fn hunt(simulation: &mut Simulation) {
    let pointer =
        |x, y| Input::Hunter(Some(Pointer { place: [x, y].into(), reach: 9, mood: Mood::Flee, weight: 2048 }));
    for input in [
        pointer(500, 300),
        Input::Jaws(3),
        Input::Stroke,
        pointer(400, 320),
        Input::Hunter(None),
        Input::Set { key: "hunter[1].rest".into(), value: "9".into() },
        Input::Undo,
        Input::Set { key: "hunter[0].kind".into(), value: "path".into() },
        Input::Set { key: "hunter[0].kind".into(), value: "falcon".into() },
    ] {
        simulation.advance(17).unwrap();
        simulation.apply(input).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(simulation.account().unwrap().lost, 0);
    }
    simulation.advance(30).unwrap();
}

#[test]
fn a_hunt_among_falcons_is_replayed_to_the_same_bits() {
    for (name, set) in models() {
        let mut played = begin(of_model(name, &set), processor(2));
        hunt(&mut played);
        let replay = played.read(ReplayReading).unwrap();
        let text = serde_json::to_string(&replay).unwrap();
        let replay = Replay::from_json("a replay", &text).unwrap();
        // The hunt was played on two threads.
        for choice in engines(name).into_iter().filter(|choice| *choice != processor(2)) {
            let mut again = replay.play(murmuration::host(), choice).unwrap();
            assert_eq!(again.state_hash().unwrap(), replay.state_hash, "{name} on {choice:?}");
        }
    }
}

#[test]
fn a_resumed_swarm_has_its_falcons() {
    for (name, set) in models() {
        for choice in engines(name) {
            let mut whole = begin(of_model(name, &set), choice);
            whole.advance(70).unwrap();
            let bytes = whole.read(CheckpointReading).unwrap().to_bytes();
            let kept = murmuration_core::simulation::checkpoint::Checkpoint::from_bytes(&bytes).unwrap();
            let mut resumed = Simulation::resume(murmuration::host(), kept, processor(2)).unwrap();
            assert_eq!(falcons(&mut resumed), falcons(&mut whole), "{name} on {choice:?}");
            whole.advance(50).unwrap();
            resumed.advance(50).unwrap();
            assert_eq!(resumed.state_hash().unwrap(), whole.state_hash().unwrap(), "{name} on {choice:?}");
        }
    }
}

#[test]
fn falcons_yield_to_a_player_and_come_again() {
    let mut simulation = begin(of_model("cell-fast", &["hunter[0].jaws=0", "hunter[2].jaws=0"]), processor(2));
    simulation.advance(40).unwrap();
    let place = [30 * 16, 20 * 16];
    let pointer = Pointer { place: place.into(), reach: 3, mood: Mood::Flee, weight: 0 };
    simulation.apply(Input::Hunter(Some(pointer))).unwrap();
    simulation.advance(1).unwrap();
    assert!(falcons(&mut simulation).iter().all(|falcon| (falcon.phase, falcon.energy) == (YIELDS, 0)));
    simulation.advance(100).unwrap();
    let before = falcons(&mut simulation);
    simulation.apply(Input::Hunter(None)).unwrap();
    simulation.advance(1).unwrap();
    assert!(falcons(&mut simulation).iter().all(|falcon| (falcon.phase, falcon.energy) == (WAITS, 1)));
    assert_eq!(before.len(), 3);
    let mut has_stooped = [false; 3];
    for _ in 0..200 {
        simulation.advance(1).unwrap();
        for (has_stooped, falcon) in has_stooped.iter_mut().zip(falcons(&mut simulation)) {
            *has_stooped |= falcon.phase == STOOPS;
        }
    }
    assert_eq!(has_stooped, [true; 3]);
}

// The flight in f64.

type Real3 = [f64; 3];

fn real(v: Vector3) -> Real3 {
    v.map(f64::from)
}

fn long(v: Real3) -> f64 {
    v.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn times(v: Real3, factor: f64) -> Real3 {
    v.map(|part| part * factor)
}

fn plus(a: Real3, b: Real3) -> Real3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn direction(v: Real3) -> Real3 {
    if long(v) == 0.0 { v } else { times(v, 1.0 / long(v)) }
}

/// The velocity after a step of a falcon that wants to fly in a direction, in 1/1024 cell a step.
fn turned(velocity: Real3, wish: Real3, speed: f64, turn: f64) -> Real3 {
    let change = plus(times(wish, speed), times(velocity, -1.0));
    let size = long(change);
    plus(velocity, if size > turn { times(change, turn / size) } else { change })
}

fn circled(aim: Real3, distance: f64, heading: Real3) -> Real3 {
    let towards = direction(aim);
    let along: f64 = (0..3).map(|axis| heading[axis] * towards[axis]).sum();
    let outside = ((long(aim) - distance) / distance).clamp(-1.0, 1.0);
    direction(plus(heading, times(towards, outside - along)))
}

#[test]
fn the_flight_is_that_of_real_numbers() {
    let mut random = Random::new(31);
    let mut flown = [0; 3];
    for case in 0..20_000 {
        let mut between = |least: i64, most: i64| random.between(least, most) as i32;
        let flat = case % 2 == 0;
        let ends = [60 * 16, 50 * 16, if flat { 16 } else { 40 * 16 }];
        let place = ends.map(|end| between(0, (end - 16).into()));
        let mut around =
            |most: i64| [between(-most, most), between(-most, most), if flat { 0 } else { between(-most, most) }];
        let (velocity, remainder, aim) = (around(3000), around(32), around(900));
        let zero: HunterNumbers = bytemuck::Zeroable::zeroed();
        let numbers = HunterNumbers {
            reach: between(3, 30),
            speed: between(300, 3000),
            peak: between(1000, 6000),
            turn: between(20, 900),
            distance: between(10, 60),
            rest: between(5, 60),
            ..zero
        };
        let falcon = Falcon {
            place,
            phase: between(0, 2),
            remainder,
            energy: between(0, 60).min(numbers.rest),
            velocity,
            padding: 0,
        };
        let weight = i64::from(between(1, 1_000_000));
        let seen = SwarmMoments { amount: weight as u64, moment: aim.map(|part| i64::from(part) * weight) };
        let next = falcon.fly(&numbers, &seen, None, ends, EDGES[case % 2], None);
        // Phase and energy follow the documented rules.
        let far = long(real(aim));
        let [distance, reach] = [numbers.distance, numbers.reach].map(|cells| 16.0 * f64::from(cells));
        if (far - distance).abs() < 1.0 || (2.0 * far - reach).abs() < 2.0 || far < 1.0 {
            continue;
        }
        let energy =
            if falcon.phase == STOOPS { (falcon.energy - 2).max(0) } else { (falcon.energy + 1).min(numbers.rest) };
        let is_rested = energy == numbers.rest;
        let phase = match falcon.phase {
            STOOPS if energy == 0 || far < reach / 2.0 => CLIMBS,
            STOOPS => STOOPS,
            CLIMBS if is_rested || far > distance => WAITS,
            CLIMBS => CLIMBS,
            _ if is_rested => STOOPS,
            _ => WAITS,
        };
        assert_eq!((next.phase, next.energy), (phase, energy), "case {case}");
        flown[phase as usize] += 1;
        let heading = direction(real(velocity));
        let (wish, speed) = match phase {
            STOOPS => (direction(real(aim)), numbers.peak),
            CLIMBS => (heading, numbers.speed),
            _ => (circled(real(aim), distance, heading), numbers.speed),
        };
        let expected = turned(real(velocity), wish, speed.into(), numbers.turn.into());
        let is_near_wall = |axis: usize| {
            let way = f64::from(64 * place[axis] + remainder[axis]) + expected[axis];
            ends[axis] > 16 && !(64.0..64.0 * f64::from(ends[axis] - 17)).contains(&way)
        };
        if EDGES[case % 2] == Edges::Walls && (0..3).any(is_near_wall) {
            // A wall may turn the falcon. Another test checks falcons at walls.
            continue;
        }
        let wide = if phase == WAITS { 0.01 * f64::from(speed) + 4.0 } else { 0.002 * f64::from(speed) + 3.0 };
        let error = long(plus(expected, times(real(next.velocity), -1.0)));
        // A nearly zero wish has no certain direction.
        let is_certain = phase != WAITS || long(plus(wish, times(heading, -1.0))) < 1.9;
        assert!(
            error < wide || !is_certain,
            "case {case}: {error} off in phase {phase}: {falcon:?} {numbers:?} {aim:?}"
        );
        // The change of place is the velocity, to the last bit.
        for axis in 0..3 {
            let way = |falcon: &Falcon| 64 * falcon.place[axis] + falcon.remainder[axis];
            let made = way(&next) - way(&falcon);
            let around = 64 * ends[axis];
            assert_eq!((made - next.velocity[axis]).rem_euclid(around), 0, "case {case}, axis {axis}");
        }
    }
    assert!(flown.iter().all(|count| *count > 500), "{flown:?}");
}

/// Walls turn a falcon, and it stays within them.
#[test]
fn a_falcon_stays_within_walls() {
    let zero: HunterNumbers = bytemuck::Zeroable::zeroed();
    let numbers = HunterNumbers { speed: 2048, peak: 3000, turn: 400, reach: 5, distance: 9, rest: 20, ..zero };
    let mut falcon = Falcon { place: [16, 0, 32], velocity: [-2048, -1500, 700], ..Falcon::default() };
    let ends = [20 * 16, 16, 9 * 16];
    for step in 0..500 {
        falcon = falcon.fly(&numbers, &SwarmMoments::default(), None, ends, Edges::Walls, None);
        assert!((0..3).all(|axis| (0..=ends[axis] - 16).contains(&falcon.place[axis])), "step {step}: {falcon:?}");
    }
}

#[test]
fn what_is_wrong_with_a_hunter_is_one_line() {
    let eight = "[[hunter]]\nkind = \"falcon\"\n".repeat(9);
    for (text, set, expected) in [
        (eight.as_str(), "", "hunter: there are 9 hunters; at most 8 are possible"),
        ("[hunter]\nkind = \"hawk\"", "", ":20: hunter.kind: unknown value `hawk`"),
        (
            "[hunter]\nkind = \"falcon\"\npath = [[0, 0]]",
            "",
            ":21: hunter.path: means nothing with this hunter.kind; remove it; the keys",
        ),
        ("[[hunter]]\nrest = 5", "", ":20: hunter[0].rest: means nothing with this hunter[0].kind"),
        (
            "[hunter]\nkind = \"player\"\nreach = 5",
            "",
            ":21: hunter.reach: means nothing with this hunter.kind; remove it; the player decides it",
        ),
        (
            "[hunter]\nkind = \"falcon\"\nspeed = 0",
            "",
            ":21: hunter.speed: is no speed that a falcon can fly; that of a falcon must be above 0",
        ),
        (
            "[hunter]\nkind = \"falcon\"\npeak = 25",
            "",
            ":21: hunter.peak: 25 is out of bounds; it must be from 0 to 24",
        ),
        ("[hunter]\nkind = \"falcon\"\nturn = -1", "", ":21: hunter.turn: -1 is out of bounds"),
        (
            "[hunter]\nkind = \"falcon\"\nsight = 256",
            "",
            ":21: hunter.sight: 256 is out of bounds; it must be from 1 to 255",
        ),
        ("[hunter]\nkind = \"falcon\"\ndistance = 0", "", ":21: hunter.distance: 0 is out of bounds"),
        (
            "[hunter]\nkind = \"falcon\"\nrest = 10001",
            "",
            ":21: hunter.rest: 10001 is out of bounds; it must be from 1 to 10000",
        ),
        ("[roost]\nat = [2, 0]", "", ":20: roost.at: 2 is out of bounds"),
        ("[roost]\nvertical = 5", "", ":20: roost.vertical: 5 is out of bounds; it must be from 0 to 4"),
        (
            FALCONS,
            "hunter.reach=9",
            "set hunter.reach=9: hunter.reach: there are 4 of `hunter`; say which, as in hunter[0].reach",
        ),
        (FALCONS, "hunter[4].reach=9", "set hunter[4].reach=9: hunter[4].reach: the list `hunter` ends with [3]"),
        (FALCONS, "hunter[1].reach=0", "set hunter[1].reach=0: hunter[1].reach: 0 is out of bounds"),
        ("[[hunter]]\nkind = \"falcon\"", "hunter.rest=0", "set hunter.rest=0: hunter[0].rest: 0 is out of bounds"),
    ] {
        let set = if set.is_empty() { Vec::new() } else { vec![set.to_string()] };
        let overrides = Overrides { set, ..Overrides::default() };
        let read = Preset::from_text(murmuration::host(), "falcons.toml", &format!("{SWARM}{text}\n"), &overrides);
        let wrong = read.expect_err(expected).to_string();
        assert!(wrong.contains(expected), "{wrong}\nand not\n{expected}");
        assert!(!wrong.contains('\n'));
    }
    // A single hunter needs no index, but may have one.
    for set in ["hunter.reach=9", "hunter[0].reach=9"] {
        for text in ["[hunter]\nkind = \"falcon\"\n", "[[hunter]]\nkind = \"falcon\"\n"] {
            assert_eq!(preset(&format!("{SWARM}{text}"), &[set]).world.hunters[0].reach, 9);
        }
    }
}
