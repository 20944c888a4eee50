//! The memory of individuals on a device: the buffers of a chain, and the passes that are bound to them.

use super::food::Food;
use super::shader::{self, FOOD, KernelConfig, LOOKUP};
use crate::chain::table::{Element, FieldKind, KernelSignature, Model};
use crate::chain::{Chain, Pass};
use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, buffer};
use crate::error::{BadInput, Failure};
use crate::numbers::pack;
use crate::shader::{ACCOUNT_WORDS, StoredIndividual, validate_kernel};
use murmuration_core::individuals::Terrain;
use std::collections::BTreeMap;

/// The buffers of a chain, and its passes that are bound to them.
pub struct Memory {
    /// The individuals that the buffers have room for.
    pub most: usize,
    /// The numbers that they may have, from 0 on.
    pub numbers: usize,
    /// Whether they have lives.
    pub has_lives: bool,
    /// By the field that lies there first.
    pub buffers: BTreeMap<String, wgpu::Buffer>,
    /// The food, if there is any.
    pub food: Option<Food>,
    /// The account before the present step.
    pub account_before: wgpu::Buffer,
    /// Buffers that are filled with 0 before every step.
    pub cleared: Vec<String>,
    pub passes: Vec<ComputeStep>,
    /// How many of the passes leave the individuals as they are.
    pub passes_before_change: usize,
}

impl Memory {
    /// Buffers for so many individuals, with numbers below another one, and the passes of a chain.
    pub(super) fn new(
        gpu: &Gpu,
        chain: &Chain,
        config: &KernelConfig,
        terrain: &Terrain,
        parameters: &wgpu::Buffer,
        [most, numbers]: [usize; 2],
    ) -> Result<Self, Failure> {
        let agents = most.max(1) as u64;
        let words = obstacle_words(terrain);
        check_room(gpu, config.has_lives, most, numbers, words.len())?;
        let size = |kind: FieldKind| bytes_of(kind, config, agents, words.len() as u64);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let own_memory = chain.fields.iter().filter(|(name, _)| chain.memory_of(name) == name.as_str());
        let mut buffers: BTreeMap<String, wgpu::Buffer> =
            own_memory.map(|(name, kind)| (name.clone(), buffer(&gpu.device, name, size(*kind), usage))).collect();
        gpu.queue.write_buffer(&buffers["solids"], 0, bytemuck::cast_slice(&words));
        let mut cleared = Vec::new();
        if config.has_lives {
            let lookup = buffer(&gpu.device, LOOKUP, 4 * numbers.max(1) as u64, usage);
            buffers.insert(LOOKUP.into(), lookup);
            cleared.push(LOOKUP.into());
        }
        let food = match &config.food {
            Some(lattice) => Some(Food::new(gpu, lattice, parameters)?),
            None => None,
        };
        let passes = chain.passes.iter().map(|pass| {
            let kernel = &pass.kernel;
            let signature = kernel.signature.expect("a chain of individuals has only kernels of its table");
            // Invocations count together, from 0 on.
            let counted = signature.write.iter().filter(|field| field.is_atomic && !chain.is_given(field.name));
            cleared.extend(counted.map(|field| field.name.to_string()));
            let shader = shader::assemble(&gpu.library, signature, &kernel.text, config);
            validate_kernel(&gpu.library, Model::Agents, kernel, &shader)?;
            let program = Program::compute(&gpu.device, &kernel.name, &shader, kernel.is_built_in);
            let workgroups = config.workgroups(pass.invocation, most as u32);
            Ok(ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
                // What a chain does not name is the engine's own.
                let given = match name {
                    LOOKUP => buffers.get(name),
                    FOOD => food.as_ref().map(|food| &food.buffer),
                    _ => None,
                };
                Resource::Buffer(given.or(buffers.get(chain.memory_of(name))).unwrap_or(parameters))
            }))
        });
        let passes = passes.collect::<Result<_, BadInput>>()?;
        gpu.check()?;
        let changes = |pass: &Pass| pass.write.iter().any(|name| chain.memory_of(name) == "individuals");
        let passes_before_change = chain.passes.iter().position(changes).unwrap_or(chain.passes.len());
        let account_before = buffer(&gpu.device, "account before", 4 * ACCOUNT_WORDS, usage);
        let has_lives = config.has_lives;
        Ok(Self { most, numbers, has_lives, buffers, food, account_before, cleared, passes, passes_before_change })
    }

    /// A pass of a built-in kernel that is in no chain, over all individuals. `own` gives the buffer of a variable that is none of the
    /// chain's. A variable without a buffer in either is bound to the parameters.
    pub(super) fn pass_beside_chain<'a>(
        &'a self,
        gpu: &Gpu,
        chain: &Chain,
        config: &KernelConfig,
        signature: &'static KernelSignature,
        parameters: &'a wgpu::Buffer,
        own: impl Fn(&str) -> Option<&'a wgpu::Buffer>,
    ) -> ComputeStep {
        let text = gpu.library.text(&Model::Agents.table().path(signature.name)).unwrap_or_default();
        let shader = shader::assemble(&gpu.library, signature, text, config);
        let program = Program::compute(&gpu.device, signature.name, &shader, true);
        let workgroups = config.workgroups(signature.invocation, self.most as u32);
        ComputeStep::new(&gpu.device, program, workgroups, 1, |_, name| {
            Resource::Buffer(own(name).or_else(|| self.buffers.get(chain.memory_of(name))).unwrap_or(parameters))
        })
    }
}

/// The size of a buffer of a chain, in bytes.
fn bytes_of(kind: FieldKind, config: &KernelConfig, agents: u64, obstacle_words: u64) -> u64 {
    match kind {
        FieldKind::Buffer(Element::Account) => 4 * ACCOUNT_WORDS,
        FieldKind::Buffer(Element::Individual) => agents * StoredIndividual::bytes(config.has_lives),
        FieldKind::Buffer(Element::Vector) => agents * config.vector_bytes(),
        FieldKind::Buffer(Element::Cell) => 4 * u64::from(config.bins()),
        FieldKind::Buffer(Element::Block) => 4 * u64::from(config.blocks()),
        FieldKind::Buffer(Element::Column) => 4 * obstacle_words,
        _ => 4 * agents,
    }
}

/// Checks that the bindings of a GPU hold so many individuals, with numbers below another one where they have lives, and so many words of
/// rock.
fn check_room(gpu: &Gpu, has_lives: bool, most: usize, numbers: usize, words: usize) -> Result<(), Failure> {
    let limits = gpu.device.limits();
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    if most.max(1) as u64 * StoredIndividual::bytes(has_lives) > largest {
        let holds = largest / StoredIndividual::bytes(has_lives);
        return Err(Failure::Device(format!(
            "the GPU ({}) holds at most {holds} agents, and not {most}; use fewer, or --engine cpu",
            gpu.info.name
        )));
    }
    if 4 * words as u64 > largest {
        let problem = format!("the GPU ({}) holds rock in at most {largest} cells", gpu.info.name);
        return Err(Failure::Device(format!("{problem}; take a smaller world, or --engine cpu")));
    }
    if has_lives && 4 * numbers as u64 > largest {
        let problem = format!("the GPU ({}) holds individuals with numbers below {}", gpu.info.name, largest / 4);
        return Err(BadInput::new("--engine gpu", problem, "take --engine cpu, or begin anew").into());
    }
    Ok(())
}

/// The words of the buffer `solids`. Where movements are swept: the gap field, four cells to a word, then two words for each ray. Else
/// a bit for each column, x fastest; one word where there are none.
pub fn obstacle_words(terrain: &Terrain) -> Vec<u32> {
    if terrain.is_swept() {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let rays = terrain.rays.iter().flat_map(|rays| &rays.directions);
        let ray_words = rays.flat_map(|[x, y, z]| [pack([*x, *y]), *z as u32]);
        return terrain.gaps.chunks(4).map(word).chain(ray_words).collect();
    }
    let solids = &terrain.solids;
    let mut words = vec![0u32; solids.len().div_ceil(32).max(1)];
    for (index, _) in solids.iter().enumerate().filter(|(_, is_solid)| **is_solid) {
        words[index / 32] |= 1 << (index % 32);
    }
    words
}
