//! Words between memory and the GPU.

use super::adapter::Gpu;
use crate::error::Failure;
use crate::numbers::Cell;
use crate::world::Extents;

/// The most bytes that are read back at a time.
const MOST_BYTES: u64 = 64 << 20;

/// Puts the words of all cells, x fastest, into a field's texture.
pub fn upload(gpu: &Gpu, texture: &wgpu::Texture, extents: Extents, cells: &[u32]) {
    gpu.touch();
    gpu.queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(cells),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * extents.width), rows_per_image: None },
        wgpu::Extent3d { width: extents.width, height: extents.height, depth_or_array_layers: 1 },
    );
}

/// The words of all cells of a field's texture, x fastest.
pub fn download(gpu: &Gpu, texture: &wgpu::Texture, extents: Extents) -> Result<Vec<u32>, Failure> {
    let row_bytes = (4 * extents.width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let rows_at_once = (MOST_BYTES / u64::from(row_bytes)).clamp(1, u64::from(extents.height)) as u32;
    let staging = staging_buffer(gpu, u64::from(row_bytes) * u64::from(rows_at_once));
    let mut cells = Vec::with_capacity(extents.cells());
    for first in (0..extents.height).step_by(rows_at_once as usize) {
        let rows = rows_at_once.min(extents.height - first);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x: 0, y: first, z: 0 }, ..texture.as_image_copy() },
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None },
            },
            wgpu::Extent3d { width: extents.width, height: rows, depth_or_array_layers: 1 },
        );
        gpu.submit(encoder);
        read(gpu, &staging, |words| {
            for row in words.chunks(row_bytes as usize / 4).take(rows as usize) {
                cells.extend_from_slice(&row[..extents.width as usize]);
            }
        })?;
    }
    Ok(cells)
}

/// The word of one cell of a field's texture.
pub fn download_cell(gpu: &Gpu, texture: &wgpu::Texture, [x, y]: Cell) -> Result<u32, Failure> {
    let staging = staging_buffer(gpu, 4);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d { x: x as u32, y: y as u32, z: 0 },
            ..texture.as_image_copy()
        },
        wgpu::TexelCopyBufferInfo { buffer: &staging, layout: wgpu::TexelCopyBufferLayout::default() },
        wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 },
    );
    gpu.submit(encoder);
    let mut word = 0;
    read(gpu, &staging, |words| word = words[0])?;
    Ok(word)
}

/// All words of a buffer.
pub fn download_buffer(gpu: &Gpu, buffer: &wgpu::Buffer) -> Result<Vec<u32>, Failure> {
    download_first(gpu, buffer, buffer.size())
}

/// The words in the first bytes of a buffer, a multiple of four.
pub fn download_first(gpu: &Gpu, buffer: &wgpu::Buffer, bytes: u64) -> Result<Vec<u32>, Failure> {
    let mut all = Vec::with_capacity(bytes as usize / 4);
    if bytes == 0 {
        return Ok(all);
    }
    let staging = staging_buffer(gpu, bytes.min(MOST_BYTES));
    for first in (0..bytes).step_by(MOST_BYTES as usize) {
        let part = MOST_BYTES.min(bytes - first);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, first, &staging, 0, part);
        gpu.submit(encoder);
        read(gpu, &staging, |words| all.extend_from_slice(&words[..part as usize / 4]))?;
    }
    Ok(all)
}

fn staging_buffer(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

/// Maps a staging buffer when the device is done, and hands over its words.
fn read(gpu: &Gpu, staging: &wgpu::Buffer, take: impl FnOnce(&[u32])) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Device(format!("the state could not be read back: {error}"));
    staging.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait(None)?;
    let mapped = staging.get_mapped_range(..).map_err(|error| failed(&error))?;
    take(bytemuck::cast_slice(&mapped));
    drop(mapped);
    staging.unmap();
    gpu.check()
}
