//! Counts the crowd of a swarm around rock on the device: the boids or individuals in each texel of the water. The
//! crowd lights the rock.

use crate::cells::BodyList;
use crate::device::Gpu;
use crate::device::program::{Program, Resource, begin_compute, buffer};
use crate::look::point_view::POINT_VIEW_WGSL;
use crate::points::shader::STORED_POINT_WGSL;
use crate::shader::workgroups::WORKGROUP;
use crate::shader::{CROWD_PARTS, CROWD_TEXEL, STORED_BODY_WGSL, Shader, begin_crowd, crowd_size};
use murmuration_core::host::library::Library;
use murmuration_core::world::Extents;

/// The kind of the list whose crowd is counted: individuals, or the points of a swarm of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListKind {
    Bodies,
    Boids,
}

/// The crowd in each texel of a world with rock.
pub struct CrowdLight {
    bodies: Program<wgpu::ComputePipeline>,
    boids: Program<wgpu::ComputePipeline>,
    /// The number of entries in the list, and the individuals for which each entry stands.
    numbers: wgpu::Buffer,
    /// The individuals in each texel, in 1/256 individual (`CROWD_PARTS`).
    pub crowd: wgpu::Buffer,
}

impl CrowdLight {
    pub fn new(gpu: &Gpu, extents: Extents) -> Self {
        let device = &gpu.device;
        let texels: u64 = crowd_size(extents).iter().map(|texels| u64::from(*texels)).product();
        let program = |kind| Program::compute(gpu, "spread", &assemble(&gpu.library, extents, kind), true);
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

    pub fn of_bodies(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, list: &BodyList) {
        let numbers = [list.count as f32, list.each as f32, 0.0, 0.0];
        gpu.queue().write_buffer(&self.numbers, 0, bytemuck::cast_slice(&numbers));
        self.encode(gpu, encoder, &self.bodies, list.count, |name| match name {
            "bodies" => &list.buffer,
            "numbers" => &self.numbers,
            _ => &self.crowd,
        });
    }

    /// Encodes the crowd of the boids of a list with at most `most` points. The point view holds their number.
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

/// The shaders of the crowd, for both kinds of lists.
pub(crate) fn all_shaders(library: &Library, extents: Extents) -> [Shader; 2] {
    [ListKind::Bodies, ListKind::Boids].map(|kind| assemble(library, extents, kind))
}

/// The whole shader that counts the crowd of a list.
fn assemble(library: &Library, extents: Extents, kind: ListKind) -> Shader {
    let mut shader = begin_crowd(library, extents);
    match kind {
        ListKind::Bodies => {
            shader.add(STORED_BODY_WGSL);
            shader.buffer("bodies", "array<StoredBody>", false);
            shader.uniform("numbers", "vec4<f32>");
            shader.import(library, "volume/bodies");
        }
        ListKind::Boids => {
            shader.add("alias Vec3 = vec3<f32>;\nalias IVec3 = vec3<i32>;");
            shader.add(POINT_VIEW_WGSL);
            shader.add(STORED_POINT_WGSL);
            shader.buffer("point_list", "array<StoredPoint>", false);
            shader.uniform("point_view", "PointView");
            shader.import(library, "volume/boids");
        }
    }
    shader
}

/// Declares the buffer and the constants that `shaders/look/crowd.wgsl` reads.
pub fn declare_crowd(shader: &mut Shader) {
    shader.buffer("crowd", "array<u32>", false);
    shader.constant("CROWD_TEXEL", "f32", format_args!("{CROWD_TEXEL:?}"));
    shader.constant("CROWD_PARTS", "f32", format_args!("{:?}", CROWD_PARTS));
}
