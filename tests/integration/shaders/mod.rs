//! Chains and kernels.

pub mod generated;
pub mod kernels;
pub mod limits;
pub mod operators;
pub mod plan;
pub mod shared_functions;
