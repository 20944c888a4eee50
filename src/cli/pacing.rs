//! Playing a run in pieces. Between two pieces the progress is shown and Ctrl-C is heard.

use super::remark;
use crate::interrupt;
use murmuration_core::error::Failure;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long a piece should take.
const PIECE: Duration = Duration::from_millis(50);
/// The most steps of a piece.
const MAX_AT_ONCE: u64 = 1 << 12;

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
pub fn play(run: &mut impl PacedRun, steps: u64, every: u64, mut report: impl FnMut(u64)) -> Result<u64, Failure> {
    let (mut played, mut at_once) = (0, 1);
    run.observe()?;
    while played < steps {
        let due = (played / every + 1).saturating_mul(every).min(steps);
        let piece = at_once.min(due - played);
        let begun = Instant::now();
        let done = run.advance(piece)?;
        if begun.elapsed() < PIECE {
            at_once = (2 * at_once).min(MAX_AT_ONCE);
        }
        played += done;
        run.remarks().iter().for_each(remark);
        report(played);
        if done > 0 && played.is_multiple_of(every) {
            run.observe()?;
        }
        // Several ranks agree on this. What one of them has heard by itself ends nothing.
        if done < piece {
            break;
        }
    }
    Ok(played)
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
    }

    impl PacedRun for Recorder {
        fn advance(&mut self, steps: u64) -> Result<u64, Failure> {
            self.longest_piece = self.longest_piece.max(steps);
            let done = steps.min(self.interrupt_at.unwrap_or(u64::MAX) - self.steps);
            self.steps += done;
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
        let mut reported = Vec::new();
        let played = play(&mut run, 1030, 500, |steps| reported.push(steps)).unwrap();
        assert_eq!((played, run.steps), (1030, 1030));
        assert_eq!(run.observed, [0, 500, 1000]);
        assert!(run.longest_piece >= 64, "{}", run.longest_piece);
        assert!(reported.is_sorted() && reported.last() == Some(&1030));
        let mut idle = Recorder::default();
        assert_eq!(play(&mut idle, 0, 1, |_| {}).unwrap(), 0);
        assert_eq!(idle.observed, [0]);
        let mut unlimited = Recorder { interrupt_at: Some(7), ..Recorder::default() };
        let played = play(&mut unlimited, u64::MAX, u64::MAX, |_| {}).unwrap();
        assert!(played == 7 && unlimited.observed == [0], "{played}");
        // A step that is due and was left undone is not observed again.
        let mut left = Recorder { interrupt_at: Some(8), ..Recorder::default() };
        assert_eq!(play(&mut left, 20, 4, |_| {}).unwrap(), 8);
        assert_eq!(left.observed, [0, 4, 8]);
    }
}
