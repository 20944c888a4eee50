//! Two models side by side: the divider, the names, the second count, and a section of the panel.

use super::action::Action;
use super::cursor::Cursor;
use super::interface::FrameInput;
use super::overlay;
use super::plot::{CELLS, INDIVIDUALS, ink};
use super::sides::{Model, Models};
use super::style::INK;
use crate::numbers::BOID;
use crate::readable::{grouped, signed_boids};
use egui::{Align2, CursorIcon, Painter, Rect, RichText, Slider, Stroke, Ui, pos2, vec2};

/// The height of the names above the counts, in points.
pub const NAMES: f32 = 20.0;

/// Draws the divider with the names of the models, and the count of the individuals.
pub fn show(ui: &Ui, painter: &Painter, area: Rect, input: &FrameInput<'_>, cursor: &Cursor) {
    let FrameInput { snapshot, arrangement, .. } = input;
    let (Models::Both, Some(other)) = (arrangement.models, &snapshot.individuals) else { return };
    let points = painter.ctx().pixels_per_point();
    let is_held = input.is_dividing || cursor.at.is_some_and(|at| arrangement.is_on_divider(at));
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
    for side in arrangement.sides() {
        let (part, is_main) = (side.within(area, points), side.model == Model::Main);
        let name = if is_main { "cells" } else { "individuals" };
        let at = part.left_top() + vec2(25.0, 14.0);
        let painter = painter.with_clip_rect(part);
        overlay::text(&painter, at, Align2::LEFT_TOP, name, 15.0, INK.gamma_multiply(0.85));
        if !is_main {
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
pub fn panel(ui: &mut Ui, input: &FrameInput<'_>, actions: &mut Vec<Action>) {
    let now = input.arrangement.models;
    ui.horizontal(|ui| {
        for (models, name) in [(Models::Main, "cells"), (Models::Both, "both"), (Models::Individuals, "individuals")] {
            let button = ui.selectable_label(now == models, name);
            if button.on_hover_text("x: the scene begins anew where the other model joins").clicked() && now != models {
                actions.push(Action::Models(models));
            }
        }
    });
    let Some(other) = &input.snapshot.individuals else { return };
    if now == Models::Both {
        ui.horizontal(|ui| {
            let name = ui.label("divider").id;
            let mut part = input.arrangement.divider;
            if ui.add(Slider::new(&mut part, 0.1..=0.9).show_value(false)).labelled_by(name).changed() {
                actions.push(Action::Divide(part));
            }
        });
    }
    let account = &input.snapshot.account;
    let rows: [(&str, [String; 2]); 3] = [
        ("boids", [account, &other.account].map(|account| grouped(account.quanta / u64::from(BOID)))),
        ("lost", [account, &other.account].map(|account| signed_boids(account.lost))),
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
}
