//! Pictures that a person drew, read as brightness.

use crate::error::Complaint;
use crate::memory;
use crate::raster::Raster;
use crate::text::one_line;
use crate::world::{Extents, LARGEST_EXTENT};
use image::{DynamicImage, ImageBuffer, ImageDecoder, ImageError, ImageReader, Pixel};
use std::io::Cursor;

/// The most pixels of a picture: a small file may unpack to very many.
const MOST_PIXELS: u64 = 1 << 26;
const CURE: &str = "give a picture as PNG, JPEG, GIF, WebP, BMP, TIFF or PNM";

/// The brightness of a picture in any common format, 0 to 255 for each pixel. Transparent pixels are dark.
///
/// Samples of 16 bits count with their upper eight. Of an animation the first frame is read.
///
/// # Errors
/// If the format is unknown, the file is damaged, the picture has more than 2^26 pixels or an extent above 16384, or it does not fit into
/// the free memory. The size is checked before memory is taken for the pixels.
pub fn decode(bytes: &[u8], free: Option<u64>) -> Result<Raster, Complaint> {
    let unreadable = |error: ImageError| (format!("is not a whole picture ({})", one_line(&error.to_string())), CURE);
    let guessed = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = guessed.map_err(|error| unreadable(error.into()))?;
    reader.no_limits();
    let decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    let extents = check_extents(width.into(), height.into(), MOST_PIXELS)?;
    memory::check_picture(width, height, free).map_err(|problem| (problem, "give a smaller picture"))?;
    let values = brightness(DynamicImage::from_decoder(decoder).map_err(unreadable)?);
    Raster::new(extents, values).ok_or_else(|| ("holds another number of pixels than it says".into(), CURE))
}

/// The extents of a picture or an array, if a lattice could have them and they hold no more than `most` values.
pub(super) fn check_extents(width: u64, height: u64, most: u64) -> Result<Extents, Complaint> {
    let largest = u64::from(LARGEST_EXTENT);
    if (1..=largest).contains(&width) && (1..=largest).contains(&height) && width * height <= most {
        return Ok(Extents::flat(width as u32, height as u32));
    }
    Err((
        format!("has an impossible size, {width} × {height}"),
        "each extent must be from 1 to 16384, and a picture has at most 2^26 pixels",
    ))
}

fn brightness(picture: DynamicImage) -> Vec<u32> {
    let upper_half = |sample: u16| (sample >> 8) as u8;
    match picture {
        DynamicImage::ImageLuma8(pixels) => levels(&pixels, u8::into),
        DynamicImage::ImageLumaA8(pixels) => levels(&pixels, u8::into),
        DynamicImage::ImageRgb8(pixels) => levels(&pixels, u8::into),
        DynamicImage::ImageRgba8(pixels) => levels(&pixels, u8::into),
        DynamicImage::ImageLuma16(pixels) => levels(&pixels, upper_half),
        DynamicImage::ImageLumaA16(pixels) => levels(&pixels, upper_half),
        DynamicImage::ImageRgb16(pixels) => levels(&pixels, upper_half),
        DynamicImage::ImageRgba16(pixels) => levels(&pixels, upper_half),
        // Floats, which only a TIFF has.
        other => levels(&other.into_rgba8(), u8::into),
    }
}

/// The brightness of every pixel: the weighted mean of red, green and blue (ITU-R BT.601), times the opacity. Both are
/// rounded to nearest.
fn levels<P: Pixel>(pixels: &ImageBuffer<P, Vec<P::Subpixel>>, to_byte: fn(P::Subpixel) -> u8) -> Vec<u32> {
    let level = |pixel: &P| {
        let [red, green, blue, opacity] = pixel.to_rgba().0.map(|sample| u32::from(to_byte(sample)));
        let grey = (299 * red + 587 * green + 114 * blue + 500) / 1000;
        (grey * opacity + 127) / 255
    };
    pixels.pixels().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use png::{BitDepth, ColorType};

    fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Vec<u32>, String> {
        decode(bytes, None).map(|raster| raster.values().to_vec()).map_err(|(problem, _)| problem)
    }

    #[test]
    fn every_kind_of_png_is_read_as_brightness() {
        let grey = png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x80, 0, 0xff, 0xff]);
        assert_eq!(read(&grey).unwrap(), [128, 255]);
        let bits = png(3, 1, ColorType::Grayscale, BitDepth::One, &[0b1010_0000]);
        assert_eq!(read(&bits).unwrap(), [255, 0, 255]);
        let colour = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[255, 0, 0, 255, 255, 255]);
        assert_eq!(read(&colour).unwrap(), [76, 255]);
        let clear = png(1, 2, ColorType::Rgba, BitDepth::Eight, &[255, 255, 255, 0, 255, 255, 255, 255]);
        let expected = Raster::new(Extents::flat(1, 2), vec![0, 255]);
        assert_eq!(decode(&clear, None).ok(), expected);
    }

    #[test]
    fn a_png_that_lies_is_refused() {
        let whole = png(8, 8, ColorType::Grayscale, BitDepth::Eight, &[7; 64]);
        for end in [0, 5, 20, 40, whole.len() - 20] {
            assert!(read(&whole[..end]).unwrap_err().starts_with("is not a whole picture"), "{end}");
        }
        for (width, height) in [(1u32 << 30, 1u32 << 30), (16_385, 1), (16_384, 16_384)] {
            let mut huge = whole.clone();
            huge[16..20].copy_from_slice(&width.to_be_bytes());
            huge[20..24].copy_from_slice(&height.to_be_bytes());
            // The checksum of the header stands behind it.
            let mut checksum = flate_checksum(&huge[12..29]).to_be_bytes();
            huge[29..33].swap_with_slice(&mut checksum);
            assert_eq!(read(&huge).unwrap_err(), format!("has an impossible size, {width} × {height}"));
        }
    }

    /// CRC-32 as PNG has it.
    fn flate_checksum(bytes: &[u8]) -> u32 {
        let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
    }
}
