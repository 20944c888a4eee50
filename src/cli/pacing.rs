//! Playing a run in pieces. Between two pieces the progress is shown and Ctrl-C is heard.

use super::remark;
use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use murmuration_core::error::Failure;
use murmuration_core::numbers::BOID;
use murmuration_core::readable::rate;
use murmuration_core::simulation::Simulation;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a piece should take.
const PIECE: Duration = Duration::from_millis(50);
/// The most steps of a piece.
const MOST_AT_ONCE: u64 = 1 << 12;
/// The least time between two lines of text about the progress.
pub const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// A flag that is set when the run is to end, such as by Ctrl-C, which is said at once: a step may take long.
///
/// # Errors
/// If the system refuses.
pub fn listen() -> Result<Arc<AtomicBool>, Failure> {
    interrupt::listen(|| remark("interrupted: ends at the last whole step; interrupt again to end at once"))
}

/// A run that can be played in pieces.
pub trait PacedRun {
    /// Plays this many steps, and returns how many were played: all of them, unless it is interrupted.
    fn advance(&mut self, steps: u64) -> Result<u64, Failure>;

    /// Writes or measures the present step. It is called before the first step and after every step that is due.
    fn observe(&mut self) -> Result<(), Failure>;

    /// What the engines have to say since the last call.
    fn remarks(&mut self) -> Vec<String>;
}

/// Plays a number of steps, or fewer if it is interrupted, and observes every `every`-th of them. Calls `report`
/// with the steps played after each piece, and returns them at the end.
pub fn play(
    run: &mut impl PacedRun,
    steps: u64,
    every: u64,
    interrupt: &AtomicBool,
    mut report: impl FnMut(u64),
) -> Result<u64, Failure> {
    let (mut played, mut at_once) = (0, 1);
    run.observe()?;
    while played < steps && !interrupt.load(Ordering::Relaxed) {
        let due = (played / every + 1).saturating_mul(every).min(steps);
        let piece = at_once.min(due - played);
        let begun = Instant::now();
        let done = run.advance(piece)?;
        if begun.elapsed() < PIECE {
            at_once = (2 * at_once).min(MOST_AT_ONCE);
        }
        played += done;
        run.remarks().iter().for_each(remark);
        report(played);
        if done > 0 && played.is_multiple_of(every) {
            run.observe()?;
        }
    }
    Ok(played)
}

/// A bar on standard error; `None` if that is not a terminal.
pub fn bar(length: u64, template: &str) -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
    })
}

/// The progress of a run on standard error: a bar on a terminal, lines of text otherwise.
pub struct Progress {
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
        let (many, unit) = match preset.individuals {
            Some(_) => (preset.start_spec.quanta() / u64::from(BOID), "boid"),
            None => (preset.world.extents.cells() as u64, "cell"),
        };
        let bar = bar(last, "{bar:32} step {pos} of {len} · {msg} · {eta} left");
        let bar = bar.map(|bar| bar.with_position(first));
        let now = Instant::now();
        Self { bar, first, last, many, unit, begun: now, said: now }
    }

    /// Shows how many steps were played.
    pub fn show(&mut self, played: u64) {
        let step = self.first + played;
        let (seconds, played) = (self.begun.elapsed().as_secs_f64(), played as f64);
        let rate = rate(played * self.many as f64 / seconds.max(1e-9), self.unit);
        if let Some(bar) = &self.bar {
            bar.set_message(rate);
            bar.set_position(step);
        } else if self.said.elapsed() >= BETWEEN_LINES {
            let left = seconds / played.max(1.0) * (self.last - step) as f64;
            remark(format_args!("step {step} of {} · {rate} · {left:.0} s left", self.last));
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

/// The progress of a run-in on standard error: a bar on a terminal, a line of text now and then otherwise.
pub struct RunInProgress {
    bar: Option<ProgressBar>,
    steps: u64,
    said: Instant,
}

impl RunInProgress {
    /// The progress of a run-in of so many steps.
    pub fn new(steps: u64) -> Self {
        let bar = if steps > 0 { bar(steps, "{bar:32} step {pos} of {len} before step 0 · {eta} left") } else { None };
        Self { bar, steps, said: Instant::now() }
    }

    /// Shows how many steps were played.
    pub fn show(&mut self, played: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(played);
        } else if self.said.elapsed() >= BETWEEN_LINES {
            remark(format_args!("step {played} of {} before step 0", self.steps));
            self.said = Instant::now();
        }
    }
}

impl Drop for RunInProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Recorder {
        steps: u64,
        observed: Vec<u64>,
        longest_piece: u64,
        interrupt_at: Option<u64>,
        interrupt: std::sync::Arc<AtomicBool>,
    }

    impl PacedRun for Recorder {
        fn advance(&mut self, steps: u64) -> Result<u64, Failure> {
            self.longest_piece = self.longest_piece.max(steps);
            let done = steps.min(self.interrupt_at.unwrap_or(u64::MAX) - self.steps);
            self.steps += done;
            if done < steps {
                self.interrupt.store(true, Ordering::Relaxed);
            }
            Ok(done)
        }

        fn observe(&mut self) -> Result<(), Failure> {
            self.observed.push(self.steps);
            Ok(())
        }

        fn remarks(&mut self) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn every_due_step_is_observed_and_pieces_grow_between_them() {
        let mut run = Recorder::default();
        let interrupt = run.interrupt.clone();
        let mut reported = Vec::new();
        let played = play(&mut run, 1030, 500, &interrupt, |steps| reported.push(steps)).unwrap();
        assert_eq!((played, run.steps), (1030, 1030));
        assert_eq!(run.observed, [0, 500, 1000]);
        assert!(run.longest_piece >= 64, "{}", run.longest_piece);
        assert!(reported.is_sorted() && reported.last() == Some(&1030));
        let mut idle = Recorder::default();
        assert_eq!(play(&mut idle, 0, 1, &interrupt, |_| {}).unwrap(), 0);
        assert_eq!(idle.observed, [0]);
        let mut unlimited = Recorder { interrupt_at: Some(7), interrupt: interrupt.clone(), ..Recorder::default() };
        let played = play(&mut unlimited, u64::MAX, u64::MAX, &interrupt, |_| {}).unwrap();
        assert!(played == 7 && unlimited.observed == [0], "{played}");
        // A step that is due and was left undone is not observed again.
        let interrupt = std::sync::Arc::new(AtomicBool::new(false));
        let mut left = Recorder { interrupt_at: Some(8), interrupt: interrupt.clone(), ..Recorder::default() };
        assert_eq!(play(&mut left, 20, 4, &interrupt, |_| {}).unwrap(), 8);
        assert_eq!(left.observed, [0, 4, 8]);
    }
}
