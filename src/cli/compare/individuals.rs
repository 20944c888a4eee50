//! A preset of individuals, which has no cells to compare with: its own measures.

use super::{Arguments, USUAL_ROWS};
use crate::cli::run::{FrameOptions, Outputs, Run};
use crate::cli::{INTERRUPTED, remark, say};
use crate::observe::{FrameKind, Observation};
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;

impl Arguments {
    /// Plays a preset of individuals alone: their own measures, statistics and pictures.
    pub(super) fn run_individuals(&self, simulation: Simulation, look: Option<Chain>) -> Result<u8, Failure> {
        let paths =
            self.out.as_ref().map(|out| ["frames", "measures.csv", "statistics.json"].map(|name| out.join(name)));
        let [frames, metrics, statistics] =
            paths.as_ref().map_or([None; 3], |paths| paths.each_ref().map(|path| Some(path.as_path())));
        let frames = frames.map(|folder| FrameOptions {
            folder,
            kinds: &[FrameKind::Picture],
            scale: None,
            overwrites: self.overwrite,
        });
        let every = self.every.unwrap_or(self.steps.div_ceil(USUAL_ROWS).max(1));
        let outputs = Outputs { frames, metrics, statistics, every: Some(every), ..Outputs::default() };
        let mut run = Run::new(simulation, self.steps, outputs, look, None)?;
        let outcome = run.play()?;
        if outcome.is_interrupted {
            let step = run.simulation.step();
            remark(format_args!("interrupted at step {step} of {}; the results so far are kept", self.steps));
        }
        let status = run.report(&outcome, self.json)?;
        if !self.json {
            let measures = Observation::new(&mut run.simulation)?.measures();
            for (name, value) in measures.iter().filter_map(|(name, value)| Some((name, value.as_f64()?))) {
                say(format_args!("{name:<32}{value:>14.4}"))?;
            }
        }
        Ok(if outcome.is_interrupted { INTERRUPTED } else { status })
    }
}
