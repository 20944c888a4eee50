//! Comparison of the two models: one scene played by the cells of a lattice and by individuals, with the same measures.
//!
//! A [`Pair`] plays both models, and a [`Comparison`] measures them. The order, the speed and the rotation are measured
//! on the cells, and on the individuals themselves. All local measures use one lattice, on which individuals are
//! deposited. Comparisons of places use coarse-grained densities ([`grain`]). Their differences are compared with
//! differences by chance alone ([`agreement`]).

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
