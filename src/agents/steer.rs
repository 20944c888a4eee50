//! From what an agent sums over its neighbours to its next velocity.
//!
//! The formulas are those of the documents, with their ratios kept; a zero vector has no direction and asks for
//! nothing. Velocities are Q14 of a cell a step.

use super::rules::{AgentRules, Units};
use super::sums::Sums;
use super::vector::{Vector3, add3, length3, limit_length, normalise, round_shift3, stretch3, subtract3};
use crate::numbers::{ONE, RULE_LIMIT, quotient, ratio, round_shift};

/// What else asks something of an agent: the vectors (Q10) of the hunter and of the walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Surroundings {
    pub hunter: Vector3,
    pub walls: Vector3,
}

/// A weight (Q20) as it is summed.
#[inline(always)]
pub fn weigh(weight: i32, units: &Units) -> i32 {
    if units.weights == 0 { weight } else { round_shift(weight, units.weights) }
}

#[inline(always)]
fn scale3(v: Vector3, by: i32) -> Vector3 {
    [v[0] * by, v[1] * by, v[2] * by]
}

/// The school of fish (`000_10129fa433732354.txt`):
///
/// a = limit(w_c·ĉ + w_s·ŝ + w_a·â, force), a_z = 0;  v' = limit(v + a, max)
///
/// with ĉ the direction of the neighbours' centre, ŝ that away from those too near, and â that of the neighbours'
/// velocities. The hunter and the walls, which the document lacks, are added as accelerations of their own.
#[inline(always)]
pub fn school(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
    let cohesion = scale3(normalise(sums.cohesion), weigh(rules.weights.cohesion, units));
    let separation = scale3(normalise(sums.separation), -weigh(rules.weights.separation, units));
    let alignment = scale3(normalise(sums.alignment), weigh(rules.weights.alignment, units));
    let asked = round_shift3(add3(add3(cohesion, separation), alignment), 20 - units.weights);
    let mut acceleration = limit_length(asked, rules.force);
    acceleration[2] = 0;
    let turned = add3(acceleration, of_surroundings(around, rules, units));
    limit_length(add3(velocity, turned), rules.max)
}

/// The flock (`002_9d0d67e8776b1f55.txt`), each rule in Reynolds' form of steering:
///
/// f(x) = limit(x̂·max - v, force);  v' = limit(v + w_a·f(Σv) + w_s·f(-Σd) + w_c·f(Σd) + w_v·f(-lateral), max)
///
/// with d the offsets to the neighbours. Clarity of view is Flake's fourth rule (The computational beauty of nature,
/// 1998): a boid moves sideways from those that block its view. lateral = Σd - (Σd·v̂)v̂ over the neighbours ahead
/// (d·v > 0): the part of their offsets across its own way.
#[inline(always)]
pub fn flock(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
    let asked = |x: Vector3, weight: i32| {
        let direction = normalise(x);
        let wanted = round_shift3(scale3(direction, rules.max), 14);
        let force = limit_length(subtract3(wanted, velocity), rules.force);
        let is_nothing = x == [0; 3];
        scale3(force, if is_nothing { 0 } else { weigh(weight, units) })
    };
    let alignment = asked(sums.alignment, rules.weights.alignment);
    let separation = asked(scale3(sums.separation, -1), rules.weights.separation);
    let cohesion = asked(sums.cohesion, rules.weights.cohesion);
    let clarity = asked(scale3(lateral(sums.clarity, velocity), -1), rules.weights.clarity);
    let force = round_shift3(add3(add3(alignment, separation), add3(cohesion, clarity)), 20 - units.weights);
    let turned = add3(force, of_surroundings(around, rules, units));
    limit_length(add3(velocity, turned), rules.max)
}

/// The part of an offset across a velocity, as a vector whose direction matters alone.
#[inline(always)]
fn lateral(offset: Vector3, velocity: Vector3) -> Vector3 {
    // Both as directions (Q14): their product is at most 2^28, and what lies along is at most 2^14 again.
    let (offset, way) = (normalise(offset), normalise(velocity));
    let along = round_shift(offset[0] * way[0] + offset[1] * way[1] + offset[2] * way[2], 14);
    subtract3(offset, round_shift3(scale3(way, along), 14))
}

/// The cell system's rules (equations 2 to 4) for individuals:
///
/// v_c = Σd / n / R;  v_s = - Σ d/|d|² / crowd;  v_a = Σv / n - v;  V' = limit(keep·V + Σ w·v)
///
/// with R the radius of cohesion, and the agent itself among the n, as a cell's own boids are. Lengths in v_s are
/// cells; below one cell 1/|d|² stays 1, where the cell system sees no distance at all.
#[inline(always)]
pub fn reynolds(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
    let reach = rules.cohesion.div_ceil(1 << units.place) as i32;
    let cohering = sums.cohering.max(1) * reach.max(1);
    let cohesion = sums.cohesion.map(|sum| ratio(sum, cohering));
    let (coarse, most) = (coarse(units), most_apart(rules, units));
    let separation = sums.separation.map(|sum| -ratio(sum.clamp(-most, most) * coarse, rules.crowd.max(1)));
    let mean = sums.alignment.map(|sum| quotient(sum, sums.aligning.max(1)));
    let mean = mean.map(|units_of| as_rule(units_of << units.velocity));
    let alignment = subtract3(mean, velocity.map(as_rule));
    let weighted = |v: Vector3, weight: i32| scale3(v.map(|n| n.clamp(-RULE_LIMIT, RULE_LIMIT)), weigh(weight, units));
    let asked = add3(
        weighted(cohesion, rules.weights.cohesion),
        add3(weighted(separation, rules.weights.separation), weighted(alignment, rules.weights.alignment)),
    );
    let outside = add3(weighted(around.hunter, rules.weights.hunter), weighted(around.walls, rules.weights.walls));
    // Q10 times Q(20 - b) becomes Q14.
    let asked = round_shift3(add3(asked, outside), 16 - units.weights);
    let kept = velocity.map(|n| round_shift(rules.keep * n, 10));
    limit(add3(kept, asked), rules.cruise, rules.max)
}

/// 1024 in `resolution`.
#[inline(always)]
pub fn coarse(units: &Units) -> i32 {
    (1024 / units.resolution.max(1)).max(1)
}

/// The most that separation sums: beyond this the control vector is at its limit anyway.
#[inline(always)]
pub fn most_apart(rules: &AgentRules, units: &Units) -> i32 {
    ((8 * rules.crowd).min((1 << 30) - 1)) / coarse(units)
}

/// Q14 to Q10.
#[inline(always)]
fn as_rule(n: i32) -> i32 {
    round_shift(n, 4)
}

/// The cell system's limit of a control vector, on three axes (see [`crate::numbers::limit`]).
#[inline(always)]
fn limit(v: Vector3, cruise: i32, max: i32) -> Vector3 {
    let v = v.map(|n| n.clamp(-2 * ONE, 2 * ONE));
    let is = length3(v);
    let towards = if cruise > 0 { is + round_shift(cruise - is, 2) } else { is };
    stretch3(v, is, towards.min(max)).map(|n| n.clamp(-ONE, ONE))
}

/// What the hunter and the walls ask for, as an acceleration (Q14).
#[inline(always)]
fn of_surroundings(around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
    let hunter = scale3(around.hunter, weigh(rules.weights.hunter, units));
    let walls = scale3(around.walls, weigh(rules.weights.walls, units));
    round_shift3(add3(hunter, walls), 16 - units.weights)
}
