//! Scaling a small picture up into a part of a larger one.

use super::Pane;
use glam::UVec2;

const SHADER: &str = "\
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var linear: sampler;
struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}
@vertex
fn corner(@builtin(vertex_index) i: u32) -> Corner {
    // One triangle that covers the whole part.
    let uv = vec2<f32>(select(0.0, 2.0, i == 1u), select(0.0, 2.0, i == 2u));
    return Corner(vec4<f32>(2.0 * uv.x - 1.0, 1.0 - 2.0 * uv.y, 0.0, 1.0), uv);
}
@fragment
fn upscaled(corner: Corner) -> @location(0) vec4<f32> {
    return textureSampleLevel(picture, linear, corner.uv, 0.0);
}
";

/// Scales pictures up, for targets of one format.
pub struct Upscaler {
    device: wgpu::Device,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
}

impl Upscaler {
    pub fn new(device: &wgpu::Device, target: wgpu::TextureFormat) -> Self {
        let label = Some("upscale");
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let picture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let entries = [entry(0, picture), entry(1, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering))];
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let source = wgpu::ShaderSource::Wgsl(SHADER.into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("corner"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("upscaled"),
                compilation_options: Default::default(),
                targets: &[Some(target.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { device: device.clone(), layout, pipeline, sampler }
    }

    /// Draws a picture into a part of a target. Draw the part at the target's origin first: it clears the target.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        picture: &wgpu::TextureView,
        target: &wgpu::TextureView,
        Pane { origin, size }: Pane,
    ) {
        let entries = [
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(picture) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
        ];
        let descriptor = wgpu::BindGroupDescriptor { label: Some("upscale"), layout: &self.layout, entries: &entries };
        let bind_group = self.device.create_bind_group(&descriptor);
        let is_first = origin == UVec2::ZERO;
        let load = if is_first { wgpu::LoadOp::Clear(wgpu::Color::BLACK) } else { wgpu::LoadOp::Load };
        let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("upscale"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        let (UVec2 { x, y }, UVec2 { x: width, y: height }) = (origin, size);
        render.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        render.set_scissor_rect(x, y, width, height);
        render.set_pipeline(&self.pipeline);
        render.set_bind_group(0, &bind_group, &[]);
        render.draw(0..3, 0..1);
    }
}
