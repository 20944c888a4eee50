//! Food: an amount in each cell of a lattice of its own. Food grows, and individuals with lives eat it (`docs/model.md,
//! Food`).
//!
//! Amounts are in parts of [`FULL`](crate::lives::FULL). A meal is FULL, and stills the greatest hunger. F is the food
//! of a cell, C its capacity, H the hunger of an individual. n is the number of eaters in the cell: the living
//! individuals whose hunger is at least a bite.
//!
//! ```text
//! share = min(bite, ⌊F / n⌋)                                          equal for all n eaters
//! F'    = F - n·share + min(growth, (C - F + n·share)⁺)
//! pull  = forage · H/FULL · normalise(Σ_d d · min(⌊F_d/256⌋, 4095))
//! ```
//!
//! bite is the most food that an individual eats in a step, and growth the most food that grows in a cell in a step.
//! (x)⁺ is max(x, 0). The pull is an acceleration towards food; forage is the pull at the greatest hunger, FULL. The
//! sum is over the 8 or 26 cells around, with the offset d to a cell and its food F_d.

pub(crate) mod check;
pub mod directions;
mod keys;
mod meals;

use crate::error::BadInput;
use crate::individuals::feature::{FeatureRow, WorldFeature};
pub use crate::individuals::numbers::FoodRules;
use crate::individuals::step::StepPart;
use crate::lanes::vector::{round_shift, scale};
use crate::lives::needs::Meal;
use crate::numbers::{Vector3, each_axis};
use crate::parallel::{Divisible, for_each_part};
use crate::source::Source;
use crate::state::{Entry, WorldColumn};
use crate::world::{Edges, PLACE_BITS, Space};
use directions::FoodDirections;
use meals::FoodStep;
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most food that a cell can have, in parts of [`FULL`](crate::lives::FULL): 256 meals. So the food of a few cells
/// is summed in 32 bits.
pub const MAX_FOOD: u32 = 1 << 24;
/// The colour of the most food in a picture: red, green and blue, 0 to 255.
const MOSS: [f32; 3] = [15.0, 46.0, 22.0];
/// The number of cells of food in a part of the work, which one thread updates.
const PART: usize = 4096;

/// The lattice on which food grows. Each of its cells spans several cells of the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoodLattice {
    /// Cells of the world along each axis of a cell of food; 1 along z in a flat world.
    pub size: [u32; 3],
    /// Cells of food along each axis. The last cells may lie partly beyond the world.
    pub extents: [u32; 3],
    /// The edges of the world.
    pub edges: Edges,
    /// The most food that each cell can grow, in parts of [`FULL`](crate::lives::FULL), x fastest and z slowest.
    pub capacities: Vec<u32>,
    /// 2^32 / size for each number of `size`, rounded up. A multiplication by it replaces a division by the size.
    reciprocals: [u64; 3],
}

/// The column of the food in each cell of its lattice.
pub static FOOD: WorldColumn = WorldColumn {
    name: "food",
    words: 1,
    hashed: 1,
    place: 4,
    tag: b"FOOD\0\0\0",
    is_counted: false,
    present: Some(Entry::FoodPresent),
    is_possible: |words, _, _| words[0] <= MAX_FOOD,
    move_window: |_, _, _| {},
};

/// The row of food in the table of features.
pub(crate) static FEATURE: FeatureRow = FeatureRow {
    column: &FOOD,
    add_keys: |keys| keys.with(keys::KEYS).with(keys::GRAZING),
    conflicts: check::CONFLICTS,
    example: |space| Arc::new(FoodLattice::new(space, 4, 1, &[], |_| false)),
    read_rules: |source, rules| {
        rules.food = check::rules(source, rules.lives.is_some())?;
        Ok(())
    },
    read: |of| Ok(check::lattice(of)?.map(|lattice| Arc::new(lattice) as _)),
};

/// A round part of the world where food grows. Places and lengths are in cells of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patch {
    /// The middle, along x, y and z.
    pub middle: Vector3,
    /// The distance from the middle at which and beyond which nothing grows.
    pub radius: u32,
}

/// The numbers of a species' eating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appetite {
    /// The hunger from which an individual eats, in parts of [`FULL`](crate::lives::FULL).
    pub least_hunger: i32,
    /// The acceleration towards food at the greatest hunger, in cells per step² (Q14).
    pub forage: i32,
}

/// A living individual that may eat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eater {
    /// The place (Q16 of a cell).
    pub place: Vector3,
    /// The hunger, in parts of [`FULL`](crate::lives::FULL).
    pub hunger: i32,
    /// The appetite of its species.
    pub appetite: Appetite,
}

impl WorldFeature for FoodLattice {
    fn column(&self) -> &'static WorldColumn {
        &FOOD
    }

    fn start(&self, source: &Source) -> Result<Vec<u32>, BadInput> {
        Ok(self.begin(check::numbers(source)?.start))
    }

    fn extents(&self) -> [u32; 3] {
        self.extents
    }

    fn size(&self) -> [u32; 3] {
        self.size
    }

    /// A green light, which grows with the food.
    fn light(&self, words: &[u32]) -> Vec<[u8; 3]> {
        let most = self.capacities.iter().copied().max().unwrap_or(0).max(1) as f32;
        let light = |food: &u32| {
            let part = (*food as f32 / most).min(1.0).sqrt();
            MOSS.map(|channel| (channel * part + 0.5) as u8)
        };
        words.iter().map(light).collect()
    }

    /// Adds food only to cells in which food grows.
    fn brush(&self, words: &mut [u32], cells: &BTreeSet<usize>, amount: Option<u32>) -> Option<(Entry, u64)> {
        let mut sum = 0;
        for cell in cells {
            let own = &mut words[*cell];
            let is_fertile = self.capacities[*cell] > 0;
            match amount {
                None => sum += u64::from(std::mem::take(own)),
                Some(amount) if is_fertile => {
                    let more = amount.min(MAX_FOOD - *own);
                    (*own, sum) = (*own + more, sum + u64::from(more));
                }
                Some(_) => {}
            }
        }
        Some((amount.map_or(Entry::FoodRemoved, |_| Entry::FoodFed), sum))
    }

    fn is_equal(&self, other: &dyn WorldFeature) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn step_part(self: Arc<Self>) -> Box<dyn StepPart> {
        Box::new(FoodStep::new(self))
    }
}

impl FoodLattice {
    /// A lattice with cells of a size. Without patches, every cell has the capacity `most`. With patches, the capacity
    /// is the max over all patches of most · (1 - d²/r²), or 0 if all are negative. d is the distance of the cell from
    /// the middle of a patch, and r the radius of this patch. Nothing grows if the middle of a cell is rock.
    pub fn new(space: Space, size: u32, most: u32, patches: &[Patch], is_rock: impl Fn([u32; 3]) -> bool) -> Self {
        let Space { extents, edges } = space;
        let size = [size, size, if extents[2] == 1 { 1 } else { size }];
        let mut lattice = Self {
            size,
            extents: each_axis(|axis| extents[axis].div_ceil(size[axis])),
            edges,
            capacities: Vec::new(),
            reciprocals: size.map(reciprocal),
        };
        let [width, height, depth] = lattice.extents;
        for cell in (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z]))) {
            let middle = each_axis(|axis| {
                let along: u32 = cell[axis] * size[axis] + size[axis] / 2;
                along.min(extents[axis] - 1)
            });
            let part = |patch: &Patch| {
                let square: i64 = (0..3)
                    .map(|axis| {
                        let extent = i64::from(extents[axis]);
                        let away = (i64::from(middle[axis]) - i64::from(patch.middle[axis])).abs();
                        if edges == Edges::Torus { away.min(extent - away).pow(2) } else { away.pow(2) }
                    })
                    .sum();
                let whole = i64::from(patch.radius).pow(2).max(1);
                (i64::from(most) * (whole - square).max(0) / whole) as u32
            };
            let capacity = match patches {
                [] => most,
                patches => patches.iter().map(part).max().unwrap_or(0),
            };
            lattice.capacities.push(if is_rock(middle) { 0 } else { capacity });
        }
        lattice
    }

    /// The food of each cell before the first step. `thousandths`: the part of its capacity, in thousandths.
    pub fn begin(&self, thousandths: u32) -> Vec<u32> {
        let part = |capacity: &u32| (u64::from(*capacity) * u64::from(thousandths) / 1000) as u32;
        self.capacities.iter().map(part).collect()
    }

    /// The index along each axis of the cell of food at a place (Q16 of a cell of the world).
    #[inline(always)]
    fn cell(&self, place: Vector3) -> [u32; 3] {
        each_axis(|axis| quotient_of_place((place[axis] >> PLACE_BITS) as u32, self.reciprocals[axis]))
    }

    #[inline(always)]
    fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        ((z * self.extents[1] + y) * self.extents[0] + x) as usize
    }

    /// The index, x fastest, of the cell of food at a place (Q16 of a cell of the world).
    #[inline(always)]
    pub fn index_of(&self, place: Vector3) -> usize {
        self.index(self.cell(place))
    }

    /// 2 if there is one layer of cells, else 3.
    fn axes(&self) -> usize {
        if self.extents[2] == 1 { 2 } else { 3 }
    }

    /// The meal of a living individual: its share, which is at most a bite, and the pull towards food.
    #[inline(always)]
    pub fn meal(
        &self,
        food: &[u32],
        eaters: &[u32],
        directions: &FoodDirections,
        bite: i32,
        eater: &Eater,
    ) -> Meal<i32, 3> {
        let Eater { place, hunger, appetite: Appetite { least_hunger, forage } } = *eater;
        let index = self.index_of(place);
        let share = if is_eating(hunger, 0, least_hunger) { share(food[index], eaters[index], bite) } else { 0 };
        let force = (forage * hunger) >> 16;
        Meal { share, pull: round_shift::<i32, 3, 14>(scale(directions.of_cell(index), force)) }
    }

    /// The indices along an axis of the cell before `cell`, of `cell`, and of the cell after it. `None`: the cell is
    /// beyond an edge, or the lattice is flat along the axis.
    #[inline(always)]
    fn beside(&self, cell: u32, axis: usize) -> [Option<u32>; 3] {
        let last = self.extents[axis] - 1;
        let is_torus = self.edges == Edges::Torus;
        if axis == 2 && last == 0 {
            return [None, Some(cell), None];
        }
        let before = if cell > 0 { Some(cell - 1) } else { is_torus.then_some(last) };
        let after = if cell < last { Some(cell + 1) } else { is_torus.then_some(0) };
        [before, Some(cell), after]
    }

    /// Removes the eaten food of a step and lets food grow. `bite` and `growth` are for one step. Returns the grown and
    /// the eaten food of all cells. All amounts are in parts of [`FULL`](crate::lives::FULL).
    pub fn grow(&self, food: &mut [u32], eaters: &[u32], bite: i32, growth: i32) -> [u64; 2] {
        let sums = [const { AtomicU64::new(0) }; 2];
        let cells = FoodCells { food, eaters, capacities: &self.capacities };
        for_each_part(cells, &|FoodCells { food, eaters, capacities }| {
            let [mut grown, mut eaten] = [0; 2];
            for ((food, eaters), capacity) in food.iter_mut().zip(eaters).zip(capacities) {
                // Most cells have no eaters, and a division is slow.
                let taken = if *eaters == 0 { 0 } else { *eaters * share(*food, *eaters, bite) as u32 };
                let left = *food - taken;
                let more = capacity.saturating_sub(left).min(growth as u32);
                *food = left + more;
                (grown, eaten) = (grown + u64::from(more), eaten + u64::from(taken));
            }
            for (sum, own) in sums.iter().zip([grown, eaten]) {
                sum.fetch_add(own, Ordering::Relaxed);
            }
        });
        sums.map(AtomicU64::into_inner)
    }
}

/// 2^32 / size, rounded up.
fn reciprocal(size: u32) -> u64 {
    (1u64 << 32).div_ceil(u64::from(size))
}

/// ⌊x / size⌋ by the reciprocal of the size, if x · size < 2^32.
///
/// The quotient is exact, because x · `reciprocal` exceeds 2^32 · x / size by less than 2^32 / size.
#[inline(always)]
fn quotient_of_place(x: u32, reciprocal: u64) -> u32 {
    ((u64::from(x) * reciprocal) >> 32) as u32
}

/// Whether an individual eats. `hunger` and `bite` are in parts of [`FULL`](crate::lives::FULL). `perishing`: the steps
/// until the individual has perished, or 0.
#[inline(always)]
pub fn is_eating(hunger: i32, perishing: u32, bite: i32) -> bool {
    perishing == 0 && hunger >= bite
}

/// The food that each eater in a cell gets in a step.
#[inline(always)]
fn share(food: u32, eaters: u32, bite: i32) -> i32 {
    (food / eaters.max(1)).min(bite as u32) as i32
}

/// Consecutive cells of food.
struct FoodCells<'a> {
    food: &'a mut [u32],
    eaters: &'a [u32],
    capacities: &'a [u32],
}

impl Divisible for FoodCells<'_> {
    fn parts(&self) -> usize {
        self.food.len().div_ceil(PART)
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let at = (middle * PART).min(self.food.len());
        let (food, food_after) = self.food.split_at_mut(at);
        let (eaters, eaters_after) = self.eaters.split_at(at);
        let (capacities, capacities_after) = self.capacities.split_at(at);
        let after = Self { food: food_after, eaters: eaters_after, capacities: capacities_after };
        (Self { food, eaters, capacities }, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individuals::feature::FeatureReading;
    use crate::simulation::loss_tests::lose_at_any_touch;

    #[test]
    fn reciprocals_give_exact_quotients() {
        for size in 1..=64 {
            assert!((0..65_536).all(|x| quotient_of_place(x, reciprocal(size)) == x / size), "{size}");
        }
    }

    #[test]
    fn food_is_read_whenever_a_device_is_lost() {
        lose_at_any_touch("feeding", &[], 6, |simulation| {
            simulation.advance(5).unwrap();
            simulation.read(FeatureReading { name: "food" }).unwrap()
        });
    }
}
