//! The pace of the frames: at most some 60 a second, and none where nothing changed.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The least time from one frame to the next: a little less than a 60th of a second, so that a display of 60 Hz never
/// waits for it.
const FRAME: Duration = Duration::from_micros(16_200);

/// When to draw next, and how often that was.
pub struct Frames {
    last: Instant,
    due: Option<Instant>,
    drawn: VecDeque<Instant>,
}

impl Frames {
    pub fn new() -> Self {
        let now = Instant::now();
        Self { last: now, due: Some(now), drawn: VecDeque::new() }
    }

    /// Asks for a frame in `delay`, or as soon after it as the pace allows.
    pub fn ask(&mut self, delay: Duration) {
        let Some(wanted) = Instant::now().checked_add(delay) else { return };
        let wanted = wanted.max(self.last + FRAME);
        self.due = Some(self.due.map_or(wanted, |due| due.min(wanted)));
    }

    /// When the next frame is due; `None`: when something happens.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// A frame begins.
    pub fn begin(&mut self) {
        self.last = Instant::now();
        self.due = None;
    }

    /// A frame was shown.
    pub fn count(&mut self) {
        let now = Instant::now();
        self.drawn.push_back(now);
        while self.drawn.front().is_some_and(|first| now - *first > Duration::from_secs(1)) {
            self.drawn.pop_front();
        }
    }

    /// Frames shown in the last second.
    pub fn rate(&self) -> usize {
        let now = Instant::now();
        self.drawn.iter().filter(|drawn| now - **drawn <= Duration::from_secs(1)).count()
    }
}
