//! Features of a world of individuals, such as food or falcons, on a device (see
//! `murmuration_core::individuals::feature`).

use super::{DeviceStepPart, Gpu};
use crate::shader::{DepositConfig, Shader};
use murmuration_core::error::Failure;
use murmuration_core::host::library::Library;
use murmuration_core::individuals::feature::WorldFeature;
use murmuration_core::world::Extents;
use std::collections::BTreeMap;

/// The buffers of an engine's individuals on its device.
#[derive(Clone, Copy)]
pub struct IndividualBuffers<'a> {
    /// The maximum number of individuals in the buffers.
    pub most: usize,
    /// Whether the individuals have lives (hunger, health and mood).
    pub has_lives: bool,
    /// The buffers by the names of their variables in shaders.
    pub buffers: &'a BTreeMap<String, wgpu::Buffer>,
}

impl IndividualBuffers<'_> {
    /// The configuration of shaders that add the individuals up in the cells of a lattice. `each`: the number of
    /// individuals for which each drawn individual stands.
    pub fn deposit_config(&self, extents: Extents, each: u32) -> DepositConfig {
        DepositConfig { extents, each, has_lives: self.has_lives, parts: 1 }
    }
}

/// The description of one feature of a world of individuals on a device. `FEATURES` in `lib.rs` lists all features.
pub struct DeviceFeature {
    /// The name of the feature's column of the world, and of its buffer in shaders.
    pub name: &'static str,
    /// The name of the condition that is true in shaders of worlds with this feature.
    pub condition: &'static str,
    /// The shader files that use the feature's buffer. Each has the WGSL type of the buffer, and whether the file
    /// writes the buffer.
    pub files: &'static [(&'static str, &'static str, bool)],
    /// Adds the feature's constants to a shader of individuals. The argument is `None` if the world does not have the
    /// feature.
    pub declare: fn(&mut Shader, Option<&dyn WorldFeature>),
    /// Returns the size of the feature's buffer in bytes. Fails if the device has no room for it.
    pub bytes: fn(&Gpu, &dyn WorldFeature) -> Result<u64, Failure>,
    /// Makes the part of the feature in a step.
    pub part: fn(&Gpu, IndividualBuffers<'_>, &dyn WorldFeature) -> Box<dyn DeviceStepPart>,
    /// Returns all shaders that only this feature uses, so that tests can check them.
    pub shaders: fn(&Library) -> Vec<Shader>,
}
