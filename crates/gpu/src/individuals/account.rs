//! The account of the individuals on a device. The buffer has the layout of `shaders/individuals/account.wgsl`.

use crate::device::transfer;
use crate::shader::{ACCOUNT_WORDS, LIVING};
use murmuration_core::state::{Entry, Individuals, Ledger};
use murmuration_core::world::MAX_SPECIES;

/// The index of the first word of species 0. The words of the other species follow.
const OF_SPECIES: usize = 2;
/// The number of words of each species.
const WORDS_OF_SPECIES: usize = 24;
/// The index, among the words of a species, of the number of its living individuals (one word).
const OWN_LIVING: usize = 0;
/// The index, among the words of a species, of its first total. Each total has two words, the low word first.
const FIRST_TOTAL: usize = 4;
/// The entries of the account that the totals count, in the order of the totals.
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

/// The index of the first word of the total [`Entry::EnergyPresent`] of a species.
pub fn energy_now(species: usize) -> usize {
    OF_SPECIES + WORDS_OF_SPECIES * species + FIRST_TOTAL + 2 * (TOTALS.len() - 1)
}

/// Reads a ledger from the words of the account. It counts individuals, not quanta. `species`: the number of species.
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

/// The words of the account before a step. `turnover`: the changes up to this step, which count individuals.
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
