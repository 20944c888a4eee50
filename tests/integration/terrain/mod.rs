//! Rock, and worlds without end.

pub mod endless;
pub mod field;
pub mod reef;
