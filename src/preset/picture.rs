//! Pictures (PNG) and arrays (NPY) from which solids and starts are read.
//!
//! Nothing is allocated for what a file only claims: the extents are checked first, and a file's bytes before its
//! extents are believed.

use super::source::Source;
use crate::contents::Complaint;
use crate::error::BadInput;
use crate::world::{Extents, LARGEST_EXTENT};
use png::{ColorType, Decoder, Transformations};
use std::io::{Cursor, Read};
use std::path::Path;

/// The most pixels of a picture, because a small file may unpack to very many.
const MOST_PIXELS: u64 = 1 << 26;
/// The longest header of an NPY file; those that NumPy writes for plain arrays are shorter than 128 bytes.
const LONGEST_HEADER: usize = 4096;

/// A grid of values, x fastest.
#[derive(Debug, PartialEq)]
pub(super) struct Picture {
    extents: Extents,
    values: Vec<u32>,
}

impl Picture {
    /// The brightness of a PNG, 0 to 255; what is transparent is dark. `key` names the file in the preset.
    pub fn read(path: &Path, source: &Source, key: &str) -> Result<Self, BadInput> {
        source
            .bytes(path)
            .and_then(|bytes| brightness(&bytes))
            .map_err(|complaint| complain(path, source, key, complaint))
    }

    /// The numbers of a two-dimensional NPY array of u8, u16 or u32.
    pub fn read_array(path: &Path, source: &Source, key: &str) -> Result<Self, BadInput> {
        source.bytes(path).and_then(|bytes| array(&bytes)).map_err(|complaint| complain(path, source, key, complaint))
    }

    pub fn extents(&self) -> Extents {
        self.extents
    }

    /// The value nearest to the centre of each cell of a lattice, x fastest.
    pub fn resampled(&self, to: Extents) -> Vec<u32> {
        if self.extents == to {
            return self.values.clone();
        }
        let columns = nearest(self.extents.width, to.width);
        let rows = nearest(self.extents.height, to.height);
        let width = self.extents.width as usize;
        let row = |y: &usize| &self.values[y * width..][..width];
        rows.iter().map(row).flat_map(|row| columns.iter().map(|x| row[*x])).collect()
    }
}

/// Along one axis, the pixel under the centre of each cell. A centre between two pixels takes the one nearer to the
/// middle, so that a mirrored picture gives a mirrored lattice.
fn nearest(pixels: u32, cells: u32) -> Vec<usize> {
    let (pixels, cells) = (u64::from(pixels), u64::from(cells));
    let under = |cell: u64| {
        let (pixel, rest) = ((2 * cell + 1) * pixels / (2 * cells), (2 * cell + 1) * pixels % (2 * cells));
        if rest == 0 && 2 * pixel > pixels { pixel - 1 } else { pixel }
    };
    (0..cells).map(|cell| under(cell) as usize).collect()
}

fn complain(path: &Path, source: &Source, key: &str, (problem, cure): Complaint) -> BadInput {
    source.wrong(key, format!("{}: {problem}", path.display()), cure)
}

fn check_extents(width: u64, height: u64, most: u64) -> Result<Extents, Complaint> {
    let largest = u64::from(LARGEST_EXTENT);
    if (1..=largest).contains(&width) && (1..=largest).contains(&height) && width * height <= most {
        return Ok(Extents { width: width as u32, height: height as u32 });
    }
    Err((
        format!("has an impossible size, {width} × {height}"),
        "each extent must be from 1 to 16384, and a PNG at most 2^26 pixels",
    ))
}

fn brightness(bytes: &[u8]) -> Result<Picture, Complaint> {
    let unreadable = |error: png::DecodingError| (format!("is not a whole PNG ({error})"), "give a PNG picture");
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let info = decoder.read_header_info().map_err(unreadable)?;
    let extents = check_extents(info.width.into(), info.height.into(), MOST_PIXELS)?;
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let size = reader.output_buffer_size().unwrap_or(0);
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(unreadable)?;
    let values: Vec<u32> = match frame.color_type {
        ColorType::Rgb => bytes.chunks_exact(3).map(|p| grey(p[0], p[1], p[2])).collect(),
        ColorType::Rgba => bytes.chunks_exact(4).map(|p| seen(grey(p[0], p[1], p[2]), p[3])).collect(),
        ColorType::GrayscaleAlpha => bytes.chunks_exact(2).map(|p| seen(p[0].into(), p[1])).collect(),
        ColorType::Grayscale | ColorType::Indexed => bytes.into_iter().map(u32::from).collect(),
    };
    if values.len() == extents.cells() {
        return Ok(Picture { extents, values });
    }
    Err(("holds another number of pixels than it says".into(), "give a PNG picture"))
}

/// The brightness of a colour in thousandths of each part, to nearest.
fn grey(red: u8, green: u8, blue: u8) -> u32 {
    (299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) + 500) / 1000
}

fn seen(brightness: u32, opacity: u8) -> u32 {
    (brightness * u32::from(opacity) + 127) / 255
}

fn array(mut bytes: &[u8]) -> Result<Picture, Complaint> {
    let cure = "give a two-dimensional NPY array of u8, u16 or u32";
    let header = header(&mut bytes).ok_or_else(|| ("is not an NPY file of this kind".to_owned(), cure))?;
    let extents = check_extents(header.width, header.height, u64::MAX)?;
    let expected = extents.cells() * header.bytes;
    if bytes.len() != expected {
        let what = if bytes.len() < expected { "fewer" } else { "more" };
        return Err((format!("holds {what} than the {expected} bytes of numbers that its header says"), cure));
    }
    let number = |bytes: &[u8]| {
        let digit = |number: u32, byte: &u8| (number << 8) | u32::from(*byte);
        if header.big_endian { bytes.iter().fold(0, digit) } else { bytes.iter().rev().fold(0, digit) }
    };
    let values: Vec<u32> = bytes.chunks_exact(header.bytes).map(number).collect();
    Ok(Picture { extents, values: if header.by_columns { by_rows(&values, extents) } else { values } })
}

fn by_rows(columns: &[u32], extents: Extents) -> Vec<u32> {
    let (width, height) = (extents.width as usize, extents.height as usize);
    (0..width * height).map(|cell| columns[cell % width * height + cell / width]).collect()
}

/// What the header of an NPY file says of an array of whole numbers.
struct Header {
    width: u64,
    height: u64,
    /// Of one number.
    bytes: usize,
    big_endian: bool,
    /// Fortran's order, y fastest.
    by_columns: bool,
}

/// Reads the header, and leaves the bytes from where the numbers begin.
fn header(file: &mut &[u8]) -> Option<Header> {
    let mut start = [0; 8];
    file.read_exact(&mut start).ok()?;
    let mut length = [0; 4];
    let digits = match start {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _] => 2,
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _] => 4,
        _ => return None,
    };
    file.read_exact(&mut length[..digits]).ok()?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_HEADER {
        return None;
    }
    let mut text = vec![0; length];
    file.read_exact(&mut text).ok()?;
    // A dictionary of Python: {'descr': '<u4', 'fortran_order': False, 'shape': (3, 4), }
    let text: String = std::str::from_utf8(&text).ok()?.replace('"', "'").split_whitespace().collect();
    let after = |key: &str| text.split_once(&format!("'{key}':")).map(|(_, rest)| rest);
    let (order, bytes) = match after("descr")?.strip_prefix('\'')?.split_once('\'')?.0 {
        "|u1" | "u1" | "<u1" | ">u1" => (false, 1),
        "<u2" => (false, 2),
        ">u2" => (true, 2),
        "<u4" => (false, 4),
        ">u4" => (true, 4),
        _ => return None,
    };
    let by_columns = match after("fortran_order")? {
        rest if rest.starts_with("True") => true,
        rest if rest.starts_with("False") => false,
        _ => return None,
    };
    let (height, width) = after("shape")?.strip_prefix('(')?.split_once(')')?.0.split_once(',')?;
    let width = width.strip_suffix(',').unwrap_or(width);
    Some(Header { width: width.parse().ok()?, height: height.parse().ok()?, bytes, big_endian: order, by_columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::BOID;
    use crate::preset::{Overrides, Preset};
    use ndarray::{Array2, ShapeBuilder};
    use ndarray_npy::{WritableElement, write_npy};
    use png::BitDepth;
    use tempfile::TempDir;

    const PRESET: &str = "description = \"x\"\n[sight]\ncohesion.disc = 1\nseparation.disc = 1\nalignment.disc = 1\n\
                          [world]\nsize = [3, 2]\n";

    fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    fn read<T>(bytes: &[u8], reader: fn(&[u8]) -> Result<T, Complaint>) -> Result<T, String> {
        reader(bytes).map_err(|(problem, _)| problem)
    }

    /// Plays a preset beside which there is one file.
    fn play(file: (&str, &[u8]), rest: &str, size: Option<(u32, u32)>) -> Result<Preset, String> {
        let directory = TempDir::new().unwrap();
        std::fs::write(directory.path().join(file.0), file.1).unwrap();
        let path = directory.path().join("p.toml");
        std::fs::write(&path, format!("{PRESET}{rest}")).unwrap();
        let place = format!("{}/", directory.path().display());
        let overrides = Overrides { size, ..Overrides::default() };
        Preset::load(path.to_str().unwrap(), &overrides).map_err(|failure| failure.to_string().replace(&place, ""))
    }

    fn npy<T: WritableElement>(array: Array2<T>) -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        write_npy(&path, &array).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn every_kind_of_png_is_read_as_brightness() {
        let grey = png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0x80, 0, 0xff, 0xff]);
        assert_eq!(read(&grey, brightness).unwrap().values, [128, 255]);
        let bits = png(3, 1, ColorType::Grayscale, BitDepth::One, &[0b1010_0000]);
        assert_eq!(read(&bits, brightness).unwrap().values, [255, 0, 255]);
        let colour = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[255, 0, 0, 255, 255, 255]);
        assert_eq!(read(&colour, brightness).unwrap().values, [76, 255]);
        let clear = png(1, 2, ColorType::Rgba, BitDepth::Eight, &[255, 255, 255, 0, 255, 255, 255, 255]);
        assert_eq!(
            read(&clear, brightness).unwrap(),
            Picture { extents: Extents { width: 1, height: 2 }, values: vec![0, 255] }
        );
    }

    #[test]
    fn a_png_that_lies_is_refused() {
        let whole = png(8, 8, ColorType::Grayscale, BitDepth::Eight, &[7; 64]);
        for end in [0, 5, 20, 40, whole.len() - 20] {
            assert!(read(&whole[..end], brightness).unwrap_err().starts_with("is not a whole PNG"), "{end}");
        }
        for (width, height) in [(1u32 << 30, 1u32 << 30), (16_385, 1), (16_384, 16_384)] {
            let mut huge = whole.clone();
            huge[16..20].copy_from_slice(&width.to_be_bytes());
            huge[20..24].copy_from_slice(&height.to_be_bytes());
            // The checksum of the header stands behind it.
            let mut checksum = flate_checksum(&huge[12..29]).to_be_bytes();
            huge[29..33].swap_with_slice(&mut checksum);
            assert_eq!(read(&huge, brightness).unwrap_err(), format!("has an impossible size, {width} × {height}"));
        }
    }

    /// CRC-32 as PNG has it.
    fn flate_checksum(bytes: &[u8]) -> u32 {
        let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
    }

    #[test]
    fn arrays_are_read_in_every_order() {
        let expected = Picture { extents: Extents { width: 3, height: 2 }, values: vec![0, 1, 2, 10, 11, 300] };
        let number = |(y, x): (usize, usize)| [[0u32, 1, 2], [10, 11, 300]][y][x];
        assert_eq!(read(&npy(Array2::from_shape_fn((2, 3), number)), array).unwrap(), expected);
        assert_eq!(read(&npy(Array2::from_shape_fn((2, 3).f(), number)), array).unwrap(), expected);
        assert_eq!(read(&npy(Array2::from_shape_fn((2, 3), |at| number(at) as u16)), array).unwrap(), expected);
        let small = read(&npy(Array2::from_shape_fn((2, 3), |at| number(at) as u8)), array).unwrap();
        assert_eq!(small.values, [0, 1, 2, 10, 11, 44]);
        let mut swapped = npy(Array2::from_elem((1, 1), 0x0102u16));
        let order = swapped.iter().position(|byte| *byte == b'<').unwrap();
        swapped[order] = b'>';
        assert_eq!(read(&swapped, array).unwrap().values, [0x0201]);
    }

    #[test]
    fn an_array_that_lies_is_refused() {
        let whole = npy(Array2::from_elem((2, 3), 7u32));
        assert_eq!(
            read(&whole[..whole.len() - 1], array).unwrap_err(),
            "holds fewer than the 24 bytes of numbers that its header says"
        );
        assert_eq!(
            read(&[&whole[..], &[0]].concat(), array).unwrap_err(),
            "holds more than the 24 bytes of numbers that its header says"
        );
        let other = "is not an NPY file of this kind";
        for wrong in
            [npy(Array2::from_elem((2, 3), 1.5f64)), npy(Array2::from_elem((2, 3), 1i32)), whole[..40].to_vec()]
        {
            assert_eq!(read(&wrong, array).unwrap_err(), other);
        }
        for (shape, expected) in [
            ("(2, 3,)", None),
            ("(6,)", Some(other)),
            ("(1, 2, 3)", Some(other)),
            ("(99999999999999999999, 1)", Some(other)),
            ("(4000000000, 4000000000)", Some("has an impossible size, 4000000000 × 4000000000")),
            ("(0, 3)", Some("has an impossible size, 3 × 0")),
        ] {
            let header = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': {shape}, }}\n");
            let length = (header.len() as u16).to_le_bytes();
            let bytes = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &[0; 24]].concat();
            assert_eq!(read(&bytes, array).err().as_deref(), expected, "{shape}");
        }
        let long = [b"\x93NUMPY\x02\x00", &u32::MAX.to_le_bytes()[..]].concat();
        assert_eq!(read(&long, array).unwrap_err(), other);
    }

    #[test]
    fn a_mirrored_picture_gives_a_mirrored_lattice() {
        for pixels in [1, 2, 3, 7, 64, 100] {
            for cells in [2, 4, 6, 16, 100, 250] {
                let (left, last) = (nearest(pixels, cells), pixels as usize - 1);
                let right: Vec<usize> = left.iter().rev().map(|pixel| last - pixel).collect();
                assert_eq!(left, right, "{pixels} pixels on {cells} cells");
            }
        }
        assert_eq!(nearest(2, 6), [0, 0, 0, 1, 1, 1]);
        assert_eq!(nearest(6, 2), [1, 4]);
    }

    #[test]
    fn a_map_holds_more_where_it_is_brighter() {
        let map = png(3, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 100, 200]);
        let start =
            play(("m.png", &map), "[start]\nboids = 12\nshape = \"map\"\nfile = \"m.png\"\n", None).unwrap().start().unwrap();
        assert_eq!(start.density, [0, 2, 4, 0, 2, 4].map(|boids| boids * BOID));
        let solid =
            "[[world.solid]]\nrectangle = { from = [0.8, 0], to = [1, 1] }\n[start]\nboids = 12\nshape = \"map\"\n";
        let start = play(("m.png", &map), &format!("{solid}file = \"m.png\"\n"), None).unwrap().start().unwrap();
        assert_eq!(start.density, [0, 6, 0, 0, 6, 0].map(|boids| boids * BOID));
        let dark = png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[0]);
        let wrong =
            play(("m.png", &dark), "[start]\nboids = 12\nshape = \"map\"\nfile = \"m.png\"\n", None).unwrap_err();
        let expected =
            "p.toml:11: start.file: holds nothing outside the solids; something in it must be bright where no solid is";
        assert_eq!(wrong, expected);
    }

    #[test]
    fn a_map_that_overflows_its_cells_runs_into_the_next() {
        let map = png(3, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 0, 9]);
        let rest = "capacity = 2\n[start]\nboids = 9\nshape = \"map\"\nfile = \"m.png\"\n";
        let start = play(("m.png", &map), rest, None).unwrap().start().unwrap();
        assert_eq!(start.total(), 9 * u64::from(BOID));
        assert!(start.density.iter().all(|quanta| *quanta <= 2 * BOID));
        assert_eq!((start.density[2], start.density[5]), (2 * BOID, 2 * BOID));
    }

    #[test]
    fn a_mask_makes_solids() {
        let mask = png(3, 2, ColorType::Grayscale, BitDepth::Eight, &[0, 127, 128, 255, 0, 0]);
        let rest = "[[world.solid]]\nmask = \"m.png\"\n[start]\nboids = 1\n";
        let solids = play(("m.png", &mask), rest, None).unwrap().world.solids;
        assert_eq!(*solids, [false, false, true, true, false, false]);
        let wrong = play(("m.png", &mask[..30]), rest, None).unwrap_err();
        assert!(wrong.starts_with("p.toml:9: world.solid[0].mask: m.png: is not a whole PNG"), "{wrong}");
    }

    #[test]
    fn an_array_says_every_quantum() {
        let exact = npy(Array2::from_shape_fn((2, 3), |(y, x)| (3 * y + x) as u32));
        let rest = "[start]\nshape = \"array\"\nfile = \"a.npy\"\n";
        assert_eq!(play(("a.npy", &exact), rest, None).unwrap().start().unwrap().density, [0, 1, 2, 3, 4, 5]);
        let wrong = play(("a.npy", &exact), rest, Some((6, 4))).unwrap_err();
        assert_eq!(wrong, "--size 6x4: the start is an array of quanta; leave the size at 3x2, or say start.boids");
        let weighted = format!("{rest}boids = 15\n");
        let start = play(("a.npy", &exact), &weighted, Some((6, 4))).unwrap().start().unwrap();
        assert_eq!((start.total(), start.density[0], start.density[23]), (60 * u64::from(BOID), 0, 5 * BOID));
        let other = npy(Array2::from_elem((3, 2), 1u32));
        let wrong = play(("a.npy", &other), rest, None).unwrap_err();
        let cure = "it must have 3 × 2 (shape (2, 3)), or say start.boids";
        assert_eq!(wrong, format!("p.toml:10: start.file: the array has 2 × 3 cells; {cure}"));
        let full = npy(Array2::from_elem((2, 3), u32::MAX));
        let wrong = play(("a.npy", &full), rest, None).unwrap_err();
        let problem = "the array puts 4294967295 quanta into the cell (0, 0), which holds 4294901760";
        assert_eq!(wrong, format!("p.toml:10: start.file: {problem}; keep to world.capacity, and out of solids"));
    }
}
