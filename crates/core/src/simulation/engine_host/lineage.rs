//! The record of all lives of a swarm, which outlives engines as well.
//!
//! An engine notes which lives end. They are asked for every few steps, taken when they have come, and added to the record. After a loss of its
//! device the next engine notes them from the last recovery on, up to which the record always reaches, and the record leaves out what
//! it has.

use super::EngineHost;
use crate::engine::{AnyEngine, other_model};
use crate::error::Failure;
use crate::lives::lineage::{LifeEnd, LifeEndsReading, Lineage};
use crate::state::{Swarm, SwarmReading};
use crate::ticket::{Patience, ReadingSource, Ticket};
use std::collections::VecDeque;

/// The ends of lives are asked for when so many steps were played since the last time.
const STEPS_AT_ONCE: u64 = 16;

/// Ends of lives that were asked for, each with the step up to which they are.
pub(super) type PendingEnds = VecDeque<(u64, Ticket<Vec<LifeEnd>>)>;

impl EngineHost {
    /// Records all lives from here on. The individuals that live now are the founders. `is_whole`: whether the record keeps ended lives.
    ///
    /// # Errors
    /// If the device fails, or has no memory for what it is to note.
    pub fn record_lineage(&mut self, is_whole: bool) -> Result<(), Failure> {
        let Swarm::Individuals(individuals, _) = self.read(SwarmReading)? else { return Err(other_model()) };
        self.attempt(|engine| engine.individuals()?.record_ends())?;
        self.ends.clear();
        let lineage = Lineage::begin(self.step, &individuals);
        self.lineage = Some(if is_whole { lineage } else { lineage.of_the_living() });
        Ok(())
    }

    /// Goes on with the record of the host before this one, which had the same swarm.
    ///
    /// # Errors
    /// As [`Self::record_lineage`].
    pub fn continue_lineage(&mut self, before: &mut Self) -> Result<(), Failure> {
        if before.lineage.is_some() {
            before.update_lineage()?;
            self.attempt(|engine| engine.individuals()?.record_ends())?;
            self.lineage = before.lineage.take();
        }
        Ok(())
    }

    /// Ends the record.
    pub fn end_lineage(&mut self) {
        self.lineage = None;
        self.ends.clear();
        if let AnyEngine::Individuals(engine) = &mut self.engine {
            engine.stop_recording();
        }
    }

    /// Asks for the ends of lives up to the present step.
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

    /// The same, if it is some steps since the last time.
    pub(super) fn request_ends_often(&mut self) -> Result<(), Failure> {
        if self.step.saturating_sub(self.asked_until()) >= STEPS_AT_ONCE { self.request_ends() } else { Ok(()) }
    }

    /// The step up to which the ends of lives are known or were asked for.
    fn asked_until(&self) -> u64 {
        let asked = self.ends.back().map(|(until, _)| *until);
        asked.or(self.lineage.as_ref().map(Lineage::until)).unwrap_or(self.step)
    }

    /// Adds the ends of lives that have come to the record; waits for those up to a step.
    pub(super) fn collect_ends(&mut self, wait_until: u64) -> Result<(), Failure> {
        while let Some((until, ticket)) = self.ends.front_mut() {
            let patience = if *until <= wait_until { Patience::Wait } else { Patience::Poll };
            let Some(ends) = ticket.take(patience)? else { break };
            self.lineage.iter_mut().for_each(|lineage| lineage.extend(&ends, *until));
            self.ends.pop_front();
        }
        Ok(())
    }

    /// Waits until the record reaches the present step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn update_lineage(&mut self) -> Result<(), Failure> {
        self.retry(|host| {
            host.request_ends()?;
            host.collect_ends(host.step)
        })
    }

    /// Begins the record anew where others live than before: a brush added or took some, or a step was undone.
    pub(super) fn begin_lineage_anew(&mut self, swarm: &Swarm) {
        if let (Some(lineage), Swarm::Individuals(individuals, _)) = (&mut self.lineage, swarm) {
            lineage.follow(self.step, individuals);
        }
    }
}
