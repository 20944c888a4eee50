//! Where between its last two steps a swarm is drawn. Steps that are slower than frames would be seen one by one; boids are drawn on
//! their way from the last step but one to the last one instead, as time goes on.

use std::time::Duration;

/// Steps that come faster than this are drawn as they are, in milliseconds.
const MIN_DURATION: Duration = Duration::from_millis(24);
/// Steps that come slower than this are not one motion.
const MAX_DURATION: Duration = Duration::from_millis(400);

/// Follows the steps as they come. All times are durations since one common origin.
#[derive(Debug, Default)]
pub struct StepClock {
    /// When the last state came.
    came: Duration,
    /// The time from one step to the next; 0: the last state is drawn as it is.
    step: Duration,
}

impl StepClock {
    /// Takes note of a state that comes `steps` steps after the one before.
    pub fn note(&mut self, now: Duration, steps: u64) {
        let passed = now.saturating_sub(self.came);
        let is_motion = steps == 1 && (MIN_DURATION..=MAX_DURATION).contains(&passed);
        (self.came, self.step) = (now, if is_motion { passed } else { Duration::ZERO });
    }

    /// The time from one step to the next, if steps are drawn as one motion.
    pub fn step(&self) -> Option<Duration> {
        (self.step > Duration::ZERO).then_some(self.step)
    }

    /// The part of the last step that is still to be seen: 1 when the state comes, and 0 when the next one is due.
    pub fn behind(&self, now: Duration) -> f32 {
        let Some(step) = self.step() else { return 0.0 };
        1.0 - (now.saturating_sub(self.came).as_secs_f32() / step.as_secs_f32()).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_steps_are_one_motion_and_fast_ones_are_drawn_as_they_are() {
        let at = Duration::from_millis;
        let mut clock = StepClock::default();
        clock.note(at(10_000), 1);
        assert_eq!((clock.step(), clock.behind(at(10_000))), (None, 0.0), "the step before came long ago");
        clock.note(at(10_100), 1);
        let behind = [0, 25, 75, 100, 500].map(|later| clock.behind(at(10_100 + later)));
        assert_eq!(behind, [1.0, 0.75, 0.25, 0.0, 0.0]);
        clock.note(at(10_110), 1);
        assert_eq!(clock.behind(at(10_110)), 0.0, "ten milliseconds after the last one");
        clock.note(at(10_210), 4);
        assert_eq!(clock.behind(at(10_210)), 0.0, "four steps at once");
    }
}
