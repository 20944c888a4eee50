//! The swarm and the world that a frame draws, and the textures from which kernels read them.

use super::SwarmSource;
use crate::cells::CurrentState;
use crate::device::Gpu;
use crate::device::program::texture;
use crate::device::transfer::upload;
use murmuration_core::world::{Extents, ScalarField, World};
use std::sync::Arc;

/// The usage of textures that kernels read.
pub const READ: wgpu::TextureUsages = wgpu::TextureUsages::TEXTURE_BINDING.union(wgpu::TextureUsages::COPY_DST);

/// The swarm and the world that a frame draws, and their textures.
pub struct FrameInput {
    pub source: SwarmSource,
    pub world: World,
    /// The textures for the density and the control vectors of a swarm in memory. `None` for a swarm on the device,
    /// which has its own textures.
    pub uploaded: Option<[wgpu::Texture; 2]>,
    /// The solid flag of each cell, 0 or 1. Without solid cells the texture has one texel, which is not read.
    pub solids: wgpu::Texture,
    /// Whether the present state of the swarm was not drawn yet.
    pub is_new: bool,
    /// Whether the textures of the swarm are bound to the passes.
    pub is_bound: bool,
    /// The last drawn state of a swarm on the device. `None` for a swarm in memory.
    pub drawn: Option<CurrentState>,
}

impl FrameInput {
    /// Makes the textures for a swarm in a world, and uploads the solid flags.
    pub fn new(gpu: &Gpu, source: SwarmSource, world: &World) -> Self {
        // Kernels do not read the textures of a deep world in memory, so they have one texel.
        let Extents { width, height, depth } = source.extents();
        let is_flat = depth.is_none();
        let (width, height) = if is_flat { (width, height) } else { (1, 1) };
        let made = |label, size| texture(&gpu.device, label, size, wgpu::TextureFormat::R32Uint, 1, READ);
        let uploaded = match &source {
            SwarmSource::Memory(..) => Some(["density", "control"].map(|label| made(label, [width, height]))),
            SwarmSource::Device(_) => None,
        };
        let has_solids = is_flat && !world.solids.is_empty();
        let solids = made("solids", if has_solids { [width, height] } else { [1; 2] });
        if has_solids {
            let words: Vec<u32> = world.solids.iter().map(|solid| u32::from(*solid)).collect();
            upload(gpu.queue(), &solids, &words);
        }
        Self { source, world: world.clone(), uploaded, solids, is_new: true, is_bound: false, drawn: None }
    }

    /// Whether the textures can also hold another swarm: the kind of the source, the solid cells, the rock and the
    /// edges are the same.
    pub fn fits(&self, source: &SwarmSource, world: &World) -> bool {
        let is_same_kind = matches!(source, SwarmSource::Memory(..)) == self.uploaded.is_some();
        let is_same_rock = is_same_rock_field(self.world.rock.as_ref(), world.rock.as_ref());
        is_same_kind && is_same_rock && (&self.world.solids, self.world.edges) == (&world.solids, world.edges)
    }

    /// Takes the present textures of a swarm on the device, and updates `is_bound` and `is_new`.
    pub fn take_state(&mut self) {
        let SwarmSource::Device(textures) = &self.source else { return };
        let now = textures.current();
        let is_same = |before: &CurrentState| (&before.density, &before.control) == (&now.density, &now.control);
        self.is_bound &= self.drawn.as_ref().is_some_and(is_same);
        self.is_new |= self.drawn.as_ref().is_none_or(|before| before.version != now.version);
        self.drawn = Some(now);
    }

    /// The textures with the density and the control vectors that are drawn.
    pub fn textures(&self) -> [&wgpu::Texture; 2] {
        match (&self.uploaded, &self.drawn) {
            (Some([density, control]), _) | (None, Some(CurrentState { density, control, .. })) => [density, control],
            (None, None) => unreachable!("the state of a source on the device was taken"),
        }
    }
}

/// Whether two worlds share their rock, or both have none. Only the addresses of the fields are compared, because a
/// field has many values.
fn is_same_rock_field(one: Option<&Arc<ScalarField>>, other: Option<&Arc<ScalarField>>) -> bool {
    one.map(Arc::as_ptr) == other.map(Arc::as_ptr)
}
