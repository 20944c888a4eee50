//! The volume of light and density around a deep swarm, in which its boids are drawn. For a state on the device, passes
//! make the volume there. For a state in memory see [`murmuration_core::picture::Volume`].

use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer, buffer_of};
use crate::look::point_view::VolumeShape;
use crate::shader::{SLICE_BYTES, assemble_volume};
use murmuration_core::picture::{LightPath, volume_size};
use murmuration_core::world::Extents;

/// The distance between the parameters of two slices in their buffer, in bytes. Every device supports this offset.
const STRIDE: usize = 256;

/// The kernels that make the volume of light and density, and the buffers that they write.
pub struct VolumePasses {
    pub extents: Extents,
    /// The kernel that computes the densities of the volume. The kernel is bound for each picture, because steps
    /// replace the texture that the kernel reads.
    reduce: Program<wgpu::ComputePipeline>,
    reduce_groups: [u32; 3],
    sweep: ComputeStep,
    light: ComputeStep,
    /// The number of slices, which the light crosses one after another.
    slices: u32,
    exposure: wgpu::Buffer,
    ends: wgpu::Buffer,
    /// The light and the density of each texel, an `f32` each.
    pub values: wgpu::Buffer,
    /// The lowest and the highest corner of a box around all boids, in cells. Each corner has four `f32`: x, y, z, and
    /// an unused number.
    pub bounds: wgpu::Buffer,
}

impl VolumePasses {
    pub fn new(gpu: &Gpu, extents: Extents) -> Self {
        let (Gpu { device, library, .. }, queue) = (gpu, gpu.queue());
        let size = volume_size(extents).map(|extent| extent as u32);
        let storage = |label, bytes| {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
            buffer(device, label, bytes, usage)
        };
        let values = storage("volume", 8 * size.map(u64::from).iter().product::<u64>());
        let (ends, bounds) = (storage("ends", 24), storage("bounds", 32));
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let exposure = buffer(device, "exposure", 16, usage);
        let [main, across, down] = LightPath::new(extents).axes.map(|axis| size[axis]);
        let mut numbers = vec![0u32; main as usize * STRIDE / 4];
        (0..).zip(numbers.chunks_mut(STRIDE / 4)).for_each(|(slice, numbers)| numbers[0] = slice);
        let slices = buffer_of(device, queue, "slices", bytemuck::cast_slice(&numbers), usage);
        let [reduce, sweep, light] = assemble_volume(library, extents);
        let step = |name, shader, groups| {
            ComputeStep::new(device, Program::compute(gpu, name, &shader, true), groups, 1, |_, name| match name {
                "parameters" => Resource::Buffer(&slices),
                "values" => Resource::Buffer(&values),
                "ends" => Resource::Buffer(&ends),
                _ => Resource::Buffer(&bounds),
            })
        };
        let groups = |[width, height, depth]: [u32; 3]| [width.div_ceil(8), height.div_ceil(8), depth];
        Self {
            extents,
            reduce: Program::compute(gpu, "reduce", &reduce, true),
            reduce_groups: groups(size),
            sweep: step("sweep", sweep, groups([across, down, 1])),
            light: step("light", light, groups(size)),
            slices: main,
            exposure,
            ends,
            values,
            bounds,
        }
    }

    /// The shape of the volume for pictures. Only the device knows the ends of the box around the boids.
    pub fn shape(&self) -> VolumeShape {
        VolumeShape { size: volume_size(self.extents), ends: Default::default() }
    }

    /// Encodes the passes that make the volume from a texture of densities. `exposure`: `look.exposure`, in boids a
    /// cell.
    pub fn encode(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, density: &wgpu::Texture, exposure: f32) {
        gpu.queue().write_buffer(&self.exposure, 0, bytemuck::bytes_of(&exposure));
        encoder.clear_buffer(&self.ends, 0, None);
        let bound = self.reduce.bind(&gpu.device, |name| match name {
            "density_texture" => Resource::Texture(density.create_view(&Default::default())),
            "exposure" => Resource::Buffer(&self.exposure),
            "values" => Resource::Buffer(&self.values),
            _ => Resource::Buffer(&self.ends),
        });
        let mut pass = begin_compute(encoder, "volume", None);
        self.reduce.dispatch(&mut pass, &bound, 0, self.reduce_groups);
        (0..self.slices).for_each(|slice| self.sweep.encode(&mut pass, 0, slice * STRIDE as u32));
        self.light.encode(&mut pass, 0, 0);
    }
}

const _: () = assert!(SLICE_BYTES.get() as usize <= STRIDE);
