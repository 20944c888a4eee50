//! What holds of whole presets: totals, sizes, bounds, and messages.

use super::*;
use crate::numbers::BOID;
use crate::world::Extents;
use proptest::prelude::*;

const LEAST: &str = "description = \"x\"\n[sight]\ncohesion = { disc = 3 }\nseparation = { disc = 2 }\n\
                     alignment = { disc = 2 }\n[world]\nsize = [24, 16]\n";

fn preset(rest: &str, overrides: &Overrides) -> Result<Preset, BadInput> {
    Preset::from_text(crate::testing::host(), "f.toml", &format!("{LEAST}{rest}"), overrides)
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

/// No cell above its capacity, and none in solids.
fn is_held(preset: &Preset) -> bool {
    preset.start().unwrap().density.iter().zip(preset.world.capacities()).all(|(quanta, capacity)| *quanta <= capacity)
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

/// Boids lie where the shape says: a blob round its centre also across the edge of a torus, a ring in its band.
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
        start.density.iter().enumerate().map(cell).filter(|(_, boids)| *boids > 0.0).collect()
    };
    let blob = distances(&wide("\"blobs\"\nradius = 0.1\nat = [[0.0, 0.5]]\n"), [0.0, 49.5]);
    let near: f64 = blob.iter().filter(|(distance, _)| *distance <= 10.0).map(|(_, boids)| boids).sum();
    assert!((15_000.0..17_000.0).contains(&near), "{near} of 20000 within the radius");
    assert!(blob.iter().all(|(distance, _)| *distance <= 29.5));
    let ring = distances(&wide("\"ring\"\nradius = 0.3\nwidth = 0.1\n"), [49.5, 49.5]);
    assert!(ring.iter().all(|(distance, _)| (24.0..36.0).contains(distance)), "{ring:?}");
    let most = wide("\"uniform\"\n").density.into_iter().max().unwrap();
    // Two boids a cell on the average: a dozen in one cell happens once in a thousand of such starts.
    assert!(most <= 12 * BOID, "{most}");
}

#[test]
fn a_full_world_is_filled_to_the_last_quantum() {
    let rest = "capacity = 2.0\n[[world.solid]]\nrectangle = { from = [0, 0], to = [1, 0.4] }\n[start]\nboids = ";
    for shape in ["uniform", "blobs", "ring"] {
        let full = 24 * 10 * 2;
        let preset = loaded(&format!("{rest}{full}\nshape = \"{shape}\"\n"));
        assert_eq!(preset.start().unwrap().density, preset.world.capacities());
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
    assert_eq!(wrong, "--size 0x9: there is no lattice of this size; each extent must be from 1 to 16384 cells");
}

#[test]
fn a_seed_decides_the_start() {
    let rest = "[start]\nboids = 900\nshape = \"blobs\"\nheadings = \"random\"\npatch = 4\n";
    let seeded = |seed| preset(rest, &Overrides { seed: Some(seed), ..Overrides::default() }).unwrap().start().unwrap();
    assert_eq!(seeded(1), loaded(rest).start().unwrap());
    assert_eq!(seeded(u64::MAX), seeded(u64::MAX));
    assert_ne!(seeded(1).density, seeded(2).density);
    assert_ne!(seeded(1).control, seeded(2).control);
    assert_eq!(preset(rest, &set(&["seed=2"])).unwrap().start().unwrap(), seeded(2));
    // Headings do not depend on how many boids there are.
    assert_eq!(preset(rest, &set(&["start.boids=5"])).unwrap().start().unwrap().control, seeded(1).control);
}

/// The same bits on every machine and in every version: this changes only where a change of all starts is meant.
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
    let hunter = preset.world.hunter.unwrap();
    assert_eq!((hunter.path, hunter.speed), (vec![[0, 0], [24 * 8 - 8, 15 * 16]], 256));
    assert_eq!(loaded("[start]\nboids = 1\n").world.capacity, 65535 * BOID);
}

#[test]
fn a_command_can_try_another_form() {
    let rest = "edges = \"walls\"\nmargin = 4\n[start]\nboids = 9\nshape = \"ring\"\nwidth = 0.2\n\
                [hunter]\npath = [[0, 0]]\nspeed = 1\n";
    let entries = ["world.edges=torus", "start.shape=uniform", "sight.cohesion.box=1", "hunter.at=[0.5, 0.5]"];
    let preset = preset(rest, &set(&entries)).unwrap();
    assert_eq!((preset.world.margin, preset.rules.sights["cohesion"].vectors().len()), (0, 9));
    assert_eq!(preset.world.hunter.unwrap().speed, 0);
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
             `from` is the corner with the smaller fractions on both axes",
        ),
        (
            "[start]\nboids = 1\nwidth = 1\n",
            "f.toml:10: start.width: means nothing with this start.shape; remove it; a ring has it",
        ),
        ("[hunter]\nreach = 256\n", "f.toml:9: hunter.reach: 256 is out of bounds; it must be from 1 to 255"),
        (
            "[hunter]\npath = []\n",
            "f.toml:9: hunter.path: has 0 points; give from 1 to 1024 points, as in [[0.2, 0.2], [0.8, 0.5]]",
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
            "f:1: description: is missing; add one line that says what there is to see, as in description = \"ribbons that \
             curl at the walls\"",
        ),
        (
            "description = \"x\"\n",
            "f:1: sight.cohesion: is missing; add [sight.cohesion] with disc, box, rings or list, as in disc = 5",
        ),
        (
            &LEAST.replace("[24, 16]", "[24, 16385]"),
            "f:7: world.size: there is no lattice of this size; each extent must be from 1 to 16384 cells",
        ),
        (
            &LEAST.replace("{ disc = 3 }", "{ rings = { directions = 5, radii = [3] } }"),
            "f:3: sight.cohesion.rings: 5 directions; 4, 8, 16 or 32 are possible",
        ),
        (
            &LEAST.replace("disc = 3", "disc = 200"),
            "f:3: sight.cohesion.disc: 125629 perceptual vectors; at most 4096 are possible",
        ),
        (
            &LEAST.replace("disc = 3", "disc = 3, box = 2"),
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

const KEY: &str = "world\\.(solid|margin|capacity|edges)|hunter\\.(at|path|reach|speed)|weights\\.\\w|seed|\
                   start\\.(boids|shape|at|radius|width|headings|speed|patch|file)|sight\\.\\w\\.(disc|box|list)|\
                   movement\\.(keep|cruise|max)|separation\\.crowd|perception\\.shift|look\\.hue";
const VALUE: &str = "[1-9][0-9]{0,20}|-?0\\.[0-9]{1,9}|nan|-inf|1e999|true|\\[\\{\\}\\]|\\[(0.5, [01]\\.[0-9])?\\]|\
                     \\[\\[1, 0.[0-9]\\]\\]|\"(ring|blobs|map|random|swirl|walls|a\\.png)\"";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is written, loading ends with a preset that holds its boids, or with one line.
    #[test]
    fn nothing_written_is_a_panic(lines in prop::collection::vec((KEY, VALUE), 0..4), noise in "|\\PC{1,3}") {
        let lines: String = lines.into_iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        let text = format!("{lines}{noise}\n{}", LEAST.replace("[world]\nsize", "[start]\nboids = 9\n[world]\nsize"));
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
