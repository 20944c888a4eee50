//! The parts that features, such as falcons or food, have in the steps of an engine on a device.

use super::Gpu;
use super::transfer::Words;
use murmuration_core::state::{Ledger, WorldColumn, WorldColumns};

/// Words on a device, and the function that converts them to entries of the account.
pub type Count<'a> = (Words<'a>, fn(&[u32]) -> Ledger);

/// A feature's part in the steps of an engine. `offset`: the place of a step's parameters in their buffer, in bytes.
/// `phase`: the index of the bind groups for the step.
pub trait DeviceStepPart: Send {
    /// Encodes the commands of the feature before the passes of a step.
    fn encode_before(&self, _encoder: &mut wgpu::CommandEncoder, _phase: usize, _offset: u32) {}

    /// Encodes the commands of the feature after the passes of a step. `next_phase`: the phase of the next step.
    fn encode_after(&self, _encoder: &mut wgpu::CommandEncoder, _next_phase: usize, _offset: u32) {}

    /// Encodes commands that copy the feature's data, so that a step can be undone. If `is_back`, the commands restore
    /// the data from the copy.
    fn encode_copy(&self, _encoder: &mut wgpu::CommandEncoder, _is_back: bool) {}

    /// Uploads the feature's columns of the world, and its totals from a turnover.
    fn write(&self, _gpu: &Gpu, _columns: &WorldColumns, _turnover: &Ledger) {}

    /// The feature's column of the world, and its words on the device; `None`: the feature has no column.
    fn column(&self) -> Option<(&'static WorldColumn, Words<'_>)> {
        None
    }

    /// Encodes sums for the account; `None`: the feature has no entries in the account.
    fn encode_count(&self, _encoder: &mut wgpu::CommandEncoder) -> Option<Count<'_>> {
        None
    }
}
