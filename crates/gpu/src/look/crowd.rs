//! Finds the distance of the boids under a pixel of a picture of a deep world, so that the mouse can point at them. The
//! boids on and beside the pixel's line of sight are the crowd. A device answers some frames later.

use super::SwarmSource;
use crate::cells::StateTextures;
use crate::device::Gpu;
use crate::device::program::{Program, Resource, begin_compute, buffer, buffer_of};
use crate::device::transfer::{self, Words};
use crate::shader::assemble_line;
use murmuration_core::error::Failure;
use murmuration_core::look::Projection;
use murmuration_core::numbers::Vector3;
use murmuration_core::picture::{crowd_along, crowd_at, line_of_sight};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Extents;
use std::sync::Arc;

/// Finds the distance of the crowd under a pixel: of the boids on and beside its line of sight.
#[derive(Default)]
pub struct CrowdFinder {
    /// The kernel that counts boids, with the device and the extents of the lattice for which it was made.
    kernel: Option<(Arc<Gpu>, Extents, Program<wgpu::ComputePipeline>)>,
    /// The request under way on a device.
    ticket: Option<Ticket<Option<f32>>>,
    /// The last answer of a device: the distance, as [`Self::find`] returns it.
    found: Option<f32>,
}

impl CrowdFinder {
    /// The distance of the crowd at a pixel, in cells beyond the projection's target. Half of the crowd is nearer.
    /// `None` if hardly any boids are there, or the device has not answered yet. On a device the answer is from an
    /// earlier call, maybe for another pixel.
    pub fn find(&mut self, source: &SwarmSource, projection: &Projection, pixel: [f32; 2]) -> Option<f32> {
        match source {
            SwarmSource::Memory(state, _) => {
                self.ticket = None;
                crowd_at(state, projection, pixel)
            }
            SwarmSource::Device(textures) => {
                match self.ticket.as_mut().map(Ticket::poll) {
                    Some(Ok(None)) => return self.found,
                    Some(Ok(Some(found))) => self.found = found,
                    // The renderer reports the failure of the device, so it is not reported here.
                    Some(Err(_)) => self.found = None,
                    None => {}
                }
                self.ticket = self.ask(textures, line_of_sight(textures.extents, projection, pixel)).ok();
                self.found
            }
        }
    }

    /// Requests the distance of the crowd from a device. `line`: the distances and the cells along a line of sight.
    fn ask(&mut self, textures: &StateTextures, line: Vec<(f32, Vector3)>) -> Result<Ticket<Option<f32>>, Failure> {
        let StateTextures { gpu, extents, .. } = textures;
        let places: Vec<[i32; 4]> = line.iter().map(|(_, [x, y, z])| [*x, *y, *z, 0]).collect();
        if places.is_empty() {
            return Ok(Ticket::ready(None));
        }
        let kept = self.kernel.take().filter(|(on, of, _)| Arc::ptr_eq(on, gpu) && of == extents);
        let made = || {
            let shader = assemble_line(&gpu.library, *extents);
            (gpu.clone(), *extents, Program::compute(gpu, "line", &shader, true))
        };
        let (.., program) = &*self.kernel.insert(kept.unwrap_or_else(made));
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let boids = buffer(&gpu.device, "boids", 4 * places.len() as u64, usage);
        let places = buffer_of(&gpu.device, gpu.queue(), "places", bytemuck::cast_slice(&places), usage);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let turn = gpu.turn();
        let density = textures.current().density;
        let bound = program.bind(&gpu.device, |name| match name {
            "density_texture" => Resource::Texture(density.create_view(&Default::default())),
            "places" => Resource::Buffer(&places),
            _ => Resource::Buffer(&boids),
        });
        let mut pass = begin_compute(&mut encoder, "line", None);
        program.dispatch(&mut pass, &bound, 0, [(line.len() as u32).div_ceil(64), 1, 1]);
        drop(pass);
        let read = transfer::request(gpu, encoder, &[Words::Buffer(&boids, 0..boids.size())], "crowd")?;
        drop(turn);
        Ok(read.map(move |words| {
            let boids = words[0].iter().map(|word| f32::from_bits(*word));
            crowd_along(line.iter().map(|(ahead, _)| *ahead).zip(boids))
        }))
    }
}
