//! The steps of the individuals on a device, as the player submits them.

use super::memory::Memory;
use crate::device::player::StepEncoder;
use crate::device::program::begin_compute;
use crate::device::stopwatch::Stopwatch;
use crate::falcons::Falcons;
use crate::lives::LifeLog;
use murmuration_core::chain::individuals_plan::IndividualsPlan;
use std::ops::Range;

/// What the steps of an engine are made of.
pub struct IndividualSteps<'a> {
    pub falcons: Option<&'a Falcons>,
    pub memory: &'a Memory,
    pub plan: &'a IndividualsPlan,
    pub life_log: Option<&'a LifeLog>,
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
            self.falcons.iter().for_each(|falcons| falcons.encode(encoder, 0, offset));
            let cleared = self.plan.buffers.iter().filter(|buffer| buffer.is_cleared);
            cleared.for_each(|buffer| encoder.clear_buffer(&buffers[&buffer.name], 0, None));
            self.life_log.iter().for_each(|log| log.encode(encoder, false, offset));
            self.memory.encode_before(encoder);
        }
        match stopwatch {
            None => {
                let mut step = begin_compute(encoder, "step of individuals", None);
                all[passes].iter().for_each(|pass| pass.encode(&mut step, 0, offset));
            }
            // A step that is timed has a pass for each kernel.
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
        self.life_log.iter().filter(|_| is_last).for_each(|log| log.encode(encoder, true, offset));
        if is_last {
            self.memory.encode_after(encoder, offset);
        }
    }

    fn passes_before_change(&self) -> usize {
        self.plan.passes_before_change
    }

    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        let (account, before) = (&self.memory.buffers["account"], &self.memory.account_before);
        let (from, to) = if is_back { (before, account) } else { (account, before) };
        encoder.copy_buffer_to_buffer(from, 0, to, 0, account.size());
        self.falcons.iter().for_each(|falcons| falcons.encode_copy(encoder, is_back));
        self.life_log.iter().for_each(|log| log.encode_copy(encoder, is_back));
    }
}
