//! The passes of a plan as pipelines, and the textures between the passes, whose sizes depend on the screen.

mod frame;

pub use frame::Frame;

use super::shader::{LookConfig, assemble, variable_of};
use super::shapes::{CORNER_ATTRIBUTES, Corner, Mesh};
use super::view::View;
use crate::device::Gpu;
use crate::device::program::{Program, RenderForm, Resource, buffer, buffer_of, texture};
use crate::shader::Shader;
use crate::terrain::{CHUNK_ATTRIBUTES, CHUNK_BYTES, VERTEX_ATTRIBUTES, VERTEX_BYTES};
use murmuration_core::chain::look_plan::{LightTexture, LookPass, LookPlan, LookSource, LookTarget};
use murmuration_core::chain::table::{Blend, Drawing, Extent, Invocation, Shape};
use std::sync::Arc;

/// The format of the light and momentum between the passes.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The number of samples of a pixel in views from around, in which shapes have sharp edges. A software adapter uses one
/// sample.
const SAMPLES: u32 = 4;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The pipelines of a plan.
pub struct Passes {
    gpu: Arc<Gpu>,
    plan: LookPlan,
    target: wgpu::TextureFormat,
    config: LookConfig,
    samples: u32,
    /// The shapes of individuals: a square, a fish, a fish with one ring, and a fish of a few pixels.
    meshes: [MeshBuffers; 4],
    programs: Vec<LookProgram>,
}

/// The pipelines of a pass. A pass that draws has one pipeline. A pass that adds strokes to sums has one pipeline for
/// each kind of stroke (see [`assemble`]).
enum LookProgram {
    Drawing(Program<wgpu::RenderPipeline>),
    Adding(Vec<Program<wgpu::ComputePipeline>>),
}

impl LookProgram {
    /// Binds each pipeline to its resources.
    fn bind<'a>(&self, device: &wgpu::Device, resource: impl Fn(&str) -> Resource<'a>) -> Vec<wgpu::BindGroup> {
        match self {
            Self::Drawing(program) => vec![program.bind(device, resource)],
            Self::Adding(programs) => programs.iter().map(|program| program.bind(device, &resource)).collect(),
        }
    }
}

struct MeshBuffers {
    corners: wgpu::Buffer,
    triangles: wgpu::Buffer,
    count: u32,
}

impl MeshBuffers {
    fn new(device: &wgpu::Device, queue: &wgpu::Queue, mesh: &Mesh) -> Self {
        let buffer = |bytes: &[u8], usage| buffer_of(device, queue, "shape", bytes, usage);
        // A buffer is written in whole words of four bytes.
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
    /// The sizes of the light textures between passes, in the order of the plan.
    sizes: Vec<[u32; 2]>,
    lights: Vec<wgpu::TextureView>,
    /// The sums of strokes, in the order of the plan: three words for each pixel of the screen.
    sums: Vec<wgpu::Buffer>,
    /// The bind groups. The first index is the pass, the second the pipeline of the pass.
    bind_groups: Vec<Vec<wgpu::BindGroup>>,
    /// The textures of a view from around, made for the first such view: the light with several samples for each pixel,
    /// and the depth. `None` for the light: a pixel has one sample.
    samples: Option<(Option<wgpu::TextureView>, wgpu::TextureView)>,
}

impl Passes {
    pub fn new(gpu: &Arc<Gpu>, plan: LookPlan, target: wgpu::TextureFormat, config: LookConfig) -> Self {
        let samples = if gpu.is_software() { 1 } else { SAMPLES };
        let meshes = [Mesh::square(), Mesh::fish(false), Mesh::fish(true), Mesh::kites()];
        let meshes = meshes.map(|mesh| MeshBuffers::new(&gpu.device, gpu.queue(), &mesh));
        let mut passes = Self { gpu: gpu.clone(), plan, target, config, samples, meshes, programs: Vec::new() };
        passes.make_programs();
        passes
    }

    /// Makes the pipelines for another config. Returns whether the config differs.
    pub fn set(&mut self, config: LookConfig) -> bool {
        let is_other = self.config != config;
        if is_other {
            self.config = config;
            self.make_programs();
        }
        is_other
    }

    /// Makes the pipelines. The device returns the existing pipeline of an equal shader.
    fn make_programs(&mut self) {
        let encodes = self.target.is_srgb();
        let of_pass = |pass| self.program(pass, &assemble(&self.gpu.library, pass, self.config, encodes));
        self.programs = self.plan.passes.iter().map(of_pass).collect();
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
        let light = |(light, size): (&LightTexture, &[u32; 2])| {
            texture(device, &light.name, *size, FORMAT, 1, usage).create_view(&Default::default())
        };
        let lights = self.plan.lights.iter().zip(&sizes).map(light).collect();
        let words = if has_strokes { 3 * view.screen.element_product().max(2) as u64 } else { 4 };
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let sums = self.plan.sums.iter().map(|name| buffer(device, name, 4 * words, usage)).collect();
        let mut made = PassResources { sizes, lights, sums, bind_groups: Vec::new(), samples: None };
        self.bind(device, &mut made, given);
        made
    }

    /// Binds all passes to the textures between them, and to the given resources.
    pub fn bind<'a>(&self, device: &wgpu::Device, resources: &mut PassResources, given: impl Fn(&str) -> Resource<'a>) {
        let PassResources { lights, sums, bind_groups, .. } = resources;
        let bind = |(pass, program): (&LookPass, &LookProgram)| {
            program.bind(device, |name| {
                let read = pass.read.iter().find(|read| variable_of(read) == name).map(|read| &read.source);
                match (read, pass.target) {
                    (Some(LookSource::Light(index)), _) => Resource::Texture(lights[*index].clone()),
                    (Some(LookSource::Sums(index)), _) => Resource::Buffer(&sums[*index]),
                    (Some(LookSource::Given(field)), _) => given(field),
                    (None, LookTarget::Sums(index)) if name == "sums" => Resource::Buffer(&sums[index]),
                    (None, _) => given(name),
                }
            })
        };
        *bind_groups = self.plan.passes.iter().zip(&self.programs).map(bind).collect();
    }

    /// Makes the textures with the light and the depth of a view from around.
    pub fn look_around(&self, device: &wgpu::Device, resources: &mut PassResources) {
        let Some(pass) = self.plan.passes.iter().find(|pass| pass.is_around()) else { return };
        let LookTarget::Light { index, .. } = pass.target else { return };
        let size = resources.sizes[index];
        let view = |format| {
            let made = texture(device, "samples", size, format, self.samples, wgpu::TextureUsages::RENDER_ATTACHMENT);
            made.create_view(&Default::default())
        };
        resources.samples.get_or_insert_with(|| ((self.samples > 1).then(|| view(FORMAT)), view(DEPTH)));
    }

    /// Whether these textures fit a view.
    pub fn fits(&self, resources: &PassResources, view: &View, has_strokes: bool) -> bool {
        let bytes = 12 * view.screen.element_product() as u64;
        let has_sums = resources.sums.iter().all(|sums| sums.size() >= bytes);
        resources.sizes == self.sizes(view) && (!has_strokes || has_sums)
    }

    fn sizes(&self, view: &View) -> Vec<[u32; 2]> {
        let size = |light: &LightTexture| {
            std::array::from_fn(|axis| match light.extents[axis] {
                Extent::Lattice => view.blocks[axis] as u32,
                Extent::Screen { part, is_padded } => {
                    (view.screen[axis] as u32).div_ceil(part) + if is_padded { 2 } else { 0 }
                }
                // The maximum size, because a block takes at least one pixel. So zooming needs no new texture.
                Extent::View => view.screen[axis] as u32 + 4,
            })
        };
        self.plan.lights.iter().map(size).collect()
    }

    fn program(&self, pass: &LookPass, shaders: &[Shader]) -> LookProgram {
        let (gpu, label, is_trusted) = (&self.gpu, &pass.kernel.name, pass.kernel.is_built_in);
        if pass.invocation == Invocation::Boid {
            let program = |shader| Program::compute(gpu, label, shader, is_trusted);
            return LookProgram::Adding(shaders.iter().map(program).collect());
        }
        let Drawing { blend, shape, .. } = pass.drawing;
        let vertices = |array_stride, step_mode, attributes| {
            Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
        };
        let corners = [vertices(size_of::<Corner>() as u64, wgpu::VertexStepMode::Vertex, &CORNER_ATTRIBUTES)];
        let surface = [
            vertices(VERTEX_BYTES, wgpu::VertexStepMode::Vertex, &VERTEX_ATTRIBUTES),
            vertices(CHUNK_BYTES, wgpu::VertexStepMode::Instance, &CHUNK_ATTRIBUTES),
        ];
        let form = RenderForm {
            targets: &[Some(wgpu::ColorTargetState {
                format: if pass.target == LookTarget::Picture { self.target } else { FORMAT },
                blend: blend_state(blend),
                write_mask: wgpu::ColorWrites::ALL,
            })],
            vertices: match shape {
                Shape::Screen | Shape::Spot => &[],
                Shape::Surface => &surface,
                _ => &corners,
            },
            // The surface of rock and the bodies of animals are closed. Fins have two sides. An eye inside rock sees
            // through it.
            primitive: wgpu::PrimitiveState {
                front_face: wgpu::FrontFace::Cw,
                cull_mode: matches!(shape, Shape::Surface | Shape::Fish | Shape::Shark).then_some(wgpu::Face::Back),
                ..Default::default()
            },
            // A body hides the objects behind it. Light hides nothing. A shape that covers the whole screen counts as
            // infinitely far away.
            depth: pass.is_around().then(|| wgpu::DepthStencilState {
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
                count: if pass.is_around() { self.samples } else { 1 },
                ..Default::default()
            },
        };
        LookProgram::Drawing(Program::render(gpu, label, &shaders[0], is_trusted, &form))
    }
}

/// The blending of a pass. The light of boids is added. The light of the cloud may keep a part of the last picture,
/// which blending does for free.
fn blend_state(blend: Blend) -> Option<wgpu::BlendState> {
    let dst_factor = match blend {
        Blend::Replace | Blend::Hide => return None,
        Blend::Trail => wgpu::BlendFactor::OneMinusConstant,
        Blend::Add => wgpu::BlendFactor::One,
    };
    let operation = wgpu::BlendOperation::Add;
    let component = wgpu::BlendComponent { src_factor: wgpu::BlendFactor::Constant, dst_factor, operation };
    Some(wgpu::BlendState { color: component, alpha: component })
}
