//! The measures of `murmuration compare` over time, while cells and individuals are played.

use super::plot::{curve, ink};
use crate::compare::measures::{AGREEMENTS, MEASURES, Row};
use egui::{Color32, RichText, Ui};
use egui_plot::{Line, LineStyle, PlotPoints};
use std::collections::VecDeque;
use std::sync::Arc;

/// Rows that are kept.
const MOST: usize = 600;
/// The measures of each model that are shown, and their decimals.
const SHOWN: [(&str, usize); 4] = [("polarisation", 3), ("mean_speed", 3), ("clusters", 0), ("milliseconds", 2)];
/// The measures of agreement that are shown, and their decimals.
const TOGETHER: [(&str, usize); 2] = [("js_distance", 3), ("centres_apart", 1)];

pub const CELLS: Color32 = Color32::from_rgb(120, 190, 255);
pub const INDIVIDUALS: Color32 = Color32::from_rgb(255, 190, 120);
const CHANCE: Color32 = Color32::from_rgb(140, 146, 160);

/// The rows of the scene so far.
#[derive(Default)]
pub struct ComparisonPanel {
    rows: VecDeque<Arc<Row>>,
    scene: u64,
}

type OfRow<'a> = dyn Fn(&Row) -> Option<f64> + 'a;

/// One line of a plot.
struct Trace<'a> {
    name: &'static str,
    colour: Color32,
    /// A reference line is drawn dashed.
    is_faint: bool,
    /// Its value at a row.
    of: Box<OfRow<'a>>,
}

impl ComparisonPanel {
    /// Adds a row, unless it is known.
    pub fn update(&mut self, scene: u64, row: &Arc<Row>) {
        // A restart or an undo begins a new history.
        if scene != self.scene || self.rows.back().is_some_and(|last| last.step > row.step) {
            self.rows.clear();
            self.scene = scene;
        }
        if self.rows.back().is_some_and(|last| last.step == row.step) {
            return;
        }
        self.rows.push_back(row.clone());
        if self.rows.len() > MOST {
            self.rows.pop_front();
        }
    }

    /// Draws a plot for each measure, with the last values.
    pub fn show(&self, ui: &mut Ui) {
        for (name, decimals) in SHOWN {
            let Some(measure) = MEASURES.iter().find(|measure| measure.name == name) else { continue };
            let traces = [
                Trace {
                    name: "cells",
                    colour: CELLS,
                    is_faint: false,
                    of: Box::new(|row| (measure.of)(&row.of.cells)),
                },
                Trace {
                    name: "individuals",
                    colour: INDIVIDUALS,
                    is_faint: false,
                    of: Box::new(|row| (measure.of)(&row.of.individuals)),
                },
            ];
            self.plot(ui, measure.title, measure.unit, measure.definition, decimals, &traces);
        }
        for (name, decimals) in TOGETHER {
            let Some(agreement) = AGREEMENTS.iter().find(|agreement| agreement.name == name) else { continue };
            let mut traces = vec![Trace {
                name: "both",
                colour: Color32::from_rgb(232, 236, 246),
                is_faint: false,
                of: Box::new(|row| (agreement.of)(row)),
            }];
            if let Some((_, by_chance)) = agreement.by_chance {
                let of = Box::new(by_chance);
                traces.push(Trace { name: "by chance", colour: CHANCE, is_faint: true, of });
            }
            self.plot(ui, agreement.title, agreement.unit, agreement.definition, decimals, &traces);
        }
    }

    fn plot(&self, ui: &mut Ui, title: &str, unit: &str, definition: &str, decimals: usize, traces: &[Trace<'_>]) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).small()).on_hover_text(format!("{unit}\n{definition}"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                for trace in traces.iter().rev() {
                    let value = self.rows.back().and_then(|row| (trace.of)(row));
                    let value = value.map_or("–".into(), |value| format!("{value:.decimals$}"));
                    let text = RichText::new(value).small().color(ink(ui.ctx(), trace.colour));
                    ui.label(text).on_hover_text(trace.name);
                }
            });
        });
        curve(title).show(ui, |plot| {
            for trace in traces {
                let points = self.rows.iter().filter_map(|row| Some([row.step as f64, (trace.of)(row)?]));
                let points: PlotPoints<'_> = points.collect();
                let line = Line::new(trace.name, points).color(ink(plot.ctx(), trace.colour)).width(1.4);
                plot.line(if trace.is_faint { line.style(LineStyle::dashed_dense()) } else { line });
            }
        });
    }
}
