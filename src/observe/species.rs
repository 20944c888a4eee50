//! The account of a species.

use murmuration_core::lives::measures::LifeMeasures;
use murmuration_core::preset::Species;
use murmuration_core::simulation::{Account, EnergyAccount};
use murmuration_core::state::{SpeciesStart, SpeciesTurnover};

/// The account of a species, in quanta.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeciesAccount {
    pub name: String,
    /// Its hue, as a fraction of the colour wheel.
    pub colour: f32,
    /// The present amount.
    pub quanta: u64,
    /// The amount at the start, and the amount that was added since.
    pub start: u64,
    pub spawned: u64,
    /// What one of cells ate of others, or was born of individuals; what others ate of it; what was caught, what has starved, and births that
    /// were refused because there were too many.
    pub born: u64,
    pub eaten: u64,
    pub caught: u64,
    pub starved: u64,
    pub refused: u64,
    /// What is missing; negative if there is too much.
    pub lost: i64,
    /// The energy of individuals; of cells there is none.
    pub energy: EnergyAccount,
    /// How they live; `None` where they have no lives, or nobody has measured it.
    pub lives: Option<LifeMeasures>,
}

impl SpeciesAccount {
    /// Those of several species; a world of one has none.
    pub fn all(species: &[Species], account: &Account) -> Vec<Self> {
        let several = species.iter().enumerate().filter(|_| species.len() > 1);
        several
            .map(|(index, species)| {
                let SpeciesStart { start, spawned } = account.ledger.species[index];
                let SpeciesTurnover { caught, born, eaten, starved, refused } = account.ledger.turnover.species[index];
                let quanta = account.species[index];
                let lost = account.ledger.lost_of(index, quanta);
                Self {
                    name: species.name.clone(),
                    colour: species.colour,
                    quanta,
                    start,
                    spawned,
                    born,
                    eaten,
                    caught,
                    starved,
                    refused,
                    lost,
                    energy: account.energy_of(index),
                    lives: None,
                }
            })
            .collect()
    }
}
