//! What is measured of lives.

use super::{FULL, HAPPIEST, Life, LifeRules};
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
}

impl LifeMeasures {
    /// The measures of a swarm of individuals with lives.
    pub fn of(agents: &Agents, rules: &LifeRules) -> Self {
        let mut measures = Self::default();
        let mut sums = [0i64; 3];
        for life in (0..agents.len()).filter_map(|index| agents.life(index)).map(Life::from_words) {
            let condition = Condition::of(&life, rules);
            measures.counts[condition as usize] += 1;
            if condition != Condition::Perishing {
                let needs = [i64::from(life.mood), i64::from(life.hunger), i64::from(life.health)];
                sums.iter_mut().zip(needs).for_each(|(sum, need)| *sum += need);
            }
        }
        Self::from_sums(measures.counts, sums)
    }

    /// The measures of so many in each condition, with the sums of mood, hunger and health over those that do not perish.
    pub fn from_sums(counts: [u64; Condition::ALL.len()], [mood, hunger, health]: [i64; 3]) -> Self {
        let measures = Self { counts, ..Self::default() };
        let living = measures.living().max(1) as f64;
        let mean = |sum: i64, one: i32| sum as f64 / living / f64::from(one);
        Self { mood: mean(mood, HAPPIEST), hunger: mean(hunger, FULL), health: mean(health, FULL), ..measures }
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
