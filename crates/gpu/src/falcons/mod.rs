//! The falcons on a device. One kernel adds up the boids that each falcon sees, and one kernel moves the falcons. So
//! nothing is read back before the next step. The new places of the falcons are copied into the parameters of the step,
//! from which all kernels read hunters.

mod rock;
pub(crate) mod shader;
mod slab;

pub use rock::RockBuffer;
pub use slab::SlabFlight;

use crate::device::player::stride_of;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::{DeviceStepPart, Gpu, IndividualBuffers};
use crate::lattice::Lattice;
use crate::shader::Shader;
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::individuals::IndividualParameters;
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{HUNTERS, HunterNumbers};
use shader::{GROUPS, assemble_falcons, assemble_falcons_of_individuals};

/// The size of the buffer with the sums over the boids that each hunter sees, in bytes.
const SEEN: u64 = 32 * HUNTERS as u64;
/// The size of the buffer with the hunters after the flight, in bytes.
const FLOWN: u64 = (size_of::<HunterNumbers>() * HUNTERS) as u64;

/// The falcons of a swarm on a device, and the kernels that move them.
pub struct Falcons {
    see: ComputeStep,
    flight: ComputeStep,
    state: wgpu::Buffer,
    /// A copy of the falcons from before the present step.
    before: wgpu::Buffer,
    /// The hunters of the present step, after the falcons have flown.
    flown: wgpu::Buffer,
    parameters: wgpu::Buffer,
    /// For each layer, the offset of the hunters in the parameters of a step, in bytes.
    hunters_offsets: Vec<u64>,
}

impl Falcons {
    /// The falcons of a swarm of cells. `state`: the buffer with the falcons. `rock`: the distances of cells from rock;
    /// `None`: the world has no rock.
    pub fn from_cells(lattice: &Lattice, state: &wgpu::Buffer, rock: Option<&RockBuffer>) -> Self {
        let Lattice { gpu, plan, extents, edges, parameters, .. } = lattice;
        let layers = plan.layers.len();
        let shaders = assemble_falcons(&gpu.library, *extents, *edges, rock.is_some(), layers);
        let offset = |own| own * stride_of::<Parameters>() as u64 + Parameters::hunters_offset();
        let parameters = (parameters, (0..layers as u64).map(offset).collect());
        Self::new(gpu, state.clone(), shaders.each_ref(), parameters, plan.phases.len(), |phase, name| {
            match rock.filter(|_| name == "solids") {
                Some(rock) => Resource::Buffer(&rock.buffer),
                None => Resource::Texture(lattice.density_view(phase, name)),
            }
        })
    }

    /// The falcons of a swarm of individuals. `state`: the buffer with the falcons.
    pub fn from_individuals(
        individuals: IndividualBuffers<'_>,
        gpu: &Gpu,
        state: &wgpu::Buffer,
        habitat: &Habitat,
    ) -> Self {
        let IndividualBuffers { buffers, has_lives, .. } = individuals;
        let shaders = assemble_falcons_of_individuals(&gpu.library, &habitat.space, has_lives, habitat.is_swept());
        let parameters = (&buffers["parameters"], vec![IndividualParameters::hunters_offset()]);
        Self::new(gpu, state.clone(), shaders.each_ref(), parameters, 1, |_, name| Resource::Buffer(&buffers[name]))
    }

    /// The falcons in the buffer `state`, with the shaders `see` and `flight`. `resource` returns the resources of the
    /// swarm that the shaders bind, for a phase and the name of a variable.
    fn new<'a>(
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
}

impl DeviceStepPart for Falcons {
    /// Encodes the flight of the falcons, before all passes that read hunters.
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
}
