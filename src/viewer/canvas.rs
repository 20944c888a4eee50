//! The surface and the device of the window, with the renderers of the swarm and of the interface.

use super::interface_renderer::{InterfaceFrame, InterfaceRenderer};
use super::sides::{Arrangement, Depth, Side};
use crate::controller::Snapshot;
use crate::observe::Picture;
use glam::{UVec2, uvec2};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Adapters;
use murmuration_core::error::Failure;
use murmuration_core::look::Look;
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Extents;
use murmuration_gpu::device::fault_injection::{self, Device};
use murmuration_gpu::device::program;
use murmuration_gpu::look::{Camera, NEAR, SwarmRenderer, SwarmSource, Upscaler, ViewTransform, request_picture};
use murmuration_gpu::{DeviceRequest, Gpu, guarded};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use wgpu::CurrentSurfaceTexture;
use winit::window::Window;

#[derive(Debug, PartialEq, Eq)]
pub enum DrawResult {
    Presented,
    /// The window is not visible.
    Hidden,
    /// The surface was configured again. The frame must be drawn again.
    Retry,
    /// The device was lost. Another canvas must be opened.
    DeviceLost,
}

/// The number of consecutive configurations without a drawn frame after which the surface counts as unusable on this
/// device.
const MAX_RETRIES: u32 = 30;
/// The intended maximum number of pixels that a software adapter draws for a part of the window. The number is exceeded
/// if a cell would have less than one pixel, or the factor would be above [`MAX_REDUCTION`].
const SOFTWARE_PIXELS: f32 = 160_000.0;
/// The maximum factor by which a picture is reduced along each axis on a software adapter.
const MAX_REDUCTION: f32 = 4.0;

/// A picture that is smaller than its part of the window, for software adapters.
struct ReducedPicture {
    view: wgpu::TextureView,
    size: UVec2,
    /// The side and the look with which the picture was drawn; `None`: the picture does not show the newest state
    /// completely.
    drawn: Option<(Side, Look)>,
}

/// A picture of the window that was requested, for a file.
pub struct Still {
    /// The picture. If it shows a plane of values, the second part is the value of the last colour, in quanta.
    pub picture: Ticket<(Picture, Option<u64>)>,
    /// The step of the swarm in the picture; `None`: unknown.
    pub step: Option<u64>,
}

/// The surface of a window with its device and its renderers.
pub struct Canvas {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Arc<Gpu>,
    interface: InterfaceRenderer,
    /// The reduced pictures, one for each part of the window.
    small: Vec<ReducedPicture>,
    upscaler: Upscaler,
    look: Chain,
    /// The renderers of the main swarm and of the individuals that are compared with it, in the order of [`Model`].
    glows: [Option<SwarmRenderer>; 2],
    /// The part of the last step, 0 to 1, by which boids are drawn behind their places, for smooth movement.
    behind: f32,
    /// The time that the device took for the last frame; not set: the frame is not finished.
    frame_time: Arc<OnceLock<Duration>>,
    /// The time that the device took for the last finished frame; `None`: no frame is finished.
    last_frame_time: Option<Duration>,
    /// The number of frames since the canvas was opened.
    frames: u64,
    /// The number of consecutive calls of [`Self::draw`] that returned [`DrawResult::Retry`].
    retries: u32,
    /// Whether the lattice is larger than the textures of the device.
    is_too_large: bool,
    error: Option<String>,
}

impl Canvas {
    /// Opens a surface on the window. `size`: the size of the surface in pixels. The device of the engine is used if it
    /// can draw on the window. If not, the best adapter that can draw on the window is used. A software adapter is the
    /// last choice.
    ///
    /// # Errors
    /// `Device` if no adapter can draw on the window.
    pub fn open(window: Arc<Window>, size: UVec2, look: &Chain) -> Result<Self, Failure> {
        let surface = create_surface(&window)?;
        let request = DeviceRequest::new(Adapters::Any, Extents::flat(1, 1));
        let gpu = crate::devices().get(&DeviceRequest { surface: Some(&surface), ..request })?;
        let adapter = gpu.adapter.as_ref().ok_or_else(|| Failure::Broken("the window has no adapter".into()))?;
        let mut config = surface
            .get_default_config(adapter, size.x.max(1), size.y.max(1))
            .ok_or_else(|| Failure::Device("the graphics adapter cannot draw on this window".into()))?;
        // The shaders and the interface encode colours themselves.
        config.format = config.format.remove_srgb_suffix();
        config.present_mode = wgpu::PresentMode::Fifo;
        if !surface.get_capabilities(adapter).formats.contains(&config.format) {
            return Err(Failure::Device(format!("the window cannot show the format {:?}", config.format)));
        }
        surface.configure(&gpu.device, &config);
        let interface = InterfaceRenderer::new(&gpu, config.format)?;
        let glow = renderer(&gpu, config.format, look)?;
        let upscaler = Upscaler::new(&gpu, config.format);
        Ok(Self {
            window,
            surface,
            config,
            gpu,
            interface,
            small: Vec::new(),
            upscaler,
            look: look.clone(),
            glows: [Some(glow), None],
            behind: 0.0,
            frame_time: Arc::default(),
            last_frame_time: None,
            frames: 0,
            retries: 0,
            is_too_large: false,
            error: None,
        })
    }

    /// The size of the surface in pixels.
    pub fn size(&self) -> UVec2 {
        uvec2(self.config.width, self.config.height)
    }

    /// The device that draws.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The maximum side of a texture, in pixels.
    pub fn longest_side(&self) -> usize {
        self.gpu.device.limits().max_texture_dimension_2d as usize
    }

    /// The time in seconds that the device took for a recent picture of the swarm; `None`: not measured.
    pub fn seconds(&self) -> Option<f64> {
        self.glows[0].as_ref().and_then(SwarmRenderer::seconds)
    }

    /// The time that the device took for a recent frame with the interface; `None`: no frame is finished.
    pub fn frame_time(&self) -> Option<Duration> {
        self.frame_time.get().copied().or(self.last_frame_time)
    }

    /// Sets the part of the last step, 0 to 1, by which boids are drawn behind their places.
    pub fn set_behind(&mut self, behind: f32) {
        if std::mem::replace(&mut self.behind, behind) != behind {
            self.small.iter_mut().for_each(|small| small.drawn = None);
        }
        self.glows.iter_mut().flatten().for_each(|glow| glow.set_behind(behind));
    }

    fn set_waiting(&mut self, waits: bool) {
        self.glows.iter_mut().flatten().for_each(|glow| glow.set_waiting(waits));
    }

    /// The value of the last colour of the scale, in quanta; `None`: the last picture shows no plane of values.
    pub fn top_of_scale(&mut self) -> Option<u64> {
        self.glows[0].as_mut().and_then(SwarmRenderer::top_of_scale)
    }

    /// A description of the graphics adapter for users, with the time per picture and the factor of reduction.
    pub fn describe(&self, arrangement: &Arrangement) -> String {
        let mut text = self.gpu.info.name.clone();
        if let Some(seconds) = self.seconds() {
            text += &format!(", {:.1} ms a picture", 1e3 * seconds);
        }
        let reduction = arrangement.sides().iter().map(|side| self.reduction(side)).fold(1.0, f32::max);
        if reduction > 1.01 {
            text += &format!("; in software, so at {:.0} % of the resolution", 100.0 / reduction);
        }
        match self.glows.iter().flatten().map(SwarmRenderer::individuals_in_one).max() {
            None | Some(0 | 1) => {}
            Some(each) => text += &format!("; one of {each} individuals is drawn"),
        }
        text
    }

    /// Sets the size of the surface in pixels. A size without area is ignored.
    pub fn resize(&mut self, size: UVec2) {
        let most = self.gpu.device.limits().max_texture_dimension_2d;
        if size.min_element() > 0 && size != self.size() {
            [self.config.width, self.config.height] = size.min(UVec2::splat(most)).to_array();
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    /// Sets the snapshot that the next frames draw.
    ///
    /// # Errors
    /// If the device cannot draw both models.
    pub fn show(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let Snapshot { source, individuals, compared, info, .. } = snapshot;
        // A swarm on another or a lost device is skipped. A later snapshot has the swarm on a new device.
        let sources = [Some(source), compared.as_ref().map(|other| &other.source)];
        let is_elsewhere = |source: &&SwarmSource| match source {
            SwarmSource::Device(textures) => !textures.gpu.is_same_device(&self.gpu),
            _ => false,
        };
        if sources.iter().flatten().any(is_elsewhere) {
            return Ok(());
        }
        let longest = self.longest_side();
        let is_too_large = source.extents().as_cell().iter().any(|side| *side as usize > longest);
        if is_too_large && !self.is_too_large {
            let name = &self.gpu.info.name;
            self.error = Some(format!("{name} cannot show a lattice of more than {longest} cells a side"));
        }
        self.is_too_large = is_too_large;
        if is_too_large {
            self.glows[1] = None;
            return Ok(());
        }
        self.small.iter_mut().for_each(|small| small.drawn = None);
        let compared = compared.as_ref();
        let compared = compared.map(|other| (other.source.clone(), other.individuals.clone()));
        for (glow, swarm) in self.glows.iter_mut().zip([Some((source.clone(), individuals.clone())), compared]) {
            let Some((source, individuals)) = swarm else {
                *glow = None;
                continue;
            };
            if glow.is_none() {
                *glow = Some(renderer(&self.gpu, self.config.format, &self.look)?);
            }
            if let Some(glow) = glow {
                glow.show(source, &info.world);
                glow.show_individuals(individuals.as_ref());
            }
        }
        Ok(())
    }

    /// The first error since the last call, as a text for users.
    pub fn take_error(&mut self) -> Option<String> {
        let reported = self.gpu.take_error().map(|error| format!("the graphics adapter failed: {error}"));
        self.error.take().or(reported)
    }

    /// Draws a frame. Textures of the interface are uploaded even if the window is not visible.
    pub fn draw(&mut self, arrangement: &Arrangement, look: &Look, painted: InterfaceFrame) -> DrawResult {
        let InterfaceFrame { mut textures, shapes, pixels_per_point } = painted;
        // Uploads must not coincide with an engine that drops a destroyed device.
        let turn = self.gpu.turn();
        self.interface.take_textures(&mut textures);
        drop(turn);
        let drawn = if self.gpu.is_lost() {
            DrawResult::DeviceLost
        } else {
            self.draw_shapes(arrangement, look, shapes, pixels_per_point)
        };
        self.interface.free_textures(&mut textures);
        self.frames += 1;
        self.retries = if drawn == DrawResult::Retry { self.retries + 1 } else { 0 };
        // A discarded device counts as lost too. Its engine continues on another device, and pictures are drawn there.
        let is_lost = self.gpu.is_lost() || self.gpu.is_discarded() || self.retries > MAX_RETRIES;
        if is_lost { DrawResult::DeviceLost } else { drawn }
    }

    fn draw_shapes(
        &mut self,
        arrangement: &Arrangement,
        look: &Look,
        shapes: Vec<egui::ClippedPrimitive>,
        pixels_per_point: f32,
    ) -> DrawResult {
        let Ok(frame) = guarded(|| self.surface.get_current_texture()) else { return DrawResult::DeviceLost };
        let frame = match frame {
            CurrentSurfaceTexture::Success(frame) | CurrentSurfaceTexture::Suboptimal(frame) => frame,
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => return DrawResult::Hidden,
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Validation => {
                self.surface.configure(&self.gpu.device, &self.config);
                return DrawResult::Retry;
            }
            CurrentSurfaceTexture::Lost => {
                match create_surface(&self.window) {
                    Ok(surface) => self.surface = surface,
                    Err(_) => return DrawResult::DeviceLost,
                }
                self.surface.configure(&self.gpu.device, &self.config);
                return DrawResult::Retry;
            }
        };
        if fault_injection::is_due(Device::Canvas, self.frames) {
            self.gpu.lose();
        }
        let view = frame.texture.create_view(&Default::default());
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let size = self.size();
        let device = self.gpu.clone();
        let turn = device.turn();
        self.draw_swarm(&mut encoder, &view, arrangement, look);
        let part = (size, arrangement.covered);
        let painted = self.interface.draw(&mut encoder, &view, shapes, part, pixels_per_point, &self.upscaler);
        let is_painted = painted.is_ok();
        let mut submission = None;
        if let Ok(commands) = painted {
            let begun = self.gpu.now();
            submission = Some(self.gpu.queue().submit(commands.into_iter().chain([encoder.finish()])));
            self.last_frame_time = self.frame_time();
            self.frame_time = self.gpu.time_submission(0, begun);
            self.glows.iter_mut().flatten().for_each(SwarmRenderer::submitted);
            self.window.pre_present_notify();
        }
        drop(turn);
        // A software adapter waits for its drawing when it presents, and blocks other submissions meanwhile.
        if let Some(submission) = submission.filter(|_| self.gpu.is_software()) {
            self.gpu.finish(submission);
        }
        // A lost device presents too: a surface panics on drop if its texture was not presented.
        let is_presented = guarded(|| self.gpu.queue().present(frame)).is_ok();
        if is_painted && is_presented { DrawResult::Presented } else { DrawResult::DeviceLost }
    }

    /// The factor by which the picture is reduced along each axis; 1: not reduced.
    fn reduction(&self, side: &Side) -> f32 {
        let (camera, UVec2 { x: width, y: height }) = (side.camera(), side.pane.size);
        // Strokes, single boids and planes of values need the full resolution. A cloud looks as good at a lower
        // resolution.
        let is_sharp = |glow: &SwarmRenderer| glow.individuals_in_one() > 0 || glow.shows_values();
        let has_shapes = self.glows[side.model as usize].as_ref().is_some_and(is_sharp);
        if !self.gpu.is_software() || camera.pixels_per_cell > NEAR || has_shapes {
            return 1.0;
        }
        let wanted = (width as f32 * height as f32 / SOFTWARE_PIXELS).sqrt();
        // A cell has at least one pixel, so that no detail is lost.
        wanted.min(camera.pixels_per_cell).clamp(1.0, MAX_REDUCTION)
    }

    /// Draws the swarm. A software adapter draws pictures that may be smaller than their parts of the window (see
    /// [`Self::reduction`]), keeps the pictures, and scales them up.
    fn draw_swarm(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        arrangement: &Arrangement,
        look: &Look,
    ) {
        if !self.gpu.is_software() {
            return draw_sides(&mut self.glows, encoder, target, arrangement, look);
        }
        for (index, side) in arrangement.sides().into_iter().enumerate() {
            let reduction = self.reduction(&side);
            let size = (side.pane.size.as_vec2() / reduction).ceil().as_uvec2();
            if self.small.get(index).is_none_or(|known| known.size != size) {
                let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
                let texture =
                    program::texture(&self.gpu.device, "small", size.to_array(), self.config.format, 1, usage);
                let view = texture.create_view(&Default::default());
                self.small.truncate(index);
                self.small.push(ReducedPicture { view, size, drawn: None });
            }
            let transform = match side.transform {
                ViewTransform::Above(camera) => {
                    ViewTransform::Above(Camera { pixels_per_cell: camera.pixels_per_cell / reduction, ..camera })
                }
                around => around,
            };
            let near = Side { transform, pane: size.into(), depth: Depth::default(), ..side };
            let small = &mut self.small[index];
            let glow = &mut self.glows[side.model as usize];
            // A picture is kept if only the interface changes. With trails it is drawn in every frame, because trails
            // fade.
            let is_known = small.drawn.as_ref().is_some_and(|(known, with)| (known, with) == (&near, look));
            if let Some(glow) = glow
                && (look.trails > 0.0 || !is_known)
            {
                glow.draw(encoder, &small.view, near.pane, &near.transform, look);
                // If some rock is still missing, the next frame draws the picture again.
                small.drawn = (!glow.is_unfinished()).then(|| (near, look.clone()));
            }
            self.upscaler.draw(encoder, &small.view, target, side.pane);
        }
    }

    /// Whether another frame would show more of the swarm, for example rock that is not drawn yet.
    pub fn is_unfinished(&self) -> bool {
        self.glows.iter().flatten().any(SwarmRenderer::is_unfinished)
    }

    /// For each pass of the last measured picture: the name of its kernel, and the time of the pass in milliseconds.
    pub fn milliseconds_by_pass(&self) -> Vec<(String, f64)> {
        let passes = self.glows[0].iter().flat_map(SwarmRenderer::seconds_by_pass);
        passes.map(|(name, seconds)| (name.clone(), 1e3 * seconds)).collect()
    }

    /// Requests a picture of the window without the interface.
    ///
    /// # Errors
    /// `Device` if the device fails.
    pub fn request_still(&mut self, arrangement: &Arrangement, look: &Look) -> Result<Still, Failure> {
        self.set_behind(0.0);
        self.set_waiting(true);
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let size = arrangement.size.to_array();
        let texture = program::texture(&self.gpu.device, "still", size, self.config.format, 1, usage);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let view = texture.create_view(&Default::default());
        let turn = self.gpu.turn();
        draw_sides(&mut self.glows, &mut encoder, &view, arrangement, look);
        let glow = self.glows[0].as_mut();
        let (step, top) = glow.map_or((None, None), |glow| (glow.drawn_step(), glow.top_of_scale()));
        let on_device = self.glows[0].as_ref().and_then(SwarmRenderer::top_buffer);
        let requested = request_picture(&self.gpu, encoder, &texture, on_device);
        drop(turn);
        self.set_waiting(false);
        self.glows.iter_mut().flatten().for_each(SwarmRenderer::submitted);
        let has_blue_first = self.config.format == wgpu::TextureFormat::Bgra8Unorm;
        let no_picture = |failure| Failure::Device(format!("no picture could be taken: {failure}"));
        let picture = requested.map_err(no_picture)?.map(move |(mut picture, top_on_device)| {
            if has_blue_first {
                picture.bytes.as_chunks_mut::<3>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
            }
            (picture, top_on_device.or(top))
        });
        Ok(Still { picture, step })
    }
}

/// A renderer for frames of the window. A frame does not wait for rock that is not ready yet.
fn renderer(gpu: &Arc<Gpu>, format: wgpu::TextureFormat, look: &Chain) -> Result<SwarmRenderer, Failure> {
    let mut renderer = SwarmRenderer::with_chain(gpu, format, look.clone())?;
    renderer.set_waiting(false);
    Ok(renderer)
}

/// Creates the surface of a window. The surface belongs to the wgpu instance that opens all devices.
fn create_surface(window: &Arc<Window>) -> Result<wgpu::Surface<'static>, Failure> {
    let created = crate::devices().instance().create_surface(window.clone());
    created.map_err(|error| {
        let cure = "install a Vulkan driver (on Debian: mesa-vulkan-drivers), or use `murmuration render`";
        Failure::Device(format!("no graphics driver can draw on a window: {error}; {cure}"))
    })
}

fn draw_sides(
    glows: &mut [Option<SwarmRenderer>; 2],
    encoder: &mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    arrangement: &Arrangement,
    look: &Look,
) {
    for Side { model, pane, transform, .. } in arrangement.sides() {
        if let Some(glow) = &mut glows[model as usize] {
            glow.draw(encoder, target, pane, &transform, look);
        }
    }
}
