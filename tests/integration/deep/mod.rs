//! Deep worlds.

pub mod depth;
pub mod gpu;
pub mod movement;
pub mod oracle;
pub mod sights;
pub mod worlds;
