//! The renderer of a swarm: it takes states and draws them into the target of any wgpu program.

use super::bodies::Bodies;
use super::buffers::{ListBuffer, texture, uniform, upload};
use super::eye::Eye;
use super::input::FrameInput;
use super::passes::{Bindings, Frame, Passes, Stage};
use super::points::{Point, Points, Window};
use super::shader::{self, LookConfig};
use super::view::View;
use super::{Camera, Orbit, Pane, ViewTransform, default_chain};
use crate::agents::Agents;
use crate::chain::Chain;
use crate::device::Stopwatch;
use crate::error::Failure;
use crate::library::Library;
use crate::picture;
use crate::preset::{Colouring, Look};
use crate::state::State;
use crate::world::{Edges, Extents, World};
use glam::{UVec2, Vec2};

/// The light of a mote, as a multiple of that of a boid, to make up for what the water absorbs.
const MOTE_LIGHT: f32 = 1.8;
/// The length of a fish in cells.
const FISH_LENGTH: f32 = 3.4;
/// The palette is a texture of one row.
const PALETTE: Extents = Extents { width: picture::PALETTE as u32, height: 1 };

/// Draws a swarm on a device of the caller's.
pub struct SwarmRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    is_software: bool,
    passes: Passes,
    view: wgpu::Buffer,
    eye: wgpu::Buffer,
    palette: wgpu::Texture,
    /// The colouring whose palette is uploaded.
    colouring: Option<Colouring>,
    input: Option<FrameInput>,
    /// Textures and bind groups for the input and the size of the screen.
    stage: Option<Stage>,
    /// The view that was drawn last.
    last: Option<View>,
    points: Points,
    drawn_points: Vec<Point>,
    point_buffer: ListBuffer,
    bodies: Bodies,
    body_buffer: ListBuffer,
    /// Measures all passes together; `None`: the device has no timestamps.
    stopwatch: Option<Stopwatch>,
}

impl SwarmRenderer {
    /// A renderer for targets of this format, sRGB or not.
    ///
    /// # Errors
    /// The chain of the look or one of its kernels is invalid.
    pub fn new(
        library: Library,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: wgpu::TextureFormat,
    ) -> Result<Self, Failure> {
        Self::with_chain(library, device, queue, target, default_chain(&library)?)
    }

    /// The same, played by a chain of the look.
    ///
    /// # Errors
    /// A chain of another model, or an invalid kernel.
    pub fn with_chain(
        library: Library,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: wgpu::TextureFormat,
        chain: Chain,
    ) -> Result<Self, Failure> {
        shader::check(&library, &chain)?;
        let config = LookConfig { edges: Edges::Torus, has_solids: false, colouring: Default::default() };
        Ok(Self {
            is_software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            passes: Passes::new(library, device, queue, chain, target, config),
            view: uniform::<View>(device, "view"),
            eye: uniform::<Eye>(device, "eye"),
            palette: texture(device, "palette", PALETTE, wgpu::TextureFormat::Rgba32Float),
            colouring: None,
            input: None,
            stage: None,
            last: None,
            points: Points::default(),
            drawn_points: Vec::new(),
            point_buffer: ListBuffer::new(device, "points", wgpu::BufferUsages::VERTEX),
            bodies: Bodies::default(),
            body_buffer: ListBuffer::new(device, "bodies", wgpu::BufferUsages::STORAGE),
            stopwatch: Stopwatch::new(device, queue, 1),
            device: device.clone(),
            queue: queue.clone(),
        })
    }

    /// Takes the state to draw, `steps` steps after the one before: single boids drift that far. A state with other
    /// extents, edges or solids is another world, where points begin anew.
    pub fn show(&mut self, state: &State, world: &World, steps: u64) {
        let is_other = match &mut self.input {
            Some(input) if input.state.extents == state.extents => input.update(&self.queue, state, world, steps),
            input => {
                let palette = self.palette.create_view(&Default::default());
                *input = Some(FrameInput::new(&self.device, &self.queue, state, world, &palette));
                self.stage = None;
                true
            }
        };
        if is_other {
            self.points.clear();
        }
    }

    /// Takes the individuals whose deposit on the lattice was shown last; `None`: it is a swarm of cells.
    pub fn show_individuals(&mut self, agents: Option<&Agents>) {
        let (Some(agents), Some(input)) = (agents, &self.input) else {
            self.bodies = Bodies::default();
            return;
        };
        self.bodies.read(agents, &input.state, self.is_software);
        if self.body_buffer.write(&self.device, &self.queue, &self.bodies.list) {
            self.stage = None;
        }
    }

    /// The number of individuals for which each drawn one stands; 0 for a swarm of cells.
    pub fn individuals_in_one(&self) -> u32 {
        self.bodies.each
    }

    /// Encodes the passes that draw the last shown state into a part of a target; nothing if no state was shown yet. Draw
    /// the part at the target's origin first: it clears the target.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        pane: impl Into<Pane>,
        transform: &ViewTransform,
        look: &Look,
    ) {
        let Pane { origin, size } = pane.into();
        if size.min_element() == 0 {
            return;
        }
        let Some(mut input) = self.input.take() else { return };
        let camera = transform.overhead(size);
        let (edges, config) = match transform {
            ViewTransform::Above(_) => (input.world.edges, LookConfig::new(&input.world, look)),
            // Nothing lies around the world, and the halo does not wrap around the screen.
            ViewTransform::Around(_) => {
                let config = LookConfig::new(&input.world, look);
                (Edges::Walls, LookConfig { has_solids: false, edges: Edges::Torus, ..config })
            }
        };
        let mut view = View::new(input.state.extents, edges, size, &camera, look);
        view.origin = origin.as_ivec2();
        if self.bodies.each > 0 {
            view.of_individuals(self.bodies.list.len(), self.bodies.each, edges, look);
        }
        self.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        self.move_points(&input, &view, &camera, size);
        let mut stage = self.stage_for(&input, &view, config, look);
        let fish = match transform {
            ViewTransform::Above(_) => None,
            ViewTransform::Around(orbit) => Some(self.look_around(&mut stage, orbit, size, &view, look)),
        };
        // The trail is that of moving boids, not of a moving camera.
        let is_still = fish.is_none() && self.last.is_some_and(|last| last.is_same_place(&view));
        let stopwatch = self.stopwatch.as_ref().filter(|stopwatch| stopwatch.is_free());
        self.passes.encode(
            encoder,
            &stage,
            &Frame {
                target,
                trail: if is_still { f64::from(look.trails) } else { 0.0 },
                is_same_swarm: !input.is_new && self.last.is_some_and(|last| last.is_same_scale(&view)),
                points: (&self.point_buffer.buffer, self.drawn_points.len() as u32),
                view: &view,
                fish,
                stopwatch,
            },
        );
        if let Some(stopwatch) = self.stopwatch.as_mut().filter(|stopwatch| stopwatch.is_free()) {
            stopwatch.fetch(encoder);
        }
        input.steps = 0.0;
        // The passes around a deep world do not read the lattice.
        input.is_new &= fish.is_some();
        (self.input, self.stage, self.last) = (Some(input), Some(stage), Some(view));
    }

    /// Makes pipelines, palette, textures and bind groups anew where the view or the look needs others.
    fn stage_for(&mut self, input: &FrameInput, view: &View, config: LookConfig, look: &Look) -> Stage {
        let has_new_pipelines = self.passes.set(&self.device, config);
        if self.colouring != Some(look.colour) {
            let palette = picture::palette(look.colour).map(|[red, green, blue]| [red, green, blue, 1.0]);
            upload(&self.queue, &self.palette, PALETTE, &palette);
            self.colouring = Some(look.colour);
        }
        let kept = self.stage.take().filter(|stage| !has_new_pipelines && self.passes.fits(stage, view));
        kept.unwrap_or_else(|| {
            self.last = None;
            let bodies = &self.body_buffer.buffer;
            let given = Bindings { view: &self.view, textures: &input.textures, bodies, eye: &self.eye };
            self.passes.stage(&self.device, view, &given)
        })
    }

    /// Uploads the eye of an orbit. Returns the pixels along a fish at the nearest and farthest corner of the world.
    fn look_around(&self, stage: &mut Stage, orbit: &Orbit, size: UVec2, view: &View, look: &Look) -> [f32; 2] {
        self.passes.look_around(&self.device, stage);
        let mote_light = MOTE_LIGHT * view.boid_light() * self.bodies.each as f32;
        let eye = Eye::new(orbit, size, FISH_LENGTH * look.point_size, mote_light);
        self.queue.write_buffer(&self.eye, 0, bytemuck::bytes_of(&eye));
        eye.lengths()
    }

    /// Moves the points of the view to the state, and uploads them.
    fn move_points(&mut self, input: &FrameInput, view: &View, camera: &Camera, size: UVec2) {
        self.drawn_points.clear();
        if view.point_light <= 0.0 {
            self.points.clear();
            return;
        }
        // With one cell around the screen, points do not pop in and out at its edge.
        let window = Window {
            first: camera.cell_at(size, Vec2::ZERO).floor().as_ivec2() - 1,
            end: camera.cell_at(size, size.as_vec2()).ceil().as_ivec2() + 1,
        };
        self.points.follow(&input.state, &input.world, window, input.steps);
        let pixel_at = |cell| camera.pixel_at(size, cell);
        self.drawn_points.extend(self.points.drawn(&input.state, &input.world, view.exposures_per_boid, pixel_at));
        self.point_buffer.write(&self.device, &self.queue, &self.drawn_points);
    }

    /// Reads the timestamps; to be called after the submission of what was encoded.
    pub fn submitted(&mut self) {
        if let Some(stopwatch) = &mut self.stopwatch {
            stopwatch.collect();
        }
    }

    /// The seconds that all passes took lately; `None`: the device has no timestamps, or none were read yet.
    pub fn seconds(&self) -> Option<f64> {
        self.stopwatch.as_ref()?.seconds().first().copied()
    }
}
