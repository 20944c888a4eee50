//! Sweeps, atlases and experiments in Python.

use crate::arguments::engine_of;
use crate::errors::{exception, wrong};
use crate::work::{heard, warn_of};
use murmuration::sweep::atlas::{self as atlases, Atlas};
use murmuration::sweep::reproduce::{self as experiments, Outcome};
use murmuration::sweep::{
    Jobs, Journal, Parameter, Place, Placed, Progress, Records, Request, RunPlan, Shard, Sweep, play, write_results,
};
use murmuration::{BadInput, CpuOptions, EngineChoice, Failure, StopCheck, host};
use murmuration_core::parallel::{MAX_THREADS, in_this_process};
use murmuration_core::text::is_path;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZero;
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
        if is_path(&self.preset) {
            let text = host().read_text(&self.preset)?;
            if Request::is_sweep(&text) {
                return Ok(request.over(Request::from_text(&self.preset, &text)?));
            }
        }
        request.preset = Some(Placed { value: self.preset, place: Place::default() });
        Ok(request)
    }
}

/// Plays runs for Python. It reports their progress to `progress`, whose exceptions end the runs, as signals do.
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

    /// Plays the runs of a sweep that are not in the journal of a folder yet, and writes the tables. `None`: the sweep
    /// was interrupted. Only the main thread of Python handles signals, so no pool may make this call. The runs have
    /// threads of their own.
    fn play(&mut self, sweep: &Sweep, jobs: &Jobs, out: &Path) -> Result<Option<Records>, Failure> {
        let (mut journal, mut records) = open(out, &sweep.plan)?;
        let (runs_before, steps_before) = (self.runs_before, self.steps_before);
        let mut steps = 0;
        let report = |so_far: Progress<'_>| {
            steps = so_far.steps;
            self.hear(runs_before + so_far.runs, steps_before + so_far.steps);
        };
        let is_whole = play(sweep, Shard::default(), jobs, (&mut journal, &mut records), report)?;
        self.runs_before += sweep.plan.runs();
        self.steps_before += steps;
        if !is_whole {
            return Ok(None);
        }
        in_this_process(|| write_results(out, &sweep.plan, &records, Shard::default()))?;
        Ok(Some(records))
    }

    /// Plays the runs of an atlas that are not in the journal of a folder yet, and writes its tables and its page.
    /// Returns whether the atlas is complete. The thread is as for [`Self::play`].
    fn play_atlas(&mut self, atlas: &Atlas, jobs: &Jobs, out: &Path, base: &str) -> Result<bool, Failure> {
        let (mut journal, mut tiles) = open(out, &atlas.plan)?;
        let report = |so_far: Progress<'_>| self.hear(so_far.runs, so_far.steps);
        let is_whole = atlases::play(atlas, Shard::default(), jobs, (&mut journal, &mut tiles), report)?;
        if is_whole {
            in_this_process(|| atlases::write_results(out, (&atlas.plan, &tiles), Shard::default(), base))?;
        }
        Ok(is_whole)
    }

    /// The result of the work: whether it is complete.
    fn ended(self, whole: Result<bool, Failure>) -> PyResult<()> {
        match (self.raised, whole) {
            (Some(error), _) => Err(error),
            (None, Err(failure)) => Err(exception(failure)),
            (None, Ok(true)) => Ok(()),
            (None, Ok(false)) => Err(PyKeyboardInterrupt::new_err("interrupted; finished runs are kept")),
        }
    }
}

/// Opens the journal of a plan in a folder, with the results in it.
fn open<P: RunPlan>(out: &Path, plan: &P) -> Result<(Journal, BTreeMap<u64, P::Record>), Failure> {
    let failed = |source| Failure::File { action: "cannot create the folder", path: out.display().to_string(), source };
    std::fs::create_dir_all(out).map_err(failed)?;
    Journal::open(&out.join("journal.txt"), plan)
}

/// The engine of each run, on the CPU with one thread unless another number is given.
fn choice_of(engine: &str, threads: Option<usize>) -> PyResult<EngineChoice> {
    Ok(match engine_of(engine, threads)? {
        EngineChoice::Cpu(options) => EngineChoice::Cpu(CpuOptions { threads: options.threads.or(Some(1)), ..options }),
        choice => choice,
    })
}

/// The number of runs at once.
fn count_of(jobs: Option<usize>, choice: EngineChoice) -> PyResult<usize> {
    let usual = match choice {
        EngineChoice::Cpu(_) => std::thread::available_parallelism().map_or(1, NonZero::get),
        _ => 2,
    };
    let count = jobs.unwrap_or(usual);
    if (1..=MAX_THREADS).contains(&count) {
        return Ok(count);
    }
    let cure = format!("give 1 to {MAX_THREADS}, or None for one run on each core");
    Err(wrong("jobs", format!("{count} runs at once are out of bounds"), cure))
}

/// Plays a sweep, and writes its journal, tables and page into a folder. There an interrupted sweep goes on. `progress`
/// is called with the finished runs, all runs, and the steps that were played.
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
    let choice = choice_of(engine, threads)?;
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
    let played = py.detach(|| listener.play(&sweep, &jobs, &out).map(|records| records.is_some()));
    listener.ended(played)
}

/// Plays an atlas, and writes its journal, tables and page into a folder. `file`: its file. `text`: the content of the
/// file, which is read if there is no text. `base`: the address of the page that plays links. `progress` is called as
/// by [`sweep`].
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
    let choice = choice_of(engine, threads)?;
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
    let played = py.detach(|| listener.play_atlas(&atlas, &jobs, &out, base));
    listener.ended(played)
}

/// Plays experiments by name or path, or all built-in ones, and writes their page and `results.json` into a folder.
/// `progress` is called as by [`sweep`].
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
    let choice = EngineChoice::Cpu(CpuOptions { threads: Some(1), ..CpuOptions::default() });
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
        let earlier = in_this_process(|| experiments::earlier(host(), &experiments, &out))?;
        let mut outcomes = Vec::new();
        for (experiment, sweep) in experiments {
            let folder = out.join(&experiment.name);
            let Some(records) = listener.play(&sweep, &jobs, &folder)? else { return Ok(false) };
            let mut outcome = Outcome::new(experiment, sweep.plan.clone(), records);
            let picture = in_this_process(|| experiments::picture(&outcome, &sweep, &folder, &jobs.stop))?;
            let Some(picture) = picture else { return Ok(false) };
            outcome.picture = picture;
            outcomes.push(outcome);
            in_this_process(|| experiments::write(&out, outcomes.iter().chain(&earlier)))?;
        }
        Ok(true)
    };
    let played = py.detach(play);
    listener.ended(played)
}
