//! Sums over the lives of all individuals (conditions, needs and traits of each species), computed on a device. The
//! individuals are not read back. For individuals in memory, `PopulationMeasures::new` of the core computes equal sums.

use crate::device::IndividualBuffers;
use crate::device::program::buffer;
use crate::device::{Gpu, transfer};
use crate::measures::sum_pass::SumPass;
use crate::shader::{DepositKernel, LIFE_NEEDS, LIFE_SUMS};
use murmuration_core::error::Failure;
use murmuration_core::lives::measures::{Condition, LifeSums, PopulationMeasures};
use murmuration_core::lives::{HAPPIEST, LifeRules};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Space;
use std::sync::Arc;

/// The pass that sums over the lives, bound to the buffers of an engine.
pub struct LifeSumPass {
    /// For each species a mood (Q14). An individual with a lower mood is depressed.
    sad: wgpu::Buffer,
    pass: SumPass,
}

impl LifeSumPass {
    pub fn new(gpu: &Gpu, individuals: IndividualBuffers<'_>, space: &Space, species: usize) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let sad = buffer(&gpu.device, "sad", 4 * species as u64, usage);
        let pass =
            SumPass::new(gpu, individuals, space, (DepositKernel::SumLives, LIFE_SUMS, species), Some(("sad", &sad)));
        Self { sad, pass }
    }

    /// Requests the measures of the individuals, as they are after all submitted work. `rules`: one for each species.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self, gpu: &Arc<Gpu>, rules: &[LifeRules]) -> Result<Ticket<PopulationMeasures>, Failure> {
        let sad: Vec<i32> = rules.iter().map(|rules| rules.sad).collect();
        gpu.queue().write_buffer(&self.sad, 0, bytemuck::cast_slice(&sad));
        let read = transfer::request(gpu, self.pass.encode(gpu), &[self.pass.words()], "lives")?;
        let rules = rules.to_vec();
        Ok(read.map(move |words| {
            let sums: Vec<_> = words[0].chunks_exact(LIFE_SUMS as usize).map(sums_of).collect();
            PopulationMeasures::from_sums(&sums, &rules)
        }))
    }
}

/// The sums of a species, from the words that `shaders/deposit/sum_lives.wgsl` wrote.
fn sums_of(words: &[u32]) -> LifeSums {
    let counts: [u64; Condition::ALL.len()] = std::array::from_fn(|condition| u64::from(words[condition]));
    let sum = |index: usize| transfer::two_words([words[4 + 2 * index], words[5 + 2 * index]]) as i64;
    let living = (counts.iter().sum::<u64>() - counts[Condition::Perishing as usize]) as i64;
    let needs = [sum(0) - living * i64::from(HAPPIEST), sum(1), sum(2)];
    LifeSums { counts, needs, bytes: words[LIFE_NEEDS..].to_vec() }
}
