//! Frames in a folder: one scale of density for a run, frames of other runs, and the records beside frames.

use crate::program::outputs::decode;
use crate::support::command::Folder;
use murmuration_core::simulation::replay::ReplayReading;
use serde_json::{Value, json};

fn run(folder: &Folder, line: &str) -> Value {
    folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object()
}

fn frames(folder: &Folder, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join(name)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The quanta of a grey level in each density frame, in the order of the names.
fn scales(folder: &Folder, name: &str) -> Vec<u32> {
    let quanta = |frame: &String| {
        let frame = decode(&folder.join(&format!("{name}/{frame}")));
        frame.texts["murmuration:quanta-per-level"].parse().unwrap()
    };
    frames(folder, name).iter().filter(|frame| frame.starts_with("density16")).map(quanta).collect()
}

#[test]
fn all_frames_of_density_have_one_scale_and_a_resumed_run_has_it_too() {
    let folder = Folder::new();
    let scene = "render droplets --size 96x64 --engine cpu --json --frames density16,npy --every 20";
    let object = run(&folder, &format!("{scene} --steps 40 --out one --checkpoint kept"));
    let scale = object["scale"].as_u64().unwrap() as u32;
    // Four times the greatest density at step 0, in boids a cell.
    let start: ndarray::Array2<u32> = ndarray_npy::read_npy(folder.join("one/density-000000.npy")).unwrap();
    let greatest = u64::from(*start.iter().max().unwrap());
    assert_eq!(u64::from(scale), (4 * greatest).div_ceil(65_536).next_power_of_two());
    assert_eq!(scales(&folder, "one"), [scale; 3]);
    assert_eq!((&object["clipped"], &object["remarks"]), (&json!(0), &json!([])));

    let resumed = "render --resume kept --engine cpu --json --frames density16 --steps 20";
    let object = run(&folder, &format!("{resumed} --out one"));
    assert_eq!((&object["scale"], scales(&folder, "one")), (&json!(scale), vec![scale; 4]));
    let object = run(&folder, &format!("{resumed} --out two --scale 7"));
    assert_eq!((&object["scale"], scales(&folder, "two")), (&json!(7), vec![7; 2]));

    // Denser pixels are white, and the record counts them.
    let clipped =
        folder.run(&format!("{scene} --steps 40 --out three --scale 1").split_whitespace().collect::<Vec<_>>());
    let object = clipped.object();
    let above: usize = (0..=40)
        .step_by(20)
        .map(|step| {
            let density = folder.join(&format!("three/density-{step:06}.npy"));
            let density: ndarray::Array2<u32> = ndarray_npy::read_npy(density).unwrap();
            density.iter().filter(|quanta| **quanta > 65_535).count()
        })
        .sum();
    assert!(above > 0 && object["clipped"] == above, "{object}");
    let remark = object["remarks"][0].as_str().unwrap();
    assert!(remark.contains("above the scale of 1 boids a cell") && clipped.err.contains(remark), "{clipped:?}");
    let (_, sufficient) = remark.split_once("--scale ").unwrap();
    let sufficient = sufficient.split(' ').next().unwrap();
    assert_eq!(run(&folder, &format!("{scene} --steps 40 --out four --scale {sufficient}"))["clipped"], 0);

    // Slices and species share one scale too. A run without density frames has no scale.
    let deep =
        run(&folder, "render murmuration --size 24x20x16 --engine cpu --steps 2 --json --frames density16 --out d");
    assert_eq!(scales(&folder, "d"), vec![deep["scale"].as_u64().unwrap() as u32; 32]);
    assert_eq!(run(&folder, "render droplets --size 32x32 --steps 1 --json --out e").get("scale"), None);
    let refused = folder.run(&["render", "droplets", "--steps", "1", "--out", "e", "--scale", "4"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.err.contains("--scale: is for frames of density, and none are asked for; add --frames density16"));
}

#[test]
fn frames_of_another_run_do_not_stay_unnoticed() {
    let folder = Folder::new();
    let scene = "render droplets --size 48x32 --engine cpu --json --frames picture,npy --out p";
    run(&folder, &format!("{scene} --steps 8 --every 2"));
    run(&folder, &format!("{scene} --steps 8 --every 2"));
    let before = frames(&folder, "p");
    assert_eq!(before.len(), 25);
    let other = format!("{scene} --steps 4 --every 4");
    let refused = folder.run(&other.split_whitespace().collect::<Vec<_>>());
    assert_eq!(refused.status, Some(2));
    let message = "--out p: has 9 frames of another run that would remain among the new ones (control-000002.npy); \
                   name another folder, or add --overwrite to remove them";
    assert!(refused.err.contains(message), "{}", refused.err);
    assert_eq!(frames(&folder, "p"), before, "nothing was written or removed");
    folder.write("p/notes.txt", "mine");
    run(&folder, &format!("{other} --overwrite"));
    let steps = |kind: &str, ending: &str| [0, 4].map(|step| format!("{kind}-{step:06}.{ending}"));
    let arrays = ["control", "density"].map(|kind| [steps(kind, "npy"), steps(kind, "npy.json")].concat());
    let mut expected = [arrays.concat(), steps("picture", "png").to_vec(), vec!["notes.txt".to_owned()]].concat();
    expected.sort();
    assert_eq!(frames(&folder, "p"), expected);

    let compare = "compare shoal-compare --size 48x32 --engine cpu --json --out report --steps";
    run(&folder, &format!("{compare} 4 --every 3"));
    run(&folder, &format!("{compare} 4 --every 3"));
    let of_steps = |steps: &[u64]| steps.iter().map(|step| format!("compare-{step:06}.png")).collect::<Vec<_>>();
    assert_eq!(frames(&folder, "report/frames"), of_steps(&[0, 3, 4]));
    let refused = folder.run(&format!("{compare} 2 --every 1").split_whitespace().collect::<Vec<_>>());
    assert!(refused.status == Some(2) && refused.err.contains("has 2 frames of another run"), "{refused:?}");
    run(&folder, &format!("{compare} 2 --every 1 --overwrite"));
    assert_eq!(frames(&folder, "report/frames"), of_steps(&[0, 1, 2]));
}

#[test]
fn the_call_without_arguments_names_another_folder_where_frames_would_remain() {
    let folder = Folder::new();
    folder.write("frames/picture-000003.png", "of another run");
    let refused = folder.run::<&str>(&[]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    let cure = "move them away, or use `murmuration render murmuration --out DIR` with another folder";
    assert!(refused.err.contains("--out frames: has 1 frame of another run") && refused.err.contains(cure));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_which_frames_are_of_an_earlier_one() {
    let folder = Folder::new();
    let line = "render droplets --size 128x96 --engine cpu --json --every 1 --out p --steps 400";
    run(&folder, line);
    let mut running = folder.start(&format!("{line} --seed 7").split_whitespace().collect::<Vec<_>>());
    let changed = || std::fs::metadata(folder.join("p/picture-000010.png")).unwrap().modified().unwrap();
    let before = changed();
    running.wait_until(|| changed() > before);
    running.signal("INT");
    let interrupted = running.finish();
    assert_eq!(interrupted.status, Some(130), "{interrupted:?}");
    let object = interrupted.object();
    let left = 400 - object["steps"].as_u64().unwrap();
    assert!(left > 0, "{object}");
    let remark = format!("{left} frames of an earlier run, of steps after {}, are still in p", 400 - left);
    assert_eq!(object["remarks"], json!([remark]));
}

#[test]
fn a_byte_order_mark_is_skipped_in_every_text() {
    let folder = Folder::new();
    let repository = crate::support::command::repository();
    let texts = [
        "examples/wind/wind.wgsl",
        "examples/wind/wind.toml",
        "examples/ink/ink.wgsl",
        "examples/ink/ink.toml",
        "presets/droplets.toml",
        "passes/cell.toml",
        "shaders/cells/cohesion.wgsl",
        "shaders/individuals/school.wgsl",
        "shaders/look/develop.wgsl",
    ];
    for path in texts {
        let text = std::fs::read_to_string(repository.join(path)).unwrap();
        folder.write(path, format!("\u{feff}{text}"));
        assert_eq!(folder.run(&["check", path]).succeeded().out.split(' ').next(), Some("ok"), "{path}");
    }
    let scene = "--size 32x32 --engine cpu --steps 2 --json";
    let hash = |line: &str| run(&folder, &format!("{line} {scene}"))["state_hash"].clone();
    assert_eq!(hash("render presets/droplets.toml"), hash("render droplets"));
    let mut played = murmuration::open("droplets").size(32, 32).start().unwrap();
    played.advance(3).unwrap();
    murmuration::write_replay(&played.read(ReplayReading).unwrap(), &folder.join("hunt.json")).unwrap();
    let replay = std::fs::read_to_string(folder.join("hunt.json")).unwrap();
    folder.write("hunt.json", format!("\u{feff}{replay}"));
    run(&folder, "replay hunt.json --json");
}
