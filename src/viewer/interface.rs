//! One frame of the interface: the overlay, the panel, the help and the messages.

use super::action::{Action, Tool};
use super::atlas::AtlasWindow;
use super::cursor::Cursor;
use super::features::FeatureLayers;
use super::frame_input::FrameInput;
use super::keys::{self, KeyboardLayout};
use super::messages::Messages;
use super::overlay::{self, Overlay};
use super::panel::Panel;
use super::sides::{Models, Side};
use super::{disk, probe, rays, species};
use crate::controller::Snapshot;
use crate::controller::round::Round;
use egui::{Frame, Painter, Rect, ScrollArea, Ui, vec2};
use murmuration_core::look::Colouring;

/// The width of the panel, in logical pixels.
pub const BREADTH: f32 = 320.0;

/// The overlay, the panel and the help, with their state between frames.
#[derive(Default)]
pub struct Interface {
    pub overlay: Overlay,
    pub features: FeatureLayers,
    pub panel: Panel,
    pub atlas: AtlasWindow,
    pub messages: Messages,
    pub round: Round,
    pub is_panel_hidden: bool,
    pub is_help_open: bool,
    pub keyboard: KeyboardLayout,
}

impl Interface {
    /// Updates the state of the interface from a new snapshot of the simulation.
    pub fn update(&mut self, snapshot: &Snapshot) {
        self.overlay.update(snapshot);
        self.panel.update(snapshot);
        if let Some((name, score)) = self.round.update(snapshot)
            && let Err(failure) = disk::keep_score(&name, score)
        {
            self.messages.show_error(failure.to_string());
        }
    }

    /// Shows the interface. Returns the actions that the user has requested.
    pub fn show(&mut self, ui: &mut Ui, input: &FrameInput<'_>, cursor: &mut Cursor) -> Vec<Action> {
        let mut actions = Vec::new();
        let FrameInput { snapshot, arrangement, .. } = input;
        // The overlay ends where the panel begins.
        let painter = ui.painter().with_clip_rect(arrangement.area(ui.max_rect(), ui.ctx().pixels_per_point()));
        self.features.show(&painter, &arrangement.main_side(), snapshot);
        self.overlay.cursors(&painter, cursor, arrangement, snapshot);
        if cursor.tool == Tool::Probe {
            show_probe(ui, &painter, &arrangement.main_side(), snapshot);
        }

        let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(vec2(14.0, 6.0));
        let mut is_open = !self.is_panel_hidden;
        egui::Panel::right("panel")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(BREADTH.min(0.5 * ui.available_width()))
            .frame(frame)
            .show_collapsible(ui, &mut is_open, |ui| {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    // The scroll bar covers the right edge.
                    ui.set_max_width(ui.available_width() - 8.0);
                    self.panel.show(ui, input, cursor, &mut actions);
                });
            });

        let area: Rect = ui.available_rect_before_wrap();
        let Panel { charts, measures, .. } = &mut self.panel;
        charts.show(ui.ctx(), area, measures, &mut actions);
        self.atlas.show(ui.ctx(), area, &mut actions);
        let account = match (&snapshot.compared, arrangement.models) {
            (Some(other), Models::Individuals) => &other.account,
            _ => &snapshot.account,
        };
        let names = if arrangement.models == Models::Both { overlay::NAMES } else { 0.0 };
        let first = arrangement.main_side().within(area, ui.ctx().pixels_per_point()).translate(vec2(0.0, names));
        self.overlay.count(&painter.with_clip_rect(first), first, input, account);
        overlay::divider(ui, &painter, area, input, cursor);
        overlay::round(&self.round, &painter, area);
        self.panel.film.dot(&painter, area);
        show_legend(&painter, area, snapshot);
        if let Some(top) = input.top_of_scale {
            overlay::scale(&painter, area, &snapshot.info, top);
        }
        self.overlay.hint(&painter, area);
        if self.is_help_open {
            keys::show_help(ui, area, &self.keyboard);
        }
        self.messages.show(ui, area);
        actions
    }
}

/// Shows the probed cell or individual.
fn show_probe(ui: &Ui, painter: &Painter, side: &Side, snapshot: &Snapshot) {
    let area = ui.available_rect_before_wrap();
    if let Some(probe) = &snapshot.probe {
        probe::show(painter, area, probe, side, &snapshot.info.world);
    }
    if let Some(probe) = &snapshot.probed_individual {
        rays::show(painter, area, probe, side, snapshot);
    }
}

/// Shows the legend of the colours. With several species of cells, each species has a colour. Individuals may be
/// coloured by their moods.
fn show_legend(painter: &Painter, area: Rect, snapshot: &Snapshot) {
    let info = &snapshot.info;
    let metrics = &snapshot.metrics;
    if !info.look.shows_colouring(info.world.extents) {
        return;
    }
    let has_colours_of_species = info.has_cells || info.look.colour == Colouring::Species;
    if has_colours_of_species && !metrics.features.species.is_empty() {
        species::legend(painter, area, &info.look, &metrics.features.species);
    } else {
        overlay::legend(painter, area, &info.look, metrics);
    }
}
