//! How the runs of a sweep are played: many at once, each on threads of its own.

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

/// How often the progress is reported, and the journal written.
const TICK: Duration = Duration::from_millis(100);

/// The measures that follow from sums, which an engine computes on its own device. Other measures need the whole swarm.
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

/// How runs are played.
#[derive(Clone)]
pub struct Jobs {
    /// Runs at once.
    pub count: usize,
    /// The engine of each.
    pub engine: EngineChoice,
    /// Whether the sweep is to end.
    pub stop: StopCheck,
}

/// The runs at once on a GPU: one fills the queue while another one is measured.
const JOBS_OF_GPU: usize = 2;

impl Jobs {
    /// The runs at once if no number is given: one for each core, or 2 on a GPU.
    pub fn usual_count(engine: EngineChoice) -> usize {
        match engine {
            EngineChoice::Cpu(_) => std::thread::available_parallelism().map_or(1, NonZero::get),
            _ => JOBS_OF_GPU,
        }
    }

    /// The engine of each run: on the CPU with one thread unless another number is given.
    pub fn engine_of_run(engine: EngineChoice) -> EngineChoice {
        match engine {
            EngineChoice::Cpu(options) => {
                EngineChoice::Cpu(cpu::Options { threads: options.threads.or(Some(1)), ..options })
            }
            engine => engine,
        }
    }
}

/// How far a sweep has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Finished runs, including runs of earlier starts.
    pub runs: u64,
    /// Steps that were played since this start.
    pub steps: u64,
    /// The remarks of the engines since the last report.
    pub remarks: &'a [String],
}

/// A finished run: its number, its result and the remarks of its engine.
type Finished<R> = (u64, R, Vec<String>);

/// The shared state of all runs that are being played.
pub struct Watch {
    /// Whether the run is to end.
    stop: StopCheck,
    /// Steps that were played.
    steps: AtomicU64,
}

/// Runs that can be played: a sweep, or an atlas.
pub trait Study {
    /// The plan of the runs.
    type Plan: RunPlan;

    /// The plan of the runs.
    fn plan(&self) -> &Self::Plan;

    /// Plays the runs of a part that are not kept yet, and keeps their results. Returns whether all are finished; if
    /// not, a stop was wanted.
    ///
    /// # Errors
    /// If a run or the journal fails. The runs that were finished before are in the journal.
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

/// Plays the run of a number. The other arguments are the last combination of the thread, and the shared state of all
/// runs. Returns the result and the remarks of the engine; `None`: a stop was wanted.
pub type Player<'a, R> =
    dyn Fn(u64, &mut Option<Combination>, &Watch) -> Result<Option<(R, Vec<String>)>, Failure> + Sync + 'a;

/// Plays the runs whose results are not kept yet, many at once, and keeps their results. Returns whether all are
/// finished; if not, a stop was wanted.
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

/// A combination of values, ready to be played with any seed.
pub struct Combination {
    number: u64,
    preset: Preset,
    chain: Chain,
}

impl Combination {
    /// The last combination if it has this number, else a combination that `load` reads.
    ///
    /// # Errors
    /// If it cannot be loaded.
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

    /// A run of it.
    ///
    /// # Errors
    /// If it cannot be played.
    pub fn start(&self, seed: u64, engine: EngineChoice) -> Result<Simulation, Failure> {
        Simulation::new(self.preset.with_seed(seed)?, &self.chain, engine)
    }
}

/// The threads that play runs.
struct Worker<'a, R> {
    player: &'a Player<'a, R>,
    /// The runs to be played, and the next of them.
    due: &'a [u64],
    next: AtomicUsize,
    watch: Watch,
}

impl<R> Worker<'_, R> {
    /// Plays one run after the other, until there are none.
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
                // The receiver is gone if the sweep has ended.
                if sender.send(result.map(|(record, remarks)| (*run, record, remarks))).is_err() || is_last {
                    return;
                }
            }
        };
        // Measures are summed on the thread of the run, not on all cores.
        match ThreadPool::new(Some(1), "run") {
            Ok(pool) => pool.install(plays),
            Err(failure) => _ = sender.send(Err(failure)),
        }
    }
}

/// Plays a run to its end with an observer, and measures it; `None` if a stop is wanted.
///
/// # Errors
/// If the engine fails, or the observer does.
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

/// Samples the measures of a plan.
struct RunMeasures<'a> {
    plan: &'a Plan,
    /// The samples of each measure.
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

    /// Steps until the next sample of the plan: every few steps after the warm-up.
    fn until_sample(&self, time: RunTime) -> u64 {
        let Plan { warm_up, every, steps, .. } = *self.plan;
        let since = time.played.saturating_sub(warm_up).max(1);
        let due = since.checked_next_multiple_of(every).and_then(|since| warm_up.checked_add(since));
        due.filter(|due| *due <= steps).map_or(u64::MAX, |due| due - time.played)
    }

    /// The samples of each measure, those of statistics too.
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

/// Counts the steps of a run for the progress of all.
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

    /// Measures from sums are bit for bit the measures of the whole swarm.
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
