//! The fish of `aquarium` in a tank of the game: its own meshes, lights, shadows and fog, around the rock that the fish find their way through.
//!
//! ```text
//! cargo run --example bevy_aquarium --features window
//! ```
//!
//! Space: pause. S: slow motion. L: the shoal follows a lure. The arrow keys turn the camera.

mod stage;

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::CascadeShadowConfigBuilder;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy_murmuration::{Swarm, SwarmHunter, SwarmMesh, SwarmMotion, SwarmPlugin, SwarmSimulation, rock_mesh};
use stage::{Options, app, target};
use std::f32::consts::TAU;

const WATER: Color = Color::srgb(0.03, 0.22, 0.30);
/// Rings of a fish along its body: the place from nose to tail, the half height and the half width.
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
        .insert_resource(ClearColor(WATER))
        .add_systems(Startup, begin)
        .add_systems(Update, (add_rock, steer, move_lure, turn_camera))
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
        AmbientLight { color: Color::srgb(0.55, 0.78, 0.85), brightness: 1500.0, ..default() },
        DistanceFog {
            color: WATER,
            directional_light_color: Color::srgba(0.6, 0.9, 0.9, 0.35),
            directional_light_exponent: 12.0,
            falloff: FogFalloff::from_visibility_colors(
                220.0,
                Color::srgb(0.10, 0.42, 0.48),
                Color::srgb(0.10, 0.45, 0.55),
            ),
        },
        Eye { angle: 0.0 },
        Transform::default(),
        children![(
            // The lamp of a diver.
            SpotLight {
                color: Color::srgb(1.0, 0.95, 0.85),
                intensity: 5_000_000.0,
                range: 200.0,
                radius: 1.0,
                outer_angle: 0.75,
                inner_angle: 0.3,
                shadow_maps_enabled: true,
                ..default()
            },
            Transform::from_xyz(6.0, 5.0, 0.0).looking_to(Vec3::new(-0.08, -0.06, -1.0), Vec3::Y),
        )],
    ));
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(0.95, 1.0, 0.92),
            illuminance: 5_500.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 2,
            first_cascade_far_bound: 90.0,
            maximum_distance: 260.0,
            ..default()
        }
        .build(),
        Transform::default().looking_to(Vec3::new(-0.35, -1.0, -0.25), Vec3::Y),
    ));

    let fish = SwarmMesh {
        material: StandardMaterial {
            perceptual_roughness: 0.5,
            reflectance: 0.3,
            double_sided: true,
            cull_mode: None,
            ..default()
        },
        scale: 1.9,
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

/// Adds the rock once the swarm has begun: it is that of the simulation.
fn add_rock(
    mut commands: Commands,
    swarms: Query<(Entity, &SwarmSimulation), Added<SwarmSimulation>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    for (swarm, simulation) in &swarms {
        let Some(rock) = rock_mesh(&simulation.lock()) else { continue };
        let stone =
            StandardMaterial { base_color: Color::srgb(0.42, 0.36, 0.31), perceptual_roughness: 0.95, ..default() };
        commands.spawn((Mesh3d(meshes.add(rock)), MeshMaterial3d(materials.add(stone)), ChildOf(swarm)));
    }
}

#[derive(Component)]
struct Lure;

/// The angle of the camera around the tank.
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
        eye.angle += time.delta_secs() * (0.1 + turn);
        // Near the eye of the preset's look, on a slow circle.
        let (sine, cosine) = eye.angle.sin_cos();
        let from = Vec3::new(10.0 * sine, 27.0, 36.0 + 8.0 * cosine);
        *transform = Transform::from_translation(from).looking_at(Vec3::new(6.0, 5.0, -29.0), Vec3::Y);
    }
}

/// A fish that looks along -z, a unit long: a body of rings, a tail fin and two fins along the back and the belly.
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
        // z and y of the corners: the tail, the back, the belly.
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
