//! The account of a simulation: the sums of its swarm, against its ledger.

use super::Simulation;
use crate::engine::TotalsReading;
use crate::error::Failure;
use crate::state::{Entry, Ledger, Unit};
use crate::ticket::{ReadingSource, Ticket, reading};

/// The sum of the swarm at a step, against its ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// Steps made.
    pub step: u64,
    /// Quanta at that step.
    pub quanta: u64,
    /// Quanta that are missing; negative if there are too many. In a world of several species it is the sum of the errors of all species.
    pub lost: i64,
    /// All amounts, with the present ones. [`Ledger::lost`] tells what food and energy are missing.
    pub ledger: Ledger,
}

reading! {
    /// The sum of the present swarm, against its ledger.
    AccountReading -> Account
}

impl ReadingSource<AccountReading> for Simulation {
    fn request(&mut self, _: AccountReading) -> Result<Ticket<Account>, Failure> {
        let totals = self.engine.request(TotalsReading)?;
        let (step, ledger) = (self.engine.step, self.ledger);
        Ok(totals.map(move |totals| {
            let ledger = ledger.plus(&totals);
            Account { step, quanta: ledger.sum(Entry::Present), lost: ledger.lost(Unit::Quanta), ledger }
        }))
    }
}

impl Simulation {
    /// The ledger with what came and went up to now.
    pub(super) fn ledger_now(&mut self) -> Result<Ledger, Failure> {
        match self.engine.kept_now() {
            Some(copy) => Ok(self.ledger.plus(&copy.turnover)),
            None => Ok(self.account()?.ledger.turnover()),
        }
    }
}
