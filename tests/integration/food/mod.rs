//! Food: one state on every engine, a ledger that balances in every step, meals against a plain reference, brushes,
//! checkpoints, and wrong presets.

mod picture;

use crate::support::corrupt_files::with_header;
use crate::support::wrong_presets::check_message;
use crate::support::{adapter, is_played};
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::food::directions::FoodDirections;
use murmuration_core::food::{Appetite, Eater, FOOD, FoodLattice, FoodRules, MAX_FOOD, Patch};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::lives::{FULL, Life};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::{EngineChoice, Input, Simulation, WORKGROUP};
use murmuration_core::state::{Entry, Individuals, Swarm, Unit};
use murmuration_core::world::{Edges, Place, Space};
use serde_json::json;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lives in which much is eaten within about sixty steps.
const QUICK: [&str; 8] = [
    "start.boids=260",
    "lives.dna.appetite=[10, 30]",
    "lives.starvation=60",
    "lives.perishing=9",
    "food.growth=30",
    "food.most=0.4",
    "food.bite=0.06",
    "food.forage=0.1",
];

fn feeding(size: Option<(u32, u32)>, set: &[&str]) -> Preset {
    let set = QUICK.iter().chain(set).map(|setting| (*setting).to_owned()).collect();
    Preset::load(murmuration::host(), "feeding", &Overrides { size, set, ..Overrides::default() }).unwrap()
}

fn on_cpu(threads: usize, instruction_set: Option<InstructionSet>) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set })
}

fn simulation(preset: Preset, chain: &str, choice: EngineChoice) -> Simulation {
    let chain = Chain::load(murmuration::host().as_ref(), chain).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

/// The individuals, and the food in each cell of food.
fn individuals(simulation: &mut Simulation) -> (Individuals, Vec<u32>) {
    match simulation.swarm().unwrap() {
        Swarm::Individuals(individuals, columns) => (individuals, columns.words(&FOOD).to_vec()),
        Swarm::Cells(_) => unreachable!("they are individuals"),
    }
}

/// Plays a step, and checks both ledgers. Returns the hash.
fn follow(simulation: &mut Simulation) -> String {
    simulation.advance(1).unwrap();
    let account = simulation.account().unwrap();
    assert_eq!(
        (account.lost, account.ledger.lost(Unit::Food), account.ledger.lost(Unit::Energy)),
        (0, 0, 0),
        "step {}",
        account.step
    );
    simulation.state_hash().unwrap()
}

fn worlds() -> Vec<(&'static str, Preset)> {
    let flat = Some((96, 64));
    let deep = ["world.size=[40, 33, 26]", "food.radius=14", "food.cell=3"];
    vec![
        ("patches on a torus", feeding(flat, &[])),
        (
            "everywhere within walls",
            feeding(flat, &["world.edges=walls", "food.pattern=even", "food.cell=5", "food.start=0.2"]),
        ),
        ("hunted, all are born again", feeding(flat, &["lives.rebirth=all", "lives.mutation=0.1", "food.cell=1"])),
        ("a deep torus, nobody is born again", feeding(None, &[&deep[..], &["lives.rebirth=none"]].concat())),
        // Its food has one layer.
        (
            "a deep torus, food in one layer",
            feeding(None, &["world.size=[40, 33, 4]", "food.radius=14", "food.cell=4", "food.forage=1"]),
        ),
        ("fish within walls", feeding(None, &[&deep[..], &["world.edges=walls", "agents.rules=school"]].concat())),
    ]
}

#[test]
fn food_is_the_same_on_every_engine_and_balances_in_every_step() {
    let has_gpu = adapter::shared("food on the GPU").is_some();
    for (_, (name, preset)) in worlds().into_iter().enumerate().filter(|(index, _)| is_played(*index, 2)) {
        let mut first = simulation(preset.clone(), "agents-grid", on_cpu(1, None));
        let expected: Vec<String> = (0..60).map(|_| follow(&mut first)).collect();
        let ledger = first.account().unwrap().ledger;
        assert!(ledger.sum(Entry::FoodGrazed) > 0 && ledger.sum(Entry::FoodGrown) > 0, "{name}: {ledger:?}");
        let others = [
            ("agents-brute", on_cpu(1, None)),
            ("agents-octree", on_cpu(2, None)),
            ("agents-grid", on_cpu(3, Some(InstructionSet::Portable))),
        ];
        for (chain, choice) in others {
            let mut other = simulation(preset.clone(), chain, choice);
            let found: Vec<String> = (0..60).map(|_| follow(&mut other)).collect();
            assert_eq!(found, expected, "{name}: {chain}");
            assert_eq!(other.account().unwrap().ledger, ledger, "{name}: {chain}");
        }
        if !has_gpu {
            continue;
        }
        for chain in ["agents-grid", "agents-brute"] {
            let choice = EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP });
            let mut other = simulation(preset.clone(), chain, choice);
            for part in 0..4 {
                other.advance(15).unwrap();
                let account = other.account().unwrap();
                assert_eq!((account.lost, account.ledger.lost(Unit::Food)), (0, 0), "{name} on the GPU");
                assert_eq!(other.state_hash().unwrap(), expected[15 * part + 14], "{name}: {chain} on the GPU");
            }
            assert_eq!(other.account().unwrap().ledger, ledger, "{name}: {chain} on the GPU");
        }
    }
}

/// The food after a step from the swarm before it, by independent code.
fn food_after(
    (before, food): &(Individuals, Vec<u32>),
    lattice: &FoodLattice,
    [most_bite, growth]: [u32; 2],
) -> Vec<u32> {
    let mut eaters: BTreeMap<usize, u32> = BTreeMap::new();
    let [width, height, _] = lattice.extents.map(|extent| extent as usize);
    for index in 0..before.len() {
        let life = Life::from_words(before.life(index).unwrap());
        if life.perishing == 0 && u32::from(life.hunger) >= most_bite {
            let place = before.position(index);
            let [x, y, z] = [0, 1, 2].map(|axis| ((place[axis] / 65_536) as u32 / lattice.size[axis]) as usize);
            *eaters.entry(x + width * (y + height * z)).or_default() += 1;
        }
    }
    let cells = food.iter().zip(&lattice.capacities).enumerate();
    cells
        .map(|(index, (food, capacity))| {
            let eaten = eaters.get(&index).map_or(0, |count| count * most_bite.min(food / count));
            let left = food - eaten;
            if left < *capacity { (left + growth).min(*capacity) } else { left }
        })
        .collect()
}

#[test]
fn what_is_eaten_is_that_of_a_plain_reference() {
    for (name, preset) in worlds() {
        let lattice = preset.features.named("food").unwrap().clone() as Arc<dyn Any>;
        let lattice = lattice.downcast_ref::<FoodLattice>().unwrap();
        let FoodRules { bite, growth, .. } = preset.individuals.as_ref().unwrap().first().food;
        let mut simulation = simulation(preset, "agents-grid", on_cpu(1, None));
        for step in 0..40 {
            let before = individuals(&mut simulation);
            simulation.advance(1).unwrap();
            let (_, now) = individuals(&mut simulation);
            // No hunter has open jaws in these worlds, so all individuals eat.
            assert_eq!(now, food_after(&before, lattice, [bite as u32, growth as u32]), "{name}, step {step}");
        }
    }
}

#[test]
fn all_in_a_cell_have_the_same_share_and_never_more_than_there_is() {
    let space = Space { extents: [16, 16, 1], edges: Edges::Torus };
    let lattice = FoodLattice::new(space, 4, 1000, &[], |_| false);
    let rules = FoodRules { bite: 100, growth: 7, forage: 0 };
    let eater =
        |place, hunger| Eater { place, hunger, appetite: Appetite { least_hunger: rules.bite, forage: rules.forage } };
    for (food, eaters, share) in [(1000, 3, 100), (299, 3, 99), (2, 3, 0), (0, 1, 0), (99, 1, 99)] {
        let mut all = vec![0; 16];
        let mut here = vec![0; 16];
        (all[0], here[0]) = (food, eaters);
        let directions = FoodDirections::new(&lattice, &all, InstructionSet::Portable);
        let meal = lattice.meal(&all, &here, &directions, rules.bite, &eater([0; 3], 65_535));
        assert_eq!(meal.share, share);
        // An individual whose hunger is smaller than a bite eats nothing.
        assert_eq!(lattice.meal(&all, &here, &directions, rules.bite, &eater([0; 3], 99)).share, 0);
        let [grown, eaten] = lattice.grow(&mut all, &here, rules.bite, rules.growth);
        assert_eq!(
            (eaten, grown),
            ((share * eaters as i32) as u64, 7 * 15 + u64::from(7.min(1000 - (food - eaten as u32))))
        );
        assert_eq!(u64::from(all[0]) + eaten, u64::from(food) + grown - 7 * 15);
    }
}

/// The pull of food on an eater in a lattice of 16 cells.
fn pull_of(lattice: &FoodLattice, food: &[u32], eater: &Eater) -> [i32; 3] {
    let directions = FoodDirections::new(lattice, food, InstructionSet::Portable);
    lattice.meal(food, &[0; 16], &directions, 100, eater).pull
}

#[test]
fn food_draws_the_hungry_to_where_there_is_more() {
    let space = Space { extents: [16, 16, 1], edges: Edges::Torus };
    let lattice = FoodLattice::new(space, 4, 1 << 20, &[], |_| false);
    let rules = FoodRules { bite: 100, growth: 0, forage: 8192 };
    let eater =
        |place, hunger| Eater { place, hunger, appetite: Appetite { least_hunger: rules.bite, forage: rules.forage } };
    let pull = |cell: usize, hunger: i32| {
        let mut food = vec![0; 16];
        food[cell] = 1 << 20;
        pull_of(&lattice, &food, &eater([1 << 16, 1 << 16, 0], hunger))
    };
    assert_eq!(pull(1, FULL), [8191, 0, 0]);
    assert_eq!(pull(3, FULL), [-8191, 0, 0], "over the edge of the torus");
    assert_eq!(pull(4, FULL), [0, 8191, 0]);
    let [x, y, _] = pull(15, FULL);
    assert!(x == y && (x + 5792).abs() < 3, "{x} {y}");
    assert_eq!(pull(1, FULL / 2), [4095, 0, 0]);
    assert_eq!((pull(1, 0), pull(10, FULL)), ([0; 3], [0; 3]));
    // Behind a wall there is no food.
    let walls = FoodLattice::new(Space { edges: Edges::Walls, ..space }, 4, 1 << 20, &[], |_| false);
    let mut food = vec![0; 16];
    food[3] = 1 << 20;
    assert_eq!(pull_of(&walls, &food, &eater([1 << 16, 1 << 16, 0], FULL)), [0; 3]);
}

#[test]
fn patches_are_the_fullest_in_their_middles_and_nothing_grows_in_rock() {
    let space = Space { extents: [64, 48, 1], edges: Edges::Torus };
    let patch = Patch { middle: [2, 2, 0], radius: 16 };
    let lattice = FoodLattice::new(space, 4, 1600, &[patch], |cell| cell == [6, 2, 0]);
    assert_eq!((lattice.extents, lattice.size), ([16, 12, 1], [4, 4, 1]));
    assert_eq!((lattice.capacities[0], lattice.capacities[1]), (1600, 0), "the middle, and rock");
    assert_eq!(lattice.capacities[2], 1600 * (256 - 64) / 256);
    assert_eq!(lattice.capacities[15], 1600 * (256 - 16) / 256, "over the edge");
    assert_eq!(lattice.capacities[8], 0);
}

#[test]
fn a_field_that_is_bare_starves_all_and_one_bite_may_empty_it() {
    // Everything is eaten in the first step, and nothing grows.
    let settings =
        ["food.growth=0", "food.bite=1", "food.most=0.001", "food.pattern=even", "food.cell=64", "lives.hungry=0"];
    let mut simulation = simulation(feeding(Some((96, 64)), &settings), "agents-grid", on_cpu(2, None));
    let before = simulation.account().unwrap();
    let food = before.ledger.sum(Entry::FoodPresent);
    assert!(food > 0);
    for _ in 0..200 {
        follow(&mut simulation);
    }
    let account = simulation.account().unwrap();
    assert!(
        account.ledger.sum(Entry::FoodGrazed) <= food && account.ledger.sum(Entry::Starved) / u64::from(BOID) > 260
    );
}

fn place(x: i32, y: i32) -> Place {
    serde_json::from_str(&format!("[{x}, {y}]")).unwrap()
}

#[test]
fn brushes_feed_and_remove_and_are_undone() {
    for preset in [worlds().remove(0).1, worlds().remove(3).1] {
        let mut simulation = simulation(preset, "agents-grid", on_cpu(1, None));
        simulation.advance(20).unwrap();
        let (hash, before) = (simulation.state_hash().unwrap(), simulation.account().unwrap());
        simulation.apply(Input::Stroke).unwrap();
        simulation.apply(Input::Feed { at: place(20, 20), radius: 6, food: 5000 }).unwrap();
        let fed = simulation.account().unwrap();
        let [food, more] = [Entry::FoodPresent, Entry::FoodFed].map(|entry| fed.ledger.sum(entry));
        assert!(more > 0 && food == before.ledger.sum(Entry::FoodPresent) + more && fed.ledger.lost(Unit::Food) == 0);
        simulation.apply(Input::Feed { at: place(20, 20), radius: 0, food: MAX_FOOD }).unwrap();
        assert!(individuals(&mut simulation).1.iter().all(|food| *food <= MAX_FOOD));
        simulation.apply(Input::RemoveFood { at: place(10, 20), radius: 9 }).unwrap();
        let removed = simulation.account().unwrap();
        assert!(removed.ledger.sum(Entry::FoodRemoved) > 0 && removed.ledger.lost(Unit::Food) == 0);
        for _ in 0..10 {
            follow(&mut simulation);
        }
        simulation.apply(Input::Undo).unwrap();
        assert_eq!((simulation.state_hash().unwrap(), simulation.account().unwrap()), (hash, before));
        let too_much = simulation.apply(Input::Feed { at: place(1, 1), radius: 1, food: MAX_FOOD + 1 });
        assert!(too_much.is_err());
    }
    let moods = Preset::load(murmuration::host(), "moods", &Overrides::default()).unwrap();
    let mut without = simulation(moods, "agents-grid", on_cpu(1, None));
    let refused = without.apply(Input::RemoveFood { at: place(1, 1), radius: 1 }).unwrap_err().to_string();
    assert!(refused.contains("there is no food; take a preset with [food]"), "{refused}");
}

/// The columns of a checkpoint differ from the preset's in names, lengths, order or values.
#[test]
fn strange_columns_of_a_checkpoint_are_refused() {
    let mut begun = simulation(worlds()[0].1.clone(), "agents-grid", on_cpu(1, None));
    let saved = begun.read(CheckpointReading).unwrap().to_bytes();
    let words = individuals(&mut begun).1.len() as u64;
    let refused = |bytes: &[u8]| match Checkpoint::from_bytes(bytes) {
        Err(wrong) => wrong,
        Ok(read) => Simulation::resume(murmuration::host(), read, begun.choice()).map(drop).unwrap_err().to_string(),
    };
    let falcons = words.next_multiple_of(12) - 12;
    for (columns, says) in [
        (json!([["scent", words]]), "has a column `scent`"),
        (json!([["food", words - 1], ["food", 1]]), "has no such column `food`"),
        (json!([["food", words], ["origin", 0]]), "has no such column `origin`"),
        (json!([["falcons", words - 1], ["food", 1]]), "has no such column `falcons`"),
        (json!([["food", words - falcons], ["falcons", falcons]]), "has no such column `falcons`"),
        (json!([["falcons", falcons], ["food", words - falcons]]), "its falcons are not its preset's"),
        (json!([["food", words + 1]]), "has not as many individuals as its header says"),
        (json!([["food", u64::MAX], ["origin", u64::MAX]]), "has not as many cells as its header says"),
    ] {
        let wrong = refused(&with_header(&saved, |header| header["columns"] = columns));
        assert!(wrong.contains(says), "{wrong}, and not {says}");
    }
    // The last cell gets more food than fits into it. After the food the checkpoint has a byte for each of the 96 · 64
    // cells, and a hash of 32 bytes.
    let mut bytes = saved.clone();
    let end = bytes.len() - 32;
    let last = end - 96 * 64 - 4;
    bytes[last..last + 4].copy_from_slice(&(MAX_FOOD + 1).to_le_bytes());
    let wrong = refused(&crate::support::corrupt_files::mended_checkpoint(bytes));
    assert!(wrong.contains("its food is not its preset's"), "{wrong}");
}

#[test]
fn food_is_saved_and_resumed() {
    for (name, preset) in worlds() {
        let mut whole = simulation(preset, "agents-grid", on_cpu(1, None));
        whole.advance(25).unwrap();
        whole.apply(Input::Feed { at: place(9, 9), radius: 3, food: 9 }).unwrap();
        let saved = whole.read(CheckpointReading).unwrap().to_bytes();
        let read = Checkpoint::from_bytes(&saved).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), read, whole.choice()).unwrap();
        for _ in 0..25 {
            assert_eq!(follow(&mut whole), follow(&mut resumed), "{name}");
        }
        assert_eq!(whole.account().unwrap(), resumed.account().unwrap(), "{name}");
        // Food that the ledger lacks is refused.
        let mut broken = saved.clone();
        let end = broken.len() - 32;
        let columns = if name.contains("deep") || name.contains("fish") { 40 * 33 } else { 96 * 64 };
        let last = end - columns - 4;
        broken[last..last + 4].copy_from_slice(&77_777u32.to_le_bytes());
        let hash = *blake3::hash(&broken[..end]).as_bytes();
        broken[end..].copy_from_slice(&hash);
        let read = Checkpoint::from_bytes(&broken).unwrap();
        let refused = Simulation::resume(murmuration::host(), read, whole.choice()).map(drop).unwrap_err().to_string();
        assert!(refused.contains("its food does not balance"), "{name}: {refused}");
    }
}

#[test]
fn numbers_of_food_change_under_way_and_its_cells_do_not() {
    let mut simulation = simulation(worlds().remove(0).1, "agents-grid", on_cpu(1, None));
    simulation.advance(5).unwrap();
    let set = |key: &str, value: &str| Input::Set { key: key.into(), value: value.into() };
    for (key, value) in [("food.growth", "3"), ("food.bite", "0.5"), ("food.forage", "0"), ("food.most", "0.2")] {
        simulation.apply(set(key, value)).unwrap();
        follow(&mut simulation);
    }
    for (key, value) in [("food.cell", "8"), ("food.pattern", "even"), ("food.patches", "2")] {
        let refused = simulation.apply(set(key, value)).unwrap_err().to_string();
        assert!(refused.contains("matters only at the start"), "{key}: {refused}");
    }
}

#[test]
fn presets_with_wrong_food_are_refused() {
    let host = murmuration::host();
    let text = host.library().preset("feeding").unwrap();
    for (old, new, problem) in [
        ("pattern = \"patches\"", "pattern = \"meadow\"", "food.pattern: unknown value `meadow`"),
        ("pattern = \"patches\"", "pattern = \"even\"", "food.patches: means nothing with this food.pattern"),
        ("pattern = \"patches\"", "", "means nothing with this food.pattern"),
        ("patches = 14", "patches = 0", "food.patches: 0 is out of bounds"),
        ("radius = 26", "radius = 2.5", "food.radius: invalid type"),
        ("cell = 4", "cell = 65", "food.cell: 65 is out of bounds"),
        ("most = 0.6", "most = 0.0", "food.most: 0 is out of bounds"),
        ("most = 0.6", "most = 300.0", "food.most: 300 is out of bounds"),
        ("growth = 1.2", "growth = -1.0", "food.growth: -1 is out of bounds"),
        ("growth = 1.2", "growht = 1.0", "unknown key `growht`"),
        ("bite = 0.012", "bite = 0.0", "food.bite: 0 is out of bounds"),
        ("bite = 0.012", "bite = 2.0", "food.bite: 2 is out of bounds"),
        ("forage = 0.02", "forage = \"much\"", "food.forage: invalid type"),
        ("forage = 0.02", "forage = 3.0", "food.forage: 3 is out of bounds"),
        ("forage = 0.02", "start = 1.5", "food.start: 1.5 is out of bounds"),
    ] {
        assert!(text.contains(old), "{old}");
        let text = text.replacen(old, new, 1);
        let wrong = Preset::from_text(host, "mine.toml", &text, &Overrides::default());
        let message = wrong.map(drop).expect_err(new).to_string();
        check_message(&text, &message, problem).unwrap_or_else(|lack| panic!("{new}: {lack}"));
    }
    // Individuals without lives do not eat, and neither do cells.
    for (name, problem) in [
        ("flock", "food: is eaten by individuals with lives, and there are none; add [lives]"),
        ("ribbons", "food.pattern: means nothing with this model; remove it; only individuals have it"),
    ] {
        let text = format!("{}\n[food]\npattern = \"even\"\n", host.library().preset(name).unwrap());
        let wrong = Preset::from_text(host, "mine.toml", &text, &Overrides::default());
        let message = wrong.map(drop).expect_err(name).to_string();
        check_message(&text, &message, problem).unwrap_or_else(|lack| panic!("{name}: {lack}"));
    }
}
