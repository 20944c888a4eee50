//! The state as NPY files, exactly.

use crate::files::write_atomically;
use murmuration_core::error::Failure;
use murmuration_core::individuals::Individuals;
use murmuration_core::state::State;
use murmuration_core::world::Extents;
use ndarray::{Array2, ArrayViewD};
use ndarray_npy::{WriteNpyError, WriteNpyExt};
use std::io;
use std::path::{Path, PathBuf};

/// Writes the density: u32 in quanta, shape (height, width), or (depth, height, width) in a deep world.
pub fn write_density(path: &Path, state: &State) -> Result<(), Failure> {
    let density = ArrayViewD::from_shape(shape(state.extents), &state.density);
    write(path, &density.expect("a state has a density for each cell"))
}

/// Writes the control vectors: i16 in Q14 (16 384: one cell per step), of the shape of the density with one axis more for the
/// components, x first.
pub fn write_control(path: &Path, state: &State) -> Result<(), Failure> {
    let axes = state.extents.axes();
    let vectors = (0..state.extents.cells()).map(|index| state.velocity(index));
    let components: Vec<i16> =
        vectors.flat_map(|v| v.into_iter().take(axes)).map(|component| component as i16).collect();
    let shape = [shape(state.extents), vec![axes]].concat();
    let control = ArrayViewD::from_shape(shape, &components);
    write(path, &control.expect("a state has a control vector for each cell"))
}

/// The extents of a lattice, the slowest first.
fn shape(extents: Extents) -> Vec<usize> {
    extents.along_axes()[..extents.axes()].iter().rev().map(|extent| *extent as usize).collect()
}

/// Writes the individuals, one row each, in the order of their numbers: the positions (i32 in Q16 of a cell) into the first
/// file, the velocities (i32 in Q14 of a cell per step) into the second, both of shape (individuals, 3), x first.
pub fn write_individuals(paths: &[PathBuf; 2], individuals: &Individuals) -> Result<(), Failure> {
    let individuals = individuals.in_order();
    for (path, lists) in paths.iter().zip([&individuals.positions, &individuals.velocities]) {
        write(path, &Array2::from_shape_fn((individuals.len(), 3), |(index, axis)| lists[axis][index]))?;
    }
    Ok(())
}

fn write(path: &Path, array: &impl WriteNpyExt) -> Result<(), Failure> {
    let reason = |error| match error {
        WriteNpyError::Io(source) => source,
        other => io::Error::other(other),
    };
    write_atomically(path, |to| array.write_npy(to).map_err(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::{ONE, pack};
    use ndarray::{Array3, Array4};

    #[test]
    fn the_state_comes_back_bit_for_bit() {
        let mut state = State::empty(Extents::flat(3, 2));
        state.density = vec![0, 1, u32::MAX, 65_536, 5, 6];
        for (index, word) in state.control.iter_mut().enumerate() {
            *word = pack([-ONE + index as i32, ONE - 7 * index as i32]);
        }
        let folder = tempfile::tempdir().unwrap();
        let (density, control) = (folder.path().join("density.npy"), folder.path().join("control.npy"));
        write_density(&density, &state).unwrap();
        write_control(&control, &state).unwrap();

        let density: Array2<u32> = ndarray_npy::read_npy(density).unwrap();
        assert_eq!(density.shape(), [2, 3]);
        assert_eq!(density.into_raw_vec_and_offset().0, state.density);
        let control: Array3<i16> = ndarray_npy::read_npy(control).unwrap();
        assert_eq!(control.shape(), [2, 3, 2]);
        for y in 0..2 {
            for x in 0..3 {
                let read = [0, 1].map(|axis| i32::from(control[[y, x, axis]]));
                assert_eq!(read, state.control_of(3 * y + x), "at {x}, {y}");
            }
        }
    }

    #[test]
    fn a_deep_state_has_three_axes_with_z_first() {
        let mut state = State::empty(Extents::deep(4, 3, 2));
        for index in 0..24 {
            state.density[index] = index as u32;
            state.set_velocity(index, [index as i32, -7, ONE - index as i32]);
        }
        let folder = tempfile::tempdir().unwrap();
        let (density, control) = (folder.path().join("density.npy"), folder.path().join("control.npy"));
        write_density(&density, &state).unwrap();
        write_control(&control, &state).unwrap();
        let density: Array3<u32> = ndarray_npy::read_npy(density).unwrap();
        assert_eq!((density.shape(), density[[1, 2, 3]]), (&[2, 3, 4][..], 23));
        let control: Array4<i16> = ndarray_npy::read_npy(control).unwrap();
        assert_eq!(control.shape(), [2, 3, 4, 3]);
        let read = [0, 1, 2].map(|axis| i32::from(control[[1, 0, 1, axis]]));
        assert_eq!(read, state.velocity(13));
    }

    #[test]
    fn a_folder_that_is_missing_is_an_error_that_names_the_file() {
        let state = State::empty(Extents::flat(1, 1));
        let message = write_density(Path::new("/nowhere/at/all.npy"), &state).unwrap_err().to_string();
        assert!(message.contains("/nowhere/at/all.npy"), "{message}");
    }
}
