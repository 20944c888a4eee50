//! The window on a desktop: its display, its event loop and its threads.

mod app;
mod display;
mod priority;

pub use app::{Ending, run};
pub use display::DisplayConnection;
#[cfg(test)]
pub use priority::ThreadScheduler;
