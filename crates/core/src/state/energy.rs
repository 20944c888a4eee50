//! The account of the energy of individuals with lives (`docs/model.md, Energy`).
//!
//! The store of an individual is what it lacks of the greatest hunger, full - H, from its birth until its life has ended. It is no part of the
//! state beside the hunger. All amounts are in parts of [`FULL`](crate::lives::FULL), and of each species in every step
//!
//! ```text
//! start + spawned + eaten + born - burnt - ended = Σ (full - H)
//! ```

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// What the stores of a species gained and lost by the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Pod, Zeroable)]
#[repr(C)]
pub struct EnergyTurnover {
    /// The hunger that meals and prey have stilled.
    pub eaten: u64,
    /// The hunger that has grown, at most up to the greatest.
    pub burnt: u64,
    /// The stores of the newly born, at their birth. Parents pay nothing for them.
    pub born: u64,
    /// The stores of individuals whose lives have ended, at their end. Individuals that a person lifts count here.
    pub ended: u64,
}

/// The stores of a species at the start, and the stores that were added since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EnergyStart {
    /// The sum of the stores at the start.
    pub start: u64,
    /// The stores of individuals that a person added.
    pub spawned: u64,
}

/// The account of a species, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EnergyLedger {
    /// The stores at the start and the additions.
    pub begun: EnergyStart,
    /// What steps gave and took.
    pub turnover: EnergyTurnover,
}

impl EnergyTurnover {
    pub(crate) fn with(&self, other: &Self, combine: fn(u64, u64) -> u64) -> Self {
        Self {
            eaten: combine(self.eaten, other.eaten),
            burnt: combine(self.burnt, other.burnt),
            born: combine(self.born, other.born),
            ended: combine(self.ended, other.ended),
        }
    }

    /// The sums of both.
    pub fn plus(&self, other: &Self) -> Self {
        self.with(other, u64::wrapping_add)
    }
}

impl EnergyLedger {
    /// The account of all species together.
    pub fn sum(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), |sum, Self { begun, turnover }| Self {
            begun: EnergyStart {
                start: sum.begun.start.wrapping_add(begun.start),
                spawned: sum.begun.spawned.wrapping_add(begun.spawned),
            },
            turnover: sum.turnover.plus(&turnover),
        })
    }

    /// What is missing if the stores sum to `now`; negative if there is too much.
    pub fn lost(&self, now: u64) -> i64 {
        let Self { begun: EnergyStart { start, spawned }, turnover } = *self;
        let EnergyTurnover { eaten, burnt, born, ended } = turnover;
        let [start, spawned, eaten, born, burnt, ended, now] =
            [start, spawned, eaten, born, burnt, ended, now].map(i128::from);
        crate::numbers::saturating(start + spawned + eaten + born - burnt - ended - now)
    }
}
