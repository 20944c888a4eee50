//! `murmuration verify`: plays runs, and checks that their last states have the expected hashes.

use super::options::{EngineOptions, whole};
use super::{FAILED, complain, name_memory_bound, say, say_json};
use crate::files::{access, read_short_replay, reading};
use crate::host::bound_memory;
use crate::link::Link;
use crate::link::gallery::Gallery;
use crate::link::tiles::TileSheet;
use crate::link::verification::Verification;
use crate::ranks::check_file;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::EngineChoice;
use murmuration_core::simulation::replay::MAX_REPLAY_BYTES;
use serde_json::{Value, json};
use std::path::Path;

/// Play links, replays and galleries to their ends, and compare the last states with the expected ones.
///
/// Exit status: 0 if every state is the expected one; 1 if one is not; 2 for bad input.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Links (`#…`, or whole addresses), replays (.json) and galleries (.toml)
    #[arg(required = true, value_name = "LINK|FILE")]
    runs: Vec<String>,
    /// The most memory in MiB that a run may ask for
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = whole::<u64>(1..=1 << 30))]
    memory: u64,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print a JSON array with an object for each run instead
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    bound_memory(arguments.memory << 20);
    let choice = arguments.engine.choose()?;
    let mut report = Report { is_json: arguments.json, objects: Vec::new(), is_wrong: false };
    for run in &arguments.runs {
        verify(run, choice, &mut report).map_err(|failure| name_memory_bound(failure, arguments.memory))?;
    }
    if arguments.json {
        say_json(Value::Array(report.objects))?;
    }
    Ok(if report.is_wrong { FAILED } else { 0 })
}

/// The results of all runs: printed lines, or objects of JSON that are printed at the end.
struct Report {
    is_json: bool,
    objects: Vec<Value>,
    /// Whether a run did not end in the expected state.
    is_wrong: bool,
}

impl Report {
    fn add(&mut self, name: &str, verification: &Verification) -> Result<(), Failure> {
        self.is_wrong |= !verification.is_same();
        if self.is_json {
            self.objects.push(json!({
                "run": name,
                "same": verification.is_same(),
                "step": verification.step,
                "hash": verification.hash,
                "expected": verification.expected,
                "other_version": verification.change.is_some(),
                "change": verification.change,
                "engine": verification.engine,
                "seconds": verification.took.as_secs_f64(),
            }));
            return Ok(());
        }
        if verification.is_same() {
            return say(format_args!("{name}: {verification}"));
        }
        complain(format_args!("{name}: {verification}"));
        Ok(())
    }
}

/// Plays a link, or all runs in a file, and adds the results to the report.
fn verify(run: &str, choice: EngineChoice, report: &mut Report) -> Result<(), Failure> {
    if Link::is_link(run) {
        let link = Link::parse(run)?;
        let no_hash =
            || BadInput::new("the link", "tells no hash", "make one with `murmuration link PRESET --steps N`");
        let verification = Verification::of_link(&link, choice)?.ok_or_else(no_hash)?;
        return report.add(&link.to_string(), &verification);
    }
    let path = Path::new(run);
    if path.extension().is_some_and(|ending| ending == "json") {
        let replay = read_short_replay(path, MAX_REPLAY_BYTES)?;
        return report.add(run, &Verification::of_replay(&replay, choice)?);
    }
    access::name(path);
    let text = reading::text(path)?;
    check_file(path, text.as_bytes())?;
    if TileSheet::is_sheet(&text) {
        for tile in &TileSheet::parse(run, &text)?.tile {
            verify(&tile.link, choice, report)?;
        }
        return Ok(());
    }
    for entry in &Gallery::parse(run, &text)?.run {
        report.add(&format!("{run}: {}", entry.title), &entry.verify(choice)?)?;
    }
    Ok(())
}
