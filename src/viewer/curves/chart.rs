//! The window with curves. It shows measures over the whole run, or one measure against another.

use super::{MeasureHistory, Portrait, ink, title, written};
use crate::viewer::action::{Action, CurveForm};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Color32, ComboBox, Context, Id, Layout, PopupCloseBehavior, Rangef, Rect, RichText, ScrollArea, Sense, Ui,
    vec2,
};
use egui_plot::{FilledArea, GridInput, GridMark, Line, Plot, PlotPoints, PlotUi, Points, VLine};

/// The measures that are shown when the window first opens.
const AT_FIRST: [&str; 2] = ["polarisation", "mean_speed"];
/// The minimum height of a plot, in logical pixels.
const MIN_HEIGHT: f32 = 70.0;
/// The initial and the minimum size of the window with curves, in logical pixels.
const SIZE: egui::Vec2 = vec2(640.0, 430.0);
const MIN_SIZE: egui::Vec2 = vec2(260.0, 220.0);
/// The initial space above the window with curves, for the text with the count of boids, in logical pixels.
const ABOVE: f32 = 84.0;
/// The minimum distance between grid lines that is given to egui, in logical pixels.
const GRID: f64 = 8.0;
/// The minimum distances between ticks along the horizontal and the vertical axis, in logical pixels.
const TICKS: [f64; 2] = [90.0, 34.0];
/// The width of the labels left of each plot, in logical pixels. The width is fixed, so that the plots align.
const LABELS: f32 = 56.0;
/// The colours of curves, used in turn.
const COLOURS: [Color32; 6] = [
    Color32::from_rgb(120, 190, 255),
    Color32::from_rgb(150, 230, 170),
    Color32::from_rgb(255, 190, 120),
    Color32::from_rgb(214, 160, 255),
    Color32::from_rgb(255, 140, 150),
    Color32::from_rgb(230, 220, 130),
];

pub struct Charts {
    pub is_open: bool,
    /// The names of the measures whose curves are shown.
    chosen: Vec<String>,
    portrait: Portrait,
    is_portrait: bool,
    /// The step under the mouse in the last frame.
    step: Option<f64>,
    /// Whether the next frame resets the view to the whole run.
    resets: bool,
}

impl Default for Charts {
    fn default() -> Self {
        let [across, up] = AT_FIRST.map(str::to_owned);
        let chosen = AT_FIRST.map(str::to_owned).into();
        let portrait = Portrait { across, up };
        Self { is_open: false, chosen, portrait, is_portrait: false, step: None, resets: false }
    }
}

impl Charts {
    /// The names of the measures whose curves are shown, as `Ok`; the portrait (one measure against another) that is
    /// shown instead, as `Err`.
    pub fn shown(&self) -> Result<&[String], &Portrait> {
        if self.is_portrait { Err(&self.portrait) } else { Ok(&self.chosen) }
    }

    /// Shows the window with curves within an area, if the window is open.
    pub fn show(&mut self, context: &Context, area: Rect, history: &MeasureHistory, actions: &mut Vec<Action>) {
        let mut is_open = self.is_open;
        let room = (area.size() - vec2(24.0, ABOVE + 12.0)).max(vec2(64.0, 64.0));
        let least = MIN_SIZE.min(room);
        egui::Window::new("Curves")
            .open(&mut is_open)
            .default_pos(area.left_top() + vec2(12.0, ABOVE))
            .default_size(SIZE.min(room))
            .min_size(least)
            .max_size(room.max(least))
            .constrain_to(area)
            .collapsible(false)
            .show(context, |ui| self.contents(ui, history, actions));
        self.is_open = is_open;
    }

    fn contents(&mut self, ui: &mut Ui, history: &MeasureHistory, actions: &mut Vec<Action>) {
        ui.horizontal_wrapped(|ui| {
            ui.selectable_value(&mut self.is_portrait, false, "over time");
            ui.selectable_value(&mut self.is_portrait, true, "phase portrait");
            ui.separator();
            if self.is_portrait {
                choose(ui, "across", &mut self.portrait.across, history);
                choose(ui, "up", &mut self.portrait.up, history);
            } else {
                self.choose_measures(ui, history);
            }
            ui.separator();
            self.resets = ui.button("whole run").on_hover_text("a double click does the same").clicked();
            if ui.button("CSV").on_hover_text("save all measures as a table").clicked() {
                actions.push(Action::SaveCurves(CurveForm::Table));
            }
            if ui.button("SVG").on_hover_text("save each curve that is shown as a picture").clicked() {
                actions.push(Action::SaveCurves(CurveForm::Pictures));
            }
        });
        ui.add_space(2.0);
        let hint = "wheel: zoom · drag: move · right drag: zoom to a box · double click: the whole run";
        let below = 18.0;
        let size = vec2(ui.available_width(), (ui.available_height() - below).max(MIN_HEIGHT));
        ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(size);
            if self.is_portrait { self.show_portrait(ui, history) } else { self.show_curves(ui, history) }
        });
        ui.add(egui::Label::new(RichText::new(hint).small().weak()).truncate());
    }

    /// Shows the list of all measures, each with a check box.
    fn choose_measures(&mut self, ui: &mut Ui, history: &MeasureHistory) {
        // The list stays open while boxes are ticked.
        let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        MenuButton::new("measures…").config(stays).ui(ui, |ui| {
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for (_, name) in history.measures() {
                    let place = self.chosen.iter().position(|own| own == name);
                    let mut is_shown = place.is_some();
                    if ui.checkbox(&mut is_shown, title(name)).changed() {
                        match place {
                            Some(place) => _ = self.chosen.remove(place),
                            None => self.chosen.push(name.to_owned()),
                        }
                    }
                }
            });
        });
    }

    fn show_curves(&mut self, ui: &mut Ui, history: &MeasureHistory) {
        let shown: Vec<(usize, String)> =
            self.chosen.iter().filter_map(|name| Some((history.find(name)?, name.clone()))).collect();
        if shown.is_empty() {
            ui.weak("choose a measure");
            return;
        }
        let head = 20.0;
        let axis = 36.0;
        let height = (ui.available_height() - axis) / shown.len() as f32 - head;
        let mut step = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (index, (measure, name)) in shown.iter().enumerate() {
                let colour = ink(ui.ctx(), COLOURS[index % COLOURS.len()]);
                let curve = MeasureCurve { history, measure: *measure, colour, step: self.step };
                curve.head(ui, name, head);
                let is_last = index + 1 == shown.len();
                let height = height.max(MIN_HEIGHT - head) + if is_last { axis } else { 0.0 };
                step = step.or(curve.show(ui, name, height, is_last, self.resets));
            }
        });
        self.step = step;
    }

    fn show_portrait(&mut self, ui: &mut Ui, history: &MeasureHistory) {
        let places: Vec<[f64; 2]> = self.portrait.places(history).collect();
        let colour = ink(ui.ctx(), COLOURS[0]);
        let across = title(&self.portrait.across);
        let up = title(&self.portrait.up);
        let labels = (across.clone(), up.clone());
        let mut plot = empty_plot(ui, ("portrait", &across, &up))
            .x_axis_label(across)
            .y_axis_label(up)
            .x_grid_spacer(|input| ticks(&input, TICKS[0], 0.0))
            .x_axis_formatter(|mark, _| short(mark.value, mark.step_size))
            .set_margin_fraction(vec2(0.05, 0.08))
            .label_formatter(move |at| match at {
                egui_plot::HoverPosition::NearDataPoint { position, .. } => {
                    Some(format!("{}: {}\n{}: {}", labels.0, written(position.x), labels.1, written(position.y)))
                }
                egui_plot::HoverPosition::Elsewhere { .. } => None,
            });
        if self.resets {
            plot = plot.reset();
        }
        plot.show(ui, |plot| {
            zoom(plot, [true, true]);
            let ends = [places.first(), places.last()].map(|place| place.copied());
            plot.line(Line::new("", PlotPoints::from(places)).color(colour).width(1.2));
            let [first, last] = ends.map(|place| place.map(|place| PlotPoints::from(vec![place])));
            if let Some(first) = first {
                plot.points(Points::new("begin", first).radius(4.0).color(colour).filled(false));
            }
            if let Some(last) = last {
                plot.points(Points::new("now", last).radius(4.0).color(colour));
            }
        });
    }
}

/// Shows a list of all measures, from which the user chooses one. `label`: the text beside the list.
fn choose(ui: &mut Ui, label: &str, chosen: &mut String, history: &MeasureHistory) {
    let name = ui.label(label).id;
    let list = ComboBox::from_id_salt(label).selected_text(title(chosen)).show_ui(ui, |ui| {
        for (_, measure) in history.measures() {
            ui.selectable_value(chosen, measure.to_owned(), title(measure));
        }
    });
    list.response.labelled_by(name);
}

/// The curve of a measure over the steps.
struct MeasureCurve<'a> {
    history: &'a MeasureHistory,
    measure: usize,
    colour: Color32,
    /// The step at the mouse; `None`: the mouse is elsewhere.
    step: Option<f64>,
}

impl MeasureCurve<'_> {
    /// The first and last step of the bin nearest to the mouse, with the mean, the minimum and the maximum of the
    /// measure in the bin.
    fn under_mouse(&self) -> Option<([u64; 2], [f64; 3])> {
        let step = self.step?;
        let known = self.history.bins().iter().filter_map(|bin| Some((bin, bin.values(self.measure)?)));
        let nearest = known.min_by(|(one, _), (other, _)| {
            let away = |bin: &super::history::Bin| (bin.step() - step).abs();
            away(one).total_cmp(&away(other))
        });
        nearest.map(|(bin, values)| (bin.steps, values))
    }

    /// Shows the name and the unit of the measure, with the value at the mouse or else the last value.
    fn head(&self, ui: &mut Ui, name: &str, height: f32) {
        let text = match (self.under_mouse(), self.history.last(self.measure)) {
            (Some(([first, last], [mean, least, greatest])), _) if first < last => {
                let [mean, least, greatest] = [mean, least, greatest].map(written);
                format!("steps {first} to {last}: {mean} ({least} to {greatest})")
            }
            (Some(([step, _], [mean, ..])), _) => format!("step {step}: {}", written(mean)),
            (None, Some(now)) => written(now),
            (None, None) => "–".into(),
        };
        let size = vec2(ui.available_width(), height);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(text).small().color(self.colour));
            let left = vec2(ui.available_width(), height);
            ui.allocate_ui_with_layout(left, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(left.x);
                ui.add(egui::Label::new(RichText::new(title(name)).small()).truncate().sense(Sense::empty()));
            });
        });
    }

    /// Draws the plot. Returns the step at the mouse; `None`: the mouse is elsewhere.
    fn show(&self, ui: &mut Ui, name: &str, height: f32, has_steps: bool, resets: bool) -> Option<f64> {
        let mut plot = empty_plot(ui, ("curve", name))
            .height(height)
            .show_axes([has_steps, true])
            .x_grid_spacer(|input| ticks(&input, TICKS[0], 1.0))
            .x_axis_formatter(|mark, _| match mark.value {
                step if step >= 0.0 && step.fract() == 0.0 => murmuration_core::text::readable::grouped(step as u64),
                _ => String::new(),
            })
            .show_x(false)
            .show_y(false)
            .link_axis(Id::unique("curves"), [true, false])
            .set_margin_fraction(vec2(0.01, 0.1))
            .label_formatter(|_| None);
        if has_steps {
            plot = plot.x_axis_label("step");
        }
        if resets {
            plot = plot.reset();
        }
        let shown = plot.show(ui, |plot| {
            zoom(plot, [true, false]);
            self.draw(plot);
            plot.pointer_coordinate().filter(|_| plot.response().hovered()).map(|place| place.x)
        });
        shown.inner
    }

    /// Draws the range of each bin, the curve of the means, and a mark at the step of the mouse.
    fn draw(&self, plot: &mut PlotUi<'_>) {
        let known = || self.history.bins().iter().filter_map(|bin| Some((bin.step(), bin.values(self.measure)?)));
        if self.history.is_thinned() {
            let steps: Vec<f64> = known().map(|(step, _)| step).collect();
            let [least, greatest] = [1, 2].map(|part| known().map(|(_, values)| values[part]).collect::<Vec<_>>());
            let span = FilledArea::new("span", &steps, &least, &greatest);
            plot.add(span.fill_color(self.colour.gamma_multiply(0.25)).allow_hover(false));
        }
        let means: PlotPoints<'_> = known().map(|(step, [mean, ..])| [step, mean]).collect();
        plot.line(Line::new("mean", means).color(self.colour).width(1.5).allow_hover(false));
        if let Some(([first, last], [mean, ..])) = self.under_mouse() {
            let step = (first as f64 + last as f64) / 2.0;
            plot.vline(VLine::new("", step).color(self.colour.gamma_multiply(0.5)).width(1.0).allow_hover(false));
            let place = PlotPoints::from(vec![[step, mean]]);
            plot.points(Points::new("", place).radius(3.0).color(self.colour).allow_hover(false));
        }
    }
}

/// A plot without curves. The mouse wheel is handled by [`zoom`].
fn empty_plot<'a>(ui: &Ui, name: impl std::hash::Hash + std::fmt::Debug) -> Plot<'a> {
    Plot::new(name)
        .y_axis_min_width(LABELS)
        .y_grid_spacer(|input| ticks(&input, TICKS[1], 0.0))
        .y_axis_formatter(|mark, _| short(mark.value, mark.step_size))
        .grid_color(ui.visuals().text_color().gamma_multiply(0.22))
        .grid_spacing(Rangef::new(GRID as f32, TICKS[1] as f32))
        .show_background(false)
        .allow_scroll(false)
        .allow_zoom(false)
}

/// The ticks of an axis at multiples of 1, 2 or 5 times a power of ten. The distance of ticks is at least `pixels`
/// logical pixels, and at least `least` in the unit of the axis.
fn ticks(input: &GridInput, pixels: f64, least: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let apart = (input.base_step_size / GRID * pixels).max(least);
    let power = 10f64.powf(apart.log10().floor());
    let step_size = [1.0, 2.0, 5.0].map(|times| times * power).into_iter().find(|step| *step >= apart);
    let step_size = step_size.unwrap_or(10.0 * power);
    let first = (low / step_size).ceil() as i64;
    let count = ((high / step_size).floor() as i64).saturating_sub(first).clamp(-1, 200);
    (0..=count).map(|index| GridMark { value: (first + index) as f64 * step_size, step_size }).collect()
}

/// Zooms around the place of the mouse by the mouse wheel. `axes`: whether the horizontal and the vertical axis are
/// zoomed.
fn zoom(plot: &mut PlotUi<'_>, axes: [bool; 2]) {
    if !plot.response().hovered() {
        return;
    }
    let notches = plot.ctx().input(|input| input.smooth_scroll_delta().y);
    if notches != 0.0 {
        let factor = (notches / 200.0).exp();
        let [x, y] = axes.map(|is_zoomed| if is_zoomed { factor } else { 1.0 });
        plot.zoom_bounds_around_hovered(vec2(x, y));
    }
}

/// The label of a tick at `value`. `step`: the distance of ticks.
fn short(value: f64, step: f64) -> String {
    if value.abs() >= 1e5 {
        return murmuration_core::text::readable::short(value);
    }
    let decimals = (-step.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_far_enough_apart() {
        let values = |low: f64, high: f64, pixels: f64, least: f64| {
            let base_step_size = (high - low) / pixels * GRID;
            let marks = ticks(&GridInput { bounds: (low, high), base_step_size }, 40.0, least);
            marks.iter().map(|mark| mark.value).collect::<Vec<_>>()
        };
        assert_eq!(values(0.0, 1.0, 200.0, 0.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(values(-130.0, 90.0, 180.0, 1.0), [-100.0, -50.0, 0.0, 50.0]);
        assert_eq!(values(0.2, 2.9, 900.0, 1.0), [1.0, 2.0], "there are no parts of a step");
        for exponent in -9..9 {
            for part in 1..20 {
                let high = f64::from(part) / 7.0 * 10f64.powi(exponent);
                let count = values(0.0, high, 400.0, 0.0).len();
                assert!((4..=11).contains(&count), "{high}: {count}");
            }
        }
        assert_eq!([short(0.25, 0.05), short(1500.0, 500.0)], ["0.25", "1500"]);
    }
}
