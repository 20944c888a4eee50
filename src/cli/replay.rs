//! `murmuration replay`: plays a saved run again, and compares its last state with the saved hash.

use super::options::{EngineOptions, FilmOptions, LookOptions, whole};
use super::run::{Arguments as RunArguments, play};
#[cfg(feature = "window")]
use super::view;
use super::within;
use super::{FAILED, INTERRUPTED, complain, name_memory_bound, remark};
#[cfg(feature = "window")]
use crate::controller::Scene;
use crate::files::{home, read_short_replay};
use crate::host::bound_memory;
use crate::link::Link;
#[cfg(feature = "window")]
use crate::viewer::DisplayConnection;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::replay::{CHANGED, MAX_REPLAY_BYTES, Replay};
use murmuration_core::world::memory::RUN;
#[cfg(feature = "window")]
use murmuration_core::world::memory::WINDOW;
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum number of bytes of memory that a byte of a replay's text takes after parsing. The inputs with the
/// shortest text grow most.
const PARSED: u64 = 16;

/// Watch a replay in the window, or play it without one (with --json or --film, or without a display).
///
/// Exit status without the window: 0 if the last state is the saved one; 1 if it is not; 2 for bad input; 130 if
/// interrupted.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A replay, or a link with one (`#…`, or a whole address) [default: the last hunt]
    #[arg(value_name = "FILE|LINK")]
    file: Option<PathBuf>,
    #[command(flatten)]
    film: FilmOptions,
    #[command(flatten)]
    look: LookOptions,
    /// Film a frame every K steps, step 0 included [default: 1]
    #[arg(long, value_name = "K", requires = "film", value_parser = whole::<u64>(1..=u64::MAX))]
    every: Option<u64>,
    /// The most memory in MiB that the replay may ask for: for its lattice, its individuals and its inputs
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = whole::<u64>(1..=1 << 30))]
    memory: u64,
    #[command(flatten)]
    engine: EngineOptions,
    /// Open no window, and print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => last_hunt()?,
    };
    let bound = arguments.memory << 20;
    bound_memory(bound);
    let replay = match file.to_str().filter(|text| Link::is_link(text)) {
        Some(link) => of_link(link)?,
        None => read_short_replay(&file, MAX_REPLAY_BYTES.min(bound / PARSED))?,
    };
    let choice = arguments.engine.choose()?;
    let look = arguments.look.load()?;
    // Without a display the replay is played without a window.
    #[cfg(feature = "window")]
    let display = {
        let has_window = !arguments.json && arguments.film.film.is_none() && crate::host().ranks().size() == 1;
        has_window.then(DisplayConnection::new).and_then(Result::ok)
    };
    #[cfg(feature = "window")]
    let size = if display.is_some() { WINDOW } else { RUN };
    #[cfg(not(feature = "window"))]
    let size = RUN;
    let unbounded = |failure| within(&file, name_memory_bound(failure, arguments.memory));
    let (preset, chain) = replay.load(crate::host()).map_err(|wrong| unbounded(wrong.into()))?;
    let needed = replay.memory(&preset, size) >> 20;
    if needed > arguments.memory {
        let problem = format!("asks for some {needed} MiB of memory, and may take {}", arguments.memory);
        let cure = format!("if you trust it, add --memory {needed}");
        return Err(BadInput::new(file.display().to_string(), problem, cure).into());
    }
    #[cfg(feature = "window")]
    if let Some(display) = display {
        return view::open(Ok(display), Scene::from_replay(crate::host(), Arc::new(replay), choice), look);
    }
    let change = replay.change(&preset, &chain).map_or(String::new(), |change| format!("; it is {change}"));
    let mut simulation = Simulation::new(preset, &chain, choice).map_err(unbounded)?;
    arguments.engine.check(simulation.chain())?;
    let outputs = RunArguments { film: arguments.film.clone(), every: arguments.every, ..Default::default() };
    let steps = replay.total_steps();
    let outcome = play(&mut simulation, steps, &outputs, look.as_ref(), Some(&replay))?;
    let hash = simulation.state_hash()?;
    let status = outcome.report(&mut simulation, arguments.json)?;
    if outcome.is_interrupted() {
        remark(format_args!("interrupted after {} of {steps} steps", outcome.steps()));
        return Ok(INTERRUPTED);
    }
    if hash != replay.state_hash {
        complain(format_args!("the replay ends in the state {hash}, not in {}{change}", replay.state_hash));
        return Ok(FAILED);
    }
    Ok(status)
}

/// The replay of a link, which must have a hash.
fn of_link(text: &str) -> Result<Replay, Failure> {
    let link = Link::parse(text)?;
    let (preset, chain) = link.load()?;
    if link.is_of_another_version(&preset, &chain) {
        remark(format_args!("this link is {CHANGED}"));
    }
    let no_hash =
        || BadInput::new("the link", "tells no hash", "play it with `murmuration view`, or name one with steps");
    Ok(Arc::unwrap_or_clone(link.replay(&preset, &chain).ok_or_else(no_hash)?))
}

/// The path of the replay of the user's last hunt.
fn last_hunt() -> Result<PathBuf, BadInput> {
    match home::last_hunt() {
        Some(path) if path.exists() => Ok(path),
        _ => Err(BadInput::new("replay", "no hunt has been saved yet", "hunt with `murmuration`, or name a file")),
    }
}
