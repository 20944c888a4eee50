//! A step of a life: hunger, mood, health and perishing, and their effects on the movement.
//!
//! All numbers are of one individual. e is the food that it eats in the step, p the acceleration towards food (see
//! [`crate::food`]). n is the number of others within the sight of cohesion, c the number within the sight of
//! separation. H is hunger, M mood (Q14), h health, v velocity. A prime marks the value after the step. `full` is
//! [`FULL`], and (…)⁺ is the greater of 0 and the value. d is the disposition and k the max health from the DNA. The
//! other names are fields of [`LifeRules`]:
//!
//! ```text
//! a  = appetite·(1 + effort·(x² + y²))          x, y: speed and sight as parts of their ranges; 0 without a range
//! H' = min(H + a, full) - e
//! T  = d + content - lonely·(few - n)⁺ - crowded·(n - many)⁺ - pressed·c - sulk·H'/full      within ±1
//! M' = M + T - M within ±pace
//! h' = h - starvation if H' > hungry, - gloom if M' < sad, + recovery if neither   from 0 to k
//! s  = (sad - M)⁺ / (sad + 1)                   the depth of a depression, 0 to 1
//! v' = limit(v + (steered - v)·force·(1 - (1 - heed)·s) + p, max·speed·(1 - (1 - slow)·s))
//! ```
//!
//! If h' < frail, the individual begins to perish: its hunger, mood and health stop, it follows no rule, and v' = v +
//! (sink - v)/16.

use super::numbers::{LifeRules, MAX_COUNTED};
use super::{FULL, HAPPIEST, Trait};
use crate::lanes::vector::{add, length, round_shift, scale, select, stretch, subtract, zero};
use crate::lanes::{BLOCK, Lanes};
use crate::state::LIFE_WORDS;

/// Numbers of neighbours. Each lane is an individual.
#[derive(Debug, Clone, Copy)]
pub struct NeighbourCounts<V> {
    /// The number of others within the sight of cohesion.
    pub others: V,
    /// The number of others within the sight of separation.
    pub near: V,
}

/// Food and its effects on an individual in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meal<V, const AXES: usize> {
    /// The hunger that the eaten food takes away, in parts of [`FULL`].
    pub share: V,
    /// The acceleration towards food along each axis, in cells a step² (Q14).
    pub pull: [V; AXES],
}

impl<V: Lanes, const AXES: usize> Meal<V, AXES> {
    /// No food is eaten, and no food is near.
    #[inline(always)]
    pub fn nothing() -> Self {
        Self { share: V::splat(0), pull: zero() }
    }
}

/// The meals of a block of individuals in a step.
pub struct Meals {
    shares: [i32; BLOCK],
    pulls: [[i32; BLOCK]; 3],
}

impl Meals {
    /// Meals without food, for all individuals of a block.
    pub fn nothing() -> Self {
        Self { shares: [0; BLOCK], pulls: [[0; BLOCK]; 3] }
    }

    /// Sets the meal of an individual. `index`: its place in the block.
    #[inline(always)]
    pub fn set(&mut self, index: usize, meal: Meal<i32, 3>) {
        self.shares[index] = meal.share;
        for axis in 0..3 {
            self.pulls[axis][index] = meal.pull[axis];
        }
    }

    /// The hunger that all meals of the block take away, in parts of [`FULL`].
    pub fn sum(&self) -> u64 {
        self.shares.iter().map(|share| *share as u64).sum()
    }

    /// The meals of as many individuals as there are lanes. `index`: the place of the first one in the block.
    #[inline(always)]
    pub fn load<V: Lanes, const AXES: usize>(&self, index: usize) -> Meal<V, AXES> {
        let mut pull = zero::<V, AXES>();
        for axis in 0..AXES {
            pull[axis] = V::load(&self.pulls[axis][index..]);
        }
        Meal { share: V::load(&self.shares[index..]), pull }
    }
}

/// The result of a step of lives. Each lane is an individual.
#[derive(Debug, Clone, Copy)]
pub struct LifeStep<V, const AXES: usize> {
    /// The four words of the next life, in the order of [`Life::words`](super::Life::words).
    pub life: [V; LIFE_WORDS],
    /// The velocity after the step, in cells a step (Q14) along each axis.
    pub velocity: [V; AXES],
    /// The hunger that has grown in the step, in parts of [`FULL`]. It is the energy that the individual has used.
    pub burnt: V,
}

/// Computes a step of lives by the formulas of this module. Each lane is an individual. `life`: the four words of its
/// life. `steered`: the next velocity by the rules of movement. `max`: the max speed of these rules. Velocities are in
/// cells a step (Q14).
#[inline(always)]
pub fn live<V: Lanes, const AXES: usize>(
    life: [V; LIFE_WORDS],
    counts: NeighbourCounts<V>,
    meal: Meal<V, AXES>,
    velocity: [V; AXES],
    steered: [V; AXES],
    rules: &LifeRules,
    max: i32,
) -> LifeStep<V, AXES> {
    let splat = V::splat;
    let perishing = life[3].shift_right_unsigned::<16>();
    let is_perishing = splat(0).less_than(perishing);
    let mood = life[3].shift_left::<16>().shift_right::<16>();
    let moved = move_by_mood(life, mood, meal.pull, velocity, steered, rules, max);
    let hungry = hunger(life, rules);
    let burnt = is_perishing.select(splat(0), hungry.subtract(life[2].and(splat(FULL))));
    let hunger = hungry.subtract(meal.share);
    let next_mood = next_mood(life, mood, hunger, counts, rules);
    let health = health(life, hunger, next_mood, rules);
    let is_frail = health.less_than(splat(rules.frail));
    let needs = hunger.or(is_frail.select(splat(0), health).shift_left::<16>());
    let ends = is_frail.and(splat(rules.perishing)).shift_left::<16>();
    let living = next_mood.and(splat(0xffff)).or(ends);
    let dying = life[3].subtract(splat(1 << 16));
    let next = [life[0], life[1], is_perishing.select(life[2], needs), is_perishing.select(dying, living)];
    let next_velocity = if is_perishing.any() { select(is_perishing, sink(velocity, rules), moved) } else { moved };
    LifeStep { life: next, velocity: next_velocity, burnt }
}

/// The byte of a trait in the DNA.
#[inline(always)]
fn byte<V: Lanes>(life: [V; LIFE_WORDS], of: Trait) -> V {
    let bits = V::splat(8 * (of as i32 % 4));
    life[of as usize / 4].shift_right_unsigned_by(bits).and(V::splat(0xff))
}

/// The factor (Q10) by which an individual's radii of sight are smaller than the radii of the rules.
#[inline(always)]
pub fn sight<V: Lanes>(life: [V; LIFE_WORDS], rules: &LifeRules) -> V {
    rules.value(Trait::Sight, byte(life, Trait::Sight))
}

/// The hunger after the growth by appetite, before food is eaten: min(H + a, full) in the formulas of the module.
#[inline(always)]
fn hunger<V: Lanes>(life: [V; LIFE_WORDS], rules: &LifeRules) -> V {
    let mut appetite = rules.value(Trait::Appetite, byte(life, Trait::Appetite));
    if rules.effort > 0 {
        // The squares are Q16. Their sum times the effort (Q8) is Q24 and at most 2^27. An appetite is below 2^13. It
        // becomes at most nine times as large.
        let squares = square_of_part(life, Trait::Speed, rules).add(square_of_part(life, Trait::Sight, rules));
        let effort = squares.multiply(V::splat(rules.effort)).shift_right::<14>();
        appetite = appetite.add(appetite.multiply(effort).shift_right::<10>());
    }
    life[2].and(V::splat(FULL)).add(appetite).min(V::splat(FULL))
}

/// The square (Q16) of the position of a trait within its range: 0 at the lower end, 1 at the upper end. 0 if the range
/// is a single number.
#[inline(always)]
fn square_of_part<V: Lanes>(life: [V; LIFE_WORDS], of: Trait, rules: &LifeRules) -> V {
    if rules.traits[of as usize][1] == 0 {
        return V::splat(0);
    }
    let byte = byte(life, of);
    let part = byte.add(byte.shift_right::<7>());
    part.multiply(part)
}

/// M' (Q14) in the formulas of the module. No product overflows: a factor is at most 2^12, a number of neighbours at
/// most 2^10, and hunger below 2^16.
#[inline(always)]
fn next_mood<V: Lanes>(life: [V; LIFE_WORDS], mood: V, hunger: V, counts: NeighbourCounts<V>, rules: &LifeRules) -> V {
    let (splat, counted) = (V::splat, V::splat(MAX_COUNTED));
    let missing = splat(rules.few).subtract(counts.others).max(splat(0));
    let surplus = counts.others.min(splat(rules.many).add(counted)).subtract(splat(rules.many)).max(splat(0));
    let sulk = splat(rules.sulk).multiply(hunger).shift_right::<16>();
    let target = rules
        .value(Trait::Disposition, byte(life, Trait::Disposition))
        .add(splat(rules.content))
        .subtract(splat(rules.lonely).multiply(missing))
        .subtract(splat(rules.crowded).multiply(surplus))
        .subtract(splat(rules.pressed).multiply(counts.near.min(counted)))
        .subtract(sulk);
    let target = target.clamp_magnitude(splat(HAPPIEST >> 4)).shift_left::<4>();
    mood.add(target.subtract(mood).clamp_magnitude(splat(rules.pace)))
}

#[inline(always)]
fn health<V: Lanes>(life: [V; LIFE_WORDS], hunger: V, mood: V, rules: &LifeRules) -> V {
    let splat = V::splat;
    let is_hungry = splat(rules.hungry).less_than(hunger);
    let is_sad = mood.less_than(splat(rules.sad));
    let lost = is_hungry.and(splat(rules.starvation)).add(is_sad.and(splat(rules.gloom)));
    let change = is_hungry.or(is_sad).select(splat(0).subtract(lost), splat(rules.recovery));
    let most = rules.value(Trait::Health, byte(life, Trait::Health));
    life[2].shift_right_unsigned::<16>().add(change).max(splat(0)).min(most)
}

/// v' of individuals that do not perish, in the formulas of the module.
#[inline(always)]
fn move_by_mood<V: Lanes, const AXES: usize>(
    life: [V; LIFE_WORDS],
    mood: V,
    pull: [V; AXES],
    velocity: [V; AXES],
    steered: [V; AXES],
    rules: &LifeRules,
    max: i32,
) -> [V; AXES] {
    let splat = V::splat;
    // `depression` is s (Q10) in the formulas of the module. sad - M is at most 2^15, and its product with the slope at
    // most 2^24.
    let depth = splat(rules.sad).subtract(mood).max(splat(0));
    let depression = depth.multiply(splat(rules.slope)).shift_right::<14>();
    let left = [rules.heed, rules.slow].map(|left| splat(1024 - left));
    let heed = splat(1024).subtract(left[0].multiply(depression).shift_right::<10>());
    let pace = splat(1024).subtract(left[1].multiply(depression).shift_right::<10>());
    let force = rules.value(Trait::Force, byte(life, Trait::Force)).multiply(heed).shift_right::<10>();
    let part = rules.value(Trait::Speed, byte(life, Trait::Speed)).multiply(pace).shift_right::<10>();
    let most = part.multiply(splat(max)).shift_right::<10>();
    let change = round_shift::<V, AXES, 10>(scale(subtract(steered, velocity), force));
    let wanted = add(add(velocity, change), pull);
    let speed = length(wanted);
    select(most.less_than(speed), stretch(wanted, speed, most), wanted)
}

/// v' of perishing individuals. The velocity approaches the sinking velocity, which is along y in a flat world and
/// against z in a deep world.
#[inline(always)]
fn sink<V: Lanes, const AXES: usize>(velocity: [V; AXES], rules: &LifeRules) -> [V; AXES] {
    let mut bottom = zero::<V, AXES>();
    bottom[AXES - 1] = V::splat(if AXES == 2 { rules.sink } else { -rules.sink });
    add(velocity, round_shift::<V, AXES, 4>(subtract(bottom, velocity)))
}
