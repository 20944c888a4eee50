//! The progress of a run on standard error: a bar on a terminal, lines of text otherwise.

use super::remark;
use crate::numbers::BOID;
use crate::readable::rate;
use crate::simulation::Simulation;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The least time between two lines of text.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

pub struct Progress {
    /// `None` if standard error is not a terminal.
    bar: Option<ProgressBar>,
    first: u64,
    last: u64,
    /// Cells or individuals at the start, and the unit of the rate.
    many: u64,
    unit: &'static str,
    begun: Instant,
    said: Instant,
}

impl Progress {
    /// The progress of a run of this simulation between two steps.
    pub fn new(first: u64, last: u64, simulation: &Simulation) -> Self {
        let preset = simulation.preset();
        let (many, unit) = match preset.agents {
            Some(_) => (preset.start_spec.quanta() / u64::from(BOID), "agent"),
            None => (preset.world.extents.cells() as u64, "cell"),
        };
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(last), ProgressDrawTarget::stderr()).with_position(first);
            let style = ProgressStyle::with_template("{bar:32} step {pos} of {len} · {msg} · {eta} left");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let now = Instant::now();
        Self { bar, first, last, many, unit, begun: now, said: now }
    }

    /// Shows how many steps were played.
    pub fn show(&mut self, played: u64) {
        let step = self.first + played;
        let (seconds, played) = (self.begun.elapsed().as_secs_f64(), played as f64);
        let rate = rate(played * self.many as f64 / seconds.max(1e-9), self.unit);
        match &self.bar {
            Some(bar) => {
                bar.set_message(rate);
                bar.set_position(step);
            }
            None if self.said.elapsed() >= BETWEEN_LINES => {
                let left = seconds / played.max(1.0) * (self.last - step) as f64;
                remark(format_args!("step {step} of {} · {rate} · {left:.0} s left", self.last));
                self.said = Instant::now();
            }
            None => {}
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
