//! The simulation of swarms, without a device, a file, a window or a clock.
//!
//! A program provides texts, files, pictures and GPU engines through [`host::Host`].

#![warn(missing_docs)]

pub mod cells;
pub mod chain;
pub mod engine;
pub mod error;
pub mod falcons;
pub mod faults;
pub mod food;
pub mod host;
pub mod individuals;
pub mod keys;
pub mod lanes;
pub mod lives;
pub mod look;
pub mod measures;
pub mod noise;
pub mod numbers;
pub mod overlap;
pub mod parallel;
pub mod picture;
pub mod points;
pub mod preset;
pub mod ranks;
pub mod simulation;
mod source;
pub mod species;
pub mod state;
pub mod statistics;
pub mod terrain;
pub mod text;
pub mod ticket;
mod uniform;
pub mod world;

/// The optional features of a world of individuals, such as food. Each has a row with its keys and functions.
static FEATURES: &[&individuals::feature::FeatureRow] = &[&food::FEATURE];

#[cfg(test)]
mod testing;
