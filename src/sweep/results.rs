//! The files of a sweep: its tables and its page.

use super::page::page;
use super::plan::{Plan, Records, Shard};
use super::table;
use crate::files::write_atomically;
use murmuration_core::error::Failure;
use std::path::Path;

/// Writes the tables `runs.csv` and `runs.npz` of a shard into a folder. For a whole sweep, also writes `means.csv` and
/// the page.
///
/// # Errors
/// If a file cannot be written, or a plot cannot be drawn.
pub fn write_results(folder: &Path, plan: &Plan, records: &Records, shard: Shard) -> Result<(), Failure> {
    table::write_runs(&folder.join(shard.file_name("runs", "csv")), plan, records)?;
    table::write_arrays(&folder.join(shard.file_name("runs", "npz")), plan, records)?;
    if shard.count == 1 {
        table::write_means(&folder.join("means.csv"), plan, records)?;
        let page = page(plan, records)?;
        write_atomically(&folder.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    }
    Ok(())
}
