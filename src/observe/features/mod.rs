//! Optional features of a world (rock, lives, several species) in outputs: columns of metrics, keys of the JSON of a
//! run, arrays and trajectories.
//!
//! Each feature has a file with its columns and keys. Tables, JSON and frames call the functions of this module, and
//! name no feature.

mod lives;
mod rock;
mod species;

pub use lives::{LIFE_COLUMNS, lives_of};
pub use species::{LAYERS, SpeciesAccount, lines};

use super::column::{TableCell, cells};
use crate::files::frames::Series;
use murmuration_core::error::Failure;
use murmuration_core::lives::measures::PopulationMeasures;
use murmuration_core::measures::rock::RockMeasures;
use murmuration_core::preset::{IndividualModel, Preset};
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::{Individuals, Ledger, Swarm, Unit};
use murmuration_core::ticket::Ticket;
use ndarray::Array2;
use serde_json::{Value, json};

/// The maximum number of individuals whose distances from rock are measured for the metrics of the window.
const MAX_AMONG_ROCK: usize = 1 << 14;

/// The measures of the features of a swarm at one step, with the account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeatureMeasures {
    /// The distances of individuals from rock. `None`: the swarm is of cells, or movements are not tested against rock
    /// along their whole way.
    pub rock: Option<RockMeasures>,
    /// The measures of lives; `None`: individuals have no lives, or the swarm is of cells.
    pub lives: Option<PopulationMeasures>,
    /// The account of each species; empty for a single species.
    pub species: Vec<SpeciesAccount>,
    /// The amounts at the start and now, and all changes between, for all species.
    pub ledger: Ledger,
}

impl FeatureMeasures {
    /// The features of a preset with its species, without measures and with an empty account.
    pub fn new(preset: &Preset) -> Self {
        Self { species: SpeciesAccount::all(preset), ..Self::default() }
    }

    /// Measures the features of a swarm that was read from a simulation. The account stays empty.
    pub fn from_swarm(simulation: &mut Simulation, swarm: &Swarm) -> Self {
        let (rock, lives) = (simulation.rock_measures(swarm), simulation.life_measures(swarm));
        Self { rock, lives, ..Self::new(simulation.preset()) }
    }

    /// Copies an account into `ledger`, here and in each species.
    pub fn set_account(&mut self, account: &Account) {
        self.ledger = account.ledger;
        self.species.iter_mut().for_each(|own| own.ledger = account.ledger);
    }

    /// Requests the measures of the present swarm. The distances from rock are measured only if the swarm is in memory
    /// and has at most 16384 individuals.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request(simulation: &mut Simulation) -> Result<Ticket<Self>, Failure> {
        let lives = match simulation.population_reading() {
            Some(reading) => simulation.request(reading)?.map(Some),
            None => Ticket::ready(None),
        };
        let is_read = simulation.preset().world.rock.is_some() && simulation.on_device().is_none();
        let swarm = is_read.then(|| simulation.swarm()).transpose()?;
        let is_few = |swarm: &Swarm| swarm.individuals().is_some_and(|all| all.len() <= MAX_AMONG_ROCK);
        let rock = swarm.filter(is_few).and_then(|swarm| simulation.rock_measures(&swarm));
        let features = Self { rock, ..Self::new(simulation.preset()) };
        Ok(lives.map(move |lives| Self { lives, ..features }))
    }

    /// Empty measures of every feature, for the names of all columns. Its one species has an empty name.
    pub fn of_every_feature() -> Self {
        let lives = PopulationMeasures { species: vec![Default::default()], ..Default::default() };
        Self { lives: Some(lives), species: vec![SpeciesAccount::default()], ..Self::default() }
    }

    /// Whether the swarm has several species.
    pub fn has_several(&self) -> bool {
        !self.species.is_empty()
    }

    /// The values of the columns over the whole swarm.
    pub fn cells(&self) -> Vec<TableCell> {
        let lives = self.lives.as_ref().map(|measured| (&measured.all, &self.ledger));
        [cells(&rock::COLUMNS, self.rock.as_ref()), lives::cells(lives)].concat()
    }

    /// The values of the columns of traits, then of the columns of each species. The name of a column of a species
    /// begins with the name of the species and a dot.
    pub fn cells_of_parts(&self) -> Vec<TableCell> {
        let lives = self.lives.as_ref();
        let mut cells = lives::cells_of_traits(lives.map(|measured| &measured.all));
        for own in &self.species {
            let of_lives = lives.and_then(|measured| measured.species.get(own.number));
            let of_lives = of_lives.map(|measured| lives::cells_of_species(measured, own)).unwrap_or_default();
            // No name of a species has a dot, so the names of columns are unique.
            let named = |cell: TableCell| TableCell { name: format!("{}.{}", own.name, cell.name), ..cell };
            cells.extend(own.cells().into_iter().chain(of_lives).map(named));
        }
        cells
    }

    /// The keys of the JSON of a run in three parts: the species before the provenance, the key `eaten` after it, and
    /// all other keys of features at the end. Single species have no keys in the first two parts.
    pub fn keys(&self, simulation: &Simulation) -> [Vec<(&'static str, Value)>; 3] {
        let (preset, ledger) = (simulation.preset(), &self.ledger);
        let [of_species, eaten] = species::keys(&self.species, ledger, simulation.life_rules().is_some());
        let mut last = vec![("in_rock", json!(self.rock.map(|measures| measures.in_rock)))];
        let lives = self.lives.as_ref().map(|measured| &measured.all);
        last.extend(lives::keys(lives, ledger, simulation.lineage()));
        let units = preset.features.0.iter().filter_map(|feature| Some(feature.column().present?.row().unit));
        last.extend(units.map(|unit| (unit.name(), unit_object(ledger, unit, None))));
        last.extend(preset.world.window.map(|window| ("origin", json!(window.origin))));
        [of_species, eaten, last]
    }
}

/// An array in frames of individuals: the series of its files, a function that describes the axes and columns, and a
/// function that gives the numbers.
pub type FeatureArray = (Series, fn() -> Value, fn(&Individuals) -> Array2<i32>);

/// The type of the numbers of a column of trajectories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// i64.
    Whole,
    /// f64.
    Decimal,
}

/// The bytes of `number / one` as f64, the least significant byte first.
pub fn decimal(number: impl Into<i32>, one: i32) -> [u8; 8] {
    (f64::from(number.into()) / f64::from(one)).to_le_bytes()
}

/// A column of trajectories: its name, its unit, its kind, and a function. The function gives the bytes of the number
/// of the individual with an index, the least significant byte first.
pub type FeatureColumn = (&'static str, &'static str, ColumnKind, fn(&Individuals, usize) -> [u8; 8]);

fn has_lives(preset: &Preset) -> bool {
    preset.individuals.as_ref().is_some_and(IndividualModel::has_lives)
}

/// The arrays of features in frames of individuals, besides places, velocities and numbers.
pub fn arrays(preset: &Preset) -> &'static [FeatureArray] {
    if has_lives(preset) { &[lives::ARRAY] } else { &[] }
}

/// The columns of features in trajectories, after places and velocities.
pub fn columns_of_individuals(preset: &Preset) -> Vec<FeatureColumn> {
    let of_lives = if has_lives(preset) { &lives::NEEDS[..] } else { &[] };
    [&[species::COLUMN], of_lives].concat()
}

/// The account in a unit as a JSON object. `species`: the number of a species; `None`: all species.
fn unit_object(ledger: &Ledger, unit: Unit, species: Option<usize>) -> Value {
    let [start, sum] = unit.ends().map(|entry| ledger.amount(entry, species));
    let mut object = json!({ "start": start });
    for (name, amount) in ledger.changes(unit, species) {
        object[name] = json!(amount);
    }
    object["sum"] = json!(sum);
    object["lost"] = json!(lost(ledger, unit, species));
    object
}

/// The missing amount in a unit; negative if there is too much. `species`: the number of a species; `None`: all
/// species.
fn lost(ledger: &Ledger, unit: Unit, species: Option<usize>) -> i64 {
    species.map_or_else(|| ledger.lost(unit), |own| ledger.lost_of(unit, own))
}
