//! Arrays of whole numbers in NumPy's format, NPY.

use super::picture::check_extents;
use crate::error::Complaint;
use crate::raster::Raster;
use crate::world::Extents;
use ndarray::ArrayD;
use ndarray_npy::{ReadNpyExt, ReadableElement, npy::header::Header};

/// The longest header in bytes. NumPy writes 128 for an array without named fields; a longer one may only be claimed.
const LONGEST_HEADER: usize = 512;
const CURE: &str = "give an NPY array of two or three axes of u8, u16 or u32";

/// The elements of an NPY array of u8, u16 or u32, of shape (y, x) or (z, y, x), in either byte order and layout.
///
/// # Errors
/// If the file is another one, an extent is above 16384, or there are more or fewer elements than the header says. The
/// number of bytes is checked before memory is taken for the elements.
pub fn decode(bytes: &[u8]) -> Result<Raster, Complaint> {
    let other = || ("is not an NPY file of this kind".to_owned(), CURE);
    let (header, numbers) = header(bytes).ok_or_else(other)?;
    let (width, height, depth) = match header.shape[..] {
        [height, width] => (width, height, None),
        [depth, height, width] => (width, height, Some(depth)),
        _ => return Err(other()),
    };
    let (element_size, elements): (usize, Elements) = match header.type_descriptor.as_string().map(String::as_str) {
        Some("|u1" | "u1") => (1, elements::<u8>),
        Some("<u2" | ">u2") => (2, elements::<u16>),
        Some("<u4" | ">u4") => (4, elements::<u32>),
        _ => return Err(other()),
    };
    let slice = check_extents(width as u64, height as u64, u64::MAX)?;
    let extents = Extents { depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)), ..slice };
    if !extents.is_possible() {
        let problem = format!("has an impossible size, {width} × {height} × {}", extents.slices());
        return Err((problem, "each extent must be from 1 to 16384, and there are at most 2^28 elements"));
    }
    let (length, expected) = (numbers.len(), extents.cells() * element_size);
    if length != expected {
        let less_or_more = if length < expected { "fewer" } else { "more" };
        return Err((format!("holds {less_or_more} than the {expected} bytes of numbers that its header says"), CURE));
    }
    elements(bytes).and_then(|values| Raster::new(extents, values)).ok_or_else(other)
}

/// Reads all elements of an array.
type Elements = fn(&[u8]) -> Option<Vec<u32>>;

/// The header, and the bytes of the numbers behind it.
fn header(bytes: &[u8]) -> Option<(Header, &[u8])> {
    // The magic string, two bytes of version, and the length of the rest of the header.
    let length = match *bytes.get(6..12)? {
        [1, _, a, b, ..] => u16::from_le_bytes([a, b]).into(),
        [2 | 3, _, a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => return None,
    };
    if length as usize > LONGEST_HEADER {
        return None;
    }
    let mut rest = bytes;
    Some((Header::from_reader(&mut rest).ok()?, rest))
}

fn elements<T: ReadableElement + Copy + Into<u32>>(bytes: &[u8]) -> Option<Vec<u32>> {
    let array = ArrayD::<T>::read_npy(bytes).ok()?;
    // Slice by slice and row by row, whichever layout the file has.
    Some(array.iter().map(|element| (*element).into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Array3, ArrayBase, Dimension, OwnedRepr, ShapeBuilder};
    use ndarray_npy::{WritableElement, write_npy};

    fn read(bytes: &[u8]) -> Result<Raster, String> {
        decode(bytes).map_err(|(problem, _)| problem)
    }

    fn npy<T: WritableElement, D: Dimension>(array: ArrayBase<OwnedRepr<T>, D>) -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        write_npy(&path, &array).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn arrays_are_read_in_every_order() {
        let expected = Raster::new(Extents::flat(3, 2), vec![0, 1, 2, 10, 11, 300]).unwrap();
        let number = |(y, x): (usize, usize)| [[0u32, 1, 2], [10, 11, 300]][y][x];
        assert_eq!(read(&npy(Array2::from_shape_fn((2, 3), number))).unwrap(), expected);
        assert_eq!(read(&npy(Array2::from_shape_fn((2, 3).f(), number))).unwrap(), expected);
        assert_eq!(read(&npy(Array2::from_shape_fn((2, 3), |at| number(at) as u16))).unwrap(), expected);
        let small = read(&npy(Array2::from_shape_fn((2, 3), |at| number(at) as u8))).unwrap();
        assert_eq!(small.values(), [0, 1, 2, 10, 11, 44]);
        let mut swapped = npy(Array2::from_elem((1, 1), 0x0102u16));
        let order = swapped.iter().position(|byte| *byte == b'<').unwrap();
        swapped[order] = b'>';
        assert_eq!(read(&swapped).unwrap().values(), [0x0201]);
    }

    #[test]
    fn an_array_of_three_axes_has_z_first() {
        let number = |(z, y, x): (usize, usize, usize)| (100 * z + 10 * y + x) as u32;
        let expected = Raster::new(Extents::deep(3, 1, 2), vec![0, 1, 2, 100, 101, 102]).unwrap();
        assert_eq!(read(&npy(Array3::from_shape_fn((2, 1, 3), number))).unwrap(), expected);
        assert_eq!(read(&npy(Array3::from_shape_fn((2, 1, 3).f(), number))).unwrap(), expected);
    }

    #[test]
    fn an_array_that_lies_is_refused() {
        let whole = npy(Array2::from_elem((2, 3), 7u32));
        assert_eq!(
            read(&whole[..whole.len() - 1]).unwrap_err(),
            "holds fewer than the 24 bytes of numbers that its header says"
        );
        assert_eq!(
            read(&[&whole[..], &[0]].concat()).unwrap_err(),
            "holds more than the 24 bytes of numbers that its header says"
        );
        let other = "is not an NPY file of this kind";
        for wrong in
            [npy(Array2::from_elem((2, 3), 1.5f64)), npy(Array2::from_elem((2, 3), 1i32)), whole[..40].to_vec()]
        {
            assert_eq!(read(&wrong).unwrap_err(), other);
        }
        for (shape, expected) in [
            ("(2, 3,)", None),
            ("(6,)", Some(other)),
            ("(1, 2, 3)", None),
            ("(1, 1, 2, 3)", Some(other)),
            ("(0, 2, 3)", Some("has an impossible size, 3 × 2 × 0")),
            ("(9999999999, 2, 3)", Some("has an impossible size, 3 × 2 × 4294967295")),
            ("(99999999999999999999, 1)", Some(other)),
            ("(4000000000, 4000000000)", Some("has an impossible size, 4000000000 × 4000000000")),
            ("(0, 3)", Some("has an impossible size, 3 × 0")),
        ] {
            let header = format!("{{'descr': '<u4', 'fortran_order': False, 'shape': {shape}, }}\n");
            let length = (header.len() as u16).to_le_bytes();
            let bytes = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &[0; 24]].concat();
            assert_eq!(read(&bytes).err().as_deref(), expected, "{shape}");
        }
        let long = [b"\x93NUMPY\x02\x00", &u32::MAX.to_le_bytes()[..]].concat();
        assert_eq!(read(&long).unwrap_err(), other);
    }

    #[test]
    fn a_header_that_nests_deeply_is_refused() {
        for length in [400, 60_000] {
            let header = format!("{}\n", "(".repeat(length));
            let bytes = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
            assert_eq!(read(&bytes).unwrap_err(), "is not an NPY file of this kind");
        }
    }
}
