//! What the window shows where: the swarm that is played, the individuals of the comparison, or both with a divider between them,
//! each from the same place of the world.

use super::hand::Hand;
use crate::look::{Camera, Orbit, Pane, ViewTransform};
use crate::world::{Edges, World};

/// How near to a window's rim the divider may be, as a part of its breadth.
const LEAST: f32 = 0.1;
/// How far beside the divider it can be taken hold of, in pixels.
const GRIP: f32 = 6.0;

/// Whose picture it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// The swarm that is played, hunted and saved.
    Main,
    /// Its likeness of individuals.
    Individuals,
}

/// Which models the window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Models {
    #[default]
    Main,
    Both,
    Individuals,
}

/// Where the window looks from, and at what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrangement {
    /// Of the window, in pixels.
    pub size: [u32; 2],
    pub camera: Camera,
    /// Where a deep world is seen from, in the place of the camera.
    pub orbit: Option<Orbit>,
    pub models: Models,
    /// Where the divider is, as a part of the breadth that both share.
    pub divider: f32,
    /// Pixels at the right of the window that a panel covers, and that two parts leave to it.
    pub covered: u32,
}

/// One part of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    pub model: Model,
    pub pane: Pane,
    pub vantage: ViewTransform,
}

impl Arrangement {
    /// The parts of the window from the left.
    pub fn sides(&self) -> Vec<Side> {
        let vantage = match self.orbit {
            Some(orbit) => ViewTransform::Around(orbit),
            None => ViewTransform::Above(self.camera),
        };
        let side = |model, from: u32, to: u32| Side {
            model,
            pane: Pane { origin: [from, 0], size: [to - from, self.size[1]] },
            vantage,
        };
        let [width, _] = self.size;
        match self.models {
            Models::Main => vec![side(Model::Main, 0, width)],
            Models::Individuals => vec![side(Model::Individuals, 0, width)],
            // A window of one pixel has no room for two.
            Models::Both if self.size[0] < 2 => vec![side(Model::Main, 0, self.size[0])],
            Models::Both => {
                let middle = self.divided_at();
                vec![side(Model::Main, 0, middle), side(Model::Individuals, middle, self.shared())]
            }
        }
    }

    /// The breadth that two parts share, in pixels.
    fn shared(&self) -> u32 {
        self.size[0].saturating_sub(self.covered).max(2)
    }

    /// The divider follows a pixel of the window.
    pub fn divide_at(&mut self, x: f32) {
        self.divider = (x / self.shared() as f32).clamp(LEAST, 1.0 - LEAST);
    }

    /// Whether a pixel of the window is on the divider.
    pub fn is_on_divider(&self, pixel: [f32; 2]) -> bool {
        self.models == Models::Both && (pixel[0] - self.divided_at() as f32).abs() <= GRIP
    }

    /// The same as a picture without anything over it.
    pub fn uncovered(&self, edges: Edges) -> Self {
        self.scaled(self.size, edges)
    }

    /// The column of pixels at which the second part begins.
    pub fn divided_at(&self) -> u32 {
        let width = self.shared();
        let part = self.divider.clamp(LEAST, 1.0 - LEAST);
        ((part * width as f32).round() as u32).clamp(1.min(width), width.saturating_sub(1).max(1))
    }

    /// The part under a pixel of the window.
    pub fn side_at(&self, pixel: [f32; 2]) -> Side {
        let sides = self.sides();
        let is_in = |side: &&Side| pixel[0] < (side.pane.origin[0] + side.pane.size[0]) as f32;
        *sides.iter().find(is_in).unwrap_or(&sides[sides.len() - 1])
    }

    /// The hand at a pixel of the window as one at a pixel of the picture of [`Side::camera`], in the part where it is.
    pub fn hold(&self, hand: &Hand) -> (Hand, Side) {
        let side = hand.at.map_or_else(|| self.main_side(), |at| self.side_at(at));
        if hand.at.is_some_and(|at| self.is_on_divider(at)) {
            return (hand.moved_to(None), side);
        }
        (hand.moved_to(hand.at.and_then(|at| side.on_plane(at))), side)
    }

    /// The part that people look at where nothing is pointed at.
    pub fn main_side(&self) -> Side {
        self.sides()[0]
    }

    /// The same in a window of another size, as far as its shape allows.
    pub fn scaled(&self, size: [u32; 2], edges: Edges) -> Self {
        let mut scaled = Self { size, covered: 0, ..*self };
        let [old, new] = [self, &scaled].map(|arrangement| arrangement.main_side().pane.size);
        let [across, down] = [0, 1].map(|axis| new[axis] as f32 / old[axis].max(1) as f32);
        let scale = if edges == Edges::Torus { across.max(down) } else { across.min(down) };
        scaled.camera.pixels_per_cell *= scale;
        if let Some(orbit) = &mut scaled.orbit {
            // What it sees follows the height of the picture by itself.
            orbit.zoom((across / down.max(1e-6)).min(1.0));
        }
        scaled
    }
}

impl Side {
    /// The camera from above in whose picture the hand moves: where the world is seen from around, the one that shows
    /// its middle plane as large as it is in the middle of the picture.
    pub fn camera(&self) -> Camera {
        match self.vantage {
            ViewTransform::Above(camera) => camera,
            ViewTransform::Around(orbit) => orbit.from_above(self.pane.size),
        }
    }

    /// Where a pixel of the window is in the picture of [`Self::camera`]; `None`: not on the world's middle plane.
    pub fn on_plane(&self, pixel: [f32; 2]) -> Option<[f32; 2]> {
        let within = [0, 1].map(|axis| pixel[axis] - self.pane.origin[axis] as f32);
        match &self.vantage {
            ViewTransform::Above(_) => Some(within),
            ViewTransform::Around(orbit) => {
                let cell = orbit.cell_at(self.pane.size, within)?;
                Some(self.camera().pixel_at(self.pane.size, cell))
            }
        }
    }

    /// Where a pixel of the picture of [`Self::camera`] is in the window; `None`: behind the eye.
    pub fn in_window(&self, pixel: [f32; 2]) -> Option<[f32; 2]> {
        let within = match &self.vantage {
            ViewTransform::Above(_) => pixel,
            ViewTransform::Around(orbit) => {
                let [x, y] = self.camera().cell_at(self.pane.size, pixel);
                orbit.pixel_at(self.pane.size, [x, y, orbit.extents[2] / 2.0])?
            }
        };
        Some([0, 1].map(|axis| within[axis] + self.pane.origin[axis] as f32))
    }

    /// Where a pixel of this part's picture is in that of another part, at the same place of the world.
    pub fn across(&self, pixel: [f32; 2], other: &Self) -> [f32; 2] {
        let cell = self.camera().cell_at(self.pane.size, pixel);
        other.camera().pixel_at(other.pane.size, cell)
    }
}

/// Fits a world into the first `free` part of the breadth of each part of the window: a torus fills it, and of walls all
/// is in sight.
pub fn fit(arrangement: &mut Arrangement, world: &World, depth: u32, panel: u32) {
    arrangement.covered = panel;
    let [width, height] = arrangement.main_side().pane.size;
    // Two parts leave its place to the panel anyway.
    let covered = if arrangement.models == Models::Both { 0 } else { panel };
    let fits_beside_panel = world.edges == Edges::Walls || arrangement.orbit.is_some();
    let free = width.saturating_sub(if fits_beside_panel { covered } else { 0 }).max(width / 2);
    arrangement.camera = Camera::fit(world.extents, world.edges, [free, height]);
    arrangement.camera.pan([(free as f32 - width as f32) / 2.0, 0.0]);
    if let Some(orbit) = &mut arrangement.orbit {
        let extents = [world.extents.width, world.extents.height, depth];
        *orbit = Orbit::fit(extents, [width, height], [free as f32 / width.max(1) as f32, 1.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrangement(models: Models) -> Arrangement {
        let camera = Camera { centre: [128.0, 100.0], pixels_per_cell: 4.0 };
        Arrangement { size: [1000, 600], camera, orbit: None, models, divider: 0.4, covered: 0 }
    }

    #[test]
    fn both_parts_show_the_same_place_of_the_world_and_share_the_window() {
        let both = arrangement(Models::Both);
        let [left, right] = both.sides()[..] else { panic!("two parts") };
        assert_eq!((left.model, right.model), (Model::Main, Model::Individuals));
        assert_eq!((left.pane.origin, left.pane.size), ([0, 0], [400, 600]));
        assert_eq!((right.pane.origin, right.pane.size), ([400, 0], [600, 600]));
        assert_eq!(
            (both.side_at([399.0, 5.0]).model, both.side_at([400.0, 5.0]).model),
            (Model::Main, Model::Individuals)
        );
        // The middles of both are the same place.
        let middle = right.on_plane([700.0, 300.0]).unwrap();
        assert_eq!(left.in_window(right.across(middle, &left)), Some([200.0, 300.0]));
        let place = right.on_plane([710.0, 290.0]).unwrap();
        assert_eq!(left.in_window(right.across(place, &left)), Some([210.0, 290.0]));
    }

    #[test]
    fn a_divider_leaves_something_of_either_side() {
        for divider in [-3.0, 0.0, 0.05, 1.0, 7.0] {
            let sides = Arrangement { divider, ..arrangement(Models::Both) }.sides();
            assert!(sides.iter().all(|side| side.pane.size[0] >= 100), "{divider}");
            assert_eq!(sides.iter().map(|side| side.pane.size[0]).sum::<u32>(), 1000);
        }
    }

    #[test]
    fn in_depth_the_hand_is_on_the_middle_plane() {
        let orbit = Orbit::fit([256, 200, 40], [1000, 600], [1.0, 1.0]);
        let side = Arrangement { orbit: Some(orbit), ..arrangement(Models::Main) }.main_side();
        let pixel = orbit.pixel_at([1000, 600], [60.0, 90.0, 20.0]).unwrap();
        let flat = side.on_plane(pixel).unwrap();
        let [x, y] = side.camera().cell_at([1000, 600], flat);
        assert!((x - 60.0).abs() < 0.05 && (y - 90.0).abs() < 0.05, "{x} {y}");
        let back = side.in_window(flat).unwrap();
        assert!((back[0] - pixel[0]).abs() < 0.1 && (back[1] - pixel[1]).abs() < 0.1);
        assert_eq!(side.on_plane([1.0, 1.0]), None);
    }
}
