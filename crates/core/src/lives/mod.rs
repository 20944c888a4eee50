//! Lives of individuals (`docs/model.md, Lives`): traits from a DNA, hunger, health and mood, perishing and rebirth.
//!
//! A life is four words of the state of an individual, beside its place and velocity. [`numbers`] has the rules in
//! integers, [`needs`] the step of a life, [`rebirth`] the random draws, [`lineage`] the family tree. The GPU code for
//! the same step is `shaders/lives/lives.wgsl`.

use crate::state::LIFE_WORDS;

pub(crate) mod check;
mod individuals;
pub(crate) mod keys;
pub mod lineage;
pub(crate) mod log;
pub mod measures;
pub mod needs;
pub mod numbers;
pub mod rebirth;
pub(crate) mod turnover;

pub use numbers::LifeRules;

/// 1.0 of health or hunger as an integer. It is the max of both.
pub const FULL: i32 = 0xffff;
/// The max mood (Q14). The min mood is its negative.
pub const HAPPIEST: i32 = 1 << 14;

/// A trait of an individual. The DNA has a byte for each trait. Byte 0 is the lower end of the species' range for the
/// trait, byte 255 is the upper end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trait {
    /// The individual's max speed, as a part of `movement.max`.
    Speed,
    /// The rules ask for a change of velocity. The individual makes this part of the change, 0 to 1.
    Force,
    /// The radii within which the individual sees others, as a part of the radii in the rules.
    Sight,
    /// A constant term of the individual's mood, -1 to 1.
    Disposition,
    /// The individual's max health, 0 to 1.
    Health,
    /// The hunger that the individual gains in a step.
    Appetite,
}

impl Trait {
    /// All traits, in the order of their bytes in a DNA.
    pub const ALL: [Self; 6] = [Self::Speed, Self::Force, Self::Sight, Self::Disposition, Self::Health, Self::Appetite];

    /// The name of the trait in presets and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Force => "force",
            Self::Sight => "sight",
            Self::Disposition => "disposition",
            Self::Health => "health",
            Self::Appetite => "appetite",
        }
    }

    /// The unit in presets and tables; `1` for a pure number.
    pub fn unit(self) -> &'static str {
        if self == Self::Appetite { "1/(1000 step)" } else { "1" }
    }
}

/// The life of an individual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Life {
    /// The byte of each trait, in the order of [`Trait::ALL`].
    pub dna: [u8; Trait::ALL.len()],
    /// 0 to [`FULL`]. Above [`LifeRules::hungry`] the individual loses health.
    pub hunger: u16,
    /// 0 to [`FULL`]. It is 0 while the individual perishes.
    pub health: u16,
    /// -[`HAPPIEST`] to [`HAPPIEST`] (Q14).
    pub mood: i16,
    /// Steps until the perishing individual is dead; 0: the individual is not perishing.
    pub perishing: u16,
    /// The number of the individual's species; 0 in a world with one species.
    pub species: u8,
    /// Whether an individual of another species has eaten it. It is then dead after the next step.
    pub is_eaten: bool,
}

impl Life {
    /// The life as four words of the state. From the lowest bits on, they have:
    /// 1. the bytes of speed, force, sight and disposition;
    /// 2. the bytes of health and appetite, the species, and 1 if the individual was eaten;
    /// 3. hunger (16 bits) and health (16 bits);
    /// 4. mood (16 bits) and the steps until the perishing individual is dead (16 bits).
    pub fn words(&self) -> [i32; LIFE_WORDS] {
        let [speed, force, sight, disposition, health, appetite] = self.dna;
        let pair = |low: u16, high: u16| (u32::from(low) | u32::from(high) << 16) as i32;
        [
            i32::from_le_bytes([speed, force, sight, disposition]),
            i32::from_le_bytes([health, appetite, self.species, u8::from(self.is_eaten)]),
            pair(self.hunger, self.health),
            pair(self.mood as u16, self.perishing),
        ]
    }

    /// The life with these four words, in the order of [`Self::words`].
    pub fn from_words([first, second, needs, mood]: [i32; LIFE_WORDS]) -> Self {
        let [[speed, force, sight, disposition], [health, appetite, species, is_eaten]] =
            [first, second].map(i32::to_le_bytes);
        let [needs, mood] = [needs, mood].map(|word| word as u32);
        Self {
            dna: [speed, force, sight, disposition, health, appetite],
            hunger: needs as u16,
            health: (needs >> 16) as u16,
            mood: mood as u16 as i16,
            perishing: (mood >> 16) as u16,
            species,
            is_eaten: is_eaten == 1,
        }
    }

    /// Whether the four words are a possible life between two steps. `species`: the number of species in the world.
    pub fn are_sound(words: [i32; LIFE_WORDS], species: usize) -> bool {
        let life = Self::from_words(words);
        let has_mood = i32::from(life.mood).abs() <= HAPPIEST;
        let is_of_one = usize::from(life.species) < species && (!life.is_eaten || life.perishing == 1);
        life.words() == words && has_mood && is_of_one && (life.health == 0) == (life.perishing > 0)
    }
}

/// Mood, species and steps until death of an individual in one word, for pictures. The lower half is the mood (Q14)
/// rounded down to a multiple of 8, with the species in the three free bits. The upper half has the steps until a
/// perishing individual is dead; 0: the individual is not perishing. `words`: the life, in the order of
/// [`Life::words`].
pub fn drawn_word(words: [i32; LIFE_WORDS]) -> u32 {
    words[3] as u32 & !7 | species_of(words) as u32
}

/// The steps until a perishing individual is dead; 0: it is not perishing. `mood_word`: the last word of its life.
#[inline(always)]
pub fn perishing(mood_word: i32) -> u32 {
    mood_word as u32 >> 16
}

/// The energy of an individual: [`FULL`] minus its hunger. `needs`: the third word of its life.
#[inline(always)]
pub fn store(needs: i32) -> u64 {
    (FULL - (needs & FULL)) as u64
}

/// The number of the species of an individual. `words`: its life, in the order of [`Life::words`].
#[inline(always)]
pub fn species_of(words: [i32; LIFE_WORDS]) -> usize {
    species_in(words[1])
}

/// The number of the species of an individual. `second_word`: the second word of its life.
#[inline(always)]
pub fn species_in(second_word: i32) -> usize {
    (second_word as u32 >> 16 & 0xff) as usize
}

/// The bit of the second word of a life that is set if another species has eaten the individual (see [`Life::words`]).
pub const EATEN: i32 = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_its_words() {
        let life = Life {
            dna: [1, 255, 3, 128, 5, 200],
            hunger: 65_535,
            health: 40_000,
            mood: -16_384,
            species: 2,
            ..Life::default()
        };
        assert_eq!(Life::from_words(life.words()), life);
        assert_eq!(species_of(life.words()), 2);
        assert!(Life::are_sound(life.words(), 3));
        assert!(!Life::are_sound(life.words(), 2), "there is no such species");
        let eaten = Life { health: 0, perishing: 1, is_eaten: true, ..life };
        assert!(Life::are_sound(eaten.words(), 3) && eaten.words()[1] & EATEN != 0);
        let unsound = [
            Life { health: 0, ..life },
            Life { perishing: 1, ..life },
            Life { mood: 16_385, ..life },
            Life { is_eaten: true, ..life },
            Life { perishing: 2, ..eaten },
        ];
        for unsound in unsound {
            assert!(!Life::are_sound(unsound.words(), 3), "{unsound:?}");
        }
        assert!(!Life::are_sound([0, 1 << 25, 0, 1 << 16], 3), "no trait has these bits");
    }
}
