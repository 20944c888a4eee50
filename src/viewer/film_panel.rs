//! The section of the panel about films, and the red dot over the swarm while a film is recorded.

use super::action::Action;
use super::film::FilmRecording;
use super::theme::INK;
use crate::film::{FilmFormat, find_ffmpeg};
use egui::{Color32, ComboBox, DragValue, FontId, Painter, Rect, RichText, Ui, vec2};
use murmuration_core::text::readable::grouped;

const RED: Color32 = Color32::from_rgb(226, 62, 58);

/// The settings of the next film, and the current film.
pub struct FilmPanel {
    pub form: FilmFormat,
    pub frames_a_second: u32,
    /// The number of steps from one frame to the next.
    pub every: u64,
    forms: Vec<FilmFormat>,
    pub recorder: Option<FilmRecording>,
    /// The numbers of frames and steps of the last film.
    last: [u64; 2],
}

impl Default for FilmPanel {
    fn default() -> Self {
        let has_ffmpeg = find_ffmpeg().is_some();
        // A web page cannot write a folder of pictures.
        let is_possible = |form: &FilmFormat| match form {
            FilmFormat::Pictures => cfg!(not(target_family = "wasm")),
            form => has_ffmpeg || !form.needs_ffmpeg(),
        };
        let forms = FilmFormat::ALL.into_iter().filter(is_possible).collect();
        Self { form: FilmFormat::Apng, frames_a_second: 30, every: 1, forms, recorder: None, last: [0; 2] }
    }
}

impl FilmPanel {
    /// The numbers of frames and steps of the current or the last film.
    pub fn size(&self) -> [u64; 2] {
        self.recorder.as_ref().map_or(self.last, FilmRecording::size)
    }

    /// Removes the recorder of a film that has ended, and stores the numbers of its frames and steps.
    pub fn end(&mut self) {
        (self.last, self.recorder) = (self.size(), None);
    }

    pub fn show(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let is_idle = self.recorder.is_none();
        let words = self.words(true);
        ui.add_enabled_ui(is_idle, |ui| {
            ui.horizontal(|ui| {
                ui.label("form");
                ComboBox::from_id_salt("film").selected_text(self.form.to_string()).show_ui(ui, |ui| {
                    for form in &self.forms {
                        ui.selectable_value(&mut self.form, *form, form.to_string());
                    }
                });
            });
            self.frames_a_second = self.frames_a_second.min(self.form.max_rate());
            let mut row = |value: DragValue<'_>, label| ui.horizontal(|ui| (ui.add(value), ui.label(label)));
            row(
                DragValue::new(&mut self.frames_a_second).range(1..=self.form.max_rate()).speed(0.2),
                "frames a second",
            );
            let label = if self.every == 1 { "step a frame" } else { "steps a frame" };
            row(DragValue::new(&mut self.every).range(1..=1000).speed(0.1), label);
        });
        ui.horizontal(|ui| {
            let word = if is_idle { "start" } else { "stop" };
            let is_stopping = self.recorder.as_ref().is_some_and(|recorder| recorder.is_stopping);
            if ui.add_enabled(!is_stopping, egui::Button::new(word)).on_hover_text("m").clicked() {
                actions.push(Action::Film);
            }
            ui.label(RichText::new(words.unwrap_or_default()).small().weak());
        });
    }

    /// The length of the current film in minutes and seconds, optionally with the number of frames.
    fn words(&self, with_frames: bool) -> Option<String> {
        let recorder = self.recorder.as_ref()?;
        if recorder.is_stopping {
            return Some("completing the film".into());
        }
        let [frames, _] = recorder.size();
        let seconds = frames / u64::from(recorder.frames_a_second.max(1));
        let length = format!("{}:{:02}", seconds / 60, seconds % 60);
        Some(if with_frames { format!("{length} · {} frames", grouped(frames)) } else { length })
    }

    /// Draws the red dot with the length of the film, if a film is recorded.
    pub fn dot(&self, painter: &Painter, area: Rect) {
        let (Some(words), Some(recorder)) = (self.words(false), &self.recorder) else { return };
        let ink = if recorder.is_stopping { RED.gamma_multiply(0.45) } else { RED };
        let galley = painter.layout_no_wrap(words, FontId::proportional(13.0), INK.gamma_multiply(0.75));
        // In the middle of the window, or to the right of the count of boids.
        let left = (area.center().x - galley.size().x / 2.0).max(area.left() + 470.0);
        let at = egui::pos2(left.min(area.right() - galley.size().x - 18.0), area.top() + 22.0);
        let dot = at + vec2(-11.0, galley.size().y / 2.0 + 0.5);
        painter.circle_filled(dot, 8.5, ink.gamma_multiply(0.14));
        painter.circle_filled(dot, 4.5, ink);
        painter.galley(at, galley, INK);
    }
}
