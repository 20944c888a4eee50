//! The program with good input: its results, and failures for other reasons than bad input.

use crate::support::command::{Finished, Folder, fixture, repository};
use crate::support::size;
use serde_json::Value;
use std::path::Path;

fn render(folder: &Folder, preset: &str, more: &[&str]) -> Finished {
    folder.run(&[&["render", preset, "--size", "64x48", "--steps", "30", "--json"], more].concat())
}

fn state_hash(finished: Finished) -> String {
    finished.succeeded().object()["state_hash"].as_str().unwrap().to_owned()
}

#[test]
fn the_json_object_describes_the_run() {
    let folder = Folder::new();
    let run = render(&folder, "lagoon", &["--engine", "cpu", "--threads", "1", "--seed", "77"]).succeeded();
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    let object = run.object();
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "preset",
            "engine",
            "dispatch",
            "chain",
            "size",
            "steps",
            "seed",
            "boids",
            "quanta_start",
            "quanta_end",
            "spawned",
            "caught",
            "lost",
            "state_hash",
            "measures",
            "seconds",
            "cells_per_second",
            "frames",
            "state_readbacks",
            "remarks",
            "provenance"
        ]
    );
    // 20 000 boids on 320 × 240 cells are 800 on 64 × 48.
    let quanta = 800 * 65_536;
    for (key, value) in [
        ("preset", Value::from("lagoon")),
        ("engine", "cpu".into()),
        ("dispatch", Value::Null),
        ("chain", "cell-fast".into()),
        ("size", "64x48".into()),
        ("steps", 30.into()),
        ("seed", 77.into()),
        ("boids", 800.0.into()),
        ("quanta_start", quanta.into()),
        ("quanta_end", quanta.into()),
        ("spawned", 0.into()),
        ("caught", 0.into()),
        ("lost", 0.into()),
        ("frames", 0.into()),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    let hash = object["state_hash"].as_str().unwrap();
    assert!(hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
    assert!(object["seconds"].as_f64().unwrap() > 0.0);
    let rate = object["cells_per_second"].as_f64().unwrap() * object["seconds"].as_f64().unwrap();
    assert!((rate - 64.0 * 48.0 * 30.0).abs() < 1.0, "{rate} cells were stepped");
    assert!(folder.names().is_empty(), "nothing is written that was not asked for");
}

#[test]
fn every_engine_ends_with_the_same_bits() {
    let folder = Folder::new();
    for preset in ["lagoon", "simmer", "paper"].into_iter().take(size(1, 3)) {
        let ways: [(&[&str], &str, Value); 4] = [
            (&["--engine", "cpu", "--threads", "1"], "cpu", Value::Null),
            (&["--engine", "cpu", "--threads", "2"], "cpu", Value::Null),
            (&["--engine", "gpu", "--dispatch", "compute"], "gpu", "compute".into()),
            (&["--engine", "gpu", "--dispatch", "fragment"], "gpu", "fragment".into()),
        ];
        let hashes = ways.map(|(way, engine, dispatch)| {
            let run = render(&folder, preset, way).succeeded();
            assert_eq!((&run.object()["engine"], &run.object()["dispatch"]), (&engine.into(), &dispatch));
            state_hash(run)
        });
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{preset}: {hashes:?}");
    }
}

#[test]
fn options_change_the_swarm() {
    let folder = Folder::new();
    let with = |more: &[&str]| state_hash(render(&folder, "droplets", &[&["--threads", "2"], more].concat()));
    let plain = with(&[]);
    assert_eq!(with(&[]), plain);
    assert_eq!(with(&["--seed", "1", "--chain", "cell"]), plain);
    assert_eq!(with(&["--set", "look.hue=0.9"]), plain, "a look is not part of the simulation");
    for other in [["--seed", "2"], ["--set", "weights.cohesion=0.75"], ["--set", "movement.wander=0"]] {
        assert_ne!(with(&other), plain, "{other:?}");
    }
    assert_eq!(with(&["--set", "seed=2"]), with(&["--seed", "2"]));
}

#[test]
fn the_gathering_chain_loses_boids_and_says_so() {
    let folder = Folder::new();
    let run = render(&folder, &fixture("droplets"), &["--engine", "cpu", "--chain", "paper-gather"]);
    assert_eq!(run.status, Some(1));
    let object = run.object();
    let [start, end, lost] = ["quanta_start", "quanta_end", "lost"].map(|key| object[key].as_i64().unwrap());
    assert_ne!(lost, 0);
    assert_eq!(start - end, lost);
    let complaint = run.complaint();
    for part in [" boids came from nowhere", "%", "paper-gather", "does not conserve"] {
        assert!(complaint.contains(part), "{complaint}");
    }
}

#[test]
fn the_result_of_a_run_is_printed() {
    let folder = Folder::new();
    let arguments = ["render", "fog", "--size", "96x64", "--steps", "12", "--threads", "1", "--out", "deep/er"];
    let run = folder.run(&arguments).succeeded();
    for part in ["fog · 96x64 · seed ", "chain cell", "cpu (1 thread", "12 steps in", "2 frames in deep/er/", "lost 0"]
    {
        assert!(run.out.contains(part), "{part} is not in {}", run.out);
    }
}

#[test]
fn presets_are_listed_and_each_can_be_played() {
    let folder = Folder::new();
    let listed = folder.run(&["presets"]).succeeded();
    let array: Value = serde_json::from_str(&folder.run(&["presets", "--json"]).succeeded().out).unwrap();
    let array = array.as_array().unwrap();
    assert_eq!(listed.out.lines().count(), array.len());
    assert!(array.len() >= 9);
    for (line, object) in listed.out.lines().zip(array) {
        assert_eq!(object.as_object().unwrap().keys().collect::<Vec<_>>(), ["name", "description", "provenance"]);
        assert_eq!(object["provenance"]["version"], env!("CARGO_PKG_VERSION"));
        let [name, description] = ["name", "description"].map(|key| object[key].as_str().unwrap());
        assert!(line.starts_with(name) && line.contains(description) && !description.is_empty(), "{line}");
        let size = ["--size", "48x36", "--set", "start.run_in=0"];
        let run = folder.run(&[&["render", name, "--steps", "3", "--threads", "1", "--json"], &size[..]].concat());
        assert_eq!(run.succeeded().object()["preset"], name);
    }
    assert!(listed.out.lines().next().unwrap().ends_with("(default)"));
}

/// The files with this ending below a folder of the repository.
fn files_of_the_repository(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![repository().join(folder)];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|other| other == ending) {
                found.push(path.to_str().unwrap().to_owned());
            }
        }
    }
    assert!(!found.is_empty(), "{folder} holds no {ending}");
    found
}

#[test]
fn every_preset_chain_and_kernel_of_the_repository_passes_the_check() {
    let mut files = Vec::new();
    for (folder, ending) in
        [("presets", "toml"), ("passes", "toml"), ("shaders", "wgsl"), ("examples", "toml"), ("examples", "wgsl")]
    {
        files.extend(files_of_the_repository(folder, ending));
    }
    // The example of a refused kernel has its own test in `kernels`.
    files.retain(|file| !file.ends_with("examples/foreign_write.wgsl"));
    // A kernel alone is checked as a rule. These move or store the density, and are checked with their chains.
    files.retain(|file| !(file.contains("/examples/loss/") && file.ends_with(".wgsl")));
    let folder = Folder::new();
    let arguments: Vec<&str> = std::iter::once("check").chain(files.iter().map(String::as_str)).collect();
    let run = folder.run(&arguments).succeeded();
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), files.len());
    for (line, file) in lines.iter().zip(&files) {
        let presets = ["/windy.toml", "/sharks.toml", "/couzin.toml", "/vicsek.toml"];
        let kind = if file.ends_with(".wgsl") {
            "kernel"
        } else if file.contains("/examples/atlas/") {
            "atlas"
        } else if file.contains("/presets/") || presets.iter().any(|own| file.ends_with(own)) {
            "preset"
        } else if file.ends_with("-sweep.toml") {
            "sweep"
        } else {
            "chain"
        };
        assert_eq!(*line, format!("ok  {file} ({kind})"));
    }
}

#[test]
fn a_check_goes_on_after_a_mistake_and_counts_it() {
    let folder = Folder::new();
    folder.write("bad.toml", "description = \"x\"\nsed = 3\n");
    let good = repository().join("presets/paper.toml");
    let run = folder.run(&["check", "bad.toml", good.to_str().unwrap()]);
    assert_eq!(run.status, Some(2));
    assert!(run.complaint().starts_with("bad.toml:2: sed: unknown key `sed`; expected one of"), "{run:?}");
    assert_eq!(run.out, format!("ok  {} (preset)\n", good.display()));

    let run = folder.run(&["check", "--json", "bad.toml", good.to_str().unwrap()]);
    assert_eq!((run.status, run.err.as_str()), (Some(2), ""));
    let array = run.object();
    assert_eq!((&array[0]["ok"], &array[1]["ok"]), (&false.into(), &true.into()));
    let records = [0, 1].map(|file| &array[file]["provenance"]);
    assert_eq!((&records[0]["program"], &records[1]["preset"]), (&"murmuration".into(), &"paper".into()));
    assert_eq!(records[1]["engine"], Value::Null);
    assert_eq!((&array[0]["line"], &array[0]["key"], &array[0]["kind"]), (&2.into(), &"sed".into(), &"preset".into()));
}

#[test]
fn a_call_without_arguments_and_display_renders_frames() {
    let folder = Folder::new();
    let run = folder.run::<&str>(&[]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.err.lines().all(|line| line.starts_with("step ")), "nothing but how far it has come: {run:?}");
    assert!(run.out.starts_with("there is no display ("), "{}", run.out);
    assert!(run.out.contains("frames/") && run.out.contains("lost 0"), "{}", run.out);
    let expected = (0..=30).map(|frame| format!("frames/picture-{:06}.png", 8 * frame));
    assert_eq!(folder.names(), expected.chain(["frames".into()]).collect());
}

#[test]
fn a_call_without_arguments_renders_frames_where_no_display_answers() {
    let folder = Folder::new();
    // The run ends with the first frame.
    let line = "DISPLAY=:4711 WAYLAND_DISPLAY=wayland-4711 XDG_RUNTIME_DIR=/nowhere \"$@\" &
        while kill -0 $! && ! ls frames/*.png >/dev/null 2>&1; do sleep 0.02; done
        kill -TERM $!; wait $!";
    let run = folder.shell(line, &[]);
    assert_eq!(run.status, Some(130), "{run:?}");
    assert!(run.out.starts_with("no display answers (WAYLAND_DISPLAY=wayland-4711, DISPLAY=:4711)"), "{run:?}");
    for said in [&run.out, &run.err] {
        assert!(!said.contains("registry") && !said.contains(".rs"), "a path of a source file is said: {run:?}");
    }
}

#[test]
fn help_and_version_are_not_errors() {
    let folder = Folder::new();
    for (arguments, part) in [
        (&["--help"][..], "murmuration render ribbons"),
        (&["render", "--help"], "--frames"),
        (&["check", "--help"], "chains and kernels"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let run = folder.run(arguments).succeeded();
        assert!(run.out.contains(part), "{}", run.out);
    }
}

fn wind(folder: &Folder) {
    for name in ["wind.toml", "wind.wgsl", "windy.toml"] {
        folder.write(&format!("mine/{name}"), std::fs::read(repository().join("examples/wind").join(name)).unwrap());
    }
}

#[test]
fn a_rule_of_ones_own_moves_the_swarm_on_the_gpu() {
    let folder = Folder::new();
    wind(&folder);
    let blown = |more: &[&str]| render(&folder, "mine/windy.toml", &[&["--engine", "gpu"], more].concat());
    let run = blown(&[]).succeeded();
    assert_eq!((&run.object()["chain"], &run.object()["lost"]), (&"wind".into(), &0.into()));
    let hash = state_hash(run);
    assert_eq!(state_hash(blown(&["--dispatch", "fragment"])), hash);
    let calm = state_hash(blown(&["--set", "weights.wind=0"]));
    assert_ne!(calm, hash, "the wind moves nothing");
    // Without its rule the chain equals the chain that it extends, which the CPU can play.
    let still = ["--engine", "cpu", "--set", "weights.wind=0"];
    assert_eq!(state_hash(render(&folder, "mine/windy.toml", &still)), calm);
    // The weight of the chain is used if the preset has none.
    let chain = ["--engine", "gpu", "--chain", "mine/wind.toml"];
    let by_chain = state_hash(render(&folder, "droplets", &chain));
    assert_ne!(by_chain, state_hash(render(&folder, "droplets", &["--engine", "gpu"])));
}

#[test]
fn a_rule_without_a_rust_kernel_is_refused_on_the_cpu() {
    let folder = Folder::new();
    wind(&folder);
    let run = render(&folder, "mine/windy.toml", &["--engine", "cpu", "--out", "frames"]);
    assert_eq!(run.status, Some(2));
    let complaint = run.complaint();
    assert!(complaint.starts_with("mine/wind.wgsl: "), "{complaint}");
    assert!(complaint.contains("GPU only") && complaint.ends_with("take the engine `gpu`"), "{complaint}");
    assert!(!folder.names().contains("frames"));
}

#[test]
fn a_broken_rule_is_reported_with_file_and_line_by_every_command() {
    let folder = Folder::new();
    wind(&folder);
    let whole = std::fs::read_to_string(folder.join("mine/wind.wgsl")).unwrap();
    let line = 1 + whole.lines().position(|line| line.contains("return on_axes")).unwrap();
    folder.write("mine/wind.wgsl", whole.replace("Vector3(swing", "Vector3(swung"));
    let expected = format!("mine/wind.wgsl:{line}: no definition in scope for identifier: `swung`");
    for arguments in [
        &["check", "mine/wind.wgsl"][..],
        &["check", "mine/wind.toml"],
        &["check", "mine/windy.toml"],
        &["render", "mine/windy.toml", "--engine", "gpu"],
        &["render", "mine/windy.toml", "--engine", "gpu", "--dispatch", "fragment"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.status, Some(2), "{arguments:?}");
        assert!(run.complaint().starts_with(&expected), "{arguments:?}: {run:?}");
    }
}

#[cfg(unix)]
mod unix {
    use super::super::outputs::{column, decode};
    use super::*;

    #[test]
    fn an_interrupted_run_keeps_its_results() {
        for signal in ["INT", "TERM"] {
            let folder = Folder::new();
            let long = "render simmer --size 128x96 --steps 1000000000 --every 7 --threads 1 --json \
                        --frames picture,density16 --out frames --metrics run.csv";
            let mut running = folder.start(&long.split_whitespace().collect::<Vec<_>>());
            running.wait_until(|| folder.join("frames/density16-0000000021.png").exists());
            running.signal(signal);
            let run = running.finish();
            assert_eq!(run.status, Some(130), "{run:?}");

            let object = run.object();
            let last = object["steps"].as_u64().unwrap();
            assert!((21..1_000_000_000).contains(&last) && object["lost"] == 0, "{object}");
            assert!(run.err.contains(&format!("interrupted at step {last} of 1000000000")), "{}", run.err);
            // Every due frame, and the step at which the run ended.
            let mut steps: Vec<u64> = (0..=last / 7).map(|frame| 7 * frame).collect();
            if !last.is_multiple_of(7) {
                steps.push(last);
            }
            let mut expected = ["frames", "run.csv", "run.csv.json"].map(str::to_owned).to_vec();
            for step in &steps {
                expected.extend(["picture", "density16"].map(|kind| format!("frames/{kind}-{step:010}.png")));
            }
            assert_eq!(folder.names(), expected.into_iter().collect(), "no more and no less, and no temporary file");
            assert_eq!(object["frames"], 2 * steps.len());
            for name in folder.names().iter().filter(|name| name.ends_with(".png")) {
                decode(&folder.join(name));
            }
            let table = std::fs::read_to_string(folder.join("run.csv")).unwrap();
            assert_eq!(column(&table, "step"), steps.iter().map(u64::to_string).collect::<Vec<_>>());
        }
    }

    /// The frames of a swarm that starts in one spot. The first file is small, the second is not.
    const SPREADING: &str = "render droplets --size 128x128 --set start.shape=blobs --set start.count=1 \
                             --set start.radius=0.02 --steps 100 --every 50 --threads 1 --frames density16 \
                             --out frames";

    #[test]
    fn a_file_that_cannot_be_completed_does_not_appear() {
        let folder = Folder::new();
        folder.write("frames/density16-000050.png", "an older picture");
        // The file size limit is 2 or 4 KiB, depending on the block size of the shell.
        let run = folder.shell("ulimit -f 4 && exec \"$@\"", &SPREADING.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.status, Some(1), "{run:?}");
        let complaint = run.complaint();
        assert!(complaint.starts_with("cannot write frames/density16-000050.png: File too large"), "{complaint}");
        let expected = ["frames", "frames/density16-000000.png", "frames/density16-000050.png"].map(str::to_owned);
        assert_eq!(folder.names(), expected.into_iter().collect());
        decode(&folder.join("frames/density16-000000.png"));
        assert_eq!(std::fs::read(folder.join("frames/density16-000050.png")).unwrap(), b"an older picture");
    }

    #[test]
    fn metrics_before_a_failure_are_kept() {
        let folder = Folder::new();
        let arguments = format!("{SPREADING} --metrics run.csv");
        let run = folder.shell("ulimit -f 4 && exec \"$@\"", &arguments.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.status, Some(1), "{run:?}");
        run.complaint();
        assert_eq!(column(&std::fs::read_to_string(folder.join("run.csv")).unwrap(), "step"), ["0"]);
    }

    #[test]
    fn paths_that_cannot_be_written_are_named() {
        let folder = Folder::new();
        for (arguments, said, status) in [
            (&["--out", "/proc"][..], "cannot write /proc/picture-000000.png", 1),
            (&["--out", "/proc/nowhere/frames"], "cannot create the folder /proc/nowhere/frames", 1),
            (&["--metrics", "/proc/run.csv"], "--metrics /proc/run.csv: cannot be written", 2),
            (&["--metrics", "/dev/full"], "cannot write /dev/full", 1),
        ] {
            if !Path::new("/proc/self").exists() || !Path::new("/dev/full").exists() {
                return;
            }
            let run = folder.run(&[&["render", "simmer", "--steps", "2", "--threads", "1"], arguments].concat());
            assert_eq!(run.status, Some(status), "{run:?}");
            assert!(run.complaint().starts_with(said), "{run:?}");
            assert!(folder.names().is_empty());
        }
    }

    #[test]
    fn a_full_disk_behind_standard_output_is_an_error() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let folder = Folder::new();
        let chain = repository().join("passes/cell.toml");
        for arguments in [
            &["presets"][..],
            &["presets", "--json"],
            &["check", chain.to_str().unwrap()],
            &["render", "simmer", "--steps", "1", "--threads", "1", "--json"],
            &["render", "simmer", "--steps", "1", "--threads", "1"],
        ] {
            let run = folder.shell("exec \"$@\" > /dev/full", arguments);
            assert_eq!(run.status, Some(1), "{arguments:?}");
            assert!(run.complaint().starts_with("cannot write to standard output: No space left"), "{run:?}");
        }
    }

    /// `murmuration presets | head -1`
    #[test]
    fn a_closed_pipe_is_not_a_panic() {
        let folder = Folder::new();
        for streams in ["", "2>&1"] {
            let line = format!("( sleep 0.2; \"$@\" {streams}; echo $? > status ) | true");
            let run = folder.shell(&format!("{line}; while [ ! -s status ]; do sleep 0.05; done"), &["presets"]);
            assert!(!run.err.contains("panicked"), "{}", run.err);
            // The reader has closed the pipe after one line.
            assert_eq!(std::fs::read_to_string(folder.join("status")).unwrap(), "0\n");
            std::fs::remove_file(folder.join("status")).unwrap();
        }
    }
}
