//! Draws pictures on a GPU and reads them back.

use super::{Camera, IndividualsSource, Orbit, Pane, SwarmRenderer, SwarmSource, ViewTransform};
use crate::device::transfer::{self, Words, two_words};
use crate::device::{Gpu, program};
use glam::UVec2;
use murmuration_core::chain::{Chain, DEFAULT_OF_LOOK};
use murmuration_core::error::Failure;
use murmuration_core::look::Look;
use murmuration_core::picture::{self, Picture};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::{ScalarField, World};
use std::sync::Arc;

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A part of a picture: a swarm, its view, and the rectangle in which it is drawn.
pub struct Part<'a> {
    /// The source of the swarm.
    pub source: SwarmSource,
    /// The individuals, if `source` is their deposit on the lattice. `None` for a swarm of cells, or to draw only the
    /// deposit.
    pub individuals: Option<IndividualsSource>,
    /// The world of the swarm.
    pub world: &'a World,
    /// The camera of a flat world, or the orbit around a deep one.
    pub transform: ViewTransform,
    /// The rectangle of the picture in which the part is drawn, in pixels.
    pub pane: Pane,
}

/// Draws pictures one after another with the same pipelines.
pub struct PictureRenderer {
    gpu: Arc<Gpu>,
    chain: Chain,
    /// A renderer for each part of the picture.
    renderers: Vec<SwarmRenderer>,
}

impl PictureRenderer {
    /// # Errors
    /// As for [`SwarmRenderer::new`].
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, Failure> {
        Self::with_chain(gpu, Chain::load(&gpu.library, DEFAULT_OF_LOOK)?)
    }

    /// A renderer whose pictures are drawn by this chain of passes of the look.
    ///
    /// # Errors
    /// As for [`SwarmRenderer::with_chain`].
    pub fn with_chain(gpu: &Arc<Gpu>, chain: Chain) -> Result<Self, Failure> {
        let mut pictures = Self { gpu: gpu.clone(), chain, renderers: Vec::new() };
        pictures.add_renderer()?;
        gpu.check()?;
        Ok(pictures)
    }

    /// The device that draws the pictures.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Sets the part of the last step (0 to 1) by which boids are drawn behind their places.
    pub fn set_behind(&mut self, behind: f32) {
        self.renderers.iter_mut().for_each(|renderer| renderer.set_behind(behind));
    }

    /// The value in quanta for which the last colour of the scale stands in the last picture. `None` if the picture
    /// shows no values, or the device has not reported the value yet.
    pub fn top_of_scale(&mut self) -> Option<u64> {
        self.renderers.first_mut().and_then(SwarmRenderer::top_of_scale)
    }

    fn add_renderer(&mut self) -> Result<(), Failure> {
        self.renderers.push(SwarmRenderer::with_chain(&self.gpu, FORMAT, self.chain.clone())?);
        Ok(())
    }

    /// The picture of the whole lattice, without trails. It differs from [`picture::picture`] by at most 2 of 255
    /// levels.
    ///
    /// # Errors
    /// If the device fails, or cannot hold a picture of this size.
    pub fn picture(&mut self, source: impl Into<SwarmSource>, world: &World, look: &Look) -> Result<Picture, Failure> {
        self.picture_with((source.into(), None), world, look)
    }

    /// The picture of the whole lattice, without trails. If the source is a deposit, the individuals are drawn too.
    ///
    /// # Errors
    /// As for [`PictureRenderer::picture`].
    pub fn picture_with(
        &mut self,
        swarm: (SwarmSource, Option<IndividualsSource>),
        world: &World,
        look: &Look,
    ) -> Result<Picture, Failure> {
        let (size, pixels_per_cell) = picture::frame_in(world.extents, look);
        let size = UVec2::from(size);
        let transform: ViewTransform = match world.extents.depth {
            Some(depth) if !look.shows_values() => Orbit::from_look(world, depth, look, size).into(),
            _ => Camera { centre: size.as_vec2() / 2.0 / pixels_per_cell, pixels_per_cell }.into(),
        };
        self.view_with(swarm, world, look, transform, size)
    }

    /// The picture of a swarm among the rock of a deep world, without trails. The source is a swarm of cells, or a
    /// deposit with its individuals.
    ///
    /// # Errors
    /// As for [`PictureRenderer::picture`].
    pub fn picture_among_rock(
        &mut self,
        swarm: (SwarmSource, Option<IndividualsSource>),
        rock: &ScalarField,
        world: &World,
        look: &Look,
    ) -> Result<Picture, Failure> {
        let size = UVec2::from(picture::frame(rock.extents).0);
        let transform = Orbit::from_look(world, rock.extents.slices(), look, size).into();
        self.view_with(swarm, world, look, transform, size)
    }

    /// The picture of this size (pixels) through a camera or an orbit, without trails.
    ///
    /// # Errors
    /// As for [`PictureRenderer::picture`].
    pub fn view(
        &mut self,
        source: impl Into<SwarmSource>,
        world: &World,
        look: &Look,
        transform: impl Into<ViewTransform>,
        size: UVec2,
    ) -> Result<Picture, Failure> {
        self.view_with((source.into(), None), world, look, transform.into(), size)
    }

    fn view_with(
        &mut self,
        (source, individuals): (SwarmSource, Option<IndividualsSource>),
        world: &World,
        look: &Look,
        transform: ViewTransform,
        size: UVec2,
    ) -> Result<Picture, Failure> {
        let look = Look { trails: 0.0, ..look.clone() };
        self.next(&[Part { source, individuals, world, transform, pane: size.into() }], &look, size)
    }

    /// The next picture of a film, of this size (pixels), with these parts in the order from left to right. The trails
    /// of earlier pictures remain.
    ///
    /// # Errors
    /// As for [`PictureRenderer::picture`].
    pub fn next(&mut self, parts: &[Part<'_>], look: &Look, size: UVec2) -> Result<Picture, Failure> {
        self.request(parts, look, size)?.wait()
    }

    /// Requests the next picture (see [`Self::next`]).
    ///
    /// # Errors
    /// As for [`PictureRenderer::picture`]. If the device fails later, the ticket returns the error.
    pub fn request(&mut self, parts: &[Part<'_>], look: &Look, size: UVec2) -> Result<Ticket<Picture>, Failure> {
        let submit = |gpu: &Arc<Gpu>, encoder, target: &wgpu::Texture| request_picture(gpu, encoder, target, None);
        Ok(self.encode(parts, look, size, submit)??.map(|(picture, _)| picture))
    }

    /// Draws the next picture (see [`Self::next`]), and leaves it on the device. [`Gpu::wait`] waits for it.
    ///
    /// # Errors
    /// As for [`PictureRenderer::picture`].
    pub fn draw(&mut self, parts: &[Part<'_>], look: &Look, size: UVec2) -> Result<(), Failure> {
        self.encode(parts, look, size, |gpu, encoder, _| {
            gpu.submit(encoder);
        })?;
        self.gpu.check()
    }

    /// The names of the passes of the last measured picture, with the seconds that each took. Only the first part of a
    /// picture is measured.
    pub fn seconds_by_pass(&self) -> &[(String, f64)] {
        self.renderers.first().map_or(&[], SwarmRenderer::seconds_by_pass)
    }

    /// Encodes the next picture into a new target. The function `submit` submits the commands.
    fn encode<T>(
        &mut self,
        parts: &[Part<'_>],
        look: &Look,
        size: UVec2,
        submit: impl FnOnce(&Arc<Gpu>, wgpu::CommandEncoder, &wgpu::Texture) -> T,
    ) -> Result<T, Failure> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let gpu = self.gpu.clone();
        let target = program::texture(&gpu.device, "picture", size.to_array(), FORMAT, 1, usage);
        let view = target.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        while self.renderers.len() < parts.len() {
            self.add_renderer()?;
        }
        for (renderer, part) in self.renderers.iter_mut().zip(parts) {
            renderer.show(part.source.clone(), part.world);
            renderer.show_individuals(part.individuals.as_ref());
        }
        // All parts are on one device, so one lock (turn) keeps all engines from changing their states.
        let turn = parts.iter().find_map(|part| part.source.changing_on()).map(|gpu| gpu.turn());
        for (renderer, part) in self.renderers.iter_mut().zip(parts) {
            renderer.draw(&mut encoder, &view, part.pane, &part.transform, look);
        }
        let submitted = submit(&gpu, encoder, &target);
        drop(turn);
        self.renderers.iter_mut().for_each(SwarmRenderer::submitted);
        Ok(submitted)
    }
}

/// Reads back the first three channels (red, green, blue) of a target with 8 bits a channel.
///
/// # Errors
/// If the device fails.
pub fn download(gpu: &Arc<Gpu>, target: &wgpu::Texture) -> Result<Picture, Failure> {
    let size = [target.width(), target.height()];
    Ok(picture_of(size, &transfer::download(gpu, target, [0; 2], size, "picture")?))
}

/// Submits the commands of an encoder. Requests the picture in the target (see [`download`]) and, if there is a buffer
/// `value`, the number in its two words, the low word first. Both are read after the commands.
///
/// # Errors
/// If the device fails.
pub fn request_picture(
    gpu: &Arc<Gpu>,
    encoder: wgpu::CommandEncoder,
    target: &wgpu::Texture,
    value: Option<&wgpu::Buffer>,
) -> Result<Ticket<(Picture, Option<u64>)>, Failure> {
    let size = [target.width(), target.height()];
    let words: Vec<_> = [Words::texels_of(target)].into_iter().chain(value.map(Words::all_of)).collect();
    let read = transfer::request(gpu, encoder, &words, "picture")?;
    Ok(read.map(move |words| {
        let value = words.get(1).map(|value| two_words([value[0], value[1]]));
        (picture_of(size, &words[0]), value)
    }))
}

/// The picture of the first three channels of pixels with 8 bits a channel.
fn picture_of([width, height]: [u32; 2], pixels: &[u32]) -> Picture {
    let mut bytes = Vec::with_capacity(3 * pixels.len());
    pixels.iter().for_each(|pixel| bytes.extend_from_slice(&bytemuck::bytes_of(pixel)[..3]));
    Picture { width, height, bytes }
}
