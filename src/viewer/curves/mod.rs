//! Measures over time: small curves in the panel, and a window with axes, zoom, a phase portrait and files.

mod chart;
pub mod export;
mod history;

pub use chart::Charts;
pub use history::{MeasureHistory, RowHistory};

use super::action::Action;
use super::frame_input::FrameInput;
use super::sides::Models;
use crate::compare::measures::{AGREEMENTS, MEASURES, Row};
use crate::observe::unit_of;
use egui::{Align, Color32, Layout, RichText, Slider, Ui, vec2};
use egui_plot::{Line, LineStyle, Plot, PlotPoints};
use murmuration_core::numbers::BOID;
use murmuration_core::simulation::Account;
use murmuration_core::state::Entry;
use murmuration_core::text::readable::{grouped, signed_boids};

/// The metrics that the panel shows, with the colours of their curves. Metrics without values are left out.
const IN_THE_PANEL: [(&str, Color32); 10] = [
    ("boids", BOTH),
    ("liveliness", BOTH),
    ("polarisation", CELLS),
    ("milling", CELLS),
    ("mean_speed", SPEED),
    ("greatest_density", INDIVIDUALS),
    ("nearest_distance", INDIVIDUALS),
    // Only individuals among rock have this metric.
    ("mean_to_rock", CELLS),
    ("rays", SPEED),
    ("stops", INDIVIDUALS),
];
/// The measures of the command `murmuration compare` that the panel shows for cells and for individuals.
const OF_MODELS: [&str; 5] = ["polarisation", "milling", "mean_speed", "clusters", "milliseconds"];
/// The measures of agreement between cells and individuals that the panel shows.
const OF_AGREEMENT: [&str; 2] = ["js_distance", "centres_apart"];

const CELLS: Color32 = Color32::from_rgb(120, 190, 255);
const INDIVIDUALS: Color32 = Color32::from_rgb(255, 190, 120);
const BOTH: Color32 = Color32::from_rgb(232, 236, 246);
const SPEED: Color32 = Color32::from_rgb(150, 230, 170);
const CHANCE: Color32 = Color32::from_rgb(140, 146, 160);

/// A phase portrait: the measure `across` on the horizontal axis, the measure `up` on the vertical axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portrait {
    pub across: String,
    pub up: String,
}

impl Portrait {
    /// The points of the portrait: for each bin with values of both measures, the two means.
    pub fn places(&self, history: &MeasureHistory) -> impl Iterator<Item = [f64; 2]> {
        let measures = history.find(&self.across).zip(history.find(&self.up));
        let bins = history.bins().iter();
        bins.filter_map(move |bin| {
            let (across, up) = measures?;
            Some([bin.values(across)?[0], bin.values(up)?[0]])
        })
    }
}

/// The title of a column of metrics for users, with its unit: `mean speed, cell/step`.
pub fn title(column: &str) -> String {
    let words = column.replace('_', " ");
    match unit_of(column) {
        "1" => words,
        unit => format!("{words}, {unit}"),
    }
}

/// A value as text for users. Small values have more decimals.
fn written(value: f64) -> String {
    match value.abs() {
        whole if whole >= 1000.0 && value >= 0.0 => grouped(value.round() as u64),
        whole if whole.fract() == 0.0 && whole >= 2.0 => format!("{value:.0}"),
        great if great >= 100.0 => format!("{value:.1}"),
        some if some >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A curve of a small plot. `measure`: the index of the measure in the history. Curves for reference are dashed.
struct Curve {
    name: &'static str,
    measure: Option<usize>,
    colour: Color32,
    is_dashed: bool,
}

/// Draws a small plot of several curves, with the last value of each. The vertical axis begins at 0. The user sees
/// `definition` when the mouse is over the title.
fn small_plot(history: &MeasureHistory, ui: &mut Ui, title: &str, definition: &str, curves: &[Curve]) {
    ui.horizontal(|ui| {
        let title = ui.label(RichText::new(title).small());
        if !definition.is_empty() {
            title.on_hover_text(definition);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for curve in curves.iter().rev() {
                let value = curve.measure.and_then(|measure| history.last(measure));
                let value = value.map_or("–".into(), written);
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
            let Some(measure) = curve.measure else { continue };
            let place = |bin: &history::Bin| Some([bin.step(), bin.values(measure)?[0]]);
            let places: PlotPoints<'_> = history.bins().iter().filter_map(place).collect();
            let line = Line::new(curve.name, places).color(ink(plot.ctx(), curve.colour)).width(1.4);
            plot.line(if curve.is_dashed { line.style(LineStyle::dashed_dense()) } else { line });
        }
    });
}

/// Shows the section of the panel with curves of the metrics of the swarm.
pub fn show_metrics(history: &MeasureHistory, ui: &mut Ui, actions: &mut Vec<Action>) {
    let open = ui.button("larger, all measures…");
    if open.on_hover_text("F2: axes, zoom, any measure, one against another, CSV and SVG").clicked() {
        actions.push(Action::Curves);
    }
    for (name, colour) in IN_THE_PANEL {
        let Some(measure) = history.find(name).filter(|measure| history.last(*measure).is_some()) else { continue };
        let curve = Curve { name, measure: Some(measure), colour, is_dashed: false };
        small_plot(history, ui, &title(name), "", &[curve]);
    }
}

/// The measures of a comparison, with the names of the columns in the table of `murmuration compare`.
pub fn comparison_row(row: &Row) -> Vec<(String, Option<f64>)> {
    let of_models = MEASURES.iter().flat_map(|measure| {
        let of = |model: &str, value| (format!("{}_{model}", measure.name), value);
        [of("cells", (measure.of)(&row.of.cells)), of("individuals", (measure.of)(&row.of.individuals))]
    });
    let agreements = AGREEMENTS.iter().flat_map(|agreement| {
        let by_chance = agreement.by_chance.map(|(name, of)| (name.to_owned(), of(row)));
        [(agreement.name.to_owned(), (agreement.of)(row))].into_iter().chain(by_chance)
    });
    of_models.chain(agreements).collect()
}

/// Shows the comparison of cells and individuals: buttons for the models in view, the counts, and the measures of
/// `murmuration compare`.
pub fn show_comparison(history: &MeasureHistory, ui: &mut Ui, input: &FrameInput<'_>, actions: &mut Vec<Action>) {
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
    for name in OF_MODELS {
        let Some(measure) = MEASURES.iter().find(|measure| measure.name == name) else { continue };
        let curve = |model: &'static str, colour| {
            let measure = history.find(&format!("{name}_{model}"));
            Curve { name: model, measure, colour, is_dashed: false }
        };
        let definition = format!("{}\n{}", measure.unit, measure.definition);
        let curves = [curve("cells", CELLS), curve("individuals", INDIVIDUALS)];
        small_plot(history, ui, measure.title, &definition, &curves);
    }
    for name in OF_AGREEMENT {
        let Some(agreement) = AGREEMENTS.iter().find(|agreement| agreement.name == name) else { continue };
        let mut curves = vec![Curve { name: "both", measure: history.find(name), colour: BOTH, is_dashed: false }];
        if let Some((name, _)) = agreement.by_chance {
            let measure = history.find(name);
            curves.push(Curve { name: "by chance", measure, colour: CHANCE, is_dashed: true });
        }
        let definition = format!("{}\n{}", agreement.unit, agreement.definition);
        small_plot(history, ui, agreement.title, &definition, &curves);
    }
    ui.label(RichText::new("replays, checkpoints and presets are the cells'").small().weak());
}

/// Shows a table with the boids of cells and of individuals.
fn show_counts(ui: &mut Ui, cells: &Account, individuals: &Account) {
    let rows: [(&str, [String; 2]); 3] = [
        ("boids", [cells, individuals].map(|account| grouped(account.quanta / u64::from(BOID)))),
        ("lost", [cells, individuals].map(|account| signed_boids(account.lost))),
        ("caught", [cells, individuals].map(|account| grouped(account.ledger.sum(Entry::Caught) / u64::from(BOID)))),
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

/// The colour of a curve for the present theme. The light theme gets a darker colour.
fn ink(context: &egui::Context, colour: Color32) -> Color32 {
    if context.theme() == egui::Theme::Dark {
        colour
    } else {
        let [red, green, blue, _] = colour.to_array().map(|part| (f32::from(part) * 0.45) as u8);
        Color32::from_rgb(red, green, blue)
    }
}
