//! The crowd of a swarm around rock, on the device: the rock is lit by it.

use crate::cells::BodyList;
use crate::device::Gpu;
use crate::device::program::{Program, Resource, begin_compute, buffer};
use crate::look::point_view::POINT_VIEW_WGSL;
use crate::points::shader::STORED_POINT_WGSL;
use crate::shader::{CROWD_PARTS, CROWD_TEXEL, STORED_BODY_WGSL, Shader, assemble_crowd, crowd_size};
use murmuration_core::world::Extents;

/// The invocations of a workgroup of the kernel.
const WORKGROUP: u32 = 64;

/// The list of the individuals that make up a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListKind {
    Bodies,
    Boids,
}

/// The crowd in each texel of a world with rock.
pub struct CrowdLight {
    bodies: Program<wgpu::ComputePipeline>,
    boids: Program<wgpu::ComputePipeline>,
    /// The places of the list and for how many each stands.
    numbers: wgpu::Buffer,
    /// Parts of an individual for each texel.
    pub crowd: wgpu::Buffer,
}

impl CrowdLight {
    pub fn new(gpu: &Gpu, extents: Extents) -> Self {
        let device = &gpu.device;
        let texels: u64 = crowd_size(extents).iter().map(|texels| u64::from(*texels)).product();
        let program = |kind| {
            let shader = assemble_crowd(&gpu.library, extents, |shader| add_list(shader, kind));
            Program::compute(gpu, "spread", &shader, true)
        };
        Self {
            bodies: program(ListKind::Bodies),
            boids: program(ListKind::Boids),
            numbers: buffer(device, "numbers", 16, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST),
            crowd: buffer(
                device,
                "crowd",
                4 * texels.max(4),
                wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            ),
        }
    }

    /// Encodes the crowd of individuals.
    pub fn of_bodies(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, list: &BodyList) {
        let numbers = [list.count as f32, list.each as f32, 0.0, 0.0];
        gpu.queue().write_buffer(&self.numbers, 0, bytemuck::cast_slice(&numbers));
        self.encode(gpu, encoder, &self.bodies, list.count, |name| match name {
            "bodies" => &list.buffer,
            "numbers" => &self.numbers,
            _ => &self.crowd,
        });
    }

    /// Encodes the crowd of the boids of a list, of which their view knows the number; at most so many.
    pub fn of_points(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        list: &wgpu::Buffer,
        view: &wgpu::Buffer,
        most: u32,
    ) {
        self.encode(gpu, encoder, &self.boids, most, |name| match name {
            "point_list" => list,
            "point_view" => view,
            _ => &self.crowd,
        });
    }

    fn encode<'a>(
        &'a self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        program: &Program<wgpu::ComputePipeline>,
        most: u32,
        buffer: impl Fn(&str) -> &'a wgpu::Buffer,
    ) {
        encoder.clear_buffer(&self.crowd, 0, None);
        let bound = program.bind(&gpu.device, |name| Resource::Buffer(buffer(name)));
        let mut pass = begin_compute(encoder, "spread", None);
        program.dispatch(&mut pass, &bound, 0, [most.div_ceil(WORKGROUP), 1, 1]);
    }
}

/// Adds the list of a crowd to a shader.
fn add_list(shader: &mut Shader, kind: ListKind) {
    match kind {
        ListKind::Bodies => {
            shader.add(STORED_BODY_WGSL);
            shader.buffer("bodies", "array<StoredBody>", false);
            shader.uniform("numbers", "vec4<f32>");
            shader.add(
                "fn count_of_list() -> u32 { return u32(numbers.x); }
                 fn one_of_list(index: u32) -> vec4<f32> {
                     let it = bodies[index];
                     return vec4<f32>(it.x, it.y, it.z, select(numbers.y, 0.0, (it.velocity_z_boids >> 16u) == 0u));
                 }",
            );
        }
        ListKind::Boids => {
            shader.add("alias Vec3 = vec3<f32>;\nalias IVec3 = vec3<i32>;");
            shader.add(POINT_VIEW_WGSL);
            shader.add(STORED_POINT_WGSL);
            shader.buffer("point_list", "array<StoredPoint>", false);
            shader.uniform("point_view", "PointView");
            shader.add(
                "fn count_of_list() -> u32 { return point_view.boids; }
                 fn one_of_list(index: u32) -> vec4<f32> {
                     let it = point_list[index];
                     let presence = f32(it.velocity_z_presence >> 16u) * (1.0 / 65535.0);
                     return vec4<f32>(vec3<f32>(vec3<i32>(it.x, it.y, it.z)) * (1.0 / 65536.0), presence * point_view.each);
                 }",
            );
        }
    }
}

/// Declares what `shaders/look/crowd.wgsl` reads.
pub fn declare_crowd(shader: &mut Shader) {
    shader.buffer("crowd", "array<u32>", false);
    shader.constant("CROWD_TEXEL", "f32", format_args!("{CROWD_TEXEL:?}"));
    shader.constant("CROWD_PARTS", "f32", format_args!("{:?}", CROWD_PARTS));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::validate_text;
    use crate::testing::library;

    #[test]
    fn the_crowd_of_either_list_is_a_valid_shader() {
        for kind in [ListKind::Bodies, ListKind::Boids] {
            let shader = assemble_crowd(library(), Extents::deep(50, 40, 30), |shader| add_list(shader, kind));
            validate_text(&shader).unwrap_or_else(|wrong| panic!("{wrong}"));
        }
    }
}
