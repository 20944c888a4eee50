//! Comparison of the two models: one scene played by the cells of a lattice and by individuals, with the same measures.
//!
//! A [`Pair`] plays both; a [`Run`] plays and measures them. Order, speed and rotation are of the cells and of the individuals themselves.
//! Whatever is local is measured on one lattice, on which individuals are deposited. Local comparisons use coarse-grained densities ([`grain`]) and are put in relation to the
//! differences that chance alone causes ([`agreement`]).

pub mod agreement;
pub mod clusters;
pub mod grain;
pub mod measures;
pub mod pair;
pub mod panels;
pub mod report;
pub mod run;
pub mod spectrum;

pub use grain::Resolution;
pub use pair::{ModelPair, Pair};
pub use run::{FinalResults, Run};
