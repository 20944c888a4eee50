//! Starts of individuals: arrays of places and velocities, balls, and headings.

use crate::support::adapter;
use crate::support::command::Folder;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::numbers::ONE;
use murmuration_core::preset::{IndividualsStart, Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation, WORKGROUP};
use murmuration_core::state::Individuals;
use ndarray::Array2;
use ndarray_npy::{WritableElement, WriteNpyExt};

/// A world of individuals without its size and start.
const RULES: &str = "description = \"starts\"\nmodel = \"agents\"\nseed = 3\n[agents]\nrules = \"flock\"\n\
    force = 0.03\n[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n\
    [weights]\ncohesion = 0.5\nalignment = 1.0\n[movement]\nmax = 0.5\n";
const FLAT: &str = "[world]\nsize = [40, 32]\n";
const DEEP: &str = "[world]\nsize = [40, 32, 24]\n";
const ARRAYS: &str = "[start]\nshape = \"positions\"\npositions = \"p.npy\"\nvelocities = \"v.npy\"\n";

fn npy<T: WritableElement + Clone, const AXES: usize>(rows: &[[T; AXES]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let array = Array2::from_shape_fn((rows.len(), AXES), |(row, axis)| rows[row][axis].clone());
    array.write_npy(&mut bytes).unwrap();
    bytes
}

fn load(folder: &Folder, rest: &str) -> Result<Preset, String> {
    folder.write("p.toml", format!("{RULES}{rest}"));
    let preset = Preset::load(murmuration::host(), folder.join("p.toml"), &Overrides::default());
    let place = format!("{}/", folder.path().display());
    preset.map_err(|failure| failure.to_string().replace(&place, ""))
}

/// The individuals of a preset before the first step.
fn start(rest: &str) -> Individuals {
    let preset = Preset::from_text(murmuration::host(), "p.toml", &format!("{RULES}{rest}"), &Overrides::default());
    IndividualsStart::new(&preset.unwrap_or_else(|wrong| panic!("{wrong}"))).unwrap().start
}

/// The hash after some steps. Checks that it is equal on every engine.
fn hash(preset: &Preset, steps: u64) -> String {
    let mut engines = vec![EngineChoice::Cpu(cpu::Options { threads: Some(2), instruction_set: None })];
    if adapter::shared("starts of individuals on the GPU").is_some() {
        engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP }));
    }
    let chain = preset.load_chain(None).unwrap();
    let mut hashes = engines.into_iter().map(|choice| {
        let mut simulation = Simulation::new(preset.clone(), &chain, choice).unwrap();
        simulation.advance(steps).unwrap();
        simulation.state_hash().unwrap()
    });
    let first = hashes.next().unwrap();
    assert!(hashes.all(|hash| hash == first), "the engines differ");
    first
}

/// The mean direction of the velocities on three axes, and the mean speed in 1/16384 cell a step.
fn means(start: &Individuals) -> ([f64; 3], f64) {
    let (mut direction, mut speeds) = ([0.0; 3], 0.0);
    for index in 0..start.len() {
        let v = start.velocity(index).map(f64::from);
        let speed = v.iter().map(|n| n * n).sum::<f64>().sqrt();
        (0..3).for_each(|axis| direction[axis] += v[axis] / speed.max(1.0));
        speeds += speed;
    }
    let count = start.len() as f64;
    (direction.map(|sum| sum / count), speeds / count)
}

#[test]
fn exported_individuals_start_again_in_the_same_state() {
    for (world, axes) in [(FLAT, 2), (DEEP, 3)] {
        let folder = Folder::new();
        let rest = "[start]\nboids = 300\nheadings = \"random\"\nspeed = 0.4\n";
        folder.write("first.toml", format!("{RULES}{world}{rest}"));
        folder.write(
            "again.toml",
            format!("{RULES}{world}{ARRAYS}")
                .replace("p.npy", "out/positions-000020.npy")
                .replace("v.npy", "out/velocities-000020.npy"),
        );
        let export = "render first.toml --steps 20 --every 20 --out out --frames agents --threads 1 --json";
        let whole = folder.run(&export.split(' ').collect::<Vec<_>>()).succeeded().object();
        let again = folder.run(&["render", "again.toml", "--steps", "0", "--threads", "1", "--json"]).succeeded();
        assert_eq!(again.object()["state_hash"], whole["state_hash"], "{axes} axes");
        let preset = Preset::load(murmuration::host(), folder.join("again.toml"), &Overrides::default()).unwrap();
        assert_eq!(hash(&preset, 0), whole["state_hash"]);
        // The checkpoint of such a run contains the arrays.
        let arguments = "render again.toml --steps 5 --checkpoint kept --threads 1 --json";
        let kept = folder.run(&arguments.split(' ').collect::<Vec<_>>()).succeeded().object();
        std::fs::remove_dir_all(folder.join("out")).unwrap();
        let resumed = folder.run(&["render", "--resume", "kept", "--steps", "0", "--threads", "1", "--json"]);
        assert_eq!(resumed.succeeded().object()["state_hash"], kept["state_hash"]);
    }
}

#[test]
fn floats_and_whole_numbers_give_one_start() {
    let folder = Folder::new();
    folder.write("p.npy", npy(&[[1.5f64, 2.0], [39.999_999, 0.0], [7.25, 31.5]]));
    folder.write("v.npy", npy(&[[0.25f32, -0.25], [0.5, 0.0], [0.0, 0.0]]));
    let decimal = load(&folder, &format!("{FLAT}{ARRAYS}")).unwrap();
    let begun = IndividualsStart::new(&decimal).unwrap().start;
    assert_eq!(begun.position(0), [98_304, 131_072, 0]);
    assert_eq!(begun.position(1), [(40 << 16) - 1, 0, 0], "a place is rounded down, and stays in the world");
    assert_eq!([0, 1, 2].map(|index| begun.velocity(index)), [[4096, -4096, 0], [8192, 0, 0], [0; 3]]);
    let whole = hash(&decimal, 3);
    folder.write("p.npy", npy(&[[98_304, 131_072, 0], [(40 << 16) - 1, 0, 0], [475_136, 2_064_384, 0i32]]));
    folder.write("v.npy", npy(&[[4096, -4096], [8192, 0], [0, 0i32]]));
    assert_eq!(hash(&load(&folder, &format!("{FLAT}{ARRAYS}")).unwrap(), 3), whole);
    // Without velocities the headings come from the preset.
    let rest = "[start]\nshape = \"positions\"\npositions = \"p.npy\"\nheadings = \"aligned\"\ndirection = [0, -1]\n\
        speed = 0.25\n";
    let aligned = load(&folder, &format!("{FLAT}{rest}")).unwrap();
    let begun = IndividualsStart::new(&aligned).unwrap().start;
    assert!((0..3).all(|index| begun.velocity(index) == [0, -ONE / 4, 0]));
    hash(&aligned, 3);
    // Another setting keeps the arrays, and the saved preset is equivalent.
    let with = aligned.with("weights.cohesion=0.25").unwrap();
    assert_eq!(IndividualsStart::new(&with).unwrap().start, begun);
}

#[test]
fn wrong_arrays_are_one_line() {
    let (place, still) = ([[1.0f64, 2.0]; 2], [[0.0f64, 0.0]; 2]);
    let rock = "[[world.solid]]\nrectangle = { from = [0.0, 0.0], to = [0.2, 0.2] }\n";
    let deep = [[1.0f64, 2.0, 3.0]; 2];
    for (positions, velocities, more, expected) in [
        (
            npy(&[[1.0f64; 4]; 2]),
            npy(&still),
            "",
            "start.positions: p.npy: has the shape (2, 4); give an NPY array of shape (individuals, 2) or \
             (individuals, 3), of f32, f64 or i32",
        ),
        (
            npy(&[[1u8; 2]; 2]),
            npy(&still),
            "",
            "start.positions: p.npy: is not an NPY file of this kind; give an NPY array of shape (individuals, 2) or \
             (individuals, 3), of f32, f64 or i32",
        ),
        (
            npy(&[[1.0, 2.0], [f64::NAN, 0.0]]),
            npy(&still),
            "",
            "start.positions: p.npy: row 1 has a component that is no number; give finite numbers",
        ),
        (
            npy(&place),
            npy(&[[0.0, f32::INFINITY]; 2]),
            "",
            "start.velocities: v.npy: row 0 has a component that is no number; give finite numbers",
        ),
        (
            npy(&[[1.0, 2.0], [40.0, 0.5]]),
            npy(&still),
            "",
            "start.positions: p.npy: row 1 is at (40, 0.5), outside of the world of 40x32 cells; every component is \
             from 0 to less than the extent",
        ),
        (
            npy(&[[1.0, 2.0], [4.0, -1e12]]),
            npy(&still),
            "",
            "start.positions: p.npy: row 1 is at (4, -1000000000000), outside of the world of 40x32 cells; every \
             component is from 0 to less than the extent",
        ),
        (
            npy(&[[30.0, 20.0], [1.0, 2.0]]),
            npy(&still),
            rock,
            "start.positions: p.npy: row 1 is at (1, 2), in rock or in a solid; move it, or remove the row",
        ),
        (
            npy(&place),
            npy(&[[0.5, 0.1f64]; 2]),
            "",
            "start.velocities: v.npy: row 0 has a speed of 0.5099 cells a step, above movement.max = 0.5; slow it \
             down, or raise movement.max",
        ),
        (npy(&place), npy(&[[1e300, 0.0f64]; 2]), "", "above movement.max = 0.5; slow it down, or raise movement.max"),
        (
            npy(&place),
            npy(&[[0.0f64; 2]; 3]),
            "",
            "start.velocities: v.npy: has 3 rows, and the array of places has 2; give a row for each individual in \
             both, in the same order",
        ),
        (
            npy(&deep),
            npy(&still),
            "",
            "start.positions: p.npy: row 0 has a third component, and the world is flat; give two columns, or a third \
             extent to world.size",
        ),
        (
            npy(&place),
            npy(&still),
            "deep",
            "start.positions: p.npy: has two columns, and the world is deep; give three columns: x, y and z",
        ),
    ] {
        let folder = Folder::new();
        folder.write("p.npy", positions);
        folder.write("v.npy", velocities);
        let world = if more == "deep" { DEEP.to_owned() } else { format!("{FLAT}{more}") };
        let wrong = load(&folder, &format!("{world}{ARRAYS}")).unwrap_err();
        assert!(wrong.starts_with("p.toml:") && wrong.ends_with(expected), "{wrong}\n{expected}");
        assert!(!wrong.contains('\n'));
    }
    let folder = Folder::new();
    folder.write("p.npy", npy(&place));
    folder.write("v.npy", npy(&still));
    for (more, expected) in [
        (
            "boids = 2\n",
            "start.boids: means nothing with this start.shape; remove it; the array has a row for each individual",
        ),
        (
            "headings = \"swirl\"\n",
            "start.headings: means nothing with this start.velocities; remove it; the array has the velocities",
        ),
        ("radius = 0.1\n", "start.radius: means nothing with this start.shape; remove it; blobs and a ring have it"),
    ] {
        let wrong = load(&folder, &format!("{FLAT}{ARRAYS}{more}")).unwrap_err();
        assert!(wrong.ends_with(expected), "{wrong}\n{expected}");
    }
    // Another shape as an override makes keys of the file's shape obsolete, and they are ignored.
    let set = ["start.shape=positions", "start.positions=p.npy", "start.velocities=v.npy"];
    folder.write(
        "set.toml",
        format!("{RULES}{FLAT}[start]\nboids = 9\nshape = \"blobs\"\nradius = 0.1\nheadings = \"random\"\n"),
    );
    let mut arguments = vec!["render", "set.toml", "--steps", "0", "--threads", "1", "--json"];
    arguments.extend(set.iter().flat_map(|setting| ["--set", setting]));
    assert_eq!(folder.run(&arguments).succeeded().object()["boids"], 2.0);
    arguments.extend(["--size", "48x48"]);
    let complaint = "--size 48x48: the start is an array of places; leave the size at 40x32, or set world.size";
    assert_eq!(folder.run(&arguments).complaint(), complaint);
}

#[test]
fn balls_have_centres_on_three_axes() {
    let rest =
        "[start]\nboids = 4000\nshape = \"blobs\"\nat = [[0.25, 0.5, 0.75], [0.75, 0.5, 0.25]]\nradius = 0.125\n";
    let begun = start(&format!("{DEEP}{rest}"));
    assert_eq!(begun.len(), 4000);
    // The smallest extent is 24 cells, so the radius is 3. Each centre is within half a cell of the fraction.
    let (mut left, mut within) = (0, 0);
    for index in 0..begun.len() {
        let place = begun.position(index).map(|along| f64::from(along) / 65_536.0);
        let is_left = place[0] < 20.0;
        let centre = if is_left { [10.0, 16.0, 18.0] } else { [30.0, 16.0, 6.0] };
        let away: Vec<f64> = (0..3).map(|axis| place[axis] - centre[axis]).collect();
        assert!(away.iter().all(|along| along.abs() <= 6.01), "{place:?} is farther than twice the radius");
        left += usize::from(is_left);
        within += usize::from(away.iter().map(|along| along * along).sum::<f64>() < 9.0);
    }
    assert!((1800..2200).contains(&left) && (2000..3900).contains(&within), "{left} {within}");
    let preset =
        Preset::from_text(murmuration::host(), "p.toml", &format!("{RULES}{DEEP}{rest}"), &Overrides::default());
    hash(&preset.unwrap(), 3);
    // Individuals avoid solids. A ball that contains only solids is refused.
    let solid =
        |to: f64| format!("{DEEP}solid = [{{ rectangle = {{ from = [0.0, 0.0], to = [{to}, 1.0] }} }}]\n{rest}");
    let begun = start(&solid(0.2));
    assert!((0..begun.len()).all(|index| begun.position(index)[0] >> 16 >= 8));
    let full =
        Preset::from_text(murmuration::host(), "p.toml", &format!("{RULES}{}", solid(0.5)), &Overrides::default());
    let wrong = IndividualsStart::new(&full.unwrap()).unwrap_err().to_string();
    assert!(
        wrong.ends_with(
            "start.at: has a ball without a free place; move its centre out of the rock, or raise start.radius"
        ),
        "{wrong}"
    );
}

#[test]
fn headings_have_the_means_that_they_say() {
    let headings = |world: &str, headings: &str| {
        start(&format!("{world}[start]\nboids = 4000\nspeed = 0.4\nheadings = {headings}\n"))
    };
    let speed = 0.4 * f64::from(ONE);
    for (world, axes) in [(FLAT, 2), (DEEP, 3)] {
        // Each individual has its own heading: the mean of 4000 unit vectors is about 1/63.
        let own = headings(world, "\"random\"\npatch = 0");
        let (mean, mean_speed) = means(&own);
        assert!(
            mean.iter().all(|along| along.abs() < 0.06) && (mean_speed - speed).abs() < 2.0,
            "{mean:?} {mean_speed}"
        );
        // All axes have equal mean squares.
        for axis in 0..axes {
            let squares = own.velocities[axis].iter().map(|n| (f64::from(*n) / speed).powi(2)).sum::<f64>() / 4000.0;
            assert!((squares - 1.0 / axes as f64).abs() < 0.03, "{axis}: {squares}");
        }
        let towards = headings(world, "\"aligned\"\ndirection = [0.3, -0.4]");
        let (mean, mean_speed) = means(&towards);
        assert!((mean[0] - 0.6).abs() < 1e-3 && (mean[1] + 0.8).abs() < 1e-3 && mean[2] == 0.0, "{mean:?}");
        assert!((mean_speed - speed).abs() < 2.0);
        // Without a direction the seed determines it.
        let directions = [1, 2].map(|seed| {
            let text = format!("{RULES}{world}[start]\nboids = 50\nheadings = \"aligned\"\n");
            let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
            let preset = Preset::from_text(murmuration::host(), "p.toml", &text, &overrides).unwrap();
            let begun = IndividualsStart::new(&preset).unwrap().start;
            assert!((1..50).all(|index| begun.velocity(index) == begun.velocity(0)));
            begun.velocity(0)
        });
        assert!(directions[0] != directions[1] && (axes == 2 || directions[0][2] != 0), "{directions:?}");
        // A mill: all individuals circle the middle in one sense.
        let mill = headings(world, "\"swirl\"");
        let turning = (0..mill.len()).map(|index| {
            let ([x, y, _], [u, v, _]) = (mill.position(index), mill.velocity(index).map(f64::from));
            let [x, y] = [f64::from(x) / 65_536.0 - 20.0, f64::from(y) / 65_536.0 - 16.0];
            (x * v - y * u) / (x.hypot(y) * u.hypot(v)).max(1e-9)
        });
        let turning = turning.sum::<f64>() / mill.len() as f64;
        assert!(turning > 0.95 && means(&mill).0.iter().all(|along| along.abs() < 0.06), "{turning}");
    }
}
