//! Chains and kernels.

pub mod generated;
pub mod kernels;
pub mod plan;
pub mod shared_functions;
pub mod standard_wgsl;
