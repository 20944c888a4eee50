//! Deep worlds in files, brushes, the probe and the command line.

use crate::support::command::Folder;
use murmuration_core::engine::cpu;
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::probe::ProbeReading;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::world::{Edges, Extents};

const EXTENTS: Extents = Extents::deep(24, 20, 17);

/// A small swarm in a deep world.
fn simulation(set: &[&str]) -> Simulation {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    let overrides = Overrides { size: Some((24, 20)), depth: Some(17), set, ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), "murmuration", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, EngineChoice::Cpu(cpu::Options::default())).unwrap()
}

/// The squared distance of a cell from a place, over `axes` axes.
fn square(cell: [i32; 3], at: [i32; 3], axes: usize, edges: Edges) -> i32 {
    let along = |axis: usize| {
        let extent = EXTENTS.along_axes()[axis] as i32;
        let straight = (cell[axis] - at[axis]).abs();
        if edges == Edges::Torus { straight.min(extent - straight) } else { straight }
    };
    (0..axes).map(|axis| along(axis).pow(2)).sum()
}

/// A place with three numbers is the centre of a ball. A place with two numbers is a column.
#[test]
fn brushes_are_balls_and_columns() {
    for (set, edges) in [("world.edges=walls", Edges::Walls), ("world.edges=torus", Edges::Torus)] {
        let uniform = [set, "start.shape=uniform"];
        let radius = 4;
        for (at, axes) in [([3, 10, 15], 3), ([3, 10, 0], 2)] {
            let place = if axes == 3 { at.into() } else { [at[0], at[1]].into() };
            let is_under = |index: usize| square(EXTENTS.cell(index), at, axes, edges) <= radius * radius;
            let mut simulation = simulation(&uniform);
            let before = simulation.state().unwrap();
            simulation.apply(Input::Lift { at: place, radius: radius as u32 }).unwrap();
            let lifted = simulation.state().unwrap();
            for index in 0..EXTENTS.cells() {
                let expected = if is_under(index) { 0 } else { before.layers[0].density[index] };
                assert_eq!(lifted.layers[0].density[index], expected, "{edges:?} {axes} {:?}", EXTENTS.cell(index));
            }
            simulation.apply(Input::Solid { at: place, radius: radius as u32, solid: true }).unwrap();
            let solids = simulation.preset().world.solids.clone();
            assert!((0..EXTENTS.cells()).all(|index| solids[index] == is_under(index)), "{edges:?} {axes}");
            simulation.apply(Input::Spawn { at: place, radius: radius as u32 + 1, boids: 500 }).unwrap();
            let account = simulation.account().unwrap();
            assert_eq!((account.lost, account.ledger.sum(Entry::Spawned)), (0, 500 * u64::from(BOID)));
            let spawned = simulation.state().unwrap();
            assert!(
                (0..EXTENTS.cells())
                    .filter(|index| is_under(*index))
                    .all(|index| spawned.layers[0].density[index] == 0)
            );
        }
    }
}

/// A replay with a deep brush, and a checkpoint in the middle of it, reach the final state of the run.
#[test]
fn files_of_deep_worlds_hold_every_bit() {
    let folder = tempfile::tempdir().unwrap();
    let [path, checkpoint] = ["hunt.json", "swarm.checkpoint"].map(|name| folder.path().join(name));
    let mut played = simulation(&["movement.wander=0.02"]);
    played.advance(7).unwrap();
    played.apply(Input::Stroke).unwrap();
    played.apply(Input::Spawn { at: [12, 9, 3].into(), radius: 3, boids: 200 }).unwrap();
    played.apply(Input::Solid { at: [8, 8, 8].into(), radius: 2, solid: true }).unwrap();
    played.apply(Input::Lift { at: [20, 10].into(), radius: 2 }).unwrap();
    played.advance(5).unwrap();
    murmuration::files::save_checkpoint(&mut played, &checkpoint).unwrap();
    played.advance(8).unwrap();
    murmuration::files::write_replay(&played.read(ReplayReading).unwrap(), &path).unwrap();
    let replay = murmuration::files::read_replay(&path).unwrap();
    assert_eq!(replay.state_hash, played.state_hash().unwrap());
    let choice = EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None });
    let mut again = replay.play(murmuration::host(), choice).unwrap();
    assert_eq!(again.state().unwrap(), played.state().unwrap());
    let read = murmuration::files::read_checkpoint(&checkpoint).unwrap();
    let mut resumed = Simulation::resume(murmuration::host(), read, choice).unwrap();
    resumed.advance(8).unwrap();
    assert_eq!(resumed.state().unwrap(), played.state().unwrap());
    assert_eq!(resumed.account().unwrap(), played.account().unwrap());
    assert_eq!(played.account().unwrap().lost, 0);
}

/// A probe reports the state of a cell. Its cohesion is equation 2 of the perception that it reports.
#[test]
fn a_probe_looks_along_three_axes() {
    for set in ["world.edges=walls", "world.edges=torus"] {
        let mut simulation = simulation(&[set, "sight.cohesion={ ball = 2 }"]);
        simulation.advance(6).unwrap();
        let state = simulation.state().unwrap();
        for cell in [[0, 0, 0], [23, 19, 16], [12, 10, 8], [3, 19, 1]] {
            let probe = simulation.read(ProbeReading { cell }).unwrap();
            let index = EXTENTS.deep_index(cell, Edges::Walls).unwrap();
            assert_eq!(
                (probe.cell, probe.density, probe.control),
                (cell, state.layers[0].density[index], state.layers[0].velocity(index))
            );
            let cohesion = probe.outputs.iter().find(|asked| asked.rule == "cohesion").unwrap();
            assert_eq!(cohesion.perceptions.len(), 33);
            let sum: f64 = cohesion.perceptions.iter().map(|seen| f64::from(seen.perceived)).sum();
            for axis in 0..3 {
                let seen = cohesion.perceptions.iter();
                let pulled: f64 = seen.map(|seen| f64::from(seen.perceived) * f64::from(seen.offset[axis])).sum();
                let expected = if sum == 0.0 { 0.0 } else { pulled / sum / 2.0 };
                assert!((f64::from(cohesion.vector[axis]) / 1024.0 - expected).abs() <= 1.0 / 1024.0, "{set} {cell:?}");
            }
        }
        assert_eq!(simulation.state().unwrap(), state, "nothing is touched");
    }
}

#[test]
fn a_deep_run_writes_arrays_and_metrics_of_three_axes() {
    let folder = Folder::new();
    let run = |more: &[&str]| {
        let arguments = ["render", "murmuration", "--size", "24x20x16", "--steps", "4", "--engine", "cpu", "--json"];
        folder.run(&[&arguments, more].concat())
    };
    let first = run(&["--out", "out", "--frames", "npy", "--metrics", "run.csv"]).succeeded().object();
    assert_eq!((&first["size"], &first["lost"]), (&"24x20x16".into(), &0.into()));
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let density = murmuration::files::array::decode(&read("out/density-000004.npy")).unwrap();
    assert_eq!(density.extents(), Extents::deep(24, 20, 16));
    let total: u64 = density.values().iter().map(|quanta| u64::from(*quanta)).sum();
    assert_eq!(first["quanta_end"], total);
    let table = String::from_utf8(read("run.csv")).unwrap();
    let columns: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let last: Vec<&str> = table.lines().last().unwrap().split(',').collect();
    let value = |name: &str| last[columns.iter().position(|column| *column == name).unwrap()].parse::<f64>().unwrap();
    assert!((4.0..12.0).contains(&value("centre_z")) && (1.0..8.0).contains(&value("gyration_z")), "{table}");
    assert!((0.0..=1.0).contains(&value("greatest_part")) && value("heading_entropy") > 0.0, "{table}");
    // The array is the map of another start.
    let start = ["--set", "start.shape=array", "--set", "start.file=out/density-000004.npy", "--steps", "0"];
    let arguments = ["render", "murmuration", "--size", "24x20x16", "--engine", "cpu", "--json"];
    let again = folder.run(&[&arguments[..], &start].concat()).succeeded().object();
    assert_eq!(again["boids"], (40_000 * 24 * 20 * 16 / (96 * 96 * 48)) as f64);
    let flat = folder.run(&[&["render", "fog", "--size", "24x20", "--set", "start.boids=9"][..], &start].concat());
    assert!(flat.complaint().contains("start.file: the array has three axes, and the world is flat"), "{flat:?}");
    let school = ["render", "school", "--size", "24x20x16", "--set", "start.boids=9"];
    let columns = folder.run(&[&school[..], &start].concat());
    let expected = "start.file: the array has three axes, and individuals start in columns; give an array of two axes";
    assert!(columns.complaint().ends_with(expected), "{columns:?}");
    // Grey pictures are a stack with one picture for each slice, and one scale.
    run(&["--out", "grey", "--frames", "picture,density16"]).succeeded();
    let mut written: Vec<String> = std::fs::read_dir(folder.join("grey"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("000004"))
        .collect();
    written.sort();
    assert_eq!(
        (written.len(), &*written[0], &*written[15]),
        (17, "density16-000004-0000.png", "density16-000004-0015.png")
    );
}
