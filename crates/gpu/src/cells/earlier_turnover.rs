//! Births and deaths under earlier plans of an engine. Their readback from the device may be under way.

use murmuration_core::error::Failure;
use murmuration_core::state::Ledger;
use murmuration_core::ticket::{Patience, Ticket};
use parking_lot::Mutex;
use std::sync::Arc;

/// The turnover under earlier plans.
#[derive(Clone, Default)]
pub struct EarlierTurnover(Arc<Mutex<AwaitedTurnover>>);

#[derive(Default)]
struct AwaitedTurnover {
    known: Ledger,
    /// Requested totals that have not come yet. Their turnover replaces the known turnover.
    ticket: Option<Ticket<Ledger>>,
}

impl EarlierTurnover {
    /// The turnover of requested totals.
    pub fn from_ticket(ticket: Ticket<Ledger>) -> Self {
        Self(Arc::new(Mutex::new(AwaitedTurnover { ticket: Some(ticket), ..AwaitedTurnover::default() })))
    }

    /// The turnover. `None`: it has not come yet.
    ///
    /// # Errors
    /// If the device fails.
    pub fn take(&self, patience: Patience) -> Result<Option<Ledger>, Failure> {
        let mut own = self.0.lock();
        if let Some(ticket) = &mut own.ticket {
            let Some(totals) = ticket.take(patience)? else { return Ok(None) };
            *own = AwaitedTurnover { known: totals.turnover(), ticket: None };
        }
        Ok(Some(own.known))
    }

    /// Adds the earlier turnover to the totals under the present plan.
    pub fn added_to(&self, now: Ticket<Ledger>) -> Ticket<Ledger> {
        let before = self.clone();
        let before = Ticket::new(move |patience| before.take(patience));
        now.and(before).map(|(totals, before)| before.plus(&totals))
    }
}
