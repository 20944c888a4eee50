//! The swarm on a GPU: shaders put together and checked, engines of both models, and the look.
//!
//! Only here and in the window is `wgpu` named. Shaders are put together and checked without a device as well.

#![warn(missing_docs)]

mod atlas;
mod backend;
pub mod cells;
pub mod device;
mod falcons;
pub mod fault_injection;
mod food;
pub mod individuals;
pub mod instances;
mod lives;
pub mod look;
mod measures;
mod overlap;
mod points;
pub mod shader;
mod species;
mod subdomain;
mod terrain;

pub use backend::{Backend, device_of};
pub use cells::GpuEngine;
pub use device::{BufferCopy, DevicePool, DeviceRequest, Gpu, Stopwatch, SubmissionBatch, guarded};
pub use individuals::GpuIndividuals;
pub use subdomain::Subdomain;

use murmuration_core::{
    chain, engine, error, faults, fields, library, memory, numbers, picture, preset, rules, sight, state, swarm, text,
    ticket, world,
};

#[cfg(test)]
#[path = "../../testing/library.rs"]
mod testing;
