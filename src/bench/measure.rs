//! Measures a family: its rows, alternately with the copy bandwidth of their devices.

use super::copy::CopyBenchmark;
use super::families::{EngineSetup, Family, Row};
use super::hardware::Hardware;
use super::scenario::Scenario;
use super::timing::{InterleavedRuns, SamplingPlan, Spread, Times};
use super::traffic;
use crate::agents::search::SearchKind;
use crate::engine::gpu;
use crate::error::Failure;
use crate::preset::Preset;
use crate::simulation::Simulation;
use crate::swarm::Swarm;
use std::collections::BTreeMap;
use std::time::Instant;

/// The most steps of a repetition of individuals. Individuals crowd together over time, so that every repetition begins at
/// their start again and is short.
const MOST_STEPS_OF_INDIVIDUALS: u64 = 32;

/// A row and its result.
#[derive(Debug)]
pub struct Measurement {
    pub row: Row,
    /// The reason if it could not be measured.
    pub figures: Result<Figures, String>,
}

/// The measured figures of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The description of the engine.
    pub engine: String,
    pub chain: String,
    /// The number of cells or individuals.
    pub many: u64,
    /// The steps of a repetition, and the number of repetitions.
    pub steps: u64,
    pub rounds: usize,
    /// Seconds per step.
    pub seconds: Spread,
    /// Bytes per cell and step by the plan; `None` for individuals, which have no plan.
    pub traffic: Option<u64>,
    /// The copy bandwidth of the same device with as many threads, in bytes read and written per second.
    pub copied: Option<Spread>,
    /// Whether the search tests all pairs of individuals.
    pub is_brute: bool,
    /// Median seconds per step of each pass, by kernel.
    pub passes: Vec<(String, f64)>,
    /// Quanta lost by the ledger.
    pub lost: i64,
}

impl Figures {
    /// Cells or individuals per second.
    pub fn rate(&self) -> f64 {
        self.many as f64 / self.seconds.median
    }

    /// Tested pairs of individuals per second.
    pub fn pairs(&self) -> Option<f64> {
        self.is_brute.then(|| self.rate() * self.many.saturating_sub(1) as f64)
    }

    /// Bytes per second at this many bytes per cell, and their share of the copy bandwidth.
    pub fn bandwidth(&self, bytes_a_cell: u64) -> (f64, Option<f64>) {
        let reached = traffic::bandwidth(bytes_a_cell, self.rate());
        (reached, self.copied.map(|copied| reached / copied.median))
    }

    /// Whether the ledger is balanced.
    pub fn is_valid(&self) -> bool {
        self.lost == 0
    }
}

/// Is told the progress.
pub trait Listener {
    /// A part of the benchmark with this title begins.
    fn say(&mut self, what: &str);
    /// `turns` turns out of `of` are done. Returns whether to go on.
    fn turn(&mut self, turns: usize, of: usize) -> bool;
}

/// A simulation that is measured.
struct TimedRow {
    simulation: Simulation,
    /// The state at which every repetition of individuals begins.
    start: Option<Swarm>,
    passes: BTreeMap<usize, (String, Vec<f64>)>,
}

impl TimedRow {
    fn new(row: &Row, presets: &mut Presets) -> Result<Self, Failure> {
        let preset = presets.get(&row.scenario)?;
        let chain = preset.load_chain(row.chain.as_deref())?;
        let mut simulation = Simulation::new(preset, &chain, row.setup.choice())?;
        let start = match row.scenario.cells {
            None => Some(simulation.swarm()?),
            Some(_) => None,
        };
        Ok(Self { simulation, start, passes: BTreeMap::new() })
    }

    fn play(&mut self, steps: u64) -> Result<f64, Failure> {
        if let Some(start) = &self.start {
            self.simulation.put_back(start)?;
            self.simulation.wait()?;
        }
        let begun = Instant::now();
        self.simulation.advance(steps)?;
        self.simulation.wait()?;
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(remark) = self.simulation.remarks().first() {
            return Err(Failure::Device(remark.clone()));
        }
        for (index, (kernel, seconds)) in self.simulation.seconds_by_pass().into_iter().enumerate() {
            self.passes.entry(index).or_insert_with(|| (kernel.to_owned(), Vec::new())).1.push(seconds);
        }
        Ok(seconds)
    }

    fn figures(
        &mut self,
        row: &Row,
        times: &Times,
        seconds: Spread,
        copied: Option<Spread>,
    ) -> Result<Figures, Failure> {
        let simulation = &mut self.simulation;
        let search = simulation.chain().search;
        // The warm-up is left out: a driver may still compile then.
        let warm = |seconds: &[f64]| Spread::of(&seconds[seconds.len().saturating_sub(times.seconds.len())..]);
        let median = |(kernel, seconds): &(String, Vec<f64>)| Some((kernel.clone(), warm(seconds)?.median));
        Ok(Figures {
            engine: simulation.describe_engine(),
            chain: simulation.chain().name.clone(),
            many: match row.scenario.cells {
                Some(_) => simulation.preset().world.extents.cells() as u64,
                None => row.scenario.boids,
            },
            steps: times.steps,
            rounds: times.seconds.len(),
            seconds,
            traffic: simulation.plan().map(|plan| traffic::of(plan)),
            copied: copied.filter(|_| search.is_none()),
            is_brute: search == Some(SearchKind::Brute),
            passes: self.passes.values().filter_map(median).collect(),
            lost: simulation.account()?.lost,
        })
    }
}

/// A cache of the last preset. Many rows of a family have the same one.
#[derive(Default)]
struct Presets(Option<(Scenario, Preset)>);

impl Presets {
    fn get(&mut self, scenario: &Scenario) -> Result<Preset, Failure> {
        match &self.0 {
            Some((known, preset)) if known == scenario => Ok(preset.clone()),
            _ => {
                // Dropped first: memory may not suffice for two.
                self.0 = None;
                let preset = scenario.preset()?;
                self.0 = Some((scenario.clone(), preset.clone()));
                Ok(preset)
            }
        }
    }
}

/// The copy benchmarks of the devices that a family's lattices run on.
struct Copies {
    threads: Vec<usize>,
    processor: CopyBenchmark,
    graphics: Option<gpu::BufferCopy>,
}

impl Copies {
    fn new(family: &Family, hardware: &Hardware, sampling: SamplingPlan) -> Result<Self, Failure> {
        let lattices = || family.rows.iter().filter(|row| row.scenario.cells.is_some());
        let mut threads: Vec<usize> = lattices()
            .filter_map(|row| match row.setup {
                EngineSetup::Cpu { threads, .. } => Some(threads),
                EngineSetup::Gpu(_) => None,
            })
            .collect();
        threads.sort_unstable();
        threads.dedup();
        let gpu = hardware.gpu.as_ref().filter(|_| lattices().any(|row| row.setup.is_gpu()));
        let graphics =
            gpu.map(|graphics| gpu::BufferCopy::new(graphics.gpu.clone(), sampling.copied as u64)).transpose()?;
        Ok(Self { processor: CopyBenchmark::new(sampling.copied, &threads)?, threads, graphics })
    }

    fn count(&self) -> usize {
        self.threads.len() + usize::from(self.graphics.is_some())
    }

    /// Copies `times` times on one of the devices. Returns the seconds.
    fn copy(&mut self, device: usize, times: u64) -> Result<f64, Failure> {
        let begun = Instant::now();
        match &self.graphics {
            Some(graphics) if device == self.threads.len() => graphics.copy(times)?,
            _ => self.processor.copy(device, times),
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// The copy bandwidth of the device of a setup, in bytes per second.
    fn bandwidth(&self, setup: EngineSetup, times: &[Times]) -> Option<Spread> {
        let (device, bytes) = match setup {
            EngineSetup::Gpu(_) => (self.threads.len(), self.graphics.as_ref()?.bytes()),
            EngineSetup::Cpu { threads, .. } => {
                (self.threads.iter().position(|known| *known == threads)?, self.processor.bytes())
            }
        };
        let seconds = &times.get(device)?.seconds;
        Spread::of(&seconds.iter().map(|seconds| bytes as f64 / seconds).collect::<Vec<_>>())
    }
}

/// Measures all rows of a family. The result of a row that cannot be run is the reason. A row that was interrupted before its
/// first repetition has no result.
pub fn measure(
    family: &Family,
    hardware: &Hardware,
    sampling: SamplingPlan,
    listener: &mut dyn Listener,
) -> Vec<Measurement> {
    listener.say(&family.title);
    let rows = &family.rows;
    let left_out = |row: &Row, why: &Failure| Measurement { row: row.clone(), figures: Err(why.to_string()) };
    let mut copies = match Copies::new(family, hardware, sampling) {
        Ok(copies) => copies,
        Err(failure) => return rows.iter().map(|row| left_out(row, &failure)).collect(),
    };
    let mut presets = Presets::default();
    let mut timed = Vec::new();
    for row in rows {
        if !listener.turn(0, 1) {
            break;
        }
        timed.push(TimedRow::new(row, &mut presets));
    }
    drop(presets);
    let times = interleave(&mut timed, &mut copies, sampling, listener);
    let (of_rows, of_copies) = times.split_at(timed.len());
    let measured = rows.iter().zip(timed).zip(of_rows).filter_map(|((row, timed), times)| {
        let figures = timed.and_then(|mut timed| {
            let copied = copies.bandwidth(row.setup, of_copies);
            match (&times.failed, Spread::of(&times.seconds)) {
                (Some(failure), _) => Err(Failure::Device(failure.to_string())),
                (None, Some(seconds)) => timed.figures(row, times, seconds, copied).map(Some),
                (None, None) => Ok(None),
            }
        });
        match figures {
            Ok(figures) => Some(Measurement { row: row.clone(), figures: Ok(figures?) }),
            Err(failure) => Some(left_out(row, &failure)),
        }
    });
    measured.collect()
}

/// Runs the rows and the copies alternately. Returns the times of the rows, then of the copies.
fn interleave(
    timed: &mut [Result<TimedRow, Failure>],
    copies: &mut Copies,
    sampling: SamplingPlan,
    listener: &mut dyn Listener,
) -> Vec<Times> {
    let most_of = |timed: &Result<TimedRow, Failure>| match timed {
        Ok(TimedRow { start: Some(_), .. }) => MOST_STEPS_OF_INDIVIDUALS,
        _ => u64::MAX,
    };
    let of_copies = std::iter::repeat_n(u64::MAX, copies.count());
    let most_steps: Vec<u64> = timed.iter().map(most_of).chain(of_copies).collect();
    let of = most_steps.len() * (sampling.rounds + 3);
    let mut turns = 0;
    let mut go_on = || {
        turns += 1;
        listener.turn(turns, of)
    };
    let rows = timed.len();
    let mut play = |run: usize, steps: u64| match timed.get_mut(run) {
        Some(Ok(timed)) => timed.play(steps),
        // The reason is reported already.
        Some(Err(_)) => Err(Failure::Device(String::new())),
        None => copies.copy(run - rows, steps),
    };
    InterleavedRuns { most_steps: &most_steps, sampling, play: &mut play, go_on: &mut go_on }.run()
}
