//! Measures a family: its rows and the copy bandwidth of the devices that they are played on, in turns.

use super::copy::Copying;
use super::families::{Family, Player, Row};
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

/// The most steps of a repetition of individuals: they crowd together as they go, and so every repetition begins at their
/// start again and does not go far.
const MOST_STEPS_OF_A_HERD: u64 = 32;

/// A row and what came of it.
#[derive(Debug)]
pub struct Measured {
    pub row: Row,
    /// Or why nothing came of it.
    pub figures: Result<Figures, String>,
}

/// What was measured of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The engine in its own words.
    pub engine: String,
    pub chain: String,
    /// Cells or individuals.
    pub many: u64,
    /// Steps of a repetition, and how many repetitions there were.
    pub steps: u64,
    pub rounds: usize,
    /// Seconds a step.
    pub seconds: Spread,
    /// Bytes a cell by the plan's count; `None`: individuals, which have no plan.
    pub traffic: Option<u64>,
    /// Bytes a second that the same device copied, read and written, with as many threads.
    pub copied: Option<Spread>,
    /// Whether every individual looked at every other.
    pub is_brute: bool,
    /// Median seconds of each pass in a step, by its kernel.
    pub passes: Vec<(String, f64)>,
    /// Quanta that the ledger misses.
    pub lost: i64,
}

impl Figures {
    /// Cells or individuals a second.
    pub fn rate(&self) -> f64 {
        self.many as f64 / self.seconds.median
    }

    /// Pairs of individuals a second that were looked at.
    pub fn pairs(&self) -> Option<f64> {
        self.is_brute.then(|| self.rate() * self.many.saturating_sub(1) as f64)
    }

    /// Bytes a second, with so many bytes a cell, and which part of the copy bandwidth that is.
    pub fn bandwidth(&self, bytes_a_cell: u64) -> (f64, Option<f64>) {
        let reached = traffic::bandwidth(bytes_a_cell, self.rate());
        (reached, self.copied.map(|copied| reached / copied.median))
    }

    /// Whether the ledger agrees.
    pub fn is_valid(&self) -> bool {
        self.lost == 0
    }
}

/// Hears how far the measuring has come.
pub trait Listener {
    /// Something begins, in words.
    fn say(&mut self, what: &str);
    /// Another turn of so many; whether to go on.
    fn turn(&mut self, turns: usize, of: usize) -> bool;
}

/// A simulation that is measured.
struct Played {
    simulation: Simulation,
    /// Where every repetition of individuals begins.
    start: Option<Swarm>,
    passes: BTreeMap<usize, (String, Vec<f64>)>,
}

impl Played {
    fn new(row: &Row, presets: &mut Presets) -> Result<Self, Failure> {
        let preset = presets.get(&row.scenario)?;
        let chain = preset.load_chain(row.chain.as_deref())?;
        let mut simulation = Simulation::new(preset, &chain, row.player.choice())?;
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
        // Without the warm-up, in which a driver may still compile.
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

/// The last preset that was read: many rows of a family have the same.
#[derive(Default)]
struct Presets(Option<(Scenario, Preset)>);

impl Presets {
    fn get(&mut self, scenario: &Scenario) -> Result<Preset, Failure> {
        match &self.0 {
            Some((known, preset)) if known == scenario => Ok(preset.clone()),
            _ => {
                // Given up first: there may be no room for two.
                self.0 = None;
                let preset = scenario.preset()?;
                self.0 = Some((scenario.clone(), preset.clone()));
                Ok(preset)
            }
        }
    }
}

/// The devices of a family's lattices, each of which copies memory in turns with them.
struct Copies {
    threads: Vec<usize>,
    processor: Copying,
    graphics: Option<gpu::Copying>,
}

impl Copies {
    fn new(family: &Family, hardware: &Hardware, effort: SamplingPlan) -> Result<Self, Failure> {
        let lattices = || family.rows.iter().filter(|row| row.scenario.cells.is_some());
        let mut threads: Vec<usize> = lattices()
            .filter_map(|row| match row.player {
                Player::Cpu { threads, .. } => Some(threads),
                Player::Gpu(_) => None,
            })
            .collect();
        threads.sort_unstable();
        threads.dedup();
        let gpu = hardware.gpu.as_ref().filter(|_| lattices().any(|row| row.player.is_gpu()));
        let graphics = gpu.map(|graphics| gpu::Copying::new(graphics.gpu.clone(), effort.copied as u64)).transpose()?;
        Ok(Self { processor: Copying::new(effort.copied, &threads)?, threads, graphics })
    }

    fn count(&self) -> usize {
        self.threads.len() + usize::from(self.graphics.is_some())
    }

    /// The seconds of so many copies on one of the devices.
    fn copy(&mut self, device: usize, times: u64) -> Result<f64, Failure> {
        let begun = Instant::now();
        match &self.graphics {
            Some(graphics) if device == self.threads.len() => graphics.copy(times)?,
            _ => self.processor.copy(device, times),
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Bytes a second that were copied on the device of a player.
    fn bandwidth(&self, player: Player, times: &[Times]) -> Option<Spread> {
        let (device, bytes) = match player {
            Player::Gpu(_) => (self.threads.len(), self.graphics.as_ref()?.bytes()),
            Player::Cpu { threads, .. } => {
                (self.threads.iter().position(|known| *known == threads)?, self.processor.bytes())
            }
        };
        let seconds = &times.get(device)?.seconds;
        Spread::of(&seconds.iter().map(|seconds| bytes as f64 / seconds).collect::<Vec<_>>())
    }
}

/// Measures all rows of a family. One that cannot be played is left out, and says why; of one that was interrupted
/// before its first repetition nothing is said.
pub fn measure(
    family: &Family,
    hardware: &Hardware,
    effort: SamplingPlan,
    listener: &mut dyn Listener,
) -> Vec<Measured> {
    listener.say(&family.title);
    let rows = &family.rows;
    let left_out = |row: &Row, why: &Failure| Measured { row: row.clone(), figures: Err(why.to_string()) };
    let mut copies = match Copies::new(family, hardware, effort) {
        Ok(copies) => copies,
        Err(failure) => return rows.iter().map(|row| left_out(row, &failure)).collect(),
    };
    let mut presets = Presets::default();
    let mut played = Vec::new();
    for row in rows {
        if !listener.turn(0, 1) {
            break;
        }
        played.push(Played::new(row, &mut presets));
    }
    drop(presets);
    let times = contest(&mut played, &mut copies, effort, listener);
    let (of_rows, of_copies) = times.split_at(played.len());
    let measured = rows.iter().zip(played).zip(of_rows).filter_map(|((row, played), times)| {
        let figures = played.and_then(|mut played| {
            let copied = copies.bandwidth(row.player, of_copies);
            match (&times.failed, Spread::of(&times.seconds)) {
                (Some(failure), _) => Err(Failure::Device(failure.to_string())),
                (None, Some(seconds)) => played.figures(row, times, seconds, copied).map(Some),
                (None, None) => Ok(None),
            }
        });
        match figures {
            Ok(figures) => Some(Measured { row: row.clone(), figures: Ok(figures?) }),
            Err(failure) => Some(left_out(row, &failure)),
        }
    });
    measured.collect()
}

/// Lets the rows and after them the copies take turns.
fn contest(
    played: &mut [Result<Played, Failure>],
    copies: &mut Copies,
    effort: SamplingPlan,
    listener: &mut dyn Listener,
) -> Vec<Times> {
    let of_row = |played: &Result<Played, Failure>| match played {
        Ok(Played { start: Some(_), .. }) => MOST_STEPS_OF_A_HERD,
        _ => u64::MAX,
    };
    let of_copies = std::iter::repeat_n(u64::MAX, copies.count());
    let most: Vec<u64> = played.iter().map(of_row).chain(of_copies).collect();
    let of = most.len() * (effort.rounds + 3);
    let mut turns = 0;
    let mut go_on = || {
        turns += 1;
        listener.turn(turns, of)
    };
    let rows = played.len();
    let mut play = |contestant: usize, steps: u64| match played.get_mut(contestant) {
        Some(Ok(played)) => played.play(steps),
        // Why is known already.
        Some(Err(_)) => Err(Failure::Device(String::new())),
        None => copies.copy(contestant - rows, steps),
    };
    InterleavedRuns { most: &most, effort, play: &mut play, go_on: &mut go_on }.run()
}
