//! The uniform of every kernel of the look: the part of the lattice on the screen, and the light of the swarm.

use super::Camera;
use crate::shader::structure;
use glam::{DVec2, IVec2, UVec2, Vec2, uvec2};
use murmuration_core::look::Look;
use murmuration_core::picture::{COPY, DartForm, FULL_BLOOM, exposures_per_boid, light_of, per_perishing, smoothstep};
use murmuration_core::world::{Edges, Extents, MAX_EXTENT, pieces};
use std::f32::consts::TAU;

/// The scale, in pixels along the side of a cell, above which a flat swarm of cells shows single boids, if its points
/// are kept.
pub const NEAR: f32 = 8.0;
/// Two scales, in pixels along the side of a cell. Below the first a swarm of cells is drawn only as a cloud of light.
/// Between them the light passes from the cloud to discs, one for each point.
const CLOUD_TO_POINTS: [f32; 2] = [NEAR, 22.0];
/// The part of the cloud's light that remains behind the discs at large scales.
const VEIL: f32 = 0.06;
/// The radius of a disc as a multiple of the side of a cell.
const POINT_RADIUS: f32 = 0.062;
/// The minimum and the maximum radius of a disc, in pixels.
const POINT_RADII: [f32; 2] = [0.85, 3.2];
/// The extent to which a disc is drawn, in radii from its middle. Beyond it the disc is dark.
pub const DISC: f32 = 3.0;
/// The maximum light in the middle of a disc, as a multiple of the light of one boid in a cell of the cloud.
const BRIGHTEST_POINT: f32 = 4.5;
/// Two lengths of the screen, in lengths of the world. Between them the copies of a torus around the world fade to
/// their lowest light.
const COPIES_DIM: [f32; 2] = [1.02, 1.3];
/// The maximum number of copies of a torus along an axis in which individuals or discs are drawn.
const MAX_COPIES: i32 = 8;

structure! {
    /// The part of the lattice on the screen, and the light of the swarm, as kernels read them.
    ///
    /// A block is a square of cells that is shown as one: a single cell, or the cells that a pixel covers.
    View, VIEW_WGSL {
        /// The block at the upper left corner of the screen.
        first_block: IVec2,
        /// The place of the screen's corner in `first_block`, from 0 to 1 along each axis.
        offset: Vec2,
        /// The extents of the lattice, in blocks.
        blocks: IVec2,
        /// The extents of the lattice, in cells.
        lattice: IVec2,
        /// The width and the height of the screen, in pixels.
        screen: IVec2,
        /// 1 along an axis if the screen shows exactly one period of a torus along it, so that opposite edges meet.
        /// Else 0.
        wraps: IVec2,
        /// The cosine and the sine of the angle by which headings are turned before their direction sets the hue.
        hue_turn: Vec2,
        /// The blocks along the side of a pixel, at most 1.
        blocks_per_pixel: f32,
        /// The cells along the side of a block.
        cells_per_block: i32,
        /// The density of one boid in a cell, as a multiple of the density `look.exposure`.
        exposures_per_boid: f32,
        /// The strength of the halo around bright places, as a factor of their light.
        bloom: f32,
        /// The part of its light with which the cloud of the densities is drawn, from 0 to 1.
        cloud: f32,
        /// The light in the middle of a disc, the shape of a boid in a near view.
        point_light: f32,
        /// The radius of a disc, in pixels.
        point_radius: f32,
        /// The greatest light of a dart, the shape of an individual in a picture from above.
        dart_light: f32,
        /// Half of the length and half of the breadth of a dart, in pixels.
        dart_half_size: Vec2,
        /// The place of the lattice at the upper left corner of the screen, in cells.
        corner: Vec2,
        /// The first period of a torus on the screen along each axis. 0 is the period with cell 0.
        first_copy: IVec2,
        /// The number of periods of a torus on the screen, along each axis.
        copies: IVec2,
        /// The upper left corner of the screen in the texture that is drawn into, in pixels.
        origin: IVec2,
        /// The pixels along the side of a cell.
        pixels_per_cell: f32,
        /// The number of individuals that are drawn.
        bodies: u32,
        /// The upper left corner of the copy of the world in the middle of the screen, in cells.
        world: Vec2,
        /// The part of their light that copies of a torus keep, except the copy at `world`.
        copy_light: f32,
        /// Padding, always 0: the next vector has to begin at a multiple of 8 bytes.
        unused: i32,
        /// 1 / the number of steps in which an individual of species 0 perishes, and the same number for species 1. The
        /// next fields are for the next species.
        per_perishing_0: Vec2,
        per_perishing_2: Vec2,
        per_perishing_4: Vec2,
        per_perishing_6: Vec2,
    }
}

impl View {
    /// The view of the cells of a lattice through a camera, on a screen of this size (pixels).
    pub fn new(extents: Extents, edges: Edges, size: UVec2, camera: &Camera, look: &Look) -> Self {
        let scale = f64::from(camera.pixels_per_cell);
        // Cells smaller than a pixel are joined to blocks of about a pixel.
        let cells_per_block = (1.0 / scale - 0.01).ceil().clamp(1.0, f64::from(MAX_EXTENT)) as i32;
        let blocks_per_pixel = 1.0 / (scale * f64::from(cells_per_block));
        let lattice = IVec2::from(extents.as_cell());
        let blocks = (lattice + cells_per_block - 1) / cells_per_block;
        let corner = (camera.centre.as_dvec2() - size.as_dvec2() / 2.0 / scale) / f64::from(cells_per_block);
        // If the corner of the screen is within 1/1000 pixel of a block's corner, it is moved there. So the picture of
        // a whole lattice is exact.
        let rounded = corner.round();
        let is_near = (corner - rounded).abs().cmplt(DVec2::splat(0.001 * blocks_per_pixel));
        let corner = DVec2::select(is_near, rounded, corner);
        let is_torus = edges == Edges::Torus;
        let first_block = corner.floor().as_ivec2();
        let periods = size.as_dvec2() * blocks_per_pixel - blocks.as_dvec2();
        let share = smoothstep(CLOUD_TO_POINTS, camera.pixels_per_cell);
        let point_radius =
            look.point_size * (POINT_RADIUS * camera.pixels_per_cell).clamp(POINT_RADII[0], POINT_RADII[1]);
        let exposures_per_boid = exposures_per_boid(look);
        let corner_cell = camera.cell_at(size, Vec2::ZERO);
        let margin = DISC * point_radius / camera.pixels_per_cell;
        // At small scales there are no discs, so no copies are drawn.
        let [first_copy, copies] = if is_torus && share > 0.0 {
            copies_of_torus(lattice, corner_cell - margin, camera.cell_at(size, size.as_vec2()) + margin)
        } else {
            [IVec2::ZERO, IVec2::ONE]
        };
        let fading = per_perishing(look);
        let fading = [0, 2, 4, 6].map(|species| Vec2::new(fading[species], fading[species + 1]));
        // A disc has the light of its whole cell, up to a maximum.
        let concentrated = camera.pixels_per_cell.powi(2) / (TAU * point_radius * point_radius);
        Self {
            first_block: if is_torus { first_block.rem_euclid(blocks) } else { first_block },
            offset: (corner - corner.floor()).as_vec2(),
            blocks,
            lattice,
            screen: size.as_ivec2(),
            wraps: IVec2::from(periods.abs().cmplt(DVec2::splat(0.001))) * i32::from(is_torus),
            hue_turn: Vec2::from_angle(TAU * look.hue),
            blocks_per_pixel: blocks_per_pixel as f32,
            cells_per_block,
            exposures_per_boid,
            bloom: look.bloom * FULL_BLOOM,
            cloud: 1.0 - share * (1.0 - VEIL),
            point_light: share * concentrated.min(BRIGHTEST_POINT) * light_of(exposures_per_boid),
            point_radius,
            corner: corner_cell,
            first_copy,
            copies,
            pixels_per_cell: camera.pixels_per_cell,
            world: if is_torus { (camera.centre / lattice.as_vec2()).floor() * lattice.as_vec2() } else { Vec2::ZERO },
            per_perishing_0: fading[0],
            per_perishing_2: fading[1],
            per_perishing_4: fading[2],
            per_perishing_6: fading[3],
            copy_light: if is_torus { copy_light(lattice, size, camera) } else { 1.0 },
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// Changes the view for `count` drawn individuals, each of which stands for `each` individuals. They are drawn as
    /// darts at large scales, and as a cloud at small scales.
    pub fn of_individuals(&mut self, count: u32, each: u32, edges: Edges, look: &Look) {
        let scale = self.pixels_per_cell;
        let form = DartForm::new(scale, each, look);
        self.cloud = form.cloud;
        self.point_light = 0.0;
        self.dart_light = form.light;
        self.dart_half_size = Vec2::from(form.half_size);
        self.bodies = count;
        if edges == Edges::Torus {
            let (margin, end) = (2.0 * form.half_size[0] / scale, self.corner + self.screen.as_vec2() / scale);
            [self.first_copy, self.copies] = copies_of_torus(self.lattice, self.corner - margin, end + margin);
        }
    }

    /// Whether the view shows the same place of the world at the same scale as another view.
    pub fn is_same_place(&self, other: &Self) -> bool {
        let key = |view: &Self| (view.first_block, view.offset, view.blocks_per_pixel);
        key(self) == key(other)
    }

    /// Whether each block has an equal density and momentum in another view of the same state, because blocks have an
    /// equal size.
    pub fn is_same_scale(&self, other: &Self) -> bool {
        let key = |view: &Self| (view.cells_per_block, view.exposures_per_boid);
        key(self) == key(other)
    }

    /// The light with which the cloud shows a single boid in a cell.
    pub fn boid_light(&self) -> f32 {
        light_of(self.exposures_per_boid)
    }

    /// The number of darts to draw: the drawn individuals times the copies of a torus. 0 at small scales.
    pub fn darts(&self) -> u32 {
        if self.dart_light > 0.0 { self.bodies * self.copies.element_product() as u32 } else { 0 }
    }

    /// The rectangles of blocks on the screen, with `margin` more blocks on every side. Each has its first block and
    /// its size in blocks.
    pub fn shown_blocks(&self, margin: i32, edges: Edges) -> Vec<[UVec2; 2]> {
        let length = (self.offset + self.screen.as_vec2() * self.blocks_per_pixel).ceil().as_ivec2() + 2 * margin;
        let along =
            [0, 1].map(|axis| visible_blocks(self.first_block[axis] - margin, length[axis], self.blocks[axis], edges));
        let rectangle = |(x, width), (y, height)| [uvec2(x, y), uvec2(width, height)];
        along[1].iter().flat_map(|rows| along[0].iter().map(|columns| rectangle(*columns, *rows))).collect()
    }

    /// The number of rows of blocks on the screen, and two more rows, from which pixels at the ends are interpolated.
    pub fn rows(&self) -> u32 {
        (self.offset.y + self.screen.y as f32 * self.blocks_per_pixel).ceil() as u32 + 2
    }
}

/// The parts of the lattice that a range of blocks along an axis covers: the first block and the number of blocks of
/// each. If the range covers a whole torus, there is one part. There is at least one part, because the space beyond
/// walls is drawn from the last block before them.
fn visible_blocks(first: i32, length: i32, blocks: i32, edges: Edges) -> Vec<(u32, u32)> {
    if edges == Edges::Torus && length >= blocks {
        return vec![(0, blocks as u32)];
    }
    let first = if edges == Edges::Walls { first.clamp(1 - length, blocks - 1) } else { first };
    pieces(first, length, blocks, edges).map(|piece| (piece.on_lattice, piece.length)).collect()
}

/// The first period of a torus between two places of the plane (cells), and the number of periods, along each axis.
fn copies_of_torus(lattice: IVec2, from: Vec2, to: Vec2) -> [IVec2; 2] {
    let [first, last] = [from, to].map(|at| (at / lattice.as_vec2()).floor().as_ivec2());
    [first, (last - first + 1).clamp(IVec2::ONE, IVec2::splat(MAX_COPIES))]
}

/// The part of their light that copies of a torus keep. It is 1 if the screen is at most 2 % longer than the world
/// along each axis.
fn copy_light(lattice: IVec2, size: UVec2, camera: &Camera) -> f32 {
    let worlds = (size.as_vec2() / (lattice.as_vec2() * camera.pixels_per_cell)).max_element();
    let dimmed = ((worlds - COPIES_DIM[0]) / (COPIES_DIM[1] - COPIES_DIM[0])).clamp(0.0, 1.0);
    1.0 - dimmed + COPY * dimmed
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn copies_are_dimmed_around_the_world_in_the_middle_of_a_screen_that_is_longer_than_it() {
        let (extents, size, look) = (Extents::flat(100, 50), UVec2::new(200, 200), Look::default());
        let at = |edges, centre, pixels_per_cell| {
            let view = View::new(extents, edges, size, &Camera { centre, pixels_per_cell }, &look);
            (view.world, view.copy_light)
        };
        let middle = vec2(50.0, 25.0);
        assert_eq!(at(Edges::Torus, middle, 4.0), (Vec2::ZERO, 1.0));
        assert_eq!(at(Edges::Torus, middle, 1.0), (Vec2::ZERO, COPY));
        assert_eq!(at(Edges::Torus, vec2(-20.0, 60.0), 1.0), (vec2(-100.0, 50.0), COPY));
        assert_eq!(at(Edges::Walls, vec2(-20.0, 60.0), 1.0), (Vec2::ZERO, 1.0));
    }

    #[test]
    fn there_is_always_a_block_to_draw_from() {
        assert_eq!(visible_blocks(-2, 5, 10, Edges::Torus), [(8, 2), (0, 3)]);
        assert_eq!(visible_blocks(7, 10, 10, Edges::Torus), [(0, 10)]);
        assert_eq!(visible_blocks(-2, 5, 10, Edges::Walls), [(0, 3)]);
        assert_eq!(visible_blocks(12, 5, 10, Edges::Walls), [(9, 1)]);
        assert_eq!(visible_blocks(-90, 5, 10, Edges::Walls), [(0, 1)]);
    }
}
