//! The window: a glowing swarm that a person hunts with the mouse.
//!
//! A thread of its own runs the [controller](crate::controller). The window sends it commands and draws its newest
//! snapshot, so that it never waits for a step, however large the lattice is.

mod app;
mod canvas;
mod comparison_panel;
mod disk;
mod engines;
mod film;
mod film_panel;
mod frames;
mod gallery;
mod hand;
mod help;
mod interface;
mod keys;
mod legend;
mod messages;
mod overlay;
mod panel;
mod panel_action;
mod plot;
mod priority;
mod probe;
mod ring;
mod round;
mod scores;
mod screen;
mod session;
mod settings;
mod sides;
mod split;
mod style;
#[cfg(test)]
mod tests;
mod trace;
mod view;

mod window;
mod worker;

pub use app::{Ending, has_display, no_display, run};
pub use priority::begin;
