//! The platform of a simulation: a host with engines on a GPU.

use crate::engine::GpuBackend;
use crate::host::Host;
use crate::host::library::Library;
use std::sync::Arc;

/// A host that may have engines on a GPU.
pub trait Platform: Host {
    /// The factory of devices; `None`: there is no GPU.
    fn gpu(&self) -> Option<&dyn GpuBackend> {
        None
    }
}

/// A library alone is a platform without a GPU.
impl Platform for Library {}

/// A platform that presets and simulations share.
pub type SharedHost = Arc<dyn Platform>;
