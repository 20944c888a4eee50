//! The swarm on a GPU: shaders put together and checked, engines of both models, and the look.
//!
//! Only this crate and the crate of the window name `wgpu`. Shaders can also be put together and checked without a
//! device.

#![warn(missing_docs)]

mod atlas;
mod backend;
pub mod cells;
pub mod device;
mod falcons;
mod food;
pub mod individuals;
pub mod instances;
mod lattice;
mod lives;
pub mod look;
mod measures;
mod parts;
mod points;
pub mod shader;
mod shared_functions;
mod species;
mod terrain;

pub use atlas::Subdomain;
pub use backend::{Backend, device_of};
pub use cells::GpuEngine;
pub use device::{BufferCopy, DevicePool, DeviceRequest, Gpu, Stopwatch, SubmissionBatch, guarded};
pub use individuals::GpuIndividuals;
pub use shared_functions::{all_shaders, check_shared, is_shared};

/// The features of worlds of individuals, as in the core.
static FEATURES: &[&device::DeviceFeature] = &[&food::FEATURE];

#[cfg(test)]
use murmuration_core::host::Library;
#[cfg(test)]
#[path = "../../testing/library.rs"]
mod testing;
