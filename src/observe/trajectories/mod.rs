//! The places of individuals at every observed step, as one table of a run (`docs/formats.md`, Trajectories).
//!
//! The trajectories of a run may be larger than memory. So a temporary file stores each column during the run. At the
//! end of the run the temporary files are joined into one table, or into one file of NumPy arrays.

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
    /// A column of whole numbers, such as the step.
    Whole(Vec<i64>),
    /// A column of decimal numbers, such as places.
    Decimal(Vec<f64>),
}

/// A column of trajectories in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryColumn {
    /// The name of the column.
    pub name: &'static str,
    /// The unit of the numbers; empty for identifiers, such as the number of an individual.
    pub unit: &'static str,
    /// The numbers, one for each row.
    pub numbers: TrajectoryNumbers,
}

/// The size in bytes of a number of any column.
const NUMBER: usize = 8;
/// The number of bytes that are read or written at once.
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
    /// A reader of the numbers of the first `rows` rows.
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
    /// The number of steps whose rows are all stored.
    steps: u64,
    /// The number of rows of these steps.
    rows: u64,
}

/// The names of the columns of places, which are in cells.
const PLACES: [&str; 3] = ["x", "y", "z"];
/// The names of the columns of velocities, which are in cells per step.
const VELOCITIES: [&str; 3] = ["vx", "vy", "vz"];

impl Trajectories {
    /// Trajectories without rows. `path`: the file that is written at the end. Its folder stores the temporary files
    /// until then. `axes`: the number of axes of the world, 2 or 3. `others`: the columns of features, such as lives.
    ///
    /// # Errors
    /// If no temporary file can be created in the folder of `path`.
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

    /// Adds a row for each individual of a step, in the order of the numbers of individuals. `origin`: the place of the
    /// first cell of the window of an endless world, in cells; `None`: the world has edges.
    ///
    /// # Errors
    /// If the rows cannot be stored. The rows of earlier steps are kept.
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

    /// Writes all stored rows to `to` in a format. `folder`: the folder of a further temporary file, which the format
    /// NPZ needs.
    ///
    /// # Errors
    /// If the stored columns cannot be read, or the bytes cannot be written.
    pub fn write(&mut self, format: TrajectoryFormat, folder: &Path, to: &mut dyn Write) -> io::Result<()> {
        match format {
            TrajectoryFormat::Csv => csv::write(&mut self.columns, self.rows, to),
            TrajectoryFormat::Npz => npz::write(&mut self.columns, self.rows, folder, to),
        }
    }

    /// Reads all stored rows into memory, as columns.
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

    /// A JSON object with the units of the columns under `columns`, and the number of rows under `rows`.
    pub fn describe(&self) -> Map<String, Value> {
        let units = self.columns.iter().map(|column| (column.name.to_owned(), column.unit.into()));
        Map::from_iter([("columns".to_owned(), Value::Object(units.collect())), ("rows".to_owned(), json!(self.rows))])
    }
}
