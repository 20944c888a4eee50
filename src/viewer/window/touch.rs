//! Fingers on a touch screen: one hunts, two move the view, and a long press opens or closes the panel.

use super::MainWindow;
use crate::viewer::action::Action;
use crate::viewer::view::Drag;
use glam::{Vec2, vec2};
use std::time::Duration;
use web_time::Instant;
use winit::event::{Touch, TouchPhase};

/// The duration of a long press, and the maximum movement during it, in logical pixels.
const LONG_PRESS: Duration = Duration::from_millis(600);
const RESTS_WITHIN: f32 = 12.0;
/// The height of touchable controls, in logical pixels.
pub const TARGET: f32 = 44.0;

/// A finger on the screen. Places are in pixels.
#[derive(Debug, Clone, Copy)]
struct Finger {
    id: u64,
    at: Vec2,
    began_at: Vec2,
    began: Instant,
}

/// The fingers on the screen, in the order of their touches.
#[derive(Debug, Default)]
pub struct Fingers {
    fingers: Vec<Finger>,
    /// Whether a second finger has touched the screen since the first finger. If so, no finger hunts.
    has_gesture: bool,
    /// Whether the screen has ever been touched.
    pub is_used: bool,
}

impl Fingers {
    /// The time when the only finger completes a long press. `None`: no finger or several fingers touch, or the finger
    /// has moved.
    pub fn long_press_due(&self, pixels_per_point: f32) -> Option<Instant> {
        let [finger] = self.fingers[..] else { return None };
        let rests = finger.at.distance(finger.began_at) <= RESTS_WITHIN * pixels_per_point && !self.has_gesture;
        rests.then(|| finger.began + LONG_PRESS)
    }
}

impl MainWindow {
    /// Handles a touch.
    pub(super) fn touch(&mut self, touch: &Touch) {
        self.view.touch();
        let at = vec2(touch.location.x as f32, touch.location.y as f32);
        if !std::mem::replace(&mut self.fingers.is_used, true) {
            let style = |style: &mut egui::Style| style.spacing.interact_size.y = TARGET;
            self.ui.egui_ctx().all_styles_mut(style);
        }
        match touch.phase {
            TouchPhase::Started => {
                let finger = Finger { id: touch.id, at, began_at: at, began: Instant::now() };
                self.fingers.fingers.push(finger);
                self.fingers.has_gesture = self.fingers.fingers.len() > 1;
            }
            TouchPhase::Moved => self.move_finger(touch.id, at),
            TouchPhase::Ended | TouchPhase::Cancelled => {
                self.fingers.fingers.retain(|finger| finger.id != touch.id);
            }
        }
        let is_over_panel = self.ui.egui_ctx().is_pointer_over_egui();
        let hunter = match self.fingers.fingers[..] {
            [finger] if !self.fingers.has_gesture && !is_over_panel => Some(finger.at),
            _ => None,
        };
        self.mouse.cursor.at = hunter;
        // A brush paints while a finger touches.
        self.mouse.cursor.left = hunter.is_some() && self.mouse.cursor.tool.is_brush();
    }

    /// Two fingers move and zoom the view, and turn it in a deep world.
    fn move_finger(&mut self, id: u64, to: Vec2) {
        let fingers = &mut self.fingers.fingers;
        let Some(index) = fingers.iter().position(|finger| finger.id == id) else { return };
        let from = std::mem::replace(&mut fingers[index].at, to);
        let [first, second] = fingers[..] else { return };
        let other = if index == 0 { second.at } else { first.at };
        let [before, after] = [from.distance(other), to.distance(other)].map(|distance| distance.max(1.0));
        self.view.zoom((to + other) / 2.0, after / before);
        let drag = if self.view.arrangement.orbit.is_some() { Drag::Turn } else { Drag::Pan };
        self.view.drag_by(drag, (to - from) / 2.0);
    }

    /// Opens or closes the panel after a long press.
    pub(super) fn finish_long_press(&mut self) {
        let due = self.fingers.long_press_due(self.ui.egui_ctx().pixels_per_point());
        if due.is_some_and(|due| due <= Instant::now()) {
            self.fingers.has_gesture = true;
            self.mouse.cursor.at = None;
            self.apply_action(Action::Panel);
            self.send_mouse();
            self.frames.request(Duration::ZERO);
        }
    }
}
