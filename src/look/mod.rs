//! The look: a swarm as a glowing cloud from afar, and as points of light close up, drawn on a GPU.
//!
//! Light is the language: brightness is density, hue is heading, white only where it is crowded. The chain is
//! `passes/glow.toml`, its kernels are `shaders/look/`; [`crate::observe::glow`] is its twin on the CPU, from which it
//! has its formulas and constants. Nothing here touches the simulation.

mod camera;
pub mod chain;
mod passes;
mod points;
pub mod shader;
mod view;

pub use camera::Camera;

use crate::engine::gpu::{Gpu, Stopwatch};
use crate::error::Failure;
use crate::observe::{self, Picture};
use crate::preset::Look;
use crate::state::State;
use crate::world::{Edges, Extents, World};
use chain::Chain;
use passes::{Drawing, Passes, Stage};
use points::{Point, Points, Window};
use shader::Setting;
use std::sync::mpsc;
use view::View;

/// A swarm on a screen.
pub struct Glow {
    device: wgpu::Device,
    queue: wgpu::Queue,
    passes: Passes,
    view: wgpu::Buffer,
    palette: wgpu::TextureView,
    /// The colouring that the palette is for.
    colouring: Option<crate::preset::Colouring>,
    palette_texture: wgpu::Texture,
    shown: Option<Shown>,
    stage: Option<Stage>,
    /// What was drawn last.
    last: Option<View>,
    points: Points,
    point_buffer: wgpu::Buffer,
    drawn_points: Vec<Point>,
    /// Of the whole chain; `None`: the device has no clock.
    stopwatch: Option<Stopwatch>,
}

/// What is to be drawn.
struct Shown {
    /// As the points need it.
    state: State,
    world: World,
    density: wgpu::Texture,
    control: wgpu::Texture,
    solids: wgpu::Texture,
    given: [wgpu::TextureView; 4],
    /// Steps since the points were last moved.
    steps: f32,
    /// The swarm has changed since it was last drawn.
    is_new: bool,
}

impl Glow {
    /// A look for targets of this format, which may be an sRGB one or not.
    ///
    /// # Errors
    /// A kernel of the look that is not valid, which is a mistake of the program's.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, target: wgpu::TextureFormat) -> Result<Self, Failure> {
        let chain = Chain::read(chain::GLOW_ORIGIN, chain::GLOW)?;
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: (size_of::<View>() as u64).next_multiple_of(16),
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let palette_texture =
            texture(device, "palette", [observe::PALETTE as u32, 1], wgpu::TextureFormat::Rgba32Float);
        Ok(Self {
            passes: Passes::new(
                device,
                chain,
                target,
                Setting { edges: Edges::Torus, has_solids: false, colouring: Default::default() },
            ),
            view,
            palette: palette_texture.create_view(&Default::default()),
            palette_texture,
            colouring: None,
            shown: None,
            stage: None,
            last: None,
            points: Points::default(),
            point_buffer: point_buffer(device, 1 << 12),
            drawn_points: Vec::new(),
            stopwatch: Stopwatch::new(device, queue, 1),
            device: device.clone(),
            queue: queue.clone(),
        })
    }

    /// Takes a state to be drawn, one step after the one before; see [`Self::show_after`].
    pub fn show(&mut self, state: &State, world: &World) {
        self.show_after(state, world, 1);
    }

    /// Takes a state to be drawn, `steps` steps after the one before it: so far single boids drift. What has other
    /// extents, edges or solids than before is another world, whose boids are others.
    pub fn show_after(&mut self, state: &State, world: &World, steps: u64) {
        let is_same = self.shown.as_ref().is_some_and(|shown| shown.state.extents == state.extents);
        if !is_same {
            self.shown = Some(self.begin(state, world));
            self.stage = None;
            self.points.clear();
        }
        let Some(shown) = &mut self.shown else { return };
        let extents = state.extents;
        if !is_same || shown.world.solids != world.solids || shown.world.edges != world.edges {
            if !world.solids.is_empty() {
                let words: Vec<u32> = world.solids.iter().map(|solid| u32::from(*solid)).collect();
                upload(&self.queue, &shown.solids, extents, &words);
            }
            shown.world = world.clone();
            self.points.clear();
        }
        upload(&self.queue, &shown.density, extents, &state.density);
        upload(&self.queue, &shown.control, extents, &state.control);
        shown.state.density.copy_from_slice(&state.density);
        shown.state.control.copy_from_slice(&state.control);
        shown.steps += steps as f32;
        shown.is_new = true;
    }

    /// Textures for a lattice.
    fn begin(&self, state: &State, world: &World) -> Shown {
        let size = [state.extents.width, state.extents.height];
        let words = |name| texture(&self.device, name, size, wgpu::TextureFormat::R32Uint);
        let [density, control, solids] = ["density", "control", "solids"].map(words);
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let given = [view(&density), view(&control), view(&solids), self.palette.clone()];
        let (state, world) = (state.clone(), world.clone());
        Shown { state, world, density, control, solids, given, steps: 0.0, is_new: true }
    }

    /// Draws what was shown last into a target of this size in pixels; nothing where nothing was shown yet.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        camera: &Camera,
        look: &Look,
    ) {
        let Some(shown) = &mut self.shown else { return };
        if size.contains(&0) {
            return;
        }
        let extents = shown.state.extents;
        let view = View::new(extents, shown.world.edges, size, camera, look);
        if self.passes.set(&self.device, Setting::new(&shown.world, look)) {
            self.stage = None;
        }
        if self.colouring != Some(look.colour) {
            upload_palette(&self.queue, &self.palette_texture, look);
            self.colouring = Some(look.colour);
        }
        let has_stage = self.stage.as_ref().is_some_and(|stage| self.passes.fits(stage, &view));
        if !has_stage {
            self.stage = Some(self.passes.stage(&self.device, &view, &self.view, &shown.given));
        }
        let Some(stage) = &self.stage else { return };
        if view.points > 0.0 {
            let corners = [[0.0; 2], size.map(|pixels| pixels as f32)].map(|pixel| camera.cell_at(size, pixel));
            // A cell around, so that points neither come nor go at the edge of the screen.
            let window = Window {
                first: corners[0].map(|axis| axis.floor() as i32 - 1),
                end: corners[1].map(|axis| axis.ceil() as i32 + 1),
            };
            self.points.follow(&shown.state, &shown.world, window, shown.steps);
            self.drawn_points.clear();
            let pixel_at = |cell| camera.pixel_at(size, cell);
            self.drawn_points.extend(self.points.drawn(&shown.state, &shown.world, view.exposures_of_boid, pixel_at));
            let bytes: &[u8] = bytemuck::cast_slice(&self.drawn_points);
            if (bytes.len() as u64) > self.point_buffer.size() {
                self.point_buffer = point_buffer(&self.device, self.drawn_points.len().next_power_of_two());
            }
            self.queue.write_buffer(&self.point_buffer, 0, bytes);
        } else {
            self.points.clear();
            self.drawn_points.clear();
        }
        self.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        // A trail is of boids and not of the camera.
        let is_still = has_stage
            && self
                .last
                .is_some_and(|last| (last.first, last.offset, last.pace) == (view.first, view.offset, view.pace));
        let is_same_swarm = has_stage
            && !shown.is_new
            && self.last.is_some_and(|last| {
                (last.reduction, last.exposures_of_boid) == (view.reduction, view.exposures_of_boid)
            });
        self.passes.encode(
            encoder,
            stage,
            &Drawing {
                target,
                trail: if is_still { f64::from(look.trails) } else { 0.0 },
                is_same_swarm,
                points: (&self.point_buffer, self.drawn_points.len() as u32),
                view: &view,
                stopwatch: self.stopwatch.as_ref().filter(|stopwatch| stopwatch.is_free()),
            },
        );
        if let Some(stopwatch) = self.stopwatch.as_mut().filter(|stopwatch| stopwatch.is_free()) {
            stopwatch.fetch(encoder);
        }
        (shown.steps, shown.is_new) = (0.0, false);
        self.last = Some(view);
    }

    /// To be called when what was encoded is submitted.
    pub fn submitted(&mut self) {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.collect();
        }
    }

    /// The seconds that all passes took of late; `None` where the device has no clock, or before it has answered.
    pub fn seconds(&self) -> Option<f64> {
        self.stopwatch.as_ref()?.seconds().first().copied()
    }
}

/// The picture of a state, drawn on a GPU: the same view as [`observe::glow`], alike within 2 of 255 levels.
///
/// # Errors
/// The device failed, or cannot hold a picture of this size.
pub fn picture(gpu: &Gpu, state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
    Pictures::new(gpu)?.picture(gpu, state, world, look)
}

/// Makes pictures one after the other, as [`picture`] does, with pipelines made once.
pub struct Pictures(Glow);

impl Pictures {
    /// # Errors
    /// As [`Glow::new`].
    pub fn new(gpu: &Gpu) -> Result<Self, Failure> {
        let glow = Glow::new(&gpu.device, &gpu.queue, wgpu::TextureFormat::Rgba8Unorm)?;
        gpu.check()?;
        Ok(Self(glow))
    }

    /// # Errors
    /// As [`picture`].
    pub fn picture(&mut self, gpu: &Gpu, state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
        let (size, pixels_per_cell) = observe::frame(state.extents);
        let centre = size.map(|pixels| pixels as f32 / 2.0 / pixels_per_cell);
        self.view(gpu, state, world, look, &Camera { centre, pixels_per_cell }, size)
    }

    /// The picture of this size (pixels) that a camera takes.
    ///
    /// # Errors
    /// As [`picture`].
    pub fn view(
        &mut self,
        gpu: &Gpu,
        state: &State,
        world: &World,
        look: &Look,
        camera: &Camera,
        size: [u32; 2],
    ) -> Result<Picture, Failure> {
        // Every picture stands for itself.
        let look = Look { trails: 0.0, ..look.clone() };
        self.next(gpu, state, world, &look, camera, size, 1)
    }

    /// The same, of a state that is `steps` steps after the one before it: with the trails that those before left, and
    /// with single boids that have drifted on.
    ///
    /// # Errors
    /// As [`picture`].
    #[allow(clippy::too_many_arguments)]
    pub fn next(
        &mut self,
        gpu: &Gpu,
        state: &State,
        world: &World,
        look: &Look,
        camera: &Camera,
        size: [u32; 2],
        steps: u64,
    ) -> Result<Picture, Failure> {
        let target = texture(&gpu.device, "picture", size, wgpu::TextureFormat::Rgba8Unorm);
        self.0.show_after(state, world, steps);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.0.draw(&mut encoder, &target.create_view(&Default::default()), size, camera, look);
        download(gpu, encoder, &target, size)
    }
}

/// Submits what was encoded, and reads a picture back.
fn download(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    target: &wgpu::Texture,
    [width, height]: [u32; 2],
) -> Result<Picture, Failure> {
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

fn texture(device: &wgpu::Device, name: &str, size: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
    let mut usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    if format == wgpu::TextureFormat::Rgba8Unorm {
        usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    }
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(name),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

fn upload(queue: &wgpu::Queue, texture: &wgpu::Texture, extents: Extents, words: &[u32]) {
    queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(words),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * extents.width), rows_per_image: None },
        wgpu::Extent3d { width: extents.width, height: extents.height, depth_or_array_layers: 1 },
    );
}

fn upload_palette(queue: &wgpu::Queue, texture: &wgpu::Texture, look: &Look) {
    let colours: Vec<[f32; 4]> = observe::palette(look.colour).iter().map(|[r, g, b]| [*r, *g, *b, 1.0]).collect();
    queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&colours),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(16 * colours.len() as u32), rows_per_image: None },
        wgpu::Extent3d { width: colours.len() as u32, height: 1, depth_or_array_layers: 1 },
    );
}

fn point_buffer(device: &wgpu::Device, points: usize) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("points"),
        size: (points * size_of::<Point>()) as u64,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
