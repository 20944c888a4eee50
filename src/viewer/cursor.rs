//! What the mouse does in the world: the hunter, the lure, the jaws and the brushes.

use super::action::Tool;
use super::sides::Side;
use crate::numbers::{Cell, RULE_ONE, WEIGHT_LIMIT};
use crate::simulation::{Input, Pointer};
use crate::world::{Edges, FARTHEST_HUNT, Mood, PARTS, Place, World};
use glam::{IVec2, Vec2};

/// The reach of the hunter, relative to the shorter side of the window.
const REACH: f32 = 0.1;
/// The factor of the reach while a button is held.
const HARD_REACH: f32 = 1.6;
/// The factor of the weight while the left button is held.
const HARD_WEIGHT: f32 = 3.0;
/// The reach of the jaws, relative to the reach of the hunter.
const JAWS: f32 = 0.16;
/// The radius of the brush, relative to the shorter side of the window.
const BRUSH: f32 = 0.03;
/// In a round this part of the shorter side of the world takes the place of the shorter side of the window.
const ROUND: f32 = 0.7;
/// Boids that the brush spawns per cell.
const SPAWN: u32 = 2;
/// The most touches of a brush between two places of the mouse.
const MOST_TOUCHES: usize = 24;

/// The mouse, its tool and the person's settings of both.
#[derive(Debug, Clone, Default)]
pub struct Cursor {
    /// The place of the mouse in pixels; `None` outside the window or over the panel.
    pub at: Option<Vec2>,
    pub left: bool,
    pub right: bool,
    pub middle: bool,
    pub tool: Tool,
    pub is_catching: bool,
    /// The person's factor of the reach.
    pub stretch: f32,
    /// The weight of the person's hunter.
    pub weight: f32,
    /// The person's factor of the radius of the brush.
    pub brush_stretch: f32,
    /// In a round: the length in cells that replaces the shorter side of the window at any zoom.
    pub in_cells: Option<f32>,
    /// Whether it has not moved for a while where falcons fly, so that these hunt.
    pub is_resting: bool,
    /// The last touch of the current stroke.
    stroke: Option<Cell>,
}

impl Cursor {
    /// The cursor outside the window, with the usual settings.
    pub fn new() -> Self {
        Self { stretch: 1.0, weight: 1.5, brush_stretch: 1.0, ..Self::default() }
    }

    /// The cursor at the beginning of a round: open jaws, and a hunter that is the same for everyone.
    pub fn in_round(&self, world: &World) -> Self {
        let shorter = world.extents.width.min(world.extents.height) as f32;
        Self { at: self.at, is_catching: true, in_cells: Some(ROUND * shorter), ..Self::new() }
    }

    /// Whether the hunter is still the one of [`Self::in_round`].
    pub fn is_of_round(&self) -> bool {
        let usual = Self::new();
        (self.stretch, self.weight) == (usual.stretch, usual.weight) && self.tool == Tool::Hunter
    }

    /// The shorter side of the window, in cells.
    pub fn visible(&self, side: &Side) -> f32 {
        self.in_cells.unwrap_or(side.pane.size.min_element() as f32 / side.camera().pixels_per_cell)
    }

    /// The reach of the hunter in cells.
    pub fn reach(&self, side: &Side) -> u32 {
        let hard = if self.tool == Tool::Hunter && (self.left || self.right) { HARD_REACH } else { 1.0 };
        let reach = REACH * self.stretch * hard * self.visible(side);
        (reach.round() as u32).clamp(3, FARTHEST_HUNT)
    }

    /// The reach of the jaws in cells; 0 if they are shut.
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

    /// The hunter for the simulation, in a deep world of cells as deep as the crowd under it; `None` with another tool, outside the
    /// world or at rest.
    pub fn pointer(&self, side: &Side, world: &World) -> Option<Pointer> {
        if self.tool != Tool::Hunter || self.middle || self.is_resting {
            return None;
        }
        let [x, y] = position(side.camera().cell_at(side.pane.size, self.at?), world)?.to_array();
        let place = match (side.orbit_of_cells(), world.extents.depth) {
            (Some(_), Some(depth)) => {
                let z = ((side.depth.height - 0.5) * PARTS as f32).round() as i32;
                Place::Point([x, y, z.clamp(0, (depth as i32 - 1) * PARTS)])
            }
            _ => Place::Column([x, y]),
        };
        let mood = if self.right { Mood::Follow } else { Mood::Flee };
        let hard = if self.left { HARD_WEIGHT } else { 1.0 };
        let weight = (self.weight * hard * RULE_ONE as f32).round() as i32;
        Some(Pointer { place, reach: self.reach(side), mood, weight: weight.min(WEIGHT_LIMIT) })
    }

    /// The cell under the mouse, if any.
    pub fn cell(&self, side: &Side, world: &World) -> Option<Cell> {
        let position = position(side.camera().cell_at(side.pane.size, self.at?), world)?;
        let cell = (position + PARTS / 2).div_euclid(IVec2::splat(PARTS));
        let extents = world.extents.as_cell();
        Some([0, 1].map(|axis| world.edges.wrap_or_clamp(cell[axis].into(), extents[axis].into()) as i32))
    }

    /// The same cursor at another place.
    pub fn moved_to(&self, at: Option<Vec2>) -> Self {
        Self { at, ..self.clone() }
    }

    /// Takes over everything but the place from another cursor.
    pub fn follow(&mut self, other: &Self) {
        *self = Self { at: self.at, ..other.clone() };
    }

    /// The inputs of the brush now: touches along the way since the last one, if that is long enough.
    pub fn stroke(&mut self, side: &Side, world: &World) -> Vec<Input> {
        if !self.left || matches!(self.tool, Tool::Hunter | Tool::Probe) {
            self.stroke = None;
            return Vec::new();
        }
        let Some(at) = self.cell(side, world) else { return Vec::new() };
        let radius = self.brush(side);
        let Some(from) = self.stroke.replace(at) else {
            // An undo reverts the whole stroke.
            return vec![Input::Stroke, self.touch(at, radius)];
        };
        let (start, way) = (IVec2::from(from), (IVec2::from(at) - IVec2::from(from)).as_vec2());
        let touches = (way.length() / (radius as f32 / 2.0).max(1.0)) as usize;
        if touches == 0 {
            self.stroke = Some(from);
            return Vec::new();
        }
        // A longer way means that the stroke crossed an edge of the torus, or that the mouse jumped.
        if touches > MOST_TOUCHES {
            return vec![self.touch(at, radius)];
        }
        let along = |touch: usize| {
            let part = touch as f32 / touches as f32;
            (start + (way * part).round().as_ivec2()).to_array()
        };
        (1..=touches).map(|touch| self.touch(along(touch), radius)).collect()
    }

    fn touch(&self, at: Cell, radius: u32) -> Input {
        match self.tool {
            Tool::Spawn => Input::Spawn { at: at.into(), radius, boids: SPAWN * (314 * radius * radius).div_ceil(100) },
            Tool::Lift => Input::Lift { at: at.into(), radius },
            Tool::Solid => Input::Solid { at: at.into(), radius, solid: true },
            Tool::Erase | Tool::Hunter | Tool::Probe => Input::Solid { at: at.into(), radius, solid: false },
        }
    }
}

/// A point of the lattice (cells) in 1/16 cell from the middle of the first cell, wrapped around a torus. `None`: outside
/// the walls.
fn position(cell: Vec2, world: &World) -> Option<IVec2> {
    let position = ((cell - 0.5) * PARTS as f32).round().as_ivec2();
    let cells = IVec2::from(world.extents.as_cell());
    match world.edges {
        Edges::Torus => Some(position.rem_euclid(cells * PARTS)),
        Edges::Walls => {
            let is_inside = cell.cmpge(Vec2::ZERO) & cell.cmplt(cells.as_vec2());
            is_inside.all().then(|| position.clamp(IVec2::ZERO, (cells - 1) * PARTS))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Camera;
    use crate::viewer::sides::Model;
    use crate::world::Extents;
    use glam::{ivec2, uvec2, vec2};

    fn world(edges: Edges) -> World {
        let extents = Extents::flat(100, 60);
        World {
            extents,
            edges,
            margin: 0,
            capacity: 1 << 20,
            solids: Default::default(),
            hunters: Vec::new(),
            roost: Default::default(),
        }
    }

    #[test]
    fn the_hunter_goes_round_a_torus_and_stays_within_walls() {
        let (torus, walls) = (world(Edges::Torus), world(Edges::Walls));
        assert_eq!(position(vec2(0.5, 0.5), &torus), Some(IVec2::ZERO));
        assert_eq!(position(vec2(-0.5, 61.5), &torus), Some(ivec2(99 * 16, 16)));
        assert_eq!(position(vec2(-0.5, 10.0), &walls), None);
        assert_eq!(position(vec2(99.99, 59.99), &walls), Some(ivec2(99 * 16, 59 * 16)));
        assert_eq!(position(vec2(0.01, 0.01), &walls), Some(IVec2::ZERO));
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
}
