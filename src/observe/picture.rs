//! Colour pictures, and the text chunks that describe them.

use crate::error::Failure;
use crate::files::write_whole;
use crate::picture::Picture;
use crate::preset::Preset;
use crate::state::State;
use std::io::{self, Write};
use std::path::Path;

/// The source of a frame, written into every PNG as text chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The preset's name.
    pub preset: String,
    pub step: u64,
    pub seed: u64,
}

impl Caption {
    /// The caption of a step of a preset.
    pub fn new(preset: &Preset, step: u64) -> Self {
        Self { preset: preset.name.clone(), step, seed: preset.seed }
    }

    /// Adds this caption to a PNG: `Software`, `murmuration:preset`, `murmuration:step`, `murmuration:seed`.
    pub fn describe<W: Write>(&self, encoder: &mut png::Encoder<W>) -> io::Result<()> {
        let software = format!("murmuration {}", env!("CARGO_PKG_VERSION"));
        encoder.add_text_chunk("Software".into(), software)?;
        // Only iTXt chunks hold any letter; the name of a preset may need that.
        encoder.add_itxt_chunk("murmuration:preset".into(), self.preset.clone())?;
        encoder.add_text_chunk("murmuration:step".into(), self.step.to_string())?;
        encoder.add_text_chunk("murmuration:seed".into(), self.seed.to_string())?;
        Ok(())
    }
}

/// Writes a picture as PNG, atomically.
///
/// # Errors
/// If the file cannot be written.
pub fn write_png(picture: &Picture, path: &Path, caption: &Caption) -> Result<(), Failure> {
    write_whole(path, |to| encode_png(picture, to, caption))
}

/// Encodes a picture as PNG.
///
/// # Errors
/// If the bytes cannot be written.
pub fn encode_png(picture: &Picture, to: &mut dyn Write, caption: &Caption) -> io::Result<()> {
    let mut writer = encoder(to, picture, caption)?.write_header()?;
    writer.write_image_data(&picture.bytes)?;
    Ok(writer.finish()?)
}

/// An encoder of PNGs of the size of a picture, with its caption.
pub fn encoder<W: Write>(to: W, picture: &Picture, caption: &Caption) -> io::Result<png::Encoder<'static, W>> {
    let mut encoder = png::Encoder::new(to, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Up);
    caption.describe(&mut encoder)?;
    Ok(encoder)
}

/// The key of the text chunk that holds the scale: the quanta of one grey level, as a decimal number.
pub const QUANTA_PER_LEVEL: &str = "murmuration:quanta-per-level";

/// Writes the density of a slice as PNG, atomically; a flat world is one slice.
///
/// # Errors
/// If the file cannot be written.
pub fn write_density(state: &State, slice: usize, path: &Path, caption: &Caption) -> Result<(), Failure> {
    write_whole(path, |to| encode_density(state, slice, to, caption))
}

/// Encodes the density of a slice as PNG: 16-bit grey, linear, one pixel per cell, for measurements.
///
/// The level of a cell times the scale is its density in quanta, rounded down to a multiple of the scale. The scale is the
/// smallest power of two with which the greatest density is at most 65 535 levels. It is stored in the text chunk
/// [`QUANTA_PER_LEVEL`] and may differ from frame to frame.
fn encode_density(state: &State, slice: usize, to: &mut dyn Write, caption: &Caption) -> io::Result<()> {
    let greatest = state.density.iter().copied().max().unwrap_or(0);
    let scale: u32 = 1 << (u32::BITS - greatest.leading_zeros()).saturating_sub(u16::BITS);
    let mut encoder = png::Encoder::new(to, state.extents.width, state.extents.height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Fast);
    caption.describe(&mut encoder)?;
    encoder.add_text_chunk(QUANTA_PER_LEVEL.into(), scale.to_string())?;
    let cells = state.extents.columns().cells();
    let density = &state.density[slice * cells..][..cells];
    let levels: Vec<u8> = density.iter().flat_map(|quanta| ((quanta / scale) as u16).to_be_bytes()).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&levels)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::BOID;
    use crate::world::Extents;

    fn read(bytes: &[u8]) -> (png::Info<'static>, Vec<u16>) {
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut levels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut levels).unwrap();
        reader.finish().unwrap();
        (reader.info().clone(), levels.as_chunks::<2>().0.iter().map(|level| u16::from_be_bytes(*level)).collect())
    }

    fn written(density: Vec<u32>) -> (png::Info<'static>, Vec<u16>) {
        let extents = Extents::flat(density.len() as u32 / 2, 2);
        let state = State { density, ..State::empty(extents) };
        let caption = Caption { preset: "tröpfchen".into(), step: 12, seed: u64::MAX };
        let mut bytes = Vec::new();
        encode_density(&state, 0, &mut bytes, &caption).unwrap();
        read(&bytes)
    }

    fn text(info: &png::Info, key: &str) -> String {
        info.uncompressed_latin1_text.iter().find(|text| text.keyword == key).unwrap().text.clone()
    }

    #[test]
    fn levels_times_the_scale_are_the_density() {
        let density = vec![0, BOID, 3 * BOID, 7, 40 * BOID, 1 << 21];
        let (info, levels) = written(density.clone());
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Sixteen));
        let scale: u32 = text(&info, QUANTA_PER_LEVEL).parse().unwrap();
        assert_eq!(scale, 64);
        for (quanta, level) in density.iter().zip(levels) {
            assert_eq!(u32::from(level) * scale, quanta / scale * scale);
        }
    }

    #[test]
    fn the_scale_is_the_smallest_power_of_two_that_fits() {
        for (greatest, scale) in
            [(0, 1), (1, 1), (65_535, 1), (65_536, 2), (131_071, 2), (131_072, 4), (u32::MAX, 65_536)]
        {
            let (info, levels) = written(vec![greatest, 0]);
            assert_eq!(text(&info, QUANTA_PER_LEVEL), scale.to_string(), "for {greatest}");
            assert_eq!(u32::from(levels[0]), greatest / scale);
        }
    }

    #[test]
    fn the_caption_is_in_the_picture() {
        let (info, _) = written(vec![0, 0]);
        assert_eq!(text(&info, "murmuration:step"), "12");
        assert_eq!(text(&info, "murmuration:seed"), u64::MAX.to_string());
        assert!(text(&info, "Software").starts_with("murmuration "));
        let preset = info.utf8_text.iter().find(|text| text.keyword == "murmuration:preset").unwrap();
        assert_eq!(preset.get_text().unwrap(), "tröpfchen");
    }
}
