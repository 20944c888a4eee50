//! Words between memory and the GPU, and within the GPU's own memory.

use super::Gpu;
use super::program::buffer;
use crate::error::Failure;
use std::sync::Arc;

/// The most bytes that are read back at a time.
const MOST_BYTES: u64 = 64 << 20;

/// Puts the texels of all rows, x fastest, into a texture.
pub fn upload(queue: &wgpu::Queue, texture: &wgpu::Texture, texels: &[impl bytemuck::NoUninit]) {
    let bytes_per_row = Some(size_of_val(texels) as u32 / texture.height());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(texels), layout, texture.size());
}

/// The words of a rectangle of a texture with one word in each texel, x fastest. `what` is what a failure calls them.
pub fn download(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    [left, top]: [u32; 2],
    [width, height]: [u32; 2],
    what: &str,
) -> Result<Vec<u32>, Failure> {
    let row_bytes = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let rows_at_once = (MOST_BYTES / u64::from(row_bytes)).clamp(1, u64::from(height)) as u32;
    let staging = staging_buffer(gpu, u64::from(row_bytes) * u64::from(rows_at_once));
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
    let mut texels = Vec::with_capacity(width as usize * height as usize);
    for first in (0..height).step_by(rows_at_once as usize) {
        let rows = rows_at_once.min(height - first);
        let origin = wgpu::Origin3d { x: left, y: top + first, z: 0 };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo { origin, ..texture.as_image_copy() },
            wgpu::TexelCopyBufferInfo { buffer: &staging, layout },
            wgpu::Extent3d { width, height: rows, depth_or_array_layers: 1 },
        );
        gpu.submit(encoder);
        read(gpu, &staging, what, |words| {
            for row in words.chunks(row_bytes as usize / 4).take(rows as usize) {
                texels.extend_from_slice(&row[..width as usize]);
            }
        })?;
    }
    Ok(texels)
}

/// The words in the first bytes of a buffer of the state, a multiple of four.
pub fn download_buffer(gpu: &Gpu, buffer: &wgpu::Buffer, bytes: u64) -> Result<Vec<u32>, Failure> {
    let mut all = Vec::with_capacity(bytes as usize / 4);
    let staging = staging_buffer(gpu, bytes.clamp(4, MOST_BYTES));
    for first in (0..bytes).step_by(MOST_BYTES as usize) {
        let part = MOST_BYTES.min(bytes - first);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, first, &staging, 0, part);
        gpu.submit(encoder);
        read(gpu, &staging, "state", |words| all.extend_from_slice(&words[..part as usize / 4]))?;
    }
    Ok(all)
}

fn staging_buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    buffer(&gpu.device, "staging", size, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ)
}

/// Maps a staging buffer when the device is done, and hands over its words.
fn read(gpu: &Gpu, staging: &wgpu::Buffer, what: &str, take: impl FnOnce(&[u32])) -> Result<(), Failure> {
    staging.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait(None)?;
    let mapped = staging.get_mapped_range(..);
    let mapped = mapped.map_err(|error| Failure::Device(format!("the {what} could not be read back: {error}")))?;
    take(bytemuck::cast_slice(&mapped));
    drop(mapped);
    staging.unmap();
    gpu.check()
}

/// Two buffers, one of which is copied into the other: no pass can be faster than the GPU copies its own memory.
pub struct BufferCopy {
    gpu: Arc<Gpu>,
    from: wgpu::Buffer,
    to: wgpu::Buffer,
}

impl BufferCopy {
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
