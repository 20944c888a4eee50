//! Points: the boids of the cells as single dots.

pub mod cells;
pub mod device;
pub mod instances;
