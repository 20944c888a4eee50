//! Transfers of words between main memory and a GPU, and copies within the memory of a GPU.

use super::Gpu;
use super::program::buffer;
use super::readback::Readback;
use murmuration_core::error::Failure;
use murmuration_core::state::{WorldColumn, WorldColumns};
use murmuration_core::ticket::{Patience, Ticket};
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of bytes that are read back at a time if the call waits for them.
pub const MAX_BYTES: u64 = 64 << 20;
/// The maximum number of bytes that are copied in one submission to be read later. The copy takes additional memory on
/// the device. Every WebGPU device supports a buffer of this size.
pub const MAX_AT_ONCE: u64 = 256 << 20;

/// Uploads all texels of a texture, x fastest.
pub fn upload(queue: &wgpu::Queue, texture: &wgpu::Texture, texels: &[impl bytemuck::NoUninit]) {
    let bytes_per_row = Some(size_of_val(texels) as u32 / texture.height());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(texels), layout, texture.size());
}

/// Uploads texels, x fastest, to a rectangle of a texture. The rectangle has its first texel, and its width and height.
pub fn upload_part(
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    [x, y]: [u32; 2],
    [width, height]: [u32; 2],
    texels: &[impl bytemuck::NoUninit],
) {
    let bytes_per_row = Some(width * texel_bytes(texture));
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    let to = wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() };
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    queue.write_texture(to, bytemuck::cast_slice(texels), layout, size);
}

/// Joins two words, the low word first, to one number. (WGSL has no 64-bit integers.)
pub fn two_words([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Words on a device that can be read back.
pub enum Words<'a> {
    /// A range of bytes of a buffer. Both ends are multiples of 4.
    Buffer(&'a wgpu::Buffer, Range<u64>),
    /// A rectangle of a texture, texel by texel, x fastest. The fields are the texture, the first texel of the
    /// rectangle, and its width and height.
    Texture(&'a wgpu::Texture, [u32; 2], [u32; 2]),
}

/// The place of a list of words in the buffer that is read back.
struct Rows {
    /// The offset of the first row in bytes.
    first: u64,
    /// The distance from one row to the next, in bytes.
    stride: u64,
    /// The number of words in a row.
    width: usize,
    /// The number of rows.
    height: usize,
}

/// The number of bytes of a texel.
fn texel_bytes(texture: &wgpu::Texture) -> u32 {
    texture.format().block_copy_size(None).unwrap_or(4)
}

impl<'a> Words<'a> {
    /// All bytes of a buffer.
    pub fn all_of(buffer: &'a wgpu::Buffer) -> Self {
        Self::Buffer(buffer, 0..buffer.size())
    }

    /// All texels of a texture.
    pub fn texels_of(texture: &'a wgpu::Texture) -> Self {
        Self::Texture(texture, [0; 2], [texture.width(), texture.height()])
    }

    /// Cuts the words into pieces of at most `bytes` bytes, in order. A piece of a texture has at least one row.
    fn pieces(&self, bytes: u64) -> Vec<Self> {
        match *self {
            Words::Buffer(buffer, Range { start, end }) => {
                let piece = |first: u64| Words::Buffer(buffer, first..end.min(first + bytes));
                (start..end).step_by(bytes as usize).map(piece).collect()
            }
            Words::Texture(texture, [left, top], [width, height]) => {
                let row_bytes = u64::from(texel_bytes(texture)) * u64::from(width.max(1));
                let rows = (bytes / row_bytes).clamp(1, u64::from(height.max(1))) as u32;
                let piece =
                    |first: u32| Words::Texture(texture, [left, top + first], [width, rows.min(height - first)]);
                (0..height).step_by(rows as usize).map(piece).collect()
            }
        }
    }

    /// The place of the words in the buffer that is read back. `first`: the offset of this place, in bytes.
    fn rows(&self, first: u64) -> Rows {
        match *self {
            Words::Buffer(_, Range { start, end }) => {
                Rows { first, stride: end - start, width: (end - start) as usize / 4, height: 1 }
            }
            Words::Texture(texture, _, [width, height]) => {
                let bytes = width * texel_bytes(texture);
                let stride = bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
                Rows { first, stride: stride.into(), width: bytes as usize / 4, height: height as usize }
            }
        }
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder, rows: &Rows, staging: &wgpu::Buffer) {
        match *self {
            Words::Buffer(buffer, Range { start, end }) => {
                encoder.copy_buffer_to_buffer(buffer, start, staging, rows.first, end - start);
            }
            Words::Texture(texture, [x, y], [width, height]) => {
                let (offset, bytes_per_row) = (rows.first, Some(rows.stride as u32));
                encoder.copy_texture_to_buffer(
                    wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() },
                    wgpu::TexelCopyBufferInfo {
                        buffer: staging,
                        layout: wgpu::TexelCopyBufferLayout { offset, bytes_per_row, rows_per_image: None },
                    },
                    wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                );
            }
        }
    }
}

impl Rows {
    fn end(&self) -> u64 {
        self.first + self.stride * self.height as u64
    }

    fn of(&self, words: &[u32]) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.width * self.height);
        for row in words[self.first as usize / 4..].chunks(self.stride as usize / 4).take(self.height) {
            all.extend_from_slice(&row[..self.width]);
        }
        all
    }
}

/// The places of several lists of words in one buffer that is read back, and the size of this buffer in bytes.
fn layout(words: &[Words<'_>]) -> (Vec<Rows>, u64) {
    let mut bytes = 0;
    let rows = words.iter().map(|words| {
        let rows = words.rows(bytes);
        bytes = rows.end().next_multiple_of(u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT));
        rows
    });
    (rows.collect(), bytes)
}

/// Requests the columns of the world whose words lie on a device.
///
/// # Errors
/// If the device is lost or reported an error.
pub fn request_columns<'a>(
    gpu: &Arc<Gpu>,
    columns: impl IntoIterator<Item = (&'static WorldColumn, Words<'a>)>,
) -> Result<Ticket<WorldColumns>, Failure> {
    let (rows, words): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    if rows.is_empty() {
        return Ok(Ticket::ready(WorldColumns::default()));
    }
    let encoder = gpu.device.create_command_encoder(&Default::default());
    Ok(request(gpu, encoder, &words, "columns")?.map(|words| rows.into_iter().zip(words).collect()))
}

/// Submits the commands of an encoder, and requests words as they are after these commands. `what`: the name of the
/// words in error messages. The ticket has one list for each element of `words`.
///
/// # Errors
/// If the device is lost or reported an error.
pub fn request(
    gpu: &Arc<Gpu>,
    mut encoder: wgpu::CommandEncoder,
    words: &[Words<'_>],
    what: &'static str,
) -> Result<Ticket<Vec<Vec<u32>>>, Failure> {
    let (rows, bytes) = layout(words);
    if bytes == 0 {
        gpu.submit(encoder);
        gpu.check()?;
        return Ok(Ticket::ready(vec![Vec::new(); words.len()]));
    }
    let mut readback = Readback::new(&gpu.device, "readback", bytes);
    words.iter().zip(&rows).for_each(|(words, rows)| words.encode(&mut encoder, rows, readback.buffer()));
    let submission = gpu.submit(encoder);
    readback.submitted();
    gpu.check()?;
    let gpu = gpu.clone();
    Ok(Ticket::new(move |patience| {
        match patience {
            Patience::Poll => gpu.check()?,
            Patience::Wait => gpu.wait(Some(submission.clone()))?,
        }
        // A web page cannot wait for a device.
        if (patience == Patience::Poll || cfg!(target_family = "wasm")) && !readback.has_arrived() {
            return Ok(None);
        }
        let read = readback.read(|words| rows.iter().map(|rows| rows.of(words)).collect());
        gpu.check()?;
        read.map(Some).map_err(|error| Failure::Device(format!("the {what} could not be read back: {error}")))
    }))
}

/// Requests words as they are now. Up to [`MAX_AT_ONCE`] bytes are copied in one submission. If there are more, the
/// call reads them in pieces and waits for them. `what`: the name of the words in error messages.
///
/// # Errors
/// The errors of [`request`].
pub fn read(gpu: &Arc<Gpu>, words: &[Words<'_>], what: &'static str) -> Result<Ticket<Vec<Vec<u32>>>, Failure> {
    read_within(gpu, words, MAX_AT_ONCE.min(gpu.device.limits().max_buffer_size), MAX_BYTES, what)
}

/// [`read`] with other limits. Up to `most` bytes are copied in one submission. If there are more, the call reads them
/// in pieces of `piece` bytes.
///
/// # Errors
/// The errors of [`request`].
pub fn read_within(
    gpu: &Arc<Gpu>,
    words: &[Words<'_>],
    most: u64,
    piece: u64,
    what: &'static str,
) -> Result<Ticket<Vec<Vec<u32>>>, Failure> {
    if layout(words).1 <= most {
        let encoder = gpu.device.create_command_encoder(&Default::default());
        return request(gpu, encoder, words, what);
    }
    let all: Result<_, Failure> = words.iter().map(|words| in_pieces(gpu, words, piece, what)).collect();
    all.map(Ticket::ready)
}

/// Reads words in pieces of at most `bytes` bytes, and waits for each piece.
fn in_pieces(gpu: &Arc<Gpu>, words: &Words<'_>, bytes: u64, what: &'static str) -> Result<Vec<u32>, Failure> {
    let Rows { width, height, .. } = words.rows(0);
    let mut all = Vec::with_capacity(width * height);
    for piece in words.pieces(bytes) {
        let encoder = gpu.device.create_command_encoder(&Default::default());
        all.append(&mut request(gpu, encoder, &[piece], what)?.wait()?.remove(0));
    }
    Ok(all)
}

/// Reads a rectangle of a texture (see [`Words::Texture`]), and waits for its words.
///
/// # Errors
/// The errors of [`request`].
pub fn download(
    gpu: &Arc<Gpu>,
    texture: &wgpu::Texture,
    first: [u32; 2],
    size: [u32; 2],
    what: &'static str,
) -> Result<Vec<u32>, Failure> {
    in_pieces(gpu, &Words::Texture(texture, first, size), MAX_BYTES, what)
}

/// Copies one buffer to another on the device, for benchmarks. The time of a copy gives the bandwidth of the GPU's
/// memory, which limits the speed of passes.
pub struct BufferCopy {
    gpu: Arc<Gpu>,
    from: wgpu::Buffer,
    to: wgpu::Buffer,
}

impl BufferCopy {
    /// Makes two buffers of `bytes` bytes. If the device does not allow this size, they have the maximum size.
    ///
    /// # Errors
    /// If the device has no room for the buffers.
    pub fn new(gpu: Arc<Gpu>, bytes: u64) -> Result<Self, Failure> {
        let size = bytes.min(gpu.device.limits().max_buffer_size) & !3;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let [from, to] = ["copied from", "copied to"].map(|label| buffer(&gpu.device, label, size, usage));
        gpu.check()?;
        Ok(Self { gpu, from, to })
    }

    /// Makes `times` copies, and waits until they are done.
    ///
    /// # Errors
    /// If the device fails.
    pub fn copy(&self, times: u64) -> Result<(), Failure> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        for _ in 0..times {
            encoder.copy_buffer_to_buffer(&self.from, 0, &self.to, 0, self.from.size());
        }
        let submission = self.gpu.submit(encoder);
        self.gpu.wait(Some(submission))?;
        self.gpu.check()
    }

    /// The number of bytes that one copy reads and writes together.
    pub fn bytes(&self) -> u64 {
        2 * self.from.size()
    }
}
