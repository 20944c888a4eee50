//! The window: a glowing swarm that the player hunts with the mouse (design, section 8).
//!
//! `play` holds the simulation, in a thread of its own. `window` holds everything else: it sends inputs to `play` and
//! draws the newest snapshot that came back, so that it never waits for a step, however large the lattice is.

mod autosave;
mod beside;
mod canvas;
mod comparison_panel;
mod engines;
mod film;
mod film_panel;
mod gallery;
mod hand;
mod help;
mod interface;
mod keys;
mod legend;
mod messages;
mod overlay;
mod pace;
mod panel;
mod play;
mod plot;
mod priority;
mod probe;
mod reload;
mod ring;
mod round;
mod scene;
mod screen;
mod settings;
mod sides;
mod split;
mod style;
#[cfg(test)]
mod tests;
mod trace;
mod window;

pub use priority::begin;
pub use scene::Scene;
pub use window::{Ending, has_display, no_display, run};
