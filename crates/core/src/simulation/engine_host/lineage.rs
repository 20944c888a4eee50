//! The record of all lives of a swarm, which outlives engines as well.

use super::EngineHost;
use crate::engine::AnyEngine;
use crate::error::Failure;
use crate::individuals::lives::lineage::Lineage;
use crate::swarm::Swarm;

impl EngineHost {
    /// Records all lives from here on; those that live now are the founders.
    ///
    /// # Errors
    /// If the device fails, or has no room for what it is to note.
    pub fn record_lineage(&mut self) -> Result<(), Failure> {
        let agents = self.agents()?;
        self.attempt(|engine| engine.individuals()?.record_ends())?;
        self.lineage = Some(Lineage::begin(self.step, &agents));
        Ok(())
    }

    /// Ends the record.
    pub fn end_lineage(&mut self) {
        self.lineage = None;
        if let AnyEngine::Individuals(engine) = &mut self.engine {
            engine.stop_recording();
        }
    }

    /// Takes the ends of lives up to the present step from the engine. After a loss of its device they come from the last swarm that was
    /// kept on, and the record leaves out what it has.
    pub(super) fn extend_lineage(&mut self) -> Result<(), Failure> {
        if self.lineage.is_some() {
            let ends = self.attempt(|engine| engine.individuals()?.take_ends())?;
            self.lineage.iter_mut().for_each(|lineage| lineage.extend(&ends, self.step));
        }
        Ok(())
    }

    /// Begins the record anew where others live than before: a brush added or took some, or a step was undone.
    pub(super) fn begin_lineage_anew(&mut self, swarm: &Swarm) {
        if let (Some(lineage), Swarm::Agents(agents)) = (&mut self.lineage, swarm)
            && !lineage.is_of(agents)
        {
            *lineage = Lineage::begin(self.step, agents);
        }
    }
}
