//! Two peers of a game in lockstep. Each peer plays the whole swarm, and the peers exchange only inputs. A fifth of the
//! packets is lost, and the others come late. The state hashes of both peers stay equal, because [`Rollback`] goes back
//! and applies a late input at its own step.
//!
//! `cargo run --release --example lockstep [STEPS]` starts both peers on 127.0.0.1 and compares their hashes.

use murmuration::rollback::{InputTime, Rollback};
use murmuration::{EngineChoice, Input, Mood, Place, Pointer, open};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The extents of the world in cells.
const SIZE: [u32; 2] = [96, 64];
/// The maximum number of steps that a peer plays ahead of the other peer's inputs.
const AHEAD: u64 = 48;
/// The number of steps from one compared hash to the next.
const HASH_EVERY: u64 = 300;
/// The maximum number of steps whose inputs are in a packet.
const MAX_INPUTS: usize = 64;
/// One packet of this number of packets is lost, on average.
const LOST_ONE_IN: u64 = 5;
/// A packet is delayed by fewer than this number of turns of the peer's loop.
const LATEST: u64 = 40;
/// The maximum time that a peer waits for a silent peer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A message between the peers.
#[derive(Serialize, Deserialize)]
struct Packet {
    /// The first step of `inputs`.
    first: u64,
    /// The inputs of each step from `first` on.
    inputs: Vec<Vec<Input>>,
    /// The sender has received the receiver's inputs of all steps before this step.
    known: u64,
}

/// The result that a peer prints: the hash after each [`HASH_EVERY`] steps, and the number of missing quanta, which
/// should be 0.
#[derive(Serialize, Deserialize, PartialEq)]
struct Outcome {
    hashes: Vec<String>,
    lost: i64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["peer", number, own, other, steps] => play(number.parse()?, own.parse()?, other.parse()?, steps.parse()?),
        [] => run_both(36_000),
        [steps] => run_both(steps.parse()?),
        _ => Err("say how many steps, or nothing".into()),
    }
}

fn run_both(steps: u64) -> Result<(), Box<dyn Error>> {
    // The system chooses two free ports, which the peers then use.
    let sockets = [UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?];
    let ports = [sockets[0].local_addr()?.port(), sockets[1].local_addr()?.port()];
    drop(sockets);
    let begun = Instant::now();
    let start = |number: usize| {
        let [own, other] = [ports[number], ports[1 - number]].map(|port| port.to_string());
        let mut peer = Command::new(std::env::current_exe()?);
        peer.args(["peer", &number.to_string(), &own, &other, &steps.to_string()]).stdout(Stdio::piped()).spawn()
    };
    let peers = [start(0)?, start(1)?];
    let mut outcomes = Vec::new();
    for peer in peers {
        let ended = peer.wait_with_output()?;
        if !ended.status.success() {
            return Err(format!("a peer ended with {}", ended.status).into());
        }
        outcomes.push(serde_json::from_slice::<Outcome>(&ended.stdout)?);
    }
    let [one, other] = &outcomes[..] else { unreachable!("there are two peers") };
    let equal = one.hashes.iter().zip(&other.hashes).take_while(|(one, other)| one == other).count();
    println!(
        "{steps} steps in {:.1} s: {equal} of {} hashes are equal; lost {} boids",
        begun.elapsed().as_secs_f64(),
        one.hashes.len(),
        one.lost
    );
    if one == other && !one.hashes.is_empty() && one.lost == 0 { Ok(()) } else { Err("the peers have parted".into()) }
}

/// Plays as one of the peers.
fn play(number: u32, own_port: u16, other_port: u16, steps: u64) -> Result<(), Box<dyn Error>> {
    let socket = UdpSocket::bind(("127.0.0.1", own_port))?;
    socket.set_nonblocking(true)?;
    let mut chance = Pcg64::seed_from_u64(number.into());
    let swarm =
        open("droplets").size(SIZE[0], SIZE[1]).seed(7).engine(EngineChoice::Cpu(Default::default())).start()?;
    let mut game = Rollback::new(swarm, 8, 2 * AHEAD)?;
    let mut own: Vec<Vec<Input>> = Vec::new();
    let (mut step, mut known, mut acknowledged) = (0, 0, 0);
    let mut hashes = Vec::new();
    // Delayed packets, with the turn of the loop in which they are sent.
    let mut waiting: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut turn = 0;
    let mut heard = Instant::now();
    while known < steps || acknowledged < steps || (hashes.len() as u64) < steps / HASH_EVERY {
        // A step is hashed only after the other peer's inputs before it have come.
        let is_hashed = (hashes.len() as u64 + 1) * HASH_EVERY > step;
        if !is_hashed && known >= step {
            game.advance_to(step)?;
            hashes.push(game.simulation().state_hash()?);
        } else if step < steps && step < known + AHEAD && is_hashed {
            let inputs = inputs(&mut chance);
            insert(&mut game, step, number, &inputs)?;
            own.push(inputs);
            step += 1;
            game.advance_to(step)?;
        }
        let first = acknowledged.min(own.len() as u64);
        let inputs = own[first as usize..].iter().take(MAX_INPUTS).cloned().collect();
        if below(&mut chance, LOST_ONE_IN) > 0 {
            let due = turn + below(&mut chance, LATEST);
            waiting.push((due, serde_json::to_vec(&Packet { first, inputs, known })?));
        }
        for (_, packet) in waiting.extract_if(.., |(due, _)| *due <= turn) {
            // A peer that has ended does not receive.
            let _ = socket.send_to(&packet, ("127.0.0.1", other_port));
        }
        let mut bytes = [0; 1 << 16];
        while let Ok(length) = socket.recv(&mut bytes) {
            let packet: Packet = serde_json::from_slice(&bytes[..length])?;
            heard = Instant::now();
            acknowledged = acknowledged.max(packet.known);
            for (offset, inputs) in packet.inputs.iter().enumerate() {
                if packet.first + offset as u64 == known {
                    insert(&mut game, known, 1 - number, inputs)?;
                    known += 1;
                }
            }
        }
        if heard.elapsed() > PATIENCE {
            // The other peer has all inputs, and may have ended without its last packet arriving.
            if known >= steps && acknowledged + AHEAD >= steps {
                break;
            }
            return Err("the other peer is silent".into());
        }
        turn += 1;
    }
    // The last packet is sent several times, so that the other peer ends too.
    let last = serde_json::to_vec(&Packet { first: 0, inputs: Vec::new(), known })?;
    for _ in 0..100 {
        let _ = socket.send_to(&last, ("127.0.0.1", other_port));
        std::thread::sleep(Duration::from_millis(2));
    }
    eprintln!("peer {number}: {} of {steps} steps were played again", game.replayed());
    let lost = game.simulation().account()?.lost;
    println!("{}", serde_json::to_string(&Outcome { hashes, lost })?);
    Ok(())
}

/// Random inputs of a player in a step: usually none, sometimes a hunter, the end of a hunt, or new boids.
fn inputs(chance: &mut Pcg64) -> Vec<Input> {
    let place = SIZE.map(|extent| below(chance, extent.into()) as f64 + 0.5);
    match below(chance, 40) {
        0 => vec![Input::Hunter(None)],
        1..=3 => {
            let pointer = Pointer { place: Place::from_cells(place), reach: 9, mood: Mood::Flee, weight: 3072 };
            vec![Input::Hunter(Some(pointer)), Input::Jaws(below(chance, 3) as u32)]
        }
        4 => vec![Input::Spawn { at: place.map(|along| along as i32).into(), radius: 3, boids: 12 }],
        _ => Vec::new(),
    }
}

fn insert(game: &mut Rollback, step: u64, player: u32, inputs: &[Input]) -> Result<(), Box<dyn Error>> {
    for (number, input) in inputs.iter().enumerate() {
        game.insert(InputTime { step, player, number: number as u32 }, input.clone())?;
    }
    Ok(())
}

/// A pseudo-random number below `n`.
fn below(chance: &mut Pcg64, n: u64) -> u64 {
    chance.next_u64() % n
}
