//! What is measured of lives.

use super::{FULL, HAPPIEST, Life, LifeRules, Trait};
use crate::individuals::Agents;

/// The mood (Q14) above which an individual is happy: a quarter of the greatest one.
pub const HAPPY: i32 = HAPPIEST / 4;

/// How an individual is, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Happy,
    Neutral,
    Depressed,
    Perishing,
}

impl Condition {
    pub const ALL: [Self; 4] = [Self::Happy, Self::Neutral, Self::Depressed, Self::Perishing];

    /// The condition of a life.
    pub fn of(life: &Life, rules: &LifeRules) -> Self {
        match i32::from(life.mood) {
            _ if life.perishing > 0 => Self::Perishing,
            mood if mood < rules.sad => Self::Depressed,
            mood if mood > HAPPY => Self::Happy,
            _ => Self::Neutral,
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Happy => "happy",
            Self::Neutral => "neutral",
            Self::Depressed => "depressed",
            Self::Perishing => "perishing",
        }
    }
}

/// Bins of the histogram of a trait: each has as many bytes of a DNA.
pub const BINS: usize = 16;
/// The bytes that a trait may be.
pub const BYTES: usize = 256;

/// A trait over all that do not perish.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TraitMeasures {
    /// The mean and the standard deviation, in the unit of presets.
    pub mean: f64,
    pub deviation: f64,
    /// How many have a byte in each bin, from the lower end of the range to the upper one.
    pub bins: [u64; BINS],
}

impl TraitMeasures {
    /// The measures of a trait that so many have with each byte.
    fn of(of: Trait, counts: &[u32], rules: &LifeRules) -> Self {
        let values =
            || counts.iter().zip(0..=u8::MAX).map(|(count, byte)| (f64::from(*count), rules.in_unit(of, byte)));
        let all = counts.iter().map(|count| u64::from(*count)).sum::<u64>().max(1) as f64;
        let mean = values().map(|(count, value)| count * value).sum::<f64>() / all;
        let square = values().map(|(count, value)| count * (value - mean) * (value - mean)).sum::<f64>() / all;
        let mut bins = [0; BINS];
        for (byte, count) in counts.iter().enumerate() {
            bins[byte * BINS / BYTES] += u64::from(*count);
        }
        Self { mean, deviation: square.sqrt(), bins }
    }
}

/// How many individuals are in each condition, and the means over those that do not perish.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LifeMeasures {
    /// In the order of [`Condition::ALL`].
    pub counts: [u64; Condition::ALL.len()],
    /// -1 to 1.
    pub mood: f64,
    /// 0 to 1.
    pub hunger: f64,
    /// 0 to 1.
    pub health: f64,
    /// In the order of [`Trait::ALL`]; `None`: species have ranges of their own, so that bytes of a DNA mean different values.
    pub traits: Option<[TraitMeasures; Trait::ALL.len()]>,
}

impl LifeMeasures {
    /// The measures of a swarm of individuals with lives.
    pub fn of(agents: &Agents, rules: &LifeRules) -> Self {
        let mut measures = Self::default();
        let mut sums = [0i64; 3];
        let mut bytes = vec![0; Trait::ALL.len() * BYTES];
        for life in (0..agents.len()).filter_map(|index| agents.life(index)).map(Life::from_words) {
            let condition = Condition::of(&life, rules);
            measures.counts[condition as usize] += 1;
            if condition != Condition::Perishing {
                let needs = [i64::from(life.mood), i64::from(life.hunger), i64::from(life.health)];
                sums.iter_mut().zip(needs).for_each(|(sum, need)| *sum += need);
                life.dna.into_iter().enumerate().for_each(|(of, byte)| bytes[of * BYTES + usize::from(byte)] += 1);
            }
        }
        Self::from_sums(measures.counts, sums, &bytes, rules)
    }

    /// The measures of so many in each condition, with the sums of mood, hunger and health over those that do not perish, and how many of
    /// them have each byte of each trait.
    pub fn from_sums(
        counts: [u64; Condition::ALL.len()],
        [mood, hunger, health]: [i64; 3],
        bytes: &[u32],
        rules: &LifeRules,
    ) -> Self {
        let of_trait = |of: Trait| TraitMeasures::of(of, &bytes[of as usize * BYTES..][..BYTES], rules);
        let measures = Self { counts, traits: Some(Trait::ALL.map(of_trait)), ..Self::default() };
        let living = measures.living().max(1) as f64;
        let mean = |sum: i64, one: i32| sum as f64 / living / f64::from(one);
        Self { mood: mean(mood, HAPPIEST), hunger: mean(hunger, FULL), health: mean(health, FULL), ..measures }
    }

    /// The same where species have ranges of their own.
    pub fn without_traits(self) -> Self {
        Self { traits: None, ..self }
    }

    /// Those that do not perish.
    pub fn living(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.perishing()
    }

    /// Those that perish.
    pub fn perishing(&self) -> u64 {
        self.counts[Condition::Perishing as usize]
    }
}
