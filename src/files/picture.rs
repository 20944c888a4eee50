//! Reads the brightness of pictures, as inputs of presets.

use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageBuffer, ImageDecoder, ImageError, ImageReader, Pixel};
use murmuration_core::error::Complaint;
use murmuration_core::host::raster::Raster;
use murmuration_core::text::one_line;
use murmuration_core::world::{Extents, MAX_EXTENT, memory};
use std::io::Cursor;

/// The maximum number of pixels. The limit is needed because a small file may unpack to a huge picture.
const MAX_PIXELS: u64 = 1 << 26;
const CURE: &str = "give a picture as PNG, JPEG, GIF, WebP, BMP, TIFF or PNM";

/// Reads the brightness of a picture in any common format, 0 to 255 for each pixel. Transparent pixels are dark.
///
/// Only the upper eight bits of 16-bit samples are read, and only the first frame of an animation. The picture is
/// rotated and mirrored by its EXIF orientation, as in picture viewers. `free`: the free memory in bytes; `None`:
/// unknown.
///
/// # Errors
/// If the format is unknown, the file is damaged, the picture has more than 2^26 pixels or a side above 65535, or the
/// pixels do not fit into `free` bytes of memory. The size is checked before memory is allocated for the pixels.
pub fn decode(bytes: &[u8], free: Option<u64>) -> Result<Raster, Complaint> {
    let unreadable = |error: ImageError| (format!("is not a whole picture ({})", one_line(&error.to_string())), CURE);
    let guessed = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = guessed.map_err(|error| unreadable(error.into()))?;
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    check_extents(width.into(), height.into(), MAX_PIXELS)?;
    memory::check_picture(width, height, free).map_err(|problem| (problem, "give a smaller picture"))?;
    let orientation = orientation(&mut decoder, bytes);
    let levels = brightness(DynamicImage::from_decoder(decoder).map_err(unreadable)?);
    let levels = GrayImage::from_raw(width, height, levels);
    let levels = levels.ok_or_else(|| ("holds another number of pixels than it says".to_owned(), CURE))?;
    let mut picture = DynamicImage::ImageLuma8(levels);
    picture.apply_orientation(orientation);
    let extents = Extents::flat(picture.width(), picture.height());
    let values = picture.into_bytes().into_iter().map(u32::from).collect();
    Raster::new(extents, values).ok_or_else(|| ("cannot be turned".into(), CURE))
}

/// The EXIF orientation of a picture. EXIF data that cannot be read are ignored.
fn orientation(decoder: &mut impl ImageDecoder, bytes: &[u8]) -> Orientation {
    let exif = decoder.exif_metadata().ok().flatten().or_else(|| exif_behind_pixels(bytes));
    // Some programs write the marker `Exif\0\0` of JPEG files before the EXIF data of other formats too.
    let chunk = exif.as_deref().map(|exif| exif.strip_prefix(b"Exif\0\0").unwrap_or(exif));
    let orientation = chunk.and_then(Orientation::from_exif_chunk);
    // A TIFF file has the orientation among its own tags.
    orientation.or_else(|| decoder.orientation().ok()).unwrap_or(Orientation::NoTransforms)
}

/// The EXIF data of a PNG file that come after the pixels; `None`: there are none.
fn exif_behind_pixels(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.windows(4).any(|name| name == b"eXIf") {
        return None;
    }
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    reader.finish().ok()?;
    reader.info().exif_metadata.as_ref().map(|exif| exif.to_vec())
}

/// The extents of a lattice with a cell for each pixel or element. A side of 0 or above [`MAX_EXTENT`], or more than
/// `most` cells, is an error.
pub(super) fn check_extents(width: u64, height: u64, most: u64) -> Result<Extents, Complaint> {
    let largest = u64::from(MAX_EXTENT);
    if (1..=largest).contains(&width) && (1..=largest).contains(&height) && width * height <= most {
        return Ok(Extents::flat(width as u32, height as u32));
    }
    Err((
        format!("has an impossible size, {width} × {height}"),
        "each extent must be from 1 to 65535, and a picture has at most 2^26 pixels",
    ))
}

fn brightness(picture: DynamicImage) -> Vec<u8> {
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
        // Float samples, which only TIFF files have.
        other => levels(&other.into_rgba8(), u8::into),
    }
}

/// The brightness of every pixel, 0 to 255: the weighted mean of red, green and blue (ITU-R BT.601), times the opacity.
/// The mean and the product are rounded to the nearest whole number.
fn levels<P: Pixel>(pixels: &ImageBuffer<P, Vec<P::Subpixel>>, to_byte: fn(P::Subpixel) -> u8) -> Vec<u8> {
    let level = |pixel: &P| {
        let [red, green, blue, opacity] = pixel.to_rgba().0.map(|sample| u32::from(to_byte(sample)));
        let grey = (299 * red + 587 * green + 114 * blue + 500) / 1000;
        ((grey * opacity + 127) / 255) as u8
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

    /// EXIF data that contain only an orientation.
    fn exif(orientation: u8) -> Vec<u8> {
        [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[orientation, 0, 0, 0, 0, 0, 0]].concat()
    }

    /// An uncompressed 8-bit grey TIFF with an orientation.
    fn tiff(stored: &GrayImage, orientation: u8) -> Vec<u8> {
        const FIRST_PIXEL: u32 = 8 + 2 + 12 * 9 + 4;
        let entries = [
            (0x100, stored.width()),
            (0x101, stored.height()),
            (0x102, 8),
            (0x103, 1),
            (0x106, 1),
            (0x111, FIRST_PIXEL),
            (0x112, orientation.into()),
            (0x116, stored.height()),
            (0x117, stored.width() * stored.height()),
        ];
        let mut bytes = b"MM\0*\0\0\0\x08\0\x09".to_vec();
        for (tag, value) in entries {
            let [type_of_u16, count] = [3u16.to_be_bytes(), 1u16.to_be_bytes()];
            bytes.extend(u16::to_be_bytes(tag).into_iter().chain(type_of_u16).chain([0, 0]).chain(count));
            bytes.extend((value as u16).to_be_bytes().into_iter().chain([0, 0]));
        }
        bytes.extend([0; 4].iter().chain(stored.as_raw()));
        bytes
    }

    /// A PNG with its EXIF data moved behind the pixels.
    fn with_exif_last(png: &[u8]) -> Vec<u8> {
        let name = png.windows(4).position(|name| name == b"eXIf").unwrap();
        let chunk = name - 4..name + 4 + 26 + 4;
        let end = png.len() - 12;
        [&png[..chunk.start], &png[chunk.end..end], &png[chunk], &png[end..]].concat()
    }

    /// The column and row of the stored pixel that a viewer shows at [x, y] under an EXIF orientation. `stored`: the
    /// width and height of the stored picture.
    fn stored_place(orientation: u8, [x, y]: [u32; 2], stored: [u32; 2]) -> [u32; 2] {
        let [right, bottom] = stored.map(|side| side - 1);
        match orientation {
            1 => [x, y],
            2 => [right - x, y],
            3 => [right - x, bottom - y],
            4 => [x, bottom - y],
            5 => [y, x],
            6 => [y, bottom - x],
            7 => [right - y, bottom - x],
            _ => [right - y, x],
        }
    }

    #[test]
    fn a_picture_is_turned_as_viewers_show_it() {
        use image::ImageEncoder;
        use image::codecs::jpeg::JpegEncoder;
        use image::codecs::png::PngEncoder;
        use image::codecs::webp::WebPEncoder;
        // JPEG compresses blocks of 8 × 8 pixels. A block of a single brightness keeps it.
        let stored = GrayImage::from_fn(32, 24, |x, y| image::Luma([(20 * (x / 8) + 80 * (y / 8)) as u8]));
        let encoded = |encoder: &mut dyn FnMut(&mut Vec<u8>)| {
            let mut bytes = Vec::new();
            encoder(&mut bytes);
            bytes
        };
        for orientation in 1..=8 {
            let exif = exif(orientation);
            macro_rules! with_exif {
                ($encoder:expr, $exif:expr) => {
                    encoded(&mut |to| {
                        let mut encoder = $encoder(to);
                        encoder.set_exif_metadata($exif).unwrap();
                        encoder.write_image(stored.as_raw(), 32, 24, image::ExtendedColorType::L8).unwrap();
                    })
                };
            }
            let png = with_exif!(PngEncoder::new, exif.clone());
            let files = [
                ("PNG", png.clone()),
                ("PNG, behind the pixels", with_exif_last(&png)),
                ("JPEG", with_exif!(|to| JpegEncoder::new_with_quality(to, 100), exif.clone())),
                ("WebP", with_exif!(WebPEncoder::new_lossless, exif.clone())),
                ("WebP with a marker", with_exif!(WebPEncoder::new_lossless, [b"Exif\0\0", &exif[..]].concat())),
                ("TIFF", tiff(&stored, orientation)),
            ];
            for (format, bytes) in files {
                let shown = decode(&bytes, None).unwrap();
                let Extents { width, height, .. } = shown.extents();
                assert_eq!([width, height], if orientation < 5 { [32, 24] } else { [24, 32] }, "{format}");
                for (place, level) in (0..).zip(shown.values()) {
                    let [x, y] = stored_place(orientation, [place % width, place / width], [32, 24]);
                    let expected = u32::from(stored.get_pixel(x, y).0[0]);
                    assert!(level.abs_diff(expected) <= 2, "{format}, orientation {orientation}: {x} {y}");
                }
            }
        }
    }

    #[test]
    fn exif_data_that_are_wrong_turn_nothing() {
        let stored = GrayImage::from_fn(3, 2, |x, y| image::Luma([(x + 3 * y) as u8]));
        for wrong in [vec![], vec![1, 2, 3], exif(0), exif(9), exif(6)[..20].to_vec()] {
            let mut bytes = Vec::new();
            let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
            image::ImageEncoder::set_exif_metadata(&mut encoder, wrong).unwrap();
            image::ImageEncoder::write_image(encoder, stored.as_raw(), 3, 2, image::ExtendedColorType::L8).unwrap();
            assert_eq!(read(&bytes).unwrap(), [0, 1, 2, 3, 4, 5]);
        }
    }

    #[test]
    fn a_png_that_lies_is_refused() {
        let whole = png(8, 8, ColorType::Grayscale, BitDepth::Eight, &[7; 64]);
        for end in [0, 5, 20, 40, whole.len() - 20] {
            assert!(read(&whole[..end]).unwrap_err().starts_with("is not a whole picture"), "{end}");
        }
        for (width, height) in [(1u32 << 30, 1u32 << 30), (65_536, 1), (16_384, 16_384)] {
            let mut huge = whole.clone();
            huge[16..20].copy_from_slice(&width.to_be_bytes());
            huge[20..24].copy_from_slice(&height.to_be_bytes());
            // The checksum follows the header.
            let mut checksum = flate_checksum(&huge[12..29]).to_be_bytes();
            huge[29..33].swap_with_slice(&mut checksum);
            assert_eq!(read(&huge).unwrap_err(), format!("has an impossible size, {width} × {height}"));
        }
    }

    /// CRC-32 as in PNG.
    fn flate_checksum(bytes: &[u8]) -> u32 {
        let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
    }
}
