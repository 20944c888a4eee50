//! Copies of the whole swarm, which are taken while it goes on and outlive engines.
//!
//! A copy is of the moment at which it was asked for. A device that is lost takes the copies along that have not come; the host asks the next
//! engine for them when that has played the steps up to their moments. What cannot be played again, such as another swarm, waits for them.

use super::EngineHost;
use crate::engine::{AnyEngine, TotalsReading};
use crate::error::Failure;
use crate::points::{Points, PointsReading};
use crate::state::{Ledger, StateReading, Swarm, SwarmReading};
use crate::ticket::{Patience, ReadingSource, Ticket};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A copy that is asked for anyway is kept for the recovery when so many steps were played since the last one.
const OFTEN: usize = 64;

/// The whole swarm between two steps.
#[derive(Clone)]
pub struct SwarmCopy {
    pub swarm: Swarm,
    /// Its points; `None` if they were not asked for, or if there are none.
    pub points: Option<Points>,
    /// The turnover up to the copy; without a meaning if it was not asked for.
    pub turnover: Ledger,
}

/// What a copy has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Swarm,
    /// Points and turnover too.
    Full,
}

/// A copy that was asked for. The host and the ticket share it; the host lets it go with the ticket.
pub struct PendingCopy {
    ticket: Ticket<SwarmCopy>,
    scope: Scope,
    value: Option<Arc<SwarmCopy>>,
    /// The failure of the device that was asked; `None`: it has not failed.
    failure: Option<String>,
}

/// A copy that the host and whoever asked for it wait for.
pub type SharedCopy = Arc<Mutex<PendingCopy>>;

/// The copies that were asked for, each with the steps that were played before it since the last recovery point.
pub type PendingCopies = Vec<(usize, Weak<Mutex<PendingCopy>>)>;

fn lock(copy: &SharedCopy) -> MutexGuard<'_, PendingCopy> {
    copy.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PendingCopy {
    /// Takes the copy if it has come. Returns whether it is there.
    fn collect(&mut self, patience: Patience) -> Result<bool, Failure> {
        if self.value.is_none() && self.failure.is_none() {
            match self.ticket.take(patience) {
                Ok(copy) => self.value = copy.map(Arc::new),
                Err(Failure::Device(why)) => self.failure = Some(why),
                Err(failure) => return Err(failure),
            }
        }
        self.failure.clone().map_or(Ok(self.value.is_some()), |why| Err(Failure::Device(why)))
    }

    /// Asks another engine for the copy. `before`: what came and went before that engine.
    fn ask_again(&mut self, engine: &mut AnyEngine, before: Ledger) -> Result<(), Failure> {
        (self.ticket, self.failure) = (counted(request(engine, self.scope)?, before), None);
        Ok(())
    }
}

/// The copies that have not come, in their order, each with the steps before it.
pub(super) fn awaited(pending: &PendingCopies) -> impl Iterator<Item = (usize, SharedCopy)> {
    let copies = pending.iter().filter_map(|(after, copy)| Some((*after, copy.upgrade()?)));
    copies.filter(|(_, copy)| lock(copy).value.is_none())
}

/// Asks another engine for the copy of its present swarm. `before`: what came and went before that engine.
///
/// # Errors
/// If the device fails.
pub(super) fn ask_again(copy: &SharedCopy, engine: &mut AnyEngine, before: Ledger) -> Result<(), Failure> {
    lock(copy).ask_again(engine, before)
}

/// Takes a copy for whoever asked for it.
fn take(copy: &SharedCopy, patience: Patience) -> Result<Option<SwarmCopy>, Failure> {
    let mut pending = lock(copy);
    match pending.collect(patience) {
        // The host asks the next engine.
        Err(Failure::Device(_)) if patience == Patience::Poll && Arc::weak_count(copy) > 0 => Ok(None),
        // The host may want it too.
        Ok(_) => Ok(pending.value.clone().map(|value| {
            if Arc::strong_count(copy) == 1 {
                pending.value = None;
            }
            Arc::unwrap_or_clone(value)
        })),
        Err(failure) => Err(failure),
    }
}

/// Asks an engine for a copy of its present swarm, with what came and went by this engine.
fn request(engine: &mut AnyEngine, scope: Scope) -> Result<Ticket<SwarmCopy>, Failure> {
    let swarm = match engine {
        AnyEngine::Lattice(engine) => engine.request(StateReading)?.map(Swarm::Cells),
        AnyEngine::Individuals(engine) => engine.request(SwarmReading)?,
    };
    if scope == Scope::Swarm {
        return Ok(swarm.map(|swarm| SwarmCopy { swarm, points: None, turnover: Ledger::default() }));
    }
    let all = swarm.and(engine.request(PointsReading)?).and(engine.common_mut().request(TotalsReading)?);
    Ok(all.map(|((swarm, points), totals)| SwarmCopy { swarm, points, turnover: totals.turnover() }))
}

/// A copy with what came and went by earlier engines as well.
fn counted(copy: Ticket<SwarmCopy>, before: Ledger) -> Ticket<SwarmCopy> {
    copy.map(move |copy| SwarmCopy { turnover: before.plus(&copy.turnover), ..copy })
}

impl ReadingSource<SwarmReading> for EngineHost {
    fn request(&mut self, _: SwarmReading) -> Result<Ticket<Swarm>, Failure> {
        Ok(self.request_copy(Scope::Swarm)?.map(|copy| copy.swarm))
    }
}

impl EngineHost {
    /// Asks for a copy of the present swarm. Where the device is lost before it has come, a ticket that is polled waits for the next engine; one
    /// that is waited for fails, unless [`Self::collect`] was called before.
    ///
    /// # Errors
    /// If the device fails, and no other engine can go on.
    pub fn request_copy(&mut self, scope: Scope) -> Result<Ticket<SwarmCopy>, Failure> {
        self.request_copy_to_keep(scope, OFTEN)
    }

    /// The same. If at least this many steps were played since the last recovery point, the copy is the next one.
    pub(super) fn request_copy_to_keep(&mut self, scope: Scope, steps: usize) -> Result<Ticket<SwarmCopy>, Failure> {
        if let Some(copy) = self.kept_now() {
            return Ok(Ticket::ready(copy.clone()));
        }
        let after = self.steps_since_kept();
        let is_kept = self.next.is_none() && after >= steps;
        let scope = if is_kept { Scope::Full } else { scope };
        if let Some(copy) = self.copy_of_now(scope) {
            if is_kept {
                self.next = Some((after, copy.clone()));
            }
            return Ok(Ticket::new(move |patience| take(&copy, patience)));
        }
        self.readbacks += u64::from(self.gpu.is_some());
        if is_kept {
            // The record of lives is to reach the recovery point.
            self.request_ends()?;
        }
        let ticket = self.attempt(|engine| request(engine, scope))?;
        // An engine that was lost just now may have counted some of it.
        let ticket = counted(ticket, self.turnover_before);
        // The engine needs no device, or is a rank of several: the copy is there.
        if self.kept.is_none() {
            return Ok(ticket);
        }
        let copy = Arc::new(Mutex::new(PendingCopy { ticket, scope, value: None, failure: None }));
        let after = self.steps_since_kept();
        self.pending.push((after, Arc::downgrade(&copy)));
        if is_kept {
            self.next = Some((after, copy.clone()));
        }
        Ok(Ticket::new(move |patience| take(&copy, patience)))
    }

    /// A copy of the present swarm with at least this scope that was asked for before and has not come.
    fn copy_of_now(&self, scope: Scope) -> Option<SharedCopy> {
        // What changes the swarm between two steps waits for all copies.
        let of_now = self.pending.iter().filter(|(after, _)| *after == self.steps_since_kept());
        let mut copies = of_now.filter_map(|(_, copy)| copy.upgrade());
        copies.find(|copy| {
            let PendingCopy { scope: has, value, failure, .. } = &*lock(copy);
            [scope, Scope::Full].contains(has) && value.is_none() && failure.is_none()
        })
    }

    /// Takes the copies that have come, or waits for all, and keeps the one from which to go on after a loss. A device that is lost is replaced.
    ///
    /// # Errors
    /// If the device fails, and no other engine can go on.
    pub fn collect(&mut self, patience: Patience) -> Result<(), Failure> {
        self.retry(|host| host.collect_once(patience))
    }

    fn collect_once(&mut self, patience: Patience) -> Result<(), Failure> {
        let next = match &self.next {
            Some((after, copy)) => lock(copy).collect(patience)?.then_some(*after),
            None => None,
        };
        let played_since = self.steps_since_kept();
        self.collect_ends(next.map_or(0, |after| self.step - (played_since - after) as u64))?;
        for (after, copy) in &self.pending {
            // What was asked for earlier has come earlier.
            let patience = if next.is_some_and(|next| *after <= next) { Patience::Wait } else { patience };
            copy.upgrade().map_or(Ok(true), |copy| lock(&copy).collect(patience))?;
        }
        self.pending.retain(|(_, copy)| copy.upgrade().is_some_and(|copy| lock(&copy).value.is_none()));
        if let (Some(after), Some((_, copy))) = (next, self.next.take_if(|_| next.is_some())) {
            self.pending.iter_mut().for_each(|(steps, _)| *steps -= after);
            if let Some(copy) = &lock(&copy).value {
                self.keep_swarm(&copy.swarm, copy.points.clone(), copy.turnover, after);
            }
        }
        Ok(())
    }
}
