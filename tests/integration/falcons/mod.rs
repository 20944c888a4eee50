//! Falcons: hunters that fly by themselves.

pub mod flight;
pub mod rock;
pub mod species;
