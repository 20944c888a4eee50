//! Single boids of a flat swarm of cells that is seen from near: points of light that follow the cells in view.

use super::frame_input::FrameInput;
use super::near_cells::NearCells;
use super::points::{CellView, Points, Window};
use super::renderer::write_list;
use super::view::View;
use super::{Camera, SwarmSource};
use crate::cells::CurrentState;
use crate::device::Gpu;
use crate::device::program::buffer;
use crate::error::Failure;
use crate::world::{Edges, Extents};
use glam::{UVec2, Vec2};

/// The points, the cells that they follow, and the buffer from which they are drawn.
pub struct NearBoids {
    points: Points,
    cells: NearCells,
    /// The steps made up to the cells that the points followed last, if they were read back.
    followed: Option<u64>,
    buffer: wgpu::Buffer,
}

impl NearBoids {
    pub fn new(device: &wgpu::Device) -> Self {
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let buffer = buffer(device, "points", 1 << 10, usage);
        Self { points: Points::default(), cells: NearCells::default(), followed: None, buffer }
    }

    /// Forgets what was read of an engine, before the swarm of another one is shown.
    pub fn forget_engine(&mut self) {
        (self.cells, self.followed) = (NearCells::default(), None);
    }

    /// Removes all points, which then begin anew.
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// Whether cells are on their way.
    pub fn is_reading(&self) -> bool {
        self.cells.is_reading()
    }

    /// The buffer from which the points are drawn.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Moves the points of the view to the state, or to what was last read of it, uploads them, and returns how many they are.
    pub fn follow(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        input: &FrameInput,
        view: &View,
        camera: &Camera,
        size: UVec2,
    ) -> u32 {
        if view.point_light <= 0.0 {
            self.points.clear();
            return 0;
        }
        let (edges, window) = (input.world.edges, window_of(camera, size));
        let (cells, steps) = match (&input.source, &input.drawn) {
            (SwarmSource::Device(_), Some(state)) => {
                self.cells.collect();
                let lattice = (input.source.extents(), edges);
                self.cells.request(&gpu.device, encoder, state, lattice, window);
                let Some((cells, step)) = self.cells.view() else { return 0 };
                let before = self.followed.replace(step);
                (cells, before.map_or(0.0, |before| step.saturating_sub(before) as f32))
            }
            (SwarmSource::Memory(state, _), _) => (CellView::new(state, edges), input.steps),
            _ => return 0,
        };
        self.points.follow(&cells, window.within(&cells), steps);
        let pixel_at = |cell| camera.pixel_at(size, cell);
        let drawn = self.points.draw(&cells, view.exposures_per_boid, pixel_at);
        write_list(gpu, &mut self.buffer, drawn);
        drawn.len() as u32
    }

    /// Reads the cells in view, and waits for them.
    ///
    /// # Errors
    /// The device failed.
    pub fn read(
        &mut self,
        gpu: &Gpu,
        state: &CurrentState,
        lattice: (Extents, Edges),
        camera: &Camera,
        size: UVec2,
    ) -> Result<(), Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.cells.request(&gpu.device, &mut encoder, state, lattice, window_of(camera, size));
        gpu.submit(encoder);
        self.cells.submitted();
        gpu.wait(None)?;
        self.cells.take();
        Ok(())
    }

    /// Asks for the cells that are on their way; to be called after the submission of what was encoded.
    pub fn submitted(&mut self) {
        self.cells.submitted();
    }
}

/// The cells that a picture of this size shows. With one cell around the screen, points do not pop in and out at its edge.
fn window_of(camera: &Camera, size: UVec2) -> Window {
    Window {
        first: camera.cell_at(size, Vec2::ZERO).floor().as_ivec2() - 1,
        end: camera.cell_at(size, size.as_vec2()).ceil().as_ivec2() + 1,
    }
}
