//! The picture that the GPU draws, against the one that the CPU draws.

use crate::adapter::shared;
use murmuration::chain::Chain;
use murmuration::engine::cpu::Options;
use murmuration::look::{Camera, Pictures};
use murmuration::observe::{self, Caption, Picture};
use murmuration::preset::{Look, Overrides, Preset};
use murmuration::simulation::{EngineChoice, Simulation};
use murmuration::state::State;
use murmuration::world::World;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A preset after some steps.
fn played(name: &str, size: (u32, u32), set: &[&str]) -> (State, World, Look) {
    let set = set.iter().map(|entry| entry.to_string()).collect();
    let preset = Preset::load(name, &Overrides { size: Some(size), set, ..Overrides::default() }).unwrap();
    let (world, look) = (preset.world.clone(), preset.look.clone());
    let chain = Chain::load("cell").unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Options::default())).unwrap();
    simulation.advance(60).unwrap();
    (simulation.state().unwrap(), world, look)
}

fn farthest(one: &Picture, other: &Picture) -> u8 {
    assert_eq!((one.width, one.height), (other.width, other.height));
    one.bytes.iter().zip(&other.bytes).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn the_gpu_draws_the_picture_of_the_cpu() {
    for (name, size, set) in [
        ("droplets", (200, 136), &[][..]),
        // Walls, solids, and extents that no halo divides.
        ("lagoon", (157, 121), &["look.bloom=1.0"]),
        ("simmer", (96, 96), &["look.exposure=0.05"]),
        ("fog", (128, 96), &["look.colour=density"]),
        ("shoals", (128, 128), &["look.colour=speed", "look.trails=0.9"]),
        // A point for each cell, and a point for each four.
        ("ribbons", (800, 90), &[]),
        ("droplets", (2500, 40), &[]),
    ] {
        let (state, world, look) = played(name, size, set);
        let Some(gpu) = shared("the look on the GPU") else { return };
        let mut pictures = Pictures::new(&gpu).unwrap();
        let drawn = pictures.picture(&gpu, &state, &world, &look).unwrap();
        let twin = observe::glow(&state, &world, &look);
        let apart = farthest(&drawn, &twin);
        assert!(apart <= 2, "{name} with {set:?}: {apart} levels apart");
        assert!(drawn.bytes.iter().any(|byte| *byte > 60), "{name} shows nothing");
        // The same again, and nothing left of what was drawn before.
        assert_eq!(farthest(&drawn, &pictures.picture(&gpu, &state, &world, &look).unwrap()), 0, "{name}");
    }
}

#[test]
fn from_near_there_are_points_and_beyond_walls_a_deeper_night() {
    let (state, world, look) = played("lagoon", (160, 120), &[]);
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = Pictures::new(&gpu).unwrap();
    let size = [320, 200];
    let mut view = |camera: Camera| pictures.view(&gpu, &state, &world, &look, &camera, size).unwrap();
    let densest = (0..state.density.len()).max_by_key(|index| state.density[*index]).unwrap();
    let centre = [(densest % 160) as f32 + 0.5, (densest / 160) as f32 + 0.5];
    let brightness = |picture: &Picture| {
        let mut levels: Vec<u32> =
            picture.bytes.as_chunks::<3>().0.iter().map(|pixel| pixel.map(u32::from).iter().sum()).collect();
        levels.sort_unstable();
        levels
    };
    let levels = brightness(&view(Camera { centre, pixels_per_cell: 30.0 }));
    let (middle, brightest) = (levels[levels.len() / 2], levels[levels.len() - 1]);
    assert!(brightest > 2 * middle + 100, "points stand out: {middle} and {brightest}");

    let fitted = view(Camera::fit(world.extents, world.edges, size));
    let pixel = |x: usize| {
        let at = 3 * (100 * 320 + x);
        fitted.bytes[at..at + 3].iter().map(|byte| u32::from(*byte)).sum::<u32>()
    };
    // 200 pixels for 120 cells: the walls stand 26 2/3 pixels from the sides.
    assert!(pixel(5) < 40 && pixel(26) > pixel(5) + 60, "{} and {}", pixel(5), pixel(26));
}

#[test]
fn a_torus_goes_on_beyond_its_edges() {
    let (state, world, look) = played("droplets", (128, 96), &["look.bloom=0.0"]);
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = Pictures::new(&gpu).unwrap();
    let mut view = |centre| {
        let camera = Camera { centre, pixels_per_cell: 4.0 };
        pictures.view(&gpu, &state, &world, &look, &camera, [256, 192]).unwrap()
    };
    let here = view([10.0, 20.0]);
    assert!(farthest(&here, &view([10.0 + 128.0, 20.0 - 96.0])) <= 1);
    assert!(farthest(&here, &view([30.0, 20.0])) > 40);
}

/// The look as it was once seen; where it was changed on purpose: `MURMURATION_BLESS=1 cargo test --test integration look`
#[test]
fn the_look_is_what_it_always_was() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = Pictures::new(&gpu).unwrap();
    for (name, set, pixels_per_cell) in [
        ("droplets", &[][..], 2.0),
        ("lagoon", &["look.colour=speed"], 1.3),
        ("simmer", &["look.bloom=1.0"], 14.0),
        ("ribbons", &["look.hue=0.3"], 30.0),
    ] {
        let (state, world, look) = played(name, (96, 72), set);
        let camera = Camera { centre: [40.0, 36.0], pixels_per_cell };
        let drawn = pictures.view(&gpu, &state, &world, &look, &camera, [160, 100]).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let path = folder.join(format!("look-{name}.png"));
        if std::env::var("MURMURATION_BLESS").is_ok_and(|value| value == "1") {
            drawn.write(&path, &Caption { preset: name.into(), step: 60, seed: 1 }).unwrap();
        }
        let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let golden = Picture { width: info.width, height: info.height, bytes };
        let apart = farthest(&drawn, &golden);
        assert!(apart <= 3, "{name}: {apart} levels apart from {}", path.display());
    }
}
