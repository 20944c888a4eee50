//! The account of a simulation: the sums over its swarm, compared with its ledger.

use super::Simulation;
use crate::engine::TotalsReading;
use crate::error::Failure;
use crate::state::{Entry, Ledger, Unit};
use crate::ticket::{ReadingSource, Ticket, reading};

/// The sums over the swarm at a step, compared with the ledger. The ledger has all amounts that were added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// The number of completed steps.
    pub step: u64,
    /// The sum of the density at that step, in quanta.
    pub quanta: u64,
    /// The quanta that the ledger has and the swarm lacks, summed over all species. Negative: the swarm has more than
    /// the ledger.
    pub lost: i64,
    /// All entries of the ledger, and the present sums. [`Ledger::lost`] returns the missing food and energy.
    pub ledger: Ledger,
}

reading! {
    /// Sums over the present swarm and compares with the ledger.
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
    /// The ledger at the present step, with the turnover of all steps.
    pub(super) fn ledger_now(&mut self) -> Result<Ledger, Failure> {
        match self.engine.kept_now() {
            Some(copy) => Ok(self.ledger.plus(&copy.turnover)),
            None => Ok(self.account()?.ledger.turnover()),
        }
    }
}
