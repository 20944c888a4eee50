//! The log of the lives that end in steps on a device, from which lineages are made. Two kernels write the log: one
//! before and one after the passes of a step. The log is read back and emptied before it can be full. The other kernels
//! and buffers of the swarm do not depend on the log.

use crate::device::program::{ComputeStep, STORAGE, begin_compute, buffer};
use crate::device::transfer::{self, Words};
use crate::device::{DeviceStepPart, Gpu};
use murmuration_core::chain::NOTING;
use murmuration_core::chain::table::KernelSignature;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::lives::lineage::{Cause, LifeEnd, NextLife};
use murmuration_core::ticket::Ticket;
use std::sync::Arc;

/// The number of words of an entry of the log (see `shaders/lives/note.wgsl`).
const ENTRY: usize = 5;
/// The flag in the last word of an entry that says that a hunter caught the individual.
const WAS_CAUGHT: u32 = 0x1_0000;
/// The flag in the last word of an entry that says that a next life follows.
const IS_BORN: u32 = 0x2_0000;
/// The flag in the last word of an entry that says that another species ate the individual.
const WAS_EATEN: u32 = 0x4_0000;
/// The maximum size of a log in bytes. A log is larger only if a single step may need more.
const MAX_BYTES: u64 = 16 << 20;
/// The maximum number of steps in a log.
const MAX_STEPS: u64 = 64;

/// The log of the lives that end, and the passes that write it, bound to the buffers of an engine.
pub struct LifeLog {
    log: wgpu::Buffer,
    /// A copy of the first word of the log, which is the number of entries, from before the present step.
    count_before: wgpu::Buffer,
    /// The pass before and the pass after the passes of a step.
    passes: [ComputeStep; 2],
    /// The number of steps for which the log has room, even if all lives end in each step.
    pub steps: usize,
    /// The number of steps played since the log was emptied.
    noted: usize,
    /// The number of bytes that a step fills if all lives end in it.
    of_step: u64,
    /// The entries that were read back when the log was emptied, until [`Self::request`] takes them.
    emptied: Vec<Ticket<Vec<LifeEnd>>>,
}

impl DeviceStepPart for LifeLog {
    /// Encodes the pass that notes the lives that end in the step without a next life.
    fn encode_before(&self, encoder: &mut wgpu::CommandEncoder, _: usize, offset: u32) {
        let [pass, _] = &self.passes;
        pass.encode(&mut begin_compute(encoder, &pass.program.label, None), 0, offset);
    }

    /// Encodes the pass that notes the lives that ended in the step and have a next life.
    fn encode_after(&self, encoder: &mut wgpu::CommandEncoder, _: usize, offset: u32) {
        let [_, pass] = &self.passes;
        pass.encode(&mut begin_compute(encoder, &pass.program.label, None), 0, offset);
    }

    /// Encodes a copy of the number of entries before the present step. If `is_back`, restores the number.
    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool) {
        let (from, to) = if is_back { (&self.count_before, &self.log) } else { (&self.log, &self.count_before) };
        encoder.copy_buffer_to_buffer(from, 0, to, 0, 4);
    }
}

impl LifeLog {
    /// A log for at most `most` individuals. `pass` makes the pass of a kernel, given the buffer of the log.
    ///
    /// # Errors
    /// If the device has no room for a step in which all lives end.
    pub fn new(
        gpu: &Gpu,
        most: usize,
        pass: impl Fn(&'static KernelSignature, &wgpu::Buffer) -> ComputeStep,
    ) -> Result<Self, Failure> {
        let of_step = 4 * ENTRY as u64 * most.max(1) as u64;
        let largest = gpu.largest_buffer();
        if of_step + 4 > largest {
            // This is no failure of the device, after which the engine would replace the device.
            let holds = (largest - 4) / (4 * ENTRY as u64);
            let name = &gpu.info.name;
            let problem =
                format!("the GPU ({name}) records the lives of at most {holds} individuals, and not of {most}");
            return Err(BadInput::new("the lineage", problem, "use fewer, or the engine `cpu`").into());
        }
        let steps = (MAX_BYTES.min(largest - 4) / of_step).clamp(1, MAX_STEPS);
        let log = buffer(&gpu.device, "life_log", 4 + steps * of_step, STORAGE);
        let count_before = buffer(&gpu.device, "life log before", 4, STORAGE);
        let passes = NOTING.each_ref().map(|signature| pass(signature, &log));
        gpu.check()?;
        Ok(Self { log, count_before, passes, steps: steps as usize, noted: 0, of_step, emptied: Vec::new() })
    }

    /// Takes the entries that were read back from another log and not requested yet.
    pub fn take_over(&mut self, other: Self) {
        self.emptied = other.emptied;
    }

    /// Empties the log if it has no room for `steps` steps. Returns the number of steps that can be played now, from 1
    /// to `steps`.
    ///
    /// # Errors
    /// As for [`Self::empty`].
    pub fn reserve(&mut self, gpu: &Arc<Gpu>, steps: usize) -> Result<usize, Failure> {
        if self.noted + steps.min(self.steps) > self.steps {
            self.empty(gpu)?;
        }
        Ok(steps.min(self.steps - self.noted))
    }

    /// Counts steps that were played.
    pub fn add_steps(&mut self, played: usize) {
        self.noted += played;
    }

    /// Requests the entries of the log and empties it, without waiting for the device.
    ///
    /// # Errors
    /// If the device fails.
    pub fn empty(&mut self, gpu: &Arc<Gpu>) -> Result<(), Failure> {
        if self.noted == 0 {
            return Ok(());
        }
        let bytes = (4 + self.noted as u64 * self.of_step).min(self.log.size());
        let encoder = gpu.device.create_command_encoder(&Default::default());
        let read = transfer::request(gpu, encoder, &[Words::Buffer(&self.log, 0..bytes)], "log of lives")?;
        gpu.queue().write_buffer(&self.log, 0, &[0; 4]);
        self.noted = 0;
        self.emptied.push(read.map(|words| ends_of(&words[0])));
        Ok(())
    }

    /// Requests all lives that have ended since the last call. Empties the log.
    ///
    /// # Errors
    /// As for [`Self::empty`].
    pub fn request(&mut self, gpu: &Arc<Gpu>) -> Result<Ticket<Vec<LifeEnd>>, Failure> {
        self.empty(gpu)?;
        Ok(Ticket::all(self.emptied.drain(..)).map(|ends| ends.concat()))
    }
}

/// The entries of a log from its words, sorted by step, then by the number of the individual.
fn ends_of(words: &[u32]) -> Vec<LifeEnd> {
    let mut ends: Vec<_> = words[1..].as_chunks::<ENTRY>().0.iter().take(words[0] as usize).map(read).collect();
    ends.sort_unstable();
    ends
}

fn read(&[step, number, parent, first, second]: &[u32; ENTRY]) -> LifeEnd {
    let ([speed, force, sight, disposition], [health, appetite, ..]) = (first.to_le_bytes(), second.to_le_bytes());
    let next = NextLife { parent, dna: [speed, force, sight, disposition, health, appetite] };
    let cause = match second {
        _ if second & WAS_CAUGHT > 0 => Cause::Caught,
        _ if second & WAS_EATEN > 0 => Cause::Eaten,
        _ => Cause::Starved,
    };
    LifeEnd { step, number, cause, next: (second & IS_BORN > 0).then_some(next) }
}
