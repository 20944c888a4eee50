//! The view of the window: which models it shows, from where, and how the mouse and the keys move it.

use super::sides::{Arrangement, Models};
use crate::controller::{SceneInfo, Snapshot};
use crate::look::Camera;
use crate::world::World;
use glam::{UVec2, Vec2};

/// What dragging the mouse does to the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    Pan,
    /// Turns a deep world.
    Turn,
    /// Moves the divider between two parts of the window.
    Divide,
}

/// What the window shows of the world.
pub struct View {
    pub arrangement: Arrangement,
    /// The models to show if there are both.
    pub models: Models,
    pub drag: Drag,
    /// Whether deep worlds are seen from above, too.
    pub is_above: bool,
    /// Whether the view follows the size of the window, because nobody has moved it.
    pub is_fitted: bool,
}

impl View {
    pub fn new(world: &World, size: UVec2) -> Self {
        let camera = Camera::fit(world.extents, world.edges, size);
        Self {
            arrangement: Arrangement { size, camera, orbit: None, models: Models::Main, divider: 0.5, covered: 0 },
            models: Models::Main,
            drag: Drag::Pan,
            is_above: false,
            is_fitted: true,
        }
    }

    /// Adapts to a new snapshot. Returns whether the world has to be fitted to the window again.
    pub fn adapt(&mut self, last: Option<&Snapshot>, now: &Snapshot) -> bool {
        let is_other = last.is_none_or(|last| last.scene != now.scene);
        let world = |snapshot: &Snapshot| (snapshot.info.world.extents, snapshot.info.depth);
        self.is_fitted |= is_other && last.map(world) != Some(world(now));
        let models = if now.individuals.is_some() { self.models } else { Models::Main };
        let is_rearranged = std::mem::replace(&mut self.arrangement.models, models) != models;
        let has_other_edges = last.is_none_or(|last| last.info.world.edges != now.info.world.edges);
        let is_turned = self.arrangement.orbit.is_some() != (now.info.depth > 1 && !self.is_above);
        is_rearranged || is_turned || self.is_fitted && (is_other || has_other_edges)
    }

    /// Fits the world to a window of this size, of which the panel covers this many pixels at the right.
    pub fn fit(&mut self, info: Option<&SceneInfo>, size: UVec2, covered: u32) {
        self.arrangement.size = size;
        if let Some(SceneInfo { world, depth, .. }) = info {
            self.arrangement.fit(world, *depth, self.is_above, covered);
        }
        self.is_fitted = true;
    }

    /// Zooms by a factor; the place at this pixel stays where it is.
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

    /// Follows a mouse that drags from one pixel to another.
    pub fn drag(&mut self, from: Vec2, to: Vec2) {
        match self.drag {
            Drag::Divide => self.arrangement.divide_at(to.x),
            drag => self.drag_by(drag, to - from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{Stage, scene};
    use crate::controller::{Command, SceneChange};

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
