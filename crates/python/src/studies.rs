//! Sweeps in Python.

use crate::errors::{exception, wrong};
use crate::simulation::engine_of;
use murmuration::sweep::{
    Jobs, Journal, Parameter, Place, Placed, Progress, Request, Shard, Sweep, play, write_results,
};
use murmuration::{EngineChoice, Failure, host};
use murmuration_core::text::is_path;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is asked to be swept.
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

/// Plays a sweep, and writes its journal, tables and page into a folder. A sweep that was interrupted goes on there. `progress` is called with the
/// finished runs, all runs, and the steps that were played.
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
    let choice = match engine_of(engine, threads)? {
        EngineChoice::Cpu(options) => {
            EngineChoice::Cpu(murmuration::CpuOptions { threads: options.threads.or(Some(1)), ..options })
        }
        choice => choice,
    };
    let usual = match choice {
        EngineChoice::Cpu(_) => std::thread::available_parallelism().map_or(1, NonZero::get),
        _ => 2,
    };
    let count = jobs.unwrap_or(usual);
    if count == 0 {
        return Err(wrong("jobs", "0 runs at once play nothing", "give 1 or more, or None for one on each core"));
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let mut raised: Option<PyErr> = None;
    let played = py.detach(|| -> Result<bool, Failure> {
        let sweep = Sweep::new(host(), arguments.request()?)?;
        sweep.check_memory(count)?;
        std::fs::create_dir_all(&out).map_err(|source| Failure::File {
            action: "cannot create the folder",
            path: out.display().to_string(),
            source,
        })?;
        let plan = &sweep.plan;
        let (mut journal, mut records) = Journal::open(&out.join("journal.txt"), plan)?;
        let stop = is_over.clone();
        let jobs = Jobs { count, engine: choice, stop: Arc::new(move || stop.load(Ordering::Relaxed)) };
        let all = plan.runs();
        let report = |so_far: Progress<'_>| {
            let heard = Python::attach(|py| {
                py.check_signals()?;
                match &progress {
                    Some(progress) => progress.call1(py, (so_far.runs, all, so_far.steps)).map(drop),
                    None => Ok(()),
                }
            });
            if let Err(error) = heard {
                raised.get_or_insert(error);
                is_over.store(true, Ordering::Relaxed);
            }
        };
        let is_whole = play(&sweep, Shard::default(), &jobs, (&mut journal, &mut records), report)?;
        if is_whole {
            write_results(&out, plan, &records, Shard::default())?;
        }
        Ok(is_whole)
    });
    match (raised, played) {
        (Some(error), _) => Err(error),
        (None, Err(failure)) => Err(exception(failure)),
        (None, Ok(true)) => Ok(()),
        (None, Ok(false)) => Err(PyKeyboardInterrupt::new_err("the sweep was interrupted; finished runs are kept")),
    }
}
