//! The lives of individuals (mood, hunger, health and DNA) in outputs: columns of metrics, keys of the JSON of a run,
//! arrays and trajectories.

use super::{ColumnKind, FeatureArray, FeatureColumn, SpeciesAccount, decimal, lost, unit_object};
use crate::files::frames::series;
use crate::observe::column::{Column, TableCell, cells as cells_of};
use murmuration_core::lives::lineage::Lineage;
use murmuration_core::lives::measures::{LifeMeasures, TraitMeasures};
use murmuration_core::lives::{FULL, HAPPIEST, Life, Trait};
use murmuration_core::numbers::BOID;
use murmuration_core::state::{Entry, Individuals, Ledger, Unit};
use ndarray::Array2;
use serde_json::{Value, json};

/// The columns of births and deaths since the start, in individuals, over all species.
const ACCOUNT: [Column<Ledger>; 3] = [
    ("born", "individual", |ledger| json!(ledger.sum(Entry::Born) / u64::from(BOID))),
    ("starved", "individual", |ledger| json!(ledger.sum(Entry::Starved) / u64::from(BOID))),
    ("eaten", "individual", |ledger| json!(ledger.sum(Entry::Eaten) / u64::from(BOID))),
];
/// The columns of lives: the number of individuals that are perishing, and the mean mood, hunger and health of all
/// others.
const MEASURES: [Column<LifeMeasures>; 4] = [
    ("perishing", "individual", |lives| json!(lives.perishing())),
    ("mood", "1", |lives| json!(lives.mood)),
    ("hunger", "1", |lives| json!(lives.hunger)),
    ("health", "1", |lives| json!(lives.health)),
];
const ENERGY: &str = "1/65535 of the greatest hunger";

/// The columns of lives over all individuals. With `None` every value is `null`.
pub fn cells(of: Option<(&LifeMeasures, &Ledger)>) -> Vec<TableCell> {
    let (lives, ledger) = of.unzip();
    let mut energy = cells_of_energy(ledger.unwrap_or(&Ledger::default()), None);
    if of.is_none() {
        energy.iter_mut().for_each(|cell| cell.value = Value::Null);
    }
    [cells_of(&ACCOUNT, ledger), cells_of(&MEASURES, lives), energy].concat()
}

/// The columns of the lives of one species. Their names do not contain the name of the species.
pub fn cells_of_species(lives: &LifeMeasures, species: &SpeciesAccount) -> Vec<TableCell> {
    let energy = cells_of_energy(&species.ledger, Some(species.number));
    [energy, cells_of(&MEASURES, Some(lives)), cells_of_traits(Some(lives))].concat()
}

/// The columns of energy, with the unit `ENERGY`: the present amount, each change since the start, and the missing
/// amount. `species`: the number of a species; `None`: all species.
fn cells_of_energy(ledger: &Ledger, species: Option<usize>) -> Vec<TableCell> {
    let first = ("energy".to_owned(), json!(ledger.amount(Entry::EnergyPresent, species)));
    let changes = ledger.changes(Unit::Energy, species);
    let changes = changes.into_iter().map(|(name, amount)| (format!("energy_{name}"), json!(amount)));
    let last = ("energy_lost".to_owned(), json!(lost(ledger, Unit::Energy, species)));
    let all = [first].into_iter().chain(changes).chain([last]);
    all.map(|(name, value)| TableCell { name, unit: ENERGY, value }).collect()
}

/// The columns of the traits of the DNA: for each trait the mean, the standard deviation and the histogram. The values
/// are `null` if traits were not measured.
pub fn cells_of_traits(lives: Option<&LifeMeasures>) -> Vec<TableCell> {
    let traits = lives.and_then(|lives| lives.traits.as_ref());
    let columns: [Column<TraitMeasures>; 3] = [
        ("", "1", |own| json!(own.mean)),
        ("_deviation", "1", |own| json!(own.deviation)),
        ("_bins", "1", |own| json!(own.bins)),
    ];
    let of = |(index, of): (usize, Trait)| {
        let cells = cells_of(&columns, traits.map(|traits| &traits[index])).into_iter();
        cells.map(move |TableCell { name, value, .. }| {
            let unit = if of == Trait::Appetite && name != "_bins" { "1/(1000 step)" } else { "1" };
            TableCell { name: format!("dna_{}{name}", of.name()), unit, value }
        })
    };
    Trait::ALL.into_iter().enumerate().flat_map(of).collect()
}

/// The keys of lives and of the family tree in the JSON of a run. `born` and `starved` are in quanta. `energy` has the
/// unit `ENERGY`. All other values are numbers of lives, individuals or generations. `None` for `lives` or for
/// `lineage` leaves its keys out.
pub fn keys(
    lives: Option<&LifeMeasures>,
    ledger: &Ledger,
    lineage: Option<&Lineage>,
) -> impl Iterator<Item = (&'static str, Value)> {
    let of_lives = lives.map(|lives| {
        [
            ("energy", unit_object(ledger, Unit::Energy, None)),
            ("born", json!(ledger.sum(Entry::Born))),
            ("starved", json!(ledger.sum(Entry::Starved))),
            ("living", json!(lives.living())),
            ("perishing", json!(lives.perishing())),
        ]
    });
    let of_tree = lineage.map(|tree| [("lives", json!(tree.len())), ("generations", json!(tree.generations()))]);
    of_lives.into_iter().flatten().chain(of_tree.into_iter().flatten())
}

/// The columns of mood, hunger and health in trajectories. Mood is from -1 to 1, hunger and health from 0 to 1.
pub const NEEDS: [FeatureColumn; 3] = [
    ("mood", "1", ColumnKind::Decimal, |all, index| decimal(life(all, index).mood, HAPPIEST)),
    ("hunger", "1", ColumnKind::Decimal, |all, index| decimal(life(all, index).hunger, FULL)),
    ("health", "1", ColumnKind::Decimal, |all, index| decimal(life(all, index).health, FULL)),
];

/// The array with a row for the life of each individual, in frames of individuals.
pub const ARRAY: FeatureArray = (
    series::LIVES,
    || {
        let columns = LIFE_COLUMNS.map(|(name, scale)| json!({ "name": name, "scale": scale }));
        json!({ "axes": ["individual", "column"], "columns": columns })
    },
    lives_of,
);

/// An array of i32 with a row for the life of each individual. [`LIFE_COLUMNS`] lists the columns.
pub fn lives_of(individuals: &Individuals) -> Array2<i32> {
    (0..individuals.len()).map(|index| numbers_of(&life(individuals, index))).collect::<Vec<_>>().into()
}

/// The life of the individual with an index; the default life if the individuals have no lives.
fn life(individuals: &Individuals, index: usize) -> Life {
    individuals.life(index).map(Life::from_words).unwrap_or_default()
}

/// The columns of a life in arrays: the name, and the factor that converts the stored number to the unit of metrics.
/// The columns `dna_…` are bytes of the DNA.
pub const LIFE_COLUMNS: [(&str, f64); 11] = [
    ("species", 1.0),
    ("mood", 1.0 / HAPPIEST as f64),
    ("hunger", 1.0 / FULL as f64),
    ("health", 1.0 / FULL as f64),
    ("perishing", 1.0),
    ("dna_speed", 1.0),
    ("dna_force", 1.0),
    ("dna_sight", 1.0),
    ("dna_disposition", 1.0),
    ("dna_health", 1.0),
    ("dna_appetite", 1.0),
];

fn numbers_of(life: &Life) -> [i32; LIFE_COLUMNS.len()] {
    let Life { species, mood, hunger, health, perishing, .. } = *life;
    let [a, b, c, d, e, f] = life.dna.map(i32::from);
    [species.into(), mood.into(), hunger.into(), health.into(), perishing.into(), a, b, c, d, e, f]
}
