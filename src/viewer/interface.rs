//! One frame of the interface: the overlay, the panel, the help and the messages.

use super::comparison_panel::ComparisonPanel;
use super::film_panel::FilmSettings;
use super::hand::Hand;
use super::keys::Tool;
use super::messages::Messages;
use super::overlay::{Overlay, Rates};
use super::panel::Panel;
use super::panel_action::{PanelAction, PanelInput};
use super::plot::History;
use super::sides::{Arrangement, Models};
use super::{help, legend, probe, round, scores, split, style};
use crate::controller::round::Round;
use crate::controller::{Pace, Snapshot};
use egui::{Frame, Rect, ScrollArea, Ui, vec2};

/// The width of the panel, in points.
pub const BREADTH: f32 = 320.0;

/// The state of the interface between frames.
pub struct Interface {
    pub overlay: Overlay,
    pub panel: Panel,
    pub film: FilmSettings,
    pub history: History,
    pub comparison_panel: ComparisonPanel,
    pub messages: Messages,
    pub round: Round,
    pub is_panel_open: bool,
    pub is_help_open: bool,
}

/// What a frame of the interface shows.
pub struct FrameInput<'a> {
    pub snapshot: &'a Snapshot,
    pub arrangement: &'a Arrangement,
    /// Whether the divider is being dragged.
    pub is_dividing: bool,
    pub frames_a_second: usize,
    pub is_paused: bool,
    pub pace: Pace,
    pub adapter: &'a str,
}

impl Interface {
    pub fn new() -> Self {
        Self {
            overlay: Overlay::new(),
            panel: Panel::default(),
            film: FilmSettings::new(),
            history: History::default(),
            comparison_panel: ComparisonPanel::default(),
            messages: Messages::default(),
            round: Round::default(),
            is_panel_open: true,
            is_help_open: false,
        }
    }

    /// Follows a new snapshot.
    pub fn update(&mut self, snapshot: &Snapshot) {
        self.overlay.update(snapshot);
        self.panel.update(snapshot);
        self.history.update(snapshot.scene, &snapshot.metrics);
        if let Some(row) = &snapshot.comparison {
            self.comparison_panel.update(snapshot.scene, row);
        }
        if let Some((name, score)) = self.round.update(snapshot)
            && let Err(failure) = scores::keep(&name, score)
        {
            self.messages.show_error(failure.to_string());
        }
    }

    /// Shows everything. Returns what the person asks for.
    pub fn show(&mut self, ui: &mut Ui, input: &FrameInput<'_>, hand: &mut Hand) -> Vec<PanelAction> {
        let mut actions = Vec::new();
        let FrameInput { snapshot, arrangement, .. } = input;
        let painter = ui.painter().clone();
        self.overlay.hands(&painter, hand, arrangement, snapshot);
        if hand.tool == Tool::Probe
            && let Some(probe) = &snapshot.probe
        {
            let side = arrangement.main_side();
            probe::show(&painter, ui.available_rect_before_wrap(), probe, &side, &snapshot.facts.world);
        }

        let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(vec2(14.0, 6.0));
        let mut is_open = self.is_panel_open;
        egui::Panel::right("panel")
            .resizable(false)
            .show_separator_line(false)
            .exact_size(BREADTH.min(0.5 * ui.available_width()))
            .frame(frame)
            .show_collapsible(ui, &mut is_open, |ui| {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    // The scroll bar covers the right edge.
                    ui.set_max_width(ui.available_width() - 8.0);
                    let panel_input = PanelInput {
                        snapshot,
                        history: &self.history,
                        comparison_panel: &self.comparison_panel,
                        is_paused: input.is_paused,
                        arrangement,
                        pace: input.pace,
                        adapter: input.adapter,
                    };
                    self.panel.show(ui, &panel_input, hand, &mut self.film, &mut actions);
                });
            });

        let area: Rect = ui.available_rect_before_wrap();
        let rates = Rates { frames_a_second: input.frames_a_second, is_paused: input.is_paused };
        let account = match (&snapshot.individuals, arrangement.models) {
            (Some(other), Models::Individuals) => &other.account,
            _ => &snapshot.account,
        };
        let names = if arrangement.models == Models::Both { split::NAMES } else { 0.0 };
        let cells = split::part_of(area, arrangement, arrangement.main_side().model, ui.ctx().pixels_per_point());
        let first = cells.unwrap_or(area).translate(vec2(0.0, names));
        self.overlay.count(&painter.with_clip_rect(first), first, snapshot, account, &rates);
        split::show(ui, &painter, area, arrangement, snapshot, hand, input.is_dividing);
        round::show(&self.round, &painter, area);
        self.film.dot(&painter, area);
        legend::show(&painter, area, &snapshot.facts.look);
        self.overlay.hint(&painter, area);
        if self.is_help_open {
            help::show(ui, area);
        }
        self.messages.show(ui, area);
        actions
    }
}

/// A context with the style of the interface.
pub fn context() -> egui::Context {
    let context = egui::Context::default();
    style::set_up(&context);
    context
}
