//! The probe of an individual: its rays over the swarm, up to their hits, and a card with its numbers and its view
//! ahead.

use super::lives;
use super::probe::{CARD, LINE, OWN, arrow, line, numbers};
use super::sides::Side;
use super::theme::INK;
use crate::controller::Snapshot;
use egui::epaint::{PathShape, PathStroke};
use egui::{Color32, Painter, Pos2, Rect, Stroke, Vec2, vec2};
use glam::{IVec3, Vec3};
use murmuration_core::numbers::{ONE, Vector3};
use murmuration_core::simulation::probe::IndividualProbe;
use murmuration_core::terrain::avoidance::{RayTrace, TracedRay};
use murmuration_core::text::readable::grouped;
use murmuration_core::world::{PLACE_BITS, World};

/// The radii of the ring around the individual and of the mark at a hit, in logical pixels.
const RING: f32 = 11.0;
const HIT_MARK: f32 = 2.8;
/// The size of the picture of the view ahead, in logical pixels.
const PICTURE: f32 = 76.0;
/// The minimum angle between straight ahead and the border of this picture, in radians.
const MIN_ANGLE: f32 = 0.5;
/// The number of units in a cell: distances along rays are in 1/256 cell.
const ONE_CELL: f32 = 256.0;

const TAKEN: Color32 = Color32::from_rgb(110, 240, 160);
const FREE: Color32 = Color32::from_rgb(150, 176, 205);
const HIT: Color32 = Color32::from_rgb(255, 82, 88);
const SHADOW: Color32 = Color32::from_rgb(3, 5, 12);
const BACKGROUND: Color32 = Color32::from_rgb(7, 10, 19);

/// Shows an individual in the world, and a card about it at the upper left of `area`.
pub fn show(painter: &Painter, area: Rect, probe: &IndividualProbe, side: &Side, snapshot: &Snapshot) {
    let pane = side.within(painter.clip_rect(), painter.ctx().pixels_per_point());
    in_world(&painter.with_clip_rect(pane), probe, side, &snapshot.info.world);
    card(painter, area, probe, snapshot);
}

/// Draws a ring around the individual and its rays. The chosen ray is drawn above the rays that hit something.
fn in_world(painter: &Painter, probe: &IndividualProbe, side: &Side, world: &World) {
    let pixels_per_point = painter.ctx().pixels_per_point();
    let place = place_in(world, probe);
    let pixel = |offset: Vec3| {
        side.pixel_near(place, offset, world).map(|pixel| Pos2::from((pixel / pixels_per_point).to_array()))
    };
    let Some(at) = pixel(Vec3::ZERO) else { return };
    // If the end of a ray is behind the eye, a shorter part of the ray is drawn.
    let end = |way: Vector3, length: i32| {
        let whole = IVec3::from(way).as_vec3() / ONE as f32 * (length as f32 / ONE_CELL);
        [1.0, 0.5, 0.25, 0.125].into_iter().find_map(|part| pixel(whole * part))
    };
    if let Some(RayTrace { choice, rays }) = &probe.rays {
        let is_taken = |index: usize| choice.ray == Some(index as u32);
        for (_, ray) in rays.iter().enumerate().filter(|(index, _)| !is_taken(*index)) {
            let Some(to) = end(ray.way, ray.end.unwrap_or(probe.reach)) else { continue };
            match ray.end {
                Some(_) => {
                    beam(painter, [at, to], 3.6, [SHADOW.gamma_multiply(0.25), SHADOW.gamma_multiply(0.5)]);
                    beam(painter, [at, to], 1.8, [HIT.gamma_multiply(0.4), HIT]);
                    painter.circle_filled(to, HIT_MARK + 1.2, SHADOW.gamma_multiply(0.7));
                    painter.circle_filled(to, HIT_MARK, HIT);
                }
                None => beam(painter, [at, to], 1.4, [FREE.gamma_multiply(0.45), FREE.gamma_multiply(0.1)]),
            }
        }
        let length = choice.ray.and_then(|ray| rays.get(ray as usize)?.end).unwrap_or(probe.reach);
        if let Some(to) = end(choice.way, length) {
            beam(painter, [at, to], 5.0, [SHADOW.gamma_multiply(0.5), SHADOW.gamma_multiply(0.2)]);
            beam(painter, [at, to], 2.6, [TAKEN.gamma_multiply(0.6), TAKEN]);
            arrow(painter, to - (to - at).normalized() * 9.0, (to - at).normalized() * 9.0, 2.6, TAKEN);
        }
    }
    painter.circle_stroke(at, RING, Stroke::new(3.2, SHADOW.gamma_multiply(0.5)));
    painter.circle_stroke(at, RING, Stroke::new(1.5, OWN.gamma_multiply(0.9)));
}

/// The place of the individual in the window of the world, in cells. The window may have moved since the probe.
fn place_in(world: &World, probe: &IndividualProbe) -> Vec3 {
    let place = IVec3::from(probe.individual.place).as_vec3() / (1 << PLACE_BITS) as f32;
    let moved = |(then, now): ([i64; 3], [i64; 3])| [0, 1, 2].map(|axis| then[axis].saturating_sub(now[axis]) as f32);
    place + Vec3::from(probe.origin.zip(world.window.map(|window| window.origin)).map_or([0.0; 3], moved))
}

/// Draws a line whose colour changes from one end to the other.
fn beam(painter: &Painter, [from, to]: [Pos2; 2], breadth: f32, [first, last]: [Color32; 2]) {
    let length = (to - from).length().max(1.0);
    let colour = move |_: Rect, at: Pos2| first.lerp_to_gamma(last, ((at - from).length() / length).min(1.0));
    let stroke = PathStroke::new_uv(breadth, colour);
    painter.add(PathShape::line(vec![from, to], stroke));
}

fn card(painter: &Painter, area: Rect, probe: &IndividualProbe, Snapshot { info, origin_of_life, .. }: &Snapshot) {
    let axes = if info.depth > 1 { 3 } else { 2 };
    let life = probe.individual.life.and_then(|life| Some((life, info.features.rules_of(&life)?)));
    let mut lines = told(probe, axes);
    if let Some(name) = probe.individual.life.as_ref().and_then(|life| info.features.species_of(life)) {
        lines[0].0 += &format!("  ·  {name}");
    }
    lines.extend(origin_of_life.map(|origin| {
        let text = lives::age_text(&origin, probe.individual.number, probe.step);
        (text, INK.gamma_multiply(0.8))
    }));
    let at = area.left_top() + vec2(24.0, 84.0);
    let seen = probe.rays.as_ref().map_or(0.0, |_| PICTURE + 10.0);
    let lived = life.map_or(0.0, |_| lives::HEIGHT + 6.0);
    let height = 20.0 + LINE * lines.len() as f32 + lived + seen;
    painter.rect_filled(Rect::from_min_size(at, vec2(CARD, height)), 12.0, BACKGROUND.gamma_multiply(0.9));
    let mut left = at + vec2(14.0, 10.0);
    for (words, ink) in lines {
        line(painter, left, &words, ink);
        left.y += LINE;
    }
    if let Some((life, rules)) = life {
        lives::card(painter, left + vec2(0.0, 6.0), &life, &rules);
        left.y += lived;
    }
    if let Some(trace) = &probe.rays {
        let around = Rect::from_min_size(left + vec2(0.0, 6.0), Vec2::splat(PICTURE));
        if axes == 3 {
            ahead(painter, around, trace)
        } else {
            around_it(painter, around, trace, probe.reach)
        };
        legend(painter, around.right_top() + vec2(16.0, 10.0), trace);
    }
}

/// The lines of text on the card.
fn told(probe: &IndividualProbe, axes: usize) -> Vec<(String, Color32)> {
    let individual = &probe.individual;
    let dim = INK.gamma_multiply(0.8);
    let origin = probe.origin.unwrap_or_default();
    let place = (0..axes).map(|axis| {
        let in_window = f64::from(individual.place[axis]) / f64::from(1 << PLACE_BITS);
        format!("{:.2}", origin[axis] as f64 + in_window)
    });
    let place: Vec<String> = place.collect();
    let mut lines = vec![
        (format!("individual {}", grouped(individual.number.into())), INK),
        (format!("x  {}", place.join(", ")), dim),
        (format!("v  {}", numbers(&individual.velocity[..axes], ONE)), OWN),
    ];
    lines.extend(probe.gap.map(|quarters| match quarters {
        0 => ("next to rock or a wall".into(), HIT),
        _ => (format!("{:.2} cells from rock and walls", f64::from(quarters) / 4.0), dim),
    }));
    match &probe.rays {
        Some(trace) => lines.extend(told_of_rays(trace, axes)),
        None if probe.reach > 0 => lines.push(("it stands still, and looks through no ray".into(), dim)),
        None => {}
    }
    lines
}

/// The lines of text about the rays.
fn told_of_rays(RayTrace { choice, rays }: &RayTrace, axes: usize) -> Vec<(String, Color32)> {
    let hit = rays.iter().filter(|ray| ray.end.is_some()).count();
    let looked = match (rays.len(), hit) {
        (1, 0) => "1 ray looked through: nothing is ahead".into(),
        (1, _) => "1 ray looked through, and it hit".into(),
        (count, _) => format!("{count} rays looked through, {hit} hit"),
    };
    let taken = choice.ray.map(|ray| (ray + 1, rays[ray as usize].end));
    let won = match taken {
        Some((1, None)) => "it may go on straight ahead".into(),
        Some((number, None)) => format!("ray {number} is free, and wins"),
        Some((number, Some(end))) => {
            format!("none is free: ray {number} gets farthest, {:.1} cells", end as f32 / ONE_CELL)
        }
        None => format!("the mean of {} free rays wins", rays.len() - hit),
    };
    let cosine: i64 = (0..3).map(|axis| i64::from(choice.way[axis]) * i64::from(rays[0].way[axis])).sum();
    let turn = (cosine as f64 / f64::from(ONE).powi(2)).clamp(-1.0, 1.0).acos().to_degrees();
    let heading = format!("towards  {}", numbers(&choice.way[..axes], ONE));
    let heading = heading.rsplit_once("  |").map_or(heading.clone(), |(vector, _)| format!("{vector}  {turn:.0}°"));
    let ink = if hit == 0 { INK.gamma_multiply(0.8) } else { HIT };
    let mut lines = vec![(looked, ink), (won, TAKEN)];
    if choice.ray != Some(0) {
        lines.push((heading, TAKEN));
    }
    lines
}

fn colour(trace: &RayTrace, index: usize) -> Color32 {
    match trace.rays[index].end {
        _ if trace.choice.ray == Some(index as u32) => TAKEN,
        Some(_) => HIT,
        None => FREE,
    }
}

/// Draws the view of the individual: straight ahead is the middle, up is above. The distance of a ray from the middle
/// is proportional to its angle from straight ahead.
fn ahead(painter: &Painter, around: Rect, trace: &RayTrace) {
    let angle = |ray: &TracedRay| (ray.in_frame[2] as f32 / ONE as f32).clamp(-1.0, 1.0).acos();
    let widest = trace.rays.iter().map(angle).fold(MIN_ANGLE, f32::max);
    let middle = around.center();
    let radius = around.width() / 2.0;
    painter.circle_filled(middle, radius, Color32::from_rgb(14, 18, 31));
    for part in [0.5, 1.0] {
        painter.circle_stroke(middle, part * radius, Stroke::new(1.0, INK.gamma_multiply(0.12)));
    }
    for (index, ray) in trace.rays.iter().enumerate() {
        let aside = vec2(ray.in_frame[0] as f32, -ray.in_frame[1] as f32).normalized();
        let at = middle + (angle(ray) / widest * (radius - 5.0)) * aside;
        let is_taken = trace.choice.ray == Some(index as u32);
        painter.circle_filled(at, if is_taken { 4.0 } else { 2.2 }, colour(trace, index));
    }
}

/// Draws the rays of a flat world from above. Straight ahead is up.
fn around_it(painter: &Painter, around: Rect, trace: &RayTrace, reach: i32) {
    let middle = around.center();
    let radius = around.width() / 2.0;
    painter.circle_filled(middle, radius, Color32::from_rgb(14, 18, 31));
    for (index, ray) in trace.rays.iter().enumerate() {
        let length = ray.end.unwrap_or(reach) as f32 / reach.max(1) as f32 * (radius - 4.0);
        let way = vec2(ray.in_frame[0] as f32, -ray.in_frame[2] as f32) / ONE as f32;
        let breadth = if trace.choice.ray == Some(index as u32) { 2.2 } else { 1.2 };
        painter.line_segment([middle, middle + length * way], Stroke::new(breadth, colour(trace, index)));
    }
    painter.circle_filled(middle, 2.5, OWN);
}

/// Draws the legend of the colours that occur.
fn legend(painter: &Painter, at: Pos2, trace: &RayTrace) {
    let has = |ink: Color32| (0..trace.rays.len()).any(|index| colour(trace, index) == ink);
    let rows = [("hits rock or a wall", HIT, has(HIT)), ("free", FREE, has(FREE)), ("the way it takes", TAKEN, true)];
    for (row, (words, ink, _)) in rows.into_iter().filter(|(_, _, is_there)| *is_there).enumerate() {
        let left = at + vec2(0.0, 19.0 * row as f32);
        painter.circle_filled(left + vec2(0.0, 8.0), 3.0, ink);
        line(painter, left + vec2(10.0, 0.0), words, INK.gamma_multiply(0.75));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::individuals::find::Individual;
    use murmuration_core::terrain::avoidance::RayChoice;
    use murmuration_core::world::{Edges, Extents, Window};

    fn probe(ends: &[Option<i32>], ray: Option<u32>) -> IndividualProbe {
        let way = |index: usize| if index == 0 { [ONE, 0, 0] } else { [0, ONE, 0] };
        let traced =
            |(index, end): (usize, &Option<i32>)| TracedRay { way: way(index), in_frame: [0, 0, ONE], end: *end };
        let rays: Vec<TracedRay> = ends.iter().enumerate().map(traced).collect();
        let choice = RayChoice { way: way(ray.unwrap_or(1) as usize), ahead: 512, traced: rays.len() as u32, ray };
        IndividualProbe {
            step: 7,
            individual: Individual {
                number: 12_345,
                place: [98_304, 65_536, 16_384],
                velocity: [ONE / 4, 0, 0],
                life: None,
            },
            origin: None,
            gap: Some(5),
            rays: Some(RayTrace { choice, rays }),
            reach: 12 << 8,
        }
    }

    fn words(probe: &IndividualProbe, axes: usize) -> Vec<String> {
        told(probe, axes).into_iter().map(|(words, _)| words).collect()
    }

    #[test]
    fn the_card_tells_which_rays_hit_and_which_won() {
        let turning = words(&probe(&[Some(512), Some(300), None], Some(2)), 3);
        assert_eq!(turning[..3], ["individual 12 345", "x  1.50, 1.00, 0.25", "v  (+0.250, +0.000, +0.000)  |0.250|"]);
        assert_eq!(turning[3..5], ["1.25 cells from rock and walls", "3 rays looked through, 2 hit"]);
        assert_eq!(turning[5..], ["ray 3 is free, and wins", "towards  (+0.000, +1.000, +0.000)  90°"]);
        let won = |ends: &[Option<i32>], ray| words(&probe(ends, ray), 2)[4..6].join("; ");
        assert_eq!(won(&[None], Some(0)), "1 ray looked through: nothing is ahead; it may go on straight ahead");
        assert_eq!(
            won(&[Some(256), Some(1344)], Some(1)),
            "2 rays looked through, 2 hit; none is free: ray 2 gets farthest, 5.2 cells"
        );
        assert_eq!(won(&[Some(9), None, None], None), "3 rays looked through, 1 hit; the mean of 2 free rays wins");
    }

    #[test]
    fn an_individual_without_rays_has_fewer_lines_and_its_place_is_in_the_world() {
        let far = IndividualProbe { rays: None, origin: Some([1 << 39, 0, -64]), gap: Some(0), ..probe(&[None], None) };
        let lines = words(&far, 3);
        assert_eq!(lines[1], "x  549755813889.50, 1.00, -63.75");
        assert_eq!(lines[3..], ["next to rock or a wall", "it stands still, and looks through no ray"]);
        let blind = IndividualProbe { reach: 0, gap: None, ..far };
        assert_eq!(words(&blind, 2).len(), 3);
    }

    #[test]
    fn an_individual_is_drawn_at_its_place_after_a_move_of_the_window() {
        let found = IndividualProbe { origin: Some([1 << 39, 0, -64]), ..probe(&[None], None) };
        let mut world = World::empty(Extents::deep(96, 48, 40), Edges::Walls);
        let mut place_from = |origin: [i64; 3]| {
            world.window = Some(Window { first: [0; 3], origin });
            place_in(&world, &found)
        };
        assert_eq!(place_from([1 << 39, 0, -64]), Vec3::new(1.5, 1.0, 0.25));
        assert_eq!(place_from([(1 << 39) + 32, 0, -96]), Vec3::new(-30.5, 1.0, 32.25));
    }
}
