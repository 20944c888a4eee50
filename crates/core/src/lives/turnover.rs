//! Deaths and births in a step of individuals. An individual dies when a hunter catches it, when another species has
//! eaten it, or when it has perished.

use crate::lives::lineage::Cause;
use crate::lives::numbers::{ALL, NOBODY};
use crate::lives::rebirth::{self, Parents};
use crate::lives::{EATEN, FULL, Life, LifeRules, perishing, species_of, store};
use crate::state::{Entry, Individuals, LIFE_WORDS, Ledger};
use crate::terrain::Habitat;
use crate::world::{HunterNumbers, MAX_SPECIES, Space, is_caught};

/// The numbers of a step that lives need.
#[derive(Debug, Clone, Copy)]
pub struct LifeNumbers<'a> {
    /// The steps made before this step, modulo 2^32.
    pub step: u32,
    /// The hunters in this step. They catch individuals.
    pub hunters: &'a [HunterNumbers],
    /// The numbers of each species.
    pub species: [SpeciesLives<'a>; MAX_SPECIES],
}

/// The numbers of the lives of a species.
#[derive(Debug, Clone, Copy)]
pub struct SpeciesLives<'a> {
    /// The rules of the species' lives.
    pub rules: &'a LifeRules,
    /// The max speed of the species, in cells a step (Q14).
    pub max: i32,
    /// No individual of the species is born while it has more individuals than this.
    pub most: u32,
}

/// The fate of an individual whose life ends in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndOfLife {
    /// The individual is removed.
    Gone,
    /// The individual begins a new life.
    Reborn,
    /// The individual is removed. It would begin a new life, but its species has too many individuals.
    Refused,
}

/// For each species, whether it has more individuals than [`SpeciesLives::most`] before a step, so that none is born.
pub fn crowded_species(individuals: &Individuals, numbers: &LifeNumbers<'_>) -> [bool; MAX_SPECIES] {
    if numbers.species.iter().all(|own| own.most == u32::MAX) {
        return [false; MAX_SPECIES];
    }
    let counts = individuals.counts();
    std::array::from_fn(|species| counts[species] > u64::from(numbers.species[species].most))
}

/// How an individual's life ends in a step: the cause, and the consequence. `None`: the life goes on. `crowded`: from
/// [`crowded_species`].
pub fn end_of(
    individuals: &Individuals,
    index: usize,
    space: &Space,
    numbers: &LifeNumbers<'_>,
    crowded: &[bool; MAX_SPECIES],
) -> Option<(Cause, EndOfLife)> {
    let species = individuals.species(index);
    let rebirth = numbers.species[species].rules.rebirth;
    let (cause, is_due) = if is_caught(numbers.hunters, species, individuals.position(index), space) {
        (Cause::Caught, rebirth == ALL)
    } else {
        let [_, own, ..] = individuals.life(index).filter(|words| perishing(words[3]) == 1)?;
        if own & EATEN != 0 { (Cause::Eaten, rebirth == ALL) } else { (Cause::Starved, rebirth != NOBODY) }
    };
    let fate = if !is_due {
        EndOfLife::Gone
    } else if crowded[species] {
        EndOfLife::Refused
    } else {
        EndOfLife::Reborn
    };
    Some((cause, fate))
}

/// Ends lives at the beginning of a step. Returns the deaths, births and energy of the step. Individuals that are not
/// reborn move to `taken`. Individuals that are caught and reborn get the health 0 and one step until death, so that
/// [`bear`] finds them. `marked` gets their indices, and the third and fourth word of their previous lives.
pub fn end_lives(
    individuals: &mut Individuals,
    space: &Space,
    numbers: &LifeNumbers<'_>,
    crowded: &[bool; MAX_SPECIES],
    taken: &mut Individuals,
    marked: &mut Vec<(usize, [i32; 2])>,
) -> Ledger {
    let mut turnover = Ledger::default();
    let mut are_marked = false;
    if !individuals.has_lives() {
        if numbers.hunters.iter().any(|hunter| hunter.jaws > 0) {
            individuals.take(
                |individuals, index| {
                    is_caught(numbers.hunters, individuals.species(index), individuals.position(index), space)
                },
                taken,
            );
        }
        return turnover.with(Entry::Caught, taken.len() as u64);
    }
    for index in 0..individuals.len() {
        let Some((cause, fate)) = end_of(individuals, index, space, numbers, crowded) else { continue };
        let species = individuals.species(index);
        turnover.add(Entry::EnergyEnded, species, store(individuals.lives[2][index]));
        let end = match cause {
            Cause::Caught => Entry::Caught,
            Cause::Starved => Entry::Starved,
            Cause::Eaten => Entry::Eaten,
        };
        turnover.add(end, species, 1);
        match fate {
            EndOfLife::Reborn => turnover.add(Entry::Born, species, 1),
            EndOfLife::Refused => turnover.add(Entry::Refused, species, 1),
            EndOfLife::Gone => {}
        }
        are_marked |= (cause, fate) == (Cause::Caught, EndOfLife::Reborn);
    }
    let ended: u64 = [Entry::Caught, Entry::Starved, Entry::Eaten].map(|end| turnover.sum(end)).into_iter().sum();
    if ended > turnover.sum(Entry::Born) {
        let is_gone = |individuals: &Individuals, index: usize| {
            let end = end_of(individuals, index, space, numbers, crowded);
            end.is_some_and(|(_, fate)| fate != EndOfLife::Reborn)
        };
        individuals.take(is_gone, taken);
    }
    // The indices in `marked` are valid after the removal of individuals.
    for index in 0..if are_marked { individuals.len() } else { 0 } {
        if end_of(individuals, index, space, numbers, crowded) == Some((Cause::Caught, EndOfLife::Reborn)) {
            marked.push((index, [individuals.lives[2][index], individuals.lives[3][index]]));
            individuals.lives[2][index] &= FULL;
            individuals.lives[3][index] = (individuals.lives[3][index] & FULL) | 1 << 16;
        }
    }
    turnover
}

/// Gives a new life at a random place to each individual of a block that has died in this step. Returns the energy of
/// the new lives. `parents`: the lives before the step. The slices have the individuals of the block.
pub fn bear(
    life_numbers: &LifeNumbers<'_>,
    habitat: &Habitat,
    parents: &Parents,
    numbers: &[u32],
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    lives: [&mut [i32]; LIFE_WORDS],
) -> u64 {
    let step = life_numbers.step;
    let mut born = 0;
    for index in 0..lives[0].len() {
        let mut words = [0; LIFE_WORDS];
        for word in 0..LIFE_WORDS {
            words[word] = lives[word][index];
        }
        // Only perishing individuals have health 0. An individual with health 0 and no steps left is dead.
        if words[2] as u32 >> 16 != 0 || perishing(words[3]) > 0 {
            continue;
        }
        let present = [places[0][index], places[1][index], places[2][index]];
        let number = numbers[index];
        let before = Life::from_words(words);
        let SpeciesLives { rules, max, .. } = life_numbers.species[species_of(words)];
        let (place, velocity) =
            rebirth::place(rules, &habitat.space, |place| habitat.is_free(place), number, step, max, present);
        let dna = parents.child(rules, number, step, &before).dna;
        let life = rebirth::newborn(rules, before.species, number, step, dna).words();
        for axis in 0..3 {
            (places[axis][index], velocities[axis][index]) = (place[axis], velocity[axis]);
        }
        for word in 0..LIFE_WORDS {
            lives[word][index] = life[word];
        }
        born += store(life[2]);
    }
    born
}
