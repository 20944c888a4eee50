//! A scene that both models play from the same start, with the same inputs.

use crate::run::Stepper;
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::preset::{Preset, PresetSource};
use murmuration_core::simulation::{Account, EngineChoice, Input, Simulation, StopCheck};
use std::time::{Duration, Instant};

/// A preset of the cell system, played by its cells and by its individuals.
pub struct Pair {
    pub cells: Simulation,
    pub individuals: Simulation,
    /// The total wall-clock time of the steps, by model.
    pub step_time: ModelPair<Duration>,
}

/// A value for each of the two models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPair<T> {
    pub cells: T,
    pub individuals: T,
}

impl<T> ModelPair<T> {
    /// Applies a function to both values.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> ModelPair<U> {
        ModelPair { cells: of(self.cells), individuals: of(self.individuals) }
    }

    /// Applies a function to references to both values.
    pub fn map_ref<U>(&self, mut of: impl FnMut(&T) -> U) -> ModelPair<U> {
        ModelPair { cells: of(&self.cells), individuals: of(&self.individuals) }
    }
}

impl Pair {
    /// Begins a preset of cells. `chain`: the chain that plays the cells. The individuals find their neighbours in a
    /// grid.
    ///
    /// # Errors
    /// As [`Preset::as_individuals`] and [`Simulation::new`].
    pub fn new(preset: Preset, chain: &Chain, engines: ModelPair<EngineChoice>) -> Result<Self, Failure> {
        let theirs = individuals_of(&preset, chain)?;
        let search = theirs.load_chain(None)?;
        Ok(Self {
            individuals: Simulation::new(theirs, &search, engines.individuals)?,
            cells: Simulation::new(preset, chain, engines.cells)?,
            step_time: ModelPair { cells: Duration::ZERO, individuals: Duration::ZERO },
        })
    }

    /// Applies an input to both models before the next step.
    ///
    /// # Errors
    /// If one of the models refuses the input, or if a device fails. If a model refuses the input, it is applied to
    /// neither.
    pub fn apply(&mut self, input: &Input) -> Result<(), Failure> {
        let theirs = accepted(&self.cells, &self.individuals, input)?;
        self.cells.apply(input.clone())?;
        self.individuals.apply(theirs)
    }

    /// The wall-clock milliseconds per step over the whole run, by model.
    pub fn pace(&self) -> ModelPair<f64> {
        let steps = self.step().max(1) as f64;
        self.step_time.map(|time| time.as_secs_f64() * 1000.0 / steps)
    }

    /// The accounts of both swarms.
    ///
    /// # Errors
    /// If a device fails.
    pub fn accounts(&mut self) -> Result<ModelPair<Account>, Failure> {
        Ok(ModelPair { cells: self.cells.account()?, individuals: self.individuals.account()? })
    }
}

/// The individuals play first, and a stop ends their steps. The cells then play the same number of steps.
impl Stepper for Pair {
    fn step(&self) -> u64 {
        self.cells.step()
    }

    fn play(&mut self, steps: u64) -> Result<u64, Failure> {
        let (played, of_individuals) = timed(&mut self.individuals, steps)?;
        let (_, of_cells) = timed(&mut self.cells, played)?;
        self.step_time.individuals += of_individuals;
        self.step_time.cells += of_cells;
        Ok(played)
    }

    fn wait(&mut self) -> Result<(), Failure> {
        self.cells.wait()?;
        self.individuals.wait()
    }

    fn stop_when(&mut self, stop: StopCheck) {
        self.individuals.stop_when(stop);
    }

    fn remarks(&mut self) -> Vec<String> {
        [self.cells.remarks(), self.individuals.remarks()].concat()
    }
}

/// Plays steps and waits for their end. Returns the number of steps played, and their time.
fn timed(simulation: &mut Simulation, steps: u64) -> Result<(u64, Duration), Failure> {
    let begun = Instant::now();
    let played = simulation.play(steps)?;
    simulation.wait()?;
    Ok((played, begun.elapsed()))
}

/// The engine of the individuals if `choice` is the engine of the cells. Individuals have no render passes.
pub fn choice_for_individuals(choice: EngineChoice) -> EngineChoice {
    match choice {
        EngineChoice::Gpu(_) => EngineChoice::Gpu(Dispatch::default()),
        other => other,
    }
}

/// Converts an input for the cells to the corresponding input for the individuals, which have their own preset and
/// chain.
///
/// # Errors
/// If the individuals refuse the input.
pub fn accepted(cells: &Simulation, individuals: &Simulation, input: &Input) -> Result<Input, Failure> {
    let mut theirs = input.clone();
    if let Input::Reload { preset, chain, files } = input {
        let (preset, chain) = cells.read_anew(preset, chain, files)?;
        let written = individuals_of(&preset, &chain)?.source().clone();
        let (files, search) = (written.files.beyond(&individuals.preset().source().files), individuals.chain());
        let (chain, chain_files) = (search.named.clone(), search.files.clone());
        theirs = Input::Reload { preset: PresetSource { files, ..written }, chain, files: chain_files };
    }
    individuals.check_input(&theirs)?;
    Ok(theirs)
}

/// The preset of the individuals of a scene. `chain`: the chain that plays the cells, which may differ from the
/// preset's chain. The individuals get the weights of `chain`.
///
/// # Errors
/// As [`Preset::as_individuals`].
pub fn individuals_of(preset: &Preset, chain: &Chain) -> Result<Preset, BadInput> {
    let mut written = preset.source().as_individuals();
    let is_said = |name: &String| preset.rules.weights.contains_key(name);
    // Weights of the preset's chain that neither `chain` nor the preset has get the value 0.
    let own = preset.load_chain(None).map(|chain| chain.weights).unwrap_or_default().into_keys();
    let silent = own.filter(|name| !chain.weights.contains_key(name) && !is_said(name));
    written.overrides.set.extend(silent.map(|name| format!("weights.{name}=0")));
    for (name, weight) in chain.weights.iter().filter(|(name, _)| !is_said(name)) {
        let decimal = f64::from(*weight) / f64::from(murmuration_core::numbers::RULE_ONE);
        written.overrides.set.push(format!("weights.{name}={decimal:?}"));
    }
    Preset::from_source(crate::host(), &written)
}
