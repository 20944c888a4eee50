//! The individuals that are played for comparison with the cells: one start, one hunter and one clock for both.
//!
//! The cells are the main model: replays, checkpoints and presets are theirs.

use super::Clock;
use crate::compare::measures::{ModelSample, Row, measure};
use crate::compare::{ModelPair, Resolution, pair};
use crate::error::Failure;
use crate::look::{AgentsSource, SwarmSource};
use crate::simulation::{Account, Simulation};
use std::sync::Arc;
use std::time::Duration;

/// The weight of a new step time in the smoothed one.
const SMOOTHING: f64 = 0.06;
/// The shortest time between two comparisons.
const COMPARISON_INTERVAL: Duration = Duration::from_millis(250);
/// The time between two comparisons is at least this many times what a comparison takes.
const COMPARISON_COST: u32 = 12;

/// A simulation of the individuals of a preset of cells.
pub struct ComparePane {
    pub individuals: Simulation,
    /// Seconds per step of the cells and of the individuals, smoothed.
    seconds: [f64; 2],
    /// The last comparison, and when the next one is due.
    comparison: Option<(Arc<Row>, Duration)>,
}

/// Where pictures find a swarm.
pub type FoundSwarm = Result<(SwarmSource, Option<AgentsSource>), Failure>;

/// The individuals at one step.
#[derive(Debug, Clone)]
pub struct IndividualsSnapshot {
    /// Where pictures find their deposit on the lattice of the cells, and themselves.
    pub source: SwarmSource,
    pub agents: Option<AgentsSource>,
    pub account: Account,
    /// Wall-clock milliseconds per step of the cells and of the individuals.
    pub milliseconds: [f64; 2],
}

impl ComparePane {
    /// Begins the individuals of a scene of cells that has just begun.
    ///
    /// # Errors
    /// If the preset cannot be played by individuals, or no engine is available for them.
    pub fn begin(cells: &Simulation) -> Result<Self, Failure> {
        let preset = pair::individuals_of(cells.preset(), cells.chain())?;
        let chain = preset.load_chain(None)?;
        let individuals = Simulation::new(preset, &chain, pair::choice_for_individuals(cells.choice()))?;
        Ok(Self { individuals, seconds: [0.0; 2], comparison: None })
    }

    /// Applies the changed files that the cells have applied.
    ///
    /// # Errors
    /// If the preset can no longer be played by individuals.
    pub fn reload(&mut self, cells: &Simulation) -> Result<(), Failure> {
        let preset = pair::individuals_of(cells.preset(), cells.chain())?;
        let chain = preset.load_chain(None)?;
        self.individuals.reload(preset, chain)
    }

    /// Plays steps. `cells_took` is the time that the cells took for them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn advance(&mut self, steps: u64, cells_took: Duration, clock: &Clock) -> Result<(), Failure> {
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

    /// The current individuals, where `find` finds them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn snapshot(
        &mut self,
        find: impl FnOnce(&mut Simulation) -> FoundSwarm,
    ) -> Result<IndividualsSnapshot, Failure> {
        let account = self.individuals.account()?;
        let (source, agents) = find(&mut self.individuals)?;
        Ok(IndividualsSnapshot { source, agents, account, milliseconds: self.seconds.map(|seconds| 1e3 * seconds) })
    }

    /// Compares both models. Returns the last comparison until the next one is due; a slow one is due less often. What is on a device
    /// is read back for it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn compare(
        &mut self,
        cells: &mut Simulation,
        source: &SwarmSource,
        account: &Account,
        other: &IndividualsSnapshot,
        clock: &Clock,
    ) -> Result<Arc<Row>, Failure> {
        let began = clock();
        if let Some((row, due)) = &self.comparison
            && began < *due
            && row.step <= cells.step()
        {
            return Ok(row.clone());
        }
        let state_of = |source: &SwarmSource, simulation: &mut Simulation| match source.state() {
            Some(state) => Ok::<_, Failure>(state.clone()),
            None => {
                let swarm = simulation.swarm()?;
                Ok(Arc::new(simulation.seen(&swarm).into_owned()))
            }
        };
        let states =
            ModelPair { cells: state_of(source, cells)?, individuals: state_of(&other.source, &mut self.individuals)? };
        let reading = |state, account: &Account, milliseconds: f64| ModelSample {
            state,
            quanta: account.quanta,
            ledger: account.ledger,
            milliseconds: (milliseconds > 0.0).then_some(milliseconds),
        };
        let readings = ModelPair {
            cells: reading(&states.cells, account, other.milliseconds[0]),
            individuals: reading(&states.individuals, &other.account, other.milliseconds[1]),
        };
        let row = Arc::new(measure(cells.step(), cells.preset(), Resolution::default(), &readings).0);
        let took = clock().saturating_sub(began);
        self.comparison = Some((row.clone(), began + COMPARISON_INTERVAL.max(COMPARISON_COST * took)));
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{FakeClock, scene, simulation};
    use crate::look::swarm_of;
    use crate::simulation::{Input, Pointer};
    use crate::world::Mood;

    fn begin() -> (Simulation, ComparePane) {
        let cells = simulation(&scene("droplets", 64));
        let pane = ComparePane::begin(&cells).unwrap();
        (cells, pane)
    }

    fn play(cells: &mut Simulation, pane: &mut ComparePane, steps: u64) {
        let clock = FakeClock::new(Duration::from_millis(steps)).clock();
        cells.advance(steps).unwrap();
        pane.advance(steps, Duration::from_millis(steps), &clock).unwrap();
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
        let other = pane.snapshot(|individuals| swarm_of(individuals, None)).unwrap();
        for account in [cells.account().unwrap(), other.account] {
            assert_eq!(account.lost, 0);
            assert_eq!(account.ledger.spawned, 40 << 16);
            assert!(account.ledger.caught > 0);
        }
        let Some(AgentsSource::Memory(agents)) = &other.agents else { panic!("they are in memory") };
        assert_eq!(agents.len() as u64, other.account.quanta >> 16);
        let (source, account) = (SwarmSource::of(&mut cells, None).unwrap(), cells.account().unwrap());
        // A comparison takes a second on this clock, so the next one is due after twelve.
        let clock = FakeClock::new(Duration::from_secs(1)).clock();
        let row = pane.compare(&mut cells, &source, &account, &other, &clock).unwrap();
        assert_eq!((row.step, row.of.individuals.observation.lost), (40, 0));
        assert!(row.of.cells.milliseconds.unwrap() > 0.0 && row.of.individuals.milliseconds.unwrap() > 0.0);
        for _ in 2..12 {
            let again = pane.compare(&mut cells, &source, &account, &other, &clock).unwrap();
            assert!(Arc::ptr_eq(&row, &again));
        }
        assert!(!Arc::ptr_eq(&row, &pane.compare(&mut cells, &source, &account, &other, &clock).unwrap()));
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
