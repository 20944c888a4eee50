//! The fish of the preset `aquarium` in a glass tank, with meshes, lights, shadows and fog of the game. The fish avoid
//! the rock in the tank.
//!
//! ```text
//! cargo run --release --example bevy_aquarium
//! ```
//!
//! Space: pause. S: slow motion. L: the shoal follows a lure. The arrow keys turn the camera.

mod stage;

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::{CascadeShadowConfigBuilder, NotShadowCaster};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_murmuration::{Swarm, SwarmHunter, SwarmMesh, SwarmMotion, SwarmPlugin, SwarmSimulation, rock_mesh};
use stage::{Options, app, target};
use std::f32::consts::TAU;

const ROOM: Color = Color::srgb(0.012, 0.016, 0.022);
const WATER: Color = Color::srgb(0.05, 0.42, 0.54);
/// Half the extents of the tank along x, y and z, in units of the game. A unit is a cell.
const TANK: Vec3 = Vec3::new(80.0, 32.0, 48.0);
const BUBBLES: u32 = 90;
/// The rings of a fish's body: the place along z from the nose (-0.5) to the tail, half the height and half the width.
/// The unit is the length of the fish.
const RINGS: [[f32; 3]; 7] = [
    [-0.50, 0.010, 0.008],
    [-0.40, 0.085, 0.050],
    [-0.22, 0.150, 0.080],
    [-0.02, 0.155, 0.078],
    [0.16, 0.095, 0.048],
    [0.28, 0.040, 0.022],
    [0.34, 0.030, 0.012],
];
const SIDES: usize = 8;

fn main() {
    app("Aquarium")
        .add_plugins(SwarmPlugin)
        .insert_resource(ClearColor(ROOM))
        .add_systems(Startup, begin)
        .add_systems(Update, (add_rock, steer, move_lure, move_bubbles, turn_camera))
        .run();
}

fn begin(
    mut commands: Commands,
    options: Res<Options>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((
        Camera3d::default(),
        target(&options, &mut images),
        Tonemapping::AcesFitted,
        Msaa::Sample4,
        AmbientLight { color: Color::srgb(0.60, 0.84, 0.92), brightness: 2400.0, ..default() },
        DistanceFog { color: WATER, falloff: FogFalloff::Linear { start: 120.0, end: 420.0 }, ..default() },
        Eye { angle: -0.25 },
        Transform::default(),
    ));
    // The lamps under the lid.
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(1.0, 0.98, 0.90),
            illuminance: 12_000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 2,
            first_cascade_far_bound: 150.0,
            maximum_distance: 300.0,
            ..default()
        }
        .build(),
        Transform::default().looking_to(Vec3::new(-0.30, -1.0, -0.35), Vec3::Y),
    ));
    add_tank(&mut commands, &mut meshes, &mut materials);

    let fish = SwarmMesh {
        material: StandardMaterial {
            perceptual_roughness: 0.5,
            reflectance: 0.3,
            double_sided: true,
            cull_mode: None,
            ..default()
        },
        scale: 3.4,
        motion: SwarmMotion::Swim { amplitude: 0.12, beats: 1.6, waves: 0.8 },
        ..SwarmMesh::new(meshes.add(fish_mesh()))
    };
    commands.spawn((Swarm::new("aquarium"), fish));

    let glow = LinearRgba::rgb(8.0, 5.0, 1.5);
    commands.spawn((
        Lure,
        Mesh3d(meshes.add(Sphere::new(0.8))),
        MeshMaterial3d(materials.add(StandardMaterial { emissive: glow, ..default() })),
        Visibility::Hidden,
    ));
}

/// Adds the tank around the fish: water, sand, a wooden frame and bubbles.
fn add_tank(commands: &mut Commands, meshes: &mut Assets<Mesh>, materials: &mut Assets<StandardMaterial>) {
    let cuboid = meshes.add(Cuboid::new(2.0, 2.0, 2.0));
    let mut add = |material: StandardMaterial, boxes: &[[Vec3; 2]]| {
        let material = materials.add(material);
        for [middle, half] in boxes {
            let place = Transform::from_translation(*middle).with_scale(*half);
            commands.spawn((Mesh3d(cuboid.clone()), MeshMaterial3d(material.clone()), place));
        }
    };
    let Vec3 { x, y, z } = TANK;
    // The water behind the fish is the limit of sight. Light comes from above.
    let water = |base_color| StandardMaterial { base_color, unlit: true, ..default() };
    add(water(Color::srgb(0.10, 0.58, 0.72)), &[[Vec3::new(0.0, 0.0, -z - 1.0), Vec3::new(x, y, 0.5)]]);
    let sides = [-1.0, 1.0].map(|side| [Vec3::new(side * (x + 1.0), 0.0, 0.0), Vec3::new(0.5, y, z)]);
    add(water(Color::srgb(0.07, 0.46, 0.60)), &sides);
    let sand = StandardMaterial { base_color: Color::srgb(0.62, 0.52, 0.38), perceptual_roughness: 1.0, ..default() };
    add(sand, &[[Vec3::new(0.0, -y - 0.5, 0.0), Vec3::new(x, 0.5, z)]]);
    let surface = StandardMaterial {
        base_color: Color::srgba(0.75, 0.95, 1.0, 0.35),
        alpha_mode: AlphaMode::Blend,
        unlit: true,
        ..default()
    };
    add(surface, &[[Vec3::new(0.0, y + 0.2, 0.0), Vec3::new(x, 0.1, z)]]);
    let wood = StandardMaterial { base_color: Color::srgb(0.05, 0.035, 0.03), perceptual_roughness: 0.7, ..default() };
    let posts = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
        .map(|[right, front]| [Vec3::new(right * (x + 1.5), 0.0, front * (z + 1.5)), Vec3::new(1.2, y + 2.0, 1.2)]);
    let lid = [Vec3::new(0.0, y + 6.0, 0.0), Vec3::new(x + 3.0, 3.0, z + 3.0)];
    let foot = [Vec3::new(0.0, -y - 4.5, 0.0), Vec3::new(x + 3.0, 3.0, z + 3.0)];
    let mut frame = posts.to_vec();
    frame.push(foot);
    add(wood.clone(), &frame);
    // The lid casts no shadow, because the lamps are under it.
    let lid_place = Transform::from_translation(lid[0]).with_scale(lid[1]);
    commands.spawn((Mesh3d(cuboid), MeshMaterial3d(materials.add(wood)), lid_place, NotShadowCaster));

    let bubble = meshes.add(Sphere::new(0.35).mesh().ico(2).unwrap_or_else(|_| Sphere::new(0.35).mesh().build()));
    let air = materials.add(StandardMaterial {
        base_color: Color::srgba(0.85, 0.97, 1.0, 0.4),
        alpha_mode: AlphaMode::Blend,
        perceptual_roughness: 0.1,
        ..default()
    });
    for number in 0..BUBBLES {
        commands.spawn((
            Bubble(number),
            Mesh3d(bubble.clone()),
            MeshMaterial3d(air.clone()),
            Transform::default(),
            NotShadowCaster,
        ));
    }
}

/// A bubble of air, with its number.
#[derive(Component)]
struct Bubble(u32);

/// Bubbles rise in three columns.
fn move_bubbles(time: Res<Time>, mut bubbles: Query<(&Bubble, &mut Transform)>) {
    for (Bubble(number), mut place) in &mut bubbles {
        let column = [Vec3::new(-58.0, 0.0, 30.0), Vec3::new(12.0, 0.0, -34.0), Vec3::new(66.0, 0.0, 22.0)]
            [*number as usize % 3];
        let phase = *number as f32 * 0.618_034;
        let height = (phase + time.elapsed_secs() * (0.11 + 0.03 * phase.sin())).fract();
        let sway =
            Vec3::new((9.0 * height + phase).sin(), 0.0, (7.0 * height + 2.0 * phase).cos()) * (0.6 + 1.4 * height);
        place.translation = column + sway + Vec3::Y * (2.0 * height - 1.0) * TANK.y;
        place.scale = Vec3::splat(0.5 + height * 1.3);
    }
}

/// Adds the rock of the simulation once the swarm has started.
fn add_rock(
    mut commands: Commands,
    swarms: Query<(Entity, &SwarmSimulation), Added<SwarmSimulation>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (swarm, simulation) in &swarms {
        let Some(rock) = rock_mesh(&simulation.lock()) else { continue };
        let stone =
            StandardMaterial { base_color: Color::srgb(0.27, 0.29, 0.26), perceptual_roughness: 0.95, ..default() };
        commands.spawn((Mesh3d(meshes.add(rock)), MeshMaterial3d(materials.add(stone)), ChildOf(swarm)));
    }
}

/// A glowing ball that the fish follow while it has a [`SwarmHunter`].
#[derive(Component)]
struct Lure;

/// The camera. `angle` (radians) sets its place in front of the tank, and grows with time.
#[derive(Component)]
struct Eye {
    angle: f32,
}

fn steer(
    mut commands: Commands,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut swarms: Query<&mut Swarm>,
    mut lures: Query<(Entity, Has<SwarmHunter>, &mut Visibility), With<Lure>>,
) {
    let Some(keys) = keys else { return };
    for mut swarm in &mut swarms {
        if keys.just_pressed(KeyCode::Space) {
            swarm.is_paused = !swarm.is_paused;
        }
        if keys.just_pressed(KeyCode::KeyS) {
            swarm.speed = if swarm.speed < 1.0 { 1.0 } else { 0.15 };
        }
    }
    for (lure, is_followed, mut visibility) in &mut lures {
        match (keys.just_pressed(KeyCode::KeyL), is_followed) {
            (false, _) => continue,
            (true, true) => commands.entity(lure).remove::<SwarmHunter>(),
            (true, false) => commands.entity(lure).insert(SwarmHunter { reach: 60, ..SwarmHunter::lure() }),
        };
        *visibility = if is_followed { Visibility::Hidden } else { Visibility::Inherited };
    }
}

fn move_lure(time: Res<Time>, mut lures: Query<&mut Transform, With<Lure>>) {
    let angle = time.elapsed_secs() * 0.2;
    for mut lure in &mut lures {
        lure.translation = Vec3::new(40.0 * angle.cos(), 10.0 + 6.0 * (3.0 * angle).sin(), 20.0 * angle.sin() - 10.0);
    }
}

fn turn_camera(keys: Option<Res<ButtonInput<KeyCode>>>, time: Res<Time>, mut eyes: Query<(&mut Eye, &mut Transform)>) {
    for (mut eye, mut transform) in &mut eyes {
        let pressed = |key| keys.as_ref().is_some_and(|keys| keys.pressed(key)) as i32 as f32;
        let turn = pressed(KeyCode::ArrowRight) - pressed(KeyCode::ArrowLeft);
        eye.angle += time.delta_secs() * (0.05 + 0.6 * turn);
        // In front of the tank, moving slowly to and fro.
        let side = 0.4 * (eye.angle).sin();
        let from = Vec3::new(162.0 * side.sin(), 14.0 + 6.0 * (0.7 * eye.angle).sin(), 162.0 * side.cos());
        *transform = Transform::from_translation(from).looking_at(Vec3::new(0.0, -1.0, 0.0), Vec3::Y);
    }
}

/// A fish that faces -z, one unit long: a body of rings, a tail fin and two fins along the back and the belly.
fn fish_mesh() -> Mesh {
    let (mut places, mut normals, mut colours) = (Vec::new(), Vec::new(), Vec::<[f32; 4]>::new());
    let mut indices: Vec<u32> = Vec::new();
    for (ring, [z, height, width]) in RINGS.into_iter().enumerate() {
        for side in 0..SIDES {
            let (sine, cosine) = (TAU * side as f32 / SIDES as f32).sin_cos();
            places.push(Vec3::new(width * sine, height * cosine, z));
            let before = RINGS[ring.saturating_sub(1)];
            let after = RINGS[(ring + 1).min(RINGS.len() - 1)];
            let slope = (after[1] - before[1]) / (after[0] - before[0]);
            normals.push(Vec3::new(sine / width * height, cosine, -slope).normalize());
            // A dark back, an orange flank and a pale belly, with a white band behind the head.
            let is_band = ring == 2;
            colours.push(match cosine {
                up if up > 0.8 => [0.10, 0.06, 0.05, 1.0],
                up if up < -0.6 => [0.80, 0.55, 0.32, 1.0],
                _ if is_band => [0.85, 0.80, 0.72, 1.0],
                _ => [0.80, 0.13, 0.01, 1.0],
            });
            if ring > 0 {
                let [here, next] = [side, (side + 1) % SIDES].map(|side| (ring * SIDES + side) as u32);
                let sides = SIDES as u32;
                indices.extend([here - sides, here, next - sides, here, next, next - sides]);
            }
        }
    }
    let fins: [[[f32; 2]; 4]; 3] = [
        // The corners (z, y) of the fins: of the tail fin, the fin along the back, and the fin along the belly.
        [[0.30, 0.0], [0.50, 0.17], [0.42, 0.0], [0.50, -0.17]],
        [[-0.22, 0.14], [-0.02, 0.27], [0.16, 0.20], [0.14, 0.09]],
        [[-0.05, -0.14], [0.10, -0.22], [0.18, -0.16], [0.16, -0.09]],
    ];
    for fin in fins {
        let first = places.len() as u32;
        for (corner, [z, y]) in fin.into_iter().enumerate() {
            places.push(Vec3::new(0.0, y, z));
            normals.push(Vec3::X);
            colours.push(if corner == 0 { [0.75, 0.12, 0.01, 1.0] } else { [0.85, 0.32, 0.05, 1.0] });
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
        .with_inserted_indices(Indices::U32(indices))
}
