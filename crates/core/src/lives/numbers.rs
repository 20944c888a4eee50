//! The numbers of lives in exact units.

use super::{FULL, HAPPIEST, Trait};
use crate::lanes::Lanes;
use crate::uniform;

/// 1 in a factor and in a change of the mood target: Q10.
const ONE: i32 = 1 << 10;
/// The greatest number of neighbours that counts, both beyond [`LifeRules::many`] and too near.
pub const MAX_COUNTED: i32 = 1023;

/// `none`: no individual is reborn.
pub const NOBODY: u32 = 0;
/// `starved`: the starved are reborn.
pub const STARVED: u32 = 1;
/// `all`: the caught and the eaten are reborn too.
pub const ALL: u32 = 2;

uniform::structure! {
    /// The rules of lives. Rates are for one step.
    LifeRules "LifeRules", LIFE_RULES_WGSL;
    /// The seed of DNA, of rebirths, and of the hunger at birth.
    seed: u32,
    /// The individuals that are born again: [`NOBODY`], [`STARVED`] or [`ALL`].
    rebirth: u32,
    /// The lower end and the size of the range of each trait, in the order of [`Trait::ALL`]. Speed, force and sight
    /// are parts of the rules' numbers (Q10). Disposition is in Q10 of mood, health in parts of [`FULL`], appetite in
    /// parts of [`FULL`] a step.
    traits: [[i32; 2]; Trait::ALL.len()] = "speed: vec2<i32>,\n    force: vec2<i32>,\n    sight: vec2<i32>,\n    \
                                            disposition: vec2<i32>,\n    health: vec2<i32>,\n    appetite: vec2<i32>",
    /// The number of neighbours within the sight of cohesion below which an individual is lonely.
    few: i32,
    /// The number of neighbours within the sight of cohesion above which an individual is crowded.
    many: i32,
    /// The mood that company adds (Q10), at most 4.
    content: i32,
    /// The mood that each neighbour below `few` takes (Q10), at most 4.
    lonely: i32,
    /// The mood that each neighbour above `many` takes (Q10), at most 4.
    crowded: i32,
    /// The mood that each neighbour within the sight of separation takes (Q10), at most 4.
    pressed: i32,
    /// The mood that the greatest hunger takes (Q10), at most 4.
    sulk: i32,
    /// The greatest change of the mood in a step (Q14).
    pace: i32,
    /// The hunger above which health is lost, in parts of [`FULL`].
    hungry: i32,
    /// The mood (Q14) below which an individual is depressed.
    sad: i32,
    /// 2^24 over the range of moods of the depressed: 2^14 + `sad`.
    slope: i32,
    /// The health that comes back in a step, in parts of [`FULL`].
    recovery: i32,
    /// The health that a hungry individual loses in a step, in parts of [`FULL`].
    starvation: i32,
    /// The health that a depressed individual loses in a step, in parts of [`FULL`].
    gloom: i32,
    /// The part of the force that is left in the deepest depression (Q10).
    heed: i32,
    /// The part of the greatest speed that is left in the deepest depression (Q10).
    slow: i32,
    /// The health below which an individual begins to perish, at least 1.
    frail: i32,
    /// Steps from then on until it has perished.
    perishing: i32,
    /// The speed at which it sinks meanwhile (Q14): along y in a flat world, against z in a deep one.
    sink: i32,
    /// The greatest change of a trait's byte from a parent to a child; 0: a DNA is kept at rebirth, and there are no
    /// parents.
    mutation: i32,
    /// Whether a healthier individual is a parent more often, in proportion to its health.
    by_health: i32,
    /// The additional hunger of the fastest and of the most far-sighted, as a part of their appetite (Q8), at most 4.
    effort: i32,
}

const _: () = assert!(size_of::<LifeRules>().is_multiple_of(16));

impl LifeRules {
    /// Rules under which nothing of a life changes, for individuals without lives.
    pub const fn still() -> Self {
        const WHOLE: [i32; 2] = [ONE, 0];
        Self {
            seed: 0,
            rebirth: NOBODY,
            traits: [WHOLE, WHOLE, WHOLE, [0; 2], [FULL, 0], [0; 2]],
            few: 0,
            many: 1 << 20,
            content: 0,
            lonely: 0,
            crowded: 0,
            pressed: 0,
            sulk: 0,
            pace: 0,
            hungry: 0,
            sad: -HAPPIEST + 1,
            slope: 1 << 24,
            recovery: 0,
            starvation: 0,
            gloom: 0,
            heed: ONE,
            slow: ONE,
            frail: 1,
            perishing: 1,
            sink: 0,
            mutation: 0,
            by_health: 0,
            effort: 0,
        }
    }

    /// [`Self::slope`] for a mood `sad`; |sad| < 2^14.
    pub fn slope_of(sad: i32) -> i32 {
        (1 << 24) / (HAPPIEST + sad)
    }

    /// The value of a trait: low + span · byte / 255, computed as span · (byte + ⌊byte / 128⌋) / 256.
    #[inline(always)]
    pub fn value<V: Lanes>(&self, of: Trait, byte: V) -> V {
        let [low, span] = self.traits[of as usize];
        let part = byte.add(byte.shift_right::<7>());
        V::splat(low).add(V::splat(span).multiply(part).shift_right::<8>())
    }

    /// The value of a trait for a byte, in the unit of presets. An appetite is for 1000 steps.
    pub fn in_unit(&self, of: Trait, byte: u8) -> f64 {
        self.as_number(of, byte) * if of == Trait::Appetite { 1000.0 } else { 1.0 }
    }

    /// The value of a trait for a byte: a factor, or a part of [`FULL`].
    pub fn as_number(&self, of: Trait, byte: u8) -> f64 {
        let unit = match of {
            Trait::Speed | Trait::Force | Trait::Sight | Trait::Disposition => ONE,
            Trait::Health | Trait::Appetite => FULL,
        };
        f64::from(self.value(of, i32::from(byte))) / f64::from(unit)
    }
}
