//! One world over several ranks.

pub mod gpu;
pub mod individuals;
pub mod worlds;
