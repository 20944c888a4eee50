//! Measurements of a running simulation for snapshots. Every snapshot has an account. Metrics, times of passes and the
//! values at the probe are measured less often. A value is requested, arrives some snapshots later, and has the number
//! of its step. The controller waits only for the first account and the first metrics of a scene.

use super::scene::ProbeTarget;
use crate::observe::features::FeatureMeasures;
use crate::observe::{LivelinessSampler, Observation};
use murmuration_core::error::Failure;
use murmuration_core::individuals::find::{IndividualQuery, LineOfSight};
use murmuration_core::measures::MeasuresReading;
use murmuration_core::measures::liveliness::{LivelinessReading, SwarmSample};
use murmuration_core::numbers::BOID;
use murmuration_core::simulation::probe::{IndividualProbe, IndividualProbeReading, Probe, ProbeReading};
use murmuration_core::simulation::reading::AccountReading;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::state::{ColumnsReading, WorldColumns};
use murmuration_core::ticket::{Patience, Ticket};
use murmuration_core::world::{Edges, World};
use murmuration_gpu::look::SwarmSource;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The minimum time between two measurements. The metrics read every cell.
const INTERVAL: Duration = Duration::from_millis(120);
/// The maximum number of cells, and of individuals, of a swarm in memory whose liveliness is measured. A sample for the
/// liveliness reads the whole swarm.
const MAX_SAMPLED: [u64; 2] = [1 << 20, 1 << 17];
/// The maximum number of blocks of cells in a sample for the liveliness. A device sends two words for each block. From
/// these words the CPU finds the groups of the swarm.
const MAX_BLOCKS: usize = 1 << 18;
/// The weight of a new pass time in the exponential average of pass times, from 0 to 1.
const SMOOTHING: f64 = 0.15;

/// The last measurements of a swarm, and the requests for the next ones.
#[derive(Default)]
pub struct Readings {
    account: PolledValue<Account>,
    metrics: PolledValue<Arc<Observation>>,
    /// Computes the liveliness in the metrics from samples. `None` before the first sample is requested.
    liveliness: Option<LivelinessSampler>,
    /// The samples for the liveliness that were requested and have not arrived, oldest first.
    samples: VecDeque<PendingSample>,
    /// The time at which the last metrics were requested.
    measured: Duration,
    /// The kernel of each pass, and the smoothed seconds per step that the pass takes.
    pub passes: Arc<Vec<(String, f64)>>,
    probe: PolledValue<Arc<Probe>>,
    columns: PolledValue<Arc<WorldColumns>>,
    individual: PolledValue<FoundIndividual>,
    /// The target of the probe, and the place of an endless world's window in which the user saw the target.
    probed: Option<(ProbeTarget, Option<[i64; 3]>)>,
    /// The line of sight of the probe, until an individual is found on it.
    line: Option<SeenLine>,
    /// The number of the individual that was found last.
    number: Option<u32>,
}

/// A requested sample for the liveliness, its step, and the place of an endless world's window at this step.
struct PendingSample {
    step: u64,
    origin: Option<[i64; 3]>,
    sample: Ticket<SwarmSample>,
}

/// A line of sight, and the place of an endless world's window in which the line was seen.
type SeenLine = (LineOfSight, Option<[i64; 3]>);

/// The line of sight that was searched, if there was one, and the individual that was found.
type FoundIndividual = (Option<SeenLine>, Option<Arc<IndividualProbe>>);

/// A value that is requested repeatedly while the swarm changes.
pub(super) struct PolledValue<T> {
    /// The last value that has arrived.
    value: Option<T>,
    /// The request for the next value, until the value arrives.
    ticket: Option<Ticket<T>>,
    /// Whether the swarm has changed since the request.
    is_outdated: bool,
}

impl<T> Default for PolledValue<T> {
    fn default() -> Self {
        Self { value: None, ticket: None, is_outdated: true }
    }
}

impl<T: Send + 'static> PolledValue<T> {
    /// Whether a requested value has not arrived yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.ticket.is_some()
    }

    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
    }

    /// Takes the requested value if it has arrived. Returns whether it has arrived.
    pub(super) fn collect(&mut self, patience: Patience) -> Result<bool, Failure> {
        let Some(ticket) = &mut self.ticket else { return Ok(false) };
        let taken = ticket.take(patience);
        if !matches!(taken, Ok(None)) {
            self.ticket = None;
        }
        // A value that failed is requested again.
        let value = taken.inspect_err(|_| self.is_outdated = true)?;
        let has_arrived = value.is_some();
        self.value = value.or(self.value.take());
        Ok(has_arrived)
    }

    /// Takes the requested value without waiting for it. If the device has failed, replaces the device, and returns
    /// `true`.
    pub(super) fn poll(&mut self, simulation: &mut Simulation) -> Result<bool, Failure> {
        match self.collect(Patience::Poll) {
            Err(Failure::Device(_)) => simulation.recover().map(|()| true),
            collected => collected,
        }
    }

    /// Sets the request for the next value.
    pub(super) fn expect(&mut self, ticket: Ticket<T>) {
        self.ticket = Some(ticket);
    }

    /// Removes and returns the last value.
    pub(super) fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    /// Requests the value if it is outdated and not requested yet. Takes the value if it has arrived. A failed device
    /// is replaced once.
    fn update(
        &mut self,
        simulation: &mut Simulation,
        patience: Patience,
        mut ask: impl FnMut(&mut Simulation) -> Result<Ticket<T>, Failure>,
    ) -> Result<(), Failure> {
        let mut once = |simulation: &mut Simulation| {
            if self.ticket.is_none() && std::mem::take(&mut self.is_outdated) {
                self.ticket = Some(ask(simulation).inspect_err(|_| self.is_outdated = true)?);
            }
            self.collect(patience)
        };
        match once(simulation) {
            Err(Failure::Device(_)) => {
                simulation.recover()?;
                once(simulation).map(drop)
            }
            updated => updated.map(drop),
        }
    }
}

impl PolledValue<Account> {
    /// The account of the present step, or of a step shortly before. Waits for the first account if `patience` allows.
    /// `None` until the first account has arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub(super) fn account(
        &mut self,
        simulation: &mut Simulation,
        patience: Patience,
    ) -> Result<Option<Account>, Failure> {
        let patience = if self.value.is_none() { patience } else { Patience::Poll };
        self.update(simulation, patience, |simulation| simulation.request(AccountReading))?;
        Ok(self.value)
    }
}

impl Readings {
    /// Starts the readings of another scene. `origin`: the place of its window, if its world is endless. The probe
    /// keeps its place in the window.
    pub fn begin_scene(&mut self, origin: Option<[i64; 3]>) {
        self.probed.iter_mut().for_each(|(_, from)| *from = origin);
        self.begin_anew();
    }

    /// Starts the readings of another swarm. The probe keeps its target.
    pub fn begin_anew(&mut self) {
        let probed = self.probed;
        *self = Self::default();
        self.set_probed(probed);
    }

    /// Notes that the swarm has changed, so that values are requested again.
    pub fn outdate(&mut self) {
        self.account.outdate();
        self.metrics.outdate();
        self.columns.outdate();
        self.individual.outdate();
    }

    /// Whether a requested value has not arrived yet.
    pub fn is_waiting(&self) -> bool {
        let Self { account, metrics, probe, columns, individual, .. } = self;
        let is_waiting = account.is_waiting() || metrics.is_waiting() || probe.is_waiting();
        is_waiting || columns.is_waiting() || individual.is_waiting()
    }

    /// Takes the requested values that have arrived. Returns whether any value has arrived.
    ///
    /// # Errors
    /// If the device has failed and no engine can go on.
    pub fn collect(&mut self, simulation: &mut Simulation) -> Result<bool, Failure> {
        self.collect_samples();
        let Self { account, metrics, probe, columns, individual, .. } = self;
        let of_swarm = account.poll(simulation)? | metrics.poll(simulation)? | columns.poll(simulation)?;
        Ok(of_swarm | probe.poll(simulation)? | individual.poll(simulation)?)
    }

    /// The number of steps from the present step to the next step at which a sample for the liveliness is due.
    /// `u64::MAX` if the swarm is not sampled.
    pub fn until_sample(simulation: &Simulation) -> u64 {
        if is_sampled(simulation) { LivelinessSampler::until_next(simulation.step()) } else { u64::MAX }
    }

    /// Requests a sample of the present step for the liveliness, if a sample is due.
    ///
    /// # Errors
    /// If the device fails.
    pub fn sample(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let step = simulation.step();
        if !is_sampled(simulation) {
            return Ok(());
        }
        self.collect_samples();
        let blocks = LivelinessSampler::blocks_of(simulation.preset());
        if self.liveliness.as_ref().is_none_or(|sampler| *sampler.blocks() != blocks) {
            let sampler = LivelinessSampler::from_preset(simulation.preset());
            (self.liveliness, self.samples) = (Some(sampler), VecDeque::new());
        }
        let is_due = self.liveliness.as_ref().is_some_and(|sampler| sampler.is_due(step));
        // The sample of this step may have been requested already.
        if is_due && self.samples.back().is_none_or(|last| last.step != step) {
            let (origin, sample) = (simulation.origin(), simulation.request(LivelinessReading { blocks })?);
            self.samples.push_back(PendingSample { step, origin, sample });
        }
        Ok(())
    }

    /// Takes the samples that have arrived. A failed sample is a gap, after which the measurement of the liveliness
    /// starts again.
    fn collect_samples(&mut self) {
        while let Some(PendingSample { step, origin, sample }) = self.samples.front_mut() {
            match sample.take(Patience::Poll) {
                Ok(Some(sample)) => {
                    if let Some(sampler) = &mut self.liveliness {
                        sampler.add_sample(*step, &sample, *origin);
                    }
                }
                Ok(None) => return,
                Err(_) => {}
            }
            self.samples.pop_front();
        }
    }

    /// The account of the present step, or of a step shortly before. `None` until the first account has arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub fn account(&mut self, simulation: &mut Simulation, patience: Patience) -> Result<Option<Account>, Failure> {
        self.account.account(simulation, patience)
    }

    /// The columns of the world, such as falcons, at the present step or a step shortly before. Empty until the first
    /// ones have arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub fn columns(&mut self, simulation: &mut Simulation) -> Result<Arc<WorldColumns>, Failure> {
        let ask = |simulation: &mut Simulation| Ok(simulation.request(ColumnsReading)?.map(Arc::new));
        self.columns.update(simulation, Patience::Poll, ask)?;
        Ok(self.columns.value.clone().unwrap_or_default())
    }

    /// The last metrics. If the swarm has changed, they are requested again every [`INTERVAL`], or at once with
    /// `is_forced`. The values at the probe and the times of passes are measured at the same times. Waits for the first
    /// metrics if `patience` allows. `None` until the first metrics have arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub fn metrics(
        &mut self,
        simulation: &mut Simulation,
        source: &SwarmSource,
        world: &Arc<World>,
        now: Duration,
        is_forced: bool,
        patience: Patience,
    ) -> Result<Option<Arc<Observation>>, Failure> {
        let is_first = self.metrics.value.is_none();
        let is_due = is_first || is_forced || now.saturating_sub(self.measured) >= INTERVAL;
        if is_due && self.metrics.is_outdated && self.metrics.ticket.is_none() {
            self.measured = now;
            self.probe.is_outdated = true;
            self.update_passes(simulation);
            let patience = if is_first { patience } else { Patience::Poll };
            self.collect_samples();
            let liveliness = self.liveliness.as_ref().and_then(LivelinessSampler::value);
            self.metrics.update(simulation, patience, |simulation| {
                let metrics = request_metrics(simulation, source, world.clone())?;
                Ok(metrics.map(move |metrics| Arc::new(Observation { liveliness, ..metrics })))
            })?;
        }
        Ok(self.metrics.value.clone())
    }

    /// Sets the target of the probe, and the place of an endless world's window in which the target was seen. `None`
    /// ends the probe.
    pub fn set_probed(&mut self, target: Option<(ProbeTarget, Option<[i64; 3]>)>) {
        self.probed = target;
        // A requested value names its cell or line, so a value for the old target is not taken for the new target.
        match target {
            Some((ProbeTarget::Cell(_), _)) => self.probe.outdate(),
            Some((ProbeTarget::Individual(line), origin)) => {
                self.line = Some((line, origin));
                self.individual.outdate();
            }
            None => (self.probe, self.line) = (PolledValue::default(), None),
        }
    }

    /// The last values of the probed cell, requested again if they are due.
    ///
    /// # Errors
    /// If the request fails. The probe then ends.
    pub fn probe(&mut self, simulation: &mut Simulation) -> Result<Option<Arc<Probe>>, Failure> {
        let extents = simulation.preset().world.extents;
        let origin = simulation.origin();
        if let Some((ProbeTarget::Cell(cell), from)) = &mut self.probed
            && *from != origin
        {
            // The target keeps its place in the world. The last values belong to the window at its earlier place.
            (*cell, *from) = (simulation.cell_from(*cell, *from), origin);
            self.probe = PolledValue::default();
        }
        let cell = match self.probed {
            Some((ProbeTarget::Cell(cell), _)) => Some(cell),
            _ => None,
        };
        let Some(cell) = cell.filter(|cell| extents.deep_index(*cell, Edges::Walls).is_some()) else {
            self.probe = PolledValue::default();
            return Ok(None);
        };
        let ask = |simulation: &mut Simulation| Ok(simulation.request(ProbeReading { cell })?.map(Arc::new));
        let updated = self.probe.update(simulation, Patience::Poll, ask);
        updated.inspect_err(|_| self.set_probed(None))?;
        Ok(self.probe.value.clone())
    }

    /// The last known state of the probed individual. If no individual is on the line of sight, the probe keeps the
    /// individual that it found before.
    ///
    /// # Errors
    /// If the request fails. The probe then ends.
    pub fn individual(&mut self, simulation: &mut Simulation) -> Result<Option<Arc<IndividualProbe>>, Failure> {
        if !matches!(self.probed, Some((ProbeTarget::Individual(_), _))) || simulation.preset().individuals.is_none() {
            (self.individual, self.number) = (PolledValue::default(), None);
            return Ok(None);
        }
        // The window may have moved since the line was seen, and may move before the next search.
        let (seen, number) = (self.line, self.number);
        let ask = |simulation: &mut Simulation| {
            let line = seen.map(|(line, origin)| simulation.line_from(line, origin));
            let found = simulation.request(IndividualProbeReading { query: IndividualQuery { line, number } })?;
            Ok(found.map(move |probe| (seen, probe.map(Arc::new))))
        };
        let updated = self.individual.update(simulation, Patience::Poll, ask);
        updated.inspect_err(|_| self.set_probed(None))?;
        let Some((seen, Some(probe))) = &self.individual.value else { return Ok(None) };
        self.number = Some(probe.individual.number);
        if *seen == self.line {
            self.line = None;
        }
        Ok(Some(probe.clone()))
    }

    /// Averages the times of the passes with the times of the last measured step.
    fn update_passes(&mut self, simulation: &Simulation) {
        let now = simulation.seconds_by_pass();
        let is_known = self.passes.iter().map(|(name, _)| name.as_str()).eq(now.iter().map(|(name, _)| *name));
        let weight = if is_known { SMOOTHING } else { 1.0 };
        let before = self.passes.iter().map(|(_, seconds)| *seconds).chain(std::iter::repeat(0.0));
        let smooth =
            |((name, seconds), before): (&(_, f64), f64)| (String::from(*name), before + weight * (seconds - before));
        self.passes = Arc::new(now.iter().zip(before).map(smooth).collect());
    }
}

/// Whether the liveliness of a swarm is measured. The swarm has at most [`MAX_BLOCKS`] blocks, and if it is in memory,
/// at most [`MAX_SAMPLED`] cells or individuals.
fn is_sampled(simulation: &Simulation) -> bool {
    let preset = simulation.preset();
    if LivelinessSampler::blocks_of(preset).extents().cells() > MAX_BLOCKS {
        return false;
    }
    let [cells, individuals] = MAX_SAMPLED;
    simulation.on_device().is_some()
        || match preset.individuals {
            Some(_) => preset.start_spec.quanta() / u64::from(BOID) <= individuals,
            None => preset.world.extents.cells() as u64 <= cells,
        }
}

/// Requests the metrics of the present state. A device computes the sums over its own state.
fn request_metrics(
    simulation: &mut Simulation,
    source: &SwarmSource,
    world: Arc<World>,
) -> Result<Ticket<Observation>, Failure> {
    let (step, shift) = (simulation.step(), simulation.preset().rules.shift);
    let space = simulation.preset().space();
    let is_individuals = simulation.preset().individuals.is_some();
    let has_several = simulation.plan().is_some_and(|plan| plan.layers.len() > 1);
    let sums = match source.state() {
        // The state for pictures joins several layers to one, so it has other sums.
        Some(state) if !has_several => Ticket::ready(StateSums::new(state, shift)),
        _ => simulation.request(SumsReading { shift })?,
    };
    let both = sums.and(simulation.request(MeasuresReading { space })?).and(simulation.request(AccountReading)?);
    Ok(both.and(FeatureMeasures::request(simulation)?).map(move |(((sums, measures), account), features)| {
        let observed = Observation::from_measures(step, &measures, &world, &account.ledger);
        let observed = if is_individuals {
            observed.with_deposit(&sums)
        } else {
            observed.with_cells(sums.occupied(), sums.greatest(), &world)
        };
        observed.with_total(account.quanta, &account.ledger).with_features(features, &account)
    }))
}
