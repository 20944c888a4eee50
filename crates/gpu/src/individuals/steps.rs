//! Encodes the steps of the individuals for [`player`](crate::device::player), which submits them to a device.

use super::memory::Memory;
use crate::device::DeviceStepPart;
use crate::device::player::StepEncoder;
use crate::device::program::begin_compute;
use crate::device::stopwatch::Stopwatch;
use murmuration_core::chain::individuals_plan::IndividualsPlan;
use std::ops::Range;

/// The parts of an engine of individuals that its steps need.
pub struct IndividualSteps<'a> {
    pub parts: Vec<&'a dyn DeviceStepPart>,
    pub memory: &'a Memory,
    pub plan: &'a IndividualsPlan,
}

impl StepEncoder for IndividualSteps<'_> {
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        passes: Range<usize>,
        offset: u32,
        stopwatch: Option<&Stopwatch>,
    ) {
        let Memory { buffers, passes: all, after, .. } = self.memory;
        let is_last = passes.end == all.len();
        if passes.start == 0 {
            let cleared = self.plan.buffers.iter().filter(|buffer| buffer.is_cleared);
            cleared.for_each(|buffer| encoder.clear_buffer(&buffers[&buffer.name], 0, None));
            self.parts.iter().for_each(|part| part.encode_before(encoder, 0, offset));
        }
        match stopwatch {
            None => {
                let mut step = begin_compute(encoder, "step of individuals", None);
                all[passes].iter().for_each(|pass| pass.encode(&mut step, 0, offset));
            }
            // A timed step has a compute pass for each kernel, because a stopwatch measures compute passes.
            Some(stopwatch) => {
                for index in passes {
                    let pass = &all[index];
                    let mut timed = begin_compute(encoder, &pass.program.label, Some((stopwatch, index)));
                    pass.encode(&mut timed, 0, offset);
                }
            }
        }
        if is_last && !after.is_empty() {
            let mut step = begin_compute(encoder, "after the chain", None);
            after.iter().for_each(|pass| pass.encode(&mut step, 0, offset));
        }
        if is_last {
            self.parts.iter().for_each(|part| part.encode_after(encoder, 0, offset));
        }
    }

    fn passes_before_change(&self) -> usize {
        self.plan.passes_before_change
    }

    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        let (account, before) = (&self.memory.buffers["account"], &self.memory.account_before);
        let (from, to) = if is_back { (before, account) } else { (account, before) };
        encoder.copy_buffer_to_buffer(from, 0, to, 0, account.size());
        self.parts.iter().for_each(|part| part.encode_copy(encoder, is_back));
    }
}
