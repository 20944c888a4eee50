//! The two models side by side: one scene played by the cells of a lattice and by individuals, and what can be measured of
//! both.

pub mod pair;

pub use pair::Pair;
