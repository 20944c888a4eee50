//! The points of a lattice on its device. Compute passes after every step move them, and nothing is read back.
//!
//! The points are sorted by block. `starts` holds the first point of each block, then the number of points. A step
//! moves each point and counts the points of each block, sorts them, and decides for each block which points leave and
//! how many appear. Then it sorts them again. The points and their order are equal to the CPU's.

pub(crate) mod shader;

use crate::device::program::{ComputeStep, Program, Resource, STORAGE, begin_compute, buffer, buffer_of};
use crate::device::transfer::{self, Words};
use crate::device::{DeviceStepPart, Gpu};
use crate::lattice::Lattice;
use crate::shader::ShaderConfig;
use crate::shader::workgroups::spread;
use murmuration_core::engine::Dispatch;
use murmuration_core::error::Failure;
use murmuration_core::points::{Blocks, Point, PointParameters, Points};
use murmuration_core::ticket::Ticket;
use shader::{BINS_EACH, POINT_WORKGROUP, PointInvocation, PointKernel};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The kernels of a step, each with the name of the buffer that is bound to its variable `begins`. The name is empty if
/// the kernel has no such variable. Kernels that read the lattice run once for each layer.
const STEP: [(&str, &str); 9] = [
    ("move", ""),
    ("sum_parts", ""),
    ("scan", "arrivals"),
    ("scatter", ""),
    ("sort", ""),
    ("decide", ""),
    ("sum_parts", ""),
    ("scan", "starts"),
    ("renew", ""),
];
/// The offset in bytes, in the buffer `numbers`, of the flag that says whether points are being seeded.
const SEEDS_AT: u64 = 16;

/// The points as pictures on the same device read them.
#[derive(Debug, Clone, PartialEq)]
pub struct PointList {
    /// The points, 24 bytes each, as [`Point`] lies in memory.
    pub list: wgpu::Buffer,
    /// The index of the first point of each block, followed by the number of points.
    pub starts: wgpu::Buffer,
    /// The offset in bytes of the number of points in `starts`.
    pub count_at: u64,
    /// The maximum number of points.
    pub room: u32,
    /// The number of boids for which each point stands.
    pub boids_each: u32,
    /// The number of layers with points.
    pub layers: u32,
}

impl PointList {
    /// Encodes a copy of the points into buffers that do not change any more.
    pub(super) fn encode_copy(&self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder) -> Self {
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let list = buffer(device, "points", self.list.size(), self.list.usage());
        let starts = buffer(device, "starts", 4, usage | wgpu::BufferUsages::STORAGE);
        encoder.copy_buffer_to_buffer(&self.list, 0, &list, 0, self.list.size());
        encoder.copy_buffer_to_buffer(&self.starts, self.count_at, &starts, 0, 4);
        Self { list, starts, count_at: 0, ..*self }
    }
}

/// The points of a lattice, and the passes that move them.
pub struct LatticePoints {
    memory: PointMemory,
    passes: Vec<ComputeStep>,
}

/// The buffers of the points, by the names of their variables.
#[derive(Clone)]
pub struct PointMemory {
    parameters: PointParameters,
    /// The maximum number of points in the buffers: the maximum after a step, or the number at the start if it is
    /// greater.
    room: u32,
    blocks: Blocks,
    buffers: BTreeMap<&'static str, wgpu::Buffer>,
}

impl PointMemory {
    /// Buffers that hold these points.
    pub fn new(gpu: &Gpu, lattice: &Lattice, points: &Points) -> Self {
        let parameters = points.parameters;
        let blocks = Blocks { layers: parameters.layers, ..Blocks::new(lattice.extents) };
        let (most, bins) = (parameters.most.max(points.list.len() as u32), blocks.bins() as u64 + 1);
        let parts = bins.div_ceil(u64::from(POINT_WORKGROUP * BINS_EACH));
        let room = u64::from(most);
        let list = room * size_of::<Point>() as u64;
        let sizes = [
            ("points", list),
            ("sorted", list),
            ("destinations", 4 * room),
            ("ranks", 4 * room),
            ("order", 4 * room),
            ("starts", 4 * bins),
            ("arrivals", 4 * bins),
            ("counts", 4 * bins),
            ("plans", 8 * bins),
            ("parts", 4 * parts),
        ];
        let made = |(name, size)| (name, buffer(&gpu.device, name, size, STORAGE));
        let mut buffers: BTreeMap<_, _> = sizes.into_iter().map(made).collect();
        let numbers = [parameters.seed, parameters.boids_each, parameters.most, parameters.step, 0];
        let numbers = buffer_of(&gpu.device, gpu.queue(), "numbers", bytemuck::cast_slice(&numbers), STORAGE);
        buffers.insert("numbers", numbers);
        let mut starts = vec![0u32; bins as usize];
        for point in &points.list {
            starts[blocks.bin(point) as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        gpu.queue().write_buffer(&buffers["points"], 0, bytemuck::cast_slice(&points.list));
        gpu.queue().write_buffer(&buffers["starts"], 0, bytemuck::cast_slice(&starts));
        Self { parameters, room: most, blocks, buffers }
    }

    /// The buffers that pictures read.
    pub fn list(&self) -> PointList {
        PointList {
            list: self.buffers["points"].clone(),
            starts: self.buffers["starts"].clone(),
            count_at: 4 * self.blocks.bins() as u64,
            room: self.room,
            boids_each: self.parameters.boids_each,
            layers: self.parameters.layers,
        }
    }

    /// Requests the present points. `step`: the number of steps played, which becomes the step of their parameters.
    /// The whole buffer and the number of points are read.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self, gpu: &Arc<Gpu>, step: u32) -> Result<Ticket<Points>, Failure> {
        let PointList { list, starts, count_at, .. } = self.list();
        let read =
            transfer::read(gpu, &[Words::Buffer(&starts, count_at..count_at + 4), Words::all_of(&list)], "points")?;
        let parameters = PointParameters { step, ..self.parameters };
        Ok(read.map(move |words| {
            let points = words[1].as_chunks::<6>().0.iter().take(words[0][0] as usize);
            Points { list: points.map(|words| bytemuck::cast(*words)).collect(), parameters }
        }))
    }
}

impl LatticePoints {
    /// Passes for a lattice, on these buffers.
    pub fn new(lattice: &Lattice, memory: PointMemory) -> Self {
        let Lattice { gpu, plan, .. } = lattice;
        let config = ShaderConfig { dispatch: Dispatch::default(), ..lattice.shader_config() };
        let (bins, layers) = (memory.blocks.bins() as u32 + 1, memory.blocks.layers);
        let of_step = STEP.iter().flat_map(|(name, begins)| {
            let kernel = PointKernel::named(name);
            let played = if kernel.reads_lattice { layers } else { 1 };
            (0..played).map(move |own| (kernel, *begins, own))
        });
        let passes = of_step.map(|(kernel, begins, own)| {
            let name = kernel.name;
            let groups = match kernel.invocation {
                PointInvocation::Points => memory.room.div_ceil(POINT_WORKGROUP),
                PointInvocation::Blocks => (memory.blocks.count() as u32).div_ceil(POINT_WORKGROUP),
                PointInvocation::Parts => bins.div_ceil(POINT_WORKGROUP * BINS_EACH),
            };
            let program = Program::compute(gpu, name, &kernel.assemble(config, [own, layers]), true);
            ComputeStep::new(&gpu.device, program, spread(groups), plan.phases.len(), |phase, name| {
                let [density, control] = plan.states(phase).nth(own as usize).unwrap_or(plan.layers[0].state[phase]);
                match name {
                    "density_texture" => Resource::Texture(lattice.view(density)),
                    "control_texture" => Resource::Texture(lattice.view(control)),
                    "capacity_texture" => Resource::Texture(lattice.view(plan.capacity)),
                    "parameters" => Resource::Buffer(&lattice.parameters),
                    "begins" => Resource::Buffer(&memory.buffers[begins]),
                    _ => Resource::Buffer(&memory.buffers[name]),
                }
            })
        });
        let passes = passes.collect();
        Self { passes, memory }
    }

    /// The buffers, which passes of another plan can take over.
    pub fn memory(&self) -> &PointMemory {
        &self.memory
    }

    /// Seeds the points of the state before a phase. The list has to be empty.
    pub fn seed(&self, gpu: &Gpu, phase: usize) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        // A step makes the points. All points that are wanted appear at once, with full presence.
        let seeds = |is_seeding: bool| {
            gpu.queue().write_buffer(
                &self.memory.buffers["numbers"],
                SEEDS_AT,
                bytemuck::bytes_of(&u32::from(is_seeding)),
            );
        };
        seeds(true);
        self.encode_after(&mut encoder, phase, 0);
        gpu.submit(encoder);
        seeds(false);
    }
}

impl DeviceStepPart for LatticePoints {
    /// Moves the points with the boids.
    fn encode_after(&self, encoder: &mut wgpu::CommandEncoder, next_phase: usize, offset: u32) {
        encoder.clear_buffer(&self.memory.buffers["counts"], 0, None);
        let mut pass = begin_compute(encoder, "points", None);
        self.passes.iter().for_each(|step| step.encode(&mut pass, next_phase, offset));
    }
}
