//! The probe of the cell under the mouse: arrows over the swarm, and a card with their numbers and the perception of
//! each rule.

use super::sides::Side;
use super::theme::INK;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2, vec2};
use glam::IVec2;
use murmuration_core::numbers::{BOID, ONE, RULE_ONE, Vector3};
use murmuration_core::simulation::probe::{Probe, RuleOutput};
use murmuration_core::text::readable::grouped;
use murmuration_core::world::World;

/// The length of the arrow of a control vector of 1 cell a step, in logical pixels.
const ARROW: f32 = 70.0;
/// The length of the arrow of a rule's weighted vector of 1 cell a step, in logical pixels.
const TURN: f32 = 210.0;
/// The maximum length of an arrow, in logical pixels.
const MAX_LENGTH: f32 = 140.0;
pub const CARD: f32 = 262.0;
/// The size of the picture of a rule's perception, in logical pixels.
const PICTURE: f32 = 58.0;
pub const LINE: f32 = 15.0;

pub const OWN: Color32 = Color32::from_rgb(232, 238, 250);

/// The colour of a rule. Five built-in rules have fixed colours. Any other rule has one of two colours, by its `index`
/// in the list of rules.
fn colour(rule: &str, index: usize) -> Color32 {
    match rule {
        "cohesion" => Color32::from_rgb(120, 226, 160),
        "separation" => Color32::from_rgb(255, 128, 118),
        "alignment" => Color32::from_rgb(112, 176, 255),
        "hunter" => Color32::from_rgb(255, 196, 120),
        "walls" => Color32::from_rgb(186, 192, 206),
        _ => [Color32::from_rgb(214, 150, 255), Color32::from_rgb(120, 230, 236)][index % 2],
    }
}

/// Shows a probe in the world, and a card about it at the upper left of `area`.
pub fn show(painter: &Painter, area: Rect, probe: &Probe, side: &Side, world: &World) {
    in_world(painter, probe, side, world);
    card(painter, area, probe, world.extents.axes());
}

/// Draws the outline of the cell, its control vector, and the weighted vector of each rule.
fn in_world(painter: &Painter, probe: &Probe, side: &Side, world: &World) {
    let camera = side.camera();
    let pixels_per_point = painter.ctx().pixels_per_point();
    let middle = camera.nearest_copy(IVec2::new(probe.cell[0], probe.cell[1]).as_vec2() + 0.5, world);
    let Some(pixel) = side.in_window(camera.pixel_at(side.pane.size, middle)) else { return };
    let at = Pos2::from((pixel / pixels_per_point).to_array());
    let a_cell = camera.pixels_per_cell / pixels_per_point;
    let outline = Rect::from_center_size(at, Vec2::splat(a_cell.max(5.0)));
    painter.rect_stroke(outline, 1.0, Stroke::new(1.4, INK.gamma_multiply(0.9)), egui::StrokeKind::Outside);
    for (index, output) in probe.outputs.iter().enumerate() {
        arrow(painter, at, TURN * weighted(output), 2.0, colour(&output.rule, index));
    }
    arrow(painter, at, ARROW * vector(probe.control, ONE as f32), 2.6, OWN);
}

/// The weighted vector of a rule: its weight times its vector, in cells a step.
fn weighted(output: &RuleOutput) -> Vec2 {
    vector(output.vector, RULE_ONE as f32) * (output.weight as f32 / RULE_ONE as f32)
}

fn vector([x, y, _]: Vector3, one: f32) -> Vec2 {
    vec2(x as f32, y as f32) / one
}

pub fn arrow(painter: &Painter, from: Pos2, mut along: Vec2, breadth: f32, ink: Color32) {
    let length = along.length();
    if length < 2.0 {
        return;
    }
    along *= length.min(MAX_LENGTH) / length;
    let tip = from + along;
    let head = along.normalized() * 7.0f32.min(length);
    let side = head.rot90() * 0.55;
    let shadow = Color32::from_rgb(3, 5, 12).gamma_multiply(0.6);
    painter.line_segment([from, tip - head * 0.6], Stroke::new(breadth + 2.0, shadow));
    painter.line_segment([from, tip - head * 0.6], Stroke::new(breadth, ink));
    let corners = vec![tip, tip - head + side, tip - head - side];
    painter.add(egui::Shape::convex_polygon(corners, ink, Stroke::NONE));
}

fn card(painter: &Painter, area: Rect, probe: &Probe, axes: usize) {
    let rows = probe.outputs.iter().map(height).sum::<f32>();
    let at = area.left_top() + vec2(24.0, 84.0);
    let around = Rect::from_min_size(at, vec2(CARD, 12.0 + 3.0 * LINE + 10.0 + rows + 4.0));
    painter.rect_filled(around, 12.0, Color32::from_rgb(7, 10, 19).gamma_multiply(0.9));
    let left = at + vec2(14.0, 10.0);
    let cell: Vec<String> = probe.cell[..axes].iter().map(i32::to_string).collect();
    line(painter, left, &format!("cell {}", cell.join(", ")), INK);
    let boids = f64::from(probe.density) / f64::from(BOID);
    let density = match probe.capacity {
        0 => format!("D  {boids:.3} boids, in a solid"),
        _ => format!("D  {boids:.3} boids · {} quanta", grouped(u64::from(probe.density))),
    };
    line(painter, left + vec2(0.0, LINE), &density, INK.gamma_multiply(0.8));
    line(painter, left + vec2(0.0, 2.0 * LINE), &format!("V  {}", numbers(&probe.control[..axes], ONE)), OWN);
    let mut below = left + vec2(0.0, 3.0 * LINE + 8.0);
    for (index, output) in probe.outputs.iter().enumerate() {
        row(painter, below, output, colour(&output.rule, index), axes);
        below.y += height(output);
    }
}

fn height(output: &RuleOutput) -> f32 {
    if output.perceptions.is_empty() { 2.0 * LINE + 8.0 } else { PICTURE + 8.0 }
}

/// Draws a row of the card: the picture of a rule's perception, its name, its vector and its weight.
fn row(painter: &Painter, at: Pos2, output: &RuleOutput, ink: Color32, axes: usize) {
    let mut left = at;
    if !output.perceptions.is_empty() {
        picture(painter, Rect::from_min_size(at, Vec2::splat(PICTURE)), output, ink);
        left.x += PICTURE + 12.0;
    }
    line(painter, left, &output.rule, ink);
    line(painter, left + vec2(0.0, LINE), &numbers(&output.vector[..axes], RULE_ONE), INK.gamma_multiply(0.85));
    let weight = f64::from(output.weight) / f64::from(RULE_ONE);
    let mut told = format!("× {weight:.2}");
    if !output.perceptions.is_empty() {
        let sum: u64 = output.perceptions.iter().map(|seen| u64::from(seen.perceived)).sum();
        told += &format!("  ·  {} vectors, Σp {}", output.perceptions.len(), grouped(sum));
    }
    let third = if output.perceptions.is_empty() { vec2(118.0, 0.0) } else { vec2(0.0, 2.0 * LINE) };
    line(painter, left + third, &told, INK.gamma_multiply(0.6));
}

/// Draws the perceptual vectors as places around the cell. Strongly perceived places are brighter.
fn picture(painter: &Painter, around: Rect, output: &RuleOutput, ink: Color32) {
    painter.rect_filled(around, 4.0, Color32::from_rgb(14, 18, 31));
    let reach = |offset: Vector3| offset[0].abs().max(offset[1].abs());
    let farthest = output.perceptions.iter().map(|seen| reach(seen.offset)).max().unwrap_or(0).max(1);
    let most = output.perceptions.iter().map(|seen| seen.perceived).max().unwrap_or(0).max(1);
    let side = around.width() / (2 * farthest + 1) as f32;
    for seen in &output.perceptions {
        let light = 0.07 + 0.93 * (seen.perceived as f32 / most as f32).sqrt();
        let middle = around.center() + side * vec2(seen.offset[0] as f32, seen.offset[1] as f32);
        let place = Rect::from_center_size(middle, Vec2::splat((side - 0.4).max(0.8)));
        painter.rect_filled(place, 0.0, ink.gamma_multiply(0.75 * light));
    }
    // Only the direction is drawn. The length is in the text.
    let direction = vector(output.vector, 1.0).normalized();
    arrow(painter, around.center(), around.width() * 0.42 * direction, 1.8, Color32::WHITE);
}

pub fn numbers(vector: &[i32], one: i32) -> String {
    let along: Vec<f64> = vector.iter().map(|component| f64::from(*component) / f64::from(one)).collect();
    let length = along.iter().map(|component| component * component).sum::<f64>().sqrt();
    let along: Vec<String> = along.iter().map(|component| format!("{component:+.3}")).collect();
    format!("({})  |{length:.3}|", along.join(", "))
}

pub fn line(painter: &Painter, at: Pos2, words: &str, ink: Color32) {
    painter.text(at, Align2::LEFT_TOP, words, FontId::proportional(12.5), ink);
}
