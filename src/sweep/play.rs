//! Plays the runs of a study: many runs at once, each on threads of its own.

use super::journal::Kept;
use super::moments::{Moments, Record};
use super::plan::{Plan, RunPlan, Shard};
use super::prepared::Sweep;
use crate::observe::{LivelinessSampler, Observation, StatisticsSamples, columns};
use crate::run::{Moment, Observer, Run, RunTime};
use murmuration_core::chain::Chain;
use murmuration_core::engine::cpu;
use murmuration_core::error::Failure;
use murmuration_core::parallel::ThreadPool;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::reading::MeasuresReading;
use murmuration_core::simulation::{EngineChoice, Simulation, StopCheck};
use murmuration_core::state::Ledger;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// The maximum time between two reports of the progress. The journal is written before each report.
const TICK: Duration = Duration::from_millis(100);

/// The measures that follow from sums over the swarm. An engine computes the sums on its own device. All other measures
/// need the whole swarm.
const OF_SUMS: [&str; 18] = [
    "polarisation",
    "mean_speed",
    "heading_x",
    "heading_y",
    "heading_z",
    "milling",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "gyration_x",
    "gyration_y",
    "gyration_z",
    "gyration_xy",
    "gyration_xz",
    "gyration_yz",
    "gyration_axis_1",
    "gyration_axis_2",
    "gyration_axis_3",
];

/// The number of runs at once, and their engine.
#[derive(Clone)]
pub struct Jobs {
    /// The number of runs that are played at the same time.
    pub count: usize,
    /// The engine of each run.
    pub engine: EngineChoice,
    /// Tells whether the study is to stop.
    pub stop: StopCheck,
}

/// The default number of runs at once on a GPU. One run fills the queue of the GPU while the other is measured.
const JOBS_OF_GPU: usize = 2;

impl Jobs {
    /// The default number of runs at once: one for each core, or 2 on a GPU.
    pub fn usual_count(engine: EngineChoice) -> usize {
        match engine {
            EngineChoice::Cpu(_) => std::thread::available_parallelism().map_or(1, NonZero::get),
            _ => JOBS_OF_GPU,
        }
    }

    /// The engine of each run. The CPU engine of a run has one thread, unless `engine` gives another number.
    pub fn engine_of_run(engine: EngineChoice) -> EngineChoice {
        match engine {
            EngineChoice::Cpu(options) => {
                EngineChoice::Cpu(cpu::Options { threads: options.threads.or(Some(1)), ..options })
            }
            engine => engine,
        }
    }
}

/// The progress of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The number of finished runs, including runs that the journal had at the start.
    pub runs: u64,
    /// The number of steps that were played since the start, summed over all runs.
    pub steps: u64,
    /// Messages of the engines for the user since the last report.
    pub remarks: &'a [String],
}

/// A finished run: its number, its result, and the messages of its engine for the user.
type Finished<R> = (u64, R, Vec<String>);

/// The state that all runs of a study share.
pub struct Watch {
    /// Tells whether all runs are to stop.
    stop: StopCheck,
    /// The number of steps that were played, summed over all runs.
    steps: AtomicU64,
}

/// A study: many runs that follow from a plan. A study is a sweep or an atlas.
pub trait Study {
    /// The type of the plan.
    type Plan: RunPlan;

    /// The plan of the runs.
    fn plan(&self) -> &Self::Plan;

    /// Plays the runs of a shard whose results `kept` does not have yet, and adds their results to `kept`. `report` is
    /// called at least every 100 ms. Returns whether all runs are finished; false: `jobs.stop` has stopped them.
    ///
    /// # Errors
    /// If a run fails, or the journal cannot be written. The journal has the runs that were finished before.
    fn play(
        &self,
        shard: Shard,
        jobs: &Jobs,
        kept: &mut Kept<Self::Plan>,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<bool, Failure>;
}

impl Study for Sweep {
    type Plan = Plan;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn play(
        &self,
        shard: Shard,
        jobs: &Jobs,
        kept: &mut Kept<Plan>,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<bool, Failure> {
        let plan = &self.plan;
        let runs = (0..plan.runs()).filter(|run| shard.has(*run)).collect();
        let player = |run: u64, last: &mut Option<Combination>, watch: &Watch| {
            let (number, seed) = plan.of_run(run);
            let loaded = Combination::of(last, number, || self.load(number, Some(seed)))?;
            let mut simulation = loaded.start(seed, jobs.engine)?;
            measure(&mut simulation, plan, watch, None)
        };
        play_runs(runs, jobs, &player, kept, report)
    }
}

/// A function that plays a run. The arguments are the number of the run, the combination that this thread has loaded
/// last, and the shared state of all runs. The function returns the result, and messages of the engine for the user.
/// `None`: the run was stopped.
pub type Player<'a, R> =
    dyn Fn(u64, &mut Option<Combination>, &Watch) -> Result<Option<(R, Vec<String>)>, Failure> + Sync + 'a;

/// Plays the runs with the numbers `runs`, many at once, and adds their results to `kept`. Runs whose results are in
/// `kept` already are left out. `player`: plays one run. Returns whether all runs are finished; false: `jobs.stop` has
/// stopped them.
///
/// # Errors
/// As [`Study::play`].
pub fn play_runs<P: RunPlan<Record: Send>>(
    runs: Vec<u64>,
    jobs: &Jobs,
    player: &Player<'_, P::Record>,
    kept: &mut Kept<P>,
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<bool, Failure> {
    let due: Vec<u64> = runs.iter().copied().filter(|run| !kept.results.contains_key(run)).collect();
    let has_failed = Arc::new(AtomicBool::new(false));
    let (is_wanted, is_over) = (jobs.stop.clone(), has_failed.clone());
    let stop: StopCheck = Arc::new(move || is_over.load(Ordering::Relaxed) || is_wanted());
    let worker =
        Worker { player, due: &due, next: AtomicUsize::new(0), watch: Watch { stop, steps: AtomicU64::new(0) } };
    let (sender, receiver) = mpsc::channel();
    let mut failure = None;
    std::thread::scope(|scope| {
        for _ in 0..jobs.count.min(due.len()) {
            let (sender, worker) = (sender.clone(), &worker);
            scope.spawn(move || worker.play(&sender));
        }
        drop(sender);
        loop {
            let first = receiver.recv_timeout(TICK);
            let is_over = matches!(first, Err(RecvTimeoutError::Disconnected));
            let mut lines = Vec::new();
            let mut remarks = Vec::new();
            for result in first.into_iter().chain(receiver.try_iter()) {
                match result {
                    Ok((run, record, said)) => {
                        lines.push((run, record));
                        remarks.extend(said);
                    }
                    Err(other) => failure = failure.take().or(Some(other)),
                }
            }
            if let Err(other) = kept.add(lines) {
                failure = failure.take().or(Some(other));
            }
            if failure.is_some() {
                has_failed.store(true, Ordering::Relaxed);
            }
            report(Progress {
                runs: kept.results.len() as u64,
                steps: worker.watch.steps.load(Ordering::Relaxed),
                remarks: &remarks,
            });
            if is_over {
                break;
            }
        }
    });
    failure.map_or_else(|| Ok(runs.iter().all(|run| kept.results.contains_key(run))), Err)
}

/// A combination of values whose preset and chain were loaded. It can be played with any seed.
pub struct Combination {
    number: u64,
    preset: Preset,
    chain: Chain,
}

impl Combination {
    /// The combination with this number. It is `last` if `last` has this number. If not, `load` loads it, and it
    /// replaces `last`.
    ///
    /// # Errors
    /// If the combination cannot be loaded.
    pub fn of(
        last: &mut Option<Self>,
        number: u64,
        load: impl FnOnce() -> Result<(Preset, Chain), Failure>,
    ) -> Result<&Self, Failure> {
        Ok(match last.take().filter(|combination| combination.number == number) {
            Some(combination) => last.insert(combination),
            None => {
                let (preset, chain) = load()?;
                last.insert(Self { number, preset, chain })
            }
        })
    }

    /// Starts a run of the combination.
    ///
    /// # Errors
    /// If the run cannot be played.
    pub fn start(&self, seed: u64, engine: EngineChoice) -> Result<Simulation, Failure> {
        Simulation::new(self.preset.with_seed(seed)?, &self.chain, engine)
    }
}

/// The work that several threads share: each thread takes the next run and plays it.
struct Worker<'a, R> {
    player: &'a Player<'a, R>,
    /// The numbers of the runs that are to be played.
    due: &'a [u64],
    /// The index in `due` of the next run.
    next: AtomicUsize,
    watch: Watch,
}

impl<R> Worker<'_, R> {
    /// Plays one run after the other on this thread, and sends the results. Ends after the last run, after a failure or
    /// a stop.
    fn play(&self, sender: &Sender<Result<Finished<R>, Failure>>)
    where
        R: Send,
    {
        let plays = || {
            let mut last = None;
            let next = || self.due.get(self.next.fetch_add(1, Ordering::Relaxed)).filter(|_| !(self.watch.stop)());
            while let Some(run) = next() {
                let Some(result) = (self.player)(*run, &mut last, &self.watch).transpose() else { return };
                let is_last = result.is_err();
                // Sending fails if the receiver no longer exists.
                if sender.send(result.map(|(record, remarks)| (*run, record, remarks))).is_err() || is_last {
                    return;
                }
            }
        };
        // A pool of one thread, so that measures are summed on the thread of the run and not on all cores.
        match ThreadPool::new(Some(1), "run") {
            Ok(pool) => pool.install(plays),
            Err(failure) => _ = sender.send(Err(failure)),
        }
    }
}

/// Plays a run to its end and measures it. `observer`: another observer of the run. Returns the result, and messages
/// for the user. `None`: the run was stopped.
///
/// # Errors
/// If the engine or the observer fails.
pub fn measure(
    simulation: &mut Simulation,
    plan: &Plan,
    watch: &Watch,
    observer: Option<&mut (dyn Observer + '_)>,
) -> Result<Option<(Record, Vec<String>)>, Failure> {
    let mut measures = RunMeasures::new(simulation, plan);
    let run = Run::new(simulation).to(plan.steps).stop_when(watch.stop.clone());
    let played = run.with(observer).with(&mut measures).with(StepCounter { watch, counted: 0 }).play()?;
    if played.is_stopped || (watch.stop)() {
        return Ok(None);
    }
    let measures = measures.finished().iter().map(|samples| Moments::new(samples)).collect();
    let record = Record { lost: simulation.account()?.lost, state_hash: simulation.state_hash()?, measures };
    Ok(Some((record, [played.remarks, simulation.remarks()].concat())))
}

/// An observer of a run that samples the measures of a plan.
struct RunMeasures<'a> {
    plan: &'a Plan,
    /// The samples of each measure, in the order of the plan. Measures that are statistics have no samples here.
    samples: Vec<Vec<f64>>,
    liveliness: Option<LivelinessSampler>,
    statistics: Option<StatisticsSamples>,
}

impl<'a> RunMeasures<'a> {
    fn new(simulation: &Simulation, plan: &'a Plan) -> Self {
        let is_sampled = plan.measures.iter().any(|measure| measure == "liveliness");
        let has_statistics = plan.measures.iter().any(|measure| StatisticsSamples::has(measure));
        Self {
            plan,
            samples: vec![Vec::new(); plan.measures.len()],
            liveliness: is_sampled.then(|| LivelinessSampler::from_preset(simulation.preset())),
            statistics: has_statistics.then(StatisticsSamples::default),
        }
    }

    /// The number of steps until the next sample. The first sample is `every` steps after the warm-up.
    fn until_sample(&self, time: RunTime) -> u64 {
        let Plan { warm_up, every, steps, .. } = *self.plan;
        let since = time.played.saturating_sub(warm_up).max(1);
        let due = since.checked_next_multiple_of(every).and_then(|since| warm_up.checked_add(since));
        due.filter(|due| *due <= steps).map_or(u64::MAX, |due| due - time.played)
    }

    /// The samples of each measure, in the order of the plan.
    fn finished(mut self) -> Vec<Vec<f64>> {
        if let Some(statistics) = self.statistics {
            let measures = self.plan.measures.iter().zip(&mut self.samples);
            let measures = measures.filter(|(name, _)| StatisticsSamples::has(name));
            measures.for_each(|(name, samples)| *samples = statistics.values(name));
        }
        self.samples
    }
}

impl Observer for RunMeasures<'_> {
    fn until_due(&self, time: RunTime) -> u64 {
        self.until_sample(time).min(self.liveliness.until_due(time))
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        self.liveliness.as_mut().map_or(Ok(()), |sampler| sampler.sample(moment.model))?;
        if self.until_sample(moment.time) > 0 {
            return Ok(());
        }
        let observed = observe(moment.model, self.plan)?.with_liveliness(self.liveliness.as_ref());
        let columns = columns(&observed);
        self.statistics.as_mut().map_or(Ok(()), |statistics| statistics.add(moment.model))?;
        for (name, samples) in self.plan.measures.iter().zip(&mut self.samples) {
            samples.extend(columns.get(name).and_then(serde_json::Value::as_f64));
        }
        Ok(())
    }
}

/// An observer of a run that adds the played steps of the run to the steps of all runs.
struct StepCounter<'a> {
    watch: &'a Watch,
    counted: u64,
}

impl Observer for StepCounter<'_> {
    fn until_due(&self, _: RunTime) -> u64 {
        u64::MAX
    }

    fn observe(&mut self, _: &mut Moment<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn progress(&mut self, time: RunTime, _: &[String]) {
        self.watch.steps.fetch_add(time.played - self.counted, Ordering::Relaxed);
        self.counted = time.played;
    }
}

/// The measures of the present step. If sums give all measures of the plan, only the sums are read.
fn observe(simulation: &mut Simulation, plan: &Plan) -> Result<Observation, Failure> {
    let mut measures = plan.measures.iter().map(String::as_str).filter(|name| !StatisticsSamples::has(name));
    if !measures.all(|measure| OF_SUMS.contains(&measure)) {
        return Observation::new(simulation);
    }
    let space = simulation.preset().space();
    let measures = simulation.read(MeasuresReading { space })?;
    Ok(Observation::from_measures(simulation.step(), &measures, &simulation.preset().world, &Ledger::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures that follow from sums are bit for bit equal to the measures of the whole swarm.
    #[test]
    fn measures_of_sums_are_those_of_the_whole() {
        for (preset, size) in [("droplets", (32, 24)), ("flock", (20, 20)), ("smoke", (12, 10))] {
            let builder = crate::open(preset).size(size.0, size.1).set("start.boids", 200);
            let mut simulation = builder.engine(EngineChoice::Cpu(Default::default())).start().unwrap();
            Run::new(&mut simulation).to(5).play().unwrap();
            let space = simulation.preset().space();
            let measures = simulation.read(MeasuresReading { space }).unwrap();
            let (step, world) = (simulation.step(), simulation.preset().world.clone());
            let whole = columns(&Observation::new(&mut simulation).unwrap());
            let sums = columns(&Observation::from_measures(step, &measures, &world, &Ledger::default()));
            for measure in OF_SUMS {
                assert_eq!(sums.get(measure), whole.get(measure), "{preset}: {measure}");
                assert!(sums.get(measure).is_some(), "{measure} is a column");
            }
        }
    }
}
