//! The states in which the built-in presets end, as they were once seen: what holds debug and release builds, other
//! machines and tomorrow's optimisations together.
//!
//! Where a preset or the rules were changed on purpose: `MURMURATION_BLESS=1 cargo test --test integration golden`

use crate::scenes::{Player, Scene, all_individuals, chain, deep_presets, presets};
use murmuration::chain::DEFAULT;
use murmuration::engine::cpu::Options;
use murmuration::preset::{Overrides, Preset};
use murmuration::simulation::{EngineChoice, Simulation};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The lattice, on which no chunk of cells and no workgroup comes out even, and the steps.
pub const SIZE: [u32; 2] = [193, 101];
pub const STEPS: u64 = 200;

/// The same of deep worlds, without their run-in.
const DEEP_SIZE: [u32; 3] = [37, 29, 23];
const DEEP_STEPS: u64 = 60;

#[derive(serde::Serialize, serde::Deserialize)]
struct File {
    size: [u32; 2],
    steps: u64,
    hashes: BTreeMap<String, String>,
    deep: Deep,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Deep {
    size: [u32; 3],
    steps: u64,
    hashes: BTreeMap<String, String>,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hashes.toml")
}

fn file() -> File {
    let text = std::fs::read_to_string(path()).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    let runs = (file.size, file.steps, file.deep.size, file.deep.steps);
    assert_eq!(runs, (SIZE, STEPS, DEEP_SIZE, DEEP_STEPS), "{} is of another run; bless it", path().display());
    file
}

/// Where individuals end.
fn individuals(name: &str) -> String {
    let overrides = Overrides { size: Some((SIZE[0], SIZE[1])), ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Options::default())).unwrap();
    simulation.advance(STEPS).unwrap();
    simulation.state_hash().unwrap()
}

#[test]
fn every_preset_ends_where_it_always_did() {
    let chain = chain(DEFAULT);
    let end = |name| Scene::built_in(name, SIZE[0], SIZE[1]).after(STEPS, &chain, Player::quick()).hash();
    let cells = presets().map(|name| (name.to_string(), end(name)));
    let flat: BTreeMap<String, String> =
        cells.chain(all_individuals().map(|name| (name.to_string(), individuals(name)))).collect();
    let end = |name| Scene::built_in_in_space(name, DEEP_SIZE).after(DEEP_STEPS, &chain, Player::quick()).hash();
    let deep: BTreeMap<String, String> = deep_presets().map(|name| (name.to_string(), end(name))).collect();
    if std::env::var("MURMURATION_BLESS").is_ok_and(|value| value == "1") {
        let deep = Deep { size: DEEP_SIZE, steps: DEEP_STEPS, hashes: deep };
        let text = toml::to_string(&File { size: SIZE, steps: STEPS, hashes: flat, deep }).unwrap();
        let first = "# Written by MURMURATION_BLESS=1 cargo test --test integration golden\n";
        std::fs::write(path(), format!("{first}{text}")).unwrap();
        return;
    }
    let File { hashes, deep: Deep { hashes: hashes_of_deep, .. }, .. } = file();
    for (actual, expected) in [(flat, hashes), (deep, hashes_of_deep)] {
        let changed: Vec<&String> = actual.keys().filter(|name| expected.get(*name) != actual.get(*name)).collect();
        let gone: Vec<&String> = expected.keys().filter(|name| !actual.contains_key(*name)).collect();
        assert!(
            changed.is_empty() && gone.is_empty(),
            "these presets end elsewhere: {changed:?}, these are gone: {gone:?}; if that is meant, bless {}",
            path().display()
        );
    }
}
