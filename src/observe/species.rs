//! The account of a species.

use murmuration_core::lives::measures::LifeMeasures;
use murmuration_core::preset::Species;
use murmuration_core::simulation::Account;
use murmuration_core::state::{Entry, Ledger, Unit};

/// The account of a species.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeciesAccount {
    pub name: String,
    /// Its hue, as a fraction of the colour wheel.
    pub colour: f32,
    /// Its number, by which the ledger knows it.
    pub number: usize,
    /// The account of all species.
    pub ledger: Ledger,
    /// How they live; `None` where they have no lives, or nobody has measured it.
    pub lives: Option<LifeMeasures>,
}

impl SpeciesAccount {
    /// Those of several species; a world of one has none.
    pub fn all(species: &[Species], account: &Account) -> Vec<Self> {
        let several = species.iter().enumerate().filter(|_| species.len() > 1);
        let own = |(number, species): (usize, &Species)| Self {
            name: species.name.clone(),
            colour: species.colour,
            number,
            ledger: account.ledger,
            lives: None,
        };
        several.map(own).collect()
    }

    /// The present amount, in quanta.
    pub fn quanta(&self) -> u64 {
        self.amount(Entry::Present)
    }

    /// The amount of an entry.
    pub fn amount(&self, entry: Entry) -> u64 {
        self.ledger[entry][self.number]
    }

    /// What came and went: names and amounts.
    pub fn changes(&self, unit: Unit) -> Vec<(&'static str, u64)> {
        self.ledger.changes(unit, Some(self.number))
    }

    /// The amount of what came or went under a name, in quanta.
    pub fn change(&self, name: &str) -> u64 {
        self.ledger.named(Unit::Quanta, name, self.number)
    }

    /// What is missing; negative if there is too much.
    pub fn lost(&self, unit: Unit) -> i64 {
        self.ledger.lost_of(unit, self.number)
    }
}
