//! Compares the time of a step of krABMaga's flockers with the time of a step of Murmuration's individuals. The two
//! simulators run in turns, on one thread. They have equal numbers of individuals, in equal space and with equal radii,
//! so an individual has about equally many neighbours.
//!
//! Murmuration's individuals follow the rules of the cell system, and search neighbours in a grid. Both simulators
//! start every repetition anew at random places, so neither swarm is more crowded than the other.

mod flockers;

use flockers::Flockers;
use murmuration::bench::families::EngineSetup;
use murmuration::bench::scenario::Scenario;
use murmuration::bench::table::significant;
use murmuration::bench::timing::{SamplingPlan, Spread, interleave};
use murmuration::run::Stepper;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use std::time::Instant;

const COUNTS: [u32; 3] = [4096, 16_384, 65_536];
/// The maximum number of timed steps of a repetition.
const STEPS: u64 = 16;
/// The number of untimed steps before the timed ones. In these steps buffers grow.
const BEFORE: u64 = 2;

fn main() -> Result<(), Failure> {
    println!(
        "| individuals | krABMaga flockers, ms a step | neighbours | ours, grid, 1 thread, ms a step | times as fast |"
    );
    println!("|---|---|---|---|---|");
    for count in COUNTS {
        let scenario = Scenario::flat(u64::from(count));
        let preset = scenario.preset()?;
        let chain = preset.load_chain(Some("agents-grid".as_ref()))?;
        let extent = preset.world.extents.width as f32;
        let one_thread = EngineSetup::cpu(1);
        let mut neighbours = 0.0;
        let mut play = |simulator: usize, steps: u64| match simulator {
            0 => {
                let mut flockers = Flockers::new(count, extent);
                (0..BEFORE).for_each(|_| flockers.step());
                let begun = Instant::now();
                (0..steps).for_each(|_| flockers.step());
                let seconds = begun.elapsed().as_secs_f64();
                neighbours = flockers.neighbours();
                Ok(seconds)
            }
            _ => {
                let mut ours = Simulation::new(preset.clone(), &chain, one_thread.choice())?;
                ours.play(BEFORE)?;
                let begun = Instant::now();
                ours.play(steps)?;
                Ok(begun.elapsed().as_secs_f64())
            }
        };
        let sampling = SamplingPlan { rounds: 9, ..SamplingPlan::USUAL };
        let times = interleave(&[STEPS; 2], sampling, &mut play, &mut || true);
        let [theirs, ours] = [0, 1].map(|simulator: usize| times[simulator].seconds.as_slice());
        let ratios: Vec<f64> = theirs.iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect();
        let [theirs, ours] = [theirs, ours].map(|seconds| shown(seconds, 1e3));
        println!("| {count} | {theirs} | {} | {ours} | {} |", significant(neighbours), shown(&ratios, 1.0));
    }
    Ok(())
}

/// The text `median (least – greatest)` of samples, each multiplied by `unit`.
fn shown(samples: &[f64], unit: f64) -> String {
    let Some(spread) = Spread::new(samples) else { return "not measured".into() };
    let [median, least, most] = [spread.median, spread.least, spread.most].map(|value| significant(value * unit));
    format!("{median} ({least} – {most})")
}
