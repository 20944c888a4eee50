//! What the mouse means in the world: the hunter, the lure, the jaws and the brushes.

use super::keys::Tool;
use crate::look::Camera;
use crate::numbers::{Cell, RULE_ONE, Vector, WEIGHT_LIMIT};
use crate::simulation::{Input, Pointer};
use crate::world::{Edges, FARTHEST_HUNT, Mood, PARTS, World};

/// The reach of the hunter, as a part of the shorter side of the window.
const REACH: f32 = 0.1;
/// How much farther a hunter that hunts hard is noticed.
const HARD_REACH: f32 = 1.6;
/// How much stronger it is.
const HARD_WEIGHT: f32 = 3.0;
/// The jaws, as a part of the reach.
const JAWS: f32 = 0.16;
/// The brush, as a part of the shorter side of the window.
const BRUSH: f32 = 0.03;
/// In a round, the part of the shorter side of the world that counts as that of the window.
const ROUND: f32 = 0.7;
/// Boids in each cell under the brush.
const SPAWN: u32 = 2;
/// The most often that a brush is put down between two places of the mouse.
const MOST_TOUCHES: usize = 24;

/// The hand of the player.
#[derive(Debug, Clone)]
pub struct Hand {
    /// Where the mouse is, in pixels; `None` outside the window or over the panel.
    pub at: Option<[f32; 2]>,
    pub left: bool,
    pub right: bool,
    pub middle: bool,
    pub tool: Tool,
    /// Whether the jaws are open.
    pub is_catching: bool,
    /// By how much the player stretched the reach.
    pub stretch: f32,
    /// The weight of the player's hunter.
    pub weight: f32,
    /// By how much the player stretched the brush.
    pub brush_stretch: f32,
    /// In a round: the cells that count as the shorter side of the window, however far it is zoomed.
    pub in_cells: Option<f32>,
    /// Where the brush was last put down in the stroke under way.
    stroke: Option<Cell>,
}

impl Hand {
    pub fn new() -> Self {
        Self {
            at: None,
            left: false,
            right: false,
            middle: false,
            tool: Tool::Hunter,
            is_catching: false,
            stretch: 1.0,
            weight: 1.5,
            brush_stretch: 1.0,
            in_cells: None,
            stroke: None,
        }
    }

    /// The same hand with open jaws, and a hunter that is like everyone's in this world.
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
    pub fn visible(&self, camera: &Camera, size: [u32; 2]) -> f32 {
        self.in_cells.unwrap_or(size[0].min(size[1]) as f32 / camera.pixels_per_cell)
    }

    /// How far the hunter is noticed now, in cells.
    pub fn reach(&self, camera: &Camera, size: [u32; 2]) -> u32 {
        let hard = if self.tool == Tool::Hunter && (self.left || self.right) { HARD_REACH } else { 1.0 };
        let reach = REACH * self.stretch * hard * self.visible(camera, size);
        (reach.round() as u32).clamp(3, FARTHEST_HUNT)
    }

    /// How far the jaws reach, in cells; 0 where they are shut.
    pub fn jaws(&self, camera: &Camera, size: [u32; 2]) -> u32 {
        if !self.is_catching || self.tool != Tool::Hunter || self.at.is_none() {
            return 0;
        }
        let jaws = JAWS * REACH * self.stretch * self.visible(camera, size);
        (jaws.round() as u32).clamp(1, 64)
    }

    /// The radius of the brush, in cells.
    pub fn brush(&self, camera: &Camera, size: [u32; 2]) -> u32 {
        let brush = BRUSH * self.brush_stretch * self.visible(camera, size);
        (brush.round() as u32).clamp(1, 200)
    }

    /// The hunter as the simulation hears of it; `None` where the hand holds a brush or is not over the world.
    pub fn pointer(&self, camera: &Camera, size: [u32; 2], world: &World) -> Option<Pointer> {
        if self.tool != Tool::Hunter || self.middle {
            return None;
        }
        let place = place(camera.cell_at(size, self.at?), world)?;
        let mood = if self.right { Mood::Follow } else { Mood::Flee };
        let hard = if self.left { HARD_WEIGHT } else { 1.0 };
        let weight = (self.weight * hard * RULE_ONE as f32).round() as i32;
        Some(Pointer { place, reach: self.reach(camera, size), mood, weight: weight.min(WEIGHT_LIMIT) })
    }

    /// The cell under the mouse, where there is one.
    pub fn cell(&self, camera: &Camera, size: [u32; 2], world: &World) -> Option<Cell> {
        let place = place(camera.cell_at(size, self.at?), world)?;
        Some(place.map(|axis| (axis + PARTS / 2).div_euclid(PARTS))).map(|cell| within(cell, world))
    }

    /// The same hand at another place.
    pub fn moved_to(&self, at: Option<[f32; 2]>) -> Self {
        Self { at, ..self.clone() }
    }

    /// Takes over everything but the place from a hand that was somewhere else.
    pub fn follow(&mut self, other: &Self) {
        *self = Self { at: self.at, ..other.clone() };
    }

    /// What the brush does now: something where the stroke has come far enough since it was last put down, and along
    /// all of the way there.
    pub fn stroke(&mut self, camera: &Camera, size: [u32; 2], world: &World) -> Vec<Input> {
        if !self.left || matches!(self.tool, Tool::Hunter | Tool::Probe) {
            self.stroke = None;
            return Vec::new();
        }
        let Some(at) = self.cell(camera, size, world) else { return Vec::new() };
        let radius = self.brush(camera, size);
        let Some(from) = self.stroke.replace(at) else {
            // An undo takes the whole stroke back.
            return vec![Input::Stroke, self.touch(at, radius)];
        };
        let away = [0, 1].map(|axis| (at[axis] - from[axis]) as f32);
        let touches = (away[0].hypot(away[1]) / (radius as f32 / 2.0).max(1.0)) as usize;
        if touches == 0 {
            self.stroke = Some(from);
            return Vec::new();
        }
        // Farther than that, the stroke went over an edge of the torus, or the mouse jumped.
        if touches > MOST_TOUCHES {
            return vec![self.touch(at, radius)];
        }
        let along = |touch: usize| {
            let part = touch as f32 / touches as f32;
            [0, 1].map(|axis| from[axis] + (away[axis] * part).round() as i32)
        };
        (1..=touches).map(|touch| self.touch(along(touch), radius)).collect()
    }

    fn touch(&self, at: Cell, radius: u32) -> Input {
        match self.tool {
            Tool::Spawn => Input::Spawn { at, radius, boids: SPAWN * (314 * radius * radius).div_ceil(100) },
            Tool::Lift => Input::Lift { at, radius },
            Tool::Solid => Input::Solid { at, radius, solid: true },
            Tool::Erase | Tool::Hunter | Tool::Probe => Input::Solid { at, radius, solid: false },
        }
    }
}

/// A point of the world in 1/16 cell, where the middle of the first cell is 0: around a torus, or within walls.
fn place(cell: [f32; 2], world: &World) -> Option<Vector> {
    let parts = cell.map(|axis| ((axis - 0.5) * PARTS as f32).round() as i32);
    let cells = world.extents.as_cell();
    let extents = cells.map(|extent| extent * PARTS);
    match world.edges {
        Edges::Torus => Some([0, 1].map(|axis| parts[axis].rem_euclid(extents[axis]))),
        Edges::Walls => {
            let is_inside = (0..2).all(|axis| (0.0..cells[axis] as f32).contains(&cell[axis]));
            is_inside.then(|| [0, 1].map(|axis| parts[axis].clamp(0, extents[axis] - PARTS)))
        }
    }
}

fn within(cell: Cell, world: &World) -> Cell {
    let extents = world.extents.as_cell();
    match world.edges {
        Edges::Torus => [0, 1].map(|axis| cell[axis].rem_euclid(extents[axis])),
        Edges::Walls => [0, 1].map(|axis| cell[axis].clamp(0, extents[axis] - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Extents;

    fn world(edges: Edges) -> World {
        let extents = Extents { width: 100, height: 60 };
        World { extents, edges, margin: 0, capacity: 1 << 20, solids: Default::default(), hunter: None }
    }

    #[test]
    fn the_hunter_goes_round_a_torus_and_stays_within_walls() {
        assert_eq!(place([0.5, 0.5], &world(Edges::Torus)), Some([0, 0]));
        assert_eq!(place([-0.5, 61.5], &world(Edges::Torus)), Some([99 * 16, 16]));
        assert_eq!(place([-0.5, 10.0], &world(Edges::Walls)), None);
        assert_eq!(place([99.99, 59.99], &world(Edges::Walls)), Some([99 * 16, 59 * 16]));
        assert_eq!(place([0.01, 0.01], &world(Edges::Walls)), Some([0, 0]));
    }

    #[test]
    fn a_stroke_is_put_down_once_until_the_brush_has_moved() {
        let (camera, size) = (Camera { centre: [50.0, 30.0], pixels_per_cell: 10.0 }, [1000, 600]);
        let mut hand = Hand { at: Some([500.0, 300.0]), left: true, tool: Tool::Lift, ..Hand::new() };
        let world = world(Edges::Walls);
        assert_eq!(hand.stroke(&camera, size, &world), [Input::Stroke, Input::Lift { at: [50, 30], radius: 2 }]);
        assert_eq!(hand.stroke(&camera, size, &world), []);
        hand.at = Some([530.0, 300.0]);
        assert_eq!(hand.stroke(&camera, size, &world), [51, 52, 53].map(|x| Input::Lift { at: [x, 30], radius: 2 }));
        hand.left = false;
        assert_eq!(hand.stroke(&camera, size, &world), []);
        assert_eq!(hand.pointer(&camera, size, &world), None);
        hand.tool = Tool::Hunter;
        hand.left = true;
        let pointer = hand.pointer(&camera, size, &world).unwrap();
        assert_eq!((pointer.place, pointer.weight), ([840, 472], 4608));
    }
}
