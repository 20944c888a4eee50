//! Places and lengths that a preset gives as fractions of the extents.

use super::Source;
use crate::error::BadInput;
use crate::numbers::{Vector3, each_axis, fixed};
use crate::world::{Extents, PARTS, Place, Window};

/// Converts a fraction of the world's smallest extent to a length in 1/`one` cell.
pub(crate) fn of_smallest_extent(fraction: f64, extents: Extents, one: i32) -> i64 {
    fixed(fraction * f64::from(extents.smallest()), one)
}

/// Converts a fraction (0 to 1) of an extent, in cells, to a place along this axis. The place is in 1/16 cell from the
/// centre of the first cell, clamped to the centres of the first and last cell.
///
/// Rounding is to billionths, measured from the middle of the extent. So mirrored fractions (0.3 and 0.7) have mirrored
/// places, although their binary values are not exact.
pub(crate) fn place(fraction: f64, extent: u32) -> i32 {
    const BILLION: i64 = 1_000_000_000;
    let parts = i64::from(PARTS) * i64::from(extent);
    let from_middle = (2 * (fraction * BILLION as f64).round() as i64 - BILLION) * parts;
    let rounded = (from_middle.abs() + BILLION) / (2 * BILLION) * from_middle.signum();
    let half_a_cell = i64::from(PARTS / 2);
    (rounded + parts / 2 - half_a_cell).clamp(0, parts - 2 * half_a_cell) as i32
}

/// Reads the places (x, y) of a key, and converts them from fractions of the extents to 1/16 cell.
///
/// # Errors
/// A number is out of bounds.
pub(crate) fn flat_places(source: &Source, key: &str, extents: Extents) -> Result<Vec<[i32; 2]>, BadInput> {
    let place = |[x, y]: [f64; 2]| [place(x, extents.width), place(y, extents.height)];
    Ok(source.pairs(key)?.into_iter().map(place).collect())
}

/// Reads the places of a key, and converts them from fractions of the extents to 1/16 cell. Two numbers are a column
/// through the whole depth. Three numbers are a place in a deep world.
///
/// # Errors
/// A number is out of bounds, or a place has three numbers in a flat world.
pub(crate) fn places(source: &Source, key: &str, extents: Extents) -> Result<Vec<Place>, BadInput> {
    let place = |vector: Vec<f64>| {
        let along = |axis: usize| place(vector[axis], extents.along_axes()[axis]);
        match (vector.len(), extents.depth) {
            (2, _) => Ok(Place::Column([along(0), along(1)])),
            (_, Some(_)) => Ok(Place::Deep([along(0), along(1), along(2)])),
            (_, None) => {
                let cure = "give two, or a third extent to world.size";
                Err(source.wrong(key, "has a place of three numbers in a flat world", cure))
            }
        }
    };
    source.vectors(key)?.into_iter().map(place).collect()
}

/// Converts a place or a column to a place with three axes, in 1/16 cell. A column becomes its middle along z. In a
/// flat world z is 0.
pub(crate) fn with_depth(place_or_column: Place, extents: Extents) -> Vector3 {
    match place_or_column {
        Place::Column([x, y]) => [x, y, place(0.5, extents.slices())],
        Place::Deep(place) => place,
    }
}

/// Reads the place (x, y) of a key that has one place, in 1/16 cell; the default is the middle of the world.
///
/// # Errors
/// A number is out of bounds.
pub(crate) fn flat_place(source: &Source, key: &str, extents: Extents) -> Result<[i32; 2], BadInput> {
    Ok(flat_places(source, key, extents)?.pop().unwrap_or_else(|| middle(extents)))
}

/// The middle of the world along x and y, in 1/16 cell.
pub(crate) fn middle(extents: Extents) -> [i32; 2] {
    [place(0.5, extents.width), place(0.5, extents.height)]
}

/// Reads the place of a key that has one place, in 1/16 cell; the default is the column in the middle of the world.
pub(crate) fn place_of(source: &Source, key: &str, extents: Extents) -> Result<Place, BadInput> {
    Ok(places(source, key, extents)?.pop().unwrap_or_else(|| middle(extents).into()))
}

pub(crate) fn is_endless(source: &Source) -> bool {
    source.word("world.edges") == Some("endless")
}

/// The window of an endless world before the first step; `None`: the world has edges.
pub(crate) fn window(source: &Source) -> Result<Option<Window>, BadInput> {
    if !is_endless(source) {
        return Ok(None);
    }
    let first = whole_cells(source, "world.origin")?;
    Ok(Some(Window { first, origin: first }))
}

/// Reads a key whose three numbers are cells along x, y and z; missing numbers are 0.
pub(crate) fn whole_cells(source: &Source, key: &str) -> Result<[i64; 3], BadInput> {
    let numbers = source.numbers(key)?;
    Ok(each_axis(|axis| numbers.get(axis).map_or(0, |along| *along as i64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_fractions_have_mirrored_places() {
        for extent in [1, 2, 7, 250, 255, 256, 16_384] {
            let last = (extent as i32 - 1) * 16;
            for thousandth in 0..=1000 {
                let (left, right) = (f64::from(thousandth) / 1000.0, f64::from(1000 - thousandth) / 1000.0);
                assert_eq!(place(left, extent), last - place(right, extent), "{left} of {extent}");
            }
            // These fractions lie exactly between two places, but their binary values do not.
            for (left, right) in [(0.499875, 0.500125), (0.000125, 0.999875), (0.1875, 0.8125)] {
                assert_eq!(place(left, extent), last - place(right, extent), "{left} of {extent}");
            }
        }
    }

    #[test]
    fn places_are_those_of_cell_centres() {
        assert_eq!(place(0.5, 256), 127 * 16 + 8);
        assert_eq!(place(0.5, 5), 2 * 16);
        assert_eq!(place(0.0, 256), 0);
        assert_eq!(place(1.0, 256), 255 * 16);
        assert_eq!(place(0.25, 256), 64 * 16 - 8);
        assert_eq!(place(0.3, 1), 0);
    }
}
