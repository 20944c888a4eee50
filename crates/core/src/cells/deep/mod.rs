//! The behaviour and the movement of deep worlds in the default chain.

pub(crate) mod behaviour;
mod movement;
mod sums;

pub use movement::{DeepMovement, scratch_words};
