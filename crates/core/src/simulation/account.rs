//! The account of a simulation: the sums of its swarm, against its ledger.

use super::Simulation;
use crate::engine::{Totals, TotalsReading};
use crate::error::Failure;
use crate::state::{EnergyLedger, Ledger};
use crate::ticket::{ReadingSource, Ticket, reading};
use crate::world::MOST_SPECIES;

/// The sum of the swarm at a step, against its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// Steps made.
    pub step: u64,
    /// Quanta at that step.
    pub quanta: u64,
    /// What the sum at that step has to be.
    pub ledger: Ledger,
    /// Quanta that are missing; negative if there are too many. In a world of several species it is the sum of the errors of all species.
    pub lost: i64,
    /// The food at that step, in parts of [`FULL`](crate::lives::FULL).
    pub food: u64,
    /// The food that is missing, in the same parts; negative if there is too much.
    pub lost_food: i64,
    /// Quanta of each species of cells; zeros in a world of one.
    pub species: [u64; MOST_SPECIES],
    /// The energy of the individuals of each species; the only species is the first.
    pub energy: [u64; MOST_SPECIES],
    /// The energy that is missing, in the same parts; negative if there is too much.
    pub lost_energy: i64,
}

/// The energy of a species or of all at a step, against its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EnergyAccount {
    /// What the energy at the step has to be.
    pub ledger: EnergyLedger,
    /// The energy at the step, in parts of [`FULL`](crate::lives::FULL).
    pub now: u64,
    /// The energy that is missing; negative if there is too much. For all species together it is the sum of the errors of each.
    pub lost: i64,
}

impl Account {
    /// The energy of a species.
    pub fn energy_of(&self, species: usize) -> EnergyAccount {
        let (ledger, now) = (self.ledger.energy_of(species), self.energy[species]);
        EnergyAccount { ledger, now, lost: ledger.lost(now) }
    }

    /// The energy of all species.
    pub fn energy_of_all(&self) -> EnergyAccount {
        let ledger = EnergyLedger::sum((0..MOST_SPECIES).map(|species| self.ledger.energy_of(species)));
        EnergyAccount { ledger, now: self.energy.iter().sum(), lost: self.lost_energy }
    }
}

reading! {
    /// The sum of the present swarm, against its ledger.
    AccountReading -> Account
}

impl ReadingSource<AccountReading> for Simulation {
    fn request(&mut self, _: AccountReading) -> Result<Ticket<Account>, Failure> {
        let totals = self.engine.request(TotalsReading)?;
        let (step, ledger) = (self.engine.step, self.ledger);
        Ok(totals.map(move |totals| account(step, ledger, totals)))
    }
}

impl Simulation {
    /// The ledger with what came and went up to now.
    pub(super) fn ledger_now(&mut self) -> Result<Ledger, Failure> {
        match self.engine.kept_now() {
            Some(copy) => Ok(Ledger { turnover: self.ledger.turnover.plus(&copy.turnover), ..self.ledger }),
            None => Ok(self.account()?.ledger),
        }
    }
}

/// The account of a step; `ledger` is without what came and went by the engine.
fn account(step: u64, ledger: Ledger, totals: Totals) -> Account {
    let Totals { quanta, food, turnover, species, energy } = totals;
    let ledger = Ledger { turnover: ledger.turnover.plus(&turnover), ..ledger };
    let of_species = species.iter().enumerate().map(|(index, now)| ledger.lost_of(index, *now).unsigned_abs());
    let lost = match of_species.fold(0, u64::saturating_add) {
        0 => ledger.lost(quanta),
        lost => i64::try_from(lost).unwrap_or(i64::MAX),
    };
    let (lost_food, lost_energy) = (ledger.lost_food(food), ledger.lost_energy(energy));
    Account { step, quanta, ledger, lost, food, lost_food, species, energy, lost_energy }
}
