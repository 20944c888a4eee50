//! Pictures of points are drawn on the device of the engine, without reading the state back.

use crate::simulation::one_device::NoStorage;
use crate::support::adapter::shared;
use crate::support::command::{Folder, fixture};
use crate::support::measures::check_on_device;
use glam::{uvec2, vec2};
use murmuration::controller::{Command, Controller, ProbeTarget, Scene, pace};
use murmuration::observe::{self, Picture};
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::{Dispatch, Engine};
use murmuration_core::look::{Look, Style};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::State;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_gpu::look::{
    Camera, CrowdFinder, Orbit, Part, PictureRenderer, SwarmSource, ViewTransform, copy_of, on_device,
};
use murmuration_gpu::{Gpu, GpuEngine};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const COMPUTE: Dispatch = Dispatch::Compute { workgroup: [64, 1] };
const SIZE: glam::UVec2 = uvec2(240, 160);

/// The deep default preset with its falcons, in a small world.
fn deep() -> (&'static str, Overrides) {
    let set = vec!["start.run_in=0".into(), "look.points=3000".into()];
    ("murmuration", Overrides { size: Some((37, 29)), depth: Some(23), set, ..Overrides::default() })
}

fn flat() -> (&'static str, Overrides) {
    ("droplets", Overrides { size: Some((72, 48)), set: vec!["look.style=glow".into()], ..Overrides::default() })
}

fn simulation((name, overrides): (&str, Overrides), dispatch: Dispatch) -> Simulation {
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, EngineChoice::Gpu(dispatch)).unwrap()
}

fn gpu_of(simulation: &Simulation) -> Arc<Gpu> {
    on_device(simulation).expect("the engine is on a device").gpu.clone()
}

fn transform(simulation: &Simulation) -> ViewTransform {
    let extents = simulation.preset().world.extents;
    match extents.depth {
        Some(_) => Orbit::first(extents, SIZE).into(),
        None => Camera { centre: vec2(36.0, 24.0), pixels_per_cell: 3.4 }.into(),
    }
}

fn drawn(pictures: &mut PictureRenderer, source: SwarmSource, simulation: &Simulation, look: &Look) -> Picture {
    pictures.view(source, &simulation.preset().world, look, transform(simulation), SIZE).unwrap()
}

fn farthest(one: &Picture, other: &Picture) -> u8 {
    assert_eq!((one.width, one.height), (other.width, other.height));
    one.bytes.iter().zip(&other.bytes).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn points_on_the_device_look_as_they_do_from_memory() {
    if shared("points on the device of the engine").is_none() {
        return;
    }
    let cases = [
        (deep(), COMPUTE, &[Style::Dusk, Style::Glow, Style::Cloud][..]),
        (flat(), Dispatch::Fragment, &[Style::Dusk, Style::Glow]),
    ];
    for (scene, dispatch, styles) in cases {
        let mut simulation = simulation(scene, dispatch);
        let gpu = gpu_of(&simulation);
        let [mut from_there, mut from_here] = [(); 2].map(|()| PictureRenderer::new(&gpu).unwrap());
        for steps in [0, 1, 9] {
            simulation.advance(steps).unwrap();
            let before = simulation.state_readbacks();
            let there = SwarmSource::new(&mut simulation, Some(&gpu)).unwrap();
            assert!(there.state().is_none() && simulation.state_readbacks() == before, "the state was read back");
            let here = SwarmSource::new(&mut simulation, None).unwrap();
            assert!(here.points().is_some_and(|points| points.list.len() > 100), "there are points");
            let nothing = SwarmSource::from(State::empty(simulation.preset().world.extents));
            for style in styles {
                let look = Look { style: *style, ..simulation.preset().look.clone() };
                let [on_device, in_memory, empty] =
                    [there.clone(), here.clone(), nothing.clone()].map(|source| match source {
                        SwarmSource::Device(_) => drawn(&mut from_there, source, &simulation, &look),
                        SwarmSource::Memory(..) => drawn(&mut from_here, source, &simulation, &look),
                    });
                let apart = farthest(&on_device, &in_memory);
                assert!(apart <= 2, "{style:?} after {} steps: {apart} levels apart", simulation.step());
                assert!(farthest(&on_device, &empty) > 40, "{style:?}: nothing is seen");
            }
        }
    }
}

/// A frame of a film does not change while the engine continues.
#[test]
fn a_copy_of_points_stays_as_it_is() {
    if shared("copies of points on the device").is_none() {
        return;
    }
    let mut simulation = simulation(deep(), COMPUTE);
    simulation.advance(5).unwrap();
    let gpu = gpu_of(&simulation);
    let look = simulation.preset().look.clone();
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let now = SwarmSource::new(&mut simulation, Some(&gpu)).unwrap();
    let expected = drawn(&mut pictures, now.clone(), &simulation, &look);
    let (copy, _) = copy_of(&mut simulation, Some(&gpu)).unwrap();
    simulation.advance(5).unwrap();
    assert!(copy.state().is_none());
    assert!(drawn(&mut pictures, copy, &simulation, &look) == expected, "the copy has changed");
    assert!(drawn(&mut pictures, now, &simulation, &look) != expected, "nothing moved");
}

#[test]
fn rendering_points_reads_no_state_back() {
    if shared("pictures of points by the program").is_none() {
        return;
    }
    let folder = Folder::new();
    let scenes: [&[&str]; 4] = [
        &["render", "droplets", "--size", "72x48", "--set", "look.style=slice"],
        &["render", "smoke", "--size", "37x29x23", "--set", "look.style=projection"],
        &["render", "murmuration", "--size", "37x29x23", "--set", "start.run_in=0", "--set", "look.points=3000"],
        &["render", "droplets", "--size", "72x48", "--set", "look.style=glow"],
    ];
    for scene in scenes {
        let run =
            |more: &[&str]| folder.run(&[scene, &["--steps", "12", "--json"], more].concat()).succeeded().object();
        let film = format!("{}.apng", scene[1]);
        let on_gpu = run(&["--engine", "gpu", "--every", "4", "--out", "out", "--film", &film]);
        assert_eq!((&on_gpu["state_readbacks"], &on_gpu["frames"]), (&0.into(), &4.into()), "{scene:?}");
        assert_eq!(on_gpu["state_hash"], run(&["--engine", "cpu", "--threads", "1"])["state_hash"], "{scene:?}");
    }
}

/// Slices and projections are summed on the engine's device, exactly as in memory.
#[test]
fn values_on_the_device_are_those_of_the_state() {
    if shared("values on the device of the engine").is_none() {
        return;
    }
    for (scene, dispatch) in [(deep(), COMPUTE), (flat(), Dispatch::Fragment)] {
        let mut simulation = simulation(scene, dispatch);
        let gpu = gpu_of(&simulation);
        let mut pictures = PictureRenderer::new(&gpu).unwrap();
        for (style, axis, layer, scale) in [
            (Style::Slice, 2, 0.5, 0.0),
            (Style::Slice, 0, 0.6, 0.0),
            (Style::Slice, 1, 0.4, 2.0),
            (Style::Projection, 0, 0.5, 0.0),
            (Style::Projection, 1, 0.5, 0.0),
            (Style::Projection, 2, 0.5, 3.0),
        ] {
            simulation.advance(3).unwrap();
            let look = Look { style, axis, layer, scale, ..simulation.preset().look.clone() };
            let before = simulation.state_readbacks();
            let there = SwarmSource::new(&mut simulation, Some(&gpu)).unwrap();
            let world = simulation.preset().world.clone();
            let drawn = pictures.picture(there, &world, &look).unwrap();
            assert_eq!(simulation.state_readbacks(), before, "the state was read back");
            let expected = observe::picture(&simulation.state().unwrap(), None, &world, &look);
            assert_eq!(farthest(&drawn, &expected), 0, "{style:?} {axis}");
            assert!(drawn.bytes.iter().any(|byte| *byte > 100), "{style:?} {axis}: nothing is seen");
        }
    }
}

/// Densities whose sums need more than 32 bits.
#[test]
fn great_sums_on_the_device_are_exact() {
    let Some(gpu) = shared("great sums on the device") else { return };
    let overrides = Overrides { size: Some((13, 9)), depth: Some(7), ..Overrides::default() };
    let Preset { rules, world, look, .. } = Preset::load(murmuration::host(), "smoke", &overrides).unwrap();
    let plan = Arc::new(Plan::new(&crate::support::scenes::chain("cell-deep"), &rules, &world).unwrap());
    for (multiplier, shift) in [(0x9e37_79b9, 0), (0x85eb_ca6b, 9), (0xffff_ffff, 0)] {
        let density = (1..=world.extents.cells() as u32).map(|index| index.wrapping_mul(multiplier) >> shift).collect();
        let mut state = State::empty(world.extents);
        state.layers[0].density = density;
        let engine = GpuEngine::new(gpu.clone(), plan.clone(), &rules, &world, &state, COMPUTE).unwrap();
        let there = SwarmSource::Device(engine.on_device().unwrap().downcast().unwrap());
        let mut pictures = PictureRenderer::new(&gpu).unwrap();
        for (style, axis) in [(Style::Projection, 0), (Style::Projection, 1), (Style::Projection, 2), (Style::Slice, 1)]
        {
            let look = Look { style, axis, scale: 0.0, ..look.clone() };
            let plane = murmuration_core::picture::Plane::new(&state, &look);
            assert!(style == Style::Slice || shift > 0 || plane.values.iter().any(|sum| *sum > 1 << 32));
            let drawn = pictures.picture(there.clone(), &world, &look).unwrap();
            assert_eq!(farthest(&drawn, &observe::picture(&state, None, &world, &look)), 0, "{style:?} {axis} {shift}");
            assert_eq!(pictures.top_of_scale(), Some(plane.top), "{style:?} {axis} {shift}");
        }
    }
}

/// Pictures, metrics, falcons and the crowd under the mouse of a window.
#[test]
fn a_deep_world_is_viewed_without_a_readback_of_the_state() {
    let Some(gpu) = shared("a view on the device of the engine") else { return };
    let (preset, overrides) = deep();
    let choice = EngineChoice::Gpu(Dispatch::default());
    let scene = Scene { preset: preset.into(), overrides, chain: None, choice, replay: None };
    let simulation = scene.begin(murmuration::host(), None).unwrap();
    let transform = transform(&simulation);
    let now = Arc::new(Mutex::new(Duration::ZERO));
    let clock = now.clone();
    let clock = Box::new(move || *clock.lock().unwrap());
    let mut controller = Controller::new(simulation, scene, Box::new(NoStorage), clock);
    controller.draw_on(gpu.clone());
    controller.handle([Command::Probe(Some(ProbeTarget::Cell([20, 10, 9])), None)]);
    let (mut pictures, mut crowd) = (PictureRenderer::new(&gpu).unwrap(), CrowdFinder::default());
    let (mut snapshots, mut metrics) = (0, Vec::new());
    for frame in 0..60 {
        *now.lock().unwrap() += pace::TICK;
        controller.tick();
        let Some(snapshot) = controller.snapshot() else { continue };
        snapshots += 1;
        assert_eq!((snapshot.account.lost, snapshot.state_readbacks), (0, 0), "frame {frame}");
        metrics.push(snapshot.metrics.step);
        crowd.find(&snapshot.source, &transform.projection(SIZE), [120.0, 80.0]);
        let (source, world) = (snapshot.source, &snapshot.info.world);
        let part = Part { source, individuals: None, world, transform, pane: SIZE.into() };
        pictures.next(&[part], &snapshot.info.look, SIZE).unwrap();
    }
    assert!(snapshots > 50, "{snapshots} snapshots");
    assert!(metrics.last() > metrics.first(), "the metrics follow the swarm");
    assert!(controller.take_events().is_empty());
}

/// A window over a flat swarm in the cloud style has points while single boids are visible. No state is read for them.
#[test]
fn a_flat_world_is_viewed_from_near_without_a_readback_of_the_state() {
    let Some(gpu) = shared("a near view on the device of the engine") else { return };
    let overrides = Overrides { size: Some((72, 48)), ..Overrides::default() };
    let choice = EngineChoice::Gpu(Dispatch::default());
    let scene = Scene { preset: fixture("droplets").into(), overrides, chain: None, choice, replay: None };
    let simulation = scene.begin(murmuration::host(), None).unwrap();
    let now = Arc::new(Mutex::new(Duration::ZERO));
    let clock = now.clone();
    let clock = Box::new(move || *clock.lock().unwrap());
    let mut controller = Controller::new(simulation, scene, Box::new(NoStorage), clock);
    controller.draw_on(gpu.clone());
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for is_near in [false, true, false, true] {
        controller.view_from_near(is_near);
        for frame in 0..12 {
            *now.lock().unwrap() += pace::TICK;
            controller.tick();
            let Some(snapshot) = controller.snapshot() else { continue };
            assert_eq!((snapshot.account.lost, snapshot.state_readbacks), (0, 0), "frame {frame}");
            let SwarmSource::Device(textures) = &snapshot.source else { panic!("the state was read back") };
            assert_eq!(textures.points().is_some(), is_near, "frame {frame}");
            let camera = Camera { centre: vec2(36.0, 24.0), pixels_per_cell: if is_near { 20.0 } else { 6.0 } };
            let (source, world) = (snapshot.source, &snapshot.info.world);
            let part = Part { source, individuals: None, world, transform: camera.into(), pane: SIZE.into() };
            pictures.next(&[part], &snapshot.info.look, SIZE).unwrap();
        }
    }
    assert!(controller.take_events().is_empty());
}

#[test]
fn the_crowd_on_the_device_is_that_of_the_state() {
    if shared("the crowd on the device").is_none() {
        return;
    }
    let mut simulation = simulation(deep(), COMPUTE);
    let gpu = gpu_of(&simulation);
    let projection = transform(&simulation).projection(SIZE);
    let middle = projection.pixel_at([18.5, 14.5, 11.5]).unwrap().0;
    let there = SwarmSource::new(&mut simulation, Some(&gpu)).unwrap();
    let here = SwarmSource::new(&mut simulation, None).unwrap();
    let mut found = Vec::new();
    for pixel in [middle, [middle[0] + 21.0, middle[1] - 9.0], [1.0, 1.0]] {
        let expected = CrowdFinder::default().find(&here, &projection, pixel);
        let mut finder = CrowdFinder::default();
        // The first call requests the result, and the second call takes it.
        finder.find(&there, &projection, pixel);
        gpu.wait(None).unwrap();
        assert_eq!(finder.find(&there, &projection, pixel), expected, "at {pixel:?}");
        found.push(expected);
    }
    assert!(found[0].is_some() && found[2].is_none(), "{found:?}");
}

#[test]
fn the_sums_of_a_deep_state_on_the_device_are_those_of_the_state() {
    if shared("sums on the device").is_none() {
        return;
    }
    for dispatch in [COMPUTE, Dispatch::Fragment] {
        let mut simulation = simulation(deep(), dispatch);
        for steps in [0, 5, 6] {
            simulation.advance(steps).unwrap();
            let before = simulation.state_readbacks();
            let shift = simulation.preset().rules.shift;
            let made = simulation.request(SumsReading { shift }).unwrap().wait().unwrap();
            assert_eq!(simulation.state_readbacks(), before);
            let expected = StateSums::new(&simulation.state().unwrap(), shift);
            assert_eq!((made.rows.len(), &made), (29 * 23, &expected));
            check_on_device(&mut simulation, &format!("{dispatch:?}"));
        }
    }
}

/// Beside cells the individuals are drawn on their device. Only a due comparison reads them.
#[test]
fn individuals_beside_cells_are_drawn_where_they_are() {
    let Some(gpu) = shared("two models on one device") else { return };
    let (preset, overrides) = flat();
    let choice = EngineChoice::Gpu(Dispatch::default());
    let scene = Scene { preset: preset.into(), overrides, chain: None, choice, replay: None };
    let simulation = scene.begin(murmuration::host(), None).unwrap();
    let mut controller = Controller::new(simulation, scene, Box::new(NoStorage), Box::new(|| Duration::ZERO));
    controller.draw_on(gpu.clone());
    controller.handle([Command::Compare(true)]);
    for _ in 0..4 {
        controller.tick();
        let snapshot = controller.snapshot().expect("something changed");
        let individuals = snapshot.compared.expect("both models are played");
        assert!(individuals.source.state().is_none() && individuals.individuals.is_some(), "{individuals:?}");
        controller.handle([Command::Steps(1)]);
    }
}
