//! Targets of a game: equal on every engine, for one species or all, in checkpoints, replays and snapshots.

use crate::support::adapter::shared;
use murmuration::targets::Target;
use murmuration::{
    CpuOptions, Dispatch, EngineChoice, Input, InstructionSet, Mood, Place, PresetSource, Simulation,
    SimulationBuilder, Swarm, open,
};
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::reading::{CheckpointReading, ReplayReading};
use murmuration_core::simulation::replay::Playback;
use murmuration_core::state::Entry;
use murmuration_core::ticket::Patience;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn cpu(options: CpuOptions) -> EngineChoice {
    EngineChoice::Cpu(options)
}

/// Presets of both models, with one species and several, and with falcons. The device moves the falcons before it reads
/// the hunters.
const SCENES: [(&str, &[u32]); 7] = [
    ("droplets", &[80, 60]),
    ("three", &[64, 48]),
    ("murmuration", &[33, 29, 23]),
    ("school", &[80, 60, 20]),
    ("flock", &[60, 50, 40]),
    ("chase", &[64, 48]),
    ("stoop", &[80, 60]),
];

fn start((name, size): (&str, &[u32]), engine: EngineChoice) -> Simulation {
    let builder = open(name).size(size[0], size[1]).set("start.run_in", 0).engine(engine);
    let builder = if let Some(depth) = size.get(2) { builder.depth(*depth) } else { builder };
    builder.start().unwrap_or_else(|failure| panic!("{name}: {failure}"))
}

fn put(swarm: &mut Simulation, number: u32, target: Option<Target>) {
    swarm.apply(Input::Target { number, target }).unwrap();
}

/// A lure with three waypoints, a target that eats the last species, and a target that is added and removed repeatedly.
fn play(swarm: &mut Simulation, frames: std::ops::Range<u32>) {
    let [width, height, depth] = swarm.preset().space().extents.map(f64::from);
    let species = swarm.preset().species.len().max(1) as u32;
    let at = |x: f64, y: f64, z: f64| Place::from_cells([width * x, height * y, depth * z]);
    for frame in frames {
        if frame == 0 {
            let waypoints = vec![at(0.2, 0.3, 0.5), at(0.8, 0.4, 0.2), at(0.5, 0.9, 0.6)];
            put(swarm, 7, Some(Target { waypoints, speed: 1500, ..Target::lure(at(0.0, 0.0, 0.0), 30) }));
            let hunter =
                Target { mood: Mood::Flee, jaws: 8, species: Some(species - 1), ..Target::lure(at(0.5, 0.5, 0.5), 9) };
            put(swarm, 2, Some(hunter));
        }
        let column = Place::from_cells([width * 0.1 * f64::from(frame), height * 0.6]);
        put(swarm, 900, (frame % 3 > 0).then(|| Target::lure(column, 14)));
        swarm.advance(4).unwrap();
    }
}

#[test]
fn every_engine_follows_the_same_targets_and_loses_nobody() {
    let has_gpu = shared("targets on a GPU").is_some();
    for scene in SCENES {
        let (name, _) = scene;
        let mut on_cpu = start(scene, cpu(CpuOptions::default()));
        let mut untouched = start(scene, cpu(CpuOptions::default()));
        play(&mut on_cpu, 0..10);
        untouched.advance(40).unwrap();
        let hash = on_cpu.state_hash().unwrap();
        assert_ne!(hash, untouched.state_hash().unwrap(), "{name}: targets do nothing");
        let account = on_cpu.account().unwrap();
        assert_eq!(account.lost, 0, "{name}");
        assert!(
            account.ledger.sum(Entry::Caught) > untouched.account().unwrap().ledger.sum(Entry::Caught),
            "{name}: nobody is caught"
        );
        let portable = CpuOptions { threads: Some(1), instruction_set: Some(InstructionSet::Portable) };
        let others = [Some(cpu(portable)), has_gpu.then_some(GPU)];
        for engine in others.into_iter().flatten() {
            let mut other = start(scene, engine);
            play(&mut other, 0..10);
            assert_eq!(other.state_hash().unwrap(), hash, "{name}: {engine:?}");
            assert_eq!(other.account().unwrap(), account, "{name}: {engine:?}");
        }
        // A replay, and a checkpoint during the run.
        let replay = on_cpu.read(ReplayReading).unwrap();
        let (preset, chain) = replay.load(murmuration::host()).unwrap();
        let mut replayed = Simulation::new(preset, &chain, cpu(CpuOptions::default())).unwrap();
        Playback::default().advance(&replay, &mut replayed, u64::MAX, Patience::Wait).unwrap();
        assert_eq!(replayed.state_hash().unwrap(), hash, "{name}: the replay");
        let mut begun = start(scene, cpu(CpuOptions::default()));
        play(&mut begun, 0..5);
        let checkpoint = Checkpoint::from_bytes(&begun.read(CheckpointReading).unwrap().to_bytes()).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), checkpoint, cpu(CpuOptions::default())).unwrap();
        play(&mut resumed, 5..10);
        assert_eq!(resumed.state_hash().unwrap(), hash, "{name}: the checkpoint");
        let snapshot = begun.snapshot().unwrap();
        play(&mut begun, 7..9);
        put(&mut begun, 7, None);
        begun.restore(&snapshot).unwrap();
        play(&mut begun, 5..10);
        assert_eq!(begun.state_hash().unwrap(), hash, "{name}: the snapshot");
    }
}

/// The centre of mass of a species in cells, and its quanta.
fn middle(swarm: &mut Simulation, species: usize) -> ([f64; 2], f64) {
    let (mut sum, mut all) = ([0.0; 2], 0.0);
    let mut add = |place: [f64; 2], quanta: f64| {
        sum = [sum[0] + place[0] * quanta, sum[1] + place[1] * quanta];
        all += quanta;
    };
    match swarm.swarm().unwrap() {
        Swarm::Cells(state) => {
            let width = state.extents.width as usize;
            for (index, quanta) in state.layers[species].density.iter().enumerate() {
                add([(index % width) as f64, (index / width) as f64], f64::from(*quanta));
            }
        }
        Swarm::Individuals(individuals, _) => {
            for index in (0..individuals.len()).filter(|index| individuals.species(*index) == species) {
                let place = individuals.position(index);
                add([f64::from(place[0]) / 65536.0, f64::from(place[1]) / 65536.0], 1.0);
            }
        }
    }
    (sum.map(|along| along / all), all)
}

/// A target of one species changes only this species in the next step. Meals of cells are switched off, because they
/// would change other species in the same step. An eaten individual still moves in the step of the meal.
#[test]
fn a_target_concerns_its_own_species_alone() {
    let no_meals = ["species[0].meets.scissors", "species[1].meets.rock", "species[2].meets.paper"];
    for (name, no_meals) in [("three", &no_meals[..]), ("chase", &[])] {
        let start = || {
            let builder = open(name).size(64, 48).set("start.run_in", 0).engine(cpu(CpuOptions::default()));
            let without_meals = |builder: SimulationBuilder, meal: &&str| builder.set(&format!("{meal}.eats"), 0);
            no_meals.iter().fold(builder, without_meals).start().unwrap()
        };
        let species = start().preset().species.len();
        assert!(species > 1, "{name}");
        for own in 0..species {
            let [mut plain, mut lured] = [start(), start()];
            let target = Target {
                species: Some(own as u32),
                mood: Mood::Flee,
                ..Target::lure(Place::from_cells([32.0, 24.0]), 40)
            };
            put(&mut lured, 1, Some(target));
            plain.advance(1).unwrap();
            lured.advance(1).unwrap();
            for other in 0..species {
                let is_same = middle(&mut plain, other) == middle(&mut lured, other);
                assert_eq!(is_same, other != own, "{name}: the target of species {own} and species {other}");
            }
        }
    }
}

#[test]
fn a_target_out_of_bounds_is_refused_and_changes_nothing() {
    let mut swarm = start(SCENES[0], cpu(CpuOptions::default()));
    let good = Target::lure(Place::from_cells([9.0, 9.0]), 20);
    put(&mut swarm, 1, Some(good.clone()));
    let (inputs, before) = (swarm.inputs(), swarm.targets().clone());
    let bad = [
        (Target { waypoints: Vec::new(), ..good.clone() }, "a target: waypoints: there are 0"),
        (
            Target { waypoints: vec![[1, 2].into(), [1, 2, 3].into()], ..good.clone() },
            "a target: waypoints: are places of two",
        ),
        (Target { speed: 1 << 17, ..good.clone() }, "a target: speed: 131072 is out of bounds"),
        (Target { reach: 256, ..good.clone() }, "a target: reach: 256 is out of bounds"),
        (Target { jaws: 65, ..good.clone() }, "a target: jaws: 65 is out of bounds"),
        (Target { species: Some(1), ..good.clone() }, "a target: species: there is no species 1"),
    ];
    for (target, says) in bad {
        let said = swarm.apply(Input::Target { number: 2, target: Some(target) }).unwrap_err().to_string();
        assert!(said.starts_with(says), "{said}");
        assert_eq!((swarm.targets(), swarm.inputs()), (&before, inputs));
    }
    let own = swarm.preset().world.hunters.len() as u32;
    (2..=8 - own).for_each(|number| put(&mut swarm, number, Some(good.clone())));
    let said = swarm.apply(Input::Target { number: 99, target: Some(good.clone()) }).unwrap_err().to_string();
    assert!(said.starts_with("targets: ") && said.contains("are too many"), "{said}");
    // A preset with more hunters leaves no room for targets.
    let preset = swarm.preset().source();
    let text = format!("{}\n{}", preset.text, "[[hunter]]\nkind = \"path\"\nat = [0.5, 0.5]\n".repeat(3));
    let reload = Input::Reload {
        preset: PresetSource { text, ..preset.clone() },
        chain: swarm.chain().named.clone(),
        files: Default::default(),
    };
    let said = swarm.apply(reload).unwrap_err().to_string();
    assert!(said.starts_with("targets: "), "{said}");
    // A target may be changed, and an unknown target may be removed.
    put(&mut swarm, 2, Some(Target { reach: 4, ..good.clone() }));
    put(&mut swarm, 77, None);
    (2..=8 - own).for_each(|number| put(&mut swarm, number, None));
    assert_eq!(swarm.targets(), &before);
    let mut endless =
        open("reef").size(64, 48).set("start.run_in", 0).engine(cpu(CpuOptions::default())).start().unwrap();
    let said = endless.apply(Input::Target { number: 1, target: Some(good) }).unwrap_err().to_string();
    assert!(said.starts_with("a target: an endless world has none"), "{said}");
}
