//! The table of metrics: a row for each step that was observed.

use super::{Observation, SpeciesAccount};
use murmuration_core::lives::Trait;
use murmuration_core::lives::measures::TraitMeasures;
use murmuration_core::state::{Entry, Unit};
use serde::Serialize;
use serde_json::{Map, Value};

/// The metrics of a run as CSV. A table without rows has a header too.
pub fn metrics_table(rows: &[Observation]) -> Vec<u8> {
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let species = rows.first().map_or(&[][..], |row| &row.species);
    // No name of a species has a dot, so that no column has the name of another.
    let of_species =
        species.iter().flat_map(|own| own.cells().into_iter().map(|(name, _)| format!("{}.{name}", own.name)));
    let of_traits = cells_of_traits(None).into_iter().map(|(name, _)| name);
    let header = table.write_record(COLUMNS.split(' ').map(String::from).chain(of_traits).chain(of_species));
    let full = |row: &Observation| -> Vec<Cell> {
        let traits = row.lives.as_ref().and_then(|lives| lives.all.traits.as_ref());
        let of_species = row.species.iter().flat_map(SpeciesAccount::cells);
        cells_of_traits(traits).into_iter().chain(of_species).map(|(_, cell)| cell).collect()
    };
    header
        .and_then(|()| rows.iter().try_for_each(|row| table.serialize((row, full(row)))))
        .expect("memory takes every row");
    table.into_inner().expect("memory takes every row")
}

/// A row by its columns: numbers, `null` where a column is empty, and lists of whole numbers.
pub fn columns(row: &Observation) -> Map<String, Value> {
    let Ok(Value::Object(mut columns)) = serde_json::to_value(row) else { return Map::new() };
    let traits = row.lives.as_ref().and_then(|lives| lives.all.traits.as_ref());
    columns.extend(cells_of_traits(traits).into_iter().map(|(name, cell)| (name, cell.value())));
    for own in &row.species {
        columns.extend(own.cells().into_iter().map(|(name, cell)| (format!("{}.{name}", own.name), cell.value())));
    }
    columns
}

/// The number in each column of the table but the first, which is the step. `None`: the column is empty, or a list.
#[cfg(feature = "window")]
pub fn column_values(row: &Observation) -> Vec<(String, Option<f64>)> {
    let table = metrics_table(std::slice::from_ref(row));
    let mut reader = csv::Reader::from_reader(table.as_slice());
    let names = reader.headers().cloned().unwrap_or_default();
    let cells = reader.records().next().and_then(Result::ok).unwrap_or_default();
    names.iter().map(str::to_owned).zip(cells.iter().map(|cell| cell.parse().ok())).skip(1).collect()
}

/// The columns in their order: the names of the fields.
const COLUMNS: &str = "step boids quanta lost spawned caught polarisation mean_speed heading_x heading_y heading_z milling rotation_x rotation_y \
     rotation_z occupied_cells greatest_density centre_x centre_y centre_z gyration_x gyration_y gyration_z gyration_xy gyration_xz \
     gyration_yz gyration_axis_1 gyration_axis_2 gyration_axis_3 nearest_distance clusters greatest_part heading_entropy liveliness stripes \
     lattice_occupied_cells lattice_greatest_density in_rock least_to_rock mean_to_rock rays avoiding stops \
     born starved eaten perishing mood hunger health energy energy_spawned energy_eaten energy_born energy_burnt energy_ended \
     energy_lost";

/// A number in the columns of traits and species, or several.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Cell {
    None,
    Count(u64),
    Balance(i64),
    Mean(f64),
    /// Whole numbers with spaces between them.
    Counts(String),
}

impl Cell {
    /// The cell in JSON; whole numbers with spaces between them are a list.
    fn value(&self) -> Value {
        match self {
            Self::Counts(counts) => counts.split(' ').filter_map(|count| count.parse::<u64>().ok()).collect(),
            other => serde_json::to_value(other).unwrap_or_default(),
        }
    }
}

/// The columns of traits: of each the mean, the standard deviation and the histogram; empty where they were not measured.
fn cells_of_traits(traits: Option<&[TraitMeasures; Trait::ALL.len()]>) -> Vec<(String, Cell)> {
    let of = |(index, of): (usize, Trait)| {
        let cells = match traits.map(|traits| &traits[index]) {
            Some(TraitMeasures { mean, deviation, bins }) => {
                let bins: Vec<String> = bins.iter().map(u64::to_string).collect();
                [Cell::Mean(*mean), Cell::Mean(*deviation), Cell::Counts(bins.join(" "))]
            }
            None => [Cell::None, Cell::None, Cell::None],
        };
        let names = ["", "_deviation", "_bins"].map(|ending| format!("dna_{}{ending}", of.name()));
        names.into_iter().zip(cells)
    };
    Trait::ALL.into_iter().enumerate().flat_map(of).collect()
}

impl SpeciesAccount {
    /// The columns of a species, after its name: those of all, and of individuals with lives those of their energy, needs and traits.
    fn cells(&self) -> Vec<(String, Cell)> {
        let count = |name: &str, count| (name.to_string(), Cell::Count(count));
        let mut cells = vec![count("quanta", self.quanta())];
        cells.extend(self.changes(Unit::Quanta).into_iter().map(|(name, amount)| count(name, amount)));
        if let Some(lives) = &self.lives {
            let changes = self.changes(Unit::Energy).into_iter();
            cells.push(count("energy", self.amount(Entry::EnergyPresent)));
            cells.extend(changes.map(|(name, amount)| count(&format!("energy_{name}"), amount)));
            cells.push(("energy_lost".into(), Cell::Balance(self.lost(Unit::Energy))));
            cells.push(("perishing".into(), Cell::Count(lives.perishing())));
            let needs = [("mood", lives.mood), ("hunger", lives.hunger), ("health", lives.health)];
            cells.extend(needs.map(|(name, mean)| (name.to_string(), Cell::Mean(mean))));
            cells.extend(cells_of_traits(lives.traits.as_ref()));
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::super::metrics::tests::{EIGHT, HALF, observed};
    use super::*;
    use murmuration_core::numbers::BOID;
    use murmuration_core::world::Edges;

    #[test]
    fn the_table_is_written_with_its_header_and_empty_centres() {
        let text = |rows: &[Observation]| String::from_utf8(metrics_table(rows)).unwrap();
        let header = "step,boids,quanta,lost,spawned,caught,polarisation,mean_speed,heading_x,heading_y,heading_z,milling,\
                      rotation_x,rotation_y,rotation_z,occupied_cells,greatest_density,\
                      centre_x,centre_y,centre_z,gyration_x,gyration_y,gyration_z,gyration_xy,gyration_xz,gyration_yz,\
                      gyration_axis_1,gyration_axis_2,gyration_axis_3,nearest_distance,clusters,greatest_part,heading_entropy,liveliness,stripes,\
                      lattice_occupied_cells,lattice_greatest_density,in_rock,least_to_rock,mean_to_rock,rays,avoiding,stops,born,starved,eaten,perishing,mood,hunger,health,\
                      energy,energy_spawned,energy_eaten,energy_born,energy_burnt,energy_ended,energy_lost";
        let of_traits = "dna_speed,dna_speed_deviation,dna_speed_bins,dna_force,dna_force_deviation,dna_force_bins,\
                         dna_sight,dna_sight_deviation,dna_sight_bins,\
                         dna_disposition,dna_disposition_deviation,dna_disposition_bins,\
                         dna_health,dna_health_deviation,dna_health_bins,dna_appetite,dna_appetite_deviation,dna_appetite_bins\n";
        assert_eq!(text(&[]), format!("{header},{of_traits}"));
        let table = [&[(10, BOID / 2, [HALF, 0])][..], &[]].map(|cells| observed(Edges::Walls, EIGHT, cells));
        let rows = "3,0.5,32768,2,7,10,1.0,0.5,1.0,0.0,,0.0,,,0.0,1,0.5,2.0,1.0,,0.0,0.0,,0.0,,,0.0,0.0,,,0,0.0,0.0,,1.0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n\
                    3,0.0,0,2,7,10,0.0,0.0,0.0,0.0,,,,,,0,0.0,,,,,,,,,,,,,,0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n";
        assert_eq!(text(&table), format!("{header},{of_traits}{rows}"));
        // The columns are the names of the fields.
        let mut named = csv::Writer::from_writer(Vec::new());
        named.serialize(&table[0]).unwrap();
        assert!(named.into_inner().unwrap().starts_with(header.as_bytes()));
    }

    #[test]
    #[cfg(feature = "window")]
    fn the_columns_of_a_row_are_numbers() {
        let seen =
            Observation { step: 7, polarisation: 0.25, lost: -3, centre_x: Some(-1.5), ..Observation::default() };
        let values = column_values(&seen);
        let of = |name: &str| values.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{name}")).1;
        assert_eq!(["polarisation", "lost", "centre_x"].map(of), [0.25, -3.0, -1.5].map(Some));
        assert_eq!((of("centre_y"), of("dna_speed_bins")), (None, None));
        assert!(values.iter().all(|(name, _)| name != "step"));
    }
}
