//! The account of a simulation: the sums of its swarm compared with its ledger.

use super::Simulation;
use crate::engine::TotalsReading;
use crate::error::Failure;
use crate::state::{Entry, Ledger, Unit};
use crate::ticket::{ReadingSource, Ticket, reading};

/// The sums of the swarm at a step, compared with its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// The number of completed steps.
    pub step: u64,
    /// Quanta at that step.
    pub quanta: u64,
    /// Missing quanta; negative if there are too many. With several species, the sum of the errors of all species.
    pub lost: i64,
    /// All amounts, with the present amounts. [`Ledger::lost`] returns the missing food and energy.
    pub ledger: Ledger,
}

reading! {
    /// The sums of the present swarm, compared with its ledger.
    AccountReading -> Account
}

impl ReadingSource<AccountReading> for Simulation {
    fn request(&mut self, _: AccountReading) -> Result<Ticket<Account>, Failure> {
        let totals = self.engine.request(TotalsReading)?;
        let step = self.engine.step;
        let ledger = self.ledger;
        Ok(totals.map(move |totals| {
            let ledger = ledger.plus(&totals);
            Account { step, quanta: ledger.sum(Entry::Present), lost: ledger.lost(Unit::Quanta), ledger }
        }))
    }
}

impl Simulation {
    /// The ledger with the turnover up to the present step.
    pub(super) fn ledger_now(&mut self) -> Result<Ledger, Failure> {
        match self.engine.kept_now() {
            Some(copy) => Ok(self.ledger.plus(&copy.turnover)),
            None => Ok(self.account()?.ledger.turnover()),
        }
    }
}
