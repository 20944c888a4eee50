//! Colour pictures, and the text chunks that describe them.

use crate::files::write_atomically;
use crate::provenance::{KEYWORD, Provenance};
use murmuration_core::error::Failure;
use murmuration_core::picture::Picture;
use murmuration_core::simulation::Simulation;
use murmuration_core::world::Extents;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// The origin and the step of a picture. Every PNG contains both as text chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The origin of the swarm in the picture: its preset, chain, seed, inputs and engine.
    pub provenance: Arc<Provenance>,
    /// The step that the picture shows.
    pub step: u64,
}

impl Caption {
    /// The caption for pictures of the present step of a simulation.
    pub fn new(simulation: &Simulation) -> Self {
        Self { provenance: Arc::new(Provenance::new(simulation)), step: simulation.step() }
    }

    /// The provenance record as JSON text.
    pub fn record(&self) -> String {
        self.provenance.text(self.step)
    }

    /// Adds this caption to a PNG as three text chunks: `Software`, `murmuration:step`, and the provenance record under
    /// `murmuration`.
    pub fn describe<W: Write>(&self, encoder: &mut png::Encoder<W>) -> io::Result<()> {
        let software = format!("murmuration {}", env!("CARGO_PKG_VERSION"));
        encoder.add_text_chunk("Software".into(), software)?;
        encoder.add_text_chunk(STEP.into(), self.step.to_string())?;
        // The names of presets may have any letter. Only iTXt chunks store all letters.
        encoder.add_itxt_chunk(KEYWORD.into(), self.record())?;
        Ok(())
    }
}

/// The keyword of the text chunk with the step of a picture, or of each frame of an animated PNG.
pub const STEP: &str = "murmuration:step";

/// Writes a picture as PNG, atomically.
///
/// # Errors
/// If the file cannot be written.
pub fn write_png(picture: &Picture, path: &Path, caption: &Caption) -> Result<(), Failure> {
    write_atomically(path, |to| encode_png(picture, to, caption))
}

/// Encodes a picture as PNG, with its caption as text chunks.
///
/// # Errors
/// If the bytes cannot be written.
pub fn encode_png(picture: &Picture, to: &mut dyn Write, caption: &Caption) -> io::Result<()> {
    let mut encoder = encoder(to, picture);
    caption.describe(&mut encoder)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.bytes)?;
    Ok(writer.finish()?)
}

/// The provenance record in the bytes of a PNG, as JSON text; `None`: the bytes are no PNG, or the PNG has no record.
pub fn record_in_png(bytes: &[u8]) -> Option<String> {
    let reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().ok()?;
    reader.info().utf8_text.iter().find(|text| text.keyword == KEYWORD)?.get_text().ok()
}

/// A PNG encoder for 8-bit RGB pictures of the size of `picture`.
pub fn encoder<W: Write>(to: W, picture: &Picture) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(to, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Up);
    encoder
}

/// The keyword of the text chunk that tells how many quanta one grey level is, as a decimal number.
pub const QUANTA_PER_LEVEL: &str = "murmuration:quanta-per-level";

/// Writes the density of a slice across z as a 16-bit grey PNG, atomically. A flat world is one slice. `density`: in
/// quanta, row by row. `scale`: the density of white, in boids. Returns the number of cells with a greater density.
///
/// # Errors
/// If the file cannot be written.
pub fn write_density(
    density: &[u32],
    slice: Extents,
    scale: u32,
    path: &Path,
    caption: &Caption,
) -> Result<u64, Failure> {
    write_atomically(path, |to| encode_density(density, slice, scale, to, caption))?;
    Ok(density.iter().filter(|quanta| **quanta / scale > WHITE).count() as u64)
}

/// The greatest grey level.
const WHITE: u32 = u16::MAX as u32;

/// Encodes the density of a slice as PNG: 16-bit grey, linear, one pixel per cell, for measurements.
///
/// The scale is the density of white, in boids. The scale is also the number of quanta of a grey level, because a boid
/// is 65536 quanta. The level of a cell times the scale is the density of the cell in quanta, rounded down to a
/// multiple of the scale. A density above the scale is white. The text chunk [`QUANTA_PER_LEVEL`] contains the scale.
fn encode_density(
    density: &[u32],
    slice: Extents,
    scale: u32,
    to: &mut dyn Write,
    caption: &Caption,
) -> io::Result<()> {
    let mut encoder = png::Encoder::new(to, slice.width, slice.height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Fast);
    caption.describe(&mut encoder)?;
    encoder.add_text_chunk(QUANTA_PER_LEVEL.into(), scale.to_string())?;
    let levels: Vec<u8> =
        density.iter().flat_map(|quanta| ((quanta / scale).min(WHITE) as u16).to_be_bytes()).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&levels)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::BOID;
    use serde_json::json;

    fn read(bytes: &[u8]) -> (png::Info<'static>, Vec<u16>) {
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut levels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut levels).unwrap();
        reader.finish().unwrap();
        (reader.info().clone(), levels.as_chunks::<2>().0.iter().map(|level| u16::from_be_bytes(*level)).collect())
    }

    fn written(density: &[u32], scale: u32) -> (png::Info<'static>, Vec<u16>) {
        let extents = Extents::flat(density.len() as u32 / 2, 2);
        let provenance = Provenance { preset: "tröpfchen".into(), seed: u64::MAX, ..Provenance::default() };
        let caption = Caption { provenance: Arc::new(provenance), step: 12 };
        let mut bytes = Vec::new();
        encode_density(density, extents, scale, &mut bytes, &caption).unwrap();
        read(&bytes)
    }

    fn text(info: &png::Info, key: &str) -> String {
        info.uncompressed_latin1_text.iter().find(|text| text.keyword == key).unwrap().text.clone()
    }

    #[test]
    fn levels_times_the_scale_are_the_density() {
        let density = [0, BOID, 3 * BOID, 7, 40 * BOID, 1 << 21];
        let (info, levels) = written(&density, 64);
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Grayscale, png::BitDepth::Sixteen));
        assert_eq!(text(&info, QUANTA_PER_LEVEL), "64");
        for (quanta, level) in density.iter().zip(levels) {
            assert_eq!(u32::from(level) * 64, quanta / 64 * 64);
        }
    }

    #[test]
    fn what_is_above_the_scale_is_white() {
        let (_, levels) = written(&[3 * BOID - 1, 3 * BOID, u32::MAX, 0], 3);
        assert_eq!(levels, [u16::MAX, u16::MAX, u16::MAX, 0]);
        let (_, levels) = written(&[u32::MAX, BOID], BOID);
        assert_eq!(levels, [u16::MAX, 1]);
    }

    #[test]
    fn the_caption_is_in_the_picture() {
        let (info, _) = written(&[0, 0], 1);
        assert_eq!(text(&info, STEP), "12");
        assert!(text(&info, "Software").starts_with("murmuration "));
        let record = info.utf8_text.iter().find(|text| text.keyword == KEYWORD).unwrap().get_text().unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        assert_eq!(
            (&record["preset"], &record["seed"], &record["steps"]),
            (&json!("tröpfchen"), &json!(u64::MAX), &json!(12))
        );
        assert_eq!(record["exact"]["seed"], u64::MAX.to_string());
    }
}
