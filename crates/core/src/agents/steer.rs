//! From what agents sum over their neighbours to their next velocities, for as many side by side as there are lanes.
//!
//! The formulas are those of the documents, with their ratios kept; a zero vector has no direction and asks for
//! nothing. Velocities are Q14 of a cell a step.

use super::rules::{AgentRules, Units};
use super::sums::Sums;
use crate::lanes::Lanes;
use crate::numbers::{self, RULE_LIMIT};
use crate::vector::{
    add, clamp_components, limit, limit_length, negate, normalise, round_shift, round_shift_any, scale, select,
    subtract, zero,
};

/// What else asks something of agents: the vectors (Q10) of the hunter and of the walls, as numbers or as lanes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Surroundings<N> {
    pub hunter: [N; 3],
    pub walls: [N; 3],
}

/// A weight (Q20) as it is summed.
#[inline(always)]
pub fn weigh(weight: i32, units: &Units) -> i32 {
    numbers::round_shift_any(weight, units.weights)
}

/// A vector times its weight.
#[inline(always)]
fn weighed<V: Lanes, const AXES: usize>(v: [V; AXES], weight: i32, units: &Units) -> [V; AXES] {
    scale(v, V::splat(weigh(weight, units)))
}

/// As many axes as the world has.
#[inline(always)]
fn flat<V: Lanes, const AXES: usize>(v: [V; 3]) -> [V; AXES] {
    let mut flat = zero();
    flat.copy_from_slice(&v[..AXES]);
    flat
}

/// The school of fish (`000_10129fa433732354.txt`):
///
/// a = limit(w_c·ĉ + w_s·ŝ + w_a·â, force), a_z = 0;  v' = limit(v + a, max)
///
/// with ĉ the direction of the neighbours' centre, ŝ that away from those too near, and â that of the neighbours'
/// velocities. The hunter and the walls, which the document lacks, are added as accelerations of their own.
#[inline(always)]
pub fn school<V: Lanes, const AXES: usize>(
    velocity: [V; AXES],
    sums: &Sums<V>,
    around: &Surroundings<V>,
    rules: &AgentRules,
    units: &Units,
) -> [V; AXES] {
    let cohesion = weighed(normalise(flat(sums.cohesion)), rules.weights.cohesion, units);
    let separation = weighed(normalise(flat(sums.separation)), rules.weights.separation, units);
    let alignment = weighed(normalise(flat(sums.alignment)), rules.weights.alignment, units);
    let asked = round_shift_any(add(subtract(cohesion, separation), alignment), 20 - units.weights);
    let mut acceleration = limit_length(asked, rules.force);
    if AXES == 3 {
        acceleration[2] = V::splat(0);
    }
    let turned = add(acceleration, of_surroundings(around, rules, units));
    limit_length(add(velocity, turned), rules.max)
}

/// The flock (`002_9d0d67e8776b1f55.txt`), each rule in Reynolds' form of steering:
///
/// f(x) = limit(x̂·max - v, force);  v' = limit(v + w_a·f(Σv) + w_s·f(-Σd) + w_c·f(Σd) + w_v·f(-lateral), max)
///
/// with d the offsets to the neighbours. Clarity of view is Flake's fourth rule (The computational beauty of nature,
/// 1998): a boid moves sideways from those that block its view. lateral = Σd - (Σd·v̂)v̂ over the neighbours ahead
/// (d·v > 0): the part of their offsets across its own way.
#[inline(always)]
pub fn flock<V: Lanes, const AXES: usize>(
    velocity: [V; AXES],
    sums: &Sums<V>,
    around: &Surroundings<V>,
    rules: &AgentRules,
    units: &Units,
) -> [V; AXES] {
    let sideways = lateral(flat(sums.clarity), velocity);
    let alignment = wanted(velocity, flat(sums.alignment), rules.weights.alignment, rules, units);
    let separation = wanted(velocity, negate(flat(sums.separation)), rules.weights.separation, rules, units);
    let cohesion = wanted(velocity, flat(sums.cohesion), rules.weights.cohesion, rules, units);
    let clarity = wanted(velocity, negate(sideways), rules.weights.clarity, rules, units);
    let force = round_shift_any(add(add(alignment, separation), add(cohesion, clarity)), 20 - units.weights);
    let turned = add(force, of_surroundings(around, rules, units));
    limit_length(add(velocity, turned), rules.max)
}

/// f(x) times its weight, and nothing for x = 0.
#[inline(always)]
fn wanted<V: Lanes, const AXES: usize>(
    velocity: [V; AXES],
    x: [V; AXES],
    weight: i32,
    rules: &AgentRules,
    units: &Units,
) -> [V; AXES] {
    let wanted = round_shift::<V, AXES, 14>(scale(normalise(x), V::splat(rules.max)));
    let force = limit_length(subtract(wanted, velocity), rules.force);
    let mut any = V::splat(0);
    for axis in 0..AXES {
        any = any.or(x[axis]);
    }
    select(any.equals(V::splat(0)), zero(), weighed(force, weight, units))
}

/// The part of an offset across a velocity, as a vector whose direction matters alone.
#[inline(always)]
fn lateral<V: Lanes, const AXES: usize>(offset: [V; AXES], velocity: [V; AXES]) -> [V; AXES] {
    // Both as directions (Q14): their product is at most 2^28, and what lies along is at most 2^14 again.
    let (offset, way) = (normalise(offset), normalise(velocity));
    let mut along = V::splat(0);
    for axis in 0..AXES {
        along = along.add(offset[axis].multiply(way[axis]));
    }
    subtract(offset, round_shift::<V, AXES, 14>(scale(way, along.round_shift::<14>())))
}

/// The cell system's rules (equations 2 to 4) for individuals:
///
/// v_c = Σd / n / R;  v_s = - Σ d/|d|² / crowd;  v_a = Σv / n - v;  V' = limit(keep·V + Σ w·v)
///
/// with R the radius of cohesion, and the agent itself among the n, as a cell's own boids are. Lengths in v_s are
/// cells; below one cell 1/|d|² stays 1, where the cell system sees no distance at all.
#[inline(always)]
pub fn reynolds<V: Lanes, const AXES: usize>(
    velocity: [V; AXES],
    sums: &Sums<V>,
    around: &Surroundings<V>,
    rules: &AgentRules,
    units: &Units,
) -> [V; AXES] {
    let splat = V::splat;
    let reach = rules.cohesion.div_ceil(1 << units.place) as i32;
    let cohering = sums.cohering.max(splat(1)).multiply(splat(Ord::max(reach, 1))).divisor();
    let aligning = sums.aligning.divisor();
    let crowd = splat(Ord::max(rules.crowd, 1)).divisor();
    let (coarse, most) = (coarse(units), most_apart(rules, units));
    let (mut cohesion, mut separation, mut mean) = (zero(), zero(), zero());
    for axis in 0..AXES {
        cohesion[axis] = sums.cohesion[axis].ratio(cohering);
        let apart = sums.separation[axis].clamp_magnitude(splat(most)).multiply(splat(coarse));
        separation[axis] = splat(0).subtract(apart.ratio(crowd));
        mean[axis] = sums.alignment[axis].quotient(aligning).multiply(splat(1 << units.velocity));
    }
    // Q14 to Q10.
    let alignment = subtract(round_shift::<V, AXES, 4>(mean), round_shift::<V, AXES, 4>(velocity));
    let asked = add(
        limited(cohesion, rules.weights.cohesion, units),
        add(limited(separation, rules.weights.separation, units), limited(alignment, rules.weights.alignment, units)),
    );
    let outside = add(
        limited(flat(around.hunter), rules.weights.hunter, units),
        limited(flat(around.walls), rules.weights.walls, units),
    );
    // Q10 times Q(20 - b) becomes Q14.
    let asked = round_shift_any(add(asked, outside), 16 - units.weights);
    let kept = round_shift::<V, AXES, 10>(scale(velocity, splat(rules.keep)));
    limit(add(kept, asked), rules.cruise, rules.max)
}

/// A control vector times its weight.
#[inline(always)]
fn limited<V: Lanes, const AXES: usize>(v: [V; AXES], weight: i32, units: &Units) -> [V; AXES] {
    weighed(clamp_components(v, RULE_LIMIT), weight, units)
}

/// 1024 in `resolution`.
#[inline(always)]
pub fn coarse(units: &Units) -> i32 {
    Ord::max(1024 / Ord::max(units.resolution, 1), 1)
}

/// The most that separation sums: beyond this the control vector is at its limit anyway.
#[inline(always)]
pub fn most_apart(rules: &AgentRules, units: &Units) -> i32 {
    Ord::min(8 * rules.crowd, (1 << 30) - 1) / coarse(units)
}

/// What the hunter and the walls ask for, as accelerations (Q14).
#[inline(always)]
fn of_surroundings<V: Lanes, const AXES: usize>(
    around: &Surroundings<V>,
    rules: &AgentRules,
    units: &Units,
) -> [V; AXES] {
    let hunter = weighed(flat(around.hunter), rules.weights.hunter, units);
    let walls = weighed(flat(around.walls), rules.weights.walls, units);
    round_shift_any(add(hunter, walls), 16 - units.weights)
}
