//! Operations of a game besides steps: queries, taking and restoring snapshots, and an obstacle that moves.
//!
//! ```text
//! cargo bench --bench game
//! ```
//!
//! Each line has the median, the least and the greatest time of the calls, in milliseconds.

use murmuration::obstacles::ObstacleShape;
use murmuration::overlap::Overlap;
use murmuration::run::{Run, Stepper};
use murmuration::{CpuOptions, Dispatch, EngineChoice, Failure, Input, Patience, Simulation, open};
use murmuration_gpu::device_of;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 41;
const QUERIES: usize = 1000;
const STEPS_BEFORE: u64 = 20;

fn swarm(name: &str, size: (u32, u32), boids: u32, engine: EngineChoice) -> Result<Simulation, Failure> {
    let mut builder = open(name).size(size.0, size.1).engine(engine);
    if boids > 0 {
        builder = builder.set("start.boids", boids);
    }
    let mut swarm = builder.start()?;
    Run::new(&mut swarm).to(STEPS_BEFORE).play()?;
    Ok(swarm)
}

fn play_step(swarm: &mut Simulation) -> Result<(), Failure> {
    swarm.play(1).map(drop)
}

/// Calls a function repeatedly, and prints the median, the least and the greatest time of all calls but the first.
/// `between`: work before each call, which is not timed.
fn measure<T>(
    what: &str,
    swarm: &mut Simulation,
    mut between: impl FnMut(&mut Simulation) -> Result<(), Failure>,
    mut call: impl FnMut(&mut Simulation) -> Result<T, Failure>,
) -> Result<(), Failure> {
    let mut times = Vec::new();
    for _ in 0..=REPETITIONS {
        between(swarm)?;
        // Waits until the GPU has completed the steps before the call.
        if let Some(gpu) = device_of(swarm) {
            gpu.wait(None)?;
        }
        let begun = Instant::now();
        let kept = call(swarm)?;
        times.push(begun.elapsed());
        drop(kept);
    }
    times.remove(0);
    times.sort_unstable();
    let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
    let [least, median, greatest] = [0, REPETITIONS / 2, REPETITIONS - 1].map(|index| milliseconds(times[index]));
    println!("{what:<52} {median:9.3} ms  ({least:.3} to {greatest:.3})");
    Ok(())
}

fn main() -> Result<(), Failure> {
    let cpu = EngineChoice::Cpu(CpuOptions::default());
    let gpu = EngineChoice::Gpu(Dispatch::default());
    for (engine, choice) in [("cpu", cpu), ("gpu", gpu)] {
        for (name, size, boids) in [("droplets", (512, 512), 0), ("school", (320, 200), 65_536)] {
            let mut swarm = match swarm(name, size, boids, choice) {
                Err(Failure::Device(why)) => {
                    println!("{engine}: left out: {why}");
                    break;
                }
                swarm => swarm?,
            };
            let told = |what: &str| format!("{engine} {name} {}x{}: {what}", size.0, size.1);
            let places = (0..QUERIES).map(|index| {
                [index * 7919 % size.0 as usize, index * 104_729 % size.1 as usize].map(|along| along as i32)
            });
            let cells: Vec<Overlap> = places.clone().map(|place| Overlap::cell(place.into())).collect();
            let balls: Vec<Overlap> = places.map(|place| Overlap::ball(place.map(f64::from), 6.0)).collect();
            for (what, queries) in [("1000 cells, asked", &cells), ("1000 balls of radius 6, asked", &balls)] {
                // The wait for the answer is not timed: a game takes the answer a frame later.
                let mut last = None;
                measure(&told(what), &mut swarm, play_step, |swarm| {
                    last = Some(swarm.overlap(queries)?);
                    Ok(())
                })?;
                let mut ticket = last.take();
                if let Some(ticket) = &mut ticket {
                    ticket.take(Patience::Wait)?;
                }
            }
            measure(&told("a snapshot"), &mut swarm, play_step, Simulation::snapshot)?;
            let snapshot = swarm.snapshot()?;
            measure(&told("the way back to it"), &mut swarm, play_step, |swarm| swarm.restore(&snapshot))?;
            let mut x = 0.0;
            measure(&told("an obstacle moves"), &mut swarm, play_step, |swarm| {
                x += 3.0;
                let shape = Some(ObstacleShape::ball([x, 200.0], 20.0));
                swarm.apply(Input::Obstacle { number: 1, shape })
            })?;
        }
    }
    Ok(())
}
