//! When to draw a frame: at most 60 times a second, and not at all if nothing has changed. Where a device draws and plays, and a person has asked
//! for more steps than it makes, frames take a twelfth of its time.

use std::collections::VecDeque;
use std::time::Duration;
use web_time::Instant;

/// The shortest time between two frames: a little less than a 60th of a second, so that a display of 60 Hz never waits.
const MIN_DURATION: Duration = Duration::from_micros(16_200);

/// Where steps go first, the time from the beginning of a frame to the next one, as a multiple of the time that a frame takes.
const GAP_FACTOR: u32 = 12;
/// The longest such time.
const MAX_DURATION: Duration = Duration::from_secs(1);
/// So long after an input frames go first: who acts sees what comes of it.
const AFTER_INPUT: Duration = Duration::from_millis(500);

/// Decides when frames are drawn, and measures how many are.
pub struct FramePacer {
    last: Instant,
    /// The time that a frame takes, where steps go first.
    cost: Option<Duration>,
    /// When a person acted last.
    acted: Instant,
    due: Option<Instant>,
    /// When the frames of the last second were shown.
    shown: VecDeque<Instant>,
}

impl FramePacer {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { last: now, cost: None, acted: now, due: Some(now), shown: VecDeque::new() }
    }

    /// Lets steps go first from now on, where a frame takes so long; `None`: frames go first.
    pub fn set_cost(&mut self, cost: Option<Duration>) {
        self.cost = cost;
    }

    /// A person has acted: frames go first for a while.
    pub fn note_input(&mut self) {
        self.acted = Instant::now();
    }

    /// Whether steps go first.
    pub fn is_held_back(&self) -> bool {
        self.cost.is_some()
    }

    /// The shortest time from the last frame to one that is requested now.
    fn shortest(&self, now: Instant) -> Duration {
        match self.cost {
            Some(cost) if now.saturating_duration_since(self.acted) >= AFTER_INPUT => {
                (GAP_FACTOR * cost).clamp(MIN_DURATION, MAX_DURATION)
            }
            _ => MIN_DURATION,
        }
    }

    /// Requests a frame after this delay, or as soon after it as possible.
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

    /// When the next frame is due; `None` if none was requested.
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

    /// Frames shown in the last second.
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
