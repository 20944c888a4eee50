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
    pub unused: f32,
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
    unused: f32,
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
            bloom: look.bloom * crate::observe::FULL_BLOOM,
            cloud: 1.0 - share * (1.0 - VEIL),
            points: share * spark * crate::observe::light_of(exposures_of_boid),
            radius,
            unused: 0.0,
        }
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
