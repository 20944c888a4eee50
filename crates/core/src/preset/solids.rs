//! The solid bodies of a preset, and the cells that they cover.

use crate::error::BadInput;
use crate::host::raster::SOLID;
use crate::numbers::Vector3;
use crate::parallel::*;
use crate::source::Source;
use crate::world::{Edges, Extents, PARTS, offset};
use std::path::PathBuf;

/// A solid body. Places and lengths are in 1/16 cell. A cell is solid if its centre is in the body. In a deep world, a
/// body with two axes is a column through the whole depth.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Solid {
    Circle {
        centre: [i32; 2],
        radius: i32,
    },
    /// The rectangle between two corners. Both corners belong to it.
    Rectangle {
        from: [i32; 2],
        to: [i32; 2],
    },
    Ball {
        centre: Vector3,
        radius: i32,
    },
    /// The box between two corners. Both corners belong to it.
    Box {
        from: Vector3,
        to: Vector3,
    },
    /// The path of a picture. Its pixels with a brightness from [`SOLID`] to 255 are solid.
    Mask(PathBuf),
}

/// Remarks about pictures that make no column or every column solid. A picture of labels 0 and 1 is an example.
pub(super) fn notes(solids: &[Solid], source: &Source, extents: Extents) -> impl Iterator<Item = BadInput> {
    let columns = extents.columns();
    (0..).zip(solids).filter_map(move |(index, solid)| {
        let Solid::Mask(path) = solid else { return None };
        let key = format!("world.solid[{index}].mask");
        let mask = source.raster(&key, path, false).ok()?;
        let marked = mask.resampled(columns).into_iter().filter(|brightness| *brightness >= SOLID).count();
        let (least, greatest) = (mask.values().iter().min()?, mask.values().iter().max()?);
        let (extreme, level, cure) = match marked {
            0 if *greatest < SOLID => ("nothing: its greatest", greatest, "draw solid cells in white (255)"),
            0 => ("nothing: its greatest", greatest, "draw larger areas, or take a finer lattice"),
            _ if marked == columns.cells() => ("everything: its least", least, "draw free cells in black (0)"),
            _ => return None,
        };
        let problem =
            format!("{} marks {extreme} brightness is {level} of 255, and {SOLID} and more is solid", path.display());
        Some(source.wrong(&key, problem, cure))
    })
}

/// Whether each cell is solid, x fastest; empty without bodies. `masks`: for each [`Solid::Mask`], in their order, the
/// brightness of each column of cells.
pub(super) fn paint(solids: &[Solid], masks: &[Vec<u32>], extents: Extents, edges: Edges) -> Vec<bool> {
    if solids.is_empty() {
        return Vec::new();
    }
    let (columns, ends) = (extents.columns().cells(), extents.along_axes().map(|extent| extent as i32 * PARTS));
    let is_within = |centre: &[i32], place: Vector3, radius: i32| {
        let along = |(axis, from): (usize, &i32)| i64::from(offset(*from, place[axis], ends[axis], edges));
        let square: i64 = centre.iter().enumerate().map(along).map(|offset| offset * offset).sum();
        square <= i64::from(radius) * i64::from(radius)
    };
    let is_between = |from: &[i32], to: &[i32], place: Vector3| {
        from.iter().zip(to).zip(place).all(|((from, to), place)| (*from..=*to).contains(&place))
    };
    let is_solid = |cell: usize| {
        let place = extents.cell(cell).map(|along| along * PARTS);
        let mut masks = masks.iter();
        solids.iter().any(|solid| match solid {
            Solid::Circle { centre, radius } => is_within(centre, place, *radius),
            Solid::Rectangle { from, to } => is_between(from, to, place),
            Solid::Ball { centre, radius } => is_within(centre, place, *radius),
            Solid::Box { from, to } => is_between(from, to, place),
            Solid::Mask(_) => masks.next().is_some_and(|brightness| brightness[cell % columns] >= SOLID),
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

    #[test]
    fn deep_bodies_have_three_axes_and_others_are_columns() {
        let extents = Extents::deep(5, 5, 5);
        let painted = |solid, edges| paint(&[solid], &[], extents, edges);
        let ball = painted(Solid::Ball { centre: [32, 32, 32], radius: 16 }, Edges::Walls);
        assert_eq!(ball.iter().filter(|solid| **solid).count(), 7);
        for (index, solid) in ball.iter().enumerate() {
            let [x, y, z] = extents.cell(index);
            let turned = extents.deep_index([z, x, y], Edges::Walls).unwrap();
            assert_eq!(*solid, ball[turned]);
        }
        let across = painted(Solid::Ball { centre: [0, 0, 0], radius: 16 }, Edges::Torus);
        assert_eq!(across.iter().filter(|solid| **solid).count(), 7);
        assert!(across[extents.deep_index([0, 0, 4], Edges::Walls).unwrap()]);
        let body = painted(Solid::Box { from: [0, 16, 16], to: [16, 16, 40] }, Edges::Walls);
        assert_eq!(body.iter().filter(|solid| **solid).count(), 2 * 2);
        let mask = [(0..25).map(|column| if column == 7 { 200 } else { 0 }).collect()];
        let columns = [
            (painted(Solid::Circle { centre: [32, 16], radius: 0 }, Edges::Walls)),
            paint(&[Solid::Mask("m".into())], &mask, extents, Edges::Walls),
        ];
        for column in columns {
            let cells = column.iter().enumerate().filter(|(_, solid)| **solid).map(|(index, _)| extents.cell(index));
            assert_eq!(cells.collect::<Vec<_>>(), (0..5).map(|z| [2, 1, z]).collect::<Vec<_>>());
        }
    }

    /// On a torus, a cell at half of the extent from the centre is outside the circle.
    #[test]
    fn the_far_side_of_a_torus_is_not_solid() {
        let cells = paint(&[Solid::Circle { centre: [0, 0], radius: 16 }], &[], EXTENTS, Edges::Torus);
        assert_eq!(cells.iter().filter(|solid| **solid).count(), 5);
    }
}
