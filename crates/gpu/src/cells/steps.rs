//! Encodes the steps of a lattice on a device for the [`Player`](crate::device::player::Player).

use super::ledger::LedgerSums;
use super::passes::Passes;
use super::state_textures::StateTextures;
use super::{Mixture, shown_of};
use crate::device::DeviceStepPart;
use crate::device::player::{StepEncoder, stride_of};
use crate::device::stopwatch::Stopwatch;
use crate::lattice::Lattice;
use murmuration_core::cells::numbers::Parameters;
use std::ops::Range;

/// The fields of an engine that its steps need.
pub struct LatticeSteps<'a> {
    pub lattice: &'a Lattice,
    pub passes: &'a Passes,
    pub ledger: &'a LedgerSums,
    pub parts: Vec<&'a dyn DeviceStepPart>,
    pub phase: &'a mut usize,
    pub step: &'a mut u64,
    pub shown: &'a StateTextures,
    pub mixture: Option<&'a Mixture>,
    pub is_mixed: bool,
    /// The phase, and the number of completed steps, before the first of these steps.
    pub before: (usize, u64),
}

impl StepEncoder for LatticeSteps<'_> {
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        passes: Range<usize>,
        offset: u32,
        stopwatch: Option<&Stopwatch>,
    ) {
        let phases = &self.lattice.plan.phases;
        let is_end = passes.end == phases[*self.phase].len();
        if passes.start == 0 {
            self.parts.iter().for_each(|part| part.encode_before(encoder, *self.phase, offset));
        }
        for index in passes {
            // Each layer has its own parameters.
            let offset = offset + (phases[*self.phase][index].layer * stride_of::<Parameters>()) as u32;
            self.ledger.encode_counts(encoder, *self.phase, index, offset);
            self.passes.encode(encoder, *self.phase, index, offset, stopwatch);
        }
        if is_end {
            *self.phase = (*self.phase + 1) % phases.len();
            self.parts.iter().for_each(|part| part.encode_after(encoder, *self.phase, offset));
        }
    }

    fn passes_before_change(&self) -> usize {
        self.lattice.plan.passes_before_change(*self.phase)
    }

    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        self.ledger.encode_copy(encoder, is_back);
        self.parts.iter().for_each(|part| part.encode_copy(encoder, is_back));
    }

    fn submitted(&mut self, played: usize) {
        let (phase, step) = self.before;
        *self.step = step + played as u64;
        // If there is a mixture that steps do not update, pictures keep showing the last mixture.
        if self.mixture.is_none() || self.is_mixed {
            let now = shown_of(self.lattice, self.mixture, (phase + played) % self.lattice.plan.phases.len());
            self.shown.replace(now, Some(*self.step));
        }
    }
}
