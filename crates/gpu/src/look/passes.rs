//! The passes of the chain as pipelines, and the textures between them, which follow the size of the screen.

use super::Pane;
use super::orbit::SHAPES;
use super::reef::{CHUNK_ATTRIBUTES, CHUNK_BYTES, Reef, VERTEX_ATTRIBUTES, VERTEX_BYTES};
use super::shader::{LookConfig, WORKGROUP, assemble, is_final, reads, texture_names};
use super::shapes::{CORNER_ATTRIBUTES, Corner, Mesh};
use super::view::View;
use crate::chain::table::{Blend, Drawing, Extent, FieldKind, Invocation, Shape, Texture, Viewpoint};
use crate::chain::{Chain, Pass};
use crate::device::Stopwatch;
use crate::device::program::{Program, RenderForm, Resource, attachment, begin_compute, buffer, buffer_of, texture};
use crate::library::Library;
use crate::shader::Shader;
use crate::world::Edges;
use glam::IVec2;
use std::collections::BTreeMap;

/// Light and momentum between the passes.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Samples of a pixel where shapes are drawn from around, because they have edges; a software adapter takes one.
const SAMPLES: u32 = 4;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// The edges of a box.
const EDGES: u32 = 12;
/// The pixels along the nearest fish from which on all have a body, and from which on it has several rings.
const PLAIN: f32 = 14.0;
const FINE: f32 = 26.0;

/// The pipelines of a chain, made once.
pub struct Passes {
    library: Library,
    chain: Chain,
    target: wgpu::TextureFormat,
    config: LookConfig,
    pub is_software: bool,
    samples: u32,
    /// What is drawn for each individual: a square, a fish, a fish with one ring, and a fish of a few pixels.
    meshes: [MeshBuffers; 4],
    programs: Vec<LookProgram>,
    /// The source of each program's shader.
    sources: Vec<String>,
}

/// The pipeline of a pass: one that draws, or one that adds to sums.
enum LookProgram {
    Drawing(Program<wgpu::RenderPipeline>),
    Adding(Program<wgpu::ComputePipeline>),
}

impl LookProgram {
    fn bind<'a>(&self, device: &wgpu::Device, resource: impl Fn(&str) -> Resource<'a>) -> wgpu::BindGroup {
        match self {
            Self::Drawing(program) => program.bind(device, resource),
            Self::Adding(program) => program.bind(device, resource),
        }
    }
}

/// A mesh on the GPU.
struct MeshBuffers {
    corners: wgpu::Buffer,
    triangles: wgpu::Buffer,
    count: u32,
}

impl MeshBuffers {
    fn new(device: &wgpu::Device, queue: &wgpu::Queue, mesh: &Mesh) -> Self {
        let buffer = |bytes: &[u8], usage| buffer_of(device, queue, "shape", bytes, usage);
        // A buffer is written in whole words.
        let mut words: Vec<u16> = mesh.triangles.iter().flatten().copied().collect();
        let count = words.len() as u32;
        words.resize(words.len().next_multiple_of(2), 0);
        Self {
            corners: buffer(bytemuck::cast_slice(&mesh.corners), wgpu::BufferUsages::VERTEX),
            triangles: buffer(bytemuck::cast_slice(&words), wgpu::BufferUsages::INDEX),
            count,
        }
    }
}

/// The textures between passes, for one size of the screen and of the lattice.
pub struct PassResources {
    /// By field.
    sizes: BTreeMap<String, [u32; 2]>,
    views: BTreeMap<String, wgpu::TextureView>,
    /// The sums of strokes: three words for each pixel of the screen.
    sums: wgpu::Buffer,
    bind_groups: Vec<wgpu::BindGroup>,
    /// The light, if it has several samples for each pixel, and the depth of what is seen from around; made when
    /// something is.
    samples: Option<(Option<wgpu::TextureView>, wgpu::TextureView)>,
}

/// What a frame depends on beside the textures.
pub struct Frame<'a> {
    pub target: &'a wgpu::TextureView,
    /// How much of the last picture's light stays.
    pub trail: f64,
    /// The swarm is the same as in the last picture, at the same place and scale.
    pub is_same_swarm: bool,
    /// The arguments of the draw of the points that are seen from near; `None`: there are none.
    pub discs: Option<&'a wgpu::Buffer>,
    /// The number of points that are drawn as strokes.
    pub strokes: u32,
    pub view: &'a View,
    pub edges: Edges,
    /// The pixels along a fish at the near and the far end of a deep world; `None`: all is seen from above.
    pub fish: Option<[f32; 2]>,
    /// Whether the world has no edges.
    pub is_endless: bool,
    /// The number of falcons among individuals.
    pub falcons: u32,
    /// The terrain, if the world has some and is seen from around.
    pub reef: Option<&'a Reef>,
    /// Measures every pass.
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Passes {
    pub fn new(
        library: Library,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        chain: Chain,
        target: wgpu::TextureFormat,
        config: LookConfig,
    ) -> Self {
        let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let samples = if is_software { 1 } else { SAMPLES };
        let meshes = [Mesh::square(), Mesh::fish(false), Mesh::fish(true), Mesh::kites()];
        let meshes = meshes.map(|mesh| MeshBuffers::new(device, queue, &mesh));
        let mut passes = Self {
            library,
            chain,
            target,
            config,
            is_software,
            samples,
            meshes,
            programs: Vec::new(),
            sources: Vec::new(),
        };
        passes.make_programs(device);
        passes
    }

    /// Makes the pipelines for another config; says whether there was anything to do.
    pub fn set(&mut self, device: &wgpu::Device, config: LookConfig) -> bool {
        let is_other = self.config != config;
        if is_other {
            self.config = config;
            self.make_programs(device);
        }
        is_other
    }

    /// Makes the pipelines whose shaders are others than before.
    fn make_programs(&mut self, device: &wgpu::Device) {
        let before = std::mem::take(&mut self.sources).into_iter().zip(std::mem::take(&mut self.programs));
        let mut before: Vec<_> = before.map(Some).collect();
        before.resize_with(self.chain.passes.len(), || None);
        let encodes = self.target.is_srgb();
        for (pass, before) in self.chain.passes.iter().zip(before) {
            let shader = assemble(&self.library, &self.chain, pass, self.config, encodes);
            let kept = before.filter(|(source, _)| *source == shader.source).map(|(_, program)| program);
            self.programs.push(kept.unwrap_or_else(|| self.program(device, pass, &shader)));
            self.sources.push(shader.source);
        }
    }

    /// Textures and bind groups for a view. `given` returns the resource of a given field or of a variable.
    pub fn resources<'a>(
        &self,
        device: &wgpu::Device,
        view: &View,
        has_strokes: bool,
        given: impl Fn(&str) -> Resource<'a>,
    ) -> PassResources {
        let sizes = self.sizes(view);
        let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT;
        let words = if has_strokes { 3 * view.screen.element_product().max(2) as u64 } else { 4 };
        let usage_of_sums = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let sums = buffer(device, "sums", 4 * words, usage_of_sums);
        let made = |(name, size): (&String, &[u32; 2])| {
            let texture = texture(device, name, *size, FORMAT, 1, usage);
            (name.clone(), texture.create_view(&Default::default()))
        };
        let views: BTreeMap<String, wgpu::TextureView> = sizes.iter().map(made).collect();
        let passes = self.chain.passes.iter().zip(&self.programs);
        let bind_groups = passes.map(|(pass, program)| bind(device, pass, program, &views, &sums, &given)).collect();
        PassResources { bind_groups, sizes, views, sums, samples: None }
    }

    /// Binds all passes anew.
    pub fn bind<'a>(&self, device: &wgpu::Device, resources: &mut PassResources, given: impl Fn(&str) -> Resource<'a>) {
        let PassResources { views, sums, bind_groups, .. } = resources;
        for ((pass, program), bind_group) in self.chain.passes.iter().zip(&self.programs).zip(bind_groups) {
            *bind_group = bind(device, pass, program, views, sums, &given);
        }
    }

    /// Makes the textures that are needed to look from around.
    pub fn look_around(&self, device: &wgpu::Device, resources: &mut PassResources) {
        let is_around = |pass: &&Pass| self.chain.drawing(pass).viewpoint == Viewpoint::Around;
        let Some(pass) = self.chain.passes.iter().find(is_around) else { return };
        let Some(size) = resources.sizes.get(&pass.write[0]).copied() else { return };
        let view = |format| {
            let made = texture(device, "samples", size, format, self.samples, wgpu::TextureUsages::RENDER_ATTACHMENT);
            made.create_view(&Default::default())
        };
        resources.samples.get_or_insert_with(|| ((self.samples > 1).then(|| view(FORMAT)), view(DEPTH)));
    }

    /// Whether these are the textures for this view.
    pub fn fits(&self, resources: &PassResources, view: &View, has_strokes: bool) -> bool {
        let has_sums = resources.sums.size() >= 12 * view.screen.element_product() as u64;
        resources.sizes == self.sizes(view) && (!has_strokes || has_sums)
    }

    /// The sizes of the textures between passes.
    fn sizes(&self, view: &View) -> BTreeMap<String, [u32; 2]> {
        let size = |(name, kind): (&String, &FieldKind)| {
            let FieldKind::Texture(Texture::Light(extents)) = kind else { return None };
            let size = std::array::from_fn(|axis| match extents[axis] {
                Extent::Lattice => view.blocks[axis] as u32,
                Extent::Screen { part, is_padded } => {
                    (view.screen[axis] as u32).div_ceil(part) + if is_padded { 2 } else { 0 }
                }
                // As many as there can be, so that zooming needs no new texture: a place is a pixel at least.
                Extent::View => view.screen[axis] as u32 + 4,
            });
            Some((name.clone(), size))
        };
        self.chain.fields.iter().filter_map(size).collect()
    }

    /// Encodes all passes that have something to do. Returns their names in the order of the spans of the stopwatch.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        resources: &PassResources,
        frame: &Frame<'_>,
    ) -> Vec<String> {
        let mut encoded = Vec::new();
        let mut has_samples = false;
        let hidden = if frame.fish.is_some() { Viewpoint::Above } else { Viewpoint::Around };
        let passes = self.chain.passes.iter().zip(&self.programs).zip(&resources.bind_groups);
        for (((pass, program), bind_group), margin) in passes.zip(self.margins()) {
            let Drawing { viewpoint, blend, shape } = self.chain.drawing(pass);
            let program = match program {
                LookProgram::Drawing(program) => program,
                LookProgram::Adding(program) => {
                    encoder.clear_buffer(&resources.sums, 0, None);
                    if frame.strokes > 0 {
                        let span = frame.stopwatch.map(|stopwatch| (stopwatch, encoded.len()));
                        let mut compute = begin_compute(encoder, &program.label, span);
                        compute.set_pipeline(&program.pipeline);
                        compute.set_bind_group(0, bind_group, &[]);
                        compute.dispatch_workgroups(frame.strokes.div_ceil(WORKGROUP), 1, 1);
                        encoded.push(program.label.clone());
                    }
                    continue;
                }
            };
            if frame.strokes == 0 && blend == Blend::Add && reads(&self.chain, pass, Texture::Sums) {
                continue;
            }
            let is_of_terrain = pass.invocation == Invocation::Rock || reads(&self.chain, pass, Texture::Water);
            if is_of_terrain && frame.reef.is_none() {
                continue;
            }
            let extents = match self.chain.fields[&pass.write[0]] {
                FieldKind::Texture(Texture::Light(extents)) => Some(extents),
                _ => None,
            };
            let is_of_lattice = extents == Some([Extent::Lattice; 2]);
            if viewpoint == hidden || is_of_lattice && frame.is_same_swarm {
                continue;
            }
            let times = match (pass.invocation, frame.fish) {
                (Invocation::Agent, None) => frame.view.darts(),
                (Invocation::Agent, Some(_)) => frame.view.bodies,
                // A box is drawn around individuals, but not around the window of an endless world.
                (Invocation::Edge, _) if frame.view.bodies == 0 || frame.is_endless => 0,
                (Invocation::Edge, _) => EDGES,
                (Invocation::Falcon, _) => frame.falcons,
                (Invocation::Point, _) => u32::from(frame.discs.is_some()),
                _ => 1,
            };
            // The first pass that draws from around clears the light, even if it draws nothing.
            if times == 0 && viewpoint == Viewpoint::Above {
                continue;
            }
            let is_last = extents.is_none();
            let begins_light = viewpoint == Viewpoint::Around && !std::mem::replace(&mut has_samples, true);
            // A screen that begins farther right stands beside another one.
            let is_second = is_last && frame.view.origin != IVec2::ZERO;
            let has_trail = blend == Blend::Trail && frame.trail > 0.0;
            let keeps = blend.keeps() && !begins_light || is_second || has_trail;
            let load = if keeps { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) };
            let target = if is_last { frame.target } else { &resources.views[&pass.write[0]] };
            let samples = resources.samples.as_ref().filter(|_| viewpoint == Viewpoint::Around);
            let several = samples.and_then(|(light, _)| light.as_ref());
            let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(&program.label),
                color_attachments: &[attachment(several.unwrap_or(target), load)
                    .map(|drawn| wgpu::RenderPassColorAttachment { resolve_target: several.map(|_| target), ..drawn })],
                depth_stencil_attachment: samples.map(|(_, depth)| wgpu::RenderPassDepthStencilAttachment {
                    view: depth,
                    depth_ops: Some(wgpu::Operations {
                        // The depth at infinity is 0.
                        load: if begins_light { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load },
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                timestamp_writes: frame.stopwatch.and_then(|stopwatch| stopwatch.render(encoded.len())),
                ..Default::default()
            });
            render.set_pipeline(&program.pipeline);
            render.set_bind_group(0, bind_group, &[]);
            // New light is weighted by the part that does not stay.
            let fresh = 1.0 - frame.trail;
            render.set_blend_constant(wgpu::Color { r: fresh, g: fresh, b: fresh, a: fresh });
            if let Some(extents @ ([_, Extent::View] | [Extent::View, _])) = extents {
                let [width, height] = resources.sizes[&pass.write[0]];
                let rows = if extents[1] == Extent::View { frame.view.rows().min(height) } else { height };
                render.set_scissor_rect(0, 0, width, rows);
            }
            if is_last {
                let View { origin, screen, .. } = frame.view;
                Pane { origin: origin.as_uvec2(), size: screen.as_uvec2() }.restrict(&mut render);
            }
            match margin.filter(|_| is_of_lattice) {
                None => self.draw(&mut render, shape, times, frame),
                Some(margin) => {
                    for [first, size] in frame.view.shown_blocks(margin, frame.edges) {
                        render.set_scissor_rect(first.x, first.y, size.x, size.y);
                        self.draw(&mut render, shape, times, frame);
                    }
                }
            }
            encoded.push(program.label.clone());
        }
        encoded
    }

    /// The blocks beyond the screen that each pass over the lattice has to fill, by the number of the pass; nothing in a chain of the
    /// user's, which may read the lattice anywhere.
    ///
    /// The kernels of the built-in chain read the blocks beside their own. What the last pass fills is interpolated: it fills two
    /// blocks, one more than is read; the one before it fills three, and so on.
    fn margins(&self) -> Vec<Option<i32>> {
        let is_of_lattice =
            |pass: &Pass| self.chain.fields[&pass.write[0]] == FieldKind::Texture(Texture::Light([Extent::Lattice; 2]));
        let is_known = self.chain.files.is_empty();
        let mut margin = 1;
        let mut margins: Vec<_> = self
            .chain
            .passes
            .iter()
            .rev()
            .map(|pass| {
                margin += i32::from(is_of_lattice(pass));
                is_known.then_some(margin)
            })
            .collect();
        margins.reverse();
        margins
    }

    /// Whether it plays this built-in chain.
    pub fn is_of(&self, chain: &Chain) -> bool {
        self.chain.origin == chain.origin
    }

    /// The number of passes of the chain.
    pub fn len(&self) -> usize {
        self.chain.passes.len()
    }

    /// Draws a shape so many times.
    fn draw(&self, render: &mut wgpu::RenderPass<'_>, shape: Shape, times: u32, frame: &Frame<'_>) {
        let [near, far] = frame.fish.unwrap_or_default();
        let [square, fine, plain, kites] = &self.meshes;
        let mesh = match shape {
            Shape::Screen => return render.draw(0..3, 0..1),
            Shape::Surface => return frame.reef.into_iter().for_each(|reef| reef.draw(render)),
            // Software adapters draw one shape of many triangles much faster than many shapes.
            Shape::Spot => return frame.discs.into_iter().for_each(|count| render.draw_indirect(count, 0)),
            Shape::Fish if near <= SHAPES[0] => return,
            Shape::Fish if near <= PLAIN => kites,
            Shape::Fish if near <= FINE => plain,
            Shape::Fish | Shape::Shark => fine,
            Shape::Mote if far >= SHAPES[1] => return,
            Shape::Mote | Shape::Square => square,
        };
        render.set_vertex_buffer(0, mesh.corners.slice(..));
        render.set_index_buffer(mesh.triangles.slice(..), wgpu::IndexFormat::Uint16);
        render.draw_indexed(0..mesh.count, 0, 0..times);
    }

    /// The pipeline of a pass.
    fn program(&self, device: &wgpu::Device, pass: &Pass, shader: &Shader) -> LookProgram {
        let (label, is_trusted) = (&pass.kernel.name, pass.kernel.is_built_in);
        if pass.invocation == Invocation::Boid {
            return LookProgram::Adding(Program::compute(device, label, shader, is_trusted));
        }
        let Drawing { viewpoint, blend, shape } = self.chain.drawing(pass);
        // Light of points is added; light of the cloud may keep a part of the last picture, which blending does at no
        // cost.
        let added = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Constant,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let component = match blend {
            Blend::Replace | Blend::Hide => None,
            Blend::Trail => Some(wgpu::BlendComponent { dst_factor: wgpu::BlendFactor::OneMinusConstant, ..added }),
            Blend::Add => Some(added),
        };
        let vertices = |array_stride, step_mode, attributes| {
            Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
        };
        let corners = [vertices(size_of::<Corner>() as u64, wgpu::VertexStepMode::Vertex, &CORNER_ATTRIBUTES)];
        let surface = [
            vertices(VERTEX_BYTES, wgpu::VertexStepMode::Vertex, &VERTEX_ATTRIBUTES),
            vertices(CHUNK_BYTES, wgpu::VertexStepMode::Instance, &CHUNK_ATTRIBUTES),
        ];
        let is_around = viewpoint == Viewpoint::Around;
        let form = RenderForm {
            targets: &[Some(wgpu::ColorTargetState {
                format: if is_final(&self.chain, pass) { self.target } else { FORMAT },
                blend: component.map(|component| wgpu::BlendState { color: component, alpha: component }),
                write_mask: wgpu::ColorWrites::ALL,
            })],
            vertices: match shape {
                Shape::Screen | Shape::Spot => &[],
                Shape::Surface => &surface,
                _ => &corners,
            },
            // A body hides what is behind it, and light alone hides nothing. All of a screen is infinitely far.
            depth: is_around.then(|| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(blend == Blend::Hide),
                depth_compare: Some(match shape {
                    Shape::Screen => wgpu::CompareFunction::GreaterEqual,
                    _ => wgpu::CompareFunction::Greater,
                }),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: if is_around { self.samples } else { 1 },
                ..Default::default()
            },
        };
        LookProgram::Drawing(Program::render(device, label, shader, is_trusted, form))
    }
}

/// Binds a pass to the textures between passes, and to what is given.
fn bind<'a>(
    device: &wgpu::Device,
    pass: &Pass,
    program: &LookProgram,
    views: &BTreeMap<String, wgpu::TextureView>,
    sums: &wgpu::Buffer,
    given: &impl Fn(&str) -> Resource<'a>,
) -> wgpu::BindGroup {
    program.bind(device, |name| {
        if name.ends_with("sums") {
            return Resource::Buffer(sums);
        }
        let read = |parameter: &str| texture_names(pass).position(|known| known == parameter);
        match name.strip_suffix("_texture").and_then(read).map(|index| &pass.read[index]) {
            Some(field) => match views.get(field) {
                Some(view) => Resource::Texture(view.clone()),
                None => given(field),
            },
            None => given(name),
        }
    })
}
