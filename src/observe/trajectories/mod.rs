//! The places of individuals at every observed step, as one table of a run (`docs/formats.md`, Trajectories).
//!
//! A run may be longer than memory. So a temporary file stores each column while the run goes on. The table, or the
//! arrays, are made of these files at the end.

mod csv;
mod npz;

use crate::files::{Output, folder_of};
use crate::observe::features::{ColumnKind, FeatureColumn, decimal};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::numbers::ONE;
use murmuration_core::state::Individuals;
use murmuration_core::world::PLACE_BITS;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

#[derive(Debug, Clone, PartialEq)]
pub enum TrajectoryNumbers {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Decimals.
    Decimal(Vec<f64>),
}

/// A column of trajectories in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryColumn {
    /// The name of the column.
    pub name: &'static str,
    /// The unit of its numbers; empty for identifiers.
    pub unit: &'static str,
    /// A number for each row.
    pub numbers: TrajectoryNumbers,
}

/// The bytes of a number in every column.
const NUMBER: usize = 8;
/// The bytes that are read or written at once.
const BUFFER: usize = 1 << 16;

/// The format of a file of trajectories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrajectoryFormat {
    /// A table of text with a header.
    Csv,
    /// NumPy arrays in one file, one for each column.
    Npz,
}

impl TrajectoryFormat {
    /// The format for a path, by its ending.
    ///
    /// # Errors
    /// If the ending is neither `.csv` nor `.npz`.
    pub fn from_path(path: &Path) -> Result<Self, BadInput> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("npz") => Ok(Self::Npz),
            _ => {
                let cure = "end it with .csv, or with .npz for NumPy";
                Err(BadInput::of_argument("trajectories", path.display(), "its ending names no format", cure))
            }
        }
    }
}

/// A column: its name, its unit, and its numbers in a temporary file.
struct Column {
    name: &'static str,
    unit: &'static str,
    kind: ColumnKind,
    numbers: BufWriter<Output<File>>,
}

impl Column {
    /// Reads the numbers of these rows, from the first row on.
    fn reader(&mut self, rows: u64) -> io::Result<BufReader<io::Take<File>>> {
        let mut file = self.numbers.get_ref().0.try_clone()?;
        file.rewind()?;
        Ok(BufReader::with_capacity(BUFFER, file.take(rows * NUMBER as u64)))
    }
}

/// The trajectories of a run under way.
pub struct Trajectories {
    columns: Vec<Column>,
    /// The number of the world's axes, 2 or 3.
    axes: usize,
    others: Vec<FeatureColumn>,
    /// The steps that are stored whole, and the rows of these steps.
    steps: u64,
    rows: u64,
}

/// The columns of places and velocities.
const PLACES: [&str; 3] = ["x", "y", "z"];
const VELOCITIES: [&str; 3] = ["vx", "vy", "vz"];

impl Trajectories {
    /// Begins without rows. `path`: the file that is written at the end; its folder stores the columns until then.
    /// `axes`: the number of the world's axes. `others`: the columns of features.
    ///
    /// # Errors
    /// If the folder takes no temporary files.
    pub fn begin(path: &Path, axes: usize, others: Vec<FeatureColumn>) -> Result<Self, Failure> {
        use ColumnKind::{Decimal, Whole};
        let mut columns = vec![("id", "", Whole), ("t", "step", Whole)];
        columns.extend(PLACES[..axes].iter().map(|name| (*name, "cell", Decimal)));
        columns.extend(VELOCITIES[..axes].iter().map(|name| (*name, "cell/step", Decimal)));
        columns.extend(others.iter().map(|(name, unit, kind, _)| (*name, *unit, *kind)));
        let column = |(name, unit, kind)| -> io::Result<Column> {
            let file = tempfile::tempfile_in(folder_of(path))?;
            Ok(Column { name, unit, kind, numbers: BufWriter::with_capacity(BUFFER, Output(file)) })
        };
        let columns: io::Result<Vec<Column>> = columns.into_iter().map(column).collect();
        let columns = columns.map_err(|source| Failure::File {
            action: "cannot begin the trajectories",
            path: path.display().to_string(),
            source,
        })?;
        Ok(Self { columns, axes, others, steps: 0, rows: 0 })
    }

    /// Adds a row for each individual of a step, in the order of their numbers. `origin`: the first cell of an endless
    /// world's window.
    ///
    /// # Errors
    /// If the rows cannot be stored. The rows of the steps before are kept.
    pub fn add(&mut self, step: u64, individuals: &Individuals, origin: Option<[i64; 3]>) -> io::Result<()> {
        let (individuals, origin) = (individuals.in_order(), origin.unwrap_or_default());
        for index in 0..individuals.len() {
            let mut columns = self.columns.iter_mut();
            let mut put =
                |bytes: [u8; NUMBER]| columns.next().map_or(Ok(()), |column| column.numbers.write_all(&bytes));
            put(i64::from(individuals.numbers[index]).to_le_bytes())?;
            put((step as i64).to_le_bytes())?;
            for axis in 0..self.axes {
                let place = f64::from(individuals.positions[axis][index]) / f64::from(1 << PLACE_BITS);
                put((origin[axis] as f64 + place).to_le_bytes())?;
            }
            for axis in 0..self.axes {
                put(decimal(individuals.velocities[axis][index], ONE))?;
            }
            self.others.iter().try_for_each(|(.., value)| put(value(&individuals, index)))?;
        }
        self.columns.iter_mut().try_for_each(|column| column.numbers.flush())?;
        self.rows += individuals.len() as u64;
        self.steps += 1;
        Ok(())
    }

    /// Whether no step was stored.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// Writes the table or the arrays with the rows so far.
    ///
    /// # Errors
    /// If the stored columns cannot be read, or the bytes cannot be written.
    pub fn write(&mut self, format: TrajectoryFormat, folder: &Path, to: &mut dyn Write) -> io::Result<()> {
        match format {
            TrajectoryFormat::Csv => csv::write(&mut self.columns, self.rows, to),
            TrajectoryFormat::Npz => npz::write(&mut self.columns, self.rows, folder, to),
        }
    }

    /// The columns with the rows so far, in memory.
    ///
    /// # Errors
    /// If the stored columns cannot be read.
    pub fn columns(&mut self) -> io::Result<Vec<TrajectoryColumn>> {
        let rows = self.rows;
        let column = |column: &mut Column| -> io::Result<TrajectoryColumn> {
            let mut bytes = Vec::new();
            column.reader(rows)?.read_to_end(&mut bytes)?;
            let words = bytes.as_chunks::<NUMBER>().0.iter();
            let numbers = match column.kind {
                ColumnKind::Whole => TrajectoryNumbers::Whole(words.map(|word| i64::from_le_bytes(*word)).collect()),
                ColumnKind::Decimal => {
                    TrajectoryNumbers::Decimal(words.map(|word| f64::from_le_bytes(*word)).collect())
                }
            };
            Ok(TrajectoryColumn { name: column.name, unit: column.unit, numbers })
        };
        self.columns.iter_mut().map(column).collect()
    }

    /// Facts about the columns: their units, and the number of rows.
    pub fn describe(&self) -> Map<String, Value> {
        let units = self.columns.iter().map(|column| (column.name.to_owned(), column.unit.into()));
        Map::from_iter([("columns".to_owned(), Value::Object(units.collect())), ("rows".to_owned(), json!(self.rows))])
    }
}
