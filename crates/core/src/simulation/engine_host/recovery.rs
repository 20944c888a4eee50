//! What a host keeps of its swarm, and how it replaces an engine whose device is lost.

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

/// A copy is asked for to be kept when so many steps were played since the last one.
pub(super) const AT_LEAST: usize = 4096;
/// A GPU that is lost so often without getting any further is no longer tried.
pub const MAX_LOSSES: u32 = 3;
/// How often a GPU is looked for if nothing else can play the chain.
const TRIES: usize = 8;
/// How long to wait before a device that was lost is looked for again.
const PAUSE: Duration = Duration::from_millis(500);

/// A swarm that was read whole, and the steps played since.
pub struct RecoveryPoint {
    pub copy: SwarmCopy,
    /// The number of these steps after which points were seeded, and their parameters; `None`: none were seeded since.
    pub(super) seeded: Option<(usize, PointParameters)>,
    /// The capacities at that time; `None`: the capacities of the config's world.
    pub(super) capacities: Option<Vec<u32>>,
    pub steps: Steps,
    /// How often the device was lost since.
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

/// What a new engine is asked for between the steps that it plays again.
enum RecoveryRequest {
    Seed(PointParameters),
    Copy(SharedCopy),
}

impl EngineHost {
    /// The steps played since the last recovery point; none, where nothing is kept.
    pub fn steps_since_kept(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.steps.len())
    }

    /// Asks for a copy to be kept, if at least this many steps were played since the last one and none is on its way. Until it has come the
    /// last one stays, with the steps played since.
    pub(super) fn keep(&mut self, steps: usize) -> Result<(), Failure> {
        if self.next.is_none() && self.steps_since_kept() >= steps {
            drop(self.request_copy_to_keep(Scope::Full, steps)?);
        }
        Ok(())
    }

    /// Asks for a copy of the present swarm to be kept, and waits for nothing. Returns whether the present swarm is kept: what is no step, such as
    /// an input that changes the swarm or its rules, then waits for nothing either. Until then no step is to be played.
    ///
    /// # Errors
    /// If the device fails, and no other engine can go on.
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

    /// Whether the copy that is kept is of the present swarm, with its points.
    fn is_present_kept(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.steps.is_empty() && kept.seeded.is_none())
    }

    /// The copy that is kept, where it is of the present swarm. A page cannot wait for another one; elsewhere one is read anew.
    pub fn kept_now(&self) -> Option<&SwarmCopy> {
        let is_known = cfg!(target_family = "wasm") && self.is_present_kept();
        self.kept.as_ref().filter(|_| is_known).map(|kept| &kept.copy)
    }

    /// What came and went up to now.
    ///
    /// # Errors
    /// If the device fails, and no other engine can go on.
    pub fn turnover_now(&mut self) -> Result<Ledger, Failure> {
        match self.kept_now() {
            Some(copy) => Ok(copy.turnover),
            None => Ok(self.read(TotalsReading)?.turnover()),
        }
    }

    /// The points of the present swarm.
    ///
    /// # Errors
    /// If the device fails, and no other engine can go on.
    pub fn points_now(&mut self) -> Result<Option<Points>, Failure> {
        match self.kept_now() {
            Some(copy) => Ok(copy.points.clone()),
            None => self.read(PointsReading),
        }
    }

    /// Keeps the present swarm, and waits for it: what comes next is no step.
    pub(super) fn keep_present(&mut self) -> Result<(), Failure> {
        self.collect(Patience::Wait)?;
        // A device that is lost meanwhile takes the copy along.
        while self.steps_since_kept() > 0 {
            self.keep(1)?;
            self.collect(Patience::Wait)?;
        }
        Ok(())
    }

    /// Keeps the swarm, its points, and what came and went up to it, as they were after so many of the steps played since the last one.
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

    /// Replaces an engine that has failed, and brings the swarm to where it was.
    pub(super) fn recover(&mut self, why: &str) -> Result<(), Failure> {
        let Some(kept) = &mut self.kept else { return Err(Failure::Device(why.into())) };
        kept.losses += 1;
        self.next = None;
        self.ends.clear();
        self.gpu.iter().for_each(|gpu| gpu.discard());
        let is_hopeless = kept.losses > MAX_LOSSES;
        let (again, processor) = (self.choice, EngineChoice::Cpu(cpu::Options::default()));
        let mut choices = if is_hopeless { vec![processor] } else { vec![again, processor] };
        if !is_hopeless {
            // The kernel may run on a GPU only. One that is being reset comes back after a while.
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
        // Nobody is left to be asked.
        self.pending.clear();
        Err(Failure::Device(format!("{why}; no other engine can go on: {last}")))
    }

    /// Makes another engine, and plays on it what was played since the kept state. On the way it is asked for the copies that have not come.
    pub(super) fn replace(&mut self, choice: EngineChoice) -> Result<(), Failure> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let SwarmCopy { swarm, points, turnover } = &kept.copy;
        let (engine, gpu) = make(&self.host, choice, self.adapters, None, &self.config, swarm, self.host.ranks())?;
        let mut engine = self.prepared(engine, points)?;
        if let Some(capacities) = &kept.capacities {
            engine.common_mut().set_capacities(capacities)?;
        }
        engine.common_mut().set_step(self.step - kept.steps.len() as u64);
        let (mut steps, mut played) = (kept.steps.clone(), 0);
        let seeds = kept.seeded.map(|(after, parameters)| (after, RecoveryRequest::Seed(parameters)));
        // Points are seeded when all copies asked for before have come.
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
        // Only when this is known has the engine played them all.
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
