//! How the runs of an atlas are played.

use super::Atlas;
use super::clip::Clip;
use super::plan::{AtlasPlan, EFFECTIVE_DIGITS, Tile, Tiles};
use super::sampling::Sampling;
use crate::sweep::{Combination, Jobs, Journal, Progress, Shard, Watch, measure, play_due};
use murmuration_core::error::Failure;
use std::collections::BTreeMap;

/// Plays the runs of a shard that are not in `tiles` yet. Puts them into the journal and into `tiles`. Returns whether all are finished; if
/// not, a stop was wanted.
///
/// # Errors
/// If a run or the journal fails. The runs that were finished before are in the journal.
pub fn play(
    atlas: &Atlas,
    shard: Shard,
    jobs: &Jobs,
    (journal, tiles): (&mut Journal, &mut Tiles),
    mut report: impl FnMut(Progress<'_>),
) -> Result<bool, Failure> {
    let plan = &atlas.plan;
    let Sampling::Search(search) = &plan.sampling else {
        let drawn = plan.drawn();
        let own = plan.combinations_of(shard).map(|combination| (combination, drawn[combination as usize].clone()));
        return atlas.play_combinations(&own.collect(), jobs, (journal, tiles), &mut report);
    };
    let count = plan.combinations_of(shard).count();
    let (mut done, mut steps) = (0, 0);
    while done < count {
        let batch: BTreeMap<u64, Vec<String>> = plan.batch(search, shard, tiles, done).into_iter().collect();
        done += batch.len();
        let mut played = 0;
        let mut report_all = |progress: Progress<'_>| {
            played = progress.steps;
            report(Progress { steps: steps + progress.steps, ..progress });
        };
        if !atlas.play_combinations(&batch, jobs, (&mut *journal, &mut *tiles), &mut report_all)? {
            return Ok(false);
        }
        steps += played;
    }
    Ok(true)
}

impl Atlas {
    /// Plays the runs of combinations, by their numbers, that are not in `tiles` yet. Returns whether all are finished.
    fn play_combinations(
        &self,
        combinations: &BTreeMap<u64, Vec<String>>,
        jobs: &Jobs,
        (journal, tiles): (&mut Journal, &mut Tiles),
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<bool, Failure> {
        let runs: Vec<u64> = combinations.keys().flat_map(|combination| self.plan.runs.runs_of(*combination)).collect();
        let due: Vec<u64> = runs.iter().copied().filter(|run| !tiles.contains_key(run)).collect();
        let player = |run: u64, last: &mut Option<Combination>, watch: &Watch| {
            let values = &combinations[&self.plan.runs.of_run(run).0];
            self.play_run(run, values, last, (jobs, watch))
        };
        play_due::<AtlasPlan>(&due, jobs, &player, (journal, tiles), report)?;
        Ok(runs.iter().all(|run| tiles.contains_key(run)))
    }

    /// Plays a run; `None`: a stop was wanted.
    fn play_run(
        &self,
        run: u64,
        values: &[String],
        last: &mut Option<Combination>,
        (jobs, watch): (&Jobs, &Watch),
    ) -> Result<Option<(Tile, Vec<String>)>, Failure> {
        let plan = &self.plan.runs;
        let (number, seed) = plan.of_run(run);
        let load = || self.sweep.load_values(values.iter().map(String::as_str), Some(seed));
        let mut simulation = Combination::of(last, number, load)?.start(seed, jobs.engine)?;
        let effective = simulation.preset().effective_hash(simulation.chain())[..EFFECTIVE_DIGITS].to_owned();
        let mut clip = Clip::new(self.plan.clip, plan.steps);
        let Some((record, remarks)) = measure(&mut simulation, plan, watch, Some(&mut clip))? else { return Ok(None) };
        let is_first = plan.seeds.first() == Some(&seed);
        let film = if is_first { clip.png()? } else { Vec::new() };
        let tile = Tile { values: values.to_vec(), effective, record, coverage: clip.coverage(), clip: film };
        Ok(Some((tile, remarks)))
    }
}
