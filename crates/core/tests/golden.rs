//! Compares the last states of the built-in presets with recorded hashes. Debug and release builds, all machines and
//! all optimisations must give equal states.
//!
//! After an intended change of a preset or of the rules, run
//! `MURMURATION_BLESS=1 cargo test -p murmuration-core --test golden`.

#[path = "../src/testing.rs"]
mod testing;

// `testing` uses these modules of the crate by the path `crate::`.
use murmuration_core::{engine, error, host};

use murmuration_core::engine::cpu::Options;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The extents of flat lattices. No extent here is a multiple of a chunk of cells or of a workgroup.
const SIZE: [u32; 2] = [193, 101];
const STEPS: u64 = 200;
const DEEP_SIZE: [u32; 3] = [37, 29, 23];
const DEEP_STEPS: u64 = 60;

#[derive(serde::Serialize, serde::Deserialize)]
struct File {
    size: [u32; 2],
    steps: u64,
    hashes: BTreeMap<String, String>,
    /// The hashes of the presets in `tests/fixtures/presets`, on a lattice of `size`.
    fixtures: BTreeMap<String, String>,
    deep: Deep,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Deep {
    size: [u32; 3],
    steps: u64,
    hashes: BTreeMap<String, String>,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/hashes.toml")
}

fn file() -> File {
    let text = std::fs::read_to_string(path()).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    let runs = (file.size, file.steps, file.deep.size, file.deep.steps);
    assert_eq!(runs, (SIZE, STEPS, DEEP_SIZE, DEEP_STEPS), "{} is of another run; bless it", path().display());
    file
}

/// Runs a preset without its run-in. Returns whether its world is deep, and the hash of the last state.
fn end(name: &str) -> (bool, String) {
    let load = |size: [u32; 2], depth| {
        let set = vec!["start.run_in=0".into()];
        let overrides = Overrides { size: Some(size.into()), depth, set, ..Overrides::default() };
        Preset::load(testing::host(), name, &overrides).unwrap_or_else(|failure| panic!("{failure}"))
    };
    let mut preset = load(SIZE, None);
    let is_deep = preset.individuals.is_none() && preset.world.extents.depth.is_some();
    if is_deep {
        let [width, height, depth] = DEEP_SIZE;
        preset = load([width, height], Some(depth));
    }
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Options::default())).unwrap();
    simulation.advance(if is_deep { DEEP_STEPS } else { STEPS }).unwrap();
    (is_deep, simulation.state_hash().unwrap())
}

#[test]
fn every_preset_ends_where_it_always_did() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/presets");
    let mut fixtures = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        fixtures.insert(name, end(path.to_str().unwrap()).1);
    }
    assert!(!fixtures.is_empty(), "{} is empty", folder.display());
    let (mut flat, mut deep) = (BTreeMap::new(), BTreeMap::new());
    for name in testing::library().preset_names() {
        let (is_deep, hash) = end(name);
        if is_deep { &mut deep } else { &mut flat }.insert(name.to_string(), hash);
    }
    if std::env::var("MURMURATION_BLESS").is_ok_and(|value| value == "1") {
        let deep = Deep { size: DEEP_SIZE, steps: DEEP_STEPS, hashes: deep };
        let text = toml::to_string(&File { size: SIZE, steps: STEPS, hashes: flat, fixtures, deep }).unwrap();
        let first = "# Written by MURMURATION_BLESS=1 cargo test -p murmuration-core --test golden\n";
        std::fs::write(path(), format!("{first}{text}")).unwrap();
        return;
    }
    let File { hashes, fixtures: hashes_of_fixtures, deep: Deep { hashes: hashes_of_deep, .. }, .. } = file();
    for (actual, expected) in [(flat, hashes), (fixtures, hashes_of_fixtures), (deep, hashes_of_deep)] {
        let changed: Vec<&String> = actual.keys().filter(|name| expected.get(*name) != actual.get(*name)).collect();
        let gone: Vec<&String> = expected.keys().filter(|name| !actual.contains_key(*name)).collect();
        assert!(
            changed.is_empty() && gone.is_empty(),
            "these presets end elsewhere: {changed:?}, these are gone: {gone:?}; if that is meant, bless {}",
            path().display()
        );
    }
}
