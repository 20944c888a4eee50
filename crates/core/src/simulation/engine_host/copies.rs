//! Copies of the whole swarm. They are taken during the run and outlive engines.
//!
//! A copy is of the step of its request. A lost device loses the copies that are not ready. The host requests them from
//! the next engine when this engine has repeated the steps up to the copies' steps. A change that cannot be repeated,
//! such as a replaced swarm, waits for all copies.

use super::EngineHost;
use crate::engine::{AnyEngine, TotalsReading};
use crate::error::Failure;
use crate::parallel::lock;
use crate::points::{Points, PointsReading};
use crate::state::{Ledger, StateReading, Swarm, SwarmReading};
use crate::ticket::{Patience, ReadingSource, Ticket};
use std::sync::{Arc, Mutex, Weak};

/// A requested copy also becomes the recovery point if at least this many steps were run since the last recovery point.
const OFTEN: usize = 64;

/// The whole swarm between two steps.
#[derive(Clone)]
pub struct SwarmCopy {
    pub swarm: Swarm,
    /// Its points; `None` if they were not requested or the swarm has none.
    pub points: Option<Points>,
    /// The turnover up to the copy; meaningless if it was not requested.
    pub turnover: Ledger,
}

/// The contents of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Swarm,
    /// Points and turnover too.
    Full,
}

/// A requested copy. The host and the ticket share it. The host drops the copy together with the ticket.
pub struct PendingCopy {
    ticket: Ticket<SwarmCopy>,
    scope: Scope,
    value: Option<Arc<SwarmCopy>>,
    /// The failure of the device; `None`: the device has not failed.
    failure: Option<String>,
}

/// A copy for which the host and the requesting code wait.
pub type SharedCopy = Arc<Mutex<PendingCopy>>;

/// The requested copies, each with the number of steps between the last recovery point and the copy.
pub type PendingCopies = Vec<(usize, Weak<Mutex<PendingCopy>>)>;

impl PendingCopy {
    /// Takes the copy if it is ready. Returns whether the copy has been taken.
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

    /// Requests the copy from another engine. `before`: the turnover before this engine.
    fn ask_again(&mut self, engine: &mut AnyEngine, before: Ledger) -> Result<(), Failure> {
        (self.ticket, self.failure) = (counted(request(engine, self.scope)?, before), None);
        Ok(())
    }
}

/// The copies that are not ready, in order, each with the number of steps from the recovery point to the copy.
pub(super) fn awaited(pending: &PendingCopies) -> impl Iterator<Item = (usize, SharedCopy)> {
    let copies = pending.iter().filter_map(|(after, copy)| Some((*after, copy.upgrade()?)));
    copies.filter(|(_, copy)| lock(copy).value.is_none())
}

/// Requests a copy of another engine's present swarm. `before`: the turnover before this engine.
///
/// # Errors
/// If the device fails.
pub(super) fn ask_again(copy: &SharedCopy, engine: &mut AnyEngine, before: Ledger) -> Result<(), Failure> {
    lock(copy).ask_again(engine, before)
}

/// Takes a copy for the holder of the ticket; `None`: the copy is not ready.
fn take(copy: &SharedCopy, patience: Patience) -> Result<Option<SwarmCopy>, Failure> {
    let mut pending = lock(copy);
    match pending.collect(patience) {
        // The host requests the copy from the next engine.
        Err(Failure::Device(_)) if patience == Patience::Poll && Arc::weak_count(copy) > 0 => Ok(None),
        // The host may need the copy, too.
        Ok(_) => Ok(pending.value.clone().map(|value| {
            if Arc::strong_count(copy) == 1 {
                pending.value = None;
            }
            Arc::unwrap_or_clone(value)
        })),
        Err(failure) => Err(failure),
    }
}

/// Requests a copy of an engine's present swarm, with the turnover of this engine.
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

/// Adds the turnover of earlier engines to a copy.
fn counted(copy: Ticket<SwarmCopy>, before: Ledger) -> Ticket<SwarmCopy> {
    copy.map(move |copy| SwarmCopy { turnover: before.plus(&copy.turnover), ..copy })
}

impl ReadingSource<SwarmReading> for EngineHost {
    fn request(&mut self, _: SwarmReading) -> Result<Ticket<Swarm>, Failure> {
        Ok(self.request_copy(Scope::Swarm)?.map(|copy| copy.swarm))
    }
}

impl EngineHost {
    /// Requests a copy of the present swarm. If the device is lost before the copy is ready, a polled ticket waits for
    /// the next engine. Waiting for the ticket fails then, unless [`Self::collect`] was called before.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn request_copy(&mut self, scope: Scope) -> Result<Ticket<SwarmCopy>, Failure> {
        self.request_copy_to_keep(scope, OFTEN)
    }

    /// Requests a copy as [`Self::request_copy`]. If at least `steps` steps were run since the last recovery point, the
    /// copy becomes the next recovery point.
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
            // The record of lives must reach the recovery point.
            self.request_ends()?;
        }
        let ticket = self.attempt(|engine| request(engine, scope))?;
        // If the engine was replaced during the request, `turnover_before` has changed. So its value is taken after the
        // request.
        let ticket = counted(ticket, self.turnover_before);
        // Without recovery the engine has no device that can be lost alone, so the ticket needs no host.
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

    /// The requested copy of the present swarm that is not ready and has the contents of `scope` or more; `None`: no
    /// such copy was requested.
    fn copy_of_now(&self, scope: Scope) -> Option<SharedCopy> {
        // A change of the swarm between two steps waits for all copies. So a pending copy of the present step is a copy
        // of the present swarm.
        let of_now = self.pending.iter().filter(|(after, _)| *after == self.steps_since_kept());
        let mut copies = of_now.filter_map(|(_, copy)| copy.upgrade());
        copies.find(|copy| {
            let PendingCopy { scope: has, value, failure, .. } = &*lock(copy);
            [scope, Scope::Full].contains(has) && value.is_none() && failure.is_none()
        })
    }

    /// Takes the copies that are ready, or waits for all, and updates the recovery point. A lost device is replaced.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
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
            // Copies become ready in the order of their requests. The copy at `next` is ready, so the copies before it
            // are ready too, and waiting for them takes no time.
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
