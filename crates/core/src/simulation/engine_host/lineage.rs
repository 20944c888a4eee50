//! Keeps the family tree of a swarm while engines are replaced.
//!
//! An engine notes the lives that end. Every few steps the host requests these ends, and adds them to the family tree
//! when they are ready. After a loss of the device, the next engine notes all ends since the recovery point again. The
//! tree is always complete up to the recovery point, and it ignores ends that it already has.

use super::EngineHost;
use crate::engine::{AnyEngine, other_model};
use crate::error::Failure;
use crate::lives::lineage::{LifeEnd, LifeEndsReading, Lineage};
use crate::state::{Swarm, SwarmReading};
use crate::ticket::{Patience, ReadingSource, Ticket};
use std::collections::VecDeque;

/// The max number of steps between two requests for the ends of lives.
const STEPS_AT_ONCE: u64 = 16;

/// Requested ends of lives. The number is the step up to which the ends are complete.
pub(super) type PendingEnds = VecDeque<(u64, Ticket<Vec<LifeEnd>>)>;

impl EngineHost {
    /// Begins a family tree. Its founders are the present individuals. `is_whole`: whether the tree keeps all ended
    /// lives. Otherwise it keeps only the living and their parents.
    ///
    /// # Errors
    /// If the device fails, or has too little memory for the ends of lives.
    pub fn record_lineage(&mut self, is_whole: bool) -> Result<(), Failure> {
        let Swarm::Individuals(individuals, _) = self.read(SwarmReading)? else { return Err(other_model()) };
        self.attempt(|engine| engine.individuals()?.record_ends())?;
        self.ends.clear();
        let lineage = Lineage::begin(self.step, &individuals);
        self.lineage = Some(if is_whole { lineage } else { lineage.of_the_living() });
        Ok(())
    }

    /// Takes the family tree of another host with an equal swarm, and continues it. Does nothing if that host has none.
    ///
    /// # Errors
    /// The errors of [`Self::record_lineage`].
    pub fn continue_lineage(&mut self, before: &mut Self) -> Result<(), Failure> {
        if before.lineage.is_some() {
            before.update_lineage()?;
            self.attempt(|engine| engine.individuals()?.record_ends())?;
            self.lineage = before.lineage.take();
        }
        Ok(())
    }

    /// Drops the family tree, and no longer notes the ends of lives.
    pub fn end_lineage(&mut self) {
        self.lineage = None;
        self.ends.clear();
        if let AnyEngine::Individuals(engine) = &mut self.engine {
            engine.stop_recording();
        }
    }

    /// Requests the ends of lives up to the present step, if there is a family tree.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_ends(&mut self) -> Result<(), Failure> {
        if self.lineage.is_some() && self.asked_until() < self.step {
            let ends = self.attempt(|engine| engine.request(LifeEndsReading))?;
            self.ends.push_back((self.step, ends));
        }
        Ok(())
    }

    /// Requests the ends of lives if the last request was [`STEPS_AT_ONCE`] or more steps ago.
    pub(super) fn request_ends_often(&mut self) -> Result<(), Failure> {
        if self.step.saturating_sub(self.asked_until()) >= STEPS_AT_ONCE { self.request_ends() } else { Ok(()) }
    }

    /// The step up to which the ends of lives are known or requested; the present step without a family tree.
    fn asked_until(&self) -> u64 {
        let asked = self.ends.back().map(|(until, _)| *until);
        asked.or(self.lineage.as_ref().map(Lineage::until)).unwrap_or(self.step)
    }

    /// Adds the ends of lives that are ready to the family tree. Waits for the ends up to the step `wait_until`.
    pub(super) fn collect_ends(&mut self, wait_until: u64) -> Result<(), Failure> {
        while let Some((until, ticket)) = self.ends.front_mut() {
            let patience = if *until <= wait_until { Patience::Wait } else { Patience::Poll };
            let Some(ends) = ticket.take(patience)? else { break };
            self.lineage.iter_mut().for_each(|lineage| lineage.extend(&ends, *until));
            self.ends.pop_front();
        }
        Ok(())
    }

    /// Waits until the family tree is complete up to the present step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn update_lineage(&mut self) -> Result<(), Failure> {
        self.retry(|host| {
            host.request_ends()?;
            host.collect_ends(host.step)
        })
    }

    /// Begins the family tree anew if individuals were added, removed or restored between two steps, as by a brush or
    /// an undo.
    pub(super) fn begin_lineage_anew(&mut self, swarm: &Swarm) {
        if let (Some(lineage), Swarm::Individuals(individuals, _)) = (&mut self.lineage, swarm) {
            lineage.follow(self.step, individuals);
        }
    }
}
