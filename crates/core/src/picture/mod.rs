//! Pictures of swarms, drawn on the CPU. They change nothing in the swarm, so they may use floats.

mod bloom;
mod cloud;
mod colour;
mod crowd;
mod darts;
mod dusk;
pub mod features;
mod glow;
mod layers;
mod lights;
mod plane;
mod sky;
mod slabs;
mod volume;

pub use crate::points::falcons::{FALCON_SIZE, FlightLimits, SLICES, WAKE, flight_limits, outlines_from_above};
pub use crate::points::strokes::{MAX_STROKE_BOIDS, stroke_size};
pub use crate::terrain::water::{LEAN, Shade, TEXEL as WATER_TEXEL, Water};
pub use cloud::cloud;
pub use colour::{
    PALETTE, Palette, decode, encode, encoded, exposures_per_boid, heading_colour, light_of, mood_colour, palette,
    per_perishing,
};
pub use crowd::{crowd_along, crowd_at, line_of_sight};
pub use darts::{DartForm, smoothstep};
pub use dusk::dusk;
pub use glow::{FULL_BLOOM, Frame, NIGHT, dither, frame, glow, glow_of_individuals};
pub use layers::{Layers, Upsampler};
pub use lights::{lights, stroke_light};
pub use plane::{
    COPY, Plane, axes_across, axis_of, layer_of, plane, plane_extents, scale_colour, scale_colours, tops_of_scale,
};
pub use sky::Sky;
pub use slabs::picture_over_ranks;
pub use volume::{LOSS, LightPath, TEXEL, Volume, volume_size};

use crate::look::{Look, Projection, Style};
use crate::points::{PointParameters, PointPlayer, Points, StateFlow};
use crate::state::State;
use crate::world::{Extents, World};

/// A picture with 8 bits for each of red, green and blue (sRGB), row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels along x.
    pub width: u32,
    /// Pixels along y.
    pub height: u32,
    /// Red, green and blue of each pixel: 3 × width × height bytes.
    pub bytes: Vec<u8>,
}

/// Draws a swarm in the style of its look: a whole flat world from above, or a deep world as its look sees it.
/// `points`: the points of the swarm. If the style draws points and there are none, a point is made for each boid.
pub fn picture(state: &State, points: Option<&Points>, world: &World, look: &Look) -> Picture {
    let is_deep = state.extents.depth.is_some();
    if look.shows_values() {
        return plane(state, look);
    }
    if !look.draws_points(state.extents) {
        return glow(state, world, look);
    }
    let (size, scale) = frame(state.extents);
    let projection = if is_deep {
        Projection::from_look(state.extents, size, look)
    } else {
        Projection::above(size, size.map(|pixels| 0.5 * pixels as f32 / scale), scale)
    };
    match points {
        Some(points) => in_style(state, points, &projection, world, look, !is_deep),
        None => in_style(state, &seeded(state, world, look), &projection, world, look, !is_deep),
    }
}

/// Whether a picture follows from sums of the cells of each slab. It does for pictures of values, and for pictures of
/// flat worlds without points.
pub fn is_picture_of_sums(extents: Extents, look: &Look) -> bool {
    look.shows_values() || extents.depth.is_none() && !look.draws_points(extents)
}

/// The size of a picture in the style of its look, in pixels, and the side of a cell in pixels: see [`frame`]. If the
/// look shows the values of a plane, the size is the size of a picture of the plane.
pub fn frame_in(extents: Extents, look: &Look) -> ([u32; 2], f32) {
    frame(if look.shows_values() { plane_extents(extents, look) } else { extents })
}

/// New points for a swarm that has none yet.
pub fn seeded(state: &State, world: &World, look: &Look) -> Points {
    let flow = StateFlow { state, edges: world.edges, solids: &world.solids };
    PointPlayer::seeded(&[flow], PointParameters::new(0, 0, state.total(), look.points))
}

/// Draws the points of a swarm, seen through a camera, in the style of a look.
pub fn through(state: &State, points: &Points, projection: &Projection, world: &World, look: &Look) -> Picture {
    in_style(state, points, projection, world, look, false)
}

/// Draws as [`through`] does. `is_whole`: the picture shows a whole flat world from above.
fn in_style(
    state: &State,
    points: &Points,
    projection: &Projection,
    world: &World,
    look: &Look,
    is_whole: bool,
) -> Picture {
    match look.style {
        Style::Dusk => dusk(state, points, projection, world, look),
        Style::Glow => lights(state, points, projection, world, look, is_whole),
        Style::Cloud => cloud(state, projection, look),
        Style::Slice | Style::Projection => plane(state, look),
    }
}

/// A value that can be written as a constant in WGSL.
trait WgslConstant {
    fn in_wgsl(self) -> String;
}

impl WgslConstant for f32 {
    fn in_wgsl(self) -> String {
        format!("f32({self:?})")
    }
}

impl WgslConstant for i32 {
    fn in_wgsl(self) -> String {
        self.to_string()
    }
}

impl WgslConstant for [f32; 2] {
    fn in_wgsl(self) -> String {
        let [from, to] = self;
        format!("vec2<f32>({from:?}, {to:?})")
    }
}

impl<T: WgslConstant, const N: usize, const M: usize> WgslConstant for [[T; N]; M]
where
    [T; N]: WgslConstant,
{
    fn in_wgsl(self) -> String {
        format!("array({})", self.map(WgslConstant::in_wgsl).join(", "))
    }
}

impl WgslConstant for usize {
    fn in_wgsl(self) -> String {
        format!("{self}u")
    }
}

impl WgslConstant for [usize; 3] {
    fn in_wgsl(self) -> String {
        let [first, second, third] = self;
        format!("vec3<u32>({first}, {second}, {third})")
    }
}

impl WgslConstant for [f32; 3] {
    fn in_wgsl(self) -> String {
        let [red, green, blue] = self;
        format!("vec3<f32>({red:?}, {green:?}, {blue:?})")
    }
}

/// The constants of pictures as WGSL, for the kernels in `shaders/look/`. They have the names of the Rust constants.
pub fn constants_wgsl() -> String {
    use crate::falcons::{CLIMBS, STOOPS, WAITS, YIELDS};
    use crate::look::projection::NEAREST;
    use crate::points::falcons::*;
    use crate::points::strokes::*;
    use sky::*;
    use {bloom::AIR, cloud::*, colour::*, dusk::*, glow::*, lights::*, plane::*};
    macro_rules! constants {
        ($($name:ident)*) => {
            [$(format!("const {} = {};\n", stringify!($name), $name.in_wgsl())),*].concat()
        };
    }
    const BOID: f32 = crate::numbers::BOID as f32;
    const HAPPIEST: f32 = crate::lives::HAPPIEST as f32;
    const ONE: f32 = crate::numbers::ONE as f32;
    const VOLUME_TEXEL: f32 = volume::TEXEL as f32;
    const WATER_TEXEL: f32 = self::WATER_TEXEL as f32;
    constants!(
        OPACITY AMOUNT SHADE WARMTH LIGHT NEAREST VOLUME_TEXEL WATER_TEXEL HALF_STROKE STROKE_RADIUS MIN_RADIUS CLOSE
        STROKE_PIXELS WAKE WAKE_STEP WAKE_PRESENCE WAKE_SIZE FALCON_SIZE FALCON_AMOUNT FALCON_LIGHT FALCON_COLOUR
        FALCON_PIXELS FALCON_WINGS FALCON_SHADE PLUMAGE SIDES BLEND SLICES WING_BEAT FOLDS SPREAD_WING BEATING_WING
        FOLDED_WING FANNED_TAIL USUAL_TAIL CLOSED_TAIL TAIL BODY FEATHER RISE HAND_RISE HAND_LAG UPSTROKE PANELS LIMBS
        HEAD WING_PANELS WAKE_BEGINS FALCON_GLARE GLARE_FADES WAITS STOOPS CLIMBS YIELDS
        THICKNESS DUSKY ALIGHT STRIDE DENSE WINGS SPAN SWEEP WING_BREADTH
        SKY_MIST SKY_LOW SKY_MIDDLE SKY_HIGH AFTERGLOW SUNSHINE
        MIST_TO_LOW LOW_TO_MIDDLE MIDDLE_TO_HIGH
        BOID ONE HAPPIEST HALF GLARE CHROMA VIVID PALE_SPEED CROWD AIR NIGHT SLATE RIM SLATE_THROWS RIM_THROWS
        RIM_BREADTH BEYOND
    )
}

/// The weight of the halo whose samples have a side of `block` pixels; `None`: no halo has this size.
pub fn halo_part(block: u32) -> Option<f32> {
    let sizes = (0..bloom::HALOS.len()).map(|size| (bloom::BLOCK as u32) << size);
    sizes.zip(bloom::HALOS).find(|(size, _)| *size == block).map(|(_, part)| part)
}
