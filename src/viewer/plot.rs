//! Measures over time, as small curves.

use super::action::Action;
use super::frame_input::FrameInput;
use super::sides::Models;
use crate::compare::measures::{AGREEMENTS, MEASURES, Row};
use crate::observe::Observation;
use egui::{Align, Color32, Layout, RichText, Slider, Ui, vec2};
use egui_plot::{Line, LineStyle, Plot, PlotPoints};
use murmuration_core::numbers::BOID;
use murmuration_core::readable::{grouped, signed_boids};
use murmuration_core::simulation::Account;
use std::collections::VecDeque;
use std::sync::Arc;

/// Rows that are kept.
const MOST: usize = 1000;
/// The measures of `murmuration compare` that are shown of each model, and their decimals.
const OF_MODELS: [(&str, usize); 5] =
    [("polarisation", 3), ("milling", 3), ("mean_speed", 3), ("clusters", 0), ("milliseconds", 2)];
/// The measures of agreement that are shown, and their decimals.
const OF_AGREEMENT: [(&str, usize); 2] = [("js_distance", 3), ("centres_apart", 1)];

const CELLS: Color32 = Color32::from_rgb(120, 190, 255);
const INDIVIDUALS: Color32 = Color32::from_rgb(255, 190, 120);
const BOTH: Color32 = Color32::from_rgb(232, 236, 246);
const SPEED: Color32 = Color32::from_rgb(150, 230, 170);
const CHANCE: Color32 = Color32::from_rgb(140, 146, 160);

/// The last rows of measures of a scene, with their steps.
pub struct History<T> {
    rows: VecDeque<(u64, Arc<T>)>,
    scene: u64,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { rows: VecDeque::new(), scene: 0 }
    }
}

/// The value of a curve at a row.
type CurveValue<'a, T> = dyn Fn(&T) -> Option<f64> + 'a;

/// A line of a plot: its name, its colour and its value at a row. A reference line is dashed.
struct Curve<'a, T> {
    name: &'static str,
    colour: Color32,
    is_dashed: bool,
    of: Box<CurveValue<'a, T>>,
}

impl<'a, T> Curve<'a, T> {
    fn new(name: &'static str, colour: Color32, of: impl Fn(&T) -> Option<f64> + 'a) -> Self {
        Self { name, colour, is_dashed: false, of: Box::new(of) }
    }
}

impl<T> History<T> {
    /// Adds a row, in the place of one of the same step.
    pub fn update(&mut self, scene: u64, step: u64, row: &Arc<T>) {
        // A restart or an undo begins a new history.
        if scene != self.scene || self.rows.back().is_some_and(|(last, _)| *last > step) {
            self.rows.clear();
            self.scene = scene;
        }
        self.rows.pop_back_if(|(last, _)| *last == step);
        self.rows.push_back((step, row.clone()));
        if self.rows.len() > MOST {
            self.rows.pop_front();
        }
    }

    /// The last row, with its step.
    pub fn last(&self) -> Option<&(u64, Arc<T>)> {
        self.rows.back()
    }

    /// At most so many rows at equal distances, among them the first; the oldest first.
    pub fn thinned(&self, most: usize) -> impl Iterator<Item = &T> {
        self.rows.iter().step_by(self.rows.len().div_ceil(most).max(1)).map(|(_, row)| &**row)
    }

    /// Draws a small plot from 0 upwards, with the last values. The definition is shown on request.
    fn plot(&self, ui: &mut Ui, title: &str, definition: &str, decimals: usize, curves: &[Curve<'_, T>]) {
        ui.horizontal(|ui| {
            let title = ui.label(RichText::new(title).small());
            if !definition.is_empty() {
                title.on_hover_text(definition);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                for curve in curves.iter().rev() {
                    let value = self.rows.back().and_then(|(_, row)| (curve.of)(row));
                    let value = value.map_or("–".into(), |value| match decimals {
                        0 => grouped(value as u64),
                        _ => format!("{value:.decimals$}"),
                    });
                    let text = RichText::new(value).small().color(ink(ui.ctx(), curve.colour));
                    ui.label(text).on_hover_text(curve.name);
                }
            });
        });
        let plot = Plot::new(title)
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
            .set_margin_fraction(vec2(0.0, 0.08));
        plot.show(ui, |plot| {
            for curve in curves {
                let places = self.rows.iter().filter_map(|(step, row)| Some([*step as f64, (curve.of)(row)?]));
                let places: PlotPoints<'_> = places.collect();
                let line = Line::new(curve.name, places).color(ink(plot.ctx(), curve.colour)).width(1.4);
                plot.line(if curve.is_dashed { line.style(LineStyle::dashed_dense()) } else { line });
            }
        });
    }
}

/// The metrics of the swarm.
pub fn show_metrics(history: &History<Observation>, ui: &mut Ui) {
    type Metric = fn(&Observation) -> Option<f64>;
    let metrics: [(&'static str, Color32, usize, Metric); 5] = [
        ("living boids", BOTH, 0, |seen| Some(seen.boids)),
        ("polarisation", CELLS, 3, |seen| Some(seen.polarisation)),
        ("milling", CELLS, 3, |seen| seen.milling),
        ("mean speed, cells/step", SPEED, 3, |seen| Some(seen.mean_speed)),
        ("greatest density, boids", INDIVIDUALS, 1, |seen| seen.greatest_density.or(seen.lattice_greatest_density)),
    ];
    // Individuals among rock.
    let of_rock: [(&'static str, Color32, usize, Metric); 3] = [
        ("distance from rock, cells", CELLS, 2, |seen| seen.mean_to_rock),
        ("rays of an individual", SPEED, 2, |seen| seen.rays),
        ("stopped by rock", INDIVIDUALS, 0, |seen| seen.stops.map(|stops| stops as f64)),
    ];
    let is_known = |of: Metric| history.rows.iter().next_back().is_some_and(|(_, row)| of(row).is_some());
    let of_rock = of_rock.into_iter().filter(|(.., of)| is_known(*of));
    for (name, colour, decimals, of) in metrics.into_iter().chain(of_rock) {
        history.plot(ui, name, "", decimals, &[Curve::new(name, colour, of)]);
    }
}

/// The comparison of cells and individuals: which are shown, their counts, and the measures of `murmuration compare`.
pub fn show_comparison(history: &History<Row>, ui: &mut Ui, input: &FrameInput<'_>, actions: &mut Vec<Action>) {
    let now = input.arrangement.models;
    ui.horizontal(|ui| {
        for (models, name) in [(Models::Main, "cells"), (Models::Both, "both"), (Models::Individuals, "individuals")] {
            let button = ui.selectable_label(now == models, name);
            if button.on_hover_text("x: the scene begins anew where the other model joins").clicked() && now != models {
                actions.push(Action::Models(models));
            }
        }
    });
    let Some(other) = &input.snapshot.compared else { return };
    if now == Models::Both {
        ui.horizontal(|ui| {
            let name = ui.label("divider").id;
            let mut part = input.arrangement.divider;
            if ui.add(Slider::new(&mut part, 0.1..=0.9).show_value(false)).labelled_by(name).changed() {
                actions.push(Action::Divide(part));
            }
        });
    }
    show_counts(ui, &input.snapshot.account, &other.account);
    ui.add_space(4.0);
    for (name, decimals) in OF_MODELS {
        let Some(measure) = MEASURES.iter().find(|measure| measure.name == name) else { continue };
        let curves = [
            Curve::new("cells", CELLS, |row: &Row| (measure.of)(&row.of.cells)),
            Curve::new("individuals", INDIVIDUALS, |row: &Row| (measure.of)(&row.of.individuals)),
        ];
        let definition = format!("{}\n{}", measure.unit, measure.definition);
        history.plot(ui, measure.title, &definition, decimals, &curves);
    }
    for (name, decimals) in OF_AGREEMENT {
        let Some(agreement) = AGREEMENTS.iter().find(|agreement| agreement.name == name) else { continue };
        let mut curves = vec![Curve::new("both", BOTH, |row| (agreement.of)(row))];
        if let Some((_, by_chance)) = agreement.by_chance {
            curves.push(Curve { is_dashed: true, ..Curve::new("by chance", CHANCE, by_chance) });
        }
        let definition = format!("{}\n{}", agreement.unit, agreement.definition);
        history.plot(ui, agreement.title, &definition, decimals, &curves);
    }
    ui.label(RichText::new("replays, checkpoints and presets are the cells'").small().weak());
}

/// The boids of both models, in a table.
fn show_counts(ui: &mut Ui, cells: &Account, individuals: &Account) {
    let rows: [(&str, [String; 2]); 3] = [
        ("boids", [cells, individuals].map(|account| grouped(account.quanta / u64::from(BOID)))),
        ("lost", [cells, individuals].map(|account| signed_boids(account.lost))),
        ("caught", [cells, individuals].map(|account| grouped(account.ledger.turnover.caught / u64::from(BOID)))),
    ];
    egui::Grid::new("compare").num_columns(3).spacing(vec2(12.0, 3.0)).show(ui, |ui| {
        ui.label("");
        for (head, colour) in [("cells", CELLS), ("individuals", INDIVIDUALS)] {
            ui.label(RichText::new(head).color(ink(ui.ctx(), colour)));
        }
        ui.end_row();
        for (name, values) in rows {
            ui.label(RichText::new(name).weak());
            for value in values {
                ui.label(value);
            }
            ui.end_row();
        }
    });
}

/// A colour of the dark theme, darkened in the light theme.
fn ink(context: &egui::Context, colour: Color32) -> Color32 {
    if context.theme() == egui::Theme::Dark {
        colour
    } else {
        let [red, green, blue, _] = colour.to_array().map(|part| (f32::from(part) * 0.45) as u8);
        Color32::from_rgb(red, green, blue)
    }
}
