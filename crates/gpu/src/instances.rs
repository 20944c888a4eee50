//! Instances of a swarm for the meshes of a game: places and velocities in a buffer on the game's own device.
//! The buffer is never read back.
//!
//! A swarm of individuals has an instance for each individual that is drawn. A swarm of cells has an instance for each
//! point.

pub mod shader;

pub use shader::{INSTANCE_WGSL, Instance};

use crate::cells::{BodyList, PointList, StateTextures};
use crate::device::Gpu;
use crate::device::program::{Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::shader::workgroups::groups_of;
use murmuration_core::error::Failure;
use murmuration_core::numbers::ONE;
use murmuration_core::points::{Point, Points, PointsReading};
use murmuration_core::simulation::Simulation;
use murmuration_core::state::{Individuals, Swarm, SwarmReading};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::PLACE_BITS;
use shader::{assemble_individuals, assemble_points};
use std::sync::Arc;

impl Instance {
    fn new(place: [i32; 3], number: u32, velocity: [i32; 3], presence: u16, species: u32) -> Self {
        let [x, y, z] = place.map(|along| along as f32 / (1 << PLACE_BITS) as f32);
        let [velocity_x, velocity_y, velocity_z] = velocity.map(|along| along as f32 / ONE as f32);
        let presence_species = u32::from(presence) | species << 16;
        Self { x, y, z, number, velocity_x, velocity_y, velocity_z, presence_species }
    }

    /// The instance of a point. `layers`: the number of species.
    fn of_point(point: &Point, layers: u32) -> Self {
        let species = if layers > 1 { point.layer() } else { 0 };
        Self::new(point.place(), point.key(), point.velocity(), point.presence(), species)
    }

    fn of_individual(individuals: &Individuals, index: usize) -> Self {
        let species = individuals.drawn_word(index) & 7;
        // Velocities are rounded as on a device, whose list has 16 bits (Q13 of a cell a step) for each component.
        let velocity =
            individuals.velocity(index).map(|along| (along >> 1).clamp(i16::MIN.into(), i16::MAX.into()) << 1);
        Self::new(individuals.position(index), individuals.numbers[index], velocity, u16::MAX, species)
    }
}

/// The instances of a swarm on a device.
///
/// ```no_run
/// # use murmuration_core::{error::Failure, simulation::Simulation};
/// # fn draw(gpu: std::sync::Arc<murmuration_gpu::Gpu>, simulation: &mut Simulation) -> Result<(), Failure> {
/// let mut instances = murmuration_gpu::instances::InstanceBuffer::new(gpu.clone());
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// instances.update(simulation, &mut encoder)?;
/// // A vertex shader reads `instances.buffer()`, for `instances.len()` copies of a mesh.
/// # Ok(())
/// # }
/// ```
pub struct InstanceBuffer {
    gpu: Arc<Gpu>,
    buffer: wgpu::Buffer,
    count: u32,
    /// The program for the present source, with its bind group.
    bound: Option<(InstanceSource, Program<wgpu::ComputePipeline>, wgpu::BindGroup)>,
}

/// The buffers of the swarm on the device.
#[derive(PartialEq)]
enum InstanceSource {
    Points(PointList),
    Individuals(BodyList),
}

impl InstanceBuffer {
    /// An empty buffer on a device.
    pub fn new(gpu: Arc<Gpu>) -> Self {
        let buffer = list(&gpu, 1);
        Self { gpu, buffer, count: 0, bound: None }
    }

    /// The instances. The buffer can be read as storage and as vertices (an `Instance` has 32 bytes), and copied from.
    /// When the swarm grows, the buffer is replaced.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// The number of entries in the list. Entries with presence 0 are empty.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether the list has no entries.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Encodes the instances of the present swarm. If the engine is on another device or on the CPU, the swarm is read
    /// from it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn update(&mut self, simulation: &mut Simulation, encoder: &mut wgpu::CommandEncoder) -> Result<(), Failure> {
        if simulation.preset().individuals.is_none() {
            simulation.keep_points()?;
        }
        simulation.show()?;
        match self.source(simulation) {
            Some(source) => {
                self.bind(source);
                if let Some((_, program, group)) = &self.bound {
                    let mut pass = begin_compute(encoder, "instances", None);
                    program.dispatch(&mut pass, group, 0, groups_of(self.count));
                }
            }
            None => {
                let instances = instances_in_memory(simulation)?;
                self.bound = None;
                self.resize(instances.len() as u32);
                self.gpu.queue().write_buffer(&self.buffer, 0, bytemuck::cast_slice(&instances));
            }
        }
        self.gpu.check()
    }

    /// Requests the instances after all submitted work, for example for a check. Drawing needs no copy.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self) -> Result<Ticket<Vec<Instance>>, Failure> {
        let read = transfer::read(&self.gpu, &[Words::all_of(&self.buffer)], "instances")?;
        let count = self.count as usize;
        Ok(read.map(move |words| {
            words[0].as_chunks::<8>().0[..count].iter().map(|words| bytemuck::cast(*words)).collect()
        }))
    }

    /// The swarm's buffers on this device, if it lies there.
    fn source(&self, simulation: &Simulation) -> Option<InstanceSource> {
        let textures: Arc<StateTextures> = simulation.on_device()?.downcast().ok()?;
        if !textures.gpu.is_same_device(&self.gpu) {
            return None;
        }
        let points = textures.points().map(InstanceSource::Points);
        points.or_else(|| textures.current().bodies.map(InstanceSource::Individuals))
    }

    fn bind(&mut self, source: InstanceSource) {
        if self.bound.as_ref().is_some_and(|(bound, ..)| *bound == source) {
            return;
        }
        self.resize(match &source {
            InstanceSource::Points(points) => points.room,
            InstanceSource::Individuals(bodies) => bodies.count,
        });
        let shader = match &source {
            InstanceSource::Points(points) => assemble_points(&self.gpu.library, points.count_at, points.layers),
            InstanceSource::Individuals(_) => assemble_individuals(&self.gpu.library),
        };
        let program = Program::compute(&self.gpu, "instances", &shader, true);
        let group = program.bind(&self.gpu.device, |name| {
            Resource::Buffer(match (name, &source) {
                ("point_list", InstanceSource::Points(points)) => &points.list,
                ("starts", InstanceSource::Points(points)) => &points.starts,
                ("bodies", InstanceSource::Individuals(bodies)) => &bodies.buffer,
                _ => &self.buffer,
            })
        });
        self.bound = Some((source, program, group));
    }

    fn resize(&mut self, count: u32) {
        if u64::from(count.max(1)) * size_of::<Instance>() as u64 != self.buffer.size() {
            self.buffer = list(&self.gpu, count);
        }
        self.count = count;
    }
}

fn list(gpu: &Gpu, count: u32) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX;
    let copied = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    buffer(&gpu.device, "instances", u64::from(count.max(1)) * size_of::<Instance>() as u64, usage | copied)
}

/// The instances of a swarm that does not lie on this device. Each individual has an instance, even in a large swarm.
fn instances_in_memory(simulation: &mut Simulation) -> Result<Vec<Instance>, Failure> {
    if simulation.preset().individuals.is_some()
        && let Swarm::Individuals(individuals, _) = simulation.read(SwarmReading)?
    {
        return Ok((0..individuals.len()).map(|index| Instance::of_individual(&individuals, index)).collect());
    }
    let of_points = |Points { list, parameters }: Points| {
        list.iter().map(|point| Instance::of_point(point, parameters.layers)).collect()
    };
    Ok(simulation.read(PointsReading)?.map_or_else(Vec::new, of_points))
}
