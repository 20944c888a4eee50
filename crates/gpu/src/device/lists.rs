//! Lists in buffers that grow.

use super::Gpu;
use super::program::buffer;

/// Writes a list into a buffer from its start. A buffer that is too small is replaced, and has to be bound again.
pub fn write_list(gpu: &Gpu, list_buffer: &mut wgpu::Buffer, list: &[impl bytemuck::NoUninit]) {
    let bytes: &[u8] = bytemuck::cast_slice(list);
    if bytes.len() as u64 > list_buffer.size() {
        *list_buffer = buffer(&gpu.device, "list", bytes.len().next_power_of_two() as u64, list_buffer.usage());
    }
    gpu.queue().write_buffer(list_buffer, 0, bytes);
}
