//! How fast a GPU copies its own memory: what no pass can be faster than.

use super::adapter::Gpu;
use super::program::buffer;
use crate::error::Failure;
use std::sync::Arc;

/// Two buffers, one of which is copied into the other.
pub struct Copying {
    gpu: Arc<Gpu>,
    from: wgpu::Buffer,
    to: wgpu::Buffer,
}

impl Copying {
    /// Buffers of so many bytes, or of as many as the device allows.
    ///
    /// # Errors
    /// Where the device has no room for them.
    pub fn new(gpu: Arc<Gpu>, bytes: u64) -> Result<Self, Failure> {
        let size = bytes.min(gpu.device.limits().max_buffer_size) & !3;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let [from, to] = ["copied from", "copied to"].map(|label| buffer(&gpu.device, label, size, usage));
        gpu.check()?;
        Ok(Self { gpu, from, to })
    }

    /// Copies so many times, and waits until it is done.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn copy(&self, times: u64) -> Result<(), Failure> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        for _ in 0..times {
            encoder.copy_buffer_to_buffer(&self.from, 0, &self.to, 0, self.from.size());
        }
        let submission = self.gpu.submit(encoder);
        self.gpu.wait(Some(submission))?;
        self.gpu.check()
    }

    /// Bytes that a copy moves: those that it reads and those that it writes.
    pub fn bytes(&self) -> u64 {
        2 * self.from.size()
    }
}
