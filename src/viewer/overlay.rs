//! The overlay on the swarm: the count, the hunter's ring, the jaws, the pulse of a catch, the brush, the hint, the
//! round, the divider between two models, and the legend.

use super::action::Tool;
use super::colour_bar::colour_bar;
use super::cursor::Cursor;
use super::frame_input::FrameInput;
use super::lives;
use super::ring::{Plane, bands};
use super::sides::{Arrangement, Model, Models, Side};
use super::theme::INK;
use crate::controller::round::{Round, RoundState, STEPS_A_SECOND};
use crate::controller::{SceneInfo, Snapshot};
use crate::observe::{Observation, PALETTE, encoded, heading_colour, light_of, name_of_values, palette, scale_colour};
use egui::{Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};
use glam::Vec2;
use murmuration_core::falcons::{Falcon, YIELDS};
use murmuration_core::look::{Colouring, Look};
use murmuration_core::numbers::BOID;
use murmuration_core::picture::{FALCON_SIZE, flight_limits, outlines_from_above};
use murmuration_core::simulation::{Account, RunIn};
use murmuration_core::state::{Entry, boids};
use murmuration_core::text::readable::{grouped, short, signed_boids};
use murmuration_core::world::{Hunter, HunterKind, Mood, PARTS};
use murmuration_gpu::look::ViewTransform;
use std::f32::consts::TAU;
use std::time::Duration;
use web_time::Instant;

/// The duration of the hint, and the duration of its fading.
const HINT: Duration = Duration::from_secs(7);
const HINT_FADES: Duration = Duration::from_millis(1600);
/// The duration of the pulse that a catch shows at the hunter.
const PULSE: Duration = Duration::from_millis(700);
/// The minimum time between two pulses.
const BETWEEN_PULSES: Duration = Duration::from_millis(160);
/// The size of the progress bar of a run-in, in logical pixels.
const PROGRESS: egui::Vec2 = vec2(220.0, 3.0);
/// In the last seconds of a round the clock has another colour.
const LAST_SECONDS: u64 = 10;

/// The size of a falcon relative to a boid of cells, and its minimum size in pixels of the window.
const FALCON: f32 = 2.2 * FALCON_SIZE;
const MIN_FALCON_SIZE: f32 = 14.0;

/// The height of the models' names above the counts, in logical pixels.
pub const NAMES: f32 = 20.0;

/// The colour wheel of the legend: the number of its corners, its radius and its breadth in logical pixels.
const CORNERS: u32 = 72;
const RADIUS: f32 = 21.0;
const BREADTH: f32 = 6.0;

const FLEE: Color32 = Color32::from_rgb(255, 196, 150);
const LURE: Color32 = Color32::from_rgb(140, 220, 255);
const CATCH: Color32 = Color32::from_rgb(255, 120, 110);
const BEST: Color32 = Color32::from_rgb(255, 206, 120);
const URGENT: Color32 = Color32::from_rgb(255, 140, 120);

#[derive(Default)]
pub struct Overlay {
    /// The time when the hint was first shown.
    opened: Option<Instant>,
    caught: u64,
    scene: u64,
    pulses: Vec<Instant>,
}

impl Overlay {
    /// Takes over a new snapshot. If more boids are caught than before, a pulse begins.
    pub fn update(&mut self, snapshot: &Snapshot) {
        let caught = snapshot.account.ledger.sum(Entry::Caught);
        let is_new = self.pulses.last().is_none_or(|last| last.elapsed() > BETWEEN_PULSES);
        if snapshot.scene == self.scene && caught > self.caught && is_new {
            self.pulses.push(Instant::now());
        }
        (self.caught, self.scene) = (caught, snapshot.scene);
    }

    /// Draws the count of a swarm, with a line of text below.
    pub fn count(&self, painter: &Painter, area: Rect, input: &FrameInput<'_>, account: &Account) {
        let snapshot = input.snapshot;
        let mut line = format!(
            "step {}  ·  {:.0} steps/s  ·  {} frames/s  ·  {}",
            grouped(snapshot.step),
            snapshot.steps_a_second,
            input.frames_a_second,
            snapshot.info.engine
        );
        if let Some(replay) = &snapshot.replay {
            let steps = grouped(replay.steps);
            let of = grouped(replay.of);
            line = format!("a hunt is watched: {steps} of {of} steps  ·  Enter takes it over");
        } else if let Some(RunIn { played, steps }) = snapshot.run_in {
            line = format!("run-in {} of {}  ·  {}", grouped(played), grouped(steps), snapshot.info.engine);
        } else if input.is_paused {
            line = format!("paused  ·  step {}  ·  {}", grouped(snapshot.step), snapshot.info.engine);
        }
        if let Some(cells) = snapshot.travelled {
            line += &format!("  ·  {} cells from its start", grouped(cells as u64));
        }
        for entry in [Entry::Spawned, Entry::Born, Entry::Caught, Entry::Eaten, Entry::Starved] {
            let quanta = account.ledger.sum(entry);
            if quanta > 0 {
                line += &format!("  ·  {} {}", entry.row().name, grouped(quanta / u64::from(BOID)));
            }
        }
        let below = tally(painter, area, account, &line).left_bottom() + vec2(0.0, 6.0);
        if let Some(RunIn { played, steps }) = snapshot.run_in {
            let bar = |length: f32, ink: Color32| {
                painter.rect_filled(Rect::from_min_size(below, vec2(length * PROGRESS.x, PROGRESS.y)), 2.0, ink);
            };
            bar(1.0, INK.gamma_multiply(0.2));
            bar(played as f32 / steps as f32, INK.gamma_multiply(0.85));
        }
    }

    /// Draws the cursor in every part of the window. `cursor` is in pixels of the window.
    pub fn cursors(&mut self, painter: &Painter, cursor: &Cursor, arrangement: &Arrangement, snapshot: &Snapshot) {
        if arrangement.is_sideways {
            return;
        }
        let (mut located, pointed) = cursor.locate(arrangement);
        // The reach in cells is equal in all parts.
        located.in_cells = Some(located.visible(&pointed));
        for side in arrangement.sides() {
            let at = located.at.map(|at| pointed.pixel_on(at, &side));
            self.cursor(painter, &located.moved_to(at), &side, snapshot);
        }
        self.pulses.retain(|pulse| pulse.elapsed() < PULSE);
        if !self.pulses.is_empty() {
            painter.ctx().request_repaint();
        }
    }

    /// Draws the cursor on one part of the window, and the hunters of a replay and of the preset. `cursor` is in pixels
    /// of the side's picture from above.
    fn cursor(&self, painter: &Painter, cursor: &Cursor, side: &Side, snapshot: &Snapshot) {
        let camera = &side.camera();
        let size = side.pane.size;
        let plane = Plane::new(painter, side);
        let world = &snapshot.info.world;
        let hunts = cursor.pointer(side, world).is_some();
        let replayed = snapshot.replay.and_then(|replay| replay.pointer);
        let replayed = replayed.map(|(pointer, jaws)| {
            let kind = HunterKind::Player;
            let place = pointer.place.to_vector();
            (Hunter { kind, mood: pointer.mood, reach: pointer.reach, jaws }, place)
        });
        let is_hunted_by_player = hunts || replayed.is_some();
        let is_alone = is_hunted_by_player && !world.hunters.iter().any(|hunter| hunter.kind == HunterKind::Player);
        let walking = world.hunters.iter().filter(|_| !is_alone);
        let walking = walking.filter_map(|hunter| Some((hunter.clone(), hunter.place(snapshot.step)?)));
        falcons_from_above(&plane, side, snapshot);
        // A picture from around contains the falcons already.
        let falcons = world
            .hunters
            .iter()
            .filter(|hunter| hunter.flight().is_some() && matches!(side.transform, ViewTransform::Above(_)));
        let falcons = falcons.zip(Falcon::all_of(&snapshot.columns).iter());
        // The swarm does not feel a falcon that yields.
        let flying = falcons.map(|(hunter, falcon)| {
            let reach = if falcon.phase == YIELDS { 0 } else { hunter.reach };
            (Hunter { reach, jaws: if reach > 0 { hunter.jaws } else { 0 }, ..hunter.clone() }, falcon.place)
        });
        for (hunter, [x, y, _]) in replayed.into_iter().chain(walking).chain(flying) {
            let at =
                camera.pixel_at(size, camera.nearest_copy(Vec2::new(x as f32, y as f32) / PARTS as f32 + 0.5, world));
            let colour = if hunter.mood == Mood::Follow { LURE } else { FLEE };
            plane.reach(at, hunter.reach as f32 * camera.pixels_per_cell, colour.gamma_multiply(0.6), 0.5);
            if hunter.jaws > 0 {
                plane.ring(
                    at,
                    hunter.jaws as f32 * camera.pixels_per_cell,
                    Stroke::new(1.6, CATCH.gamma_multiply(0.9)),
                );
            }
        }
        let Some(at) = cursor.at else { return };
        if hunts {
            let [reach, jaws] = [cursor.reach(side), cursor.jaws(side)];
            self.hunter(&plane, cursor, at, [reach, jaws].map(|cells| cells as f32 * camera.pixels_per_cell));
        } else if !matches!(cursor.tool, Tool::Hunter | Tool::Probe) {
            brush(&plane, cursor, at, (cursor.brush(side) as f32 + 0.5) * camera.pixels_per_cell);
        }
    }

    /// Draws the user's hunter with its reach, its jaws and the pulses of catches. `at`, `reach` and `jaws` are in
    /// pixels of the picture from above.
    fn hunter(&self, plane: &Plane<'_>, cursor: &Cursor, at: Vec2, [reach, jaws]: [f32; 2]) {
        let context = plane.painter().ctx();
        let smooth = |id: &str, value: f32| context.animate_value_with_time(egui::Id::unique(id), value, 0.12);
        let reach = smooth("reach", reach);
        let strength = smooth("strength", if cursor.left || cursor.right { 1.0 } else { 0.0 });
        let colour = if cursor.right { LURE } else { FLEE };
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

    /// Draws the hint, which is shown in the first seconds.
    pub fn hint(&mut self, painter: &Painter, area: Rect) {
        let open = self.opened.get_or_insert_with(Instant::now).elapsed();
        if open > HINT + HINT_FADES {
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

/// Draws the falcons on a part of the window that shows the world from above. A picture with strokes contains its
/// falcons already.
fn falcons_from_above(plane: &Plane<'_>, side: &Side, snapshot: &Snapshot) {
    let (camera, world, look) = (side.camera(), &snapshot.info.world, &snapshot.info.look);
    let has_strokes = side.model == Model::Main && snapshot.individuals.is_none() && look.draws_points(world.extents);
    if has_strokes || !matches!(side.transform, ViewTransform::Above(_)) {
        return;
    }
    let size = (FALCON * camera.pixels_per_cell).max(MIN_FALCON_SIZE);
    for (falcon, limits) in Falcon::all_of(&snapshot.columns).iter().zip(flight_limits(world)) {
        let [x, y, _] = falcon.place.map(|axis| axis as f32 / PARTS as f32 + 0.5);
        let at = camera.pixel_at(side.pane.size, camera.nearest_copy(Vec2::new(x, y), world));
        for outline in outlines_from_above(falcon, limits) {
            plane.polygon(outline.into_iter().map(|corner| at + size * Vec2::from(corner)), FLEE);
        }
    }
}

/// Draws a brush with its name. `at` and `radius` are in pixels of the picture from above.
fn brush(plane: &Plane<'_>, cursor: &Cursor, at: Vec2, radius: f32) {
    let painter = plane.painter();
    plane.ring(at, radius, Stroke::new(1.4, INK.gamma_multiply(0.85)));
    plane.disc(at, radius, INK.gamma_multiply(if cursor.left { 0.10 } else { 0.04 }));
    let name = format!("{:?}", cursor.tool).to_lowercase();
    let pixels_per_point = painter.ctx().pixels_per_point();
    if let Some(below) = plane.at(at + (radius + 6.0 * pixels_per_point) * Vec2::Y) {
        painter.text(below, Align2::CENTER_TOP, name, FontId::proportional(12.0), INK.gamma_multiply(0.8));
    }
}

/// Draws the clock and the score at the top of `area`, and the result in its middle.
pub fn round(round: &Round, painter: &Painter, area: Rect) {
    let line = |at: Pos2, words: &str, size: f32, ink: Color32| {
        text(painter, at, Align2::CENTER_TOP, words, size, ink).center_bottom() + vec2(0.0, 4.0)
    };
    match round.state {
        Some(RoundState::Running { left, score, .. }) => {
            let seconds = left.div_ceil(STEPS_A_SECOND);
            let ink = if seconds <= LAST_SECONDS { URGENT } else { INK };
            let top = pos2(area.center().x, area.top() + if area.width() < 900.0 { 74.0 } else { 18.0 });
            let clock = format!("{}:{:02}", seconds / 60, seconds % 60);
            let below = line(top, &clock, 34.0, ink);
            let best = round.best.map_or(String::new(), |best| format!("  ·  best {}", grouped(best)));
            line(below, &format!("{} caught{best}", grouped(score)), 15.0, INK.gamma_multiply(0.8));
        }
        Some(RoundState::Over { score, best }) => {
            let middle = area.center() - vec2(0.0, 60.0);
            let card = Rect::from_center_size(middle + vec2(0.0, 56.0), vec2(430.0, 178.0));
            painter.rect_filled(card, 16.0, Color32::from_rgb(5, 8, 16).gamma_multiply(0.82));
            painter.rect_stroke(card, 16.0, Stroke::new(1.0, INK.gamma_multiply(0.15)), egui::StrokeKind::Inside);
            let below = line(middle, &format!("{} boids", grouped(score)), 40.0, INK);
            let (result, ink) = match best {
                Some(best) if score <= best => (format!("the best so far are {}", grouped(best)), INK),
                Some(best) => (format!("a new best: it was {}", grouped(best)), BEST),
                None => ("caught in a minute".into(), INK),
            };
            let below = line(below + vec2(0.0, 6.0), &result, 17.0, ink.gamma_multiply(0.9));
            let keys = "g  another round   ·   w  watch it again   ·   space  go on";
            line(below + vec2(0.0, 12.0), keys, 13.0, INK.gamma_multiply(0.65));
        }
        _ => {}
    }
}

/// Draws a count at the upper left of `area`, with a line of text below. Returns the rectangle of that line.
pub fn tally(painter: &Painter, area: Rect, account: &Account, line: &str) -> Rect {
    let left = area.left_top() + vec2(24.0, 18.0);
    let large = if area.width() < 760.0 { 25.0 } else { 31.0 };
    let boids = grouped(account.quanta / u64::from(BOID));
    let lost = signed_boids(account.lost);
    let ink = INK.gamma_multiply(0.92);
    let of_lost = if account.lost == 0 { INK.gamma_multiply(0.92) } else { CATCH };
    let after = text(painter, left, Align2::LEFT_TOP, &format!("{boids} boids"), large, ink);
    let at = pos2(after.right(), left.y);
    let words = format!(" · lost {lost}");
    let after = text(painter, at, Align2::LEFT_TOP, &words, large, of_lost.gamma_multiply(0.72));
    let below = pos2(left.x + 1.0, after.bottom() + 3.0);
    text(painter, below, Align2::LEFT_TOP, line, 12.5, INK.gamma_multiply(0.62))
}

/// Draws text with a soft shadow, so that it is legible over any swarm.
pub fn text(painter: &Painter, at: Pos2, align: Align2, words: &str, size: f32, ink: Color32) -> Rect {
    let font = FontId::proportional(size);
    let shadow = Color32::from_rgb(3, 5, 12).gamma_multiply(0.5);
    let around = [vec2(0.0, 1.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)];
    // Small letters have a lighter shadow.
    for offset in &around[..if size < 20.0 { 2 } else { 5 }] {
        painter.text(at + *offset, align, words, font.clone(), shadow);
    }
    painter.text(at, align, words, font, ink)
}

/// Draws the divider with the names of the models, and the count of the individuals.
pub fn divider(ui: &Ui, painter: &Painter, area: Rect, input: &FrameInput<'_>, cursor: &Cursor) {
    let FrameInput { snapshot, arrangement, .. } = input;
    let (Models::Both, Some(other)) = (arrangement.models, &snapshot.compared) else { return };
    let pixels_per_point = painter.ctx().pixels_per_point();
    let is_held = input.is_dividing || cursor.at.is_some_and(|at| arrangement.is_on_divider(at));
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let x = arrangement.divided_at() as f32 / pixels_per_point;
    let strength = ui.ctx().animate_bool_with_time(egui::Id::unique("divider"), is_held, 0.12);
    let ink = INK.gamma_multiply(0.22 + 0.5 * strength);
    painter.vline(x, area.y_range(), Stroke::new(1.0 + strength, ink));
    // The grip.
    let grip = Rect::from_center_size(pos2(x, area.center().y), vec2(4.0 + strength, 34.0));
    painter.rect_filled(grip, 3.0, INK.gamma_multiply(0.4 + 0.4 * strength));
    for side in arrangement.sides() {
        let part = side.within(area, pixels_per_point);
        let is_main = side.model == Model::Main;
        let name = if is_main { "cells" } else { "individuals" };
        let at = part.left_top() + vec2(25.0, 14.0);
        let painter = painter.with_clip_rect(part);
        text(&painter, at, Align2::LEFT_TOP, name, 15.0, INK.gamma_multiply(0.85));
        if !is_main {
            let mut line = format!("{:.2} ms a step", other.milliseconds[1]);
            let caught = other.account.ledger.sum(Entry::Caught) / u64::from(BOID);
            if caught > 0 {
                line += &format!("  ·  caught {}", grouped(caught));
            }
            tally(&painter, part.translate(vec2(0.0, NAMES)), &other.account, &line);
        }
    }
}

/// Draws the legend into the lower left corner of `area`.
pub fn legend(painter: &Painter, area: Rect, look: &Look, metrics: &Observation) {
    match look.colour {
        Colouring::Heading => wheel(painter, area.left_bottom() + vec2(44.0, -44.0), look),
        Colouring::Speed => colour_bar(painter, area, light(look), ["at rest", "1 cell/step"]),
        Colouring::Density => colour_bar(painter, area, light(look), ["thin", "crowded"]),
        Colouring::Mood => lives::legend(painter, area, metrics.features.lives.as_ref().map(|measured| &measured.all)),
        // The legend of several species is drawn elsewhere.
        Colouring::Species => {}
    }
}

/// Draws the scale of a plane of values into the lower left corner of `area`, with its title above.
pub fn scale(painter: &Painter, area: Rect, info: &SceneInfo, top: u64) {
    colour_bar(painter, area, scale_colour, ["0", &short(boids(top))]);
    let at = pos2(area.left() + 24.0, area.bottom() - 34.0);
    let text = name_of_values(info.world.extents, &info.look);
    painter.text(at, Align2::LEFT_BOTTOM, text, FontId::proportional(11.0), INK.gamma_multiply(0.85));
}

/// A function from a position in the palette of a look (0 to 1) to the colour there, at constant brightness.
fn light(look: &Look) -> impl Fn(f32) -> [u8; 3] {
    let colours = palette(look);
    move |part| {
        let colour = colours[(part * (PALETTE - 1) as f32) as usize];
        encoded(colour.map(|channel| 2.0 * light_of(1.0) * channel))
    }
}

/// Draws the colour wheel. A boid has the colour that lies in the direction of its heading.
fn wheel(painter: &Painter, at: Pos2, look: &Look) {
    let corner = |corner: u32, (far, part): (f32, f32)| {
        let out = egui::Vec2::angled(TAU * corner as f32 / CORNERS as f32);
        let [red, green, blue] = heading_colour(look, [out.x, out.y]);
        (at + (RADIUS - BREADTH + far) * out, Color32::from_rgb(red, green, blue).gamma_multiply(0.85 * part))
    };
    // Both edges are transparent, so that the ring is smooth.
    let lines = [(0.0, 0.0), (1.0, 1.0), (BREADTH - 1.0, 1.0), (BREADTH, 0.0)];
    painter.add(bands(&lines.map(|line| (0..CORNERS).map(|index| corner(index, line)).collect())));
}
