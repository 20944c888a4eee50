//! Tests of whole presets: sums of quanta, sizes, bounds, and messages.

use super::*;
use crate::numbers::BOID;
use crate::world::{Extents, Hunter, HunterKind, Mood};
use proptest::prelude::*;

const MINIMAL: &str = "description = \"x\"\n[sight]\ncohesion = { disc = 3 }\nseparation = { disc = 2 }\n\
                     alignment = { disc = 2 }\n[world]\nsize = [24, 16]\n";

fn preset(rest: &str, overrides: &Overrides) -> Result<Preset, BadInput> {
    Preset::from_text(crate::testing::host(), "f.toml", &format!("{MINIMAL}{rest}"), overrides)
}

fn loaded(rest: &str) -> Preset {
    preset(rest, &Overrides::default()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn message(rest: &str) -> String {
    preset(rest, &Overrides::default()).unwrap_err().to_string()
}

fn size(width: u32, height: u32) -> Overrides {
    Overrides { size: Some((width, height)), ..Overrides::default() }
}

fn set(entries: &[&str]) -> Overrides {
    Overrides { set: entries.iter().map(|entry| (*entry).to_owned()).collect(), ..Overrides::default() }
}

/// Whether no cell exceeds its capacity, and no solid cell has quanta.
fn is_held(preset: &Preset) -> bool {
    preset.start().unwrap().layers[0]
        .density
        .iter()
        .zip(preset.world.capacities())
        .all(|(quanta, capacity)| *quanta <= capacity)
}

fn sum(boids: u64) -> u64 {
    boids * u64::from(BOID)
}

#[test]
fn every_shape_holds_exactly_its_boids() {
    let solid = "edges = \"walls\"\n[[world.solid]]\ncircle = { at = [0.5, 0.5], radius = 0.3 }\n";
    for world in ["", solid] {
        for shape in [
            "shape = \"uniform\"",
            "shape = \"blobs\"",
            "shape = \"blobs\"\ncount = 3\nradius = 1.0",
            "shape = \"blobs\"\nradius = 0.0\nat = [[0.5, 0.5], [0.0, 1.0]]",
            "shape = \"ring\"",
            "shape = \"ring\"\nat = [0, 0]\nradius = 1.0\nwidth = 0.5",
        ] {
            for boids in [0, 1, 777, 40_001] {
                let preset = loaded(&format!("{world}[start]\nboids = {boids}\n{shape}\n"));
                assert_eq!(preset.start().unwrap().total(), sum(boids), "{world}{shape}");
                assert!(is_held(&preset), "{world}{shape}");
            }
        }
    }
}

/// A blob must be around its centre, also across the edge of a torus. A ring must be within its band.
#[test]
fn shapes_are_where_they_are_said_to_be() {
    let extents = "world.size = [100, 100]";
    let rest = "[start]\nboids = 20000\nshape = ";
    let wide =
        |shape: &str| preset(&format!("{rest}{shape}"), &set(&[&extents.replace(' ', "")])).unwrap().start().unwrap();
    let distances = |start: &State, [x, y]: [f64; 2]| -> Vec<(f64, f64)> {
        let short = |straight: f64| straight.abs().min(100.0 - straight.abs());
        let cell = |(cell, quanta): (usize, &u32)| {
            let (dx, dy) = (short((cell % 100) as f64 - x), short((cell / 100) as f64 - y));
            (dx.hypot(dy), f64::from(*quanta) / f64::from(BOID))
        };
        start.layers[0].density.iter().enumerate().map(cell).filter(|(_, boids)| *boids > 0.0).collect()
    };
    let blob = distances(&wide("\"blobs\"\nradius = 0.1\nat = [[0.0, 0.5]]\n"), [0.0, 49.5]);
    let near: f64 = blob.iter().filter(|(distance, _)| *distance <= 10.0).map(|(_, boids)| boids).sum();
    assert!((15_000.0..17_000.0).contains(&near), "{near} of 20000 within the radius");
    assert!(blob.iter().all(|(distance, _)| *distance <= 29.5));
    let ring = distances(&wide("\"ring\"\nradius = 0.3\nwidth = 0.1\n"), [49.5, 49.5]);
    assert!(ring.iter().all(|(distance, _)| (24.0..36.0).contains(distance)), "{ring:?}");
    let most = wide("\"uniform\"\n").into_densities().into_iter().max().unwrap();
    // The mean is two boids a cell. A dozen boids in one cell happen in one of a thousand such starts.
    assert!(most <= 12 * BOID, "{most}");
}

#[test]
fn a_full_world_is_filled_to_the_last_quantum() {
    let rest = "capacity = 2.0\n[[world.solid]]\nrectangle = { from = [0, 0], to = [1, 0.4] }\n[start]\nboids = ";
    for shape in ["uniform", "blobs", "ring"] {
        let full = 24 * 10 * 2;
        let preset = loaded(&format!("{rest}{full}\nshape = \"{shape}\"\n"));
        assert_eq!(preset.start().unwrap().layers[0].density, preset.world.capacities());
    }
    let wrong = message(&format!("{rest}481\n"));
    let cure = "at most 480 fit; raise world.size or world.capacity, or lower it";
    assert_eq!(wrong, format!("f.toml:12: start.boids: 481 boids do not fit into this world; {cure}"));
}

#[test]
fn another_size_keeps_the_density() {
    let rest = "edges = \"walls\"\nmargin = 4\n[start]\nboids = 1000\n";
    assert_eq!(loaded(rest).world.margin, 4);
    for (width, height) in [(24, 16), (48, 32), (7, 5), (1, 1), (1000, 3)] {
        let preset = preset(rest, &size(width, height)).unwrap();
        assert_eq!(preset.world.extents, Extents::flat(width, height));
        assert_eq!(preset.start().unwrap().total(), sum(1000 * u64::from(width * height) / (24 * 16)));
        assert_eq!(preset.world.margin, 4.min(width.min(height) / 4));
    }
    let wrong = preset(rest, &size(0, 9)).unwrap_err().to_string();
    let cure = "each extent must be from 1 to 65535 cells, and all cells together at most 4294967296";
    assert_eq!(wrong, format!("size 0x9: there is no lattice of this size; {cure}"));
}

#[test]
fn a_seed_decides_the_start() {
    let rest = "[start]\nboids = 900\nshape = \"blobs\"\nheadings = \"random\"\npatch = 4\n";
    let seeded = |seed| preset(rest, &Overrides { seed: Some(seed), ..Overrides::default() }).unwrap().start().unwrap();
    assert_eq!(seeded(1), loaded(rest).start().unwrap());
    assert_eq!(seeded(u64::MAX), seeded(u64::MAX));
    assert_ne!(seeded(1).layers[0].density, seeded(2).layers[0].density);
    assert_ne!(seeded(1).layers[0].control, seeded(2).layers[0].control);
    assert_eq!(preset(rest, &set(&["seed=2"])).unwrap().start().unwrap(), seeded(2));
    // Headings must not depend on the number of boids.
    assert_eq!(
        preset(rest, &set(&["start.boids=5"])).unwrap().start().unwrap().layers[0].control,
        seeded(1).layers[0].control
    );
}

/// These hashes may change only if a change of all starts is intended.
#[test]
fn starts_are_the_same_bits_for_ever() {
    let rest = "[start]\nboids = 900\nshape = \"blobs\"\nheadings = \"random\"\npatch = 4\n";
    assert_eq!(&loaded(rest).start().unwrap().hash()[..16], "16cf956bbe549400");
    let rest = "[start]\nboids = 900\nshape = \"ring\"\nheadings = \"swirl\"\n";
    assert_eq!(&loaded(rest).start().unwrap().hash()[..16], "a4462ce3465a6d77");
}

#[test]
fn units_are_those_of_the_exact_arithmetic() {
    let preset = loaded(
        "capacity = 65535.99998\nedges = \"walls\"\n[start]\nboids = 1\n[weights]\ncohesion = -0.5\nmine = 32\n\
         [separation]\ncrowd = 2\n[movement]\nkeep = 0.9\ncruise = 0.5\nmax = 2\nwander = 0.125\n\
         [hunter]\nreach = 255\npath = [[0, 0], [0.5, 1]]\nspeed = 0.25\n",
    );
    let rules = &preset.rules;
    assert_eq!(preset.world.capacity, u32::MAX);
    assert_eq!((rules.weights["cohesion"], rules.weights["mine"]), (-512, 32 * 1024));
    assert_eq!((rules.crowd, rules.keep, rules.cruise, rules.max, rules.wander), (32, 922, 8192, 32768, 2048));
    let path = HunterKind::Path { corners: vec![[0, 0, 0], [24 * 8 - 8, 15 * 16, 0]], is_column: true, speed: 256 };
    assert_eq!(preset.world.hunters, [Hunter { kind: path, mood: Mood::Flee, reach: 255, jaws: 0 }]);
    assert_eq!(loaded("[start]\nboids = 1\n").world.capacity, 65535 * BOID);
}

#[test]
fn a_command_can_try_another_form() {
    let rest = "edges = \"walls\"\nmargin = 4\n[start]\nboids = 9\nshape = \"ring\"\nwidth = 0.2\n\
                [hunter]\npath = [[0, 0]]\nspeed = 1\n";
    let entries = ["world.edges=torus", "start.shape=uniform", "sight.cohesion.box=1", "hunter.at=[0.5, 0.5]"];
    let preset = preset(rest, &set(&entries)).unwrap();
    assert_eq!((preset.world.margin, preset.rules.sights["cohesion"].vectors().len()), (0, 9));
    let standing = HunterKind::Path { corners: vec![[24 * 8 - 8, 16 * 8 - 8, 0]], is_column: true, speed: 0 };
    assert_eq!(preset.world.hunters[0].kind, standing);
}

#[test]
fn every_mistake_is_one_line_with_place_key_and_cure() {
    for (rest, expected) in [
        ("", "f.toml:1: start.boids: is missing; add their number, as in boids = 16000"),
        (
            "margin = 3\n",
            "f.toml:8: world.margin: means nothing with this world.edges; \
             a torus has no walls: remove it, or say edges = \"walls\"",
        ),
        (
            "edges = \"walls\"\nmargin = 5\n",
            "f.toml:9: world.margin: 5 cells are too wide for this world; \
             it must be at most a quarter of the smaller extent, here 4",
        ),
        (
            "capacity = nan\n",
            "f.toml:8: world.capacity: is no number of boids that a cell can hold; \
             it must be above 0 and at most 65535.99998",
        ),
        (
            "capacity = 65536\n",
            "f.toml:8: world.capacity: is no number of boids that a cell can hold; \
             it must be above 0 and at most 65535.99998",
        ),
        ("[movement]\nkeep = inf\n", "f.toml:9: movement.keep: inf is out of bounds; it must be from 0 to 1"),
        ("[movement]\nmax = 0.00001\n", "f.toml:9: movement.max: nothing could move; it must be above 0 and at most 2"),
        (
            "[movement]\nmax = 4\n",
            "f.toml:9: movement.max: 4 is out of bounds; it must be from 0 to 2, or take smaller radii and a smaller \
             world, in which it is faster",
        ),
        ("[movement]\nmax = -4\n", "f.toml:9: movement.max: -4 is out of bounds; it must be from 0 to 2"),
        (
            "[movement]\ncruise = 0.96\n",
            "f.toml:9: movement.cruise: is above movement.max; lower it, or raise movement.max",
        ),
        ("[weights]\na = -32.1\n", "f.toml:9: weights.a: -32.1 is out of bounds; it must be from -32 to 32"),
        (
            "[separation]\ncrowd = 0.00001\n",
            "f.toml:9: separation.crowd: is 0 in perceived density (quanta >> 12); possible are 1 to 524 287; \
             raise it, or lower perception.shift",
        ),
        (
            "[[world.solid]]\n[start]\nboids = 1\n",
            "f.toml:8: world.solid[0]: says no form; \
             add circle, rectangle or mask, as in circle = { at = [0.5, 0.5], radius = 0.1 }",
        ),
        (
            "[[world.solid]]\nrectangle = { from = [0.5, 0], to = [0.4, 1] }\n",
            "f.toml:9: world.solid[0].rectangle.to: lies before `from`; \
             `from` is the corner with the smaller fractions on every axis",
        ),
        (
            "[start]\nboids = 1\nwidth = 1\n",
            "f.toml:10: start.width: means nothing with this start.shape; remove it; a ring has it",
        ),
        ("[hunter]\nreach = 256\n", "f.toml:9: hunter.reach: 256 is out of bounds; it must be from 1 to 255"),
        (
            "[hunter]\npath = []\n",
            "f.toml:9: hunter.path: has 0 places; give from 1 to 1024 places, as in [[0.2, 0.2], [0.8, 0.5]]",
        ),
        (
            "[hunter]\npath = [[0, 0]]\nat = [0, 0]\n",
            "f.toml:8: hunter: has at and path at once; keep exactly one of them",
        ),
        ("[look]\nhue = -1\n", "f.toml:9: look.hue: -1 is out of bounds; it must be from 0 to 1"),
    ] {
        assert_eq!(message(rest), expected);
    }
    for (text, expected) in [
        (
            "model = \"agents\"\n",
            "f:1: description: is missing; add one line that says what there is to see, as in description = \"ribbons \
             that curl at the walls\"",
        ),
        (
            "description = \"x\"\n",
            "f:1: sight.cohesion: is missing; add [sight.cohesion] with disc, box, rings or list, as in disc = 5",
        ),
        (
            &MINIMAL.replace("[24, 16]", "[24, 65536]"),
            "f:7: world.size: there is no lattice of this size; each extent must be from 1 to 65535 cells, and all \
             cells together at most 4294967296",
        ),
        (
            &MINIMAL.replace("[24, 16]", "[24, 16, 16385]").replace("disc", "ball"),
            "f:7: world.size: there is no lattice of this size; each extent must be from 1 to 16384 cells, and all \
             cells together at most 4294967296",
        ),
        (
            &format!(
                "model = \"agents\"\n{}[agents]\nrules = \"flock\"\nforce = 0.02\n",
                MINIMAL.replace("[24, 16]", "[16385, 16]")
            ),
            "f:8: world.size: there is no lattice of this size; each extent of a world of individuals must be from 1 \
             to 16384 cells, and all cells together at most 4294967296",
        ),
        (
            &MINIMAL.replace("[24, 16]", "[65535, 65535]\ncapacity = 60000"),
            "f:8: world.capacity: is more than a cell can hold where there are 4294836225 of them; \
             it must be above 0 and at most 32769.00001",
        ),
        (
            &MINIMAL.replace("{ disc = 3 }", "{ rings = { directions = 5, radii = [3] } }"),
            "f:3: sight.cohesion.rings: 5 directions; 4, 8, 16 or 32 are possible",
        ),
        (
            &MINIMAL.replace("disc = 3", "disc = 200"),
            "f:3: sight.cohesion.disc: 125629 perceptual vectors; at most 4096 are possible",
        ),
        (
            &MINIMAL.replace("disc = 3", "disc = 3, box = 2"),
            "f:3: sight.cohesion: has disc and box at once; keep exactly one of them",
        ),
    ] {
        let read = Preset::from_text(crate::testing::host(), "f", text, &Overrides::default());
        assert_eq!(read.unwrap_err().to_string(), expected);
    }
}

#[test]
fn unknown_names_list_the_known_ones() {
    let failure = Preset::load(crate::testing::host(), "dropplets", &Overrides::default()).unwrap_err();
    assert!(matches!(failure, Failure::BadInput(_)));
    let text = failure.to_string();
    assert!(text.starts_with("dropplets: there is no preset of this name; known are "), "{text}");
    let failure = Preset::load(crate::testing::host(), "no/such.toml", &Overrides::default()).unwrap_err();
    assert!(failure.to_string().starts_with("no/such.toml: cannot be read: "), "{failure}");
}

const DEEP: &str = "description = \"x\"\n[sight]\ncohesion = { contrast = [2, 2] }\nseparation = { ball = 2 }\n\
                     alignment = { box = 1 }\n[world]\nsize = [24, 20, 16]\n";

fn deep(rest: &str, overrides: &Overrides) -> Result<Preset, BadInput> {
    Preset::from_text(crate::testing::host(), "f.toml", &format!("{DEEP}{rest}"), overrides)
}

#[test]
fn a_third_extent_makes_a_deep_world() {
    let solids = "edges = \"walls\"\nmargin = 4\n[[world.solid]]\nball = { at = [0.5, 0.5, 0.5], radius = 0.2 }\n\
                  [[world.solid]]\ncircle = { at = [0.1, 0.1], radius = 0.1 }\n[[world.solid]]\n\
                  box = { from = [0, 0, 0], to = [1, 0.1, 0.1] }\n";
    for world in ["", solids] {
        for shape in ["\"uniform\"", "\"blobs\"", "\"blobs\"\nat = [[0.2, 0.5, 0.9], [0.5, 0.5]]\nradius = 0.2"] {
            for boids in [0, 1, 40_001] {
                let preset = deep(&format!("{world}[start]\nboids = {boids}\nshape = {shape}\n"), &set(&[]));
                let preset = preset.unwrap_or_else(|wrong| panic!("{wrong}"));
                let start = preset.start().unwrap();
                assert_eq!((start.extents, start.total()), (Extents::deep(24, 20, 16), sum(boids)), "{world}{shape}");
                assert_eq!(
                    (start.layers[0].density.len(), start.layers[0].control.len()),
                    (24 * 20 * 16, 2 * 24 * 20 * 16)
                );
                assert!(is_held(&preset), "{world}{shape}");
            }
        }
    }
    // A world with the depth 1 is deep too. A blob whose centre has two numbers lies in the middle of z.
    let one = deep("[start]\nboids = 9\n", &set(&["world.size=[8, 8, 1]"])).unwrap();
    assert_eq!((one.world.extents, one.rules.rest), (Extents::deep(8, 8, 1), 16));
    let rest = "[start]\nboids = 2000\nshape = \"blobs\"\nradius = 0.0\nat = ";
    for (at, z) in [("[[0.5, 0.5]]", 8), ("[[0.5, 0.5, 0.5]]", 8), ("[0.5, 0.5, 1]", 15)] {
        let start = deep(&format!("{rest}{at}\n"), &set(&[])).unwrap().start().unwrap();
        let held: Vec<usize> =
            (0..start.layers[0].density.len()).filter(|cell| start.layers[0].density[*cell] > 0).collect();
        assert_eq!((held.len(), start.extents.cell(held[0])[2]), (1, z), "{at}");
    }
}

/// A blob must have an equal extent along all axes. Random headings must point in all directions.
#[test]
fn deep_starts_have_no_favourite_axis() {
    let rest = "[start]\nboids = 30000\nshape = \"blobs\"\nat = [0.5, 0.5]\nradius = 0.2\nheadings = \"random\"\n\
                patch = 4\nspeed = 0.5\n";
    let start = deep(rest, &set(&["world.size=[41, 41, 41]"])).unwrap().start().unwrap();
    let (mut squares, mut speeds) = ([0.0; 3], [0.0; 3]);
    for (index, quanta) in start.layers[0].density.iter().enumerate() {
        let (cell, velocity) = (start.extents.cell(index), start.layers[0].velocity(index));
        for axis in 0..3 {
            squares[axis] += f64::from(cell[axis] - 20).powi(2) * f64::from(*quanta) / sum(30_000) as f64;
            speeds[axis] += f64::from(velocity[axis]).powi(2) / start.layers[0].density.len() as f64;
        }
    }
    // The variance of the sum of four uniform numbers, each within half of the radius (8.2 cells), is radius²/3.
    assert!(squares.iter().all(|square| (19.0..26.0).contains(square)), "{squares:?}");
    assert!(speeds.iter().all(|square| (0.2..0.5).contains(&(square / f64::from(1 << 26)))), "{speeds:?}");
}

#[test]
fn another_size_keeps_the_depth_or_names_it() {
    let rest = "edges = \"walls\"\nmargin = 4\n[start]\nboids = 7680\n";
    let sized = |size, depth| deep(rest, &Overrides { size: Some(size), depth, ..Overrides::default() });
    for (size, depth, extents) in
        [((12, 20), None, Extents::deep(12, 20, 16)), ((12, 20), Some(8), Extents::deep(12, 20, 8))]
    {
        let preset = sized(size, depth).unwrap();
        assert_eq!(preset.world.extents, extents);
        assert_eq!(preset.start().unwrap().total(), sum(extents.cells() as u64));
        assert_eq!(preset.world.margin, extents.smallest() / 4);
    }
    let message = |size, depth| sized(size, depth).unwrap_err().to_string();
    assert!(message((12, 20), Some(0)).starts_with("size 12x20x0: there is no lattice of this size; "));
    assert!(message((2048, 2048), Some(1025)).ends_with("and all cells together at most 4294967296"));
    let flat = preset("[start]\nboids = 9\n", &Overrides { depth: Some(4), ..size(8, 8) }).unwrap_err();
    assert_eq!(flat.to_string(), "size 8x8x4: the preset's world is flat; give two extents, as in 8x8");
    let again: Overrides = serde_json::from_str("{\"size\":[8,8],\"seed\":null,\"set\":[]}").unwrap();
    // In a recording without the field `scales_boids`, the number of boids is scaled with the size.
    assert_eq!(again, Overrides { scales_boids: true, ..size(8, 8) });
    assert_eq!(serde_json::from_str::<Overrides>(&serde_json::to_string(&size(8, 8)).unwrap()).unwrap(), size(8, 8));
}

#[test]
fn mistakes_about_axes_have_a_cure() {
    let flat = |rest: &str, set_: &[&str]| preset(rest, &set(set_)).unwrap_err().to_string();
    let wrong_deep = |set_: &[&str]| deep("[start]\nboids = 9\n", &set(set_)).unwrap_err().to_string();
    let start = "[start]\nboids = 9\n";
    for (entry, problem) in [
        ("sight.cohesion.disc=3", "sight.cohesion.disc: is flat, and the world is deep; say ball instead of disc"),
        (
            "sight.cohesion.rings={ directions = 8, radii = [2] }",
            "sight.cohesion.rings: is flat, and the world is deep; say directions = { directions = 26, \
             radii = [3] } instead",
        ),
        ("sight.separation.contrast=[2, 2]", "sight.separation.contrast: is for cohesion alone; take another form"),
        (
            "sight.cohesion.contrast=[12, 12]",
            "sight.cohesion.contrast: the boxes 12 and 12 are too large for exact sums; make them smaller",
        ),
        ("sight.cohesion.ball=12", "sight.cohesion.ball: 7812 perceptual vectors; at most 4096 are possible"),
        (
            "sight.cohesion.list=[[1, 0, 0], [2, 0]]",
            "sight.cohesion.list: has a vector of 2 components; each must have 3 here",
        ),
        (
            "sight.cohesion.directions={ directions = 8, radii = [2] }",
            "sight.cohesion.directions: 8 directions; 6, 14, 26 or 50 are possible",
        ),
        (
            "movement.rest=4097",
            "movement.rest: 4097 quanta are more than a rule overlooks; it must be at most 2^perception.shift, \
             here 4096",
        ),
        (
            "start.shape=ring",
            "start.shape: a ring is flat, and the world is deep; take blobs, which are balls there, or uniform",
        ),
        ("world.size=[24, 16]", "sight.separation.ball: is deep, and the world is flat; say disc instead of ball"),
    ] {
        let wrong = wrong_deep(&[entry]);
        assert!(wrong.starts_with("set ") || wrong.starts_with("f.toml:"), "{wrong}");
        assert!(wrong.ends_with(problem), "{wrong}");
    }
    for (entries, problem) in [
        (
            &["sight.cohesion.ball=3"][..],
            "sight.cohesion.ball: is deep, and the world is flat; say disc instead of ball",
        ),
        (
            &["sight.cohesion.directions={ directions = 26, radii = [2] }"],
            "is deep, and the world is flat; say rings = { directions = 8, radii = [3] } instead",
        ),
        (
            &["sight.cohesion.list=[[1, 0, 0]]"],
            "sight.cohesion.list: has a vector of 3 components; each must have 2 here",
        ),
        (
            &["start.shape=blobs", "start.at=[0.5, 0.5, 0.5]"],
            "start.at: has a place of three numbers in a flat world; give two, or a third extent to world.size",
        ),
        (
            &["world.solid=[{ ball = { at = [0, 0, 0], radius = 0.1 } }]"],
            "world.solid[0].ball: is deep, and the world is flat; say circle instead of ball",
        ),
    ] {
        let wrong = flat(start, entries);
        assert!(wrong.ends_with(problem), "{wrong}");
    }
    // Solids are columns for individuals, in flat and in deep worlds. In a deep world individuals start in columns or
    // in balls.
    let individuals = "model = \"agents\"\nagents.rules = \"flock\"\nagents.force = 0.01\n";
    let is_flat = "in a flat world; give two, or a third extent to world.size";
    let ball = "start.at=[[0.5, 0.5, 0.5]]";
    for (size, entries, problem) in [
        ("[24, 16]", &["start.shape=blobs", ball][..], is_flat),
        ("[24, 16]", &["start.shape=ring", "start.at=[0.5, 0.5, 0.5]"], is_flat),
        (
            "[24, 16, 8]",
            &["start.shape=blobs", "start.at=[[0.5, 0.5, 0.5], [0.5, 0.5]]"],
            "start.at: has places of two numbers and of three, and individuals start here; give three to all: \
             x, y and z",
        ),
        (
            "[24, 16, 8]",
            &["start.headings=aligned", "start.direction=[0, 0, 0]"],
            "start.direction: has no length; say where they go, as in direction = [1, 0]",
        ),
        (
            "[24, 16]",
            &["start.headings=aligned", "start.direction=[1, 0, 0]"],
            "start.direction: has three numbers, and the world is flat; give two, or a third extent to world.size",
        ),
        (
            "[24, 16]",
            &["start.direction=[1, 0]"],
            "start.direction: means nothing with this start.headings; remove it; aligned has it",
        ),
        (
            "[24, 16]",
            &["start.shape=positions"],
            "start.positions: is missing; name the array of places, as in positions = \"positions-000100.npy\"",
        ),
        (
            "[24, 16, 8]",
            &["world.solid=[{ box = { from = [0, 0, 0], to = [0.1, 0.1, 0.1] } }]"],
            "world.solid[0].box: is of space, and solids of individuals are columns; say rectangle instead of box",
        ),
    ] {
        let text = format!("{individuals}{MINIMAL}{start}").replace("[24, 16]", size);
        let wrong = Preset::from_text(crate::testing::host(), "f.toml", &text, &set(entries)).unwrap_err();
        assert!(wrong.to_string().ends_with(problem), "{size}: {wrong}");
    }
    let wrong = flat(start, &["start.shape=positions", "start.positions=a.npy"]);
    assert!(
        wrong.ends_with("is \"positions\", and the preset is of cells; remove it; only individuals have it"),
        "{wrong}"
    );
    // Contrasts and the key `movement.rest` also exist in flat worlds.
    let preset = preset(start, &set(&["sight.cohesion.contrast=[2, 2]", "movement.rest=7"])).unwrap();
    assert_eq!((preset.rules.sights["cohesion"].axes(), preset.rules.rest), (2, 7));
}

#[test]
fn who_is_seen_and_how_far_a_heading_turns_have_bounds() {
    let text =
        |more: &str| format!("model = \"agents\"\n{MINIMAL}[start]\nboids = 9\n[agents]\nrules = \"couzin\"\n{more}");
    let wrong = |more: &str| Preset::from_text(crate::testing::host(), "f.toml", &text(more), &set(&[])).unwrap_err();
    for (more, expected) in [
        ("nearest = -1\n", "agents.nearest: -1 is out of bounds; it must be from 0 to 32"),
        ("nearest = 33\n", "agents.nearest: 33 is out of bounds; it must be from 0 to 32"),
        ("nearest = 2.5\n", "agents.nearest: invalid type: floating point `2.5`; expected a whole number"),
        ("nearest = \"all\"\n", "agents.nearest: invalid type: string \"all\"; expected a whole number"),
        ("view = 0\n", "agents.view: 0 is out of bounds; it must be from 1 to 360"),
        ("view = 361\n", "agents.view: 361 is out of bounds; it must be from 1 to 360"),
        ("view = nan\n", "agents.view: NaN is out of bounds; it must be from 1 to 360"),
        ("view = [270]\n", "agents.view: invalid type: sequence; expected a number"),
        ("repulsion_view = 0\n", "agents.repulsion_view: 0 is out of bounds; it must be from 1 to 360"),
        (
            "force = 0.1\n",
            "agents.force: means nothing with this agents.rules; remove it; reynolds, aquarium, couzin and vicsek \
             have none",
        ),
        (
            "nearst = 7\n",
            "agents.nearst: unknown key `nearst`; expected one of `rules`, `depth`, `nearest`, `view`, \
             `repulsion_view`, `force`",
        ),
        ("[movement]\nturn = -1\n", "movement.turn: -1 is out of bounds; it must be from 0 to 180"),
        ("[movement]\nturn = 181\n", "movement.turn: 181 is out of bounds; it must be from 0 to 180"),
        ("[movement]\nmin = 0.1\n", "movement.min: means nothing with this agents.rules; remove it; aquarium has it"),
        (
            "[sight.clarity]\ndisc = 3\n",
            "sight.clarity: means nothing with this agents.rules; remove it; the rules that see are cohesion, \
             separation, alignment",
        ),
        (
            "[weights]\nclarity = 1\n",
            "weights.clarity: means nothing with this agents.rules; its rules are cohesion, separation, alignment, \
             hunter, walls, roost, avoidance",
        ),
    ] {
        let said = wrong(more).to_string();
        assert!(said.starts_with("f.toml:") && said.contains(expected), "{said}");
    }
    let entries = set(&["agents.rules=flock", "agents.force=0.1", "movement.turn=4"]);
    let said = Preset::from_text(crate::testing::host(), "f.toml", &text(""), &entries).unwrap_err().to_string();
    assert!(said.ends_with("movement.turn: means nothing with this agents.rules; remove it; couzin has it"), "{said}");
    let said = message("[start]\nboids = 1\n[agents]\nnearest = 7\n");
    assert!(said.contains("agents: means nothing with this model; remove it"), "{said}");
    let preset = Preset::from_text(
        crate::testing::host(),
        "f.toml",
        &text("nearest = 7\nview = 270\n[movement]\nturn = 60\n"),
        &set(&[]),
    )
    .unwrap();
    let rules = preset.individuals.unwrap().first().clone();
    assert_eq!((rules.selection.nearest, rules.selection.view, rules.turn), (7, -11_585, [8192, 14_189]));
    assert_eq!(rules.selection.repulsion_view, -11_585, "it is that of the view");
    let seen = |keys: &str| {
        let preset = Preset::from_text(crate::testing::host(), "f.toml", &text(keys), &set(&[])).unwrap();
        preset.individuals.unwrap().first().clone()
    };
    for keys in ["view = 270\nrepulsion_view = 90\n", "repulsion_view = 90\nview = 270\n"] {
        assert_eq!(seen(keys).selection.repulsion_view, 11_585, "{keys}");
    }
    // 0.05 / 2π · 2^29 / 295.601
    assert_eq!(seen("[noise]\ndeviation = 0.05\n").noise.deviation, 14_453);
    let entries = set(&["agents.rules=flock", "agents.force=0.1", "agents.repulsion_view=90"]);
    let said = Preset::from_text(crate::testing::host(), "f.toml", &text(""), &entries).unwrap_err().to_string();
    assert!(said.contains("only couzin has a zone of repulsion"), "{said}");
    let said = message("[start]\nboids = 1\n[noise]\ndeviation = 0.1\n");
    assert!(said.contains("cells have noise.angle and noise.vector"), "{said}");
}

const KEY: &str = "world\\.(solid|margin|capacity|edges)|movement\\.rest|hunter\\.(at|path|reach|speed)|weights\\.\\w|\
                   seed|start\\.(boids|shape|at|radius|width|headings|speed|patch|file)|\
                   sight\\.\\w\\.(disc|box|list|ball|contrast)|\
                   movement\\.(keep|cruise|max)|separation\\.crowd|perception\\.shift|look\\.hue";
const VALUE: &str = "[1-9][0-9]{0,20}|-?0\\.[0-9]{1,9}|nan|-inf|1e999|true|\\[\\{\\}\\]|\\[(0.5, [01]\\.[0-9])?\\]|\
                     \\[\\[1, 0.[0-9]\\]\\]|\"(ring|blobs|map|random|swirl|walls|a\\.png)\"";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Any text must end in a valid preset, or in an error of one line.
    #[test]
    fn nothing_written_is_a_panic(lines in prop::collection::vec((KEY, VALUE), 0..4), noise in "|\\PC{1,3}") {
        let lines: String = lines.into_iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        let text = format!("{lines}{noise}\n{}", MINIMAL.replace("[world]\nsize", "[start]\nboids = 9\n[world]\nsize"));
        match Preset::from_text(crate::testing::host(), "f", &text, &Overrides::default()) {
            Ok(preset) => prop_assert!(is_held(&preset)),
            Err(wrong) => prop_assert_eq!(wrong.to_string().lines().count(), 1),
        }
    }

    #[test]
    fn nothing_set_is_a_panic(
        entries in prop::collection::vec((KEY, prop_oneof![9 => VALUE, 1 => "\\PC{0,8}"]), 0..4),
    ) {
        let entries: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        let overrides = Overrides { set: entries, ..Overrides::default() };
        match preset("[start]\nboids = 5\n", &overrides) {
            Ok(preset) => prop_assert!(is_held(&preset)),
            Err(wrong) => prop_assert_eq!(wrong.to_string().lines().count(), 1),
        }
    }
}
