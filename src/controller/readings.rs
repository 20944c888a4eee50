//! What is measured of a running simulation: its account with every snapshot; metrics, the times of the passes and the probe now
//! and then. A value is asked for, taken some snapshots later, and tells its step; only the first account and metrics of a scene are waited for.

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

/// The time between two measurements; the metrics read every cell.
const INTERVAL: Duration = Duration::from_millis(120);
/// The most cells, and the most individuals, in memory that are sampled for their liveliness: a sample reads the whole swarm.
const MAX_SAMPLED: [u64; 2] = [1 << 20, 1 << 17];
/// The most blocks of a sample. A device sends two words of each, and the groups are found in memory.
const MAX_BLOCKS: usize = 1 << 18;
/// The weight of a new pass time in the smoothed one.
const SMOOTHING: f64 = 0.15;

/// The last measurements.
#[derive(Default)]
pub struct Readings {
    account: PolledValue<Account>,
    metrics: PolledValue<Arc<Observation>>,
    /// What the liveliness in the metrics is made of.
    liveliness: Option<LivelinessSampler>,
    /// Samples that were asked for and have not arrived, the first one first.
    samples: VecDeque<PendingSample>,
    /// When the metrics were asked for.
    measured: Duration,
    /// Kernel and seconds per step of each pass, smoothed.
    pub passes: Arc<Vec<(String, f64)>>,
    probe: PolledValue<Arc<Probe>>,
    columns: PolledValue<Arc<WorldColumns>>,
    individual: PolledValue<FoundIndividual>,
    /// What is probed, and the origin of the window in which its places are.
    probed: Option<(ProbeTarget, Option<[i64; 3]>)>,
    /// Where an individual is looked for until one is found there, and the one that was found last.
    line: Option<SeenLine>,
    number: Option<u32>,
}

/// A sample for the liveliness that was asked for: its step, and the origin of the window.
struct PendingSample {
    step: u64,
    origin: Option<[i64; 3]>,
    sample: Ticket<SwarmSample>,
}

/// A line of sight, and the origin of the window in which it was seen.
type SeenLine = (LineOfSight, Option<[i64; 3]>);

/// The line that was looked along, and what there is to know of the individual.
type FoundIndividual = (Option<SeenLine>, Option<Arc<IndividualProbe>>);

/// A value that is asked for again and again.
pub(super) struct PolledValue<T> {
    /// The last one that has arrived.
    value: Option<T>,
    /// The next one.
    ticket: Option<Ticket<T>>,
    /// Whether something has changed since it was asked for.
    is_outdated: bool,
}

impl<T> Default for PolledValue<T> {
    fn default() -> Self {
        Self { value: None, ticket: None, is_outdated: true }
    }
}

impl<T: Send + 'static> PolledValue<T> {
    /// Whether it was asked for and has not arrived.
    pub(super) fn is_waiting(&self) -> bool {
        self.ticket.is_some()
    }

    /// Notes that something has changed.
    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
    }

    /// Takes the value that was asked for, if it has arrived. Returns whether it has.
    pub(super) fn collect(&mut self, patience: Patience) -> Result<bool, Failure> {
        let Some(ticket) = &mut self.ticket else { return Ok(false) };
        let taken = ticket.take(patience);
        if !matches!(taken, Ok(None)) {
            self.ticket = None;
        }
        // What has failed is asked for again.
        let value = taken.inspect_err(|_| self.is_outdated = true)?;
        let has_arrived = value.is_some();
        self.value = value.or(self.value.take());
        Ok(has_arrived)
    }

    /// The same without waiting. A device that has failed is replaced, which is something new too.
    pub(super) fn poll(&mut self, simulation: &mut Simulation) -> Result<bool, Failure> {
        match self.collect(Patience::Poll) {
            Err(Failure::Device(_)) => simulation.recover().map(|()| true),
            collected => collected,
        }
    }

    /// Waits for a value that was asked for.
    pub(super) fn expect(&mut self, ticket: Ticket<T>) {
        self.ticket = Some(ticket);
    }

    /// Takes the value that has arrived out of here.
    pub(super) fn take(&mut self) -> Option<T> {
        self.value.take()
    }

    /// Asks for the value if it is outdated and not on its way, and takes it if it is there. A failed device is replaced once.
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
    /// The account, of the present step or a few steps ago. The first one is waited for, if the caller has patience; `None`: it has not
    /// come yet.
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
    /// The readings of another scene, whose window has this origin; what is probed stays where it is seen.
    pub fn begin_scene(&mut self, origin: Option<[i64; 3]>) {
        self.probed.iter_mut().for_each(|(_, from)| *from = origin);
        self.begin_anew();
    }

    /// The readings of another swarm; what is probed stays.
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

    /// Whether something was asked for and has not arrived.
    pub fn is_waiting(&self) -> bool {
        let Self { account, metrics, probe, columns, individual, .. } = self;
        let is_waiting = account.is_waiting() || metrics.is_waiting() || probe.is_waiting();
        is_waiting || columns.is_waiting() || individual.is_waiting()
    }

    /// Takes what has arrived. Returns whether there is anything.
    ///
    /// # Errors
    /// If the device has failed and no engine can go on.
    pub fn collect(&mut self, simulation: &mut Simulation) -> Result<bool, Failure> {
        self.collect_samples();
        let Self { account, metrics, probe, columns, individual, .. } = self;
        let of_swarm = account.poll(simulation)? | metrics.poll(simulation)? | columns.poll(simulation)?;
        Ok(of_swarm | probe.poll(simulation)? | individual.poll(simulation)?)
    }

    /// Steps from the present one to the next one that is sampled for the liveliness.
    pub fn until_sample(simulation: &Simulation) -> u64 {
        if is_sampled(simulation) { LivelinessSampler::until_next(simulation.step()) } else { u64::MAX }
    }

    /// Asks for a sample of the present step for the liveliness, if it is due.
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
        // It may have been asked for and not have arrived.
        if is_due && self.samples.back().is_none_or(|last| last.step != step) {
            let (origin, sample) = (simulation.origin(), simulation.request(LivelinessReading { blocks })?);
            self.samples.push_back(PendingSample { step, origin, sample });
        }
        Ok(())
    }

    /// Takes the samples that have arrived. One that failed is a gap, after which the liveliness is counted anew.
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

    /// The account, of the present step or a few steps ago; `None`: the first one has not come yet.
    ///
    /// # Errors
    /// If the device fails.
    pub fn account(&mut self, simulation: &mut Simulation, patience: Patience) -> Result<Option<Account>, Failure> {
        self.account.account(simulation, patience)
    }

    /// The columns of the world, of the present step or a few steps ago; empty before they have come.
    ///
    /// # Errors
    /// If the device fails.
    pub fn columns(&mut self, simulation: &mut Simulation) -> Result<Arc<WorldColumns>, Failure> {
        let ask = |simulation: &mut Simulation| Ok(simulation.request(ColumnsReading)?.map(Arc::new));
        self.columns.update(simulation, Patience::Poll, ask)?;
        Ok(self.columns.value.clone().unwrap_or_default())
    }

    /// The metrics, measured again if they are due or `is_forced`: of a state on a device by sums that are made there. The probe
    /// and the times of the passes are then due too. The first ones are waited for, if the caller has patience; `None`: they have not come yet.
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

    /// What is to be probed, and the origin of the window in which its places are; `None`: nothing.
    pub fn set_probed(&mut self, target: Option<(ProbeTarget, Option<[i64; 3]>)>) {
        self.probed = target;
        // What is on its way is of another cell or line, and tells so.
        match target {
            Some((ProbeTarget::Cell(_), _)) => self.probe.outdate(),
            Some((ProbeTarget::Individual(line), origin)) => {
                self.line = Some((line, origin));
                self.individual.outdate();
            }
            None => (self.probe, self.line) = (PolledValue::default(), None),
        }
    }

    /// What the probe found in its cell last, looked up again if that is due.
    ///
    /// # Errors
    /// If the probe fails; it is then switched off.
    pub fn probe(&mut self, simulation: &mut Simulation) -> Result<Option<Arc<Probe>>, Failure> {
        let extents = simulation.preset().world.extents;
        let origin = simulation.origin();
        if let Some((ProbeTarget::Cell(cell), from)) = &mut self.probed
            && *from != origin
        {
            // It keeps its place in the world; what was found is of another window.
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

    /// The individual that is probed, as it was last. Where nobody is on its line of sight, it is the one before.
    ///
    /// # Errors
    /// If the probe fails; it is then switched off.
    pub fn individual(&mut self, simulation: &mut Simulation) -> Result<Option<Arc<IndividualProbe>>, Failure> {
        if !matches!(self.probed, Some((ProbeTarget::Individual(_), _))) || simulation.preset().individuals.is_none() {
            (self.individual, self.number) = (PolledValue::default(), None);
            return Ok(None);
        }
        // The window may have moved since the line was seen, and may move before it is looked along again.
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

/// Whether a swarm is sampled for its liveliness: its blocks are few enough, and in memory so is the swarm.
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

/// Asks for the metrics of the present state.
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
        // The picture of several layers is not their state.
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
