//! The parts of features in the steps of an engine on a device.

use super::Gpu;
use super::transfer::Words;
use murmuration_core::state::{Ledger, WorldColumn, WorldColumns};

/// Words on a device, and the function that makes entries of the account from them.
pub type Count<'a> = (Words<'a>, fn(&[u32]) -> Ledger);

/// A feature's part in the steps of an engine. The parameters of a step lie at `offset` in their buffer.
pub trait DeviceStepPart: Send {
    /// Encodes the work before the passes of a step.
    fn encode_before(&self, _encoder: &mut wgpu::CommandEncoder, _phase: usize, _offset: u32) {}

    /// Encodes the work after the passes of a step, before the next phase.
    fn encode_after(&self, _encoder: &mut wgpu::CommandEncoder, _next_phase: usize, _offset: u32) {}

    /// Encodes a copy of the data that a step changes before it changes the swarm. If `is_back`, restores that copy.
    fn encode_copy(&self, _encoder: &mut wgpu::CommandEncoder, _is_back: bool) {}

    /// Writes the columns of the world that the part keeps, and its totals from a turnover.
    fn write(&self, _gpu: &Gpu, _columns: &WorldColumns, _turnover: &Ledger) {}

    /// The column of the world that lies on the device.
    fn column(&self) -> Option<(&'static WorldColumn, Words<'_>)> {
        None
    }

    /// Encodes sums for the account.
    fn encode_count(&self, _encoder: &mut wgpu::CommandEncoder) -> Option<Count<'_>> {
        None
    }
}
