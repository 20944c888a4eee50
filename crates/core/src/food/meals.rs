//! What the individuals of a step eat (see [`crate::food`]).

use super::directions::FoodDirections;
use super::{Appetite, Eater, FoodLattice, is_eating};
use crate::lanes::vector::zero;
use crate::lanes::{BLOCK, Lanes};
use crate::lives::needs::Meal;
use crate::lives::{FULL, perishing};
use crate::numbers::each_axis;
use crate::state::{Individuals, LIFE_WORDS};
use crate::world::MOST_SPECIES;

/// The food before a step, and how many eat in each of its cells.
pub struct FoodSource<'a> {
    pub lattice: &'a FoodLattice,
    pub food: &'a [u32],
    pub eaters: &'a [u32],
    pub directions: &'a FoodDirections,
    /// The most that an individual eats.
    pub bite: i32,
}

/// Counts the eaters in each cell of food. `bites`: the hunger from which each species eats.
pub fn count_eaters(
    individuals: &Individuals,
    lattice: &FoodLattice,
    bites: &[i32; MOST_SPECIES],
    eaters: &mut Vec<u32>,
) {
    eaters.clear();
    eaters.resize(lattice.capacities.len(), 0);
    for index in 0..individuals.len() {
        let bite = bites[individuals.species(index)];
        if is_eating(individuals.lives[2][index] & FULL, perishing(individuals.lives[3][index]), bite) {
            eaters[lattice.index_of(individuals.position(index))] += 1;
        }
    }
}

/// What the individuals of a block eat, and where food draws them, by axis.
pub struct Meals {
    shares: [i32; BLOCK],
    pulls: [[i32; BLOCK]; 3],
}

impl Meals {
    /// The meals of individuals of a species at these places with these lives.
    pub fn new(source: &FoodSource<'_>, appetite: Appetite, places: [&[i32]; 3], lives: [&[i32]; LIFE_WORDS]) -> Self {
        let mut meals = Self { shares: [0; BLOCK], pulls: [[0; BLOCK]; 3] };
        for index in 0..places[0].len() {
            // One that perishes eats nothing, and follows nothing.
            if perishing(lives[3][index]) > 0 {
                continue;
            }
            let place = each_axis(|axis| places[axis][index]);
            let hunger = lives[2][index] & FULL;
            let eater = Eater { place, hunger, appetite };
            let FoodSource { lattice, food, eaters, directions, bite } = *source;
            let meal = lattice.meal(food, eaters, directions, bite, &eater);
            meals.shares[index] = meal.share;
            for axis in 0..3 {
                meals.pulls[axis][index] = meal.pull[axis];
            }
        }
        meals
    }

    /// The sum of what they eat.
    pub fn sum(&self) -> u64 {
        self.shares.iter().map(|share| *share as u64).sum()
    }

    /// The meals of a few individuals from an index on.
    #[inline(always)]
    pub fn load<V: Lanes, const AXES: usize>(&self, index: usize) -> Meal<V, AXES> {
        let mut pull = zero::<V, AXES>();
        for axis in 0..AXES {
            pull[axis] = V::load(&self.pulls[axis][index..]);
        }
        Meal { share: V::load(&self.shares[index..]), pull }
    }
}
