//! Measures of lives: conditions, means of needs, and the distributions of traits.

use super::{FULL, HAPPIEST, Life, LifeRules, Trait};
use crate::state::Individuals;
use crate::ticket::reading;

/// The mood (Q14) above which an individual counts as happy: a quarter of the max mood.
pub const HAPPY: i32 = HAPPIEST / 4;

/// The condition of an individual, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// The mood is above [`HAPPY`].
    Happy,
    /// The mood is from [`LifeRules::sad`] to [`HAPPY`].
    Neutral,
    /// The mood is below [`LifeRules::sad`].
    Depressed,
    /// The individual is dying, because its health fell below [`LifeRules::frail`].
    Perishing,
}

impl Condition {
    /// All conditions, from the best to the worst.
    pub const ALL: [Self; 4] = [Self::Happy, Self::Neutral, Self::Depressed, Self::Perishing];

    /// The condition of an individual with this life, under the rules of its species.
    pub fn new(life: &Life, rules: &LifeRules) -> Self {
        match i32::from(life.mood) {
            _ if life.perishing > 0 => Self::Perishing,
            mood if mood < rules.sad => Self::Depressed,
            mood if mood > HAPPY => Self::Happy,
            _ => Self::Neutral,
        }
    }

    /// The word for the condition in the panel and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Happy => "happy",
            Self::Neutral => "neutral",
            Self::Depressed => "depressed",
            Self::Perishing => "perishing",
        }
    }
}

/// The number of bins in the histogram of a trait. Each bin has 16 of the 256 values of the trait's byte.
pub const BINS: usize = 16;
/// The number of values of the byte of a trait.
pub const BYTES: usize = 256;

/// The distribution of a trait over all individuals that do not perish.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TraitMeasures {
    /// The mean, in the unit of presets.
    pub mean: f64,
    /// The standard deviation, in the unit of presets.
    pub deviation: f64,
    /// The number of individuals in each of [`BINS`] equal parts of the trait's range, the lowest part first.
    pub bins: [u64; BINS],
}

impl TraitMeasures {
    /// The distribution of a trait. `counts`: the number of individuals with each value of the trait's byte.
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

/// The number of individuals in each condition, and means over all that do not perish.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LifeMeasures {
    /// The number of individuals in each condition, in the order of [`Condition::ALL`].
    pub counts: [u64; Condition::ALL.len()],
    /// The mean mood, -1 to 1.
    pub mood: f64,
    /// The mean hunger, 0 to 1.
    pub hunger: f64,
    /// The mean health, 0 to 1.
    pub health: f64,
    /// The distributions of the traits, in the order of [`Trait::ALL`]. `None`: the individuals are of species with
    /// different ranges, so the value of a byte depends on the species.
    pub traits: Option<[TraitMeasures; Trait::ALL.len()]>,
}

/// The measures of the lives of all individuals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PopulationMeasures {
    /// The measures of all species together.
    pub all: LifeMeasures,
    /// The measures of each species alone, in a world with several species; empty in a world with one species.
    pub species: Vec<LifeMeasures>,
}

reading! {
    engine
    /// Measures the lives of the present swarm.
    PopulationReading {
        /// The rules of each species.
        rules: Vec<LifeRules>,
    } -> PopulationMeasures
}

/// Sums over the individuals of a species. [`PopulationMeasures`] follow from the sums of all species.
#[derive(Debug, Clone)]
pub struct LifeSums {
    /// The number of individuals in each condition, in the order of [`Condition::ALL`].
    pub counts: [u64; Condition::ALL.len()],
    /// The sums of mood (Q14), hunger and health (both in parts of [`FULL`]) over all individuals that do not perish.
    pub needs: [i64; 3],
    /// The number of individuals that do not perish, for each trait and each value of its byte. Each trait has
    /// [`BYTES`] numbers, in the order of [`Trait::ALL`].
    pub bytes: Vec<u32>,
}

impl Default for LifeSums {
    fn default() -> Self {
        Self { counts: Default::default(), needs: [0; 3], bytes: vec![0; Trait::ALL.len() * BYTES] }
    }
}

impl LifeSums {
    /// Adds a life under the rules of its species.
    fn add(&mut self, life: &Life, rules: &LifeRules) {
        let condition = Condition::new(life, rules);
        self.counts[condition as usize] += 1;
        if condition != Condition::Perishing {
            let needs = [i64::from(life.mood), i64::from(life.hunger), i64::from(life.health)];
            self.needs.iter_mut().zip(needs).for_each(|(sum, need)| *sum += need);
            life.dna.into_iter().enumerate().for_each(|(of, byte)| self.bytes[of * BYTES + usize::from(byte)] += 1);
        }
    }

    /// The measures that follow from the sums. `rules`: the rules that give the byte of a trait its value. `None`
    /// leaves out the traits. It is used for species with different ranges of a trait.
    fn measures(&self, rules: Option<&LifeRules>) -> LifeMeasures {
        let of_trait = |of: Trait, rules| TraitMeasures::of(of, &self.bytes[of as usize * BYTES..][..BYTES], rules);
        let traits = rules.map(|rules| Trait::ALL.map(|of| of_trait(of, rules)));
        let measures = LifeMeasures { counts: self.counts, traits, ..LifeMeasures::default() };
        let living = measures.living().max(1) as f64;
        let mean = |sum: i64, one: i32| sum as f64 / living / f64::from(one);
        let [mood, hunger, health] = self.needs;
        LifeMeasures { mood: mean(mood, HAPPIEST), hunger: mean(hunger, FULL), health: mean(health, FULL), ..measures }
    }
}

impl PopulationMeasures {
    /// The measures of a swarm of individuals. `rules`: the rules of each species.
    pub fn new(individuals: &Individuals, rules: &[LifeRules]) -> Self {
        let mut sums = vec![LifeSums::default(); rules.len()];
        for life in (0..individuals.len()).filter_map(|index| individuals.life(index)).map(Life::from_words) {
            let species = usize::from(life.species);
            sums[species].add(&life, &rules[species]);
        }
        Self::from_sums(&sums, rules)
    }

    /// The measures that follow from sums. `sums` and `rules` have one entry for each species.
    pub fn from_sums(sums: &[LifeSums], rules: &[LifeRules]) -> Self {
        let mut all = LifeSums::default();
        for own in sums {
            all.counts.iter_mut().zip(own.counts).for_each(|(sum, count)| *sum += count);
            all.needs.iter_mut().zip(own.needs).for_each(|(sum, need)| *sum += need);
            all.bytes.iter_mut().zip(&own.bytes).for_each(|(sum, count)| *sum += count);
        }
        let has_one_dna = rules.windows(2).all(|pair| pair[0].traits == pair[1].traits);
        let of_species = sums.iter().zip(rules).filter(|_| rules.len() > 1);
        Self {
            all: all.measures(rules.first().filter(|_| has_one_dna)),
            species: of_species.map(|(sums, rules)| sums.measures(Some(rules))).collect(),
        }
    }
}

impl LifeMeasures {
    /// The number of individuals in all conditions except [`Condition::Perishing`].
    pub fn living(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.perishing()
    }

    /// The number of individuals in the condition [`Condition::Perishing`].
    pub fn perishing(&self) -> u64 {
        self.counts[Condition::Perishing as usize]
    }
}
