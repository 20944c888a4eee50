//! Measures weak scaling: how the time of a step grows with the number of ranks. The part of the world that a rank
//! plays (its slab) keeps its size. One rank of many runs, with a simulated network to the others.
//!
//! ```text
//! cargo bench --bench weak_scaling
//! cargo bench --bench weak_scaling -- 5e-6 1e10        # another latency in seconds, and bytes a second
//! ```
//!
//! One rank of up to 1024 plays its slab with the program's own code, and makes every call to other ranks. The answers
//! assume that all slabs are alike. A neighbour sends the other end of the rank's own slab. A sum is the rank's own
//! part times the number of ranks. Each call adds the time of a network. Messages to neighbours take the latency plus
//! bytes / bandwidth. A sum over N ranks takes log2(N) times as long as such a message. The time of computing is
//! measured. Steps of the rank and steps of a world that is the slab alone are timed in turns. Each printed time is the
//! median of nine turns.
//!
//! The runs end before the ranks compare their loads for the first time, so all slabs keep their size.
//!
//! Efficiency is the time of the slab alone, divided by the time of the rank and of its network.

use murmuration::host::host_on_ranks;
use murmuration::run::Stepper;
use murmuration::{CpuOptions, EngineChoice, Failure, Overrides, Preset, Simulation};
use murmuration_core::ranks::{Ranks, SingleRank};
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The default latency of the network: the seconds that a message without content takes.
const LATENCY: f64 = 2e-6;
/// The default bandwidth of the network, in bytes a second in each direction.
const BANDWIDTH: f64 = 1e10;
/// For each measured world: its preset, and the cells of a slab along each axis. Slabs divide the last axis: the rows
/// of a flat world, or the slices of a deep world.
const SLABS: [(&str, &[u32]); 4] =
    [("droplets", &[16_384, 16]), ("droplets", &[65_535, 63]), ("lagoon", &[16_384, 63]), ("ink", &[256, 256, 8])];
const RANKS: [u32; 4] = [4, 32, 256, 1024];
/// Boids a cell.
const DENSITY: f64 = 0.1;
const STEPS: u64 = 3;
const TURNS: usize = 9;

/// Answers the calls of a rank in the middle of `size` ranks with equal slabs, without other ranks. `seconds`: the sum
/// of the simulated times of the network. `latency` is in seconds, `bandwidth` in bytes a second.
#[derive(Debug)]
struct SimulatedNetwork {
    size: usize,
    latency: f64,
    bandwidth: f64,
    seconds: Mutex<f64>,
}

impl SimulatedNetwork {
    fn add(&self, messages: f64, bytes: usize) {
        *self.seconds.lock().unwrap_or_else(PoisonError::into_inner) +=
            messages * (self.latency + bytes as f64 / self.bandwidth);
    }

    /// The simulated seconds of the network since the last call of this function.
    fn take_seconds(&self) -> f64 {
        std::mem::take(&mut *self.seconds.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Ranks for SimulatedNetwork {
    fn rank(&self) -> usize {
        self.size / 2
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&self, _: bool, [first, last]: [&[u32]; 2], [before, after]: [&mut [u32]; 2]) -> Result<(), Failure> {
        before.copy_from_slice(last);
        after.copy_from_slice(first);
        // Both directions transfer at the same time.
        self.add(1.0, 4 * first.len().max(last.len()));
        Ok(())
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), Failure> {
        numbers.iter_mut().for_each(|number| *number = number.wrapping_mul(self.size as u64));
        self.add((self.size as f64).log2().ceil(), 8 * numbers.len());
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        self.add((self.size as f64).log2().ceil(), own.len() * self.size);
        Ok(vec![own.to_vec(); self.size])
    }
}

/// A swarm in a world of `count` slabs.
fn begin(name: &str, slab: &[u32], count: u32, ranks: Arc<dyn Ranks>) -> Result<Simulation, Failure> {
    let mut size = slab.to_vec();
    *size.last_mut().expect("a slab has axes") *= count;
    let boids = (size.iter().map(|extent| f64::from(*extent)).product::<f64>() * DENSITY).min(f64::from(u32::MAX));
    let set = ["start.shape=uniform", "world.edges=torus", "start.run_in=0", &format!("start.boids={boids:.0}")];
    let overrides = Overrides {
        size: Some((size[0], size[1])),
        depth: size.get(2).copied(),
        set: set.map(String::from).to_vec(),
        ..Overrides::default()
    };
    let preset = Preset::load(&host_on_ranks(ranks), name, &overrides)?;
    let chain = preset.load_chain(None)?;
    Simulation::new(preset, &chain, EngineChoice::Cpu(CpuOptions { threads: Some(1), ..CpuOptions::default() }))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn seconds_of_step(simulation: &mut Simulation) -> Result<f64, Failure> {
    let begun = Instant::now();
    simulation.play(STEPS)?;
    simulation.wait()?;
    Ok(begun.elapsed().as_secs_f64() / STEPS as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let latency = numbers.first().copied().unwrap_or(LATENCY);
    let bandwidth = numbers.get(1).copied().unwrap_or(BANDWIDTH);
    println!("latency {latency:e} s, {bandwidth:e} bytes a second\n");
    println!("| preset | slab | ranks | slab alone, ms | rank, ms | network, ms | efficiency |");
    println!("|---|---|---|---|---|---|---|");
    for (name, slab) in SLABS {
        for size in RANKS {
            let network =
                Arc::new(SimulatedNetwork { size: size as usize, latency, bandwidth, seconds: Mutex::new(0.0) });
            let mut alone = begin(name, slab, 1, Arc::new(SingleRank))?;
            let mut rank = begin(name, slab, size, network.clone())?;
            let (mut of_alone, mut of_rank, mut of_network) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..TURNS {
                of_alone.push(seconds_of_step(&mut alone)?);
                network.take_seconds();
                of_rank.push(seconds_of_step(&mut rank)?);
                of_network.push(network.take_seconds() / STEPS as f64);
            }
            let [alone, rank, network] = [of_alone, of_rank, of_network].map(|times| 1e3 * median(times));
            let shape = slab.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ");
            let efficiency = 100.0 * alone / (rank + network);
            println!("| `{name}` | {shape} | {size} | {alone:.2} | {rank:.2} | {network:.3} | {efficiency:.1} % |");
        }
    }
    Ok(())
}
