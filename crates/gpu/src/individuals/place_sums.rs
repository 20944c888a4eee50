//! The sum, the minimum and the maximum of the places of all individuals, computed on a device. The individuals are not
//! read back. For individuals in memory, `PlaceSums::from_places` of the core computes the same numbers.

use super::memory::Memory;
use crate::device::Gpu;
use crate::device::transfer::{self, Words};
use crate::measures::sum_pass::SumPass;
use crate::shader::{DepositKernel, LIVING, PLACE_SUMS};
use murmuration_core::error::Failure;
use murmuration_core::numbers::each_axis;
use murmuration_core::ticket::Ticket;
use murmuration_core::world::{PLACE_BITS, PlaceSums, Space};
use std::sync::Arc;

/// The pass that sums the places of individuals, bound to the buffers of an engine.
pub struct PlaceSumPass {
    account: wgpu::Buffer,
    pass: SumPass,
}

impl PlaceSumPass {
    pub(super) fn new(gpu: &Gpu, memory: &Memory, space: &Space) -> Self {
        let pass = SumPass::new(gpu, memory.individuals(), space, (DepositKernel::SumPlaces, PLACE_SUMS, 1), None);
        Self { account: memory.buffers["account"].clone(), pass }
    }

    /// Requests the sums over the places of the individuals, as they are after all submitted work.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(&self, gpu: &Arc<Gpu>) -> Result<Ticket<PlaceSums>, Failure> {
        let living = 4 * LIVING as u64;
        let words = [Words::Buffer(&self.account, living..living + 4), self.pass.words()];
        let read = transfer::request(gpu, self.pass.encode(gpu), &words, "places")?;
        Ok(read.map(|words| sums_of(words[0][0].into(), &words[1])))
    }
}

/// The sums over `count` individuals, from the words that `shaders/deposit/sum_places.wgsl` wrote.
fn sums_of(count: u64, words: &[u32]) -> PlaceSums {
    if count == 0 {
        return PlaceSums::from_places([].into_iter());
    }
    let sum = |index: usize| transfer::two_words([words[2 * index], words[2 * index + 1]]) as i64;
    PlaceSums {
        count,
        sum: each_axis(|axis| (sum(2 * axis) << PLACE_BITS) + sum(2 * axis + 1)),
        least: each_axis(|axis| i32::MAX - words[12 + axis] as i32),
        greatest: each_axis(|axis| words[15 + axis] as i32),
    }
}
