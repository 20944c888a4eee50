//! Frame pacing: at most about 60 frames a second, and none if nothing has changed. If a device both draws and plays,
//! and plays fewer steps than the user has requested, frames take at most about a twelfth of its time.

use std::collections::VecDeque;
use std::time::Duration;
use web_time::Instant;

/// The minimum time between two frames. It is a little less than 1/60 s, so that a display of 60 Hz never waits.
const MIN_DURATION: Duration = Duration::from_micros(16_200);

/// The minimum time between the beginnings of two frames while steps have priority, as a multiple of the time of a
/// frame.
const GAP_FACTOR: u32 = 12;
/// The upper bound of this minimum time.
const MAX_DURATION: Duration = Duration::from_secs(1);
/// The time after an input in which frames have priority, so that the user sees the effect of the input.
const AFTER_INPUT: Duration = Duration::from_millis(500);

/// Decides when frames are drawn, and measures the frame rate.
pub struct FramePacer {
    last: Instant,
    /// The time of a frame while steps have priority; `None`: frames have priority.
    cost: Option<Duration>,
    /// The time of the last input of the user.
    acted: Instant,
    due: Option<Instant>,
    /// The times of the frames in the last second.
    shown: VecDeque<Instant>,
}

impl FramePacer {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { last: now, cost: None, acted: now, due: Some(now), shown: VecDeque::new() }
    }

    /// Gives steps or frames priority. `cost`: the time of a frame, if steps have priority; `None`: frames have
    /// priority.
    pub fn set_cost(&mut self, cost: Option<Duration>) {
        self.cost = cost;
    }

    /// Records an input of the user. Frames then have priority for `AFTER_INPUT`.
    pub fn note_input(&mut self) {
        self.acted = Instant::now();
    }

    /// Whether steps have priority.
    pub fn is_held_back(&self) -> bool {
        self.cost.is_some()
    }

    /// The minimum time from the last frame to a frame that is requested now.
    fn shortest(&self, now: Instant) -> Duration {
        match self.cost {
            Some(cost) if now.saturating_duration_since(self.acted) >= AFTER_INPUT => {
                (GAP_FACTOR * cost).clamp(MIN_DURATION, MAX_DURATION)
            }
            _ => MIN_DURATION,
        }
    }

    /// Requests a frame after a delay, or later if the minimum time between frames requires it.
    pub fn request(&mut self, delay: Duration) {
        let now = Instant::now();
        let Some(wanted) = now.checked_add(delay) else { return };
        let wanted = wanted.max(self.last + self.shortest(now));
        self.due = Some(self.due.map_or(wanted, |due| due.min(wanted)));
    }

    /// Whether a frame is due.
    pub fn is_due(&self) -> bool {
        self.due.is_some_and(|due| due <= Instant::now())
    }

    /// The time of the next frame; `None`: no frame is requested.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    pub fn begin(&mut self) {
        self.last = Instant::now();
        self.due = None;
    }

    pub fn count(&mut self) {
        let now = Instant::now();
        self.shown.push_back(now);
        while self.shown.front().is_some_and(|first| now - *first > Duration::from_secs(1)) {
            self.shown.pop_front();
        }
    }

    /// The number of frames that were drawn in the last second.
    pub fn rate(&self) -> usize {
        let now = Instant::now();
        self.shown.iter().filter(|shown| now - **shown <= Duration::from_secs(1)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_steps_go_first_frames_take_a_twelfth_of_the_time_until_somebody_acts() {
        let mut frames = FramePacer::new();
        let quiet = frames.acted + AFTER_INPUT;
        assert_eq!(frames.shortest(quiet), MIN_DURATION);
        let shortest = |frames: &mut FramePacer, cost| {
            frames.set_cost(Some(Duration::from_millis(cost)));
            frames.shortest(quiet)
        };
        let found = [1, 20, 400].map(|cost| shortest(&mut frames, cost));
        assert_eq!(found, [MIN_DURATION, Duration::from_millis(240), MAX_DURATION]);
        frames.acted = quiet;
        assert_eq!(frames.shortest(quiet + AFTER_INPUT / 2), MIN_DURATION, "somebody has just acted");
        assert_eq!(frames.shortest(quiet + AFTER_INPUT), MAX_DURATION);
        frames.set_cost(None);
        assert_eq!(frames.shortest(quiet + AFTER_INPUT), MIN_DURATION);
    }
}
