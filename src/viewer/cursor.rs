//! The effects of the mouse on the world: the hunter that boids flee from or follow, its jaws, and the brushes.

use super::action::Tool;
use super::sides::{Arrangement, Side};
use glam::{IVec3, UVec3, Vec2, Vec3};
use murmuration_core::numbers::{RULE_ONE, Vector3, WEIGHT_LIMIT};
use murmuration_core::simulation::{Input, Pointer};
use murmuration_core::world::{Edges, MAX_HUNT_RADIUS, Mood, PARTS, Place, World};

/// The food that one application of the brush adds to a cell of the food field: a quarter of a meal.
const HANDFUL: u32 = murmuration_core::lives::FULL as u32 / 4;

/// The radius of the hunter's effect, relative to the shorter side of the window.
const REACH: f32 = 0.1;
/// The factor of the reach while the left or the right mouse button is held.
const HARD_REACH: f32 = 1.6;
/// The factor of the hunter's weight while the left mouse button is held.
const HARD_WEIGHT: f32 = 3.0;
/// The radius of the jaws, relative to the reach of the hunter.
const JAWS: f32 = 0.16;
/// The radius of the brush, relative to the shorter side of the window.
const BRUSH: f32 = 0.03;
/// In a round (a timed game), this part of the shorter side of the world takes the place of the shorter side of the
/// window in the definitions above.
const ROUND: f32 = 0.7;
/// The number of boids that the brush spawns per cell.
const SPAWN: u32 = 2;
/// The maximum number of times that a brush is applied along the way between two places of the mouse.
const MAX_TOUCHES: usize = 24;

/// The mouse, its tool, and the settings of the hunter and the brush.
#[derive(Debug, Clone, Default)]
pub struct Cursor {
    /// The place of the mouse in pixels; `None`: outside of the window or over the panel.
    pub at: Option<Vec2>,
    pub left: bool,
    pub right: bool,
    pub middle: bool,
    pub tool: Tool,
    pub is_catching: bool,
    /// The factor by which the user has changed the reach of the hunter.
    pub stretch: f32,
    /// The weight of the user's hunter against the rules of the boids, before `HARD_WEIGHT`.
    pub weight: f32,
    /// The factor by which the user has changed the radius of the brush.
    pub brush_stretch: f32,
    /// The length in cells that replaces the shorter side of the window during a round; `None`: no round.
    pub in_cells: Option<f32>,
    /// Whether the mouse has not moved for a while in a world with automatic hunters. These hunters then hunt in place
    /// of the user.
    pub is_resting: bool,
    /// The cell at which the brush was last applied in the current stroke; `None`: no stroke.
    stroke: Option<Vector3>,
}

impl Cursor {
    /// A cursor outside of the window, with the default settings.
    pub fn new() -> Self {
        Self { stretch: 1.0, weight: 1.5, brush_stretch: 1.0, ..Self::default() }
    }

    /// The cursor at the start of a round: open jaws, and a hunter with default settings.
    pub fn in_round(&self, world: &World) -> Self {
        let shorter = world.extents.width.min(world.extents.height) as f32;
        Self { at: self.at, is_catching: true, in_cells: Some(ROUND * shorter), ..Self::new() }
    }

    /// Whether the hunter still has the settings of [`Self::in_round`].
    pub fn is_of_round(&self) -> bool {
        let usual = Self::new();
        (self.stretch, self.weight) == (usual.stretch, usual.weight) && self.tool == Tool::Hunter
    }

    /// Enlarges the radius of the brush by the factor 1.25 for each notch of the wheel. A negative number shrinks the
    /// radius.
    pub fn stretch_brush(&mut self, notches: i8) {
        self.brush_stretch = (self.brush_stretch * 1.25f32.powi(i32::from(notches))).clamp(0.2, 8.0);
    }

    /// The shorter side of the window in cells, or during a round the length that replaces it.
    pub fn visible(&self, side: &Side) -> f32 {
        self.in_cells.unwrap_or(side.pane.size.min_element() as f32 / side.camera().pixels_per_cell)
    }

    /// The radius of the hunter's effect in cells.
    pub fn reach(&self, side: &Side) -> u32 {
        let hard = if self.tool == Tool::Hunter && (self.left || self.right) { HARD_REACH } else { 1.0 };
        let reach = REACH * self.stretch * hard * self.visible(side);
        (reach.round() as u32).clamp(3, MAX_HUNT_RADIUS)
    }

    /// The radius of the jaws in cells; 0: the jaws are closed.
    pub fn jaws(&self, side: &Side) -> u32 {
        if !self.is_catching || self.tool != Tool::Hunter || self.at.is_none() {
            return 0;
        }
        let jaws = JAWS * REACH * self.stretch * self.visible(side);
        (jaws.round() as u32).clamp(1, 64)
    }

    /// The radius of the brush, in cells.
    pub fn brush(&self, side: &Side) -> u32 {
        let brush = BRUSH * self.brush_stretch * self.visible(side);
        (brush.round() as u32).clamp(1, 200)
    }

    /// The hunter at the place of the mouse, for the simulation. `None`: another tool is selected, the middle button is
    /// held, or the mouse rests or is outside of the world.
    pub fn pointer(&self, side: &Side, world: &World) -> Option<Pointer> {
        if self.tool != Tool::Hunter || self.middle || self.is_resting {
            return None;
        }
        let place = place_in(side, self.position(side, world)?.to_array());
        let mood = if self.right { Mood::Follow } else { Mood::Flee };
        let hard = if self.left { HARD_WEIGHT } else { 1.0 };
        let weight = (self.weight * hard * RULE_ONE as f32).round() as i32;
        Some(Pointer { place, reach: self.reach(side), mood, weight: weight.min(WEIGHT_LIMIT) })
    }

    /// The place of the mouse in 1/16 cell from the middle of the first cell. In a view from above z is 0. `None`: the
    /// mouse is outside of the world.
    fn position(&self, side: &Side, world: &World) -> Option<IVec3> {
        let height = if side.orbit_in_depth().is_some() { side.depth.height } else { 0.5 };
        position(side.camera().cell_at(side.pane.size, self.at?).extend(height), extents(side, world), world.edges)
    }

    /// The cell under the mouse; in a view from above, the first cell of the column. `None`: the mouse is outside of
    /// the world.
    pub fn cell(&self, side: &Side, world: &World) -> Option<Vector3> {
        let cell = (self.position(side, world)? + PARTS / 2).div_euclid(IVec3::splat(PARTS));
        let extents = extents(side, world);
        Some([0, 1, 2].map(|axis| world.edges.wrap_or_clamp(cell[axis].into(), extents[axis].into()) as i32))
    }

    /// The cursor with its place in pixels of the picture of [`Side::camera`], and the part of the window under the
    /// cursor.
    pub fn locate(&self, arrangement: &Arrangement) -> (Self, Side) {
        let side = self.at.map_or_else(|| arrangement.main_side(), |at| arrangement.side_at(at));
        if arrangement.is_sideways || self.at.is_some_and(|at| arrangement.is_on_divider(at)) {
            return (self.moved_to(None), side);
        }
        (self.moved_to(self.at.and_then(|at| side.on_plane(at))), side)
    }

    /// A copy of the cursor at another place in pixels.
    pub fn moved_to(&self, at: Option<Vec2>) -> Self {
        Self { at, ..self.clone() }
    }

    /// Copies all fields except the place of the mouse from another cursor.
    pub fn follow(&mut self, other: &Self) {
        *self = Self { at: self.at, ..other.clone() };
    }

    /// The inputs of the brush along the way of the mouse since the brush was last applied. A way shorter than half the
    /// radius of the brush, or shorter than a cell, gives no inputs.
    pub fn stroke(&mut self, side: &Side, world: &World) -> Vec<Input> {
        if !self.left || matches!(self.tool, Tool::Hunter | Tool::Probe) {
            self.stroke = None;
            return Vec::new();
        }
        let Some(at) = self.cell(side, world) else { return Vec::new() };
        let radius = self.brush(side);
        let Some(from) = self.stroke.replace(at) else {
            // An undo reverts the whole stroke.
            return vec![Input::Stroke, self.touch(touched(world, at), radius)];
        };
        let start = IVec3::from(from);
        let way = (IVec3::from(at) - IVec3::from(from)).as_vec3();
        let touches = (way.length() / (radius as f32 / 2.0).max(1.0)) as usize;
        if touches == 0 {
            self.stroke = Some(from);
            return Vec::new();
        }
        // On such a long way the mouse has crossed an edge of the torus, or has jumped.
        if touches > MAX_TOUCHES {
            return vec![self.touch(touched(world, at), radius)];
        }
        let along = |touch: usize| {
            let part = touch as f32 / touches as f32;
            touched(world, (start + (way * part).round().as_ivec3()).to_array())
        };
        (1..=touches).map(|touch| self.touch(along(touch), radius)).collect()
    }

    fn touch(&self, at: Place, radius: u32) -> Input {
        let cells = match at {
            Place::Column(_) => (314 * radius.pow(2)).div_ceil(100),
            Place::Deep(_) => (419 * radius.pow(3)).div_ceil(100),
        };
        match self.tool {
            Tool::Spawn => Input::Spawn { at, radius, boids: SPAWN * cells },
            Tool::Lift => Input::Lift { at, radius },
            Tool::Solid => Input::Solid { at, radius, solid: true },
            Tool::Feed => Input::Feed { at, radius, food: HANDFUL },
            Tool::RemoveFood => Input::RemoveFood { at, radius },
            Tool::Erase | Tool::Hunter | Tool::Probe => Input::Solid { at, radius, solid: false },
        }
    }
}

/// The target of a brush at a cell: the cell itself in a deep lattice, else the column.
fn touched(world: &World, place @ [x, y, _]: Vector3) -> Place {
    if world.extents.depth.is_some() { Place::Deep(place) } else { Place::Column([x, y]) }
}

/// The place of a hunter: a place with a depth in a perspective view, else a column.
fn place_in(side: &Side, place @ [x, y, _]: Vector3) -> Place {
    if side.orbit_in_depth().is_some() { Place::Deep(place) } else { Place::Column([x, y]) }
}

/// The extents of the world under the mouse, in cells: in a perspective view the extents of its picture.
fn extents(side: &Side, world: &World) -> UVec3 {
    side.orbit_in_depth().map_or(world.extents.along_axes().into(), |orbit| orbit.extents.as_uvec3())
}

/// Converts a place in cells from the corner of the lattice to 1/16 cell from the middle of the first cell. On a torus
/// the place is wrapped. `None`: the place is outside of the walls.
fn position(cell: Vec3, extents: UVec3, edges: Edges) -> Option<IVec3> {
    let position = ((cell - 0.5) * PARTS as f32).round().as_ivec3();
    let cells = extents.as_ivec3();
    match edges {
        Edges::Torus => Some(position.rem_euclid(cells * PARTS)),
        Edges::Walls => {
            let is_inside = cell.cmpge(Vec3::ZERO) & cell.cmple(cells.as_vec3());
            is_inside.all().then(|| position.clamp(IVec3::ZERO, (cells - 1) * PARTS))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::sides::{Depth, Model};
    use glam::{ivec3, uvec2, vec2, vec3};
    use murmuration_core::world::Extents;
    use murmuration_gpu::look::{Camera, Orbit, ViewTransform};

    fn world(edges: Edges) -> World {
        let extents = Extents::flat(100, 60);
        World { capacity: 1 << 20, ..World::empty(extents, edges) }
    }

    #[test]
    fn the_hunter_goes_round_a_torus_and_stays_within_walls() {
        let torus = world(Edges::Torus);
        let walls = world(Edges::Walls);
        let at = |x, y, world: &World| position(vec3(x, y, 0.5), world.extents.along_axes().into(), world.edges);
        assert_eq!(at(0.5, 0.5, &torus), Some(IVec3::ZERO));
        assert_eq!(at(-0.5, 61.5, &torus), Some(ivec3(99 * 16, 16, 0)));
        assert_eq!(at(-0.5, 10.0, &walls), None);
        assert_eq!(at(99.99, 59.99, &walls), Some(ivec3(99 * 16, 59 * 16, 0)));
        assert_eq!(at(0.01, 0.01, &walls), Some(IVec3::ZERO));
    }

    #[test]
    fn a_stroke_is_put_down_once_until_the_brush_has_moved() {
        let camera = Camera { centre: vec2(50.0, 30.0), pixels_per_cell: 10.0 };
        let side = Side {
            model: Model::Main,
            pane: uvec2(1000, 600).into(),
            transform: camera.into(),
            depth: Default::default(),
        };
        let mut cursor = Cursor { at: Some(vec2(500.0, 300.0)), left: true, tool: Tool::Lift, ..Cursor::new() };
        let world = world(Edges::Walls);
        assert_eq!(cursor.stroke(&side, &world), [Input::Stroke, Input::Lift { at: [50, 30].into(), radius: 2 }]);
        assert_eq!(cursor.stroke(&side, &world), []);
        cursor.at = Some(vec2(530.0, 300.0));
        assert_eq!(cursor.stroke(&side, &world), [51, 52, 53].map(|x| Input::Lift { at: [x, 30].into(), radius: 2 }));
        cursor.left = false;
        assert_eq!(cursor.stroke(&side, &world), []);
        assert_eq!(cursor.pointer(&side, &world), None);
        cursor.tool = Tool::Hunter;
        cursor.left = true;
        let pointer = cursor.pointer(&side, &world).unwrap();
        assert_eq!((pointer.place, pointer.weight), ([840, 472].into(), 4608));
    }

    #[test]
    fn in_depth_hunter_and_brushes_are_balls_where_the_mouse_is() {
        let world = World { extents: Extents::deep(100, 60, 40), ..world(Edges::Walls) };
        let mut side = Side {
            model: Model::Main,
            pane: uvec2(1000, 600).into(),
            transform: ViewTransform::Around(Orbit::first(world.extents, uvec2(1000, 600))),
            depth: Depth { ahead: 0.0, height: 20.0 },
        };
        let at = side.camera().pixel_at(side.pane.size, vec2(40.5, 30.5));
        let mut cursor = Cursor { at: Some(at), left: true, tool: Tool::Spawn, ..Cursor::new() };
        let [Input::Stroke, Input::Spawn { at, radius, boids }] = cursor.stroke(&side, &world)[..] else { panic!() };
        assert_eq!((at, boids), (Place::Deep([40, 30, 20]), 2 * (419 * radius.pow(3)).div_ceil(100)));
        assert_eq!(cursor.cell(&side, &world), Some([40, 30, 20]));
        cursor.tool = Tool::Hunter;
        side.depth.height = 39.99;
        assert_eq!(cursor.pointer(&side, &world).unwrap().place, Place::Deep([40 * 16, 30 * 16, 39 * 16]));
        // In a view from above the hunter is a column.
        side.transform = Camera { centre: vec2(50.0, 30.0), pixels_per_cell: 10.0 }.into();
        cursor.at = Some(vec2(500.0, 300.0));
        assert_eq!(cursor.pointer(&side, &world).unwrap().place, Place::Column([49 * 16 + 8, 29 * 16 + 8]));
    }
}
