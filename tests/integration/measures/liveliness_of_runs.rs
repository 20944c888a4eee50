//! The liveliness in the program's output, and of the presets.

use crate::program::outputs::column;
use crate::support::command::Folder;
use crate::support::size;
use murmuration::observe::{LivelinessSampler, Observation};
use murmuration::run::Run;
use murmuration::{EngineChoice, Simulation};

/// Presets that never come to rest, each with the size of the test's lattice.
const ALIVE: [(&str, [u32; 2]); 13] = [
    ("droplets", [128, 128]),
    ("ribbons", [128, 128]),
    ("shoals", [160, 160]),
    ("simmer", [160, 160]),
    ("fog", [160, 160]),
    ("lagoon", [160, 120]),
    ("stoop", [256, 160]),
    ("million", [128, 128]),
    ("three", [160, 160]),
    ("moods", [256, 160]),
    ("feeding", [320, 200]),
    ("chase", [320, 200]),
    ("evolve", [256, 160]),
];
/// The minimum liveliness of each preset.
const MIN_LIVELINESS: f64 = 0.25;
/// The minimum entropy of headings of each preset.
const MIN_ENTROPY: f64 = 0.45;
const STEPS: u64 = 2000;

fn begin(name: &str, [width, height]: [u32; 2], threads: usize) -> (Simulation, LivelinessSampler) {
    let options = murmuration::CpuOptions { threads: Some(threads), ..Default::default() };
    let builder = murmuration::open(name).size(width, height).engine(EngineChoice::Cpu(options));
    let simulation = builder.start().unwrap();
    let sampler = LivelinessSampler::from_preset(simulation.preset());
    (simulation, sampler)
}

#[test]
fn every_preset_of_motion_is_alive() {
    for (name, extents) in ALIVE.into_iter().step_by(size(4, 1)) {
        let (mut simulation, mut sampler) = begin(name, extents, 2);
        Run::new(&mut simulation).to(STEPS).with(&mut sampler).play().unwrap();
        let liveliness = sampler.liveliness().unwrap();
        assert!(liveliness.value() >= MIN_LIVELINESS, "{name}: {liveliness:?}");
        let entropy = Observation::new(&mut simulation).unwrap().heading_entropy.unwrap();
        assert!(entropy >= MIN_ENTROPY, "{name}: {entropy}");
        assert_eq!(simulation.account().unwrap().lost, 0, "{name}");
    }
}

/// A preset that ends as one band is hardly alive, although older measures took it for alive.
#[test]
fn a_band_is_not_alive() {
    let folder = crate::support::command::repository().join("tests/fixtures/presets");
    let droplets = folder.join("droplets.toml").display().to_string();
    let (mut simulation, mut sampler) = begin(&droplets, [128, 128], 2);
    Run::new(&mut simulation).to(4000).with(&mut sampler).play().unwrap();
    let liveliness = sampler.liveliness().unwrap();
    assert!(liveliness.value() < 0.1, "{liveliness:?}");
}

#[test]
fn threads_do_not_change_the_liveliness() {
    for (name, size) in [("droplets", [64, 48]), ("chase", [96, 64])] {
        let values = [1, 2].map(|threads| {
            let (mut simulation, mut sampler) = begin(name, size, threads);
            // The samples do not depend on the number of steps in a run.
            for step in [7 * threads as u64, 1000] {
                Run::new(&mut simulation).to(step).with(&mut sampler).play().unwrap();
            }
            sampler.liveliness().unwrap()
        });
        assert_eq!(values[0], values[1], "{name}");
    }
}

/// `render --metrics`, `compare` and a sweep report equal numbers. The number is blank before step 1000. A resumed run
/// counts from its first step.
#[test]
fn every_command_has_the_same_liveliness() {
    let folder = Folder::new();
    let run = |line: &str| folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded();
    let read = |name: &str, of: &str| column(&std::fs::read_to_string(folder.join(name)).unwrap(), of);
    run("render droplets --size 64x48 --steps 1040 --every 500 --metrics all.csv --checkpoint c.checkpoint");
    let all = read("all.csv", "liveliness");
    assert_eq!((all.len(), all[0].as_str(), all[1].as_str()), (3, "", ""));
    let value: f64 = all[2].parse().unwrap();
    assert!(value > 0.0 && value <= 1.0, "{value}");
    run("render --resume c.checkpoint --steps 1020 --every 500 --metrics more.csv");
    let more = read("more.csv", "liveliness");
    assert_eq!((more.len(), more[0].as_str(), more[1].as_str(), more[2].is_empty()), (3, "", "", false));
    run("sweep droplets --size 64x48 --steps 1000 --every 1000 --warm-up 0 --measures liveliness,stripes --out swept");
    let swept: f64 = read("swept/runs.csv", "liveliness")[0].parse().unwrap();
    assert_eq!(swept, value);
    run("compare droplets --size 64x48 --steps 1000 --every 1000 --out compared");
    let compared: f64 = read("compared/measures.csv", "liveliness_cells").pop().unwrap().parse().unwrap();
    // Models are compared without wander.
    assert!((0.0..=1.0).contains(&compared));
    let individuals: f64 = read("compared/measures.csv", "liveliness_individuals").pop().unwrap().parse().unwrap();
    assert!((0.0..=1.0).contains(&individuals));
}
