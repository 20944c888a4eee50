//! When to draw a frame: at most 60 times a second, and not at all if nothing has changed.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The shortest time between two frames: a little less than a 60th of a second, so that a display of 60 Hz never waits.
const SHORTEST: Duration = Duration::from_micros(16_200);

pub struct FramePacer {
    last: Instant,
    due: Option<Instant>,
    /// When the frames of the last second were shown.
    shown: VecDeque<Instant>,
}

impl FramePacer {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { last: now, due: Some(now), shown: VecDeque::new() }
    }

    /// Requests a frame after this delay, or as soon after it as possible.
    pub fn request(&mut self, delay: Duration) {
        let Some(wanted) = Instant::now().checked_add(delay) else { return };
        let wanted = wanted.max(self.last + SHORTEST);
        self.due = Some(self.due.map_or(wanted, |due| due.min(wanted)));
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
