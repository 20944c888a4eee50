//! `murmuration view`: opens the window.

use super::playing::Playing;
use crate::error::Failure;
use crate::preset::library;
use crate::viewer::{self, Scene};

/// Open a window on a swarm, and hunt it.
///
/// The mouse is the hunter; `?` in the window lists every key. Exit status: 0; 1 where there is no display or nothing
/// that can draw; 2 for bad input.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    #[arg(default_value = library::DEFAULT)]
    preset: String,
    #[command(flatten)]
    playing: Playing,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { preset: library::DEFAULT.into(), playing: Playing::default() }
    }
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let scene = Scene {
        preset: arguments.preset.clone(),
        overrides: arguments.playing.overrides(),
        chain: arguments.playing.chain.clone(),
        choice: arguments.playing.engine()?,
    };
    // What is wrong with the preset is said before there is a window, and on a machine without a display too.
    let simulation = scene.begin()?;
    if !viewer::has_display() {
        return Err(viewer::no_display());
    }
    viewer::run(simulation, scene)?;
    Ok(0)
}
