//! Messages: one line at a time, which slides in and out. An error stays until it is dismissed.

use egui::{Align2, Area, Button, Color32, Frame, Id, Label, Order, Rect, RichText, Ui, pos2, vec2};
use murmuration_core::error::Failure;
use std::collections::VecDeque;
use std::time::Duration;
use web_time::Instant;

/// The time for which a message is shown, unless it is an error.
const SHOWN: Duration = Duration::from_millis(4000);
/// The time in which a message slides in or out.
const SLIDE: Duration = Duration::from_millis(220);
/// The maximum number of queued errors. The first errors are the most useful.
const MAX_QUEUE: usize = 4;

struct Message {
    text: String,
    is_error: bool,
    /// The time at which the message began to slide in.
    since: Instant,
    /// The time at which the message began to slide out. `None`: it has not begun.
    left: Option<Instant>,
}

/// The queue of messages; the first one is shown.
#[derive(Default)]
pub struct Messages {
    queue: VecDeque<Message>,
}

impl Messages {
    /// Shows a message. It replaces other messages, but not errors.
    pub fn show_info(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Queues an error, unless it is queued already.
    pub fn show_error(&mut self, text: impl Into<String>) {
        let text = text.into();
        if let Some(known) = self.queue.iter_mut().find(|message| message.is_error && message.text == text) {
            // The known error may be sliding out. It stays, because a file was saved again with this error.
            known.left = None;
            return;
        }
        if self.queue.iter().filter(|message| message.left.is_none()).count() >= MAX_QUEUE {
            return;
        }
        self.push(text, true);
    }

    /// Shows the message of a result, or queues its error.
    pub fn show_result(&mut self, result: Result<impl ToString, Failure>) {
        match result {
            Ok(done) => self.show_info(done.to_string()),
            Err(failure) => self.show_error(failure.to_string()),
        }
    }

    fn push(&mut self, text: String, is_error: bool) {
        self.queue.retain(|message| message.is_error);
        self.queue.push_back(Message { text, is_error, since: Instant::now(), left: None });
    }

    /// Removes an error that no longer holds.
    pub fn resolve(&mut self, text: &str) {
        let now = Instant::now();
        for message in self.queue.iter_mut().filter(|message| message.is_error && message.text == text) {
            message.left.get_or_insert(now);
        }
    }

    pub fn in_view(&self) -> Option<&str> {
        self.queue.front().map(|message| message.text.as_str())
    }

    /// Dismisses the error in view. Returns whether there was one.
    pub fn dismiss(&mut self) -> bool {
        let error = self.queue.front_mut().filter(|message| message.is_error);
        error.map(|message| message.left.get_or_insert_with(Instant::now)).is_some()
    }

    /// Draws the message in view at the bottom of `area`.
    pub fn show(&mut self, ui: &Ui, area: Rect) {
        let now = Instant::now();
        let Some(message) = self.queue.front_mut() else { return };
        if !message.is_error && now - message.since > SHOWN {
            message.left.get_or_insert(now);
        }
        if message.left.is_some_and(|left| now - left > SLIDE) {
            self.queue.pop_front();
            if let Some(next) = self.queue.front_mut() {
                next.since = now;
            }
            ui.ctx().request_repaint();
            return;
        }
        let part = |since: Instant| ((now - since).as_secs_f32() / SLIDE.as_secs_f32()).min(1.0);
        let shown = message.left.map_or_else(|| part(message.since), |left| 1.0 - part(left));
        let eased = 1.0 - (1.0 - shown) * (1.0 - shown);
        let (fill, ink) = if message.is_error {
            (Color32::from_rgb(64, 16, 22), Color32::from_rgb(255, 214, 210))
        } else {
            (Color32::from_rgb(14, 19, 32), Color32::from_rgb(214, 224, 240))
        };
        let mut is_dismissed = false;
        let place = pos2(area.center().x, area.bottom() - 22.0 + 40.0 * (1.0 - eased));
        Area::new(Id::unique("message"))
            .order(Order::Foreground)
            .pivot(Align2::CENTER_BOTTOM)
            .fixed_pos(place)
            .constrain(false)
            .interactable(message.is_error)
            .show(ui.ctx(), |ui| {
                ui.multiply_opacity(eased);
                Frame::new().fill(fill.gamma_multiply(0.93)).corner_radius(9).inner_margin(vec2(16.0, 9.0)).show(
                    ui,
                    |ui| {
                        let width = (area.width() - 80.0).max(200.0);
                        ui.set_max_width(width);
                        ui.horizontal(|ui| {
                            ui.scope(|ui| {
                                // A long message has several lines, and leaves room for the cross.
                                ui.set_max_width(width - 40.0);
                                ui.add(Label::new(RichText::new(&message.text).color(ink).size(14.0)).wrap());
                            });
                            if message.is_error {
                                let cross = Button::new(RichText::new("×").size(17.0).color(ink)).frame(false);
                                is_dismissed = ui.add(cross).on_hover_text("dismiss (Esc)").clicked();
                            }
                        });
                    },
                );
            });
        if shown < 1.0 {
            ui.ctx().request_repaint();
        } else if !message.is_error {
            ui.ctx().request_repaint_after(SHOWN.saturating_sub(now - message.since));
        }
        if is_dismissed {
            self.dismiss();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_that_is_made_again_stays() {
        let mut messages = Messages::default();
        messages.show_error("scene.toml:12: weights: nonsense");
        // The file is saved again with the same error.
        messages.resolve("scene.toml:12: weights: nonsense");
        messages.show_error("scene.toml:12: weights: nonsense");
        let shown: Vec<_> = messages.queue.iter().map(|message| message.left.is_none()).collect();
        assert_eq!(shown, [true], "it slides away though nothing is mended");
        messages.resolve("scene.toml:12: weights: nonsense");
        assert!(messages.queue[0].left.is_some());
    }

    #[test]
    fn errors_on_their_way_out_keep_no_other_from_being_said() {
        let mut messages = Messages::default();
        for number in 0..MAX_QUEUE {
            messages.show_error(number.to_string());
            messages.resolve(&number.to_string());
        }
        messages.show_error("news");
        assert!(messages.queue.iter().any(|message| message.text == "news"));
    }
}
