//! One world over several ranks: the bits do not depend on the number of ranks.

use murmuration::FramePainter;
use murmuration::host::host_on_ranks;
use murmuration::observe::{LivelinessSampler, Observation};
use murmuration_core::engine::cpu;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::Failure;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::measures::liveliness::LivelinessReading;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::ranks::{BALANCE_INTERVAL, SingleRank, ThreadRanks};
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::reading::{CheckpointReading, DensityReading, FalconsReading};
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::world::{Mood, Place};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The numbers of cells along x and y, and along z.
pub type Size = ((u32, u32), Option<u32>);

/// With these extents the slabs of seven ranks are thicker than the reach of any rule of a preset.
const FLAT: Size = ((131, 151), None);
const WIDE: Size = ((61, 191), None);
const DEEP: Size = ((37, 29), Some(71));

const OF_CELLS: &[(&str, Size)] = &[
    ("droplets", FLAT),
    ("ribbons", FLAT),
    ("shoals", FLAT),
    ("simmer", FLAT),
    ("fog", FLAT),
    ("lagoon", FLAT),
    ("paper", FLAT),
    ("million", FLAT),
    ("stoop", FLAT),
    ("reference", FLAT),
    ("murmuration", DEEP),
    ("veils", DEEP),
    ("smoke", DEEP),
    ("ink", DEEP),
    ("caves", DEEP),
    ("three", WIDE),
];

const OF_INDIVIDUALS: &[(&str, Size)] = &[
    ("flock", FLAT),
    ("circles", FLAT),
    ("school", FLAT),
    ("moods", FLAT),
    ("feeding", FLAT),
    ("evolve", FLAT),
    ("chase", FLAT),
    ("flock-million", FLAT),
    ("aquarium", ((31, 29), Some(33))),
    ("rings", FLAT),
    ("temple", FLAT),
    ("reef", FLAT),
];

/// The hash, the quanta caught, and the missing quanta.
pub type Outcome = (String, u64, i64);

pub fn overrides(size: Size, set: &[&str]) -> Overrides {
    let set = ["start.run_in=0"].iter().chain(set).map(|setting| setting.to_string()).collect();
    Overrides { size: Some(size.0), depth: size.1, set, ..Overrides::default() }
}

pub fn choice() -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(1), ..cpu::Options::default() })
}

fn begin(host: &SharedHost, name: &str, overrides: &Overrides) -> Result<Simulation, Failure> {
    begin_on(host, choice(), name, overrides)
}

pub fn begin_on(
    host: &SharedHost,
    choice: EngineChoice,
    name: &str,
    overrides: &Overrides,
) -> Result<Simulation, Failure> {
    let preset = Preset::load(host, name, overrides)?;
    let chain = preset.load_chain(None)?;
    Simulation::new(preset, &chain, choice)
}

/// If the ranks have different presets, seeds or settings, no rank plays, and each reports the difference.
#[test]
fn ranks_with_different_input_play_nothing() {
    let seed = |seed| Overrides { seed: Some(seed), ..overrides(FLAT, &[]) };
    let with = |set: &[&str]| Overrides { seed: Some(1), ..overrides(FLAT, set) };
    let narrower = Overrides { seed: Some(1), ..overrides(((131, 150), None), &[]) };
    for (name, other) in [
        ("droplets", seed(2)),
        ("droplets", with(&["weights.cohesion=0.9"])),
        ("droplets", narrower),
        ("ribbons", seed(1)),
        ("flock", seed(1)),
    ] {
        let inputs = [("droplets", seed(1)), ("droplets", seed(1)), (name, other)];
        std::thread::scope(|scope| {
            let play = |(rank, (name, own)): (ThreadRanks, (&'static str, Overrides))| {
                scope
                    .spawn(move || begin(&host_on_ranks(Arc::new(rank)), name, &own).map(drop).unwrap_err().to_string())
            };
            let ranks: Vec<_> = ThreadRanks::all(3).into_iter().zip(inputs).map(play).collect();
            for rank in ranks {
                let said = rank.join().unwrap();
                assert!(said.starts_with("the preset `droplets`: is ") && said.contains(" on rank 2; give"), "{said}");
            }
        });
    }
}

pub fn outcome(simulation: &mut Simulation) -> Outcome {
    let account = simulation.account().unwrap();
    (simulation.state_hash().unwrap(), account.ledger.sum(Entry::Caught), account.lost)
}

fn play(host: &SharedHost, name: &str, overrides: &Overrides, steps: u64) -> Outcome {
    let mut simulation = begin(host, name, overrides).unwrap();
    simulation.advance(steps).unwrap();
    outcome(&mut simulation)
}

pub fn alone() -> SharedHost {
    host_on_ranks(Arc::new(SingleRank))
}

/// Runs the work on each of several ranks, with the rank's host.
pub fn on_ranks<T: Send>(size: usize, work: impl Fn(&SharedHost) -> T + Sync) -> Vec<T> {
    ranks_of(size, |ranks| work(&host_on_ranks(Arc::new(ranks))))
}

/// Runs the work on each of several ranks.
pub fn ranks_of<T: Send>(size: usize, work: impl Fn(ThreadRanks) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let of_rank = |ranks| scope.spawn(move || work(ranks));
        let threads: Vec<_> = ThreadRanks::all(size).into_iter().map(of_rank).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Checks that the result of the work is equal in one process and on each of several ranks, for each number of ranks.
#[track_caller]
fn check<T: Send + PartialEq + std::fmt::Debug>(what: &str, sizes: &[usize], work: impl Fn(&SharedHost) -> T + Sync) {
    let expected = work(&alone());
    for size in sizes {
        for (rank, own) in on_ranks(*size, &work).into_iter().enumerate() {
            assert_eq!(own, expected, "{what}, rank {rank} of {size}");
        }
    }
}

#[test]
fn presets_of_cells_are_the_same_on_any_number_of_ranks() {
    for (name, size) in OF_CELLS {
        check(name, &[2, 3, 5, 7], |host| play(host, name, &overrides(*size, &[]), 12));
    }
}

/// The longest lattices along each axis: the first cells of the slabs are far from the first cell of the world.
#[test]
fn the_longest_lattices_are_the_same_on_any_number_of_ranks() {
    let noise = ["noise.angle=0.4", "noise.length=300", "movement.wander=0.02"];
    for size in [(65_535, 40), (12, 65_535)] {
        check("droplets", &[3], |host| play(host, "droplets", &overrides((size, None), &noise), 5));
    }
    check("veils", &[3], |host| play(host, "veils", &overrides(((12, 9), Some(16_384)), &[]), 3));
}

#[test]
fn presets_of_individuals_are_the_same_on_any_number_of_ranks() {
    for (name, size) in OF_INDIVIDUALS {
        check(name, &[2, 3, 7], |host| play(host, name, &overrides(*size, &[]), 12));
    }
}

/// A falcon perceives the individuals by a sum over their slabs.
#[test]
fn falcons_hunt_individuals_on_any_number_of_ranks() {
    let overrides = Overrides { individuals: true, ..overrides(FLAT, &[]) };
    check("stoop of individuals", &[2, 3], |host| play(host, "stoop", &overrides, 80));
}

#[test]
fn every_search_is_the_same_on_any_number_of_ranks() {
    for search in ["brute", "octree", "grid"] {
        let chain = format!("agents-{search}");
        check(search, &[2, 5], |host| {
            let preset = Preset::load(host, "flock", &overrides(((61, 47), None), &[])).unwrap();
            let chain = preset.load_chain(Some(chain.as_str().as_ref())).unwrap();
            let mut simulation = Simulation::new(preset, &chain, choice()).unwrap();
            simulation.advance(20).unwrap();
            outcome(&mut simulation)
        });
    }
}

/// A hunt with jaws, brushes, a changed number, another plan and an undo, each between steps.
#[test]
fn inputs_reach_all_ranks() {
    for (name, size) in [("droplets", FLAT), ("three", WIDE), ("murmuration", DEEP), ("flock", FLAT)] {
        check(name, &[2, 5], |host| play_inputs(&mut begin(host, name, &overrides(size, &[])).unwrap()));
    }
}

/// The outcomes after inputs of all kinds.
pub fn play_inputs(simulation: &mut Simulation) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for step in 0..12_i32 {
        let at = Place::from_cells([f64::from(20 + 3 * step), f64::from(10 + step)]);
        let pointer = Pointer { place: at, reach: 12, mood: Mood::Flee, weight: 2048 };
        let [middle, brush] = [[30, 14], [20, 20]].map(Place::from);
        let inputs = match step {
            0 => vec![Input::Hunter(Some(pointer)), Input::Jaws(4)],
            3 => vec![Input::Stroke, Input::Spawn { at: middle, radius: 9, boids: 40 }],
            5 => vec![Input::Stroke, Input::Solid { at: brush, radius: 3, solid: true }],
            7 => vec![Input::Undo],
            8 => vec![Input::Lift { at: middle, radius: 5 }],
            10 => vec![Input::Set { key: "noise.angle".into(), value: "0.3".into() }],
            _ => vec![Input::Hunter(Some(pointer))],
        };
        inputs.into_iter().for_each(|input| simulation.apply(input).unwrap());
        simulation.advance(2).unwrap();
        outcomes.push(outcome(simulation));
    }
    outcomes
}

/// Readings that combine parts of all ranks.
#[test]
fn readings_are_of_the_whole_world() {
    for (name, size) in [("lagoon", FLAT), ("three", WIDE), ("caves", DEEP), ("evolve", FLAT)] {
        check(name, &[2, 3], |host| {
            let mut simulation = begin(host, name, &overrides(size, &[])).unwrap();
            simulation.advance(5).unwrap();
            let account = format!("{:?}", simulation.account().unwrap());
            let swarm = simulation.swarm().unwrap();
            let measures = format!("{:?}", swarm.measures(&simulation.preset().space()));
            let densities = simulation.read(DensityReading).unwrap();
            assert_eq!(densities, simulation.state().unwrap().into_densities());
            (account, measures, swarm, densities, simulation.read(FalconsReading).unwrap())
        });
    }
}

/// Metrics and the samples for the liveliness are sums over slabs. The worlds are flat and deep with both edges, some
/// with several species or with slabs thinner than a block.
#[test]
fn metrics_are_sums_over_the_slabs() {
    let thin = ["sight.cohesion.disc=2", "sight.separation.disc=1", "sight.alignment.disc=2", "start.boids=300"];
    // In a world of six slices, each of two ranks has three slices.
    let few = ["world.edges=walls", "world.margin=2"];
    let scenes: [(&str, Size, &[&str]); 9] = [
        ("lagoon", FLAT, &["world.edges=walls"]),
        ("stoop", FLAT, &[]),
        ("three", WIDE, &[]),
        ("caves", DEEP, &[]),
        ("murmuration", DEEP, &["world.edges=torus"]),
        ("flock", FLAT, &[]),
        ("chase", FLAT, &[]),
        ("fog", ((33, 17), None), &thin),
        ("murmuration", ((19, 17), Some(6)), &few),
    ];
    for (name, size, set) in scenes {
        let measured = |host: &SharedHost| {
            let mut simulation = begin(host, name, &overrides(size, set)).unwrap();
            simulation.advance(7).unwrap();
            let account = simulation.account().unwrap();
            let observed = if simulation.is_in_slabs() {
                Observation::over_ranks(&mut simulation, &account).unwrap()
            } else {
                Some(Observation::new(&mut simulation).unwrap())
            };
            let blocks = LivelinessSampler::blocks_of(simulation.preset());
            let sample = simulation.read(LivelinessReading { blocks }).unwrap();
            host.ranks().is_first().then_some((observed, sample))
        };
        let expected = measured(&alone()).unwrap();
        let is_of_individuals = OF_INDIVIDUALS.iter().any(|(own, _)| *own == name);
        let has_form = |seen: &Observation| seen.clusters > Some(0) && seen.stripes.is_some();
        assert!(is_of_individuals || expected.0.as_ref().is_some_and(has_form), "{name}");
        for size in if size.1 == Some(6) { &[2][..] } else { &[2, 3, 5, 7] } {
            let of_ranks = on_ranks(*size, measured);
            assert!(of_ranks[1..].iter().all(Option::is_none));
            assert_eq!(of_ranks[0].as_ref(), Some(&expected), "{name} on {size} ranks");
        }
    }
}

/// Pictures of values, and pictures of flat worlds that are too long for points. On seven ranks the slabs of `wide` are
/// thinner than a block of its picture.
#[test]
fn pictures_are_sums_over_the_slabs() {
    let wide = ((20_000, 47), None);
    let slice = |axis: &'static str| ["look.style=slice", "look.layer=0.4", axis];
    let projection = |axis: &'static str| ["look.style=projection", "look.layer=0.4", axis];
    let scenes: [(&str, Size, &[&str]); 10] = [
        ("droplets", wide, &[]),
        ("lagoon", ((40, 17_001), None), &["world.edges=walls"]),
        ("three", ((16_385, 130), None), &[]),
        ("droplets", FLAT, &slice("look.scale=0.0")),
        ("droplets", wide, &projection("look.scale=0.5")),
        ("murmuration", DEEP, &slice("look.axis=z")),
        ("murmuration", DEEP, &slice("look.axis=x")),
        ("murmuration", DEEP, &projection("look.axis=x")),
        ("murmuration", DEEP, &projection("look.axis=y")),
        ("caves", DEEP, &projection("look.axis=z")),
    ];
    for (name, size, set) in scenes {
        let begun = |host: &SharedHost| {
            let mut simulation = begin(host, name, &overrides(size, set)).unwrap();
            // Deep slabs are balanced by load at that step.
            let steps = if size.1.is_some() { BALANCE_INTERVAL + 1 } else { 3 };
            simulation.advance(steps).unwrap();
            simulation
        };
        let mut single = begun(&alone());
        let expected =
            [FramePainter::default().paint_step(&mut single, None), FramePainter::default().paint(&mut single)]
                .map(Result::unwrap);
        assert!(expected[0].bytes.iter().any(|byte| *byte > 60), "{name} {set:?} is dark");
        for ranks in [2, 3, 7] {
            let painted = on_ranks(ranks, |host| {
                let mut simulation = begun(host);
                assert!(FramePainter::default().is_made_of_sums(&simulation), "{name} {set:?}");
                FramePainter::picture_of_slabs(&mut simulation).unwrap()
            });
            assert!(painted[0].as_ref() == Some(&expected), "{name} {set:?} on {ranks} ranks");
            assert!(painted[1..].iter().all(Option::is_none));
        }
    }
}

#[test]
fn checkpoints_of_four_ranks_go_on_on_seven_and_on_one() {
    for (name, size) in [("stoop", FLAT), ("three", WIDE), ("murmuration", DEEP), ("feeding", FLAT)] {
        // Deep worlds have points too.
        let saved = on_ranks(4, |host| {
            let mut simulation = begin(host, name, &overrides(size, &[])).unwrap();
            if name == "murmuration" {
                simulation.keep_points().unwrap();
            }
            simulation.advance(7).unwrap();
            let whole = simulation.read(CheckpointReading).unwrap().to_bytes();
            let mut bytes = Vec::new();
            if simulation.is_in_slabs() {
                simulation.checkpoint_of_slab().unwrap().write_over_ranks(&*host.ranks(), &mut bytes).unwrap();
            } else {
                bytes.clone_from(&whole);
            }
            (whole, bytes)
        });
        let bytes = &saved[0].1;
        assert!(saved.iter().all(|(whole, _)| whole == bytes), "{name}: every rank has the same bytes");
        let go_on = |host: &SharedHost| {
            let (longest, ranks) = (bytes.len() as u64, host.ranks());
            let checkpoint = Checkpoint::from_file(&mut Cursor::new(bytes), longest, &*ranks).unwrap();
            let mut simulation = Simulation::resume(host, checkpoint, choice()).unwrap();
            simulation.advance(6).unwrap();
            (simulation.read(CheckpointReading).unwrap().to_bytes(), outcome(&mut simulation))
        };
        let expected = play(&alone(), name, &overrides(size, &[]), 13);
        check(name, &[7], |host| go_on(host));
        assert_eq!(go_on(&alone()).1, expected, "{name}");
    }
}

/// Every rank refuses a damaged checkpoint with the message of a single process.
#[test]
fn a_damaged_checkpoint_is_refused_on_every_rank() {
    let mut simulation = begin(&alone(), "droplets", &overrides(((40, 56), None), &[])).unwrap();
    let bytes = simulation.read(CheckpointReading).unwrap().to_bytes();
    let mut state = 7_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 4) as usize % below
    };
    for case in 0..40 {
        let mut bytes = bytes.clone();
        match case % 4 {
            0 => bytes.truncate(random(bytes.len())),
            1 => bytes.extend([0; 7]),
            // The first bytes and a random other byte.
            2 => bytes[random(16)] ^= 1,
            _ => bytes[random(16) * 1000] ^= 8,
        }
        let expected = Checkpoint::from_bytes(&bytes).map(drop).unwrap_err();
        let found = on_ranks(3, |host| {
            let (longest, ranks) = (bytes.len() as u64, host.ranks());
            Checkpoint::from_file(&mut Cursor::new(&bytes), longest, &*ranks).map(drop).unwrap_err()
        });
        assert_eq!(found, [(); 3].map(|()| expected.clone()), "case {case}");
    }
    // The number of points overflows, and the checksum is right.
    let length = u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    let header = String::from_utf8(bytes[16..16 + length].to_vec()).unwrap();
    let header = header.replacen('{', &format!("{{\"points\":{},", u64::MAX / 2), 1);
    let mut crafted = [&bytes[..12], &(header.len() as u32).to_le_bytes(), header.as_bytes()].concat();
    crafted.extend(&bytes[16 + length..bytes.len() - 32]);
    crafted.extend(blake3::hash(&crafted).as_bytes());
    let found = on_ranks(2, |host| {
        Checkpoint::from_file(&mut Cursor::new(&crafted), u64::MAX, &*host.ranks()).map(drop).unwrap_err()
    });
    assert!(found.iter().all(|problem| problem.contains("points")), "{found:?}");
    let too_long = on_ranks(2, |host| {
        Checkpoint::from_file(&mut Cursor::new(&bytes), bytes.len() as u64 / 4, &*host.ranks()).map(drop).unwrap_err()
    });
    assert!(too_long.iter().all(|problem| problem.ends_with("half of the memory that is free")), "{too_long:?}");
}

/// Worlds with equal slabs, with solids in all slabs but one, and with all boids in one slab.
#[test]
fn slabs_may_be_alike_full_of_solids_and_empty() {
    let middle = ["start.shape=blobs", "start.at=[[0.5, 0.1]]", "start.radius=0.05", "start.boids=200"];
    let rock = ["world.solid=[{ rectangle = { from = [0.0, 0.3], to = [1.0, 1.0] } }]", "start.boids=200"];
    let alike = ["start.shape=uniform", "start.boids=20000"];
    for set in [&middle[..], &rock[..], &alike[..]] {
        for edges in ["world.edges=torus", "world.edges=walls"] {
            let set = [set, &[edges]].concat();
            check(&set.join(" "), &[2, 7], |host| play(host, "droplets", &overrides(FLAT, &set), 9));
        }
    }
}

/// Swarms on one side of deep worlds. The ranks move the borders of the slabs repeatedly, to balance the load. If a
/// rule reaches farther than a slab is thick, the slabs are as equally thick as possible.
#[test]
fn cells_are_cut_by_load_on_any_number_of_ranks() {
    let blob = ["start.shape=blobs", "start.at=[[0.5, 0.5, 0.2]]", "start.radius=0.1", "start.boids=300"];
    let on_a_torus = [&blob[..], &["world.edges=torus"]].concat();
    let scenes: [(&str, Size, &[&str]); 4] =
        [("murmuration", DEEP, &blob), ("ink", DEEP, &on_a_torus), ("smoke", DEEP, &[]), ("caves", DEEP, &[])];
    let most_cuts = AtomicU64::new(0);
    for (name, size, set) in scenes {
        for ranks in [2, 7] {
            let (is_cut, is_thin) = (AtomicBool::new(false), AtomicBool::new(false));
            let work = |host: &SharedHost| {
                // Whole registers of cells rest, so narrow registers distinguish more loads in a small world.
                let portable = cpu::Options { threads: Some(1), instruction_set: Some(InstructionSet::Portable) };
                let set = overrides(size, set);
                let mut simulation = begin_on(host, EngineChoice::Cpu(portable), name, &set).unwrap();
                let even = simulation.slab().unwrap().0;
                // The borders of `smoke` move several times.
                for _ in 0..if name == "smoke" { 3 } else { 1 } {
                    simulation.advance(BALANCE_INTERVAL).unwrap();
                    is_cut.fetch_or(simulation.slab().unwrap().0 != even, Ordering::Relaxed);
                }
                most_cuts.fetch_max(simulation.preparations()[1], Ordering::Relaxed);
                let mut outcomes = play_inputs(&mut simulation);
                let whole = simulation.read(CheckpointReading).unwrap().to_bytes();
                let mut of_slabs = Vec::new();
                simulation.checkpoint_of_slab().unwrap().write_over_ranks(&*host.ranks(), &mut of_slabs).unwrap();
                assert!(!host.ranks().is_first() || of_slabs == whole, "{name}");
                if name == "ink" {
                    is_thin.fetch_or(simulation.slab().unwrap().0.pieces < 9, Ordering::Relaxed);
                    let wider = Input::Set { key: "sight.cohesion.ball".into(), value: "9".into() };
                    simulation.apply(wider).unwrap();
                    assert!(host.ranks().size() != 7 || simulation.slab().unwrap().0 == even, "slabs are even again");
                    simulation.advance(3).unwrap();
                    outcomes.push(outcome(&mut simulation));
                }
                (outcomes, whole)
            };
            check(name, &[ranks], work);
            assert!(ranks == 2 || is_cut.into_inner(), "{name}");
            assert!(ranks == 2 || name != "ink" || is_thin.into_inner(), "{name}");
        }
    }
    assert!(most_cuts.into_inner() >= 2, "no world is cut twice");
}

/// Odd numbers of ranks on odd extents with both edges.
#[test]
fn any_decomposition_gives_the_same_bits() {
    let mut state = 1_u32;
    let mut random = |from: u32, to: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        from + (state >> 8) % (to - from)
    };
    for _ in 0..12 {
        let ranks = random(2, 7);
        let is_deep = random(0, 2) == 1;
        let (width, pieces) = (random(17, 60), random(9, 20) * ranks + random(0, ranks));
        let edges = ["world.edges=torus", "world.edges=walls"][random(0, 2) as usize];
        let seed = u64::from(random(0, 1000));
        let size = if is_deep { ((width, random(9, 20)), Some(pieces)) } else { ((width, pieces), None) };
        let name = if is_deep { "ink" } else { ["fog", "droplets", "simmer"][random(0, 3) as usize] };
        let overrides = Overrides { seed: Some(seed), ..overrides(size, &[edges]) };
        check(&format!("{name} {overrides:?}"), &[ranks as usize], |host| play(host, name, &overrides, 6));
    }
}

#[test]
fn a_slab_thinner_than_the_reach_is_refused() {
    for result in on_ranks(7, |host| begin(host, "droplets", &overrides(((64, 28), None), &[])).map(drop)) {
        let text = result.unwrap_err().to_string();
        assert!(text.contains("slabs thinner than") && text.contains("take at most"), "{text}");
    }
}

/// A stop on one rank ends all ranks after the same step.
#[test]
fn ranks_agree_on_a_stop() {
    for name in ["droplets", "flock"] {
        let steps = on_ranks(3, |host| {
            let is_second = host.ranks().rank() == 1;
            let mut simulation = begin(host, name, &overrides(FLAT, &[])).unwrap();
            let is_stopped = Arc::new(AtomicBool::new(false));
            let flag = is_stopped.clone();
            simulation.stop_when(Arc::new(move || flag.load(Ordering::Relaxed)));
            simulation.advance(3).unwrap();
            is_stopped.store(is_second, Ordering::Relaxed);
            simulation.advance(5).unwrap();
            (simulation.step(), outcome(&mut simulation))
        });
        let expected = play(&alone(), name, &overrides(FLAT, &[]), 3);
        assert!(steps.iter().all(|own| *own == (3, expected.clone())), "{name}");
    }
}

/// After one rank has ended, the others fail instead of waiting.
#[test]
fn a_rank_that_ends_leaves_nobody_waiting() {
    for (name, at) in [("droplets", 0), ("stoop", 3), ("murmuration", 5), ("flock", 2)] {
        let size = if name == "murmuration" { DEEP } else { FLAT };
        let ended = on_ranks(4, |host| {
            let mut simulation = begin(host, name, &overrides(size, &[])).unwrap();
            simulation.advance(at).unwrap();
            (host.ranks().rank() != 2).then(|| simulation.advance(1000).unwrap_err())
        });
        for failure in ended.into_iter().flatten() {
            assert!(matches!(failure, Failure::Rank(_)), "{name}: {failure}");
        }
    }
}
