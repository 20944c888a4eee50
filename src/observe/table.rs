//! The table of metrics: a row for each step that was observed.

use super::Observation;
use super::column::{TableCell, cells};
#[cfg(any(feature = "window", feature = "data"))]
use super::features::FeatureMeasures;
use super::metrics::COLUMNS;
use serde_json::{Map, Value};
#[cfg(any(feature = "window", feature = "data"))]
use std::collections::BTreeMap;
#[cfg(any(feature = "window", feature = "data"))]
use std::sync::LazyLock;

impl Observation {
    /// The values of the columns over the whole swarm, without the columns of traits and of single species.
    pub fn cells(&self) -> Vec<TableCell> {
        [cells(COLUMNS, Some(self)), self.features.cells()].concat()
    }

    /// The values of all columns of the table for this step.
    fn row(&self) -> Vec<TableCell> {
        [self.cells(), self.features.cells_of_parts()].concat()
    }
}

/// The metrics of a run as CSV text, a line for each row after the header. A table without rows has a header too.
pub fn metrics_table(rows: &[Observation]) -> Vec<u8> {
    let mut table = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let header = rows.first().map_or_else(|| Observation::default().row(), Observation::row);
    // A list is written with spaces between its numbers.
    let text = |cell: TableCell| match cell.value {
        Value::Array(list) => list.iter().map(Value::to_string).collect::<Vec<_>>().join(" ").into(),
        number => number,
    };
    let written = table.write_record(header.into_iter().map(|cell| cell.name));
    let mut write = |row: &Observation| table.serialize(row.row().into_iter().map(text).collect::<Vec<Value>>());
    written.and_then(|()| rows.iter().try_for_each(&mut write)).expect("memory takes every row");
    table.into_inner().expect("memory takes every row")
}

/// The values of a row by the names of the columns: numbers, lists of whole numbers, and `null` if a value was not
/// measured.
pub fn columns(row: &Observation) -> Map<String, Value> {
    row.row().into_iter().map(|cell| (cell.name, cell.value)).collect()
}

/// The name of each column with its value in a row. The first column, which is the step, is left out. `None`: the value
/// was not measured, or is a list.
#[cfg(feature = "window")]
pub fn column_values(row: &Observation) -> Vec<(String, Option<f64>)> {
    row.row().into_iter().skip(1).map(|cell| (cell.name, cell.value.as_f64())).collect()
}

/// The unit of a column of metrics or of a statistic; `1` for a number without a unit.
#[cfg(any(feature = "window", feature = "data"))]
pub fn unit_of(column: &str) -> &'static str {
    static UNITS: LazyLock<BTreeMap<String, &str>> = LazyLock::new(|| {
        let of_statistics =
            [("correlation_length", "cell"), ("greatest_distance", "cell"), ("turning_angle", "radian")];
        let of_statistics = of_statistics.map(|(name, unit)| (name.to_owned(), unit));
        let row = Observation { features: FeatureMeasures::of_every_feature(), ..Observation::default() }.row();
        row.into_iter().map(|cell| (cell.name, cell.unit)).chain(of_statistics).collect()
    });
    // The name of a column of a species begins with the name of the species and a dot.
    let name = column.rfind('.').map_or(column, |dot| &column[dot..]);
    UNITS.get(name).copied().unwrap_or("1")
}

/// The unit of each column of a table of metrics, as a JSON object by the names of the columns.
pub fn column_units(rows: &[Observation]) -> Value {
    let row = rows.first().map_or_else(|| Observation::default().row(), Observation::row);
    Value::Object(row.into_iter().map(|cell| (cell.name, cell.unit.into())).collect())
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
        let header = "step,boids,quanta,lost,spawned,caught,\
                      polarisation,mean_speed,heading_x,heading_y,heading_z,milling,\
                      rotation_x,rotation_y,rotation_z,occupied_cells,greatest_density,\
                      centre_x,centre_y,centre_z,gyration_x,gyration_y,gyration_z,gyration_xy,gyration_xz,gyration_yz,\
                      gyration_axis_1,gyration_axis_2,gyration_axis_3,nearest_distance,clusters,greatest_part,\
                      heading_entropy,liveliness,stripes,lattice_occupied_cells,lattice_greatest_density,\
                      in_rock,least_to_rock,mean_to_rock,rays,avoiding,stops,\
                      born,starved,eaten,perishing,mood,hunger,health,\
                      energy,energy_spawned,energy_eaten,energy_born,energy_burnt,energy_ended,energy_lost";
        let of_traits = "dna_speed,dna_speed_deviation,dna_speed_bins,dna_force,dna_force_deviation,dna_force_bins,\
                         dna_sight,dna_sight_deviation,dna_sight_bins,\
                         dna_disposition,dna_disposition_deviation,dna_disposition_bins,\
                         dna_health,dna_health_deviation,dna_health_bins,\
                         dna_appetite,dna_appetite_deviation,dna_appetite_bins\n";
        assert_eq!(text(&[]), format!("{header},{of_traits}"));
        let table = [&[(10, BOID / 2, [HALF, 0])][..], &[]].map(|cells| observed(Edges::Walls, EIGHT, cells));
        let rows = "3,0.5,32768,2,7,10,1.0,0.5,1.0,0.0,,0.0,,,0.0,1,0.5,2.0,1.0,,0.0,0.0,,0.0,,,0.0,0.0,,,\
                    0,0.0,0.0,,1.0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n\
                    3,0.0,0,2,7,10,0.0,0.0,0.0,0.0,,,,,,0,0.0,,,,,,,,,,,,,,\
                    0,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n";
        assert_eq!(text(&table), format!("{header},{of_traits}{rows}"));
    }

    #[test]
    #[cfg(feature = "cli")]
    fn columns_have_their_units_over_all_and_of_a_species() {
        for (column, unit) in [
            ("step", "step"),
            ("polarisation", "1"),
            ("centre_x", "cell"),
            ("gyration_xy", "cell²"),
            ("gyration_axis_1", "cell"),
            ("quanta", "1/65536 boid"),
            ("born", "individual"),
            ("tuna.born", "1/65536 boid"),
            ("tuna.perishing", "individual"),
            ("tuna.energy_spawned", "1/65535 of the greatest hunger"),
            ("dna_appetite_deviation", "1/(1000 step)"),
            ("dna_appetite_bins", "1"),
        ] {
            assert_eq!(unit_of(column), unit, "{column}");
        }
        let units = column_units(&[]);
        assert!(units.as_object().unwrap().iter().all(|(name, unit)| unit == unit_of(name)));
        assert_eq!(
            (&units["step"], &units["quanta"], &units["mood"]),
            (&"step".into(), &"1/65536 boid".into(), &"1".into())
        );
    }

    #[test]
    #[cfg(feature = "window")]
    fn the_columns_of_a_row_are_numbers() {
        let seen = Observation {
            step: 7,
            polarisation: 0.25,
            lost: -3,
            centre: [Some(-1.5), None, None],
            ..Observation::default()
        };
        let values = column_values(&seen);
        let of = |name: &str| values.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{name}")).1;
        assert_eq!(["polarisation", "lost", "centre_x"].map(of), [0.25, -3.0, -1.5].map(Some));
        assert_eq!((of("centre_y"), of("dna_speed_bins")), (None, None));
        assert!(values.iter().all(|(name, _)| name != "step"));
    }
}
