//! The cells of a near view, read back from a state on the device while frames go on: single boids follow them.
//!
//! Nothing waits for the answer. It comes some frames later, and only then are the cells asked for again.

use super::points::{CellView, Window};
use crate::cells::CurrentState;
use crate::device::program::buffer;
use crate::world::{Edges, Extents};
use glam::{IVec2, UVec2};
use std::sync::{Arc, OnceLock};

/// The cells of a rectangle of the lattice.
#[derive(Debug, Clone, PartialEq)]
struct Rectangle {
    lattice: IVec2,
    edges: Edges,
    /// On a torus the rectangle may reach across the edges.
    first: IVec2,
    size: IVec2,
    /// Steps made.
    step: u64,
}

/// A reading on its way.
struct Reading {
    of: Rectangle,
    staging: wgpu::Buffer,
    /// Bytes of a row of cells.
    row_bytes: u32,
    /// Whether the buffer could be mapped, from the moment when that is known; `None`: it is not submitted yet.
    is_mapped: Option<Arc<OnceLock<bool>>>,
}

/// The cells that were read last, and a reading on its way.
#[derive(Default)]
pub struct NearCells {
    read: Option<(Rectangle, Vec<u32>, Vec<u32>)>,
    reading: Option<Reading>,
}

impl NearCells {
    /// The cells that were read last, and the steps made up to them.
    pub fn view(&self) -> Option<(CellView<'_>, u64)> {
        let (Rectangle { lattice, edges, first, size, step }, density, control) = self.read.as_ref()?;
        let [lattice, first, size] = [*lattice, *first, *size];
        Some((CellView { lattice, edges: *edges, first, size, density, control }, *step))
    }

    /// Takes what has arrived. Returns whether anything has.
    pub fn collect(&mut self) -> bool {
        let Some(reading) = &self.reading else { return false };
        let Some(is_mapped) = reading.is_mapped.as_ref().and_then(|mapped| mapped.get()) else { return false };
        let Reading { of, staging, row_bytes, .. } = reading;
        if *is_mapped && let Ok(mapped) = staging.get_mapped_range(..) {
            let words: &[u32] = bytemuck::cast_slice(&mapped);
            let mut rows = words.chunks(*row_bytes as usize / 4).map(|row| &row[..of.size.x as usize]);
            let mut field = || rows.by_ref().take(of.size.y as usize).flatten().copied().collect::<Vec<_>>();
            self.read = Some((of.clone(), field(), field()));
        }
        self.reading = None;
        true
    }

    /// Encodes that the cells of a window are read, unless a reading is on its way.
    pub fn request(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        state: &CurrentState,
        (extents, edges): (Extents, Edges),
        window: Window,
    ) {
        let lattice = IVec2::from(extents.as_cell());
        let window = window.in_blocks(lattice, edges);
        let is_whole = (window.end - window.first).cmpge(lattice);
        let first = IVec2::select(is_whole, IVec2::ZERO, window.first);
        let size = IVec2::select(is_whole, lattice, window.end - window.first);
        let of = Rectangle { lattice, edges, first, size, step: state.step };
        let is_known = self.read.as_ref().is_some_and(|(read, ..)| *read == of);
        if self.reading.is_some() || is_known || size.min_element() <= 0 {
            return;
        }
        let row_bytes = (4 * size.x as u32).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let bytes = 2 * u64::from(row_bytes) * size.y as u64;
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        let staging = buffer(device, "near cells", bytes, usage);
        for (field, texture) in (0..).zip([&state.density, &state.control]) {
            for (to_y, from_y, height) in pieces(first.y, size.y, lattice.y) {
                for (to_x, from_x, width) in pieces(first.x, size.x, lattice.x) {
                    let offset = u64::from(row_bytes) * (field * size.y as u64 + u64::from(to_y)) + 4 * u64::from(to_x);
                    let layout =
                        wgpu::TexelCopyBufferLayout { offset, bytes_per_row: Some(row_bytes), rows_per_image: None };
                    let UVec2 { x, y } = UVec2::new(from_x, from_y);
                    encoder.copy_texture_to_buffer(
                        wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() },
                        wgpu::TexelCopyBufferInfo { buffer: &staging, layout },
                        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                    );
                }
            }
        }
        self.reading = Some(Reading { of, staging, row_bytes, is_mapped: None });
    }

    /// Asks for what was encoded; to be called after its submission.
    pub fn submitted(&mut self) {
        let Some(Reading { staging, is_mapped: is_mapped @ None, .. }) = &mut self.reading else { return };
        let answer = Arc::new(OnceLock::new());
        *is_mapped = Some(answer.clone());
        staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
            let _ = answer.set(mapped.is_ok());
        });
    }
}

/// The pieces of a range along an axis of a lattice that wraps: where each begins in the range and on the lattice, and how
/// long it is. The range is no longer than the lattice.
fn pieces(first: i32, length: i32, lattice: i32) -> impl Iterator<Item = (u32, u32, u32)> {
    let from = first.rem_euclid(lattice);
    let before_edge = length.min(lattice - from);
    let pieces = [(0, from, before_edge), (before_edge, 0, length - before_edge)];
    pieces
        .into_iter()
        .filter(|(.., length)| *length > 0)
        .map(|(to, from, length)| (to as u32, from as u32, length as u32))
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn a_range_across_the_edge_has_two_pieces() {
        let all = |first, length| pieces(first, length, 10).collect::<Vec<_>>();
        assert_eq!(all(3, 4), [(0, 3, 4)]);
        assert_eq!(all(-2, 5), [(0, 8, 2), (2, 0, 3)]);
        assert_eq!(all(18, 2), [(0, 8, 2)]);
        assert_eq!(all(0, 10), [(0, 0, 10)]);
    }
}
