//! Compares swarms on Bevy's device, in games without a window, with equal swarms that the library plays on the CPU.

mod game;

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::gpu_readback::{Readback, ReadbackComplete};
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::render::settings::{WgpuFeatures, WgpuSettings};
use bevy_murmuration::murmuration::targets::Target;
use bevy_murmuration::murmuration::{self, CpuOptions, EngineChoice, Input, Place, Pointer};
use bevy_murmuration::{Mood, Swarm, SwarmError, SwarmHunter, SwarmMesh, SwarmMotion, SwarmPicture, SwarmSimulation};
use game::{PACE, game_on};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The side in pixels of the squares whose mean values are compared.
const TILE: usize = 16;
/// The maximum difference of two means, on a scale from 0 to 255.
const TOLERANCE: f32 = 6.0;

fn game() -> App {
    game_on(WgpuSettings::default())
}

fn droplets() -> Swarm {
    Swarm::new("droplets").size(96, 64).seed(7).steps_per_second(PACE)
}

/// The swarm of the game, played by the library alone on the CPU.
fn droplets_alone() -> murmuration::Simulation {
    let engine = EngineChoice::Cpu(CpuOptions::default());
    murmuration::open("droplets").size(96, 64).seed(7).engine(engine).start().unwrap()
}

/// Plays the due steps and draws a frame. Waits for the device, so that a slow device postpones no step.
fn update(app: &mut App) {
    app.update();
    let simulations: Vec<SwarmSimulation> =
        app.world_mut().query::<&SwarmSimulation>().iter(app.world()).cloned().collect();
    simulations.iter().for_each(|simulation| simulation.lock().wait().unwrap());
}

/// Updates until `found` returns a value.
fn until<T>(app: &mut App, what: &str, mut found: impl FnMut(&mut App) -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        update(app);
        if let Some(found) = found(app) {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(240), "{what} has not come");
    }
}

fn simulation(app: &mut App, swarm: Entity) -> SwarmSimulation {
    until(app, "the swarm", |app| {
        if let Some(error) = app.world().get::<SwarmError>(swarm) {
            panic!("{}", error.message);
        }
        app.world().get::<SwarmSimulation>(swarm).cloned()
    })
}

/// Plays a swarm up to a step and pauses it.
fn play_to(app: &mut App, swarm: Entity, step: u64) {
    let simulation = simulation(app, swarm);
    while simulation.step() < step {
        update(app);
    }
    assert_eq!(simulation.step(), step, "one step is due in each frame");
    app.world_mut().get_mut::<Swarm>(swarm).unwrap().is_paused = true;
}

/// The bytes of an image, read after three more frames, so that it shows the present step.
fn pixels(app: &mut App, image: &Handle<Image>) -> Vec<u8> {
    for _ in 0..3 {
        update(app);
    }
    let read = Arc::new(Mutex::new(None));
    let taken = read.clone();
    let mut reader = app.world_mut().spawn(Readback::texture(image.clone()));
    reader.observe(move |read: On<ReadbackComplete>| *taken.lock().unwrap() = Some(read.data.clone()));
    let reader = reader.id();
    let pixels = until(app, "the picture", |_| read.lock().unwrap().take());
    app.world_mut().despawn(reader);
    pixels
}

/// Compares a picture with a stored picture by the means of squares of pixels. With the variable `UPDATE_PICTURES` the
/// picture is stored first.
fn compare(name: &str, pixels: &[u8], [width, height]: [usize; 2]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let path = folder.join(format!("{name}.png"));
    let save = |path: &Path| {
        image::save_buffer(path, pixels, width as u32, height as u32, image::ColorType::Rgba8).unwrap();
    };
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        save(&path);
    }
    let stored = image::open(&path).unwrap().into_rgba8().into_raw();
    assert_eq!(stored.len(), pixels.len(), "{name} has another size");
    let tiles = |bytes: &[u8]| -> Vec<f32> {
        let mean = |left: usize, top: usize| {
            let rows = (top..top + TILE).map(|y| &bytes[4 * (y * width + left)..4 * (y * width + left + TILE)]);
            let sum: u32 =
                rows.flat_map(|row| row.chunks(4)).flat_map(|pixel| &pixel[..3]).map(|it| u32::from(*it)).sum();
            sum as f32 / (3 * TILE * TILE) as f32
        };
        let places = (0..height / TILE).flat_map(|y| (0..width / TILE).map(move |x| (TILE * x, TILE * y)));
        places.map(|(left, top)| mean(left, top)).collect()
    };
    let now = tiles(pixels);
    let before = tiles(&stored);
    let least = now.iter().copied().fold(255.0, f32::min);
    let most = now.iter().copied().fold(0.0, f32::max);
    assert!(most - least > 10.0, "{name} shows nothing: {least} to {most}");
    let farthest = now.iter().zip(&before).map(|(now, before)| (now - before).abs()).fold(0.0, f32::max);
    if farthest > TOLERANCE {
        let other = std::env::temp_dir().join(format!("{name}.new.png"));
        save(&other);
        panic!("{name} differs by {farthest} in a tile from {}: see {}", path.display(), other.display());
    }
}

#[test]
fn a_swarm_plays_on_the_games_device_to_the_same_bits_and_the_look_draws_it() {
    let mut app = game();
    let picture = SwarmPicture::new(&mut app.world_mut().resource_mut::<Assets<Image>>(), 192, 128);
    let image = picture.image.clone();
    let swarm = app.world_mut().spawn((droplets(), picture)).id();
    play_to(&mut app, swarm, 40);
    let mut alone = droplets_alone();
    alone.advance(40).unwrap();
    let played = simulation(&mut app, swarm);
    assert_eq!(played.lock().engine_name(), "gpu");
    assert_eq!(played.lock().state_hash().unwrap(), alone.state_hash().unwrap());
    assert_eq!(played.lock().account().unwrap().lost, 0);
    compare("look", &pixels(&mut app, &image), [192, 128]);
    assert_eq!(played.step(), 40, "a paused swarm plays no step");
    app.world_mut().get_mut::<Swarm>(swarm).unwrap().is_paused = false;
    update(&mut app);
    assert_eq!(played.step(), 41);
}

#[test]
fn a_mesh_of_the_game_is_copied_with_light_and_shadow() {
    let mut app = game();
    let world = app.world_mut();
    let mut target = Image::new_target_texture(256, 192, TextureFormat::Rgba8UnormSrgb, None);
    target.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let image = world.resource_mut::<Assets<Image>>().add(target);
    let [bird, floor] = [Cuboid::new(0.8, 0.4, 1.6).into(), Plane3d::default().mesh().size(400.0, 400.0).build()]
        .map(|mesh: Mesh| world.resource_mut::<Assets<Mesh>>().add(mesh));
    let white = world.resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial::default());
    world.spawn((
        Camera3d::default(),
        RenderTarget::Image(image.clone().into()),
        Tonemapping::None,
        Transform::from_xyz(0.0, 45.0, 70.0).looking_at(Vec3::new(0.0, -6.0, 0.0), Vec3::Y),
    ));
    world.spawn((
        DirectionalLight { shadow_maps_enabled: true, illuminance: 6_000.0, ..default() },
        Transform::default().looking_to(Vec3::new(-0.3, -1.0, -0.2), Vec3::Y),
    ));
    world.spawn((Mesh3d(floor), MeshMaterial3d(white), Transform::from_xyz(0.0, -16.0, 0.0)));
    let swarm = Swarm::new("flock").size(64, 64).depth(24).set("start.boids", 300).steps_per_second(PACE);
    let mesh = SwarmMesh {
        material: Color::srgb(0.9, 0.3, 0.1).into(),
        scale: 2.0,
        motion: SwarmMotion::Swim { amplitude: 0.1, beats: 2.0, waves: 0.5 },
        ..SwarmMesh::new(bird)
    };
    let swarm = world.spawn((swarm, mesh)).id();
    play_to(&mut app, swarm, 20);
    compare("mesh", &pixels(&mut app, &image), [256, 192]);
}

#[test]
fn several_swarms_live_in_one_game_and_a_bad_preset_is_an_error() {
    let mut app = game();
    let flat = app.world_mut().spawn(droplets()).id();
    let deep = Swarm::new("flock").size(64, 64).depth(16).set("start.boids", 200).steps_per_second(PACE / 2.0);
    let deep = app.world_mut().spawn(deep).id();
    let bad = app.world_mut().spawn(droplets().set("weights.cohesio", 1)).id();
    let message =
        until(&mut app, "the error", |app| app.world().get::<SwarmError>(bad).map(|error| error.message.clone()));
    assert!(message.contains("weights.cohesio") && message.contains("cohesion"), "{message}");
    assert!(app.world().get::<SwarmSimulation>(bad).is_none());

    let [flat_swarm, deep_swarm] = [flat, deep].map(|swarm| simulation(&mut app, swarm));
    let before = [flat_swarm.step(), deep_swarm.step()];
    (0..20).for_each(|_| update(&mut app));
    let played = [flat_swarm.step() - before[0], deep_swarm.step() - before[1]];
    assert_eq!(played, [20, 10], "each at its own pace");
    app.world_mut().get_mut::<Swarm>(flat).unwrap().speed = 0.25;
    (0..20).for_each(|_| update(&mut app));
    assert_eq!(flat_swarm.step() - before[0], 25, "slow motion");
    assert_eq!([flat_swarm, deep_swarm].map(|swarm| swarm.lock().account().unwrap().lost), [0, 0]);
}

#[test]
fn hunters_are_where_their_entities_are() {
    let mut app = game();
    // Cell (60, 20) of 96 x 64 cells, for a swarm that is moved and scaled by 2.
    let around = Transform::from_xyz(5.0, -3.0, 2.0).with_scale(Vec3::splat(2.0));
    let at = around.transform_point(Vec3::new(12.0, 12.0, 0.0));
    let hunter = SwarmHunter { reach: 30, jaws: 4, ..default() };
    let hunter = app.world_mut().spawn((hunter, Transform::from_translation(at))).id();
    // Another hunter at cell (20, 50), farther from the middle.
    let at = around.transform_point(Vec3::new(-28.0, -18.0, 0.0));
    let second =
        app.world_mut().spawn((SwarmHunter { reach: 20, ..SwarmHunter::lure() }, Transform::from_translation(at))).id();
    let swarm = app.world_mut().spawn((droplets(), around)).id();
    play_to(&mut app, swarm, 12);
    app.world_mut().despawn(hunter);
    app.world_mut().despawn(second);
    app.world_mut().get_mut::<Swarm>(swarm).unwrap().is_paused = false;
    play_to(&mut app, swarm, 24);

    let mut alone = droplets_alone();
    let place = Place::from_cells([60.0, 20.0]);
    alone.apply(Input::Hunter(Some(Pointer { place, reach: 30, mood: Mood::Flee, weight: 2 << 10 }))).unwrap();
    alone.apply(Input::Jaws(4)).unwrap();
    let lure = Target::lure(Place::from_cells([20.0, 50.0]), 20);
    alone.apply(Input::Target { number: 1, target: Some(lure) }).unwrap();
    alone.advance(12).unwrap();
    alone.apply(Input::Target { number: 1, target: None }).unwrap();
    alone.apply(Input::Hunter(None)).unwrap();
    alone.apply(Input::Jaws(0)).unwrap();
    alone.advance(12).unwrap();
    let played = simulation(&mut app, swarm);
    assert_eq!(played.lock().state_hash().unwrap(), alone.state_hash().unwrap());
    let mut quiet = droplets_alone();
    quiet.advance(24).unwrap();
    assert_ne!(alone.state_hash().unwrap(), quiet.state_hash().unwrap(), "the hunter is noticed");
}

/// Runs in a separate process, in which the first mapping of memory for the state fails. That mapping is the test's own
/// request.
#[test]
fn no_frame_reads_the_state_back() {
    const CHILD: &str = "NO_READBACK";
    if std::env::var_os(CHILD).is_none() {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "no_frame_reads_the_state_back", "--nocapture"]);
        let status = child.env(CHILD, "1").env("MURMURATION_FAIL", "map@1").status().unwrap();
        assert!(status.success());
        return;
    }
    // Without timestamps, because the look reads the times of its passes back.
    let timestamps = WgpuFeatures::TIMESTAMP_QUERY
        | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_PASSES;
    let mut app = game_on(WgpuSettings { disabled_features: Some(timestamps), ..default() });
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::default());
    let picture = SwarmPicture::new(&mut app.world_mut().resource_mut::<Assets<Image>>(), 128, 128);
    // A hunter adds no passes to individuals. Cells are copied once, when the first hunter comes.
    let swarm = Swarm::new("flock").size(64, 64).depth(16).set("start.boids", 200).steps_per_second(PACE);
    let swarm = app.world_mut().spawn((swarm, picture, SwarmMesh::new(mesh))).id();
    app.world_mut().spawn((SwarmHunter::lure(), Transform::default()));
    let played = simulation(&mut app, swarm);
    (0..30).for_each(|_| update(&mut app));
    assert!(played.step() >= 30);
    // No frame before has mapped memory, so this mapping is the first one, which fails.
    let ticket = played.lock().request(murmuration::reading::StateHashReading).and_then(|ticket| ticket.wait());
    assert!(ticket.is_err(), "a frame mapped memory before");
}
