//! Several species of cells: one world on every engine, and a ledger for each species that balances in every step.
//! Names and order have no effect. Meals by hand, and wrong presets.

use crate::support::adapter;
use crate::support::command::Folder;
use crate::support::wrong_presets::check_message;
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu::Options;
use murmuration_core::error::Failure;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::look::colour_vector;
use murmuration_core::numbers::{BOID, ONE, pack, unpack};
use murmuration_core::preset::mixture::mixed;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Account, EngineChoice, Input, Simulation};
use murmuration_core::state::{Entry, Layer, State, Swarm, Unit};

/// A world with everything: meetings of every kind, meals, two species that eat one, walls, solids, jaws and wandering.
pub const BUSY: &str = r#"
description = "three species in a small world"
seed = 5
[world]
size = [44, 31]
edges = "walls"
margin = 4
capacity = 40
[[world.solid]]
circle = { at = [0.4, 0.6], radius = 0.1 }
[start]
boids = 1500
headings = "random"
speed = 0.5
[hunter]
at = [0.7, 0.3]
reach = 8
jaws = 3
[sight.cohesion]
disc = 4
[sight.separation]
disc = 2
[sight.alignment]
box = 2
[sight.far]
rings = { directions = 8, radii = [2, 5] }
[weights]
cohesion = 0.3
separation = 0.1
alignment = 0.4
walls = 0.3
hunter = 0.8
[movement]
keep = 0.9
max = 0.9
wander = 0.02
[look]
style = "cloud"

[[species]]
name = "rock"
colour = 0.1
seed = 11
[species.meets.scissors]
kind = "follow"
weight = 0.7
sight = "far"
eats = 0.3
[species.meets.paper]
kind = "flee"
weight = 0.4

[[species]]
name = "paper"
seed = 7
boids = 900
[species.weights]
cohesion = -0.1
[species.movement]
max = 0.5
wander = 0.0
[species.meets.rock]
kind = "align"
eats = 0.25
[species.meets.scissors]
eats = 0.6

[[species]]
name = "scissors"
colour = 0.8
seed = 9
boids = 2100
[species.start]
shape = "blobs"
count = 3
radius = 0.25
[species.sight.cohesion]
box = 3
[species.separation]
crowd = 3.0
[species.meets.paper]
kind = "follow"
sight = "separation"
weight = -0.5
eats = 0.02
"#;

pub fn preset(text: &str, set: &[&str]) -> Preset {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    Preset::from_text(murmuration::host(), "mine.toml", text, &Overrides { set, ..Overrides::default() })
        .unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// [`BUSY`] with a third axis.
pub fn deep() -> String {
    let text = BUSY.replace("size = [44, 31]", "size = [19, 17, 14]").replace("disc = ", "ball = ");
    text.replace("rings = { directions = 8, radii = [2, 5] }", "directions = { directions = 14, radii = [2, 3] }")
        .replace("margin = 4", "margin = 3")
        .replace("style = \"cloud\"", "style = \"projection\"")
}

pub fn cpu(threads: usize, instruction_set: Option<InstructionSet>) -> EngineChoice {
    EngineChoice::Cpu(Options { threads: Some(threads), instruction_set })
}

pub fn begun(preset: Preset, chain: &str, choice: EngineChoice) -> Simulation {
    let chain = Chain::load(murmuration::host().as_ref(), chain).unwrap();
    Simulation::new(preset, &chain, choice).unwrap_or_else(|failure| panic!("{failure}"))
}

pub fn state(simulation: &mut Simulation) -> State {
    match simulation.swarm().unwrap() {
        Swarm::Cells(state) => state,
        Swarm::Individuals(..) => unreachable!("it is a lattice"),
    }
}

/// Compares the ledger of each species with the sum of its density. Returns the account.
fn balanced(simulation: &mut Simulation) -> Account {
    let (state, account) = (state(simulation), simulation.account().unwrap());
    let step = simulation.step();
    assert_eq!(account.ledger[Entry::Present], state.totals(), "step {step}");
    for species in 0..8 {
        assert_eq!(account.ledger.lost_of(Unit::Quanta, species), 0, "step {step}, species {species}");
    }
    assert_eq!(account.ledger.sum(Entry::Fed), account.ledger.sum(Entry::Prey), "step {step}: what is eaten is born");
    assert_eq!((account.lost, account.quanta), (0, state.total()), "step {step}");
    account
}

/// The hash after each step, and the account at the end.
pub fn hashes(mut simulation: Simulation, steps: usize) -> (Vec<String>, Account) {
    let step = |simulation: &mut Simulation| {
        simulation.advance(1).unwrap();
        balanced(simulation);
        simulation.state_hash().unwrap()
    };
    let hashes = (0..steps).map(|_| step(&mut simulation)).collect();
    (hashes, simulation.account().unwrap())
}

#[test]
fn species_are_the_same_on_every_engine_and_balance_in_every_step() {
    let gpu = adapter::shared("species on the GPU");
    for (text, chains, steps) in
        [(BUSY.to_string(), ["cell-fast", "cell"], 24), (deep(), ["cell-fast", "cell-deep"], 9)]
    {
        for edges in ["walls", "torus"] {
            let of = || preset(&text, &[&format!("world.edges={edges}")]);
            let (expected, account) = hashes(begun(of(), "cell-fast", cpu(1, Some(InstructionSet::Portable))), steps);
            for index in 0..3 {
                let [fed, prey] = [Entry::Fed, Entry::Prey].map(|entry| account.ledger[entry][index]);
                assert!(fed > 0 && prey > 0, "species {index} takes part: {fed}, {prey}");
            }
            assert!(account.ledger.sum(Entry::Caught) > 0, "nobody is caught");
            let mut others = vec![cpu(2, None), cpu(4, Some(InstructionSet::widest()))];
            if gpu.is_some() {
                others.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [8, 4] }));
                others.push(EngineChoice::Gpu(Dispatch::Fragment));
            }
            for choice in others {
                let played = hashes(begun(of(), "cell-fast", choice), steps);
                assert_eq!(played.0, expected, "{choice:?}, {edges}");
                assert_eq!(played.1, account, "{choice:?}, {edges}");
            }
            assert_eq!(hashes(begun(of(), chains[1], cpu(2, None)), steps), (expected, account), "{}", chains[1]);
        }
    }
}

#[test]
fn names_and_order_matter_nowhere() {
    let (head, tables) = BUSY.split_once("[[species]]").unwrap();
    let tables: Vec<&str> = tables.split("[[species]]").collect();
    let reordered = format!("{head}[[species]]{}[[species]]{}[[species]]{}", tables[2], tables[0], tables[1]);
    let renamed = BUSY.replace("rock", "zebra").replace("paper", "a").replace("scissors", "m-1");
    let of = |text: &str| hashes(begun(preset(text, &[]), "cell-fast", cpu(2, None)), 12);
    let expected = of(BUSY);
    assert_eq!(of(&reordered), expected);
    assert_eq!(of(&renamed), expected);
    assert_ne!(of(&BUSY.replace("seed = 7\n", "seed = 8\n")).0, expected.0, "the seed matters");
    assert_ne!(of(&BUSY.replace("seed = 5", "seed = 6")).0, expected.0, "so does the preset's");
}

#[test]
fn one_species_is_the_preset_without_tables() {
    let (head, _) = BUSY.split_once("[[species]]").unwrap();
    let plain = head.replace("seed = 5", "seed = 77");
    let one = format!("{}[[species]]\nname = \"all\"\nseed = 77\n", head.replace("seed = 5\n", ""));
    let [mut plain, mut one] = [plain, one].map(|text| begun(preset(&text, &[]), "cell-fast", cpu(2, None)));
    assert_eq!(plain.plan(), one.plan());
    for _ in 0..10 {
        plain.advance(1).unwrap();
        one.advance(1).unwrap();
        assert_eq!(plain.state_hash().unwrap(), one.state_hash().unwrap());
        assert_eq!(plain.account().unwrap(), one.account().unwrap());
    }
}

/// A state of a square flat world with the axes x and y exchanged.
fn transposed(state: &State) -> State {
    let width = state.extents.width as usize;
    let turned = |cells: &[u32], turn: fn(u32) -> u32| -> Vec<u32> {
        (0..cells.len()).map(|index| turn(cells[index % width * width + index / width])).collect()
    };
    let swapped = |word: u32| {
        let [x, y] = unpack(word);
        pack([y, x])
    };
    let layers = state.layers.iter().map(|layer| Layer {
        density: turned(&layer.density, |quanta| quanta),
        control: turned(&layer.control, swapped),
    });
    State { layers: layers.collect(), ..state.clone() }
}

#[test]
fn a_turned_world_is_a_turned_world() {
    let text = BUSY.replace("size = [44, 31]", "size = [30, 30]").replace("at = [0.7, 0.3]", "at = [0.3, 0.3]");
    let text = text.replace("at = [0.4, 0.6]", "at = [0.6, 0.6]");
    let [mut plain, mut turned] = [(); 2].map(|()| begun(preset(&text, &[]), "cell-fast", cpu(1, None)));
    let start = state(&mut plain);
    turned.put_back(&Swarm::Cells(transposed(&start))).unwrap();
    for step in 0..12 {
        plain.advance(1).unwrap();
        turned.advance(1).unwrap();
        assert!(transposed(&state(&mut plain)) == state(&mut turned), "step {step}");
    }
}

/// Nothing moves, and species only eat.
const AT_REST: &str = r#"
description = "species at rest"
[world]
size = [20, 12]
capacity = 30
[start]
boids = 0
[sight.cohesion]
disc = 2
[sight.separation]
disc = 1
[sight.alignment]
disc = 1
[look]
style = "cloud"
[[species]]
name = "hawk"
seed = 1
meets.dove.eats = 1.0
[[species]]
name = "dove"
seed = 2
"#;

/// A swarm at rest with given quanta of each species in every cell.
fn even(extents: murmuration_core::world::Extents, quanta: &[u32]) -> State {
    let layer = |quanta: &u32| Layer { density: vec![*quanta; extents.cells()], ..Layer::empty(extents) };
    State::new(extents, quanta.iter().map(layer).collect())
}

/// The quanta of each species in each cell after a step, equal on every engine.
fn after_a_step(text: &str, quanta: &[u32]) -> Vec<u32> {
    let mut choices = vec![cpu(2, None)];
    if adapter::shared("meals on the GPU").is_some() {
        choices.push(EngineChoice::Gpu(Dispatch::default()));
    }
    let mut seen: Option<Vec<u32>> = None;
    for choice in choices {
        let mut simulation = begun(preset(text, &[]), "cell-fast", choice);
        let extents = simulation.preset().world.extents;
        simulation.put_back(&Swarm::Cells(even(extents, quanta))).unwrap();
        simulation.advance(1).unwrap();
        let state = state(&mut simulation);
        let now = (0..quanta.len()).map(|species| {
            let density = &state.layers[species].density;
            assert!(density.iter().all(|cell| *cell == density[0]), "an even swarm stays even");
            density[0]
        });
        let now: Vec<u32> = now.collect();
        let ledger = simulation.account().unwrap().ledger;
        for species in 0..quanta.len() {
            let [born, eaten] = [Entry::Fed, Entry::Prey].map(|entry| ledger[entry][species] / extents.cells() as u64);
            assert_eq!(u64::from(now[species]) + eaten, u64::from(quanta[species]) + born);
        }
        assert_eq!(seen.get_or_insert_with(|| now.clone()), &now, "{choice:?}");
    }
    seen.unwrap()
}

#[test]
fn meals_are_shared_as_the_design_says() {
    // The whole prey is eaten in one step.
    assert_eq!(after_a_step(AT_REST, &[2 * BOID, BOID]), [3 * BOID, 0]);
    // A few predators cannot eat many prey.
    assert_eq!(after_a_step(AT_REST, &[BOID, 5 * BOID + 3]), [2 * BOID, 4 * BOID + 3]);
    // The cell has no room for more.
    assert_eq!(after_a_step(AT_REST, &[29 * BOID, 7 * BOID]), [30 * BOID, 6 * BOID]);
    assert_eq!(after_a_step(AT_REST, &[30 * BOID, 7 * BOID]), [30 * BOID, 7 * BOID]);
    // Two predators of one prey get shares of the prey before the step, whatever their order.
    let third = "[[species]]\nname = \"crow\"\nseed = SEED\nmeets.dove.eats = 0.75\n";
    let two = AT_REST.replace("eats = 1.0", "eats = 0.25") + third;
    let [last, first] = ["3", "0"].map(|seed| two.replace("SEED", seed));
    assert_eq!(after_a_step(&last, &[9 * BOID, 8 * BOID, 10 * BOID]), [11 * BOID, 0, 16 * BOID]);
    assert_eq!(after_a_step(&first, &[10 * BOID, 9 * BOID, 8 * BOID]), [16 * BOID, 11 * BOID, 0]);
    // Each eats the other. Both meals count from the amounts before the step.
    let both = AT_REST.to_string() + "meets.hawk.eats = 0.5\n";
    assert_eq!(after_a_step(&both, &[4 * BOID, 6 * BOID]), [6 * BOID, 4 * BOID]);
    // A rate is rounded down to 1/16384, and a meal to quanta.
    let slow = AT_REST.replace("eats = 1.0", "eats = 0.0001");
    assert_eq!(after_a_step(&slow, &[BOID, 8191]), [BOID, 8191]);
    assert_eq!(after_a_step(&slow, &[BOID, 8192]), [BOID + 1, 8191]);
}

#[test]
fn species_are_saved_resumed_undone_and_replayed() {
    let mut whole = begun(preset(BUSY, &[]), "cell-fast", cpu(2, None));
    whole.advance(10).unwrap();
    let saved = whole.read(CheckpointReading).unwrap().to_bytes();
    let read = Checkpoint::from_bytes(&saved).unwrap();
    let mut resumed = Simulation::resume(murmuration::host(), read, cpu(1, None)).unwrap();
    whole.advance(10).unwrap();
    resumed.advance(10).unwrap();
    assert_eq!(whole.state_hash().unwrap(), resumed.state_hash().unwrap());
    assert_eq!(balanced(&mut whole), balanced(&mut resumed));
    // A brush adds boids of one species, another brush removes boids of all. An undo reverts both.
    let (hash, before) = (whole.state_hash().unwrap(), balanced(&mut whole));
    whole.apply(Input::Stroke).unwrap();
    let place = |text| serde_json::from_str(text).unwrap();
    whole.apply(Input::Spawn { at: place("[8, 8]"), radius: 3, boids: 40 }).unwrap();
    whole.apply(Input::Lift { at: place("[30, 20]"), radius: 12 }).unwrap();
    let after = balanced(&mut whole);
    assert_eq!(after.ledger.sum(Entry::Spawned), 40 * u64::from(BOID));
    for species in 0..3 {
        let [now, then] = [after, before].map(|account| account.ledger[Entry::Caught][species]);
        assert!(now > then, "species {species} is lifted");
    }
    whole.advance(6).unwrap();
    balanced(&mut whole);
    whole.apply(Input::Undo).unwrap();
    assert_eq!(whole.state_hash().unwrap(), hash);
    assert_eq!(balanced(&mut whole), before);
    // Numbers and meetings change during the run.
    for (key, value) in [("species[0].meets.scissors.eats", "0.1"), ("species[1].weights.cohesion", "0.5")] {
        whole.apply(Input::Set { key: key.into(), value: value.into() }).unwrap();
        whole.advance(3).unwrap();
        balanced(&mut whole);
    }
    let (hash, record) = (whole.state_hash().unwrap(), whole.read(ReplayReading).unwrap());
    let mut again = record.play(murmuration::host(), cpu(1, None)).unwrap();
    assert_eq!(again.state_hash().unwrap(), hash);
    // The checkpoint of other species is refused.
    let end = saved.len() - 32;
    let text = String::from_utf8_lossy(&saved[16..]).into_owned();
    assert!(text.contains("\"species\":3") && text.contains("\"Prey\":["), "the header has the ledgers");
    let mut cut = saved[..end - 4].to_vec();
    let hash = *blake3::hash(&cut).as_bytes();
    cut.extend(hash);
    assert_eq!(Checkpoint::from_bytes(&cut).unwrap_err(), "has not as many cells as its header says");
}

#[test]
fn what_matters_at_the_start_is_refused_under_way_and_kept_where_a_preset_is_saved() {
    let mut simulation = begun(preset(BUSY, &[]), "cell-fast", cpu(1, None));
    for (key, value) in [("species[0].boids", "5"), ("species[1].seed", "70"), ("species", "[]")] {
        let refused = simulation.apply(Input::Set { key: key.into(), value: value.into() });
        assert!(refused.unwrap_err().to_string().contains("matters only at the start"), "{key}");
    }
    let overrides = Overrides { size: Some((30, 22)), seed: Some(3), ..Overrides::default() };
    let smaller = Preset::from_text(murmuration::host(), "mine.toml", BUSY, &overrides).unwrap();
    let text = smaller.as_text("cell-fast", Folder::new().path(), None).unwrap();
    let again = preset(&text, &[]);
    assert!(smaller.start().unwrap() == again.start().unwrap(), "it begins elsewhere:\n{text}");
    assert_eq!(smaller.species, again.species);
    let checked = Folder::new();
    checked.write("mine.toml", BUSY);
    checked.run(&["check", "mine.toml"]).succeeded();
}

#[test]
fn a_lost_device_costs_no_species_anything() {
    if adapter::shared("a lost device with species").is_none() {
        return;
    }
    let expected = hashes(begun(preset(BUSY, &[]), "cell-fast", cpu(1, None)), 20);
    // The device is lost here, so no other test may use it.
    let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
    let busy = Preset::from_text(&own_devices, "mine.toml", BUSY, &Overrides::default()).unwrap();
    let mut simulation = begun(busy, "cell-fast", EngineChoice::Gpu(Dispatch::default()));
    simulation.advance(12).unwrap();
    simulation.gpu().unwrap().lose();
    simulation.advance(8).unwrap();
    assert_eq!(simulation.state_hash().unwrap(), expected.0[19]);
    assert_eq!(simulation.account().unwrap().ledger, expected.1.ledger);
    // The other engine continues from the present state.
    simulation.switch(cpu(2, None)).unwrap();
    assert_eq!(balanced(&mut simulation), expected.1);
}

#[test]
fn a_mixture_has_the_boids_of_all_and_the_colours_of_each() {
    let preset = preset(AT_REST, &["species[0].colour=0.25", "species[1].colour=0.75"]);
    let mut state = even(preset.world.extents, &[BOID, 0]);
    state.layers[1].density[..40].fill(3 * BOID);
    let mixture = mixed(&state, &preset.species);
    assert_eq!((mixture.layers[0].density[0], mixture.layers[0].density[40]), (4 * BOID, BOID));
    let vectors = [0, 40].map(|cell| unpack(mixture.layers[0].control[cell]));
    assert_eq!(vectors, [[0, -ONE / 2], [0, ONE]]);
    assert_eq!([0.0, 0.5].map(colour_vector), [[ONE, 0], [-ONE, 0]]);
    assert_eq!(state.merged().layers[0].density, mixture.layers[0].density);
}

#[test]
fn a_device_mixes_species_as_the_cpu_does() {
    if adapter::shared("species in pictures").is_none() {
        return;
    }
    for text in [BUSY.to_string(), deep()] {
        let mut simulation = begun(preset(&text, &[]), "cell-fast", EngineChoice::Gpu(Dispatch::default()));
        simulation.advance(5).unwrap();
        let gpu = murmuration_gpu::look::on_device(&simulation).unwrap().gpu.clone();
        let source = murmuration_gpu::look::SwarmSource::new(&mut simulation, Some(&gpu)).unwrap();
        assert!(source.state().is_none(), "it is drawn where it is");
        let drawn = source.request_state().unwrap().wait().unwrap();
        let state = state(&mut simulation);
        let expected = mixed(&state, &simulation.preset().species);
        assert_eq!(drawn.layers[0].density, expected.layers[0].density);
        for (one, other) in drawn.layers[0].control.iter().zip(&expected.layers[0].control) {
            let [one, other] = [*one, *other].map(unpack);
            // Floats may differ between engines.
            assert!((0..2).all(|axis| (one[axis] - other[axis]).abs() <= 1), "{one:?} {other:?}");
        }
    }
}

#[test]
fn a_run_tells_the_ledger_of_each_species() {
    let folder = Folder::new();
    folder.write("mine.toml", BUSY);
    let arguments = ["render", "mine.toml", "--steps", "30", "--every", "10", "--metrics", "m.csv", "--out", "out"];
    let run = folder.run(&[&arguments[..], &["--engine", "cpu", "--json"]].concat());
    assert_eq!(run.status, Some(0), "{}", run.err);
    let object: serde_json::Value = serde_json::from_str(run.out.trim()).unwrap();
    let species = object["species"].as_array().unwrap();
    let number = |own: &serde_json::Value, key: &str| own[key].as_i64().unwrap();
    assert_eq!(
        species.iter().map(|own| own["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["paper", "scissors", "rock"]
    );
    for own in species {
        let balance = number(own, "quanta_start") + number(own, "spawned") + number(own, "born")
            - number(own, "eaten")
            - number(own, "caught");
        assert_eq!((balance, number(own, "lost")), (number(own, "quanta_end"), 0), "{own}");
    }
    assert_eq!(
        species.iter().map(|own| number(own, "quanta_end")).sum::<i64>(),
        object["quanta_end"].as_i64().unwrap()
    );
    let table = std::fs::read_to_string(folder.join("m.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let end = ["quanta", "spawned", "born", "eaten", "caught", "starved", "refused"];
    let columns: Vec<String> =
        ["paper", "scissors", "rock"].iter().flat_map(|name| end.map(|column| format!("{name}.{column}"))).collect();
    assert_eq!(rows[0][rows[0].len() - 21..], columns);
    assert_eq!((rows.len(), rows[4].len()), (5, rows[0].len()));
    assert_eq!(rows[4][rows[0].len() - 21], species[0]["quanta_end"].to_string());
    let last = folder.names().into_iter().filter(|name| name.ends_with("000030.png")).count();
    assert_eq!(last, 1, "there is a picture");
}

/// The chase continues in a small world, and no species dies out.
#[test]
fn three_goes_on() {
    for seed in 0..2 {
        let overrides = Overrides { size: Some((80, 80)), seed: Some(seed), ..Overrides::default() };
        let preset = Preset::load(murmuration::host(), "three", &overrides).unwrap();
        let mut simulation = begun(preset, "cell-fast", cpu(2, None));
        let mut before: Option<[u64; 8]> = None;
        for _ in 0..4 {
            simulation.advance(150).unwrap();
            let account = balanced(&mut simulation);
            let species = account.ledger[Entry::Present];
            let least = species[..3].iter().min().unwrap();
            assert!(20 * least > account.quanta, "seed {seed}: {species:?}");
            assert_ne!(before.replace(species), Some(species), "nobody eats any more");
        }
    }
}

#[test]
fn presets_with_wrong_species_are_refused() {
    let rock = "name = \"rock\"";
    let nine: String = (0..9).map(|index| format!("[[species]]\nname = \"s{index}\"\nseed = {index}\n")).collect();
    let (head, _) = BUSY.split_once("[[species]]").unwrap();
    let nine = format!("{head}{nine}");
    let mut accepted = Vec::new();
    for (old, new, problem) in [
        (rock, "", "species[0].name: \"\" cannot be a name"),
        (rock, "name = \"\"", "species[0].name: \"\" cannot be a name"),
        (rock, "name = \"a b\"", "species[0].name: \"a b\" cannot be a name"),
        (rock, "name = \"#N/A\"", "species[0].name: \"#N/A\" cannot be a name"),
        (rock, "name = \"<NA>\"", "species[0].name: \"<NA>\" cannot be a name"),
        (rock, "name = \"NA\"", "species[0].name: \"NA\" is a missing value to readers of tables; call it otherwise"),
        (rock, "name = \"NaN\"", "species[0].name: \"NaN\" is a missing value to readers of tables"),
        (rock, "name = \"-nan\"", "species[0].name: \"-nan\" is a missing value to readers of tables"),
        (rock, "name = \"NULL\"", "species[0].name: \"NULL\" is a missing value to readers of tables"),
        (rock, "name = \"null\"", "species[0].name: \"null\" is a missing value to readers of tables"),
        (rock, "name = \"None\"", "species[0].name: \"None\" is a missing value to readers of tables"),
        (rock, "name = \"scissors\"", "species[2].name: \"scissors\" is the name of another"),
        (rock, "name = 3", "species[0].name: invalid type"),
        (rock, "nmae = \"rock\"", "unknown key `nmae`"),
        ("seed = 11", "", "species[0].seed: is missing"),
        ("seed = 11", "seed = 9", "species[2].seed: 9 is the seed of another"),
        ("seed = 11", "seed = -1", "species[0].seed: -1 is out of bounds"),
        ("seed = 11", "seed = 1.5", "species[0].seed: invalid type"),
        ("colour = 0.1", "colour = 1.1", "species[0].colour: 1.1 is out of bounds"),
        ("colour = 0.1", "colour = \"red\"", "species[0].colour: invalid type"),
        ("boids = 900", "boids = -900", "species[1].boids: -900 is out of bounds"),
        ("boids = 900", "boids = 900000000", "species[1].boids: 900000000 boids do not fit"),
        ("max = 0.5", "max = 2.5", "species[1].movement.max: 2.5 is out of bounds"),
        ("max = 0.5", "max = 0.0", "species[1].movement.max: nothing could move"),
        ("max = 0.5", "cruise = 0.95", "species[1].movement.cruise: is above movement.max"),
        ("wander = 0.0\n", "wander = 0.2\n", "species[1].movement.wander: 0.2 is out of bounds"),
        ("cohesion = -0.1", "cohesion = 33.0", "species[1].weights.cohesion: 33 is out of bounds"),
        ("cohesion = -0.1", "adhesion = 0.1", "adhesion"),
        ("crowd = 3.0", "crowd = 0.0", "species[2].separation.crowd"),
        (
            "kind = \"follow\"\nweight = 0.7",
            "kind = \"chase\"\nweight = 0.7",
            "meets.scissors.kind: unknown value `chase`",
        ),
        ("weight = 0.7", "weight = 40.0", "species[0].meets.scissors.weight: 40 is out of bounds"),
        ("sight = \"far\"", "sight = \"near\"", "species[0].meets.scissors.sight: there is no sight \"near\""),
        ("eats = 0.3", "eats = 1.3", "species[0].meets.scissors.eats: 1.3 is out of bounds"),
        ("eats = 0.3", "eats = -0.3", "species[0].meets.scissors.eats: -0.3 is out of bounds"),
        ("eats = 0.3", "eats = 0.5", "species[2].name: others eat 1.0999755859375 of scissors"),
        ("eats = 0.25", "eats = 0.5", "species[1].meets: paper eats 1.0999755859375"),
        ("eats = 0.3", "eat = 0.3", "unknown key `eat`"),
        ("box = 3\n", "box = 0\n", "species[2].sight.cohesion.box: 0 is out of bounds"),
        ("shape = \"blobs\"\ncount = 3", "shape = \"blbs\"", "species[2].start.shape: unknown value `blbs`"),
        ("[species.start]\n", "[species.start]\nrun_in = 3\n", "unknown key `run_in`"),
        ("meets.scissors]\nkind", "meets.lizard]\nkind", "species[0].meets.lizard: there is no species of this name"),
        ("meets.scissors]\nkind", "meets.rock]\nkind", "species[0].meets.rock: is the species itself"),
        ("kind = \"align\"\n", "weight = 1.0\n", "species[1].meets.rock.weight: means nothing"),
        (
            "style = \"cloud\"",
            "style = \"cloud\"\ncolour = \"speed\"",
            "look.colour: species have colours of their own",
        ),
        ("colour = 0.1", "most = 9", "species[0].most: means nothing"),
        ("colour = 0.1", "grazes = false", "species[0].grazes: means nothing"),
        ("eats = 0.02", "jaws = 2.0", "species[2].meets.paper.jaws: means nothing"),
        ("description = ", "model = \"agents\"\ndescription = ", "agents.rules: is missing"),
        (BUSY, &nine, "species: are 9"),
    ] {
        assert!(BUSY.contains(old), "{old}");
        let text = BUSY.replacen(old, new, 1);
        let read = Preset::from_text(murmuration::host(), "mine.toml", &text, &Overrides::default());
        let message = match read {
            Err(wrong) => wrong.to_string(),
            // A rule that the chain lacks is detected in the plan.
            Ok(preset) => {
                let chain = Chain::load(murmuration::host().as_ref(), "cell-fast").unwrap();
                match Simulation::new(preset, &chain, cpu(1, None)) {
                    Err(Failure::BadInput(wrong)) => wrong.to_string(),
                    _ => "is accepted".to_string(),
                }
            }
        };
        accepted.extend(check_message(&text, &message, problem).err().map(|lack| format!("{new}: {lack}")));
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
}
