//! The help: the keys on a card over the swarm.

use super::keys::{Group, TABLE};
use egui::{Align2, Color32, Frame, Grid, Id, Order, RichText, vec2};

/// Shows the card in the middle of `area`.
pub fn show(ui: &egui::Ui, area: egui::Rect) {
    let ink = Color32::from_rgb(222, 231, 245);
    let columns: &[&[Group]] = &[&[Group::Hunt, Group::Time], &[Group::View, Group::Window], &[Group::Brushes]];
    egui::Area::new(Id::unique("help"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(area.center())
        .show(ui.ctx(), |ui| {
            let fill = Color32::from_rgba_unmultiplied(7, 10, 19, 232);
            Frame::new().fill(fill).corner_radius(14).inner_margin(vec2(26.0, 20.0)).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 26.0;
                    for groups in columns {
                        ui.vertical(|ui| {
                            for group in *groups {
                                column(ui, *group, ink);
                            }
                        });
                    }
                });
            });
        });
}

fn column(ui: &mut egui::Ui, group: Group, ink: Color32) {
    ui.label(RichText::new(group.title()).color(ink.gamma_multiply(0.55)).size(12.0));
    Grid::new(group.title()).spacing(vec2(14.0, 5.0)).show(ui, |ui| {
        for row in TABLE.iter().filter(|row| row.group == group) {
            ui.label(RichText::new(row.keys).color(ink).size(13.0).strong());
            ui.label(RichText::new(row.text).color(ink.gamma_multiply(0.78)).size(13.0));
            ui.end_row();
        }
    });
    ui.add_space(12.0);
}
