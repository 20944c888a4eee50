//! A host with engines on a GPU: what a simulation runs on.

use crate::engine::GpuBackend;
use crate::host::Host;
use crate::host::library::Library;
use std::sync::Arc;

/// A host that may make engines on a GPU.
pub trait Platform: Host {
    /// What makes engines on a GPU.
    fn gpu(&self) -> Option<&dyn GpuBackend> {
        None
    }
}

/// A library alone is a platform without a GPU.
impl Platform for Library {}

/// A platform that presets and simulations share.
pub type SharedHost = Arc<dyn Platform>;
