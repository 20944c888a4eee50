//! The tables of a sweep, each with its record beside it. They follow from the plan and the results of the runs alone. So one run, a resumed
//! one and merged shards give the same bytes.

use super::journal::{Record, Records};
use super::moments::{Moments, Summary};
use super::plan::{ParameterValues, Plan};
use super::values::shown;
use crate::files::{write_atomically, write_table};
use crate::json::with_exact;
use crate::observe::unit_of;
use crate::provenance::{KEY, record_path};
use murmuration_core::error::Failure;
use murmuration_core::preset::keys::KEYS;
use ndarray::{Array1, Array2};
use ndarray_npy::{WriteNpyError, WriteNpyExt};
use serde_json::{Map, Value, json};
use std::io::{self, Cursor};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A column of a measure: the ending of its name, the power of the measure's unit, and its value.
type Column<T> = (&'static str, u32, fn(&T) -> f64);

/// What a table of runs has of a measure.
const OF_RUNS: [Column<Moments>; 4] = [
    ("", 1, |of| of.mean),
    ("_deviation", 1, |of| of.deviation),
    ("_second_moment", 2, |of| of.second),
    ("_fourth_moment", 4, |of| of.fourth),
];

/// What a table of means has of a measure.
const OF_MEANS: [Column<Summary>; 4] = [
    ("", 1, |of| of.mean),
    ("_error", 1, |of| of.error),
    ("_variance", 2, |of| of.variance),
    ("_binder", 0, |of| of.binder),
];

/// A number of a table; NaN is empty.
fn cell(number: f64) -> String {
    if number.is_nan() { String::new() } else { format!("{number:?}") }
}

/// The names of parameters, some columns, and columns of each measure.
fn header<T>(plan: &Plan, others: &[&str], of_measures: &[Column<T>]) -> Vec<String> {
    let parameters = plan.parameters.iter().map(|parameter| parameter.key.clone());
    let others = others.iter().map(|name| (*name).to_owned());
    let names =
        |measure: &String| of_measures.iter().map(|(ending, ..)| format!("{measure}{ending}")).collect::<Vec<_>>();
    parameters.chain(others).chain(plan.measures.iter().flat_map(names)).collect()
}

/// Writes a row for each run: parameters, seed, hash, loss, and the moments of each measure. The rows are sorted by parameters and seed.
///
/// # Errors
/// If the file cannot be written.
pub fn write_runs(path: &Path, plan: &Plan, records: &Records) -> Result<(), Failure> {
    let row = |(run, record): (&u64, &Record)| -> Vec<String> {
        let (combination, seed) = plan.of_run(*run);
        let own = [seed.to_string(), record.state_hash.clone(), record.lost.to_string()];
        let numbers = record.measures.iter().flat_map(|of| OF_RUNS.map(|(.., value)| cell(value(of))));
        plan.values(combination).map(shown).chain(own).chain(numbers).collect()
    };
    let header = header(plan, &["seed", "state_hash", "lost"], &OF_RUNS);
    write_table(path, std::iter::once(header).chain(records.iter().map(row)))?;
    write_record(path, plan, &OF_RUNS)
}

/// The summary of every measure in a combination.
pub fn summaries(plan: &Plan, records: &Records, combination: u64) -> Vec<Summary> {
    let runs: Vec<&Record> = records.range(plan.runs_of(combination)).map(|(_, record)| record).collect();
    let of = |measure: usize| Summary::new(&runs.iter().map(|record| record.measures[measure]).collect::<Vec<_>>());
    (0..plan.measures.len()).map(of).collect()
}

/// Writes a row for each combination: parameters, the number of seeds, and of each measure the mean over the seeds, its standard error, the
/// variance and the Binder cumulant.
///
/// # Errors
/// If the file cannot be written.
pub fn write_means(path: &Path, plan: &Plan, records: &Records) -> Result<(), Failure> {
    let row = |combination: u64| -> Vec<String> {
        let numbers = summaries(plan, records, combination);
        let numbers = numbers.iter().flat_map(|of| OF_MEANS.map(|(.., value)| cell(value(of))));
        let seeds = std::iter::once(plan.seeds.len().to_string());
        plan.values(combination).map(shown).chain(seeds).chain(numbers).collect()
    };
    let header = header(plan, &["seeds"], &OF_MEANS);
    write_table(path, std::iter::once(header).chain((0..plan.combinations()).map(row)))?;
    write_record(path, plan, &OF_MEANS)
}

/// Writes the columns of [`write_runs`] as arrays of NumPy, in one file. The hashes are bytes of the shape (runs, 32). A parameter whose
/// values are not numbers is the index of each value in its list, from 0 on.
///
/// # Errors
/// If the file cannot be written.
pub fn write_arrays(path: &Path, plan: &Plan, records: &Records) -> Result<(), Failure> {
    let written = arrays(plan, records).map_err(|error| Failure::Broken(format!("the arrays cannot be made: {error}")));
    let bytes = written?;
    write_atomically(path, |to| to.write_all(&bytes))?;
    write_record(path, plan, &OF_RUNS)
}

fn arrays(plan: &Plan, records: &Records) -> Result<Vec<u8>, WriteNpyError> {
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, array: &dyn Array| array.add(name, &mut file);
    for (index, parameter) in plan.parameters.iter().enumerate() {
        let numbers = numbers(parameter);
        let of_run = |run: &u64| numbers[plan.places(plan.of_run(*run).0)[index]];
        add(&parameter.key, &records.keys().map(of_run).collect::<Array1<f64>>())?;
    }
    add("seed", &records.keys().map(|run| plan.of_run(*run).1).collect::<Array1<u64>>())?;
    let hashes = records.values().flat_map(|record| hash_bytes(&record.state_hash)).collect();
    add(
        "state_hash",
        &Array2::from_shape_vec((records.len(), 32), hashes).expect("every record has a hash of 32 bytes"),
    )?;
    add("lost", &records.values().map(|record| record.lost).collect::<Array1<i64>>())?;
    for (index, measure) in plan.measures.iter().enumerate() {
        for (ending, _, value) in OF_RUNS {
            let of = records.values().map(|record| value(&record.measures[index]));
            add(&format!("{measure}{ending}"), &of.collect::<Array1<f64>>())?;
        }
    }
    Ok(file.finish().map_err(io::Error::from)?.into_inner())
}

/// An array of any type.
trait Array {
    /// Adds the array to a file of arrays.
    fn add(&self, name: &str, file: &mut ZipWriter<Cursor<Vec<u8>>>) -> Result<(), WriteNpyError>;
}

impl<T: WriteNpyExt> Array for T {
    fn add(&self, name: &str, file: &mut ZipWriter<Cursor<Vec<u8>>>) -> Result<(), WriteNpyError> {
        file.start_file(format!("{name}.npy"), SimpleFileOptions::default()).map_err(io::Error::from)?;
        self.write_npy(file)
    }
}

fn hash_bytes(hash: &str) -> [u8; 32] {
    blake3::Hash::from_hex(hash).map_or([0; 32], |hash| *hash.as_bytes())
}

/// The values of a parameter as numbers; where they are not numbers, their indices.
fn numbers(parameter: &ParameterValues) -> Vec<f64> {
    parameter.numbers().unwrap_or_else(|| (0..parameter.values.len()).map(|place| place as f64).collect())
}

/// The unit of a measure or of a key to a power.
fn unit(unit: &str, power: u32) -> String {
    match (unit, power) {
        ("" | "1", _) | (_, 0) => "1".into(),
        (unit, 1) => unit.into(),
        (unit, power) => format!("({unit})^{power}"),
    }
}

/// Writes what made a table beside it, with the units of its columns.
fn write_record<T>(path: &Path, plan: &Plan, of_measures: &[Column<T>]) -> Result<(), Failure> {
    let of_measure = |measure: &String| {
        let unit_of_column = |(ending, power, _): &Column<T>| {
            (format!("{measure}{ending}"), Value::from(unit(unit_of(measure), *power)))
        };
        of_measures.iter().map(unit_of_column).collect::<Vec<_>>()
    };
    write_record_of(path, plan.record(), plan, plan.measures.iter().flat_map(of_measure))
}

/// Writes a record beside a table, with the units of the parameters of a plan and of other columns.
pub fn write_record_of(
    path: &Path,
    record: Value,
    plan: &Plan,
    others: impl Iterator<Item = (String, Value)>,
) -> Result<(), Failure> {
    let of_key = |parameter: &ParameterValues| {
        let row = KEYS.rows(&parameter.key).next();
        (parameter.key.clone(), Value::from(unit(row.map_or("", |row| row.unit), 1)))
    };
    let columns = plan.parameters.iter().map(of_key).chain(others);
    let record = json!({ KEY: record, "columns": columns.collect::<Map<_, _>>() });
    let Some(beside) = record_path(path) else { return Ok(()) };
    write_atomically(&beside, |to| writeln!(to, "{:#}", with_exact(record)))
}
