//! The camera straight above a flat world, and the rectangle of a target that a picture fills.

use glam::{IVec2, UVec2, Vec2};
use murmuration_core::world::{Edges, Extents, MAX_EXTENT, World};

/// The maximum scale, in pixels along the side of a cell.
const MAX_SCALE: f32 = 256.0;
/// The length of a lattice of [`MAX_EXTENT`] cells at the minimum scale, in pixels.
const MIN_LATTICE: f32 = 64.0;

/// An orthographic camera that looks straight down at the lattice. Pictures show copies of a torus beyond its edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The place in the middle of the picture, in cells from the upper left corner of the first cell.
    pub centre: Vec2,
    /// The number of pixels along the side of a cell.
    pub pixels_per_cell: f32,
}

impl Camera {
    /// The camera for a picture of this size (pixels). A torus covers the picture completely, and a lattice between
    /// walls is wholly visible.
    pub fn fit(extents: Extents, edges: Edges, size: UVec2) -> Self {
        let lattice = IVec2::from(extents.as_cell()).as_vec2();
        // A minimised window has size 0.
        let scales = size.max(UVec2::ONE).as_vec2() / lattice;
        let pixels_per_cell = match edges {
            Edges::Torus => scales.max_element(),
            Edges::Walls => scales.min_element(),
        };
        Self { centre: lattice / 2.0, pixels_per_cell }
    }

    /// The place of the lattice (cells) at a place of a picture of this size (pixels), both from the upper left corner.
    /// The place may lie beyond the edges of the lattice.
    pub fn cell_at(&self, size: UVec2, pixel: Vec2) -> Vec2 {
        self.centre + (pixel - size.as_vec2() / 2.0) / self.pixels_per_cell
    }

    /// The inverse of [`Self::cell_at`]: the place of the picture (pixels) that shows a place of the lattice (cells).
    pub fn pixel_at(&self, size: UVec2, cell: Vec2) -> Vec2 {
        (cell - self.centre) * self.pixels_per_cell + size.as_vec2() / 2.0
    }

    /// The copy of a place of the lattice (cells) that is nearest to the middle of the picture. Between walls a place
    /// has no copies.
    pub fn nearest_copy(&self, cell: Vec2, world: &World) -> Vec2 {
        match world.edges {
            Edges::Torus => {
                let lattice = IVec2::from(world.extents.as_cell()).as_vec2();
                cell + ((self.centre - cell) / lattice).round() * lattice
            }
            Edges::Walls => cell,
        }
    }

    /// Multiplies the scale by `factor`, within the minimum and maximum scale. The place of the lattice at `pixel`
    /// stays at `pixel`.
    pub fn zoom_at(&mut self, size: UVec2, pixel: Vec2, factor: f32) {
        let held = self.cell_at(size, pixel);
        let smallest = MIN_LATTICE / MAX_EXTENT as f32;
        self.pixels_per_cell = (self.pixels_per_cell * factor).clamp(smallest, MAX_SCALE);
        self.centre += held - self.cell_at(size, pixel);
    }

    /// Moves the picture by this number of pixels.
    pub fn pan(&mut self, pixels: Vec2) {
        self.centre -= pixels / self.pixels_per_cell;
    }
}

/// A rectangle of the texture into which a picture is drawn, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    /// The upper left corner, in pixels from the upper left corner of the target.
    pub origin: UVec2,
    /// The width and the height, in pixels.
    pub size: UVec2,
}

impl Pane {
    /// Restricts a render pass to this rectangle of its target.
    pub(super) fn restrict(self, render: &mut wgpu::RenderPass<'_>) {
        let ([x, y], [width, height]) = (self.origin.to_array(), self.size.to_array());
        render.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        render.set_scissor_rect(x, y, width, height);
    }
}

impl From<UVec2> for Pane {
    /// The rectangle of a whole target of this size (pixels).
    fn from(size: UVec2) -> Self {
        Self { origin: UVec2::ZERO, size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    const SIZE: UVec2 = UVec2::new(1280, 800);

    #[test]
    fn a_torus_fills_the_picture_and_walls_are_all_within_it() {
        let extents = Extents::flat(256, 256);
        assert_eq!(Camera::fit(extents, Edges::Torus, SIZE).pixels_per_cell, 5.0);
        let walled = Camera::fit(extents, Edges::Walls, SIZE);
        assert_eq!(walled.pixels_per_cell, 3.125);
        assert_eq!(walled.cell_at(SIZE, vec2(640.0, 0.0)), vec2(128.0, 0.0));
        assert_eq!(walled.cell_at(SIZE, vec2(640.0, 800.0)), vec2(128.0, 256.0));
    }

    #[test]
    fn a_picture_without_any_area_still_has_a_scale() {
        let camera = Camera::fit(Extents::flat(300, 200), Edges::Walls, UVec2::ZERO);
        assert!(camera.pixels_per_cell > 0.0 && camera.cell_at(UVec2::ZERO, Vec2::ONE).is_finite());
    }

    #[test]
    fn zooming_holds_the_point_under_the_pointer_and_panning_moves_it() {
        let mut camera = Camera::fit(Extents::flat(300, 200), Edges::Torus, SIZE);
        let pointer = vec2(333.0, 71.0);
        let held = camera.cell_at(SIZE, pointer);
        camera.zoom_at(SIZE, pointer, 3.7);
        assert!(camera.cell_at(SIZE, pointer).abs_diff_eq(held, 1e-3));
        camera.pan(vec2(-20.0, 50.0));
        let moved = vec2(313.0, 121.0);
        assert!(camera.cell_at(SIZE, moved).abs_diff_eq(held, 1e-3));
        assert!(camera.pixel_at(SIZE, held).abs_diff_eq(moved, 1e-3));
    }
}
