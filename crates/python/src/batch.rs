//! Plays many small worlds at once, each by one thread.

use crate::arguments::{no_individuals, place_of};
use crate::arrays;
use crate::errors::{exception, wrong};
use crate::preset::{PresetArguments, begin_until};
use crate::shared::{Inner, Shared};
use crate::simulation::Simulation;
use crate::work::{detached, heard, in_pieces};
use murmuration::observe::{Observation, columns, npy};
use murmuration::{CpuOptions, EngineChoice, Failure, Input, Mood, Pointer, Swarm};
use murmuration_core::parallel::{ThreadPool, check_threads};
use murmuration_core::state::Entry;
use numpy::ndarray::{ArrayD, Axis, stack};
use numpy::{Element, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The compiled part of `murmuration.Batch`.
#[pyclass(frozen, module = "murmuration._native")]
pub struct Batch {
    worlds: Vec<Arc<Shared>>,
    /// A pool of one thread for each thread of the batch. A world that such a pool plays uses only this thread.
    workers: Arc<Vec<ThreadPool>>,
}

/// The properties that the hunters of all worlds share. `reach` and `jaws` are in cells, and `weight` in Q10.
#[derive(Clone, Copy)]
struct Hunt {
    reach: u32,
    mood: Mood,
    weight: i32,
    jaws: u32,
}

impl Batch {
    fn with_worlds(worlds: Vec<Arc<Shared>>, workers: Arc<Vec<ThreadPool>>) -> PyResult<Self> {
        let mut all: Vec<_> = worlds.iter().map(Arc::as_ptr).collect();
        all.sort_unstable();
        if all.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(wrong("simulations", "a simulation stands twice", "give each one once, or copies of it"));
        }
        Ok(Self { worlds, workers })
    }

    /// Changes every world, on all threads and without Python's lock. Signals are handled when all worlds are changed.
    fn change(
        &self,
        py: Python<'_>,
        work: impl Fn(usize, &mut Inner) -> Result<(), Failure> + Sync + Send,
    ) -> PyResult<()> {
        self.check_process()?;
        let work = |index: usize| work(index, &mut self.worlds[index].change());
        detached(py, || spread(&self.workers, self.worlds.len(), &work)).map(drop)
    }

    /// Reads every world, on all threads and without Python's lock. The results are in the order of the worlds.
    fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl Fn(&mut Inner) -> Result<T, Failure> + Sync + Send + 'static,
    ) -> PyResult<Vec<T>> {
        self.check_process()?;
        let (workers, worlds) = (self.workers.clone(), self.worlds.clone());
        heard(py, move |is_unwanted| {
            spread(&workers, worlds.len(), &|index| {
                check_wanted(&is_unwanted)?;
                work(&mut worlds[index].read())
            })
        })
    }

    fn check_process(&self) -> PyResult<()> {
        self.worlds.iter().try_for_each(|world| world.check_process())
    }

    /// Makes an array of every world, and stacks the arrays along a new first axis.
    fn stacked<'py, T: Element + Clone + Send + 'static>(
        &self,
        py: Python<'py>,
        array: impl Fn(&mut Inner) -> Result<ArrayD<T>, Failure> + Sync + Send + 'static,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = self.read(py, array)?;
        let views: Vec<_> = all.iter().map(|array| array.view()).collect();
        let cure = "read the worlds one by one";
        let stacked = py.detach(|| stack(Axis(0), &views));
        Ok(arrays::read_only(
            py,
            stacked.map_err(|_| wrong("batch", "the arrays of the worlds have different shapes", cure))?,
        ))
    }
}

/// Fails if the caller has stopped waiting for the work.
fn check_wanted(is_unwanted: &AtomicBool) -> Result<(), Failure> {
    if is_unwanted.load(Ordering::Relaxed) { Err(Failure::Broken("the work was left".into())) } else { Ok(()) }
}

/// Calls `work` with each number below `count`, on all workers at once. Returns the results in order. The first failure
/// ends the work.
fn spread<T: Send>(
    workers: &[ThreadPool],
    count: usize,
    work: &(impl Fn(usize) -> Result<T, Failure> + Sync),
) -> Result<Vec<T>, Failure> {
    let next = AtomicUsize::new(0);
    let of_worker = || -> Result<Vec<(usize, T)>, Failure> {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(done);
            }
            match work(index) {
                Ok(value) => done.push((index, value)),
                Err(failure) => {
                    next.store(count, Ordering::Relaxed);
                    return Err(failure);
                }
            }
        }
    };
    let results: Vec<Result<Vec<(usize, T)>, Failure>> = std::thread::scope(|scope| {
        let threads: Vec<_> = workers.iter().map(|worker| scope.spawn(|| worker.install(of_worker))).collect();
        let panicked = || Failure::Broken("a thread of the batch has panicked".into());
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
    });
    let mut all: Vec<(usize, T)> = results.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    all.sort_unstable_by_key(|(index, _)| *index);
    Ok(all.into_iter().map(|(_, value)| value).collect())
}

fn workers(threads: Option<usize>) -> Result<Arc<Vec<ThreadPool>>, Failure> {
    threads.map_or(Ok(()), check_threads)?;
    let count = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    (0..count).map(|_| ThreadPool::new(Some(1), "world")).collect::<Result<Vec<_>, _>>().map(Arc::new)
}

#[pymethods]
impl Batch {
    /// A batch of simulations. The batch and the given objects share the simulations.
    #[new]
    fn new(simulations: Vec<PyRef<'_, Simulation>>, threads: Option<usize>) -> PyResult<Self> {
        let worlds = simulations.iter().map(|simulation| simulation.shared.clone()).collect();
        Self::with_worlds(worlds, workers(threads).map_err(exception)?)
    }

    /// A batch of simulations of one preset on the CPU, with a world for each seed.
    #[staticmethod]
    fn from_seeds(
        py: Python<'_>,
        arguments: PresetArguments,
        seeds: Vec<u64>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let (worlds, workers) = heard(py, move |is_unwanted| {
            let workers = workers(threads)?;
            let (preset, chain) = arguments.load()?;
            let choice = EngineChoice::Cpu(CpuOptions { threads: Some(1), ..CpuOptions::default() });
            let begin = |index: usize| {
                check_wanted(&is_unwanted)?;
                let preset = preset.with_seed(seeds[index])?;
                begin_until(preset, &chain, choice, is_unwanted.clone()).map(Shared::new)
            };
            Ok((spread(&workers, seeds.len(), &begin)?, workers))
        })?;
        Self::with_worlds(worlds, workers)
    }

    fn __len__(&self) -> usize {
        self.worlds.len()
    }

    /// The simulation of the world with this index, shared with the batch.
    fn world(&self, index: usize) -> PyResult<Simulation> {
        let world = self.worlds.get(index).ok_or_else(|| PyIndexError::new_err("there is no world of this number"))?;
        Ok(Simulation { shared: world.clone() })
    }

    fn advance(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        in_pieces(py, steps, |py, steps| self.change(py, |_, inner| inner.simulation.advance(steps)))
    }

    /// Puts a hunter into each world. `at` has a row for each world: the place in cells, or NaN to remove the hunter.
    /// `reach` and `jaws` are in cells.
    fn hunt(
        &self,
        py: Python<'_>,
        at: PyReadonlyArray2<'_, f64>,
        reach: u32,
        mood: &str,
        weight: f64,
        jaws: u32,
    ) -> PyResult<()> {
        let mood = crate::arguments::mood_of(mood)?;
        let hunt = Hunt { reach, mood, weight: crate::arguments::weight_of(weight)?, jaws };
        let at = at.as_array().to_owned();
        if at.nrows() != self.worlds.len() {
            let problem = format!("has {} places for {} worlds", at.nrows(), self.worlds.len());
            return Err(wrong("at", problem, "give a place for each world"));
        }
        let places = at.rows().into_iter().map(|row| {
            let has_nan = row.iter().any(|along| along.is_nan());
            if has_nan { Ok(None) } else { place_of(&row.to_vec()).map(Some) }
        });
        let places: Vec<_> = places.collect::<PyResult<_>>()?;
        self.change(py, |index, inner| {
            let Hunt { reach, mood, weight, jaws } = hunt;
            let pointer = places[index].map(|place| Pointer { place, reach, mood, weight });
            inner.simulation.apply(Input::Hunter(pointer))?;
            inner.simulation.apply(Input::Jaws(if pointer.is_some() { jaws } else { 0 }))
        })
    }

    fn density<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stacked(py, |inner| Ok(npy::density_of(&mut inner.simulation)?))
    }

    fn control<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stacked(py, |inner| Ok(npy::control_of(&inner.simulation.state()?)))
    }

    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stacked(py, |inner| of_individuals(inner, arrays::positions))
    }

    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.stacked(py, |inner| of_individuals(inner, |individuals, _, axes| arrays::velocities(individuals, axes)))
    }

    fn state_hashes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |inner| inner.simulation.state_hash())
    }

    /// The metrics of every world: a dictionary for each world, by the names of the columns.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.read(py, |inner| Ok(columns(&Observation::new(&mut inner.simulation)?)))?;
        crate::values::to_python(py, &rows)
    }

    /// The quanta that were caught in every world since its start, and the quanta that are missing from its account.
    /// The second number is 0 unless the program has an error.
    fn caught_and_lost(&self, py: Python<'_>) -> PyResult<(Vec<u64>, Vec<i64>)> {
        let accounts = self.read(py, |inner| inner.simulation.account())?;
        Ok(accounts.iter().map(|account| (account.ledger.sum(Entry::Caught), account.lost)).unzip())
    }
}

/// An array over the individuals of a world, in the order of their numbers. `array` makes the array from the
/// individuals, the place of an endless world's window, and the number of axes.
fn of_individuals(
    inner: &mut Inner,
    array: fn(&murmuration::Individuals, Option<[i64; 3]>, usize) -> numpy::ndarray::Array2<f64>,
) -> Result<ArrayD<f64>, Failure> {
    let axes = inner.simulation.preset().size().axes();
    match inner.simulation.swarm()? {
        Swarm::Individuals(individuals, columns) => {
            Ok(array(&individuals.in_order(), columns.origin(), axes).into_dyn())
        }
        Swarm::Cells(_) => Err(no_individuals(&inner.simulation).into()),
    }
}
