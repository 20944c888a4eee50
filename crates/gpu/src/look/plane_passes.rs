//! A plane of cells of a state on the device, painted there in colours. [`murmuration_core::picture::Plane`] paints in
//! memory.

use crate::device::Gpu;
use crate::device::program::{Program, Resource, begin_compute, buffer, buffer_of};
use crate::shader::workgroups::WORKGROUP;
use crate::shader::{PlaneNumbers, assemble_plane};
use glam::IVec2;
use murmuration_core::look::{Look, Style};
use murmuration_core::picture::{axis_of, layer_of, plane_extents, scale_colours, tops_of_scale};
use murmuration_core::world::Extents;

/// The kernels of a plane, and their buffers.
pub struct PlanePasses {
    pub extents: Extents,
    /// The kernel that finds the high word of the maximum value, the kernel that finds its low word, and the kernel
    /// that paints the colours.
    kernels: [Program<wgpu::ComputePipeline>; 3],
    shown: wgpu::Buffer,
    greatest: wgpu::Buffer,
    colours: wgpu::Buffer,
    /// The value of the last colour in quanta, in two words.
    pub top: wgpu::Buffer,
}

impl PlanePasses {
    pub fn new(gpu: &Gpu, extents: Extents) -> Self {
        let (Gpu { device, library, .. }, queue) = (gpu, gpu.queue());
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let [upper, lower, paint] = assemble_plane(library, extents);
        let kernels = [("upper", upper), ("lower", lower), ("paint", paint)];
        Self {
            extents,
            kernels: kernels.map(|(name, shader)| Program::compute(gpu, name, &shader, true)),
            shown: buffer(device, "shown", (size_of::<PlaneNumbers>() as u64).next_multiple_of(16), uniform),
            greatest: buffer(device, "greatest", 8, usage),
            colours: buffer_of(device, queue, "colours", bytemuck::cast_slice(&scale_colours()), usage),
            top: buffer(device, "top", 8, usage),
        }
    }

    /// Encodes the passes that paint the plane of a density, as a look shows it, into a texture of its size.
    pub fn encode(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        density: &wgpu::Texture,
        look: &Look,
        plane: &wgpu::Texture,
    ) {
        let tops = tops_of_scale(look);
        let words: Vec<u32> = tops.iter().flat_map(|top| [*top as u32, (*top >> 32) as u32]).collect();
        let tops_usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let tops_buffer = buffer_of(&gpu.device, gpu.queue(), "tops", bytemuck::cast_slice(&words), tops_usage);
        let numbers = numbers_of(self.extents, look, tops.len());
        gpu.queue().write_buffer(&self.shown, 0, bytemuck::bytes_of(&numbers));
        encoder.clear_buffer(&self.greatest, 0, None);
        // A fixed scale of the look needs no maximum value.
        let first = if tops.len() > 1 { 0 } else { 2 };
        for kernel in &self.kernels[first..] {
            let bound = kernel.bind(&gpu.device, |name| match name {
                "density_texture" => Resource::Texture(density.create_view(&Default::default())),
                "plane" => Resource::Texture(plane.create_view(&Default::default())),
                "shown" => Resource::Buffer(&self.shown),
                "tops" => Resource::Buffer(&tops_buffer),
                "greatest" => Resource::Buffer(&self.greatest),
                "colours" => Resource::Buffer(&self.colours),
                _ => Resource::Buffer(&self.top),
            });
            let mut pass = begin_compute(encoder, "plane", None);
            kernel.dispatch(&mut pass, &bound, 0, [plane.width().div_ceil(WORKGROUP), plane.height(), 1]);
        }
    }
}

fn numbers_of(extents: Extents, look: &Look, tops: usize) -> PlaneNumbers {
    let (axis, layer) = (axis_of(extents, look), layer_of(extents, look) as i32);
    let [first, end] = match look.style {
        Style::Projection => [0, extents.along_axes()[axis] as i32],
        _ => [layer, layer + 1],
    };
    let plane = plane_extents(extents, look);
    let size = IVec2::new(plane.width as i32, plane.height as i32);
    PlaneNumbers { size, axis: axis as i32, first, end, tops: tops as u32 }
}
