//! Files from strangers: the files that they may open, and the memory that they may ask for.

use crate::support::command::{Finished, Folder};
use image::{GrayImage, Luma};
use murmuration_core::simulation::replay::{Replay, ReplayReading};
use serde_json::{Value, json};

const PRESET: &str = "description = \"x\"\n[world]\nsize = [24, 16]\n[start]\nboids = 50\n\
    [sight]\ncohesion.disc = 1\nseparation.disc = 1\nalignment.disc = 1\n";
const OUTSIDE: &str =
    "lies outside the folders of the presets and chains that were named; if you trust what names it, add --allow-files";

/// A folder with a preset and a chain in `mine`, and a picture and a kernel beside `mine`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mine/below/.keep", "");
    folder.write("elsewhere/.keep", "");
    let mask = GrayImage::from_fn(24, 16, |x, _| Luma([if x == 3 { 255 } else { 0 }]));
    for path in ["elsewhere/mask.png", "mine/mask.png", "mine/below/mask.png"] {
        mask.save(folder.join(path)).unwrap();
    }
    let kernel =
        std::fs::read_to_string(crate::support::command::repository().join("examples/wind/wind.wgsl")).unwrap();
    folder.write("elsewhere/wind.wgsl", &kernel);
    folder.write("mine/wind.wgsl", &kernel);
    folder
}

fn chain(kernel: &str) -> String {
    format!("description = \"x\"\nextends = \"cell-fast\"\n[[rule]]\nkernel = {kernel:?}\nweight = 0.1\n")
}

fn with_mask(path: &str) -> String {
    PRESET.replace("size = [24, 16]\n", &format!("size = [24, 16]\nsolid = [{{ mask = {path:?} }}]\n"))
}

fn assert_outside(run: &Finished, what: &str) {
    assert_eq!(run.status, Some(2), "{what}: {run:?}");
    assert!(run.complaint().ends_with(OUTSIDE), "{what}: {run:?}");
}

#[test]
fn a_preset_reads_in_its_folder_and_below() {
    let folder = folder();
    let elsewhere = folder.join("elsewhere/mask.png").display().to_string();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&elsewhere, folder.join("mine/link.png")).unwrap();
    let render = |more: &[&str]| folder.run(&[&["render", "mine/p.toml", "--steps", "1"][..], more].concat());
    for path in ["mask.png", "below/mask.png", "./below/../mask.png", "../mine/mask.png"] {
        folder.write("mine/p.toml", with_mask(path));
        render(&[]).succeeded();
        folder.run(&["check", "mine/p.toml"]).succeeded();
    }
    for path in [&elsewhere, "../elsewhere/mask.png", "below/../../elsewhere/missing.png", "link.png", "/etc/passwd"] {
        if path == "link.png" && cfg!(not(unix)) {
            continue;
        }
        folder.write("mine/p.toml", with_mask(path));
        assert_outside(&render(&[]), path);
        assert_outside(&folder.run(&["check", "mine/p.toml"]), path);
        assert_outside(&folder.run(&["compare", "mine/p.toml", "--steps", "1"]), path);
    }
    folder.write("mine/p.toml", with_mask(&elsewhere));
    render(&["--allow-files"]).succeeded();
    folder.run(&["--allow-files", "check", "mine/p.toml"]).succeeded();
    // Files that the command line names are read.
    folder.write("mine/p.toml", PRESET);
    let solid = format!("world.solid=[{{ mask = {elsewhere:?} }}]");
    for set in [solid.as_str(), "world.solid=[{ mask = \"elsewhere/mask.png\" }]"] {
        render(&["--set", set]).succeeded();
    }
    render(&["--set", "start.shape=map", "--set", "start.file=elsewhere/mask.png"]).succeeded();
}

#[test]
fn a_chain_reads_in_its_folder_and_below() {
    let folder = folder();
    folder.write("mine/p.toml", format!("chain = \"c.toml\"\n{PRESET}"));
    let check = |more: &[&str]| folder.run(&[&["check", "mine/p.toml", "mine/c.toml"][..], more].concat());
    folder.write("mine/c.toml", chain("wind.wgsl"));
    check(&[]).succeeded();
    folder.write("mine/c.toml", chain("../elsewhere/wind.wgsl"));
    let run = check(&[]);
    assert_eq!((run.status, run.err.matches(OUTSIDE).count()), (Some(2), 2), "{run:?}");
    check(&["--allow-files"]).succeeded();
    // A chain of the command line opens its own folder.
    folder.write("elsewhere/c.toml", chain("wind.wgsl"));
    let chain = ["render", "mine/p.toml", "--steps", "1", "--chain", "elsewhere/c.toml", "--engine", "cpu"];
    assert!(folder.run(&chain).complaint().contains("has no twin in Rust"));
}

fn edited(folder: &Folder, path: &str, edit: impl Fn(&mut Value)) {
    let mut replay: Value = serde_json::from_slice(&std::fs::read(folder.join(path)).unwrap()).unwrap();
    edit(&mut replay);
    folder.write(path, replay.to_string());
}

/// A replay of a few steps of the preset in `mine`.
fn recorded(folder: &Folder) -> Replay {
    use murmuration_core::preset::{Overrides, Preset};
    use murmuration_core::simulation::{EngineChoice, Simulation};
    let path = folder.join("mine/p.toml").display().to_string();
    let preset = Preset::load(murmuration::host(), &path, &Overrides::default()).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let choice = EngineChoice::Cpu(Default::default());
    let mut simulation = Simulation::new(preset, &chain, choice).unwrap();
    simulation.advance(3).unwrap();
    murmuration::files::save_checkpoint(&mut simulation, &folder.join("kept")).unwrap();
    let replay = simulation.read(ReplayReading).unwrap();
    murmuration::files::write_replay(&replay, &folder.join("hunt.json")).unwrap();
    replay
}

#[test]
fn replays_and_checkpoints_read_nothing() {
    let folder = folder();
    folder.write("mine/p.toml", with_mask("mask.png"));
    recorded(&folder);
    // Replays and checkpoints contain the files that they need.
    std::fs::remove_file(folder.join("mine/mask.png")).unwrap();
    folder.run(&["replay", "--json", "hunt.json"]).succeeded();
    folder.run(&["render", "--resume", "kept", "--steps", "1"]).succeeded();
    let elsewhere = folder.join("elsewhere/mask.png").display().to_string();
    edited(&folder, "hunt.json", |replay| {
        let text = replay["preset"]["text"].as_str().unwrap().replace("mask.png", &elsewhere);
        replay["preset"]["text"] = text.into();
    });
    assert_outside(&folder.run(&["replay", "--json", "hunt.json"]), "a mask of a replay");
    folder.run(&["replay", "--json", "hunt.json", "--allow-files"]).succeeded();
    // An input, a chain or its kernel opens no file either.
    folder.write("mine/p.toml", PRESET);
    recorded(&folder);
    folder.write("elsewhere/c.toml", chain("wind.wgsl"));
    let chain = folder.join("elsewhere/c.toml").display().to_string();
    edited(&folder, "hunt.json", |replay| replay["chain"] = chain.clone().into());
    assert_outside(&folder.run(&["replay", "--json", "hunt.json"]), "a chain of a replay");
    edited(&folder, "hunt.json", |replay| replay["files"] = json!({ chain.clone(): self::chain("wind.wgsl") }));
    assert_outside(&folder.run(&["replay", "--json", "hunt.json"]), "a kernel of a replay");
    recorded(&folder);
    edited(&folder, "hunt.json", |replay| {
        let reload = json!({ "reload": { "preset": replay["preset"], "chain": chain } });
        replay["events"] = json!([{ "steps": 1, "input": reload }]);
    });
    assert_outside(&folder.run(&["replay", "--json", "hunt.json"]), "an input of a replay");
}

#[test]
fn a_replay_asks_for_no_more_memory_than_it_may() {
    let folder = folder();
    folder.write("mine/p.toml", PRESET.replace("[24, 16]", "[2048, 2048]"));
    recorded(&folder);
    folder.run(&["replay", "--json", "hunt.json"]).succeeded();
    let run = folder.run(&["replay", "--json", "hunt.json", "--memory", "100"]);
    let said = "hunt.json: asks for some 208 MiB of memory, and may take 100; if you trust it, add --memory 208";
    assert_eq!((run.status, run.complaint()), (Some(2), said));
    // Each stroke keeps a copy of the swarm.
    edited(&folder, "hunt.json", |replay| {
        replay["events"] = (0..20).map(|_| json!({ "steps": 0, "input": "stroke" })).collect();
    });
    let run = folder.run(&["replay", "--json", "hunt.json", "--memory", "300"]);
    assert!(run.complaint().contains("asks for some 496 MiB of memory, and may take 300"), "{run:?}");
    folder.run(&["replay", "--json", "hunt.json", "--memory", "496"]);
    edited(&folder, "hunt.json", |replay| replay["preset"]["overrides"]["size"] = json!([16384, 16384]));
    let run = folder.run(&["replay", "--json", "hunt.json"]);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.complaint().ends_with("if you trust it, raise --memory, which is 4096"), "{run:?}");
    let run = folder.run(&["replay", "--json", "hunt.json", "--memory", "10"]);
    assert!(run.complaint().contains("MiB are free"), "{run:?}");
    // The size of the text counts too.
    folder.write("long.json", vec![b' '; 3 << 20]);
    let run = folder.run(&["replay", "--json", "long.json", "--memory", "16"]);
    assert_eq!(run.complaint(), "long.json: is longer than 1048576 bytes; name a file that the program wrote");
}

#[test]
fn a_run_that_is_verified_asks_for_no_more_memory_than_it_may() {
    let link = format!("#preset=droplets&size=16384x16384&steps=1&hash={}", "0".repeat(64));
    let run = folder().run(&["verify", &link]);
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.complaint().ends_with("if you trust it, raise --memory, which is 4096"), "{run:?}");
}
