//! The simulation of the Python package, a thin layer over the library's `Simulation`.

use crate::account::describe_account;
use crate::arguments::{cell, check_every, check_shape, engine_of, mood_of, no_individuals, place_of, weight_of};
use crate::arrays;
use crate::errors::exception;
use crate::preset::{PresetArguments, begin};
use crate::shared::{Inner, Shared};
use crate::values;
use crate::work::{detached, heard, run};
use murmuration::keys::KEYS;
use murmuration::observe::features::{columns_of_individuals, lives_of};
use murmuration::observe::{Trajectories, TrajectoryNumbers, columns, encode_png, npy, reduced};
use murmuration::provenance::Provenance;
use murmuration::reading::{FalconsReading, FeatureReading};
use murmuration::run::{Metrics, Moment, Scheduler};
use murmuration::{
    Caption, Checkpoint, EngineChoice, Failure, FramePainter, Individuals, Input, Observation, Pointer, Replay, Swarm,
    host,
};
use murmuration_core::statistics::Statistics;
use numpy::PyReadonlyArrayDyn;
use numpy::ndarray::{Array1, Array3, ArrayD};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::{Map, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The compiled part of `murmuration.Simulation`.
#[pyclass(frozen, module = "murmuration._native")]
pub struct Simulation {
    pub shared: Arc<Shared>,
}

impl Simulation {
    fn from_native(simulation: murmuration::Simulation) -> Self {
        Self { shared: Shared::new(simulation) }
    }

    /// Reads the simulation without Python's lock. A signal such as Ctrl-C interrupts the wait for a large simulation.
    pub fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        self.shared.check_process()?;
        if self.shared.is_large {
            let shared = self.shared.clone();
            return heard(py, move |_| work(&mut shared.read()));
        }
        detached(py, || work(&mut self.shared.read()))
    }

    /// Reads a value that takes little time, or that borrows from the caller.
    pub fn read_briefly<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.shared.check_process()?;
        self.shared.wait(py)?;
        detached(py, || work(&mut self.shared.read()))
    }

    /// Changes the simulation without Python's lock.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        self.shared.check_process()?;
        self.shared.wait(py)?;
        detached(py, || work(&mut self.shared.change()))
    }

    /// Plays the run of a scheduler in pieces, and handles signals such as Ctrl-C between them.
    fn run(&self, py: Python<'_>, scheduler: Scheduler<'_>) -> PyResult<()> {
        run(py, scheduler, |work| self.change(py, |inner| work(&mut inner.simulation)))
    }

    fn apply(&self, py: Python<'_>, inputs: Vec<Input>) -> PyResult<()> {
        self.change(py, |inner| inputs.into_iter().try_for_each(|input| inner.simulation.apply(input)))
    }

    /// Returns the individuals in the order of their numbers, the place of the window's first cell in cells if the
    /// world is endless, and the number of axes.
    fn individuals(&self, py: Python<'_>) -> PyResult<(Individuals, Option<[i64; 3]>, usize)> {
        self.read(py, |inner| {
            let axes = inner.simulation.preset().size().axes();
            match inner.simulation.swarm()? {
                Swarm::Individuals(individuals, columns) => Ok((individuals.in_order(), columns.origin(), axes)),
                Swarm::Cells(_) => Err(no_individuals(&inner.simulation).into()),
            }
        })
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, arguments: PresetArguments, engine: &str, threads: Option<usize>) -> PyResult<Self> {
        let choice = engine_of(engine, threads)?;
        Ok(Self::from_native(begin(py, move || arguments.load(), choice)?))
    }

    /// Resumes a simulation from the bytes of a checkpoint. `origin` names the checkpoint in messages.
    #[staticmethod]
    fn resume(py: Python<'_>, bytes: &[u8], origin: &str, engine: &str, threads: Option<usize>) -> PyResult<Self> {
        let choice = engine_of(engine, threads)?;
        let (bytes, origin) = (bytes.to_vec(), origin.to_owned());
        let resumed = heard(py, move |_| {
            let cure = "name a checkpoint that the program saved";
            let checkpoint =
                Checkpoint::from_bytes(&bytes).map_err(|problem| murmuration::BadInput::new(origin, problem, cure))?;
            murmuration::Simulation::resume(host(), checkpoint, choice)
        });
        resumed.map(Self::from_native)
    }

    /// Plays the text of a replay. Returns the simulation at the end of the replay, and the expected hash of this
    /// state. `origin` names the replay in messages.
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
        let read = replay.clone();
        let simulation = Self::from_native(begin(py, move || Ok(read.load(host())?), choice)?);
        let mut scheduler = Scheduler::new(0);
        scheduler.replay(&replay);
        simulation.run(py, scheduler)?;
        Ok((simulation, replay.state_hash.clone()))
    }

    /// Restarts the present preset at step 0, with another seed if one is given.
    fn restart(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let (preset, chain, choice) = self.read(py, move |inner| {
            let simulation = &inner.simulation;
            let preset = match seed {
                Some(seed) => simulation.preset().with_seed(seed)?,
                None => simulation.preset().clone(),
            };
            Ok((preset, simulation.chain().clone(), simulation.choice()))
        })?;
        let simulation = begin(py, move || Ok((preset, chain)), choice)?;
        self.change(py, |inner| {
            *inner = Inner { simulation, painter: FramePainter::default() };
            Ok(())
        })
    }

    /// An independent simulation with the same swarm at the same step.
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
        self.run(py, Scheduler::new(steps))
    }

    /// A number that increases with every change of the swarm or its preset.
    #[getter]
    fn version(&self) -> u64 {
        self.shared.version.load(Ordering::Relaxed)
    }

    fn step(&self, py: Python<'_>) -> PyResult<u64> {
        self.read_briefly(py, |inner| Ok(inner.simulation.step()))
    }

    /// The properties of the simulation that are known without reading the swarm, as a dictionary.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = self.read_briefly(py, |inner| {
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

    /// The messages of the engine and of the painter since the last call.
    fn remarks(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read_briefly(py, |inner| Ok([inner.simulation.remarks(), inner.painter.remarks()].concat()))
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

    /// Sets the control vectors. The array has the shape of `control`, and whole numbers of 1/16384 cell a step.
    fn set_control(&self, py: Python<'_>, control: PyReadonlyArrayDyn<'_, f64>) -> PyResult<()> {
        let mut array = control.as_array().to_owned();
        self.change(py, |inner| {
            let Swarm::Cells(mut state) = inner.simulation.swarm()? else {
                let cure = "set velocities of individuals";
                return Err(murmuration::BadInput::new("control", "individuals have no control vectors", cure).into());
            };
            let expected = npy::control_of(&state).shape().to_vec();
            check_shape("control", array.shape(), &expected)?;
            if let Some(along) = array.iter().find(|along| along.fract() != 0.0) {
                let problem = format!("{along} is no whole number");
                let cure = "give numbers of 1/16384 cell a step, as in numpy.rint(control)";
                return Err(murmuration::BadInput::new("control", problem, cure).into());
            }
            arrays::shorten(&mut array, i16::MAX.into());
            npy::set_control(&mut state, &array.mapv(|along| along.round() as i16));
            inner.simulation.set_velocities(Swarm::Cells(state))
        })
    }

    /// Replaces the velocities of individuals. The array has the shape (individuals, axes), in the order of their
    /// numbers, in cells a step.
    fn set_velocities(&self, py: Python<'_>, velocities: PyReadonlyArrayDyn<'_, f64>) -> PyResult<()> {
        let mut array = velocities.as_array().to_owned();
        self.change(py, |inner| {
            let axes = inner.simulation.preset().size().axes();
            let Swarm::Individuals(individuals, columns) = inner.simulation.swarm()? else {
                return Err(murmuration::BadInput::new("velocities", "cells have none", "set control").into());
            };
            let mut individuals = individuals.in_order();
            check_shape("velocities", array.shape(), &[individuals.len(), axes])?;
            if let Some(along) = array.iter().find(|along| !along.is_finite()) {
                let problem = format!("{along} is no velocity");
                return Err(murmuration::BadInput::new("velocities", problem, "give finite numbers").into());
            }
            // 64 cells a step is far above the maximum speed, to which the engine limits velocities.
            arrays::shorten(&mut array, 64.0);
            let rows = array.rows();
            for (index, vector) in rows.into_iter().enumerate() {
                for (axis, along) in vector.iter().enumerate() {
                    individuals.velocities[axis][index] = (along * f64::from(murmuration::ONE)).round() as i32;
                }
            }
            inner.simulation.set_velocities(Swarm::Individuals(individuals, columns))
        })
    }

    /// The arrays of individuals by name: `ids`, `positions`, `velocities`, `species`, and `lives` in a swarm with
    /// lives.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (individuals, origin, axes) = self.individuals(py)?;
        let dict = PyDict::new(py);
        dict.set_item("positions", arrays::read_only(py, arrays::positions(&individuals, origin, axes)))?;
        dict.set_item("velocities", arrays::read_only(py, arrays::velocities(&individuals, axes)))?;
        let species: Array1<u8> = (0..individuals.len()).map(|index| individuals.species(index) as u8).collect();
        dict.set_item("species", arrays::read_only(py, species))?;
        if individuals.has_lives() {
            dict.set_item("lives", arrays::read_only(py, lives_of(&individuals)))?;
        }
        dict.set_item("ids", arrays::read_only(py, Array1::from_vec(individuals.numbers)))?;
        Ok(dict)
    }

    /// The food in each cell of the lattice of food, with the slowest axis first. `None` if the preset has no food.
    fn food<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let food = self.read(py, |inner| {
            let Some(feature) = inner.simulation.preset().features.named("food") else { return Ok(None) };
            Ok(Some((feature.extents(), inner.simulation.read(FeatureReading { name: "food" })?)))
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
        let (extents, solid) = self.read_briefly(py, |inner| {
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

    /// The falcons, a row of 8 numbers each (see [`arrays::falcons`]).
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

    /// The metrics of the present step, by the names of the columns.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let observed = self.read(py, |inner| Ok(columns(&Observation::new(&mut inner.simulation)?)))?;
        values::to_python(py, &observed)
    }

    /// The statistics of the present step: correlations, pairs, fluctuations and turning angles.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let statistics = self.read(py, |inner| {
            let swarm = inner.simulation.swarm()?;
            let preset = inner.simulation.preset();
            Ok(Statistics::new(inner.simulation.step(), &swarm, &preset.space(), preset.seed, None))
        })?;
        values::to_python(py, &statistics)
    }

    /// The provenance of the present swarm: the record that identifies preset, chain, program and step.
    fn provenance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let record =
            self.read_briefly(py, |inner| Ok(Provenance::new(&inner.simulation).record(inner.simulation.step())))?;
        values::to_python(py, &record)
    }

    /// The picture of the present step, of shape (height, width, 3), at most `width` pixels wide.
    fn picture<'py>(&self, py: Python<'py>, width: Option<u32>) -> PyResult<Bound<'py, PyAny>> {
        let picture = self.read(py, move |inner| paint(inner, width))?;
        let shape = (picture.height as usize, picture.width as usize, 3);
        let pixels =
            Array3::from_shape_vec(shape, picture.bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(arrays::read_only(py, pixels))
    }

    /// The bytes of the picture of the present step as PNG, at most `width` pixels wide, with its provenance.
    fn png<'py>(&self, py: Python<'py>, width: Option<u32>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.read(py, move |inner| {
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
        let values = self.read_briefly(py, |inner| {
            let simulation = &inner.simulation;
            let weights = simulation.plan().map(|plan| plan.layers[0].weights.clone()).unwrap_or_default();
            let values = simulation.preset().values(&weights).into_iter();
            Ok(values.map(|(key, value)| (key, values::of_value(value))).collect::<Map<_, _>>())
        })?;
        values::to_python(py, &values)
    }

    /// The value of a key in the notation of TOML. `None` if neither the preset nor a setting has the key.
    fn text_of(&self, py: Python<'_>, key: &str) -> PyResult<Option<String>> {
        self.read_briefly(py, |inner| Ok(inner.simulation.preset().text_of(key)))
    }

    /// The documentation, the bounds and the unit of a key. `None` if there is no such key.
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
        self.read(py, move |inner| murmuration::save_checkpoint(&mut inner.simulation, &path))
    }

    fn save_replay(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.read(py, move |inner| {
            let replay = inner.simulation.read(murmuration::reading::ReplayReading)?;
            murmuration::write_replay(&replay, &path)
        })
    }

    /// Saves the preset with all settings that were made since its start, in a folder. Returns the path of the preset
    /// file.
    fn save_preset(&self, py: Python<'_>, folder: PathBuf) -> PyResult<PathBuf> {
        self.read(py, move |inner| {
            let simulation = &inner.simulation;
            Ok(murmuration::save_preset(simulation.preset(), &*simulation.chain().named, &folder)?.preset)
        })
    }

    fn save_png(&self, py: Python<'_>, path: PathBuf, width: Option<u32>) -> PyResult<()> {
        self.read(py, move |inner| {
            let picture = paint(inner, width)?;
            murmuration::write_png(&picture, &path, &Caption::new(&inner.simulation))
        })
    }

    /// Plays steps, and observes the present step, every `every`-th step and the last one. Returns the rows of the
    /// metrics.
    fn history<'py>(&self, py: Python<'py>, steps: u64, every: u64) -> PyResult<Bound<'py, PyAny>> {
        check_every(every)?;
        let mut metrics = self.read_briefly(py, |inner| Ok(Metrics::every(every, &inner.simulation).with_last()))?;
        let mut scheduler = Scheduler::new(steps);
        scheduler.add(&mut metrics);
        self.run(py, scheduler)?;
        let rows: Vec<_> = metrics.rows().iter().map(columns).collect();
        values::to_python(py, &rows)
    }

    /// Plays steps, and stores the places of individuals at the present step, every `every`-th step and the last one.
    /// Returns each column with its name, its unit and its numbers.
    fn trajectories<'py>(
        &self,
        py: Python<'py>,
        steps: u64,
        every: u64,
    ) -> PyResult<Vec<(&'static str, &'static str, Bound<'py, PyAny>)>> {
        check_every(every)?;
        let (.., axes) = self.individuals(py)?;
        let others = self.read(py, |inner| Ok(columns_of_individuals(inner.simulation.preset())))?;
        let folder = std::env::temp_dir().join("trajectories");
        let mut trajectories = Trajectories::begin(&folder, axes, others).map_err(exception)?;
        let store = |moment: &mut Moment<'_>| {
            let reading = moment.swarm()?;
            let Some(Swarm::Individuals(individuals, columns)) = reading.as_ref().map(|reading| &reading.swarm) else {
                return Ok(());
            };
            let path = || folder.display().to_string();
            let failed = |source| Failure::File { action: "cannot store a step in", path: path(), source };
            trajectories.add(moment.time.step, individuals, columns.origin()).map_err(failed)
        };
        let mut scheduler = Scheduler::new(steps);
        scheduler.add(murmuration::run::every(every, store).with_last());
        self.run(py, scheduler)?;
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

/// The picture of the present step, at most `width` pixels wide.
fn paint(inner: &mut Inner, width: Option<u32>) -> Result<murmuration::Picture, Failure> {
    let picture = inner.painter.paint(&mut inner.simulation)?;
    Ok(match width {
        Some(width) if width > 0 && width < picture.width => reduced(&picture, width),
        _ => picture,
    })
}
