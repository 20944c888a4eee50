//! The comparison of the two models: pairs, measures and the report.

use crate::program::provenance::record_of_page;
use crate::support::command::Folder;
use murmuration::compare::measures::{MEASURES, Measures, columns, record};
use murmuration::compare::{Comparison, ModelPair, Pair, Resolution};
use murmuration::run::Stepper;
use murmuration_core::engine::cpu;
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::{Entry, State};
use murmuration_core::world::Mood;
use std::path::Path;

const CPU: EngineChoice = EngineChoice::Cpu(cpu::Options { threads: Some(2), instruction_set: None });

fn load(name: &str, set: &[&str]) -> Preset {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    Preset::load(murmuration::host(), name, &Overrides { size: Some((97, 61)), set, ..Overrides::default() }).unwrap()
}

fn pair(preset: Preset) -> Pair {
    let chain = preset.load_chain(None).unwrap();
    Pair::new(preset, &chain, ModelPair { cells: CPU, individuals: CPU }).unwrap()
}

fn alone(preset: Preset) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, CPU).unwrap()
}

fn hunter(place: [i32; 2]) -> Input {
    Input::Hunter(Some(Pointer { place: place.into(), reach: 20, mood: Mood::Follow, weight: 2048 }))
}

fn set(key: &str, value: &str) -> Input {
    Input::Set { key: key.into(), value: value.into() }
}

fn hashes(pair: &mut Pair) -> [String; 2] {
    [pair.cells.state_hash().unwrap(), pair.individuals.state_hash().unwrap()]
}

#[test]
fn each_half_of_a_pair_equals_the_swarm_played_alone() {
    for name in ["droplets", "ribbons", "lagoon"] {
        let mut pair = pair(load(name, &[]));
        let mut both = [alone(load(name, &[])), alone(load(name, &[]).as_individuals().unwrap())];
        for steps in [13, 1, 60] {
            pair.play(steps).unwrap();
            both.iter_mut().for_each(|simulation| simulation.advance(steps).unwrap());
            assert_eq!(hashes(&mut pair), both.each_mut().map(|alone| alone.state_hash().unwrap()), "{name}");
        }
        assert_eq!((pair.cells.step(), pair.individuals.step(), pair.step()), (74, 74, 74));
        assert_eq!(pair.individuals.chain().name, "agents-grid");
    }
}

#[test]
fn a_hunt_of_both_is_counted_exactly_undone_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let mut pair = pair(load("droplets", &[]));
    let inputs = [
        hunter([500, 300]),
        Input::Jaws(9),
        Input::Stroke,
        Input::Spawn { at: [20, 20].into(), radius: 5, boids: 1370 },
        set("weights.cohesion", "0.9"),
        Input::Solid { at: [50, 30].into(), radius: 5, solid: true },
        Input::Lift { at: [0, 0].into(), radius: 9 },
        Input::Undo,
        set("movement.wander", "0.1"),
        Input::Hunter(None),
    ];
    for input in &inputs {
        pair.play(9).unwrap();
        pair.apply(input).unwrap();
        let accounts = pair.accounts().unwrap();
        assert_eq!((accounts.cells.lost, accounts.individuals.lost), (0, 0), "{input:?}");
        assert_eq!(pair.cells.step(), pair.individuals.step());
        assert_eq!(pair.cells.pointer(), pair.individuals.pointer());
    }
    let ModelPair { cells, individuals } = pair.accounts().unwrap();
    assert_eq!(cells.ledger.sum(Entry::Start), individuals.ledger.sum(Entry::Start));
    assert!(cells.ledger.sum(Entry::Caught) > 0 && individuals.ledger.sum(Entry::Caught) > 0);
    assert_eq!(individuals.ledger.sum(Entry::Caught) % u64::from(BOID), 0);
    let expected = hashes(&mut pair);
    for (simulation, hash) in [&mut pair.cells, &mut pair.individuals].into_iter().zip(expected) {
        let path = folder.path().join("replay.json");
        murmuration::files::write_replay(&simulation.read(ReplayReading).unwrap(), &path).unwrap();
        assert_eq!(
            murmuration::files::read_replay(&path)
                .unwrap()
                .play(murmuration::host(), CPU)
                .unwrap()
                .state_hash()
                .unwrap(),
            hash
        );
    }
}

#[test]
fn an_input_that_one_model_refuses_is_applied_to_neither() {
    let mut pair = pair(load("droplets", &[]));
    pair.play(5).unwrap();
    let before = hashes(&mut pair);
    let wrong = [
        // The maximum weight of individuals is 8, of cells 32.
        (set("weights.alignment", "9"), "individuals weigh a rule with 8 at most"),
        (set("weights.cohesion", "33"), "out of bounds"),
        (set("start.boids", "7"), "only at the start"),
        (set("movement.spin", "7"), "unknown key"),
        (Input::Undo, "nothing to undo"),
        (Input::Jaws(65), "out of bounds"),
        (Input::Lift { at: [0, 0].into(), radius: 5000 }, "out of bounds"),
    ];
    for (input, problem) in wrong {
        let failure = pair.apply(&input).unwrap_err().to_string();
        assert!(failure.contains(problem), "{failure}");
        for simulation in [&mut pair.cells, &mut pair.individuals] {
            assert_eq!(simulation.preset().source().overrides.set, Vec::<String>::new(), "{input:?}");
            assert!(simulation.read(ReplayReading).unwrap().events.is_empty(), "{input:?}");
        }
    }
    assert_eq!(hashes(&mut pair), before);
}

#[test]
fn a_reloaded_preset_is_reloaded_for_both() {
    let mut pair = pair(load("droplets", &[]));
    pair.play(5).unwrap();
    let preset = load("droplets", &["weights.alignment=0.25"]).source().clone();
    let reload = |chain: &str| Input::Reload { preset: preset.clone(), chain: chain.into(), files: Default::default() };
    assert!(pair.apply(&reload("agents-grid")).is_err());
    pair.apply(&reload("cell")).unwrap();
    assert_eq!(pair.cells.preset().rules.weights["alignment"], 256);
    assert_eq!(pair.individuals.preset().individuals.as_ref().unwrap().weights["alignment"], 0.25);
    pair.play(5).unwrap();
    assert_eq!(pair.accounts().unwrap().map(|account| account.lost), ModelPair { cells: 0, individuals: 0 });
}

#[test]
fn a_preset_of_individuals_cannot_be_paired_nor_saved() {
    let preset =
        Preset::load(murmuration::host(), "flock", &Overrides { size: Some((64, 48)), ..Overrides::default() })
            .unwrap();
    let chain = preset.load_chain(None).unwrap();
    let failure = Pair::new(preset, &chain, ModelPair { cells: CPU, individuals: CPU }).err().unwrap();
    assert!(failure.to_string().contains("it has individuals already, and no cells"), "{failure}");
    let folder = tempfile::tempdir().unwrap();
    let theirs = load("droplets", &[]).as_individuals().unwrap();
    assert!(
        murmuration::files::save_preset(&theirs, "agents-grid", folder.path())
            .unwrap_err()
            .to_string()
            .contains("save that of the cells")
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A preset with this world and start. Weights not in `more` are 0.
fn preset(folder: &Folder, world: &str, start: &str, more: &str) -> Preset {
    let sights = ["cohesion", "separation", "alignment"].map(|name| format!("[sight.{name}]\ndisc = 3\n")).concat();
    folder.write("scene.toml", format!("description = \"x\"\n[world]\n{world}\n[start]\n{start}\n{sights}{more}\n"));
    Preset::load(murmuration::host(), folder.join("scene.toml"), &Overrides::default()).unwrap()
}

fn row(comparison: &Comparison) -> &murmuration::compare::measures::Row {
    comparison.rows.last().unwrap()
}

fn of(measures: &Measures, name: &str) -> Option<f64> {
    (MEASURES.iter().find(|measure| measure.name == name).unwrap().of)(measures)
}

/// A single boid sees only itself, so that the rules have no effect: both models keep their state to the last bit.
#[test]
fn isolated_boids_rest_in_the_same_cells_in_both_models() {
    let folder = Folder::new();
    let lone = ndarray::Array2::from_shape_fn((40, 56), |(y, x)| {
        u32::from(y % 8 == 3 && x % 7 == 5 && x < 28 && y < 24) * BOID
    });
    ndarray_npy::write_npy(folder.join("lone.npy"), &lone).unwrap();
    let weights = "[weights]\ncohesion = 0.8\nseparation = 0.4\nalignment = 0.6\n";
    let scene = preset(&folder, "size = [56, 40]", "shape = \"array\"\nfile = \"lone.npy\"", weights);
    let start = scene.start().unwrap();
    let mut pair = pair(scene);
    let mut comparison = Comparison::new(&pair, Resolution { grain: 1, occupied: 0.5 }, 1);
    comparison.measure(&mut pair).unwrap();
    pair.play(50).unwrap();
    let states = comparison.measure(&mut pair).unwrap().states;
    // The control vectors of empty cells have no effect.
    assert!(
        states.cells.layers[0].density == start.layers[0].density
            && states.individuals.layers[0].density == start.layers[0].density
    );
    for row in &comparison.rows {
        // An individual lies anywhere in the cell of its boid.
        assert!(row.apart.unwrap() < 0.5, "{:?}", row.apart);
        assert_eq!((row.distance, row.overlap), (0.0, Some(1.0)));
        for measures in [&row.of.cells, &row.of.individuals] {
            let value = |name| of(measures, name);
            assert_eq!(
                (value("polarisation"), value("mean_speed"), value("milling")),
                (Some(0.0), Some(0.0), Some(0.0))
            );
            assert_eq!(
                (value("clusters"), value("largest_cluster"), value("mean_cluster")),
                (Some(12.0), Some(1.0), Some(1.0))
            );
            assert_eq!(value("occupied"), Some(12.0 / (56.0 * 40.0)));
        }
    }
}

/// The offset along an axis of a torus, the short way.
fn offset(from: f64, to: f64, extent: f64) -> f64 {
    to - from - extent * ((to - from) / extent).round()
}

/// The mean position along an axis, in cells from the first boid, and the variance. The swarm must be narrower than
/// half the torus.
fn moments(state: &State, axis: usize) -> [f64; 2] {
    let extents = [state.extents.width as usize, state.extents.height as usize];
    let place = |index: usize| [index % extents[0], index / extents[0]][axis] as f64;
    let first = place(state.layers[0].density.iter().position(|quanta| *quanta > BOID / 2).unwrap());
    let offsets = || {
        let from =
            |(index, quanta): (usize, &u32)| (f64::from(*quanta), offset(first, place(index), extents[axis] as f64));
        state.layers[0].density.iter().enumerate().map(from)
    };
    let total: f64 = offsets().map(|(quanta, _)| quanta).sum();
    let mean = offsets().map(|(quanta, offset)| quanta * offset).sum::<f64>() / total;
    [first + mean, offsets().map(|(quanta, offset)| quanta * (offset - mean).powi(2)).sum::<f64>() / total]
}

/// With equal velocities v and no rules both models have an exact solution: the centre moves by v and the headings
/// stay. Individuals keep their relative positions. In each step the bilinear distribution convolves a density with a
/// kernel of variance v(1 - v) along each axis.
#[test]
fn a_uniform_drift_moves_both_centres_equally_and_spreads_the_density_as_in_theory() {
    const STEPS: u64 = 64;
    let folder = Folder::new();
    let start = "boids = 4000\nshape = \"blobs\"\nat = [[0.3, 0.6]]\nradius = 0.09\nheadings = \"random\"\n\
        patch = 160\nspeed = 0.7";
    let scene = preset(&folder, "size = [160, 128]", start, "[weights]\nalignment = 0.5");
    let start = scene.start().unwrap();
    let velocity = start.layers[0].control_of(0).map(|n| f64::from(n) / 16384.0);
    assert!(
        (0..start.layers[0].density.len())
            .all(|index| start.layers[0].control_of(index) == start.layers[0].control_of(0))
    );
    let mut pair = pair(scene);
    let mut comparison = Comparison::new(&pair, Resolution::default(), 1);
    let before = comparison.measure(&mut pair).unwrap().states;
    pair.play(STEPS).unwrap();
    let after = comparison.measure(&mut pair).unwrap().states;
    for axis in [0, 1] {
        let extent = [160.0, 128.0][axis];
        let (v, steps) = (velocity[axis].abs(), STEPS as f64);
        let moved = |before: &State, after: &State| {
            offset(moments(before, axis)[0] + velocity[axis] * steps, moments(after, axis)[0], extent)
        };
        // Rounding down costs each of three shares less than a quantum, of 65 536 per boid. 4000 boids occupy less than
        // 4000 cells, and the quanta beyond the shares have no weight.
        assert!(moved(&before.cells, &after.cells).abs() < 1e-3, "{}", moved(&before.cells, &after.cells));
        // Depositing rounds 4000 positions to cells twice, with a variance of 1/12 each.
        assert!(moved(&before.individuals, &after.individuals).abs() < 5.0 * (2.0 / 12.0 / 4000.0f64).sqrt());
        let spread = |before: &State, after: &State| moments(after, axis)[1] - moments(before, axis)[1];
        let expected = steps * v * (1.0 - v);
        assert!(expected > 5.0, "v is {v}");
        let cells = spread(&before.cells, &after.cells);
        assert!((cells / expected - 1.0).abs() < 0.01, "{cells}, and not {expected}");
        assert!(spread(&before.individuals, &after.individuals).abs() < 0.5);
    }
    let ModelPair { cells, individuals } = &row(&comparison).of;
    for measures in [cells, individuals] {
        assert!((of(measures, "polarisation").unwrap() - 1.0).abs() < 1e-12);
        let speed = of(measures, "mean_speed").unwrap();
        assert!((speed - velocity[0].hypot(velocity[1])).abs() < 1e-9, "{speed}");
    }
    assert!(row(&comparison).apart.unwrap() < 0.1, "{:?}", row(&comparison).apart);
    assert!(of(cells, "occupied") > of(individuals, "occupied"));
}

#[test]
fn measures_of_no_boids_and_of_one_boid_are_finite() {
    let folder = Folder::new();
    for boids in [0, 1] {
        for world in ["size = [8, 6]", "size = [8, 6]\nedges = \"walls\""] {
            let mut pair = pair(preset(&folder, world, &format!("boids = {boids}"), ""));
            let mut comparison = Comparison::new(&pair, Resolution::default(), 1);
            comparison.measure(&mut pair).unwrap();
            pair.play(3).unwrap();
            comparison.measure(&mut pair).unwrap();
            for row in &comparison.rows {
                let record = record(row);
                assert_eq!(record.len(), columns().len());
                assert!(
                    record.iter().all(|value| value.is_empty() || value.parse::<f64>().unwrap().is_finite()),
                    "{record:?}"
                );
                let clusters = row.of.map_ref(|measures| of(measures, "clusters"));
                assert_eq!(
                    clusters,
                    ModelPair { cells: Some(0.0), individuals: Some(0.0) },
                    "one boid is below the threshold"
                );
                assert_eq!((row.overlap.is_none(), row.apart.is_none()), (boids == 0, boids == 0));
            }
            let spectra = pair.spectra().unwrap();
            assert!(spectra.cells.values.iter().chain(&spectra.individuals.values).all(|value| value.is_finite()));
        }
    }
}

/// The names of the files and the folder that a comparison writes into its folder.
const TABLES: [&str; 7] =
    ["frames", "index.html", "measures.csv", "measures.csv.json", "spectra.csv", "spectra.csv.json", "statistics.json"];

fn names(folder: &Folder, path: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder.join(path))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The header of a table, and the numbers in its rows.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<Option<f64>>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let number = |text: &str| (!text.is_empty()).then(|| text.parse::<f64>().unwrap());
    (header, reader.records().map(|record| record.unwrap().iter().map(number).collect()).collect())
}

/// Whether a page contains no reference to another file.
fn is_self_contained(page: &str) -> bool {
    let is_data = |rest: &str| rest.starts_with("\"data:");
    !page.contains("http")
        && page.matches("<script").count() == 1
        && page.contains("</main><script>")
        && !page.contains("<link")
        && !page.contains("@import")
        && !page.contains("url(")
        && page.split("src=").skip(1).all(is_data)
        && page.split("href=").count() == 1
}

#[test]
fn the_program_writes_a_self_contained_report_and_readable_tables() {
    let folder = Folder::new();
    let scene = ["hunt-compare", "--size", "96x72", "--steps", "45", "--seed", "5", "--json"];
    let compared = folder.run(&[&["compare"], &scene[..], &["--every", "20", "--out", "my report"]].concat());
    let object = compared.succeeded().object();
    for (model, more) in [("cells", &[][..]), ("individuals", &["--individuals"])] {
        let alone = folder.run(&[&["render"], &scene[..], more].concat()).succeeded().object();
        let half = &object[model];
        for key in ["state_hash", "lost", "quanta_start", "quanta_end", "caught", "chain"] {
            assert_eq!(half[key], alone[key], "{model}: {key}");
        }
        assert_eq!(half["lost"], 0);
        assert!(half["milliseconds_per_step"].as_f64().unwrap() > 0.0);
        assert!(half["measures"]["polarisation"].is_f64());
    }
    assert_eq!((&object["rows"], &object["frames"], &object["steps"]), (&4.into(), &4.into(), &45.into()));

    assert_eq!(names(&folder, "my report"), TABLES);
    let steps = [0, 20, 40, 45];
    assert_eq!(names(&folder, "my report/frames"), steps.map(|step| format!("compare-{step:06}.png")));
    let (header, rows) = table(&folder.join("my report/measures.csv"));
    assert_eq!(header, columns());
    assert_eq!(rows.iter().map(|row| row[0].unwrap() as u64).collect::<Vec<_>>(), steps);
    assert!(rows.iter().flatten().flatten().all(|value| value.is_finite()));
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    assert!(rows.iter().all(|row| row[at("lost_cells")] == Some(0.0) && row[at("lost_individuals")] == Some(0.0)));
    // The starts are equal, and no step is timed yet.
    assert_eq!((rows[0][at("js_distance")], rows[0][at("overlap")]), (Some(0.0), Some(1.0)));
    assert_eq!((rows[0][at("milliseconds_cells")], rows[1][at("milliseconds_cells")].is_some()), (None, true));
    for (name, model) in [("caught_cells", "cells"), ("caught_individuals", "individuals")] {
        assert_eq!(rows[3][at(name)], object[model]["caught"].as_f64());
    }
    let (header, spectra) = table(&folder.join("my report/spectra.csv"));
    assert_eq!((header.join(","), spectra.len()), ("wavelength,cells,individuals".into(), 36));
    assert_eq!((spectra[0][0], spectra[35][0]), (Some(72.0), Some(2.0)));

    let page = std::fs::read_to_string(folder.join("my report/index.html")).unwrap();
    assert!(is_self_contained(&page));
    assert_eq!(record_of_page(&page), object["provenance"]);
    for needed in [
        object["cells"]["state_hash"].as_str().unwrap(),
        object["individuals"]["state_hash"].as_str().unwrap(),
        "a hunter that drives through a resting shoal",
        "--out 'my report'",
        "seed 5",
        "Jensen–Shannon",
        "At the end",
    ] {
        assert!(page.contains(needed), "{needed}");
    }
    let pictures = page.matches("src=\"data:image/jpeg;base64,").count();
    assert_eq!((pictures, page.matches("<svg").count()), (3, MEASURES.len() + 3 + 2));
    assert_eq!(page.matches("data-csv=\"series,").count(), MEASURES.len() + 3 + 2);
    let mut plots = page.split("<svg").skip(1).filter_map(|rest| rest.split("</svg>").next());
    assert!(plots.all(|plot| !plot.contains("NaN") && !plot.contains("inf")));
    assert!(MEASURES.iter().all(|measure| page.contains(measure.title)));
}

#[test]
fn without_a_folder_the_measures_are_printed() {
    let folder = Folder::new();
    let run = folder.run(&["compare", "mill-compare", "--size", "64x64", "--steps", "10", "--grain", "3"]).succeeded();
    assert!(run.out.contains("Polarisation") && run.out.contains("lost 0; individuals: 1 440 · lost 0"), "{}", run.out);
    assert!(folder.names().is_empty());
}

#[test]
fn bad_input_is_refused_with_its_place_and_a_cure() {
    let folder = Folder::new();
    let scene = "description = \"x\"\n[world]\nsize = [16, 16]\n[start]\nboids = 9\n[sight.cohesion]\ndisc = 3\n\
                 [sight.separation]\ndisc = 3\n[sight.alignment]\ndisc = 3\n[weights]\nalignment = 9\n";
    folder.write("heavy.toml", scene);
    let wind = crate::support::command::repository().join("examples/wind/windy.toml").display().to_string();
    for (arguments, parts) in [
        (&["heavy.toml"][..], ["heavy.toml:13: weights.alignment: individuals weigh", "it must be from -8 to 8"]),
        (
            &["droplets", "--set", "weights.cohesion=-9"],
            ["--set weights.cohesion=-9: weights.cohesion: ", "from -8 to 8"],
        ),
        (&[&wind], ["weights.wind: individuals know no rule \"wind\"", "set it to 0"]),
        (
            &["droplets", "--chain", "agents-grid"],
            ["the chain's model is \"agents\"", "take a chain with model = \"cell\""],
        ),
        (&["droplets", "--size", "3x50"], ["3x50 is too narrow for individuals", "at least 4 cells"]),
        (&["droplets", "--out", "heavy.toml/x"], ["--out heavy.toml/x: ", "name a folder"]),
    ] {
        let run = folder.run(&[&["compare"], arguments].concat());
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(parts.iter().all(|part| run.complaint().contains(part)), "{}", run.complaint());
    }
    let run = folder.run(&["compare", "droplets", "--grain", "4"]);
    assert!(run.status == Some(2) && run.err.contains("write an odd number of cells"), "{run:?}");
    assert_eq!(folder.names().len(), 1);
}

#[test]
#[cfg(unix)]
fn an_interrupted_comparison_writes_everything_report_included() {
    let folder = Folder::new();
    let long = "compare shoal-compare --size 96x72 --steps 1000000000 --every 5 --threads 1 --json --out out";
    let mut running = folder.start(&long.split_whitespace().collect::<Vec<_>>());
    running.wait_until(|| folder.join("out/frames/compare-0000000010.png").exists());
    running.signal("INT");
    let run = running.finish();
    assert_eq!(run.status, Some(130), "{run:?}");
    let object = run.object();
    let last = object["steps"].as_u64().unwrap();
    assert!(run.err.contains(&format!("interrupted at step {last} of 1000000000")), "{}", run.err);
    let (_, rows) = table(&folder.join("out/measures.csv"));
    assert_eq!(rows.last().unwrap()[0], Some(last as f64));
    assert_eq!((object["rows"].as_u64(), names(&folder, "out/frames").len()), (Some(rows.len() as u64), rows.len()));
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(is_self_contained(&page) && page.contains("The run was ended at step"));
    assert_eq!(names(&folder, "out"), TABLES);
}
