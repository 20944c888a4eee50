//! The best scores of rounds, in a file of the user's data folder.

use crate::error::Failure;
use crate::files::{home, reading, write_whole};
use crate::text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The file: the best score in boids by the name of the scene.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    best: BTreeMap<String, u64>,
}

/// The best score of a scene; `None` if there is none yet.
///
/// # Errors
/// If the file cannot be read.
pub fn best(name: &str) -> Result<Option<u64>, Failure> {
    let Some(path) = home::scores() else { return Ok(None) };
    Ok(read(&path)?.best.get(name).copied())
}

/// Adds a score to the file, if it is the best of its scene.
///
/// # Errors
/// If the file cannot be read or written.
pub fn keep(name: &str, score: u64) -> Result<(), Failure> {
    let Some(path) = home::scores() else { return Ok(()) };
    home::create()?;
    add(&path, name, score)
}

fn read(path: &Path) -> Result<Table, Failure> {
    if !path.exists() {
        return Ok(Table::default());
    }
    let origin = path.display().to_string();
    Ok(text::parse_toml(&origin, &reading::text(&origin)?, "the best scores")?)
}

/// Reads the file again before writing, because another window may have added a score.
fn add(path: &Path, name: &str, score: u64) -> Result<(), Failure> {
    let mut table = read(path)?;
    let best = table.best.entry(name.to_owned()).or_insert(score);
    *best = score.max(*best);
    let text = toml::to_string(&table).expect("a table of names and numbers is valid TOML");
    write_whole(path, |to| to.write_all(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_outlive_the_program_and_a_spoilt_file_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.toml");
        assert_eq!(read(&path).unwrap().best, BTreeMap::new());
        for (name, score) in [("droplets", 1200), ("fog 64x64", 7), ("fog", 3), ("fog", 2)] {
            add(&path, name, score).unwrap();
        }
        let expected = BTreeMap::from([("droplets".into(), 1200), ("fog".into(), 3), ("fog 64x64".into(), 7)]);
        assert_eq!(read(&path).unwrap().best, expected);
        std::fs::write(&path, "[best]\ndroplets = -3\n").unwrap();
        let wrong = add(&path, "droplets", 4).unwrap_err().to_string();
        assert!(wrong.contains("scores.toml:2"), "{wrong}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[best]\ndroplets = -3\n");
    }
}
