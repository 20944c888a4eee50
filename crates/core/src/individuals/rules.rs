//! The rules of individuals, and how a set of rules makes an individual's next velocity. [`super::table`] lists both.
//!
//! A rule that looks at neighbours has two steps. It sums a quantity over the neighbours within its radius. From the
//! sum it makes a direction (school, flock), a control vector in the form of the cell system (reynolds), or a heading
//! (aquarium). The twins in WGSL are the files with the same names in `shaders/individuals/`.
//!
//! The formulas keep the ratios of their sources. Velocities are Q14 of a cell a step. A zero vector has no direction
//! and asks for nothing. The sources of school and flock have neither a hunter nor walls. In these sets the rules of
//! the world add accelerations of their own.

use super::numbers::Units;
use super::parameters::IndividualParameters;
use super::situation::{Neighbour, Situation};
use super::table::{Rule, RuleSet, rules};
use crate::individuals::species::MeetingNumbers;
use crate::lanes::Lanes;
use crate::lanes::vector::{
    add, clamp_components, length, limit, limit_length, negate, normalise, quotient, quotient_by_floats, ratio,
    round_shift, round_shift_any, scale, select, stretch, subtract, zero,
};
use crate::numbers::{RULE_LIMIT, Vector3};
use crate::world::{Edges, PARTS, PLACE_BITS, Space, control_of_hunters, walls};

/// The bound on the components of a heading (Q10): 32 cells.
const HEADING_LIMIT: i32 = 1 << 15;

/// A rule that looks at neighbours.
pub trait NeighbourRule {
    /// The rule in the table.
    const RULE: Rule;

    /// The mask of the neighbours that count for the rule. `within`: the mask of the neighbours within the radius.
    #[inline(always)]
    fn mask_of_sight<V: Lanes, const AXES: usize>(_: &Neighbour<V, AXES>, within: V) -> V {
        within
    }

    /// The vector that is summed over the neighbours: by default the offset to a neighbour.
    #[inline(always)]
    fn quantity<S: Steering, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, _: &Units) -> [V; AXES] {
        neighbour.offset
    }

    /// The direction in which the rule asks to go; its length does not matter.
    #[inline(always)]
    fn direction<S: Steering, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        individual.sum(Self::RULE)
    }

    /// The control vector (Q10) in the form of the cell system, for the sets `Reynolds` and `Vicsek`.
    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(_: &Situation<'_, V, AXES>) -> [V; AXES] {
        zero()
    }

    /// The heading (Q10 of a cell, or of a cell a step) in the form of the aquarium, for the set `Aquarium`.
    #[inline(always)]
    fn heading<V: Lanes, const AXES: usize>(_: &Situation<'_, V, AXES>) -> [V; AXES] {
        zero()
    }
}

/// Cohesion: towards the centre of the neighbours.
///
/// direction: Σd;   v_c = Σd / n / R, with d the offsets to the n neighbours (the individual among them) and R the
/// radius;
/// heading: Σd / (n - 1), the mean place of the others minus the individual's own.
pub struct Cohesion;

impl NeighbourRule for Cohesion {
    const RULE: Rule = Rule::Cohesion;

    #[inline(always)]
    fn quantity<S: Steering, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, units: &Units) -> [V; AXES] {
        if S::SET.has_zones() { unit_vector(neighbour.offset, units) } else { neighbour.offset }
    }

    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let radius = V::splat(Ord::max(individual.units.radii[Self::RULE], 1));
        let divisor = individual.count(Self::RULE).max(V::splat(1)).multiply(radius).divisor();
        ratio(individual.sum(Self::RULE), divisor)
    }

    #[inline(always)]
    fn heading<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let divisor = individual.others(Self::RULE).max(V::splat(1)).divisor();
        in_cells(quotient(individual.sum(Self::RULE), divisor), individual.units)
    }
}

/// Separation: away from the neighbours that are too near.
///
/// direction: -Σd;   v_s = -Σ d/|d|² / crowd, with d the offsets to the neighbours, in cells;
/// heading: -Σd, the sum of the differences from the others' places to the individual's own.
///
/// `crowd` is the number of boids a cell at which separation has its full strength. Below a distance of one cell 1/|d|²
/// stays 1, because the cell system has no smaller distances.
pub struct Separation;

impl NeighbourRule for Separation {
    const RULE: Rule = Rule::Separation;

    #[inline(always)]
    fn quantity<S: Steering, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, units: &Units) -> [V; AXES] {
        if S::SET.has_zones() {
            return unit_vector(neighbour.offset, units);
        }
        if !S::SET.is_of_cells() {
            return neighbour.offset;
        }
        // d/|d|² is at most 1 per cell. It is computed in parts of 1/`resolution`.
        let (cell, resolution) = (units.cell(), units.resolution);
        let divisor = neighbour.square.max(V::splat(cell * cell));
        let (quotients, is_near_half) = quotient_by_floats(neighbour.offset, cell * resolution, divisor);
        if !is_near_half.any() {
            return quotients;
        }
        // Lanes without a neighbour hold arbitrary values. Their quotients are not used, but must not overflow.
        let held = scale(clamp_components(neighbour.offset, resolution), V::splat(cell * resolution));
        quotient(held, divisor.min(V::splat(1 << 21)).divisor())
    }

    #[inline(always)]
    fn direction<S: Steering, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        negate(individual.sum(Self::RULE))
    }

    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let held = clamp_components(individual.sum(Self::RULE), individual.parameters.most_apart);
        let crowd = V::splat(individual.parameters.crowd).divisor();
        negate(ratio(scale(held, V::splat(individual.units.coarseness())), crowd))
    }

    #[inline(always)]
    fn heading<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        negate(in_cells(individual.sum(Self::RULE), individual.units))
    }
}

/// Alignment: towards the mean velocity of the neighbours.
///
/// direction: Σv;   v_a = Σv / n - v, with v the velocities of the n neighbours;
/// heading: Σv / (n - 1) - v, the mean velocity of the others minus the individual's own.
pub struct Alignment;

impl NeighbourRule for Alignment {
    const RULE: Rule = Rule::Alignment;

    #[inline(always)]
    fn quantity<S: Steering, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, units: &Units) -> [V; AXES] {
        if S::SET.has_zones() { unit_vector(neighbour.velocity, units) } else { neighbour.velocity }
    }

    /// The sum without the individual itself, which is among its own neighbours, at distance 0. A sight in a half space
    /// does not include the individual.
    #[inline(always)]
    fn direction<S: Steering, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let sum = individual.sum(Self::RULE);
        let sees_itself = S::SET.counts_itself(Self::RULE) && individual.units.thresholds[Self::RULE] > 0;
        if sees_itself { subtract(sum, individual.velocity_in_units) } else { sum }
    }

    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let count = individual.count(Self::RULE).divisor();
        let mean = scale(quotient(individual.sum(Self::RULE), count), V::splat(1 << individual.units.velocity));
        // Q14 to Q10.
        subtract(round_shift::<V, AXES, 4>(mean), round_shift::<V, AXES, 4>(individual.velocity))
    }

    /// Zero if the individual has no other neighbours.
    #[inline(always)]
    fn heading<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let others = individual.others(Self::RULE);
        let sum = subtract(individual.sum(Self::RULE), individual.velocity_in_units);
        let mean = scale(quotient(sum, others.max(V::splat(1)).divisor()), V::splat(1 << individual.units.velocity));
        let change = subtract(round_shift::<V, AXES, 4>(mean), round_shift::<V, AXES, 4>(individual.velocity));
        select(others.equals(V::splat(0)), zero(), change)
    }
}

/// A vector with the direction of `v` and the length [`Units::resolution`], so that sums over all individuals do not
/// overflow.
#[inline(always)]
fn unit_vector<V: Lanes, const AXES: usize>(v: [V; AXES], units: &Units) -> [V; AXES] {
    round_shift_any(normalise(v), 4 + units.coarseness().trailing_zeros())
}

/// Converts a vector from units of places to cells (Q10). Each component is held within 2^15: 32 cells.
#[inline(always)]
fn in_cells<V: Lanes, const AXES: usize>(v: [V; AXES], units: &Units) -> [V; AXES] {
    // Units are no finer than 1/1024 cell.
    let bits = units.place + 10 - PLACE_BITS;
    scale(clamp_components(v, HEADING_LIMIT >> bits), V::splat(1 << bits))
}

/// Clarity of view: sideways, away from the neighbours that block the view. This is the fourth rule of Flake (*The
/// computational beauty of nature*, 1998).
///
/// direction: -(Σd - (Σd·v̂)v̂), with d the offsets to the neighbours ahead (d·v > 0): the part of their sum across the
/// individual's own way.
pub struct Clarity;

impl NeighbourRule for Clarity {
    const RULE: Rule = Rule::Clarity;

    #[inline(always)]
    fn mask_of_sight<V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, within: V) -> V {
        let mut ahead = V::splat(0);
        for axis in 0..AXES {
            ahead = ahead.add(neighbour.offset[axis].multiply(neighbour.own_velocity[axis]));
        }
        within.and(V::splat(0).less_than(ahead))
    }

    #[inline(always)]
    fn direction<S: Steering, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        // Both are directions (Q14): their product is at most 2^28, and the part along the way is at most 2^14 again.
        let (offset, way) = (normalise(individual.sum(Self::RULE)), normalise(individual.velocity));
        let mut along = V::splat(0);
        for axis in 0..AXES {
            along = along.add(offset[axis].multiply(way[axis]));
        }
        subtract(round_shift::<V, AXES, 14>(scale(way, along.round_shift::<14>())), offset)
    }
}

/// The control vectors of the rules that look at the world, at a position (Q16): hunters (see [`control_of_hunters`]),
/// walls (see [`walls`]) and roost (see [`crate::world::Roost::control`]). In the table of rules, avoidance comes after
/// these three. Its control vector is computed by `Rays::control`.
pub fn surroundings(
    species: usize,
    position: Vector3,
    space: &Space,
    parameters: &IndividualParameters,
) -> [Vector3; 3] {
    let place = space.place_of(position);
    let ends = space.ends();
    let hunted = control_of_hunters(parameters.hunters(), species, place, ends, space.edges);
    let mut inwards = [0; 3];
    if parameters.margin > 0 && space.edges == Edges::Walls {
        for axis in 0..space.axes() {
            inwards[axis] = walls(place[axis], ends[axis], parameters.margin * PARTS);
        }
    }
    let home = match parameters.species[species].weights[Rule::Roost as usize] {
        0 => [0; 3],
        _ => parameters.roost().control(place, ends, space.edges),
    };
    [hunted, inwards, home]
}

/// The vector that a meeting with another species asks for, times the weight of the meeting. `individual` has the sums
/// over the individuals of the other species, and the units of the meeting.
#[inline(always)]
pub fn met<S: Steering, V: Lanes, const AXES: usize>(
    mut individual: Situation<'_, V, AXES>,
    meeting: &MeetingNumbers,
) -> [V; AXES] {
    // The individual itself counts among the others that it meets.
    let sum = &mut individual.sums.0[meeting.rule as usize];
    if S::SET.counts_itself(Rule::ALL[meeting.rule as usize]) {
        sum[3] = sum[3].add(V::splat(1));
        if meeting.rule == Rule::Alignment as u32 {
            for axis in 0..AXES {
                sum[axis] = sum[axis].add(individual.velocity_in_units[axis]);
            }
        }
    }
    let asked = match Rule::OF_NEIGHBOURS[meeting.rule as usize] {
        Rule::Cohesion => S::request::<Cohesion, V, AXES>(&individual),
        Rule::Separation => S::request::<Separation, V, AXES>(&individual),
        _ => S::request::<Alignment, V, AXES>(&individual),
    };
    scale(asked, V::splat(meeting.weight))
}

/// How a set of rules steers.
pub trait Steering {
    /// The set of rules.
    const SET: RuleSet;

    /// The vector that a rule of neighbours asks for, before it is weighted.
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES];

    /// The next velocities of the individuals in the lanes.
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES];
}

/// Σ w·v over the rules of the set that look at neighbours, and over the meetings with other species. v is the vector
/// that a rule asks for, and w its weight.
#[inline(always)]
fn sum_of_neighbours<S: Steering, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
    let mut sum = individual.met;
    macro_rules! add_all {
        (neighbours { $($Rule:ident $name:literal $sets:tt)* } world $world:tt) => {
            $(if $Rule::RULE.is_of(S::SET) {
                let weight = V::splat(individual.parameters.weights[$Rule::RULE as usize]);
                sum = add(sum, scale(S::request::<$Rule, V, AXES>(individual), weight));
            })*
        };
    }
    rules!(add_all);
    sum
}

/// Σ w·v over the rules of the set that look at the world. v is the control vector (Q10) of a rule, and w its weight
/// (Q(20 - `weight_bits`)).
#[inline(always)]
fn sum_of_world<S: Steering, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
    let mut sum = zero();
    for index in 0..Rule::OF_WORLD.len() {
        let rule = Rule::OF_WORLD[index];
        if rule.is_of(S::SET) {
            let mut control = zero();
            control.copy_from_slice(&individual.surroundings[index][..AXES]);
            let control = if S::SET.is_of_cells() { clamp_components(control, RULE_LIMIT) } else { control };
            sum = add(sum, scale(control, V::splat(individual.parameters.weights[rule as usize])));
        }
    }
    sum
}

/// The weighted sum of the rules that look at the world, as an acceleration (Q14 of a cell a step²).
#[inline(always)]
pub(super) fn acceleration_of_world<S: Steering, V: Lanes, const AXES: usize>(
    individual: &Situation<'_, V, AXES>,
) -> [V; AXES] {
    round_shift_any(sum_of_world::<S, V, AXES>(individual), 16 - individual.parameters.weight_bits)
}

/// The school: a = limit(Σ w_i·x̂_i, force), a_z = 0;  v' = limit(v + a + b, max).
///
/// x̂_i are the directions of the rules of neighbours as unit vectors, and w_i their weights. v is the velocity, and b
/// the acceleration by the rules of the world. limit(x, m) shortens x to the length m if x is longer. a_z = 0 holds in
/// deep worlds.
pub struct School;

impl Steering for School {
    const SET: RuleSet = RuleSet::School;

    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        normalise(R::direction::<Self, V, AXES>(individual))
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = individual.parameters;
        let requested = round_shift_any(sum_of_neighbours::<Self, V, AXES>(individual), 20 - parameters.weight_bits);
        let mut acceleration = limit_length(requested, parameters.force);
        if AXES == 3 {
            acceleration[2] = V::splat(0);
        }
        let acceleration = add(acceleration, acceleration_of_world::<Self, V, AXES>(individual));
        limit_length(add(individual.velocity, acceleration), parameters.max)
    }
}

/// Reynolds' form of steering, for each rule: f(x) = limit(x̂·max - v, force);  v' = limit(v + Σ w_i·f(x_i), max).
///
/// x_i are the directions of the rules, w_i their weights, x̂ is x as a unit vector, and v the velocity. limit(x, m)
/// shortens x to the length m if x is longer. `HALF`: each individual sees only the half space towards the last axis.
pub struct Flock<const HALF: bool = false>;

impl<const HALF: bool> Steering for Flock<HALF> {
    const SET: RuleSet = if HALF { RuleSet::HalfFlock } else { RuleSet::Flock };

    /// f(x); zero if x = 0.
    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let x = R::direction::<Self, V, AXES>(individual);
        let wanted = round_shift::<V, AXES, 14>(scale(normalise(x), V::splat(individual.parameters.max)));
        let force = limit_length(subtract(wanted, individual.velocity), individual.parameters.force);
        let mut any = V::splat(0);
        for axis in 0..AXES {
            any = any.or(x[axis]);
        }
        select(any.equals(V::splat(0)), zero(), force)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = individual.parameters;
        let force = round_shift_any(sum_of_neighbours::<Self, V, AXES>(individual), 20 - parameters.weight_bits);
        let force = add(force, acceleration_of_world::<Self, V, AXES>(individual));
        limit_length(add(individual.velocity, force), parameters.max)
    }
}

/// The cell system's rules (equations 2 to 4 of the paper that `docs/model.md` names): V' = limit(keep·V + Σ w_i·v_i),
/// with v_i their control vectors.
pub struct Reynolds;

impl Steering for Reynolds {
    const SET: RuleSet = RuleSet::Reynolds;

    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        clamp_components(R::control(individual), RULE_LIMIT)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = individual.parameters;
        let requested = add(sum_of_neighbours::<Self, V, AXES>(individual), sum_of_world::<Self, V, AXES>(individual));
        // Q10 times Q(20 - weight_bits) becomes Q14.
        let requested = round_shift_any(requested, 16 - parameters.weight_bits);
        let kept = round_shift::<V, AXES, 10>(scale(individual.velocity, V::splat(parameters.keep)));
        limit(add(kept, requested), parameters.cruise, parameters.max)
    }
}

/// The fish of the aquarium: v' = clamp(v + Σ w_i·h_i, min, max), with h_i the headings of the rules. The clamp holds
/// the speed between `min` and `max`.
pub struct Aquarium;

impl Steering for Aquarium {
    const SET: RuleSet = RuleSet::Aquarium;

    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        R::heading(individual)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = individual.parameters;
        let requested = add(sum_of_neighbours::<Self, V, AXES>(individual), sum_of_world::<Self, V, AXES>(individual));
        // Q10 times Q(20 - weight_bits) becomes Q14.
        let requested = round_shift_any(requested, 16 - parameters.weight_bits);
        let wanted = limit_length(add(individual.velocity, requested), parameters.max);
        let speed = length(wanted);
        let is_slow = speed.less_than(V::splat(parameters.min));
        select(is_slow, stretch(wanted, speed, V::splat(parameters.min)), wanted)
    }
}

/// Self-driven particles: the new heading is the mean heading of the individuals within the radius of alignment, the
/// individual itself included.
///
/// v' = max · u/|u|, with u = w_a·Σv/n + w_c·v_c + w_s·v_s + Σ w_i·v_i over the rules of the world; v' = v if u = 0
///
/// Σv is the sum of the velocities of the n individuals within the radius of alignment. v_c, v_s and v_i are the
/// control vectors of cohesion, of separation and of a rule of the world. The letters w are the weights of the rules.
///
/// The source has alignment alone, with the weight 1. Noise is added to u before u is scaled to the length `max`
/// ([`crate::noise::turn::at_speed`]), as in *Onset of collective and cohesive motion*.
pub struct Vicsek;

impl Steering for Vicsek {
    const SET: RuleSet = RuleSet::Vicsek;

    #[inline(always)]
    fn request<R: NeighbourRule, V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        Reynolds::request::<R, V, AXES>(individual)
    }

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(individual: &Situation<'_, V, AXES>) -> [V; AXES] {
        let parameters = individual.parameters;
        let weight = |rule: Rule| V::splat(parameters.weights[rule as usize]);
        let mut sum = add(individual.met, sum_of_world::<Self, V, AXES>(individual));
        sum = add(sum, scale(Self::request::<Cohesion, V, AXES>(individual), weight(Rule::Cohesion)));
        sum = add(sum, scale(Self::request::<Separation, V, AXES>(individual), weight(Rule::Separation)));
        let requested = round_shift_any(sum, 16 - parameters.weight_bits);
        // The mean is computed in 64ths of a unit, so that a small sum over many neighbours keeps its direction.
        let count = individual.count(Rule::Alignment).max(V::splat(1)).multiply(V::splat(16)).divisor();
        let mean = scale(ratio(individual.sum(Rule::Alignment), count), V::splat(1 << individual.units.velocity));
        let mean = scale(round_shift::<V, AXES, 6>(mean), weight(Rule::Alignment));
        let wanted = add(round_shift_any(mean, 20 - parameters.weight_bits), requested);
        let mut any = V::splat(0);
        for axis in 0..AXES {
            any = any.or(wanted[axis]);
        }
        select(any.equals(V::splat(0)), individual.velocity, wanted)
    }
}
