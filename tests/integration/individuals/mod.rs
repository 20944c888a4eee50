//! Individuals.

pub mod avoidance;
pub mod deposit;
pub mod given_numbers;
pub mod gpu;
pub mod kernels;
pub mod library;
pub mod rays;
pub mod searches;
pub mod selection;
pub mod starts;
