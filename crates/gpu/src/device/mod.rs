//! A graphics device: finding and opening it, its errors and its loss, its clock, and words that come and go.

mod adapter;
mod guard;
pub mod player;
pub mod program;
pub mod stopwatch;
pub mod transfer;

pub use adapter::{Gpu, PLACE_BYTES, has_hardware};
pub use guard::guarded;
pub use stopwatch::{CLOCK, Stopwatch};
pub use transfer::BufferCopy;
