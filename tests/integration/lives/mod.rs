//! Lives of individuals, and their food.

pub mod energy;
pub mod food;
pub mod lineage;
pub mod moods;
pub mod needs;
