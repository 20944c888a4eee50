//! Events add up to the account on every engine.

use crate::support::adapter::shared;
use murmuration_core::engine::Dispatch;
use murmuration_core::overlap::Overlap;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::events::{Event, EventKind, EventWatcher};
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::ticket::Patience;
use murmuration_core::world::{Mood, Place};
use std::collections::BTreeSet;

const CPU: EngineChoice =
    EngineChoice::Cpu(murmuration_core::engine::cpu::Options { threads: None, instruction_set: None });
const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn simulation(name: &str, size: (u32, u32), set: &[&str], choice: EngineChoice) -> Simulation {
    let set = set.iter().map(ToString::to_string).collect();
    let overrides = Overrides { size: Some(size), set, ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

/// Plays frames with a hunter in the middle. Returns the events of all frames, each waited for.
fn events(simulation: &mut Simulation, frames: u64, steps: u64) -> Vec<Event> {
    let [width, height, _] = simulation.preset().space().extents.map(f64::from);
    let regions =
        vec![Overlap::ball([width / 2.0, height / 2.0], 12.0), Overlap::cuboid([0.0, 0.0], [width / 4.0, height])];
    let mut watcher = EventWatcher::new(regions);
    let place = Place::from_cells([width / 2.0, height / 2.0]);
    simulation.apply(Input::Hunter(Some(Pointer { place, reach: 30, mood: Mood::Follow, weight: 4096 }))).unwrap();
    simulation.apply(Input::Jaws(6)).unwrap();
    let mut all = Vec::new();
    for _ in 0..=frames {
        watcher.observe(simulation).unwrap();
        all.extend(watcher.poll(Patience::Wait).unwrap());
        simulation.advance(steps).unwrap();
    }
    all
}

fn sum(events: &[Event], is_of: impl Fn(EventKind) -> bool) -> u64 {
    events.iter().filter(|event| is_of(event.kind)).map(|event| event.quanta).sum()
}

#[test]
fn what_came_and_went_is_in_the_account_and_the_same_on_every_engine() {
    let has_gpu = shared("events on a GPU").is_some();
    let mut kinds = BTreeSet::new();
    for (name, size, set) in
        [("droplets", (96, 64), &["start.run_in=0"][..]), ("evolve", (96, 96), &[]), ("chase", (96, 96), &[])]
    {
        let mut swarm = simulation(name, size, set, CPU);
        let found = events(&mut swarm, 12, 9);
        // Steps after the last observation have no events.
        let mut again = simulation(name, size, set, CPU);
        let replayed = events(&mut again, 3, 36);
        let account = swarm.account().unwrap();
        let caught = account.ledger.sum(Entry::Caught);
        assert!(sum(&found, |kind| matches!(kind, EventKind::Caught { .. })) <= caught, "{name}");
        for is_of in [
            |kind| matches!(kind, EventKind::Caught { .. }),
            |kind| matches!(kind, EventKind::Born { .. }),
            |kind| matches!(kind, EventKind::Starved { .. }),
            |kind| matches!(kind, EventKind::Eaten { .. }),
        ] {
            assert_eq!(sum(&found, is_of), sum(&replayed, is_of), "{name}: fewer frames have other sums");
        }
        let net = |events: &[Event]| {
            [0, 1].map(|region| {
                let entered = sum(events, |kind| kind == EventKind::Entered { region });
                entered as i64 - sum(events, |kind| kind == EventKind::Left { region }) as i64
            })
        };
        assert_eq!(net(&found), net(&replayed), "{name}: regions");
        kinds.extend(found.iter().map(|event| format!("{:?}", event.kind)));
        if has_gpu {
            assert_eq!(events(&mut simulation(name, size, set, GPU), 12, 9), found, "{name}");
        }
    }
    for kind in [
        "Caught { species: 0 }",
        "Born { species: 0 }",
        "Eaten { species: 0 }",
        "Entered { region: 0 }",
        "Left { region: 1 }",
    ] {
        assert!(kinds.contains(kind), "{kind} of {kinds:?}");
    }
}

/// Each caught individual is an event, with a number and a place within reach of the hunter's jaws. Parts of boids of
/// cells add up to whole boids.
#[test]
fn a_catch_has_a_place_and_whole_boids() {
    let mut swarm = simulation("evolve", (96, 96), &[], CPU);
    let found = events(&mut swarm, 60, 1);
    let caught: Vec<_> = found.iter().filter(|event| matches!(event.kind, EventKind::Caught { .. })).collect();
    assert!(caught.iter().any(|event| event.individual.is_some()), "{found:?}");
    let mut numbers = BTreeSet::new();
    for event in caught.iter().filter(|event| event.individual.is_some()) {
        assert_eq!((event.quanta, event.boids), (65_536, 1));
        numbers.insert(event.individual);
        // The jaws reach 6 cells, and a step is at most 2 cells.
        let [x, y, _] = event.place.unwrap().map(|along| f64::from(along) / 16.0 - 48.0);
        assert!(x.hypot(y) <= 6.0 + 2.0 + 0.1, "{event:?}");
    }
    assert!(numbers.len() > 3, "{numbers:?}");
    let alone = caught.iter().filter(|event| event.individual.is_some()).count();
    assert!(2 * alone > caught.len(), "{alone} of {}", caught.len());
    let mut cells = simulation("droplets", (96, 64), &["start.run_in=0"], CPU);
    let found = events(&mut cells, 40, 1);
    let caught: Vec<_> = found.iter().filter(|event| matches!(event.kind, EventKind::Caught { .. })).collect();
    let (quanta, boids) =
        caught.iter().fold((0, 0), |(quanta, boids), event| (quanta + event.quanta, boids + event.boids));
    assert!(boids > 0 && boids == quanta / 65_536, "{quanta} quanta and {boids} boids");
    assert!(caught.iter().all(|event| event.place == Some([48 * 16, 32 * 16, 0])), "{caught:?}");
    assert!(caught.iter().all(|event| event.individual.is_none()));
}

#[test]
fn a_swarm_that_went_back_has_no_events_of_the_way_back() {
    let mut swarm = simulation("droplets", (96, 64), &["start.run_in=0"], CPU);
    let mut watcher = EventWatcher::new(vec![Overlap::ball([48.0, 32.0], 20.0)]);
    let mut look = |swarm: &mut Simulation| {
        watcher.observe(swarm).unwrap();
        watcher.poll(Patience::Wait).unwrap()
    };
    assert!(look(&mut swarm).is_empty(), "the first look has no events");
    let snapshot = swarm.snapshot().unwrap();
    swarm.advance(20).unwrap();
    assert!(
        look(&mut swarm).iter().any(|event| matches!(event.kind, EventKind::Entered { .. } | EventKind::Left { .. }))
    );
    swarm.restore(&snapshot).unwrap();
    assert!(look(&mut swarm).is_empty());
    swarm.apply(Input::Spawn { at: [48, 32].into(), radius: 3, boids: 10 }).unwrap();
    let spawned = look(&mut swarm);
    assert!(spawned.iter().any(|event| event.kind == EventKind::Spawned && event.quanta == 10 * 65_536), "{spawned:?}");
    assert!(spawned.iter().any(|event| event.kind == EventKind::Entered { region: 0 } && event.quanta == 10 * 65_536));
}
