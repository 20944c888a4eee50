//! A step of a life: hunger, mood, health and perishing, and their effects on the movement.
//!
//! e is the food that is eaten, p the pull of food (see [`crate::food`]). n is the number of others within the sight of
//! cohesion, c the number within the sight of separation. H is hunger, M mood (Q14), h health. d is the disposition and
//! k the greatest health of the DNA:
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
//! If h' < frail, the individual begins to perish: its needs stop, it follows no rule, and v' = v + (sink - v)/16.

use super::numbers::{LifeRules, MAX_COUNTED};
use super::{FULL, HAPPIEST, Trait};
use crate::lanes::vector::{add, length, round_shift, scale, select, stretch, subtract, zero};
use crate::lanes::{BLOCK, Lanes};
use crate::state::LIFE_WORDS;

/// The numbers of neighbours of individuals in lanes.
#[derive(Debug, Clone, Copy)]
pub struct NeighbourCounts<V> {
    /// Others within the sight of cohesion.
    pub others: V,
    /// Others within the sight of separation.
    pub near: V,
}

/// The effects of an individual's meal in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meal<V, const AXES: usize> {
    /// The hunger that it stills, in parts of [`FULL`].
    pub share: V,
    /// The acceleration towards food along each axis (Q14).
    pub pull: [V; AXES],
}

impl<V: Lanes, const AXES: usize> Meal<V, AXES> {
    /// The meal of individuals without food: nothing.
    #[inline(always)]
    pub fn nothing() -> Self {
        Self { share: V::splat(0), pull: zero() }
    }
}

/// The meals of the individuals of a block.
pub struct Meals {
    shares: [i32; BLOCK],
    pulls: [[i32; BLOCK]; 3],
}

impl Meals {
    /// No meal for any individual.
    pub fn nothing() -> Self {
        Self { shares: [0; BLOCK], pulls: [[0; BLOCK]; 3] }
    }

    /// Sets the meal of an individual of the block.
    #[inline(always)]
    pub fn set(&mut self, index: usize, meal: Meal<i32, 3>) {
        self.shares[index] = meal.share;
        for axis in 0..3 {
            self.pulls[axis][index] = meal.pull[axis];
        }
    }

    /// The hunger that all meals together still, in parts of [`FULL`].
    pub fn sum(&self) -> u64 {
        self.shares.iter().map(|share| *share as u64).sum()
    }

    /// The meals of the individuals in lanes, from an index on.
    #[inline(always)]
    pub fn load<V: Lanes, const AXES: usize>(&self, index: usize) -> Meal<V, AXES> {
        let mut pull = zero::<V, AXES>();
        for axis in 0..AXES {
            pull[axis] = V::load(&self.pulls[axis][index..]);
        }
        Meal { share: V::load(&self.shares[index..]), pull }
    }
}

/// Individuals in lanes after a step of their lives.
#[derive(Debug, Clone, Copy)]
pub struct LifeStep<V, const AXES: usize> {
    /// The words of their lives.
    pub life: [V; LIFE_WORDS],
    /// The velocities (Q14) with which the step moves them.
    pub velocity: [V; AXES],
    /// The hunger that has grown.
    pub burnt: V,
}

/// A step of lives. `steered`: the next velocities by the rules; `max`: the greatest speed of the rules.
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

/// The byte of a trait of the DNA.
#[inline(always)]
fn byte<V: Lanes>(life: [V; LIFE_WORDS], of: Trait) -> V {
    let bits = V::splat(8 * (of as i32 % 4));
    life[of as usize / 4].shift_right_unsigned_by(bits).and(V::splat(0xff))
}

/// The sight of an individual, as a part of the radii of the rules (Q10).
#[inline(always)]
pub fn sight<V: Lanes>(life: [V; LIFE_WORDS], rules: &LifeRules) -> V {
    rules.value(Trait::Sight, byte(life, Trait::Sight))
}

/// The hunger before a meal.
#[inline(always)]
fn hunger<V: Lanes>(life: [V; LIFE_WORDS], rules: &LifeRules) -> V {
    let mut appetite = rules.value(Trait::Appetite, byte(life, Trait::Appetite));
    if rules.effort > 0 {
        // The squares are Q16, and their sum times the effort Q24: at most 2^27. An appetite is below 2^13, and grows
        // at most ninefold.
        let squares = square_of_part(life, Trait::Speed, rules).add(square_of_part(life, Trait::Sight, rules));
        let effort = squares.multiply(V::splat(rules.effort)).shift_right::<14>();
        appetite = appetite.add(appetite.multiply(effort).shift_right::<10>());
    }
    life[2].and(V::splat(FULL)).add(appetite).min(V::splat(FULL))
}

/// The square (Q16) of a trait as a part of its range; 0 if the range is a single number.
#[inline(always)]
fn square_of_part<V: Lanes>(life: [V; LIFE_WORDS], of: Trait, rules: &LifeRules) -> V {
    if rules.traits[of as usize][1] == 0 {
        return V::splat(0);
    }
    let byte = byte(life, of);
    let part = byte.add(byte.shift_right::<7>());
    part.multiply(part)
}

/// M' (Q14). A factor is at most 2^12, a number of neighbours at most 2^10 and hunger below 2^16.
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

/// v' of individuals that do not perish.
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
    // s in Q10: the depth of a depression is at most 2^15, and the slope makes it 2^24.
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

/// v' of perishing individuals: towards the velocity of sinking, which is along y in a flat world and against z in a
/// deep one.
#[inline(always)]
fn sink<V: Lanes, const AXES: usize>(velocity: [V; AXES], rules: &LifeRules) -> [V; AXES] {
    let mut bottom = zero::<V, AXES>();
    bottom[AXES - 1] = V::splat(if AXES == 2 { rules.sink } else { -rules.sink });
    add(velocity, round_shift::<V, AXES, 4>(subtract(bottom, velocity)))
}
