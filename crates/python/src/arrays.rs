//! NumPy arrays of the numbers of a swarm.

use murmuration::{Falcon, Individuals, ONE};
use murmuration_core::world::{PARTS, PLACE_BITS};
use numpy::ndarray::{Array, Array2, ArrayD, Axis, Dimension};
use numpy::{Element, IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;

/// Makes a read-only array of NumPy from an array, without a copy of the numbers.
pub fn read_only<'py, T: Element, D: Dimension>(py: Python<'py>, array: Array<T, D>) -> Bound<'py, PyAny> {
    let array = array.into_pyarray(py);
    array.try_readwrite().map(|writable| writable.make_nonwriteable()).ok();
    array.into_any()
}

/// The positions of individuals in cells, shape (individuals, axes), x first. `origin`: the place of the window's first
/// cell, in an endless world.
pub fn positions(individuals: &Individuals, origin: Option<[i64; 3]>, axes: usize) -> Array2<f64> {
    let origin = origin.unwrap_or_default();
    let cell = f64::from(1 << PLACE_BITS);
    Array2::from_shape_fn((individuals.len(), axes), |(index, axis)| {
        origin[axis] as f64 + f64::from(individuals.positions[axis][index]) / cell
    })
}

/// The velocities of individuals in cells a step, shape (individuals, axes), x first.
pub fn velocities(individuals: &Individuals, axes: usize) -> Array2<f64> {
    Array2::from_shape_fn((individuals.len(), axes), |(index, axis)| {
        f64::from(individuals.velocities[axis][index]) / f64::from(ONE)
    })
}

/// Shortens the vectors along the last axis of an array, so that no component is larger than `most` or less than
/// `-most`. The direction of each vector stays.
pub fn shorten(vectors: &mut ArrayD<f64>, most: f64) {
    let last = Axis(vectors.ndim().saturating_sub(1));
    for mut vector in vectors.lanes_mut(last) {
        let greatest = vector.fold(0.0_f64, |greatest, along| greatest.max(along.abs()));
        if greatest > most {
            vector.mapv_inplace(|along| along / greatest * most);
        }
    }
}

/// A row of 8 numbers for each falcon: the place (cells, three axes), the velocity (cells a step, three axes), the
/// number of its phase of flight, and its energy. The energy grows by 1 in each step in which the falcon waits or
/// climbs.
pub fn falcons(falcons: &[Falcon]) -> Array2<f64> {
    Array2::from_shape_fn((falcons.len(), 8), |(index, column)| {
        let falcon = &falcons[index];
        match column {
            0..3 => f64::from(falcon.place[column]) / f64::from(PARTS),
            3..6 => f64::from(falcon.velocity[column - 3]) / 1024.0,
            6 => f64::from(falcon.phase),
            _ => f64::from(falcon.energy),
        }
    })
}
