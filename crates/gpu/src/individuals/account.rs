//! The account of the individuals on a device: its layout, as in `shaders/individuals/account.wgsl`, and its values.

use crate::device::transfer;
use crate::food::FoodTotals;
use crate::shader::{ACCOUNT_WORDS, LIVING};
use murmuration_core::engine::Totals;
use murmuration_core::state::{EnergyTurnover, Individuals, SpeciesTurnover, Turnover};
use murmuration_core::world::MOST_SPECIES;

/// The first word that belongs to a species, and the words of each.
const OF_SPECIES: usize = 2;
const WORDS_OF_SPECIES: usize = 24;
/// Among these how many are left, and where the totals begin, each of two words.
const OWN_LIVING: usize = 0;
const TOTALS: usize = 4;
/// The totals in their order: caught, starved, eaten, born and refused; energy eaten, burnt, born, ended and present.
const TOTAL_COUNT: usize = 10;
const ENERGY_NOW: usize = TOTAL_COUNT - 1;
const _: () = assert!(OF_SPECIES + WORDS_OF_SPECIES * MOST_SPECIES == ACCOUNT_WORDS as usize);
const _: () = assert!(TOTALS + 2 * TOTAL_COUNT == WORDS_OF_SPECIES);

/// The words of the sum of the energy of a species.
pub fn energy_now(species: usize) -> usize {
    OF_SPECIES + WORDS_OF_SPECIES * species + TOTALS + 2 * ENERGY_NOW
}

/// What the account and the food say, in individuals.
pub fn totals(words: &[u32], food: FoodTotals) -> Totals {
    let FoodTotals { sum: food, grown, eaten: grazed } = food;
    let mut turnover = Turnover { grown, grazed, ..Turnover::default() };
    let (mut species, mut energy) = ([0; MOST_SPECIES], [0; MOST_SPECIES]);
    for (index, own) in words[OF_SPECIES..].chunks_exact(WORDS_OF_SPECIES).enumerate() {
        let two = |total: usize| transfer::two_words([own[TOTALS + 2 * total], own[TOTALS + 2 * total + 1]]);
        let all: [u64; TOTAL_COUNT] = std::array::from_fn(two);
        let [caught, starved, eaten, born, refused, energy_eaten, energy_burnt, energy_born, energy_ended, now] = all;
        turnover.species[index] = SpeciesTurnover { caught, born, eaten, starved, refused };
        turnover.energy[index] =
            EnergyTurnover { eaten: energy_eaten, burnt: energy_burnt, born: energy_born, ended: energy_ended };
        turnover.caught += caught;
        turnover.starved += starved;
        turnover.eaten += eaten;
        turnover.born += born;
        species[index] = u64::from(own[OWN_LIVING]);
        energy[index] = now;
    }
    Totals { quanta: words[LIVING].into(), food, turnover, species, energy }
}

/// The account of individuals before a step, with what came and went up to it, in individuals.
pub fn words(individuals: &Individuals, turnover: &Turnover) -> [u32; ACCOUNT_WORDS as usize] {
    let mut account = [0; ACCOUNT_WORDS as usize];
    account[LIVING] = individuals.len() as u32;
    let counts = individuals.counts();
    for (index, own) in account[OF_SPECIES..].chunks_exact_mut(WORDS_OF_SPECIES).enumerate() {
        let SpeciesTurnover { caught, born, eaten, starved, refused } = turnover.species[index];
        let energy = turnover.energy[index];
        own[OWN_LIVING] = counts[index] as u32;
        let totals = [caught, starved, eaten, born, refused, energy.eaten, energy.burnt, energy.born, energy.ended];
        for (words, total) in own[TOTALS..].as_chunks_mut().0.iter_mut().zip(totals) {
            *words = [total as u32, (total >> 32) as u32];
        }
    }
    account
}
