//! The boids of the cells one by one.

pub mod cells;
pub mod device;
pub mod instances;
