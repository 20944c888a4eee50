//! Divides quanta among cells in proportion to weights. A cell's share depends on its weight and its surroundings, but
//! not on its index. So a turned, mirrored or shifted picture gives a turned, mirrored or shifted state.

use crate::world::World;
use std::collections::BTreeMap;

/// The density of each cell, with at least `quanta` in sum. Cells of equal weight get equal quanta, and the sum is the
/// lowest for which this is possible. The world must have enough room. At least one weight must be above 0, and the
/// weights of solids must be 0.
///
/// A cell gets at most its capacity. The excess is divided among the other cells with a weight, in proportion. If they
/// are full too, the cells around them get the rest evenly, ring by ring.
pub(super) fn in_proportion(world: &World, quanta: u64, weights: &[u32]) -> Vec<u32> {
    let (shares, left) = shares(quanta, world.capacity, &classes(weights));
    let mut density: Vec<u32> = weights.iter().map(|weight| shares.get(weight).copied().unwrap_or(0)).collect();
    if left > 0 {
        spill(world, left, weights, &mut density);
    }
    density
}

/// The number of cells with each weight above 0.
fn classes(weights: &[u32]) -> BTreeMap<u32, u64> {
    let mut classes = BTreeMap::new();
    for run in weights.chunk_by(|weight, next| weight == next).filter(|run| run[0] > 0) {
        *classes.entry(run[0]).or_insert(0) += run.len() as u64;
    }
    classes
}

/// The share of a cell with each weight, and the quanta for which the cells with a weight have no room. `classes`: from
/// [`classes`].
fn shares(quanta: u64, capacity: u32, classes: &BTreeMap<u32, u64>) -> (BTreeMap<u32, u32>, u64) {
    let mut left = u128::from(quanta);
    let mut all: u128 = classes.iter().map(|(weight, count)| u128::from(*weight) * u128::from(*count)).sum();
    let mut shares = BTreeMap::new();
    // Cells of the highest weight are full first. Their excess is divided among the others.
    let mut open = classes.iter().rev().peekable();
    while let Some((weight, count)) =
        open.next_if(|(weight, _)| left * u128::from(**weight) >= u128::from(capacity) * all)
    {
        shares.insert(*weight, capacity);
        left -= u128::from(capacity) * u128::from(*count);
        all -= u128::from(*weight) * u128::from(*count);
    }
    let mut rests = Vec::new();
    let mut given = 0;
    for (weight, count) in open {
        let (share, rest) = (left * u128::from(*weight) / all, left * u128::from(*weight) % all);
        shares.insert(*weight, share as u32);
        given += share * u128::from(*count);
        rests.push((rest, *weight, *count));
    }
    if rests.is_empty() {
        return (shares, left as u64);
    }
    // Shares with the largest remainders are rounded up until the sum is reached. Shares with equal remainders are
    // rounded up together.
    rests.sort_unstable_by(|one, other| other.cmp(one));
    let mut missing = left - given;
    for equal in rests.chunk_by(|(rest, ..), (next, ..)| rest == next) {
        if missing == 0 {
            break;
        }
        for (_, weight, count) in equal {
            shares.entry(*weight).and_modify(|share| *share += 1);
            missing = missing.saturating_sub(u128::from(*count));
        }
    }
    (shares, 0)
}

/// Divides the quanta for which the cells with a weight have no room among the cells around them.
fn spill(world: &World, mut left: u64, weights: &[u32], density: &mut [u32]) {
    let extents = world.extents;
    let mut is_reached: Vec<bool> = weights.iter().map(|weight| *weight > 0).collect();
    let mut ring: Vec<usize> = (0..weights.len()).filter(|cell| is_reached[*cell]).collect();
    let depths = if extents.depth.is_some() { -1..=1 } else { 0..=0 };
    while left > 0 && !ring.is_empty() {
        let mut next = Vec::new();
        for cell in ring {
            let [x, y, z] = extents.cell(cell);
            for dz in depths.clone() {
                for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
                    let beside = extents.deep_index([x + dx, y + dy, z + dz], world.edges);
                    if let Some(beside) = beside.filter(|beside| !is_reached[*beside]) {
                        is_reached[beside] = true;
                        next.push(beside);
                    }
                }
            }
        }
        let open = || next.iter().filter(|cell| world.solids.get(**cell) != Some(&true));
        let count = open().count() as u64;
        if count > 0 {
            let each = left.div_ceil(count).min(u64::from(world.capacity));
            open().for_each(|cell| density[*cell] = each as u32);
            left = left.saturating_sub(each * count);
        }
        ring = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, Extents};
    use std::sync::Arc;

    const CAPACITY: u32 = 1000;

    fn world(extents: Extents, edges: Edges, solids: Vec<bool>) -> World {
        World { capacity: CAPACITY, solids: Arc::new(solids), ..World::empty(extents, edges) }
    }

    #[test]
    fn shares_are_proportional_and_reach_the_sum() {
        let flat = world(Extents::flat(5, 1), Edges::Torus, Vec::new());
        assert_eq!(in_proportion(&flat, 100, &[1, 2, 0, 3, 4]), [10, 20, 0, 30, 40]);
        // The exact shares are 7/10, 14/10, 21/10 and 28/10. The largest remainders are rounded up first.
        assert_eq!(in_proportion(&flat, 7, &[1, 2, 0, 3, 4]), [1, 1, 0, 2, 3]);
        // Cells of equal weight get equal shares, so the sum may be greater than the wanted number.
        assert_eq!(in_proportion(&flat, 7, &[1, 1, 0, 1, 1]), [2, 2, 0, 2, 2]);
        assert_eq!(in_proportion(&flat, 0, &[1, 1, 0, 1, 1]), [0; 5]);
        assert_eq!(in_proportion(&flat, 1, &[u32::MAX; 5]), [1; 5]);
    }

    #[test]
    fn what_overflows_goes_to_the_others_and_then_around_them() {
        let flat = world(Extents::flat(7, 1), Edges::Torus, Vec::new());
        assert_eq!(in_proportion(&flat, 1600, &[0, 0, 8, 2, 1, 0, 0]), [0, 0, 1000, 400, 200, 0, 0]);
        assert_eq!(in_proportion(&flat, 1501, &[0, 0, 0, 9, 0, 0, 0]), [0, 0, 251, 1000, 251, 0, 0]);
        assert_eq!(in_proportion(&flat, 4001, &[9, 0, 0, 0, 0, 0, 0]), [1000, 1000, 501, 0, 0, 501, 1000]);
        assert_eq!(in_proportion(&flat, 7000, &[9, 0, 0, 0, 0, 0, 0]), [1000; 7]);
        // A solid gets no quanta. The excess passes it.
        let walls = world(Extents::flat(5, 1), Edges::Walls, vec![false, true, false, true, false]);
        assert_eq!(in_proportion(&walls, 2600, &[0, 0, 1, 0, 0]), [800, 0, 1000, 0, 800]);
        let deep = world(Extents::deep(3, 3, 3), Edges::Walls, Vec::new());
        let mut corner = [0; 27];
        corner[0] = 1;
        let spilt = in_proportion(&deep, 8000, &corner);
        assert_eq!((spilt[0], spilt[1], spilt[13], spilt[2]), (1000, 1000, 1000, 0));
    }
}
