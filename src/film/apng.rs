//! A film as an animated PNG. The header contains the number of frames. That number is known only at the end, and is
//! then corrected in the file.

use super::Encoder;
use crate::files::{Draft, File, Output};
use crate::observe::{Caption, Picture, STEP, encoder};
use crate::provenance::{KEYWORD, Provenance};
use png::text_metadata::{ITXtChunk, TEXtChunk};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

/// The length of a PNG's signature, in bytes.
const SIGNATURE: u64 = 8;
/// The number of frames that the header states until the film is complete: the maximum of the format.
const MANY: u32 = i32::MAX as u32;

pub struct Apng {
    file: File,
    /// The draft of the film file; `None`: the frames are stored in a temporary file for another format.
    draft: Option<Draft>,
    frames_a_second: u32,
    frames: u32,
    /// The provenance of the first frame, which the file contains before that frame.
    first: Option<Arc<Provenance>>,
    /// The caption of the last frame.
    last: Option<Caption>,
    /// The writer of frames; `None` until the first frame, because the writer needs the size of a frame.
    writer: Option<png::Writer<BufWriter<Output<File>>>>,
}

impl Apng {
    pub fn begin(path: &Path, frames_a_second: u32) -> io::Result<Self> {
        let mut draft = Draft::begin(path)?;
        let file = draft.file().try_clone()?;
        Ok(Self { draft: Some(draft), ..Self::stored_in(file, frames_a_second) })
    }

    pub fn stored_in(file: File, frames_a_second: u32) -> Self {
        Self { file, draft: None, frames_a_second, frames: 0, first: None, last: None, writer: None }
    }

    /// The caption of the last frame.
    pub fn last(&self) -> Option<&Caption> {
        self.last.as_ref()
    }

    /// Completes the PNG and returns its file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn close(&mut self) -> io::Result<&mut File> {
        if let Some(mut writer) = self.writer.take() {
            // Inputs of the user may have changed the provenance between the first and the last frame.
            if let Some(last) = self.last.as_ref().filter(|last| Some(&last.provenance) != self.first.as_ref()) {
                writer.write_text_chunk(&ITXtChunk::new(KEYWORD, last.record()))?;
            }
            writer.finish()?;
        }
        set_frames(&mut self.file, self.frames)?;
        Ok(&mut self.file)
    }
}

impl Encoder for Apng {
    /// Adds a frame, after a text chunk with its step.
    fn add(&mut self, picture: &Picture, caption: &Caption) -> io::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => {
                writer.write_text_chunk(&TEXtChunk::new(STEP, caption.step.to_string()))?;
                writer
            }
            none => none.insert(begin(self.file.try_clone()?, picture, caption, self.frames_a_second)?),
        };
        writer.write_image_data(&picture.bytes)?;
        self.frames += 1;
        self.first.get_or_insert_with(|| caption.provenance.clone());
        self.last = Some(caption.clone());
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.close()?;
        self.draft.map_or(Ok(()), Draft::finish)
    }
}

fn begin(
    file: File,
    picture: &Picture,
    caption: &Caption,
    frames_a_second: u32,
) -> io::Result<png::Writer<BufWriter<Output<File>>>> {
    let mut encoder = encoder(BufWriter::with_capacity(1 << 16, Output(file)), picture);
    caption.describe(&mut encoder)?;
    encoder.set_animated(MANY, 0)?;
    encoder.set_frame_delay(1, frames_a_second as u16)?;
    Ok(encoder.write_header()?)
}

/// Writes the number of frames into the header of a complete file.
fn set_frames(file: &mut File, frames: u32) -> io::Result<()> {
    let mut at = SIGNATURE;
    loop {
        let mut head = [0; 8];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut head)?;
        let [length, name] = [0, 4].map(|from| [head[from], head[from + 1], head[from + 2], head[from + 3]]);
        if name == *b"acTL" {
            break;
        }
        // The length, the name and the checksum of a chunk are four bytes each.
        at += 12 + u64::from(u32::from_be_bytes(length));
    }
    // The name of the chunk, the number of frames, the number of repetitions (0: endless), and room for the checksum.
    let mut chunk = [*b"acTL", frames.to_be_bytes(), [0; 4], [0; 4]].concat();
    let checksum = crc32fast::hash(&chunk[..12]);
    chunk[12..].copy_from_slice(&checksum.to_be_bytes());
    file.seek(SeekFrom::Start(at + 4))?;
    file.write_all(&chunk)?;
    file.flush()
}
