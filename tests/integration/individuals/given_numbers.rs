//! The numbers of individuals. No number is used twice, even if some individuals died before step 0. A checkpoint with
//! a number that no individual was given is refused.

use crate::support::adapter;
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation, WORKGROUP};
use murmuration_core::state::{Individuals, Swarm};

const BOIDS: u32 = 300;
/// A swarm with a hunter that catches in the run-in. Starved individuals are reborn with parents.
const WORLD: &str = "description = \"numbers\"\nmodel = \"agents\"\nseed = 5\n[world]\nsize = [61, 47]\n\
    [start]\nboids = 300\nheadings = \"random\"\nspeed = 0.4\nrun_in = 40\n[agents]\nrules = \"flock\"\nforce = 0.03\n\
    [sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n\
    [weights]\ncohesion = 0.5\nhunter = 1.0\n[movement]\nmax = 0.6\n\
    [lives]\nrebirth = \"starved\"\nmutation = 0.1\nhungry = 0.5\nstarvation = 40.0\nperishing = 2\n\
    [lives.dna]\nappetite = [5, 30]\n\
    [[hunter]]\npath = [[0.1, 0.4], [0.9, 0.5]]\nspeed = 1.5\nreach = 9\njaws = 4\n";

fn engines() -> Vec<EngineChoice> {
    let mut engines = vec![EngineChoice::Cpu(cpu::Options { threads: Some(2), instruction_set: None })];
    if adapter::shared("numbers of individuals on the GPU").is_some() {
        engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP }));
    }
    engines
}

fn begin(choice: EngineChoice) -> Simulation {
    let preset = Preset::from_text(murmuration::host(), "mine.toml", WORLD, &Overrides::default())
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    let chain = Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

/// The individuals in the order of their numbers. Checks that the numbers are distinct.
fn living(simulation: &mut Simulation) -> Individuals {
    let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else { panic!("they are individuals") };
    let individuals = individuals.in_order();
    assert!(individuals.numbers.is_sorted_by(|one, next| one < next), "two have the same number");
    individuals
}

#[test]
fn those_who_died_in_the_run_in_keep_their_numbers() {
    let mut ends = Vec::new();
    for choice in engines() {
        let mut whole = begin(choice);
        let start = living(&mut whole);
        let count = start.len() as u32;
        assert!(count < BOIDS && start.numbers.last().is_some_and(|number| *number >= count), "nobody died before");
        whole.record_lineage().unwrap();
        whole.advance(40).unwrap();
        whole.update_lineage().unwrap();
        let lineage = whole.lineage().unwrap();
        let parents = lineage.lives().filter_map(|life| Some(lineage.life(life.parent?).number));
        assert!(parents.max().is_some_and(|number| number >= count), "those with high numbers are parents as well");
        whole.end_lineage();
        whole.apply(Input::Stroke).unwrap();
        let before = living(&mut whole).numbers;
        whole.apply(Input::Spawn { at: [20, 20].into(), radius: 6, boids: 50 }).unwrap();
        let now = living(&mut whole).numbers;
        assert_eq!(now[..before.len()], before);
        assert_eq!(now[before.len()..], (BOIDS..BOIDS + 50).collect::<Vec<_>>());
        let read = Checkpoint::from_bytes(&whole.read(CheckpointReading).unwrap().to_bytes()).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), read, choice).unwrap();
        for simulation in [&mut whole, &mut resumed] {
            simulation.advance(20).unwrap();
            simulation.apply(Input::Spawn { at: [40, 20].into(), radius: 6, boids: 9 }).unwrap();
            assert!(living(simulation).numbers.ends_with(&(BOIDS + 50..BOIDS + 59).collect::<Vec<_>>()));
            simulation.advance(20).unwrap();
        }
        let replay = whole.read(ReplayReading).unwrap();
        assert_eq!(resumed.state_hash().unwrap(), replay.state_hash);
        assert_eq!(whole.account().unwrap(), resumed.account().unwrap());
        let mut again = replay.play(murmuration::host(), engines()[0]).unwrap();
        assert_eq!(again.state_hash().unwrap(), replay.state_hash);
        ends.push(replay.state_hash);
    }
    assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "all engines agree");
}

/// A table with a place for each number would need tens of GiB.
#[test]
fn a_checkpoint_with_a_number_that_nobody_was_given_is_refused() {
    let mut simulation = begin(engines()[0]);
    let count = living(&mut simulation).len();
    let saved = simulation.read(CheckpointReading).unwrap().to_bytes();
    let with_last = |number: u32| {
        let mut bytes = saved.clone();
        let end = bytes.len() - 32;
        // The last part is a byte for each cell. Ten words for each individual stand between the numbers and that part.
        let last = end - 61 * 47 - 4 * 10 * count - 4;
        bytes[last..last + 4].copy_from_slice(&number.to_le_bytes());
        let hash = *blake3::hash(&bytes[..end]).as_bytes();
        bytes[end..].copy_from_slice(&hash);
        let read = Checkpoint::from_bytes(&bytes).unwrap();
        Simulation::resume(murmuration::host(), read, simulation.choice()).map(drop)
    };
    with_last(BOIDS - 1).unwrap();
    for number in [BOIDS, u32::MAX] {
        let refused = with_last(number).unwrap_err().to_string();
        assert!(refused.contains("an individual has a number that was never given"), "{refused}");
    }
}
