//! The state as NPY files, exactly.

use crate::error::Failure;
use crate::files::write_whole;
use crate::individuals::Agents;
use crate::state::State;
use ndarray::{Array2, ArrayView2, ArrayView3};
use ndarray_npy::{WriteNpyError, WriteNpyExt};
use std::io;
use std::path::{Path, PathBuf};

/// Writes the density: u32 in quanta, shape (height, width).
pub fn write_density(path: &Path, state: &State) -> Result<(), Failure> {
    let shape = (state.extents.height as usize, state.extents.width as usize);
    let density = ArrayView2::from_shape(shape, &state.density).expect("a state has a density for each cell");
    write(path, &density)
}

/// Writes the control vectors: i16 in Q14 (16 384: one cell per step), shape (height, width, 2), x first.
pub fn write_control(path: &Path, state: &State) -> Result<(), Failure> {
    let shape = (state.extents.height as usize, state.extents.width as usize, 2);
    let halves: Vec<i16> = state.control.iter().flat_map(|word| [*word as i16, (*word >> 16) as i16]).collect();
    let control = ArrayView3::from_shape(shape, &halves).expect("a state has a control vector for each cell");
    write(path, &control)
}

/// Writes the individuals, one row each, in the order of their numbers: the positions (i32 in Q16 of a cell) into the first
/// file, the velocities (i32 in Q14 of a cell per step) into the second, both of shape (individuals, 3), x first.
pub fn write_agents(paths: &[PathBuf; 2], agents: &Agents) -> Result<(), Failure> {
    let agents = agents.in_order();
    for (path, lists) in paths.iter().zip([&agents.positions, &agents.velocities]) {
        write(path, &Array2::from_shape_fn((agents.len(), 3), |(index, axis)| lists[axis][index]))?;
    }
    Ok(())
}

fn write(path: &Path, array: &impl WriteNpyExt) -> Result<(), Failure> {
    let reason = |error| match error {
        WriteNpyError::Io(source) => source,
        other => io::Error::other(other),
    };
    write_whole(path, |to| array.write_npy(to).map_err(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{ONE, pack};
    use crate::world::Extents;
    use ndarray::Array3;

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
    fn a_folder_that_is_missing_is_an_error_that_names_the_file() {
        let state = State::empty(Extents::flat(1, 1));
        let message = write_density(Path::new("/nowhere/at/all.npy"), &state).unwrap_err().to_string();
        assert!(message.contains("/nowhere/at/all.npy"), "{message}");
    }
}
