//! The look of a preset: how its pictures are drawn.

pub(crate) mod keys;
pub(crate) mod projection;

pub use projection::{FIRST_VIEW, HALF_VIEW, Place, Projection, axes_of, view_towards};

use crate::numbers::ONE;
use crate::world::{Extents, MAX_SPECIES};
use std::f32::consts::TAU;

/// The maximum of [`Look::points`].
pub const MAX_POINTS: u32 = 1 << 22;
/// The default of [`Look::points`]. Two cores of a processor move and draw this number of points in a small part of the
/// time of a frame.
pub const DEFAULT_POINTS: u32 = 120_000;

/// A smooth rise from 0 to 1 as `part` goes from 0 to 1: 3t² − 2t³, with t = `part` clamped to 0 to 1.
#[inline(always)]
pub(crate) fn smooth_rise(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The look of pictures. The simulation does not depend on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// How the swarm is drawn.
    pub style: Style,
    /// The density that glows at half brightness, in boids a cell.
    pub exposure: f32,
    /// The strength of the bloom, 0 to 1.
    pub bloom: f32,
    /// The rotation of the colour wheel of headings, in full turns, 0 to 1.
    pub hue: f32,
    /// The quantity that the hue shows.
    pub colour: Colouring,
    /// For each species, the number of steps from the beginning of perishing to death. During these steps the picture
    /// of an individual fades. 0: no individual perishes.
    pub perishing: [u32; MAX_SPECIES],
    /// The hues of the species of individuals, as fractions of the colour wheel; zeros after the last one.
    pub species: [f32; MAX_SPECIES],
    /// The size of single boids, seen from near, as a multiple of the usual size, 0.25 to 4. In the window only.
    pub point_size: f32,
    /// The maximum number of points. Points that are fading out are not counted. If there are more boids, a point
    /// stands for several boids. 0: no points.
    pub points: u32,
    /// The part of the last picture's light that stays, 0 to 0.98: moving boids draw trails. In the window only.
    pub trails: f32,
    /// The axis across which a slice lies, and along which a projection sums, in a deep world: 0 is x.
    pub axis: usize,
    /// The place of a slice along its axis, 0 to 1.
    pub layer: f32,
    /// The value of the last colour of slices and projections, in boids; 0: a round number beyond the greatest value.
    pub scale: f32,
    /// The eye from which a deep world is first seen, and the place in the middle of its picture, as fractions of the
    /// extents. `None`: the whole world is visible.
    pub view: Option<[[f32; 3]; 2]>,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            style: Style::default(),
            exposure: 1.0,
            bloom: 0.6,
            hue: 0.0,
            colour: Colouring::Heading,
            perishing: [0; MAX_SPECIES],
            species: [0.0; MAX_SPECIES],
            point_size: 1.0,
            points: DEFAULT_POINTS,
            trails: 0.0,
            axis: 2,
            layer: 0.5,
            scale: 0.0,
            view: None,
        }
    }
}

impl Look {
    /// Whether single individuals have their own colours, which a lattice does not show.
    pub fn colours_individuals(&self) -> bool {
        matches!(self.colour, Colouring::Mood | Colouring::Species)
    }

    /// Whether pictures of a world of these extents show the colouring. Pictures in the light of the sun do not.
    pub fn shows_colouring(&self, extents: Extents) -> bool {
        match self.style {
            Style::Dusk | Style::Slice | Style::Projection => false,
            Style::Glow => true,
            Style::Cloud => extents.depth.is_none(),
        }
    }

    /// Whether the boids of cells in a world of these extents are drawn as points; else as a smooth field.
    pub fn draws_points(&self, extents: Extents) -> bool {
        match self.style {
            _ if !extents.has_places() => false,
            Style::Dusk | Style::Glow => true,
            Style::Cloud => extents.depth.is_some(),
            Style::Slice | Style::Projection => false,
        }
    }

    /// Whether pictures show a plane of cells, in colours from which the values of the cells can be read.
    pub fn shows_values(&self) -> bool {
        matches!(self.style, Style::Slice | Style::Projection)
    }
}

/// How a swarm is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Every boid is a dark stroke along its flight, before the sky at dusk.
    Dusk,
    /// Every boid is a point of light in the night.
    Glow,
    /// A smooth field of light.
    #[default]
    Cloud,
    /// The density of the cells of one layer, in colours from which the values can be read.
    Slice,
    /// The sums of the density along an axis, in colours from which the values can be read.
    Projection,
}

impl Style {
    /// Every style, in the order in which a key of the window goes through them.
    pub const ALL: [Self; 5] = [Self::Dusk, Self::Glow, Self::Cloud, Self::Slice, Self::Projection];

    /// Its word in presets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dusk => "dusk",
            Self::Glow => "glow",
            Self::Cloud => "cloud",
            Self::Slice => "slice",
            Self::Projection => "projection",
        }
    }

    /// The next style; the first one after the last.
    pub fn next(self) -> Self {
        let index = Self::ALL.iter().position(|style| *style == self).unwrap_or(0);
        Self::ALL[(index + 1) % Self::ALL.len()]
    }
}

/// The quantity that the hue of a swarm shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colouring {
    /// The direction of the control vector.
    #[default]
    Heading,
    /// The length of the control vector.
    Speed,
    /// The density.
    Density,
    /// The mood of individuals: blue is depressed, orange is happy.
    Mood,
    /// The species of individuals.
    Species,
}

impl Colouring {
    /// Every colouring.
    pub const ALL: [Self; 5] = [Self::Heading, Self::Speed, Self::Density, Self::Mood, Self::Species];

    /// Its word in presets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Density => "density",
            Self::Mood => "mood",
            Self::Species => "species",
        }
    }
}

/// The vector (Q14) whose heading has a colour, which is a fraction of the colour wheel.
pub fn colour_vector(colour: f32) -> [i32; 2] {
    let angle = TAU * colour;
    [angle.cos(), angle.sin()].map(|component| (component * ONE as f32).round() as i32)
}
