//! Measures a family. Its rows are measured alternately, together with the copy bandwidth of their devices.

use super::copy::CopyBenchmark;
use super::families::{EngineSetup, Family, Row, Work};
use super::figures::{Figures, TimedRow, Timing};
use super::frame::TimedFrames;
use super::hardware::Hardware;
use super::rock::TimedRock;
use super::timing::{PassTimes, SamplingPlan, interleave};
use crate::run::Stepper;
use murmuration_core::chain::plan::{Plan, Slot};
use murmuration_core::error::Failure;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::Swarm;
use std::time::Instant;

/// The maximum number of steps of a repetition of individuals. Individuals crowd together over time, so steps become
/// slower. Every repetition therefore begins at the start of the swarm and is short.
const MAX_STEPS_OF_INDIVIDUALS: u64 = 32;
/// The number of bytes of a cell in a field.
const WORD: u64 = 4;
/// The minimum memory traffic of a step, in bytes per cell. A step needs two passes. The first pass reads the density
/// and the control vector, and writes the control vector. The second pass reads both and writes both.
pub const MIN_TRAFFIC: u64 = 7 * WORD;

/// The number of bytes per cell that the passes of a plan read and write in a step.
///
/// A field counts once for each pass that reads it. A pass that reads many neighbours of a cell reads them from the
/// cache. Halos do not count, nor do the cache lines that a processor reads before it overwrites them.
pub fn traffic(plan: &Plan) -> u64 {
    let distinct = |slots: &[Slot]| (0..slots.len()).filter(|index| !slots[..*index].contains(&slots[*index])).count();
    plan.phases[0].iter().map(|pass| WORD * (distinct(&pass.read) + distinct(&pass.write)) as u64).sum()
}

/// A row and its result.
#[derive(Debug)]
pub struct Measurement {
    pub row: Row,
    /// The figures of the row, or the reason why the row could not be measured.
    pub figures: Result<Figures, String>,
}

fn timed(row: &Row) -> Result<Box<dyn TimedRow>, Failure> {
    Ok(match row.work {
        Work::Steps => Box::new(TimedSteps::new(row)?),
        Work::Rock(work) => Box::new(TimedRock::new(row, work)?),
        Work::Frame => Box::new(TimedFrames::new(row)?),
    })
}

/// A simulation that is measured.
struct TimedSteps {
    simulation: Simulation,
    /// The swarm at which every repetition of individuals begins; `None` for cells.
    start: Option<Swarm>,
    /// The number of pairs of an individual and a candidate neighbour in the first step; `None`: the pairs are not
    /// counted.
    pairs: Option<u64>,
    /// The state hash after the steps of a comparison, if the row is compared.
    compared: Option<String>,
    passes: PassTimes,
}

impl TimedSteps {
    fn new(row: &Row) -> Result<Self, Failure> {
        let preset = row.scenario.preset()?;
        let chain = preset.load_chain(row.chain.as_deref())?;
        let mut simulation = Simulation::new(preset, &chain, row.setup.choice())?;
        if row.keeps_points {
            simulation.keep_points()?;
        }
        let start = row.scenario.cells.is_none().then(|| simulation.swarm()).transpose()?;
        // A kernel of a GPU checks other candidates than the CPU does, unless both check all pairs.
        let is_counted = matches!(row.setup, EngineSetup::Cpu { .. }) || chain.search == Some(SearchKind::Brute);
        let pairs = if is_counted { simulation.candidate_pairs()? } else { None };
        let compared = (row.compared_steps > 0).then(|| {
            simulation.play(row.compared_steps)?;
            simulation.state_hash()
        });
        Ok(Self { simulation, start, pairs, compared: compared.transpose()?, passes: PassTimes::default() })
    }
}

impl TimedRow for TimedSteps {
    fn most_steps(&self) -> u64 {
        if self.start.is_some() { MAX_STEPS_OF_INDIVIDUALS } else { u64::MAX }
    }

    fn play(&mut self, steps: u64) -> Result<f64, Failure> {
        if let Some(start) = &self.start {
            self.simulation.put_back(start)?;
            self.simulation.wait()?;
        }
        let begun = Instant::now();
        self.simulation.play(steps)?;
        self.simulation.wait()?;
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(remark) = self.simulation.remarks().first() {
            return Err(Failure::Device(remark.clone()));
        }
        let passes = self.simulation.seconds_by_pass().into_iter();
        self.passes.0.push(passes.map(|(kernel, seconds)| (kernel.to_owned(), seconds)).collect());
        Ok(seconds)
    }

    fn figures(&mut self, of: Timing<'_>, go_on: &mut dyn FnMut() -> bool) -> Result<Option<Figures>, Failure> {
        let Timing { row, times, copied } = of;
        let simulation = &mut self.simulation;
        let many = match row.scenario.cells {
            Some(_) => simulation.preset().world.extents.cells() as u64,
            None => row.scenario.boids,
        };
        let Some(figures) = Figures::of_times(times, many, simulation.describe_engine()) else { return Ok(None) };
        let search = simulation.chain().search;
        let (is_same_as_cpu, not_compared) = match &self.compared {
            None => (None, None),
            Some(_) if !go_on() => (None, Some("interrupted".into())),
            Some(own) => match hash_by_cpu(row) {
                Ok(by_cpu) => (Some(*own == by_cpu), None),
                Err(why) => (None, Some(why.to_string())),
            },
        };
        Ok(Some(Figures {
            chain: simulation.chain().name.clone(),
            traffic: simulation.plan().map(|plan| traffic(plan)),
            copied: copied.filter(|_| search.is_none()),
            pairs: self.pairs,
            passes: self.passes.medians(figures.rounds),
            lost: simulation.account()?.lost,
            is_same_as_cpu,
            not_compared,
            ..figures
        }))
    }
}

/// The hash of the state that the CPU computes for a row, after the number of steps of the row's comparison.
fn hash_by_cpu(row: &Row) -> Result<String, Failure> {
    let all_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let by_cpu = TimedSteps::new(&Row { setup: EngineSetup::cpu(all_threads), ..row.clone() })?;
    by_cpu.compared.ok_or_else(|| Failure::Broken("the row is not compared".into()))
}

/// Measures all rows of a family. A row that cannot be run has the reason as its result. A row that was interrupted
/// before its first repetition is left out. `go_on` gets the number of turns that are done and the number of all turns,
/// and returns whether to go on.
pub fn measure(
    family: &Family,
    hardware: &Hardware,
    sampling: SamplingPlan,
    go_on: &mut dyn FnMut(usize, usize) -> bool,
) -> Vec<Measurement> {
    let rows = &family.rows;
    let left_out = |row: &Row, why: &Failure| Measurement { row: row.clone(), figures: Err(why.to_string()) };
    let lattices: Vec<_> = rows.iter().filter(|row| row.scenario.cells.is_some()).map(|row| row.setup).collect();
    let mut copies = match CopyBenchmark::new(sampling.copied, &lattices, hardware.gpu.as_ref()) {
        Ok(copies) => copies,
        Err(failure) => return rows.iter().map(|row| left_out(row, &failure)).collect(),
    };
    let mut timed: Vec<_> = rows.iter().take_while(|_| go_on(0, 1)).map(timed).collect();
    let count = timed.len();
    let mut most_steps: Vec<u64> =
        timed.iter().map(|timed| timed.as_ref().map_or(u64::MAX, |timed| timed.most_steps())).collect();
    most_steps.resize(count + copies.count(), u64::MAX);
    let (mut turns, of) = (0, most_steps.len() * (sampling.rounds + 3));
    let mut turn = || {
        turns += 1;
        go_on(turns, of)
    };
    let mut play = |run: usize, steps: u64| match timed.get_mut(run) {
        Some(Ok(timed)) => timed.play(steps),
        // The reason of the failure is in the result of the row.
        Some(Err(_)) => Err(Failure::Device(String::new())),
        None => copies.copy(run - count, steps),
    };
    let times = interleave(&most_steps, sampling, &mut play, &mut turn);
    let measured = rows.iter().zip(timed).zip(&times).filter_map(|((row, timed), of_row)| {
        let timing = Timing { row, times: of_row, copied: copies.bandwidth(row.setup, &times[count..]) };
        let figures = timed.and_then(|mut timed| match &of_row.failed {
            Some(failure) => Err(Failure::Device(failure.to_string())),
            None => timed.figures(timing, &mut || go_on(of, of)),
        });
        match figures {
            Ok(figures) => Some(Measurement { row: row.clone(), figures: Ok(figures?) }),
            Err(failure) => Some(left_out(row, &failure)),
        }
    });
    measured.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::chain::Chain;
    use murmuration_core::preset::{Overrides, Preset};

    fn plan(chain: &str, set: &[&str]) -> Plan {
        let overrides = Overrides {
            size: Some((16, 16)),
            set: set.iter().map(ToString::to_string).collect(),
            ..Default::default()
        };
        let preset = Preset::load(crate::host(), "droplets", &overrides).unwrap();
        Plan::new(&Chain::load(crate::host().as_ref(), chain).unwrap(), &preset.rules, &preset.world).unwrap()
    }

    #[test]
    fn the_papers_chain_moves_what_its_passes_list() {
        // Fields read + fields written, by pass: cohesion 1 + 1, separation 1 + 1, alignment 2 + 1, steer 5 + 1,
        // outflow 3 + 4, advect 5 + 2.
        assert_eq!(traffic(&plan("cell", &["movement.wander=0"])), 4 * (2 + 2 + 3 + 6 + 7 + 7));
        // The pass of wandering reads two fields and writes one field.
        assert_eq!(traffic(&plan("cell", &[])), 4 * (2 + 2 + 3 + 6 + 7 + 7 + 3));
        // The pass of a rule with weight 0 is not played, and `steer` does not read its field.
        assert_eq!(traffic(&plan("cell", &["movement.wander=0", "weights.separation=0"])), 4 * (2 + 3 + 5 + 7 + 7));
    }
}
