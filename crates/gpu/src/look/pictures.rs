//! Pictures drawn on a GPU and read back.

use super::{Camera, Pane, SwarmRenderer, ViewTransform};
use crate::chain::{Chain, DEFAULT_OF_LOOK};
use crate::device::{Gpu, program, transfer};
use crate::error::Failure;
use crate::picture::{self, Picture};
use crate::preset::Look;
use crate::state::State;
use crate::world::World;
use glam::{UVec2, Vec2};
use murmuration_core::individuals::Agents;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

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
        Self::with_chain(gpu, Chain::load(&gpu.library, DEFAULT_OF_LOOK)?)
    }

    /// The same, played by a chain of the look.
    ///
    /// # Errors
    /// As [`SwarmRenderer::with_chain`].
    pub fn with_chain(gpu: &Gpu, chain: Chain) -> Result<Self, Failure> {
        let mut pictures = Self { chain, renderers: Vec::new() };
        pictures.add_renderer(gpu)?;
        gpu.check()?;
        Ok(pictures)
    }

    fn add_renderer(&mut self, gpu: &Gpu) -> Result<(), Failure> {
        let chain = self.chain.clone();
        self.renderers.push(SwarmRenderer::with_chain(gpu.library, &gpu.device, &gpu.queue, FORMAT, chain)?);
        Ok(())
    }

    /// The picture of the whole lattice. It differs from [`picture::glow`] by at most 2 of 255 levels.
    ///
    /// # Errors
    /// The device failed, or cannot hold a picture of this size.
    pub fn picture(&mut self, gpu: &Gpu, state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
        let (size, pixels_per_cell) = picture::frame(state.extents);
        let size = UVec2::from(size);
        let centre: Vec2 = size.as_vec2() / 2.0 / pixels_per_cell;
        self.view(gpu, state, world, look, &Camera { centre, pixels_per_cell }, size)
    }

    /// The picture of this size (pixels) that a camera takes, without trails.
    ///
    /// # Errors
    /// As [`PictureRenderer::picture`].
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
    /// As [`PictureRenderer::picture`].
    pub fn next(&mut self, gpu: &Gpu, parts: &[Part<'_>], look: &Look, size: UVec2) -> Result<Picture, Failure> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let target = program::texture(&gpu.device, "picture", size.to_array(), FORMAT, 1, usage);
        let view = target.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        while self.renderers.len() < parts.len() {
            self.add_renderer(gpu)?;
        }
        for (renderer, part) in self.renderers.iter_mut().zip(parts) {
            renderer.show(part.state, part.world, part.steps);
            renderer.show_individuals(part.agents);
            renderer.draw(&mut encoder, &view, part.pane, &part.transform, look);
        }
        download(gpu, encoder, &target)
    }
}

/// Submits the encoded passes, and reads the first three channels of their target of 8-bit pixels back.
///
/// # Errors
/// The device failed.
pub fn download(gpu: &Gpu, encoder: wgpu::CommandEncoder, target: &wgpu::Texture) -> Result<Picture, Failure> {
    gpu.submit(encoder);
    let (width, height) = (target.width(), target.height());
    let pixels = transfer::download(gpu, target, [0; 2], [width, height], "picture")?;
    let mut bytes = Vec::with_capacity(3 * pixels.len());
    pixels.iter().for_each(|pixel| bytes.extend_from_slice(&bytemuck::bytes_of(pixel)[..3]));
    Ok(Picture { width, height, bytes })
}
