//! The swarm itself, without a device, a file, a window or a clock.
//!
//! What a program must bring along (texts, files, pictures, engines on a GPU) comes in through [`host::Host`].

#![warn(missing_docs)]

pub mod cells;
pub mod chain;
pub mod contents;
pub mod endless;
pub mod engine;
pub mod error;
pub mod falcon;
pub mod faults;
pub mod fields;
pub mod file_path;
pub mod food;
pub mod host;
pub mod individuals;
pub mod keys;
pub mod lanes;
pub mod library;
pub mod lives;
pub mod measures;
pub mod memory;
pub mod noise;
pub mod numbers;
pub mod obstacles;
pub mod overlap;
pub mod parallel;
pub mod picture;
pub mod platform;
pub mod points;
pub mod preset;
pub mod random;
pub mod ranks;
pub mod raster;
pub mod readable;
pub mod rules;
pub mod sight;
pub mod simulation;
mod source;
pub mod species;
pub mod state;
pub mod state_sums;
pub mod statistics;
pub mod swarm;
pub mod targets;
pub mod terrain;
pub mod text;
pub mod ticket;
mod uniform;
pub mod vector;
pub mod world;

#[cfg(test)]
mod testing;
