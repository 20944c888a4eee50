//! The comparison of cells with individuals in the window. Both models start with the same boids, have the same hunter
//! and are at the same step.
//!
//! The cells are the main model: replays, checkpoints and saved presets are from the cells.

use super::Clock;
use super::readings::PolledValue;
use crate::compare::measures::{ModelSample, Row, measure};
use crate::compare::{ModelPair, Resolution, pair};
use murmuration_core::error::Failure;
use murmuration_core::individuals::deposit::deposit;
use murmuration_core::measures::Measures;
use murmuration_core::simulation::reading::AccountReading;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::{State, Swarm, SwarmReading};
use murmuration_core::ticket::Patience;
use murmuration_gpu::look::{IndividualsSource, SwarmSource};
use std::sync::Arc;
use std::time::Duration;

/// The weight of a new step time in the exponential average of step times, from 0 to 1.
const SMOOTHING: f64 = 0.06;
/// The minimum time between two comparisons.
const COMPARISON_INTERVAL: Duration = Duration::from_millis(250);
/// The time from a comparison to the next one is at least this multiple of the time that the comparison took.
const COMPARISON_COST: u32 = 12;

/// A simulation that plays a preset of cells with individuals, for comparison with a simulation of the cells.
pub struct ComparePane {
    pub individuals: Simulation,
    /// The smoothed seconds per step of the cells, and of the individuals. 0 before the first steps.
    seconds: [f64; 2],
    /// The account of the individuals.
    account: PolledValue<Account>,
    /// The result of the last comparison.
    comparison: Option<Arc<Row>>,
    /// The time at which the next comparison is due, on the controller's clock.
    due: Duration,
    /// The samples of both models for the next comparison.
    samples: PolledValue<Samples>,
    /// The number of states that were read back from a device for comparisons.
    readbacks: u64,
}

/// The samples of both models at one step, for a comparison.
struct Samples {
    step: u64,
    /// The milliseconds per step of the cells, and of the individuals.
    milliseconds: [f64; 2],
    of: ModelPair<Sample>,
}

/// The measures of a model, its state on the lattice, and its account.
type Sample = ((Measures, Arc<State>), Account);

/// The sources from which pictures of a swarm are drawn: its lattice, and its individuals if it has any.
pub type SwarmSources = (SwarmSource, Option<IndividualsSource>);

/// The individuals that are compared with the cells, at one step.
#[derive(Debug, Clone)]
pub struct IndividualsSnapshot {
    /// The deposit of the individuals on the lattice of the cells.
    pub source: SwarmSource,
    pub individuals: Option<IndividualsSource>,
    pub account: Account,
    /// The wall-clock milliseconds per step of the cells, and of the individuals.
    pub milliseconds: [f64; 2],
}

impl ComparePane {
    /// Starts the individuals for a simulation of cells at step 0.
    ///
    /// # Errors
    /// If the preset cannot be played by individuals, or no engine is available for them.
    pub fn begin(cells: &Simulation) -> Result<Self, Failure> {
        let preset = pair::individuals_of(cells.preset(), cells.chain())?;
        let chain = preset.load_chain(None)?;
        let individuals = Simulation::new(preset, &chain, pair::choice_for_individuals(cells.choice()))?;
        Ok(Self {
            individuals,
            seconds: [0.0; 2],
            account: PolledValue::default(),
            comparison: None,
            due: Duration::ZERO,
            samples: PolledValue::default(),
            readbacks: 0,
        })
    }

    /// Applies changed files to the individuals, after the cells have applied them.
    ///
    /// # Errors
    /// If the preset can no longer be played by individuals.
    pub fn reload(&mut self, cells: &Simulation) -> Result<(), Failure> {
        let preset = pair::individuals_of(cells.preset(), cells.chain())?;
        let chain = preset.load_chain(None)?;
        self.individuals.reload(preset, chain)
    }

    /// Plays steps of the individuals. `cells_took`: the time that the cells took for the same number of steps.
    ///
    /// # Errors
    /// If the device fails.
    pub fn play(&mut self, steps: u64, cells_took: Duration, clock: &Clock) -> Result<(), Failure> {
        let began = clock();
        self.individuals.advance(steps)?;
        self.individuals.wait()?;
        let took = clock().saturating_sub(began);
        for (smoothed, took) in self.seconds.iter_mut().zip([cells_took, took]) {
            let now = took.as_secs_f64() / steps.max(1) as f64;
            *smoothed = if *smoothed == 0.0 { now } else { *smoothed + SMOOTHING * (now - *smoothed) };
        }
        Ok(())
    }

    /// The current individuals. `find` returns the sources of their pictures. `None` until the first account of the
    /// individuals has arrived.
    ///
    /// # Errors
    /// If the device fails.
    pub fn snapshot(
        &mut self,
        find: impl FnOnce(&mut Simulation) -> Result<SwarmSources, Failure>,
        patience: Patience,
    ) -> Result<Option<IndividualsSnapshot>, Failure> {
        let Some(account) = self.account.account(&mut self.individuals, patience)? else { return Ok(None) };
        let (source, individuals) = find(&mut self.individuals)?;
        Ok(Some(IndividualsSnapshot {
            source,
            individuals,
            account,
            milliseconds: self.seconds.map(|seconds| 1e3 * seconds),
        }))
    }

    /// Notes that the swarm has changed, so that its account is requested again.
    pub fn outdate(&mut self) {
        self.account.outdate();
    }

    /// Whether a requested value has not arrived yet.
    pub fn is_waiting(&self) -> bool {
        self.account.is_waiting() || self.samples.is_waiting()
    }

    /// Takes the requested values that have arrived. Returns whether any value has arrived.
    ///
    /// # Errors
    /// If the device of the individuals has failed and no engine can go on.
    pub fn collect(&mut self) -> Result<bool, Failure> {
        Ok(self.account.poll(&mut self.individuals)? | self.collect_samples()?)
    }

    /// Takes the samples for a comparison if they have arrived. If the device fails, they are requested again later.
    fn collect_samples(&mut self) -> Result<bool, Failure> {
        match self.samples.collect(Patience::Poll) {
            Err(Failure::Device(_)) => Ok(false),
            arrived => arrived,
        }
    }

    /// The number of times that a state was read back from a device, for the individuals and for comparisons.
    pub fn state_readbacks(&self) -> u64 {
        self.individuals.state_readbacks() + self.readbacks
    }

    /// The last comparison of both models. `None` before the first one. Requests the samples of the next comparison
    /// when it is due, and makes the comparison when the samples have arrived. Slow comparisons are due less often.
    ///
    /// # Errors
    /// If the device fails.
    pub fn compare(
        &mut self,
        cells: &mut Simulation,
        source: &SwarmSource,
        clock: &Clock,
    ) -> Result<Option<Arc<Row>>, Failure> {
        let (began, now) = (clock(), cells.step());
        self.comparison.take_if(|row| row.step > now);
        self.collect_samples()?;
        let mut samples = self.samples.take();
        if samples.is_none() && !self.samples.is_waiting() && (began >= self.due || self.comparison.is_none()) {
            let of_cells = match source.request_state() {
                Ok(of_cells) => of_cells,
                // The state is on the device of an engine that was replaced. The next snapshot has a state of the new
                // engine.
                Err(Failure::Device(_)) => return Ok(self.comparison.clone()),
                Err(failure) => return Err(failure),
            };
            self.readbacks += u64::from(source.state().is_none());
            let space = self.individuals.preset().space();
            let of_cells = of_cells.map(move |state| (Measures::from_state(&state, space.edges), state));
            let of_individuals = self.individuals.request(SwarmReading)?.map(move |swarm| match swarm {
                Swarm::Cells(state) => (Measures::from_state(&state, space.edges), Arc::new(state)),
                Swarm::Individuals(all, columns) => {
                    let state = State { columns, ..deposit(&all, &space) };
                    (Measures::from_individuals(&all, &space), Arc::new(state))
                }
            });
            let first = of_cells.and(cells.request(AccountReading)?);
            let second = of_individuals.and(self.individuals.request(AccountReading)?);
            let milliseconds = self.seconds.map(|seconds| 1e3 * seconds);
            self.samples.expect(first.and(second).map(move |(cells, individuals)| Samples {
                step: now,
                milliseconds,
                of: ModelPair { cells, individuals },
            }));
            self.collect_samples()?;
            samples = self.samples.take();
        }
        // After an undo the samples may belong to a later step.
        if let Some(samples) = samples.filter(|samples| samples.step <= now) {
            self.comparison = Some(Arc::new(row(cells, &samples)));
            let end = clock();
            self.due = end + COMPARISON_INTERVAL.max(COMPARISON_COST * end.saturating_sub(began));
        }
        Ok(self.comparison.clone())
    }
}

fn sample(((measures, state), account): &Sample, milliseconds: Option<f64>) -> ModelSample<'_> {
    let (measures, liveliness) = (*measures, None);
    ModelSample { state, measures, liveliness, quanta: account.quanta, ledger: account.ledger, milliseconds }
}

/// The row of a comparison: the measures of both models at one step.
fn row(simulation: &Simulation, Samples { step, milliseconds, of }: &Samples) -> Row {
    let [of_cells, of_individuals] =
        milliseconds.map(|milliseconds| Some(milliseconds).filter(|milliseconds| *milliseconds > 0.0));
    let samples =
        ModelPair { cells: sample(&of.cells, of_cells), individuals: sample(&of.individuals, of_individuals) };
    measure(*step, simulation.preset(), Resolution::default(), &samples).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{FakeClock, scene, simulation};
    use crate::run::Stepper;
    use murmuration_core::simulation::{Input, Pointer};
    use murmuration_core::state::Entry;
    use murmuration_core::world::Mood;
    use murmuration_gpu::look::swarm_of;

    fn begin() -> (Simulation, ComparePane) {
        let cells = simulation(&scene("droplets", 64));
        let pane = ComparePane::begin(&cells).unwrap();
        (cells, pane)
    }

    fn play(cells: &mut Simulation, pane: &mut ComparePane, steps: u64) {
        let clock = FakeClock::new(Duration::from_millis(steps)).clock();
        cells.play(steps).unwrap();
        pane.play(steps, Duration::from_millis(steps), &clock).unwrap();
    }

    fn apply(cells: &mut Simulation, pane: &mut ComparePane, input: Input) -> Result<(), Failure> {
        let translated = pair::accepted(cells, &pane.individuals, &input)?;
        cells.apply(input)?;
        pane.individuals.apply(translated)
    }

    #[test]
    fn one_hunter_catches_in_both_and_both_ledgers_are_exact() {
        let (mut cells, mut pane) = begin();
        let pointer = Pointer { place: [512, 512].into(), reach: 30, mood: Mood::Follow, weight: 2048 };
        for input in [Input::Hunter(Some(pointer)), Input::Jaws(6), Input::Stroke] {
            apply(&mut cells, &mut pane, input).unwrap();
        }
        apply(&mut cells, &mut pane, Input::Spawn { at: [10, 10].into(), radius: 3, boids: 40 }).unwrap();
        play(&mut cells, &mut pane, 40);
        let other = pane.snapshot(|individuals| swarm_of(individuals, None), Patience::Wait).unwrap().unwrap();
        for account in [cells.account().unwrap(), other.account] {
            assert_eq!(account.lost, 0);
            assert_eq!(account.ledger.sum(Entry::Spawned), 40 << 16);
            assert!(account.ledger.sum(Entry::Caught) > 0);
        }
        let Some(IndividualsSource::Memory(individuals)) = &other.individuals else { panic!("they are in memory") };
        assert_eq!(individuals.len() as u64, other.account.quanta >> 16);
        let source = SwarmSource::new(&mut cells, None).unwrap();
        // On this clock a comparison takes one second, so the next comparison is due twelve seconds later.
        let clock = FakeClock::new(Duration::from_secs(1)).clock();
        let mut compare = || pane.compare(&mut cells, &source, &clock).unwrap().unwrap();
        let row = compare();
        assert_eq!((row.step, row.of.individuals.observation.lost), (40, 0));
        assert!(row.of.cells.milliseconds.unwrap() > 0.0 && row.of.individuals.milliseconds.unwrap() > 0.0);
        for _ in 1..12 {
            assert!(Arc::ptr_eq(&row, &compare()));
        }
        assert!(!Arc::ptr_eq(&row, &compare()));
    }

    #[test]
    fn what_one_model_refuses_the_other_does_not_take() {
        let (mut cells, mut pane) = begin();
        play(&mut cells, &mut pane, 3);
        let before = cells.preset().rules.weights["alignment"];
        let refused = Input::Set { key: "weights.alignment".into(), value: "20".into() };
        let failure = apply(&mut cells, &mut pane, refused).unwrap_err().to_string();
        assert!(failure.contains("individuals weigh a rule with 8 at most"), "{failure}");
        assert_eq!(cells.preset().rules.weights["alignment"], before);
        let taken = Input::Set { key: "weights.alignment".into(), value: "0.75".into() };
        apply(&mut cells, &mut pane, taken).unwrap();
        let of = |simulation: &Simulation| simulation.preset().rules.weights["alignment"];
        assert_eq!((of(&cells), of(&pane.individuals)), (768, 768));
        play(&mut cells, &mut pane, 3);
        assert_eq!(pane.individuals.step(), cells.step());
    }
}
