//! Comparison of the two models: one scene played by the cells of a lattice and by individuals, with the same measures.
//!
//! A [`Pair`] plays both; a [`Comparison`] measures them. Order, speed and rotation are measured on the cells and on
//! the individuals themselves. All local measures use one lattice, on which individuals are deposited. Local
//! comparisons use coarse-grained densities ([`grain`]), and are related to the differences by
//! chance alone ([`agreement`]).

pub mod agreement;
pub mod clusters;
pub mod comparison;
pub mod grain;
pub mod measures;
pub mod pair;
pub mod panels;
pub mod report;
pub mod spectrum;

pub use comparison::{Comparison, FinalResults};
pub use grain::Resolution;
pub use pair::{ModelPair, Pair};
