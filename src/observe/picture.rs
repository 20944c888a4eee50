//! Colour pictures, and the text chunks that describe them.

use crate::error::Failure;
use crate::files::write_whole;
use crate::picture::Picture;
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

/// Writing a picture as PNG.
pub trait PngPicture {
    /// Writes the picture to a file, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    fn write(&self, path: &Path, caption: &Caption) -> Result<(), Failure>;

    /// Encodes the picture.
    ///
    /// # Errors
    /// The bytes cannot be written.
    fn encode(&self, to: &mut dyn Write, caption: &Caption) -> io::Result<()>;
}

impl PngPicture for Picture {
    fn write(&self, path: &Path, caption: &Caption) -> Result<(), Failure> {
        write_whole(path, |to| self.encode(to, caption))
    }

    /// Encodes the picture as PNG.
    fn encode(&self, to: &mut dyn Write, caption: &Caption) -> io::Result<()> {
        let mut encoder = png::Encoder::new(to, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Up);
        caption.describe(&mut encoder)?;
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.bytes)?;
        Ok(writer.finish()?)
    }
}
