//! The cells of a near view, read back from a state on the device while frames go on: single boids follow them.
//!
//! Nothing waits for the answer. It comes some frames later, and only then are the cells asked for again.

use super::points::{CellView, Window};
use crate::cells::CurrentState;
use crate::device::readback::Readback;
use crate::world::{Edges, Extents, pieces};
use glam::IVec2;

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
    /// Of the state, which may change without a step.
    version: u64,
}

/// A reading on its way.
struct Reading {
    of: Rectangle,
    readback: Readback,
    /// Bytes of a row of cells.
    row_bytes: u32,
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
        let (Rectangle { lattice, edges, first, size, step, .. }, density, control) = self.read.as_ref()?;
        let [lattice, first, size] = [*lattice, *first, *size];
        Some((CellView { lattice, edges: *edges, first, size, density, control }, *step))
    }

    /// Whether a reading is on its way.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Takes what has arrived.
    pub fn collect(&mut self) {
        if self.reading.as_ref().is_some_and(|reading| reading.readback.has_arrived()) {
            self.take();
        }
    }

    /// Takes what was waited for.
    pub fn take(&mut self) {
        let Some(Reading { of, readback, row_bytes }) = self.reading.take() else { return };
        let read = readback.read(|words| {
            let mut rows = words.chunks(row_bytes as usize / 4).map(|row| &row[..of.size.x as usize]);
            let mut field = || rows.by_ref().take(of.size.y as usize).flatten().copied().collect::<Vec<_>>();
            [field(), field()]
        });
        // What could not be read is asked for again.
        if let Ok([density, control]) = read {
            self.read = Some((of, density, control));
        }
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
        // Blocks of an odd lattice reach beyond its walls.
        let end = if edges == Edges::Walls { window.end.min(lattice) } else { window.end };
        let size = IVec2::select(is_whole, lattice, end - window.first);
        let of = Rectangle { lattice, edges, first, size, step: state.step, version: state.version };
        let is_known = self.read.as_ref().is_some_and(|(read, ..)| *read == of);
        if self.reading.is_some() || is_known || size.min_element() <= 0 {
            return;
        }
        let row_bytes = (4 * size.x as u32).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let bytes = 2 * u64::from(row_bytes) * size.y as u64;
        let readback = Readback::new(device, "near cells", bytes);
        for (field, texture) in (0..).zip([&state.density, &state.control]) {
            for rows in pieces(first.y, size.y, lattice.y, edges) {
                for columns in pieces(first.x, size.x, lattice.x, edges) {
                    let row = field * size.y as u64 + u64::from(rows.in_range);
                    let offset = u64::from(row_bytes) * row + 4 * u64::from(columns.in_range);
                    let layout =
                        wgpu::TexelCopyBufferLayout { offset, bytes_per_row: Some(row_bytes), rows_per_image: None };
                    let (x, y) = (columns.on_lattice, rows.on_lattice);
                    encoder.copy_texture_to_buffer(
                        wgpu::TexelCopyTextureInfo { origin: wgpu::Origin3d { x, y, z: 0 }, ..texture.as_image_copy() },
                        wgpu::TexelCopyBufferInfo { buffer: readback.buffer(), layout },
                        wgpu::Extent3d { width: columns.length, height: rows.length, depth_or_array_layers: 1 },
                    );
                }
            }
        }
        self.reading = Some(Reading { of, readback, row_bytes });
    }

    /// Asks for what was encoded; to be called after its submission.
    pub fn submitted(&mut self) {
        if let Some(reading) = &mut self.reading {
            reading.readback.submitted();
        }
    }
}
