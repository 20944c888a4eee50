//! The lives of individuals on a device: the log of the lives that end, and sums over all lives.

mod log;
mod sums;

pub use log::LifeLog;
pub use sums::LifeSumPass;
