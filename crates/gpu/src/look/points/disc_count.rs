//! The number of discs in a near view, computed on the device, because only the device knows the number of points.

use crate::device::Gpu;
use crate::device::program::{Program, Resource, begin_compute, buffer};
use crate::look::point_view::POINT_VIEW_WGSL;
use crate::look::shader::ALIASES_WGSL;
use crate::look::view::VIEW_WGSL;
use crate::shader::Shader;

/// The arguments of the draw: two triangles for each point and copy of a torus.
const COUNT: &str = "
@compute @workgroup_size(1)
fn count() {
    let copies = u32(view.copies.x * view.copies.y);
    arguments = vec4<u32>(6u * copies * point_view.boids, 1u, 0u, 0u);
}
";

/// The pass that computes the number of vertices of the discs, and the buffer that it writes.
pub struct DiscCount {
    program: Program<wgpu::ComputePipeline>,
    /// The arguments of an indirect draw.
    pub arguments: wgpu::Buffer,
}

impl DiscCount {
    pub fn new(gpu: &Gpu) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT;
        let arguments = buffer(&gpu.device, "arguments", 16, usage);
        Self { program: Program::compute(gpu, "count", &assemble(), true), arguments }
    }

    /// Encodes the arguments for a view of the world and of its points.
    pub fn encode(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::Buffer,
        point_view: &wgpu::Buffer,
    ) {
        let bound = self.program.bind(device, |name| {
            Resource::Buffer(match name {
                "view" => view,
                "point_view" => point_view,
                _ => &self.arguments,
            })
        });
        let mut pass = begin_compute(encoder, "count", None);
        self.program.dispatch(&mut pass, &bound, 0, [1; 3]);
    }
}

/// The whole shader.
pub(crate) fn assemble() -> Shader {
    let mut shader = Shader::default();
    shader.add(COUNT);
    for text in [ALIASES_WGSL, VIEW_WGSL, POINT_VIEW_WGSL] {
        shader.add(text);
    }
    shader.uniform("view", "View");
    shader.uniform("point_view", "PointView");
    shader.buffer("arguments", "vec4<u32>", true);
    shader
}
