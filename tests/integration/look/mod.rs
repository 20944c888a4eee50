//! Pictures.

pub mod device;
pub mod dusk;
pub mod pictures;
