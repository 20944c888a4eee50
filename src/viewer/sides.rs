//! The parts of the window. It shows the main swarm, the individuals of a comparison, or both with a divider between
//! them. All parts show the same place of the world.

use crate::controller::SceneInfo;
use crate::observe::plane_extents;
use egui::Rect;
use glam::{UVec2, Vec2, Vec3, uvec2};
use murmuration_core::individuals::find::LineOfSight;
use murmuration_core::look::Projection;
use murmuration_core::world::{Edges, World};
use murmuration_gpu::look::{Camera, NEAR, Orbit, Pane, ViewTransform};

/// The minimum distance of the divider from an edge, relative to the width.
const MIN_PART: f32 = 0.1;
/// The maximum distance between the mouse and an individual that the mouse selects, in pixels.
const POINTER: f32 = 14.0;
/// The minimum radius around an individual in which the mouse selects it, in cells.
const BODY: f32 = 0.5;
/// The maximum distance from the divider at which it can be dragged, in pixels.
const GRIP: f32 = 6.0;

/// The model that a part of the window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// The swarm that is hunted and saved.
    Main,
    /// The individuals that are compared with the main swarm.
    Individuals,
}

/// The models that the window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Models {
    #[default]
    Main,
    Both,
    Individuals,
}

impl Models {
    /// The next models in the order of the key that changes them: the main swarm, both, the individuals.
    pub fn next(self) -> Self {
        match self {
            Self::Main => Self::Both,
            Self::Both => Self::Individuals,
            Self::Individuals => Self::Main,
        }
    }
}

/// The layout of the window and its camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrangement {
    /// The size of the window in pixels.
    pub size: UVec2,
    pub camera: Camera,
    /// The camera of a deep world. It replaces `camera`.
    pub orbit: Option<Orbit>,
    /// The centre of the school in an endless world, in cells from the first simulated cell. The orbit follows the
    /// centre. `None`: the world is not endless.
    pub school: Option<Vec3>,
    pub models: Models,
    /// The position of the divider, relative to the width that both parts share.
    pub divider: f32,
    /// The width of the panel at the right, in pixels. The parts share the rest.
    pub covered: u32,
    /// The position of the mouse in depth, in a deep world of cells or among rock.
    pub depth: Depth,
    /// Whether the window shows a plane of a deep world across x or y. A pixel of this plane is no place on the x-y
    /// plane, so the mouse then selects no place.
    pub is_sideways: bool,
}

/// The position of the mouse in depth, in cells, in a deep world of cells or among rock.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Depth {
    /// The distance of the mouse along the direction of view, from the target of the eye. It is positive beyond the
    /// target.
    pub ahead: f32,
    /// The height above the lowest slice.
    pub height: f32,
}

/// One part of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    pub model: Model,
    pub pane: Pane,
    pub transform: ViewTransform,
    pub depth: Depth,
}

impl Arrangement {
    /// The parts of the window, from the left.
    pub fn sides(&self) -> Vec<Side> {
        let transform = self.orbit.map_or(self.camera.into(), ViewTransform::Around);
        let side = |model, from: u32, to: u32| Side {
            model,
            pane: Pane { origin: uvec2(from, 0), size: uvec2(to - from, self.size.y) },
            transform,
            depth: self.depth,
        };
        let width = self.shared();
        match self.models {
            Models::Main => vec![side(Model::Main, 0, width)],
            Models::Individuals => vec![side(Model::Individuals, 0, width)],
            // A single pixel cannot be divided.
            Models::Both if width < 2 => vec![side(Model::Main, 0, width)],
            Models::Both => {
                let middle = self.divided_at();
                vec![side(Model::Main, 0, middle), side(Model::Individuals, middle, width)]
            }
        }
    }

    /// Whether a flat world is zoomed in enough to show single boids.
    pub fn is_near(&self) -> bool {
        self.orbit.is_none() && self.camera.pixels_per_cell > NEAR
    }

    /// The width that the parts share, in pixels.
    fn shared(&self) -> u32 {
        self.size.x.saturating_sub(self.covered).max(1)
    }

    /// The part of the window (logical pixels) without the panel.
    pub fn area(&self, window: Rect, pixels_per_point: f32) -> Rect {
        window.with_max_x(window.left() + self.shared() as f32 / pixels_per_point)
    }

    /// Moves the divider to a column of pixels.
    pub fn divide_at(&mut self, x: f32) {
        self.divider = (x / self.shared() as f32).clamp(MIN_PART, 1.0 - MIN_PART);
    }

    /// Whether a pixel of the window is on the divider.
    pub fn is_on_divider(&self, pixel: Vec2) -> bool {
        self.models == Models::Both && (pixel.x - self.divided_at() as f32).abs() <= GRIP
    }

    /// The column of pixels where the second part begins.
    pub fn divided_at(&self) -> u32 {
        let width = self.shared();
        let part = self.divider.clamp(MIN_PART, 1.0 - MIN_PART);
        ((part * width as f32).round() as u32).clamp(1.min(width), width.saturating_sub(1).max(1))
    }

    /// The part under a pixel of the window.
    pub fn side_at(&self, pixel: Vec2) -> Side {
        let sides = self.sides();
        let is_in = |side: &&Side| pixel.x < (side.pane.origin.x + side.pane.size.x) as f32;
        *sides.iter().find(is_in).unwrap_or(&sides[sides.len() - 1])
    }

    /// The part to use if the mouse is over no part.
    pub fn main_side(&self) -> Side {
        self.sides()[0]
    }

    /// The arrangement without the panel.
    pub fn without_panel(&self) -> Self {
        Self { size: uvec2(self.shared(), self.size.y), covered: 0, ..*self }
    }

    /// The arrangement for a picture of another size and without a panel. It shows the same view as far as the aspect
    /// ratio allows.
    pub fn scaled(&self, size: UVec2, edges: Edges) -> Self {
        let mut scaled = Self { size, covered: 0, ..*self };
        let [old, new] = [self, &scaled].map(|arrangement| arrangement.main_side().pane.size);
        let factors = new.as_vec2() / old.max(UVec2::ONE).as_vec2();
        let is_torus = edges == Edges::Torus;
        scaled.camera.pixels_per_cell *= if is_torus { factors.max_element() } else { factors.min_element() };
        if let Some(orbit) = &mut scaled.orbit {
            // The scale is proportional to the height of the picture already.
            orbit.zoom((factors.x / factors.y.max(1e-6)).min(1.0));
        }
        scaled
    }

    /// Fits the world to each part of the window. `panel`: the width of the panel in pixels. A torus fills a part.
    /// Worlds with walls and deep worlds are visible as a whole. A deep world is seen from around, or from above with
    /// `is_above`. If the style shows values, the window shows one plane of a deep world.
    pub fn fit(&mut self, info: &SceneInfo, is_above: bool, panel: u32) {
        let SceneInfo { world, depth, look, .. } = info;
        self.covered = panel;
        let size = self.main_side().pane.size;
        self.camera = if look.shows_values() && world.extents.depth.is_some() {
            Camera::fit(plane_extents(world.extents, look), Edges::Walls, size)
        } else {
            Camera::fit(world.extents, world.edges, size)
        };
        self.is_sideways = info.is_sideways();
        self.orbit = info.is_around(is_above).then(|| Orbit::from_look(world, *depth, look, size));
        if let (Some(orbit), Some(school)) = (&mut self.orbit, self.school) {
            orbit.target += school - orbit.extents / 2.0;
        }
    }

    /// Moves the orbit with the school of an endless world. `school`: its present centre, in cells from the first
    /// simulated cell.
    pub fn follow(&mut self, school: Option<[f32; 3]>) {
        let school = school.map(Vec3::from);
        if let (Some(orbit), Some(before), Some(now)) = (&mut self.orbit, self.school, school) {
            orbit.target += now - before;
        }
        self.school = school;
    }
}

impl Side {
    /// The rectangle of this part within an `area` of the window, in logical pixels.
    pub fn within(&self, area: Rect, pixels_per_point: f32) -> Rect {
        let [from, size] =
            [self.pane.origin, self.pane.size].map(|pixels| (pixels.as_vec2() / pixels_per_point).to_array());
        area.intersect(Rect::from_min_size(from.into(), size.into()))
    }

    /// The camera from above in whose picture the cursor has its place. In a view from above this is the camera of the
    /// view. For a view from around, its picture shows the middle plane of the world, at the scale in the middle of the
    /// view.
    pub fn camera(&self) -> Camera {
        self.transform.overhead(self.pane.size)
    }

    /// Maps a pixel of the window to the pixel of the picture of [`Self::camera`] that shows the place under it. In a
    /// view from above, both pixels show the same place. In a view from around it is the place on the middle plane, or
    /// at the depth of the mouse if the mouse has a depth. `None`: this place is outside of the world or behind the
    /// eye.
    pub fn on_plane(&self, pixel: Vec2) -> Option<Vec2> {
        let within = pixel - self.pane.origin.as_vec2();
        match &self.transform {
            ViewTransform::Above(_) => Some(within),
            ViewTransform::Around(orbit) => {
                let cell = if orbit.points_in_depth {
                    self.place_at(pixel)?.truncate()
                } else {
                    orbit.cell_at(self.pane.size, within)?
                };
                Some(self.camera().pixel_at(self.pane.size, cell))
            }
        }
    }

    /// Maps a pixel of the picture of [`Self::camera`] to the pixel of the window that shows the same place. `None`:
    /// the place is behind the eye.
    pub fn in_window(&self, pixel: Vec2) -> Option<Vec2> {
        let within = match &self.transform {
            ViewTransform::Above(_) => pixel,
            ViewTransform::Around(orbit) => {
                let cell = self.camera().cell_at(self.pane.size, pixel);
                let height = if orbit.points_in_depth { self.depth.height } else { orbit.extents.z / 2.0 };
                orbit.pixel_at(self.pane.size, cell.extend(height))?
            }
        };
        Some(within + self.pane.origin.as_vec2())
    }

    /// The place under a pixel of the window at the depth of the mouse, in cells. `None`: the place is outside of the
    /// world, or the view has no depth.
    pub fn place_at(&self, pixel: Vec2) -> Option<Vec3> {
        let orbit = self.orbit_in_depth()?;
        let within = (pixel - self.pane.origin.as_vec2()).to_array();
        let place = Vec3::from(orbit.projection(self.pane.size).place_at(within, self.depth.ahead)?);
        let is_inside = place.cmpge(Vec3::ZERO) & place.cmplt(orbit.extents);
        is_inside.all().then_some(place)
    }

    /// The orbit if the mouse has a depth: in a deep world of cells, or among rock.
    pub fn orbit_in_depth(&self) -> Option<&Orbit> {
        match &self.transform {
            ViewTransform::Around(orbit) if orbit.points_in_depth => Some(orbit),
            _ => None,
        }
    }

    /// The projection from places of the world (cells) to pixels of this part's picture.
    pub fn projection(&self) -> Projection {
        let size = self.pane.size;
        match &self.transform {
            ViewTransform::Above(camera) => {
                Projection::above(size.to_array(), camera.centre.to_array(), camera.pixels_per_cell)
            }
            ViewTransform::Around(orbit) => orbit.projection(size),
        }
    }

    /// The line of sight through a pixel of the window, widened by the tolerance of the mouse.
    pub fn line_of_sight(&self, pixel: Vec2, world: &World) -> LineOfSight {
        let projection = self.projection();
        let [mut from, ahead] = projection.ray((pixel - self.pane.origin.as_vec2()).to_array());
        let pointer = POINTER / projection.scale;
        let is_parallel = projection.nearness == 0.0;
        if is_parallel && world.edges == Edges::Torus {
            // A picture from above shows copies of a torus.
            let [width, height, _] = world.extents.along_axes().map(|extent| extent as f32);
            (from[0], from[1]) = (from[0].rem_euclid(width), from[1].rem_euclid(height));
        }
        let radius = BODY + if is_parallel { pointer } else { 0.0 };
        LineOfSight { from, ahead, length: f32::MAX, radius, spread: pointer * projection.nearness }
    }

    /// The pixel of the window that shows a place of the world plus an offset, both in cells. `None`: the place is
    /// behind the eye. From above on a torus, the copy nearest to the middle of the picture is taken.
    pub fn pixel_near(&self, place: Vec3, offset: Vec3, world: &World) -> Option<Vec2> {
        let copy = match &self.transform {
            ViewTransform::Above(camera) => camera.nearest_copy(place.truncate(), world).extend(place.z),
            ViewTransform::Around(_) => place,
        };
        let (pixel, _) = self.projection().pixel_at((copy + offset).to_array())?;
        Some(Vec2::from(pixel) + self.pane.origin.as_vec2())
    }

    /// Maps a pixel of this part to the pixel of another part that shows the same place. Each is a pixel of the picture
    /// of its part's [`Self::camera`].
    pub fn pixel_on(&self, pixel: Vec2, other: &Self) -> Vec2 {
        let cell = self.camera().cell_at(self.pane.size, pixel);
        other.camera().pixel_at(other.pane.size, cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{scene, simulation};
    use glam::{UVec3, Vec3, vec2};

    const SIZE: UVec2 = uvec2(1000, 600);

    fn arrangement(models: Models) -> Arrangement {
        let camera = Camera { centre: vec2(128.0, 100.0), pixels_per_cell: 4.0 };
        Arrangement {
            size: SIZE,
            camera,
            orbit: None,
            school: None,
            models,
            divider: 0.4,
            covered: 0,
            depth: Depth::default(),
            is_sideways: false,
        }
    }

    #[test]
    fn both_parts_show_the_same_place_of_the_world_and_share_the_window() {
        let both = arrangement(Models::Both);
        let [left, right] = both.sides()[..] else { panic!("two parts") };
        assert_eq!((left.model, right.model), (Model::Main, Model::Individuals));
        assert_eq!((left.pane.origin, left.pane.size), (UVec2::ZERO, uvec2(400, 600)));
        assert_eq!((right.pane.origin, right.pane.size), (uvec2(400, 0), uvec2(600, 600)));
        assert_eq!(
            (both.side_at(vec2(399.0, 5.0)).model, both.side_at(vec2(400.0, 5.0)).model),
            (Model::Main, Model::Individuals)
        );
        // The middles of both parts show the same place.
        let middle = right.on_plane(vec2(700.0, 300.0)).unwrap();
        assert_eq!(left.in_window(right.pixel_on(middle, &left)), Some(vec2(200.0, 300.0)));
        let place = right.on_plane(vec2(710.0, 290.0)).unwrap();
        assert_eq!(left.in_window(right.pixel_on(place, &left)), Some(vec2(210.0, 290.0)));
    }

    #[test]
    fn a_divider_leaves_something_of_either_side() {
        for divider in [-3.0, 0.0, 0.05, 1.0, 7.0] {
            let sides = Arrangement { divider, ..arrangement(Models::Both) }.sides();
            assert!(sides.iter().all(|side| side.pane.size.x >= 100), "{divider}");
            assert_eq!(sides.iter().map(|side| side.pane.size.x).sum::<u32>(), 1000);
        }
    }

    #[test]
    fn a_picture_shows_what_the_window_shows_beside_its_panel() {
        let beside = Arrangement { covered: 320, ..arrangement(Models::Main) };
        let picture = beside.without_panel();
        assert_eq!(picture.main_side(), beside.main_side());
        assert_eq!((picture.size, picture.covered), (uvec2(680, 600), 0));
        assert_eq!(picture.scaled(picture.size, Edges::Torus), picture);
    }

    #[test]
    fn in_depth_the_cursor_is_on_the_middle_plane() {
        let orbit = Orbit::fit(UVec3::new(256, 200, 40), SIZE);
        let side = Arrangement { orbit: Some(orbit), ..arrangement(Models::Main) }.main_side();
        let pixel = orbit.pixel_at(SIZE, Vec3::new(60.0, 90.0, 20.0)).unwrap();
        let flat = side.on_plane(pixel).unwrap();
        let cell = side.camera().cell_at(SIZE, flat);
        assert!(cell.abs_diff_eq(vec2(60.0, 90.0), 0.05), "{cell}");
        assert!(side.in_window(flat).unwrap().abs_diff_eq(pixel, 0.1));
        assert_eq!(side.on_plane(Vec2::ONE), None);
    }

    #[test]
    fn a_line_of_sight_goes_through_the_place_that_is_shown_there() {
        let world = simulation(&scene("flock", 200)).preset().world.clone();
        assert_eq!(world.edges, Edges::Torus);
        let apart = |line: &LineOfSight, place: Vec3| {
            let [from, ahead] = [line.from, line.ahead].map(Vec3::from);
            let along = (place - from).dot(ahead);
            assert!(along > 0.0);
            (place - from - along * ahead).length() / (line.radius + line.spread * along)
        };
        let orbit = Orbit::fit(UVec3::new(256, 200, 40), SIZE);
        let around = Arrangement { orbit: Some(orbit), ..arrangement(Models::Both) };
        for side in arrangement(Models::Both).sides().into_iter().chain(around.sides()) {
            for place in [Vec3::new(128.0, 90.0, 20.0), Vec3::new(100.0, 110.0, 7.0)] {
                let pixel = side.pixel_near(place, Vec3::ZERO, &world).unwrap();
                let line = side.line_of_sight(pixel, &world);
                assert!(apart(&line, place) < 0.01, "{side:?}");
                assert!(apart(&side.line_of_sight(pixel + vec2(0.9 * POINTER, 0.0), &world), place) < 1.0);
                assert!(apart(&side.line_of_sight(pixel + vec2(9.0 * POINTER, 0.0), &world), place) > 1.0);
                let beside = side.pixel_near(place, Vec3::X, &world).unwrap();
                assert!((beside - side.pixel_near(place + Vec3::X, Vec3::ZERO, &world).unwrap()).length() < 1e-2);
            }
        }
        // A picture from above shows a copy of the places beyond the seam of a torus.
        let [width, height, _] = world.extents.along_axes().map(|extent| extent as f32);
        let camera = Camera { centre: Vec2::ZERO, pixels_per_cell: 4.0 };
        let side = Arrangement { camera, ..arrangement(Models::Main) }.main_side();
        let place = Vec3::new(width - 3.0, height - 2.0, 0.0);
        let pixel = side.pixel_near(place, Vec3::ZERO, &world).unwrap();
        assert!(pixel.abs_diff_eq(vec2(488.0, 292.0), 0.1), "{pixel}");
        assert!(apart(&side.line_of_sight(pixel, &world), place) < 0.01);
    }
}
