//! Runs in which one operation fails. The n-th write, rename, start of a thread, large allocation, opening of a device,
//! submission or mapping can be made to fail. After any fault a run goes on, or ends soon with one message and the
//! right status. Its files are complete or absent.

use crate::support::command::{Finished, Folder};
use image::AnimationDecoder;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::replay::ReplayReading;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::time::Duration;

/// The arguments of runs of every kind. The folder of each run contains a saved replay.
const CPU: [&[&str]; 4] = [
    &[
        "render",
        "droplets",
        "--size",
        "24x16",
        "--steps",
        "3",
        "--every",
        "3",
        "--engine",
        "cpu",
        "--threads",
        "2",
        "--out",
        "out",
        "--frames",
        "npy,density16",
        "--metrics",
        "m.csv",
        "--checkpoint",
        "kept",
        "--json",
    ],
    // The density of this lattice takes a mebibyte, so its allocation can be made to fail.
    &["render", "droplets", "--size", "512x512", "--steps", "2", "--engine", "cpu", "--film", "x.gif", "--width", "32"],
    &["replay", "hunt.json", "--json", "--engine", "cpu", "--film", "x.apng"],
    &[
        "compare",
        "shoal-compare",
        "--size",
        "32x24",
        "--steps",
        "2",
        "--every",
        "2",
        "--engine",
        "cpu",
        "--out",
        "report",
    ],
];
const GPU: [&[&str]; 2] = [
    &[
        "render",
        "droplets",
        "--size",
        "32x24",
        "--steps",
        "6",
        "--every",
        "2",
        "--engine",
        "gpu",
        "--metrics",
        "m.csv",
        "--json",
    ],
    &["replay", "hunt.json", "--json", "--engine", "gpu"],
];

/// A folder with a replay.
fn folder() -> Folder {
    use murmuration_core::preset::{Overrides, Preset};
    use murmuration_core::simulation::{EngineChoice, Simulation};
    let folder = Folder::new();
    let overrides = Overrides { size: Some((32, 24)), ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), "droplets", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
    simulation.advance(2).unwrap();
    murmuration::files::write_replay(&simulation.read(ReplayReading).unwrap(), &folder.join("hunt.json")).unwrap();
    folder
}

fn failing(folder: &Folder, fault: &str, arguments: &[&str]) -> Finished {
    folder.shell(&format!("MURMURATION_FAIL={fault} \"$@\""), arguments)
}

/// The files of a folder, by their paths.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names().into_iter().filter(|name| folder.join(name).is_file());
    names.map(|name| (name.clone(), std::fs::read(folder.join(&name)).unwrap())).collect()
}

/// Whether a file is complete, although it differs from the file of an undisturbed run.
fn is_whole(name: &str, bytes: &[u8]) -> bool {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("csv") => bytes.ends_with(b"\n") && bytes.contains(&b','),
        // A JSON file may differ: its record names the engine that replaced a lost engine.
        Some("json") => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
        Some("html") => String::from_utf8_lossy(bytes).trim_end().ends_with("</html>"),
        Some("gif") => {
            GifDecoder::new(Cursor::new(bytes)).is_ok_and(|film| film.into_frames().collect_frames().is_ok())
        }
        Some("apng") => {
            let film = PngDecoder::new(Cursor::new(bytes)).and_then(|film| film.apng());
            film.is_ok_and(|film| film.into_frames().collect_frames().is_ok())
        }
        Some("png") => image::load_from_memory(bytes).is_ok(),
        None => Checkpoint::from_bytes(bytes).is_ok(),
        _ => false,
    }
}

fn assert_sound(what: &str, run: &Finished, folder: &Folder, expected: &BTreeMap<String, Vec<u8>>) {
    assert!(run.took < Duration::from_secs(60), "{what}: {run:?}");
    match run.status {
        // A run on a busy machine also reports its progress.
        Some(0) => {
            let complaints = run.err.lines().filter(|line| !line.starts_with("step ")).count();
            assert!(complaints <= 1, "{what}: {run:?}");
        }
        Some(1 | 2) => assert!(!run.complaint().is_empty()),
        _ => panic!("{what}: {run:?}"),
    }
    for (name, bytes) in files(folder) {
        if name.contains(".murmuration-") {
            // After a failed allocation the program ends at once. A later run removes the temporary file.
            assert!(what.starts_with("allocation") && run.status != Some(0), "{what}: {name} is left");
            continue;
        }
        assert!(expected.get(&name) == Some(&bytes) || is_whole(&name, &bytes), "{what}: {name} is not whole: {run:?}");
    }
}

#[test]
fn a_failed_write_rename_thread_or_allocation_is_one_message_and_leaves_whole_files() {
    let mut allocations = 0;
    for arguments in CPU {
        let whole = folder();
        let sound = whole.run(arguments);
        assert_eq!(sound.status, Some(0), "{arguments:?}: {sound:?}");
        let expected = files(&whole);
        for operation in ["write", "rename", "thread", "allocation"] {
            // The loop ends when the number exceeds the operations of the run.
            let (mut failed, mut sound) = (0, 0);
            for number in 1.. {
                let (folder, what) = (folder(), format!("{operation}@{number}, {arguments:?}"));
                let run = failing(&folder, &what[..what.find(',').unwrap()], arguments);
                assert_sound(&what, &run, &folder, &expected);
                if run.status == Some(0) {
                    assert_eq!(
                        files(&folder).keys().collect::<Vec<_>>(),
                        expected.keys().collect::<Vec<_>>(),
                        "{what}"
                    );
                    sound += 1;
                } else {
                    failed += 1;
                    sound = 0;
                }
                if sound == 2 {
                    break;
                }
            }
            // A small run allocates no mebibyte at once.
            assert!(failed > 0 || operation == "allocation", "{operation}, {arguments:?}");
            allocations += if operation == "allocation" { failed } else { 0 };
        }
    }
    assert!(allocations > 4, "{allocations} allocations failed");
}

/// The numbers of a device's faults: a selection, or the first `MURMURATION_FAULTS`.
fn numbers() -> Vec<u64> {
    match std::env::var("MURMURATION_FAULTS") {
        Ok(most) => (1..=most.parse().expect("MURMURATION_FAULTS is a number")).collect(),
        Err(_) => vec![1, 2, 3, 5, 8, 13],
    }
}

#[test]
fn a_device_that_fails_anywhere_is_replaced_or_one_message() {
    if crate::support::adapter::shared("devices that fail").is_none() {
        return;
    }
    for arguments in GPU {
        let whole = folder();
        let sound = whole.run(arguments);
        assert_eq!(sound.status, Some(0), "{arguments:?}: {sound:?}");
        let (expected, hash) = (files(&whole), sound.object()["state_hash"].clone());
        for operation in ["device", "submission", "map"] {
            // A run opens a device once, and another one after a loss.
            let numbers = numbers().into_iter().filter(|number| operation != "device" || *number <= 2);
            for number in numbers {
                let (folder, fault) = (folder(), format!("{operation}@{number}"));
                let what = format!("{fault}, {arguments:?}");
                let run = failing(&folder, &fault, arguments);
                assert_sound(&what, &run, &folder, &expected);
                if run.status == Some(0) {
                    assert_eq!(run.object()["state_hash"], hash, "{what}");
                }
            }
        }
    }
}
