//! The frames of a film: the states to draw, and the count of steps until the next one.

use super::compare_pane::IndividualsSnapshot;
use super::snapshot::SceneInfo;
use murmuration_core::state::WorldColumns;
use murmuration_core::ticket::Ticket;
use murmuration_gpu::look::{IndividualsSource, SwarmSource};
use std::sync::Arc;

/// A state of the swarm from which a frame of a film is drawn.
#[derive(Debug)]
pub struct FilmFrame {
    /// The lattice at this step. If the scene plays individuals, it is their deposit on the lattice.
    pub source: SwarmSource,
    /// The individuals, if the scene plays individuals.
    pub individuals: Option<IndividualsSource>,
    /// The individuals that are compared with the cells. `None` without a comparison.
    pub compared: Option<IndividualsSnapshot>,
    pub info: Arc<SceneInfo>,
    /// The mean place of the individuals in an endless world, in cells from the first cell of its window, smoothed over
    /// steps.
    pub school: Option<[f32; 3]>,
    /// The columns of the world at this step, such as falcons. The drawing of the frame waits for the columns.
    pub columns: Ticket<WorldColumns>,
    pub step: u64,
    /// The number of inputs since the start of the run.
    pub inputs: u64,
    /// The number of steps since the last frame.
    pub steps: u64,
}

/// Counts the steps between the frames of a film, and holds the frame that is due until it is taken.
///
/// No step is played while a frame waits to be taken. So no frame is left out, even if the film is slow.
#[derive(Debug, Default)]
pub struct FilmSource {
    /// The number of steps from one frame to the next. `None` without a film.
    every: Option<u64>,
    /// The number of steps since the last frame, or since the beginning of the film.
    since: u64,
    /// The frame that waits to be taken.
    pub frame: Option<FilmFrame>,
}

impl FilmSource {
    /// Begins a film with a frame every `every` steps, or ends the film (`None`). A waiting frame is dropped.
    pub fn set(&mut self, every: Option<u64>) {
        *self = Self { every: every.map(|every| every.max(1)), since: 0, frame: None };
    }

    /// The number of steps until a frame is due. 0 while a frame waits, and `u64::MAX` without a film.
    pub fn until_due(&self) -> u64 {
        if self.frame.is_some() { 0 } else { self.every.map_or(u64::MAX, |every| every - self.since) }
    }

    /// The number of steps since the last frame, or since the beginning of the film.
    pub fn since_frame(&self) -> u64 {
        self.since
    }

    /// Counts played steps, at most [`Self::until_due`]. Returns the number of steps since the last frame if a frame is
    /// due now.
    pub fn count(&mut self, steps: u64) -> Option<u64> {
        let every = self.every?;
        self.since += steps;
        (self.since >= every).then(|| std::mem::take(&mut self.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_due_after_every_few_steps() {
        let mut film = FilmSource::default();
        assert_eq!((film.until_due(), film.count(5)), (u64::MAX, None));
        film.set(Some(3));
        assert_eq!(film.until_due(), 3);
        assert_eq!(film.count(2), None);
        assert_eq!((film.until_due(), film.since_frame()), (1, 2));
        assert_eq!(film.count(1), Some(3));
        assert_eq!(film.until_due(), 3);
        film.set(Some(0));
        assert_eq!(film.until_due(), 1);
    }
}
