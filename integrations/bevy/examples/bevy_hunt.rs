//! A game in the first person: the player hunts the starlings of the preset `murmuration`, at dusk over a landscape.
//! The flock flees from the player.
//!
//! ```text
//! cargo run --release --example bevy_hunt
//! ```
//!
//! The mouse looks, W A S D fly, Shift is faster, Space opens the jaws, T is slow motion, P pauses, and Escape ends.

mod stage;

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::light::{CascadeShadowConfigBuilder, NotShadowCaster};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions, PrimaryWindow};
use bevy_murmuration::murmuration::account::Entry;
use bevy_murmuration::murmuration::reading::{AccountReading, Ticket};
use bevy_murmuration::murmuration::{Account, BOID};
use bevy_murmuration::{Swarm, SwarmHunter, SwarmMesh, SwarmMotion, SwarmPlugin, SwarmSimulation};
use stage::{Options, app, target};
use std::f32::consts::{FRAC_PI_2, PI};

/// The length of a cell of the swarm, in units of the game.
const SCALE: f32 = 2.0;
/// The height of the swarm's middle above the ground, in units of the game.
const HEIGHT: f32 = 75.0;
/// The side of the landscape, in units of the game.
const LAND: f32 = 1600.0;
/// The number of squares of the landscape's mesh along a side.
const SQUARES: u32 = 160;
const HAZE: Color = Color::srgb(0.86, 0.55, 0.38);
const SUN: Vec3 = Vec3::new(-0.55, 0.16, -0.82);

fn main() {
    app("The hunt")
        .add_plugins(SwarmPlugin)
        .insert_resource(ClearColor(HAZE))
        .add_systems(Startup, begin)
        .add_systems(Update, (look, fly, control, count))
        .run();
}

/// The player, who is the camera and the hunter. The angles of the view are in radians.
#[derive(Component)]
struct Player {
    yaw: f32,
    pitch: f32,
}

fn begin(
    mut commands: Commands,
    options: Res<Options>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut cursors: Query<&mut CursorOptions, With<PrimaryWindow>>,
) {
    for mut cursor in &mut cursors {
        (cursor.grab_mode, cursor.visible) = (CursorGrabMode::Locked, false);
    }
    let yaw = 0.25;
    let pitch = 0.08;
    commands.spawn((
        Player { yaw, pitch },
        SwarmHunter { reach: 22, weight: 3.0, ..default() },
        Camera3d::default(),
        target(&options, &mut images),
        Tonemapping::AcesFitted,
        Msaa::Sample4,
        Projection::Perspective(PerspectiveProjection { fov: 1.1, far: 4000.0, ..default() }),
        AmbientLight { color: Color::srgb(0.62, 0.62, 0.85), brightness: 420.0, ..default() },
        DistanceFog { color: HAZE, falloff: FogFalloff::from_visibility_squared(1500.0), ..default() },
        Transform::from_xyz(34.0, 52.0, 150.0).with_rotation(Quat::from_euler(EulerRot::YXZ, yaw, pitch, 0.0)),
    ));
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(1.0, 0.72, 0.45),
            illuminance: 9_000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder { num_cascades: 3, maximum_distance: 700.0, ..default() }.build(),
        Transform::default().looking_to(-SUN - Vec3::Y * 0.25, Vec3::Y),
    ));

    let bird = SwarmMesh {
        material: StandardMaterial {
            base_color: Color::srgb(0.05, 0.045, 0.06),
            perceptual_roughness: 0.8,
            double_sided: true,
            cull_mode: None,
            ..default()
        },
        scale: 0.62,
        motion: SwarmMotion::Flap { angle: 0.75, beats: 3.0 },
        ..SwarmMesh::new(meshes.add(bird_mesh()))
    };
    commands.spawn((
        Swarm::new("murmuration").steps_per_second(30.0),
        bird,
        Transform::from_xyz(0.0, HEIGHT, 0.0).with_scale(Vec3::splat(SCALE)),
    ));

    let ground = materials.add(StandardMaterial { perceptual_roughness: 1.0, reflectance: 0.1, ..default() });
    commands.spawn((Mesh3d(meshes.add(land_mesh())), MeshMaterial3d(ground)));
    let sky = materials.add(StandardMaterial { unlit: true, fog_enabled: false, cull_mode: None, ..default() });
    commands.spawn((Mesh3d(meshes.add(sky_mesh())), MeshMaterial3d(sky), NotShadowCaster));
}

fn look(motion: Option<Res<AccumulatedMouseMotion>>, mut players: Query<(&mut Player, &mut Transform)>) {
    let Some(motion) = motion else { return };
    for (mut player, mut transform) in &mut players {
        player.yaw -= motion.delta.x * 0.002;
        player.pitch = (player.pitch - motion.delta.y * 0.002).clamp(-FRAC_PI_2 + 0.02, FRAC_PI_2 - 0.02);
        transform.rotation = Quat::from_euler(EulerRot::YXZ, player.yaw, player.pitch, 0.0);
    }
}

fn fly(keys: Option<Res<ButtonInput<KeyCode>>>, time: Res<Time>, mut players: Query<&mut Transform, With<Player>>) {
    let Some(keys) = keys else { return };
    let along = |[more, less]: [KeyCode; 2]| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let speed = if keys.pressed(KeyCode::ShiftLeft) { 110.0 } else { 45.0 };
    for mut transform in &mut players {
        let ahead = transform.forward() * along([KeyCode::KeyW, KeyCode::KeyS]);
        let aside = transform.right() * along([KeyCode::KeyD, KeyCode::KeyA]);
        transform.translation += (ahead + aside).normalize_or_zero() * speed * time.delta_secs();
        let ground = height(transform.translation.x, transform.translation.z) + 3.0;
        transform.translation.y = transform.translation.y.max(ground);
    }
}

fn control(
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut swarms: Query<&mut Swarm>,
    mut hunters: Query<&mut SwarmHunter>,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(keys) = keys else { return };
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
    for mut swarm in &mut swarms {
        if keys.just_pressed(KeyCode::KeyP) {
            swarm.is_paused = !swarm.is_paused;
        }
        if keys.just_pressed(KeyCode::KeyT) {
            swarm.speed = if swarm.speed < 1.0 { 1.0 } else { 0.2 };
        }
    }
    for mut hunter in &mut hunters {
        let jaws = if keys.pressed(KeyCode::Space) { 3 } else { 0 };
        if hunter.jaws != jaws {
            hunter.jaws = jaws;
        }
    }
}

/// Shows the number of caught starlings in the window's title. The number is requested once a second, and arrives some
/// frames later.
fn count(
    swarms: Query<&SwarmSimulation>,
    time: Res<Time>,
    mut windows: Query<&mut Window>,
    mut ticket: Local<Option<Ticket<Account>>>,
    mut asked: Local<f32>,
) {
    let (Ok(simulation), Ok(mut window)) = (swarms.single(), windows.single_mut()) else { return };
    if ticket.is_none() && time.elapsed_secs() > *asked + 1.0 {
        *asked = time.elapsed_secs();
        *ticket = simulation.lock().request(AccountReading).ok();
    }
    let Some(Ok(Some(account))) = ticket.as_mut().map(Ticket::poll) else { return };
    *ticket = None;
    window.title = format!("The hunt: {} caught", account.ledger.sum(Entry::Caught) / u64::from(BOID));
}

/// A starling that faces -z: a body of two triangles, and two wings along x.
fn bird_mesh() -> Mesh {
    let places: Vec<[f32; 3]> = vec![
        // The body: beak, back, tail.
        [0.0, 0.0, -0.5],
        [0.09, 0.03, -0.1],
        [0.0, 0.0, 0.5],
        [-0.09, 0.03, -0.1],
        // The wings: front root, tip, rear root.
        [0.05, 0.03, -0.22],
        [0.72, 0.03, 0.12],
        [0.05, 0.03, 0.16],
        [-0.05, 0.03, -0.22],
        [-0.05, 0.03, 0.16],
        [-0.72, 0.03, 0.12],
    ];
    let normals = vec![[0.0, 1.0, 0.0]; places.len()];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(vec![0, 3, 1, 1, 3, 2, 4, 6, 5, 7, 9, 8]))
}

/// A pseudo-random number from 0 to 1 for a place with whole coordinates.
fn corner(x: i32, z: i32) -> f32 {
    let mixed = (x as u32).wrapping_mul(0x9e37_79b1) ^ (z as u32).wrapping_mul(0x85eb_ca77);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
    ((mixed ^ mixed >> 13) & 0xffff) as f32 / 65535.0
}

/// Smooth noise from 0 to 1. It passes through the random numbers at places with whole coordinates.
fn noise(x: f32, z: f32) -> f32 {
    let left = x.floor();
    let near = z.floor();
    let [u, v] = [x - left, z - near].map(|part| part * part * (3.0 - 2.0 * part));
    let at = |right, far| corner(left as i32 + right, near as i32 + far);
    let [front, back] = [0, 1].map(|far| at(0, far) + (at(1, far) - at(0, far)) * u);
    front + (back - front) * v
}

/// The height of the landscape at a place, in units of the game: hills around a valley.
fn height(x: f32, z: f32) -> f32 {
    let far = (Vec2::new(x, z).length() / 420.0).min(1.6);
    let octaves = [(260.0, 1.0), (110.0, 0.4), (45.0, 0.16), (18.0, 0.06)];
    let hills: f32 = octaves.iter().map(|(length, share)| noise(x / length + 7.0, z / length + 3.0) * share).sum();
    hills * (14.0 + 95.0 * far * far) - 12.0
}

fn land_mesh() -> Mesh {
    let along = |index: u32| (index as f32 / SQUARES as f32 - 0.5) * LAND;
    let (mut places, mut normals, mut colours) = (Vec::new(), Vec::new(), Vec::new());
    for (z, x) in (0..=SQUARES).flat_map(|z| (0..=SQUARES).map(move |x| (along(z), along(x)))) {
        let high = height(x, z);
        let normal = Vec3::new(height(x - 2.0, z) - height(x + 2.0, z), 4.0, height(x, z - 2.0) - height(x, z + 2.0));
        let normal = normal.normalize();
        places.push([x, high, z]);
        normals.push(normal.to_array());
        // Meadows in the valley, heather on the slopes, stubble between them.
        let patch = noise(x / 30.0, z / 30.0);
        let meadow = Vec3::new(0.13, 0.16, 0.05).lerp(Vec3::new(0.34, 0.27, 0.10), patch);
        let colour = meadow.lerp(Vec3::new(0.20, 0.12, 0.10), (high / 110.0).clamp(0.0, 1.0));
        colours.push(colour.extend(1.0).to_array());
    }
    let row = SQUARES + 1;
    let square = |(z, x): (u32, u32)| {
        let first = z * row + x;
        [first, first + row, first + 1, first + 1, first + row, first + row + 1]
    };
    let indices = (0..SQUARES).flat_map(|z| (0..SQUARES).map(move |x| (z, x))).flat_map(square).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}

/// The mesh of the sky. Its colour goes from the haze at the horizon to the dusk above, and is brighter around the sun.
fn sky_mesh() -> Mesh {
    let mut sky = Sphere::new(2500.0).mesh().uv(48, 32);
    let haze = HAZE.to_linear().to_vec3();
    let places = sky.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|places| places.as_float3()).unwrap_or_default();
    let colour = |place: &[f32; 3]| {
        let towards = Vec3::from(*place).normalize();
        let high = (towards.y.max(0.0) * PI / 2.0).sin().powf(0.55);
        let sun = towards.dot(SUN.normalize()).max(0.0);
        let dusk = haze.lerp(Vec3::new(0.08, 0.11, 0.26), high);
        let light = Vec3::new(1.0, 0.55, 0.22) * (0.35 * sun.powi(8) + 1.4 * sun.powi(400));
        (dusk + light).extend(1.0).to_array()
    };
    let colours: Vec<[f32; 4]> = places.iter().map(colour).collect();
    sky.insert_attribute(Mesh::ATTRIBUTE_COLOR, colours);
    sky
}
