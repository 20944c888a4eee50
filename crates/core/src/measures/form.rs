//! Two measures of a swarm: its connected parts, and the diversity of its headings. Both read the whole state.

use super::{Batch, Bodies};
use crate::error::Failure;
use crate::numbers::{BOID, Vector3, each_axis};
use crate::parallel::*;
use crate::ranks::{Ranks, concat_on_first};
use crate::state::State;
use crate::state::sums::{PARTS, added};
use crate::world::{Edges, Extents, Slab};
use std::f64::consts::FRAC_1_SQRT_2;

/// The side of a block, in cells.
pub const BLOCK: usize = 4;
/// The min mean density of a block that counts as part of the swarm, in quanta a cell: 1/8 boid.
pub(super) const PART: u64 = (BOID / 8) as u64;
/// The number of directions that headings are sorted into: 16 sectors of the plane in flat worlds, 26 (faces, edges and
/// corners of a cube) in deep worlds.
pub(super) const FLAT_BINS: usize = 16;
const DEEP_BINS: usize = 26;
/// The tangents of π/16 and 3π/16: the first two borders between sectors.
const BORDERS: [f64; 2] = [0.198_912_367_379_658, 0.668_178_637_919_298_9];
/// 1/√3, each component of a unit vector to a corner of a cube.
const CORNER: f64 = 0.577_350_269_189_625_8;

/// The density of each connected set of blocks in quanta, the greatest first. A block has 4 cells along each axis. It
/// belongs to a set if it holds at least 1/8 boid a cell. Blocks are connected by their faces. `state`: the part of the
/// world on this rank. Only its first layer counts. The first rank gets the sets, and other ranks get an empty list.
///
/// # Errors
/// If another rank has ended.
pub fn connected_blocks(state: &State, slab: &Slab, edges: Edges, ranks: &dyn Ranks) -> Result<Vec<u64>, Failure> {
    let extents = slab.world.along_axes();
    let blocks = extents.map(|extent| extent.div_ceil(BLOCK as u32));
    let blocks = Extents::deep(blocks[0], blocks[1], blocks[2]);
    let (first, own) = quanta_of_blocks(state, slab, blocks);
    let firsts = concat_on_first(ranks, &[first as u64])?;
    let Some(all) = ranks.gather_to_first(bytemuck::cast_slice(&own))? else { return Ok(Vec::new()) };
    let mut quanta = vec![0; blocks.cells()];
    for (first, own) in firsts.into_iter().zip(all) {
        // If two slabs share a block, both have quanta in it.
        let own = own.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
        quanta[first as usize..].iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let is_part = |index: usize| quanta[index] >= PART * cells_of_block(extents, blocks.cell(index), BLOCK as u32);
    Ok(connected_parts(blocks, edges, &FACES, is_part, |index| quanta[index]))
}

/// The offsets from a block to the six blocks that share a face with it, in blocks.
pub(super) const FACES: [Vector3; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

/// The number of cells in a block. `block`: its place, in blocks. `side`: the side of a full block, in cells. A block
/// at the end of an axis may have fewer cells.
pub(super) fn cells_of_block(extents: [u32; 3], block: Vector3, side: u32) -> u64 {
    let cells = each_axis(|axis| u64::from((extents[axis] - block[axis] as u32 * side).min(side)));
    cells.iter().product()
}

/// The quanta of each connected set of cells, the greatest first. `neighbours`: offsets from a cell to the cells that
/// it is connected with, also across the edges of a torus. `is_part`, `quanta`: whether the cell at an index is in a
/// set, and its quanta.
pub fn connected_parts(
    extents: Extents,
    edges: Edges,
    neighbours: &[Vector3],
    is_part: impl Fn(usize) -> bool,
    quanta: impl Fn(usize) -> u64,
) -> Vec<u64> {
    let labels = connected_labels(extents, edges, neighbours, is_part);
    let mut parts = vec![0; labels.iter().copied().max().unwrap_or(0) as usize];
    for (index, label) in labels.iter().enumerate().filter(|(_, label)| **label > 0) {
        parts[*label as usize - 1] += quanta(index);
    }
    parts.sort_unstable_by(|one, other| other.cmp(one));
    parts
}

/// For each cell the number of its connected set, from 1 on in the order of the sets' first cells. 0: the cell is in no
/// set. The parameters are as in [`connected_parts`].
pub(super) fn connected_labels(
    extents: Extents,
    edges: Edges,
    neighbours: &[Vector3],
    is_part: impl Fn(usize) -> bool,
) -> Vec<u32> {
    let mut is_left: Vec<bool> = (0..extents.cells()).map(is_part).collect();
    let mut labels = vec![0; is_left.len()];
    let (mut count, mut waiting) = (0, Vec::new());
    for first in 0..is_left.len() {
        if !std::mem::take(&mut is_left[first]) {
            continue;
        }
        count += 1;
        waiting.push(first);
        while let Some(index) = waiting.pop() {
            labels[index] = count;
            let place = extents.cell(index);
            let around = neighbours.iter().map(|offset| [0, 1, 2].map(|axis| place[axis] + offset[axis]));
            let around = around.filter_map(|place| extents.deep_index(place, edges));
            waiting.extend(around.filter(|index| std::mem::take(&mut is_left[*index])));
        }
    }
    labels
}

/// The greatest set as a share of all quanta, 0 to 1. `None` if `all` is 0. `parts`: the quanta of each set, the
/// greatest first.
pub fn greatest_part(parts: &[u64], all: u64) -> Option<f64> {
    (all > 0).then(|| parts.first().map_or(0.0, |greatest| *greatest as f64 / all as f64))
}

/// The index of the first block of a slab, and the quanta of each block from this one to the slab's last block. Only
/// cells of the slab count. `blocks`: the number of blocks in the world along each axis.
fn quanta_of_blocks(state: &State, slab: &Slab, blocks: Extents) -> (usize, Vec<u64>) {
    let (width, height) = (state.extents.width as usize, state.extents.height as usize);
    let (columns, rows) = (blocks.width as usize, blocks.height as usize);
    let [first_y, first_z] = slab.first_row().map(|place| place as usize);
    let block_of = |row: usize| ((first_z + row / height) / BLOCK * rows + (first_y + row % height) / BLOCK) * columns;
    let count = state.layers[0].density.len() / width;
    let first = block_of(0);
    let mut quanta = vec![0; block_of(count - 1) + columns - first];
    for (row, densities) in state.layers[0].density.chunks(width).enumerate() {
        for (sum, densities) in quanta[block_of(row) - first..].iter_mut().zip(densities.chunks(BLOCK)) {
            *sum += densities.iter().map(|density| u64::from(*density)).sum::<u64>();
        }
    }
    (first, quanta)
}

/// The entropy of the boids' headings over 16 sectors of the plane, or over 26 directions in a deep world. The entropy
/// is divided by its max: 0 if all boids fly in one direction, 1 if all directions are equally frequent. Boids at rest
/// do not count. `None` if all boids rest. `axes`: 2 in a flat world, 3 in a deep world.
pub fn heading_entropy(bodies: &impl Bodies, axes: usize) -> Option<f64> {
    entropy(&sums_by_direction(bodies, axes))
}

/// The number of directions that headings are sorted into. `axes`: 2 in a flat world, 3 in a deep world.
pub const fn directions(axes: usize) -> usize {
    if axes == 3 { DEEP_BINS } else { FLAT_BINS }
}

/// The sum of the weights of moving bodies in each direction.
fn sums_by_direction(bodies: &impl Bodies, axes: usize) -> Vec<u64> {
    let bins = directions(axes);
    let of_part = bodies.count().div_ceil(PARTS).max(1);
    let sums_of = |part: usize| {
        let mut sums = vec![0u64; bins];
        let first = bodies.count().min(part * of_part);
        let mut range = first..bodies.count().min(first + of_part);
        let mut batch = Batch::empty();
        while !range.is_empty() {
            bodies.take(&mut range, &mut batch);
            for index in 0..batch.count {
                let velocity = [0, 1, 2].map(|axis| batch.velocities[axis][index]);
                if velocity != [0; 3] {
                    let [x, y, _] = velocity;
                    let bin = if axes == 3 { bin_deep(velocity) } else { bin_flat(x.into(), y.into()) };
                    sums[bin as usize] += u64::from(batch.weights[index]);
                }
            }
        }
        sums
    };
    // Sums of integers do not depend on the order, so threads do not matter.
    let parts: Vec<_> = (0..PARTS).into_par_iter().map(sums_of).collect();
    let mut sums = parts.into_iter().fold(vec![0; bins], added);
    bodies.sum_over_ranks(&mut sums);
    sums
}

/// The entropy of weights by direction, divided by its max, which equal weights have. `None` if all weights are 0.
pub(super) fn entropy(sums: &[u64]) -> Option<f64> {
    let all: u64 = sums.iter().sum();
    let shares = sums.iter().filter(|sum| **sum > 0).map(|sum| *sum as f64 / all as f64);
    let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
    // Rounding may make the value of equal shares greater than 1. A single share gives -0, and adding 0 makes it 0.
    (all > 0).then(|| (entropy / (sums.len() as f64).ln()).clamp(0.0, 1.0) + 0.0)
}

/// The sector whose middle is nearest to a heading. The middle of sector 0 is along x. Components are integers below
/// 2^22. The tangents of the borders are irrational. So no such heading is on a border, or near enough for rounding to
/// matter.
#[inline(always)]
pub(super) fn bin_flat(x: f64, y: f64) -> u32 {
    let (along, across) = (x.abs(), y.abs());
    let quarter = u32::from(across > BORDERS[0] * along)
        + u32::from(across > BORDERS[1] * along)
        + u32::from(BORDERS[1] * across > along)
        + u32::from(BORDERS[0] * across > along);
    let half = if x < 0.0 { 8 - quarter } else { quarter };
    if y < 0.0 { (16 - half) % 16 } else { half }
}

/// The number of the face, edge or corner of a cube whose direction is nearest to a heading.
#[inline(always)]
pub(super) fn bin_deep(v: Vector3) -> u32 {
    let [x, y, z] = [f64::from(v[0].abs()), f64::from(v[1].abs()), f64::from(v[2].abs())];
    let (longest, shortest) = (x.max(y).max(z), x.min(y).min(z));
    let middle = x.min(y).max(x.max(y).min(z));
    let (face, edge) = (longest, (longest + middle) * FRAC_1_SQRT_2);
    let corner = (longest + middle + shortest) * CORNER;
    let least = if face >= edge && face >= corner {
        longest
    } else if edge >= corner {
        middle
    } else {
        shortest
    };
    // The result has a digit of base 3 for each axis: the sign of the component, or 1 for a component that does not
    // count. The number with only digits 1 is no direction and is left out.
    let mut bin = 0;
    for axis in 0..3 {
        let digit = if f64::from(v[axis].abs()) < least { 1 } else { (1 + v[axis].signum()) as u32 };
        bin = 3 * bin + digit;
    }
    if bin > DEEP_BINS as u32 / 2 { bin - 1 } else { bin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greatest_part(state: &State, edges: Edges) -> Option<f64> {
        let parts = connected_blocks(state, &Slab::whole(state.extents), edges, &SingleRank).unwrap();
        super::greatest_part(&parts, state.total())
    }

    fn heading_entropy(state: &State) -> Option<f64> {
        super::heading_entropy(&SlabBodies::whole(state), state.extents.axes())
    }

    use crate::measures::SlabBodies;
    use crate::numbers::ONE;
    use crate::ranks::SingleRank;
    use std::f64::consts::TAU;

    #[test]
    fn parts_are_connected_by_faces_and_across_a_torus() {
        for (extents, far) in [(Extents::flat(16, 8), [14, 0, 0]), (Extents::deep(16, 8, 6), [14, 0, 5])] {
            let mut state = State::empty(extents);
            assert_eq!(greatest_part(&state, Edges::Torus), None);
            let at = |place| extents.deep_index(place, Edges::Walls).unwrap();
            let crowd = 64 * BOID / 8;
            state.layers[0].density[at([1, 1, 0])] = crowd;
            state.layers[0].density[at([4, 0, 0])] = crowd;
            assert_eq!(greatest_part(&state, Edges::Walls), Some(1.0));
            // This block shares only a corner with the other blocks.
            state.layers[0].density[at([9, 5, 0])] = 2 * crowd;
            assert_eq!(greatest_part(&state, Edges::Walls), Some(0.5));
            state.layers[0].density[at(far)] = crowd;
            let expected = if far[2] == 0 { [2.0 / 5.0, 3.0 / 5.0] } else { [2.0 / 5.0; 2] };
            let measured = [Edges::Walls, Edges::Torus].map(|edges| greatest_part(&state, edges).unwrap());
            assert_eq!(measured, expected, "{extents}");
            // A block with a low density belongs to no set.
            state.layers[0].density[at([2, 7, 0])] = 1000;
            assert!(greatest_part(&state, Edges::Walls).unwrap() < 2.0 / 5.0);
        }
    }

    /// Each face, edge and corner of a cube has a number of its own. A small rotation does not change it.
    #[test]
    fn every_direction_has_its_bin() {
        let mut seen = std::collections::BTreeSet::new();
        for index in (0..27).filter(|index| *index != 13) {
            let v = [index % 3, index / 3 % 3, index / 9].map(|digit| (digit - 1) * 1000);
            assert!(seen.insert(bin_deep(v)), "{v:?}");
            for nearby in [[90, 0, -80], [-50, 70, 60], [0, -90, 90]] {
                assert_eq!(bin_deep([0, 1, 2].map(|axis| v[axis] + nearby[axis])), bin_deep(v), "{v:?}");
            }
        }
        assert_eq!((seen.len(), seen.last()), (DEEP_BINS, Some(&(DEEP_BINS as u32 - 1))));
        let sectors: Vec<u32> = (0..16)
            .map(|sector| (f64::from(sector) * TAU / 16.0).sin_cos())
            .map(|(y, x)| bin_flat((x * 1e4).round(), (y * 1e4).round()))
            .collect();
        assert_eq!(sectors, (0..16).collect::<Vec<_>>());
    }

    /// A sector must agree with the angle of the heading, on both sides of each border and for random headings.
    #[test]
    fn sectors_are_those_of_the_angle() {
        let check = |x: i32, y: i32| {
            let (x, y) = (f64::from(x), f64::from(y));
            let sector = (y.atan2(x) / TAU * FLAT_BINS as f64).round() as i64;
            assert_eq!(i64::from(bin_flat(x, y)), sector.rem_euclid(FLAT_BINS as i64), "{x} {y}");
        };
        let check_all = |x: i32, y: i32| {
            for [x, y] in [[x, y], [y, x]] {
                [(x, y), (-x, y), (x, -y), (-x, -y)].into_iter().for_each(|(x, y)| check(x, y));
            }
        };
        for along in (1..=1 << 15).chain(((1 << 22) - 1000)..1 << 22) {
            for tangent in BORDERS {
                let across = (f64::from(along) * tangent).floor() as i32;
                (across - 1..across + 3).for_each(|across| check_all(along, across));
            }
            [0, 1, along].into_iter().for_each(|across| check_all(along, across));
        }
        let mut random = crate::numbers::random::generator(1, 2);
        for bits in (1..=22).cycle().take(200_000) {
            let [x, y] = [0; 2].map(|_| random.below(2 << bits) as i32 - (1 << bits));
            if [x, y] != [0; 2] {
                check(x, y);
            }
        }
    }

    #[test]
    fn one_direction_has_no_entropy_and_equal_shares_have_all() {
        let mut plane = State::empty(Extents::flat(16, 1));
        assert_eq!(heading_entropy(&plane), None);
        plane.layers[0].density.fill(BOID);
        assert_eq!(heading_entropy(&plane), None, "all rest");
        for index in 0..16 {
            plane.layers[0].set_velocity(index, [ONE / 2, 0, 0]);
        }
        assert_eq!(heading_entropy(&plane), Some(0.0));
        for index in 0..16 {
            let (y, x) = (index as f64 * TAU / 16.0).sin_cos();
            plane.layers[0].set_velocity(index, [(x * 1e4) as i32, (y * 1e4) as i32, 0]);
        }
        assert!((heading_entropy(&plane).unwrap() - 1.0).abs() < 1e-12);
        let mut space = State::empty(Extents::deep(3, 3, 3));
        space.layers[0].density.fill(BOID);
        for index in 0..27 {
            let v = space.extents.cell(index).map(|digit| (digit - 1) * 1000);
            space.layers[0].set_velocity(index, v);
        }
        assert!((heading_entropy(&space).unwrap() - 1.0).abs() < 1e-12);
    }
}
