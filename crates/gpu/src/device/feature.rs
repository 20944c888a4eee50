//! Features of a world of individuals on a device (see `murmuration_core::individuals::feature`).

use super::{DeviceStepPart, Gpu};
use crate::shader::{DepositConfig, Shader};
use murmuration_core::error::Failure;
use murmuration_core::host::library::Library;
use murmuration_core::individuals::feature::WorldFeature;
use murmuration_core::world::Extents;
use std::collections::BTreeMap;

/// The individuals of an engine on its device.
#[derive(Clone, Copy)]
pub struct IndividualBuffers<'a> {
    /// The maximum number of individuals in the buffers.
    pub most: usize,
    /// Whether they have lives.
    pub has_lives: bool,
    /// The buffers by their names in shaders.
    pub buffers: &'a BTreeMap<String, wgpu::Buffer>,
}

impl IndividualBuffers<'_> {
    /// The configuration of shaders over the individuals that write one sum.
    pub fn deposit_config(&self, extents: Extents, each: u32) -> DepositConfig {
        DepositConfig { extents, each, has_lives: self.has_lives, parts: 1 }
    }
}

/// A row of the table of features of a world of individuals on a device. `FEATURES` in `lib.rs` lists the rows.
pub struct DeviceFeature {
    /// The name of its column, and of its buffer in shaders.
    pub name: &'static str,
    /// The condition of shaders in worlds with this feature.
    pub condition: &'static str,
    /// The files that read its buffer, with the type of the buffer in WGSL, and whether the file writes the buffer.
    pub files: &'static [(&'static str, &'static str, bool)],
    /// Declares its constants for shaders of individuals. `None`: the world does not have the feature.
    pub declare: fn(&mut Shader, Option<&dyn WorldFeature>),
    /// The size of its buffer in bytes. It fails if the device has no room.
    pub bytes: fn(&Gpu, &dyn WorldFeature) -> Result<u64, Failure>,
    /// Its part of a step.
    pub part: fn(&Gpu, IndividualBuffers<'_>, &dyn WorldFeature) -> Box<dyn DeviceStepPart>,
    /// Its own shaders, for checks.
    pub shaders: fn(&Library) -> Vec<Shader>,
}
