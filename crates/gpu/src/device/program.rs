//! Pipelines and their bind groups, made from assembled shaders. Lattice passes, sums, individuals and pictures use
//! them.

pub use super::buffer::{STORAGE, STORAGE_TEXTURE, buffer, buffer_of};

use super::gpu::Gpu;
use super::pipeline_cache::{Pipeline, PipelineCache};
use super::stopwatch::Stopwatch;
use crate::shader::{Binding, BindingKind, Shader};

/// A resource that a bind group binds to a variable of a shader.
pub enum Resource<'a> {
    /// A buffer, with any usage.
    Buffer(&'a wgpu::Buffer),
    /// A view of a texture that is read or written.
    Texture(wgpu::TextureView),
    /// A sampler of colours.
    Sampler(&'a wgpu::Sampler),
}

/// A pipeline, and the list of its shader's bindings.
pub struct Program<P> {
    /// The name of the pipeline in wgpu's messages.
    pub label: String,
    /// The pipeline of wgpu.
    pub pipeline: P,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<Binding>,
}

/// The settings of a render pipeline in addition to its shader. The default draws triangles without a depth test.
#[derive(Debug, Default)]
pub struct RenderForm<'a> {
    /// The format and the blending of each target.
    pub targets: &'a [Option<wgpu::ColorTargetState>],
    /// The layout of the vertex buffers. Empty: the shader makes the vertices.
    pub vertices: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// The kind of primitives (such as triangle lists or strips), and the visible sides of triangles.
    pub primitive: wgpu::PrimitiveState,
    /// The depth test; `None`: depth is not tested.
    pub depth: Option<wgpu::DepthStencilState>,
    /// The number of samples for each pixel.
    pub multisample: wgpu::MultisampleState,
}

impl Program<wgpu::ComputePipeline> {
    /// Makes the pipeline of a shader with one compute entry. The device keeps the pipeline and returns it again for an
    /// equal shader. A trusted shader runs without wgpu's checks of bounds and loops. With them, the built-in kernels
    /// spend 1/3 of their time in the checks.
    pub fn compute(gpu: &Gpu, label: &str, shader: &Shader, is_trusted: bool) -> Self {
        let device = &gpu.device;
        let trust = if is_trusted { "trusted" } else { "" };
        Self::new(gpu, &gpu.compute_pipelines, [label, "", trust], shader, wgpu::ShaderStages::COMPUTE, |layout| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(label),
                layout: Some(layout),
                module: &module(device, label, shader, is_trusted),
                entry_point: None,
                compilation_options: Default::default(),
                cache: None,
            })
        })
    }

    /// Encodes a dispatch of workgroups into a compute pass. `offset`: the place of the step's parameters in their
    /// buffer, in bytes.
    pub fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bind_group: &wgpu::BindGroup,
        offset: u32,
        [x, y, z]: [u32; 3],
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bind_group, self.offsets(&[offset]));
        pass.dispatch_workgroups(x, y, z);
    }
}

impl Program<wgpu::RenderPipeline> {
    /// Makes the pipeline of a shader with a vertex and a fragment entry; see [`Program::compute`].
    pub fn render(gpu: &Gpu, label: &str, shader: &Shader, is_trusted: bool, form: &RenderForm<'_>) -> Self {
        let device = &gpu.device;
        let trust = if is_trusted { "trusted" } else { "" };
        let key = [label, &format!("{form:?}"), trust];
        Self::new(gpu, &gpu.render_pipelines, key, shader, wgpu::ShaderStages::VERTEX_FRAGMENT, |layout| {
            let module = module(device, label, shader, is_trusted);
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(label),
                layout: Some(layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: None,
                    compilation_options: Default::default(),
                    buffers: form.vertices,
                },
                primitive: form.primitive,
                depth_stencil: form.depth.clone(),
                multisample: form.multisample,
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: None,
                    compilation_options: Default::default(),
                    targets: form.targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        })
    }
}

impl<P> Program<P> {
    /// Takes the pipeline from the device's cache, or makes it. The key in the cache is `name`, `form`, `trust` and the
    /// source of the shader.
    fn new(
        gpu: &Gpu,
        cache: &PipelineCache<Pipeline<P>>,
        [name, form, trust]: [&str; 3],
        shader: &Shader,
        visibility: wgpu::ShaderStages,
        pipeline: impl FnOnce(&wgpu::PipelineLayout) -> P,
    ) -> Self
    where
        P: Clone,
    {
        let (device, label, bindings) = (&gpu.device, Some(name), shader.bindings.clone());
        let make = || {
            let entry = |(binding, Binding { kind, .. }): (u32, &Binding)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility,
                ty: binding_type(*kind),
                count: None,
            };
            let entries: Vec<_> = (0..).zip(&bindings).map(entry).collect();
            let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
            let bind_group_layouts = &[Some(&layout)];
            let pipeline_layout = wgpu::PipelineLayoutDescriptor { label, bind_group_layouts, ..Default::default() };
            let pipeline = pipeline(&device.create_pipeline_layout(&pipeline_layout));
            // A pipeline with an error is not put into the cache, so the next use reports the error again.
            (Pipeline { pipeline, layout }, !gpu.has_error())
        };
        let Pipeline { pipeline, layout } = cache.get([name, &shader.source, form, trust], make);
        Self { label: name.to_string(), pipeline, layout, bindings }
    }

    /// Makes a bind group. `resource` returns the resource for the variable with a name.
    pub fn bind<'a>(&self, device: &wgpu::Device, resource: impl Fn(&str) -> Resource<'a>) -> wgpu::BindGroup {
        let resources: Vec<_> = self.bindings.iter().map(|binding| (resource(&binding.name), binding.kind)).collect();
        let entries = (0..).zip(&resources).map(|(binding, (resource, kind))| wgpu::BindGroupEntry {
            binding,
            resource: match (resource, kind) {
                (Resource::Buffer(buffer), BindingKind::Step(bytes)) => {
                    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size: Some(*bytes) })
                }
                (Resource::Buffer(buffer), _) => buffer.as_entire_binding(),
                (Resource::Texture(view), _) => wgpu::BindingResource::TextureView(view),
                (Resource::Sampler(sampler), _) => wgpu::BindingResource::Sampler(sampler),
            },
        });
        let entries: Vec<_> = entries.collect();
        let (label, layout) = (Some(self.label.as_str()), &self.layout);
        device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries: &entries })
    }

    /// The dynamic offsets for the bind groups of this pipeline. `offset`: the place of the step's parameters in their
    /// buffer, in bytes. The list is empty if the shader reads no parameters of steps.
    pub fn offsets<'a>(&self, offset: &'a [u32; 1]) -> &'a [u32] {
        let has_step = self.bindings.iter().any(|binding| matches!(binding.kind, BindingKind::Step(_)));
        if has_step { offset } else { &[] }
    }
}

fn binding_type(kind: BindingKind) -> wgpu::BindingType {
    let buffer = |ty, has_dynamic_offset| wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None };
    let view_dimension = wgpu::TextureViewDimension::D2;
    let texture = |sample_type| wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false };
    match kind {
        BindingKind::Uniform => buffer(wgpu::BufferBindingType::Uniform, false),
        BindingKind::Step(_) => buffer(wgpu::BufferBindingType::Uniform, true),
        BindingKind::Buffer { is_written } => {
            buffer(wgpu::BufferBindingType::Storage { read_only: !is_written }, false)
        }
        BindingKind::Texture(component) => texture(match component {
            "u32" => wgpu::TextureSampleType::Uint,
            "i32" => wgpu::TextureSampleType::Sint,
            _ => wgpu::TextureSampleType::Float { filterable: false },
        }),
        BindingKind::Picture => texture(wgpu::TextureSampleType::Float { filterable: true }),
        BindingKind::Sampler => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        BindingKind::Target(format) => {
            let format = match format {
                "rgba32sint" => wgpu::TextureFormat::Rgba32Sint,
                "rg32uint" => wgpu::TextureFormat::Rg32Uint,
                _ => wgpu::TextureFormat::R32Uint,
            };
            let access = wgpu::StorageTextureAccess::WriteOnly;
            wgpu::BindingType::StorageTexture { access, format, view_dimension }
        }
    }
}

fn module(device: &wgpu::Device, label: &str, shader: &Shader, is_trusted: bool) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(shader.source.as_str().into());
    let descriptor = wgpu::ShaderModuleDescriptor { label: Some(label), source };
    if !is_trusted {
        return device.create_shader_module(descriptor);
    }
    // SAFETY: only the program's own shaders are trusted. They read fields through functions that stay in the lattice,
    // and textures within their size. Indices into a sight are below its count, and indices of individuals are below
    // their number. The places of individuals are in the world after the upload and after every step. Shaders divide by
    // at least 1, and every loop ends.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}

/// A compute dispatch of a step, with a bind group for each phase. (The phases of a plan bind different buffers of the
/// fields.)
pub struct ComputeStep {
    /// The pipeline of the dispatch.
    pub program: Program<wgpu::ComputePipeline>,
    bind_groups: Vec<wgpu::BindGroup>,
    workgroups: [u32; 3],
}

impl ComputeStep {
    /// Makes the dispatch. `resource` returns the resource for a phase and the name of a variable.
    pub fn new<'a>(
        device: &wgpu::Device,
        program: Program<wgpu::ComputePipeline>,
        workgroups: [u32; 3],
        phases: usize,
        resource: impl Fn(usize, &str) -> Resource<'a>,
    ) -> Self {
        let bind_groups = (0..phases).map(|phase| program.bind(device, |name| resource(phase, name))).collect();
        Self { program, bind_groups, workgroups }
    }

    /// Encodes the dispatch into a compute pass. `offset`: the place of the step's parameters in their buffer, in
    /// bytes.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, phase: usize, offset: u32) {
        self.program.dispatch(pass, &self.bind_groups[phase], offset, self.workgroups);
    }
}

/// Begins a compute pass. If a stopwatch and the index of a span are given, the stopwatch measures the pass.
pub fn begin_compute<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    stopwatch: Option<(&Stopwatch, usize)>,
) -> wgpu::ComputePass<'a> {
    let timestamp_writes = stopwatch.and_then(|(stopwatch, span)| stopwatch.compute(span));
    encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes })
}

/// A target of a render pass. `load`: whether the pass keeps the contents of the target or clears it.
pub fn attachment(
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> Option<wgpu::RenderPassColorAttachment<'_>> {
    let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
    Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
}

/// Makes a two-dimensional texture with one mip level. `samples`: the number of samples for each pixel.
pub fn texture(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    samples: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}
