//! The plan of a sweep: which runs there are, and what is measured of them. Journals carry it, so that tables can be
//! made of them alone.

use super::moments::Record;
use super::{MAX_RUNS, values};
use murmuration_core::error::BadInput;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The version of journals.
const VERSION: u32 = 1;
/// The most parameters, and the most measures.
const MAX_COLUMNS: usize = 64;

/// The plan of a journal, which is its first line, and how the results of its runs are written.
pub trait RunPlan: Sized {
    /// The result of a run.
    type Record: fmt::Debug;
    /// The kind of study with its article, as in `a sweep`.
    const OF: &'static str;
    /// The kind of study in messages about a different plan, as in `another sweep`.
    const OTHER: &'static str;

    /// Reads the first line of a journal.
    ///
    /// # Errors
    /// If it is no such plan.
    fn from_json(text: &str) -> Result<Self, String>;

    /// The plan as the first line of a journal.
    fn to_json(&self) -> String;

    /// How this plan differs from another one, for people; `None`: the plans are equal.
    fn difference(&self, other: &Self) -> Option<&'static str>;

    /// The number of runs.
    fn runs(&self) -> u64;

    /// A run in words.
    fn describe(&self, run: u64) -> String;

    /// A result as the fields of a line, with commas between them.
    fn write(record: &Self::Record) -> String;

    /// Reads a result from the fields of a line; `None`: the fields are no result.
    fn read(&self, fields: &[&str]) -> Option<Self::Record>;

    /// The steps of a run.
    fn steps(&self) -> u64;

    /// Whether a part has a run.
    fn has(&self, shard: Shard, run: u64) -> bool;

    /// The number of runs of a part.
    fn runs_in(&self, shard: Shard) -> u64 {
        (0..self.runs()).filter(|run| self.has(shard, *run)).count() as u64
    }

    /// Quanta that are missing in a run by its ledger.
    fn lost(record: &Self::Record) -> i64;
}

/// The results of the runs of a plan by their numbers.
pub type Results<P> = BTreeMap<u64, <P as RunPlan>::Record>;

/// The results of a sweep.
pub type Records = Results<Plan>;

/// All runs of a sweep. Two sweeps are the same if their plans are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the journal.
    #[serde(rename = "murmuration_sweep")]
    pub version: u32,
    /// The version of the program, to which the state hashes belong.
    pub program: String,
    /// The name of the preset.
    pub preset: String,
    /// The text of the preset, without the values of the parameters.
    pub text: String,
    /// The BLAKE3 of what takes effect in all combinations (`docs/formats.md, Provenance`).
    pub effective: String,
    /// The parameters, the slowest first.
    pub parameters: Vec<ParameterValues>,
    /// The seeds, ascending.
    pub seeds: Vec<u64>,
    /// The steps of a run.
    pub steps: u64,
    /// The first of these steps that are not measured.
    pub warm_up: u64,
    /// The steps from one sample to the next.
    pub every: u64,
    /// The measures: columns of the metrics.
    pub measures: Vec<String>,
}

/// A key and the values that it takes, in the notation of TOML; numbers ascend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterValues {
    /// The dotted key of the preset, or `size`.
    pub key: String,
    /// Its values, each once.
    pub values: Vec<String>,
}

impl ParameterValues {
    /// The values as numbers; `None`: they are words, lists or tables.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| values::number(value).filter(|number| number.is_finite())).collect()
    }
}

impl Plan {
    /// A plan of this program without parameters.
    pub fn new(preset: String) -> Self {
        Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            preset,
            text: String::new(),
            effective: String::new(),
            parameters: Vec::new(),
            seeds: vec![0],
            steps: 1,
            warm_up: 0,
            every: 1,
            measures: Vec::new(),
        }
    }

    /// Whether a sweep may have this plan.
    fn is_sound(&self) -> bool {
        self.runs() > 0 && self.is_measured()
    }

    /// Whether its runs can be measured, and have seeds.
    pub(super) fn is_measured(&self) -> bool {
        !self.seeds.is_empty()
            && self.has_samples()
            && self.seeds.is_sorted_by(|a, b| a < b)
            && self.parameters.len().max(self.measures.len()) <= MAX_COLUMNS
    }

    /// The origin of the results, for the records beside the tables.
    pub fn record(&self) -> Value {
        let values = |parameter: &ParameterValues| {
            let shown = parameter.values.iter().map(|value| values::shown(value));
            (parameter.key.clone(), shown.collect::<Vec<_>>().into())
        };
        json!({
            "program": "murmuration",
            "version": self.program,
            "preset": self.preset,
            "parameters": self.parameters.iter().map(values).collect::<Map<_, Value>>(),
            "seeds": self.seeds,
            "steps": self.steps,
            "warm_up": self.warm_up,
            "every": self.every,
            "effective": self.effective,
        })
    }

    /// Whether a run has a step that is measured.
    pub fn has_samples(&self) -> bool {
        self.every > 0 && self.warm_up.checked_add(self.every).is_some_and(|first| first <= self.steps)
    }

    /// The number of combinations of values. 0: no combination, or more than [`MAX_RUNS`].
    pub fn combinations(&self) -> u64 {
        let mut counts = self.parameters.iter().map(|parameter| parameter.values.len() as u64);
        let all = counts.try_fold(1u64, u64::checked_mul);
        all.filter(|count| *count <= MAX_RUNS).unwrap_or(0)
    }

    /// The indices of the values of a combination, in the order of the parameters.
    pub fn places(&self, combination: u64) -> Vec<usize> {
        let mut rest = combination;
        let places = self.parameters.iter().rev().map(|parameter| {
            let count = parameter.values.len().max(1) as u64;
            let place = rest % count;
            rest /= count;
            place as usize
        });
        let mut places: Vec<usize> = places.collect();
        places.reverse();
        places
    }

    /// The number of the combination whose values have these indices.
    pub fn combination(&self, places: &[usize]) -> u64 {
        let counts = self.parameters.iter().map(|parameter| parameter.values.len() as u64);
        counts.zip(places).fold(0, |all, (count, place)| all * count + *place as u64)
    }

    /// The values of a combination, in the order of the parameters.
    pub fn values(&self, combination: u64) -> impl Iterator<Item = &str> {
        self.parameters.iter().zip(self.places(combination)).map(|(parameter, place)| &*parameter.values[place])
    }

    /// The runs of a combination, in the order of the seeds.
    pub fn runs_of(&self, combination: u64) -> Range<u64> {
        let seeds = self.seeds.len() as u64;
        combination * seeds..(combination + 1) * seeds
    }

    /// The combination of a run, and its seed. Runs are sorted by their parameters and then by their seeds.
    pub fn of_run(&self, run: u64) -> (u64, u64) {
        let seeds = self.seeds.len() as u64;
        (run / seeds, self.seeds[(run % seeds) as usize])
    }
}

impl RunPlan for Plan {
    type Record = Record;
    const OF: &'static str = "a sweep";
    const OTHER: &'static str = "another sweep,";

    fn from_json(text: &str) -> Result<Self, String> {
        let plan: Self = serde_json::from_str(text).map_err(|error| format!("is no journal of a sweep: {error}"))?;
        if plan.version != VERSION {
            return Err(format!("is a journal of version {}, and this program reads version {VERSION}", plan.version));
        }
        if plan.is_sound() { Ok(plan) } else { Err("has a plan that no sweep has".into()) }
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a plan has texts and numbers alone")
    }

    fn runs(&self) -> u64 {
        let runs = self.combinations().checked_mul(self.seeds.len() as u64);
        runs.filter(|runs| *runs <= MAX_RUNS).unwrap_or(0)
    }

    fn describe(&self, run: u64) -> String {
        let (combination, seed) = self.of_run(run);
        let keys = self.parameters.iter().map(|parameter| &parameter.key);
        let values = keys.zip(self.values(combination)).map(|(key, value)| format!("{key}={}, ", values::shown(value)));
        format!("{}seed {seed}", values.collect::<String>())
    }

    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = [
            (self.program != other.program, "another version of the program"),
            (self.preset != other.preset, "another preset"),
            (self.parameters != other.parameters, "other parameters or values"),
            (self.seeds != other.seeds, "other seeds"),
            (self.steps != other.steps, "another number of steps"),
            ([self.warm_up, self.every] != [other.warm_up, other.every], "other samples"),
            (self.measures != other.measures, "other measures"),
            (
                [&self.text, &self.effective] != [&other.text, &other.effective],
                "another text of the preset, a chain or a file",
            ),
        ];
        differs.into_iter().find_map(|(differs, how)| differs.then_some(how))
    }

    fn write(record: &Record) -> String {
        record.write()
    }

    fn read(&self, fields: &[&str]) -> Option<Record> {
        Record::read(fields, self.measures.len())
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn has(&self, shard: Shard, run: u64) -> bool {
        shard.has(run)
    }

    fn lost(record: &Record) -> i64 {
        record.lost
    }
}

/// One of several equal parts of a sweep, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number of the part.
    pub number: u64,
    /// The number of parts.
    pub count: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, count: 1 }
    }
}

impl Shard {
    /// Whether the part has a run.
    pub fn has(self, run: u64) -> bool {
        run % self.count == self.number - 1
    }

    /// The name of a file of the part: `runs.csv`, or `runs-2-of-3.csv` if there are several.
    pub fn file_name(self, stem: &str, ending: &str) -> String {
        match self.count {
            1 => format!("{stem}.{ending}"),
            count => {
                let digits = count.to_string().len();
                format!("{stem}-{:0digits$}-of-{count}.{ending}", self.number)
            }
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// The part in `i/n`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if 1 <= number && number <= count && count <= MAX_RUNS => Ok(Self { number, count }),
            _ => Err(format!("write it as i/n, as in 2/3: i from 1 to n, n at most {MAX_RUNS}")),
        }
    }
}

/// A complaint about a sweep as a whole that has too many runs.
pub fn too_many(preset: &str) -> BadInput {
    let problem = format!("the values and seeds make more than {MAX_RUNS} runs");
    BadInput::new(preset, problem, "take fewer values or seeds, or sweep in several commands")
}
