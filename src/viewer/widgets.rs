//! Widgets of the panel: sections, buttons, labels, and the controls of settings.

use super::action::Action;
use super::settings::{Setting, Widget};
use egui::{Align, ComboBox, DragValue, Layout, RichText, Sense, Slider, SliderClamping, Ui, vec2};
use murmuration_core::preset::keys::Value;

/// A button that requests an action.
pub fn button(ui: &mut Ui, text: &str, meaning: &str, action: Action, actions: &mut Vec<Action>) {
    if ui.button(text).on_hover_text(meaning).clicked() {
        actions.push(action);
    }
}

pub fn section(ui: &mut Ui, title: &str, is_open: bool, contents: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).size(14.0)).id_salt(title).default_open(is_open).show_unindented(
        ui,
        |ui| {
            contents(ui);
            ui.add_space(6.0);
        },
    );
}

/// A label of fixed width at the left of a row.
pub fn label(ui: &mut Ui, text: &str) -> egui::Response {
    let size = vec2(76.0, 18.0);
    let add = |ui: &mut Ui| {
        ui.set_min_size(size);
        ui.add(egui::Label::new(text).truncate())
    };
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), add).inner
}

/// A button with a circular arrow. The fonts lack this sign.
pub fn reset(ui: &mut Ui, label: &str) -> egui::Response {
    let (place, response) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::click());
    let name = format!("reset {label}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let stroke = egui::Stroke::new(1.4, ui.style().interact(&response).fg_stroke.color);
    let place_on_ring = |part: f32, far: f32| {
        let angle = std::f32::consts::TAU * part;
        place.center() + far * vec2(angle.cos(), angle.sin())
    };
    // From the upper left clockwise to the left.
    let arc = (0..=20).map(|step| place_on_ring(0.62 + 0.78 * step as f32 / 20.0, 5.0)).collect();
    ui.painter().line(arc, stroke);
    let tip = place_on_ring(0.62, 5.0);
    ui.painter().line(vec![tip + vec2(0.5, -4.0), tip, tip + vec2(4.2, 0.5)], stroke);
    response
}

pub fn control(ui: &mut Ui, setting: &Setting<'_>, value: &mut Value, name: egui::Id) {
    match (setting.widget, value) {
        (Some(Widget::Choice(words)), Value::Word(word)) => {
            let width = ui.available_width() - 8.0;
            let chosen = ComboBox::from_id_salt(setting.key).selected_text(*word).width(width).show_ui(ui, |ui| {
                for choice in words {
                    ui.selectable_value(word, *choice, *choice);
                }
            });
            chosen.response.labelled_by(name);
        }
        (Some(Widget::Switch), Value::Switch(on)) => {
            ui.checkbox(on, "").labelled_by(name);
        }
        (Some(Widget::Slider { least, most, is_whole, is_logarithmic }), Value::Number(number)) => {
            let decimals = match number.abs() {
                _ if is_whole => 0,
                _ if is_logarithmic => 3,
                // The weights of a school are small.
                small if small > 0.0 && small < 0.1 => 6,
                _ => 4,
            };
            // A value is rounded only if it was moved.
            if slider(ui, number, [least, most], decimals, is_logarithmic, name) {
                *number = (*number * 1e6).round() / 1e6;
            }
            if !setting.row.unit.is_empty() {
                ui.label(RichText::new(setting.row.unit).small().weak());
            }
        }
        _ => {}
    }
}

/// A slider and a number. `name` labels both. Returns whether the value was changed.
pub fn slider(
    ui: &mut Ui,
    number: &mut f64,
    [least, most]: [f64; 2],
    decimals: usize,
    is_magnitude: bool,
    name: egui::Id,
) -> bool {
    ui.spacing_mut().slider_width = 68.0;
    // The preset's value may lie outside of the slider's range.
    let range = least.min(*number)..=most.max(*number);
    let mut moved = *number;
    let mut rail = Slider::new(&mut moved, range.clone())
        .logarithmic(is_magnitude)
        .max_decimals(decimals)
        .show_value(false)
        .clamping(SliderClamping::Always);
    if decimals == 0 {
        rail = rail.integer();
    }
    let is_moved = ui.add(rail).labelled_by(name).changed();
    let speed = if is_magnitude { (0.02 * *number).max(0.1f64.powi(decimals as i32)) } else { (most - least) / 400.0 };
    let written = DragValue::new(&mut moved).range(range).max_decimals(decimals).speed(speed);
    let is_changed = ui.add(written).labelled_by(name).changed() || is_moved;
    if is_changed {
        *number = moved;
    }
    is_changed
}
