//! Stills of the window, from the device to their files.

use super::canvas::Still;
use super::disk;
use crate::observe::{Caption, Picture, with_legend, write_png};
use murmuration_core::error::Failure;
use murmuration_core::look::Look;
use murmuration_core::ticket::Patience;
use murmuration_core::world::Extents;
use std::collections::VecDeque;
use std::path::Path;

/// The requested stills that are not written yet, the oldest first.
#[derive(Default)]
pub struct Stills(VecDeque<PendingStill>);

struct PendingStill {
    still: Still,
    caption: Caption,
    /// The extents and the look of the world, for the legend of a plane of values.
    shown: (Extents, Look),
}

impl Stills {
    /// Adds a still of a world with its look.
    pub fn add(&mut self, still: Still, caption: Caption, extents: Extents, look: Look) {
        self.0.push_back(PendingStill { still, caption, shown: (extents, look) });
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the finished stills to a folder, in order. Returns a message or an error for each.
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
        let path = disk::path(folder, &self.caption.provenance.preset, self.caption.step, ".png");
        write_png(&picture, &path, &self.caption)?;
        Ok(format!("saved {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provenance::Provenance;
    use murmuration_core::ticket::Ticket;

    fn still(picture: Ticket<(Picture, Option<u64>)>, step: u64) -> (Still, Caption) {
        let provenance = Provenance { preset: "droplets".into(), ..Provenance::default() };
        (Still { picture, step: Some(step) }, Caption { provenance: provenance.into(), step })
    }

    fn picture() -> (Picture, Option<u64>) {
        (Picture { width: 2, height: 1, bytes: vec![0; 6] }, None)
    }

    #[test]
    fn stills_are_written_in_their_order_and_one_that_fails_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let mut stills = Stills::default();
        let mut polls = 0;
        let late = Ticket::new(move |patience| {
            polls += 1;
            Ok((patience == Patience::Wait || polls > 2).then(picture))
        });
        let lost = Ticket::new(|_| Err(Failure::Device("the device was lost".into())));
        for (ticket, step) in [(late, 7), (lost, 8), (Ticket::ready(picture()), 9)] {
            let (still, caption) = still(ticket, step);
            stills.add(still, caption, Extents::flat(2, 1), Look::default());
        }
        assert!(stills.write(folder.path(), Patience::Poll).is_empty() && !stills.is_empty(), "the first one is late");
        let said = stills.write(folder.path(), Patience::Wait);
        let is_written: Vec<_> = said.iter().map(Result::is_ok).collect();
        assert_eq!((is_written, stills.is_empty()), (vec![true, false, true], true));
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["murmuration-droplets-000007.png", "murmuration-droplets-000009.png"]);
    }
}
