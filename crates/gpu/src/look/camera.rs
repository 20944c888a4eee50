//! Where one looks at the lattice from.

use crate::world::{Edges, Extents};

/// The most pixels along the side of a cell.
const NEAREST: f32 = 256.0;
/// The least that a lattice's larger side may come to, in pixels.
const FARTHEST: f32 = 64.0;

/// What of the lattice a picture shows, and how large. On a torus the lattice goes on beyond its edges, for ever.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture, in cells from the upper left corner of the first cell.
    pub centre: [f32; 2],
    /// Pixels along the side of a cell.
    pub pixels_per_cell: f32,
}

impl Camera {
    /// The camera that fills a picture of this size (pixels) with a torus from edge to edge, or that shows the whole of
    /// a lattice between walls.
    pub fn fit(extents: Extents, edges: Edges, size: [u32; 2]) -> Self {
        // A window may have no area for a moment.
        let size = size.map(|side| side.max(1));
        let [across, down] = [size[0] as f32 / extents.width as f32, size[1] as f32 / extents.height as f32];
        let pixels_per_cell = match edges {
            Edges::Torus => across.max(down),
            Edges::Walls => across.min(down),
        };
        Self { centre: [extents.width as f32 / 2.0, extents.height as f32 / 2.0], pixels_per_cell }
    }

    /// The point of the lattice, in cells, at a point of a picture of this size, both from the upper left corner. On a
    /// torus it may lie beyond the edges.
    pub fn cell_at(&self, size: [u32; 2], pixel: [f32; 2]) -> [f32; 2] {
        std::array::from_fn(|axis| self.centre[axis] + (pixel[axis] - size[axis] as f32 / 2.0) / self.pixels_per_cell)
    }

    /// Where a point of the lattice is in a picture of this size, in pixels: the inverse of [`Self::cell_at`].
    pub fn pixel_at(&self, size: [u32; 2], cell: [f32; 2]) -> [f32; 2] {
        std::array::from_fn(|axis| (cell[axis] - self.centre[axis]) * self.pixels_per_cell + size[axis] as f32 / 2.0)
    }

    /// Makes everything larger by `factor`, or smaller where it is below 1; what lies at `pixel` stays there.
    pub fn zoom_at(&mut self, size: [u32; 2], pixel: [f32; 2], factor: f32) {
        let held = self.cell_at(size, pixel);
        let least = FARTHEST / crate::world::LARGEST_EXTENT as f32;
        self.pixels_per_cell = (self.pixels_per_cell * factor).clamp(least, NEAREST);
        let moved = self.cell_at(size, pixel);
        self.centre = std::array::from_fn(|axis| self.centre[axis] + held[axis] - moved[axis]);
    }

    /// Moves the picture by this many pixels, as if by hand.
    pub fn pan(&mut self, pixels: [f32; 2]) {
        self.centre = std::array::from_fn(|axis| self.centre[axis] - pixels[axis] / self.pixels_per_cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [1280, 800];

    #[test]
    fn a_torus_fills_the_picture_and_walls_are_all_within_it() {
        let extents = Extents { width: 256, height: 256 };
        assert_eq!(Camera::fit(extents, Edges::Torus, SIZE).pixels_per_cell, 5.0);
        let walled = Camera::fit(extents, Edges::Walls, SIZE);
        assert_eq!(walled.pixels_per_cell, 3.125);
        assert_eq!(walled.cell_at(SIZE, [640.0, 0.0]), [128.0, 0.0]);
        assert_eq!(walled.cell_at(SIZE, [640.0, 800.0]), [128.0, 256.0]);
    }

    #[test]
    fn a_picture_without_any_area_still_has_a_scale() {
        let camera = Camera::fit(Extents { width: 300, height: 200 }, Edges::Walls, [0, 0]);
        assert!(camera.pixels_per_cell > 0.0 && camera.cell_at([0, 0], [1.0, 1.0])[0].is_finite());
    }

    #[test]
    fn zooming_holds_what_is_under_the_pointer_and_panning_takes_it_along() {
        let mut camera = Camera::fit(Extents { width: 300, height: 200 }, Edges::Torus, SIZE);
        let pointer = [333.0, 71.0];
        let held = camera.cell_at(SIZE, pointer);
        camera.zoom_at(SIZE, pointer, 3.7);
        let near = |[a, b]: [f32; 2], [c, d]: [f32; 2]| (a - c).abs() < 1e-3 && (b - d).abs() < 1e-3;
        assert!(near(camera.cell_at(SIZE, pointer), held));
        camera.pan([-20.0, 50.0]);
        assert!(near(camera.cell_at(SIZE, [313.0, 121.0]), held));
        assert!(near(camera.pixel_at(SIZE, held), [313.0, 121.0]));
    }
}
