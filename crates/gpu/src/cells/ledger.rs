//! The ledger on the GPU: exact sums of each species' density over the whole lattice, and of the quanta that hunters
//! catch and species eat. These sums are compute dispatches, even if the passes are fragment passes.

use crate::device::Gpu;
use crate::device::program::{ComputeStep, Program, Resource, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::lattice::Lattice;
use crate::shader::{Shader, ShaderConfig, assemble_ledger, ledger_rows};
use crate::species::assemble_count;
use murmuration_core::cells::BuiltInKernel;
use murmuration_core::chain::plan::{PlannedPass, Slot};
use murmuration_core::error::Failure;
use murmuration_core::state::{Entry, Ledger};
use murmuration_core::ticket::Ticket;
use std::sync::Arc;

/// All sums.
pub struct LedgerSums {
    /// The sum of each layer. A slab has none, because its halo would be counted.
    totals: Vec<Sum>,
    /// The counts before passes, starting with the catch of each layer.
    counts: Vec<Count>,
}

/// A count to which a pass adds in each step.
struct Count {
    pass: usize,
    layer: usize,
    /// The account's entries of the pairs of words: the first pair counts the first entry, and so on, in rotation.
    entries: &'static [Entry],
    sum: Sum,
}

struct Sum {
    step: ComputeStep,
    /// Pairs of words. The shader defines their meaning.
    words: wgpu::Buffer,
    /// The words before the present step.
    before: wgpu::Buffer,
}

impl LedgerSums {
    pub fn new(lattice: &Lattice) -> Self {
        let Lattice { gpu, plan, subdomain, extents, atlas, .. } = lattice;
        let [width, height] = atlas.size();
        let groups = height.div_ceil(ledger_rows(width));
        let layers = if subdomain.slab.is_whole() { plan.layers.len() } else { 0 };
        let totals = (0..layers).map(|layer| {
            let densities = (0..plan.phases.len()).filter_map(|phase| Some(plan.states(phase).nth(layer)?[0]));
            let read: Vec<_> = densities.map(|density| vec![("density_texture".to_string(), density)]).collect();
            Sum::new(lattice, "ledger", &assemble_ledger(&gpu.library, *extents), &read, groups, 1)
        });
        let passes = plan.phases[0].iter().enumerate();
        let counts = passes.filter_map(|(index, pass)| count(lattice, index, pass)).collect();
        Self { totals: totals.collect(), counts }
    }

    /// Requests the sum of the density before a phase, and the quanta caught and eaten since the start.
    ///
    /// # Errors
    /// If the device fails.
    pub fn totals(&self, gpu: &Arc<Gpu>, phase: usize) -> Result<Ticket<Ledger>, Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for total in &self.totals {
            total.step.encode(&mut begin_compute(&mut encoder, "ledger", None), phase, 0);
        }
        let sums = self.totals.iter().chain(self.counts.iter().map(|count| &count.sum));
        let words: Vec<Words> = sums.map(|sum| Words::Buffer(&sum.words, 0..sum.words.size())).collect();
        let read = transfer::request(gpu, encoder, &words, "ledger")?;
        let of_totals = self.totals.len();
        let counts: Vec<_> = self.counts.iter().map(|count| (count.layer, count.entries)).collect();
        Ok(read.map(move |sums| {
            let mut totals = Ledger::default();
            for (total, words) in totals[Entry::Present].iter_mut().zip(&sums[..of_totals]) {
                // Each pair is Σ (D & 0xffff) and Σ (D >> 16) over some rows.
                *total = words.chunks_exact(2).map(|sums| u64::from(sums[0]) + (u64::from(sums[1]) << 16)).sum();
            }
            for ((layer, entries), words) in counts.into_iter().zip(&sums[of_totals..]) {
                // A pair is the low and the high word.
                let pairs = words.chunks_exact(2).map(|pair| transfer::two_words([pair[0], pair[1]]));
                entries.iter().cycle().zip(pairs).for_each(|(entry, amount)| totals.add(*entry, layer, amount));
            }
            totals
        }))
    }

    /// Encodes the counts before the pass with this index. The pass's parameters lie at an offset in their buffer.
    pub fn encode_counts(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, pass: usize, offset: u32) {
        for count in self.counts.iter().filter(|count| count.pass == pass) {
            count.sum.step.encode(&mut begin_compute(encoder, "count", None), phase, offset);
        }
    }

    /// Encodes a copy of the counts; or, if `is_back`, restores that copy.
    pub fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        for Sum { words, before, .. } in self.counts.iter().map(|count| &count.sum) {
            let (from, to) = if is_back { (before, words) } else { (words, before) };
            encoder.copy_buffer_to_buffer(from, 0, to, 0, words.size());
        }
    }
}

/// The count before a pass, if the pass has one.
fn count(lattice: &Lattice, index: usize, pass: &PlannedPass) -> Option<Count> {
    let plan = &lattice.plan;
    let read: Vec<Vec<(String, Slot)>> = plan
        .phases
        .iter()
        .map(|phase| {
            let pass = &phase[index];
            pass.names[0].iter().map(|name| format!("{name}_texture")).zip(pass.read.iter().copied()).collect()
        })
        .collect();
    let entries = plan.kernels[pass.kernel].cpu().map_or(&[][..], BuiltInKernel::counts);
    if entries.is_empty() {
        return None;
    }
    let config = ShaderConfig { meals: &pass.meals, ..lattice.shader_config() };
    let (shader, groups) = assemble_count(plan, pass, config);
    let sum = Sum::new(lattice, "count", &shader, &read, groups, entries.len() as u64);
    Some(Count { pass: index, layer: pass.layer, entries, sum })
}

impl Sum {
    /// A sum over textures. `read`: the textures by phase, with the names of their variables. Each of `groups`
    /// workgroups writes `pairs` pairs of words.
    fn new(
        lattice: &Lattice,
        name: &str,
        shader: &Shader,
        read: &[Vec<(String, Slot)>],
        groups: u32,
        pairs: u64,
    ) -> Self {
        let device = &lattice.gpu.device;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let words = buffer(device, name, u64::from(groups) * 8 * pairs, usage | wgpu::BufferUsages::STORAGE);
        let before = buffer(device, "before", words.size(), usage);
        let program = Program::compute(&lattice.gpu, name, shader, false);
        let step = ComputeStep::new(device, program, [groups, 1, 1], read.len(), |phase, name| {
            match read[phase].iter().find(|(known, _)| known == name) {
                Some((_, slot)) => Resource::Texture(lattice.view(*slot)),
                None if name == "parameters" => Resource::Buffer(&lattice.parameters),
                None => Resource::Buffer(&words),
            }
        });
        Self { step, words, before }
    }
}
