//! The window: a glowing swarm that the user hunts with the mouse.
//!
//! A separate task runs the [controller](crate::controller). The window sends it commands and draws its newest
//! snapshot. So the window never waits for a step, even if the lattice is large.

mod action;
mod atlas;
mod canvas;
mod colour_bar;
mod cursor;
mod curves;
#[cfg(not(target_family = "wasm"))]
mod desktop;
mod disk;
mod engine_panel;
mod features;
mod film;
mod film_panel;
mod frame_input;
mod frames;
mod gallery;
mod interface;
mod interface_renderer;
mod keys;
mod lives;
mod messages;
mod overlay;
mod panel;
mod probe;
mod rays;
mod ring;
mod scheduler;
mod screen;
mod session;
mod settings;
mod sides;
mod species;
mod step_clock;
mod stills;
#[cfg(test)]
mod tests;
mod theme;
mod view;
mod widgets;
mod window;

pub use action::PageRequest;
#[cfg(not(target_family = "wasm"))]
pub use desktop::{DisplayConnection, Ending, run};
pub use disk::LINK;
pub use scheduler::FrameScheduler;
pub use window::{MainWindow, Opening};

use crate::controller::Snapshot;
use murmuration_core::state::{Entry, Ledger};

/// A row of the account on the panel: its name and its value.
type AccountRow = (&'static str, fn(&Ledger) -> String);

/// The rows of a feature, with a test whether the swarm has the feature.
type AccountRows = (fn(&Snapshot) -> bool, &'static [AccountRow]);

/// The rows that features add to the account.
const ACCOUNT_ROWS: [AccountRows; 4] = [
    (|seen| seen.info.features.lives.is_some(), &lives::ACCOUNT),
    (|seen| seen.account.ledger.sum(Entry::Eaten) > 0, &species::ACCOUNT),
    (|seen| seen.info.features.of_world.named("food").is_some(), &features::FOOD_ACCOUNT),
    (|seen| seen.info.features.lives.is_some(), &lives::ENERGY),
];
