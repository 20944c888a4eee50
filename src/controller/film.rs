//! The states of a film and the data of its frames.

use super::compare_pane::IndividualsSnapshot;
use super::snapshot::SceneInfo;
use murmuration_core::state::WorldColumns;
use murmuration_core::ticket::Ticket;
use murmuration_gpu::look::{IndividualsSource, SwarmSource};
use std::sync::Arc;

/// A state for a frame of a film.
#[derive(Debug)]
pub struct FilmFrame {
    /// The lattice at this step. Of individuals it is their density.
    pub source: SwarmSource,
    /// The individuals, if the scene is one of individuals.
    pub individuals: Option<IndividualsSource>,
    /// The individuals that are compared with the cells.
    pub compared: Option<IndividualsSnapshot>,
    pub info: Arc<SceneInfo>,
    /// The place of the school in an endless world, in cells of its window.
    pub school: Option<[f32; 3]>,
    /// The columns of the world at this step. The drawing of the frame waits for them.
    pub columns: Ticket<WorldColumns>,
    pub step: u64,
    /// Inputs so far.
    pub inputs: u64,
    /// Steps since the frame before.
    pub steps: u64,
}

/// Counts the steps between the frames of a film, and holds the frame that is due.
///
/// No step is played while a frame waits. So the film sets the pace, and no frame is left out.
#[derive(Debug, Default)]
pub struct FilmSource {
    /// Steps from one frame to the next; `None` without a film.
    every: Option<u64>,
    /// Steps since the last frame.
    since: u64,
    /// The frame that waits.
    pub frame: Option<FilmFrame>,
}

impl FilmSource {
    /// Begins a film of every n-th state, or ends it. A frame that waits is dropped.
    pub fn set(&mut self, every: Option<u64>) {
        *self = Self { every: every.map(|every| every.max(1)), since: 0, frame: None };
    }

    /// Steps until a frame is due; 0 while one waits.
    pub fn until_due(&self) -> u64 {
        if self.frame.is_some() { 0 } else { self.every.map_or(u64::MAX, |every| every - self.since) }
    }

    /// Steps since the last frame, or since the beginning of the film.
    pub fn since_frame(&self) -> u64 {
        self.since
    }

    /// Counts steps, at most [`Self::until_due`]. Returns the steps since the last frame if one is due now.
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
