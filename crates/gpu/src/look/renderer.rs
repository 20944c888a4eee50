//! The renderer of a swarm: it takes states and draws them into the target of any wgpu program.

use super::bodies::Bodies;
use super::orbit::Eye;
use super::passes::{Frame, PassResources, Passes};
use super::points::{Points, Window};
use super::shader::{self, LookConfig};
use super::view::View;
use super::{Camera, Orbit, Pane, ViewTransform};
use crate::chain::{Chain, DEFAULT_OF_LOOK};
use crate::device::Stopwatch;
use crate::device::program::{Resource, buffer, texture};
use crate::device::transfer::upload;
use crate::error::Failure;
use crate::library::Library;
use crate::picture;
use crate::preset::{Colouring, Look};
use crate::state::State;
use crate::world::{Edges, World};
use glam::{UVec2, Vec2};
use murmuration_core::individuals::Agents;

/// The light of a mote, as a multiple of that of a boid, to make up for what the water absorbs.
const MOTE_LIGHT: f32 = 1.8;
/// The length of a fish in cells.
const FISH_LENGTH: f32 = 3.4;

/// Draws a swarm on a device of the caller's.
pub struct SwarmRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    passes: Passes,
    view: wgpu::Buffer,
    eye: wgpu::Buffer,
    /// A texture of one row.
    palette: wgpu::Texture,
    /// The colouring whose palette is uploaded.
    colouring: Option<Colouring>,
    input: Option<FrameInput>,
    /// Textures and bind groups for the input and the size of the screen.
    resources: Option<PassResources>,
    /// The view that was drawn last.
    last: Option<View>,
    points: Points,
    point_buffer: wgpu::Buffer,
    bodies: Bodies,
    body_buffer: wgpu::Buffer,
    /// Measures all passes together.
    stopwatch: Stopwatch,
}

/// The state that a frame shows, for the points on the CPU and as textures for the kernels.
struct FrameInput {
    state: State,
    world: World,
    /// Density, control vectors and solids. A world without solids does not read theirs.
    textures: [wgpu::Texture; 3],
    /// Steps since the points were last moved.
    steps: f32,
    /// Whether the state changed since it was last drawn.
    is_new: bool,
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
        Self::with_chain(library, device, queue, target, Chain::load(&library, DEFAULT_OF_LOOK)?)
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
        let buffer = |label, size, usage| {
            buffer(device, label, (size as u64).next_multiple_of(16), usage | wgpu::BufferUsages::COPY_DST)
        };
        let palette = [picture::PALETTE as u32, 1];
        Ok(Self {
            passes: Passes::new(library, device, queue, chain, target, config),
            view: buffer("view", size_of::<View>(), wgpu::BufferUsages::UNIFORM),
            eye: buffer("eye", size_of::<Eye>(), wgpu::BufferUsages::UNIFORM),
            palette: texture(device, "palette", palette, wgpu::TextureFormat::Rgba32Float, 1, READ),
            colouring: None,
            input: None,
            resources: None,
            last: None,
            points: Points::default(),
            point_buffer: buffer("points", 1 << 10, wgpu::BufferUsages::VERTEX),
            bodies: Bodies::default(),
            body_buffer: buffer("bodies", 1 << 10, wgpu::BufferUsages::STORAGE),
            stopwatch: Stopwatch::new(device, queue, 1),
            device: device.clone(),
            queue: queue.clone(),
        })
    }

    /// Takes the state to draw, `steps` steps after the one before: single boids drift that far. A state with other
    /// extents, edges or solids is another world, where points begin anew.
    pub fn show(&mut self, state: &State, world: &World, steps: u64) {
        let kept = self.input.take().filter(|input| input.state.extents == state.extents);
        let is_same_size = kept.is_some();
        let mut input = kept.unwrap_or_else(|| FrameInput::new(&self.device, state, world));
        if !is_same_size {
            self.resources = None;
        }
        let is_other = input.world.solids != world.solids || input.world.edges != world.edges;
        if is_other {
            input.world = world.clone();
        }
        if is_other || !is_same_size {
            self.points.clear();
            if !world.solids.is_empty() {
                let words: Vec<u32> = world.solids.iter().map(|solid| u32::from(*solid)).collect();
                upload(&self.queue, &input.textures[2], &words);
            }
        }
        input.state.density.copy_from_slice(&state.density);
        input.state.control.copy_from_slice(&state.control);
        upload(&self.queue, &input.textures[0], &state.density);
        upload(&self.queue, &input.textures[1], &state.control);
        if is_same_size {
            input.steps += steps as f32;
        }
        input.is_new = true;
        self.input = Some(input);
    }

    /// Takes the individuals whose deposit on the lattice was shown last; `None`: it is a swarm of cells.
    pub fn show_individuals(&mut self, agents: Option<&Agents>) {
        let (Some(agents), Some(input)) = (agents, &self.input) else {
            self.bodies = Bodies::default();
            return;
        };
        self.bodies.read(agents, &input.state, self.passes.is_software);
        if write_list(&self.device, &self.queue, &mut self.body_buffer, &self.bodies.list) {
            self.resources = None;
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
        let config = LookConfig::new(&input.world, look);
        let (edges, config) = match transform {
            ViewTransform::Above(_) => (input.world.edges, config),
            // Nothing lies around the world, and the halo does not wrap around the screen.
            ViewTransform::Around(_) => (Edges::Walls, LookConfig { has_solids: false, edges: Edges::Torus, ..config }),
        };
        let mut view = View::new(input.state.extents, edges, size, &camera, look);
        view.origin = origin.as_ivec2();
        if self.bodies.each > 0 {
            view.of_individuals(self.bodies.list.len(), self.bodies.each, edges, look);
        }
        self.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        let points = self.move_points(&input, &view, &camera, size);
        let mut resources = self.resources_for(&input, &view, config, look);
        let fish = match transform {
            ViewTransform::Above(_) => None,
            ViewTransform::Around(orbit) => Some(self.look_around(&mut resources, orbit, size, &view, look)),
        };
        // The trail is that of moving boids, not of a moving camera.
        let is_still = fish.is_none() && self.last.is_some_and(|last| last.is_same_place(&view));
        let is_timed = self.stopwatch.is_free();
        self.passes.encode(
            encoder,
            &resources,
            &Frame {
                target,
                trail: if is_still { f64::from(look.trails) } else { 0.0 },
                is_same_swarm: !input.is_new && self.last.is_some_and(|last| last.is_same_scale(&view)),
                points: (&self.point_buffer, points),
                view: &view,
                fish,
                stopwatch: is_timed.then_some(&self.stopwatch),
            },
        );
        if is_timed {
            self.stopwatch.fetch(encoder);
        }
        input.steps = 0.0;
        // The passes around a deep world do not read the lattice.
        input.is_new &= fish.is_some();
        (self.input, self.resources, self.last) = (Some(input), Some(resources), Some(view));
    }

    /// Makes pipelines, palette, textures and bind groups anew where the view or the look needs others.
    fn resources_for(&mut self, input: &FrameInput, view: &View, config: LookConfig, look: &Look) -> PassResources {
        let has_new_pipelines = self.passes.set(&self.device, config);
        if self.colouring != Some(look.colour) {
            let palette = picture::palette(look.colour).map(|[red, green, blue]| [red, green, blue, 1.0]);
            upload(&self.queue, &self.palette, &palette);
            self.colouring = Some(look.colour);
        }
        let kept = self.resources.take().filter(|resources| !has_new_pipelines && self.passes.fits(resources, view));
        kept.unwrap_or_else(|| {
            self.last = None;
            let [density, control, solids] = &input.textures;
            self.passes.resources(&self.device, view, |name| {
                let texture = match name {
                    "density" => density,
                    "control" => control,
                    "solids" => solids,
                    "palette" => &self.palette,
                    "bodies" => return Resource::Buffer(&self.body_buffer),
                    "eye" => return Resource::Buffer(&self.eye),
                    _ => return Resource::Buffer(&self.view),
                };
                Resource::Texture(texture.create_view(&Default::default()))
            })
        })
    }

    /// Uploads the eye of an orbit. Returns the pixels along a fish at the nearest and farthest corner of the world.
    fn look_around(
        &self,
        resources: &mut PassResources,
        orbit: &Orbit,
        size: UVec2,
        view: &View,
        look: &Look,
    ) -> [f32; 2] {
        self.passes.look_around(&self.device, resources);
        let mote_light = MOTE_LIGHT * view.boid_light() * self.bodies.each as f32;
        let eye = Eye::new(orbit, size, FISH_LENGTH * look.point_size, mote_light);
        self.queue.write_buffer(&self.eye, 0, bytemuck::bytes_of(&eye));
        eye.lengths()
    }

    /// Moves the points of the view to the state, uploads them, and returns how many they are.
    fn move_points(&mut self, input: &FrameInput, view: &View, camera: &Camera, size: UVec2) -> u32 {
        if view.point_light <= 0.0 {
            self.points.clear();
            return 0;
        }
        // With one cell around the screen, points do not pop in and out at its edge.
        let window = Window {
            first: camera.cell_at(size, Vec2::ZERO).floor().as_ivec2() - 1,
            end: camera.cell_at(size, size.as_vec2()).ceil().as_ivec2() + 1,
        };
        self.points.follow(&input.state, &input.world, window, input.steps);
        let pixel_at = |cell| camera.pixel_at(size, cell);
        let drawn = self.points.draw(&input.state, &input.world, view.exposures_per_boid, pixel_at);
        write_list(&self.device, &self.queue, &mut self.point_buffer, drawn);
        drawn.len() as u32
    }

    /// Reads the timestamps; to be called after the submission of what was encoded.
    pub fn submitted(&mut self) {
        self.stopwatch.collect();
    }

    /// The seconds that all passes took lately; `None`: the device has no timestamps, or none were read yet.
    pub fn seconds(&self) -> Option<f64> {
        self.stopwatch.seconds().first().copied()
    }
}

/// The use of a texture that kernels read.
const READ: wgpu::TextureUsages = wgpu::TextureUsages::TEXTURE_BINDING.union(wgpu::TextureUsages::COPY_DST);

impl FrameInput {
    /// Makes the textures for a lattice.
    fn new(device: &wgpu::Device, state: &State, world: &World) -> Self {
        let size = [state.extents.width, state.extents.height];
        let textures = ["density", "control", "solids"]
            .map(|label| texture(device, label, size, wgpu::TextureFormat::R32Uint, 1, READ));
        Self { state: state.clone(), world: world.clone(), textures, steps: 0.0, is_new: true }
    }
}

/// Writes a list from the start of a buffer. Returns whether the list needed a larger buffer, so that bind groups have to be
/// made anew.
fn write_list(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    list_buffer: &mut wgpu::Buffer,
    list: &[impl bytemuck::NoUninit],
) -> bool {
    let bytes: &[u8] = bytemuck::cast_slice(list);
    let is_too_small = bytes.len() as u64 > list_buffer.size();
    if is_too_small {
        *list_buffer = buffer(device, "list", bytes.len().next_power_of_two() as u64, list_buffer.usage());
    }
    queue.write_buffer(list_buffer, 0, bytes);
    is_too_small
}
