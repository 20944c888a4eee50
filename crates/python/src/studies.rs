//! Sweeps, atlases and experiments in Python.

use crate::arguments::engine_of;
use crate::errors::{exception, wrong};
use crate::work::{heard, warn_of};
use murmuration::sweep::atlas::{self as atlases, Atlas, AtlasPlan, Tiles};
use murmuration::sweep::reproduce as experiments;
use murmuration::sweep::{
    Jobs, Kept, Parameter, Place, Placed, Plan, Progress, Records, Request, Results, RunPlan, Shard, Study, Sweep,
    write_results,
};
use murmuration::{BadInput, CpuOptions, EngineChoice, Failure, StopCheck, host};
use murmuration_core::parallel::{MAX_THREADS, in_this_process};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The arguments of a sweep.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct SweepArguments {
    /// A preset by name or path, or the path of a sweep's file.
    preset: PathBuf,
    /// `KEY=VALUES` for each parameter, as on the command line.
    set: Vec<String>,
    sizes: Option<String>,
    seeds: Option<Vec<u64>>,
    steps: Option<u64>,
    warm_up: Option<u64>,
    every: Option<u64>,
    measures: Vec<String>,
    chain: Option<PathBuf>,
}

impl SweepArguments {
    fn request(self) -> Result<Request, Failure> {
        let mut request = Request::default();
        for written in &self.set {
            request.parameters.push(Parameter::from_option(written)?);
        }
        request.parameters.extend(self.sizes.as_deref().map(Parameter::from_sizes).transpose()?);
        let placed =
            |name: &str, value: Option<u64>| value.map(|value| Placed { value, place: Place::from_option(name) });
        request.steps = placed("steps", self.steps);
        request.warm_up = placed("warm_up", self.warm_up);
        request.every = placed("every", self.every);
        request.seeds = self.seeds.map(|value| Placed { value, place: Place::from_option("seeds") });
        if !self.measures.is_empty() {
            request.measures = Some(Placed { value: self.measures, place: Place::from_option("measures") });
        }
        request.chain = self.chain.map(|value| Placed { value, place: Place::from_option("chain") });
        Ok(request.for_preset(host(), &self.preset)?)
    }
}

/// Plays runs for Python, and calls `progress` with their progress. An exception of `progress` or a signal ends the
/// runs.
struct Listener {
    progress: Option<Py<PyAny>>,
    is_over: Arc<AtomicBool>,
    raised: Option<PyErr>,
    /// The number of all runs.
    all: u64,
    /// The number of runs of the finished sweeps.
    runs_before: u64,
    /// The number of steps of the finished sweeps.
    steps_before: u64,
}

impl Listener {
    fn new(progress: Option<Py<PyAny>>, all: u64) -> Self {
        Self { progress, is_over: Arc::default(), raised: None, all, runs_before: 0, steps_before: 0 }
    }

    fn stop(&self) -> StopCheck {
        let is_over = self.is_over.clone();
        Arc::new(move || is_over.load(Ordering::Relaxed))
    }

    fn hear(&mut self, runs: u64, steps: u64) {
        let heard = Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, (runs, self.all, steps)).map(drop),
                None => Ok(()),
            }
        });
        if let Err(error) = heard {
            self.raised.get_or_insert(error);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Plays the runs of a study that are not in the journal of a folder yet, and writes the files of the study.
    /// Returns `None` if the work was interrupted. Only the main thread of Python receives signals, so a thread of a
    /// pool must not call this function. The runs have their own threads.
    fn play<S: Study<Plan: Sync, Plan: RunPlan<Record: Sync>>>(
        &mut self,
        study: &S,
        jobs: &Jobs,
        out: &Path,
        write: impl FnOnce(&S::Plan, &Results<S::Plan>) -> Result<(), Failure> + Send,
    ) -> Result<Option<Results<S::Plan>>, Failure> {
        let plan = study.plan();
        let mut kept = Kept::open(out, plan, Shard::default())?;
        let (runs_before, steps_before) = (self.runs_before, self.steps_before);
        let mut steps = 0;
        let mut report = |so_far: Progress<'_>| {
            steps = so_far.steps;
            self.hear(runs_before + so_far.runs, steps_before + so_far.steps);
        };
        let is_whole = study.play(Shard::default(), jobs, &mut kept, &mut report)?;
        self.runs_before += plan.runs();
        self.steps_before += steps;
        if !is_whole {
            return Ok(None);
        }
        in_this_process(|| write(plan, &kept.results))?;
        Ok(Some(kept.results))
    }

    /// The result for Python. `whole`: whether all runs were played, or the failure of the work.
    fn ended(self, whole: Result<bool, Failure>) -> PyResult<()> {
        match (self.raised, whole) {
            (Some(error), _) => Err(error),
            (None, Err(failure)) => Err(exception(failure)),
            (None, Ok(true)) => Ok(()),
            (None, Ok(false)) => Err(PyKeyboardInterrupt::new_err("interrupted; finished runs are kept")),
        }
    }
}

/// Writes the files of a sweep.
fn write_sweep(out: &Path) -> impl FnOnce(&Plan, &Records) -> Result<(), Failure> + Send {
    move |plan, records| write_results(out, plan, records, Shard::default())
}

/// The number of runs at once.
fn count_of(jobs: Option<usize>, choice: EngineChoice) -> PyResult<usize> {
    let count = jobs.unwrap_or_else(|| Jobs::usual_count(choice));
    if (1..=MAX_THREADS).contains(&count) {
        return Ok(count);
    }
    let cure = format!("give 1 to {MAX_THREADS}, or None for one run on each core");
    Err(wrong("jobs", format!("{count} runs at once are out of bounds"), cure))
}

/// Plays a sweep, and writes its journal, tables and page into a folder. If the folder has the journal of an
/// interrupted sweep, this sweep is continued. `progress` is called with the number of finished runs, of all runs, and
/// of steps that were played.
#[pyfunction]
#[pyo3(signature = (arguments, out, jobs, engine, threads, progress))]
pub fn sweep(
    py: Python<'_>,
    arguments: SweepArguments,
    out: PathBuf,
    jobs: Option<usize>,
    engine: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let choice = Jobs::engine_of_run(engine_of(engine, threads)?);
    let count = count_of(jobs, choice)?;
    let mut listener = Listener::new(progress, 0);
    let sweep = heard(py, move |_| {
        let sweep = Sweep::new(host(), arguments.request()?)?;
        sweep.check_memory(count)?;
        Ok(sweep)
    })?;
    warn_of(py, &sweep.notes)?;
    listener.all = sweep.plan.runs();
    let jobs = Jobs { count, engine: choice, stop: listener.stop() };
    let played = py.detach(|| listener.play(&sweep, &jobs, &out, write_sweep(&out)).map(|records| records.is_some()));
    listener.ended(played)
}

/// Plays an atlas, and writes its journal, tables and page into a folder. `file`: the path of the atlas. `text`: the
/// text of the atlas; without it the file is read. `base`: the address of the page that plays links. `progress` is
/// called as by [`sweep`].
#[pyfunction]
#[pyo3(signature = (file, text, out, base, jobs, engine, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn atlas(
    py: Python<'_>,
    file: PathBuf,
    text: Option<String>,
    out: PathBuf,
    base: &str,
    jobs: Option<usize>,
    engine: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let choice = Jobs::engine_of_run(engine_of(engine, threads)?);
    let count = count_of(jobs, choice)?;
    let mut listener = Listener::new(progress, 0);
    atlases::check_base(base).map_err(|wrong| exception(wrong.into()))?;
    let atlas = heard(py, move |_| {
        let text = text.map_or_else(|| host().read_text(&file), Ok)?;
        let atlas = Atlas::from_text(host(), &file, &text)?;
        atlas.sweep.check_memory(count)?;
        Ok(atlas)
    })?;
    warn_of(py, &atlas.sweep.notes)?;
    listener.all = RunPlan::runs(&atlas.plan);
    let jobs = Jobs { count, engine: choice, stop: listener.stop() };
    let write = |plan: &AtlasPlan, tiles: &Tiles| atlases::write_results(&out, (plan, tiles), Shard::default(), base);
    let played = py.detach(|| listener.play(&atlas, &jobs, &out, write).map(|tiles| tiles.is_some()));
    listener.ended(played)
}

/// Reproduces the experiments with these names or paths, or all built-in experiments. Writes their page and
/// `results.json` into a folder. `progress` is called as by [`sweep`].
#[pyfunction]
#[pyo3(signature = (names, quick, out, jobs, progress))]
pub fn reproduce(
    py: Python<'_>,
    names: Vec<PathBuf>,
    quick: bool,
    out: PathBuf,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let choice = Jobs::engine_of_run(EngineChoice::Cpu(CpuOptions::default()));
    let count = count_of(jobs, choice)?;
    let mut listener = Listener::new(progress, 0);
    let experiments = heard(py, move |_| {
        let mut experiments = experiments::experiments(host(), &names)?;
        experiments.retain(|(experiment, _)| experiment.is_quick || !quick);
        if experiments.is_empty() {
            let cure = "leave quick out, or name other experiments";
            return Err(BadInput::new("quick", "none of the experiments is quick", cure).into());
        }
        experiments.iter().try_for_each(|(_, sweep)| sweep.check_memory(count))?;
        Ok(experiments)
    })?;
    warn_of(py, experiments.iter().flat_map(|(_, sweep)| &sweep.notes))?;
    let play = || -> Result<bool, Failure> {
        listener.all = experiments.iter().map(|(_, sweep)| sweep.plan.runs()).sum();
        let jobs = Jobs { count, engine: choice, stop: listener.stop() };
        let stop = jobs.stop.clone();
        let play = |sweep: &Sweep, _: &str, folder: &Path| listener.play(sweep, &jobs, folder, write_sweep(folder));
        Ok(experiments::make(experiments, &out, &stop, play, |_| Ok(()))?.is_some())
    };
    let played = py.detach(play);
    listener.ended(played)
}
