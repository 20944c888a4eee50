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
    /// The state on the lattice: the cells themselves, or the density and the mean velocity of the individuals in each
    /// cell. `None`: the swarm is of individuals, and [`Moment::lattice`] was not called.
    pub fn state(&self) -> Option<&State> {
        match &self.swarm {
            Swarm::Cells(state) => Some(state),
            Swarm::Individuals(..) => self.deposit.get(),
        }
    }
}

/// The pictures of a step: first without, then with a legend.
#[cfg(feature = "look")]
type Pictures = [Picture; 2];

/// A result that could not be written to its path: the path that was written instead, and the error.
pub type Elsewhere = (PathBuf, Failure);

/// Values of a run that its observers share, so that each value is computed once.
#[derive(Default)]
pub struct RunRecord {
    /// The swarm of the present step. `None`: the swarm was not read yet. `Some(None)`: another rank has the swarm.
    reading: Option<Option<Arc<SwarmReading>>>,
    #[cfg(feature = "look")]
    pictures: Option<Option<Arc<Pictures>>>,
    #[cfg(feature = "look")]
    pub(super) painter: FramePainter,
    provenance: Option<Arc<Provenance>>,
    /// The number of inputs of the replay that is played; `None`: no replay is played.
    pub(super) inputs: Option<u64>,
    /// The wall-clock time that was spent on playing steps.
    pub(super) step_time: Duration,
    notes: Vec<String>,
    /// All messages that observers have received.
    pub(super) said: Vec<String>,
    pub(super) elsewhere: Vec<Elsewhere>,
}

impl RunRecord {
    /// Drops the swarm and the pictures of the step before.
    pub(super) fn forget(&mut self) {
        self.reading = None;
        #[cfg(feature = "look")]
        {
            self.pictures = None;
        }
    }

    /// Messages for the user since the last call.
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

    /// The provenance record of the present step. During a replay it contains the number of all inputs of the replay.
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
    /// The model that plays the run, at its present step.
    pub model: &'r mut T,
    record: &'r mut RunRecord,
    /// The number of played steps, and the present step of the model.
    pub time: RunTime,
    /// Whether this step is the last step of the run.
    pub is_last: bool,
    /// Whether the run was stopped before its planned end.
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

    /// Adds a message for the user. The run lists it in [`Played::remarks`](super::Played::remarks).
    pub fn note(&mut self, message: String) {
        self.record.notes.push(message);
    }
}

impl Moment<'_> {
    /// The swarm at the present step. `None`: the cells were sent to the first rank, and this is another rank. Every
    /// rank makes this call.
    ///
    /// # Errors
    /// If the device fails, or another rank has ended.
    pub fn swarm(&mut self) -> Result<Option<Arc<SwarmReading>>, Failure> {
        if let Some(reading) = &self.record.reading {
            return Ok(reading.clone());
        }
        let begun = Instant::now();
        let swarm = self.model.swarm_on_first_rank()?;
        // Reading waits until a GPU has played its steps, so the time of reading counts as time of playing steps.
        self.record.step_time += begun.elapsed();
        let reading = swarm.map(|swarm| Arc::new(SwarmReading { swarm, deposit: OnceLock::new() }));
        self.record.reading = Some(reading.clone());
        Ok(reading)
    }

    /// As [`Self::swarm`], but [`SwarmReading::state`] of the result is never `None`.
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

    /// The picture of the swarm at the present step. `None`: the first rank has the picture, and this is another rank.
    /// Every rank makes this call.
    ///
    /// # Errors
    /// As [`FramePainter::paint`].
    #[cfg(feature = "look")]
    pub fn picture(&mut self) -> Result<Option<Picture>, Failure> {
        Ok(self.pictures()?.map(|pictures| pictures[0].clone()))
    }

    /// As [`Self::picture`], with a legend below the picture if it shows values.
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

    /// Draws the swarm. A swarm in the memory of a GPU device is drawn there. Several ranks each sum up their slab, and
    /// the picture is drawn from the sums.
    #[cfg(feature = "look")]
    fn paint(&mut self) -> Result<Option<Pictures>, Failure> {
        if self.record.painter.is_made_of_sums(self.model) {
            let pictures = FramePainter::picture_of_slabs(self.model)?;
            if !is_first_rank() {
                // Points stand for single boids in pictures. The first rank starts to store points when it draws, so
                // the other ranks do the same.
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

    /// The provenance record and the step, for results of this step.
    pub fn caption(&mut self) -> Caption {
        Caption { provenance: self.record.provenance(self.model), step: self.time.step }
    }

    /// Writes a result, and beside it a file with the provenance record and the keys of `more`. If the path cannot be
    /// written, another folder is tried, and the run lists the result in
    /// [`Played::elsewhere`](super::Played::elsewhere).
    ///
    /// # Errors
    /// If the result can be written to no folder.
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

    /// Writes a JSON object with the provenance record and the keys of `more`, as [`Self::write_result`] writes a
    /// result.
    pub(crate) fn write_text(&mut self, path: &Path, more: Map<String, Value>) -> Result<(), Failure> {
        let caption = self.caption();
        let text = caption.provenance.text_beside(caption.step, more);
        self.record.elsewhere.extend(write_somewhere(path, |to| to.write_all(text.as_bytes()))?);
        Ok(())
    }
}
