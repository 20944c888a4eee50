//! The tables of a sweep, each with its provenance record beside it. The tables follow from the plan and the results of
//! the runs alone. So a sweep that was resumed or played in shards gives the same bytes as a sweep in one go.

use super::SIZE;
use super::moments::{Moments, Record, Summary};
use super::plan::{ParameterValues, Plan, Records};
use super::values::shown;
use crate::files::json::with_exact;
use crate::files::{write_atomically, write_table};
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

/// A column of a table: its name, and its unit, which is empty for identifiers and words.
pub type Column = (String, String);

/// A column that a table has for each measure. The name of the column is the name of the measure with an ending. The
/// parts of the tuple are the ending, the power of the measure's unit, and a function that gives the value in a row.
pub type MeasureColumn<Row, Value> = (&'static str, u32, fn(&Row) -> Value);

/// The columns of a run that are neither parameters nor measures.
pub const OF_RUN: [&str; 3] = ["seed", "state_hash", "lost"];

/// The columns of a measure in the table of runs.
const OF_RUNS: [MeasureColumn<Moments, f64>; 4] = [
    ("", 1, |of| of.mean),
    ("_deviation", 1, |of| of.deviation),
    ("_second_moment", 2, |of| of.second),
    ("_fourth_moment", 4, |of| of.fourth),
];

/// The columns of a measure in the table of means.
const OF_MEANS: [MeasureColumn<Summary, String>; 5] = [
    ("", 1, |of| cell(of.mean)),
    ("_error", 1, |of| cell(of.error)),
    ("_runs", 0, |of| of.runs.to_string()),
    ("_variance", 2, |of| cell(of.variance)),
    ("_binder", 0, |of| cell(of.binder)),
];

/// A number as a cell of a table; the text is empty for NaN.
pub fn cell(number: f64) -> String {
    if number.is_nan() { String::new() } else { format!("{number:?}") }
}

/// The columns of a table, in this order: the parameters of a plan, the columns `others`, and the columns of each
/// measure.
pub fn columns<'a, Row, Value>(
    plan: &Plan,
    others: &[&str],
    measures: impl Iterator<Item = &'a str>,
    of_measure: &[MeasureColumn<Row, Value>],
) -> Vec<Column> {
    let parameters = plan.parameters.iter().map(|parameter| (parameter.key.clone(), unit_of_key(&parameter.key)));
    let others = others.iter().map(|name| ((*name).to_owned(), unit_of_other(name)));
    let of_measures = measures.flat_map(|name| {
        of_measure.iter().map(move |(ending, power, _)| (format!("{name}{ending}"), unit(unit_of(name), *power)))
    });
    parameters.chain(others).chain(of_measures).collect()
}

/// The columns of [`write_runs`].
fn columns_of_runs(plan: &Plan) -> Vec<Column> {
    columns(plan, &OF_RUN, plan.measures.iter().map(String::as_str), &OF_RUNS)
}

/// Writes a table as CSV. Beside the table, writes its provenance record with the units of the columns.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    path: &Path,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<String>>,
    record: Value,
) -> Result<(), Failure> {
    let header = columns.iter().map(|(name, _)| name.clone()).collect();
    write_table(path, std::iter::once(header).chain(rows))?;
    write_record(path, columns, record)
}

/// Writes a row for each run: the parameters, the seed, the state hash, the missing quanta, and the moments of each
/// measure. The rows are sorted by parameters and seed.
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
    write(path, &columns_of_runs(plan), records.iter().map(row), plan.record())
}

/// The summaries of all measures in a combination, in the order of the plan.
pub fn summaries(plan: &Plan, records: &Records, combination: u64) -> Vec<Summary> {
    let runs: Vec<&Record> = records.range(plan.runs_of(combination)).map(|(_, record)| record).collect();
    let of = |measure: usize| Summary::new(&runs.iter().map(|record| record.measures[measure]).collect::<Vec<_>>());
    (0..plan.measures.len()).map(of).collect()
}

/// Writes a row for each combination: the parameters, the number of seeds, and five columns for each measure. These are
/// the mean over the runs, the standard error, the number of runs that have a value, the variance and the Binder
/// cumulant.
///
/// # Errors
/// If the file cannot be written.
pub fn write_means(path: &Path, plan: &Plan, records: &Records) -> Result<(), Failure> {
    let row = |combination: u64| -> Vec<String> {
        let summaries = summaries(plan, records, combination);
        let cells = summaries.iter().flat_map(|of| OF_MEANS.map(|(.., value)| value(of)));
        let seeds = std::iter::once(plan.seeds.len().to_string());
        plan.values(combination).map(shown).chain(seeds).chain(cells).collect()
    };
    let columns = columns(plan, &["seeds"], plan.measures.iter().map(String::as_str), &OF_MEANS);
    write(path, &columns, (0..plan.combinations()).map(row), plan.record())
}

/// Writes the columns of [`write_runs`] as NumPy arrays in one file, an array for each column. The state hashes are an
/// array of bytes of shape (runs, 32). If the values of a parameter are not numbers, its array has the indices of the
/// values in the list of the parameter.
///
/// # Errors
/// If the file cannot be written.
pub fn write_arrays(path: &Path, plan: &Plan, records: &Records) -> Result<(), Failure> {
    let written = arrays(plan, records).map_err(|error| Failure::Broken(format!("the arrays cannot be made: {error}")));
    let bytes = written?;
    write_atomically(path, |to| to.write_all(&bytes))?;
    write_record(path, &columns_of_runs(plan), plan.record())
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

/// An array with numbers of any type.
trait Array {
    /// Adds the array to a ZIP file, as `NAME.npy`.
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

/// The values of a parameter as numbers. If not all values are numbers, the result is their indices.
fn numbers(parameter: &ParameterValues) -> Vec<f64> {
    parameter.numbers().unwrap_or_else(|| (0..parameter.values.len()).map(|place| place as f64).collect())
}

/// A unit raised to a power, as text; `1` if the unit is empty or `1`.
fn unit(unit: &str, power: u32) -> String {
    match (unit, power) {
        ("" | "1", _) | (_, 0) => "1".into(),
        (unit, 1) => unit.into(),
        (unit, power) => format!("({unit})^{power}"),
    }
}

/// The unit of a key of a preset, or of the parameter `size`; `1`: the key has no unit.
pub(super) fn unit_of_key(key: &str) -> String {
    let row = KEYS.rows(key).next();
    unit(if key == SIZE { "cells" } else { row.map_or("", |row| row.unit) }, 1)
}

/// The unit of a column that is neither a parameter nor a measure; empty for identifiers.
fn unit_of_other(name: &str) -> String {
    let is_identifier = matches!(name, "combination" | "seed" | "state_hash" | "regime");
    if is_identifier { String::new() } else { unit_of(name).into() }
}

/// Writes the provenance record of a table, with the units of its columns, into a file beside the table.
fn write_record(path: &Path, columns: &[Column], record: Value) -> Result<(), Failure> {
    let units: Map<_, _> = columns.iter().map(|(name, unit)| (name.clone(), unit.clone().into())).collect();
    let record = json!({ KEY: record, "columns": units });
    let Some(beside) = record_path(path) else { return Ok(()) };
    write_atomically(&beside, |to| writeln!(to, "{:#}", with_exact(record)))
}
