//! The individuals that are played beside the cells: one start, one hunter and one clock for both.
//!
//! The cells are the model that is played: replays, checkpoints and presets are theirs.

use super::play::read;
use crate::agents::Agents;
use crate::compare::measures::{MeasurementSetup, ModelSample, Row};
use crate::compare::{Both, Lens, pair};
use crate::engine::Dispatch;
use crate::error::Failure;
use crate::simulation::{Account, EngineChoice, Input, Simulation, WORKGROUP};
use crate::state::State;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The part of a new time that a smoothed one takes on.
const EASE: f64 = 0.06;
/// The least time between two comparisons, and by how much longer it is than one of them takes.
const BETWEEN_ROWS: Duration = Duration::from_millis(250);
const PATIENCE: u32 = 12;

/// Individuals under way.
pub struct ComparePane {
    individuals: Simulation,
    /// Seconds a step of the cells and of the individuals, smoothed.
    seconds: [f64; 2],
    /// The last comparison, and when the next one is due.
    compared: Option<(Arc<Row>, Instant)>,
}

/// A moment of them.
#[derive(Debug, Clone)]
pub struct Other {
    /// What a lattice sees of them.
    pub state: Arc<State>,
    pub agents: Arc<Agents>,
    pub account: Account,
    /// Milliseconds a step of the cells and of the individuals, by the clock.
    pub milliseconds: [f64; 2],
}

impl ComparePane {
    /// The individuals of a scene of cells that has just begun.
    ///
    /// # Errors
    /// Where the preset has none, or no engine is to be had for them.
    pub fn begin(cells: &Simulation) -> Result<Self, Failure> {
        let preset = pair::individuals_of(cells.preset(), cells.chain())?;
        let chain = preset.load_chain(None)?;
        Ok(Self {
            individuals: Simulation::new(preset, &chain, choice_of(cells.choice()))?,
            seconds: [0.0; 2],
            compared: None,
        })
    }

    /// An input to the cells as it is to be taken here, once they have.
    ///
    /// # Errors
    /// Where the individuals refuse it.
    pub fn accepted(&self, cells: &Simulation, input: &Input) -> Result<Input, Failure> {
        pair::accepted(cells, &self.individuals, input)
    }

    /// Takes what was accepted.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn take(&mut self, input: Input) -> Result<(), Failure> {
        self.individuals.apply(input)
    }

    /// Takes over the files that the cells have taken over.
    ///
    /// # Errors
    /// Where individuals cannot live by them.
    pub fn reload(&mut self, cells: &Simulation) -> Result<(), Failure> {
        let preset = pair::individuals_of(cells.preset(), cells.chain())?;
        let chain = preset.load_chain(None)?;
        self.individuals.reload(preset, chain)
    }

    /// Goes on on the same kind of engine as the cells.
    ///
    /// # Errors
    /// As [`Simulation::switch`].
    pub fn switch(&mut self, choice: EngineChoice) -> Result<(), Failure> {
        self.individuals.switch(choice_of(choice))
    }

    /// Plays so many steps, after the cells took `theirs` for as many.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn advance(&mut self, steps: u64, theirs: Duration) -> Result<(), Failure> {
        let begun = Instant::now();
        self.individuals.advance(steps)?;
        self.individuals.wait()?;
        for (known, took) in self.seconds.iter_mut().zip([theirs, begun.elapsed()]) {
            let now = took.as_secs_f64() / steps.max(1) as f64;
            *known = if *known == 0.0 { now } else { *known + EASE * (now - *known) };
        }
        Ok(())
    }

    /// The individuals as they are now.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn look(&mut self) -> Result<Other, Failure> {
        let account = self.individuals.account()?;
        let (state, agents) = read(&mut self.individuals)?;
        let milliseconds = self.seconds.map(|seconds| 1e3 * seconds);
        Ok(Other { state: Arc::new(state), agents: agents.unwrap_or_default(), account, milliseconds })
    }

    /// How alike both are: measured anew where that is due, which is the rarer the longer it takes.
    pub fn compare(&mut self, cells: &Simulation, state: &State, account: &Account, other: &Other) -> Arc<Row> {
        let begun = Instant::now();
        if let Some((row, due)) = &self.compared
            && begun < *due
            && row.step <= cells.step()
        {
            return row.clone();
        }
        let scale = MeasurementSetup { preset: cells.preset(), lens: Lens::default() };
        let coarse = scale.coarse(Both { cells: state, individuals: &other.state });
        let reading = |state, account: &Account, milliseconds: f64| ModelSample {
            state,
            quanta: account.quanta,
            ledger: account.ledger,
            milliseconds: (milliseconds > 0.0).then_some(milliseconds),
        };
        let read = Both {
            cells: reading(state, account, other.milliseconds[0]),
            individuals: reading(&other.state, &other.account, other.milliseconds[1]),
        };
        let row = Arc::new(scale.measure(cells.step(), read, &coarse));
        self.compared = Some((row.clone(), begun + BETWEEN_ROWS.max(PATIENCE * begun.elapsed())));
        row
    }

    /// What happened to their engine since the last call.
    pub fn remarks(&mut self) -> Vec<String> {
        self.individuals.remarks()
    }
}

/// Individuals are played by the CPU, or by the GPU in compute dispatches.
fn choice_of(choice: EngineChoice) -> EngineChoice {
    match choice {
        EngineChoice::Gpu(Dispatch::Fragment) => EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP }),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu;
    use crate::preset::Overrides;
    use crate::simulation::Pointer;
    use crate::viewer::Scene;
    use crate::world::Mood;

    fn begun() -> (Simulation, ComparePane) {
        let scene = Scene {
            preset: "droplets".into(),
            overrides: Overrides { size: Some((64, 64)), ..Overrides::default() },
            chain: None,
            choice: EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None }),
            replay: None,
        };
        let cells = scene.begin().unwrap();
        let beside = ComparePane::begin(&cells).unwrap();
        (cells, beside)
    }

    fn play(cells: &mut Simulation, beside: &mut ComparePane, steps: u64) {
        cells.advance(steps).unwrap();
        beside.advance(steps, Duration::from_millis(steps)).unwrap();
    }

    fn apply(cells: &mut Simulation, beside: &mut ComparePane, input: Input) -> Result<(), Failure> {
        let theirs = beside.accepted(cells, &input)?;
        cells.apply(input)?;
        beside.take(theirs)
    }

    #[test]
    fn one_hunter_catches_in_both_and_both_ledgers_are_exact() {
        let (mut cells, mut beside) = begun();
        let pointer = Pointer { place: [512, 512], reach: 30, mood: Mood::Follow, weight: 2048 };
        for input in [Input::Hunter(Some(pointer)), Input::Jaws(6), Input::Stroke] {
            apply(&mut cells, &mut beside, input).unwrap();
        }
        apply(&mut cells, &mut beside, Input::Spawn { at: [10, 10], radius: 3, boids: 40 }).unwrap();
        play(&mut cells, &mut beside, 40);
        let other = beside.look().unwrap();
        for account in [cells.account().unwrap(), other.account] {
            assert_eq!(account.lost, 0);
            assert_eq!(account.ledger.spawned, 40 << 16);
            assert!(account.ledger.caught > 0);
        }
        assert_eq!(other.agents.len() as u64, other.account.quanta >> 16);
        let (state, account) = (cells.state().unwrap(), cells.account().unwrap());
        let row = beside.compare(&cells, &state, &account, &other);
        assert_eq!((row.step, row.of.individuals.observation.lost), (40, 0));
        assert!(row.of.cells.milliseconds.unwrap() > 0.0 && row.of.individuals.milliseconds.unwrap() > 0.0);
        // Until the next one is due it is the same one.
        let again = beside.compare(&cells, &state, &account, &other);
        assert!(Arc::ptr_eq(&row, &again));
    }

    #[test]
    fn what_one_model_refuses_the_other_does_not_take() {
        let (mut cells, mut beside) = begun();
        play(&mut cells, &mut beside, 3);
        let before = cells.preset().rules.weights["alignment"];
        let refused = Input::Set { key: "weights.alignment".into(), value: "20".into() };
        let failure = apply(&mut cells, &mut beside, refused).unwrap_err().to_string();
        assert!(failure.contains("individuals weigh a rule with 8 at most"), "{failure}");
        assert_eq!(cells.preset().rules.weights["alignment"], before);
        let taken = Input::Set { key: "weights.alignment".into(), value: "0.75".into() };
        apply(&mut cells, &mut beside, taken).unwrap();
        let of = |simulation: &Simulation| simulation.preset().rules.weights["alignment"];
        assert_eq!((of(&cells), of(&beside.individuals)), (768, 768));
        play(&mut cells, &mut beside, 3);
        assert_eq!(beside.individuals.step(), cells.step());
    }
}
