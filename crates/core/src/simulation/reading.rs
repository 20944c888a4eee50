//! What is read of a simulation: its account and the sums of its swarm.

use super::Simulation;
use crate::engine::Totals;
use crate::error::Failure;
use crate::falcon::Falcon;
use crate::individuals::deposit::deposit;
use crate::lives::measures::PopulationMeasures;
use crate::species::MOST_SPECIES;
use crate::state::{EnergyLedger, Ledger, State};
use crate::state_sums::StateSums;
use crate::swarm::Swarm;
use crate::ticket::Ticket;
use std::borrow::Cow;

/// The sum of the swarm at a step, against its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// Steps made.
    pub step: u64,
    /// Quanta at that step.
    pub quanta: u64,
    pub ledger: Ledger,
    /// Quanta that are missing; negative if there are too many. In a world of several species the sum of what is missing or too
    /// much of each.
    pub lost: i64,
    /// The food at that step, and what is missing of it.
    pub food: u64,
    pub lost_food: i64,
    /// Quanta of each species of cells; zeros in a world of one.
    pub species: [u64; MOST_SPECIES],
    /// The energy of the individuals of each species, and what is missing of it; the only species is the first.
    pub energy: [u64; MOST_SPECIES],
    pub lost_energy: i64,
}

/// The energy of a species or of all at a step, against its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EnergyAccount {
    pub ledger: EnergyLedger,
    pub now: u64,
    /// What is missing; negative if there is too much, of all the sum of what is missing or too much of each.
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

impl Simulation {
    /// Sums the density and compares it with the ledger.
    ///
    /// # Errors
    /// If the device fails.
    pub fn account(&mut self) -> Result<Account, Failure> {
        let totals = self.engine.totals()?;
        Ok(account(self.engine.step, self.ledger, totals))
    }

    /// Asks for the [`Self::account`] of the present step, while the swarm goes on.
    ///
    /// # Errors
    /// If the device fails. Where it fails only later the ticket says so; `account` then goes on with another engine.
    pub fn request_account(&mut self) -> Result<Ticket<Account>, Failure> {
        let totals = self.engine.request_totals()?;
        let (step, ledger) = (self.engine.step, self.ledger);
        Ok(totals.map(move |totals| account(step, ledger, totals)))
    }

    /// What there was, and what came and went up to now.
    ///
    /// # Errors
    /// If the device fails.
    pub fn ledger(&mut self) -> Result<Ledger, Failure> {
        Ok(self.account()?.ledger)
    }

    /// What the lattice sees of a swarm that was read before.
    pub fn seen<'a>(&self, swarm: &'a Swarm) -> Cow<'a, State> {
        match swarm {
            Swarm::Cells(state) => Cow::Borrowed(state),
            Swarm::Individuals(individuals) => Cow::Owned(deposit(individuals, &self.preset.space())),
        }
    }

    /// Asks for the sums of the present state, from which metrics are made. `None`: the engine has no way to them that is shorter than
    /// the state.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_state_sums(&mut self) -> Result<Option<Ticket<StateSums>>, Failure> {
        let shift = self.preset.rules.shift;
        self.engine.request_sums(shift)
    }

    /// Asks how the individuals of the present step live, while they live on; `None`: they have no lives.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_life_measures(&mut self) -> Result<Option<Ticket<PopulationMeasures>>, Failure> {
        if self.life_rules().is_none() {
            return Ok(None);
        }
        let rules = self.life_rules_by_number();
        if let Some(asked) = self.engine.request_life_measures(&rules)? {
            return Ok(Some(asked));
        }
        let swarm = self.engine.swarm()?;
        Ok(self.life_measures(&swarm).map(Ticket::ready))
    }

    /// Asks for the food in each cell of its lattice at the present step; `None`: there is no food.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_food(&mut self) -> Result<Option<Ticket<Vec<u32>>>, Failure> {
        if self.preset.food.is_none() {
            return Ok(None);
        }
        self.engine.request_food().map(Some)
    }

    /// The food in each cell, waited for.
    ///
    /// # Errors
    /// As [`Self::request_food`].
    pub fn food(&mut self) -> Result<Option<Vec<u32>>, Failure> {
        if self.preset.food.is_none() {
            return Ok(None);
        }
        self.engine.food().map(Some)
    }

    /// Asks for the falcons of the present step, in the order of the preset, while the swarm goes on.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_falcons(&mut self) -> Result<Ticket<Vec<Falcon>>, Failure> {
        self.engine.request_falcons()
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
