//! The program and its output.

pub mod bench;
pub mod commands;
pub mod compare;
pub mod device_loss;
pub mod documents;
pub mod faults;
pub mod film;
pub mod frames;
pub mod memory_limits;
pub mod observers;
pub mod outputs;
pub mod provenance;
pub mod robustness;
pub mod shell;
pub mod trajectories;
