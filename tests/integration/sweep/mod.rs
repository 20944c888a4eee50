//! Sweeps: their tables, whatever happens to them on the way, and what is refused.

pub mod atlas;
pub mod experiments;
pub mod runs;
pub mod tables;
pub mod wrong;
