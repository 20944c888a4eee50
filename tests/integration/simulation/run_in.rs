//! The built-in checkpoints at the ends of the presets' run-ins.

use crate::support::command::repository;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use murmuration_core::engine::cpu;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::CheckpointReading;
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::io::Write;

/// A simulation of a preset, and the number of steps of its run-in that were played.
fn begin(preset: Preset) -> (Simulation, u64) {
    let chain = preset.load_chain(None).unwrap();
    let (choice, mut told) = (EngineChoice::Cpu(cpu::Options::default()), 0);
    let simulation = Simulation::new_with(preset, &chain, choice, &mut |played| told = played).unwrap();
    (simulation, told)
}

/// `MURMURATION_BLESS=1 cargo test --test integration run_in` stores new states after an intended change of a preset.
#[test]
fn a_shipped_state_is_the_end_of_its_run_in() {
    let host = murmuration::host();
    let load = |name: &str, set: &[&str], seed: Option<u64>| {
        let set = set.iter().map(|setting| (*setting).to_owned()).collect();
        let size = seed.map(|_| (24, 20));
        Preset::load(host, name, &Overrides { set, seed, size, ..Overrides::default() }).unwrap()
    };
    let mut shipped = 0;
    for name in host.library().preset_names().filter(|name| load(name, &[], None).start_spec.run_in() > 0) {
        // A preset with another name plays its run-in.
        let text = host.library().preset(name).unwrap();
        // Points are seeded from the state.
        let set = vec!["look.points=0".to_owned()];
        let other =
            Preset::from_text(host, "presets/played.toml", text, &Overrides { set, ..Overrides::default() }).unwrap();
        let (mut played, steps) = begin(other);
        assert_eq!(steps, played.preset().start_spec.run_in());
        if std::env::var_os("MURMURATION_BLESS").is_some() {
            let mut deflated = ZlibEncoder::new(Vec::new(), Compression::best());
            deflated.write_all(&played.read(CheckpointReading).unwrap().to_bytes()).unwrap();
            let path = repository().join(format!("presets/run-in/{name}.checkpoint.z"));
            std::fs::write(path, deflated.finish().unwrap()).unwrap();
            continue;
        }
        for set in [&[][..], &["look.bloom=0.5"]] {
            let (mut simulation, steps) = begin(load(name, set, None));
            assert_eq!(steps, 0, "the state of {name} is not that of its preset; bless it");
            assert_eq!(simulation.state_hash().unwrap(), played.state_hash().unwrap(), "{name}");
            assert_eq!(simulation.account().unwrap(), played.account().unwrap(), "{name}");
        }
        // With another seed and size the run-in is played.
        let (_, steps) = begin(load(name, &["start.run_in=9"], Some(77)));
        assert_eq!(steps, 9);
        shipped += 1;
    }
    assert!(shipped > 0 || std::env::var_os("MURMURATION_BLESS").is_some());
}
