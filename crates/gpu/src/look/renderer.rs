//! The renderer of a swarm. It draws states from memory or from textures on its device, into the target of any wgpu
//! program.

use super::frame_input::{FrameInput, READ};
use super::orbit::Eye;
use super::pass_times::PassTimes;
use super::passes::{Frame, PassResources, Passes};
use super::plane::PlaneTexture;
use super::shader::{self, LookConfig};
use super::surroundings::Surroundings;
use super::view::View;
use super::{IndividualsSource, Pane, SwarmSource, ViewTransform};
use crate::cells::{BodyList, CurrentState};
use crate::device::Gpu;
use crate::device::lists::write_list;
use crate::device::program::{Resource, buffer, texture};
use crate::device::transfer::upload;
use crate::individuals::Bodies;
use crate::look::points::strokes::{PointForm, Strokes};
use glam::Mat4;
use murmuration_core::chain::look_plan::LookPlan;
use murmuration_core::chain::{Chain, DEFAULT_OF_LOOK, LOOK_AT_DUSK, LOOK_OF_CLOUD, LOOK_OF_VALUES};
use murmuration_core::error::Failure;
use murmuration_core::falcons::{FALCONS, Falcon};
use murmuration_core::host::library::Library;
use murmuration_core::look::{Look, Style};
use murmuration_core::picture;
use murmuration_core::world::{Edges, Extents, World};
use std::sync::Arc;

/// The light of a mote, as a multiple of the light of a boid. It compensates the water's absorption.
const MOTE_LIGHT: f32 = 1.8;
/// The length of a fish in cells, in open water and among rocks.
const FISH_LENGTH: f32 = 3.4;
const REEF_FISH_LENGTH: f32 = 0.85;

/// Draws a swarm on the caller's device.
pub struct SwarmRenderer {
    gpu: Arc<Gpu>,
    target: wgpu::TextureFormat,
    /// The built-in plans: for glowing light, for dusk, for the cloud of a deep swarm, and for planes of values. The
    /// list is empty if the chain is the user's.
    styles: Vec<LookPlan>,
    /// The index of the present plan.
    style: usize,
    passes: Passes,
    view: wgpu::Buffer,
    eye: wgpu::Buffer,
    /// The colours of the palette, a texture with one row.
    palette: wgpu::Texture,
    /// The contents of the palette's texture.
    colours: Option<picture::Palette>,
    input: Option<FrameInput>,
    /// Textures and bind groups for the input and the size of the screen.
    resources: Option<PassResources>,
    /// The view that was drawn last.
    last: Option<View>,
    /// The individuals from memory, and the buffer to which they are uploaded.
    uploaded_bodies: Bodies,
    body_buffer: wgpu::Buffer,
    /// The drawn individuals, uploaded or of a source on the device. `None`: the swarm is one of cells.
    bodies: Option<BodyList>,
    strokes: Strokes,
    plane: PlaneTexture,
    surroundings: Surroundings,
    /// The part of the last step by which boids are drawn behind their places.
    behind: f32,
    times: PassTimes,
}

impl SwarmRenderer {
    /// A renderer for targets of this format, sRGB or not.
    ///
    /// # Errors
    /// If the chain of the look or one of its kernels is invalid.
    pub fn new(
        library: Library,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: wgpu::TextureFormat,
    ) -> Result<Self, Failure> {
        let gpu = Arc::new(Gpu::from_device(library, device, queue));
        Self::with_chain(&gpu, target, Chain::load(&library, DEFAULT_OF_LOOK)?)
    }

    /// A renderer with a chain of the look.
    ///
    /// # Errors
    /// If the chain is of another model, or a kernel is invalid.
    pub fn with_chain(gpu: &Arc<Gpu>, target: wgpu::TextureFormat, chain: Chain) -> Result<Self, Failure> {
        let (Gpu { library, device, .. }, queue) = (&**gpu, gpu.queue());
        let plan = LookPlan::new(&chain)?;
        shader::check(library, &plan)?;
        let config = LookConfig::new(&World::empty(Extents::flat(1, 1), Edges::Torus), &Look::default());
        let buffer = |label, size, usage| {
            buffer(device, label, (size as u64).next_multiple_of(16), usage | wgpu::BufferUsages::COPY_DST)
        };
        let palette = [picture::PALETTE as u32, 1];
        let styles = if chain.files.is_empty() {
            let others = [LOOK_AT_DUSK, LOOK_OF_CLOUD, LOOK_OF_VALUES];
            let others = others.map(|name| LookPlan::new(&Chain::load(library, name)?));
            std::iter::once(Ok(plan.clone())).chain(others).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        };
        let spans = styles.iter().chain([&plan]).map(|plan| plan.passes.len()).max().unwrap_or(0);
        Ok(Self {
            times: PassTimes::new(device, queue, spans),
            passes: Passes::new(gpu, plan, target, config),
            view: buffer("view", size_of::<View>(), wgpu::BufferUsages::UNIFORM),
            eye: buffer("eye", size_of::<Eye>(), wgpu::BufferUsages::UNIFORM),
            palette: texture(device, "palette", palette, wgpu::TextureFormat::Rgba32Float, 1, READ),
            colours: None,
            input: None,
            resources: None,
            last: None,
            uploaded_bodies: Bodies::default(),
            bodies: None,
            body_buffer: buffer("bodies", 1 << 10, wgpu::BufferUsages::STORAGE),
            strokes: Strokes::new(device),
            plane: PlaneTexture::new(device),
            surroundings: Surroundings::new(device),
            behind: 0.0,
            target,
            styles,
            style: 0,
            gpu: gpu.clone(),
        })
    }

    /// Takes the swarm to draw. A source on a device has to be on the renderer's device. From near, a swarm of cells
    /// shows single boids if the simulation keeps points
    /// ([`Simulation::keep_points`](murmuration_core::simulation::Simulation::keep_points)), otherwise a cloud.
    pub fn show(&mut self, source: impl Into<SwarmSource>, world: &World) {
        let source = source.into();
        let before = self.input.take().filter(|before| before.source.extents() == source.extents());
        if before.is_none() {
            self.resources = None;
        }
        let mut input = match before.filter(|before| before.fits(&source, world)) {
            Some(before) => FrameInput { source, ..before },
            None => FrameInput::new(&self.gpu, source, world),
        };
        input.is_new = true;
        let is_flat = world.extents.depth.is_none();
        if let (SwarmSource::Memory(state, _), Some([density, control]), true) =
            (&input.source, &input.uploaded, is_flat)
        {
            upload(self.gpu.queue(), density, &state.layers[0].density);
            upload(self.gpu.queue(), control, &state.layers[0].control);
        }
        self.input = Some(input);
    }

    /// Sets whether a picture waits until its rock is made. Pictures that are stored should wait. If pictures do not
    /// wait, later pictures show the new parts.
    pub fn set_waiting(&mut self, waits: bool) {
        self.surroundings.set_waiting(waits);
    }

    /// Whether parts of the rock are still being made, or the top of a scale is being read back. The next picture may
    /// then differ.
    pub fn is_unfinished(&self) -> bool {
        self.surroundings.is_unfinished() || self.plane.is_reading()
    }

    /// The number of bytes of rock that the last picture uploaded.
    pub fn uploaded_terrain(&self) -> u64 {
        self.surroundings.uploaded_terrain()
    }

    /// The number of steps of the swarm that was drawn last, if it is on the device.
    pub fn drawn_step(&self) -> Option<u64> {
        self.input.as_ref()?.drawn.as_ref().map(|state| state.step)
    }

    /// Takes the individuals whose deposit on the lattice was shown last. `None`: the swarm is one of cells, or only
    /// the deposit is drawn.
    pub fn show_individuals(&mut self, individuals: Option<&IndividualsSource>) {
        // Falcons on a device are found with its state.
        self.surroundings.forget_falcons();
        if let (Some(IndividualsSource::Memory(_)), Some(SwarmSource::Memory(state, _))) =
            (individuals, self.input.as_ref().map(|input| &input.source))
            && self.surroundings.upload_falcons(&self.gpu, Falcon::all_of(&state.columns))
        {
            self.resources = None;
        }
        let list = match (individuals, self.input.as_ref().map(|input| &input.source)) {
            (Some(IndividualsSource::Memory(individuals)), Some(SwarmSource::Memory(state, _))) => {
                self.uploaded_bodies.read(individuals, state, self.gpu.is_software());
                let Bodies { list, each } = &self.uploaded_bodies;
                write_list(&self.gpu, &mut self.body_buffer, list);
                Some(BodyList { buffer: self.body_buffer.clone(), count: list.len() as u32, each: *each })
            }
            (Some(IndividualsSource::Device), Some(SwarmSource::Device(textures))) => textures.current().bodies,
            _ => None,
        };
        self.take_bodies(list);
    }

    /// Takes a list of individuals. A list in another buffer is bound again.
    fn take_bodies(&mut self, list: Option<BodyList>) {
        let bound = |list: &Option<BodyList>| list.as_ref().map(|list| list.buffer.clone());
        if bound(&self.bodies) != bound(&list) {
            self.resources = None;
        }
        self.bodies = list;
    }

    /// Sets the part of the last step (0 to 1) by which boids are drawn behind their places. So slow steps look like a
    /// smooth motion.
    pub fn set_behind(&mut self, behind: f32) {
        self.behind = behind;
    }

    /// Whether the last picture shows a plane of values.
    pub fn shows_values(&self) -> bool {
        self.plane.extents().is_some()
    }

    /// The value of the last colour in quanta, if the last picture shows a plane of values. For a swarm on a device the
    /// value comes some frames later.
    pub fn top_of_scale(&mut self) -> Option<u64> {
        self.plane.top()
    }

    /// The buffer with the value of the last colour on the device, in two words of quanta, if the last picture shows a
    /// plane of values from the device.
    pub fn top_buffer(&self) -> Option<&wgpu::Buffer> {
        self.plane.top_buffer()
    }

    /// The number of individuals for which each drawn individual stands; 0 for a swarm of cells.
    pub fn individuals_in_one(&self) -> u32 {
        self.bodies.as_ref().map_or(0, |list| list.each)
    }

    /// Encodes the passes that draw the last shown swarm into a part of a target. If no swarm was shown yet, it encodes
    /// nothing. Draw the part at the target's origin first, because it clears the target.
    ///
    /// A source on a device is drawn as it is at the call. If an engine plays in another thread, hold the turn of the
    /// source's device ([`Gpu::turn`] of `StateTextures::gpu`) from this call to the submission.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        pane: impl Into<Pane>,
        transform: &ViewTransform,
        look: &Look,
    ) {
        let Pane { origin, size } = pane.into();
        let has_pixels = size.min_element() > 0;
        let Some(mut input) = has_pixels.then(|| self.input.take()).flatten() else { return };
        self.see_plane(encoder, &input, look);
        let (edges, config) = self.edges_and_config(&input, transform, look);
        let (camera, extents) = (transform.overhead(size), self.plane.extents().unwrap_or(input.source.extents()));
        let mut view = View::new(extents, edges, size, &camera, look);
        view.origin = origin.as_ivec2();
        self.see_individuals(&mut input, &mut view, edges, look);
        let has_terrain = self.see_terrain(&input, transform, look);
        let discs = self.see_points(encoder, &mut input, &mut view, transform, look);
        let (is_cell, has_falcons) = (view.cells_per_block == 1, self.strokes.counts()[1] > 0);
        let config = LookConfig { is_cell, has_terrain, has_falcons, ..config };
        let mut resources = self.resources_for(&mut input, &view, config, look);
        let (clip, fish) = self.place_eye(&mut resources, &input, &view, transform, look);
        // Only moving boids leave trails, not a moving camera.
        let is_still = fish.is_none() && self.last.is_some_and(|last| last.is_same_place(&view));
        let stopwatch = self.times.stopwatch();
        let is_timed = stopwatch.is_some();
        let encoded = self.passes.encode(
            encoder,
            &resources,
            &Frame {
                target,
                trail: if is_still { f64::from(look.trails) } else { 0.0 },
                is_same_swarm: !input.is_new
                    && self.last.is_some_and(|last| last.is_same_place(&view) && last.is_same_scale(&view)),
                discs: discs.as_ref(),
                strokes: self.strokes.counts(),
                is_endless: input.world.window.is_some(),
                falcons: self.surroundings.falcon_count(),
                view: &view,
                edges,
                fish,
                reef: self.surroundings.reef().map(|reef| (reef, clip)),
                stopwatch,
            },
        );
        if is_timed {
            self.times.fetch(&self.gpu.device, encoder, encoded);
        }
        // The passes around a deep world do not read the lattice.
        input.is_new &= fish.is_some();
        (self.input, self.resources, self.last) = (Some(input), Some(resources), Some(view));
    }

    /// Takes the plane of values, if the look shows one.
    fn see_plane(&mut self, encoder: &mut wgpu::CommandEncoder, input: &FrameInput, look: &Look) {
        let is_shown = look.shows_values() && self.bodies.is_none() && !self.styles.is_empty();
        let shown = Some(&input.source).filter(|_| is_shown);
        if self.plane.read(&self.gpu, encoder, shown, look) {
            self.resources = None;
        }
    }

    /// The edges of the picture's lattice, and the configuration of its shaders.
    fn edges_and_config(&self, input: &FrameInput, transform: &ViewTransform, look: &Look) -> (Edges, LookConfig) {
        let config = LookConfig::new(&input.world, look);
        let is_flat = input.source.extents().depth.is_none();
        if self.plane.extents().is_some() || is_flat && matches!(transform, ViewTransform::Above(_)) {
            return (input.world.edges, config);
        }
        // Nothing lies around a deep world, and the halo does not wrap around the screen.
        (Edges::Walls, LookConfig { has_solids: false, edges: Edges::Torus, ..config })
    }

    /// Takes the individuals and their falcons from the device, if they lie there.
    fn see_individuals(&mut self, input: &mut FrameInput, view: &mut View, edges: Edges, look: &Look) {
        input.take_state();
        if let (Some(_), Some(CurrentState { bodies: Some(list), .. })) = (&self.bodies, &input.drawn) {
            self.take_bodies(Some(list.clone()));
            if let Some(falcons) = input.drawn.as_ref().and_then(|state| state.columns.get(&FALCONS).cloned()) {
                let count = falcons.size() / size_of::<Falcon>() as u64;
                if self.surroundings.take_falcons(falcons, count as u32) {
                    self.resources = None;
                }
            }
        }
        if let Some(BodyList { count, each, .. }) = self.bodies {
            view.of_individuals(count, each, edges, look);
        }
    }

    /// Takes the rock, if it is seen. Returns whether there is any.
    fn see_terrain(&mut self, input: &FrameInput, transform: &ViewTransform, look: &Look) -> bool {
        let is_deep = input.source.extents().depth.is_some();
        let is_around = matches!(transform, ViewTransform::Around(_));
        let shows_rock = is_around && (self.bodies.is_some() || is_deep && look.style == Style::Glow);
        let seen = Some(&input.world).filter(|_| shows_rock);
        if self.surroundings.take_terrain(&self.gpu, seen, transform) {
            self.resources = None;
        }
        self.surroundings.reef().is_some()
    }

    /// Takes the visible points, and lights the rock by them. Returns the arguments of the draw of discs.
    fn see_points(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        input: &mut FrameInput,
        view: &mut View,
        transform: &ViewTransform,
        look: &Look,
    ) -> Option<wgpu::Buffer> {
        let size = view.screen.as_uvec2();
        let form = self.point_form(input, view, look);
        let source = form.map(|form| (&input.source, form));
        if self.strokes.read(&self.gpu, encoder, source, &input.world, look) {
            input.is_bound = false;
        }
        self.strokes.see(&self.gpu, encoder, transform, size, look, self.behind);
        self.surroundings.light(&self.gpu, encoder, self.bodies.as_ref(), &self.strokes);
        if self.strokes.are_drawn() || self.plane.extents().is_some() {
            // Strokes replace the cloud.
            view.cloud = 0.0;
        } else if form.is_none() && self.bodies.is_none() {
            view.cloud = 1.0;
        }
        self.gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(view));
        self.strokes.count_discs(&self.gpu, encoder, &self.view)
    }

    /// The form of a swarm's points in a view. `None`: the swarm has no points, or they are not seen.
    fn point_form(&self, input: &FrameInput, view: &View, look: &Look) -> Option<PointForm> {
        let extents = input.source.extents();
        let is_near = extents.depth.is_none() && self.plane.extents().is_none() && view.point_light > 0.0;
        let form =
            if look.draws_points(extents) { Some(PointForm::Strokes) } else { is_near.then_some(PointForm::Discs) };
        form.filter(|_| self.bodies.is_none() && input.source.has_points())
    }

    /// Makes the pipelines, palette, textures and bind groups again that the view or the look changes.
    fn resources_for(&mut self, input: &mut FrameInput, view: &View, config: LookConfig, look: &Look) -> PassResources {
        let has_strokes = self.strokes.are_drawn();
        let has_style = has_strokes || self.plane.extents().is_some();
        let style = if has_style { look.style } else { Style::Glow };
        self.set_style(config, style);
        let device = &self.gpu.device;
        let has_new_pipelines = self.passes.set(config);
        // Another pipeline computes the lattice again.
        input.is_new |= has_new_pipelines;
        let palette = picture::palette(look);
        if self.colours.as_ref() != Some(&palette) {
            upload(self.gpu.queue(), &self.palette, &palette.map(|[red, green, blue]| [red, green, blue, 1.0]));
            self.colours = Some(palette);
        }
        let is_bound = std::mem::replace(&mut input.is_bound, true);
        let [density, control] = input.textures();
        let given = |name: &str| {
            let texture = match name {
                "density" => density,
                "control" => control,
                "solids" => &input.solids,
                "palette" => &self.palette,
                "bodies" => {
                    return Resource::Buffer(self.bodies.as_ref().map_or(&self.body_buffer, |list| &list.buffer));
                }
                "falcons" if self.bodies.is_some() => return self.surroundings.resource(name),
                "plane" => &self.plane.colours,
                "eye" => return Resource::Buffer(&self.eye),
                "point_cells" => density,
                "crowd" | "water" => return self.surroundings.resource(name),
                _ => return self.strokes.resource(name).unwrap_or(Resource::Buffer(&self.view)),
            };
            Resource::Texture(texture.create_view(&Default::default()))
        };
        let kept = self.resources.take().filter(|resources| self.passes.fits(resources, view, has_strokes));
        match kept {
            Some(mut resources) => {
                if has_new_pipelines || !is_bound {
                    self.passes.bind(device, &mut resources, given);
                }
                resources
            }
            None => {
                self.last = None;
                self.passes.resources(device, view, has_strokes, given)
            }
        }
    }

    /// Takes the plan of a style. A user's chain serves all styles.
    fn set_style(&mut self, config: LookConfig, style: Style) {
        let index = match style {
            Style::Glow => 0,
            Style::Dusk => 1,
            Style::Cloud => 2,
            Style::Slice | Style::Projection => 3,
        };
        if let Some(plan) = self.styles.get(index).filter(|_| index != self.style) {
            self.passes = Passes::new(&self.gpu, plan.clone(), self.target, config);
            self.style = index;
            self.resources = None;
        }
    }

    /// Takes the eye of a view. Returns the matrix from cells to clip space, and the pixels along a fish at the near
    /// and the far end of a deep world; `None` for a flat world from above.
    fn place_eye(
        &self,
        resources: &mut PassResources,
        input: &FrameInput,
        view: &View,
        transform: &ViewTransform,
        look: &Look,
    ) -> (Mat4, Option<[f32; 2]>) {
        if matches!(transform, ViewTransform::Above(_)) && input.source.extents().depth.is_none() {
            return (Mat4::IDENTITY, None);
        }
        self.passes.look_around(&self.gpu.device, resources);
        let ViewTransform::Around(orbit) = transform else { return (Mat4::IDENTITY, Some([0.0; 2])) };
        let mote_light = MOTE_LIGHT * view.boid_light() * self.individuals_in_one() as f32;
        let length = if self.surroundings.reef().is_some() { REEF_FISH_LENGTH } else { FISH_LENGTH };
        let eye = Eye::new(orbit, view.screen.as_uvec2(), length * look.point_size, mote_light);
        self.gpu.queue().write_buffer(&self.eye, 0, bytemuck::bytes_of(&eye));
        (eye.clip, Some(eye.lengths()))
    }

    /// Starts the transfers of the timestamps and of the top of a scale. Call this function after the submission of the
    /// encoded commands.
    pub fn submitted(&mut self) {
        self.plane.submitted();
        self.times.collect();
    }

    /// The device on which the renderer draws.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// The total seconds of all passes in the last measurement. `None`: the device has no timestamps, or none were read
    /// yet.
    pub fn seconds(&self) -> Option<f64> {
        let seconds = self.seconds_by_pass();
        (!seconds.is_empty()).then(|| seconds.iter().map(|(_, seconds)| seconds).sum())
    }

    /// The passes of the last measured picture, with the seconds that each took.
    pub fn seconds_by_pass(&self) -> &[(String, f64)] {
        self.times.by_pass()
    }
}
