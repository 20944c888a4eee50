//! The passes of the chain as pipelines, and the textures between them, which follow the size of the screen.

use super::chain::{self, Chain, Each, Extent, Pass, Source, Texture, Written};
use super::points::{POINT_ATTRIBUTES, Point};
use super::shader::{self, FIRST_TEXTURE_BINDING, FRAGMENT_ENTRY, Setting, VERTEX_ENTRY, VIEW_BINDING};
use super::view::View;
use crate::engine::gpu::Stopwatch;

/// Light and momentum between the passes.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The pipelines of a chain, made once.
pub struct Passes {
    chain: Chain,
    target: wgpu::TextureFormat,
    setting: Setting,
    pipelines: Vec<(wgpu::BindGroupLayout, wgpu::RenderPipeline)>,
}

/// The textures between passes, for one size of the screen and of the lattice.
pub struct Stage {
    sizes: Vec<[u32; 2]>,
    views: Vec<wgpu::TextureView>,
    bind_groups: Vec<wgpu::BindGroup>,
}

/// What one drawing of the chain needs beside the textures.
pub struct Drawing<'a> {
    pub target: &'a wgpu::TextureView,
    /// How much of the last picture's light stays.
    pub trail: f64,
    /// The swarm is the same as in the last picture, at the same scale.
    pub is_same_swarm: bool,
    /// The points, and how many.
    pub points: (&'a wgpu::Buffer, u32),
    pub view: &'a View,
    /// Measures all passes together.
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Passes {
    pub fn new(device: &wgpu::Device, chain: Chain, target: wgpu::TextureFormat, setting: Setting) -> Self {
        let pipelines = chain.passes.iter().map(|pass| pipeline(device, &chain, pass, target, setting)).collect();
        Self { chain, target, setting, pipelines }
    }

    /// Makes the pipelines for another setting; says whether there was anything to do.
    pub fn set(&mut self, device: &wgpu::Device, setting: Setting) -> bool {
        let is_other = self.setting != setting;
        if is_other {
            let chain = std::mem::replace(&mut self.chain, Chain { textures: Vec::new(), passes: Vec::new() });
            *self = Self::new(device, chain, self.target, setting);
        }
        is_other
    }

    /// Textures and bind groups for a view. `given`: by the order of [`chain::GIVEN`].
    pub fn stage(
        &self,
        device: &wgpu::Device,
        view: &View,
        view_buffer: &wgpu::Buffer,
        given: &[wgpu::TextureView; 4],
    ) -> Stage {
        let sizes = self.sizes(view);
        let views: Vec<_> =
            self.chain.textures.iter().zip(&sizes).map(|(texture, size)| make(device, texture, *size)).collect();
        let bind_groups = self.chain.passes.iter().zip(&self.pipelines).map(|(pass, (layout, _))| {
            let mut entries =
                vec![wgpu::BindGroupEntry { binding: VIEW_BINDING, resource: view_buffer.as_entire_binding() }];
            entries.extend(pass.read.iter().zip(FIRST_TEXTURE_BINDING..).map(|((_, source), binding)| {
                let view = match source {
                    Source::Given(index) => &given[*index],
                    Source::Texture(index) => &views[*index],
                };
                wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) }
            }));
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(pass.kernel), layout, entries: &entries })
        });
        Stage { bind_groups: bind_groups.collect(), sizes, views }
    }

    /// Whether a stage has the textures for this view.
    pub fn fits(&self, stage: &Stage, view: &View) -> bool {
        stage.sizes == self.sizes(view)
    }

    fn sizes(&self, view: &View) -> Vec<[u32; 2]> {
        let size = |texture: &Texture| {
            std::array::from_fn(|axis| match texture.extents[axis] {
                Extent::Lattice => view.places[axis] as u32,
                Extent::Screen { part, is_padded } => {
                    (view.screen[axis] as u32).div_ceil(part) + if is_padded { 2 } else { 0 }
                }
                // As many as there can be, so that zooming needs no new texture: a place is a pixel at least.
                Extent::View => view.screen[axis] as u32 + 4,
            })
        };
        self.chain.textures.iter().map(size).collect()
    }

    /// Encodes all passes.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, stage: &Stage, drawing: &Drawing<'_>) {
        let mut has_begun = false;
        for ((pass, (_, pipeline)), bind_group) in self.chain.passes.iter().zip(&self.pipelines).zip(&stage.bind_groups)
        {
            let (texture, target) = match pass.write {
                Written::Texture(index) => (Some(index), &stage.views[index]),
                Written::Target => (None, drawing.target),
            };
            let extents = texture.map(|index| self.chain.textures[index].extents);
            let (points, count) = drawing.points;
            if extents == Some([Extent::Lattice; 2]) && drawing.is_same_swarm || pass.each == Each::Point && count == 0
            {
                continue;
            }
            // What is first encoded begins, and what people see is the end.
            let is_first = !std::mem::replace(&mut has_begun, true);
            let is_last = pass.write == Written::Target;
            let stopwatch = drawing.stopwatch.filter(|_| is_first || is_last);
            let keeps = pass.each == Each::Point || pass.kernel == "shine" && drawing.trail > 0.0;
            let load = if keeps { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) };
            let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(pass.kernel),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
                })],
                timestamp_writes: stopwatch.map(|stopwatch| stopwatch.render(0, is_first, is_last)),
                ..Default::default()
            });
            render.set_pipeline(pipeline);
            render.set_bind_group(0, bind_group, &[]);
            // What is new has the part that does not stay.
            let fresh = 1.0 - drawing.trail;
            render.set_blend_constant(wgpu::Color { r: fresh, g: fresh, b: fresh, a: fresh });
            if let Some(extents @ ([_, Extent::View] | [Extent::View, _])) = extents {
                let size = stage.sizes[texture.expect("has extents")];
                let rows = if extents[1] == Extent::View { drawing.view.rows().min(size[1]) } else { size[1] };
                render.set_scissor_rect(0, 0, size[0], rows);
            }
            match pass.each {
                Each::Pixel => render.draw(0..3, 0..1),
                Each::Point => {
                    render.set_vertex_buffer(0, points.slice(..));
                    render.draw(0..4, 0..count);
                }
            }
        }
    }
}

fn make(device: &wgpu::Device, texture: &Texture, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let made = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&texture.name),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    made.create_view(&Default::default())
}

fn pipeline(
    device: &wgpu::Device,
    chain: &Chain,
    pass: &Pass,
    target: wgpu::TextureFormat,
    setting: Setting,
) -> (wgpu::BindGroupLayout, wgpu::RenderPipeline) {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let mut entries = vec![entry(VIEW_BINDING, uniform)];
    entries.extend(pass.read.iter().zip(FIRST_TEXTURE_BINDING..).map(|((_, source), binding)| {
        let sample_type = if shader::is_integer(*source) {
            wgpu::TextureSampleType::Uint
        } else {
            wgpu::TextureSampleType::Float { filterable: false }
        };
        let view_dimension = wgpu::TextureViewDimension::D2;
        entry(binding, wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false })
    }));
    let label = Some(pass.kernel);
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let text = chain::kernel(pass.kernel).expect("a checked chain has only known kernels");
    let source = shader::assemble(chain, pass, text, setting, target.is_srgb());
    let descriptor = wgpu::ShaderModuleDescriptor { label, source: wgpu::ShaderSource::Wgsl(source.into()) };
    // SAFETY: the kernels are compiled into the program; they keep to the textures that they read, and their loops end.
    let module = unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    // Light of points is added; light of the cloud may keep a part of the last picture, which blending does for nothing.
    let added = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::Constant,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    let mixed = wgpu::BlendComponent { dst_factor: wgpu::BlendFactor::OneMinusConstant, ..added };
    let blend = match (pass.each, pass.kernel) {
        (Each::Point, _) => Some(wgpu::BlendState { color: added, alpha: added }),
        (_, "shine") => Some(wgpu::BlendState { color: mixed, alpha: mixed }),
        _ => None,
    };
    let format = if pass.write == Written::Target { target } else { FORMAT };
    let attributes = [wgpu::VertexBufferLayout {
        array_stride: size_of::<Point>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &POINT_ATTRIBUTES,
    }];
    let buffers = attributes.map(Some);
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(VERTEX_ENTRY),
            compilation_options: Default::default(),
            buffers: if pass.each == Each::Point { &buffers } else { &[] },
        },
        primitive: wgpu::PrimitiveState {
            topology: match pass.each {
                Each::Pixel => wgpu::PrimitiveTopology::TriangleList,
                Each::Point => wgpu::PrimitiveTopology::TriangleStrip,
            },
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(FRAGMENT_ENTRY),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    });
    (layout, pipeline)
}
