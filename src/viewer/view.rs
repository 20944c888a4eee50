//! The view of the window: the models that it shows, the cameras, and how the mouse and the keys move them.

use super::sides::{Arrangement, Depth, Models};
use crate::controller::{SceneInfo, Snapshot};
use glam::{IVec3, UVec2, Vec2, Vec3};
use murmuration_core::falcons::Falcon;
use murmuration_core::numbers::Vector3;
use murmuration_core::world::{PARTS, PLACE_BITS, World};
use murmuration_gpu::look::{Camera, CrowdFinder, IndividualsSource, SwarmSource};
use std::f32::consts::TAU;
use web_time::Instant;

/// Seconds without input after which a view turns by itself, and the speed in radians a second.
const IDLE: f32 = 12.0;
const DRIFT: f32 = 0.02;
/// The speed of a flying eye in diagonals of the world a second, and its maximum turn in radians a second.
const FLIGHT: f32 = 0.05;
const TURN: f32 = 0.9;
/// The distance of the eye from a followed fish, in cells.
const BEHIND_FISH: f32 = 10.0;
/// From above: the rate at which the camera approaches the followed individual, in 1/s, and the minimum size of a cell
/// in pixels.
const FOLLOW_ABOVE: f32 = 5.0;
const NEAR_FISH: f32 = 14.0;
/// In each update the mouse moves in depth towards the crowd, by this part of the remaining distance.
const FOLLOW: f32 = 0.35;

/// The effect of dragging the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    Pan,
    /// Turns a deep world.
    Turn,
    /// Moves the divider between two parts of the window.
    Divide,
}

/// The automatic motion of the eye in a deep world of cells or among rock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Turns slowly around its target after a while without input.
    Drift,
    /// Flies towards the mouse.
    Flight,
    /// Follows the falcon with this index.
    Falcon(usize),
    /// Follows the individual with this number.
    Fish(u32),
}

/// The view of the world in the window.
pub struct View {
    pub arrangement: Arrangement,
    /// The models to show if a comparison runs.
    pub models: Models,
    pub drag: Drag,
    /// Whether deep worlds are seen from above, like flat ones.
    pub is_above: bool,
    /// Whether the view adapts to the size of the window. It does until the user moves the view.
    pub is_fitted: bool,
    /// The distance in cells by which the mouse lies behind the crowd in a deep world of cells. Among rock it lies
    /// behind the target of the eye. The wheel changes the distance.
    pub farther: f32,
    crowd: CrowdFinder,
    pub motion: Motion,
    /// If rock has moved the eye: the distance of the eye from its target before that, and the distance now, in cells.
    moved_by_rock: Option<[f32; 2]>,
    /// The time of the last input that moved the mouse or the view.
    touched: Instant,
    /// The time of the last automatic motion.
    moved: Instant,
}

impl View {
    pub fn new(world: &World, size: UVec2) -> Self {
        let camera = Camera::fit(world.extents, world.edges, size);
        Self {
            arrangement: Arrangement {
                size,
                camera,
                orbit: None,
                school: None,
                models: Models::Main,
                divider: 0.5,
                covered: 0,
                depth: Depth::default(),
                is_sideways: false,
            },
            models: Models::Main,
            drag: Drag::Pan,
            is_above: false,
            is_fitted: true,
            farther: 0.0,
            crowd: CrowdFinder::default(),
            motion: Motion::Drift,
            moved_by_rock: None,
            touched: Instant::now(),
            moved: Instant::now(),
        }
    }

    /// Records an input that moved the mouse or the view.
    pub fn touch(&mut self) {
        self.touched = Instant::now();
    }

    /// Advances the automatic motion of the view. Returns whether the view moves.
    pub fn move_on(&mut self, at: Option<Vec2>, snapshot: &Snapshot) -> bool {
        let now = Instant::now();
        let passed = now.duration_since(std::mem::replace(&mut self.moved, now)).as_secs_f32();
        let seconds = passed.min(0.1);
        if self.arrangement.orbit.is_none() {
            return self.follow_above(snapshot, seconds);
        }
        let pane = self.arrangement.main_side().pane;
        let Some(orbit) = self.arrangement.orbit.as_mut().filter(|orbit| orbit.points_in_depth) else { return false };
        let followed = match self.motion {
            Motion::Falcon(index) => Falcon::all_of(&snapshot.columns).get(index).map(flight),
            Motion::Fish(number) => fish(snapshot, number),
            Motion::Drift | Motion::Flight => None,
        };
        if let Some([place, velocity]) = followed {
            let behind = if matches!(self.motion, Motion::Fish(_)) { BEHIND_FISH } else { orbit.behind_falcon() };
            orbit.follow(place, velocity, behind, seconds);
            if let Some(field) = &snapshot.info.world.rock {
                orbit.see_target(field);
            }
            self.is_fitted = false;
            return true;
        }
        if self.motion == Motion::Flight {
            let half = pane.size.as_vec2() / 2.0;
            let aside =
                at.map_or(Vec2::ZERO, |at| ((at - pane.origin.as_vec2() - half) / half).clamp(-Vec2::ONE, Vec2::ONE));
            orbit.fly(FLIGHT * orbit.extents.length() * seconds, aside * aside.abs() * TURN * seconds);
            self.is_fitted = false;
            return true;
        }
        let idle = now.duration_since(self.touched).as_secs_f32() - IDLE;
        if idle > 0.0 {
            // The turn begins slowly. Its speed does not depend on the frame rate.
            orbit.yaw = (orbit.yaw + DRIFT * (idle / 4.0).min(1.0) * passed.min(1.0)).rem_euclid(TAU);
        }
        idle > 0.0
    }

    /// Moves the camera of a flat world with the followed individual. Returns whether it moves.
    fn follow_above(&mut self, snapshot: &Snapshot, seconds: f32) -> bool {
        let Motion::Fish(number) = self.motion else { return false };
        let Some([place, _]) = fish(snapshot, number) else { return false };
        let camera = &mut self.arrangement.camera;
        let away = camera.nearest_copy(place.truncate(), &snapshot.info.world) - camera.centre;
        camera.centre += away * (1.0 - (-FOLLOW_ABOVE * seconds).exp());
        self.is_fitted = false;
        true
    }

    /// Zooms in on a flat world, to follow an individual.
    pub fn come_near(&mut self) {
        if self.arrangement.orbit.is_none() {
            let camera = &mut self.arrangement.camera;
            camera.pixels_per_cell = camera.pixels_per_cell.max(NEAR_FISH);
        }
    }

    /// Keeps the eye out of rock.
    pub fn leave_rock(&mut self, world: &World) {
        let (Some(orbit), Some(field)) = (&mut self.arrangement.orbit, &world.rock) else { return };
        // Once the rock allows it, the eye returns to its former distance.
        if let Some([wanted, _]) = self.moved_by_rock.take().filter(|[_, now]| *now == orbit.distance) {
            orbit.distance = wanted;
        }
        let wanted = orbit.distance;
        orbit.leave_rock(field);
        self.moved_by_rock = (orbit.distance != wanted).then_some([wanted, orbit.distance]);
    }

    /// Moves the mouse, at a pixel of the window, in depth. In a deep world of cells it approaches the distance of the
    /// crowd under it. Among rock it approaches the distance of the target of the eye. The distance that the wheel has
    /// set is added.
    pub fn find_crowd(&mut self, at: Option<Vec2>, source: Option<&SwarmSource>) {
        let (Some(at), Some(source)) = (at, source) else { return };
        let side = self.arrangement.side_at(at);
        let Some(orbit) = side.orbit_in_depth() else { return };
        let projection = orbit.projection(side.pane.size);
        let pixel = (at - side.pane.origin.as_vec2()).to_array();
        let is_lattice_deep = source.extents().depth.is_some();
        let crowd = if is_lattice_deep { self.crowd.find(source, &projection, pixel) } else { Some(0.0) };
        if let Some(ahead) = crowd {
            self.arrangement.depth.ahead += (ahead + self.farther - self.arrangement.depth.ahead) * FOLLOW;
        }
        if let Some(place) = projection.place_at(pixel, self.arrangement.depth.ahead) {
            self.arrangement.depth.height = place[2].clamp(0.0, orbit.extents.z);
        }
    }

    /// Adapts to a new snapshot. Returns whether the world has to be fitted to the window again.
    pub fn adapt(&mut self, last: Option<&Snapshot>, now: &Snapshot) -> bool {
        let is_other = last.is_none_or(|last| last.scene != now.scene);
        if is_other {
            self.arrangement.school = None;
        }
        self.arrangement.follow(now.school);
        let world = |snapshot: &Snapshot| (snapshot.info.world.extents, snapshot.info.depth);
        self.is_fitted |= is_other && last.map(world) != Some(world(now));
        let models = if now.compared.is_some() { self.models } else { Models::Main };
        let is_rearranged = std::mem::replace(&mut self.arrangement.models, models) != models;
        let has_other_edges = last.is_none_or(|last| last.info.world.edges != now.info.world.edges);
        let axis = |info: &SceneInfo| info.look.shows_values().then_some(info.look.axis);
        let is_turned = self.arrangement.orbit.is_some() != now.info.is_around(self.is_above)
            || last.is_some_and(|last| axis(&last.info) != axis(&now.info));
        is_rearranged || is_turned || self.is_fitted && (is_other || has_other_edges)
    }

    /// Fits the world to a window. The panel covers `covered` pixels at its right.
    pub fn fit(&mut self, info: Option<&SceneInfo>, size: UVec2, covered: u32) {
        self.arrangement.size = size;
        if let Some(info) = info {
            self.arrangement.fit(info, self.is_above, covered);
        }
        self.is_fitted = true;
        self.farther = 0.0;
    }

    /// Zooms by a factor. The place under pixel `at` keeps its position.
    pub fn zoom(&mut self, at: Vec2, factor: f32) {
        let pane = self.arrangement.side_at(at).pane;
        let at = at - pane.origin.as_vec2();
        match &mut self.arrangement.orbit {
            Some(orbit) => orbit.zoom_at(pane.size, at, factor),
            None => self.arrangement.camera.zoom_at(pane.size, at, factor),
        }
        self.is_fitted = false;
    }

    /// Moves the view by pixels.
    pub fn drag_by(&mut self, drag: Drag, pixels: Vec2) {
        let size = self.arrangement.main_side().pane.size;
        match (&mut self.arrangement.orbit, drag) {
            (Some(orbit), Drag::Turn) => orbit.turn(pixels),
            (Some(orbit), _) => orbit.pan(size, pixels),
            (None, _) => self.arrangement.camera.pan(pixels),
        }
        self.is_fitted = false;
    }

    /// Moves the view by a drag of the mouse from one pixel to another.
    pub fn drag(&mut self, from: Vec2, to: Vec2) {
        match self.drag {
            Drag::Divide => self.arrangement.divide_at(to.x),
            drag => self.drag_by(drag, to - from),
        }
    }
}

/// The place (in cells) and velocity (in 1/1024 cell a step) of a falcon.
fn flight(falcon: &Falcon) -> [Vec3; 2] {
    let [place, velocity] = [falcon.place, falcon.velocity].map(|v| IVec3::from(v).as_vec3());
    [place / PARTS as f32 + 0.5, velocity]
}

/// The place (in cells) and velocity (in 1/16384 cell a step) of an individual. `None`: the individual is gone, or it
/// is on a device and is not the probed individual.
fn fish(snapshot: &Snapshot, number: u32) -> Option<[Vec3; 2]> {
    let flight = |place: Vector3, velocity: Vector3| {
        [IVec3::from(place).as_vec3() / (1 << PLACE_BITS) as f32, IVec3::from(velocity).as_vec3()]
    };
    match &snapshot.individuals {
        Some(IndividualsSource::Memory(individuals)) => {
            let index = individuals.numbers.iter().position(|own| *own == number)?;
            Some(flight(individuals.position(index), individuals.velocity(index)))
        }
        _ => {
            let probed = &snapshot.probed_individual.as_ref().filter(|probe| probe.origin.is_none())?.individual;
            (probed.number == number).then(|| flight(probed.place, probed.velocity))
        }
    }
}

/// The number of the individual to follow: the probed individual, or else the individual nearest to a place (in cells).
/// `None`: the world has no individuals, or they are on a device.
pub fn fish_to_follow(snapshot: &Snapshot, near: Vec3) -> Option<u32> {
    let probed = snapshot.probed_individual.as_ref().map(|probe| probe.individual.number);
    probed.filter(|number| fish(snapshot, *number).is_some()).or_else(|| nearest_fish(snapshot, near))
}

/// The number of the individual nearest to a place (in cells). `None`: the world has no individuals, or they are on a
/// device.
fn nearest_fish(snapshot: &Snapshot, to: Vec3) -> Option<u32> {
    let Some(IndividualsSource::Memory(individuals)) = &snapshot.individuals else { return None };
    let to = (to * (1 << PLACE_BITS) as f32).as_ivec3();
    let apart = |from: i32, to: i32| (i64::from(from) - i64::from(to)).pow(2);
    let away = |index: &usize| {
        let [x, y, z] = individuals.position(*index);
        apart(x, to.x) + apart(y, to.y) + apart(z, to.z)
    };
    (0..individuals.len()).min_by_key(away).map(|index| individuals.numbers[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{Stage, scene};
    use crate::controller::{Command, SceneChange};
    use crate::viewer::cursor::Cursor;
    use murmuration_core::simulation::Input;

    const SIZE: UVec2 = UVec2::new(800, 600);
    const COVERED: u32 = 200;

    fn shown(preset: &str) -> (Stage, View, Snapshot) {
        let mut stage = Stage::new(scene(preset, 64));
        let snapshot = stage.snapshot();
        let mut view = View::new(&snapshot.info.world, SIZE);
        assert!(view.adapt(None, &snapshot));
        view.fit(Some(&snapshot.info), SIZE, COVERED);
        (stage, view, snapshot)
    }

    #[test]
    fn a_view_that_was_moved_stays_through_a_restart_and_is_fitted_to_another_world() {
        let (mut stage, mut view, first) = shown("droplets");
        stage.play(1);
        let next = stage.snapshot();
        assert!(!view.adapt(Some(&first), &next));
        view.zoom(Vec2::new(400.0, 300.0), 2.0);
        stage.handle(Command::Restart(SceneChange::default()));
        let restarted = stage.snapshot();
        assert!(!view.adapt(Some(&next), &restarted) && !view.is_fitted);
        stage.handle(Command::Restart(SceneChange { size: Some((48, 64)), ..SceneChange::default() }));
        let other = stage.snapshot();
        assert!(view.adapt(Some(&restarted), &other) && view.is_fitted);
    }

    #[test]
    fn values_of_a_deep_world_are_seen_on_a_plane_that_is_fitted_to_the_window() {
        let mut deep = scene("murmuration", 24);
        deep.overrides.depth = Some(12);
        deep.overrides.set = vec!["start.run_in=0".into(), "look.style=projection".into()];
        let mut stage = Stage::new(deep);
        let first = stage.snapshot();
        let mut view = View::new(&first.info.world, SIZE);
        assert!(view.adapt(None, &first));
        view.fit(Some(&first.info), SIZE, COVERED);
        let Arrangement { orbit, camera, is_sideways, .. } = view.arrangement;
        assert_eq!((orbit, is_sideways, camera.centre), (None, false, Vec2::splat(12.0)));
        assert!(Cursor::new().moved_to(Some(Vec2::splat(300.0))).locate(&view.arrangement).0.at.is_some());
        let set = |key: &str, value: &str| Command::from(Input::Set { key: key.into(), value: value.into() });
        stage.handle(set("look.axis", "x"));
        let sideways = stage.snapshot();
        assert!(view.adapt(Some(&first), &sideways));
        view.fit(Some(&sideways.info), SIZE, COVERED);
        // 24 cells of y go across, and 12 of z up.
        assert_eq!((view.arrangement.is_sideways, view.arrangement.camera.centre), (true, Vec2::new(12.0, 6.0)));
        assert!(Cursor::new().moved_to(Some(Vec2::splat(300.0))).locate(&view.arrangement).0.at.is_none());
        stage.handle(set("look.style", "dusk"));
        let dusk = stage.snapshot();
        assert!(view.adapt(Some(&sideways), &dusk));
        view.fit(Some(&dusk.info), SIZE, COVERED);
        assert!(view.arrangement.orbit.is_some() && !view.arrangement.is_sideways);
    }

    #[test]
    fn above_a_flat_world_the_camera_comes_near_to_an_individual_and_stays_with_it() {
        let (mut stage, mut view, first) = shown("moods");
        let far = view.arrangement.camera;
        let number = fish_to_follow(&first, Vec3::new(3.0, 60.0, 0.0)).unwrap();
        view.motion = Motion::Fish(number);
        view.come_near();
        assert_eq!(view.arrangement.camera.pixels_per_cell, far.pixels_per_cell.max(NEAR_FISH));
        stage.play(3);
        let now = stage.snapshot();
        let [place, _] = fish(&now, number).unwrap();
        for _ in 0..60 {
            view.moved -= std::time::Duration::from_millis(100);
            assert!(view.move_on(None, &now));
        }
        let camera = view.arrangement.camera;
        let away = camera.nearest_copy(place.truncate(), &now.info.world) - camera.centre;
        assert!(away.length() < 0.1 && !view.is_fitted, "{away} from it");
        view.motion = Motion::Fish(u32::MAX);
        assert!(!view.move_on(None, &now), "nobody has this number");
    }

    #[test]
    fn both_models_are_shown_only_where_there_are_both() {
        let (mut stage, mut view, first) = shown("droplets");
        view.models = Models::Both;
        assert!(!view.adapt(Some(&first), &first));
        assert_eq!(view.arrangement.models, Models::Main);
        stage.handle(Command::Compare(true));
        let compared = stage.snapshot();
        assert!(view.adapt(Some(&first), &compared));
        assert_eq!(view.arrangement.models, Models::Both);
        let divider = view.arrangement.divider;
        view.drag = Drag::Divide;
        view.drag(Vec2::new(300.0, 10.0), Vec2::new(150.0, 10.0));
        assert!(view.arrangement.divider < divider && view.is_fitted);
    }

    #[test]
    fn a_deep_world_is_seen_from_around_and_on_request_from_above() {
        let (_, mut view, first) = shown("school");
        let yaw = view.arrangement.orbit.unwrap().yaw;
        view.drag_by(Drag::Turn, Vec2::new(40.0, 0.0));
        assert_ne!(view.arrangement.orbit.unwrap().yaw, yaw);
        view.is_above = true;
        assert!(view.adapt(Some(&first), &first));
        view.fit(Some(&first.info), SIZE, COVERED);
        assert_eq!(view.arrangement.orbit, None);
    }
}
