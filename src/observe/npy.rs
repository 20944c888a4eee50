//! The numbers of a state as NumPy files (NPY), bit for bit.

use super::features::LAYERS;
use crate::files::write_atomically;
use murmuration_core::error::Failure;
use murmuration_core::numbers::each_axis;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::{DensityReading, Individuals, State};
use murmuration_core::world::Extents;
use ndarray::{Array1, Array2, ArrayD, ArrayViewD};
use ndarray_npy::{WriteNpyError, WriteNpyExt};
use std::io;
use std::path::Path;

/// Writes the density of a state as NPY, with the type and shape of [`density_of`].
pub fn write_density(path: &Path, state: &State) -> Result<(), Failure> {
    let density: Vec<u32> = state.layers.iter().flat_map(|layer| &layer.density).copied().collect();
    let density = ArrayViewD::from_shape(shape(state), &density);
    write(path, &density.expect("a state has a density for each cell"))
}

/// The density of a simulation: an array of u32 in quanta (1/65536 boid). The shape is (height, width), or (depth,
/// height, width) in a deep world. With several species, the first axis is the species.
///
/// # Errors
/// If the device fails.
pub fn density_of(simulation: &mut Simulation) -> Result<ArrayD<u32>, Failure> {
    let densities = simulation.read(DensityReading)?;
    let extents = simulation.preset().world.extents;
    let shape = shape_of(extents, densities.len() / extents.cells().max(1));
    Ok(ArrayD::from_shape_vec(shape, densities).expect("each layer has a density for each cell"))
}

/// Writes the control vectors of a state as NPY, with the type and shape of [`control_of`].
pub fn write_control(path: &Path, state: &State) -> Result<(), Failure> {
    write(path, &control_of(state))
}

/// The control vectors, which are the velocities of cells: an array of i16 in 1/16384 cell per step. The axes are the
/// axes of [`density_of`], then an axis of the components, x first.
pub fn control_of(state: &State) -> ArrayD<i16> {
    let axes = state.extents.axes();
    let mut components: Vec<i16> = Vec::with_capacity(state.layers.len() * axes * state.extents.cells());
    let cells = state.layers.iter().flat_map(|layer| (0..layer.density.len()).map(|cell| layer.velocity(cell)));
    components.extend(cells.flat_map(|velocity| velocity.map(|along| along as i16).into_iter().take(axes)));
    let shape = [shape(state), vec![axes]].concat();
    ArrayD::from_shape_vec(shape, components).expect("a state has a control vector for each cell")
}

/// Sets the control vectors to an array of the shape and the units of [`control_of`].
pub fn set_control(state: &mut State, control: &ArrayD<i16>) {
    let (axes, cells) = (state.extents.axes(), state.extents.cells());
    let components: Vec<i16> = control.iter().copied().collect();
    for (layer, components) in state.layers.iter_mut().zip(components.chunks_exact(axes * cells)) {
        for (cell, vector) in components.chunks_exact(axes).enumerate() {
            layer.set_velocity(cell, each_axis(|axis| vector.get(axis).map_or(0, |along| i32::from(*along))));
        }
    }
}

fn shape(state: &State) -> Vec<usize> {
    shape_of(state.extents, state.layers.len())
}

/// The shape of an array of a lattice, x last. If there are several layers, their number comes first.
fn shape_of(extents: Extents, layers: usize) -> Vec<usize> {
    let along_axes = extents.along_axes();
    let lattice = along_axes[..extents.axes()].iter().rev().map(|extent| *extent as usize);
    Some(layers).filter(|layers| *layers > 1).into_iter().chain(lattice).collect()
}

/// The names of the axes of the array that [`write_density`] writes.
pub fn axes(state: &State) -> Vec<&'static str> {
    let lattice = ["z", "y", "x"];
    let layers = (state.layers.len() > 1).then_some(LAYERS);
    layers.into_iter().chain(lattice.into_iter().skip(3 - state.extents.axes())).collect()
}

/// Writes a vector of each individual as NPY: an array of i32 of shape (individuals, 3), x first. `vectors`: a list for
/// each axis, of positions in 1/65536 cell or of velocities in 1/16384 cell per step.
pub fn write_vectors(path: &Path, vectors: &[Vec<i32>; 3]) -> Result<(), Failure> {
    write(path, &Array2::from_shape_fn((vectors[0].len(), 3), |(index, axis)| vectors[axis][index]))
}

/// Writes the numbers of individuals as NPY: an array of u32, in the order of `individuals`.
pub fn write_numbers(path: &Path, individuals: &Individuals) -> Result<(), Failure> {
    write(path, &Array1::from_vec(individuals.numbers.clone()))
}

/// Writes an array as NPY, atomically.
pub fn write(path: &Path, array: &impl WriteNpyExt) -> Result<(), Failure> {
    let reason = |error| match error {
        WriteNpyError::Io(source) => source,
        other => io::Error::other(other),
    };
    write_atomically(path, |to| array.write_npy(to).map_err(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::ONE;
    use murmuration_core::world::Extents;
    use ndarray::{Array3, Array4};

    #[test]
    fn the_state_comes_back_bit_for_bit() {
        let mut state = State::empty(Extents::flat(3, 2));
        state.layers[0].density = vec![0, 1, u32::MAX, 65_536, 5, 6];
        for index in 0..6 {
            state.layers[0].set_velocity(index, [-ONE + index as i32, ONE - 7 * index as i32, 0]);
        }
        let folder = tempfile::tempdir().unwrap();
        let (density, control) = (folder.path().join("density.npy"), folder.path().join("control.npy"));
        write_density(&density, &state).unwrap();
        write_control(&control, &state).unwrap();

        let density: Array2<u32> = ndarray_npy::read_npy(density).unwrap();
        assert_eq!(density.shape(), [2, 3]);
        assert_eq!(density.into_raw_vec_and_offset().0, state.layers[0].density);
        let control: Array3<i16> = ndarray_npy::read_npy(control).unwrap();
        assert_eq!(control.shape(), [2, 3, 2]);
        for y in 0..2 {
            for x in 0..3 {
                let read = [0, 1].map(|axis| i32::from(control[[y, x, axis]]));
                assert_eq!(read, state.layers[0].control_of(3 * y + x), "at {x}, {y}");
            }
        }
    }

    #[test]
    fn a_deep_state_has_three_axes_with_z_first() {
        let mut state = State::empty(Extents::deep(4, 3, 2));
        for index in 0..24 {
            state.layers[0].density[index] = index as u32;
            state.layers[0].set_velocity(index, [index as i32, -7, ONE - index as i32]);
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
        assert_eq!(read, state.layers[0].velocity(13));
    }

    #[test]
    fn a_folder_that_is_missing_is_an_error_that_names_the_file() {
        let state = State::empty(Extents::flat(1, 1));
        let message = write_density(Path::new("/nowhere/at/all.npy"), &state).unwrap_err().to_string();
        assert!(message.contains("/nowhere/at/all.npy"), "{message}");
    }
}
