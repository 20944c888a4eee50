//! The state of a lattice on a device, as pictures on the same device read it while the engine plays on.

use crate::device::Gpu;
use crate::device::program::texture;
use crate::error::Failure;
use crate::world::Extents;
use std::sync::{Arc, Mutex, PoisonError};

/// The textures that hold the state of a lattice. The engine replaces them with every step; whoever draws them holds
/// [`Gpu::turn`] until the drawing is submitted.
pub struct StateTextures {
    pub gpu: Arc<Gpu>,
    pub extents: Extents,
    /// Whether it is a copy that stays as it is.
    pub is_fixed: bool,
    current: Mutex<CurrentState>,
}

/// The textures of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentState {
    /// A texel a cell, as [`crate::atlas::Atlas`] lays them out: quanta, and the control vector, in a word with two components or in
    /// two words with three.
    pub density: wgpu::Texture,
    pub control: wgpu::Texture,
    /// Steps made.
    pub step: u64,
    /// How often the state was replaced: two states with the same number are the same.
    pub version: u64,
}

impl StateTextures {
    pub(crate) fn new(gpu: Arc<Gpu>, extents: Extents, [density, control]: [wgpu::Texture; 2]) -> Self {
        let current = Mutex::new(CurrentState { density, control, step: 0, version: 0 });
        Self { gpu, extents, is_fixed: false, current }
    }

    /// The textures of the present step.
    pub fn current(&self) -> CurrentState {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes over the textures that hold the state from now on, after so many steps. `None`: the number of steps stays.
    pub(crate) fn replace(&self, [density, control]: [wgpu::Texture; 2], step: Option<u64>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let step = step.unwrap_or(current.step);
        *current = CurrentState { density, control, step, version: current.version + 1 };
    }

    /// A copy in textures of its own, which stays as it is.
    ///
    /// # Errors
    /// The device failed, or has no room.
    pub fn copy(&self) -> Result<Self, Failure> {
        let usage =
            wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let now = self.current();
        let made = [("density", now.density), ("control", now.control)].map(|(label, from)| {
            texture(&self.gpu.device, label, [from.width(), from.height()], from.format(), 1, usage)
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let turn = self.gpu.turn();
        let CurrentState { step, version, .. } = self.encode_copy(&mut encoder, &made);
        self.gpu.submit(encoder);
        drop(turn);
        self.gpu.check()?;
        let [density, control] = made;
        let current = Mutex::new(CurrentState { density, control, step, version });
        Ok(Self { gpu: self.gpu.clone(), extents: self.extents, is_fixed: true, current })
    }

    /// Encodes that density and control vectors of the present step are copied into other textures, and returns that step.
    pub(crate) fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, to: &[wgpu::Texture; 2]) -> CurrentState {
        let state = self.current();
        for (from, to) in [&state.density, &state.control].into_iter().zip(to) {
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        }
        state
    }
}
