//! The present step of a run, as its observers see it.

use super::RunTime;
use crate::files::write_somewhere;
use crate::observe::Caption;
#[cfg(feature = "look")]
use crate::observe::Picture;
#[cfg(feature = "look")]
use crate::painter::FramePainter;
use crate::provenance::{Provenance, record_path};
#[cfg(feature = "look")]
use crate::ranks::is_first_rank;
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::{State, Swarm};
#[cfg(feature = "look")]
use murmuration_gpu::look::{keep_points, on_device};
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web_time::Instant;

/// A swarm that was read, and its state on the lattice.
#[derive(Debug)]
pub struct SwarmReading {
    /// The swarm.
    pub swarm: Swarm,
    deposit: OnceLock<State>,
}

impl SwarmReading {
    /// The state on the lattice: the cells themselves, or the density and the mean velocity of individuals.
    pub fn state(&self) -> Option<&State> {
        match &self.swarm {
            Swarm::Cells(state) => Some(state),
            Swarm::Individuals(..) => self.deposit.get(),
        }
    }
}

/// The pictures of a step: without and with a legend.
#[cfg(feature = "look")]
type Pictures = [Picture; 2];

/// A result that was written to another place than its path: the place, and the reason.
pub type Elsewhere = (PathBuf, Failure);

/// Facts about a run that its observers share.
#[derive(Default)]
pub struct RunRecord {
    /// The swarm of the present step, if it was read; `Some(None)`: another rank has it.
    reading: Option<Option<Arc<SwarmReading>>>,
    #[cfg(feature = "look")]
    pictures: Option<Option<Arc<Pictures>>>,
    #[cfg(feature = "look")]
    pub(super) painter: FramePainter,
    provenance: Option<Arc<Provenance>>,
    /// The inputs of the replay that is played.
    pub(super) inputs: Option<u64>,
    /// The time that was spent on steps.
    pub(super) step_time: Duration,
    notes: Vec<String>,
    /// All messages that observers have received.
    pub(super) said: Vec<String>,
    pub(super) elsewhere: Vec<Elsewhere>,
}

impl RunRecord {
    /// Drops the readings of the step before.
    pub(super) fn forget(&mut self) {
        self.reading = None;
        #[cfg(feature = "look")]
        {
            self.pictures = None;
        }
    }

    /// Messages since the last call.
    pub(super) fn remarks(&mut self) -> Vec<String> {
        #[cfg(feature = "look")]
        let painted = self.painter.remarks();
        #[cfg(not(feature = "look"))]
        let painted = Vec::new();
        [painted, std::mem::take(&mut self.notes)].concat()
    }

    /// The chain of the user's look; `None`: the built-in look.
    fn look(&self) -> Option<&Chain> {
        #[cfg(feature = "look")]
        return self.painter.look();
        #[cfg(not(feature = "look"))]
        None
    }

    /// The provenance of the present step. Of a replay it has all inputs.
    pub(super) fn provenance(&mut self, simulation: &Simulation) -> Arc<Provenance> {
        let known = match &self.provenance {
            Some(known) => known.renewed(simulation),
            None => Arc::new(Provenance::new(simulation).with_look(self.look())),
        };
        self.provenance = Some(known.clone());
        known.with_inputs(self.inputs.unwrap_or(known.inputs))
    }
}

/// The present step of a run. The swarm is read at most once for all observers, and drawn at most once.
pub struct Moment<'r, T = Simulation> {
    /// The model.
    pub model: &'r mut T,
    record: &'r mut RunRecord,
    /// The time of the run.
    pub time: RunTime,
    /// Whether the run has ended with this step.
    pub is_last: bool,
    /// Whether the run has ended early.
    pub is_stopped: bool,
}

impl<'r, T> Moment<'r, T> {
    pub(super) fn new(
        model: &'r mut T,
        record: &'r mut RunRecord,
        time: RunTime,
        [is_last, is_stopped]: [bool; 2],
    ) -> Self {
        Self { model, record, time, is_last, is_stopped }
    }

    /// Adds a message for the user.
    pub fn note(&mut self, message: String) {
        self.record.notes.push(message);
    }
}

impl Moment<'_> {
    /// The swarm; `None`: the first rank has the cells. Every rank makes this call.
    ///
    /// # Errors
    /// If the device fails, or another rank has ended.
    pub fn swarm(&mut self) -> Result<Option<Arc<SwarmReading>>, Failure> {
        if let Some(reading) = &self.record.reading {
            return Ok(reading.clone());
        }
        let begun = Instant::now();
        let swarm = self.model.swarm_on_first_rank()?;
        // Reading waits for the steps of a GPU. That time counts as time of the steps.
        self.record.step_time += begun.elapsed();
        let reading = swarm.map(|swarm| Arc::new(SwarmReading { swarm, deposit: OnceLock::new() }));
        self.record.reading = Some(reading.clone());
        Ok(reading)
    }

    /// The swarm, with its state on the lattice computed ([`SwarmReading::state`]).
    ///
    /// # Errors
    /// As [`Self::swarm`].
    pub fn lattice(&mut self) -> Result<Option<Arc<SwarmReading>>, Failure> {
        let reading = self.swarm()?;
        if let Some(reading) = reading.as_ref().filter(|reading| reading.state().is_none()) {
            reading.deposit.get_or_init(|| self.model.deposit(&reading.swarm).into_owned());
        }
        Ok(reading)
    }

    /// The picture of the swarm; `None`: the first rank has it. Every rank makes this call.
    ///
    /// # Errors
    /// As [`FramePainter::paint`].
    #[cfg(feature = "look")]
    pub fn picture(&mut self) -> Result<Option<Picture>, Failure> {
        Ok(self.pictures()?.map(|pictures| pictures[0].clone()))
    }

    /// The picture of the swarm, with a legend below it if its look shows values. `None` as for [`Self::picture`].
    ///
    /// # Errors
    /// As [`FramePainter::paint`].
    #[cfg(feature = "look")]
    pub fn picture_with_legend(&mut self) -> Result<Option<Picture>, Failure> {
        Ok(self.pictures()?.map(|pictures| pictures[1].clone()))
    }

    #[cfg(feature = "look")]
    fn pictures(&mut self) -> Result<Option<Arc<Pictures>>, Failure> {
        if let Some(pictures) = &self.record.pictures {
            return Ok(pictures.clone());
        }
        let pictures = self.paint()?.map(Arc::new);
        self.record.pictures = Some(pictures.clone());
        Ok(pictures)
    }

    /// Draws the swarm. A device draws it in its own memory. Slabs of several ranks give sums.
    #[cfg(feature = "look")]
    fn paint(&mut self) -> Result<Option<Pictures>, Failure> {
        if self.record.painter.is_made_of_sums(self.model) {
            let pictures = FramePainter::picture_of_slabs(self.model)?;
            if !is_first_rank() {
                // Ranks keep the points that the first rank draws.
                keep_points(self.model)?;
            }
            return Ok(pictures);
        }
        let reading = if on_device(self.model).is_none() { self.lattice()? } else { None };
        if !is_first_rank() {
            keep_points(self.model)?;
            return Ok(None);
        }
        let read = reading.as_ref().and_then(|reading| Some((&reading.swarm, reading.state()?)));
        let picture = self.record.painter.paint_step(self.model, read)?;
        let legended = self.record.painter.legended(&picture, self.model.preset());
        Ok(Some([picture, legended]))
    }

    /// The caption of results of this step.
    pub fn caption(&mut self) -> Caption {
        Caption { provenance: self.record.provenance(self.model), step: self.time.step }
    }

    /// Writes a result, and a record with more facts beside it. A result that its path does not take goes to another
    /// folder, and the run lists it ([`Played::elsewhere`](super::Played::elsewhere)).
    ///
    /// # Errors
    /// If no folder takes the result.
    pub(crate) fn write_result(
        &mut self,
        path: &Path,
        more: Map<String, Value>,
        write: impl FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let result = write_somewhere(path, write)?;
        let place = result.as_ref().map_or(path, |(place, _)| place).to_path_buf();
        self.record.elsewhere.extend(result);
        let caption = self.caption();
        let text = caption.provenance.text_beside(caption.step, more);
        let beside = record_path(&place).map(|path| write_somewhere(&path, |to| to.write_all(text.as_bytes())));
        self.record.elsewhere.extend(beside.transpose()?.flatten());
        Ok(())
    }

    /// Writes a result that contains its record, as [`Self::write_result`].
    pub(crate) fn write_text(&mut self, path: &Path, more: Map<String, Value>) -> Result<(), Failure> {
        let caption = self.caption();
        let text = caption.provenance.text_beside(caption.step, more);
        self.record.elsewhere.extend(write_somewhere(path, |to| to.write_all(text.as_bytes()))?);
        Ok(())
    }
}
