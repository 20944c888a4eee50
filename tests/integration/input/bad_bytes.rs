//! A million bad inputs. The inputs are presets, chains, kernels, pictures, arrays of densities, places and velocities,
//! checkpoints, replays, sweeps, atlases, their journals, and command lines. Each is damaged at random, and is either
//! valid or refused with one message. No input causes a panic, a hang or a large use of memory.
//!
//! `MURMURATION_BAD_INPUTS` is the number of cases, or a range such as `200000..400000`. The default is 10 000. Each
//! case is made from its number, so a single case can be repeated: `MURMURATION_BAD_INPUT=checkpoint:123`.

use crate::support::command::{Folder, repository};
use crate::support::corrupt_files::{Corruption, mended_checkpoint, mended_journal, mended_png};
use crate::support::random::Random;
use image::{DynamicImage, GrayImage, ImageFormat, Luma};
use murmuration::files::{array, picture};
use murmuration::link::Link;
use murmuration::link::gallery::Gallery;
use murmuration::link::tiles::TileSheet;
use murmuration::link::verification::Verification;
use murmuration::sweep::atlas::{Atlas, AtlasPlan, Tile};
use murmuration::sweep::reproduce::Experiment;
use murmuration::sweep::{Contents, Moments, Record, Request, RunPlan, Sweep};
use murmuration_core::chain::Chain;
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::cpu;
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::{Playback, Replay, ReplayReading};
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::ticket::Patience;
use murmuration_core::world::obstacles::ObstacleShape;
use murmuration_core::world::{Mood, Place, targets};
use murmuration_gpu::shader;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const CASES: u64 = 10_000;
/// The maximum duration of a case.
const PATIENCE: Duration = Duration::from_secs(10);
/// The bound on memory requests of a case, in bytes. Other memory of a run may take as much again.
const BOUND: u64 = 256 << 20;
/// The maximum memory of all cases, in MiB.
const MAX_MEMORY: u64 = 1500;
const ALONE: &str = "MURMURATION_TEST_BAD_BYTES";

/// A kind of damaged input with the function that reads it. The function returns `Ok` for valid input, else the
/// message.
struct Target {
    name: &'static str,
    sound: Vec<Vec<u8>>,
    /// Repairs the checksums of a damaged input, so that the reader does not refuse it because of them.
    mend: fn(Vec<u8>) -> Vec<u8>,
    read: fn(&[u8], &str) -> Result<(), String>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn texts(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(repository().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|own| own == ending)).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn processor() -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None })
}

/// Large worlds and many boids are legal but slow. The time of a crowd of individuals grows with the square of their
/// number.
fn is_small(preset: &Preset) -> bool {
    let most_boids: u64 = if preset.individuals.is_some() { 1 << 12 } else { 1 << 17 };
    let spec = &preset.start_spec;
    preset.world.extents.cells() <= 1 << 16 && spec.quanta() / u64::from(BOID) <= most_boids && spec.run_in() < 20
}

fn preset(bytes: &[u8], _: &str) -> Result<(), String> {
    let preset = Preset::from_text(murmuration::host(), "presets/p.toml", &text(bytes), &Overrides::default());
    let preset = preset.map_err(|wrong| wrong.to_string())?;
    let chain = preset.load_chain(None).map_err(|wrong| wrong.to_string())?;
    if !is_small(&preset) {
        return Ok(());
    }
    let mut simulation = Simulation::new(preset, &chain, processor()).map_err(|failure| failure.to_string())?;
    play(&mut simulation, 1)
}

fn play(simulation: &mut Simulation, steps: u64) -> Result<(), String> {
    simulation.advance(steps).map_err(|failure| failure.to_string())?;
    let lost = simulation.account().map_err(|failure| failure.to_string())?.lost;
    assert!(lost == 0 || !simulation.chain().conserves, "{lost} quanta are lost");
    Ok(())
}

fn chain(bytes: &[u8], _: &str) -> Result<(), String> {
    let folder = repository().join("examples/wind");
    let chain = Chain::read(murmuration::host().as_ref(), "c", "c.toml", &text(bytes), Some(&folder));
    let chain = chain.map_err(|wrong| wrong.to_string())?;
    if chain.model.name() != "cell" {
        return Ok(());
    }
    let droplets =
        Preset::load(murmuration::host(), "droplets", &Overrides { size: Some((32, 24)), ..Overrides::default() });
    let droplets = droplets.map_err(|failure| failure.to_string())?;
    Plan::new(&chain, &droplets.rules, &droplets.world).map(drop).map_err(|wrong| wrong.to_string())
}

fn kernel(bytes: &[u8], _: &str) -> Result<(), String> {
    let text = text(bytes);
    // The name of the kernel is the name of the first function in the text.
    let name = text.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap_or("wind");
    let name: String =
        name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').take(40).collect();
    shader::check_kernel(murmuration::host().library(), "k.wgsl", &name, &text).map_err(|wrong| wrong.to_string())
}

fn mask(bytes: &[u8], _: &str) -> Result<(), String> {
    picture::decode(bytes, Some(BOUND)).map(drop).map_err(|(problem, cure)| format!("{problem}; {cure}"))
}

fn start(bytes: &[u8], _: &str) -> Result<(), String> {
    array::decode(bytes).map(drop).map_err(|(problem, cure)| format!("{problem}; {cure}"))
}

/// Individuals that start at the places in an array. If the line of headings is missing, their velocities come from
/// another array.
const AT_PLACES: &str = "description = \"x\"\nmodel = \"agents\"\n[world]\nsize = [12, 10]\n[start]\n\
    shape = \"positions\"\npositions = \"p.npy\"\nheadings = \"aligned\"\n[agents]\nrules = \"flock\"\nforce = 0.02\n\
                         [sight]\ncohesion.disc = 3\nseparation.disc = 2\nalignment.disc = 3\n";

fn positions(bytes: &[u8], _: &str) -> Result<(), String> {
    let folder = Folder::new();
    folder.write("p.npy", bytes);
    at_places(&folder, AT_PLACES)
}

fn velocities(bytes: &[u8], _: &str) -> Result<(), String> {
    let folder = Folder::new();
    folder.write("p.npy", &arrays_of_places()[0]);
    folder.write("v.npy", bytes);
    at_places(&folder, &AT_PLACES.replace("headings = \"aligned\"", "velocities = \"v.npy\""))
}

/// Plays a preset that starts from the arrays in a folder.
fn at_places(folder: &Folder, text: &str) -> Result<(), String> {
    let preset = Preset::from_text(murmuration::host(), folder.join("p.toml"), text, &Overrides::default());
    let preset = preset.map_err(|wrong| wrong.to_string())?;
    let chain = preset.load_chain(None).map_err(|wrong| wrong.to_string())?;
    let mut simulation = Simulation::new(preset, &chain, processor()).map_err(|failure| failure.to_string())?;
    play(&mut simulation, 1)
}

fn checkpoint(bytes: &[u8], _: &str) -> Result<(), String> {
    let checkpoint = Checkpoint::from_bytes(bytes)?;
    let mut simulation =
        Simulation::resume(murmuration::host(), checkpoint, processor()).map_err(|failure| failure.to_string())?;
    play(&mut simulation, 2)
}

fn replay(bytes: &[u8], _: &str) -> Result<(), String> {
    let replay = Replay::from_json("hunt.json", &text(bytes)).map_err(|wrong| wrong.to_string())?;
    let (preset, chain) = replay.load(murmuration::host()).map_err(|wrong| wrong.to_string())?;
    if !is_small(&preset) || replay.memory(&preset, 80) > BOUND {
        return Ok(());
    }
    let mut simulation = Simulation::new(preset, &chain, processor()).map_err(|failure| failure.to_string())?;
    let played = Playback::default().advance(&replay, &mut simulation, 12, Patience::Wait);
    played.map_err(|failure| failure.to_string())?;
    play(&mut simulation, 0)
}

/// The preset of the sweeps.
const SWEPT: &str = "droplets";

fn sweep_file(bytes: &[u8], _: &str) -> Result<(), String> {
    let request = Request::from_text("sweeps/s.toml".as_ref(), &text(bytes)).map_err(|wrong| wrong.to_string())?;
    let runs = request.parameters.iter().map(|parameter| parameter.values.len());
    let is_other = request.preset.as_ref().is_some_and(|preset| preset.value.as_os_str() != SWEPT);
    if is_other || runs.product::<usize>() > 30 {
        return Ok(());
    }
    Sweep::new(murmuration::host(), request).map(drop).map_err(|failure| failure.to_string())
}

fn experiment(bytes: &[u8], _: &str) -> Result<(), String> {
    let text = text(bytes);
    // Other presets may be large.
    let is_other = !text.contains("preset = \"droplets\"") || text.contains("..") && !text.contains("\"1..3\"");
    if is_other {
        return Ok(());
    }
    let read = Experiment::from_text(murmuration::host(), "experiments/e.toml".as_ref(), &text);
    read.map(drop).map_err(|failure| failure.to_string())
}

fn atlas(bytes: &[u8], _: &str) -> Result<(), String> {
    let text = text(bytes);
    // The text is not read if it names another preset or size, because another world may be large. The ends of all
    // ranges are checked, so a long text is not read either.
    let is_other = !text.contains("preset = \"droplets\"") || !text.contains("16x12") || text.lines().count() > 40;
    if is_other {
        return Ok(());
    }
    let read = Atlas::from_text(murmuration::host(), "atlas/a.toml".as_ref(), &text);
    read.map(drop).map_err(|failure| failure.to_string())
}

fn atlases() -> Vec<Vec<u8>> {
    let common = "description = \"d\"\npreset = \"droplets\"\nsize = \"16x12\"\nseeds = \"1,2\"\nsteps = 40\n\
        frames = 4\nframe_every = 2\n";
    let ranges = "[ranges]\nweights.cohesion = [0.0, 1.5]\nstart.boids = [10, 40]\n[set]\n\
        start.headings = [\"random\", \"swirl\"]\n";
    let texts = [
        format!("{common}sampling = \"latin-hypercube\"\nsamples = 20\nsampling_seed = 3\n{ranges}"),
        format!(
            "{common}sampling = \"grid\"\nlevels = 3\n{ranges}[[regimes]]\nname = \"a\"\n\
             when = \"coverage >= 0.5 and milling / polarisation < 2\"\n"
        ),
        format!(
            "{common}samples = 30\n{ranges}[search]\nx = {{ measure = \"mean_speed\", least = 0, greatest = 1, fields \
             = 4 }}\nbest = \"polarisation\"\n"
        ),
    ];
    texts.map(String::into_bytes).into()
}

fn tiles(bytes: &[u8], _: &str) -> Result<(), String> {
    let sheet = TileSheet::parse("tiles.toml", &text(bytes)).map_err(|wrong| wrong.to_string())?;
    let ends = [sheet.corner(0, 0), sheet.corner(sheet.tile.len() - 1, sheet.frames - 1)];
    assert!(ends[1].iter().all(|side| *side < 1 << 24), "{ends:?}");
    Ok(())
}

fn atlas_journal(bytes: &[u8], _: &str) -> Result<(), String> {
    let contents = Contents::<AtlasPlan>::from_bytes("journal.txt", bytes).map_err(|wrong| wrong.to_string())?;
    let Contents { plan, records, .. } = contents;
    if plan.combinations() <= 100 && plan.runs.measures.len() <= 10 {
        murmuration::sweep::atlas::page(&plan, &records, "").map(drop).map_err(|failure| failure.to_string())?;
    }
    Ok(())
}

/// Journals of a small atlas, complete and torn, and of a search.
fn atlas_journals() -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(&atlases()[0]).into_owned();
    let search = String::from_utf8_lossy(&atlases()[2]).into_owned();
    let journal = |text: &str| {
        let atlas = Atlas::from_text(murmuration::host(), "atlas/a.toml".as_ref(), text).unwrap();
        let run = |run: u64| {
            let tile = Tile {
                values: atlas.plan.words().next().unwrap(),
                effective: "ab".repeat(8),
                record: Record {
                    state_hash: "ab".repeat(32),
                    lost: 0,
                    measures: vec![Moments::new(&[0.25, 0.5]); atlas.plan.runs.measures.len()],
                },
                coverage: 0.5,
                clip: vec![1, 2, 3],
            };
            format!("{run},{},\n", AtlasPlan::write(&tile))
        };
        (atlas.plan.to_json() + "\n" + &(0..12).map(run).collect::<String>()).into_bytes()
    };
    let [whole, search] = [journal(&text), journal(&search)].map(mended_journal);
    vec![whole[..whole.len() - 30].to_vec(), whole, search]
}

fn experiments() -> Vec<Vec<u8>> {
    let text = "title = \"t\"\nsource = \"s\"\nquick = true\npreset = \"droplets\"\nsize = [\"16x12\", \"24x16\"]\n\
        seeds = \"1..3\"\nsteps = 20\n\
                [set]\nweights.cohesion = [0.5, 1]\n[[results]]\ntitle = \"r\"\nvalue = \"exponent\"\n\
                measure = \"polarisation\"\nover = \"size\"\n\
                at = { \"weights.cohesion\" = 1 }\npublished = 0.5\nerror = 0.1\nband = [0.4, 0.6]\n[[results]]\n\
                title = \"q\"\nvalue = \"crossing\"\n\
                level = 0.5\nmeasure = \"mean_speed\"\ndivisor = \"polarisation\"\nover = \"weights.cohesion\"\n\
                at = { size = \"16x12\" }\nband = [0, 1]\n";
    vec![text.as_bytes().to_vec()]
}

fn journal(bytes: &[u8], _: &str) -> Result<(), String> {
    let contents =
        Contents::<murmuration::sweep::Plan>::from_bytes("journal.txt", bytes).map_err(|wrong| wrong.to_string())?;
    let Contents { plan, records, .. } = contents;
    if plan.combinations() <= 100 && plan.measures.len() <= 10 {
        murmuration::sweep::page(&plan, &records).map(drop).map_err(|failure| failure.to_string())?;
    }
    Ok(())
}

/// Every hundredth command line is run by the program itself. Long runs are interrupted.
fn command_line(bytes: &[u8], case: &str) -> Result<(), String> {
    let line = text(bytes);
    let arguments: Vec<String> = line.split('\n').map(str::to_owned).collect();
    let understood = murmuration::cli::check_arguments(&[&["murmuration".to_owned()][..], &arguments].concat());
    let is_safe =
        !line.contains('/') && !line.contains("..") && !line.contains('\0') && !arguments.contains(&"bench".into());
    if is_safe && Random::new(fnv(case.as_bytes())).below(100) == 0 {
        let folder = Folder::new();
        let limited = "ulimit -v 4000000; timeout -s INT 2 \"$@\" --allow-files; echo \"status $?\"";
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = folder.shell(limited, &arguments);
        let status =
            run.out.lines().last().and_then(|line| line.strip_prefix("status ")).unwrap_or_default().to_owned();
        // 124: the run was interrupted.
        assert!(["0", "1", "2", "124"].contains(&status.as_str()), "{status}: {run:?}");
        assert!(!run.err.contains("panicked") && run.took < PATIENCE, "{run:?}");
    }
    understood
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn same(bytes: Vec<u8>) -> Vec<u8> {
    bytes
}

fn pictures() -> Vec<Vec<u8>> {
    let grey = GrayImage::from_fn(13, 9, |x, y| Luma([(x * 19 + y * 7) as u8]));
    let formats = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
        ImageFormat::Pnm,
    ];
    let mut all = Vec::new();
    for format in formats {
        let image = DynamicImage::from(grey.clone());
        for image in [
            image.clone(),
            DynamicImage::from(image.to_rgba8()),
            DynamicImage::from(image.to_rgb8()),
            DynamicImage::from(image.to_luma16()),
        ] {
            let mut bytes = Cursor::new(Vec::new());
            if image.write_to(&mut bytes, format).is_ok() {
                all.push(bytes.into_inner());
            }
        }
    }
    all
}

fn arrays() -> Vec<Vec<u8>> {
    use ndarray_npy::WriteNpyExt;
    let mut all = vec![Vec::new(), Vec::new(), Vec::new()];
    ndarray::Array2::<u8>::from_elem((4, 6), 7).write_npy(&mut all[0]).unwrap();
    ndarray::Array2::<u16>::from_elem((3, 5), 700).write_npy(&mut all[1]).unwrap();
    ndarray::Array3::<u32>::from_elem((2, 3, 5), 70_000).write_npy(&mut all[2]).unwrap();
    all
}

fn arrays_of_places() -> Vec<Vec<u8>> {
    use ndarray_npy::WriteNpyExt;
    let mut all = vec![Vec::new(), Vec::new(), Vec::new()];
    ndarray::Array2::<f64>::from_shape_fn((7, 2), |(row, axis)| (row + axis) as f64 + 0.5)
        .write_npy(&mut all[0])
        .unwrap();
    ndarray::Array2::<f32>::from_shape_fn((5, 2), |(row, axis)| (2 * row + axis) as f32)
        .write_npy(&mut all[1])
        .unwrap();
    ndarray::Array2::<i32>::from_shape_fn((6, 2), |(row, _)| 65_536 * row as i32 + 9).write_npy(&mut all[2]).unwrap();
    all
}

/// Velocities for the individuals of the first array of places.
fn arrays_of_velocities() -> Vec<Vec<u8>> {
    use ndarray_npy::WriteNpyExt;
    let mut all = vec![Vec::new(), Vec::new(), Vec::new()];
    ndarray::Array2::<f64>::from_shape_fn((7, 2), |(row, axis)| (row + axis) as f64 / 32.0 - 0.1)
        .write_npy(&mut all[0])
        .unwrap();
    ndarray::Array2::<f32>::zeros((7, 2)).write_npy(&mut all[1]).unwrap();
    ndarray::Array2::<i32>::from_shape_fn((7, 2), |(row, axis)| 600 * row as i32 - 900 * axis as i32)
        .write_npy(&mut all[2])
        .unwrap();
    all
}

/// The presets of the program, and fish with zones in a world that is small enough to be played.
fn presets() -> Vec<Vec<u8>> {
    let fish = std::fs::read_to_string(repository().join("examples/couzin.toml")).unwrap();
    let small = fish.replace("[128, 128, 128]", "[32, 32, 32]").replace("disc = 34", "disc = 12");
    let sound = Preset::from_text(murmuration::host(), "presets/p.toml", &small, &Overrides::default());
    assert!(is_small(&sound.unwrap()), "{small}");
    [texts("presets", "toml"), vec![small.into_bytes()]].concat()
}

fn link(bytes: &[u8], _: &str) -> Result<(), String> {
    let link = Link::parse(&text(bytes)).map_err(|wrong| wrong.to_string())?;
    let (preset, _) = link.load().map_err(|failure| failure.to_string())?;
    if !is_small(&preset) || link.end().is_none_or(|(steps, _)| steps > 12) {
        return Ok(());
    }
    Verification::of_link(&link, processor()).map(drop).map_err(|failure| failure.to_string())
}

fn gallery(bytes: &[u8], _: &str) -> Result<(), String> {
    let gallery = Gallery::parse("gallery.toml", &text(bytes)).map_err(|wrong| wrong.to_string())?;
    gallery.run.iter().try_for_each(|run| run.load().map(drop)).map_err(|wrong| wrong.to_string())
}

/// Links of built-in presets and of replays.
fn links(replays: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let hash = "0123456789abcdef".repeat(4);
    let named = [
        format!(
            "#preset=droplets&size=48x32&seed=7&set=weights.cohesion%3D0.8&steps=3&hash={hash}&of=0123456789abcdef"
        ),
        format!("https://example.org/#preset=school&set=start.boids%3D200&chain=agents-brute&steps=2&hash={hash}"),
        "#preset=shoal-compare&individuals=true&size=64x64".into(),
    ];
    let carried = replays.iter().filter_map(|replay| {
        let replay = Replay::from_json("hunt.json", &text(replay)).ok()?;
        Link::from_replay(murmuration::host(), Arc::new(replay)).ok()?.write().ok()
    });
    named.into_iter().chain(carried).map(String::into_bytes).collect()
}

/// Runs of all models with all kinds of inputs, as checkpoints and as replays.
fn runs() -> [Vec<Vec<u8>>; 2] {
    let [mut checkpoints, mut replays] = [Vec::new(), Vec::new()];
    for (name, size, depth) in [
        ("droplets", (16, 12), None),
        ("stoop", (24, 16), None),
        ("flock", (12, 12), None),
        ("smoke", (10, 8), Some(6)),
    ] {
        let set = if name == "flock" { vec!["start.boids=60".to_owned()] } else { Vec::new() };
        let overrides = Overrides { size: Some(size), depth, set, ..Overrides::default() };
        let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let mut simulation = Simulation::new(preset, &chain, processor()).unwrap();
        let at = Place::Column([5, 5]);
        let pointer = Pointer { place: Place::Column([40, 50]), reach: 6, mood: Mood::Flee, weight: 900 };
        let (key, value) = ("movement.wander".to_owned(), "0.01".to_owned());
        let heights = ObstacleShape::Heights { first: [-2, 3], width: 4, heights: vec![0, 20, 40, 60] };
        let volume = ObstacleShape::Distances { first: [1, 2, 3], size: [2, 2], distances: vec![-1, 0, 1, -2] };
        let waypoints = vec![Place::from_cells([3.0, 4.0]), Place::from_cells([9.5, 2.0])];
        let target = targets::Target { waypoints, speed: 700, species: Some(0), ..targets::Target::lure(at, 9) };
        for input in [
            Input::Hunter(Some(pointer)),
            Input::Jaws(2),
            Input::Stroke,
            Input::Spawn { at, radius: 2, boids: 30 },
            Input::Solid { at, radius: 1, solid: true },
            Input::Obstacle { number: 3, shape: Some(ObstacleShape::ball([7.0, 6.0, 3.0], 2.0)) },
            Input::Obstacle { number: 3, shape: Some(ObstacleShape::cuboid([7.0, 6.0], [[2.0, 1.0], [-1.0, 2.0]])) },
            Input::Obstacle { number: 4, shape: Some(heights) },
            Input::Target { number: 2, target: Some(target) },
            Input::Undo,
            Input::Obstacle { number: 5, shape: Some(volume) },
            Input::Lift { at, radius: 3 },
            Input::Set { key, value },
        ] {
            simulation.advance(1).unwrap();
            // Individuals do not wander.
            let _ = simulation.apply(input);
        }
        checkpoints.push(simulation.read(CheckpointReading).unwrap().to_bytes());
        replays.push(serde_json::to_vec(&simulation.read(ReplayReading).unwrap()).unwrap());
    }
    [checkpoints, replays]
}

fn command_lines() -> Vec<Vec<u8>> {
    let lines = [
        "render droplets --size 32x24 --steps 5 --json",
        "render flock --size 24x24 --set start.boids=50 --steps 3 --threads 1 --every 1 --metrics m.csv",
        "render paper --size 16x16 --steps 2 --out frames --frames npy,density16 --checkpoint kept",
        "render droplets --size 32x32 --steps 3 --film x.gif --width 64 --fps 10 --individuals",
        "render --resume kept --steps 2 --set weights.cohesion=0.4",
        "render flock --size 24x24 --set start.shape=positions --set start.positions=p.npy --set \
         start.velocities=v.npy --steps 1",
        "compare shoal-compare --size 32x24 --steps 2 --grain 3 --occupied 0.5 --seed 7 --json",
        "replay hunt.json --json --memory 100 --engine cpu",
        "check p.toml c.toml k.wgsl --json",
        "presets --json",
        "render droplets --set weights.cohesion=0.8 --set world.solid=[] --chain cell --engine auto --steps 1",
        "sweep droplets --size 16x12 --set weights.cohesion=0.5,1 --seeds 1..3 --steps 9 --jobs 2 --out swept \
         --measures polarisation",
        "sweep merge swept --out swept --json",
        "atlas run atlas.toml --jobs 2 --engine cpu --threads 1 --shard 2/3 --base https://example.org/ --json \
         --dry-run",
        "atlas merge atlas --partial --out atlas --base https://example.org/",
        "sweep paper --size 16x12 --seeds 1,2 --steps 9 --engine auto --threads 1 --dry-run",
        "bench --quick --size 64x64 --sight disc:3 --model cell --threads 1",
        "--help",
    ];
    lines.iter().map(|line| line.replace(' ', "\n").into_bytes()).collect()
}

fn sweeps() -> Vec<Vec<u8>> {
    let texts = [
        "preset = \"droplets\"\nsize = [\"16x12\", \"24x16\"]\nseeds = \"1..20\"\nsteps = 200\nwarm_up = 50\n\
         every = 10\nmeasures = [\"polarisation\", \"mean_speed\"]\n[set]\nweights.cohesion = [0.5, 1]\n\
         \"movement.wander\" = \"0:0.01:0.005\"\n",
        "preset = \"droplets\"\nseeds = [1, 2, 7]\nsize = \"16x16\"\nset.world.edges = [\"torus\", \"walls\"]\n\
         set.world.margin = 0\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// Journals of a small sweep over words and numbers, complete and torn.
fn journals() -> Vec<Vec<u8>> {
    let plan = "{\"murmuration_sweep\":1,\"program\":\"0.1.0\",\"preset\":\"droplets\",\"text\":\"\",\
                \"effective\":\"00\",\"parameters\":[{\"key\":\"world.edges\",\
                \"values\":[\"\\\"torus\\\"\",\"\\\"walls\\\"\"]},{\"key\":\"weights.cohesion\",\"values\":[\"0.5\",\
                \"1\",\"2\"]}],\"seeds\":[1,2],\
                \"steps\":20,\"warm_up\":0,\"every\":10,\"measures\":[\"polarisation\"]}\n";
    let run = |run: u32| format!("{run},{},0,2,0.{run}5,0.1,0.25,0.125,\n", "ab".repeat(32));
    let whole = plan.to_owned() + &(0..12).map(run).collect::<String>();
    let whole = mended_journal(whole.into_bytes());
    vec![whole[..whole.len() - 30].to_vec(), whole]
}

fn targets() -> Vec<Target> {
    let [checkpoints, replays] = runs();
    let chains = [texts("passes", "toml"), texts("examples/wind", "toml")].concat();
    let kernels = [texts("shaders/cells", "wgsl"), texts("examples/wind", "wgsl")].concat();
    vec![
        Target { name: "preset", sound: presets(), mend: same, read: preset },
        Target { name: "chain", sound: chains, mend: same, read: chain },
        Target { name: "kernel", sound: kernels, mend: same, read: kernel },
        Target { name: "mask", sound: pictures(), mend: mended_png, read: mask },
        Target { name: "start", sound: arrays(), mend: same, read: start },
        Target { name: "positions", sound: arrays_of_places(), mend: same, read: positions },
        Target { name: "velocities", sound: arrays_of_velocities(), mend: same, read: velocities },
        Target { name: "checkpoint", sound: checkpoints, mend: mended_checkpoint, read: checkpoint },
        Target { name: "link", sound: links(&replays), mend: same, read: link },
        Target { name: "gallery", sound: texts("web", "toml"), mend: same, read: gallery },
        Target { name: "replay", sound: replays, mend: same, read: replay },
        Target { name: "sweep", sound: sweeps(), mend: same, read: sweep_file },
        Target { name: "experiment", sound: experiments(), mend: same, read: experiment },
        Target { name: "journal", sound: journals(), mend: mended_journal, read: journal },
        Target { name: "atlas", sound: atlases(), mend: same, read: atlas },
        Target { name: "tiles", sound: texts("src/viewer/atlas", "toml"), mend: same, read: tiles },
        Target { name: "atlas journal", sound: atlas_journals(), mend: mended_journal, read: atlas_journal },
        Target { name: "command line", sound: command_lines(), mend: same, read: command_line },
    ]
}

fn input(target: &Target, case: u64) -> Vec<u8> {
    let mut random = Random::new(fnv(target.name.as_bytes()) ^ case);
    let mut bytes = random.pick(&target.sound).clone();
    // Most inputs get one or two damages, so that the reader gets past them to the rest of the input.
    let most = random.below(5);
    for _ in 0..=random.below(most + 1) {
        Corruption::new(&mut random).apply(&mut bytes, &target.sound, &mut random);
    }
    if random.below(8) > 0 { (target.mend)(bytes) } else { bytes }
}

/// The results of the cases of a target.
#[derive(Debug, Default)]
struct Tally {
    sound: u64,
    refused: u64,
    panics: Vec<String>,
    slowest: (Duration, String),
}

impl Tally {
    fn play(&mut self, target: &Target, case: u64) {
        let (name, bytes) = (format!("{}:{case}", target.name), input(target, case));
        let begun = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| (target.read)(&bytes, &name))) {
            Ok(Ok(())) => self.sound += 1,
            Ok(Err(said)) if target.name == "command line" => self.refused += u64::from(!said.is_empty()),
            Ok(Err(said)) if said.lines().count() == 1 => self.refused += 1,
            Ok(Err(said)) => self.panics.push(format!("{name} says no line: {said:?}")),
            Err(_) => self.panics.push(name.clone()),
        }
        self.slowest = std::mem::take(&mut self.slowest).max((begun.elapsed(), name));
    }
}

/// The peak memory of this process, in MiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    peak.unwrap_or(0) >> 10
}

fn range(cases: &str) -> Option<Range<u64>> {
    match cases.split_once("..") {
        Some((first, end)) => Some(first.parse().ok()?..end.parse().ok()?),
        None => Some(0..cases.parse().ok()?),
    }
}

/// Ends the process if a case takes longer than twice [`PATIENCE`]. `present`: the name of the present case, and the
/// time at which it began.
fn watch(present: Arc<Mutex<(String, Instant)>>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let (name, begun) = present.lock().unwrap().clone();
            if begun.elapsed() > 2 * PATIENCE {
                eprintln!("{name} hangs");
                std::process::exit(3);
            }
        }
    });
}

fn play_all() {
    murmuration::host::bound_memory(BOUND);
    let targets = targets();
    if let Ok(one) = std::env::var("MURMURATION_BAD_INPUT") {
        let (name, case) = one.split_once(':').unwrap();
        let target = targets.iter().find(|target| target.name == name).unwrap();
        let bytes = input(target, case.parse().unwrap());
        eprintln!("{}", bytes.escape_ascii());
        eprintln!("{:?}", (target.read)(&bytes, &one));
        return;
    }
    let cases = std::env::var("MURMURATION_BAD_INPUTS").map_or(0..CASES, |cases| range(&cases).unwrap());
    let count = cases.end - cases.start;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let present = Arc::new(Mutex::new((String::new(), Instant::now())));
    watch(present.clone());
    for case in cases {
        let target = &targets[(case % targets.len() as u64) as usize];
        *present.lock().unwrap() = (format!("{}:{case}", target.name), Instant::now());
        tallies.entry(target.name).or_default().play(target, case);
    }
    for (name, tally) in &tallies {
        eprintln!("{name}: {} sound, {} refused, slowest {:?}", tally.sound, tally.refused, tally.slowest);
    }
    let peak = peak_memory();
    eprintln!("{count} cases, at most {peak} MiB");
    let panics: Vec<_> = tallies.values().flat_map(|tally| &tally.panics).collect();
    assert!(panics.is_empty(), "{panics:#?}");
    for (name, tally) in &tallies {
        assert!(tally.slowest.0 < PATIENCE, "{name}: {:?}", tally.slowest);
        // The damage is useful only if some inputs stay valid and others do not.
        assert!(tally.sound > count / 1000 && tally.refused > count / 1000, "{name}: {tally:?}");
    }
    assert!(peak < MAX_MEMORY, "{peak} MiB");
}

/// Runs in a separate process, whose memory is bounded and whose panics are counted.
#[test]
fn a_damaged_input_is_sound_or_a_message() {
    if std::env::var_os(ALONE).is_some() {
        return play_all();
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "bad_bytes::a_damaged_input_is_sound_or_a_message", "--test-threads", "1", "--nocapture"]);
    assert!(again.env(ALONE, "1").status().unwrap().success());
}
