//! The falcons on a device: what they see is summed there, and there they fly, so that nothing is read back before the next step. A
//! step copies where they are into its own parameters, from which all kernels read the hunters.

mod rock;
pub(crate) mod shader;

use murmuration_core::falcons::{FALCONS, Falcon};
use murmuration_core::state::WorldColumn;
pub use rock::RockBuffer;

use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::Words;
use crate::device::{Gpu, StepPart};
use crate::shader::Shader;
use murmuration_core::world::{HUNTERS, HunterNumbers};
use shader::GROUPS;

/// The bytes of what all hunters of a step see, and of the hunters themselves.
const SEEN: u64 = 32 * HUNTERS as u64;
const FLOWN: u64 = (size_of::<HunterNumbers>() * HUNTERS) as u64;

/// The falcons of a swarm, and the kernels that fly them.
pub struct Falcons {
    see: ComputeStep,
    flight: ComputeStep,
    state: wgpu::Buffer,
    /// The falcons before the present step.
    before: wgpu::Buffer,
    flown: wgpu::Buffer,
    parameters: wgpu::Buffer,
    /// The bytes of a step's parameters at which its hunters begin, for each layer.
    hunters_offsets: Vec<u64>,
}

/// A buffer with these falcons; `None`: there are none.
pub fn falcon_buffer(gpu: &Gpu, falcons: &[Falcon]) -> Option<wgpu::Buffer> {
    if falcons.is_empty() {
        return None;
    }
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let state = buffer(&gpu.device, "falcons", size_of_val(falcons) as u64, usage);
    gpu.queue().write_buffer(&state, 0, bytemuck::cast_slice(falcons));
    Some(state)
}

impl Falcons {
    /// The falcons in a buffer, which see by one shader and fly by another. `resource`: what the first binds beside falcons and
    /// sums, by phase and name.
    pub fn new<'a>(
        gpu: &Gpu,
        state: wgpu::Buffer,
        [see, flight]: [&Shader; 2],
        (parameters, hunters_offsets): (&'a wgpu::Buffer, Vec<u64>),
        phases: usize,
        resource: impl Fn(usize, &str) -> Resource<'a>,
    ) -> Self {
        let device = &gpu.device;
        let seen = buffer(device, "seen", SEEN, wgpu::BufferUsages::STORAGE);
        let copies = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let before = buffer(device, "falcons before", state.size(), copies);
        let flown = buffer(device, "flown", FLOWN, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let step = |name, shader: &Shader, groups| {
            let program = Program::compute(gpu, name, shader, true);
            ComputeStep::new(device, program, groups, phases, |phase, name| match name {
                "parameters" => Resource::Buffer(parameters),
                "falcons" => Resource::Buffer(&state),
                "seen" => Resource::Buffer(&seen),
                "flown" => Resource::Buffer(&flown),
                name => resource(phase, name),
            })
        };
        let see = step("see", see, [GROUPS, HUNTERS as u32, 1]);
        let flight = step("flight", flight, [1; 3]);
        Self { see, flight, flown, parameters: parameters.clone(), hunters_offsets, state, before }
    }

    /// Puts other falcons in the place of these. Returns whether they are as many, so that nothing else changes.
    pub fn replace(&self, gpu: &Gpu, falcons: &[Falcon]) -> bool {
        let is_as_large = self.state.size() == size_of_val(falcons) as u64;
        if is_as_large {
            gpu.queue().write_buffer(&self.state, 0, bytemuck::cast_slice(falcons));
        }
        is_as_large
    }

    /// The buffer with the falcons.
    pub fn state(&self) -> &wgpu::Buffer {
        &self.state
    }
}

impl StepPart for Falcons {
    /// The flight of a step, before all that reads its hunters.
    fn encode_before(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, offset: u32) {
        let mut pass = begin_compute(encoder, "falcons", None);
        self.see.encode(&mut pass, phase, offset);
        self.flight.encode(&mut pass, phase, offset);
        drop(pass);
        for at in &self.hunters_offsets {
            encoder.copy_buffer_to_buffer(&self.flown, 0, &self.parameters, u64::from(offset) + at, FLOWN);
        }
    }

    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        let (from, to) = if is_back { (&self.before, &self.state) } else { (&self.state, &self.before) };
        encoder.copy_buffer_to_buffer(from, 0, to, 0, self.state.size());
    }

    fn column(&self) -> Option<(&'static WorldColumn, Words<'_>)> {
        Some((&FALCONS, Words::all_of(&self.state)))
    }
}
