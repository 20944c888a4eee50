//! The memory of individuals on a device: the buffers of a plan, and the passes that are bound to these buffers.

use super::account;
use super::shader::{self, KernelConfig};
use crate::device::Gpu;
use crate::device::IndividualBuffers;
use crate::device::program::{ComputeStep, Program, Resource, STORAGE, begin_compute, buffer};
use crate::parts::buffers_of_features;
use crate::shader::{ACCOUNT_WORDS, StoredIndividual, validate_kernel};
use murmuration_core::chain::SUM_ENERGY;
use murmuration_core::chain::individuals_plan::{IndividualsPass, IndividualsPlan, PlannedBuffer};
use murmuration_core::chain::table::{Element, KernelSignature, Model};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::numbers::pack;
use murmuration_core::terrain::Habitat;
use std::collections::BTreeMap;

/// The buffers of a plan, and the passes that are bound to these buffers.
pub struct Memory {
    /// The maximum number of individuals in the buffers.
    pub most: usize,
    /// The upper bound of the individuals' numbers. All numbers are below it.
    pub numbers: usize,
    /// Whether the individuals have lives (hunger, health and mood).
    pub has_lives: bool,
    /// All buffers, by the names of their variables in shaders: the buffers of the plan, the parameters of steps, and
    /// the buffers of features.
    pub buffers: BTreeMap<String, wgpu::Buffer>,
    /// A copy of the account from before the present step.
    pub account_before: wgpu::Buffer,
    /// The passes of the chain, in the order of a step.
    pub passes: Vec<ComputeStep>,
    /// The passes of a step that follow the passes of the chain.
    pub after: Vec<ComputeStep>,
    /// The pass that adds the energy of the individuals to the account; `None`: individuals have no lives.
    energy_sum: Option<ComputeStep>,
}

impl Memory {
    pub fn individuals(&self) -> IndividualBuffers<'_> {
        IndividualBuffers { most: self.most, has_lives: self.has_lives, buffers: &self.buffers }
    }

    /// Makes the buffers and passes of a plan, for at most `most` individuals, whose numbers are below `numbers`.
    /// Buffers in `before` with an equal name and size are used again, with their contents.
    ///
    /// # Errors
    /// If the device has no room for them, or a kernel is not valid.
    pub fn new(
        gpu: &Gpu,
        plan: &IndividualsPlan,
        config: &KernelConfig,
        parameters: &wgpu::Buffer,
        [most, numbers]: [usize; 2],
        before: Option<&Self>,
    ) -> Result<Self, Failure> {
        let setup = &config.setup;
        let words = obstacle_words(&setup.habitat);
        check_capacity(gpu, setup.has_lives, most, numbers, words.len())?;
        let planned = |PlannedBuffer { name, element, .. }: &PlannedBuffer| {
            (name.clone(), bytes_of(*element, config, [most, numbers, words.len()]))
        };
        let made = |(name, bytes): (String, u64)| {
            let kept = before.and_then(|memory| memory.buffers.get(&name)).filter(|buffer| buffer.size() == bytes);
            let buffer = kept.cloned().unwrap_or_else(|| buffer(&gpu.device, &name, bytes, STORAGE));
            (name, buffer)
        };
        let of_features = buffers_of_features(gpu, setup)?;
        let given = [("parameters".to_string(), parameters.clone())];
        let buffers = plan.buffers.iter().map(planned).chain(of_features).map(made).chain(given).collect();
        let mut memory = Self {
            most,
            numbers,
            has_lives: setup.has_lives,
            buffers,
            account_before: buffer(&gpu.device, "account before", 4 * ACCOUNT_WORDS, STORAGE),
            passes: Vec::new(),
            after: Vec::new(),
            energy_sum: None,
        };
        let bound = |passes: &[IndividualsPass]| -> Result<Vec<_>, BadInput> {
            passes.iter().map(|pass| memory.pass(gpu, plan, config, pass, |_| None)).collect()
        };
        let (passes, after) = (bound(&plan.passes)?, bound(&plan.after)?);
        let energy_sum = || memory.pass_beside_plan(gpu, plan, config, &SUM_ENERGY, |_| None);
        let energy_sum = setup.has_lives.then(energy_sum);
        gpu.check()?;
        (memory.passes, memory.after, memory.energy_sum) = (passes, after, energy_sum);
        // This write comes last. If anything fails before, the earlier passes still read the old words in this buffer.
        gpu.queue().write_buffer(&memory.buffers["solids"], 0, bytemuck::cast_slice(&words));
        gpu.check()?;
        Ok(memory)
    }

    /// Encodes a pass that writes the energy of each species to the account, if individuals have lives. `species`: the
    /// number of species.
    pub fn encode_energy_sum(&self, encoder: &mut wgpu::CommandEncoder, species: usize) {
        let Some(pass) = &self.energy_sum else { return };
        for species in 0..species {
            encoder.clear_buffer(&self.buffers["account"], 4 * account::energy_now(species) as u64, Some(8));
        }
        pass.encode(&mut begin_compute(encoder, "sum_energy", None), 0, 0);
    }

    /// Makes a pass over all individuals. `own` returns the buffer for the name of a variable if the buffer is not in
    /// [`Self::buffers`].
    fn pass<'a>(
        &'a self,
        gpu: &Gpu,
        plan: &IndividualsPlan,
        config: &KernelConfig,
        IndividualsPass { signature, kernel }: &IndividualsPass,
        own: impl Fn(&str) -> Option<&'a wgpu::Buffer>,
    ) -> Result<ComputeStep, BadInput> {
        let path = Model::Individuals.table().path(signature.name);
        let built_in = || [&*path, gpu.library.text(&path).unwrap_or_default()];
        let text = kernel.as_ref().map_or_else(built_in, |kernel| [&kernel.origin, &kernel.text]);
        let shader = shader::assemble(&gpu.library, signature, text, config);
        if let Some(kernel) = kernel {
            validate_kernel(&gpu.library, Model::Individuals, kernel, &shader)?;
        }
        let is_trusted = kernel.as_ref().is_none_or(|kernel| kernel.is_built_in);
        let program = Program::compute(gpu, signature.name, &shader, is_trusted);
        let workgroups = config.workgroups(signature.invocation, self.most as u32);
        Ok(ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
            Resource::Buffer(own(name).unwrap_or_else(|| &self.buffers[plan.buffer_of(name).unwrap_or(name)]))
        }))
    }

    /// Makes a pass of a built-in kernel that is not in the plan. It has the same bindings as a pass of the plan.
    pub fn pass_beside_plan<'a>(
        &'a self,
        gpu: &Gpu,
        plan: &IndividualsPlan,
        config: &KernelConfig,
        signature: &'static KernelSignature,
        own: impl Fn(&str) -> Option<&'a wgpu::Buffer>,
    ) -> ComputeStep {
        let pass = IndividualsPass { signature, kernel: None };
        self.pass(gpu, plan, config, &pass, own).expect("a built-in kernel is sound")
    }
}

/// The size of a buffer in bytes. `element`: the kind of thing for each of which the buffer has an element. `most`: the
/// maximum number of individuals. `numbers`: the bound of their numbers. `obstacles`: the number of [`obstacle_words`].
fn bytes_of(element: Element, config: &KernelConfig, [most, numbers, obstacles]: [usize; 3]) -> u64 {
    let individuals = most.max(1) as u64;
    match element {
        Element::Account => 4 * ACCOUNT_WORDS,
        Element::Individual => individuals * StoredIndividual::bytes(config.setup.has_lives),
        Element::Vector => individuals * config.vector_bytes(),
        Element::Cell => 4 * u64::from(config.bins()),
        Element::Block => 4 * u64::from(config.blocks()),
        Element::Column => 4 * obstacles as u64,
        Element::GivenNumber => 4 * numbers.max(1) as u64,
        Element::Number | Element::Tree => 4 * individuals,
    }
}

/// Checks that the device allows buffers for `most` individuals, for their numbers (if they have lives), and for
/// `words` words of obstacles.
fn check_capacity(gpu: &Gpu, has_lives: bool, most: usize, numbers: usize, words: usize) -> Result<(), Failure> {
    let largest = gpu.largest_buffer();
    if most.max(1) as u64 * StoredIndividual::bytes(has_lives) > largest {
        let holds = largest / StoredIndividual::bytes(has_lives);
        return Err(Failure::Device(format!(
            "the GPU ({}) holds at most {holds} individuals, and not {most}; use fewer, or the engine `cpu`",
            gpu.info.name
        )));
    }
    if 4 * words as u64 > largest {
        let problem = format!("the GPU ({}) holds rock in at most {largest} cells", gpu.info.name);
        return Err(Failure::Device(format!("{problem}; take a smaller world, or the engine `cpu`")));
    }
    if has_lives && 4 * numbers as u64 > largest {
        let problem = format!("the GPU ({}) holds individuals with numbers below {}", gpu.info.name, largest / 4);
        return Err(BadInput::of_argument("engine", "gpu", problem, "take the engine `cpu`, or begin anew").into());
    }
    Ok(())
}

/// The words of the buffer `solids`. If the habitat has a gap field: the bytes of the gap field, four cells in a word,
/// followed by two words for each ray. Otherwise: a bit for each column, x fastest, which is 1 if the column is solid,
/// or a single word of 0 if no column is solid.
pub fn obstacle_words(habitat: &Habitat) -> Vec<u32> {
    if habitat.is_swept() {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let rays = habitat.rays.iter().flat_map(|rays| &rays.directions);
        let ray_words = rays.flat_map(|[x, y, z]| [pack([*x, *y]), *z as u32]);
        return habitat.gaps.chunks(4).map(word).chain(ray_words).collect();
    }
    let solids = &habitat.solids;
    let mut words = vec![0u32; solids.len().div_ceil(32).max(1)];
    for (index, _) in solids.iter().enumerate().filter(|(_, is_solid)| **is_solid) {
        words[index / 32] |= 1 << (index % 32);
    }
    words
}
