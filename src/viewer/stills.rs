//! Stills of the window, on their way from the device to their files.

use super::canvas::Still;
use super::disk;
use crate::error::Failure;
use crate::observe::{Caption, Picture, with_legend, write_png};
use crate::preset::Look;
use crate::ticket::Patience;
use crate::world::Extents;
use std::collections::VecDeque;
use std::path::Path;

/// The stills that were asked for and are not written yet, the oldest first.
#[derive(Default)]
pub struct Stills(VecDeque<PendingStill>);

struct PendingStill {
    still: Still,
    caption: Caption,
    /// What the legend of a plane of values tells of.
    shown: (Extents, Look),
}

impl Stills {
    /// Adds a still of a world that a look shows.
    pub fn add(&mut self, still: Still, caption: Caption, extents: Extents, look: Look) {
        self.0.push_back(PendingStill { still, caption, shown: (extents, look) });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the stills that have come to a folder, in their order, and says of each where it is or why it is not.
    pub fn write(&mut self, folder: &Path, patience: Patience) -> Vec<Result<String, Failure>> {
        let mut said = Vec::new();
        while let Some(first) = self.0.front_mut() {
            let taken = match first.still.picture.take(patience) {
                Ok(None) => break,
                Ok(Some(taken)) => Ok(taken),
                Err(failure) => Err(Failure::Device(format!("no picture could be taken: {failure}"))),
            };
            let Some(pending) = self.0.pop_front() else { break };
            said.push(taken.and_then(|(picture, top)| pending.save(picture, top, folder)));
        }
        said
    }
}

impl PendingStill {
    fn save(self, picture: Picture, top: Option<u64>, folder: &Path) -> Result<String, Failure> {
        let (extents, look) = &self.shown;
        let picture = match top {
            Some(top) => with_legend(picture, *extents, look, top),
            None => picture,
        };
        let path = disk::path(folder, &self.caption.preset, self.caption.step, ".png");
        write_png(&picture, &path, &self.caption)?;
        Ok(format!("saved {}", path.display()))
    }
}
