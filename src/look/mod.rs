//! The look: a swarm as a glowing cloud from afar, and as points of light close up, drawn on a GPU.
//!
//! Light is the language: brightness is density, hue is heading, white only where it is crowded. The chain is
//! `passes/glow.toml`, its kernels are `shaders/look/`; [`crate::observe::glow`] is its twin on the CPU, from which it
//! has its formulas and constants. Nothing here touches the simulation.

mod bodies;
mod camera;
mod enlarge;
mod orbit;
mod passes;
mod points;
pub mod shader;
mod view;

pub use camera::Camera;
pub use enlarge::Enlarger;
pub use orbit::Orbit;

use crate::agents::Agents;
use crate::chain::Chain;
use crate::engine::gpu::program::{buffer, texture};
use crate::engine::gpu::{Gpu, Stopwatch};
use crate::error::Failure;
use crate::observe::{self, Picture};
use crate::preset::Look;
use crate::state::State;
use crate::world::{Edges, Extents, World};
use bodies::{Bodies, Body};
use orbit::Eye;
use passes::{Bindings, Passes, Stage};
use points::{Point, Points, Window};
use shader::LookConfig;
use std::sync::mpsc;
use view::View;

/// The chain that is played where no other is given.
pub const DEFAULT_CHAIN: &str = "glow";

/// The light of a mote, of which the water takes much, as a multiple of that of a boid.
const MOTE: f32 = 1.8;
/// The length of a fish in cells.
const FISH: f32 = 3.4;

/// From where a swarm is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewTransform {
    /// From above: the whole depth of a world in one plane.
    Above(Camera),
    /// From anywhere around a deep world of individuals.
    Around(Orbit),
}

impl From<Camera> for ViewTransform {
    fn from(camera: Camera) -> Self {
        Self::Above(camera)
    }
}

/// The part of a target that a picture takes, in pixels from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    pub origin: [u32; 2],
    pub size: [u32; 2],
}

impl From<[u32; 2]> for Pane {
    /// All of a target of this size.
    fn from(size: [u32; 2]) -> Self {
        Self { origin: [0; 2], size }
    }
}

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
    bodies: Bodies,
    body_buffer: wgpu::Buffer,
    eye: wgpu::Buffer,
    is_software: bool,
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
    given: [(&'static str, wgpu::TextureView); 4],
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
        Self::with_chain(device, queue, target, Chain::load(DEFAULT_CHAIN)?)
    }

    /// The same, played by a chain of the look.
    ///
    /// # Errors
    /// A chain of another model, or one with a kernel that is not valid.
    pub fn with_chain(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: wgpu::TextureFormat,
        chain: Chain,
    ) -> Result<Self, Failure> {
        shader::check(&chain)?;
        let uniform = |label, size: usize| {
            let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
            buffer(device, label, (size as u64).next_multiple_of(16), usage)
        };
        let (view, eye) = (uniform("view", size_of::<View>()), uniform("eye", size_of::<Eye>()));
        let palette_texture =
            uploaded(device, "palette", [observe::PALETTE as u32, 1], wgpu::TextureFormat::Rgba32Float);
        Ok(Self {
            passes: Passes::new(
                device,
                queue,
                chain,
                target,
                LookConfig { edges: Edges::Torus, has_solids: false, colouring: Default::default() },
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
            bodies: Bodies::default(),
            body_buffer: body_buffer(device, 1),
            eye,
            is_software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
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

    /// Takes the individuals of the state that was shown last, or that it has none.
    pub fn show_individuals(&mut self, agents: Option<&Agents>) {
        let (Some(agents), Some(shown)) = (agents, &self.shown) else {
            self.bodies = Bodies::default();
            return;
        };
        self.bodies.take(agents, &shown.state, self.is_software);
        let bytes: &[u8] = bytemuck::cast_slice(&self.bodies.list);
        if bytes.len() as u64 > self.body_buffer.size() {
            self.body_buffer = body_buffer(&self.device, self.bodies.list.len().next_power_of_two());
            self.stage = None;
        }
        self.queue.write_buffer(&self.body_buffer, 0, bytes);
    }

    /// For how many individuals each that is drawn stands; 0 where there are none.
    pub fn individuals_in_one(&self) -> u32 {
        self.bodies.each
    }

    /// Textures for a lattice.
    fn begin(&self, state: &State, world: &World) -> Shown {
        let size = [state.extents.width, state.extents.height];
        let words = |name| uploaded(&self.device, name, size, wgpu::TextureFormat::R32Uint);
        let [density, control, solids] = ["density", "control", "solids"].map(words);
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let given = [
            ("density", view(&density)),
            ("control", view(&control)),
            ("solids", view(&solids)),
            ("palette", self.palette.clone()),
        ];
        let (state, world) = (state.clone(), world.clone());
        Shown { state, world, density, control, solids, given, steps: 0.0, is_new: true }
    }

    /// Draws what was shown last into a part of a target; nothing where nothing was shown yet. The part that begins at the
    /// target's corner is to be drawn first.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        pane: impl Into<Pane>,
        vantage: &ViewTransform,
        look: &Look,
    ) {
        let Pane { origin, size } = pane.into();
        let Some(shown) = &mut self.shown else { return };
        if size.contains(&0) {
            return;
        }
        let extents = shown.state.extents;
        // Around a world is nothing but night, and its glow does not reach round to the other side.
        let (camera, edges, config) = match vantage {
            ViewTransform::Above(camera) => (*camera, shown.world.edges, LookConfig::new(&shown.world, look)),
            ViewTransform::Around(orbit) => {
                let config =
                    LookConfig { has_solids: false, edges: Edges::Torus, ..LookConfig::new(&shown.world, look) };
                (orbit.from_above(size), Edges::Walls, config)
            }
        };
        let mut view = View::new(extents, edges, size, &camera, look);
        view.origin = origin.map(|pixel| pixel as i32);
        if self.bodies.each > 0 {
            view.of_individuals(self.bodies.list.len(), self.bodies.each, edges, look);
        }
        if self.passes.set(&self.device, config) {
            self.stage = None;
        }
        if self.colouring != Some(look.colour) {
            upload_palette(&self.queue, &self.palette_texture, look);
            self.colouring = Some(look.colour);
        }
        let has_stage = self.stage.as_ref().is_some_and(|stage| self.passes.fits(stage, &view));
        if !has_stage {
            let given =
                Bindings { view: &self.view, textures: &shown.given, bodies: &self.body_buffer, eye: &self.eye };
            self.stage = Some(self.passes.stage(&self.device, &view, &given));
        }
        let Some(stage) = &mut self.stage else { return };
        let fish = match vantage {
            ViewTransform::Above(_) => None,
            ViewTransform::Around(orbit) => {
                self.passes.look_around(&self.device, stage);
                let mote = MOTE * view.boid_light() * self.bodies.each as f32;
                let eye = Eye::new(orbit, size, FISH * look.point_size, mote);
                self.queue.write_buffer(&self.eye, 0, bytemuck::bytes_of(&eye));
                Some(eye.lengths())
            }
        };
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
            &passes::Picture {
                target,
                trail: if is_still && fish.is_none() { f64::from(look.trails) } else { 0.0 },
                is_same_swarm,
                points: (&self.point_buffer, self.drawn_points.len() as u32),
                view: &view,
                fish,
                stopwatch: self.stopwatch.as_ref().filter(|stopwatch| stopwatch.is_free()),
            },
        );
        if let Some(stopwatch) = self.stopwatch.as_mut().filter(|stopwatch| stopwatch.is_free()) {
            stopwatch.fetch(encoder);
        }
        shown.steps = 0.0;
        // From around nothing of the lattice is drawn.
        shown.is_new &= fish.is_some();
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

/// A part of a picture: a swarm, from where it is seen, and where in the picture.
pub struct Part<'a> {
    pub state: &'a State,
    /// Where it is individuals of whom the state is what a lattice sees.
    pub agents: Option<&'a Agents>,
    pub world: &'a World,
    pub vantage: ViewTransform,
    pub pane: Pane,
    /// Steps since the state of the picture before.
    pub steps: u64,
}

/// Makes pictures one after the other, as [`picture`] does, with pipelines made once.
pub struct Pictures {
    target: wgpu::TextureFormat,
    chain: Chain,
    /// By part of the picture.
    glows: Vec<Glow>,
}

impl Pictures {
    /// # Errors
    /// As [`Glow::new`].
    pub fn new(gpu: &Gpu) -> Result<Self, Failure> {
        Self::with_chain(gpu, Chain::load(DEFAULT_CHAIN)?)
    }

    /// The same, played by a chain of the look.
    ///
    /// # Errors
    /// As [`Glow::with_chain`].
    pub fn with_chain(gpu: &Gpu, chain: Chain) -> Result<Self, Failure> {
        let target = wgpu::TextureFormat::Rgba8Unorm;
        let glow = Glow::with_chain(&gpu.device, &gpu.queue, target, chain.clone())?;
        gpu.check()?;
        Ok(Self { target, chain, glows: vec![glow] })
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
        let part =
            Part { state, agents: None, world, vantage: ViewTransform::Above(*camera), pane: size.into(), steps: 1 };
        self.next(gpu, &[part], &look, size)
    }

    /// The picture of this size (pixels) with these parts, from the left: with the trails that the pictures before it left,
    /// and with single boids that have drifted on since.
    ///
    /// # Errors
    /// As [`picture`].
    pub fn next(&mut self, gpu: &Gpu, parts: &[Part<'_>], look: &Look, size: [u32; 2]) -> Result<Picture, Failure> {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let texture = texture(&gpu.device, "picture", size, self.target, 1, usage);
        let target = texture.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (index, part) in parts.iter().enumerate() {
            if index == self.glows.len() {
                self.glows.push(Glow::with_chain(&gpu.device, &gpu.queue, self.target, self.chain.clone())?);
            }
            let glow = &mut self.glows[index];
            glow.show_after(part.state, part.world, part.steps);
            glow.show_individuals(part.agents);
            glow.draw(&mut encoder, &target, part.pane, &part.vantage, look);
        }
        download(gpu, encoder, &texture, size)
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

/// A texture that is uploaded.
fn uploaded(device: &wgpu::Device, name: &str, size: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
    texture(device, name, size, format, 1, wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST)
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

fn body_buffer(device: &wgpu::Device, bodies: usize) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
    buffer(device, "bodies", (bodies * size_of::<Body>()) as u64, usage)
}

fn point_buffer(device: &wgpu::Device, points: usize) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
    buffer(device, "points", (points * size_of::<Point>()) as u64, usage)
}
