//! Noise of headings, exact and seeded, for cells and individuals (`docs/model.md, Noise of headings`).
//!
//! After the rules have changed a velocity, random numbers ([`draw`]) turn it ([`turn`]). A random number is a hash of
//! the seed, the step, and the place of a cell or the number of an individual. So no random number is stored. The
//! functions that turn a velocity prefer no direction. If the world, the swarm and the random numbers are turned or
//! mirrored together, so is the result of a step.
//!
//! Sources: *Novel type of phase transition in a system of self-driven particles*, T. Vicsek and others, 1995 (turning
//! by an angle); *Onset of collective and cohesive motion*, G. Grégoire and H. Chaté, 2004 (adding a vector); *Collective
//! memory and spatial sorting in animal groups*, I. D. Couzin and others, 2002 (a normal angle).

mod circle;
pub mod draw;
pub mod keys;
pub mod lattice;
pub mod numbers;
pub mod turn;

#[cfg(test)]
mod tests;

pub use numbers::{NOISE_NUMBERS_WGSL, Noise, NoiseNumbers};
