//! The plan of a sweep: the list of its runs and of their measures. A journal contains the plan, so that a journal
//! alone is enough to write the tables.

use super::moments::Record;
use super::{MAX_RUNS, values};
use murmuration_core::error::BadInput;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The version of the format of journals.
const VERSION: u32 = 1;
/// The maximum number of parameters, and also of measures.
const MAX_COLUMNS: usize = 64;

/// The plan of a study, which is the first line of its journal. The trait also writes and reads the results of runs in
/// a journal.
pub trait RunPlan: Sized {
    /// The result of a run.
    type Record: fmt::Debug;
    /// The kind of study with its article, such as `a sweep`, for messages.
    const OF: &'static str;
    /// The kind of study in messages about a different plan, such as `another sweep,`.
    const OTHER: &'static str;

    /// Reads the plan from the first line of a journal.
    ///
    /// # Errors
    /// The problem for the user, if the text is not a plan of this kind.
    fn from_json(text: &str) -> Result<Self, String>;

    /// The plan as the first line of a journal.
    fn to_json(&self) -> String;

    /// The difference between two plans as text for users, such as `other seeds`. `None`: both plans have the same
    /// runs.
    fn difference(&self, other: &Self) -> Option<&'static str>;

    /// The number of runs.
    fn runs(&self) -> u64;

    /// A description of a run for users: the values of its parameters and its seed.
    fn describe(&self, run: u64) -> String;

    /// A result as the fields of a line, with commas between them.
    fn write(record: &Self::Record) -> String;

    /// Reads a result from the fields of a line; `None`: the fields are no result.
    fn read(&self, fields: &[&str]) -> Option<Self::Record>;

    /// The number of steps of each run.
    fn steps(&self) -> u64;

    /// Whether a run belongs to a shard.
    fn has(&self, shard: Shard, run: u64) -> bool;

    /// The number of runs of a shard.
    fn runs_in(&self, shard: Shard) -> u64 {
        (0..self.runs()).filter(|run| self.has(shard, *run)).count() as u64
    }

    /// The number of quanta that are missing at the end of a run by its account; negative if there are too many.
    fn lost(record: &Self::Record) -> i64;
}

/// The result of each finished run of a plan, by the number of the run.
pub type Results<P> = BTreeMap<u64, <P as RunPlan>::Record>;

/// The results of a sweep.
pub type Records = Results<Plan>;

/// The plan of all runs of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the format of the journal.
    #[serde(rename = "murmuration_sweep")]
    pub version: u32,
    /// The version of the program. Another version may give other state hashes.
    pub program: String,
    /// The name of the preset.
    pub preset: String,
    /// The text of the preset, without the values of the parameters.
    pub text: String,
    /// The BLAKE3 hash of the effective hashes of all combinations (`docs/formats.md, Provenance`).
    pub effective: String,
    /// The parameters. From one combination to the next, the value of the last parameter changes first.
    pub parameters: Vec<ParameterValues>,
    /// The seeds, ascending.
    pub seeds: Vec<u64>,
    /// The number of steps of each run.
    pub steps: u64,
    /// The number of steps at the start of a run that are not measured.
    pub warm_up: u64,
    /// The number of steps from one sample to the next.
    pub every: u64,
    /// The names of the measures: columns of the metrics, and statistics with a single number.
    pub measures: Vec<String>,
}

/// A parameter of a sweep: a key of the preset, and the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterValues {
    /// The dotted key of the preset, or `size`.
    pub key: String,
    /// The values in the notation of TOML, each once. Numbers ascend.
    pub values: Vec<String>,
}

impl ParameterValues {
    /// The values as numbers; `None`: at least one value is not a finite number.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| values::number(value).filter(|number| number.is_finite())).collect()
    }
}

impl Plan {
    /// A plan of this version of the program, without parameters and measures: one run of one step with the seed 0.
    /// `preset`: the name of the preset.
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

    /// Whether the plan has 1 to [`MAX_RUNS`] runs, and [`Self::is_measured`] is true.
    fn is_sound(&self) -> bool {
        self.runs() > 0 && self.is_measured()
    }

    /// Whether the plan has seeds in ascending order, a run has a sample, and the numbers of parameters and measures
    /// are at most [`MAX_COLUMNS`].
    pub(super) fn is_measured(&self) -> bool {
        !self.seeds.is_empty()
            && self.has_samples()
            && self.seeds.is_sorted_by(|a, b| a < b)
            && self.parameters.len().max(self.measures.len()) <= MAX_COLUMNS
    }

    /// The provenance record of the results, as a JSON object.
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

    /// Whether a run has at least one sample.
    pub fn has_samples(&self) -> bool {
        self.every > 0 && self.warm_up.checked_add(self.every).is_some_and(|first| first <= self.steps)
    }

    /// The number of combinations of values. 0: the plan has no combination, or more than [`MAX_RUNS`].
    pub fn combinations(&self) -> u64 {
        let mut counts = self.parameters.iter().map(|parameter| parameter.values.len() as u64);
        let all = counts.try_fold(1u64, u64::checked_mul);
        all.filter(|count| *count <= MAX_RUNS).unwrap_or(0)
    }

    /// For each parameter the index of its value in a combination, in the order of the parameters.
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

    /// The number of a combination. `places`: for each parameter the index of its value.
    pub fn combination(&self, places: &[usize]) -> u64 {
        let counts = self.parameters.iter().map(|parameter| parameter.values.len() as u64);
        counts.zip(places).fold(0, |all, (count, place)| all * count + *place as u64)
    }

    /// The values of a combination, in the order of the parameters.
    pub fn values(&self, combination: u64) -> impl Iterator<Item = &str> {
        self.parameters.iter().zip(self.places(combination)).map(|(parameter, place)| &*parameter.values[place])
    }

    /// The numbers of the runs of a combination, in the order of the seeds.
    pub fn runs_of(&self, combination: u64) -> Range<u64> {
        let seeds = self.seeds.len() as u64;
        combination * seeds..(combination + 1) * seeds
    }

    /// The number of the combination of a run, and the seed of the run. Runs are sorted by combination and then by
    /// seed.
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

/// A shard: one of several parts of a study, which can be played by different processes. The numbers of runs of two
/// shards of a sweep differ by at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 1 on.
    pub number: u64,
    /// The number of shards.
    pub count: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, count: 1 }
    }
}

impl Shard {
    /// Whether the run with this number belongs to the shard. An atlas gives the number of a combination instead.
    pub fn has(self, run: u64) -> bool {
        run % self.count == self.number - 1
    }

    /// The name of a file of the shard: `runs.csv`, or such as `runs-2-of-3.csv` if the study has several shards.
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

    /// Parses the text `i/n`: the shard i of n shards.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if 1 <= number && number <= count && count <= MAX_RUNS => Ok(Self { number, count }),
            _ => Err(format!("write it as i/n, as in 2/3: i from 1 to n, n at most {MAX_RUNS}")),
        }
    }
}

/// The error of a sweep that has more than [`MAX_RUNS`] runs. `preset`: the name of its preset.
pub fn too_many(preset: &str) -> BadInput {
    let problem = format!("the values and seeds make more than {MAX_RUNS} runs");
    BadInput::new(preset, problem, "take fewer values or seeds, or sweep in several commands")
}
