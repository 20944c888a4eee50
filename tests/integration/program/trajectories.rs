//! Trajectories of individuals, as a table and as NumPy arrays.

use crate::program::outputs::column;
use crate::support::command::Folder;
use crate::support::npz::array;
use murmuration::{EngineChoice, Individuals, Overrides, Preset, Simulation, Swarm, host};
use ndarray::Array1;
use std::path::Path;

fn run(folder: &Folder, line: &str) {
    folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded();
}

/// The names of the arrays of an NPZ file.
fn names(path: &Path) -> Vec<String> {
    let archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    archive.file_names().map(|name| name.trim_end_matches(".npy").to_owned()).collect()
}

/// A swarm of individuals from a preset.
fn swarm(name: &str, size: Option<(u32, u32)>) -> Simulation {
    let preset = Preset::load(host(), name, &Overrides { size, ..Overrides::default() }).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap()
}

fn individuals(swarm: &mut Simulation) -> Individuals {
    match swarm.swarm().unwrap() {
        Swarm::Individuals(individuals, _) => individuals.in_order(),
        Swarm::Cells(_) => panic!("a swarm of cells"),
    }
}

#[test]
fn trajectories_are_the_individuals_of_the_simulation() {
    let folder = Folder::new();
    let scene = "render flock --size 64x64x64 --steps 5 --every 2 --threads 1 --json";
    run(&folder, &format!("{scene} --trajectories t.npz"));
    run(&folder, &format!("{scene} --trajectories t.csv"));
    let (npz, csv) = (folder.join("t.npz"), std::fs::read_to_string(folder.join("t.csv")).unwrap());
    let expected = ["id", "t", "x", "y", "z", "vx", "vy", "vz", "species"];
    assert_eq!(
        (names(&npz), csv.lines().next()),
        (expected.map(String::from).to_vec(), Some(expected.join(",").as_str()))
    );

    let preset = Overrides { size: Some((64, 64)), depth: Some(64), ..Overrides::default() };
    let preset = Preset::load(host(), "flock", &preset).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut swarm = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
    let (mut whole, mut decimals) = ([Vec::new(), Vec::new()], [const { Vec::new() }; 6]);
    for step in [0i64, 2, 4] {
        swarm.advance(step as u64 - swarm.step()).unwrap();
        let now = individuals(&mut swarm);
        for index in 0..now.len() {
            whole[0].push(i64::from(now.numbers[index]));
            whole[1].push(step);
            for axis in 0..3 {
                decimals[axis].push(f64::from(now.positions[axis][index]) / 65_536.0);
                decimals[3 + axis].push(f64::from(now.velocities[axis][index]) / 16_384.0);
            }
        }
    }
    assert!(whole[0].len() > 30);
    for (name, expected) in expected.iter().zip(&whole) {
        assert_eq!(&array::<Array1<i64>>(&npz, name).to_vec(), expected, "{name}");
        assert_eq!(column(&csv, name), expected.iter().map(i64::to_string).collect::<Vec<_>>(), "{name}");
    }
    for (name, expected) in expected[2..8].iter().zip(&decimals) {
        assert_eq!(&array::<Array1<f64>>(&npz, name).to_vec(), expected, "{name}");
        let read: Vec<f64> = column(&csv, name).iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(&read, expected, "{name} as text");
    }
    assert!(array::<Array1<i64>>(&npz, "species").to_vec().iter().all(|species| *species == 0));
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("t.npz.json")).unwrap()).unwrap();
    assert_eq!((&record["columns"]["vz"], &record["columns"]["t"]), (&"cell/step".into(), &"step".into()));
    assert_eq!((&record["rows"], &record["provenance"]["preset"]), (&whole[0].len().into(), &"flock".into()));
    // The bytes of a file do not depend on the time of writing.
    let before = std::fs::read(&npz).unwrap();
    run(&folder, &format!("{scene} --trajectories t.npz"));
    assert_eq!(std::fs::read(&npz).unwrap(), before);
}

#[test]
fn a_flat_world_has_two_columns_of_places_and_lives_have_theirs() {
    let folder = Folder::new();
    run(&folder, "render evolve --size 64x48 --steps 2 --every 2 --threads 1 --json --trajectories t.npz");
    let path = folder.join("t.npz");
    let expected = ["id", "t", "x", "y", "vx", "vy", "species", "mood", "hunger", "health"];
    assert_eq!(names(&path), expected);
    let mut swarm = swarm("evolve", Some((64, 48)));
    swarm.advance(2).unwrap();
    let now = individuals(&mut swarm);
    let lives: Vec<_> = (0..now.len()).map(|index| murmuration::Life::from_words(now.life(index).unwrap())).collect();
    let last = |name: &str| {
        array::<Array1<f64>>(&path, name)
            .to_vec()
            .split_off(array::<Array1<f64>>(&path, name).to_vec().len() - now.len())
    };
    let health: Vec<f64> = lives.iter().map(|life| f64::from(life.health) / 65_535.0).collect();
    let mood: Vec<f64> = lives.iter().map(|life| f64::from(life.mood) / 16_384.0).collect();
    assert_eq!((last("health"), last("mood")), (health, mood));
    assert!(last("mood").iter().any(|mood| *mood != 0.0));
}

#[test]
fn several_species_have_their_numbers_and_an_endless_world_has_places_of_its_own() {
    let folder = Folder::new();
    run(&folder, "render chase --steps 0 --threads 1 --json --trajectories t.npz");
    let now = individuals(&mut swarm("chase", None));
    let species: Vec<i64> = (0..now.len()).map(|index| now.species(index) as i64).collect();
    assert!(species.contains(&0) && species.contains(&1));
    assert_eq!(array::<Array1<i64>>(&folder.join("t.npz"), "species").to_vec(), species);

    // A world without rock, whose window is far from the origin.
    let preset = std::fs::read_to_string(crate::support::command::repository().join("presets/reef.toml")).unwrap();
    folder.write("far.toml", preset);
    let far = "--set world.terrain.base=water --set world.origin=[1000000,-4000,70] --set start.boids=40";
    let line =
        format!("render far.toml --steps 1 --threads 1 --json --frames agents --out f --trajectories t.csv {far}");
    run(&folder, &line);
    let csv = std::fs::read_to_string(folder.join("t.csv")).unwrap();
    let record = std::fs::read_to_string(folder.join("f/positions-000001.npy.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let positions: ndarray::Array2<i32> = ndarray_npy::read_npy(folder.join("f/positions-000001.npy")).unwrap();
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        let origin = record["array"]["origin"][axis].as_f64().unwrap();
        let places: Vec<f64> = column(&csv, name).iter().skip(40).map(|text| text.parse().unwrap()).collect();
        let expected: Vec<f64> =
            positions.column(axis).iter().map(|place| origin + f64::from(*place) / 65_536.0).collect();
        assert_eq!(places, expected, "{name}");
    }
    assert!(column(&csv, "x").iter().all(|x| x.parse::<f64>().unwrap() > 999_000.0));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_whole_steps() {
    for name in ["t.csv", "t.npz"] {
        let folder = Folder::new();
        folder.write(name, "of an earlier run");
        let line = format!(
            "render flock --size 64x64x64 --steps 1000000000 --every 40 --threads 1 --json --frames agents --out f \
             --trajectories {name}"
        );
        let mut running = folder.start(&line.split_whitespace().collect::<Vec<_>>());
        running.wait_until(|| folder.join("f/positions-0000000080.npy").exists());
        assert_eq!(std::fs::read(folder.join(name)).unwrap(), b"of an earlier run");
        running.signal("INT");
        let run = running.finish();
        assert_eq!(run.status, Some(130), "{run:?}");
        let steps: Vec<i64> = match name {
            "t.npz" => array::<Array1<i64>>(&folder.join(name), "t").to_vec(),
            _ => {
                let csv = std::fs::read_to_string(folder.join(name)).unwrap();
                column(&csv, "t").iter().map(|step| step.parse().unwrap()).collect()
            }
        };
        let last = run.object()["steps"].as_i64().unwrap();
        assert_eq!((steps.first(), steps.last()), (Some(&0), Some(&last)));
        let all = steps.iter().filter(|step| **step == 0).count();
        assert!(steps.chunks(all).all(|step| step.iter().all(|one| *one == step[0])), "{steps:?}");
        assert!(folder.names().iter().all(|name| !name.contains(".murmuration-")));
    }
}

#[test]
fn trajectories_that_cannot_be_are_refused_and_an_old_file_stays() {
    let folder = Folder::new();
    folder.write("t.npz", "old");
    for (line, expected) in [
        (
            "droplets --trajectories t.npz",
            "the preset `droplets` has no individuals; add --individuals, or use --out with --frames npy",
        ),
        (
            "flock --trajectories t.txt",
            "--trajectories t.txt: its ending names no format; end it with .csv, or with .npz for NumPy",
        ),
        ("flock --trajectories t", "its ending names no format"),
        ("flock --trajectories missing/t.csv", "its folder is not there; create it first"),
        ("flock --trajectories t.csv --metrics t.csv", "--trajectories t.csv: --metrics names the same file"),
        ("flock --metrics t.csv --checkpoint t.csv.json", "--checkpoint names the same file"),
    ] {
        let line = format!("render {line} --steps 1 --threads 1");
        let refused = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(refused.status, Some(2), "{line}: {refused:?}");
        assert!(refused.complaint().contains(expected), "{line}: {refused:?}");
    }
    // A run that stores no step replaces no file. A run that fails to store its second step keeps the first.
    let line = "render flock --size 48x48x48 --steps 1 --every 1 --threads 1 --trajectories t.npz";
    let failing = |fault: u32| {
        let line: Vec<&str> = line.split(' ').collect();
        let failed = folder.shell(&format!("MURMURATION_FAIL=write@{fault} \"$@\""), &line);
        assert_eq!(failed.status, Some(1), "{failed:?}");
        assert!(failed.complaint().contains("t.npz"), "{failed:?}");
    };
    failing(3);
    assert_eq!(std::fs::read(folder.join("t.npz")).unwrap(), b"old");
    failing(12);
    let steps: Vec<i64> = array::<Array1<i64>>(&folder.join("t.npz"), "t").to_vec();
    assert!(!steps.is_empty() && steps.iter().all(|step| *step == 0), "{steps:?}");
    assert_eq!(array::<Array1<f64>>(&folder.join("t.npz"), "vz").to_vec().len(), steps.len());
}
