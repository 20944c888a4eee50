//! The overlay on the swarm: the count, the hunter's ring, the jaws, the pulse of a catch, the brush and the hint.

use super::hand::Hand;
use super::keys::Tool;
use super::ring::Plane;
use super::sides::{Arrangement, Side};
use super::style::INK;
use crate::controller::Snapshot;
use crate::numbers::BOID;
use crate::readable::{grouped, signed_boids};
use crate::simulation::Account;
use crate::world::{Mood, PARTS};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, pos2, vec2};
use glam::{IVec2, Vec2};
use std::time::{Duration, Instant};

/// How long the hint is shown, and how long it fades.
const HINT: Duration = Duration::from_secs(7);
const HINT_FADES: Duration = Duration::from_millis(1600);
/// How long a pulse lasts.
const PULSE: Duration = Duration::from_millis(700);
/// The shortest time between two pulses.
const BETWEEN_PULSES: Duration = Duration::from_millis(160);

const FLEE: Color32 = Color32::from_rgb(255, 196, 150);
const LURE: Color32 = Color32::from_rgb(140, 220, 255);
const CATCH: Color32 = Color32::from_rgb(255, 120, 110);

/// What the line under the count says about the window.
pub struct Rates {
    pub frames_a_second: usize,
    pub is_paused: bool,
}

/// The state of the overlay between frames.
pub struct Overlay {
    opened: Instant,
    is_hint_over: bool,
    caught: u64,
    scene: u64,
    pulses: Vec<Instant>,
}

impl Overlay {
    pub fn new() -> Self {
        Self { opened: Instant::now(), is_hint_over: false, caught: 0, scene: 0, pulses: Vec::new() }
    }

    /// Follows a new snapshot.
    pub fn update(&mut self, snapshot: &Snapshot) {
        let caught = snapshot.account.ledger.caught;
        let is_new = self.pulses.last().is_none_or(|last| last.elapsed() > BETWEEN_PULSES);
        if snapshot.scene == self.scene && caught > self.caught && is_new {
            self.pulses.push(Instant::now());
        }
        (self.caught, self.scene) = (caught, snapshot.scene);
    }

    /// Draws the count of a swarm with the line under it.
    pub fn count(&self, painter: &Painter, area: Rect, snapshot: &Snapshot, account: &Account, rates: &Rates) {
        let mut line = format!(
            "step {}  ·  {:.0} steps/s  ·  {} frames/s  ·  {}",
            grouped(snapshot.step),
            snapshot.steps_a_second,
            rates.frames_a_second,
            snapshot.facts.engine
        );
        if let Some(replay) = &snapshot.replay {
            let (steps, of) = (grouped(replay.steps), grouped(replay.of));
            line = format!("a hunt is watched: {steps} of {of} steps  ·  Enter takes it over");
        } else if rates.is_paused {
            line = format!("paused  ·  step {}  ·  {}", grouped(snapshot.step), snapshot.facts.engine);
        }
        if account.ledger.caught > 0 {
            line += &format!("  ·  caught {}", grouped(account.ledger.caught / u64::from(BOID)));
        }
        if account.ledger.spawned > 0 {
            line += &format!("  ·  spawned {}", grouped(account.ledger.spawned / u64::from(BOID)));
        }
        tally(painter, area, account, &line);
    }

    /// Draws the hand in every part of the window. `hand` is at a pixel of the window.
    pub fn hands(&mut self, painter: &Painter, hand: &Hand, arrangement: &Arrangement, snapshot: &Snapshot) {
        let (mut held, pointed) = arrangement.hold(hand);
        // The reach is the same in parts of different size.
        held.in_cells = Some(held.visible(&pointed.camera(), pointed.pane.size));
        for side in arrangement.sides() {
            let at = held.at.map(|at| pointed.pixel_on(at, &side));
            self.hand(painter, &held.moved_to(at), &side, snapshot);
        }
        self.pulses.retain(|pulse| pulse.elapsed() < PULSE);
        if !self.pulses.is_empty() {
            painter.ctx().request_repaint();
        }
    }

    /// Draws the hand on one part of the window, and the hunter of a replay or of the preset. `hand` is at a pixel of the
    /// side's picture from above.
    fn hand(&self, painter: &Painter, hand: &Hand, side: &Side, snapshot: &Snapshot) {
        let (camera, size) = (&side.camera(), side.pane.size);
        let plane = Plane::new(painter, side);
        let world = &snapshot.facts.world;
        let hunts = hand.pointer(camera, size, world).is_some();
        let replayed = snapshot.replay.and_then(|replay| replay.pointer);
        let other = match (replayed, &world.hunter) {
            (Some((pointer, jaws)), _) => Some((pointer.place, pointer.reach, pointer.mood, jaws)),
            (None, Some(hunter)) if !hunts => Some((hunter.place(snapshot.step), hunter.reach, hunter.mood, 0)),
            _ => None,
        };
        if let Some((place, reach, mood, jaws)) = other {
            let cell = IVec2::from(place).as_vec2() / PARTS as f32 + 0.5;
            let at = camera.pixel_at(size, camera.nearest_copy(cell, world));
            let colour = if mood == Mood::Follow { LURE } else { FLEE };
            plane.reach(at, reach as f32 * camera.pixels_per_cell, colour.gamma_multiply(0.6), 0.5);
            if jaws > 0 {
                plane.ring(at, jaws as f32 * camera.pixels_per_cell, Stroke::new(1.6, CATCH.gamma_multiply(0.9)));
            }
        }
        let Some(at) = hand.at else { return };
        if hunts {
            let [reach, jaws] = [hand.reach(camera, size), hand.jaws(camera, size)];
            self.hunter(&plane, hand, at, [reach, jaws].map(|cells| cells as f32 * camera.pixels_per_cell));
        } else if !matches!(hand.tool, Tool::Hunter | Tool::Probe) {
            brush(&plane, hand, at, (hand.brush(camera, size) as f32 + 0.5) * camera.pixels_per_cell);
        }
    }

    /// Draws the person's hunter with its reach, its jaws and the pulses of its catches. Lengths are in pixels.
    fn hunter(&self, plane: &Plane<'_>, hand: &Hand, at: Vec2, [reach, jaws]: [f32; 2]) {
        let context = plane.painter().ctx();
        let smooth = |id: &str, value: f32| context.animate_value_with_time(egui::Id::unique(id), value, 0.12);
        let reach = smooth("reach", reach);
        let strength = smooth("strength", if hand.left || hand.right { 1.0 } else { 0.0 });
        let colour = if hand.right { LURE } else { FLEE };
        plane.reach(at, reach, colour, 0.55 + 0.45 * strength);
        if jaws > 0.0 {
            plane.ring(at, jaws, Stroke::new(1.6, CATCH.gamma_multiply(0.9)));
            for pulse in &self.pulses {
                let part = pulse.elapsed().as_secs_f32() / PULSE.as_secs_f32();
                let fade = (1.0 - part) * (1.0 - part);
                let radius = jaws + part.sqrt() * (reach - jaws).min(jaws * 3.0);
                plane.disc(at, radius, CATCH.gamma_multiply(0.10 * fade));
                plane.ring(at, radius, Stroke::new(1.2 + 1.6 * fade, CATCH.gamma_multiply(0.6 * fade)));
            }
        } else if let Some(at) = plane.at(at) {
            plane.painter().circle_filled(at, 2.0, colour.gamma_multiply(0.9));
        }
    }

    /// Draws the hint of the first seconds.
    pub fn hint(&mut self, painter: &Painter, area: Rect) {
        if self.is_hint_over {
            return;
        }
        let open = self.opened.elapsed();
        if open > HINT + HINT_FADES {
            self.is_hint_over = true;
            return;
        }
        let fade = 1.0 - open.saturating_sub(HINT).as_secs_f32() / HINT_FADES.as_secs_f32();
        let rise = (open.as_secs_f32() / 0.8).min(1.0);
        let words = "move to scatter  ·  hold to hunt  ·  right button to lure  ·  ? for keys";
        let font = FontId::proportional(if area.width() < 700.0 { 14.0 } else { 16.0 });
        let ink = INK.gamma_multiply(0.85 * fade * rise);
        let galley = painter.layout_no_wrap(words.into(), font, ink);
        let at = pos2(area.center().x - galley.size().x / 2.0, area.bottom() - 54.0);
        let around = Rect::from_min_size(at, galley.size()).expand2(vec2(18.0, 9.0));
        painter.rect_filled(around, 12.0, Color32::from_rgb(5, 8, 16).gamma_multiply(0.55 * fade * rise));
        painter.galley(at, galley, ink);
        if open < HINT && rise >= 1.0 {
            painter.ctx().request_repaint_after(HINT - open);
        } else {
            painter.ctx().request_repaint();
        }
    }
}

/// Draws a brush with its radius in pixels, and its name.
fn brush(plane: &Plane<'_>, hand: &Hand, at: Vec2, radius: f32) {
    let painter = plane.painter();
    plane.ring(at, radius, Stroke::new(1.4, INK.gamma_multiply(0.85)));
    plane.disc(at, radius, INK.gamma_multiply(if hand.left { 0.10 } else { 0.04 }));
    let name = match hand.tool {
        Tool::Spawn => "spawn",
        Tool::Lift => "lift",
        Tool::Solid => "solid",
        Tool::Erase => "erase",
        Tool::Hunter | Tool::Probe => "",
    };
    let points = painter.ctx().pixels_per_point();
    if let Some(below) = plane.at(at + (radius + 6.0 * points) * Vec2::Y) {
        painter.text(below, Align2::CENTER_TOP, name, FontId::proportional(12.0), INK.gamma_multiply(0.8));
    }
}

/// Draws a count at the upper left of `area`, with a line under it.
pub fn tally(painter: &Painter, area: Rect, account: &Account, line: &str) {
    let left = area.left_top() + vec2(24.0, 18.0);
    let large = FontId::proportional(if area.width() < 760.0 { 25.0 } else { 31.0 });
    let boids = grouped(account.quanta / u64::from(BOID));
    let lost = signed_boids(account.lost);
    let ink = if account.lost == 0 { INK.gamma_multiply(0.92) } else { CATCH };
    let after = text(painter, left, &format!("{boids} boids"), large.clone(), INK.gamma_multiply(0.92));
    let after = text(painter, pos2(after.right(), left.y), &format!(" · lost {lost}"), large, ink.gamma_multiply(0.72));
    let below = pos2(left.x + 1.0, after.bottom() + 3.0);
    text(painter, below, line, FontId::proportional(12.5), INK.gamma_multiply(0.62));
}

/// Draws text with a soft shadow, so that it can be read over any swarm.
pub fn text(painter: &Painter, at: Pos2, words: &str, font: FontId, ink: Color32) -> Rect {
    let shadow = Color32::from_rgb(3, 5, 12).gamma_multiply(0.5);
    let around = [vec2(0.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)];
    // Small letters have a lighter shadow.
    for offset in &around[..if font.size < 20.0 { 2 } else { 5 }] {
        painter.text(at + *offset, Align2::LEFT_TOP, words, font.clone(), shadow);
    }
    painter.text(at, Align2::LEFT_TOP, words, font, ink)
}
