//! Pictures.

pub mod device;
pub mod dusk;
pub mod falcons;
pub mod pictures;
