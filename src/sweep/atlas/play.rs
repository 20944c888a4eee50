//! Plays the runs of an atlas.

use super::Atlas;
use super::clip::Clip;
use super::plan::{AtlasPlan, EFFECTIVE_DIGITS, Tile};
use super::sampling::Sampling;
use crate::sweep::{Combination, Jobs, Kept, Progress, Shard, Study, Watch, measure, play_runs};
use murmuration_core::error::Failure;
use std::collections::BTreeMap;

impl Study for Atlas {
    type Plan = AtlasPlan;

    fn plan(&self) -> &AtlasPlan {
        &self.plan
    }

    fn play(
        &self,
        shard: Shard,
        jobs: &Jobs,
        kept: &mut Kept<AtlasPlan>,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<bool, Failure> {
        let plan = &self.plan;
        let Sampling::Search(search) = &plan.sampling else {
            let drawn = plan.drawn();
            let own = plan.combinations_of(shard).map(|combination| (combination, drawn[combination as usize].clone()));
            return self.play_combinations(&own.collect(), jobs, kept, report);
        };
        let count = plan.combinations_of(shard).count();
        let (mut done, mut steps) = (0, 0);
        while done < count {
            let batch: BTreeMap<u64, Vec<String>> =
                plan.batch(search, shard, &kept.results, done).into_iter().collect();
            done += batch.len();
            let mut played = 0;
            let mut report_all = |progress: Progress<'_>| {
                played = progress.steps;
                report(Progress { steps: steps + progress.steps, ..progress });
            };
            if !self.play_combinations(&batch, jobs, kept, &mut report_all)? {
                return Ok(false);
            }
            steps += played;
        }
        Ok(true)
    }
}

impl Atlas {
    /// Plays the runs of combinations whose results are not kept yet. `combinations`: the values of all parameters in
    /// each combination, by the number of the combination. Returns whether all runs are finished.
    fn play_combinations(
        &self,
        combinations: &BTreeMap<u64, Vec<String>>,
        jobs: &Jobs,
        kept: &mut Kept<AtlasPlan>,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<bool, Failure> {
        let runs = combinations.keys().flat_map(|combination| self.plan.runs.runs_of(*combination)).collect();
        let player = |run: u64, last: &mut Option<Combination>, watch: &Watch| {
            let values = &combinations[&self.plan.runs.of_run(run).0];
            self.play_run(run, values, last, (jobs, watch))
        };
        play_runs(runs, jobs, &player, kept, report)
    }

    /// Plays a run. `values`: the values of all parameters. `last`: the combination that this thread has loaded last.
    /// Returns the result and the messages of the engine; `None`: the run was stopped.
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
