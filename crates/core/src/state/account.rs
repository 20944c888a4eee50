//! The account of a swarm: an array of sums, with a row for each entry and a column for each species
//! (`docs/design.md, Invariants`).
//!
//! Each entry has a sign. Entries that add to the swarm have 1. Entries that take from the swarm and the present amount
//! have -1. The sum is the missing amount:
//!
//! ```text
//! lost = Σ sign(entry) · amount(entry)
//! ```

use crate::error::Failure;
use crate::numbers::{BOID, saturating};
use crate::ranks::Ranks;
use crate::world::MAX_SPECIES;
use bytemuck::{Pod, Zeroable};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// The unit of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Quanta. A boid has [`BOID`] quanta. A step of individuals counts individuals, which [`Ledger::in_quanta`]
    /// converts.
    Quanta,
    /// Food, in parts of [`FULL`](crate::lives::FULL).
    Food,
    /// Energy of individuals with lives: the maximum hunger minus their hunger, in parts of
    /// [`FULL`](crate::lives::FULL).
    Energy,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 3] = [Self::Quanta, Self::Food, Self::Energy];

    /// The name of the amount.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quanta => "quanta",
            Self::Food => "food",
            Self::Energy => "energy",
        }
    }

    /// The entries of the amount at the start and of the present amount.
    pub const fn ends(self) -> [Entry; 2] {
        match self {
            Self::Quanta => [Entry::Start, Entry::Present],
            Self::Food => [Entry::FoodStart, Entry::FoodPresent],
            Self::Energy => [Entry::EnergyStart, Entry::EnergyPresent],
        }
    }

    /// The rows of the unit, in the order of the table.
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        ROWS.iter().filter(move |row| row.unit == self)
    }
}

/// A row of the account.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The entry.
    pub entry: Entry,
    /// The unique name of the entry, in checkpoints.
    pub key: &'static str,
    /// The name in tables and JSON. Entries of one unit with an equal name are added up.
    pub name: &'static str,
    /// The unit.
    pub unit: Unit,
    /// 1 if the entry adds to the swarm, -1 if it takes from the swarm or is the present amount, 0 if it is only
    /// counted.
    pub sign: i8,
}

macro_rules! rows {
    ($($(#[doc = $doc:literal])+ $entry:ident = $name:literal, $unit:ident, $sign:literal;)*) => {
        /// An entry of the account.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Entry {
            $($(#[doc = $doc])+ $entry),*
        }

        /// The table: the row of each entry, in the order of the entries.
        pub const ROWS: &[Row] = &[
            $(Row { entry: Entry::$entry, key: stringify!($entry), name: $name, unit: Unit::$unit, sign: $sign }),*
        ];
    };
}

rows! {
    /// Quanta at the start.
    Start = "start", Quanta, 1;
    /// Quanta that a user added.
    Spawned = "spawned", Quanta, 1;
    /// Individuals born.
    Born = "born", Quanta, 1;
    /// Quanta of other species that a species of cells ate. These quanta are also [`Self::Prey`] of the other species.
    Fed = "born", Quanta, 1;
    /// Individuals that another species ate.
    Eaten = "eaten", Quanta, -1;
    /// Quanta of a species of cells that other species ate.
    Prey = "eaten", Quanta, -1;
    /// Quanta that hunters caught, and quanta that a user lifted.
    Caught = "caught", Quanta, -1;
    /// Individuals that died of hunger or sorrow.
    Starved = "starved", Quanta, -1;
    /// Births that were refused because there were too many individuals.
    Refused = "refused", Quanta, 0;
    /// Quanta at present.
    Present = "sum", Quanta, -1;
    /// Food at the start.
    FoodStart = "start", Food, 1;
    /// Food that has grown.
    FoodGrown = "grown", Food, 1;
    /// Food that a user added.
    FoodFed = "fed", Food, 1;
    /// Food that individuals ate.
    FoodGrazed = "eaten", Food, -1;
    /// Food that a user removed.
    FoodRemoved = "removed", Food, -1;
    /// Food at present.
    FoodPresent = "sum", Food, -1;
    /// Energy at the start.
    EnergyStart = "start", Energy, 1;
    /// Energy of individuals that a user added.
    EnergySpawned = "spawned", Energy, 1;
    /// Hunger removed by meals and prey.
    EnergyEaten = "eaten", Energy, 1;
    /// Energy of the newborn at birth. Parents do not pay for it.
    EnergyBorn = "born", Energy, 1;
    /// Hunger that has grown, up to the maximum.
    EnergyBurnt = "burnt", Energy, -1;
    /// Energy of individuals at the end of their lives, including individuals that a user lifted.
    EnergyEnded = "ended", Energy, -1;
    /// Energy at present.
    EnergyPresent = "sum", Energy, -1;
}

impl Entry {
    /// The row of the entry.
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

/// The amount of each entry for each species. A world of one species uses species 0. Food is kept in species 0.
///
/// Amounts are modulo 2^64, so a ledger may hold a difference that an engine's counts later compensate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Ledger([[u64; MAX_SPECIES]; ROWS.len()]);

impl Default for Ledger {
    fn default() -> Self {
        Self::zeroed()
    }
}

impl Index<Entry> for Ledger {
    type Output = [u64; MAX_SPECIES];

    fn index(&self, entry: Entry) -> &Self::Output {
        &self.0[entry as usize]
    }
}

impl IndexMut<Entry> for Ledger {
    fn index_mut(&mut self, entry: Entry) -> &mut Self::Output {
        &mut self.0[entry as usize]
    }
}

impl Ledger {
    /// The ledger of a swarm at its start. `present`: the amounts at the start.
    pub fn begin(present: &Self) -> Self {
        let mut begun = Self::default();
        for [start, now] in Unit::ALL.map(Unit::ends) {
            begun[start] = present[now];
        }
        begun
    }

    /// The ledger without the amounts at present: the amounts given and taken by steps and users.
    pub fn turnover(mut self) -> Self {
        for [_, now] in Unit::ALL.map(Unit::ends) {
            self[now] = Default::default();
        }
        self
    }

    /// Sets an amount of the first species.
    pub fn with(mut self, entry: Entry, amount: u64) -> Self {
        self[entry][0] = amount;
        self
    }

    /// Adds to an entry.
    pub fn add(&mut self, entry: Entry, species: usize, amount: u64) {
        let own = &mut self[entry][species];
        *own = own.wrapping_add(amount);
    }

    /// The sum of an entry over all species.
    pub fn sum(&self, entry: Entry) -> u64 {
        self[entry].iter().fold(0, |sum, amount| sum.wrapping_add(*amount))
    }

    /// The amount of an entry of a species, or of all species.
    pub fn amount(&self, entry: Entry, species: Option<usize>) -> u64 {
        species.map_or_else(|| self.sum(entry), |own| self[entry][own])
    }

    /// The amount of a species under a name in tables: the sum of all entries with this name.
    pub fn named(&self, unit: Unit, name: &str, species: usize) -> u64 {
        let rows = unit.rows().filter(|row| row.name == name);
        rows.fold(0, |sum, row| sum.wrapping_add(self[row.entry][species]))
    }

    /// The turnover of a species in a unit, or of all species: each name with its amount, in the order of the table.
    pub fn changes(&self, unit: Unit, species: Option<usize>) -> Vec<(&'static str, u64)> {
        let mut changes: Vec<(&str, u64)> = Vec::new();
        for row in unit.rows().filter(|row| !unit.ends().contains(&row.entry)) {
            let amount = self.amount(row.entry, species);
            match changes.last_mut() {
                Some((name, sum)) if *name == row.name => *sum = sum.wrapping_add(amount),
                _ => changes.push((row.name, amount)),
            }
        }
        changes
    }

    /// The missing amount of a species in a unit; negative if there is too much.
    pub fn lost_of(&self, unit: Unit, species: usize) -> i64 {
        saturating(unit.rows().map(|row| i128::from(row.sign) * i128::from(self[row.entry][species])).sum())
    }

    /// The missing amount in a unit. With one species, it is negative if there is too much. With several species, it is
    /// the sum of the species' absolute errors.
    pub fn lost(&self, unit: Unit) -> i64 {
        let has = |species: usize| unit.rows().any(|row| self[row.entry][species] > 0);
        match (1..MAX_SPECIES).rfind(|species| has(*species)) {
            None => self.lost_of(unit, 0),
            Some(last) => saturating((0..=last).map(|own| i128::from(self.lost_of(unit, own).unsigned_abs())).sum()),
        }
    }

    /// The sums over all species, as the amounts of species 0.
    pub fn joined(&self) -> Self {
        ROWS.iter().fold(Self::default(), |joined, row| joined.with(row.entry, self.sum(row.entry)))
    }

    /// The sum of both ledgers.
    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, u64::wrapping_add)
    }

    /// The difference of both ledgers.
    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, u64::wrapping_sub)
    }

    fn combined(&self, other: &Self, combine: fn(u64, u64) -> u64) -> Self {
        let mut combined = *self;
        for (own, other) in combined.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *own = combine(*own, *other);
        }
        combined
    }

    /// Converts individuals to quanta. Food and energy stay unchanged.
    pub fn in_quanta(mut self) -> Self {
        for row in Unit::Quanta.rows() {
            self[row.entry].iter_mut().for_each(|amount| *amount *= u64::from(BOID));
        }
        self
    }

    /// The sums over all ranks.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn sum_over(mut self, ranks: &dyn Ranks) -> Result<Self, Failure> {
        ranks.sum(self.0.as_flattened_mut())?;
        Ok(self)
    }
}

/// The amounts of each entry by key, without trailing zeros.
impl Serialize for Ledger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let amounts = |row: &'static Row| {
            let all = &self[row.entry];
            let count = all.iter().rposition(|amount| *amount != 0)? + 1;
            Some((row.key, &all[..count]))
        };
        serializer.collect_map(ROWS.iter().filter_map(amounts))
    }
}

impl<'de> Deserialize<'de> for Ledger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut ledger = Self::default();
        for (key, amounts) in BTreeMap::<String, Vec<u64>>::deserialize(deserializer)? {
            let row = ROWS.iter().find(|row| row.key == key);
            let row = row.ok_or_else(|| D::Error::custom(format!("the account has no entry {key:?}")))?;
            let own = ledger[row.entry].get_mut(..amounts.len());
            let own = own.ok_or_else(|| D::Error::custom(format!("{key} has {} species", amounts.len())))?;
            own.copy_from_slice(&amounts);
        }
        Ok(ledger)
    }
}
