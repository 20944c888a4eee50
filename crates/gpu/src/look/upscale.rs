//! Scales a small picture up into a part of a larger one.

use super::Pane;
use crate::device::Gpu;
use crate::device::program::{Program, RenderForm, Resource, attachment};
use crate::shader::Shader;
use glam::UVec2;

const ENTRIES: &str = "\
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

/// The whole shader.
pub(crate) fn assemble() -> Shader {
    let mut shader = Shader::default();
    shader.add(ENTRIES);
    shader.picture("picture");
    shader.sampler("linear");
    shader
}

/// Scales pictures up, for targets of one format.
pub struct Upscaler {
    device: wgpu::Device,
    program: Program<wgpu::RenderPipeline>,
    sampler: wgpu::Sampler,
}

impl Upscaler {
    /// Makes the pipeline for targets of this format.
    pub fn new(gpu: &Gpu, target: wgpu::TextureFormat) -> Self {
        let form = RenderForm { targets: &[Some(target.into())], ..Default::default() };
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("upscale"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let program = Program::render(gpu, "upscale", &assemble(), false, &form);
        Self { device: gpu.device.clone(), program, sampler }
    }

    /// Draws a picture into a part of a target. Draw the part at the target's origin first, because it clears the
    /// target.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        picture: &wgpu::TextureView,
        target: &wgpu::TextureView,
        pane: Pane,
    ) {
        let bind_group = self.program.bind(&self.device, |name| match name {
            "picture" => Resource::Texture(picture.clone()),
            _ => Resource::Sampler(&self.sampler),
        });
        let is_first = pane.origin == UVec2::ZERO;
        let load = if is_first { wgpu::LoadOp::Clear(wgpu::Color::BLACK) } else { wgpu::LoadOp::Load };
        let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("upscale"),
            color_attachments: &[attachment(target, load)],
            ..Default::default()
        });
        pane.restrict(&mut render);
        render.set_pipeline(&self.program.pipeline);
        render.set_bind_group(0, &bind_group, &[]);
        render.draw(0..3, 0..1);
    }
}
