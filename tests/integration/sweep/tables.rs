//! The tables of sweeps and atlases: the number of runs behind a mean, and the units of all columns.

use crate::support::command::{Folder, repository};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use zip::ZipArchive;

/// The header and the rows of a table.
type Table = (Vec<String>, Vec<Vec<String>>);

fn table(path: &Path) -> Table {
    let mut table = csv::Reader::from_path(path).unwrap();
    let header = table.headers().unwrap().iter().map(str::to_owned).collect();
    (header, table.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
}

fn cell<'a>(header: &[String], row: &'a [String], name: &str) -> &'a str {
    &row[header.iter().position(|own| own == name).unwrap_or_else(|| panic!("no {name}"))]
}

/// The units of the columns of a table, from the record beside it.
fn units(path: &Path) -> serde_json::Map<String, Value> {
    let record = fs::read_to_string(format!("{}.json", path.display())).unwrap();
    serde_json::from_str::<Value>(&record).unwrap()["columns"].as_object().unwrap().clone()
}

/// A folder with a sweep and an atlas of few particles. Some of their swarms have no `isotropic_neighbour`.
fn played() -> Folder {
    let folder = Folder::new();
    folder.write("vicsek.toml", fs::read(repository().join("examples/vicsek.toml")).unwrap());
    let keys = "preset = \"vicsek.toml\"\nseeds = \"1..6\"\nsteps = 20\nwarm_up = 10\nevery = 10\n\
                measures = [\"isotropic_neighbour\", \"polarisation\"]\n";
    let set = "[set]\nstart.boids = [20, 60]\n";
    folder.write("sweep.toml", format!("size = \"80x80\"\n{keys}{set}noise.angle = 2\n"));
    let map = "x = { measure = \"polarisation\", least = 0.0, greatest = 1.0, fields = 2 }\nbest = \"mean_speed\"\n";
    let ranges = "[ranges]\nnoise.angle = [1.0, 2.0]\n";
    let regimes = "[[regimes]]\nname = \"ordered\"\nwhen = \"polarisation >= 0.5\"\n";
    folder.write(
        "atlas.toml",
        format!("sampling = \"search\"\nsamples = 4\n{keys}{ranges}{set}[search]\n{map}{regimes}"),
    );
    folder.run(&["sweep", "sweep.toml", "--out", "sweep"]).succeeded();
    folder.run(&["atlas", "run", "atlas.toml", "--out", "atlas"]).succeeded();
    folder
}

/// The number of runs of a combination in which a measure has a value.
fn defined(runs: &Table, wanted: &[(&str, &str)], measure: &str) -> usize {
    let (header, rows) = runs;
    let is_wanted = |row: &&Vec<String>| wanted.iter().all(|(name, value)| cell(header, row, name) == *value);
    rows.iter().filter(is_wanted).filter(|row| !cell(header, row, measure).is_empty()).count()
}

#[test]
fn a_mean_tells_of_how_many_runs_it_is() {
    let folder = played();
    let mut counts = BTreeSet::new();
    for (out, means, key) in [("sweep", "means.csv", "start.boids"), ("atlas", "combinations.csv", "combination")] {
        let runs = table(&folder.join(out).join("runs.csv"));
        let (header, rows) = table(&folder.join(out).join(means));
        for row in &rows {
            assert_eq!(cell(&header, row, "seeds"), "6");
            assert_eq!(cell(&header, row, "polarisation_runs"), "6");
            let count = defined(&runs, &[(key, cell(&header, row, key))], "isotropic_neighbour");
            assert_eq!(cell(&header, row, "isotropic_neighbour_runs"), count.to_string(), "{out}: {row:?}");
            counts.insert((out, count));
        }
        let page = fs::read_to_string(folder.join(out).join("index.html")).unwrap();
        assert!(page.contains(if out == "sweep" { "3 of 6 runs" } else { "\"runs\":[[" }), "{out}");
    }
    assert!(counts.contains(&("sweep", 3)) && counts.iter().any(|(out, count)| *out == "atlas" && *count < 6));
}

#[test]
fn every_column_of_a_table_has_its_unit_beside_it() {
    let folder = played();
    for (path, known) in [
        ("sweep/runs.csv", &[("seed", ""), ("state_hash", ""), ("lost", "1/65536 boid"), ("size", "cells")][..]),
        ("sweep/means.csv", &[("seeds", "1"), ("isotropic_neighbour_runs", "1"), ("start.boids", "boids")]),
        ("atlas/runs.csv", &[("combination", ""), ("seed", ""), ("state_hash", ""), ("noise.angle", "radians")]),
        ("atlas/combinations.csv", &[("seeds", "1"), ("regime", ""), ("coverage_runs", "1")]),
        ("atlas/map.csv", &[("polarisation_field", ""), ("combination", ""), ("mean_speed", "cell/step")]),
    ] {
        let path = folder.join(path);
        let units = units(&path);
        assert_eq!(units.keys().collect::<Vec<_>>(), table(&path).0.iter().collect::<Vec<_>>(), "{}", path.display());
        known.iter().for_each(|(column, unit)| assert_eq!(units[*column], *unit, "{column} of {}", path.display()));
    }
    let arrays = folder.join("sweep/runs.npz");
    let archive = ZipArchive::new(fs::File::open(&arrays).unwrap()).unwrap();
    let names: BTreeSet<String> = archive.file_names().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
    assert_eq!(units(&arrays).keys().cloned().collect::<BTreeSet<_>>(), names);
}

#[test]
fn a_range_that_misses_its_end_says_so() {
    let folder = Folder::new();
    let noted = |arguments: &[&str], note: &str| {
        let run = folder.run(arguments);
        assert_eq!((run.status, run.err.trim_end()), (Some(0), note), "{run:?}");
    };
    let note = "set weights.cohesion=0:1:0.3: the range 0:1:0.3 ends at 0.9; name that end, or another distance";
    noted(&["sweep", "droplets", "--set", "weights.cohesion=0:1:0.3", "--dry-run"], note);
    folder.write("a.toml", "preset = \"droplets\"\n[set]\nweights.cohesion = [\"0:1:0.3\", 2]\n");
    let note = "a.toml:3: set.weights.cohesion: the range 0:1:0.3 ends at 0.9; name that end, or another distance";
    noted(&["sweep", "a.toml", "--dry-run"], note);
    noted(&["sweep", "droplets", "--set", "weights.cohesion=0:1:0.25", "--dry-run"], "");
}
