//! Food in pictures of flat worlds: a glow of moss under the swarm, the brighter the more there is. It is added to finished pictures, so
//! that it is the same on every engine and device.

use super::Picture;
use crate::individuals::lives::food::FoodLattice;
use crate::parallel::*;
use crate::world::{Edges, Extents};

/// What the most food adds to a point of a picture, in bytes.
const MOSS: [f32; 3] = [22.0, 62.0, 26.0];

/// What each cell of food adds to a picture, in bytes; x fastest.
pub fn food_light(lattice: &FoodLattice, food: &[u32]) -> Vec<[u8; 3]> {
    let most = lattice.capacities.iter().copied().max().unwrap_or(0).max(1) as f32;
    let light = |food: &u32| {
        let part = (*food as f32 / most).min(1.0).sqrt();
        MOSS.map(|channel| (channel * part + 0.5) as u8)
    };
    food.iter().map(light).collect()
}

/// Adds food to the picture of a whole flat lattice of so many cells.
pub fn add_food(picture: &mut Picture, extents: Extents, lattice: &FoodLattice, food: &[u32]) {
    let light = food_light(lattice, food);
    let [across, down] = [0, 1].map(|axis| lattice.extents[axis] as usize);
    let size = [picture.width, picture.height];
    // The cells of food before and behind the middle of a point, and how far it is from the first to the second.
    let between = |axis: usize, point: usize| {
        let cells = (point as f32 + 0.5) * extents.as_cell()[axis] as f32 / size[axis] as f32;
        let place = cells / lattice.size[axis] as f32 - 0.5;
        let [first, count] = [place.floor() as i64, i64::from(lattice.extents[axis])];
        let cell = |at: i64| match lattice.edges {
            Edges::Torus => at.rem_euclid(count) as usize,
            Edges::Walls => at.clamp(0, count - 1) as usize,
        };
        (cell(first), cell(first + 1), place - place.floor())
    };
    debug_assert_eq!(light.len(), across * down);
    let width = picture.width as usize;
    picture.bytes.par_chunks_mut(3 * width).enumerate().for_each(|(y, row)| {
        let (above, below, part_down) = between(1, y);
        for (x, point) in row.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            let (left, right, part) = between(0, x);
            for (channel, byte) in point.iter_mut().enumerate() {
                let along = |row: usize| {
                    let [from, to] = [left, right].map(|cell| f32::from(light[row * across + cell][channel]));
                    from + (to - from) * part
                };
                let (from, to) = (along(above), along(below));
                *byte = (f32::from(*byte) + from + (to - from) * part_down + 0.5).min(255.0) as u8;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individuals::Space;

    #[test]
    fn food_lightens_where_it_lies_and_goes_around_a_torus() {
        let space = Space { extents: [16, 8, 1], edges: Edges::Torus };
        let lattice = FoodLattice::new(space, 4, 1000, &[], |_| false);
        let mut food = vec![0; 8];
        food[0] = 1000;
        let dark = Picture { width: 64, height: 32, bytes: vec![10; 3 * 64 * 32] };
        let mut picture = dark.clone();
        add_food(&mut picture, Extents::flat(16, 8), &lattice, &food);
        let green = |x: usize, y: usize| picture.bytes[3 * (64 * y + x) + 1];
        assert_eq!(green(8, 8), 10 + 60, "near the middle of the cell");
        assert_eq!(green(40, 24), 10);
        assert!(green(63, 8) > 10 && green(63, 8) < green(8, 8), "over the edge");
        let walls = FoodLattice { edges: Edges::Walls, ..lattice };
        let mut picture = dark.clone();
        add_food(&mut picture, Extents::flat(16, 8), &walls, &food);
        assert_eq!(picture.bytes[3 * (64 * 8 + 63) + 1], 10, "behind a wall");
        let mut bare = dark.clone();
        add_food(&mut bare, Extents::flat(16, 8), &walls, &[0; 8]);
        assert_eq!(bare, dark);
    }
}
