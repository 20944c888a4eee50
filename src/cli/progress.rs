//! Shows the progress of a command on standard error.

use super::{is_quiet, remark};
use crate::interrupt;
use crate::run::{Moment, Observer, RunTime};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use murmuration_core::error::Failure;
use murmuration_core::numbers::BOID;
use murmuration_core::simulation::{Simulation, StopCheck};
use murmuration_core::text::readable::rate;
use std::io::IsTerminal;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The minimum time between two lines of text about the progress.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Listens for Ctrl-C. Returns a check whether the run has to end. A message appears at once, because a step may take
/// long. `kept`: a part of the message that says which results remain.
///
/// # Errors
/// If the system refuses.
pub fn listen_for(kept: &'static str) -> Result<StopCheck, Failure> {
    let interrupt =
        interrupt::listen(move || remark(format_args!("interrupted: {kept}; interrupt again to end at once")))?;
    Ok(Arc::new(move || interrupt.load(Ordering::Relaxed)))
}

/// Listens for Ctrl-C during a run of steps (see [`listen_for`]).
///
/// # Errors
/// If the system refuses.
pub fn listen() -> Result<StopCheck, Failure> {
    listen_for("ends at the last whole step")
}

/// A progress bar on standard error. `None` if standard error is not a terminal, or this rank prints nothing.
pub fn bar(length: u64) -> Option<ProgressBar> {
    (!is_quiet() && std::io::stderr().is_terminal()).then(|| {
        let style = ProgressStyle::with_template("{bar:32} {msg} · {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
    })
}

/// The progress of steps: a bar on a terminal, otherwise a line of text from time to time. The bar is cleared at the
/// end.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// The first step of this run, and the step at its end.
    steps: Range<u64>,
    begun: Instant,
    /// The time of the last line of text.
    said: Instant,
}

impl Progress {
    /// The progress from a first step to a last one.
    pub fn new(steps: Range<u64>) -> Self {
        let bar = if steps.is_empty() { None } else { bar(steps.end) };
        let now = Instant::now();
        Self { bar: bar.map(|bar| bar.with_position(steps.start)), steps, begun: now, said: now }
    }

    /// Shows the present step. `message` makes the text from the number of seconds since the beginning.
    pub fn show(&mut self, step: u64, message: impl Fn(f64) -> String) {
        let seconds = self.begun.elapsed().as_secs_f64();
        if let Some(bar) = &self.bar {
            bar.set_message(message(seconds));
            bar.set_position(step);
        } else if self.said.elapsed() >= BETWEEN_LINES {
            let [played, due] = [step.saturating_sub(self.steps.start), self.steps.end.saturating_sub(step)];
            let left = seconds / played.max(1) as f64 * due as f64;
            remark(format_args!("{} · {left:.0} s left", message(seconds)));
            self.said = Instant::now();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The progress of a run, with the rate in cells or boids a second.
pub struct RunProgress {
    /// `None` after the end of the run.
    progress: Option<Progress>,
    /// The number of cells, or of individuals at the start.
    many: u64,
    /// The unit of the rate: `cell` or `boid`.
    unit: &'static str,
}

impl RunProgress {
    /// The progress of a run of a simulation from a first step to a last one.
    pub fn new(steps: Range<u64>, simulation: &Simulation) -> Self {
        let preset = simulation.preset();
        let (many, unit) = match preset.individuals {
            Some(_) => (preset.start_spec.quanta() / u64::from(BOID), "boid"),
            None => (preset.world.extents.cells() as u64, "cell"),
        };
        Self { progress: Some(Progress::new(steps)), many, unit }
    }
}

impl<T> Observer<T> for RunProgress {
    fn until_due(&self, _: RunTime) -> u64 {
        u64::MAX
    }

    fn observe(&mut self, _: &mut Moment<'_, T>) -> Result<(), Failure> {
        Ok(())
    }

    /// Removes the bar from the terminal.
    fn finish(&mut self, _: &mut Moment<'_, T>) -> Result<(), Failure> {
        self.progress = None;
        Ok(())
    }

    fn progress(&mut self, RunTime { played, .. }: RunTime, remarks: &[String]) {
        remarks.iter().for_each(remark);
        let Some(progress) = &mut self.progress else { return };
        let Range { start, end } = progress.steps;
        let (step, all) = (start + played, played as f64 * self.many as f64);
        let of = |seconds: f64| format!("step {step} of {end} · {}", rate(all / seconds.max(1e-9), self.unit));
        progress.show(step, of);
    }
}
