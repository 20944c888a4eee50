//! Interpolates a swarm between its last two steps. Steps that are slower than frames would be visible one by one.
//! Instead boids move from the last step but one to the last step in the course of time.

use std::time::Duration;

/// Faster steps are drawn without interpolation.
const MIN_DURATION: Duration = Duration::from_millis(24);
/// Slower steps are not one motion, and are drawn without interpolation.
const MAX_DURATION: Duration = Duration::from_millis(400);

/// Follows the steps. All times are durations since a common origin.
#[derive(Debug, Default)]
pub struct StepClock {
    /// The time when the last state came.
    came: Duration,
    /// The time from one step to the next; 0: no interpolation.
    step: Duration,
}

impl StepClock {
    /// Records a state that comes `steps` steps after the one before.
    pub fn note(&mut self, now: Duration, steps: u64) {
        let passed = now.saturating_sub(self.came);
        let is_motion = steps == 1 && (MIN_DURATION..=MAX_DURATION).contains(&passed);
        (self.came, self.step) = (now, if is_motion { passed } else { Duration::ZERO });
    }

    /// The time from one step to the next, if steps are interpolated.
    pub fn step(&self) -> Option<Duration> {
        (self.step > Duration::ZERO).then_some(self.step)
    }

    /// The remaining part of the last step: 1 when the state comes, 0 when the next state is due.
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
