//! The directions to more food from all cells of a lattice, in lanes.
//!
//! ```text
//! direction = normalise(Σ_d d · min(⌊F_d/256⌋, 4095))
//! ```
//!
//! The sum is over the 8 or 26 cells around. d is the offset to one of these cells, and F_d is its food.
//!
//! For each x of a row, the sums over the neighbours along y and z are made first. Then they are summed over the
//! neighbours along x. A is min(⌊F/256⌋, 4095), and S_z is formed like S_y:
//!
//! ```text
//! S(x)   = Σ_yz A(x, y, z)            Σ_d d_x · A = S(x + 1) - S(x - 1)
//! S_y(x) = Σ_yz d_y · A(x, y, z)      Σ_d d_y · A = S_y(x - 1) + S_y(x) + S_y(x + 1)
//! ```

use super::FoodLattice;
use crate::lanes::vector::normalise;
use crate::lanes::{InstructionSet, LaneWork, Lanes, MAX_LANES};
use crate::numbers::{Vector3, each_axis};
use crate::parallel::*;
use crate::world::Edges;

/// The number of rows in a part of the work, which one thread does.
const ROWS: usize = 16;

/// The direction to more food from each cell of a lattice, as a vector with the length [`ONE`](crate::numbers::ONE), or
/// 0.
#[derive(Debug, Clone, Default)]
pub struct FoodDirections {
    /// The components by axis (Q14). The list of z is empty if the lattice has one layer.
    components: [Vec<i32>; 3],
}

impl FoodDirections {
    /// The directions for the food in each cell.
    pub fn new(lattice: &FoodLattice, food: &[u32], set: InstructionSet) -> Self {
        let mut directions = Self::default();
        directions.fill(lattice, food, set);
        directions
    }

    /// Computes all directions, on all threads.
    pub fn fill(&mut self, lattice: &FoodLattice, food: &[u32], set: InstructionSet) {
        for axis in 0..3 {
            self.components[axis].resize(if axis < lattice.axes() { food.len() } else { 0 }, 0);
        }
        let width = lattice.extents[0] as usize;
        let [x, y, z] = &mut self.components;
        let mut slices = z.chunks_mut(ROWS * width);
        let rows = x.chunks_mut(ROWS * width).zip(y.chunks_mut(ROWS * width)).enumerate();
        let mut parts: Vec<_> = rows
            .map(|(part, (x, y))| RowDirections {
                lattice,
                food: bytemuck::cast_slice(food),
                first: part * ROWS,
                components: [x, y, slices.next().unwrap_or_default()],
            })
            .collect();
        parts.par_chunks_mut(1).for_each(|parts| set.run(&mut parts[0]));
    }

    /// The direction from a cell, by its index.
    #[inline(always)]
    pub fn of_cell(&self, cell: usize) -> Vector3 {
        each_axis(|axis| self.components[axis].get(cell).copied().unwrap_or(0))
    }
}

/// The directions from the cells of a few rows.
struct RowDirections<'a> {
    lattice: &'a FoodLattice,
    /// The food of each cell, at most [`super::MAX_FOOD`].
    food: &'a [i32],
    /// The first of the rows, counted through all slices.
    first: usize,
    components: [&'a mut [i32]; 3],
}

impl LaneWork for &mut RowDirections<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        match self.lattice.axes() {
            2 => self.fill::<V, 2>(),
            _ => self.fill::<V, 3>(),
        }
    }
}

impl RowDirections<'_> {
    #[inline(always)]
    fn fill<V: Lanes, const AXES: usize>(&mut self) {
        let width = self.lattice.extents[0] as usize;
        // S, S_y and S_z of a row, with one more cell before the row and one after it.
        let mut sums = [const { Vec::new() }; 3];
        for axis in 0..AXES {
            sums[axis] = vec![0; width + 2 + MAX_LANES];
        }
        for row in 0..self.components[0].len() / width {
            self.sum_rows::<V, AXES>(self.first + row, &mut sums);
            let mut x = 0;
            while x < width {
                let mut sum = [V::splat(0); AXES];
                sum[0] = V::load(&sums[0][x + 2..]).subtract(V::load(&sums[0][x..]));
                for axis in 1..AXES {
                    let beside = V::load(&sums[axis][x..]).add(V::load(&sums[axis][x + 2..]));
                    sum[axis] = V::load(&sums[axis][x + 1..]).add(beside);
                }
                let direction = normalise::<V, AXES>(sum);
                for axis in 0..AXES {
                    direction[axis].store_some(&mut self.components[axis][row * width + x..(row + 1) * width]);
                }
                x += V::COUNT;
            }
        }
    }

    /// Computes S, S_y and S_z (see the formula of the module) for a row.
    #[inline(always)]
    fn sum_rows<V: Lanes, const AXES: usize>(&self, row: usize, sums: &mut [Vec<i32>; 3]) {
        let [width, height, _] = self.lattice.extents.map(|extent| extent as usize);
        let at = [0, (row % height) as u32, (row / height) as u32];
        let (around_y, around_z) = (self.lattice.beside(at[1], 1), self.lattice.beside(at[2], 2));
        let mut x = 0;
        while x < width {
            let mut all = [V::splat(0); AXES];
            for z in 0..3 {
                for y in 0..3 {
                    let (Some(beside_y), Some(beside_z)) = (around_y[y], around_z[z]) else { continue };
                    let first = self.lattice.index([0, beside_y, beside_z]);
                    let food = V::load_some(&self.food[first + x..first + width]);
                    let amount = food.shift_right_unsigned::<8>().min(V::splat(4095));
                    all[0] = all[0].add(amount);
                    all[1] = signed_sum(all[1], amount, y);
                    if AXES == 3 {
                        all[AXES - 1] = signed_sum(all[AXES - 1], amount, z);
                    }
                }
            }
            for axis in 0..AXES {
                all[axis].store(&mut sums[axis][x + 1..]);
            }
            x += V::COUNT;
        }
        let is_torus = self.lattice.edges == Edges::Torus;
        for axis in 0..AXES {
            sums[axis][0] = if is_torus { sums[axis][width] } else { 0 };
            sums[axis][width + 1] = if is_torus { sums[axis][1] } else { 0 };
        }
    }
}

/// A sum with an amount: subtracted in the cell before the middle (0), left out in the middle (1), added in the cell
/// after it (2).
#[inline(always)]
fn signed_sum<V: Lanes>(sum: V, amount: V, cell: usize) -> V {
    match cell {
        0 => sum.subtract(amount),
        1 => sum,
        _ => sum.add(amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::random::hash;
    use crate::world::Space;

    /// The direction by the formula, for one cell.
    fn direction(lattice: &FoodLattice, food: &[u32], cell: [u32; 3]) -> Vector3 {
        let mut sum = [0; 3];
        for (x, y, z) in (0..27).map(|index| (index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1)) {
            let beside: Option<Vec<u32>> = (0..3)
                .zip([x, y, z])
                .map(|(axis, step)| {
                    let (place, extent) = (cell[axis] as i32 + step, lattice.extents[axis] as i32);
                    let is_around = extent > 1 || axis < 2;
                    let is_there = (0..extent).contains(&place) || (lattice.edges == Edges::Torus && is_around);
                    is_there.then_some(place.rem_euclid(extent) as u32)
                })
                .collect();
            if let Some(beside) = beside {
                let amount = (food[lattice.index([beside[0], beside[1], beside[2]])] / 256).min(4095) as i32;
                sum = [sum[0] + x * amount, sum[1] + y * amount, sum[2] + z * amount];
            }
        }
        normalise(sum)
    }

    #[test]
    fn all_lanes_find_the_direction_of_the_formula() {
        for (extents, edges) in [[1, 1, 1], [2, 1, 1], [70, 3, 1], [33, 40, 1], [5, 4, 2], [17, 3, 9], [3, 40, 3]]
            .into_iter()
            .flat_map(|extents| [Edges::Torus, Edges::Walls].map(|edges| (extents, edges)))
        {
            let lattice = FoodLattice::new(Space { extents, edges }, 1, 1, &[], |_| false);
            let [width, height, depth] = lattice.extents;
            let food: Vec<u32> = (0..width * height * depth)
                .map(|cell| [0, hash(cell) >> 8, hash(cell) >> 14, super::super::MAX_FOOD][hash(cell) as usize % 4])
                .collect();
            for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
                let directions = FoodDirections::new(&lattice, &food, *set);
                for (z, y, x) in
                    (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| (z, y, x))))
                {
                    let found = directions.of_cell(lattice.index([x, y, z]));
                    assert_eq!(found, direction(&lattice, &food, [x, y, z]), "{set}, {extents:?}, {:?}", [x, y, z]);
                }
            }
        }
    }
}
