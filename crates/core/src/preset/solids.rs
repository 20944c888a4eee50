//! The solid cells of a preset.

use crate::parallel::*;
use crate::world::{Edges, Extents, PARTS, offset};
use std::path::PathBuf;

/// A solid body. Places and lengths are in 1/16 cell; a cell belongs to the body that holds its centre.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Solid {
    Circle {
        centre: [i32; 2],
        radius: i32,
    },
    /// Both corners belong to it.
    Rectangle {
        from: [i32; 2],
        to: [i32; 2],
    },
    /// A picture, in which a brightness of 128 or more of 255 is solid.
    Mask(PathBuf),
}

/// A flag for every cell, x fastest: whether it is solid; empty if there are no bodies. `masks`: the brightness of each
/// cell, for each body that is a mask, in order.
pub(super) fn paint(solids: &[Solid], masks: &[Vec<u32>], extents: Extents, edges: Edges) -> Vec<bool> {
    if solids.is_empty() {
        return Vec::new();
    }
    let (width, lattice) = (extents.width as usize, extents.as_cell());
    let is_solid = |cell: usize| {
        let (x, y) = ((cell % width) as i32, (cell / width) as i32);
        let mut masks = masks.iter();
        solids.iter().any(|solid| match solid {
            Solid::Circle { centre, radius } => {
                let reach = i64::from(*radius);
                let dx = i64::from(offset(centre[0], x * PARTS, lattice[0] * PARTS, edges));
                let dy = i64::from(offset(centre[1], y * PARTS, lattice[1] * PARTS, edges));
                dx * dx + dy * dy <= reach * reach
            }
            Solid::Rectangle { from, to } => {
                (from[0]..=to[0]).contains(&(x * PARTS)) && (from[1]..=to[1]).contains(&(y * PARTS))
            }
            Solid::Mask(_) => masks.next().is_some_and(|brightness| brightness[cell] >= 128),
        })
    };
    (0..extents.cells()).into_par_iter().map(is_solid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENTS: Extents = Extents::flat(8, 6);

    fn drawn(solid: Solid, edges: Edges) -> Vec<String> {
        let cells = paint(&[solid], &[], EXTENTS, edges);
        cells.chunks(8).map(|row| row.iter().map(|solid| if *solid { '#' } else { '.' }).collect()).collect()
    }

    #[test]
    fn solids_are_the_cells_whose_centres_they_hold() {
        let circle = || Solid::Circle { centre: [0, 32], radius: 16 };
        assert_eq!(
            drawn(circle(), Edges::Walls),
            ["........", "#.......", "##......", "#.......", "........", "........"]
        );
        assert_eq!(
            drawn(circle(), Edges::Torus),
            ["........", "#.......", "##.....#", "#.......", "........", "........"]
        );
        let rectangle = Solid::Rectangle { from: [16, 17], to: [40, 48] };
        assert_eq!(
            drawn(rectangle, Edges::Torus),
            ["........", "........", ".##.....", ".##.....", "........", "........"]
        );
    }

    /// On a torus a centre at exactly half the extent is far away, and no part of the circle.
    #[test]
    fn the_far_side_of_a_torus_is_not_solid() {
        let cells = paint(&[Solid::Circle { centre: [0, 0], radius: 16 }], &[], EXTENTS, Edges::Torus);
        assert_eq!(cells.iter().filter(|solid| **solid).count(), 5);
    }
}
