//! The engines on the CPU, on all cores and without a driver. The engine of cells runs the Rust twins of the kernels.

mod bands;
mod cells;
#[cfg(test)]
mod deep_tests;
mod individuals;
mod lattice;
mod steering;

pub use cells::CpuEngine;
pub use individuals::CpuIndividuals;

use crate::error::Failure;
use crate::lanes::InstructionSet;
use crate::parallel::ThreadPool;
use std::fmt;
use std::time::Duration;

/// The options of an engine on the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The number of threads; `None`: one for each core.
    pub threads: Option<usize>,
    /// The instruction set; `None`: the widest one of the processor.
    pub instruction_set: Option<InstructionSet>,
}

/// The threads and the instruction set on which the engines of both models run.
struct Processor {
    pool: ThreadPool,
    instruction_set: InstructionSet,
    /// The time since a fixed moment, for the durations of passes.
    clock: Option<fn() -> Duration>,
}

impl Processor {
    /// Starts threads whose names begin with `name`.
    fn new(options: Options, name: &'static str, clock: Option<fn() -> Duration>) -> Result<Self, Failure> {
        let instruction_set = options.instruction_set.unwrap_or_else(InstructionSet::widest);
        Ok(Self { pool: ThreadPool::new(options.threads, name)?, instruction_set, clock })
    }

    /// The current time; 0 without a clock.
    #[inline(always)]
    fn now(&self) -> Duration {
        self.clock.map_or(Duration::ZERO, |clock| clock())
    }

    /// The durations of passes in seconds; empty without a clock.
    fn seconds(&self, durations: &[Duration]) -> Vec<f64> {
        let timed = if self.clock.is_some() { durations } else { &[] };
        timed.iter().map(Duration::as_secs_f64).collect()
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.pool, self.instruction_set)
    }
}
