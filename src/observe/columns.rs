//! The columns of the table of metrics as numbers, with their units.

use super::{Observation, metrics_table};

/// The number in each column of the table but the first, which is the step. `None`: the column is empty, or a list.
pub fn numbers(row: &Observation) -> Vec<(String, Option<f64>)> {
    let table = metrics_table(std::slice::from_ref(row));
    let mut reader = csv::Reader::from_reader(table.as_slice());
    let names = reader.headers().cloned().unwrap_or_default();
    let cells = reader.records().next().and_then(Result::ok).unwrap_or_default();
    names.iter().map(str::to_owned).zip(cells.iter().map(|cell| cell.parse().ok())).skip(1).collect()
}

/// The unit of a column; empty for a part, an order parameter or a column that has no unit here. The column of a species stands after its name and
/// a point.
pub fn unit(column: &str) -> &'static str {
    let (species, name) = column.rsplit_once('.').map_or((None, column), |(species, name)| (Some(species), name));
    match name {
        "born" | "starved" | "eaten" if species.is_none() => "individuals",
        "quanta" | "lost" | "spawned" | "caught" | "born" | "starved" | "eaten" | "refused" => "quanta",
        "boids" => "boids",
        "mean_speed" => "cells/step",
        "greatest_density" | "lattice_greatest_density" => "boids/cell",
        "occupied_cells" | "lattice_occupied_cells" => "cells",
        "gyration_xy" | "gyration_xz" | "gyration_yz" => "cells²",
        "least_to_rock" | "mean_to_rock" | "nearest_distance" => "cells",
        "in_rock" | "stops" | "perishing" => "individuals",
        "rays" => "rays/individual",
        _ if name.starts_with("centre_") || name.starts_with("gyration_") => "cells",
        _ if name.starts_with("energy") => "greatest hunger",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_a_row_are_numbers_with_units() {
        let seen = Observation {
            step: 7,
            polarisation: 0.25,
            mean_speed: 0.1,
            lost: -3,
            centre_x: Some(-1.5),
            ..Observation::default()
        };
        let numbers = numbers(&seen);
        let of = |name: &str| numbers.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{name}")).1;
        assert_eq!(["polarisation", "mean_speed", "lost", "centre_x"].map(of), [0.25, 0.1, -3.0, -1.5].map(Some));
        assert_eq!((of("centre_y"), of("dna_speed_bins")), (None, None));
        assert!(numbers.iter().all(|(name, _)| name != "step"));
        for (column, expected) in
            [("centre_x", "cells"), ("tuna.born", "quanta"), ("born", "individuals"), ("polarisation", "")]
        {
            assert_eq!(unit(column), expected, "{column}");
        }
    }
}
