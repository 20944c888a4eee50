//! The mouse: its effects on the view and on the simulation.

use super::MainWindow;
use crate::controller::{Command, ProbeTarget, Snapshot};
use crate::viewer::action::Tool;
use crate::viewer::cursor::Cursor;
use crate::viewer::view::Drag;
use glam::{Vec2, vec2};
use murmuration_core::simulation::{Input, Pointer};
use winit::dpi::PhysicalPosition;
use winit::event::{Modifiers, MouseButton, MouseScrollDelta};

/// The zoom factor of one notch of the wheel.
pub const ZOOM: f32 = 1.15;
/// A hunter that has not moved for this number of steps rests. Hunters that fly by themselves then hunt.
const REST: u64 = 120;
/// The distance on a touchpad that counts as a notch, in pixels.
const NOTCH: f32 = 40.0;

/// The distance in cells by which a notch of the wheel moves the hunter in depth.
const CELLS_A_NOTCH: f32 = 2.0;

/// The state of the mouse, and the last inputs that were sent to the simulation.
pub struct Mouse {
    pub cursor: Cursor,
    pub modifiers: Modifiers,
    /// The user's hunter and the reach of its jaws in cells, as last sent to the simulation.
    pub hunter: (Option<Pointer>, u32),
    /// The pixel of the mouse in the window, the factor of the hunter's reach, and the step since which both are
    /// unchanged.
    unmoved: (Option<Vec2>, f32, u64),
    /// The origin of the window of an endless world to which the hunter's place refers.
    origin: Option<[i64; 3]>,
    /// The target of the probe, with the origin of the window of an endless world.
    probed: Option<(ProbeTarget, Option<[i64; 3]>)>,
    /// The pixel of the mouse and the number of the scene in the last search for an individual.
    pointed: (Option<Vec2>, u64),
}

impl Mouse {
    pub fn new() -> Self {
        let cursor = Cursor::new();
        let modifiers = Modifiers::default();
        Self {
            cursor,
            modifiers,
            hunter: (None, 0),
            unmoved: (None, 1.0, 0),
            origin: None,
            probed: None,
            pointed: (None, 0),
        }
    }

    /// Whether the hunter rests at a step: the mouse has not moved for a while, and no button is held. In a deep world
    /// the hunter still moves with the crowd under the mouse.
    fn is_resting(&mut self, step: u64) -> bool {
        let (Cursor { at, stretch, left, right, .. }, (place, reach, since)) = (self.cursor.clone(), self.unmoved);
        // After an undo or in another scene the steps are lower.
        if (at, stretch) != (place, reach) || left || right || step < since {
            self.unmoved = (at, stretch, step);
        }
        step - self.unmoved.2 >= REST
    }

    pub fn release_all(&mut self) {
        (self.cursor.left, self.cursor.right, self.cursor.middle) = (false, false, false);
    }
}

impl MainWindow {
    pub(super) fn move_mouse(&mut self, position: PhysicalPosition<f64>) {
        let to = vec2(position.x as f32, position.y as f32);
        let cursor = &mut self.mouse.cursor;
        if let (true, Some(from)) = (cursor.middle, cursor.at) {
            self.view.drag(from, to);
        }
        cursor.at = Some(to);
        self.view.touch();
    }

    pub(super) fn press_button(&mut self, button: MouseButton, is_pressed: bool) {
        self.view.touch();
        // A press over the panel is for the panel. A release ends a drag anywhere.
        let is_down = is_pressed && !self.ui.egui_ctx().is_pointer_over_egui();
        let is_shifted = self.mouse.modifiers.state().shift_key();
        let arrangement = &self.view.arrangement;
        let is_deep = arrangement.orbit.is_some();
        let cursor = &mut self.mouse.cursor;
        match button {
            MouseButton::Left if is_down && cursor.at.is_some_and(|at| arrangement.is_on_divider(at)) => {
                (cursor.middle, self.view.drag) = (true, Drag::Divide);
            }
            // Shift with the left button replaces a missing middle button.
            MouseButton::Left if is_shifted && is_down && is_deep => {
                (cursor.middle, self.view.drag) = (true, Drag::Turn);
            }
            MouseButton::Left if !is_down => (cursor.left, cursor.middle) = (false, false),
            MouseButton::Left => cursor.left = true,
            MouseButton::Right => cursor.right = is_down,
            MouseButton::Middle => {
                cursor.middle = is_down;
                self.view.drag = if is_deep && !is_shifted { Drag::Turn } else { Drag::Pan };
            }
            _ => {}
        }
    }

    pub(super) fn turn_wheel(&mut self, delta: MouseScrollDelta) {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, notches) => notches,
            MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / NOTCH,
        };
        self.view.touch();
        if self.mouse.modifiers.state().control_key() && self.view.arrangement.main_side().orbit_in_depth().is_some() {
            self.view.farther += notches * CELLS_A_NOTCH;
        } else if let Some(at) = self.mouse.cursor.at {
            self.view.zoom(at, ZOOM.powf(notches));
        }
    }

    /// The cursor. It has no place while it is over the panel or a replay runs.
    pub(super) fn cursor_over_swarm(&self) -> Cursor {
        let mut cursor = self.mouse.cursor.clone();
        if self.ui.egui_ctx().egui_wants_pointer_input() || self.session.is_replaying() {
            cursor.at = None;
        }
        cursor
    }

    /// Sends the hunter and the strokes of the cursor to the simulation.
    pub(super) fn send_mouse(&mut self) {
        let source = self.session.snapshot.as_ref().map(|snapshot| &snapshot.source);
        self.view.find_crowd(self.mouse.cursor.at, source);
        self.send_probe();
        let Some(Snapshot { info, step, replay: None, .. }) = &self.session.snapshot else { return };
        let world = info.world.clone();
        let step = *step;
        let (mut cursor, side) = self.cursor_over_swarm().locate(&self.view.arrangement);
        cursor.is_resting = self.mouse.is_resting(step) && world.flights().next().is_some();
        let pointer = cursor.pointer(&side, &world);
        let jaws = if pointer.is_some() { cursor.jaws(&side) } else { 0 };
        let (known_pointer, known_jaws) = std::mem::replace(&mut self.mouse.hunter, (pointer, jaws));
        let known_origin = std::mem::replace(&mut self.mouse.origin, self.session.origin());
        if pointer != known_pointer || pointer.is_some() && self.mouse.origin != known_origin {
            self.session.send_input(Input::Hunter(pointer));
        }
        if jaws != known_jaws {
            self.session.send_input(Input::Jaws(jaws));
        }
        let stroke = cursor.stroke(&side, &world);
        self.mouse.cursor.follow(&cursor);
        for input in stroke {
            self.session.send_input(input);
        }
    }

    /// Sends the target of the probe to the simulation. The target stays if the mouse leaves the swarm.
    fn send_probe(&mut self) {
        let is_over = !self.ui.egui_ctx().egui_wants_pointer_input();
        let probed = match self.mouse.cursor.tool {
            Tool::Probe if is_over => {
                let under = self.under_probe().map(|target| (target, self.session.origin()));
                under.or(self.mouse.probed)
            }
            Tool::Probe => self.mouse.probed,
            _ => None,
        };
        if probed != self.mouse.probed {
            self.mouse.probed = probed;
            let (target, origin) = probed.unzip();
            self.session.send(Command::Probe(target, origin.flatten()));
        }
    }

    /// The cell under the mouse, or the line of sight for individuals; `None`: the target does not change.
    fn under_probe(&mut self) -> Option<ProbeTarget> {
        let snapshot = self.session.snapshot.as_ref()?;
        let world = &snapshot.info.world;
        let arrangement = &self.view.arrangement;
        let (cursor, side) = self.mouse.cursor.locate(arrangement);
        if snapshot.individuals.is_none() {
            return cursor.cell(&side, world).map(ProbeTarget::Cell);
        }
        // While the mouse rests the probe keeps its individual, even if the individual or the eye moves.
        let pointed = (self.mouse.cursor.at, snapshot.scene);
        if arrangement.is_sideways || std::mem::replace(&mut self.mouse.pointed, pointed) == pointed {
            return None;
        }
        Some(ProbeTarget::Individual(side.line_of_sight(pointed.0?, world)))
    }
}
