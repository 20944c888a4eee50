//! The section of the panel about films, and the red dot over the swarm while one is made.

use super::panel_action::PanelAction;
use super::style::INK;
use crate::film::{Form, find_ffmpeg};
use crate::readable::grouped;
use egui::{Color32, ComboBox, DragValue, FontId, Painter, Rect, RichText, Ui, vec2};

const RED: Color32 = Color32::from_rgb(226, 62, 58);

/// The settings of the next film, and the progress of the current one.
pub struct FilmSettings {
    pub form: Form,
    pub frames_a_second: u32,
    /// Steps from one frame to the next.
    pub every: u64,
    forms: Vec<Form>,
    pub progress: FilmProgress,
}

/// How far a film has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FilmProgress {
    #[default]
    None,
    Filming {
        frames: u64,
        frames_a_second: u32,
    },
    /// The last frames are drawn, and the file is completed.
    Completing,
}

impl FilmSettings {
    pub fn new() -> Self {
        let has_ffmpeg = find_ffmpeg().is_some();
        let forms: Vec<Form> = Form::ALL.into_iter().filter(|form| has_ffmpeg || !form.needs_ffmpeg()).collect();
        Self { form: Form::Apng, frames_a_second: 30, every: 1, forms, progress: FilmProgress::None }
    }

    /// The rows of the section.
    pub fn show(&mut self, ui: &mut Ui, actions: &mut Vec<PanelAction>) {
        let is_idle = self.progress == FilmProgress::None;
        ui.add_enabled_ui(is_idle, |ui| {
            ui.horizontal(|ui| {
                ui.label("form");
                ComboBox::from_id_salt("film").selected_text(self.form.to_string()).show_ui(ui, |ui| {
                    for form in &self.forms {
                        ui.selectable_value(&mut self.form, *form, form.to_string());
                    }
                });
            });
            self.frames_a_second = self.frames_a_second.min(self.form.fastest());
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut self.frames_a_second).range(1..=self.form.fastest()).speed(0.2));
                ui.label("frames a second");
            });
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut self.every).range(1..=1000).speed(0.1));
                ui.label(if self.every == 1 { "step a frame" } else { "steps a frame" });
            });
        });
        ui.horizontal(|ui| {
            let word = if is_idle { "start" } else { "stop" };
            let button = egui::Button::new(word);
            if ui.add_enabled(self.progress != FilmProgress::Completing, button).on_hover_text("m").clicked() {
                actions.push(PanelAction::Film);
            }
            ui.label(RichText::new(self.words()).small().weak());
        });
    }

    fn words(&self) -> String {
        match self.progress {
            FilmProgress::None => String::new(),
            FilmProgress::Filming { frames, frames_a_second } => {
                format!("{} · {} frames", length(frames, frames_a_second), grouped(frames))
            }
            FilmProgress::Completing => "completing the film".into(),
        }
    }

    /// Draws the dot, with the length of the film.
    pub fn dot(&self, painter: &Painter, area: Rect) {
        let (words, ink) = match self.progress {
            FilmProgress::None => return,
            FilmProgress::Filming { frames, frames_a_second } => (length(frames, frames_a_second), RED),
            FilmProgress::Completing => ("completing the film".into(), RED.gamma_multiply(0.45)),
        };
        let galley = painter.layout_no_wrap(words, FontId::proportional(13.0), INK.gamma_multiply(0.75));
        // In the middle, or to the right of the count.
        let left = (area.center().x - galley.size().x / 2.0).max(area.left() + 470.0);
        let at = egui::pos2(left.min(area.right() - galley.size().x - 18.0), area.top() + 22.0);
        let dot = at + vec2(-11.0, galley.size().y / 2.0 + 0.5);
        painter.circle_filled(dot, 8.5, ink.gamma_multiply(0.14));
        painter.circle_filled(dot, 4.5, ink);
        painter.galley(at, galley, INK);
    }
}

/// The length of a film as minutes and seconds.
fn length(frames: u64, frames_a_second: u32) -> String {
    let seconds = frames / u64::from(frames_a_second.max(1));
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
