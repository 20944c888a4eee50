//! A swarm as a density on a lattice: exact, the same bits on every engine, and not one boid lost.

pub mod bench;
pub mod cli;
pub mod compare;
pub mod files;
pub mod film;
pub mod host;
pub mod interrupt;
pub mod observe;
pub mod viewer;

pub use host::host;
pub use murmuration_core::{
    chain, contents, error, fields, kernels, lanes, library, memory, numbers, picture, preset, random, readable, rules,
    sight, simulation, state, swarm, text, texts, threads, vector, world,
};
pub use murmuration_gpu::{fault_injection, look, shader};

/// The individuals, on the CPU and on a GPU.
pub mod agents {
    pub use murmuration_core::agents::*;
    pub use murmuration_gpu::individuals as gpu;
}

/// The engines.
pub mod engine {
    pub use murmuration_core::engine::*;
    pub use murmuration_gpu as gpu;
}
