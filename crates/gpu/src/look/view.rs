//! What every kernel of the look is told: where the screen lies on the lattice, and how it is to be shown.

use super::Camera;
use crate::preset::Look;
use crate::world::{Edges, Extents, LARGEST_EXTENT};

/// Pixels along a cell's side up to which a swarm is all cloud …
const CLOUD: f32 = 8.0;
/// … and from which on it is all points.
const POINTS: f32 = 22.0;
/// What is left of the cloud behind the points.
const VEIL: f32 = 0.06;
/// The radius of a point in pixels, as a part of a cell's side …
const RADIUS: f32 = 0.062;
/// … and at least and at most.
const RADII: [f32; 2] = [0.85, 3.2];
/// The most light in the middle of a point, as a multiple of the light of its cloud.
const SPARK: f32 = 4.5;

/// Pixels along a cell's side up to which individuals are all cloud, and from which on they are all darts.
const SWARM: f32 = 1.1;
const DARTS: f32 = 2.6;
/// What is left of the cloud behind the darts, up to so many pixels along a cell's side; nearer, it fades away.
const AIR: f32 = 0.16;
const AIRY: [f32; 2] = [5.0, 14.0];
/// The length of a dart in cells, and its least and greatest length in pixels; beyond a third of that it grows more slowly.
const DART: f32 = 2.2;
const DART_LENGTHS: [f32; 2] = [5.0, 90.0];
/// Its breadth as a part of its length, and at least in pixels.
const DART_BREADTH: f32 = 0.30;
const LEAST_BREADTH: f32 = 2.2;
/// The light of a dart as a part of its square of length and breadth, and the most light in it.
const DART_FILLS: f32 = 0.2;
const DART_DAZZLES: f32 = 0.7;
/// The most copies of a torus along an axis in which single individuals are drawn.
const MOST_TILES: i32 = 8;

/// The numbers of one picture, for Rust and (below) for WGSL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct View {
    pub first: [i32; 2],
    pub offset: [f32; 2],
    pub places: [i32; 2],
    pub lattice: [i32; 2],
    pub screen: [i32; 2],
    pub meet: [i32; 2],
    pub turn: [f32; 2],
    pub pace: f32,
    pub reduction: i32,
    pub exposures_of_boid: f32,
    pub bloom: f32,
    pub cloud: f32,
    pub points: f32,
    pub radius: f32,
    pub dart_light: f32,
    pub dart: [f32; 2],
    pub corner: [f32; 2],
    pub tiles: [i32; 2],
    pub copies: [i32; 2],
    pub origin: [i32; 2],
    pub scale: f32,
    pub bodies: u32,
}

/// The same structure in WGSL.
pub const VIEW_WGSL: &str = "\
struct View {
    // The place at the upper left corner of the screen, and how far into it the corner lies (0 to 1).
    first: vec2<i32>,
    offset: vec2<f32>,
    // Places and cells of the lattice along each axis, and pixels of the screen.
    places: vec2<i32>,
    lattice: vec2<i32>,
    screen: vec2<i32>,
    // 1: opposite edges of the screen meet.
    meet: vec2<i32>,
    // Cosine and sine by which the colours of headings are turned.
    turn: vec2<f32>,
    // Places along a pixel's side, and cells along a place's.
    pace: f32,
    reduction: i32,
    exposures_of_boid: f32,
    bloom: f32,
    // The part of the light that the cloud gives.
    cloud: f32,
    // The light in the middle of a point, and the radius of points in pixels.
    points: f32,
    radius: f32,
    // The light in the middle of a dart, and half of its length and breadth in pixels.
    dart_light: f32,
    dart: vec2<f32>,
    // The cell at the upper left corner of the screen.
    corner: vec2<f32>,
    // The first copy of a torus that the screen shows, and how many beside and below one another.
    tiles: vec2<i32>,
    copies: vec2<i32>,
    // The pixel of the target at which the screen begins.
    origin: vec2<i32>,
    // Pixels along a cell's side.
    scale: f32,
    // Individuals that are drawn.
    bodies: u32,
}
";

impl View {
    pub fn new(extents: Extents, edges: Edges, size: [u32; 2], camera: &Camera, look: &Look) -> Self {
        let scale = f64::from(camera.pixels_per_cell);
        // Cells smaller than a pixel are shown as blocks of about a pixel.
        let reduction = (1.0 / scale - 0.01).ceil().clamp(1.0, f64::from(LARGEST_EXTENT)) as i32;
        let pace = 1.0 / (scale * f64::from(reduction));
        let lattice = extents.as_cell();
        let places = lattice.map(|extent| (extent + reduction - 1) / reduction);
        let corner: [f64; 2] = std::array::from_fn(|axis| {
            let cells = f64::from(camera.centre[axis]) - f64::from(size[axis]) / 2.0 / scale;
            let place = cells / f64::from(reduction);
            // A thousandth of a pixel is nothing to see, and whole places keep a picture of the whole lattice exact.
            if (place - place.round()).abs() < 0.001 * pace { place.round() } else { place }
        });
        let first: [i32; 2] = std::array::from_fn(|axis| {
            let place = corner[axis].floor() as i32;
            if edges == Edges::Torus { place.rem_euclid(places[axis]) } else { place }
        });
        let meet = std::array::from_fn(|axis| {
            let shown = f64::from(size[axis]) * pace;
            i32::from(edges == Edges::Torus && (shown - f64::from(places[axis])).abs() < 0.001)
        });
        let [sine, cosine] = {
            let (sine, cosine) = (std::f32::consts::TAU * look.hue).sin_cos();
            [sine, cosine]
        };
        let share = smooth((camera.pixels_per_cell / CLOUD).ln() / (POINTS / CLOUD).ln());
        let radius = look.point_size * (RADIUS * camera.pixels_per_cell).clamp(RADII[0], RADII[1]);
        let exposures_of_boid = 1.0 / look.exposure.max(1e-6);
        // All the light of a boid's cell, drawn together in a point, as far as that does not dazzle.
        let spark = (camera.pixels_per_cell.powi(2) / (std::f32::consts::TAU * radius * radius)).min(SPARK);
        Self {
            first,
            offset: std::array::from_fn(|axis| (corner[axis] - corner[axis].floor()) as f32),
            places,
            lattice,
            screen: size.map(|pixels| pixels as i32),
            meet,
            turn: [cosine, sine],
            pace: pace as f32,
            reduction,
            exposures_of_boid,
            bloom: look.bloom * crate::picture::FULL_BLOOM,
            cloud: 1.0 - share * (1.0 - VEIL),
            points: share * spark * crate::picture::light_of(exposures_of_boid),
            radius,
            dart_light: 0.0,
            dart: [0.0; 2],
            corner: std::array::from_fn(|axis| camera.centre[axis] - size[axis] as f32 / 2.0 / camera.pixels_per_cell),
            tiles: [0; 2],
            copies: [1; 2],
            origin: [0; 2],
            scale: camera.pixels_per_cell,
            bodies: 0,
        }
    }

    /// Makes it the picture of so many individuals, each for `each` of them, who are darts from near and a cloud from afar.
    pub fn of_individuals(&mut self, count: usize, each: u32, edges: Edges, look: &Look) {
        let share = smooth((self.scale / SWARM).ln() / (DARTS / SWARM).ln());
        let long = look.point_size * DART * self.scale;
        let slow = DART_LENGTHS[1] / 3.0;
        let long = if long > slow { slow * (long / slow).sqrt() } else { long };
        let length = long.clamp(DART_LENGTHS[0], DART_LENGTHS[1]);
        let breadth = (DART_BREADTH * length).max(LEAST_BREADTH);
        // All the light of a boid's cell, drawn together.
        let drawn =
            (self.scale.powi(2) / (DART_FILLS * length * breadth) * each as f32).min(DART_DAZZLES / self.boid_light());
        let air = AIR * (1.0 - smooth((self.scale / AIRY[0]).ln() / (AIRY[1] / AIRY[0]).ln()));
        self.cloud = 1.0 - share * (1.0 - air);
        self.points = 0.0;
        self.dart_light = share * drawn * self.boid_light();
        self.dart = [length / 2.0, breadth / 2.0];
        self.bodies = count as u32;
        if edges == Edges::Torus {
            let margin = length / self.scale;
            for axis in 0..2 {
                let extent = self.lattice[axis] as f32;
                let end = self.corner[axis] + self.screen[axis] as f32 / self.scale;
                let first = ((self.corner[axis] - margin) / extent).floor() as i32;
                let last = ((end + margin) / extent).floor() as i32;
                (self.tiles[axis], self.copies[axis]) = (first, (last - first + 1).clamp(1, MOST_TILES));
            }
        }
    }

    /// The light of a single boid in a cell.
    pub fn boid_light(&self) -> f32 {
        crate::picture::light_of(self.exposures_of_boid)
    }

    /// Individuals that are drawn, with all copies of a torus.
    pub fn drawn_bodies(&self) -> u32 {
        if self.dart_light > 0.0 { self.bodies * (self.copies[0] * self.copies[1]) as u32 } else { 0 }
    }

    /// Rows of places that the screen shows, with those between whose middles its edges lie.
    pub fn rows(&self) -> u32 {
        (self.offset[1] + self.screen[1] as f32 * self.pace).ceil() as u32 + 2
    }
}

/// From 0 to 1 as t does, without corners.
fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
