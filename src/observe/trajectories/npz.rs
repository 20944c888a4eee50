//! Trajectories as NumPy arrays in one compressed file, as `numpy.savez_compressed` writes it.

use super::{Column, ColumnKind};
use ndarray_npy::WritableElement;
use ndarray_npy::npy::header::{Header, Layout};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Writes a ZIP archive with an array `NAME.npy` for each column. A temporary file is written first, in `folder` if
/// possible, because the ZIP format stores the length of an array before its contents.
pub fn write(columns: &mut [Column], rows: u64, folder: &Path, to: &mut dyn Write) -> io::Result<()> {
    let stored = tempfile::tempfile_in(folder).or_else(|_| tempfile::tempfile())?;
    let mut archive = ZipWriter::new(stored);
    // Arrays may be longer than 4 GiB.
    let options = SimpleFileOptions::default().large_file(true);
    for column in columns {
        archive.start_file(format!("{}.npy", column.name), options)?;
        let type_descriptor = match column.kind {
            ColumnKind::Whole => i64::type_descriptor(),
            ColumnKind::Decimal => f64::type_descriptor(),
        };
        let shape = vec![usize::try_from(rows).map_err(io::Error::other)?];
        let header = Header { type_descriptor, layout: Layout::Standard, shape };
        header.write(&mut archive).map_err(io::Error::other)?;
        io::copy(&mut column.reader(rows)?, &mut archive)?;
    }
    let mut archive: File = archive.finish()?;
    archive.rewind()?;
    io::copy(&mut archive, to).map(drop)
}
