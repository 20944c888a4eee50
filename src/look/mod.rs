//! STUB of the look, until it lands.
use crate::error::Failure;
use crate::preset::Look;
use crate::state::State;
use crate::world::World;

mod camera;
pub use camera::Camera;
pub struct Glow {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
    texture: Option<(wgpu::Texture, [u32; 2])>,
    uniform: wgpu::Buffer,
}
const WGSL: &str = "
@group(0) @binding(0) var cells: texture_2d<u32>;
@group(0) @binding(1) var<uniform> camera: array<vec4<f32>, 2>;
@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> { return vec4(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0); }
@fragment fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  let c = camera[0].xy + (at.xy - camera[1].xy * 0.5) / camera[0].z;
  let e = vec2<i32>(textureDimensions(cells));
  let w = textureLoad(cells, ((vec2<i32>(floor(c)) % e) + e) % e, 0);
  let d = f32(w.x) / 65536.0; let v = vec2(f32(i32(w.y << 16u) >> 16u), f32(i32(w.y) >> 16u)) / 16384.0;
  let l = d / (1.0 + d);
  return vec4(vec3(0.015, 0.022, 0.05) + l * vec3(0.5 + v.x * 0.6, 0.5 + v.y * 0.4, 0.7 - v.x * 0.4), 1.0);
}";
impl Glow {
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target_format: wgpu::TextureFormat,
    ) -> Result<Self, Failure> {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(WGSL.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(target_format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 32,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self { device: device.clone(), queue: queue.clone(), pipeline, texture: None, uniform })
    }
    pub fn show(&mut self, state: &State, _world: &World) {
        let size = [state.extents.width, state.extents.height];
        let extent = wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 };
        if self.texture.as_ref().is_none_or(|(_, old)| *old != size) {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: extent,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rg32Uint,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            self.texture = Some((texture, size));
        }
        let words: Vec<u32> = state.density.iter().zip(&state.control).flat_map(|(d, c)| [*d, *c]).collect();
        self.queue.write_texture(
            self.texture.as_ref().unwrap().0.as_image_copy(),
            bytemuck::cast_slice(&words),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(size[0] * 8), rows_per_image: None },
            extent,
        );
    }
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target_view: &wgpu::TextureView,
        size: [u32; 2],
        camera: &Camera,
        _look: &Look,
    ) {
        let Some((texture, _)) = &self.texture else { return };
        self.queue.write_buffer(
            &self.uniform,
            0,
            bytemuck::cast_slice(&[
                camera.centre[0],
                camera.centre[1],
                camera.pixels_per_cell,
                0.0,
                size[0] as f32,
                size[1] as f32,
                0.0,
                0.0,
            ]),
        );
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&texture.create_view(&Default::default())),
                },
                wgpu::BindGroupEntry { binding: 1, resource: self.uniform.as_entire_binding() },
            ],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target_view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}
