//! Individuals on the device that draws them: their deposit on the lattice, its pictures and its metrics are made on
//! the device.

use crate::look::device::farthest;
use crate::simulation::one_device::{NoStorage, cameras};
use crate::support::adapter::shared;
use crate::support::individuals::{Start, individuals, rules, setup, solids, space, surroundings};
use crate::support::measures::check_on_device;
use crate::support::random::Random;
use crate::support::size;
use glam::{UVec2, uvec2, vec2};
use murmuration::controller::{Command, Controller, ProbeTarget, Scene, pace};
use murmuration::observe::Picture;
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, Engine, IndividualsEngine};
use murmuration_core::individuals::RuleSet;
use murmuration_core::individuals::deposit::deposit;
use murmuration_core::individuals::find::LineOfSight;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::look::Look;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::probe::ProbeReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::state::{Individuals, Layer, State, Swarm, SwarmReading, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::endless::PlaceSumsReading;
use murmuration_core::world::{Edges, Space, World};
use murmuration_gpu::cells::StateTextures;
use murmuration_gpu::device::transfer::download;
use murmuration_gpu::look::{
    Camera, IndividualsSource, Orbit, Part, PictureRenderer, SwarmSource, ViewTransform, on_device, swarm_of,
};
use murmuration_gpu::{Gpu, GpuIndividuals};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });
const SIZE: UVec2 = uvec2(240, 160);

fn simulation(name: &str, size: (u32, u32)) -> Simulation {
    let overrides = Overrides { size: Some(size), ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, GPU).unwrap()
}

/// An engine with these individuals.
fn engine(gpu: &Arc<Gpu>, space: Space, begun: &Individuals, solids: Vec<bool>) -> GpuIndividuals {
    let chain = Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap();
    let setup = setup(&rules(RuleSet::Flock), &Habitat::new(space, solids), SearchKind::Grid, begun.len().max(1));
    GpuIndividuals::new(gpu.clone(), &setup, (begun, &WorldColumns::default()), &chain).unwrap()
}

/// The deposit that an engine shows.
fn shown(engine: &mut dyn Engine) -> State {
    engine.show().unwrap();
    let textures: Arc<StateTextures> = engine.on_device().unwrap().downcast().unwrap();
    read(&textures)
}

fn read(textures: &StateTextures) -> State {
    let (now, extents) = (textures.current(), textures.extents);
    let word = |texture| download(&textures.gpu, texture, [0; 2], [extents.width, extents.height], "deposit").unwrap();
    let layer = Layer { density: word(&now.density), control: word(&now.control) };
    State::new(extents, vec![layer])
}

#[test]
fn the_deposit_on_the_device_is_that_of_the_core() {
    let Some(gpu) = shared("deposits on the device") else { return };
    let mut random = Random::new(31);
    for axes in [2, 3] {
        let space = space(axes, Edges::Torus);
        for start in [Start::Uniform, Start::Clumped, Start::OneCell, Start::OnePlace, Start::Borders, Start::Edges] {
            let begun = individuals(&space, start, 3000, &mut random);
            let mut engine = engine(&gpu, space, &begun, Vec::new());
            assert!(shown(&mut engine) == deposit(&begun, &space), "{start:?}");
            // After a hunt the swarm is smaller. Then a larger and an empty swarm replace it.
            let rules = rules(RuleSet::Flock);
            let setup = setup(&rules, &Habitat::new(space, Vec::new()), SearchKind::Grid, begun.len());
            let around: Vec<_> = (0..7).map(|step| surroundings(step, 70)).collect();
            engine.play(&crate::support::individuals::steps(std::slice::from_ref(&rules), &setup, &around)).unwrap();
            let after = engine.request(SwarmReading).unwrap().wait().unwrap();
            assert!(shown(&mut engine) == deposit(after.individuals().unwrap(), &space), "{start:?} after steps");
            for others in [individuals(&space, start, 5000, &mut random), Individuals::default()] {
                engine.set_individuals(&others, &WorldColumns::default()).unwrap();
                assert!(shown(&mut engine) == deposit(&others, &space), "{start:?}, {} others", others.len());
            }
        }
    }
}

/// Sums of more than 32 bits, means of half a unit, and cells with more individuals than they can show.
#[test]
fn a_crowd_has_the_mean_of_its_velocities_however_large_it_is() {
    let Some(gpu) = shared("deposits on the device") else { return };
    let space = space(2, Edges::Walls);
    let mut random = Random::new(32);
    // The maximum speed of a flock.
    const MAX_OFFSET: i32 = 15_000;
    let velocities: [fn(&mut Random, usize) -> [i32; 2]; 3] = [
        |_, _| [MAX_OFFSET, -MAX_OFFSET],
        |_, index| [MAX_OFFSET - index as i32 % 2, index as i32 % 2 - MAX_OFFSET],
        |random, _| [0, 1].map(|_| random.below(2 * MAX_OFFSET as u64 + 1) as i32 - MAX_OFFSET),
    ];
    for velocity in velocities {
        for count in [1usize, 2, 3, 255, 65_535, 65_536, 300_001] {
            let mut crowd = Individuals::default();
            for index in 0..count {
                let [x, y] = velocity(&mut random, index);
                crowd.push(index as u32, [(9 << 16) + 5, (11 << 16) + 65_535, 0], [x, y, 0]);
            }
            let mut engine = engine(&gpu, space, &crowd, solids(&space));
            assert!(shown(&mut engine) == deposit(&crowd, &space), "{count} individuals");
        }
    }
}

/// The picture of a simulation, drawn on the device and drawn from memory.
fn pictures(
    pictures: &mut PictureRenderer,
    simulation: &mut Simulation,
    transform: &ViewTransform,
    look: &Look,
) -> [Picture; 2] {
    let gpu = on_device(simulation).expect("the engine is on a device").gpu.clone();
    let before = simulation.state_readbacks();
    let there = swarm_of(simulation, Some(&gpu)).unwrap();
    assert!(matches!(there, (SwarmSource::Device(_), Some(IndividualsSource::Device))), "{there:?}");
    assert_eq!(simulation.state_readbacks(), before);
    let here = swarm_of(simulation, None).unwrap();
    let world = simulation.preset().world.clone();
    [there, here].map(|(source, individuals)| draw_by(pictures, source, individuals, &world, transform, look))
}

fn draw(
    gpu: &Arc<Gpu>,
    source: SwarmSource,
    individuals: Option<IndividualsSource>,
    world: &World,
    transform: &ViewTransform,
    look: &Look,
) -> Picture {
    draw_by(&mut PictureRenderer::new(gpu).unwrap(), source, individuals, world, transform, look)
}

fn draw_by(
    pictures: &mut PictureRenderer,
    source: SwarmSource,
    individuals: Option<IndividualsSource>,
    world: &World,
    transform: &ViewTransform,
    look: &Look,
) -> Picture {
    let part = Part { source, individuals, world, transform: *transform, pane: SIZE.into() };
    pictures.next(&[part], look, SIZE).unwrap()
}

#[test]
fn individuals_on_the_device_look_as_they_do_from_memory() {
    let Some(gpu) = shared("pictures on the device of the engine") else { return };
    let mut renderer = PictureRenderer::new(&gpu).unwrap();
    for (name, size) in [("flock", (72, 48)), ("school", (72, 48)), ("circles", (72, 48))] {
        let mut simulation = simulation(name, size);
        let look = Look { trails: 0.0, ..simulation.preset().look.clone() };
        let depth = simulation.preset().individuals.as_ref().unwrap().depth;
        let near = Camera { centre: vec2(30.0, 20.0), pixels_per_cell: 9.0 };
        let mut transforms: Vec<ViewTransform> = cameras().into_iter().chain([near]).map(Into::into).collect();
        if depth > 1 {
            transforms.push(ViewTransform::Around(Orbit::fit([size.0, size.1, depth].into(), SIZE)));
        }
        for input in [
            None,
            Some(Input::Spawn { at: [20, 20].into(), radius: 4, boids: 300 }),
            Some(Input::Lift { at: [30, 20].into(), radius: 6 }),
        ] {
            simulation.advance(3).unwrap();
            if let Some(input) = input {
                simulation.apply(input).unwrap();
            }
            for transform in &transforms {
                let [there, here] = pictures(&mut renderer, &mut simulation, transform, &look);
                let apart = farthest(&there, &here);
                assert!(apart <= 2, "{name}, {transform:?}: {apart} levels apart");
                assert!(there.bytes.iter().any(|byte| *byte > 60), "nothing is seen");
            }
        }
    }
}

/// A part of a large swarm is drawn, equal to the part drawn from memory.
#[test]
fn of_a_large_swarm_the_same_individuals_are_drawn() {
    let Some(gpu) = shared("a large swarm on the device") else { return };
    let space = space(2, Edges::Torus);
    let (count, exposure) = if gpu.is_software() { ((1 << 17) + 5, 0.01) } else { ((1 << 21) + 5, 0.16) };
    let begun = individuals(&space, Start::Uniform, count, &mut Random::new(33));
    let mut engine = engine(&gpu, space, &begun, Vec::new());
    engine.show().unwrap();
    let textures: Arc<StateTextures> = engine.on_device().unwrap().downcast().unwrap();
    let bodies = textures.current().bodies.unwrap();
    assert_eq!((bodies.each, bodies.count), (2, count as u32));
    let extents = space.extents();
    let world = World::empty(extents, Edges::Torus);
    let look = Look { trails: 0.0, exposure, ..Look::default() };
    let transform = Camera { centre: vec2(30.0, 20.0), pixels_per_cell: 40.0 }.into();
    let there = draw(&gpu, SwarmSource::Device(textures), Some(IndividualsSource::Device), &world, &transform, &look);
    let seen = deposit(&begun, &space);
    let here = draw(&gpu, seen.clone().into(), Some((&begun).into()), &world, &transform, &look);
    assert!(farthest(&there, &here) <= 2, "{} levels apart", farthest(&there, &here));
    let without = draw(&gpu, seen.into(), None, &world, &transform, &look);
    assert!(farthest(&there, &without) > 2, "no individual is drawn");
    // In a smaller swarm every individual is drawn.
    let begun = individuals(&space, Start::Uniform, 500, &mut Random::new(35));
    engine.set_individuals(&begun, &WorldColumns::default()).unwrap();
    engine.show().unwrap();
    let textures: Arc<StateTextures> = engine.on_device().unwrap().downcast().unwrap();
    assert_eq!(textures.current().bodies.unwrap().each, 1);
}

/// A frame of a film keeps its individuals while the engine continues.
#[test]
fn a_copy_of_individuals_stays_as_it_is() {
    if shared("copies on the device").is_none() {
        return;
    }
    let mut simulation = simulation("flock", (72, 48));
    simulation.advance(2).unwrap();
    let gpu = on_device(&simulation).unwrap().gpu.clone();
    let (look, transform) = (Look { trails: 0.0, ..Look::default() }, cameras()[0].into());
    let world = simulation.preset().world.clone();
    let (there, _) = swarm_of(&mut simulation, Some(&gpu)).unwrap();
    let SwarmSource::Device(textures) = &there else { panic!("the engine is on a device") };
    let copy = SwarmSource::Device(Arc::new(textures.copy().unwrap()));
    let (state, individuals) = swarm_of(&mut simulation, None).unwrap();
    simulation.advance(5).unwrap();
    simulation.show().unwrap();
    assert_eq!(textures.current().step, 7);
    let drawn = |source, individuals| draw(&gpu, source, individuals, &world, &transform, &look);
    let [copied, now] = [copy, there.clone()].map(|source| drawn(source, Some(IndividualsSource::Device)));
    let expected = drawn(state, individuals);
    assert!(farthest(&copied, &expected) <= 2, "the copy has changed");
    assert!(farthest(&now, &expected) > 10, "nothing moved");
}

/// Metrics and the probe of individuals come from their deposit.
#[test]
fn sums_and_probe_of_individuals_read_nothing_back() {
    if shared("sums on the device").is_none() {
        return;
    }
    for name in ["flock", "school"] {
        let mut simulation = simulation(name, (72, 48));
        for steps in [0, 5] {
            simulation.advance(steps).unwrap();
            let before = simulation.state_readbacks();
            assert!(simulation.on_device().is_some(), "the deposit is made on the device");
            let shift = simulation.preset().rules.shift;
            let made = simulation.request(SumsReading { shift }).unwrap().wait().unwrap();
            let probes =
                [[0, 0, 0], [20, 20, 0], [71, 47, 0]].map(|cell| simulation.read(ProbeReading { cell }).unwrap());
            assert_eq!(simulation.state_readbacks(), before);
            let state = simulation.state().unwrap();
            let expected = StateSums::new(&state, simulation.preset().rules.shift);
            assert_eq!(made, expected, "{name}");
            check_on_device(&mut simulation, name);
            for probe in probes {
                let index = (probe.cell[1] * 72 + probe.cell[0]) as usize;
                assert_eq!(
                    (probe.density, probe.control),
                    (state.layers[0].density[index], state.layers[0].velocity(index))
                );
                assert_eq!(probe.step, simulation.step());
            }
        }
    }
}

/// Sums over the places of a crowd, whose sum needs two words, of a small swarm, and of an empty swarm. Each swarm is
/// then replaced by three individuals, and summed again.
#[test]
fn sums_over_places_are_those_in_memory() {
    let Some(gpu) = shared("sums over places") else { return };
    let mut random = Random::new(31);
    let far = Space { extents: [8000, 300, 200], edges: Edges::Walls };
    let farthest = far.extents.map(|extent| ((extent as i32) << 16) - 1);
    let mut crowd = Individuals::default();
    (0..70_000).for_each(|number| crowd.push(number, farthest, [0; 3]));
    crowd.push(70_000, [0; 3], [0; 3]);
    let flat = space(2, Edges::Torus);
    let some = individuals(&flat, Start::Uniform, 500, &mut random);
    for (space, begun) in [(far, &crowd), (flat, &some), (flat, &Individuals::default())] {
        let mut engine = engine(&gpu, space, begun, Vec::new());
        assert_eq!(engine.request(PlaceSumsReading).unwrap().wait().unwrap(), begun.place_sums(), "{}", begun.len());
        let few = individuals(&space, Start::Borders, 3, &mut random);
        engine.set_individuals(&few, &WorldColumns::default()).unwrap();
        assert_eq!(engine.request(PlaceSumsReading).unwrap().wait().unwrap(), few.place_sums());
    }
}

/// Pictures, metrics, probe and count of a window: the individuals stay on the device.
#[test]
fn frames_of_individuals_are_viewed_without_a_readback() {
    let Some(gpu) = shared("a view on the device of the engine") else { return };
    for (preset, is_deep, frames) in [("flock", false, size(150, 600)), ("school", true, size(60, 200))] {
        let scene = Scene {
            preset: preset.into(),
            overrides: Overrides { size: Some((72, 48)), ..Overrides::default() },
            chain: None,
            choice: GPU,
            replay: None,
        };
        let simulation = scene.begin(murmuration::host(), None).unwrap();
        let now = Arc::new(Mutex::new(Duration::ZERO));
        let clock = now.clone();
        let mut controller =
            Controller::new(simulation, scene, Box::new(NoStorage), Box::new(move || *clock.lock().unwrap()));
        controller.draw_on(gpu.clone());
        let (from, ahead) = ([36.0, 24.0, 200.0], [0.0, 0.0, -1.0]);
        let line = LineOfSight { from, ahead, length: 400.0, radius: 20.0, spread: 0.0 };
        let target = if is_deep { ProbeTarget::Individual(line) } else { ProbeTarget::Cell([30, 20, 0]) };
        controller.handle([Command::Probe(Some(target), None)]);
        let mut individual = None;
        let mut pictures = PictureRenderer::new(&gpu).unwrap();
        let (look, size) = (Look::default(), uvec2(90, 60));
        let mut snapshots = 0;
        for frame in 0..frames {
            *now.lock().unwrap() += pace::TICK;
            controller.tick();
            let Some(snapshot) = controller.snapshot() else { continue };
            snapshots += 1;
            assert_eq!((snapshot.account.lost, snapshot.state_readbacks), (0, 0), "{preset}, frame {frame}");
            assert!(matches!(snapshot.individuals, Some(IndividualsSource::Device)), "{preset}, frame {frame}");
            let probed = snapshot.probe.as_ref().map(|probe| probe.cell);
            let number = snapshot.probed_individual.as_ref().map(|probe| probe.individual.number);
            let is_there = if is_deep { number.is_some() } else { probed == Some([30, 20, 0]) };
            assert!(is_there || frame < 30 && probed.is_none(), "frame {frame}: {probed:?} {number:?}");
            // The probe keeps its individual.
            assert!(individual.is_none() || individual == number, "frame {frame}: {individual:?} {number:?}");
            individual = number;
            let transform = if is_deep {
                ViewTransform::Around(Orbit::fit([72, 48, snapshot.info.depth].into(), size))
            } else {
                cameras()[frame / 4 % 4].into()
            };
            let (source, individuals, world) = (snapshot.source, snapshot.individuals, &snapshot.info.world);
            let part = Part { source, individuals, world, transform, pane: size.into() };
            pictures.next(&[part], &look, size).unwrap();
        }
        assert!(snapshots > frames - 10, "{snapshots} snapshots");
        assert!(controller.take_events().is_empty());
    }
}

/// The loss of a device during a deposit: another engine shows an equal deposit.
#[test]
fn a_device_that_is_lost_while_individuals_are_shown_is_replaced() {
    if shared("a lost device").is_none() {
        return;
    }
    for touches in [None, Some(0), Some(1), Some(2), Some(3)] {
        // The device is lost here, so no other test may use it.
        let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
        let overrides = Overrides { size: Some((72, 48)), ..Overrides::default() };
        let preset = Preset::load(&own_devices, "flock", &overrides).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let mut simulation = Simulation::new(preset, &chain, GPU).unwrap();
        simulation.advance(2).unwrap();
        let gpu = simulation.gpu().expect("the engine is on a device").clone();
        match touches {
            None => gpu.lose(),
            Some(touches) => gpu.lose_after(touches),
        }
        simulation.show().unwrap();
        simulation.account().unwrap();
        simulation.show().unwrap();
        let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else {
            panic!("a flock is one of individuals")
        };
        let textures = on_device(&simulation).expect("the engine is on a device again");
        assert!(read(&textures) == deposit(&individuals, &simulation.preset().space()), "{touches:?}");
        assert_eq!(textures.current().step, simulation.step());
    }
}
