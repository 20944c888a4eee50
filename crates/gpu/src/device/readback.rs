//! Copies of words from a device to memory, without waiting.

use super::buffer::buffer;
use murmuration_core::faults::{self, Operation};
use std::sync::{Arc, OnceLock};

/// A buffer that is the target of copies on the device, and that the program can then read.
pub struct Readback {
    staging: wgpu::Buffer,
    /// Whether the buffer was mapped; empty until the device has answered. `None`: the transfer has not been started.
    is_mapped: Option<Arc<OnceLock<bool>>>,
}

impl Readback {
    pub fn new(device: &wgpu::Device, label: &str, bytes: u64) -> Self {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        Self { staging: buffer(device, label, bytes, usage), is_mapped: None }
    }

    /// The buffer, as the target of copies.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.staging
    }

    /// Starts the transfer to memory. Call this function after the submission of the copies. Further calls do nothing.
    pub fn submitted(&mut self) {
        if self.is_mapped.is_none() {
            let answer = Arc::new(OnceLock::new());
            self.is_mapped = Some(answer.clone());
            if faults::is_due(Operation::Map) {
                let _ = answer.set(false);
                return;
            }
            self.staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
                let _ = answer.set(mapped.is_ok());
            });
        }
    }

    /// Whether the transfer has ended. This function does not poll the device, so other code must do it.
    pub fn has_arrived(&self) -> bool {
        self.is_mapped.as_ref().is_some_and(|answer| answer.get().is_some())
    }

    /// Passes the words to a function. Call this function only after the words have arrived, or after a wait for the
    /// submission.
    ///
    /// # Errors
    /// If the buffer could not be mapped.
    pub fn read<T>(&self, take: impl FnOnce(&[u32]) -> T) -> Result<T, String> {
        let mapped = self.staging.get_mapped_range(..).map_err(|error| error.to_string())?;
        Ok(take(bytemuck::cast_slice(&mapped)))
    }
}
