//! Mixes several species of cells to one swarm, from which pictures on the engine's device are drawn.

mod shader;

pub use shader::{assemble_count, assemble_mixture, write_fed};

use crate::device::DeviceStepPart;
use crate::device::program::{ComputeStep, Program, Resource, STORAGE_TEXTURE, begin_compute, texture};
use crate::lattice::{FORMATS, Lattice};
use crate::shader::words_of;
use murmuration_core::state::fields::Texel;

/// Two textures for pictures of several species: the sum of all densities, and the mean of the species' colours as a
/// vector in each cell. Pictures read the vector like a heading.
pub struct Mixture {
    step: ComputeStep,
    textures: [wgpu::Texture; 2],
}

impl Mixture {
    /// The mixture of the species of a lattice. `None` if the lattice has one species.
    pub fn new(lattice: &Lattice) -> Option<Self> {
        let Lattice { gpu, plan, extents, atlas, .. } = lattice;
        if plan.layers.len() == 1 {
            return None;
        }
        let formats = [FORMATS[0], FORMATS[words_of(Texel::Velocity, *extents) - 1]];
        let textures = formats.map(|format| texture(&gpu.device, "mixture", atlas.size(), format, 1, STORAGE_TEXTURE));
        let shader = assemble_mixture(&gpu.library, *extents, &plan.colours);
        let program = Program::compute(gpu, "mixture", &shader, false);
        let workgroups = atlas.size().map(|size| size.div_ceil(8));
        let workgroups = [workgroups[0], workgroups[1], 1];
        let step = ComputeStep::new(&gpu.device, program, workgroups, plan.phases.len(), |phase, name| {
            let species = name.strip_prefix("species_").and_then(|name| name.strip_suffix("_texture"));
            let slots = species.and_then(|number| plan.states(phase).nth(number.parse().ok()?));
            Resource::Texture(match (slots, name) {
                (Some([density, _]), _) => lattice.view(density),
                (None, "density_target") => textures[0].create_view(&Default::default()),
                _ => textures[1].create_view(&Default::default()),
            })
        });
        Some(Self { step, textures })
    }

    /// The textures with the densities and with the colours.
    pub fn textures(&self) -> [wgpu::Texture; 2] {
        self.textures.clone()
    }

    /// Encodes the pass that mixes the species from their textures before a phase. `phase`: the index of the phase in
    /// the plan.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, phase: usize) {
        self.step.encode(&mut begin_compute(encoder, "mixture", None), phase, 0);
    }
}

impl DeviceStepPart for Mixture {
    fn encode_after(&self, encoder: &mut wgpu::CommandEncoder, next_phase: usize, _: u32) {
        self.encode(encoder, next_phase);
    }
}

/// The textures that pictures read before a phase: the density and the control vectors of a single species, or the
/// mixture of several species.
pub fn shown_of(lattice: &Lattice, mixture: Option<&Mixture>, phase: usize) -> [wgpu::Texture; 2] {
    mixture.map_or_else(|| lattice.state(phase), Mixture::textures)
}
