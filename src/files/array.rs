//! Reads arrays of numbers from NumPy files (NPY), as inputs of presets.

use super::picture::check_extents;
use murmuration_core::error::Complaint;
use murmuration_core::host::raster::{Raster, Sample, VectorList, Vectors};
use murmuration_core::numbers::ONE;
use murmuration_core::state::MAX_INDIVIDUALS;
use murmuration_core::world::Extents;
use ndarray::ArrayD;
use ndarray_npy::npy::header::Header;
use ndarray_npy::{ReadNpyExt, ReadableElement};

/// The maximum size of a header in bytes. NumPy writes 128 bytes for an array without named fields.
const MAX_HEADER_BYTES: usize = 512;
const CURE: &str = "give an NPY array of two or three axes of u8, u16 or u32";
const CURE_OF_VECTORS: &str = "give an NPY array of shape (individuals, 2) or (individuals, 3), of f32, f64 or i32";
const CURE_OF_VOXELS: &str = "give an NPY array of shape (z, y, x), of numbers or truth values";

/// Reads an NPY array of u8, u16 or u32 with the shape (height, width) or (depth, height, width). Both byte orders are
/// read, and both memory layouts (row-major and column-major).
///
/// # Errors
/// If the bytes are not such an array, the shape is not a valid lattice, or the number of elements differs from the
/// header. The number of bytes is checked before memory is allocated for the elements.
pub fn decode(bytes: &[u8]) -> Result<Raster, Complaint> {
    read(bytes, CURE, |kind| match kind {
        "|u1" | "u1" => Some((1, elements::<u8>)),
        "<u2" | ">u2" => Some((2, elements::<u16>)),
        "<u4" | ">u4" => Some((4, elements::<u32>)),
        _ => None,
    })
}

/// Reads a field of rock from an NPY array of shape (depth, height, width). A cell is rock if its element is above 0.
///
/// The result has an i16 for each cell, in 1/16384. Floats are rounded and limited to ±32767/16384, and values above 0
/// stay above 0. Integers above 0 and `true` give 1. All other integers and `false` give -1.
///
/// # Errors
/// As [`decode`], and if an element is NaN or the array has only two axes.
pub fn decode_voxels(bytes: &[u8]) -> Result<Raster<i16>, Complaint> {
    let raster = read(bytes, CURE_OF_VOXELS, |kind| match kind.trim_start_matches(['<', '>', '|']) {
        "b1" => Some((1, mask::<bool>)),
        "i1" => Some((1, mask::<i8>)),
        "u1" => Some((1, mask::<u8>)),
        "i2" => Some((2, mask::<i16>)),
        "u2" => Some((2, mask::<u16>)),
        "i4" => Some((4, mask::<i32>)),
        "u4" => Some((4, mask::<u32>)),
        "i8" => Some((8, mask::<i64>)),
        "u8" => Some((8, mask::<u64>)),
        "f4" => Some((4, scalars::<f32>)),
        "f8" => Some((8, scalars::<f64>)),
        _ => None,
    })?;
    match raster.extents().depth {
        Some(_) => Ok(raster),
        None => Err(("has two axes".into(), CURE_OF_VOXELS)),
    }
}

/// Reads places or velocities of individuals from an NPY array of shape (individuals, 2) or (individuals, 3), of f32,
/// f64 or i32.
///
/// # Errors
/// If the bytes are not such an array, the array has more than 2^24 rows, or the number of elements differs from the
/// header. The number of bytes is checked before memory is allocated for the elements.
pub fn decode_vectors(bytes: &[u8]) -> Result<VectorList, Complaint> {
    let cure = CURE_OF_VECTORS;
    let other = || (OTHER.to_owned(), cure);
    let (header, numbers) = header(bytes).ok_or_else(other)?;
    let [count, axes @ 2..=3] = header.shape[..] else {
        let shape = header.shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        return Err((format!("has the shape ({shape})"), cure));
    };
    if count > MAX_INDIVIDUALS {
        return Err((format!("has {count} rows"), "give at most 16777216 individuals"));
    }
    let kind = header.type_descriptor.as_string().ok_or_else(other)?.trim_start_matches(['<', '>']);
    let size = match kind {
        "f4" | "i4" => 4,
        "f8" => 8,
        _ => return Err(other()),
    };
    check_length(numbers, count * axes * size, cure)?;
    let said = |problem: &str| (problem.to_owned(), cure);
    let vectors = match kind {
        "i4" => Vectors::Whole(rows(mapped(bytes, |n: &i32| *n).map_err(said)?, axes)),
        "f4" => Vectors::Decimal(rows(mapped(bytes, |n: &f32| f64::from(*n)).map_err(said)?, axes)),
        _ => Vectors::Decimal(rows(mapped(bytes, |n: &f64| *n).map_err(said)?, axes)),
    };
    Ok(VectorList { axes, vectors })
}

/// The vectors of a table with 2 or 3 columns (`axes`), whose numbers are given row by row. A missing third component
/// is 0.
fn rows<T: Copy + Default>(components: Vec<T>, axes: usize) -> Vec<[T; 3]> {
    let row = |row: &[T]| std::array::from_fn(|axis| row.get(axis).copied().unwrap_or_default());
    components.chunks_exact(axes).map(row).collect()
}

/// Checks that the number of bytes behind the header is `expected`, which follows from the header. `cure`: the advice
/// of the error message.
fn check_length(numbers: &[u8], expected: usize, cure: &'static str) -> Result<(), Complaint> {
    let length = numbers.len();
    if length == expected {
        return Ok(());
    }
    let less_or_more = if length < expected { "fewer" } else { "more" };
    Err((format!("holds {less_or_more} than the {expected} bytes of numbers that its header says"), cure))
}

type Elements<T> = fn(&[u8]) -> Result<Vec<T>, &'static str>;

/// The error message for a file that is not an NPY array of the expected element type and number of axes.
const OTHER: &str = "is not an NPY file of this kind";

/// Reads an array. `kind` maps the element type that the header names to the size of an element in bytes and to a
/// reader. `cure`: the advice of error messages.
fn read<T: Sample>(
    bytes: &[u8],
    cure: &'static str,
    kind: impl Fn(&str) -> Option<(usize, Elements<T>)>,
) -> Result<Raster<T>, Complaint> {
    let other = || (OTHER.to_owned(), cure);
    let (header, numbers) = header(bytes).ok_or_else(other)?;
    let (width, height, depth) = match header.shape[..] {
        [height, width] => (width, height, None),
        [depth, height, width] => (width, height, Some(depth)),
        _ => return Err(other()),
    };
    let (element_size, elements) = header.type_descriptor.as_string().and_then(|text| kind(text)).ok_or_else(other)?;
    let slice = check_extents(width as u64, height as u64, u64::MAX)?;
    let extents = Extents { depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)), ..slice };
    if !extents.is_possible() {
        let problem = format!("has an impossible size, {width} × {height} × {}", extents.slices());
        return Err((problem, "each extent must be from 1 to 65535, or 16384 in a deep array"));
    }
    check_length(numbers, extents.cells() * element_size, cure)?;
    let elements = elements(bytes).map_err(|problem| (problem.to_owned(), cure))?;
    Raster::new(extents, elements).ok_or_else(other)
}

/// Splits a file into the header and the bytes of the elements; `None`: the file has no valid NPY header.
fn header(bytes: &[u8]) -> Option<(Header, &[u8])> {
    // The magic string has 6 bytes, and the version of the format has 2 bytes. The length of the rest of the header
    // follows.
    let length = match *bytes.get(6..12)? {
        [1, _, a, b, ..] => u16::from_le_bytes([a, b]).into(),
        [2 | 3, _, a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => return None,
    };
    if length as usize > MAX_HEADER_BYTES {
        return None;
    }
    let mut rest = bytes;
    Some((Header::from_reader(&mut rest).ok()?, rest))
}

/// Reads all elements, maps each by `map`, and returns them slice by slice and row by row. The memory layout of the
/// file does not matter.
fn mapped<T: ReadableElement, U>(bytes: &[u8], map: impl Fn(&T) -> U) -> Result<Vec<U>, &'static str> {
    let array = ArrayD::<T>::read_npy(bytes).map_err(|_| OTHER)?;
    Ok(array.iter().map(map).collect())
}

fn elements<T: ReadableElement + Copy + Into<u32>>(bytes: &[u8]) -> Result<Vec<u32>, &'static str> {
    mapped(bytes, |element: &T| (*element).into())
}

/// The field of rock of an array of integers or booleans, in 1/16384: 16384 for an element above 0, else -16384.
fn mask<T: ReadableElement + Default + PartialOrd>(bytes: &[u8]) -> Result<Vec<i16>, &'static str> {
    mapped(bytes, |element: &T| if *element > T::default() { ONE as i16 } else { -ONE as i16 })
}

/// The field of rock of an array of floats, in 1/16384, rounded and limited to ±32767.
fn scalars<T: ReadableElement + Copy + Into<f64>>(bytes: &[u8]) -> Result<Vec<i16>, &'static str> {
    let numbers = mapped(bytes, |element: &T| -> f64 { (*element).into() })?;
    if numbers.iter().any(|number| number.is_nan()) {
        return Err("holds elements that are no numbers");
    }
    let held = f64::from(i16::MAX);
    let scalar = |number: f64| {
        let scalar = (number * f64::from(ONE)).clamp(-held, held).round() as i16;
        if number > 0.0 { scalar.max(1) } else { scalar }
    };
    Ok(numbers.into_iter().map(scalar).collect())
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
    fn voxels_above_0_are_rock() {
        let voxels = |bytes: &[u8]| decode_voxels(bytes).map_err(|(problem, _)| problem);
        let whole = |at: (usize, usize, usize)| [-3i32, 0, 1, 70_000][at.2];
        let expected = Raster::new(Extents::deep(4, 1, 1), vec![-16_384i16, -16_384, 16_384, 16_384]).unwrap();
        assert_eq!(voxels(&npy(Array3::from_shape_fn((1, 1, 4), whole))).unwrap(), expected);
        let wide = npy(Array3::from_shape_fn((1, 1, 4), |at| i64::from(whole(at))));
        assert_eq!(voxels(&wide).unwrap(), expected);
        let bytes = npy(Array3::from_shape_fn((1, 1, 4), |at| whole(at).clamp(0, 255) as u8));
        assert_eq!(voxels(&bytes).unwrap(), expected);
        assert_eq!(voxels(&npy(Array3::from_shape_fn((1, 1, 4), |at| whole(at) > 0))).unwrap(), expected);
        let number = |(z, _, x): (usize, usize, usize)| [[-0.5f32, -1e-9, 1e-9], [0.25, 1e9, f32::NEG_INFINITY]][z][x];
        let numbers = voxels(&npy(Array3::from_shape_fn((2, 1, 3), number))).unwrap();
        assert_eq!(numbers.values(), [-8192, 0, 1, 4096, 32_767, -32_767]);
        let broken = npy(Array3::from_elem((1, 1, 2), f64::NAN));
        assert_eq!(voxels(&broken).unwrap_err(), "holds elements that are no numbers");
        assert_eq!(voxels(&npy(Array2::from_elem((2, 2), 1u8))).unwrap_err(), "has two axes");
        let cut = npy(Array3::from_elem((2, 2, 2), 1f32));
        let problem = "holds fewer than the 32 bytes of numbers that its header says";
        assert_eq!(voxels(&cut[..cut.len() - 5]).unwrap_err(), problem);
    }

    #[test]
    fn vectors_are_read_row_by_row() {
        let vectors = |bytes: &[u8]| decode_vectors(bytes).map_err(|(problem, _)| problem);
        let number = |(row, axis): (usize, usize)| [[1.5f64, -2.0, 0.25], [1e9, 0.0, 7.0]][row][axis];
        let deep = VectorList { axes: 3, vectors: Vectors::Decimal(vec![[1.5, -2.0, 0.25], [1e9, 0.0, 7.0]]) };
        assert_eq!(vectors(&npy(Array2::from_shape_fn((2, 3), number))).unwrap(), deep);
        assert_eq!(vectors(&npy(Array2::from_shape_fn((2, 3).f(), number))).unwrap(), deep);
        assert_eq!(vectors(&npy(Array2::from_shape_fn((2, 3), |at| number(at) as f32))).unwrap(), deep);
        let flat = VectorList { axes: 2, vectors: Vectors::Whole(vec![[1, -2, 0], [1_000_000_000, 0, 0]]) };
        assert_eq!(vectors(&npy(Array2::from_shape_fn((2, 2), |at| number(at) as i32))).unwrap(), flat);
        assert_eq!(vectors(&npy(Array2::<f64>::zeros((0, 3)))).unwrap().vectors.len(), 0);
        for (wrong, problem) in [
            (npy(Array2::from_elem((2, 4), 1.0f64)), "has the shape (2, 4)"),
            (npy(Array3::from_elem((2, 2, 3), 1.0f64)), "has the shape (2, 2, 3)"),
            (npy(Array2::from_elem((2, 3), 1u8)), OTHER),
            (npy(Array2::from_elem((2, 3), 1i64)), OTHER),
        ] {
            assert_eq!(vectors(&wrong).unwrap_err(), problem);
        }
        let whole = npy(Array2::from_elem((2, 3), 1f32));
        let problem = "holds fewer than the 24 bytes of numbers that its header says";
        assert_eq!(vectors(&whole[..whole.len() - 1]).unwrap_err(), problem);
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 3), }\n";
        let length = (header.len() as u16).to_le_bytes();
        let many = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat();
        assert_eq!(vectors(&many).unwrap_err(), "has 99999999 rows");
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
