//! Lives of individuals.

pub mod energy;
pub mod lineage;
pub mod moods;
pub mod needs;
