//! Two models side by side: the divider, the names, the second count, and a section of the panel.

use super::comparison_panel::{CELLS, INDIVIDUALS};
use super::hand::Hand;
use super::overlay;
use super::panel_action::{PanelAction, PanelInput};
use super::plot::ink;
use super::sides::{Arrangement, Model, Models};
use super::style::INK;
use crate::controller::Snapshot;
use crate::numbers::BOID;
use crate::readable::grouped;
use egui::{CursorIcon, FontId, Painter, Rect, RichText, Slider, Stroke, Ui, pos2, vec2};

/// The height of the names above the counts, in points.
pub const NAMES: f32 = 20.0;

/// The part of `area` (points) that shows a model, if any.
pub fn part_of(area: Rect, arrangement: &Arrangement, model: Model, points: f32) -> Option<Rect> {
    let sides = arrangement.sides();
    let side = sides.iter().find(|side| side.model == model)?;
    let left = side.pane.origin.x as f32 / points;
    let right = (side.pane.origin.x + side.pane.size.x) as f32 / points;
    Some(Rect::from_min_max(pos2(left, area.top()), pos2(right.min(area.right()), area.bottom())))
}

/// Draws the divider with the names of the models, and the count of the individuals.
pub fn show(
    ui: &Ui,
    painter: &Painter,
    area: Rect,
    arrangement: &Arrangement,
    snapshot: &Snapshot,
    hand: &Hand,
    is_dragged: bool,
) {
    let (Models::Both, Some(other)) = (arrangement.models, &snapshot.individuals) else { return };
    let points = painter.ctx().pixels_per_point();
    let is_held = is_dragged || hand.at.is_some_and(|at| arrangement.is_on_divider(at));
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let x = arrangement.divided_at() as f32 / points;
    let strength = ui.ctx().animate_bool_with_time(egui::Id::unique("divider"), is_held, 0.12);
    let ink = INK.gamma_multiply(0.22 + 0.5 * strength);
    painter.vline(x, area.y_range(), Stroke::new(1.0 + strength, ink));
    // The grip.
    let grip = Rect::from_center_size(pos2(x, area.center().y), vec2(4.0 + strength, 34.0));
    painter.rect_filled(grip, 3.0, INK.gamma_multiply(0.4 + 0.4 * strength));
    for (model, name) in [(Model::Main, "cells"), (Model::Individuals, "individuals")] {
        let Some(part) = part_of(area, arrangement, model, points) else { continue };
        let at = part.left_top() + vec2(25.0, 14.0);
        let painter = painter.with_clip_rect(part);
        overlay::text(&painter, at, name, FontId::proportional(15.0), INK.gamma_multiply(0.85));
        if model == Model::Individuals {
            let mut line = format!("{:.2} ms a step", other.milliseconds[1]);
            let caught = other.account.ledger.caught / u64::from(BOID);
            if caught > 0 {
                line += &format!("  ·  caught {}", grouped(caught));
            }
            overlay::tally(&painter, part.translate(vec2(0.0, NAMES)), &other.account, &line);
        }
    }
}

/// The section of the panel.
pub fn panel(ui: &mut Ui, input: &PanelInput<'_>, actions: &mut Vec<PanelAction>) {
    let now = input.arrangement.models;
    ui.horizontal(|ui| {
        for (models, name) in [(Models::Main, "cells"), (Models::Both, "both"), (Models::Individuals, "individuals")] {
            let button = ui.selectable_label(now == models, name);
            if button.on_hover_text("x: the scene begins anew where the other model joins").clicked() && now != models {
                actions.push(PanelAction::Models(models));
            }
        }
    });
    let Some(other) = &input.snapshot.individuals else { return };
    if now == Models::Both {
        ui.horizontal(|ui| {
            let name = ui.label("divider").id;
            let mut part = input.arrangement.divider;
            if ui.add(Slider::new(&mut part, 0.1..=0.9).show_value(false)).labelled_by(name).changed() {
                actions.push(PanelAction::Divide(part));
            }
        });
    }
    let account = &input.snapshot.account;
    let rows: [(&str, [String; 2]); 3] = [
        ("boids", [account, &other.account].map(|account| grouped(account.quanta / u64::from(BOID)))),
        ("lost", [account, &other.account].map(|account| crate::readable::signed_boids(account.lost))),
        ("caught", [account, &other.account].map(|account| grouped(account.ledger.caught / u64::from(BOID)))),
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
    ui.add_space(4.0);
    input.comparison_panel.show(ui);
    ui.label(RichText::new("replays, checkpoints and presets are the cells'").small().weak());
}
