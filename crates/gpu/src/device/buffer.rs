//! Functions that make buffers on a device, and their usual usages.

/// The usages of textures that kernels read and write, and that are sources and targets of copies.
pub const STORAGE_TEXTURE: wgpu::TextureUsages = wgpu::TextureUsages::TEXTURE_BINDING
    .union(wgpu::TextureUsages::STORAGE_BINDING)
    .union(wgpu::TextureUsages::COPY_SRC)
    .union(wgpu::TextureUsages::COPY_DST);
/// The usages of buffers that kernels read and write, and that are sources and targets of copies.
pub const STORAGE: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);

/// Makes a buffer of `size` bytes.
pub fn buffer(device: &wgpu::Device, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

/// Makes a buffer with these contents. Their size must be a multiple of four bytes.
pub fn buffer_of(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    contents: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    // wgpu's `create_buffer_init` panics if the device is lost.
    let buffer = buffer(device, label, contents.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
    queue.write_buffer(&buffer, 0, contents);
    buffer
}
