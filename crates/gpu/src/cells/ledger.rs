//! The ledger on the GPU: exact sums of each species' density over the lattice, of the quanta that hunters catch, and
//! of the quanta that species eat. The sums are compute dispatches, even if the passes of the chain are render passes.

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

/// All sums of the ledger.
pub struct LedgerSums {
    /// The sum of the density of each layer. It is empty for a slab, because the halo would be counted too.
    totals: Vec<Sum>,
    /// The counts that are made before certain passes of a step, in the order of these passes.
    counts: Vec<Count>,
}

/// A compute dispatch before a pass of the chain. In each step it adds the quanta that hunters catch, or that species
/// eat, to sums on the device.
struct Count {
    /// The index of the pass before which the dispatch runs.
    pass: usize,
    /// The layer (species) whose account gets the count.
    layer: usize,
    /// The entries of the account that get the count. Pair i of [`Sum::words`] counts for the entry with the index i
    /// modulo the number of entries.
    entries: &'static [Entry],
    sum: Sum,
}

struct Sum {
    step: ComputeStep,
    /// The result: pairs of words. Each shader defines their meaning.
    words: wgpu::Buffer,
    /// A copy of the words from before the present step.
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

    /// Requests the sums of the density in the present state, and the quanta that were caught and eaten since the
    /// start. `phase`: the phase of the next step, which gives the textures of the present state.
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
                // A pair has Σ (D & 0xffff) and Σ (D >> 16) over some rows, with the density D.
                *total = words.chunks_exact(2).map(|sums| u64::from(sums[0]) + (u64::from(sums[1]) << 16)).sum();
            }
            for ((layer, entries), words) in counts.into_iter().zip(&sums[of_totals..]) {
                // A pair has the low and the high word of a count.
                let pairs = words.chunks_exact(2).map(|pair| transfer::two_words([pair[0], pair[1]]));
                entries.iter().cycle().zip(pairs).for_each(|(entry, amount)| totals.add(*entry, layer, amount));
            }
            totals
        }))
    }

    /// Encodes the counts that are made before the pass with this index. `offset`: the place of the pass's parameters
    /// in their buffer, in bytes.
    pub fn encode_counts(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, pass: usize, offset: u32) {
        for count in self.counts.iter().filter(|count| count.pass == pass) {
            count.sum.step.encode(&mut begin_compute(encoder, "count", None), phase, offset);
        }
    }

    /// Encodes commands that copy the words of the counts. If `is_back`, the commands restore the words from the copy.
    pub fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        for Sum { words, before, .. } in self.counts.iter().map(|count| &count.sum) {
            let (from, to) = if is_back { (before, words) } else { (words, before) };
            encoder.copy_buffer_to_buffer(from, 0, to, 0, words.size());
        }
    }
}

/// The count that is made before a pass; `None`: the pass counts nothing.
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
    /// Makes a sum over textures. `read`: for each phase, the textures with the names of their variables. Each of
    /// `groups` workgroups writes `pairs` pairs of words.
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
