//! Species in outputs: the account of each species in metrics, in the JSON of a run and in text, and a column of
//! trajectories.

use super::{ColumnKind, FeatureColumn, unit_object};
use crate::observe::column::TableCell;
use murmuration_core::preset::{Preset, Species};
use murmuration_core::simulation::Account;
use murmuration_core::state::{Entry, Ledger, Unit, boids};
use murmuration_core::text::readable;
use serde_json::{Value, json};

/// The name of the axis along which an array of several species holds a density for each species.
pub const LAYERS: &str = "species";

pub const COLUMN: FeatureColumn =
    ("species", "", ColumnKind::Whole, |all, index| (all.species(index) as i64).to_le_bytes());

/// The account of one of several species.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpeciesAccount {
    pub name: String,
    /// The hue of the species, from 0 to 1 around the colour wheel.
    pub colour: f32,
    /// The number of the species, which is its index in the ledger.
    pub number: usize,
    /// The account of all species, which contains the amounts of this species.
    pub ledger: Ledger,
}

impl SpeciesAccount {
    /// The species of a preset, each with an empty account. The list is empty for a single species.
    pub fn all(preset: &Preset) -> Vec<Self> {
        let several = preset.species.iter().enumerate().filter(|_| preset.species.len() > 1);
        let own = |(number, Species { name, colour, .. }): (usize, &Species)| (number, name.clone(), *colour);
        several.map(own).map(|(number, name, colour)| Self { name, colour, number, ..Self::default() }).collect()
    }

    /// The present amount of the species, in quanta.
    pub fn quanta(&self) -> u64 {
        self.amount(Entry::Present)
    }

    /// The amount of an entry of the account for this species, in the unit of the entry.
    pub fn amount(&self, entry: Entry) -> u64 {
        self.ledger[entry][self.number]
    }

    /// The sum of all changes with this name since the start, for this species, in quanta. `name`: such as `born`.
    pub fn change(&self, name: &str) -> u64 {
        self.ledger.named(Unit::Quanta, name, self.number)
    }

    /// The missing amount of this species in a unit; negative if there is too much.
    pub fn lost(&self, unit: Unit) -> i64 {
        self.ledger.lost_of(unit, self.number)
    }

    /// The columns of metrics that every species has. The names of the columns do not contain the name of the species.
    pub(super) fn cells(&self) -> Vec<TableCell> {
        let changes = self.ledger.changes(Unit::Quanta, Some(self.number));
        let all = [("quanta", self.quanta())].into_iter().chain(changes);
        all.map(|(name, amount)| TableCell { name: name.into(), unit: "1/65536 boid", value: json!(amount) }).collect()
    }

    fn object(&self, has_lives: bool) -> Value {
        let mut object = json!({
            "name": self.name,
            "boids": boids(self.quanta()),
            "quanta_start": self.amount(Entry::Start),
            "quanta_end": self.quanta(),
        });
        for (name, amount) in self.ledger.changes(Unit::Quanta, Some(self.number)) {
            object[name] = json!(amount);
        }
        object["lost"] = json!(self.lost(Unit::Quanta));
        if has_lives {
            object["energy"] = unit_object(&self.ledger, Unit::Energy, Some(self.number));
        }
        object
    }
}

/// The keys of several species in the JSON of a run, in two parts: `species` with an object for each species, and
/// `eaten` in quanta. Both parts are empty for a single species.
pub fn keys(species: &[SpeciesAccount], ledger: &Ledger, has_lives: bool) -> [Vec<(&'static str, Value)>; 2] {
    if species.is_empty() {
        return Default::default();
    }
    let objects = species.iter().map(|own| own.object(has_lives)).collect();
    [vec![("species", objects)], vec![("eaten", json!(ledger.sum(Entry::Eaten)))]]
}

/// A line of text about the account of each species; no lines for a single species.
pub fn lines(preset: &Preset, account: &Account) -> Vec<String> {
    let line = |own: SpeciesAccount| {
        let own = SpeciesAccount { ledger: account.ledger, ..own };
        let [now, born, eaten] = [own.quanta(), own.change("born"), own.change("eaten")].map(readable::boids);
        let starved = || format!(" · starved {}", readable::boids(own.amount(Entry::Starved)));
        let ends = preset.individuals.as_ref().map_or(String::new(), |_| starved());
        format!("{}: {now} boids · born {born} · eaten {eaten}{ends}", own.name)
    };
    SpeciesAccount::all(preset).into_iter().map(line).collect()
}
