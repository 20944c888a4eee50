//! One device for an engine and its pictures: the pictures read the swarm on the device.

use crate::simulation::tickets::{Stage, scene};
use crate::support::adapter::shared;
use crate::support::command::fixture;
use crate::support::measures::check_on_device;
use crate::support::scenes::{Scene, chain};
use glam::{UVec2, uvec2, vec2};
use murmuration::Failure;
use murmuration::compare::measures::{ModelSample, measure};
use murmuration::compare::{ModelPair, Pair, Resolution};
use murmuration::controller::{Command, ProbeTarget, RunFile, Scene as ControllerScene, SceneInfo, Snapshot, Storage};
use murmuration::observe::{Picture, frame};
use murmuration::run::Stepper;
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::chain::DEFAULT;
use murmuration_core::engine::{Adapters, Dispatch, Engine, LatticeEngine};
use murmuration_core::look::Look;
use murmuration_core::points::PointsReading;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{Account, EngineChoice, Input, Simulation};
use murmuration_core::state::StateReading;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::Extents;
use murmuration_gpu::cells::StateTextures;
use murmuration_gpu::device::program;
use murmuration_gpu::look::{
    Camera, Orbit, Part, PictureRenderer, SwarmRenderer, SwarmSource, ViewTransform, download, on_device,
};
use murmuration_gpu::{DevicePool, DeviceRequest, Gpu, GpuEngine};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const DISPATCHES: [Dispatch; 2] = [Dispatch::Compute { workgroup: [64, 1] }, Dispatch::Fragment];

fn simulation(name: &str, dispatch: Dispatch) -> Simulation {
    let overrides = Overrides { size: Some((72, 48)), ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, EngineChoice::Gpu(dispatch)).unwrap()
}

/// The textures of a simulation's state on a GPU.
fn textures(simulation: &Simulation) -> Arc<StateTextures> {
    on_device(simulation).expect("the engine is on a device")
}

/// The present state and its points, read back.
fn in_memory(simulation: &mut Simulation) -> SwarmSource {
    let (state, points) = (simulation.state().unwrap(), simulation.read(PointsReading).unwrap());
    SwarmSource::Memory(Arc::new(state), points.map(Arc::new))
}

fn picture(pictures: &mut PictureRenderer, source: SwarmSource, simulation: &Simulation, camera: Camera) -> Picture {
    let (world, look) = (&simulation.preset().world, Look { trails: 0.0, ..simulation.preset().look.clone() });
    let size = uvec2(240, 160);
    let part = Part { source, individuals: None, world, transform: camera.into(), pane: size.into() };
    pictures.next(&[part], &look, size).unwrap()
}

/// Cameras with small cells, with very small cells, with cells so large that single boids are drawn, and across the
/// edges of the torus.
pub fn cameras() -> [Camera; 4] {
    let camera = |x, y, pixels_per_cell| Camera { centre: vec2(x, y), pixels_per_cell };
    [camera(36.0, 24.0, 3.4), camera(36.0, 24.0, 0.7), camera(30.0, 20.0, 14.0), camera(-2.0, 47.0, 24.0)]
}

#[test]
fn a_picture_of_the_state_on_the_device_is_that_of_the_state_in_memory() {
    if shared("pictures on the device of the engine").is_none() {
        return;
    }
    for (name, dispatch) in [(fixture("droplets"), DISPATCHES[0]), (fixture("lagoon"), DISPATCHES[1])] {
        let mut simulation = simulation(&name, dispatch);
        simulation.keep_points().unwrap();
        for steps in [0, 1, 6] {
            simulation.advance(steps).unwrap();
            let gpu = textures(&simulation).gpu.clone();
            let in_memory = in_memory(&mut simulation);
            let before = simulation.state_readbacks();
            for camera in cameras() {
                let on_device = SwarmSource::new(&mut simulation, Some(&gpu)).unwrap();
                assert!(on_device.state().is_none(), "the state was read back");
                let [there, here] = [on_device, in_memory.clone()]
                    .map(|source| picture(&mut PictureRenderer::new(&gpu).unwrap(), source, &simulation, camera));
                assert!(there == here, "{name} after {steps} more steps, {camera:?}");
            }
            assert_eq!(simulation.state_readbacks(), before);
        }
    }
}

/// The renderer keeps its textures and bind groups while the engine changes its own.
#[test]
fn pictures_follow_an_engine_through_every_change() {
    if shared("pictures on the device of the engine").is_none() {
        return;
    }
    let mut simulation = simulation(&fixture("simmer"), DISPATCHES[0]);
    let gpu = textures(&simulation).gpu.clone();
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let spawn = Input::Spawn { at: [20, 20].into(), radius: 4, boids: 300 };
    let wall = Input::Solid { at: [40, 10].into(), radius: 3, solid: true };
    let other = Input::Set { key: "world.edges".into(), value: "walls".into() };
    let inputs = [Input::Stroke, spawn, wall, Input::Undo, other, Input::Stroke];
    for (index, input) in inputs.into_iter().enumerate() {
        // After an odd number of steps the state is in the other textures.
        simulation.advance(3).unwrap();
        let changed = simulation.apply(input);
        assert!(changed.is_ok(), "{index}: {changed:?}");
        let state = simulation.state().unwrap();
        let on_device = SwarmSource::Device(textures(&simulation));
        let camera = cameras()[index % 2];
        let there = picture(&mut pictures, on_device, &simulation, camera);
        let here = picture(&mut PictureRenderer::new(&gpu).unwrap(), state.into(), &simulation, camera);
        assert!(there == here, "after input {index}");
        assert_eq!(textures(&simulation).current().step, simulation.step(), "after input {index}");
    }
}

/// A frame of a film does not change while the engine continues.
#[test]
fn a_copy_stays_as_it_is() {
    if shared("copies on the device").is_none() {
        return;
    }
    let mut simulation = simulation(&fixture("droplets"), DISPATCHES[0]);
    simulation.advance(5).unwrap();
    let (state, gpu) = (simulation.state().unwrap(), textures(&simulation).gpu.clone());
    let copy = SwarmSource::Device(Arc::new(textures(&simulation).copy().unwrap()));
    simulation.advance(5).unwrap();
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let now = SwarmSource::Device(textures(&simulation));
    let [copied, now, expected] =
        [copy, now, state.into()].map(|source| picture(&mut pictures, source, &simulation, cameras()[0]));
    assert!(copied == expected, "the copy has changed");
    assert!(now != expected, "nothing moved");
}

/// An engine plays on one thread, and another thread reads the state. The state is complete and belongs to the reported
/// step.
#[test]
fn what_is_read_while_an_engine_plays_is_of_the_step_that_is_said() {
    let Some(gpu) = shared("an engine and a reader in two threads") else { return };
    let (chain, scene) = (chain(DEFAULT), Scene::built_in("droplets", 48, 40));
    let steps = 60u32;
    let plan = Arc::new(murmuration_core::chain::plan::Plan::new(&chain, &scene.rules, &scene.world).unwrap());
    let weights = plan.weights();
    let parameters = |step: u32| Parameters::new(&scene.rules, &scene.world, &weights, step.into());
    let engine = || {
        let dispatch = Dispatch::default();
        GpuEngine::new(gpu.clone(), plan.clone(), &scene.rules, &scene.world, &scene.start, dispatch).unwrap()
    };
    let mut reference = engine();
    let mut expected = vec![reference.request(StateReading).unwrap().wait().unwrap()];
    for step in 0..steps {
        reference.play(&[parameters(step)]).unwrap();
        expected.push(reference.request(StateReading).unwrap().wait().unwrap());
    }
    // In the middle of a split step nothing can be read.
    for most in [u64::MAX, 0] {
        let mut playing = engine();
        playing.set_work_per_submission(most);
        let shown: Arc<StateTextures> = playing.on_device().unwrap().downcast().unwrap();
        let is_over = AtomicBool::new(false);
        let seen = std::thread::scope(|scope| {
            scope.spawn(|| {
                for step in 0..steps {
                    playing.play(&[parameters(step)]).unwrap();
                }
                is_over.store(true, Ordering::Relaxed);
            });
            let mut seen = Vec::new();
            let mut is_last = false;
            while !is_last {
                is_last = is_over.load(Ordering::Relaxed);
                let copy = shown.copy().unwrap();
                let step = copy.current().step;
                assert!(
                    read(&gpu, &copy) == expected[step as usize].layers[0].density,
                    "step {step} shows another one"
                );
                seen.push(step);
            }
            seen
        });
        assert!(seen.is_sorted() && seen.last() == Some(&u64::from(steps)), "{seen:?}");
    }
}

/// The density of a state on the device, x fastest.
fn read(gpu: &Arc<Gpu>, textures: &StateTextures) -> Vec<u32> {
    let size = [textures.extents.width, textures.extents.height];
    murmuration_gpu::device::transfer::download(gpu, &textures.current().density, [0; 2], size, "copy").unwrap()
}

#[test]
fn a_picture_of_the_whole_is_drawn_from_the_device_too() {
    if shared("pictures on the device of the engine").is_none() {
        return;
    }
    let mut simulation = simulation(&fixture("droplets"), DISPATCHES[0]);
    simulation.advance(4).unwrap();
    let gpu = textures(&simulation).gpu.clone();
    let preset = simulation.preset().clone();
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let drawn = pictures.picture(SwarmSource::Device(textures(&simulation)), &preset.world, &preset.look).unwrap();
    assert_eq!(simulation.state_readbacks(), 0);
    let state = simulation.state().unwrap();
    assert!(drawn == pictures.picture(&state, &preset.world, &preset.look).unwrap());
    assert_eq!(UVec2::new(drawn.width, drawn.height), UVec2::from(frame(state.extents).0));
}

/// A storage that drops all files and watches none.
pub struct NoStorage;

impl Storage for NoStorage {
    fn save(&mut self, _: &RunFile) -> Result<String, Failure> {
        Ok(String::new())
    }

    fn save_last_known(&mut self, _: &mut Simulation) -> String {
        String::new()
    }

    fn save_last_hunt(&mut self, _: &mut Simulation) -> Result<(), Failure> {
        Ok(())
    }

    fn watch(&mut self, _: Vec<PathBuf>) -> Result<(), String> {
        Ok(())
    }

    fn changed_files(&mut self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A window without a display. It plays steps and draws each on the device of the engine.
pub struct View {
    pub stage: Stage,
    pictures: PictureRenderer,
    frames: usize,
}

impl View {
    pub fn new(gpu: &Arc<Gpu>, scene: ControllerScene) -> Self {
        let mut stage = Stage::new(scene);
        stage.controller.draw_on(gpu.clone());
        stage.controller.handle([Command::Probe(Some(ProbeTarget::Cell([12, 9, 0])), None)]);
        Self { stage, pictures: PictureRenderer::new(gpu).unwrap(), frames: 0 }
    }

    /// Plays a step and draws it from the next camera. Returns the snapshot, if it is new.
    pub fn next(&mut self) -> Option<Snapshot> {
        let snapshot = self.stage.tick()?;
        let (size, world) = (uvec2(90, 60), &snapshot.info.world);
        let transform = match world.extents.depth {
            None => cameras()[self.frames / 4 % 4].into(),
            Some(_) => Orbit::first(world.extents, size).into(),
        };
        self.frames += 1;
        self.draw(snapshot.source.clone(), &snapshot.info, transform, size);
        Some(snapshot)
    }

    fn draw(&mut self, source: SwarmSource, info: &SceneInfo, transform: ViewTransform, size: UVec2) -> Picture {
        let part = Part { source, individuals: None, world: &info.world, transform, pane: size.into() };
        self.pictures.next(&[part], &Look { trails: 0.0, ..info.look.clone() }, size).unwrap()
    }
}

/// Pictures, metrics, probe and count of a window: the swarm stays on the device.
#[test]
fn six_hundred_frames_are_viewed_without_a_readback_of_the_state() {
    let Some(gpu) = shared("a view on the device of the engine") else { return };
    let scene = scene(&fixture("droplets"), Overrides { size: Some((72, 48)), ..Overrides::default() });
    let mut view = View::new(&gpu, scene);
    let mut snapshots = 0;
    for frame in 0..600 {
        let Some(snapshot) = view.next() else { continue };
        snapshots += 1;
        let SwarmSource::Device(textures) = &snapshot.source else { panic!("frame {frame} is drawn from memory") };
        assert!(textures.gpu.is_same_device(&gpu), "the engine has a device of its own");
        assert_eq!((snapshot.account.lost, snapshot.state_readbacks), (0, 0), "frame {frame}");
        let probed = snapshot.probe.as_ref().map(|probe| probe.cell);
        // The first answer comes some frames later.
        assert!(probed == Some([12, 9, 0]) || frame < 30 && probed.is_none(), "frame {frame}: {probed:?}");
    }
    assert!(snapshots > 590, "{snapshots} snapshots");
    assert!(view.stage.controller.take_events().is_empty());
}

/// Cells and individuals side by side on one device. A comparison is of one step of both models, even if it arrives
/// later. It equals the comparison of these swarms on the CPU.
#[test]
fn a_comparison_of_two_models_reads_each_state_once() {
    let Some(gpu) = shared("a comparison on the device of the engines") else { return };
    let overrides = Overrides { size: Some((48, 32)), ..Overrides::default() };
    let mut view = View::new(&gpu, scene(&fixture("droplets"), overrides.clone()));
    view.stage.controller.handle([Command::Compare(true)]);
    let mut rows = BTreeMap::new();
    let mut readbacks = 0;
    for frame in 0..150 {
        let Some(snapshot) = view.next() else { continue };
        assert_eq!(snapshot.account.lost, 0, "frame {frame}");
        readbacks = snapshot.state_readbacks;
        let individuals = snapshot.compared.expect("both are shown");
        let SwarmSource::Device(_) = &individuals.source else { panic!("individuals are drawn from memory") };
        assert_eq!(individuals.account.lost, 0, "frame {frame}");
        rows.extend(snapshot.comparison.map(|row| (row.step, row)));
    }
    assert!(rows.len() >= 4, "{:?}", rows.keys());
    // One comparison may still be pending.
    let compared = 2 * rows.len() as u64;
    assert!(
        (compared..=compared + 2).contains(&readbacks),
        "{readbacks} states are read for {} comparisons",
        rows.len()
    );

    let preset = Preset::load(murmuration::host(), fixture("droplets"), &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let choice = EngineChoice::Cpu(Default::default());
    let mut pair = Pair::new(preset, &chain, ModelPair { cells: choice, individuals: choice }).unwrap();
    for (step, row) in rows {
        pair.play(step - pair.step()).unwrap();
        let accounts = pair.accounts().unwrap();
        let state = |simulation: &mut Simulation| {
            let swarm = simulation.swarm().unwrap();
            simulation.deposit(&swarm).into_owned()
        };
        let states = ModelPair { cells: state(&mut pair.cells), individuals: state(&mut pair.individuals) };
        let space = pair.cells.preset().space();
        let measures = ModelPair {
            cells: pair.cells.swarm().unwrap().measures(&space),
            individuals: pair.individuals.swarm().unwrap().measures(&space),
        };
        let sample = |state, measures, account: Account, milliseconds| ModelSample {
            liveliness: None,
            state,
            measures,
            quanta: account.quanta,
            ledger: account.ledger,
            milliseconds,
        };
        let samples = ModelPair {
            cells: sample(&states.cells, measures.cells, accounts.cells, row.of.cells.milliseconds),
            individuals: sample(
                &states.individuals,
                measures.individuals,
                accounts.individuals,
                row.of.individuals.milliseconds,
            ),
        };
        assert_eq!(*row, measure(step, pair.cells.preset(), Resolution::default(), &samples).0, "step {step}");
    }
}

/// A swarm at rest with a hunter that walks four cells a step and eats a trail. The length of the trail tells the
/// number of steps.
const TRAIL: &str = "description = \"a trail\"\n[world]\nsize = [256, 12]\nedges = \"walls\"\n[start]\nboids = 6144\n\
    [sight.cohesion]\ndisc = 1\n[sight.separation]\ndisc = 1\n[sight.alignment]\ndisc = 1\n\
    [weights]\ncohesion = 0\nseparation = 0\nalignment = 0\nhunter = 0\nwalls = 0\nroost = 0\n\
    [hunter]\npath = [[0, 0.5], [1, 0.5]]\nspeed = 4\njaws = 3\nreach = 1\n";

/// The swarm as two species with one colour.
const TWO_TRAILS: &str = "[[species]]\nname = \"one\"\nseed = 1\n[[species]]\nname = \"two\"\nseed = 2\n";

/// The step that a picture of the swarm of [`TRAIL`] shows, at four pixels a cell. The empty cells of the middle row
/// tell the step: after n steps the hunter has emptied 4n - 1 cells of this row. The glow of the boids beyond the empty
/// cells fades within a cell.
fn step_in(picture: &Picture) -> u64 {
    let row = &picture.bytes[3 * (picture.width * picture.height / 2) as usize..][..3 * picture.width as usize];
    let levels: Vec<u32> = row.chunks(3).map(|pixel| pixel.iter().map(|level| u32::from(*level)).sum()).collect();
    let middle = (levels.iter().min().unwrap() + levels.iter().max().unwrap()) / 2;
    let dark = levels.iter().filter(|level| **level < middle).count() as f64 / 4.0;
    ((dark + 0.5) / 4.0).round() as u64
}

/// Each frame of a film shows its step, although the engine has continued. So does a picture that a window draws at
/// once, and a still of an engine that has continued.
#[test]
fn a_picture_shows_the_step_that_it_says() {
    let Some(gpu) = shared("a trail") else { return };
    for preset in [TRAIL.to_string(), format!("{TRAIL}{TWO_TRAILS}")] {
        check_steps_of_pictures(&gpu, &preset);
    }
}

fn check_steps_of_pictures(gpu: &Arc<Gpu>, preset: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trail.toml");
    std::fs::write(&path, preset).unwrap();
    let mut view = View::new(gpu, scene(path.to_str().unwrap(), Overrides::default()));
    let (transform, size) = (Camera { centre: vec2(128.0, 6.0), pixels_per_cell: 4.0 }, uvec2(1024, 48));
    let mut shown = Vec::new();
    // A short trail is a spot whose length is uncertain.
    (0..3).for_each(|_| drop(view.stage.tick()));
    for _ in 0..20 {
        let snapshot = view.stage.tick().expect("a step was played");
        let picture = view.draw(snapshot.source, &snapshot.info, transform.into(), size);
        shown.push((step_in(&picture), snapshot.step));
    }
    for _ in 0..3 {
        let snapshot = view.stage.tick().expect("a step was played");
        view.stage.play();
        let SwarmSource::Device(textures) = &snapshot.source else { panic!("it is drawn from memory") };
        let said = textures.current().step;
        assert!(said > snapshot.step, "{said}");
        let picture = view.draw(snapshot.source, &snapshot.info, transform.into(), size);
        shown.push((step_in(&picture), said));
    }
    view.stage.controller.handle([Command::Film(Some(3))]);
    let mut film = Vec::new();
    for _ in 0..30 {
        view.stage.tick();
        film.extend(view.stage.controller.take_frame());
    }
    for frame in film.into_iter().rev() {
        let picture = view.draw(frame.source, &frame.info, transform.into(), size);
        shown.push((step_in(&picture), frame.step));
    }
    assert!(shown.iter().all(|(shown, said)| shown == said), "{shown:?}");
    assert!(shown.len() > 30 && shown.iter().any(|(step, _)| *step > 50), "{shown:?}");
}

/// The devices before and after a loss belong to two instances. Each is the first of its instance, so wgpu considers
/// them equal. A picture must not bind resources of the other device.
#[test]
fn the_first_devices_of_two_instances_are_two() {
    let Some(gpu) = shared("devices of two instances") else { return };
    let request = DeviceRequest::new(Adapters::Any, Extents::flat(8, 8));
    let pools = [(); 2].map(|()| murmuration::host::new_devices());
    let [one, other] = pools.each_ref().map(|pool| pool.get(&request).unwrap());
    assert!(one.device == other.device, "wgpu tells them apart by now: its comparison may be used");
    assert!(!one.is_same_device(&other) && !other.is_same_device(&one));
    assert!(one.is_same_device(&pools[0].get(&request).unwrap()), "a pool opens a device twice");
    let given = Gpu::from_device(gpu.library, &gpu.device, gpu.queue());
    assert!(given.is_same_device(&gpu) && gpu.is_same_device(&given), "the device of another program");

    // A swarm on one device is drawn on the other from memory.
    let mut simulation = simulation(&fixture("droplets"), DISPATCHES[0]);
    let is_on_device = |source| matches!(source, SwarmSource::Device(_));
    assert!(is_on_device(SwarmSource::new(&mut simulation, Some(&gpu)).unwrap()));
    for elsewhere in [&one, &other] {
        assert!(!is_on_device(SwarmSource::new(&mut simulation, Some(elsewhere)).unwrap()));
    }
}

/// A program with its own device draws its own picture, the swarm over a part of it, and more of its own.
#[test]
fn another_program_draws_the_swarm_in_its_frame() {
    let Some(gpu) = shared("another program") else { return };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let host = murmuration::host_on_device(&gpu.device, gpu.queue());
    let overrides = Overrides { size: Some((72, 48)), ..Overrides::default() };
    let preset = Preset::load(&host, fixture("droplets"), &overrides).unwrap();
    let (world, look) = (preset.world.clone(), Look { trails: 0.0, ..preset.look.clone() });
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Gpu(DISPATCHES[0])).unwrap();
    simulation.advance(9).unwrap();
    assert!(textures(&simulation).gpu.is_same_device(&gpu), "the engine has a device of its own");

    let (size, camera) = (uvec2(240, 160), cameras()[0]);
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
    let texture = |size: UVec2| program::texture(&gpu.device, "frame", size.to_array(), format, 1, usage);
    let (whole, part) = (texture(uvec2(300, 160)), texture(size));
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let clear = |encoder: &mut wgpu::CommandEncoder, target: &wgpu::Texture| {
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::RED), store: wgpu::StoreOp::Store };
        let view = target.create_view(&Default::default());
        let attachment = wgpu::RenderPassColorAttachment { view: &view, depth_slice: None, resolve_target: None, ops };
        let color_attachments = &[Some(attachment)];
        drop(encoder.begin_render_pass(&wgpu::RenderPassDescriptor { color_attachments, ..Default::default() }));
    };
    clear(&mut encoder, &whole);
    let mut renderer = SwarmRenderer::new(murmuration::LIBRARY, &gpu.device, gpu.queue(), format).unwrap();
    renderer.show(SwarmSource::new(&mut simulation, Some(&gpu)).unwrap(), &world);
    renderer.draw(&mut encoder, &part.create_view(&Default::default()), size, &camera.into(), &look);
    encoder.copy_texture_to_texture(part.as_image_copy(), whole.as_image_copy(), part.size());
    gpu.queue().submit([encoder.finish()]);
    renderer.submitted();
    let frame = download(&gpu, &whole).unwrap();
    assert_eq!(simulation.state_readbacks(), 0);
    let state = simulation.state().unwrap();
    let expected = picture(&mut PictureRenderer::new(&gpu).unwrap(), state.into(), &simulation, camera);
    for (row, expected) in frame.bytes.chunks(3 * 300).zip(expected.bytes.chunks(3 * 240)) {
        assert!(row[..3 * 240] == *expected, "another swarm is drawn");
        assert!(row[3 * 240..].chunks(3).all(|pixel| pixel == [255, 0, 0]), "the program's own picture is gone");
    }
}

/// Metrics of a swarm on a device are sums on the device.
#[test]
fn the_sums_on_the_device_are_those_of_the_state() {
    if shared("sums on the device").is_none() {
        return;
    }
    for (name, dispatch) in
        [(fixture("droplets"), DISPATCHES[0]), (fixture("lagoon"), DISPATCHES[1]), ("paper".to_owned(), DISPATCHES[0])]
    {
        let mut simulation = simulation(&name, dispatch);
        for steps in [0, 5, 6] {
            simulation.advance(steps).unwrap();
            let before = simulation.state_readbacks();
            let shift = simulation.preset().rules.shift;
            let made = simulation.request(SumsReading { shift }).unwrap().wait().unwrap();
            assert_eq!(simulation.state_readbacks(), before);
            let expected = StateSums::new(&simulation.state().unwrap(), shift);
            assert_eq!(made, expected, "{name}");
            check_on_device(&mut simulation, &name);
        }
    }
}

/// From near the points of the engine are drawn, also after brushes and across edges. Without points the whole picture
/// is a cloud.
#[test]
fn single_boids_on_the_device_are_the_points_of_the_swarm() {
    let Some(gpu) = shared("single boids on the device") else { return };
    for extents in [(72, 48), (71, 49), (9, 7)] {
        for edges in ["torus", "walls"] {
            let set = vec![format!("world.edges={edges}")];
            let overrides = Overrides { size: Some(extents), set, ..Overrides::default() };
            let preset = Preset::load(murmuration::host(), fixture("droplets"), &overrides).unwrap();
            let chain = preset.load_chain(None).unwrap();
            let mut simulation = Simulation::new(preset, &chain, EngineChoice::Gpu(DISPATCHES[0])).unwrap();
            simulation.advance(3).unwrap();
            let mut pictures = PictureRenderer::new(&gpu).unwrap();
            let centre = vec2(extents.0 as f32, extents.1 as f32) - 6.0;
            for camera in
                [Camera { centre, pixels_per_cell: 18.0 }, Camera { centre: centre + 3.0, pixels_per_cell: 24.0 }]
            {
                simulation.drop_points().unwrap();
                let brush = (centre - 0.5).as_ivec2().max(glam::IVec2::ZERO).to_array();
                simulation.apply(Input::Spawn { at: brush.into(), radius: 3, boids: 90 }).unwrap();
                let before = simulation.state_readbacks();
                let device = SwarmSource::Device(textures(&simulation));
                let cloud = picture(&mut pictures, device.clone(), &simulation, camera);
                simulation.keep_points().unwrap();
                let seeded = picture(&mut pictures, device.clone(), &simulation, camera);
                assert!(seeded != cloud, "{extents:?}, {edges}, {camera:?}: no single boids are seen");
                simulation.advance(2).unwrap();
                let there = picture(&mut pictures, device, &simulation, camera);
                assert_eq!(simulation.state_readbacks(), before, "the state was read back");
                let read = in_memory(&mut simulation);
                let here = picture(&mut PictureRenderer::new(&gpu).unwrap(), read, &simulation, camera);
                assert!(there == here, "{extents:?}, {edges}, {camera:?}");
            }
        }
    }
}

/// Swarms of both models play a frame in one submission. Their bits are equal to the bits without a batch.
#[test]
fn many_swarms_play_in_one_submission() {
    let Some(gpu) = shared("many swarms") else { return };
    // This device has no clock, so the engine does not split steps on a slow machine.
    let device = Gpu::from_device(gpu.library, &gpu.device, gpu.queue());
    let host = murmuration::host::host_on_devices(DevicePool::from_gpu(device));
    let start = |name: &str| {
        let builder = murmuration::open(name).host(host.clone()).size(48, 32).set("start.run_in", 0);
        builder.engine(EngineChoice::Gpu(DISPATCHES[0])).start().unwrap()
    };
    let names = ["droplets", "flock", "feeding", "smoke"];
    let [mut joined, mut single] = [names; 2].map(|names| names.map(start));
    let device = murmuration_gpu::device_of(&joined[0]).expect("it plays on a device");
    for frame in 0..6 {
        let before = device.submissions();
        let batch = device.batch();
        for swarm in &mut joined {
            swarm.try_advance(2).unwrap();
        }
        assert_eq!(device.submissions(), before, "something was submitted before the end of frame {frame}");
        drop(batch);
        assert_eq!(device.submissions(), before + 1, "frame {frame}");
        device.wait(None).unwrap();
        for swarm in &mut single {
            swarm.advance(2).unwrap();
        }
    }
    for ((name, joined), single) in names.iter().zip(&mut joined).zip(&mut single) {
        assert_eq!((joined.step(), single.step()), (12, 12), "{name}");
        assert_eq!(joined.state_hash().unwrap(), single.state_hash().unwrap(), "{name}");
        assert_eq!(joined.account().unwrap(), single.account().unwrap(), "{name}");
    }

    // Uploads, readbacks and waits within a batch see all earlier steps.
    let batch = device.batch();
    for (joined, single) in joined.iter_mut().zip(&mut single) {
        for steps in [1, 70] {
            let spawned = Input::Spawn { at: [20, 16].into(), radius: 3, boids: 5 };
            for swarm in [&mut *joined, &mut *single] {
                swarm.apply(Input::Jaws(2)).unwrap();
                swarm.advance(steps).unwrap();
                swarm.apply(spawned.clone()).unwrap();
            }
            let inner = device.batch();
            joined.advance(1).unwrap();
            drop(inner);
            single.advance(1).unwrap();
            assert_eq!(joined.state_hash().unwrap(), single.state_hash().unwrap());
        }
    }
    drop(batch);
    assert!(
        joined.iter_mut().zip(&mut single).all(|(one, other)| one.state_hash().unwrap() == other.state_hash().unwrap())
    );
}

/// A batch with more work than a submission may contain is split. Each swarm has its own numbers in the second
/// submission.
#[test]
fn a_batch_that_is_cut_has_the_same_bits() {
    let Some(gpu) = shared("a batch that is cut") else { return };
    let device = Gpu::from_device(gpu.library, &gpu.device, gpu.queue());
    let host = murmuration::host::host_on_devices(DevicePool::from_gpu(device));
    let start = || {
        let builder = murmuration::open("droplets").host(host.clone()).size(512, 512).set("start.run_in", 0);
        builder.engine(EngineChoice::Gpu(DISPATCHES[0])).start().unwrap()
    };
    let [mut one, mut other, mut single] = [start(), start(), start()];
    let device = murmuration_gpu::device_of(&one).expect("it plays on a device");
    let before = device.submissions();
    let batch = device.batch();
    one.try_advance(128).unwrap();
    other.try_advance(128).unwrap();
    batch.finish().unwrap();
    assert!(device.submissions() > before + 1, "the batch was not cut");
    assert_eq!([one.step(), other.step()], [128, 128], "two submissions have so many steps");
    single.advance(128).unwrap();
    let hash = single.state_hash().unwrap();
    assert_eq!([one.state_hash().unwrap(), other.state_hash().unwrap()], [hash.clone(), hash]);
}
