//! Presets of individuals, used like all others. One swarm by every search and thread count, replayed, resumed, undone.
//! A ledger that counts each individual. A swarm of cells as individuals.

use crate::support::command::{Folder, fixture, repository};
use crate::support::is_played;
use crate::support::scenes::{all_individuals, presets};
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::individuals::{Rule, RuleSet, deposit};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{IndividualsStart, Overrides, Preset};
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::{Entry, Individuals, Swarm};
use murmuration_core::world::{Mood, PLACE_BITS};
use std::path::PathBuf;

const CHAINS: [&str; 3] = ["agents-grid", "agents-octree", "agents-brute"];

fn threads(count: usize) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(count), instruction_set: None })
}

/// The CPU with one thread, and a GPU if the machine has one.
fn engines() -> Vec<EngineChoice> {
    let mut engines = vec![threads(1)];
    if crate::support::adapter::shared("individuals on the GPU").is_some() {
        engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
    }
    engines
}

fn load(name: &str, size: (u32, u32), set: &[&str]) -> Preset {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    Preset::load(murmuration::host(), name, &Overrides { size: Some(size), set, ..Overrides::default() }).unwrap()
}

fn begin(name: &str, chain: &str, choice: EngineChoice) -> Simulation {
    Simulation::new(load(name, (97, 61), &[]), &Chain::load(murmuration::host().as_ref(), chain).unwrap(), choice)
        .unwrap()
}

fn individuals(simulation: &mut Simulation) -> Individuals {
    match simulation.swarm().unwrap() {
        Swarm::Individuals(individuals, _) => individuals.in_order(),
        Swarm::Cells(_) => panic!("a lattice"),
    }
}

fn pointer(place: [i32; 2], mood: Mood, weight: i32) -> Input {
    Input::Hunter(Some(Pointer { place: place.into(), reach: 20, mood, weight }))
}

/// A hunt with every kind of input.
fn hunt(simulation: &mut Simulation) {
    let inputs = [
        pointer([500, 300], Mood::Flee, 2048),
        Input::Jaws(9),
        Input::Stroke,
        Input::Spawn { at: [20, 20].into(), radius: 3, boids: 137 },
        Input::Set { key: "weights.cohesion".into(), value: "0.9".into() },
        pointer([-40, 900], Mood::Follow, 6000),
        Input::Stroke,
        Input::Solid { at: [50, 30].into(), radius: 5, solid: true },
        Input::Lift { at: [0, 0].into(), radius: 4 },
        Input::Undo,
        Input::Set { key: "movement.max".into(), value: "0.25".into() },
        Input::Solid { at: [70, 30].into(), radius: 6, solid: true },
        Input::Solid { at: [70, 30].into(), radius: 2, solid: false },
        Input::Set { key: "sight.alignment.disc".into(), value: "3.5".into() },
        Input::Spawn { at: [70, 30].into(), radius: 4, boids: 60 },
        Input::Hunter(None),
        Input::Jaws(0),
    ];
    for input in inputs {
        simulation.advance(7).unwrap();
        simulation.apply(input).unwrap();
        assert_eq!(simulation.account().unwrap().lost, 0);
    }
    simulation.advance(11).unwrap();
}

#[test]
fn every_search_and_thread_count_plays_one_swarm() {
    for name in all_individuals() {
        let mut hashes = Vec::new();
        for chain in CHAINS {
            for count in [1, 3] {
                let mut simulation = begin(name, chain, threads(count));
                let before = simulation.state_hash().unwrap();
                simulation.advance(12).unwrap();
                let account = simulation.account().unwrap();
                assert_eq!((account.lost, account.quanta), (0, account.ledger.sum(Entry::Start)), "{name}");
                let hash = simulation.state_hash().unwrap();
                assert_ne!(hash, before, "{name}: nobody moved");
                hashes.push(hash);
            }
        }
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{name}: {hashes:?}");
    }
}

#[test]
fn a_hunt_of_individuals_is_replayed_and_resumed_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let [path, checkpoint] = ["a.json", "a.checkpoint"].map(|name| folder.path().join(name));
    for (index, name) in all_individuals().enumerate().filter(|(index, _)| is_played(index / 2, 2)) {
        let mut played = begin(name, "agents-grid", threads(2));
        hunt(&mut played);
        murmuration::files::write_replay(&played.read(ReplayReading).unwrap(), &path).unwrap();
        let replay = murmuration::files::read_replay(&path).unwrap();
        assert_eq!(replay.state_hash, played.state_hash().unwrap());
        let account = played.account().unwrap();
        assert!(
            account.ledger.sum(Entry::Spawned) > 0 && account.ledger.sum(Entry::Caught) > 0,
            "{name}: the hunt did nothing"
        );
        for value in
            [account.ledger.sum(Entry::Start), account.ledger.sum(Entry::Spawned), account.ledger.sum(Entry::Caught)]
        {
            assert_eq!(value % u64::from(BOID), 0, "{name}: parts of an individual");
        }
        // Shaders compile slowly, and some inputs compile them again. So a GPU plays only every other preset.
        for choice in engines().into_iter().take(1 + index % 2) {
            let mut again = replay.play(murmuration::host(), choice).unwrap();
            assert_eq!(again.state_hash().unwrap(), replay.state_hash, "{name} on {choice:?}");
            assert_eq!(again.account().unwrap(), account, "{name} on {choice:?}");
        }

        played.apply(pointer([99, 99], Mood::Flee, 900)).unwrap();
        played.apply(Input::Jaws(3)).unwrap();
        murmuration::files::save_checkpoint(&mut played, &checkpoint).unwrap();
        played.advance(33).unwrap();
        played.apply(Input::Spawn { at: [9, 9].into(), radius: 5, boids: 9 }).unwrap();
        // Another engine resumes this engine's checkpoint, if the machine has a GPU.
        for choice in engines().into_iter().cycle().skip(index + 1).take(1) {
            let mut resumed = Simulation::resume(
                murmuration::host(),
                murmuration::files::read_checkpoint(&checkpoint).unwrap(),
                choice,
            )
            .unwrap();
            resumed.advance(33).unwrap();
            resumed.apply(Input::Spawn { at: [9, 9].into(), radius: 5, boids: 9 }).unwrap();
            assert_eq!(individuals(&mut resumed), individuals(&mut played), "{name} on {choice:?}");
            assert_eq!(resumed.account().unwrap(), played.account().unwrap(), "{name} on {choice:?}");
            assert_eq!(resumed.step(), played.step());
        }
    }
}

#[test]
fn an_undo_brings_back_who_was_there() {
    let mut simulation = begin("flock", "agents-grid", threads(2));
    simulation.apply(pointer([600, 400], Mood::Flee, 1500)).unwrap();
    simulation.apply(Input::Jaws(12)).unwrap();
    simulation.advance(20).unwrap();
    let before = (individuals(&mut simulation), simulation.account().unwrap(), simulation.step());
    simulation.apply(Input::Stroke).unwrap();
    simulation.apply(Input::Lift { at: [40, 30].into(), radius: 12 }).unwrap();
    simulation.apply(Input::Spawn { at: [10, 10].into(), radius: 3, boids: 500 }).unwrap();
    simulation.apply(Input::Solid { at: [30, 30].into(), radius: 8, solid: true }).unwrap();
    simulation.advance(30).unwrap();
    assert_ne!(individuals(&mut simulation), before.0);
    simulation.apply(Input::Undo).unwrap();
    assert_eq!((individuals(&mut simulation), simulation.account().unwrap(), simulation.step()), before);
    assert!(simulation.preset().world.solids.iter().all(|solid| !solid));
}

/// The cell of an individual.
fn cell(individuals: &Individuals, index: usize) -> [i32; 2] {
    [0, 1].map(|axis| individuals.positions[axis][index] >> PLACE_BITS)
}

#[test]
fn a_brush_adds_and_takes_just_those_under_it() {
    let mut simulation = begin("school", "agents-grid", threads(2));
    let (at, radius) = ([40, 30], 6);
    let is_under = |[x, y]: [i32; 2]| (x - at[0]).pow(2) + (y - at[1]).pow(2) <= radius * radius;
    let under =
        |individuals: &Individuals| (0..individuals.len()).filter(|index| is_under(cell(individuals, *index))).count();
    let radius = radius as u32;
    let begun = individuals(&mut simulation);

    simulation.apply(Input::Lift { at: at.into(), radius }).unwrap();
    let lifted = individuals(&mut simulation);
    assert!(under(&begun) > 0 && under(&lifted) == 0);
    assert_eq!(lifted.len(), begun.len() - under(&begun));
    assert_eq!(simulation.account().unwrap().ledger.sum(Entry::Caught), under(&begun) as u64 * u64::from(BOID));

    simulation.apply(Input::Spawn { at: at.into(), radius, boids: 300 }).unwrap();
    let spawned = individuals(&mut simulation);
    assert_eq!((under(&spawned), spawned.len()), (300, lifted.len() + 300));
    assert_eq!(simulation.account().unwrap().ledger.sum(Entry::Spawned), 300 * u64::from(BOID));
    let next: Vec<u32> = spawned.numbers[lifted.len()..].to_vec();
    assert_eq!(next, (begun.len() as u32..begun.len() as u32 + 300).collect::<Vec<_>>(), "a number is given once");

    // Individuals in a painted solid stay there. A brush adds no individual in the solid.
    simulation.apply(Input::Solid { at: at.into(), radius, solid: true }).unwrap();
    simulation.apply(Input::Spawn { at: at.into(), radius, boids: 300 }).unwrap();
    assert_eq!(individuals(&mut simulation), spawned);
    assert_eq!(simulation.account().unwrap().lost, 0);
}

#[test]
fn nobody_is_faster_than_the_rules_allow_when_they_become_stricter() {
    for name in all_individuals() {
        let mut simulation = begin(name, "agents-grid", threads(2));
        simulation.advance(30).unwrap();
        if simulation.preset().individuals.as_ref().is_some_and(|model| model.first().min > 0) {
            // A minimum speed above the maximum is refused.
            simulation.apply(Input::Set { key: "movement.min".into(), value: "0.02".into() }).unwrap();
        }
        simulation.apply(Input::Set { key: "movement.max".into(), value: "0.05".into() }).unwrap();
        if name == "chase" {
            let key = "species[1].movement.max".into();
            simulation.apply(Input::Set { key, value: "0.05".into() }).unwrap();
        }
        let slow = individuals(&mut simulation);
        let fastest =
            (0..slow.len()).map(|index| slow.velocity(index).iter().map(|n| f64::from(*n).powi(2)).sum::<f64>().sqrt());
        assert!(fastest.fold(0.0, f64::max) < 0.0502 * 16384.0, "{name}");
    }
}

#[test]
fn an_engine_is_switched_under_individuals_and_painted_solids() {
    let mut steady = begin("circles", "agents-grid", threads(1));
    let mut switched = begin("circles", "agents-grid", threads(1));
    for simulation in [&mut steady, &mut switched] {
        simulation.apply(Input::Solid { at: [30, 30].into(), radius: 9, solid: true }).unwrap();
        simulation.advance(10).unwrap();
    }
    assert!(switched.switch(EngineChoice::Gpu(Dispatch::Fragment)).is_err());
    switched.switch(threads(3)).unwrap();
    for simulation in [&mut steady, &mut switched] {
        simulation.advance(40).unwrap();
    }
    assert_eq!(individuals(&mut switched), individuals(&mut steady));
    let inside = |individuals: &Individuals| {
        (0..individuals.len()).filter(|index| steady.preset().world.solids[cell_index(individuals, *index)]).count()
    };
    assert!(inside(&individuals(&mut switched)) < switched.account().unwrap().quanta as usize / BOID as usize / 20);
}

fn cell_index(individuals: &Individuals, index: usize) -> usize {
    let [x, y] = cell(individuals, index);
    (y * 97 + x) as usize
}

/// Both models start equally: an individual for each boid, in the boid's cell.
#[test]
fn a_preset_of_cells_has_individuals_that_begin_alike() {
    for name in presets() {
        let preset = load(name, (96, 64), &[]);
        let theirs = preset.as_individuals().unwrap_or_else(|wrong| panic!("{wrong}"));
        let individuals = IndividualsStart::new(&theirs).unwrap();
        let IndividualsStart { model, habitat, start, .. } = &individuals;
        assert_eq!(model.first().set, RuleSet::Reynolds);
        assert_eq!(start.len() as u64, preset.start_spec.quanta() / u64::from(BOID), "{name}");
        let seen = deposit::deposit(start, &habitat.space);
        let begun = preset.start().unwrap();
        assert_eq!(seen.layers[0].density, begun.layers[0].density, "{name}: a start is one of whole boids");
        for (index, quanta) in seen.layers[0].density.iter().enumerate().filter(|(_, quanta)| **quanta > 0) {
            let (before, after) = (begun.layers[0].control_of(index), seen.layers[0].control_of(index));
            assert!((0..2).all(|axis| (before[axis] - after[axis]).abs() <= 1), "{name}: {quanta}");
        }
        let again = IndividualsStart::new(&preset.as_individuals().unwrap()).unwrap();
        assert_eq!(again.start, individuals.start);
    }
    // A disc of radius 5 has 81 cells, the area of a disc of radius 5.078.
    let theirs = load(&fixture("droplets"), (96, 64), &["sight.cohesion.disc=5"]).as_individuals().unwrap();
    let model = theirs.individuals.unwrap();
    assert_eq!((model.depth, model.weights["cohesion"], model.weights["hunter"]), (1, 0.5, 0.0));
    let rules = model.first().clone();
    assert_eq!(rules.radii[Rule::Cohesion], 332_773);
    assert_eq!((rules.crowd, rules.weights[Rule::Cohesion]), (1024, 512 << 10));
}

#[test]
fn a_weight_that_individuals_do_not_know_is_refused() {
    let wrong = |set: &str| load("droplets", (96, 64), &[set]).as_individuals().unwrap_err().to_string();
    let heavy = wrong("weights.cohesion=9");
    let cure = "individuals weigh a rule with 8 at most; it must be from -8 to 8";
    assert_eq!(heavy, format!("set weights.cohesion=9: weights.cohesion: {cure}"));
    assert!(wrong("weights.wind=0.5").contains("weights.wind: individuals know no rule \"wind\"; theirs are "));
    let narrow = load("droplets", (3, 64), &[]).as_individuals().unwrap_err().to_string();
    assert!(narrow.contains("3x64 is too narrow for individuals"), "{narrow}");

    let folder = Folder::new();
    let text = "description = \"x\"\n[world]\nsize = [16, 16]\n[start]\nboids = 9\n[sight.cohesion]\ndisc = 3\n\
                [sight.separation]\ndisc = 3\n[sight.alignment]\ndisc = 3\n[weights]\nalignment = -12.5\n";
    folder.write("mine.toml", text);
    let path = folder.join("mine.toml").display().to_string();
    let as_individuals = Overrides { individuals: true, ..Overrides::default() };
    let heavy = Preset::load(murmuration::host(), &path, &as_individuals).unwrap_err().to_string();
    assert_eq!(heavy, format!("{path}:13: weights.alignment: {cure}"));
    // The chain weighs a rule for which the preset has no weight.
    let windy = Preset::load(murmuration::host(), "examples/wind/windy.toml", &as_individuals).unwrap_err().to_string();
    assert!(windy.contains("windy.toml:") && windy.contains("weights.wind: individuals know no rule"), "{windy}");
    let twice = Preset::load(murmuration::host(), "flock", &as_individuals).unwrap_err().to_string();
    assert!(twice.starts_with("presets/flock.toml:2: model: is \"agents\""), "{twice}");
    let cells = IndividualsStart::new(&load("droplets", (96, 64), &[])).unwrap_err();
    assert_eq!(cells.key.as_deref(), Some("model"));
}

/// The JSON object of a run.
fn object(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    folder
        .run(&[&["render", "--json", "--size", "61x41", "--steps", "10"][..], arguments].concat())
        .succeeded()
        .object()
}

#[test]
fn the_program_plays_individuals_and_writes_every_one_of_them() {
    let folder = Folder::new();
    let grid =
        object(&folder, &["flock", "--out", "out", "--frames", "picture,density16,npy,agents", "--metrics", "m.csv"]);
    for more in [&["--chain", "agents-octree", "--engine", "cpu"][..], &["--chain", "agents-brute", "--threads", "1"]] {
        let other = object(&folder, &[&["flock"], more].concat());
        assert_eq!((&other["state_hash"], &other["lost"]), (&grid["state_hash"], &0.into()));
        assert_eq!(other["chain"], more[1]);
    }
    assert_eq!((&grid["chain"], &grid["size"]), (&"agents-grid".into(), &"61x41x80".into()));
    assert!(grid["agents_per_second"].as_f64().unwrap() > 0.0 && grid["cells_per_second"].is_null());
    assert_eq!(grid["frames"], 14);
    let boids = grid["boids"].as_f64().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join("out").join(name) };
    let positions: ndarray::Array2<i32> = ndarray_npy::read_npy(path("positions-000010.npy")).unwrap();
    let velocities: ndarray::Array2<i32> = ndarray_npy::read_npy(path("velocities-000010.npy")).unwrap();
    assert_eq!((positions.shape(), velocities.shape()), (&[boids as usize, 3][..], &[boids as usize, 3][..]));
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(boids as u64).to_le_bytes());
    for (position, velocity) in positions.rows().into_iter().zip(velocities.rows()) {
        for n in position.iter().chain(velocity.iter()) {
            hasher.update(&n.to_le_bytes());
        }
    }
    assert_eq!(grid["state_hash"], hasher.finalize().to_hex().as_str());
    let density: ndarray::Array2<u32> = ndarray_npy::read_npy(path("density-000010.npy")).unwrap();
    assert_eq!(density.iter().map(|quanta| u64::from(*quanta)).sum::<u64>(), boids as u64 * u64::from(BOID));

    object(&folder, &["school", "--checkpoint", "a.checkpoint"]);
    let whole = folder.run(&["render", "school", "--json", "--size", "61x41", "--steps", "30"]).succeeded().object();
    let resumed = folder.run(&["render", "--json", "--resume", "a.checkpoint", "--steps", "20"]).succeeded().object();
    assert_eq!(resumed["state_hash"], whole["state_hash"]);
}

#[test]
fn what_means_nothing_with_a_model_is_refused() {
    let folder = Folder::new();
    let refused = |arguments: &[&str], says: &str| {
        let run = folder.run(&[&["render", "--steps", "1", "--size", "48x36"], arguments].concat());
        assert_eq!(run.status, Some(2), "{arguments:?}: {run:?}");
        assert!(run.complaint().contains(says), "{arguments:?}: {}", run.complaint());
    };
    refused(
        &["droplets", "--chain", "agents-grid"],
        "passes/agents-grid.toml: the chain's model is \"agents\", and that of the preset `droplets` \"cell\"; take a \
         chain \
         with model = \"cell\", such as cell",
    );
    refused(&["flock", "--chain", "cell"], "take a chain with model = \"agents\", such as agents-grid");
    refused(&["flock", "--set", "chain=cell"], "--set chain=cell: chain: the chain's model is \"cell\"");
    refused(
        &["flock", "--engine", "gpu", "--dispatch", "compute"],
        "--dispatch: the chain agents-grid is of individuals, whose kernels have no choice of dispatch; take it away",
    );
    refused(
        &["droplets", "--out", "out", "--frames", "agents"],
        "--frames agents: the preset `droplets` has no individuals; use npy",
    );
    for (set, says) in [
        ("agents.depth=3", "agents.depth: 3 layers are too few; 1 is a flat world"),
        ("world.size=[64, 48, 3]", "world.size: 3 layers are too few; 1 is a flat world"),
        ("world.size=[64, 48, 1025]", "world.size: 1025 layers are too many; individuals have 1024 at most"),
        ("agents.depth=0", "agents.depth: 0 is out of bounds; it must be from 1 to 1024"),
        ("agents.force=3", "agents.force: 3 is out of bounds"),
        ("agents.rules=\"fish\"", "unknown value `fish`; expected"),
        ("sight.cohesion.disc=300", "sight.cohesion.disc: 300 is out of bounds; it must be from 0.1 to 255"),
        ("sight.cohesion={box=3}", "sight.cohesion: is no disc; individuals see in a disc or a ball"),
        ("sight.wind.disc=3", "sight.wind: means nothing with this agents.rules; remove it; the rules that see are"),
        ("weights.cohesion=8.5", "weights.cohesion: 8.5 is out of bounds; it must be from -8 to 8"),
        ("weights.wind=1", "weights.wind: means nothing with this agents.rules; its rules are cohesion"),
        ("movement.keep=0.5", "movement.keep: means nothing with this agents.rules; remove it; reynolds has it"),
        ("movement.wander=0.01", "movement.wander: means nothing with this model; remove it; only the cell system"),
        ("world.capacity=5", "world.capacity: means nothing with this model"),
        ("movement.max=0", "movement.max: nothing could move"),
        ("world.size=[3, 48]", "world.size: "),
    ] {
        let run = folder.run(&["render", "flock", "--steps", "1", "--set", set]);
        assert_eq!(run.status, Some(2), "{set}: {run:?}");
        assert!(run.complaint().contains(says), "{set}: {}", run.complaint());
    }
    // Another rule set given as an override makes keys of the former set obsolete, and they are ignored.
    folder.run(&["render", "flock", "--steps", "1", "--size", "48x36", "--set", "agents.rules=reynolds"]).succeeded();
    folder.run(&["render", "flock", "--steps", "1", "--size", "48x36", "--set", "agents.rules=school"]).succeeded();
}

/// A checkpoint with equal numbers, or with an individual outside of the world or too fast, is refused although its
/// hash is right.
#[test]
fn a_checkpoint_with_impossible_individuals_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    murmuration::files::save_checkpoint(&mut begin("circles", "agents-grid", threads(1)), &path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[16..16 + length]).unwrap();
    let count = header["agents"].as_u64().unwrap() as usize;
    // The second individual in each list: numbers, places and velocities.
    let place = |word: usize| 16 + length + 4 * (word * count + 1);
    for (word, value, says) in [
        (0, 0u32, "has individuals with the same number"),
        (1, 97 << 16, "an individual is outside of the world"),
        (2, u32::MAX, "an individual is outside of the world"),
        (3, 60 << 16, "an individual is outside of the world"),
        (4, 16_000, "an individual is faster than its rules allow"),
        (4, i32::MIN as u32, "an individual is faster than its rules allow"),
    ] {
        let mut bytes = bytes.clone();
        bytes[place(word)..][..4].copy_from_slice(&value.to_le_bytes());
        let end = bytes.len() - 32;
        let hash = blake3::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(hash.as_bytes());
        let wrong = match Checkpoint::from_bytes(&bytes) {
            Err(wrong) => wrong,
            Ok(checkpoint) => match Simulation::resume(murmuration::host(), checkpoint, threads(1)) {
                Ok(_) => panic!("{says}"),
                Err(failure) => failure.to_string(),
            },
        };
        assert!(wrong.contains(says), "{wrong}");
    }
}

/// An old preset gives the third extent by a separate key. It is read with a remark, and plays the same swarm.
#[test]
fn the_depth_of_before_is_the_third_extent() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(repository().join("presets/school.toml")).unwrap();
    assert!(text.contains("size = [320, 200, 40]"));
    let old = text.replace("size = [320, 200, 40]", "size = [320, 200]").replace("[agents]", "[agents]\ndepth = 40");
    folder.write("old.toml", &old);
    folder.write("new.toml", &text);
    let play = |preset: &str, size: &str, more: &[&str]| {
        let arguments = ["render", preset, "--size", size, "--steps", "9", "--threads", "1", "--json"];
        folder.run(&[&arguments, more].concat())
    };
    let runs = ["old.toml", "new.toml"].map(|preset| play(preset, "80x60", &[]));
    let remark = "old.toml:13: agents.depth: is read as the third extent of world.size; write size = [80, 60, 40]\n";
    assert_eq!([&*runs[0].err, &runs[1].err], [remark, ""]);
    let [old, new] = runs.map(|run| run.object());
    assert_eq!((&old["state_hash"], &old["size"]), (&new["state_hash"], &"80x60x40".into()));
    for preset in ["old.toml", "new.toml"] {
        let set = play(preset, "80x60", &["--set", "agents.depth=12"]);
        assert_eq!(set.succeeded().object()["size"], "80x60x12", "{preset}");
    }
    assert_eq!(play("new.toml", "80x60x12", &[]).succeeded().object()["size"], "80x60x12");
    folder.write("both.toml", text.replace("[agents]", "[agents]\ndepth = 40"));
    let both = play("both.toml", "80x60", &[]);
    assert!(both.complaint().contains("agents.depth: world.size has a third extent already; remove it"), "{both:?}");
}

#[test]
fn both_words_of_the_model_mean_the_same() {
    let folder = Folder::new();
    let library = murmuration::host().library();
    let written = library.preset("flock").unwrap();
    let start = |word: &str| {
        let text = written.replacen("model = \"agents\"", &format!("model = {word:?}"), 1);
        let chain =
            library.chain("agents-grid").unwrap().replacen("model = \"agents\"", &format!("model = {word:?}"), 1);
        folder.write("grid.toml", chain);
        folder.write("mine.toml", text.replacen("seed = 5", "seed = 5\nchain = \"grid.toml\"", 1));
        let preset =
            Preset::load(murmuration::host(), folder.join("mine.toml").display().to_string(), &Overrides::default());
        IndividualsStart::new(&preset.unwrap()).unwrap().start.hash()
    };
    assert_eq!(start("agents"), start("individuals"));
}
