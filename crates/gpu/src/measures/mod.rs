//! Measures of a swarm on a device, by sums of 32-bit floats, without reading the swarm back.
//! `Measures` of the core sums in memory.

mod blocks;
mod overlap;
pub(crate) mod shader;
pub(crate) mod sum_pass;

pub use blocks::BlockPasses;

use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::device::{Gpu, ReadingPasses};
use murmuration_core::error::Failure;
use murmuration_core::measures::liveliness::{LivelinessReading, SwarmSample};
use murmuration_core::measures::{FormSums, Measures, MeasuresReading, MotionSums};
use murmuration_core::numbers::each_axis;
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Space;
use shader::{BodySource, GROUPS, MeasureKernel, assemble_measures};
use std::sync::Arc;

/// A function that returns the resource for a phase and the name of a variable.
pub type BoundResource<'a> = Box<dyn Fn(usize, &str) -> Resource<'a> + 'a>;

/// A swarm on a device, as the passes of readings are bound to it.
pub struct DeviceSwarm<'a> {
    /// The device.
    pub gpu: Arc<Gpu>,
    /// Individuals, or the cells of a lattice.
    pub source: BodySource,
    /// The greatest number of individuals; 0 for cells.
    pub max_individuals: u32,
    /// The number of phases of the plan.
    pub phases: usize,
    /// The phase of the next step, which gives the textures of the present state.
    pub phase: usize,
    /// The resources that the passes bind.
    pub resource: BoundResource<'a>,
}

impl DeviceSwarm<'_> {
    /// Requests the measures. `passes`: the passes of earlier requests, which are used again.
    ///
    /// # Errors
    /// If the device fails.
    pub fn measures(&self, passes: &mut ReadingPasses, reading: MeasuresReading) -> Result<Ticket<Measures>, Failure> {
        let make = || Ok(MeasurePasses::new(&self.gpu, self.source, reading.space, self.phases, &self.resource));
        passes.get(|_: &MeasurePasses| true, make)?.request(&self.gpu, self.phase)
    }

    /// Requests a sample of the swarm for its liveliness. `passes`: the passes of earlier requests, which are used
    /// again.
    ///
    /// # Errors
    /// If the device fails, or has no room for the sums of all blocks.
    pub fn sample(
        &self,
        passes: &mut ReadingPasses,
        LivelinessReading { blocks }: LivelinessReading,
    ) -> Result<Ticket<SwarmSample>, Failure> {
        let make =
            || BlockPasses::new(&self.gpu, self.source, self.max_individuals, blocks, self.phases, &self.resource);
        passes.get(|passes: &BlockPasses| *passes.blocks() == blocks, make)?.request(&self.gpu, self.phase)
    }
}

/// The number of terms (sums) that a workgroup writes.
const TERMS: usize = 12;

/// The kernels of the sums, and the buffers that they write.
pub struct MeasurePasses {
    space: Space,
    steps: [ComputeStep; 3],
    motion: wgpu::Buffer,
    centre: wgpu::Buffer,
    form: wgpu::Buffer,
}

impl MeasurePasses {
    /// Makes the kernels of the sums over bodies in a space. `resource` returns the resource of the bodies for a phase
    /// and the name of a variable.
    pub fn new<'a>(
        gpu: &Gpu,
        source: BodySource,
        space: Space,
        phases: usize,
        resource: impl Fn(usize, &str) -> Resource<'a>,
    ) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let made = |label, words| buffer(&gpu.device, label, 4 * words, usage);
        let [motion, form] = ["motion", "form"].map(|label| made(label, u64::from(GROUPS) * TERMS as u64));
        let centre = made("centre", 3);
        let steps = MeasureKernel::ALL.map(|kernel| {
            let shader = assemble_measures(&gpu.library, kernel, source, &space);
            let program = Program::compute(gpu, kernel.name(), &shader, false);
            let groups = if kernel == MeasureKernel::Centre { 1 } else { GROUPS };
            ComputeStep::new(&gpu.device, program, [groups, 1, 1], phases, |phase, name| match name {
                "sums" if kernel == MeasureKernel::Form => Resource::Buffer(&form),
                "sums" => Resource::Buffer(&motion),
                "centre" => Resource::Buffer(&centre),
                given => resource(phase, given),
            })
        });
        Self { space, steps, motion, centre, form }
    }

    /// Requests the measures of the swarm after all submitted work. `phase`: the phase of the next step, which gives
    /// the textures of the present state.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self, gpu: &Arc<Gpu>, phase: usize) -> Result<Ticket<Measures>, Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for step in &self.steps {
            step.encode(&mut begin_compute(&mut encoder, "measures", None), phase, 0);
        }
        let words = [&self.motion, &self.centre, &self.form].map(Words::all_of);
        let space = self.space;
        Ok(transfer::request(gpu, encoder, &words, "measures")?.map(move |words| {
            let [motion, form] = [0, 2].map(|index| sums_over_groups(&words[index]));
            Measures::from_sums(&motion_of(motion), &form_of(form, &words[1]), &space)
        }))
    }
}

/// The sums over all workgroups, each of which writes this number of terms.
fn sums_over_groups<const TERMS: usize>(words: &[u32]) -> [f64; TERMS] {
    let mut sums = [0.0; TERMS];
    for group in words.chunks_exact(TERMS) {
        sums.iter_mut().zip(group).for_each(|(sum, word)| *sum += f64::from(f32::from_bits(*word)));
    }
    sums
}

/// The sums of weights, speeds, headings and places, in the order of the terms in `shaders/measures/motion.wgsl`.
fn motion_of(sums: [f64; TERMS]) -> MotionSums {
    MotionSums {
        weight: sums[0],
        speed: sums[1],
        heading: each_axis(|axis| sums[2 + axis]),
        places: each_axis(|axis| [sums[5 + 2 * axis], sums[6 + 2 * axis]]),
    }
}

/// The sums relative to the place `place`, in the order of the terms in `shaders/measures/form.wgsl`: offsets from it,
/// their products, and the rotation around it.
fn form_of(sums: [f64; TERMS], place: &[u32]) -> FormSums {
    FormSums {
        from: each_axis(|axis| place[axis] as i32),
        offsets: each_axis(|axis| sums[axis]),
        products: std::array::from_fn(|pair| sums[3 + pair]),
        rotation: each_axis(|axis| sums[9 + axis]),
    }
}
