//! One frame of the interface: the overlay, the panel, the help and the messages.

use super::comparison_panel::ComparisonPanel;
use super::film_panel::FilmSettings;
use super::hand::Hand;
use super::keys::Tool;
use super::messages::Messages;
use super::overlay::{Overlay, Rates};
use super::panel::{Panel, PanelAction, Shown};
use super::play::{Pace, Snapshot};
use super::plot::History;
use super::round::Round;
use super::sides::{Arrangement, Models};
use super::{help, legend, probe, split, style};
use egui::{Frame, Rect, ScrollArea, Ui, vec2};

/// The breadth of the panel, in points.
pub const BREADTH: f32 = 320.0;

/// Everything of the interface that lives from frame to frame.
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

/// What a frame shows.
pub struct Scenery<'a> {
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

    /// Takes note of what a new snapshot tells.
    pub fn notice(&mut self, snapshot: &Snapshot) {
        self.overlay.notice(snapshot);
        self.panel.notice(snapshot);
        self.history.notice(snapshot.scene, &snapshot.metrics);
        if let Some(row) = &snapshot.comparison_panel {
            self.comparison_panel.notice(snapshot.scene, row);
        }
        if let Err(failure) = self.round.notice(snapshot) {
            self.messages.complain(failure.to_string());
        }
    }

    /// Shows everything, and gives what the player asked for.
    pub fn show(&mut self, ui: &mut Ui, scenery: &Scenery<'_>, hand: &mut Hand) -> Vec<PanelAction> {
        let mut wishes = Vec::new();
        let Scenery { snapshot, arrangement, .. } = scenery;
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
                    // The bar lies over the contents where they are too long.
                    ui.set_max_width(ui.available_width() - 8.0);
                    let shown = Shown {
                        snapshot,
                        history: &self.history,
                        comparison_panel: &self.comparison_panel,
                        is_paused: scenery.is_paused,
                        arrangement,
                        pace: scenery.pace,
                        adapter: scenery.adapter,
                    };
                    self.panel.show(ui, &shown, hand, &mut self.film, &mut wishes);
                });
            });

        let area: Rect = ui.available_rect_before_wrap();
        let rates = Rates { frames_a_second: scenery.frames_a_second, is_paused: scenery.is_paused };
        let account = match (&snapshot.beside, arrangement.models) {
            (Some(other), Models::Beside) => &other.account,
            _ => &snapshot.account,
        };
        let names = if arrangement.models == Models::Both { split::NAMES } else { 0.0 };
        let cells = split::part_of(area, arrangement, arrangement.main_side().model, ui.ctx().pixels_per_point());
        let first = cells.unwrap_or(area).translate(vec2(0.0, names));
        self.overlay.count(&painter.with_clip_rect(first), first, snapshot, account, &rates);
        split::show(ui, &painter, area, arrangement, snapshot, hand, scenery.is_dividing);
        self.round.show(&painter, area);
        self.film.dot(&painter, area);
        legend::show(&painter, area, &snapshot.facts.look);
        self.overlay.hint(&painter, area);
        if self.is_help_open {
            help::show(ui, area);
        }
        self.messages.show(ui, area);
        wishes
    }
}

/// A context with the style of the interface.
pub fn context() -> egui::Context {
    let context = egui::Context::default();
    style::set_up(&context);
    context
}
