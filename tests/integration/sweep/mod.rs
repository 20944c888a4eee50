//! Sweeps: their tables, interruptions, and refused input.

pub mod atlas;
pub mod experiments;
pub mod runs;
pub mod tables;
pub mod wrong;
