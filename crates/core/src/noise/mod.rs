//! Noise of headings, exact and seeded, for cells and individuals (`docs/model.md, Noise of headings`).
//!
//! After steering, each cell or individual draws random numbers ([`draw`]), and its new velocity turns by them
//! ([`turn`]). All numbers together are a field. A number of the field is a hash of the seed, the step and the place of
//! a cell or the number of an individual, so that nothing is stored. The functions that turn a velocity take the
//! numbers and prefer no direction. So the step commutes with every symmetry of the world, if the field is transformed
//! too.
//!
//! Sources: *Novel type of phase transition in a system of self-driven particles*, T. Vicsek and others, 1995 (the
//! angle); *Onset of collective and cohesive motion*, G. Grégoire and H. Chaté, 2004 (the vector).

mod circle;
pub mod draw;
pub mod keys;
pub mod lattice;
pub mod numbers;
pub mod turn;

#[cfg(test)]
mod tests;

pub use numbers::{NOISE_NUMBERS_WGSL, Noise, NoiseNumbers};
