//! Metrics over time.

use crate::observe::Observation;
use crate::readable::grouped;
use egui::{Color32, Ui};
use egui_plot::{Line, Plot, PlotPoints};
use std::collections::VecDeque;

/// Rows that are kept: about two minutes.
const MOST: usize = 1000;

/// The last observations of the scene.
#[derive(Default)]
pub struct History {
    rows: VecDeque<[f64; 5]>,
    scene: u64,
}

impl History {
    /// Adds an observation, unless it is known.
    pub fn update(&mut self, scene: u64, seen: &Observation) {
        // A restart or an undo begins a new history.
        if scene != self.scene || self.rows.back().is_some_and(|last| last[0] > seen.step as f64) {
            self.rows.clear();
            self.scene = scene;
        }
        let row = [seen.step as f64, seen.boids, seen.polarisation, seen.mean_speed, seen.greatest_density];
        if self.rows.back().is_some_and(|last| last[0] == row[0]) {
            self.rows.pop_back();
        }
        self.rows.push_back(row);
        if self.rows.len() > MOST {
            self.rows.pop_front();
        }
    }

    /// Draws a small curve for each metric, with its last value.
    pub fn show(&self, ui: &mut Ui) {
        let curves = [
            ("living boids", Color32::from_rgb(232, 236, 246), 0),
            ("polarisation", Color32::from_rgb(120, 190, 255), 3),
            ("mean speed, cells/step", Color32::from_rgb(150, 230, 170), 3),
            ("greatest density, boids", Color32::from_rgb(255, 190, 120), 1),
        ];
        for (index, (name, colour, decimals)) in curves.into_iter().enumerate() {
            let value = self.rows.back().map_or(0.0, |row| row[index + 1]);
            ui.horizontal(|ui| {
                ui.label(name);
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let value = if decimals == 0 { grouped(value as u64) } else { format!("{value:.decimals$}") };
                    ui.label(egui::RichText::new(value).color(ink(ui.ctx(), colour)));
                });
            });
            let points: PlotPoints = self.rows.iter().map(|row| [row[0], row[index + 1]]).collect();
            curve(name).show(ui, |plot| plot.line(Line::new(name, points).color(ink(plot.ctx(), colour)).width(1.4)));
        }
    }
}

/// A small plot from 0 upwards, without interaction.
pub fn curve(name: &str) -> Plot<'_> {
    Plot::new(name)
        .height(44.0)
        .show_axes(false)
        .show_grid(false)
        .show_x(false)
        .show_y(false)
        .show_background(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .include_y(0.0)
        .set_margin_fraction(egui::vec2(0.0, 0.08))
}

/// A colour of the dark theme, darkened in the light theme.
pub fn ink(context: &egui::Context, colour: Color32) -> Color32 {
    if context.theme() == egui::Theme::Dark {
        colour
    } else {
        let [red, green, blue, _] = colour.to_array().map(|part| (f32::from(part) * 0.45) as u8);
        Color32::from_rgb(red, green, blue)
    }
}
