//! The recovery point of a host, and the replacement of an engine whose device is lost.

use super::copies::{Scope, SharedCopy, SwarmCopy, ask_again, awaited};
use super::{EngineHost, make};
use crate::engine::{CellSteps, Steps, TotalsReading, cpu};
use crate::error::Failure;
use crate::points::{PointParameters, Points, PointsReading};
use crate::simulation::EngineChoice;
use crate::state::{Ledger, Swarm};
use crate::text::one_line;
use crate::ticket::Patience;
use std::time::Duration;

/// A new recovery point is requested after this number of steps.
pub(super) const AT_LEAST: usize = 4096;
/// If the device is lost more often than this since the last recovery point, only the CPU is tried.
pub const MAX_LOSSES: u32 = 3;
/// The number of further tries to open a GPU if the CPU cannot run the chain.
const TRIES: usize = 8;
/// The time between two tries to open a GPU.
const PAUSE: Duration = Duration::from_millis(500);

/// A copy of the whole swarm, and the steps since this copy. A new engine repeats these steps.
pub struct RecoveryPoint {
    pub copy: SwarmCopy,
    /// The number of steps from the copy to the making of points, and the parameters of the points. `None`: no points
    /// were made since the copy.
    pub(super) seeded: Option<(usize, PointParameters)>,
    /// The capacity of each cell (quanta) at the copy; `None`: the capacities of the world in the configuration.
    pub(super) capacities: Option<Vec<u32>>,
    pub steps: Steps,
    /// The number of times that the device was lost since the copy.
    losses: u32,
}

impl RecoveryPoint {
    pub(super) fn new(copy: SwarmCopy) -> Self {
        let steps = match copy.swarm {
            Swarm::Cells(_) => Steps::Cells(CellSteps { parameters: Vec::new(), layers: 1 }),
            Swarm::Individuals(..) => Steps::Individuals(Vec::new()),
        };
        Self { copy, seeded: None, capacities: None, steps, losses: 0 }
    }
}

/// A request that a new engine answers while it repeats steps: making points, or copying the swarm.
enum RecoveryRequest {
    Seed(PointParameters),
    Copy(SharedCopy),
}

impl EngineHost {
    /// The number of steps since the recovery point; 0 without a recovery point.
    pub fn steps_since_kept(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.steps.len())
    }

    /// Requests a copy for a new recovery point. It does so if at least `steps` steps were run since the present
    /// recovery point, and no such request is pending. The present recovery point remains until the copy is ready.
    pub(super) fn keep(&mut self, steps: usize) -> Result<(), Failure> {
        if self.next.is_none() && self.steps_since_kept() >= steps {
            drop(self.request_copy_to_keep(Scope::Full, steps)?);
        }
        Ok(())
    }

    /// Requests the present swarm as the recovery point, and does not wait. Returns whether it is already the recovery
    /// point. If so, an input that changes the swarm or its rules need not wait for the device. If not, the caller must
    /// run no steps until this function returns true.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn keep_soon(&mut self) -> Result<bool, Failure> {
        if self.kept.is_none() {
            return Ok(true);
        }
        self.collect(Patience::Poll)?;
        if !self.is_present_kept() {
            self.keep(self.steps_since_kept().min(1))?;
        }
        Ok(self.is_present_kept())
    }

    /// Whether the recovery point is the present swarm with its points.
    fn is_present_kept(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.steps.is_empty() && kept.seeded.is_none())
    }

    /// The recovery point, if it is the present swarm and the program is a web page, which cannot wait for a new copy.
    /// `None` on other platforms, which read a new copy.
    pub fn kept_now(&self) -> Option<&SwarmCopy> {
        let is_known = cfg!(target_family = "wasm") && self.is_present_kept();
        self.kept.as_ref().filter(|_| is_known).map(|kept| &kept.copy)
    }

    /// The turnover since the start of the ledger, up to the present step.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn turnover_now(&mut self) -> Result<Ledger, Failure> {
        match self.kept_now() {
            Some(copy) => Ok(copy.turnover),
            None => Ok(self.read(TotalsReading)?.turnover()),
        }
    }

    /// The points of the present swarm; `None`: it has no points.
    ///
    /// # Errors
    /// If the device fails, and no other engine can continue.
    pub fn points_now(&mut self) -> Result<Option<Points>, Failure> {
        match self.kept_now() {
            Some(copy) => Ok(copy.points.clone()),
            None => self.read(PointsReading),
        }
    }

    /// Waits until the present swarm is the recovery point. This is needed before a change that is not a step.
    pub(super) fn keep_present(&mut self) -> Result<(), Failure> {
        self.collect(Patience::Wait)?;
        // If the device is lost meanwhile, the copy is lost too, so it is requested again.
        while self.steps_since_kept() > 0 {
            self.keep(1)?;
            self.collect(Patience::Wait)?;
        }
        Ok(())
    }

    /// Replaces the recovery point, if there is one, by a swarm with its points and its turnover. `after`: the number
    /// of steps from the present recovery point to this swarm.
    pub(super) fn keep_swarm(&mut self, swarm: &Swarm, points: Option<Points>, turnover: Ledger, after: usize) {
        if let Some(kept) = &mut self.kept {
            match (&mut kept.copy.swarm, swarm) {
                (Swarm::Cells(kept), Swarm::Cells(state)) => kept.clone_from(state),
                (kept, swarm) => *kept = swarm.clone(),
            }
            (kept.copy.points, kept.copy.turnover) = (points, turnover);
            (kept.seeded, kept.losses) = (None, 0);
            drop(kept.steps.take_first(after));
        }
    }

    /// Makes a new engine after the device was lost, and repeats the steps since the recovery point. `why`: a text that
    /// tells the user about the loss.
    pub(super) fn recover(&mut self, why: &str) -> Result<(), Failure> {
        let Some(kept) = &mut self.kept else { return Err(Failure::Device(why.into())) };
        kept.losses += 1;
        self.next = None;
        self.ends.clear();
        self.gpu.iter().for_each(|gpu| gpu.discard());
        let is_hopeless = kept.losses > MAX_LOSSES;
        let again = self.choice;
        let processor = EngineChoice::Cpu(cpu::Options::default());
        let mut choices = if is_hopeless { vec![processor] } else { vec![again, processor] };
        if !is_hopeless {
            // The chain may need a GPU. A GPU that is being reset can be opened again after a while.
            choices.extend([again; TRIES]);
        }
        let mut last = Failure::Device(why.into());
        for (index, choice) in choices.into_iter().enumerate() {
            if index > 1 {
                self.host.pause(PAUSE);
            }
            match self.replace(choice) {
                Ok(()) => {
                    let now = if choice == processor { "the CPU goes on" } else { "it was opened again" };
                    self.remarks.push(one_line(&format!("{why}; {now}, and nothing is missing")));
                    return Ok(());
                }
                Err(failure) if choice == again => last = failure,
                Err(_) => {}
            }
        }
        // There is no engine that could make the requested copies.
        self.pending.clear();
        Err(Failure::Device(format!("{why}; no other engine can go on: {last}")))
    }

    /// Makes a new engine and repeats the steps since the recovery point. At their steps it requests again the copies
    /// that are not ready.
    pub(super) fn replace(&mut self, choice: EngineChoice) -> Result<(), Failure> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let SwarmCopy { swarm, points, turnover } = &kept.copy;
        let (engine, gpu) = make(&self.host, choice, self.adapters, None, &self.config, swarm, self.host.ranks())?;
        let mut engine = self.prepared(engine, points)?;
        if let Some(capacities) = &kept.capacities {
            engine.common_mut().set_capacities(capacities)?;
        }
        engine.common_mut().set_step(self.step - kept.steps.len() as u64);
        let mut steps = kept.steps.clone();
        let mut played = 0;
        let seeds = kept.seeded.map(|(after, parameters)| (after, RecoveryRequest::Seed(parameters)));
        // Points are made only when all copies that were requested before are ready. So points come before these
        // copies.
        let copies = awaited(&self.pending).map(|(after, copy)| (after, RecoveryRequest::Copy(copy)));
        for (after, request) in seeds.into_iter().chain(copies) {
            engine.play(&steps.take_first(after - played))?;
            played = after;
            match request {
                RecoveryRequest::Seed(parameters) => engine.lattice()?.seed_points(parameters)?,
                RecoveryRequest::Copy(copy) => ask_again(&copy, &mut engine, *turnover)?,
            }
        }
        engine.play(&steps)?;
        // The totals are ready only when the engine has finished all steps.
        engine.common_mut().request(TotalsReading)?.wait()?;
        (self.choice, self.engine, self.gpu) = (choice, engine, gpu);
        self.turnover_before = *turnover;
        self.preparations[0] += 1;
        if self.gpu.is_none() {
            self.kept = None;
        }
        Ok(())
    }
}
