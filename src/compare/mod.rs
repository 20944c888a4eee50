//! The two models side by side: one scene played by the cells of a lattice and by individuals, and what can be measured of
//! both.
//!
//! A [`Pair`] plays; a [`Run`] plays and measures. Both models are measured on the same lattice, individuals as the lattice
//! sees them; what is compared place by place is seen through a coarser [`grain`], and held against what chance alone would
//! make of it ([`agreement`]).

pub mod agreement;
pub mod clusters;
pub mod grain;
pub mod histogram;
pub mod measures;
pub mod milling;
pub mod pair;
pub mod panels;
pub mod report;
pub mod run;
pub mod spectrum;

pub use grain::Lens;
pub use pair::{Both, Pair};
pub use run::Run;
