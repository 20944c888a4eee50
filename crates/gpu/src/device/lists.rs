//! Lists in buffers on a device. A buffer is replaced when its list has become too long.

use super::Gpu;
use super::program::buffer;

/// Writes a list to the start of a buffer. If the buffer is too small, it is replaced by a larger buffer, and the
/// caller has to bind it again.
pub fn write_list(gpu: &Gpu, list_buffer: &mut wgpu::Buffer, list: &[impl bytemuck::NoUninit]) {
    let bytes: &[u8] = bytemuck::cast_slice(list);
    if bytes.len() as u64 > list_buffer.size() {
        *list_buffer = buffer(&gpu.device, "list", bytes.len().next_power_of_two() as u64, list_buffer.usage());
    }
    gpu.queue().write_buffer(list_buffer, 0, bytes);
}
