//! The passes of the chain as pipelines, and the textures between them, which follow the size of the screen.

use super::chain::{self, Chain, Each, Extent, Pass, Seen, Source, Texture, Written};
use super::eye::SHAPES;
use super::points::{POINT_ATTRIBUTES, Point};
use super::shader::{
    self, BODIES_BINDING, EYE_BINDING, FIRST_TEXTURE_BINDING, FRAGMENT_ENTRY, Setting, VERTEX_ENTRY, VIEW_BINDING,
};
use super::shapes::{CORNER_ATTRIBUTES, Corner, Shape};
use super::view::View;
use crate::device::Stopwatch;
use crate::library::Library;
use glam::IVec2;

/// Light and momentum between the passes.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// What is seen from around has edges, which are drawn with so many samples a pixel; a software adapter takes one.
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
    setting: Setting,
    samples: u32,
    /// What is drawn for each individual: a square, a fish, a plainer one, and what is left of it.
    shapes: [Drawable; 4],
    pipelines: Vec<Pipeline>,
}

/// A shape on the GPU.
struct Drawable {
    corners: wgpu::Buffer,
    triangles: wgpu::Buffer,
    count: u32,
}

impl Drawable {
    fn new(device: &wgpu::Device, queue: &wgpu::Queue, shape: &Shape) -> Self {
        // On a device that is lost a buffer that is mapped from its beginning would panic; one that is written does not.
        let buffer = |bytes: &[u8], usage| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("shape"),
                size: bytes.len() as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        // A buffer is written in whole words.
        let mut words: Vec<u16> = shape.triangles.iter().flatten().copied().collect();
        let count = words.len() as u32;
        words.resize(words.len().next_multiple_of(2), 0);
        Self {
            corners: buffer(bytemuck::cast_slice(&shape.corners), wgpu::BufferUsages::VERTEX),
            triangles: buffer(bytemuck::cast_slice(&words), wgpu::BufferUsages::INDEX),
            count,
        }
    }

    fn draw(&self, render: &mut wgpu::RenderPass<'_>, times: u32) {
        render.set_vertex_buffer(0, self.corners.slice(..));
        render.set_index_buffer(self.triangles.slice(..), wgpu::IndexFormat::Uint16);
        render.draw_indexed(0..self.count, 0, 0..times);
    }
}

/// The textures between passes, for one size of the screen and of the lattice.
pub struct Stage {
    sizes: Vec<[u32; 2]>,
    views: Vec<wgpu::TextureView>,
    bind_groups: Vec<wgpu::BindGroup>,
    /// The samples, where there are several for a pixel, and their depths of what is seen from around; made when
    /// something is.
    samples: Option<(Option<wgpu::TextureView>, wgpu::TextureView)>,
}

/// What the kernels are given beside textures.
pub struct Given<'a> {
    pub view: &'a wgpu::Buffer,
    /// By the order of [`chain::GIVEN`].
    pub textures: &'a [wgpu::TextureView; 4],
    pub bodies: &'a wgpu::Buffer,
    pub eye: &'a wgpu::Buffer,
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
    /// The pixels along a fish at the near and the far end of a deep world; `None`: all is seen from above.
    pub fish: Option<[f32; 2]>,
    /// Measures all passes together.
    pub stopwatch: Option<&'a Stopwatch>,
}

impl Passes {
    pub fn new(
        library: Library,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        chain: Chain,
        target: wgpu::TextureFormat,
        setting: Setting,
    ) -> Self {
        let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let samples = if is_software { 1 } else { SAMPLES };
        let shapes = [Shape::square(), Shape::fish(false), Shape::fish(true), Shape::kites()];
        let shapes = shapes.map(|shape| Drawable::new(device, queue, &shape));
        let pipelines = pipelines(&library, device, &chain, target, setting, samples);
        Self { library, chain, target, setting, samples, shapes, pipelines }
    }

    /// Makes the pipelines for another setting; says whether there was anything to do.
    pub fn set(&mut self, device: &wgpu::Device, setting: Setting) -> bool {
        let is_other = self.setting != setting;
        if is_other {
            self.setting = setting;
            self.pipelines = pipelines(&self.library, device, &self.chain, self.target, setting, self.samples);
        }
        is_other
    }

    /// Textures and bind groups for a view.
    pub fn stage(&self, device: &wgpu::Device, view: &View, given: &Given<'_>) -> Stage {
        let sizes = self.sizes(view);
        let views: Vec<_> =
            self.chain.textures.iter().zip(&sizes).map(|(texture, size)| make(device, texture, *size)).collect();
        let bind_groups = self.chain.passes.iter().zip(&self.pipelines).map(|(pass, (layout, _))| {
            let mut entries =
                vec![wgpu::BindGroupEntry { binding: VIEW_BINDING, resource: given.view.as_entire_binding() }];
            entries.extend(pass.read.iter().zip(FIRST_TEXTURE_BINDING..).map(|((_, source), binding)| {
                let view = match source {
                    Source::Given(index) => &given.textures[*index],
                    Source::Texture(index) => &views[*index],
                };
                wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) }
            }));
            if pass.each == Each::Agent {
                let resource = given.bodies.as_entire_binding();
                entries.push(wgpu::BindGroupEntry { binding: BODIES_BINDING, resource });
            }
            if Seen::by(pass.kernel) == Seen::Around {
                entries.push(wgpu::BindGroupEntry { binding: EYE_BINDING, resource: given.eye.as_entire_binding() });
            }
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(pass.kernel), layout, entries: &entries })
        });
        Stage { bind_groups: bind_groups.collect(), sizes, views, samples: None }
    }

    /// Sees to it that a stage has what is needed to look from around.
    pub fn look_around(&self, device: &wgpu::Device, stage: &mut Stage) {
        let Some(pass) = self.chain.passes.iter().find(|pass| Seen::by(pass.kernel) == Seen::Around) else { return };
        let Written::Texture(index) = pass.write else { return };
        let size = stage.sizes[index];
        stage.samples.get_or_insert_with(|| {
            let light = (self.samples > 1).then(|| samples(device, size, FORMAT, self.samples));
            (light, samples(device, size, DEPTH, self.samples))
        });
    }

    /// Whether a stage has the textures for this view.
    pub fn fits(&self, stage: &Stage, view: &View) -> bool {
        stage.sizes == self.sizes(view)
    }

    fn sizes(&self, view: &View) -> Vec<[u32; 2]> {
        let size = |texture: &Texture| {
            std::array::from_fn(|axis| match texture.extents[axis] {
                Extent::Lattice => view.blocks[axis] as u32,
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
        let mut has_samples = false;
        let is_around = drawing.fish.is_some();
        for ((pass, (_, pipeline)), bind_group) in self.chain.passes.iter().zip(&self.pipelines).zip(&stage.bind_groups)
        {
            let (texture, target) = match pass.write {
                Written::Texture(index) => (Some(index), &stage.views[index]),
                Written::Target => (None, drawing.target),
            };
            let extents = texture.map(|index| self.chain.textures[index].extents);
            let (points, count) = drawing.points;
            let seen = Seen::by(pass.kernel);
            if seen == if is_around { Seen::FromAbove } else { Seen::Around } {
                continue;
            }
            if extents == Some([Extent::Lattice; 2]) && drawing.is_same_swarm || pass.each == Each::Point && count == 0
            {
                continue;
            }
            let times = match (pass.each, drawing.fish) {
                (Each::Agent, None) => drawing.view.darts(),
                (Each::Agent, Some(_)) => drawing.view.bodies,
                (Each::Edge, _) => EDGES,
                (Each::Pixel | Each::Point, _) => 1,
            };
            // The first of those that look from around begins the light, even where there is nothing to be seen.
            if times == 0 && seen == Seen::FromAbove {
                continue;
            }
            // What is first encoded begins, and what people see is the end.
            let is_first = !std::mem::replace(&mut has_begun, true);
            let is_last = pass.write == Written::Target;
            let stopwatch = drawing.stopwatch.filter(|_| is_first || is_last);
            let begins_light = seen == Seen::Around && !std::mem::replace(&mut has_samples, true);
            let adds = matches!(pass.each, Each::Point | Each::Agent | Each::Edge) && !begins_light;
            // A screen that begins farther right stands beside another one.
            let is_second = is_last && drawing.view.origin != IVec2::ZERO;
            let keeps = adds || is_second || pass.kernel == "shine" && drawing.trail > 0.0;
            let load = if keeps { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) };
            let samples = if seen == Seen::Around { stage.samples.as_ref() } else { None };
            let several = samples.and_then(|(light, _)| light.as_ref());
            let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(pass.kernel),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: several.unwrap_or(target),
                    depth_slice: None,
                    resolve_target: several.map(|_| target),
                    ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
                })],
                depth_stencil_attachment: samples.map(|(_, depth)| wgpu::RenderPassDepthStencilAttachment {
                    view: depth,
                    depth_ops: Some(wgpu::Operations {
                        // What is infinitely far away is at 0.
                        load: if begins_light { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load },
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
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
            if is_last {
                let [x, y] = drawing.view.origin.as_uvec2().to_array();
                let [width, height] = drawing.view.screen.as_uvec2().to_array();
                render.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
                render.set_scissor_rect(x, y, width, height);
            }
            match pass.each {
                Each::Pixel => render.draw(0..3, 0..1),
                Each::Agent | Each::Edge => {
                    let [near, far] = drawing.fish.unwrap_or_default();
                    let [square, fine, plain, kites] = &self.shapes;
                    match pass.kernel {
                        "fish" if near <= SHAPES[0] => {}
                        "fish" if near <= PLAIN => kites.draw(&mut render, times),
                        "fish" if near <= FINE => plain.draw(&mut render, times),
                        "fish" => fine.draw(&mut render, times),
                        "motes" if far >= SHAPES[1] => {}
                        _ => square.draw(&mut render, times),
                    }
                }
                Each::Point => {
                    render.set_vertex_buffer(0, points.slice(..));
                    render.draw(0..4, 0..count);
                }
            }
        }
    }
}

/// Samples of the light or of its depth.
fn samples(
    device: &wgpu::Device,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
) -> wgpu::TextureView {
    let made = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("samples"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    made.create_view(&Default::default())
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

type Pipeline = (wgpu::BindGroupLayout, wgpu::RenderPipeline);

fn pipelines(
    library: &Library,
    device: &wgpu::Device,
    chain: &Chain,
    target: wgpu::TextureFormat,
    setting: Setting,
    samples: u32,
) -> Vec<Pipeline> {
    chain.passes.iter().map(|pass| pipeline(library, device, chain, pass, target, setting, samples)).collect()
}

fn pipeline(
    library: &Library,
    device: &wgpu::Device,
    chain: &Chain,
    pass: &Pass,
    target: wgpu::TextureFormat,
    setting: Setting,
    samples: u32,
) -> Pipeline {
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
    let is_around = Seen::by(pass.kernel) == Seen::Around;
    if pass.each == Each::Agent {
        let storage = wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        entries.push(wgpu::BindGroupLayoutEntry {
            visibility: wgpu::ShaderStages::VERTEX,
            ..entry(BODIES_BINDING, storage)
        });
    }
    if is_around {
        entries.push(entry(EYE_BINDING, uniform));
    }
    let label = Some(pass.kernel);
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let text = chain::kernel(library, pass.kernel).expect("a checked chain has only known kernels");
    let source = shader::assemble(library, chain, pass, text, setting, target.is_srgb());
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
        // Fish hide one another.
        (_, "fish") => None,
        (Each::Point | Each::Agent | Each::Edge, _) => Some(wgpu::BlendState { color: added, alpha: added }),
        (_, "shine") => Some(wgpu::BlendState { color: mixed, alpha: mixed }),
        _ => None,
    };
    let format = if pass.write == Written::Target { target } else { FORMAT };
    let points = [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<Point>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &POINT_ATTRIBUTES,
    })];
    let corners = [Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<Corner>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &CORNER_ATTRIBUTES,
    })];
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(VERTEX_ENTRY),
            compilation_options: Default::default(),
            buffers: match pass.each {
                Each::Pixel => &[],
                Each::Point => &points,
                Each::Agent | Each::Edge => &corners,
            },
        },
        primitive: wgpu::PrimitiveState {
            topology: match pass.each {
                Each::Pixel | Each::Agent | Each::Edge => wgpu::PrimitiveTopology::TriangleList,
                Each::Point => wgpu::PrimitiveTopology::TriangleStrip,
            },
            ..Default::default()
        },
        // What has a shape hides what is behind it, and what is only light hides nothing.
        depth_stencil: is_around.then(|| wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(pass.kernel == "fish"),
            depth_compare: Some(wgpu::CompareFunction::Greater),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState { count: if is_around { samples } else { 1 }, ..Default::default() },
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
