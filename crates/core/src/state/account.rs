//! The account of a swarm, with which the program checks that no boid is lost (`docs/design.md, Invariants`). It is an
//! array of sums, with a row for each entry and a column for each species.
//!
//! Each entry has a sign. Entries that add to the swarm have the sign 1. Entries that take from the swarm, and the
//! present amount, have the sign -1. The sum over all entries is the missing amount:
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
    /// Quanta; a boid has [`BOID`] quanta. During steps, engines of individuals count whole individuals.
    /// [`Ledger::in_quanta`] converts these counts to quanta.
    Quanta,
    /// Food, in parts of a meal: [`FULL`](crate::lives::FULL) parts remove the maximum hunger.
    Food,
    /// Energy of individuals with lives: the maximum hunger, which is [`FULL`](crate::lives::FULL), minus their hunger.
    Energy,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 3] = [Self::Quanta, Self::Food, Self::Energy];

    /// The name of the unit in tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quanta => "quanta",
            Self::Food => "food",
            Self::Energy => "energy",
        }
    }

    /// The two entries that are not turnover: the amount at the start and the present amount.
    pub const fn ends(self) -> [Entry; 2] {
        match self {
            Self::Quanta => [Entry::Start, Entry::Present],
            Self::Food => [Entry::FoodStart, Entry::FoodPresent],
            Self::Energy => [Entry::EnergyStart, Entry::EnergyPresent],
        }
    }

    /// The rows of the account with this unit, in the order of [`ROWS`].
    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        ROWS.iter().filter(move |row| row.unit == self)
    }
}

/// The description of one entry of the account.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The entry.
    pub entry: Entry,
    /// The unique name of the entry, in checkpoints.
    pub key: &'static str,
    /// The name in tables and JSON. Tables add up the entries of one unit that have this name.
    pub name: &'static str,
    /// The unit of the amount.
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
    /// Individuals that were born.
    Born = "born", Quanta, 1;
    /// Quanta that a species of cells gained by eating other species. The other species count them as [`Self::Prey`].
    Fed = "born", Quanta, 1;
    /// Individuals that another species ate.
    Eaten = "eaten", Quanta, -1;
    /// Quanta that a species of cells lost because other species ate them.
    Prey = "eaten", Quanta, -1;
    /// Quanta that hunters caught, and quanta that a user removed.
    Caught = "caught", Quanta, -1;
    /// Individuals that died after their health fell too low, from hunger or a low mood.
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
    /// Hunger that was removed by food and by eaten individuals.
    EnergyEaten = "eaten", Energy, 1;
    /// Energy of individuals at their birth. Their parents lose no energy.
    EnergyBorn = "born", Energy, 1;
    /// Growth of hunger in all steps. The hunger of an individual grows at most to the maximum.
    EnergyBurnt = "burnt", Energy, -1;
    /// Energy of individuals at the end of their lives, including individuals that a user removed.
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

/// The account: the amount of each entry for each species. A world of one species uses species 0. Food counts for
/// species 0.
///
/// Amounts are modulo 2^64. So an amount may be negative until an engine's counts are added.
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
    /// The ledger of a run before its first step. `present`: the present amounts at this time, which become the amounts
    /// at the start.
    pub fn begin(present: &Self) -> Self {
        let mut begun = Self::default();
        for [start, now] in Unit::ALL.map(Unit::ends) {
            begun[start] = present[now];
        }
        begun
    }

    /// The ledger with all present amounts set to 0.
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

    /// Adds an amount to an entry of a species.
    pub fn add(&mut self, entry: Entry, species: usize, amount: u64) {
        let own = &mut self[entry][species];
        *own = own.wrapping_add(amount);
    }

    /// The sum of an entry over all species.
    pub fn sum(&self, entry: Entry) -> u64 {
        self[entry].iter().fold(0, |sum, amount| sum.wrapping_add(*amount))
    }

    /// The amount of an entry for a species; `None`: the sum over all species.
    pub fn amount(&self, entry: Entry, species: Option<usize>) -> u64 {
        species.map_or_else(|| self.sum(entry), |own| self[entry][own])
    }

    /// The amount of a species in tables under `name`: the sum of the unit's entries with this [`Row::name`].
    pub fn named(&self, unit: Unit, name: &str, species: usize) -> u64 {
        let rows = unit.rows().filter(|row| row.name == name);
        rows.fold(0, |sum, row| sum.wrapping_add(self[row.entry][species]))
    }

    /// The amounts of a unit that were added or taken since the start, each with its name, in the order of [`ROWS`].
    /// `species` is `None`: the sums over all species.
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
    /// the sum of the absolute values of [`Self::lost_of`] over the species.
    pub fn lost(&self, unit: Unit) -> i64 {
        let has = |species: usize| unit.rows().any(|row| self[row.entry][species] > 0);
        match (1..MAX_SPECIES).rfind(|species| has(*species)) {
            None => self.lost_of(unit, 0),
            Some(last) => saturating((0..=last).map(|own| i128::from(self.lost_of(unit, own).unsigned_abs())).sum()),
        }
    }

    /// Adds up all species. The sums are the amounts of species 0.
    pub fn joined(&self) -> Self {
        ROWS.iter().fold(Self::default(), |joined, row| joined.with(row.entry, self.sum(row.entry)))
    }

    /// The sum of both ledgers, entry by entry.
    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, u64::wrapping_add)
    }

    /// This ledger minus `other`, entry by entry.
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

/// A map from the key of each entry to its amounts by species. Zeros at the end of a list, and empty lists, are left
/// out.
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
