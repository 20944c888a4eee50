//! The plan of an atlas, the result of a run, and the form of both in a journal.

use super::clip::ClipPlan;
use super::regime::{NO_REGIME, Regime};
use super::sampling::{MAX_RANGES, Range, Sampling, grid, latin_hypercube};
use crate::sweep::{MAX_RUNS, Moments, ParameterValues, Plan, Record, Results, RunPlan, Shard, Summary, shown_value};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The version of the format of journals.
const VERSION: u32 = 1;
/// The number of hexadecimal digits of an effective hash in a journal, as in links.
pub const EFFECTIVE_DIGITS: usize = 16;

/// The plan of all runs of an atlas. Two plans describe the same runs if they differ only in descriptions, regimes and
/// links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtlasPlan {
    /// The version of the format of the journal.
    #[serde(rename = "murmuration_atlas")]
    version: u32,
    /// The user's description of the atlas.
    pub description: String,
    /// The preset, the parameters, seeds, steps and measures of all runs. The values of a parameter are its words, or
    /// the two ends of its range.
    pub runs: Plan,
    /// The parameters whose values are drawn from a range.
    pub ranges: Vec<Range>,
    /// The method by which the values are drawn.
    pub sampling: Sampling,
    /// The seed of the random draws.
    pub sampling_seed: u64,
    /// The frames of the film of each combination.
    pub clip: ClipPlan,
    /// The regimes. A combination has the first regime whose conditions hold.
    pub regimes: Vec<Regime>,
    /// The common part of the links of all combinations, as a JSON object. It has the keys `preset` and `chain`, or the
    /// key `replay` with the replay of one combination. Null: the combinations have no links.
    pub link: Value,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// The value of each parameter, in the notation of TOML.
    pub values: Vec<String>,
    /// The first 16 hexadecimal digits of the effective hash of preset and chain.
    pub effective: String,
    /// The measures, the hash of the last state, and the missing quanta.
    pub record: Record,
    /// The part of the world's area that holds the swarm, 0 to 1.
    pub coverage: f64,
    /// The frames of the film side by side, as a gray PNG. Empty for all seeds except the first.
    pub clip: Vec<u8>,
}

/// The result of each finished run, by the number of the run.
pub type Tiles = Results<AtlasPlan>;

impl AtlasPlan {
    /// A plan of this version, without a description and a link.
    pub fn new(runs: Plan, (ranges, sampling, sampling_seed): (Vec<Range>, Sampling, u64)) -> Self {
        let (clip, regimes) = (ClipPlan::default(), Regime::usual());
        let (description, link) = (String::new(), Value::Null);
        Self { version: VERSION, description, runs, ranges, sampling, sampling_seed, clip, regimes, link }
    }

    /// The number of combinations. 0: the plan has no combination, or more than [`MAX_RUNS`].
    pub fn combinations(&self) -> u64 {
        let words = if self.sampling.multiplies_words() { self.word_count() } else { 1 };
        let all = self.sampling.samples(self.ranges.len()).checked_mul(words);
        all.filter(|count| *count <= MAX_RUNS).unwrap_or(0)
    }

    /// The numbers of the combinations of a shard, ascending. A shard has every `shard.count`-th combination, so each
    /// shard samples the whole ranges.
    pub fn combinations_of(&self, shard: Shard) -> impl Iterator<Item = u64> {
        (shard.number - 1..self.combinations()).step_by(shard.count as usize)
    }

    /// The number of combinations of the parameters that have words instead of a range.
    fn word_count(&self) -> u64 {
        let words = self.runs.parameters.iter().filter(|parameter| self.range(&parameter.key).is_none());
        words.fold(1, |count, parameter| count.saturating_mul(parameter.values.len() as u64))
    }

    /// The combinations of the parameters that have words. Each has a value for every parameter. The value of a
    /// parameter with a range is the least value of the range.
    pub fn words(&self) -> impl Iterator<Item = Vec<String>> {
        let is_range: Vec<bool> =
            self.runs.parameters.iter().map(|parameter| self.range(&parameter.key).is_some()).collect();
        let all = (0..self.runs.combinations()).map(|combination| self.runs.places(combination));
        let of_words =
            all.filter(move |places| is_range.iter().zip(places).all(|(is_range, place)| !is_range || *place == 0));
        of_words.map(|places| {
            self.runs.parameters.iter().zip(places).map(|(parameter, place)| parameter.values[place].clone()).collect()
        })
    }

    /// The range of the parameter with this key; `None`: the parameter has words.
    pub fn range(&self, key: &str) -> Option<&Range> {
        self.ranges.iter().find(|range| range.key == key)
    }

    /// The value of a measure in a run: its mean over the samples. `None`: the run has no such value.
    pub fn measure(&self, tile: &Tile, name: &str) -> Option<f64> {
        if name == super::COVERAGE {
            return Some(tile.coverage);
        }
        let index = self.runs.measures.iter().position(|measure| measure == name)?;
        Some(tile.record.measures[index].mean).filter(|mean| mean.is_finite())
    }

    /// The names of all measures; the coverage is the last.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.runs.measures.iter().map(String::as_str).chain([super::COVERAGE])
    }

    /// The summary of a measure over the runs of a combination. Each run counts as one sample.
    pub fn summary(&self, tiles: &Tiles, combination: u64, name: &str) -> Summary {
        let values = tiles.range(self.runs.runs_of(combination)).filter_map(|(_, tile)| self.measure(tile, name));
        Summary::new(&values.map(|value| Moments::new(&[value])).collect::<Vec<_>>())
    }

    /// The mean of a measure over the runs of a combination; `None`: no run has a value.
    pub fn mean(&self, tiles: &Tiles, combination: u64, name: &str) -> Option<f64> {
        Some(self.summary(tiles, combination, name).mean).filter(|mean| mean.is_finite())
    }

    /// The values of all parameters in each combination of a grid or a Latin hypercube, in the order of the
    /// combinations. Empty for a search.
    pub fn drawn(&self) -> Vec<Vec<String>> {
        let parts = match &self.sampling {
            Sampling::Grid { levels } => grid(*levels, self.ranges.len()),
            Sampling::LatinHypercube { samples } => latin_hypercube(*samples, self.ranges.len(), self.sampling_seed),
            Sampling::Search(_) => return Vec::new(),
        };
        let words: Vec<Vec<String>> = self.words().collect();
        parts.iter().flat_map(|parts| words.iter().map(|words| self.with_ranges(words.clone(), parts))).collect()
    }

    /// Replaces in `values` the value of each parameter that has a range. `parts`: the place of the new value in each
    /// range, 0 to 1.
    pub fn with_ranges(&self, mut values: Vec<String>, parts: &[f64]) -> Vec<String> {
        for (range, part) in self.ranges.iter().zip(parts) {
            let index = self.runs.parameters.iter().position(|parameter| parameter.key == range.key);
            index.iter().for_each(|index| values[*index] = range.value(*part));
        }
        values
    }

    /// The provenance record of the results, as a JSON object.
    pub fn record(&self) -> Value {
        let mut record = self.runs.record();
        let range = |range: &Range| (range.key.clone(), json!([range.least, range.greatest]));
        let words = |parameter: &&ParameterValues| self.range(&parameter.key).is_none();
        let words = self.runs.parameters.iter().filter(words).map(|parameter| {
            (parameter.key.clone(), parameter.values.iter().map(|value| shown_value(value)).collect::<Vec<_>>().into())
        });
        record["parameters"] = words.collect::<Map<_, Value>>().into();
        record["ranges"] = self.ranges.iter().map(range).collect::<Map<_, _>>().into();
        record["sampling"] = json!(self.sampling);
        record["sampling_seed"] = json!(self.sampling_seed);
        record
    }

    /// The keys of all parameters.
    pub fn parameter_names(&self) -> impl Iterator<Item = String> {
        self.runs.parameters.iter().map(|parameter| parameter.key.clone())
    }

    /// The numbers of the combinations whose runs are all finished.
    pub fn finished(&self, tiles: &Tiles) -> Vec<u64> {
        let is_finished = |combination: &u64| self.runs.runs_of(*combination).all(|run| tiles.contains_key(&run));
        (0..self.combinations()).filter(is_finished).collect()
    }

    /// The names of the regimes, each once. The name for combinations without a regime is the last.
    pub fn regime_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.regimes.iter().map(|regime| &*regime.name).chain([NO_REGIME]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The name of the regime of a combination.
    pub fn regime_name(&self, tiles: &Tiles, combination: u64) -> &str {
        self.regimes.get(self.regime(tiles, combination)).map_or(NO_REGIME, |regime| &regime.name)
    }

    /// The index of the regime of a combination. If the combination has no regime, the result is the number of regimes.
    pub fn regime(&self, tiles: &Tiles, combination: u64) -> usize {
        let value = |name: &str| self.mean(tiles, combination, name);
        self.regimes.iter().position(|regime| regime.holds(&value)).unwrap_or(self.regimes.len())
    }
}

impl RunPlan for AtlasPlan {
    type Record = Tile;
    const OF: &'static str = "an atlas";
    const OTHER: &'static str = "another atlas,";

    fn from_json(text: &str) -> Result<Self, String> {
        let plan: Self = serde_json::from_str(text).map_err(|error| format!("is no journal of an atlas: {error}"))?;
        if plan.version != VERSION {
            return Err(format!("is a journal of version {}, and this program reads version {VERSION}", plan.version));
        }
        let has_ranges = plan.ranges.len() <= MAX_RANGES
            && plan.ranges.iter().enumerate().all(|(index, range)| {
                let is_new = plan.ranges[..index].iter().all(|other| other.key != range.key);
                let is_there = plan.runs.parameters.iter().any(|parameter| parameter.key == range.key);
                is_new && is_there && range.is_sound()
            });
        let has_sampling = plan.sampling.is_sound();
        let is_sound = plan.runs.is_measured()
            && plan.runs.combinations() > 0
            && has_ranges
            && has_sampling
            && plan.clip.is_sound()
            && RunPlan::runs(&plan) > 0;
        if is_sound { Ok(plan) } else { Err("has a plan that no atlas has".into()) }
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a plan has texts and finite numbers alone")
    }

    fn difference(&self, other: &Self) -> Option<&'static str> {
        let own = (&self.ranges, &self.sampling, self.sampling_seed);
        let differs = [
            (own != (&other.ranges, &other.sampling, other.sampling_seed), "other ranges or another sampling"),
            (self.clip != other.clip, "other frames"),
        ];
        self.runs.difference(&other.runs).or(differs.into_iter().find_map(|(differs, how)| differs.then_some(how)))
    }

    fn runs(&self) -> u64 {
        let runs = self.combinations().checked_mul(self.runs.seeds.len() as u64);
        runs.filter(|runs| *runs <= MAX_RUNS).unwrap_or(0)
    }

    fn describe(&self, run: u64) -> String {
        let (combination, seed) = self.runs.of_run(run);
        format!("combination {combination}, seed {seed}")
    }

    fn write(tile: &Tile) -> String {
        let values = serde_json::to_vec(&tile.values).unwrap_or_default();
        let [values, clip] = [&values, &tile.clip].map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes));
        format!("{values},{},{:?},{clip},{}", tile.effective, tile.coverage, tile.record.write())
    }

    fn read(&self, fields: &[&str]) -> Option<Tile> {
        let [values, effective, coverage, clip, record @ ..] = fields else { return None };
        let [values, clip] = [values, clip].map(|field| BASE64_URL_SAFE_NO_PAD.decode(field).ok());
        let values: Vec<String> = serde_json::from_slice(&values?).ok()?;
        let coverage: f64 = coverage.parse().ok().filter(|part| (0.0..=1.0).contains(part))?;
        let record = Record::read(record, self.runs.measures.len())?;
        let is_hash = effective.len() == EFFECTIVE_DIGITS && effective.bytes().all(|digit| digit.is_ascii_hexdigit());
        let is_sound = is_hash && values.len() == self.runs.parameters.len();
        is_sound.then_some(Tile { values, effective: (*effective).into(), record, coverage, clip: clip? })
    }

    fn steps(&self) -> u64 {
        self.runs.steps
    }

    fn has(&self, shard: Shard, run: u64) -> bool {
        shard.has(self.runs.of_run(run).0)
    }

    fn lost(tile: &Tile) -> i64 {
        tile.record.lost
    }
}
