//! The lives of individuals on a device: the log of their ends, and the sums over them.

mod log;
mod sums;

pub use log::LifeLog;
pub use sums::LifeSumPass;
