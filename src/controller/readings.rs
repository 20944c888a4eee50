//! Measurements of a running simulation. The account belongs to every snapshot; metrics, times of passes and the probe
//! are taken less often. A value is requested, arrives some snapshots later, and tells its step. Only the first account
//! and metrics of a scene are waited for.

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
/// The maximum numbers of cells and of individuals in memory that are sampled for their liveliness. A sample reads the
/// whole swarm.
const MAX_SAMPLED: [u64; 2] = [1 << 20, 1 << 17];
/// The maximum number of blocks of a sample. A device sends two words for each block, and the CPU finds the groups.
const MAX_BLOCKS: usize = 1 << 18;
/// The weight of a new pass time in the exponential average.
const SMOOTHING: f64 = 0.15;

/// The last measurements.
#[derive(Default)]
pub struct Readings {
    account: PolledValue<Account>,
    metrics: PolledValue<Arc<Observation>>,
    /// Gives the liveliness in the metrics.
    liveliness: Option<LivelinessSampler>,
    /// Samples that were requested and have not arrived, the first one first.
    samples: VecDeque<PendingSample>,
    /// When the metrics were requested.
    measured: Duration,
    /// Kernel and seconds per step of each pass, smoothed.
    pub passes: Arc<Vec<(String, f64)>>,
    probe: PolledValue<Arc<Probe>>,
    columns: PolledValue<Arc<WorldColumns>>,
    individual: PolledValue<FoundIndividual>,
    /// The target of the probe, and the origin of the window to which its places belong.
    probed: Option<(ProbeTarget, Option<[i64; 3]>)>,
    /// The line of sight, until an individual is found on it, and the individual that was found last.
    line: Option<SeenLine>,
    number: Option<u32>,
}

/// A sample that was requested for the liveliness, and the origin of the window at its step.
struct PendingSample {
    step: u64,
    origin: Option<[i64; 3]>,
    sample: Ticket<SwarmSample>,
}

/// A line of sight, and the origin of the window in which it was seen.
type SeenLine = (LineOfSight, Option<[i64; 3]>);

/// The line that was searched, and the individual that was found.
type FoundIndividual = (Option<SeenLine>, Option<Arc<IndividualProbe>>);

/// A value that is requested again and again.
pub(super) struct PolledValue<T> {
    /// The last value that has arrived.
    value: Option<T>,
    /// The request for the next value.
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
    /// Whether a requested value has not arrived.
    pub(super) fn is_waiting(&self) -> bool {
        self.ticket.is_some()
    }

    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
    }

    /// Takes the requested value if it has arrived. Returns whether it has.
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

    /// [`Self::collect`] without waiting. If the device has failed, it is replaced, which counts as a new value.
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

    /// Takes the last value away.
    pub(super) fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    /// Requests the value if it is outdated and was not requested, and takes it if it has arrived. A failed device is
    /// replaced once.
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
    /// The account of the present step, or of one a few steps ago. The first account is waited for if `patience`
    /// allows; `None`: it has not arrived.
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
    /// Begins the readings of another scene, whose window has this origin. The probe keeps its target in the window.
    pub fn begin_scene(&mut self, origin: Option<[i64; 3]>) {
        self.probed.iter_mut().for_each(|(_, from)| *from = origin);
        self.begin_anew();
    }

    /// Begins the readings of another swarm. The probe keeps its target.
    pub fn begin_anew(&mut self) {
        let probed = self.probed;
        *self = Self::default();
        self.set_probed(probed);
    }

    /// Notes that the swarm has changed.
    pub fn outdate(&mut self) {
        self.account.outdate();
        self.metrics.outdate();
        self.columns.outdate();
        self.individual.outdate();
    }

    /// Whether a requested value has not arrived.
    pub fn is_waiting(&self) -> bool {
        let Self { account, metrics, probe, columns, individual, .. } = self;
        let is_waiting = account.is_waiting() || metrics.is_waiting() || probe.is_waiting();
        is_waiting || columns.is_waiting() || individual.is_waiting()
    }

    /// Takes the values that have arrived. Returns whether there are any.
    ///
    /// # Errors
    /// If the device has failed and no engine can go on.
    pub fn collect(&mut self, simulation: &mut Simulation) -> Result<bool, Failure> {
        self.collect_samples();
        let Self { account, metrics, probe, columns, individual, .. } = self;
        let of_swarm = account.poll(simulation)? | metrics.poll(simulation)? | columns.poll(simulation)?;
        Ok(of_swarm | probe.poll(simulation)? | individual.poll(simulation)?)
    }

    /// The steps from the present step to the next one that is sampled for the liveliness.
    pub fn until_sample(simulation: &Simulation) -> u64 {
        if is_sampled(simulation) { LivelinessSampler::until_next(simulation.step()) } else { u64::MAX }
    }

    /// Requests a sample of the present step for the liveliness, if it is due.
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

    /// Takes the samples that have arrived. A failed sample is a gap, after which the liveliness starts anew.
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

    /// The account of the present step, or of one a few steps ago; `None`: the first account has not arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub fn account(&mut self, simulation: &mut Simulation, patience: Patience) -> Result<Option<Account>, Failure> {
        self.account.account(simulation, patience)
    }

    /// The columns of the world at the present step, or a few steps ago; empty before the first have arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub fn columns(&mut self, simulation: &mut Simulation) -> Result<Arc<WorldColumns>, Failure> {
        let ask = |simulation: &mut Simulation| Ok(simulation.request(ColumnsReading)?.map(Arc::new));
        self.columns.update(simulation, Patience::Poll, ask)?;
        Ok(self.columns.value.clone().unwrap_or_default())
    }

    /// The metrics, measured again if they are due or `is_forced`. A device sums its own state. The probe and the times
    /// of the passes are due with the metrics. The first metrics are waited for if `patience` allows; `None`: they have
    /// not arrived.
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

    /// Sets the target of the probe, and the origin of the window to which its places belong; `None`: ends the probe.
    pub fn set_probed(&mut self, target: Option<(ProbeTarget, Option<[i64; 3]>)>) {
        self.probed = target;
        // A value under way names its cell or line, so it is not mistaken for the new one.
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
    /// If the probe fails; it is then switched off.
    pub fn probe(&mut self, simulation: &mut Simulation) -> Result<Option<Arc<Probe>>, Failure> {
        let extents = simulation.preset().world.extents;
        let origin = simulation.origin();
        if let Some((ProbeTarget::Cell(cell), from)) = &mut self.probed
            && *from != origin
        {
            // The target keeps its place in the world. The last values are those of another window.
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

    /// The probed individual as it was last. If its line of sight is empty, the individual before it is kept.
    ///
    /// # Errors
    /// If the probe fails; it is then switched off.
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

/// Whether a swarm is sampled for its liveliness: it has few blocks, and a swarm in memory is small.
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

/// Requests the metrics of the present state.
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
        // The state of a picture joins several layers.
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
