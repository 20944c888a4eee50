//! The units of the columns of metrics, for the record beside the table.

#[cfg(feature = "cli")]
use serde_json::{Map, Value};

/// The units of columns by their names; a name that ends with `*` stands for all that begin like it. A number without a unit has `1`.
const UNITS: [(&str, &str); 22] = [
    ("correlation_length", "cell"),
    ("turning_angle", "radian"),
    ("step", "step"),
    ("boids", "boid"),
    ("mean_speed", "cell/step"),
    ("occupied_cells", "cell"),
    ("greatest_density", "boid/cell"),
    ("centre_*", "cell"),
    ("gyration_xy", "cell²"),
    ("gyration_xz", "cell²"),
    ("gyration_yz", "cell²"),
    ("gyration_*", "cell"),
    ("nearest_distance", "cell"),
    ("lattice_occupied_cells", "cell"),
    ("lattice_greatest_density", "boid/cell"),
    ("least_to_rock", "cell"),
    ("mean_to_rock", "cell"),
    ("energy*", "1/65535 of the greatest hunger"),
    ("dna_appetite_bins", "1"),
    ("dna_appetite*", "1/(1000 step)"),
    ("in_rock", "individual"),
    ("stops", "individual"),
];
/// Columns of amounts, which are individuals where they are counted over all, and quanta in the columns of a species.
const AMOUNTS: [&str; 8] = ["quanta", "lost", "spawned", "caught", "born", "eaten", "starved", "refused"];
/// Those of them that count individuals over all.
const COUNTS: [&str; 3] = ["born", "eaten", "starved"];

/// The unit of a column of metrics; `1` of a number without a unit.
pub fn unit_of(column: &str) -> &'static str {
    let (is_of_species, name) = column.rsplit_once('.').map_or((false, column), |(_, name)| (true, name));
    if name == "perishing" || !is_of_species && COUNTS.contains(&name) {
        return "individual";
    }
    if AMOUNTS.contains(&name) {
        return "1/65536 boid";
    }
    let is_of = |(known, _): &&(&str, &str)| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *known,
    };
    UNITS.iter().find(is_of).map_or("1", |(_, unit)| unit)
}

/// The unit of each column of a table of metrics, which begins with its header.
#[cfg(feature = "cli")]
pub fn column_units(table: &[u8]) -> Value {
    let header = table.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let mut table = csv::ReaderBuilder::new().has_headers(false).from_reader(header);
    let header = table.records().next().and_then(Result::ok).unwrap_or_default();
    Value::Object(header.iter().map(|name| (name.to_owned(), unit_of(name).into())).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
        let units = column_units(b"step,\"a,b.quanta\",mood\n1,2,3\n");
        assert_eq!(units, serde_json::json!({ "step": "step", "a,b.quanta": "1/65536 boid", "mood": "1" }));
    }
}
