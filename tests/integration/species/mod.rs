//! Several species in one world.

pub mod cells;
pub mod points;
pub mod predators;
pub mod rules;
