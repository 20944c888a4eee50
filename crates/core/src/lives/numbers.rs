//! The numbers of lives as integers.

use super::{FULL, HAPPIEST, Trait};
use crate::lanes::Lanes;
use crate::uniform;

/// The integer for 1.0 in factors and in the terms of a mood (Q10).
const ONE: i32 = 1 << 10;
/// Caps two numbers of neighbours in the mood: the neighbours beyond [`LifeRules::many`], and the neighbours within the
/// sight of separation.
pub const MAX_COUNTED: i32 = 1023;

/// The word `none` of the key `lives.rebirth`: no individual is born again.
pub const NOBODY: u32 = 0;
/// The word `starved`: an individual that perishes of hunger or depression is born again.
pub const STARVED: u32 = 1;
/// The word `all`: individuals that are caught or eaten are born again too.
pub const ALL: u32 = 2;

uniform::structure! {
    /// The rules of the lives of a species. Rates are for one step.
    LifeRules "LifeRules", LIFE_RULES_WGSL;
    /// The word from which all random draws of lives come: DNA, place and parent of a rebirth, hunger at birth.
    seed: u32,
    /// Which individuals are born again: [`NOBODY`], [`STARVED`] or [`ALL`].
    rebirth: u32,
    /// The lower end and the size of the range of each trait, in the order of [`Trait::ALL`]. Speed, force and sight
    /// are factors of the numbers in the rules of movement (Q10). Disposition is a mood in Q10, health is in parts of
    /// [`FULL`], and appetite in parts of [`FULL`] a step.
    traits: [[i32; 2]; Trait::ALL.len()] = "speed: vec2<i32>,\n    force: vec2<i32>,\n    sight: vec2<i32>,\n    \
                                            disposition: vec2<i32>,\n    health: vec2<i32>,\n    appetite: vec2<i32>",
    /// The number of neighbours within the sight of cohesion below which an individual is lonely.
    few: i32,
    /// The number of neighbours within the sight of cohesion above which an individual is crowded.
    many: i32,
    /// Added to the mood (Q10), at most 4. Loneliness and crowding subtract from it.
    content: i32,
    /// The amount (Q10, 0 to 4) that the mood loses for each neighbour below `few`.
    lonely: i32,
    /// The amount (Q10, 0 to 4) that the mood loses for each neighbour above `many`.
    crowded: i32,
    /// The amount (Q10, 0 to 4) that the mood loses for each neighbour within the sight of separation.
    pressed: i32,
    /// Subtracted from the mood at the max hunger (Q10), at most 4. At a lower hunger, the subtracted number is
    /// proportional to the hunger.
    sulk: i32,
    /// The max change of the mood in a step (Q14).
    pace: i32,
    /// The hunger above which an individual loses health, in parts of [`FULL`].
    hungry: i32,
    /// The mood (Q14) below which an individual is depressed.
    sad: i32,
    /// 2^24 / (2^14 + `sad`). It turns the depth of a mood below `sad` into a part of the greatest depth.
    slope: i32,
    /// The health that an individual gains in a step if it is neither hungry nor depressed, in parts of [`FULL`].
    recovery: i32,
    /// The health that a hungry individual loses in a step, in parts of [`FULL`].
    starvation: i32,
    /// The health that a depressed individual loses in a step, in parts of [`FULL`].
    gloom: i32,
    /// The part of the trait `Force` that is left at the lowest mood (Q10).
    heed: i32,
    /// The part of the max speed that is left at the lowest mood (Q10).
    slow: i32,
    /// The health below which an individual begins to perish, in parts of [`FULL`]; at least 1.
    frail: i32,
    /// The number of steps from the beginning of perishing to death.
    perishing: i32,
    /// The speed at which a perishing individual sinks, in cells a step (Q14): along y in a flat world, against z in a
    /// deep world.
    sink: i32,
    /// The max change of the byte of a trait from a parent to a child. 0: there are no parents, and an individual keeps
    /// its DNA when it is born again.
    mutation: i32,
    /// 1: a healthier individual is a parent more often, in proportion to its health. 0: health does not matter.
    by_health: i32,
    /// The additional appetite of the fastest individuals, and of the individuals with the largest sight, as a part of
    /// their appetite (Q8). At most 4.
    effort: i32,
}

const _: () = assert!(size_of::<LifeRules>().is_multiple_of(16));

impl LifeRules {
    /// Rules under which needs and movement of an individual do not change, for individuals without lives.
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

    /// The field [`Self::slope`] for a mood `sad` (Q14) with |sad| < 2^14.
    pub fn slope_of(sad: i32) -> i32 {
        (1 << 24) / (HAPPIEST + sad)
    }

    /// The integer value of a trait, in the unit of [`Self::traits`]: low + span · byte / 255, computed as span · (byte
    /// + ⌊byte / 128⌋) / 256.
    #[inline(always)]
    pub fn value<V: Lanes>(&self, of: Trait, byte: V) -> V {
        let [low, span] = self.traits[of as usize];
        let part = byte.add(byte.shift_right::<7>());
        V::splat(low).add(V::splat(span).multiply(part).shift_right::<8>())
    }

    /// The value of a trait for a byte, in the unit of presets. An appetite is the hunger that is gained in 1000 steps.
    pub fn in_unit(&self, of: Trait, byte: u8) -> f64 {
        self.as_number(of, byte) * if of == Trait::Appetite { 1000.0 } else { 1.0 }
    }

    /// The value of a trait for a byte as a number with 1.0 as its unit. An appetite is the hunger that is gained in a
    /// step.
    pub fn as_number(&self, of: Trait, byte: u8) -> f64 {
        let unit = match of {
            Trait::Speed | Trait::Force | Trait::Sight | Trait::Disposition => ONE,
            Trait::Health | Trait::Appetite => FULL,
        };
        f64::from(self.value(of, i32::from(byte))) / f64::from(unit)
    }
}
