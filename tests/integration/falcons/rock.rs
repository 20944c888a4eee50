//! Falcons in worlds with rock: no falcon is ever in rock, and no falcon gets stuck in a corner.

use crate::support::corrupt_files::mended_checkpoint;
use crate::support::random::Random;
use crate::support::scenes::EDGES;
use crate::support::{adapter, size};
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::falcons::{CLIMBS, Falcon, FalconsReading, MAX_LOOK, SwarmMoments, WAITS, free_all};
use murmuration_core::lanes::vector::add;
use murmuration_core::numbers::Vector3;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::terrain::{GapField, gaps};
use murmuration_core::world::{Edges, Extents, HunterNumbers, Space, offset};

/// Whether a cell is rock.
type IsRock<'a> = &'a dyn Fn(Vector3) -> bool;

/// Rock with its gap field.
struct Rock {
    extents: Extents,
    edges: Edges,
    solids: Vec<bool>,
    gaps: Vec<u8>,
}

impl Rock {
    fn new(extents: Extents, edges: Edges, solids: Vec<bool>) -> Self {
        let gaps = gaps(extents, edges, &solids, MAX_LOOK);
        Self { extents, edges, solids, gaps }
    }

    /// Rock in the cells for which `is_rock` holds.
    fn where_is(extents: Extents, edges: Edges, is_rock: impl Fn(Vector3) -> bool) -> Self {
        Self::new(extents, edges, (0..extents.cells()).map(|index| is_rock(extents.cell(index))).collect())
    }

    /// Whether a place is in rock: in one of the cells that contain it or touch it. Places are in 1/16 cell from the
    /// middle of the first cell.
    fn holds(&self, place: Vector3) -> bool {
        let cells = place.map(|place| [-1, 1].map(|side| (2 * place + 16 + side).div_euclid(32)));
        (0..8).any(|corner: usize| {
            let cell = [0, 1, 2].map(|axis| cells[axis][corner >> axis & 1]);
            self.extents.deep_index(cell, self.edges).is_none_or(|index| self.solids[index])
        })
    }

    /// The falcon after a step in which it sees prey at a place.
    fn fly(&self, falcon: &Falcon, numbers: &HunterNumbers, prey: Vector3) -> Falcon {
        let Self { extents, edges, gaps, .. } = self;
        let ends = extents.ends();
        let aim = [0, 1, 2].map(|axis| i64::from(offset(falcon.place[axis], prey[axis], ends[axis], *edges)));
        let far = i64::from(16 * numbers.sight);
        let is_seen = aim.iter().map(|along| along * along).sum::<i64>() <= far * far;
        let seen = if is_seen { SwarmMoments { amount: 1, moment: aim } } else { SwarmMoments::default() };
        let field = GapField { extents: *extents, edges: *edges, gaps };
        let next = falcon.fly(numbers, &seen, None, ends, *edges, Some(&field));
        assert!(!self.holds(next.place), "{falcon:?} flew into rock: {next:?}, {numbers:?}");
        let space = Space { extents: extents.along_axes(), edges: *edges };
        assert!(next.is_possible(&space), "{falcon:?} became {next:?}");
        next
    }

    /// A place in the middle of a free cell.
    fn free_place(&self, random: &mut Random) -> Vector3 {
        loop {
            let index = random.below(self.solids.len() as u64) as usize;
            if !self.solids[index] {
                return self.extents.cell(index).map(|along| 16 * along);
            }
        }
    }
}

fn numbers(speed: i32) -> HunterNumbers {
    let zero: HunterNumbers = bytemuck::Zeroable::zeroed();
    let (reach, distance, sight, rest) = (10, 20, 100, 60);
    HunterNumbers { speed, peak: 3 * speed / 2, turn: (speed / 5).max(1), reach, distance, sight, rest, ..zero }
}

/// The smallest range of a falcon in 300 consecutive steps, in 1/16 cell. The range is the difference of the maximum
/// and minimum place along the axis on which it is greatest.
fn least_way(rock: &Rock, mut falcon: Falcon, numbers: &HunterNumbers, prey: Vector3) -> i32 {
    const STEPS: usize = 3000;
    const WITHIN: usize = 300;
    let mut places = Vec::new();
    for _ in 0..STEPS {
        falcon = rock.fly(&falcon, numbers, prey);
        places.push(falcon.place);
    }
    let widest = |span: &[Vector3]| {
        let along = |axis: usize| span.iter().map(move |place| place[axis]);
        (0..3).map(|axis| along(axis).max().unwrap() - along(axis).min().unwrap()).max().unwrap()
    };
    places.windows(WITHIN).step_by(50).map(widest).min().unwrap()
}

/// Falcons of all speeds in mazes of voxels, with prey at changing places.
#[test]
fn no_falcon_is_ever_in_rock() {
    let mut random = Random::new(71);
    let mut touched = 0;
    for case in 0..40 {
        let extents = if case % 8 == 7 { Extents::flat(31, 27) } else { Extents::deep(23, 19, 17) };
        let parts = [30, 120, 300, 600][case % 4];
        let solids = (0..extents.cells()).map(|_| random.below(1000) < parts).collect();
        let rock = Rock::new(extents, EDGES[case / 4 % 2], solids);
        let numbers = numbers([60, 500, 1600, 5000, 16_000][case % 5]);
        let mut falcon =
            Falcon { place: rock.free_place(&mut random), velocity: [numbers.speed, 7, 0], ..Falcon::default() };
        let mut prey = rock.free_place(&mut random);
        for step in 0..5000 {
            if step % 200 == 0 {
                prey = rock.free_place(&mut random);
            }
            falcon = rock.fly(&falcon, &numbers, prey);
            touched += usize::from(falcon.velocity.contains(&0));
        }
    }
    assert!(touched > 1000, "hardly any falcon ever met rock: {touched}");
}

/// Falcons with the numbers of the presets, among the rock of the presets.
#[test]
fn no_falcon_of_a_preset_is_ever_in_rock() {
    for name in ["temple", "caves"] {
        let preset = Preset::load(murmuration::host(), name, &Overrides::default()).unwrap();
        let field = preset.world.rock.as_ref().unwrap();
        let rock = Rock::new(field.extents, preset.world.edges, field.rock());
        let mut random = Random::new(72);
        let mut begun = Falcon::all_of(&preset.start().unwrap().columns).to_vec();
        free_all(&mut begun, field.extents, preset.world.edges, |index| !rock.solids[index]);
        let mut falcon = begun[0];
        let flown = *preset.world.hunters_at(0, None).as_slice().iter().find(|hunter| hunter.falcon > 0).unwrap();
        let mut prey = rock.free_place(&mut random);
        let mut reached = 0;
        for step in 0..20_000 {
            if step % 100 == 0 {
                prey = rock.free_place(&mut random);
            }
            falcon = rock.fly(&falcon, &flown, prey);
            let away = (0..3).map(|axis| i64::from(falcon.place[axis] - prey[axis]).pow(2)).sum::<i64>();
            reached += usize::from(away < i64::from(16 * flown.reach).pow(2));
        }
        assert!(reached > 500, "{name}: its falcon hardly ever comes near: {reached}");
    }
}

/// Corners, bays and dead-end tunnels. The prey is behind the rock, or in the corner, bay or tunnel.
#[test]
fn a_falcon_stays_in_no_corner() {
    let extents = Extents::deep(60, 48, 40);
    let around = |least: Vector3, most: Vector3| {
        move |cell: Vector3| (0..3).all(|axis| (least[axis]..most[axis]).contains(&cell[axis]))
    };
    let bay = |cell| around([20, 14, 10], [40, 34, 30])(cell) && !around([22, 16, 12], [40, 32, 28])(cell);
    let tunnel = |cell| around([10, 10, 10], [50, 38, 30])(cell) && !around([30, 23, 19], [50, 25, 21])(cell);
    let hollow = |cell| around([10, 10, 10], [50, 38, 30])(cell) && !around([34, 23, 19], [50, 24, 20])(cell);
    let corner = |cell| around([0, 0, 0], [3, 48, 40])(cell) || around([0, 0, 0], [60, 48, 3])(cell);
    let rocks: [(&str, IsRock<'_>, Vector3); 4] = [
        ("a bay", &bay, [24, 20, 16]),
        ("a tunnel", &tunnel, [31, 23, 19]),
        ("a narrow tunnel", &hollow, [34, 23, 19]),
        ("a corner", &corner, [3, 0, 3]),
    ];
    let mut stuck = Vec::new();
    for (name, is_rock, place) in rocks {
        let beside = add(place, [1, 0, 0]);
        for edges in EDGES {
            let rock = Rock::where_is(extents, edges, is_rock);
            for speed in [400, 1600] {
                for prey in [[5, 24, 20], [21, 24, 20], [55, 40, 20], [24, 24, 20], beside] {
                    for velocity in [[0; 3], [-speed, 0, 0], [speed / 2, -speed, 30]] {
                        let falcon = Falcon { place: place.map(|along| 16 * along), velocity, ..Falcon::default() };
                        // With the prey at the end of the tunnel the falcon returns there.
                        let cells = if prey == beside { 3 } else { 8 };
                        let way = least_way(&rock, falcon, &numbers(speed), prey.map(|along| 16 * along));
                        if way < 16 * cells {
                            stuck.push(format!("{name}, {edges:?}, {speed}, {prey:?}, {velocity:?}: {way}/16 cells"));
                        }
                    }
                }
            }
        }
    }
    assert!(stuck.is_empty(), "{}", stuck.join("\n"));
}

/// Far from rock a falcon flies as in a world without rock.
#[test]
fn rock_far_away_changes_nothing() {
    let extents = Extents::deep(200, 200, 200);
    let rock = Rock::where_is(extents, Edges::Torus, |[x, y, z]| x == 0 && y == 0 && z == 0);
    let field = GapField { extents, edges: Edges::Torus, gaps: &rock.gaps };
    let mut random = Random::new(73);
    for _ in 0..2000 {
        let mut around = |most: i64| [0; 3].map(|_| random.between(-most, most) as i32);
        let place = around(50 * 16).map(|along| 100 * 16 + along);
        let falcon = Falcon { place, velocity: around(3000), remainder: around(32), phase: WAITS, ..Falcon::default() };
        let seen = SwarmMoments { amount: 1, moment: around(900).map(i64::from) };
        let fly = |rock| falcon.fly(&numbers(2000), &seen, None, extents.ends(), Edges::Torus, rock);
        assert_eq!(fly(None), fly(Some(&field)));
    }
}

/// A tank of cells or individuals with rock.
fn preset(model: &str, edges: &str, set: &[&str]) -> Preset {
    let tank = "description = \"falcons among rock\"\nseed = 5\n[start]\nboids = 1500\nheadings = \"random\"\n\
        speed = 0.3\n[weights]\ncohesion = 0.5\nseparation = 0.1\nalignment = 0.2\nhunter = 2.5\n\
        [[hunter]]\nkind = \"falcon\"\njaws = 2\nrest = 20\nspeed = 1.5\n[[hunter]]\nkind = \"falcon\"\nspeed = 0.7\n\
        rest = 12\nat = [0.5, 0.5, 0.5]\n\
        [world]\nsize = [34, 26, 20]\n[world.terrain]\nscale = 9\noctaves = 2\nthreshold = 0.1\n\
        [[world.terrain.shape]]\nsphere = { at = [0.5, 0.5, 0.5], radius = 0.2 }\n";
    let own = match model {
        "cells" => "[sight.cohesion]\nball = 4\n[sight.separation]\nball = 2\n[sight.alignment]\nball = 3\n",
        _ => {
            "[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n\
             [agents]\nrules = \"aquarium\"\n[movement]\nmin = 0.1\nmax = 0.4\n"
        }
    };
    let first = if model == "cells" { "" } else { "model = \"agents\"\n" };
    let text = format!("{first}{tank}{own}").replace("size =", &format!("edges = \"{edges}\"\nsize ="));
    let overrides = Overrides { set: set.iter().map(|key| key.to_string()).collect(), ..Overrides::default() };
    Preset::from_text(murmuration::host(), "tank.toml", &text, &overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn processor(threads: usize) -> EngineChoice {
    EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set: None })
}

fn begin(preset: Preset, choice: EngineChoice) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The falcons of a simulation. Checks that none is in rock or under a painted solid.
fn falcons(simulation: &mut Simulation) -> Vec<Falcon> {
    let falcons = simulation.request(FalconsReading).unwrap().wait().unwrap();
    let world = &simulation.preset().world;
    let field = world.rock.as_ref().unwrap();
    let (cells, is_of_cells) = (world.extents.cells(), world.extents.depth.is_some());
    let is_painted = |index: usize| world.solids.get(index % cells).is_some_and(|solid| *solid);
    let is_rock = |index: usize| is_painted(index) || !is_of_cells && field.values[index] > 0;
    let solids = (0..field.values.len()).map(is_rock).collect();
    let rock = Rock { extents: field.extents, edges: world.edges, solids, gaps: Vec::new() };
    for falcon in &falcons {
        assert!(!rock.holds(falcon.place), "{falcon:?} is in rock at step {}", simulation.step());
    }
    falcons
}

fn engines(model: &str) -> Vec<EngineChoice> {
    let mut engines = vec![processor(1), processor(2)];
    if adapter::shared("falcons among rock on the GPU").is_some() {
        engines.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
        if model == "cells" {
            engines.push(EngineChoice::Gpu(Dispatch::Fragment));
        }
    }
    engines
}

/// Falcons start in rock, are painted over, and are resumed from a checkpoint. All engines reach equal bits.
#[test]
fn falcons_among_rock_fly_alike_on_every_engine() {
    for model in ["cells", "individuals"] {
        for edges in ["torus", "walls"] {
            let mut known = None;
            for choice in engines(model) {
                // Render passes play one kind of edges. In the suite only they play cells with that kind.
                let is_of_passes = model == "cells" && edges == "walls";
                match choice {
                    EngineChoice::Gpu(Dispatch::Fragment) if !is_of_passes => continue,
                    EngineChoice::Gpu(Dispatch::Compute { .. }) if is_of_passes && size(true, false) => continue,
                    _ => {}
                }
                let mut simulation = begin(preset(model, edges, &[]), choice);
                let begun = falcons(&mut simulation);
                if known.is_none() {
                    for _ in 0..20 {
                        simulation.advance(5).unwrap();
                        falcons(&mut simulation);
                    }
                } else {
                    // Equal ends mean equal flights.
                    simulation.advance(100).unwrap();
                }
                let over = falcons(&mut simulation)[0].place.map(|along| along / 16);
                let at = if model == "cells" { over.into() } else { [over[0], over[1]].into() };
                simulation.apply(Input::Stroke).unwrap();
                simulation.apply(Input::Solid { at, radius: 3, solid: true }).unwrap();
                let painted = falcons(&mut simulation);
                assert!(simulation.remarks().iter().any(|remark| remark.contains("were moved out of solids")));
                simulation.apply(Input::Set { key: "weights.cohesion".into(), value: "0.3".into() }).unwrap();
                simulation.apply(Input::Set { key: "movement.max".into(), value: "0.5".into() }).unwrap();
                simulation.advance(40).unwrap();
                let before = falcons(&mut simulation);
                assert_ne!(before, painted);
                let bytes = simulation.read(CheckpointReading).unwrap().to_bytes();
                let kept = Checkpoint::from_bytes(&bytes).unwrap();
                let mut resumed = Simulation::resume(murmuration::host(), kept, processor(2)).unwrap();
                assert_eq!(falcons(&mut resumed), before);
                simulation.advance(20).unwrap();
                resumed.advance(20).unwrap();
                let end = (begun, falcons(&mut simulation), simulation.state_hash().unwrap());
                assert_eq!(resumed.state_hash().unwrap(), end.2, "{model}, {edges}, {choice:?}: resumed");
                assert_eq!(*known.get_or_insert(end.clone()), end, "{model}, {edges} on {choice:?}");
                simulation.apply(Input::Undo).unwrap();
                simulation.advance(10).unwrap();
                falcons(&mut simulation);
            }
        }
    }
}

/// A checkpoint of an older version, whose falcons flew through rock.
#[test]
fn a_falcon_that_a_checkpoint_has_in_rock_comes_out_of_it() {
    for model in ["cells", "individuals"] {
        let mut simulation = begin(preset(model, "walls", &[]), processor(1));
        simulation.advance(3).unwrap();
        let words = |falcon: &Falcon| bytemuck::bytes_of(falcon).to_vec();
        let own = falcons(&mut simulation)[1];
        let middle = simulation.preset().space().extents.map(|extent| 8 * extent as i32);
        let inside = Falcon { place: middle, phase: CLIMBS, ..own };
        let bytes = simulation.read(CheckpointReading).unwrap().to_bytes();
        let end = bytes.len() - 32;
        let at = bytes.windows(words(&own).len()).position(|part| part == words(&own)).unwrap();
        assert!(at < end);
        let changed = [&bytes[..at], &words(&inside), &bytes[at + words(&own).len()..]].concat();
        let kept = Checkpoint::from_bytes(&mended_checkpoint(changed)).unwrap();
        let mut resumed = Simulation::resume(murmuration::host(), kept, processor(1)).unwrap();
        let freed = falcons(&mut resumed)[1];
        assert_ne!(freed.place, middle, "the middle is no rock");
        assert_eq!((freed.phase, freed.velocity), (CLIMBS, own.velocity));
        resumed.advance(20).unwrap();
        falcons(&mut resumed);
    }
}
