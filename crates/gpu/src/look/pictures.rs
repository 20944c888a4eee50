//! Pictures drawn on a GPU and read back.

use super::{Camera, Pane, SwarmRenderer, ViewTransform, default_chain};
use crate::agents::Agents;
use crate::chain::Chain;
use crate::device::{Gpu, program};
use crate::error::Failure;
use crate::picture::{self, Picture};
use crate::preset::Look;
use crate::state::State;
use crate::world::World;
use glam::{UVec2, Vec2};
use std::sync::mpsc;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The picture of a state, drawn on a GPU. It differs from [`picture::glow`] by at most 2 of 255 levels.
///
/// # Errors
/// The device failed, or cannot hold a picture of this size.
pub fn picture(gpu: &Gpu, state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
    PictureRenderer::new(gpu)?.picture(gpu, state, world, look)
}

/// A part of a picture: a swarm, how it is seen, and where it is in the picture.
pub struct Part<'a> {
    pub state: &'a State,
    /// The individuals, if `state` is their deposit on the lattice.
    pub agents: Option<&'a Agents>,
    pub world: &'a World,
    pub transform: ViewTransform,
    pub pane: Pane,
    /// Steps since the state of the picture before.
    pub steps: u64,
}

/// Draws one picture after the other with the same pipelines.
pub struct PictureRenderer {
    chain: Chain,
    /// One for each part of the picture.
    renderers: Vec<SwarmRenderer>,
}

impl PictureRenderer {
    /// # Errors
    /// As [`SwarmRenderer::new`].
    pub fn new(gpu: &Gpu) -> Result<Self, Failure> {
        Self::with_chain(gpu, default_chain(&gpu.library)?)
    }

    /// The same, played by a chain of the look.
    ///
    /// # Errors
    /// As [`SwarmRenderer::with_chain`].
    pub fn with_chain(gpu: &Gpu, chain: Chain) -> Result<Self, Failure> {
        let renderer = SwarmRenderer::with_chain(gpu.library, &gpu.device, &gpu.queue, FORMAT, chain.clone())?;
        gpu.check()?;
        Ok(Self { chain, renderers: vec![renderer] })
    }

    /// The picture of the whole lattice, as [`picture()`].
    ///
    /// # Errors
    /// As [`picture()`].
    pub fn picture(&mut self, gpu: &Gpu, state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
        let (size, pixels_per_cell) = picture::frame(state.extents);
        let size = UVec2::from(size);
        let centre: Vec2 = size.as_vec2() / 2.0 / pixels_per_cell;
        self.view(gpu, state, world, look, &Camera { centre, pixels_per_cell }, size)
    }

    /// The picture of this size (pixels) that a camera takes, without trails.
    ///
    /// # Errors
    /// As [`picture()`].
    pub fn view(
        &mut self,
        gpu: &Gpu,
        state: &State,
        world: &World,
        look: &Look,
        camera: &Camera,
        size: UVec2,
    ) -> Result<Picture, Failure> {
        let look = Look { trails: 0.0, ..look.clone() };
        let part = Part { state, agents: None, world, transform: (*camera).into(), pane: size.into(), steps: 1 };
        self.next(gpu, &[part], &look, size)
    }

    /// The next picture of a film, of this size (pixels) and with these parts, from the left. The trails of the pictures
    /// before it remain, and single boids have drifted on.
    ///
    /// # Errors
    /// As [`picture()`].
    pub fn next(&mut self, gpu: &Gpu, parts: &[Part<'_>], look: &Look, size: UVec2) -> Result<Picture, Failure> {
        let target = target(&gpu.device, size);
        let view = target.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (index, part) in parts.iter().enumerate() {
            if index == self.renderers.len() {
                let chain = self.chain.clone();
                self.renderers.push(SwarmRenderer::with_chain(gpu.library, &gpu.device, &gpu.queue, FORMAT, chain)?);
            }
            let renderer = &mut self.renderers[index];
            renderer.show(part.state, part.world, part.steps);
            renderer.show_individuals(part.agents);
            renderer.draw(&mut encoder, &view, part.pane, &part.transform, look);
        }
        download(gpu, encoder, &target)
    }
}

fn target(device: &wgpu::Device, size: UVec2) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    program::texture(device, "picture", size.to_array(), FORMAT, 1, usage)
}

/// Submits the encoded passes, and reads the first three channels of their target of 8-bit pixels back.
///
/// # Errors
/// The device failed.
pub fn download(gpu: &Gpu, mut encoder: wgpu::CommandEncoder, target: &wgpu::Texture) -> Result<Picture, Failure> {
    let (width, height) = (target.width(), target.height());
    let stride = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(stride) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    encoder.copy_texture_to_buffer(
        target.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &staging,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: None },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    gpu.queue.submit([encoder.finish()]);
    let (sender, receiver) = mpsc::channel();
    staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
        let _ = sender.send(mapped);
    });
    gpu.wait(None)?;
    let failed =
        |error: &dyn std::fmt::Display| Failure::Device(format!("the picture could not be read back: {error}"));
    receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
    let mapped = staging.get_mapped_range(..).map_err(|error| failed(&error))?;
    let rows = mapped.chunks_exact(stride as usize).map(|row| &row[..4 * width as usize]);
    let bytes = rows.flat_map(|row| row.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])).collect();
    Ok(Picture { width, height, bytes })
}
