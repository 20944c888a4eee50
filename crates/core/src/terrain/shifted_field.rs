//! The scalar field of an endless world's window that has moved. Voxels of the old window are copied, and only the
//! other voxels are computed.

use super::Terrain;
use crate::numbers::each_axis;
use crate::world::{Edges, Extents, ScalarField};
use std::ops::Range;

impl Terrain {
    /// The scalar field of a window that has moved. `before`: the field before the move. `from`, `to`: the first voxel
    /// of the window before and after the move. The result equals [`Terrain::field`] with the origin `to`, because
    /// noise is a function of the place.
    pub fn moved(&self, before: &ScalarField, from: [i64; 3], to: [i64; 3]) -> ScalarField {
        let extents = before.extents;
        let sizes = extents.along_axes().map(i64::from);
        // The voxels of the new window that are also in the old window.
        let kept = each_axis(|axis| {
            let by = to[axis] - from[axis];
            (-by).clamp(0, sizes[axis])..(sizes[axis] - by).clamp(0, sizes[axis])
        });
        if kept.iter().any(Range::is_empty) {
            return self.field(extents, Edges::Walls, to);
        }
        let mut field = ScalarField { extents, values: vec![0; extents.cells()] };
        copy(before, each_axis(|axis| kept[axis].start + to[axis] - from[axis]), &mut field, &kept);
        let mut left = sizes.map(|size| 0..size);
        for axis in [2, 1, 0] {
            for beside in [left[axis].start..kept[axis].start, kept[axis].end..left[axis].end] {
                let mut slab = left.clone();
                slab[axis] = beside;
                if !slab[axis].is_empty() {
                    let [width, height, depth] = slab.each_ref().map(|along| (along.end - along.start) as u32);
                    let first = each_axis(|axis| to[axis] + slab[axis].start);
                    let made = self.field(Extents::deep(width, height, depth), Edges::Walls, first);
                    copy(&made, [0; 3], &mut field, &slab);
                }
            }
            left[axis] = kept[axis].clone();
        }
        field
    }
}

/// Copies a box of voxels that begins at `first` in the field `from` to the box `place` in the field `to`.
fn copy(from: &ScalarField, first: [i64; 3], to: &mut ScalarField, place: &[Range<i64>; 3]) {
    let index = |extents: Extents, [x, y, z]: [i64; 3]| {
        let [width, height, _] = extents.along_axes().map(i64::from);
        ((z * height + y) * width + x) as usize
    };
    let length = (place[0].end - place[0].start) as usize;
    for z in place[2].clone() {
        for y in place[1].clone() {
            let start = index(to.extents, [place[0].start, y, z]);
            let [y, z] = [first[1] + y - place[1].start, first[2] + z - place[2].start];
            let source = index(from.extents, [first[0], y, z]);
            to.values[start..start + length].copy_from_slice(&from.values[source..source + length]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Base, MAX_FREQUENCY, NoiseTerrain, PARTS_OF_FLOOR, Tunnels};
    use super::*;

    #[test]
    fn a_field_that_moves_is_the_field_at_its_new_place() {
        let noise = NoiseTerrain {
            seed: 4,
            frequency: MAX_FREQUENCY / 20,
            vertical_frequency: MAX_FREQUENCY / 16,
            octaves: 3,
            threshold: 3000,
            floor_height: 4 * PARTS_OF_FLOOR,
            floor_width: 20 * PARTS_OF_FLOOR,
            tunnels: Some(Tunnels { width: 2000, frequency: MAX_FREQUENCY / 11 }),
        };
        let terrain = Terrain { base: Base::Noise(noise), shapes: Vec::new(), is_closed: false };
        let extents = Extents::deep(41, 23, 17);
        let place = |from: [i64; 3], by: [i64; 3]| [0, 1, 2].map(|axis| from[axis] + by[axis]);
        for from in [[0; 3], [(1 << 39) + 3, -(1 << 40), 5]] {
            let mut field = terrain.field(extents, Edges::Walls, from);
            let mut at = from;
            for by in [[0; 3], [32, 0, 0], [-8, 8, 0], [3, -5, 16], [-1, 0, -16], [0, 22, -1], [41, 0, 0], [-90, 70, 3]]
            {
                let to = place(at, by);
                field = terrain.moved(&field, at, to);
                assert_eq!(field, terrain.field(extents, Edges::Walls, to), "{at:?} by {by:?}");
                at = to;
            }
        }
    }
}
