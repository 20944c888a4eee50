//! A film as a folder of PNGs, each with a text chunk of its step.

use super::Encoder;
use crate::files::{Draft, FolderDraft};
use crate::observe::{Caption, Picture, PngPicture};
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub struct Pictures {
    folder: FolderDraft,
    frames: u64,
}

impl Pictures {
    pub fn begin(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: FolderDraft::begin(path)?, frames: 0 })
    }
}

impl Encoder for Pictures {
    fn add(&mut self, picture: &Picture, caption: &Caption) -> io::Result<()> {
        let path = self.folder.path().join(format!("{:06}.png", self.frames));
        // A picture that cannot be written leaves the others intact.
        let mut draft = Draft::begin(&path)?;
        let mut file = BufWriter::new(draft.file());
        picture.encode(&mut file, caption)?;
        file.flush()?;
        drop(file);
        draft.finish()?;
        self.frames += 1;
        Ok(())
    }

    fn outlives_torn_frame(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.folder.finish()
    }
}
