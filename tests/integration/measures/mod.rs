//! Measures of a swarm, and whether it is alive.

pub mod liveliness;
pub mod liveliness_of_runs;
pub mod records;
