//! The state of a lattice on a device, or the deposit of individuals on one, as pictures on the same device read it while the engine
//! plays on.

use super::PointList;
use crate::device::Gpu;
use crate::device::program::{buffer, texture};
use crate::error::Failure;
use crate::world::Extents;
use std::sync::{Arc, Mutex, PoisonError};

/// The textures that hold the state of a lattice. The engine replaces them with every step, or that of individuals whenever it is
/// asked to; whoever draws them holds [`Gpu::turn`] until the drawing is submitted.
pub struct StateTextures {
    pub gpu: Arc<Gpu>,
    pub extents: Extents,
    /// Whether it is a copy that stays as it is.
    pub is_fixed: bool,
    current: Mutex<CurrentState>,
    points: Mutex<Option<PointList>>,
}

/// The textures of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentState {
    /// A texel a cell, as [`crate::atlas::Atlas`] lays them out: quanta, and the control vector, in a word with two components or in
    /// two words with three.
    pub density: wgpu::Texture,
    pub control: wgpu::Texture,
    /// The falcons of `murmuration_core::falcon`, one after the other; `None`: there are none.
    pub falcons: Option<wgpu::Buffer>,
    /// The individuals that are drawn, if the swarm is one of individuals.
    pub bodies: Option<BodyList>,
    /// Steps made.
    pub step: u64,
    /// How often the state was replaced: two states with the same number are the same.
    pub version: u64,
}

/// A list of individuals on a device.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyList {
    /// Of `StoredBody`.
    pub buffer: wgpu::Buffer,
    /// Places in the list, of which some may be empty.
    pub count: u32,
    /// Individuals for which each of them stands.
    pub each: u32,
}

impl StateTextures {
    pub(crate) fn new(gpu: Arc<Gpu>, extents: Extents, [density, control]: [wgpu::Texture; 2]) -> Self {
        let (falcons, bodies) = (None, None);
        let current = Mutex::new(CurrentState { density, control, falcons, bodies, step: 0, version: 0 });
        Self { gpu, extents, is_fixed: false, current, points: Mutex::default() }
    }

    /// The textures of the present step.
    pub fn current(&self) -> CurrentState {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The points of the present step, if there are any. Their buffers stay the same from step to step; their number is in one of them.
    pub fn points(&self) -> Option<PointList> {
        self.points.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes over the buffers of points from now on.
    pub(crate) fn set_points(&self, points: Option<PointList>) {
        *self.points.lock().unwrap_or_else(PoisonError::into_inner) = points;
    }

    /// Takes over the textures that hold the state from now on, after so many steps. `None`: the number of steps stays.
    pub(crate) fn replace(&self, [density, control]: [wgpu::Texture; 2], step: Option<u64>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let step = step.unwrap_or(current.step);
        let falcons = current.falcons.take();
        *current = CurrentState { density, control, falcons, bodies: None, step, version: current.version + 1 };
    }

    /// Takes over the buffer that holds the falcons from now on.
    pub(crate) fn replace_falcons(&self, falcons: Option<wgpu::Buffer>) {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).falcons = falcons;
    }

    /// Notes that the textures hold another deposit from now on, and takes over the list of its individuals.
    pub(crate) fn replace_bodies(&self, bodies: BodyList, step: u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        (current.bodies, current.step, current.version) = (Some(bodies), step, current.version + 1);
    }

    /// A copy in textures of its own, and of the points, which stays as it is.
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
        let CurrentState { falcons, bodies, step, version, .. } = self.encode_copy(&mut encoder, &made);
        let falcons = falcons.map(|falcons| copied(&self.gpu, &mut encoder, &falcons));
        let bodies = bodies.map(|bodies| {
            let (size, usage) = (bodies.buffer.size(), wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
            let copy = buffer(&self.gpu.device, "bodies", size, usage);
            encoder.copy_buffer_to_buffer(&bodies.buffer, 0, &copy, 0, size);
            BodyList { buffer: copy, ..bodies }
        });
        let points = self.points().map(|points| points.encode_copy(&self.gpu.device, &mut encoder));
        self.gpu.submit(encoder);
        drop(turn);
        self.gpu.check()?;
        let [density, control] = made;
        let current = Mutex::new(CurrentState { density, control, falcons, bodies, step, version });
        Ok(Self { gpu: self.gpu.clone(), extents: self.extents, is_fixed: true, current, points: Mutex::new(points) })
    }

    /// Encodes that density and control vectors of the present step are copied into other textures, and returns that state.
    pub(crate) fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, to: &[wgpu::Texture; 2]) -> CurrentState {
        let state = self.current();
        for (from, to) in [&state.density, &state.control].into_iter().zip(to) {
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        }
        state
    }
}

/// A copy of a buffer of falcons, encoded.
pub(crate) fn copied(gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, falcons: &wgpu::Buffer) -> wgpu::Buffer {
    let copy = buffer(&gpu.device, "falcons", falcons.size(), falcons.usage());
    encoder.copy_buffer_to_buffer(falcons, 0, &copy, 0, falcons.size());
    copy
}
