//! A film as an animated GIF with one palette for all frames. The palette depends on all frames, so a temporary file
//! first stores the frames without loss.
//!
//! The `gif` crate is used directly because `image` writes a palette for each frame, which flickers.

use super::Encoder;
use super::apng::Apng;
use super::palette::{COLOURS, ColourHistogram};
use crate::files::{Draft, Output, folder_of, temporary_file};
use crate::observe::{Caption, Picture};
use gif::{DisposalMethod, Extension, Frame, Repeat};
use murmuration_core::parallel::join;
use std::borrow::Cow;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

/// The transparent entry of the palette, for pixels that do not change from the frame before.
const UNCHANGED: u8 = COLOURS as u8;

pub struct Gif {
    draft: Draft,
    frames_a_second: u32,
    frames: Apng,
    histogram: ColourHistogram,
    size: [u16; 2],
}

impl Gif {
    pub fn begin(path: &Path, frames_a_second: u32) -> io::Result<Self> {
        let draft = Draft::begin(path)?;
        let frames = Apng::stored_in(temporary_file(folder_of(path))?, frames_a_second);
        Ok(Self { draft, frames_a_second, frames, histogram: ColourHistogram::new(), size: [0; 2] })
    }
}

impl Encoder for Gif {
    fn add(&mut self, picture: &Picture, caption: &Caption) -> io::Result<()> {
        let side = |pixels: u32| {
            u16::try_from(pixels).map_err(|_| io::Error::other(format!("{pixels} pixels are too many for a GIF")))
        };
        self.size = [side(picture.width)?, side(picture.height)?];
        self.histogram.count(picture);
        self.frames.add(picture, caption)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let record = self.frames.last().map(Caption::record);
        let stored = self.frames.close()?;
        stored.rewind()?;
        let mut stored = png::Decoder::new(BufReader::with_capacity(1 << 16, stored)).read_info()?;
        let frames = stored.info().animation_control.map_or(1, |control| control.num_frames);
        let palette = self.histogram.palette();

        let [width, height] = self.size;
        let mut file = BufWriter::with_capacity(1 << 16, Output(self.draft.file()));
        let failed = |error: gif::EncodingError| io::Error::other(error);
        let mut encoder =
            gif::Encoder::new(&mut file, width, height, palette.colours.as_flattened()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        if let Some(record) = record {
            encoder.write_raw_extension(Extension::Comment.into(), &[record.as_bytes()]).map_err(failed)?;
        }
        let mut bytes = vec![0; 3 * usize::from(width) * usize::from(height)];
        let mut before: Option<Vec<u8>> = None;
        for index in 0..frames {
            stored.next_frame(&mut bytes)?;
            let entries = palette.entries(&bytes, width.into());
            let mut frame = match &before {
                None => Frame { width, height, buffer: Cow::Borrowed(&entries), ..Frame::default() },
                Some(before) => shorter(changed(before, &entries, width.into())),
            };
            frame.delay = delay(index, self.frames_a_second);
            frame.dispose = DisposalMethod::Keep;
            match before {
                None => encoder.write_frame(&frame),
                Some(_) => encoder.write_lzw_pre_encoded_frame(&frame),
            }
            .map_err(failed)?;
            before = Some(entries);
        }
        drop(encoder);
        file.flush()?;
        drop(file);
        self.draft.finish()
    }
}

/// The duration of the frame with an index, in 1/100 s. Rounding errors do not add up over the film.
fn delay(index: u32, frames_a_second: u32) -> u16 {
    let begins = |index: u32| (200 * u64::from(index) / u64::from(frames_a_second)).div_ceil(2);
    (begins(index + 1) - begins(index)) as u16
}

/// Two GIF frames, each of which turns the picture `before` into `now`. Both cover the smallest rectangle with all
/// changes. The first frame repeats the unchanged pixels of the rectangle, the second makes them transparent. `width`:
/// the width of the pictures in pixels.
fn changed(before: &[u8], now: &[u8], width: usize) -> [Frame<'static>; 2] {
    let is_other = |(a, b): (&u8, &u8)| a != b;
    let rows: Vec<_> = before.chunks(width).zip(now.chunks(width)).collect();
    let first = rows.iter().position(|(before, now)| before != now).unwrap_or(0);
    let end = rows.iter().rposition(|(before, now)| before != now).map_or(1, |last| last + 1);
    let (mut left, mut right) = (width - 1, 1);
    for (before, now) in &rows[first..end] {
        left = left.min(before.iter().zip(*now).position(is_other).unwrap_or(left));
        right = right.max(before.iter().zip(*now).rposition(is_other).map_or(right, |last| last + 1));
    }
    // A frame has at least one pixel.
    let right = right.max(left + 1);
    let cut = |now: &[u8]| now[left..right].to_vec();
    let all = rows[first..end].iter().flat_map(|(_, now)| cut(now)).collect();
    let new = |(before, now): &(&[u8], &[u8])| {
        let pixels = before[left..right].iter().zip(&now[left..right]);
        pixels.map(|(before, now)| if before == now { UNCHANGED } else { *now }).collect::<Vec<u8>>()
    };
    let new = rows[first..end].iter().flat_map(new).collect();
    let frame = |buffer: Vec<u8>, transparent| Frame {
        left: left as u16,
        top: first as u16,
        width: (right - left) as u16,
        height: (end - first) as u16,
        buffer: Cow::Owned(buffer),
        transparent,
        ..Frame::default()
    };
    [frame(all, None), frame(new, Some(UNCHANGED))]
}

/// Encodes two frames and returns the one with fewer bytes. A frame that repeats unchanged pixels can compress better
/// than a frame that makes them transparent.
fn shorter([mut a, mut b]: [Frame<'static>; 2]) -> Frame<'static> {
    join(|| a.make_lzw_pre_encoded(), || b.make_lzw_pre_encoded());
    if b.buffer.len() <= a.buffer.len() { b } else { a }
}
