//! Terrain: rock from noise, shapes and files. It is equal on every engine, in replays and in checkpoints.

use crate::input::bad_input::is_refused;
use crate::support::adapter;
use crate::support::command::Folder;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::terrain::{Base, MAX_FREQUENCY, NoiseTerrain, PARTS_OF_FLOOR, Terrain, Tunnels, gaps};
use murmuration_core::world::{Edges, Extents};
use ndarray::Array3;
use ndarray_npy::write_npy;
use std::path::Path;

/// A small tank. Added lines stand in `[world]`, from line 11 on.
const TANK: &str = "\
description = \"caves\"
[sight]
cohesion = { contrast = [1, 1] }
separation = { ball = 1 }
alignment = { box = 1 }
[start]
boids = 3000
headings = \"random\"
[world]
size = [30, 22, 16]
";
const CAVES: &str = "\
edges = \"walls\"
margin = 3
[world.terrain]
scale = 12
octaves = 3
squash = 0.8
floor_width = 12
tunnel_width = 0.18
tunnel_scale = 10
[[world.terrain.shape]]
sphere = { at = [0.3, 0.5, 0.8], radius = 0.2 }
[[world.terrain.shape]]
cylinder = { at = [0.5, 0.5, 0.4], radius = 0.2, length = 1, axis = \"x\" }
subtract = true
[weights]
cohesion = 0.4
separation = 0.1
alignment = 0.3
walls = 0.2
";

fn preset(text: &str, set: &[&str]) -> Result<Preset, String> {
    preset_at("tank.toml", text, set)
}

fn preset_at(origin: &str, text: &str, set: &[&str]) -> Result<Preset, String> {
    let overrides = Overrides { set: set.iter().map(|set| (*set).to_owned()).collect(), ..Overrides::default() };
    let text = format!("{TANK}{text}");
    Preset::from_text(murmuration::host(), origin, &text, &overrides).map_err(|wrong| wrong.to_string())
}

fn processor(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set: None })
}

fn simulation(preset: &Preset, choice: EngineChoice) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset.clone(), &chain, choice).unwrap()
}

/// Boids flow through the caves and never into the rock. Nothing is lost, and all engines agree.
#[test]
fn a_swarm_flows_through_caves_alike_on_every_engine() {
    let preset = preset(CAVES, &[]).unwrap();
    let rock = preset.world.rock.as_ref().unwrap().rock();
    assert_eq!(*preset.world.solids, rock);
    let share = rock.iter().filter(|rock| **rock).count() * 100 / rock.len();
    assert!((15..70).contains(&share), "{share} % rock");
    let mut engines = vec![processor(1), processor(2)];
    if adapter::shared("terrain on the GPU").is_some() {
        engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
        engines.push(EngineChoice::Gpu(Dispatch::Fragment));
    }
    let mut hashes = Vec::new();
    for choice in engines {
        let mut simulation = simulation(&preset, choice);
        let start = simulation.state().unwrap();
        simulation.advance(40).unwrap();
        let state = simulation.state().unwrap();
        assert_ne!(start.layers[0].density, state.layers[0].density);
        for state in [&start, &state] {
            assert!((0..rock.len()).all(|index| !rock[index] || state.layers[0].density[index] == 0), "{choice:?}");
        }
        assert_eq!(simulation.account().unwrap().lost, 0, "{choice:?}");
        assert_eq!(state.total(), start.total(), "{choice:?}");
        hashes.push(simulation.state_hash().unwrap());
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1, "{hashes:?}");
}

/// The rock is computed again from the preset in a replay or a checkpoint. Painted solids are added.
#[test]
fn replays_and_checkpoints_come_back_to_the_same_caves() {
    let folder = Folder::new();
    let voxels = Array3::from_shape_fn((16, 22, 30), |(z, y, x)| (9.0 - z as f32 - (x + y) as f32 / 9.0) / 4.0);
    write_npy(folder.join("rock.npy"), &voxels).unwrap();
    let text = "edges = \"walls\"\nterrain = { base = \"file\", file = \"rock.npy\" }\n";
    let origin = folder.join("tank.toml").display().to_string();
    for preset in [preset(CAVES, &[]).unwrap(), preset_at(&origin, text, &[]).unwrap()] {
        let mut played = simulation(&preset, processor(2));
        played.advance(5).unwrap();
        played.apply(Input::Solid { at: [15, 11, 12].into(), radius: 3, solid: true }).unwrap();
        played.apply(Input::Solid { at: [15, 11, 5].into(), radius: 4, solid: false }).unwrap();
        played.advance(5).unwrap();
        let [replay, checkpoint] = ["run.json", "run.checkpoint"].map(|name| folder.join(name));
        murmuration::files::save_checkpoint(&mut played, &checkpoint).unwrap();
        played.advance(5).unwrap();
        murmuration::files::write_replay(&played.read(ReplayReading).unwrap(), &replay).unwrap();
        // The file is in the replay and in the checkpoint.
        let _ = std::fs::remove_file(folder.join("rock.npy"));
        let again = murmuration::files::read_replay(&replay).unwrap();
        let again = again.play(murmuration::host(), processor(1)).unwrap();
        let read = murmuration::files::read_checkpoint(&checkpoint).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), read, processor(1)).unwrap();
        resumed.advance(5).unwrap();
        for mut other in [again, resumed] {
            assert_eq!(other.state_hash().unwrap(), played.state_hash().unwrap());
            assert_eq!(other.preset().world, played.preset().world);
            assert_eq!(other.account().unwrap(), played.account().unwrap());
        }
        assert_eq!(played.preset().world.rock, preset.world.rock);
        assert_ne!(*played.preset().world.solids, preset.world.rock.as_ref().unwrap().rock());
        assert_eq!(played.account().unwrap().lost, 0);
    }
}

/// A saved preset contains the painted rock, in an array beside it.
#[test]
fn a_preset_whose_caves_were_painted_is_saved_with_its_voxels() {
    let folder = Folder::new();
    let preset = preset(CAVES, &["world.terrain.seed=5"]).unwrap();
    for is_painted in [false, true] {
        let mut simulation = simulation(&preset, processor(1));
        if is_painted {
            simulation.apply(Input::Solid { at: [15, 11, 12].into(), radius: 3, solid: true }).unwrap();
        }
        let saved = murmuration::files::save_preset(simulation.preset(), "cell-fast", folder.path()).unwrap();
        assert_eq!(saved.mask.is_some(), is_painted);
        let again = Preset::load(murmuration::host(), saved.preset.to_str().unwrap(), &Overrides::default()).unwrap();
        assert_eq!(again.world.solids, simulation.preset().world.solids);
        assert_eq!(again.world.rock == preset.world.rock, !is_painted);
    }
}

/// Each key of the terrain changes the rock by itself. A preset with another unrelated key shares the rock.
#[test]
fn every_key_makes_another_rock() {
    let first = preset(CAVES, &[]).unwrap();
    let field = |preset: &Preset| preset.world.rock.clone().unwrap();
    let mut fields = vec![field(&first)];
    for set in [
        "seed=2",
        "world.terrain.seed=2",
        "world.terrain.scale=13",
        "world.terrain.squash=1",
        "world.terrain.octaves=2",
        "world.terrain.threshold=0.3",
        "world.terrain.floor_height=3",
        "world.terrain.floor_width=0",
        "world.terrain.tunnel_width=0",
        "world.terrain.tunnel_scale=9",
        "world.terrain.base=water",
        "world.terrain.closed=false",
        "world.terrain.shape=[]",
        "world.terrain.shape[0].sphere.radius=0.25",
        "world.terrain.shape[0].subtract=true",
        "world.terrain.shape[1]={ torus = { at = [0.5, 0.5, 0.5], radius = 0.3, tube = 0.1, axis = \"y\" } }",
        "world.terrain.shape[1]={ box = { from = [0, 0, 0], to = [1, 1, 0.5] }, subtract = true }",
    ] {
        let other = first.with(set).unwrap();
        assert!(!other.begins_like(&first), "{set}");
        assert_eq!(field(&other), field(&preset(CAVES, &[set]).unwrap()), "{set}");
        fields.push(field(&other));
    }
    for index in 0..fields.len() {
        // The noise uses the seed of the preset unless another is given.
        assert!((1..index).all(|other| (other, index) == (1, 2) || fields[other] != fields[index]), "{index}");
        assert_eq!(fields[0] == fields[index], index == 0, "{index}");
    }
    let other = first.with("weights.cohesion=0.1").unwrap();
    assert!(std::sync::Arc::ptr_eq(&field(&other), &field(&first)));
    assert!(std::sync::Arc::ptr_eq(&other.world.solids, &first.world.solids));
    assert!(other.begins_like(&first));
    assert!(first.with("world.edges=torus").is_ok());
}

/// A box from the lowest slice to half of the depth makes the lower half of the world rock. Bodies of `[[world.solid]]`
/// are solid in addition to the rock.
#[test]
fn shapes_lie_where_they_are_said_to_and_solids_beside_them() {
    let text = "terrain = { base = \"water\", closed = false, shape = [{ box = { from = [0, 0, 0], to = [1, 1, 0.5] } \
        }] }\nsolid = [{ ball = { at = [0.5, 0.5, 1], radius = 0.1 } }]\nedges = \"walls\"\n";
    let world = preset(text, &[]).unwrap().world;
    let field = world.rock.as_ref().unwrap();
    let layer = world.extents.columns().cells();
    assert!(field.rock()[..8 * layer].iter().all(|rock| *rock) && field.rock()[8 * layer..].iter().all(|rock| !rock));
    let beside = world.solids.iter().zip(field.rock()).filter(|(solid, rock)| **solid && !rock).count();
    assert!((1..60).contains(&beside), "{beside} cells of the ball");
    // Upwards from there the gap grows by a cell for each layer. The walls are near.
    let above = gaps(world.extents, Edges::Torus, &field.rock(), 10);
    assert!((0..4).all(|height| above[(8 + height) * layer + layer / 2] == 1 + 4 * height as u8), "{:?}", above.last());
}

/// Individuals in a world with rock have a flat lattice. A column that is rock from bottom to top is solid there.
#[test]
fn individuals_keep_the_rock_of_their_space() {
    let individuals = "description = \"x\"\nmodel = \"agents\"\n\
                  sight = { cohesion = { disc = 5 }, separation = { disc = 5 }, alignment = { disc = 5 } }\n\
                  [weights]\ncohesion = 1\n[agents]\nrules = \"flock\"\nforce = 0.05\n[start]\nboids = 50\n\
                  [world]\nsize = [40, 30, 20]\n[world.terrain]\nbase = \"water\"\nclosed = false\n\
                  shape = [{ box = { from = [0, 0, 0], to = [0.25, 1, 1] } }, { sphere = { at = [0.7, 0.5, 0.5], \
                  radius = 0.3 } }]\n";
    let preset = Preset::from_text(murmuration::host(), "a.toml", individuals, &Overrides::default()).unwrap();
    let field = preset.world.rock.as_ref().unwrap();
    assert_eq!(field.extents.along_axes(), [40, 30, 20]);
    assert_eq!(preset.world.solids.len(), 40 * 30);
    for (column, solid) in preset.world.solids.iter().enumerate() {
        assert_eq!(*solid, column % 40 < 10, "{column}");
    }
    assert!(field.rock().iter().filter(|rock| **rock).count() > 10 * 30 * 20);
}

const FILE: &str = "edges = \"walls\"\n[world.terrain]\nbase = \"file\"\nfile = \"rock.npy\"\n";
const STACK: &str = "edges = \"walls\"\n[world.terrain]\nbase = \"file\"\nfile = \"rock-##.png\"\nclosed = false\n";

#[test]
fn a_stack_of_pictures_is_what_their_bright_pixels_are() {
    let folder = Folder::new();
    let is_rock = |x: u32, y: u32, z: u32| (x + y) / 8 > z / 2;
    for z in 0..16 {
        let picture = image::GrayImage::from_fn(30, 22, |x, y| image::Luma([if is_rock(x, y, z) { 128 } else { 127 }]));
        picture.save(folder.join(&format!("rock-{z:02}.png"))).unwrap();
    }
    let origin = folder.join("tank.toml").display().to_string();
    let preset = preset_at(&origin, STACK, &[]).unwrap();
    assert_eq!(preset.files.len(), 16);
    for (index, rock) in preset.world.rock.as_ref().unwrap().rock().into_iter().enumerate() {
        let [x, y, z] = preset.world.extents.cell(index).map(|along| along as u32);
        assert_eq!(rock, is_rock(x, y, z), "{x} {y} {z}");
    }
    // In another size the rock is scaled.
    let overrides = Overrides { size: Some((60, 44)), depth: Some(32), ..Overrides::default() };
    let large = Preset::from_text(murmuration::host(), &origin, &format!("{TANK}{STACK}"), &overrides).unwrap();
    for (index, rock) in large.world.rock.as_ref().unwrap().rock().into_iter().enumerate() {
        let [x, y, z] = large.world.extents.cell(index).map(|along| along as u32 / 2);
        assert_eq!(rock, is_rock(x, y, z), "{x} {y} {z}");
    }
    image::GrayImage::new(30, 21).save(folder.join("rock-03.png")).unwrap();
    folder.write("p.toml", format!("{TANK}{STACK}"));
    let says = ["p.toml:14: world.terrain.file: rock-03.png: the picture has 30 × 21 pixels; it must have 30 × 22"];
    is_refused(&folder, &["check", "p.toml"], &says);
    std::fs::remove_file(folder.join("rock-03.png")).unwrap();
    let says = [
        "p.toml:14: world.terrain.file: rock-03.png: No such file",
        "; a stack has a picture for each layer, numbered from 0 or from 1",
    ];
    is_refused(&folder, &["check", "p.toml"], &says);
}

/// A checkpoint keeps the numbers of the pictures.
#[test]
fn a_stack_may_be_numbered_from_1() {
    let folder = Folder::new();
    let write = |first: u32| {
        for z in 0..16 {
            let picture = image::GrayImage::from_fn(30, 22, |x, _| image::Luma([if x > z { 255 } else { 0 }]));
            picture.save(folder.join(&format!("rock-{:02}.png", first + z))).unwrap();
        }
    };
    folder.write("tank.toml", format!("{TANK}{STACK}"));
    let render = ["render", "tank.toml", "--steps", "2", "--engine", "cpu", "--json"];
    let hash = |arguments: &[&str]| folder.run(arguments).succeeded().object()["state_hash"].clone();
    let resume = ["render", "--resume", "kept", "--steps", "0", "--engine", "cpu", "--json"];
    write(1);
    let origin = folder.join("tank.toml").display().to_string();
    let preset = preset_at(&origin, STACK, &[]).unwrap();
    assert_eq!(preset.files[15], folder.join("rock-16.png"));
    let from_one = hash(&[&render[..], &["--checkpoint", "kept"]].concat());
    // The picture 0 is added later. It is not part of the saved stack.
    folder.write("rock-00.png", "no picture");
    assert_eq!(hash(&resume), from_one);
    std::fs::remove_file(folder.join("rock-16.png")).unwrap();
    assert_eq!(hash(&resume), from_one);
    write(0);
    assert_eq!(hash(&render), from_one);
    let preset = preset_at(&origin, STACK, &[]).unwrap();
    assert_eq!((preset.files.len(), &preset.files[0]), (16, &folder.join("rock-00.png")));
}

fn write_voxels(path: &Path, [width, height, depth]: [usize; 3], number: f32) {
    write_npy(path, &Array3::from_elem((depth, height, width), number)).unwrap();
}

#[test]
fn bad_terrain_is_one_clear_message() {
    let folder = Folder::new();
    let path = folder.join("rock.npy");
    folder.write("p.toml", format!("{TANK}{FILE}"));
    let refused = |says: &str| is_refused(&folder, &["check", "p.toml"], &["p.toml:14: world.terrain.file: ", says]);
    refused("rock.npy: No such file");
    write_voxels(&path, [30, 22, 16], -0.5);
    folder.run(&["check", "p.toml"]).succeeded();
    write_voxels(&path, [30, 22, 16], 0.5);
    refused("the whole world is rock; leave room for boids");
    write_voxels(&path, [16, 22, 30], 0.5);
    refused(
        "the array has 16 × 22 × 30 voxels; it must have 30 × 22 × 16 as world.size says, which is shape (16, 22, 30)",
    );
    write_voxels(&path, [30, 22, 16], f32::NAN);
    refused("rock.npy: holds elements that are no numbers; give an NPY array of shape (z, y, x)");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    refused("rock.npy: holds fewer than the 42240 bytes of numbers that its header says");
    std::fs::write(&path, b"rock").unwrap();
    refused("rock.npy: is not an NPY file of this kind; give an NPY array of shape (z, y, x)");
    write_npy(&path, &ndarray::Array2::from_elem((22, 30), 1u8)).unwrap();
    refused("rock.npy: has two axes; give an NPY array of shape (z, y, x)");
}

#[test]
fn keys_of_a_terrain_with_a_mistake_are_refused() {
    let terrain = |keys: &str| format!("[world.terrain]\n{keys}");
    for (keys, says) in [
        (
            "scale = 7",
            "tank.toml:12: world.terrain.scale: octave 4 of noise would be finer than a cell; take fewer octaves",
        ),
        ("scale = 0.5", "tank.toml:12: world.terrain.scale: 0.5 is out of bounds; it must be from 1 to 4096"),
        ("threshold = -4", "tank.toml:11: world.terrain: the whole world is rock; leave room for boids"),
        (
            "base = \"stone\"",
            "tank.toml:12: world.terrain.base: unknown value `stone`; expected one of `noise`, `file`, `water`",
        ),
        ("base = \"file\"", "tank.toml:11: world.terrain.file: is missing; add an array or a stack of pictures"),
        (
            "base = \"file\"\nfile = \"a.png\"",
            "tank.toml:13: world.terrain.file: is neither an array nor a stack of pictures",
        ),
        ("file = \"a.npy\"", "tank.toml:12: world.terrain.file: means nothing with this world.terrain.base"),
        (
            "base = \"water\"\nscale = 9",
            "tank.toml:13: world.terrain.scale: means nothing with this world.terrain.base",
        ),
        ("scael = 9", "tank.toml:12: world.terrain.scael: unknown key `scael`; expected one of `base`, `seed`, `at`"),
        ("shape = [{}]", "tank.toml:12: world.terrain.shape[0]: says no form; add sphere, box, torus or cylinder"),
        (
            "shape = [{ sphere = { at = [0, 0, 0] } }]",
            "tank.toml:12: world.terrain.shape[0].sphere: missing key `radius`",
        ),
        (
            "shape = [{ box = { from = [0, 0, 0.5], to = [1, 1, 0.4] } }]",
            "tank.toml:12: world.terrain.shape[0].box.to: lies before `from`",
        ),
        (
            "shape = [{ sphere = { at = [0, 0, 0], radius = 1 }, box = { from = [0, 0, 0], to = [1, 1, 1] } }]",
            "tank.toml:12: world.terrain.shape[0]: has sphere and box at once; keep exactly one of them",
        ),
    ] {
        let wrong = preset(&terrain(keys), &[]).unwrap_err();
        assert!(wrong.starts_with(says) && !wrong.contains('\n'), "{wrong}\n{says}");
    }
    let set = Overrides { set: vec!["world.terrain.scale=9".into()], ..Overrides::default() };
    let flat = Preset::load(murmuration::host(), "droplets", &set).unwrap_err().to_string();
    let says =
        "set world.terrain.scale=9: world.terrain: is of deep worlds, and this one is flat; give world.size a third";
    assert!(flat.starts_with(says), "{flat}");
    let set = preset("", &["world.terrain.scale=9"]).unwrap();
    assert!(set.world.rock.is_some());
    let wrong = preset("", &["world.terrain.scale=5"]).unwrap_err();
    assert!(wrong.starts_with("set world.terrain.scale=5: world.terrain.scale: octave 4"), "{wrong}");
    let all = preset(&terrain("base = \"water\"\nshape = [{ box = { from = [0, 0, 0], to = [1, 1, 1] } }]"), &[]);
    assert!(all.unwrap_err().starts_with("tank.toml:11: world.terrain: the whole world is rock"));
}

/// Prints the time that a voxel of terrain takes on all cores, for developers: `cargo test --release … -- --ignored
/// --nocapture terrain::`
#[test]
#[ignore = "a measurement"]
fn time_of_a_voxel() {
    let extents = Extents::deep(320, 192, 128);
    let noise = NoiseTerrain {
        seed: 9,
        frequency: MAX_FREQUENCY / 40,
        vertical_frequency: MAX_FREQUENCY / 20,
        octaves: 1,
        threshold: 8000,
        floor_height: 8 * PARTS_OF_FLOOR,
        floor_width: 50 * PARTS_OF_FLOOR,
        tunnels: None,
    };
    let tunnels = Some(Tunnels { width: 2621, frequency: MAX_FREQUENCY / 28 });
    let timed = |what: &str, work: &dyn Fn()| {
        let least = (0..5).map(|_| {
            let begun = std::time::Instant::now();
            work();
            begun.elapsed().as_secs_f64()
        });
        println!("{what}: {:.2} ns", least.fold(f64::MAX, f64::min) * 1e9 / extents.cells() as f64);
    };
    let terrain = |noise| Terrain { base: Base::Noise(noise), shapes: Vec::new(), is_closed: false };
    let caves = terrain(NoiseTerrain { octaves: 4, tunnels, ..noise });
    for (what, terrain) in [("an octave", &terrain(noise)), ("four octaves and tunnels", &caves)] {
        timed(what, &|| drop(terrain.field(extents, Edges::Walls, [0; 3])));
    }
    let rock = caves.field(extents, Edges::Walls, [0; 3]).rock();
    for reach in [16, 48] {
        timed(&format!("gaps up to {reach} cells"), &|| drop(gaps(extents, Edges::Walls, &rock, reach)));
    }
}
