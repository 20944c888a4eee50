//! `murmuration view`: opens a window in which the user watches and hunts a swarm.

use super::options::{EngineOptions, LookOptions, PresetOptions};
use super::{INTERRUPTED, render};
use crate::controller::Scene;
use crate::link::Link;
use crate::viewer::{self, DisplayConnection, Ending};
use murmuration_core::chain::Chain;
use murmuration_core::error::{BadInput, Failure};
use std::path::PathBuf;

/// Open a window on a swarm, and hunt it.
///
/// The mouse is the hunter; `?` in the window lists all keys. Exit status: 0; 1 without a display or a graphics
/// adapter; 2 for bad input; 130 if interrupted, after the film and the hunt are saved as on closing the window.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), the path of one, or a link (`#…`, or a whole address)
    #[arg(default_value = murmuration_core::preset::DEFAULT)]
    preset: PathBuf,
    #[command(flatten)]
    overrides: PresetOptions,
    #[command(flatten)]
    look: LookOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

/// Opens the window with the default preset. Without a display, renders the default preset into files.
pub fn run_default() -> Result<u8, Failure> {
    match DisplayConnection::new() {
        Ok(display) => {
            let arguments = Arguments { preset: murmuration_core::preset::DEFAULT.into(), ..Arguments::default() };
            run_on(Ok(display), &arguments)
        }
        Err(reason) => render::run_default(&reason),
    }
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    run_on(DisplayConnection::new(), arguments)
}

/// Opens the window on a display. If `display` is an error, the program fails with this reason.
fn run_on(display: Result<DisplayConnection, String>, arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(link) = arguments.preset.to_str().filter(|text| Link::is_link(text)) {
        let link = Link::parse(link)?;
        link.load()?;
        if arguments.overrides.is_any() {
            let (problem, cure) = ("a link brings its size, seed, chain and keys", "take the other options away");
            return Err(BadInput::new("the link", problem, cure).into());
        }
        return open(display, Scene::from_link(&link, arguments.engine.choose()?), arguments.look.load()?);
    }
    arguments.overrides.name_files(&arguments.preset);
    let scene = Scene {
        preset: arguments.preset.clone(),
        overrides: arguments.overrides.overrides(),
        chain: arguments.overrides.chain.clone(),
        choice: arguments.engine.choose()?,
        replay: None,
    };
    open(display, scene, arguments.look.load()?)
}

/// Opens the window with a scene. `look`: the chain that draws, or `None` for the built-in look.
pub fn open(display: Result<DisplayConnection, String>, scene: Scene, look: Option<Chain>) -> Result<u8, Failure> {
    Ok(match viewer::run(display, scene, look)? {
        Ending::Closed => 0,
        Ending::Interrupted => INTERRUPTED,
    })
}
