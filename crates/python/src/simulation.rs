//! A simulation in Python.

use crate::errors::{exception, wrong};
use crate::{arrays, values};
use murmuration::keys::KEYS;
use murmuration::observe::{LivelinessSampler, Trajectories, TrajectoryNumbers, columns, encode_png, npy, reduced};
use murmuration::provenance::Provenance;
use murmuration::reading::{FalconsReading, FoodReading};
use murmuration::{
    Account, Caption, Checkpoint, CpuOptions, EngineChoice, Failure, FramePainter, Individuals, Input, Mood,
    Observation, Overrides, Place, Playback, Pointer, Preset, PresetSource, Replay, Swarm, host,
};
use murmuration_core::contents::{Contents, Texts};
use murmuration_core::individuals::Individuals as Swarmers;
use murmuration_core::statistics::Statistics;
use murmuration_core::text::is_path;
use murmuration_core::ticket::Patience;
use numpy::ndarray::{Array1, Array3, ArrayD};
use numpy::{PyReadonlyArray2, PyReadonlyArrayDyn};
use parking_lot::{Mutex, MutexGuard};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time between two looks for Ctrl-C.
const SLICE: Duration = Duration::from_millis(50);

/// A simulation that Python and a batch share.
pub struct Shared {
    inner: Mutex<Inner>,
    /// Grows with every change, so that arrays are made once for each state.
    version: AtomicU64,
    /// The process in which it was made. The threads of an engine do not live on in a fork.
    process: u32,
}

/// A simulation, and what is made of it.
pub struct Inner {
    pub simulation: murmuration::Simulation,
    pub painter: FramePainter,
}

impl Shared {
    /// A simulation that nobody shares yet.
    pub fn new(simulation: murmuration::Simulation) -> Arc<Self> {
        let inner = Inner { simulation, painter: FramePainter::default() };
        Arc::new(Self { inner: Mutex::new(inner), version: AtomicU64::new(0), process: std::process::id() })
    }

    /// The simulation for a read. Whoever holds Python's lock must not wait for it.
    pub fn read(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    /// The simulation for a change.
    pub fn change(&self) -> MutexGuard<'_, Inner> {
        let inner = self.inner.lock();
        self.version.fetch_add(1, Ordering::Relaxed);
        inner
    }

    /// # Errors
    /// In a process that was forked after the simulation was made.
    pub fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this process was forked, and the threads of a simulation do not live on in a fork; \
             use multiprocessing.set_start_method(\"spawn\"), or make the simulation in the child, or pickle it",
        ))
    }
}

/// The compiled part of `murmuration.Simulation`.
#[pyclass(frozen, module = "murmuration._native")]
pub struct Simulation {
    pub shared: Arc<Shared>,
}

impl Simulation {
    fn from_native(simulation: murmuration::Simulation) -> Self {
        Self { shared: Shared::new(simulation) }
    }

    /// Reads of the simulation, without Python's lock.
    pub fn read<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.shared.check_process()?;
        py.detach(|| work(&mut self.shared.read())).map_err(exception)
    }

    /// Changes the simulation, without Python's lock.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.shared.check_process()?;
        py.detach(|| work(&mut self.shared.change())).map_err(exception)
    }

    fn apply(&self, py: Python<'_>, inputs: Vec<Input>) -> PyResult<()> {
        self.change(py, |inner| inputs.into_iter().try_for_each(|input| inner.simulation.apply(input)))
    }

    /// The individuals in the order of their numbers.
    fn individuals(&self, py: Python<'_>) -> PyResult<(Individuals, usize)> {
        self.read(py, |inner| {
            let axes = inner.simulation.preset().size().axes();
            match inner.simulation.swarm()? {
                Swarm::Individuals(individuals) => Ok((individuals.in_order(), axes)),
                Swarm::Cells(_) => Err(no_individuals(&inner.simulation).into()),
            }
        })
    }
}

/// Plays steps in slices, and looks for signals between them. `play` plays so many steps and returns how many it played.
pub fn in_slices(py: Python<'_>, steps: u64, mut play: impl FnMut(Python<'_>, u64) -> PyResult<u64>) -> PyResult<()> {
    let (mut left, mut slice) = (steps, 1);
    while left > 0 {
        let begun = Instant::now();
        let asked = left.min(slice);
        let played = play(py, asked)?;
        left -= played.min(left);
        if begun.elapsed() < SLICE {
            slice = slice.saturating_mul(2);
        } else if begun.elapsed() > 2 * SLICE {
            slice = (slice / 2).max(1);
        }
        py.check_signals()?;
        if played < asked {
            break;
        }
    }
    Ok(())
}

/// The engine of a name.
pub fn engine_of(engine: &str, threads: Option<usize>) -> PyResult<EngineChoice> {
    let choice = EngineChoice::from_str(engine).map_err(|wrong| exception(wrong.into()))?;
    if threads == Some(0) {
        return Err(wrong("threads", "0 threads cannot play", "give 1 or more, or None for all cores"));
    }
    match (choice, threads) {
        (EngineChoice::Gpu(_), Some(_)) => {
            Err(wrong("threads", "is for the CPU engine", "take it away, or ask for engine=\"cpu\""))
        }
        (EngineChoice::Cpu(options), _) => Ok(EngineChoice::Cpu(CpuOptions { threads, ..options })),
        (EngineChoice::Auto, Some(_)) => Ok(EngineChoice::Cpu(CpuOptions { threads, ..CpuOptions::default() })),
        (choice, None) => Ok(choice),
    }
}

/// A place in 1/16 cell, for hunters.
pub fn place_of(at: &[f64]) -> PyResult<Place> {
    check_place(at)?;
    Ok(match *at {
        [x, y] => Place::from_cells([x, y]),
        [x, y, z] => Place::from_cells([x, y, z]),
        _ => unreachable!("checked"),
    })
}

/// The mood of a name.
pub fn mood_of(name: &str) -> PyResult<Mood> {
    match name {
        "flee" => Ok(Mood::Flee),
        "follow" => Ok(Mood::Follow),
        other => Err(wrong("mood", format!("`{other}` is no mood"), "use \"flee\" or \"follow\"")),
    }
}

/// A weight of a rule (Q10).
pub fn weight_of(weight: f64) -> PyResult<i32> {
    if !(weight.abs() <= 32.0) {
        return Err(wrong("weight", format!("{weight} is out of bounds"), "give a number from -32 to 32"));
    }
    Ok((weight * 1024.0).round() as i32)
}

/// The complaint about a swarm of cells where individuals are asked for.
pub fn no_individuals(simulation: &murmuration::Simulation) -> murmuration::BadInput {
    let problem = format!("the preset `{}` has no individuals", simulation.preset().name);
    murmuration::BadInput::new("individuals", problem, "use density and control, or begin it with individuals=True")
}

/// A place in whole cells, for brushes.
fn cell(at: &[f64]) -> PyResult<Place> {
    check_place(at)?;
    let whole = |along: f64| along.floor() as i32;
    Ok(match *at {
        [x, y] => [whole(x), whole(y)].into(),
        [x, y, z] => [whole(x), whole(y), whole(z)].into(),
        _ => unreachable!("checked"),
    })
}

fn check_place(at: &[f64]) -> PyResult<()> {
    if !(2..=3).contains(&at.len()) || !at.iter().all(|along| along.is_finite()) {
        return Err(wrong("at", "is no place", "give (x, y), or (x, y, z) in a deep world, in cells"));
    }
    Ok(())
}

/// What a preset is made of.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PresetArguments {
    /// A name, or a path.
    preset: PathBuf,
    /// The text of the preset; `None`: it is read.
    text: Option<String>,
    size: Option<Vec<u32>>,
    seed: Option<u64>,
    set: Vec<String>,
    chain: Option<PathBuf>,
    individuals: bool,
    /// Chains and kernels, and contents of pictures and arrays, by their names.
    texts: HashMap<String, String>,
    contents: HashMap<String, Vec<u8>>,
}

impl PresetArguments {
    fn overrides(&self) -> PyResult<Overrides> {
        let (size, depth) = match self.size.as_deref() {
            None => (None, None),
            Some([width, height]) => (Some((*width, *height)), None),
            Some([width, height, depth]) => (Some((*width, *height)), Some(*depth)),
            Some(_) => {
                return Err(wrong(
                    "size",
                    "has neither two nor three extents",
                    "give (width, height) or (width, height, depth) in cells",
                ));
            }
        };
        Ok(Overrides {
            size,
            depth,
            seed: self.seed,
            set: self.set.clone(),
            individuals: self.individuals,
            ..Overrides::default()
        })
    }

    /// Reads the preset and its chain.
    pub fn load(&self) -> PyResult<(Preset, murmuration::Chain)> {
        let overrides = self.overrides()?;
        let load = || -> Result<_, Failure> {
            let preset = match &self.text {
                None if self.contents.is_empty() => Preset::load(host(), &self.preset, &overrides)?,
                text => {
                    let text = match text {
                        Some(text) => text.clone(),
                        None if is_path(&self.preset) => host().read_text(&self.preset)?,
                        // An unknown name has its message there.
                        None => Preset::load(host(), &self.preset, &overrides)?.source().text.clone(),
                    };
                    let mut files = Contents::default();
                    for (name, bytes) in &self.contents {
                        files.insert(name.as_str(), bytes.clone());
                    }
                    let source = PresetSource { origin: self.preset.clone().into(), text, overrides, files };
                    Preset::from_source(host(), &source)?
                }
            };
            let mut texts = Texts::default();
            for (name, text) in &self.texts {
                texts.insert(name.as_str(), text.clone());
            }
            let chain = preset.load_chain_from(self.chain.as_deref(), &mut texts)?;
            Ok((preset, chain))
        };
        load().map_err(exception)
    }

    /// Begins at step 0, after the run-in, which Ctrl-C may end.
    pub fn begin(&self, py: Python<'_>, choice: EngineChoice) -> PyResult<murmuration::Simulation> {
        let (preset, chain) = self.load()?;
        begin(py, preset, &chain, choice)
    }
}

/// Checks a preset, its chain and its kernels, without a device. Returns the record of the results that it would have.
#[pyfunction]
pub fn check(py: Python<'_>, arguments: PresetArguments) -> PyResult<Bound<'_, PyAny>> {
    let (preset, chain) = arguments.load()?;
    py.detach(|| murmuration::soundness::check_preset(&preset, &chain)).map_err(|wrong| exception(wrong.into()))?;
    values::to_python(py, &Provenance::from_preset(&preset, &chain).record(0))
}

/// Begins a preset at step 0, after the run-in.
fn begin(
    py: Python<'_>,
    preset: Preset,
    chain: &murmuration::Chain,
    choice: EngineChoice,
) -> PyResult<murmuration::Simulation> {
    let mut simulation =
        py.detach(|| murmuration::Simulation::before_run_in(preset, chain, choice)).map_err(exception)?;
    while let Some(run_in) = simulation.run_in() {
        let all = run_in.steps - run_in.played;
        in_slices(py, all, |py, steps| {
            let played = py.detach(|| {
                let before = simulation.run_in().map_or(0, |run_in| run_in.played);
                simulation.play_run_in(steps, Patience::Wait)?;
                Ok(simulation.run_in().map_or(steps, |run_in| run_in.played - before))
            });
            played.map_err(exception)
        })?;
    }
    Ok(simulation)
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, arguments: PresetArguments, engine: &str, threads: Option<usize>) -> PyResult<Self> {
        let choice = engine_of(engine, threads)?;
        Ok(Self::from_native(arguments.begin(py, choice)?))
    }

    /// Goes on from the bytes of a checkpoint.
    #[staticmethod]
    fn resume(py: Python<'_>, bytes: &[u8], origin: &str, engine: &str, threads: Option<usize>) -> PyResult<Self> {
        let choice = engine_of(engine, threads)?;
        let resumed = py.detach(|| -> Result<_, Failure> {
            let cure = "name a checkpoint that the program saved";
            let checkpoint =
                Checkpoint::from_bytes(bytes).map_err(|problem| murmuration::BadInput::new(origin, problem, cure))?;
            murmuration::Simulation::resume(host(), checkpoint, choice)
        });
        resumed.map(Self::from_native).map_err(exception)
    }

    /// Plays the text of a replay. Returns the simulation at its end, and the hash that the replay expects there.
    #[staticmethod]
    fn replay(
        py: Python<'_>,
        text: &str,
        origin: &str,
        engine: &str,
        threads: Option<usize>,
    ) -> PyResult<(Self, String)> {
        let choice = engine_of(engine, threads)?;
        let replay = Replay::from_json(origin, text).map_err(|wrong| exception(wrong.into()))?;
        let (preset, chain) = replay.load(host()).map_err(|wrong| exception(wrong.into()))?;
        let mut simulation = begin(py, preset, &chain, choice)?;
        let mut playback = Playback::default();
        in_slices(py, replay.total_steps(), |py, steps| {
            let before = playback.steps();
            let played = py.detach(|| playback.advance(&replay, &mut simulation, steps, Patience::Wait));
            played.map(|_| playback.steps() - before).map_err(exception)
        })?;
        // Inputs after the last step.
        py.detach(|| playback.advance(&replay, &mut simulation, 0, Patience::Wait)).map_err(exception)?;
        Ok((Self::from_native(simulation), replay.state_hash))
    }

    /// Begins the present preset anew at step 0, with another seed if one is given.
    fn restart(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        self.shared.check_process()?;
        let (preset, chain, choice) = self.read(py, |inner| {
            let simulation = &inner.simulation;
            let preset = match seed {
                Some(seed) => simulation.preset().with_seed(seed)?,
                None => simulation.preset().clone(),
            };
            Ok((preset, simulation.chain().clone(), simulation.choice()))
        })?;
        let simulation = begin(py, preset, &chain, choice)?;
        self.change(py, |inner| {
            *inner = Inner { simulation, painter: FramePainter::default() };
            Ok(())
        })
    }

    /// A simulation of its own with the same swarm at the same step.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let copied = self.read(py, |inner| {
            let simulation = &mut inner.simulation;
            let choice = simulation.choice();
            let checkpoint = simulation.read(murmuration::reading::CheckpointReading)?;
            murmuration::Simulation::resume(host(), checkpoint, choice)
        })?;
        Ok(Self::from_native(copied))
    }

    fn advance(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        if steps == 1 {
            return self.change(py, |inner| inner.simulation.advance(1));
        }
        in_slices(py, steps, |py, steps| self.change(py, |inner| inner.simulation.advance(steps)).map(|()| steps))
    }

    /// A number that grows with every change of the swarm or its preset.
    #[getter]
    fn version(&self) -> u64 {
        self.shared.version.load(Ordering::Relaxed)
    }

    fn step(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, |inner| Ok(inner.simulation.step()))
    }

    /// What is known without a look at the swarm.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = self.read(py, |inner| {
            let simulation = &inner.simulation;
            let preset = simulation.preset();
            let extents = preset.size();
            let threads = match simulation.choice() {
                EngineChoice::Cpu(options) => options.threads,
                _ => None,
            };
            Ok(json!({
                "preset": preset.name,
                "step": simulation.step(),
                "seed": preset.seed,
                "size": extents.along_axes()[..extents.axes()],
                "model": if preset.individuals.is_some() { "individuals" } else { "cells" },
                "chain": simulation.chain().name,
                "engine": simulation.engine_name(),
                "device": simulation.describe_engine(),
                "threads": threads,
                "species": preset.species.iter().map(|species| species.name.as_str()).collect::<Vec<_>>(),
                "is_endless": preset.world.window.is_some(),
                "is_torus": preset.world.edges == murmuration::Edges::Torus,
                "notes": preset.notes(),
            }))
        })?;
        values::to_python(py, &facts)
    }

    /// What the engine had to say since the last call.
    fn remarks(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |inner| Ok([inner.simulation.remarks(), inner.painter.remarks()].concat()))
    }

    fn switch_engine(&self, py: Python<'_>, engine: &str, threads: Option<usize>) -> PyResult<()> {
        let choice = engine_of(engine, threads)?;
        self.change(py, |inner| inner.simulation.switch(choice))
    }

    fn density<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let density = self.read(py, |inner| Ok(npy::density_of(&mut inner.simulation)?))?;
        Ok(arrays::read_only(py, density))
    }

    fn control<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let control = self.read(py, |inner| Ok(npy::control_of(&inner.simulation.state()?)))?;
        Ok(arrays::read_only(py, control))
    }

    /// Replaces the control vectors: the array that `control` gives, changed.
    fn set_control(&self, py: Python<'_>, control: PyReadonlyArrayDyn<'_, i16>) -> PyResult<()> {
        let array = control.as_array().to_owned();
        self.change(py, |inner| {
            let Swarm::Cells(mut state) = inner.simulation.swarm()? else {
                let cure = "set velocities of individuals";
                return Err(murmuration::BadInput::new("control", "individuals have no control vectors", cure).into());
            };
            let expected = npy::control_of(&state).shape().to_vec();
            if array.shape() != expected {
                let problem = format!("has the shape {:?}", array.shape());
                return Err(
                    murmuration::BadInput::new("control", problem, format!("give it the shape {expected:?}")).into()
                );
            }
            npy::set_control(&mut state, &array);
            inner.simulation.set_velocities(Swarm::Cells(state))
        })
    }

    /// Replaces the velocities of individuals in the order of their numbers, in cells a step.
    fn set_velocities(&self, py: Python<'_>, velocities: PyReadonlyArray2<'_, f64>) -> PyResult<()> {
        let array = velocities.as_array().to_owned();
        self.change(py, |inner| {
            let axes = inner.simulation.preset().size().axes();
            let Swarm::Individuals(individuals) = inner.simulation.swarm()? else {
                return Err(murmuration::BadInput::new("velocities", "cells have none", "set control").into());
            };
            let mut individuals: Swarmers = individuals.in_order();
            if array.shape() != [individuals.len(), axes] {
                let problem = format!("has the shape {:?}", array.shape());
                let cure = format!("give it the shape [{}, {axes}]", individuals.len());
                return Err(murmuration::BadInput::new("velocities", problem, cure).into());
            }
            for ((index, axis), along) in array.indexed_iter() {
                if !along.is_finite() {
                    let problem = format!("{along} is no velocity");
                    return Err(murmuration::BadInput::new("velocities", problem, "give finite numbers").into());
                }
                // Far beyond the greatest speed, to which they are shortened.
                let limited = along.clamp(-64.0, 64.0) * f64::from(murmuration::ONE);
                individuals.velocities[axis][index] = limited.round() as i32;
            }
            inner.simulation.set_velocities(Swarm::Individuals(individuals))
        })
    }

    /// Everything about individuals by name: ids, positions, velocities, species, and lives where there are any.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (individuals, axes) = self.individuals(py)?;
        let dict = PyDict::new(py);
        dict.set_item("positions", arrays::read_only(py, arrays::positions(&individuals, axes)))?;
        dict.set_item("velocities", arrays::read_only(py, arrays::velocities(&individuals, axes)))?;
        let species: Array1<u8> = (0..individuals.len()).map(|index| individuals.species(index) as u8).collect();
        dict.set_item("species", arrays::read_only(py, species))?;
        if individuals.has_lives() {
            dict.set_item("lives", arrays::read_only(py, npy::lives_of(&individuals)))?;
        }
        dict.set_item("ids", arrays::read_only(py, Array1::from_vec(individuals.numbers)))?;
        Ok(dict)
    }

    /// The food in each cell of its lattice; `None`: there is none.
    fn food<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let food = self.read(py, |inner| {
            let Some(lattice) = inner.simulation.preset().food.clone() else { return Ok(None) };
            Ok(Some((lattice.extents, inner.simulation.read(FoodReading)?)))
        })?;
        let Some(([width, height, depth], food)) = food else { return Ok(None) };
        let mut shape = [depth, height, width].map(|extent| extent as usize).to_vec();
        if depth == 1 {
            shape.remove(0);
        }
        let food = ArrayD::from_shape_vec(shape, food).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Some(arrays::read_only(py, food)))
    }

    /// Whether each cell is solid, with the slowest axis first.
    fn terrain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (extents, solid) = self.read(py, |inner| {
            let world = &inner.simulation.preset().world;
            Ok(match &world.rock {
                Some(rock) => {
                    let seen = rock.with_solids(&world.solids);
                    (rock.extents, seen.as_ref().unwrap_or(rock).rock())
                }
                None if world.solids.is_empty() => (world.extents, vec![false; world.extents.cells()]),
                None => (world.extents, world.solids.to_vec()),
            })
        })?;
        let shape: Vec<usize> =
            extents.along_axes()[..extents.axes()].iter().rev().map(|along| *along as usize).collect();
        let solid = ArrayD::from_shape_vec(shape, solid).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(arrays::read_only(py, solid))
    }

    /// The columns of [`arrays::falcons`].
    fn falcons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let falcons = self.read(py, |inner| inner.simulation.read(FalconsReading))?;
        Ok(arrays::read_only(py, arrays::falcons(&falcons)))
    }

    fn state_hash(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |inner| inner.simulation.state_hash())
    }

    fn account<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let account = self.read(py, |inner| {
            let account = inner.simulation.account()?;
            Ok(describe_account(&account, inner.simulation.preset()))
        })?;
        values::to_python(py, &account)
    }

    /// The metrics of the present step by their columns.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let observed = self.read(py, |inner| Ok(columns(&Observation::new(&mut inner.simulation)?)))?;
        values::to_python(py, &observed)
    }

    /// The statistics of the present step.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let statistics = self.read(py, |inner| {
            let swarm = inner.simulation.swarm()?;
            let preset = inner.simulation.preset();
            Ok(Statistics::new(inner.simulation.step(), &swarm, &preset.space(), preset.seed, None))
        })?;
        values::to_python(py, &statistics)
    }

    /// The record of what made the present swarm.
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let record = self.read(py, |inner| Ok(Provenance::new(&inner.simulation).record(inner.simulation.step())))?;
        values::to_python(py, &record)
    }

    /// A picture of shape (height, width, 3), at most so many pixels wide.
    fn picture<'py>(&self, py: Python<'py>, width: Option<u32>) -> PyResult<Bound<'py, PyAny>> {
        let picture = self.read(py, |inner| paint(inner, width))?;
        let shape = (picture.height as usize, picture.width as usize, 3);
        let pixels =
            Array3::from_shape_vec(shape, picture.bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(arrays::read_only(py, pixels))
    }

    /// The same picture as PNG, with its provenance.
    fn png<'py>(&self, py: Python<'py>, width: Option<u32>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.read(py, |inner| {
            let picture = paint(inner, width)?;
            let mut bytes = Vec::new();
            encode_png(&picture, &mut bytes, &Caption::new(&inner.simulation))
                .map_err(|error| Failure::Broken(error.to_string()))?;
            Ok(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The values of the parameters that the panel shows, by key.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = self.read(py, |inner| {
            let simulation = &inner.simulation;
            let weights = simulation.plan().map(|plan| plan.weights.clone()).unwrap_or_default();
            let values = simulation.preset().values(&weights).into_iter();
            Ok(values.map(|(key, value)| (key, values::of_value(value))).collect::<Map<_, _>>())
        })?;
        values::to_python(py, &values)
    }

    /// The value of any key in the notation of TOML, as the preset or a setting has it; `None`: it is left out.
    fn text_of(&self, py: Python<'_>, key: &str) -> PyResult<Option<String>> {
        self.read(py, |inner| Ok(inner.simulation.preset().text_of(key)))
    }

    /// What is known of a key.
    #[staticmethod]
    fn key<'py>(py: Python<'py>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        KEYS.rows(key).next().map(|row| values::to_python(py, &values::of_key(row))).transpose()
    }

    fn set(&self, py: Python<'_>, key: String, value: String) -> PyResult<()> {
        self.apply(py, vec![Input::Set { key, value }])
    }

    #[pyo3(signature = (at, reach, mood, weight, jaws))]
    fn hunt(
        &self,
        py: Python<'_>,
        at: Option<Vec<f64>>,
        reach: u32,
        mood: &str,
        weight: f64,
        jaws: u32,
    ) -> PyResult<()> {
        let (mood, weight) = (mood_of(mood)?, weight_of(weight)?);
        let pointer = at.as_deref().map(place_of).transpose()?.map(|place| Pointer { place, reach, mood, weight });
        let jaws = if pointer.is_some() { jaws } else { 0 };
        self.apply(py, vec![Input::Hunter(pointer), Input::Jaws(jaws)])
    }

    fn spawn(&self, py: Python<'_>, at: Vec<f64>, radius: u32, boids: u32) -> PyResult<()> {
        self.apply(py, vec![Input::Stroke, Input::Spawn { at: cell(&at)?, radius, boids }])
    }

    fn lift(&self, py: Python<'_>, at: Vec<f64>, radius: u32) -> PyResult<()> {
        self.apply(py, vec![Input::Stroke, Input::Lift { at: cell(&at)?, radius }])
    }

    fn paint_solid(&self, py: Python<'_>, at: Vec<f64>, radius: u32, solid: bool) -> PyResult<()> {
        self.apply(py, vec![Input::Stroke, Input::Solid { at: cell(&at)?, radius, solid }])
    }

    fn feed(&self, py: Python<'_>, at: Vec<f64>, radius: u32, food: u32) -> PyResult<()> {
        self.apply(py, vec![Input::Stroke, Input::Feed { at: cell(&at)?, radius, food }])
    }

    fn undo(&self, py: Python<'_>) -> PyResult<()> {
        self.apply(py, vec![Input::Undo])
    }

    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes =
            self.read(py, |inner| Ok(inner.simulation.read(murmuration::reading::CheckpointReading)?.to_bytes()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn save_checkpoint(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.read(py, |inner| murmuration::save_checkpoint(&mut inner.simulation, &path))
    }

    fn save_replay(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.read(py, |inner| {
            let replay = inner.simulation.read(murmuration::reading::ReplayReading)?;
            murmuration::write_replay(&replay, &path)
        })
    }

    /// Saves the preset with all that was set since, in a folder. Returns its path.
    fn save_preset(&self, py: Python<'_>, folder: PathBuf) -> PyResult<PathBuf> {
        self.read(py, |inner| {
            let simulation = &inner.simulation;
            Ok(murmuration::save_preset(simulation.preset(), &*simulation.chain().named, &folder)?.preset)
        })
    }

    fn save_png(&self, py: Python<'_>, path: PathBuf, width: Option<u32>) -> PyResult<()> {
        self.read(py, |inner| {
            let picture = paint(inner, width)?;
            murmuration::write_png(&picture, &path, &Caption::new(&inner.simulation))
        })
    }

    /// Plays steps, and observes the present step and every `every`th. Returns the rows of the metrics.
    fn history<'py>(&self, py: Python<'py>, steps: u64, every: u64) -> PyResult<Bound<'py, PyAny>> {
        check_every(every)?;
        let mut sampler = self.read(py, |inner| {
            let mut sampler = LivelinessSampler::from_preset(inner.simulation.preset());
            sampler.sample(&mut inner.simulation)?;
            Ok(sampler)
        })?;
        let mut rows = Vec::new();
        let mut left = steps;
        loop {
            rows.push(self.read(py, |inner| {
                Ok(columns(&Observation::new(&mut inner.simulation)?.with_liveliness(Some(&sampler))))
            })?);
            if left == 0 {
                break;
            }
            let piece = every.min(left);
            in_slices(py, piece, |py, steps| {
                self.change(py, |inner| sampler.advance(&mut inner.simulation, steps)).map(|()| steps)
            })?;
            left -= piece;
        }
        values::to_python(py, &rows)
    }

    /// Plays steps, and keeps where all individuals are now and at every `every`th step. Returns each column: name, unit, numbers.
    fn trajectories<'py>(
        &self,
        py: Python<'py>,
        steps: u64,
        every: u64,
    ) -> PyResult<Vec<(&'static str, &'static str, Bound<'py, PyAny>)>> {
        check_every(every)?;
        let (individuals, axes) = self.individuals(py)?;
        let folder = std::env::temp_dir().join("trajectories");
        let mut trajectories = Trajectories::begin(&folder, axes, individuals.has_lives()).map_err(exception)?;
        let mut left = steps;
        loop {
            self.read(py, |inner| {
                let step = inner.simulation.step();
                if let Swarm::Individuals(individuals) = inner.simulation.swarm()? {
                    let failed = |source| Failure::File {
                        action: "cannot store a step in",
                        path: folder.display().to_string(),
                        source,
                    };
                    trajectories.add(step, &individuals).map_err(failed)?;
                }
                Ok(())
            })?;
            if left == 0 {
                break;
            }
            let piece = every.min(left);
            self.advance(py, piece)?;
            left -= piece;
        }
        let columns = trajectories.columns()?;
        let column = |column: murmuration::observe::TrajectoryColumn| {
            let numbers = match column.numbers {
                TrajectoryNumbers::Whole(numbers) => arrays::read_only(py, Array1::from_vec(numbers)),
                TrajectoryNumbers::Decimal(numbers) => arrays::read_only(py, Array1::from_vec(numbers)),
            };
            (column.name, column.unit, numbers)
        };
        Ok(columns.into_iter().map(column).collect())
    }
}

fn check_every(every: u64) -> PyResult<()> {
    if every == 0 {
        return Err(wrong("every", "0 steps lie between two observations", "give 1 or more"));
    }
    Ok(())
}

/// The picture of the present step, at most so many pixels wide.
fn paint(inner: &mut Inner, width: Option<u32>) -> Result<murmuration::Picture, Failure> {
    let picture = inner.painter.paint(&mut inner.simulation)?;
    Ok(match width {
        Some(width) if width > 0 && width < picture.width => reduced(&picture, width),
        _ => picture,
    })
}

/// An account by names. Amounts are in quanta, but `boids`.
pub fn describe_account(account: &Account, preset: &Preset) -> Value {
    let Account { step, quanta, ledger, lost, food, lost_food, species, lost_energy, .. } = account;
    let turnover = &ledger.turnover;
    let mut described = json!({
        "step": step,
        "boids": *quanta as f64 / f64::from(murmuration::BOID),
        "quanta": quanta,
        "start": ledger.start,
        "spawned": ledger.spawned,
        "caught": turnover.caught,
        "born": turnover.born,
        "starved": turnover.starved,
        "eaten": turnover.eaten,
        "lost": lost,
    });
    if preset.food.is_some() {
        described["food"] = json!({ "now": food, "start": ledger.food, "grown": turnover.grown, "grazed": turnover.grazed, "fed": ledger.fed, "removed": ledger.removed, "lost": lost_food });
    }
    if preset.species.len() > 1 {
        let own = preset.species.iter().enumerate().map(|(index, own)| {
            (own.name.clone(), json!({ "quanta": species[index], "start": ledger.species[index].start, "spawned": ledger.species[index].spawned, "turnover": turnover.species[index], "lost": ledger.lost_of(index, species[index]) }))
        });
        described["species"] = own.collect::<Map<_, _>>().into();
    }
    if preset.individuals.as_ref().is_some_and(|model| model.has_lives()) {
        let energy = account.energy_of_all();
        described["energy"] = json!({ "now": energy.now, "lost": lost_energy });
    }
    described
}
