//! The tables of a sweep. They are made of the plan and the records alone, so that one run, a resumed one and merged shards give the same
//! bytes.

use super::journal::{Record, Records};
use super::moments::{Moments, Summary};
use super::plan::{ParameterValues, Plan, Shard};
use super::values::shown;
use crate::files::{write_atomically, write_table};
use murmuration_core::error::Failure;
use ndarray::{Array1, Array2};
use ndarray_npy::{WriteNpyError, WriteNpyExt};
use std::io::{self, Cursor};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A column of a measure: the ending of its name, and its value.
type Column<T> = (&'static str, fn(&T) -> f64);

/// What a table of runs has of a measure.
const OF_RUNS: [Column<Moments>; 4] = [
    ("", |of| of.mean),
    ("_deviation", |of| of.deviation),
    ("_second_moment", |of| of.second),
    ("_fourth_moment", |of| of.fourth),
];

/// What a table of means has of a measure.
const OF_MEANS: [Column<Summary>; 4] =
    [("", |of| of.mean), ("_error", |of| of.error), ("_variance", |of| of.variance), ("_binder", |of| of.binder)];

/// A number of a table; NaN is empty.
fn cell(number: f64) -> String {
    if number.is_nan() { String::new() } else { format!("{number:?}") }
}

/// The names of parameters, some columns, and columns of each measure.
fn header<T>(plan: &Plan, others: &[&str], of_measures: &[Column<T>]) -> Vec<String> {
    let parameters = plan.parameters.iter().map(|parameter| parameter.key.clone());
    let others = others.iter().map(|name| (*name).to_owned());
    let names =
        |measure: &String| of_measures.iter().map(|(ending, _)| format!("{measure}{ending}")).collect::<Vec<_>>();
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
        let numbers = record.measures.iter().flat_map(|of| OF_RUNS.map(|(_, value)| cell(value(of))));
        plan.values(combination).map(shown).chain(own).chain(numbers).collect()
    };
    let header = header(plan, &["seed", "state_hash", "lost"], &OF_RUNS);
    write_table(path, std::iter::once(header).chain(records.iter().map(row)))
}

/// The summary of every measure in a combination.
pub fn summaries(plan: &Plan, records: &Records, combination: u64) -> Vec<Summary> {
    let seeds = plan.seeds.len() as u64;
    let runs: Vec<&Record> =
        records.range(combination * seeds..(combination + 1) * seeds).map(|(_, record)| record).collect();
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
        let numbers = numbers.iter().flat_map(|of| OF_MEANS.map(|(_, value)| cell(value(of))));
        let seeds = std::iter::once(plan.seeds.len().to_string());
        plan.values(combination).map(shown).chain(seeds).chain(numbers).collect()
    };
    let header = header(plan, &["seeds"], &OF_MEANS);
    write_table(path, std::iter::once(header).chain((0..plan.combinations()).map(row)))
}

/// Writes the columns of [`write_runs`] as arrays of NumPy, in one file. The hashes are bytes of the shape (runs, 32). A parameter whose
/// values are no numbers is the place of each value in its list, from 0 on.
///
/// # Errors
/// If the file cannot be written.
pub fn write_arrays(path: &Path, plan: &Plan, records: &Records) -> Result<(), Failure> {
    let written = arrays(plan, records).map_err(|error| Failure::Broken(format!("the arrays cannot be made: {error}")));
    let bytes = written?;
    write_atomically(path, |to| to.write_all(&bytes))
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
        for (ending, value) in OF_RUNS {
            let of = records.values().map(|record| value(&record.measures[index]));
            add(&format!("{measure}{ending}"), &of.collect::<Array1<f64>>())?;
        }
    }
    Ok(file.finish().map_err(io::Error::from)?.into_inner())
}

/// An array of any type.
trait Array {
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

/// The values of a parameter as numbers; where they are none, their places.
fn numbers(parameter: &ParameterValues) -> Vec<f64> {
    parameter.numbers().unwrap_or_else(|| (0..parameter.values.len()).map(|place| place as f64).collect())
}

/// Writes all files of a shard into a folder: `runs.csv` and `runs.npz`, and of a whole sweep `means.csv` and the page.
///
/// # Errors
/// If a file cannot be written, or a plot cannot be drawn.
pub fn write_all(folder: &Path, plan: &Plan, records: &Records, shard: Shard) -> Result<(), Failure> {
    write_runs(&folder.join(shard.file_name("runs", "csv")), plan, records)?;
    write_arrays(&folder.join(shard.file_name("runs", "npz")), plan, records)?;
    if shard.count == 1 {
        write_means(&folder.join("means.csv"), plan, records)?;
        let page = super::page(plan, records)?;
        write_atomically(&folder.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    }
    Ok(())
}
