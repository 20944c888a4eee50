//! Sheets: pictures with the films of many combinations. A few sheets hold all films of a page.

use super::clip::{Gray, frames};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ExtendedColorType, GrayImage};
use murmuration_core::error::Failure;
use murmuration_core::parallel::*;

/// The levels of quality, the best first. Each is the number of pixels along the longer side of a frame, the number of
/// frames of a film, and the quality of the JPEG from 1 to 100.
const LEVELS: [(u32, u32, u8); 8] =
    [(64, 8, 80), (64, 8, 55), (48, 8, 50), (48, 6, 45), (40, 6, 42), (32, 6, 40), (32, 4, 35), (24, 2, 30)];
/// The maximum width and height of a sheet in pixels.
const SIDE: u32 = 4096;
/// With more films than this number, the first two levels are not tried, because their sheets would be far too large.
const FILMS_OF_BEST: usize = 6000;

/// Films on sheets. A film is a row of frames. Each row of a sheet has `columns` films side by side.
#[derive(Debug)]
pub struct Sheets {
    /// The width and the height of a frame in pixels.
    pub size: [u32; 2],
    /// The number of frames of each film.
    pub frames: u32,
    /// The number of films in each row of a sheet.
    pub columns: u32,
    /// The bytes of each sheet as JPEG, and the number of films on the sheet.
    pub sheets: Vec<(Vec<u8>, usize)>,
}

impl Sheets {
    /// Makes sheets of films. A film is a PNG of `count` frames side by side. The sheets have the first of the
    /// [`LEVELS`] whose sheets have at most `most_bytes` bytes together. If no level is small enough, they have the
    /// last level. A damaged film is black.
    ///
    /// # Errors
    /// If a sheet cannot be encoded.
    pub fn new(films: &[&[u8]], count: u32, most_bytes: usize) -> Result<Self, Failure> {
        let levels = LEVELS.iter().skip(if films.len() > FILMS_OF_BEST { 2 } else { 0 });
        let mut made = None;
        for level in levels {
            let sheets = Self::of_level(films, count, *level, SIDE)?;
            let bytes: usize = sheets.sheets.iter().map(|(bytes, _)| bytes.len()).sum();
            made = Some(sheets);
            if bytes <= most_bytes {
                break;
            }
        }
        made.ok_or_else(|| Failure::Broken("there are no sheets".into()))
    }

    /// Makes sheets of films at one of the [`LEVELS`]. `count`: the number of frames of each film. `side`: the maximum
    /// width and height of a sheet in pixels.
    ///
    /// # Errors
    /// If a sheet cannot be encoded.
    pub fn of_level(
        films: &[&[u8]],
        count: u32,
        (pixels, most_frames, quality): (u32, u32, u8),
        side: u32,
    ) -> Result<Self, Failure> {
        // The worlds of the combinations may differ in size. All frames get the aspect ratio of the first film.
        let first = films.iter().find_map(|film| frames(film, count)?.first().map(|frame| frame.size));
        let shape = first.unwrap_or([1, 1]);
        let longer = shape[0].max(shape[1]);
        let pixels = pixels.min(longer);
        let size = shape.map(|side| (side * pixels / longer).max(1));
        let own = most_frames.min(count).max(1);
        let columns = (side / (size[0] * own)).max(1);
        let of_sheet = (columns * (side / size[1]).max(1)) as usize;
        let sheet = |films: &[&[u8]]| {
            let rows = (films.len() as u32).div_ceil(columns);
            let mut picture = GrayImage::new(columns * size[0] * own, rows * size[1]);
            for (index, film) in films.iter().enumerate() {
                let corner = [index as u32 % columns * size[0] * own, index as u32 / columns * size[1]];
                // If a film has more frames than the level allows, its last frames are taken.
                let all = frames(film, count).unwrap_or_default();
                let last = all.into_iter().rev().take(own as usize).rev();
                for (place, Gray { size: [width, height], bytes }) in last.enumerate() {
                    let Some(frame) = GrayImage::from_raw(width, height, bytes) else { continue };
                    let frame = if [width, height] == size {
                        frame
                    } else {
                        imageops::resize(&frame, size[0], size[1], FilterType::Triangle)
                    };
                    let left = corner[0] + place as u32 * size[0];
                    imageops::replace(&mut picture, &frame, left.into(), corner[1].into());
                }
            }
            let mut bytes = Vec::new();
            let (width, height) = picture.dimensions();
            let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
            let failed = |error| Failure::Broken(format!("a sheet cannot be made: {error}"));
            { encoder }.encode(&picture, width, height, ExtendedColorType::L8).map_err(failed)?;
            Ok((bytes, films.len()))
        };
        let sheets: Result<Vec<_>, Failure> = films.par_chunks(of_sheet).map(sheet).collect();
        Ok(Self { size, frames: own, columns, sheets: sheets? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::clip::side_by_side;
    use super::*;

    fn png(frames: &[Gray]) -> Vec<u8> {
        let strip = side_by_side(frames);
        let picture = GrayImage::from_raw(strip.size[0], strip.size[1], strip.bytes).unwrap();
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn sheets_shrink_until_they_fit() {
        let noise = |seed: usize| (0..64 * 48).map(move |index: usize| ((index * 7919 + seed * 104_729) % 251) as u8);
        let film = |seed: usize| {
            png(&(0..8usize)
                .map(|frame| Gray { size: [64, 48], bytes: noise(8 * seed + frame).collect() })
                .collect::<Vec<_>>())
        };
        let films: Vec<Vec<u8>> = (0..40).map(film).collect();
        let films: Vec<&[u8]> = films.iter().map(Vec::as_slice).collect();
        let large = Sheets::new(&films, 8, usize::MAX).unwrap();
        assert_eq!((large.size, large.frames, large.columns), ([64, 48], 8, 8));
        assert_eq!(large.sheets.iter().map(|(_, films)| films).sum::<usize>(), 40);
        let bytes = |sheets: &Sheets| sheets.sheets.iter().map(|(bytes, _)| bytes.len()).sum::<usize>();
        let small = Sheets::new(&films, 8, bytes(&large) / 4).unwrap();
        assert!(bytes(&small) <= bytes(&large) / 4 && small.size[0] < 64);
        let (jpeg, _) = &large.sheets[0];
        let picture = image::load_from_memory(jpeg).unwrap().into_luma8();
        assert_eq!(picture.dimensions(), (64 * 8 * 8, 5 * 48));
        // A damaged film is black.
        let damaged = Sheets::new(&[films[0], b"x"], 8, usize::MAX).unwrap();
        let picture = image::load_from_memory(&damaged.sheets[0].0).unwrap().into_luma8();
        let light = |film: u32| (0..512).map(|x| u64::from(picture.get_pixel(film * 512 + x, 20).0[0])).sum::<u64>();
        assert!(light(1) < 512 && light(0) > 20_000, "{} {}", light(0), light(1));
    }
}
