//! Measures and statistics of the program: against NumPy on exported arrays, and equal on every engine.

use crate::program::outputs::column;
use crate::support::adapter::shared;
use crate::support::command::{Folder, repository};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn run(folder: &Folder, line: &str) -> Value {
    folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object()
}

/// A Python with NumPy, in a virtual environment that is kept for later runs. `None`: it cannot be installed, and a
/// message says so.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let made = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("numpy");
        let python = folder.join("bin/python");
        let has_numpy =
            || Command::new(&python).args(["-c", "import numpy"]).output().is_ok_and(|it| it.status.success());
        let does = |program: &Path, arguments: &[&str]| {
            Command::new(program).args(arguments).output().is_ok_and(|it| it.status.success())
        };
        let is_made = has_numpy()
            || does(Path::new("python3"), &["-m", "venv", &folder.display().to_string()])
                && does(&python, &["-m", "pip", "install", "--quiet", "numpy"])
                && has_numpy();
        is_made.then_some(python)
    };
    let python = PYTHON.get_or_init(made).as_deref();
    if python.is_none() {
        eprintln!("LEFT OUT: no Python with NumPy could be made; measures are not compared with it");
    }
    python
}

/// Scenes of both models, flat and deep, on a torus and between walls: the arguments of `render`, the kind of arrays,
/// and the edges.
const SCENES: [(&str, &str, &str); 7] = [
    ("flock --size 64x64x64 --set world.edges=torus", "agents", "torus"),
    ("flock --size 64x48x40 --set world.edges=walls", "agents", "walls"),
    ("school --size 96x64 --set world.edges=torus", "agents", "torus"),
    ("mill-compare --size 64x48 --individuals --set world.edges=torus", "agents", "torus"),
    ("mill-compare --size 64x48 --individuals --set world.edges=walls", "agents", "walls"),
    ("droplets --size 64x48 --set world.edges=torus", "npy", "torus"),
    ("smoke --size 24x20x16 --set world.edges=walls", "npy", "walls"),
];

#[test]
fn numpy_has_the_same_measures_of_the_exported_arrays() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    for (index, (scene, kind, edges)) in SCENES.into_iter().enumerate() {
        let out = format!("f{index}");
        let line = format!(
            "render {scene} --steps 12 --every 12 --threads 2 --json --frames {kind} --out {out} --metrics {out}.csv"
        );
        let object = run(&folder, &line);
        let size = format!("{}x1", object["size"].as_str().unwrap());
        let extents: Vec<_> = size.split('x').take(3).collect();
        let (table, arrays) = (folder.join(&format!("{out}.csv")), folder.join(&out));
        for step in ["0", "12"] {
            let script = repository().join("tests/integration/measures/measures.py");
            let compared = Command::new(python)
                .arg(script)
                .args([&table, &arrays])
                .args([step, kind, edges])
                .args(&extents)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&compared.stderr);
            assert!(compared.status.success(), "{scene}, step {step}: {said}");
        }
        // The object has the measures of the table's last row.
        let table = std::fs::read_to_string(&table).unwrap();
        for name in ["polarisation", "milling", "gyration_axis_1", "nearest_distance", "clusters"] {
            let last = column(&table, name).pop().unwrap();
            let (one, other) = (object["measures"][name].as_f64(), last.parse::<f64>().ok());
            // A JSON reader may round decimals differently.
            let is_same =
                one.zip(other).map_or(one == other, |(one, other)| (one - other).abs() <= 1e-12 * other.abs());
            assert!(is_same, "{scene}: {name}: {one:?} and {other:?}");
        }
    }
}

#[test]
fn every_engine_has_the_same_measures_and_statistics() {
    let folder = Folder::new();
    let has_gpu = shared("measures of every engine").is_some();
    for scene in ["flock --size 48x48x48", "school --size 64x48", "droplets --size 48x40"] {
        let results = ["cpu --threads 1", "cpu --threads 3", "gpu"].map(|engine| {
            if engine == "gpu" && !has_gpu {
                return None;
            }
            let line = format!("render {scene} --steps 6 --every 3 --json --statistics s.json --engine {engine}");
            let object = run(&folder, &line);
            let statistics: Value = serde_json::from_slice(&std::fs::read(folder.join("s.json")).unwrap()).unwrap();
            Some((object["measures"].clone(), object["state_hash"].clone(), statistics["rows"].clone()))
        });
        let [first, second, third] = results;
        assert_eq!(first, second, "{scene}");
        assert!(third.is_none() || third == first, "{scene}: {third:?}");
    }
}

#[test]
fn statistics_have_a_row_for_each_frame_and_what_made_them() {
    let folder = Folder::new();
    for (scene, is_individuals) in [("flock --size 64x64x64", true), ("droplets --size 64x48", false)] {
        run(&folder, &format!("render {scene} --steps 6 --every 3 --threads 2 --json --seed 5 --statistics s.json"));
        let statistics: Value = serde_json::from_slice(&std::fs::read(folder.join("s.json")).unwrap()).unwrap();
        assert_eq!(statistics["provenance"]["seed"], 5);
        let rows = statistics["rows"].as_array().unwrap();
        assert_eq!(rows.iter().map(|row| row["step"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 3, 6]);
        let last = &rows[2];
        let pairs = &last["pairs"];
        let count = pairs["pairs"].as_array().unwrap().len();
        for list in ["correlation", "correlation_error", "distribution", "distribution_error"] {
            assert_eq!(pairs[list].as_array().unwrap().len(), count, "{list}");
        }
        let deviations = last["number_fluctuations"]["deviations"].as_array().unwrap();
        assert!(deviations.len() >= 3 && deviations.iter().all(Value::is_f64), "{deviations:?}");
        assert_eq!(last["neighbours"]["gamma"].as_array().is_some(), is_individuals);
        assert_eq!((rows[0]["turning"].is_null(), last["turning"]["mean"].is_f64()), (true, is_individuals));
    }
    let refused = folder.run(&["render", "flock", "--steps", "1", "--statistics", "missing/s.json"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.complaint().contains("its folder is not there"), "{refused:?}");
    for (link, is_right) in [("0", false), ("-1", false), ("x", false), ("nan", false), ("1e9", false), ("0.5", true)] {
        let line = format!("render flock --size 32x32x32 --steps 0 --json --link {link}");
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.status == Some(0), is_right, "{run:?}");
    }
}

/// `compare` accepts a preset of individuals, for their own measures.
#[test]
fn individuals_are_compared_with_nobody_and_have_their_own_measures() {
    let folder = Folder::new();
    let line = "compare flock --size 48x48x48 --steps 4 --every 2 --threads 2 --out o";
    let printed = folder.run(&line.split(' ').collect::<Vec<_>>()).succeeded().out;
    assert!(printed.contains("polarisation") && printed.contains("nearest_distance"), "{printed}");
    let table = std::fs::read_to_string(folder.join("o/measures.csv")).unwrap();
    assert_eq!(column(&table, "step"), ["0", "2", "4"]);
    let statistics: Value = serde_json::from_slice(&std::fs::read(folder.join("o/statistics.json")).unwrap()).unwrap();
    assert_eq!(statistics["rows"].as_array().unwrap().len(), 3);
    assert!(folder.join("o/frames/picture-000004.png").is_file());
}
