//! Provenance: the record in pictures, films and JSON objects, and beside tables and arrays. The hash of the effective
//! preset.

use crate::program::outputs::decode;
use crate::support::command::Folder;
use murmuration::provenance::Provenance;
use murmuration::{Chain, EngineChoice, Input, Overrides, Preset, Simulation, host};
use murmuration_core::simulation::replay::ReplayReading;
use serde_json::{Value, json};
use std::path::Path;

fn run(folder: &Folder, line: &str) -> Value {
    folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object()
}

fn beside(path: &Path) -> Value {
    let text = std::fs::read_to_string(format!("{}.json", path.display())).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The record in the head of a page.
pub fn record_of_page(page: &str) -> Value {
    let written = page.split("<meta name=\"murmuration\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    let text = ["&quot; \"", "&lt; <", "&gt; >", "&amp; &"].iter().fold(written.to_owned(), |text, pair| {
        let (escaped, letter) = pair.split_once(' ').unwrap();
        text.replace(escaped, letter)
    });
    serde_json::from_str(&text).unwrap()
}

/// The record of a run that wrote `frames`, `m.csv` and an object. All of them must contain equal records.
fn record(folder: &Folder, object: &Value) -> Value {
    let record = object["provenance"].clone();
    let picture = decode(&folder.join("frames/picture-000002.png"));
    assert_eq!(serde_json::from_str::<Value>(&picture.texts["murmuration"]).unwrap(), record);
    for name in ["frames/density-000002.npy", "frames/control-000002.npy", "m.csv"] {
        assert_eq!(beside(&folder.join(name))["provenance"], record, "{name}");
    }
    record
}

fn without_engine(mut record: Value) -> Value {
    assert!(record["engine"].take()["device"].is_string());
    record
}

#[test]
fn all_results_of_a_run_have_one_record_and_another_setting_has_another() {
    let scene = "render droplets --size 32x24 --steps 2 --every 2 --engine cpu --json --frames picture,npy --out \
        frames --metrics m.csv";
    let record = |more: &str| {
        let folder = Folder::new();
        record(&folder, &run(&folder, &format!("{scene} {more}")))
    };
    let first = record("--seed 5 --threads 1 --set weights.cohesion=0.8");
    assert_eq!(first["overrides"], json!({ "size": "32x24", "seed": 5, "set": ["weights.cohesion=0.8"] }));
    for (key, value) in [
        ("program", json!("murmuration")),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("preset", json!("droplets")),
        ("seed", json!(5)),
        ("steps", json!(2)),
        ("size", json!("32x24")),
        ("inputs", json!(0)),
        ("resumed_at", Value::Null),
    ] {
        assert_eq!(first[key], value, "{key}");
    }
    assert_eq!((&first["engine"]["name"], first["units"]["length"].as_str()), (&json!("cpu"), Some("cell")));
    // Only the facts about the engine depend on the engine.
    let threads = record("--seed 5 --threads 2 --set weights.cohesion=0.8");
    assert_ne!(first["engine"], threads["engine"]);
    assert_eq!(without_engine(first.clone()), without_engine(threads));
    // A number in another notation has an equal effect. Another number has another effect.
    let in_other_words = record("--seed 5 --threads 1 --set weights.cohesion=8e-1");
    assert_eq!(in_other_words["effective"], first["effective"]);
    assert_ne!(in_other_words["overrides"], first["overrides"]);
    for other in ["--seed 5 --set weights.cohesion=0.7", "--seed 6 --set weights.cohesion=0.8", "--seed 5"] {
        let other = record(other);
        assert_ne!(other["effective"], first["effective"]);
        assert_ne!(without_engine(other), without_engine(first.clone()));
    }
}

#[test]
fn an_array_has_its_scale_and_its_axes_beside_it() {
    let folder = Folder::new();
    run(&folder, "render three --size 24x20 --steps 1 --engine cpu --json --frames npy --out cells");
    let density: ndarray::Array3<u32> = ndarray_npy::read_npy(folder.join("cells/density-000001.npy")).unwrap();
    let control: ndarray::Array4<i16> = ndarray_npy::read_npy(folder.join("cells/control-000001.npy")).unwrap();
    let array = beside(&folder.join("cells/density-000001.npy"));
    let species = array["provenance"]["species"].as_array().unwrap().len();
    assert_eq!((density.shape(), control.shape()), (&[species, 20, 24][..], &[species, 20, 24, 2][..]));
    assert_eq!(array["array"], json!({ "unit": "boid", "scale": 1.0 / 65_536.0, "axes": ["species", "y", "x"] }));
    // The record names every species of the swarm.
    let overrides = Overrides { size: Some((24, 20)), ..Overrides::default() };
    let preset = Preset::load(host(), "three", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut swarm = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
    swarm.advance(1).unwrap();
    let state = swarm.state().unwrap();
    for (index, layer) in density.outer_iter().enumerate() {
        assert!(layer.iter().eq(&state.layers[index].density), "species {index}");
        assert!(layer.iter().any(|quanta| *quanta > 0), "species {index}");
    }

    run(&folder, "render evolve --size 64x48 --steps 1 --engine cpu --json --frames agents --out individuals");
    let path = |name: &str| folder.join(&format!("individuals/{name}-000001.npy"));
    let numbers: ndarray::Array1<u32> = ndarray_npy::read_npy(path("numbers")).unwrap();
    let lives: ndarray::Array2<i32> = ndarray_npy::read_npy(path("lives")).unwrap();
    assert!(numbers.len() > 10 && numbers.iter().is_sorted());
    let columns = beside(&path("lives"))["array"]["columns"].clone();
    assert_eq!((lives.shape(), columns[3]["name"].as_str()), (&[numbers.len(), 11][..], Some("health")));
    let health = columns[3]["scale"].as_f64().unwrap();
    assert!(lives.column(3).iter().all(|number| (0.0..=1.0).contains(&(f64::from(*number) * health))));
    assert!(lives.column(3).iter().any(|number| f64::from(*number) * health > 0.5));
    assert_eq!(beside(&path("velocities"))["array"]["scale"], 1.0 / 16_384.0);
}

#[test]
fn a_family_tree_has_the_units_of_its_columns_and_its_branches_beside_it() {
    let folder = Folder::new();
    run(&folder, "render evolve --size 64x48 --seed 4 --steps 3 --engine cpu --json --lineage tree.csv");
    let table = std::fs::read_to_string(folder.join("tree.csv")).unwrap();
    let tree = beside(&folder.join("tree.csv"));
    let columns = tree["columns"].as_object().unwrap();
    let names: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    assert_eq!(columns.keys().collect::<Vec<_>>(), names);
    let units = ["life", "born", "died", "speed", "appetite"].map(|name| columns[name].as_str().unwrap());
    assert_eq!(units, ["", "step", "step", "1", "1/(1000 step)"]);
    assert_eq!(tree["provenance"]["seed"], 4);
    run(&folder, "render evolve --size 64x48 --steps 3 --engine cpu --json --lineage tree.nwk");
    assert_eq!(beside(&folder.join("tree.nwk"))["columns"], json!({ "branch": "step" }));
}

#[test]
fn a_resumed_run_says_from_where_and_a_hunt_how_many_inputs_it_had() {
    let folder = Folder::new();
    run(&folder, "render droplets --size 32x24 --steps 3 --engine cpu --json --checkpoint kept");
    let object = run(&folder, "render --resume kept --steps 2 --engine cpu --json --metrics m.csv");
    let record = &object["provenance"];
    assert_eq!((&record["resumed_at"], &record["steps"], &record["inputs"]), (&json!(3), &json!(5), &json!(0)));
    assert_eq!(&beside(&folder.join("m.csv"))["provenance"], record);

    // The inputs of a hunt are not in the preset.
    let overrides = Overrides { size: Some((32, 24)), ..Overrides::default() };
    let preset = Preset::load(host(), "droplets", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut swarm = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
    for _ in 0..2 {
        swarm.advance(1).unwrap();
        swarm.apply(Input::Jaws(2)).unwrap();
    }
    assert_eq!(Provenance::new(&swarm).inputs, 2);
    murmuration::write_replay(&swarm.read(ReplayReading).unwrap(), &folder.join("hunt.json")).unwrap();
    murmuration::save_checkpoint(&mut swarm, &folder.join("hunted")).unwrap();
    let replayed = run(&folder, "replay hunt.json --json --engine cpu --film hunt.apng");
    assert_eq!(replayed["provenance"]["inputs"], 2);
    let film = decode(&folder.join("hunt.apng"));
    let of_film = serde_json::from_str::<Value>(&film.texts["murmuration"]).unwrap();
    assert_eq!((&of_film["inputs"], &of_film["steps"]), (&json!(2), &json!(0)), "it begins with the first frame");
    assert_eq!(of_film["effective"], replayed["provenance"]["effective"]);
    let resumed = run(&folder, "render --resume hunted --steps 1 --engine cpu --json");
    assert_eq!(resumed["provenance"]["inputs"], 2);
}

/// The record names the user's own look with its hash, and is otherwise unchanged.
#[test]
fn a_record_names_the_look() {
    let folder = Folder::new();
    let glow = murmuration::host().library().chain("glow").unwrap().to_owned();
    folder.write("mine/own.toml", &glow);
    let scene = "render droplets --size 32x24 --steps 0 --engine cpu --json --out frames --overwrite";
    let without = run(&folder, scene);
    assert_eq!(without["provenance"]["look"], Value::Null);
    let drawn = |text: &str| {
        folder.write("mine/own.toml", text);
        let object = run(&folder, &format!("{scene} --look mine/own.toml"));
        let picture = decode(&folder.join("frames/picture-000000.png"));
        assert_eq!(serde_json::from_str::<Value>(&picture.texts["murmuration"]).unwrap(), object["provenance"]);
        object["provenance"].clone()
    };
    let mut first = drawn(&glow);
    let second = drawn(&glow.replacen("description = \"", "description = \"own: ", 1));
    assert_eq!((&first["look"]["chain"], &second["look"]["chain"]), (&json!("own"), &json!("own")));
    assert_ne!(first["look"]["effective"], second["look"]["effective"]);
    first["look"] = Value::Null;
    assert_eq!(first, without["provenance"]);
}

#[test]
fn a_record_tells_no_folders() {
    let folder = Folder::new();
    let preset = std::fs::read_to_string(crate::support::command::repository().join("presets/droplets.toml")).unwrap();
    folder.write("hidden/mine.toml", preset);
    image::GrayImage::from_pixel(8, 8, image::Luma([255])).save(folder.join("hidden/start.png")).unwrap();
    let start = folder.join("hidden/start.png");
    let settings = [
        "render",
        "hidden/mine.toml",
        "--size",
        "32x24",
        "--steps",
        "0",
        "--json",
        "--out",
        "frames",
        "--set",
        &format!("start={{ shape = \"map\", file = \"{}\", boids = 100 }}", start.display()),
    ];
    let object = folder.run(&settings).succeeded().object();
    let picture = decode(&folder.join("frames/picture-000000.png"));
    assert!(picture.texts.values().all(|text| !text.contains("hidden")), "{:?}", picture.texts);
    let set = object["provenance"]["overrides"]["set"][0].as_str().unwrap();
    assert!(set.contains("\"start.png\""), "{set}");
    // The contents of the picture count.
    let effective = |object: &Value| object["provenance"]["effective"].clone();
    let before = effective(&object);
    image::GrayImage::from_pixel(8, 8, image::Luma([128])).save(&start).unwrap();
    let after = effective(&folder.run(&settings).succeeded().object());
    assert_ne!(before, after);
}

#[test]
fn the_printed_preset_plays_to_the_same_state() {
    let hash = |preset: Preset, chain: Chain| {
        let mut swarm = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
        swarm.advance(2).unwrap();
        swarm.state_hash().unwrap()
    };
    let folder = Folder::new();
    let overrides = Overrides {
        size: Some((64, 48)),
        seed: Some(17),
        set: vec!["start.run_in=0".into(), "look.exposure=2".into()],
        ..Overrides::default()
    };
    for (name, _) in murmuration::presets() {
        let preset = Preset::load(host(), name, &overrides).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let text = preset.as_text(&*chain.named, folder.path(), None).unwrap();
        let path = folder.join(&format!("{name}.toml"));
        let again = Preset::from_text(host(), path, &text, &Overrides::default()).unwrap();
        assert_eq!((again.seed, again.size()), (17, preset.size()), "{name}");
        let own = again.load_chain(None).unwrap();
        assert_eq!(again.effective_hash(&own), preset.effective_hash(&chain), "{name}");
        assert_eq!(hash(again, own), hash(preset, chain), "{name}");
    }
}

#[test]
fn check_prints_the_preset_that_takes_effect() {
    let folder = Folder::new();
    for preset in ["droplets", "flock", "chase"] {
        let options = "--size 48x40 --seed 3 --set start.speed=0.2";
        let printed = folder.run(&format!("check {preset} {options} --print").split(' ').collect::<Vec<_>>());
        let text = printed.succeeded().out;
        folder.write("mine.toml", &text);
        let object = |preset: &str| run(&folder, &format!("render {preset} --steps 3 --engine cpu --json"));
        let (asked, mine) = (object(&format!("{preset} {options}")), object("mine.toml"));
        assert_eq!((&asked["state_hash"], &asked["seed"]), (&mine["state_hash"], &mine["seed"]), "{preset}");
        assert_eq!(asked["provenance"]["effective"], mine["provenance"]["effective"], "{preset}");
        // `check` and `render` print equal records, except for the facts that only a run has.
        let checked = run(&folder, &format!("check {preset} {options} --json"));
        let mut played = asked["provenance"].clone();
        [played["engine"], played["steps"]] = [Value::Null, 0.into()];
        assert_eq!(checked[0]["provenance"], played, "{preset}");
    }
    let checked = folder.run(&["check", "droplets", "mine.toml", "--seed", "3"]).succeeded();
    assert_eq!(checked.out, "ok  droplets (preset)\nok  mine.toml (preset)\n");
    folder.write("own.toml", "description = \"x\"\nextends = \"cell-fast\"\n");
    for (line, expected) in [
        ("check droplets --set weights.cohesoin=1", "weights.cohesoin"),
        ("check dropletz", "dropletz: there is no preset of this name; known are "),
        ("check droplets fog --print", "--print: there are several files; name one preset"),
        ("check own.toml --print", "own.toml: is a chain, and takes effect as it is; name a preset"),
        (
            "check own.toml --seed 4",
            "own.toml: is a chain, and --set, --size, --seed and --chain are for presets; check it by itself",
        ),
    ] {
        let refused = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(refused.status, Some(2), "{line}: {refused:?}");
        assert!(refused.complaint().contains(expected), "{line}: {refused:?}");
    }
}
