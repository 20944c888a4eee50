//! New buffers of a device.

/// Textures that kernels read and write, and that can be copied from and to.
pub const STORAGE_TEXTURE: wgpu::TextureUsages = wgpu::TextureUsages::TEXTURE_BINDING
    .union(wgpu::TextureUsages::STORAGE_BINDING)
    .union(wgpu::TextureUsages::COPY_SRC)
    .union(wgpu::TextureUsages::COPY_DST);
/// Buffers that kernels read and write, and that can be copied from and to.
pub const STORAGE: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);

/// A new buffer.
pub fn buffer(device: &wgpu::Device, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

/// A new buffer with contents, whose size must be a multiple of four bytes.
pub fn buffer_of(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    // `create_buffer_init` would panic if the device is lost.
    let buffer = buffer(device, label, contents.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
    queue.write_buffer(&buffer, 0, contents);
    buffer
}
