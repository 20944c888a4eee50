//! The account of the individuals on a device: its layout, as in `shaders/individuals/account.wgsl`, and its values.

use crate::device::transfer;
use crate::shader::{ACCOUNT_WORDS, LIVING};
use murmuration_core::state::{Entry, Individuals, Ledger};
use murmuration_core::world::MAX_SPECIES;

/// The first word of the first species, and the number of words of each species.
const OF_SPECIES: usize = 2;
const WORDS_OF_SPECIES: usize = 24;
/// The index of the number of living individuals, one word.
const OWN_LIVING: usize = 0;
/// The index of the first total. Each total has two words.
const FIRST_TOTAL: usize = 4;
/// The totals in their order.
const TOTALS: [Entry; 10] = [
    Entry::Caught,
    Entry::Starved,
    Entry::Eaten,
    Entry::Born,
    Entry::Refused,
    Entry::EnergyEaten,
    Entry::EnergyBurnt,
    Entry::EnergyBorn,
    Entry::EnergyEnded,
    Entry::EnergyPresent,
];
const _: () = assert!(OF_SPECIES + WORDS_OF_SPECIES * MAX_SPECIES == ACCOUNT_WORDS as usize);
const _: () = assert!(FIRST_TOTAL + 2 * TOTALS.len() == WORDS_OF_SPECIES);

/// The index of the sum of the energy of a species.
pub fn energy_now(species: usize) -> usize {
    OF_SPECIES + WORDS_OF_SPECIES * species + FIRST_TOTAL + 2 * (TOTALS.len() - 1)
}

/// The totals of an account, in individuals. `species`: the number of species.
pub fn totals(words: &[u32], species: usize) -> Ledger {
    let mut totals = Ledger::default();
    for (index, own) in words[OF_SPECIES..].chunks_exact(WORDS_OF_SPECIES).enumerate() {
        totals[Entry::Present][index] = own[OWN_LIVING].into();
        for (entry, [low, high]) in TOTALS.into_iter().zip(own[FIRST_TOTAL..].as_chunks().0) {
            totals[entry][index] = transfer::two_words([*low, *high]);
        }
    }
    if species == 1 {
        totals[Entry::Present][0] = words[LIVING].into();
    }
    totals
}

/// The account of individuals before a step, with the turnover up to it, in individuals.
pub fn words(individuals: &Individuals, turnover: &Ledger) -> [u32; ACCOUNT_WORDS as usize] {
    let mut account = [0; ACCOUNT_WORDS as usize];
    account[LIVING] = individuals.len() as u32;
    let counts = individuals.counts();
    for (index, own) in account[OF_SPECIES..].chunks_exact_mut(WORDS_OF_SPECIES).enumerate() {
        own[OWN_LIVING] = counts[index] as u32;
        for (words, entry) in own[FIRST_TOTAL..].as_chunks_mut().0.iter_mut().zip(TOTALS) {
            let total = if entry == Entry::EnergyPresent { 0 } else { turnover[entry][index] };
            *words = [total as u32, (total >> 32) as u32];
        }
    }
    account
}
