//! Trajectories as a table of text.

use super::{Column, ColumnKind, NUMBER};
use std::io::{self, Read, Write};

/// Writes the names of the columns and `rows` rows. Each decimal number has the fewest digits that give the same number
/// when read.
pub fn write(columns: &mut [Column], rows: u64, to: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    writeln!(to, "{}", names.join(","))?;
    let readers: io::Result<Vec<_>> =
        columns.iter_mut().map(|column| Ok((column.kind, column.reader(rows)?))).collect();
    let mut readers = readers?;
    for _ in 0..rows {
        for (index, (kind, reader)) in readers.iter_mut().enumerate() {
            let mut bytes = [0; NUMBER];
            reader.read_exact(&mut bytes)?;
            let comma = if index > 0 { "," } else { "" };
            match kind {
                ColumnKind::Whole => write!(to, "{comma}{}", i64::from_le_bytes(bytes))?,
                ColumnKind::Decimal => write!(to, "{comma}{}", f64::from_le_bytes(bytes))?,
            }
        }
        writeln!(to)?;
    }
    Ok(())
}
