//! Buffers and textures that the look writes from the CPU.

use crate::device::program;
use crate::world::Extents;

/// A buffer for one structure that kernels read.
pub fn uniform<T>(device: &wgpu::Device, label: &str) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
    program::buffer(device, label, (size_of::<T>() as u64).next_multiple_of(16), usage)
}

/// A buffer for a list of any length.
pub struct ListBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    pub buffer: wgpu::Buffer,
}

impl ListBuffer {
    /// A buffer with room for a few elements.
    pub fn new(device: &wgpu::Device, label: &'static str, usage: wgpu::BufferUsages) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { label, usage, buffer: program::buffer(device, label, 1 << 10, usage) }
    }

    /// Writes a list from the start of the buffer. Returns whether the list needed a larger buffer, so that bind groups
    /// have to be made anew.
    pub fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, list: &[impl bytemuck::Pod]) -> bool {
        let bytes: &[u8] = bytemuck::cast_slice(list);
        let is_too_small = bytes.len() as u64 > self.buffer.size();
        if is_too_small {
            let size = bytes.len().next_power_of_two() as u64;
            self.buffer = program::buffer(device, self.label, size, self.usage);
        }
        queue.write_buffer(&self.buffer, 0, bytes);
        is_too_small
    }
}

/// A texture that kernels read.
pub fn texture(device: &wgpu::Device, label: &str, extents: Extents, format: wgpu::TextureFormat) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
    program::texture(device, label, [extents.width, extents.height], format, 1, usage)
}

/// Writes the whole of a texture of these extents, row by row.
pub fn upload(queue: &wgpu::Queue, texture: &wgpu::Texture, extents: Extents, texels: &[impl bytemuck::Pod]) {
    let bytes: &[u8] = bytemuck::cast_slice(texels);
    let bytes_per_row = Some(size_of_val(texels) as u32 / extents.height);
    queue.write_texture(
        texture.as_image_copy(),
        bytes,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None },
        wgpu::Extent3d { width: extents.width, height: extents.height, depth_or_array_layers: 1 },
    );
}
