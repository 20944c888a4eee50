//! The numbers of one step of individuals, as engines and kernels read them.

use super::numbers::{FoodRules, IndividualRules};
use crate::individuals::species::{MEETING_NUMBERS_WGSL, SPECIES_NUMBERS_WGSL, SpeciesNumbers, SpeciesUnits};
use crate::lives::numbers::LIFE_RULES_WGSL;
use crate::lives::species_of;
use crate::noise::NoiseNumbers;
use crate::state::LIFE_WORDS;
use crate::world::{self, MAX_SPECIES, World};

/// The WGSL texts of the structures that [`INDIVIDUAL_PARAMETERS_WGSL`] uses.
pub const INDIVIDUAL_PARTS_WGSL: [&str; 3] = [LIFE_RULES_WGSL, MEETING_NUMBERS_WGSL, SPECIES_NUMBERS_WGSL];

world::parameters! {
    /// The numbers of one step of individuals. They may change between two steps of an engine.
    IndividualParameters, INDIVIDUAL_PARAMETERS_WGSL;
    /// The numbers of each species; zeros after the last one.
    species: [SpeciesNumbers; MAX_SPECIES] as "array<SpeciesNumbers, 8>";
    /// The most food that an individual eats in a step, in parts of `FULL`; 0: no species eats food.
    bite: i32,
    /// The food that grows in a cell of food in a step, in parts of `FULL`.
    growth: i32,
    /// Steps made before this one, modulo 2^32.
    step: u32,
    /// Individuals have been given the numbers from 0 to `population` - 1 until now. Parents are drawn among these
    /// numbers.
    population: u32,
}

const _: () = assert!(MAX_SPECIES == 8, "as the type of their numbers says");

impl IndividualParameters {
    /// The numbers of the step after `step` steps. `species`: the rules and the units of each species.
    pub fn new(species: &[(&IndividualRules, &SpeciesUnits)], world: &World, step: u64) -> Self {
        let mut parameters = Self::from_rules(species);
        for (own, (rules, _)) in parameters.species.iter_mut().zip(species) {
            own.noise = NoiseNumbers::new(&rules.noise, step);
        }
        parameters.set_world(world);
        parameters.set_hunters(world.hunters_at(step, None).as_slice());
        parameters.step = step as u32;
        parameters
    }

    /// The numbers of the rules in a world without hunters and margins.
    pub fn from_rules(species: &[(&IndividualRules, &SpeciesUnits)]) -> Self {
        let mut parameters: Self = bytemuck::Zeroable::zeroed();
        for (own, (rules, units)) in parameters.species.iter_mut().zip(species) {
            *own = SpeciesNumbers::new(rules, units);
        }
        let mut food = species.iter().map(|(rules, _)| rules.food);
        let FoodRules { bite, growth, .. } = food.find(|food| food.bite > 0).unwrap_or_default();
        (parameters.bite, parameters.growth) = (bite, growth);
        parameters
    }

    /// The numbers of the species of an individual whose life has these words.
    #[inline(always)]
    pub fn of_life(&self, life: [i32; LIFE_WORDS]) -> &SpeciesNumbers {
        &self.species[species_of(life)]
    }
}
