//! The meals of individuals in a step on the CPU (see [`crate::food`]).

use super::directions::FoodDirections;
use super::{Appetite, Eater, FOOD, FoodLattice, is_eating};
use crate::error::Failure;
use crate::individuals::IndividualParameters;
use crate::individuals::species::SpeciesNumbers;
use crate::individuals::step::{StepPart, StepState};
use crate::lives::needs::Meals;
use crate::lives::{FULL, perishing};
use crate::numbers::each_axis;
use crate::state::{Entry, LIFE_WORDS, WorldColumns};
use std::sync::Arc;

/// The part of a step of individuals in which they eat and food grows.
pub struct FoodStep {
    lattice: Arc<FoodLattice>,
    /// The number of individuals that eat in each cell of food in the present step.
    eaters: Vec<u32>,
    /// The directions to more food in the present step, if any individual forages.
    directions: FoodDirections,
}

impl FoodStep {
    pub(super) fn new(lattice: Arc<FoodLattice>) -> Self {
        Self { lattice, eaters: Vec::new(), directions: FoodDirections::default() }
    }
}

impl StepPart for FoodStep {
    fn prepare(&mut self, step: &mut StepState<'_>) -> Result<(), Failure> {
        let Self { lattice, eaters, directions } = self;
        let individuals = &*step.individuals;
        let species = &step.parameters.species;
        eaters.clear();
        eaters.resize(lattice.capacities.len(), 0);
        for index in 0..individuals.len() {
            let bite = species[individuals.species(index)].bite;
            if is_eating(individuals.lives[2][index] & FULL, perishing(individuals.lives[3][index]), bite) {
                eaters[lattice.index_of(individuals.position(index))] += 1;
            }
        }
        if species.iter().any(|species| species.forage != 0) {
            let food = step.columns.words(&FOOD);
            step.pool.install(|| directions.fill(lattice, food, step.instruction_set));
        }
        Ok(())
    }

    fn meals(
        &self,
        columns: &WorldColumns,
        parameters: &IndividualParameters,
        own: &SpeciesNumbers,
        places: [&[i32]; 3],
        lives: [&[i32]; LIFE_WORDS],
    ) -> Option<Meals> {
        let appetite = Appetite { least_hunger: own.bite, forage: own.forage };
        let food = columns.words(&FOOD);
        let mut meals = Meals::nothing();
        for index in 0..places[0].len() {
            // A perishing individual eats nothing and follows nothing.
            if perishing(lives[3][index]) > 0 {
                continue;
            }
            let place = each_axis(|axis| places[axis][index]);
            let eater = Eater { place, hunger: lives[2][index] & FULL, appetite };
            meals.set(index, self.lattice.meal(food, &self.eaters, &self.directions, parameters.bite, &eater));
        }
        Some(meals)
    }

    fn end(&mut self, step: &mut StepState<'_>) -> Result<(), Failure> {
        let Self { lattice, eaters, .. } = self;
        let food = step.columns.words_mut(&FOOD);
        let parameters = &*step.parameters;
        let grow = || lattice.grow(food, eaters, parameters.bite, parameters.growth);
        let [grown, grazed] = step.pool.install(grow);
        step.turnover.add(Entry::FoodGrown, 0, grown);
        step.turnover.add(Entry::FoodGrazed, 0, grazed);
        Ok(())
    }
}
