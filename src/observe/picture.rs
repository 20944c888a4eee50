//! Colour pictures, and the text chunks that describe them.

use crate::error::Failure;
use crate::files::write_whole;
use crate::picture::Picture;
use crate::preset::Preset;
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
