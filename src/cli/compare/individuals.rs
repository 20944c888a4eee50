//! A preset of individuals, which has no cells to compare with: its own measures.

use super::{Arguments, USUAL_ROWS};
use crate::cli::run::{Arguments as RunArguments, play};
use crate::cli::{INTERRUPTED, remark, say};
use crate::observe::{FrameKind, Observation};
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;

impl Arguments {
    /// Plays a preset of individuals alone: their own measures, statistics and pictures.
    pub(super) fn run_individuals(&self, mut simulation: Simulation, look: Option<Chain>) -> Result<u8, Failure> {
        let path = |name: &str| self.out.as_ref().map(|out| out.join(name));
        let outputs = RunArguments {
            out: path("frames"),
            frames: vec![FrameKind::Picture],
            overwrite: self.overwrite,
            metrics: path("measures.csv"),
            statistics: path("statistics.json"),
            every: Some(self.every.unwrap_or(self.steps.div_ceil(USUAL_ROWS).max(1))),
            ..RunArguments::default()
        };
        let outcome = play(&mut simulation, self.steps, &outputs, look.as_ref(), None)?;
        if outcome.is_interrupted() {
            let step = simulation.step();
            remark(format_args!("interrupted at step {step} of {}; the results so far are kept", self.steps));
        }
        let status = outcome.report(&mut simulation, self.json)?;
        if !self.json {
            let measures = Observation::new(&mut simulation)?.measures();
            for (name, value) in measures.iter().filter_map(|(name, value)| Some((name, value.as_f64()?))) {
                say(format_args!("{name:<32}{value:>14.4}"))?;
            }
        }
        Ok(if outcome.is_interrupted() { INTERRUPTED } else { status })
    }
}
