//! The individuals of a swarm as copies of a mesh of the game, with a material of the game.
//!
//! A large mesh contains many copies of the game's mesh. An entity draws the large mesh for each part of the swarm. The
//! vertex shader moves each copy to the place of its individual. So a swarm needs few entities, and Bevy draws them,
//! their prepasses and their shadows like any other mesh.

use crate::render::SwarmInstances;
use crate::{SwarmSimulation, SwarmSpace, SwarmSystems};
use bevy::asset::{RenderAssetUsages, embedded_asset, embedded_path};
use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, ShaderType};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::shader::ShaderRef;
use murmuration::LIBRARY;
use murmuration_gpu::Gpu;
use std::sync::Arc;

/// The maximum number of vertices of a large mesh of copies, unless a single copy has more.
const MAX_VERTICES: usize = 1 << 16;
/// The number that stands for all species in the shader.
const ALL_SPECIES: u32 = u32::MAX;

/// Draws each individual of a swarm as a copy of a mesh. The component belongs on the entity of a
/// [`Swarm`](crate::Swarm) or on a child of it. For a swarm of cells, a copy is drawn for each of its points, which
/// stand for boids.
///
/// The mesh faces -z, as cameras and lights do, and its top is at +y. The mesh is read when it is loaded. Later changes
/// of the component have no effect.
#[derive(Component, Debug, Clone)]
#[require(Transform, Visibility)]
pub struct SwarmMesh {
    /// The mesh of one individual.
    pub mesh: Handle<Mesh>,
    /// The material of the mesh, which the game's lights light.
    pub material: StandardMaterial,
    /// The length of a unit of the mesh, in cells.
    pub scale: f32,
    /// The number of the species to draw. `None` for all species.
    pub species: Option<u32>,
    /// The motion of each copy.
    pub motion: SwarmMotion,
}

impl SwarmMesh {
    /// White copies of a mesh, without motion.
    pub fn new(mesh: Handle<Mesh>) -> Self {
        let material = StandardMaterial::default();
        Self { mesh, material, scale: 1.0, species: None, motion: SwarmMotion::Still }
    }
}

/// The motion of each copy of a mesh. The motion stops or slows with the swarm in pauses and slow motion.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub enum SwarmMotion {
    /// No motion.
    #[default]
    Still,
    /// A wave runs through the body from the head, at z = -0.5 of the mesh, to the tail, at z = 0.5.
    Swim {
        /// The amplitude of the tail, in units of the mesh.
        amplitude: f32,
        /// The number of beats of the tail a second.
        beats: f32,
        /// The number of waves along the body.
        waves: f32,
    },
    /// Both wings, which extend along x of the mesh, rotate around z.
    Flap {
        /// The maximum angle to either side, in radians.
        angle: f32,
        /// The number of beats of the wings a second.
        beats: f32,
    },
}

/// The material with which Bevy draws the copies: the game's material, and the vertex shader that moves copies.
pub type SwarmMaterial = ExtendedMaterial<StandardMaterial, SwarmCopyExtension>;

/// The inputs of the vertex shader that moves copies.
#[doc(hidden)]
#[derive(Asset, AsBindGroup, TypePath, Debug, Clone)]
pub struct SwarmCopyExtension {
    #[storage(100, read_only, buffer, visibility(vertex))]
    instances: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex))]
    frame: Buffer,
    #[uniform(102, visibility(vertex))]
    numbers: CopyNumbers,
}

/// The structure `CopyNumbers` in `copies.wesl`.
#[derive(ShaderType, Debug, Clone, Copy)]
struct CopyNumbers {
    vertices: u32,
    copies: u32,
    species: u32,
    motion: u32,
    scale: f32,
    amplitude: f32,
    beats: f32,
    waves: f32,
}

impl CopyNumbers {
    fn new(drawn: &SwarmMesh, vertices: usize, copies: usize) -> Self {
        let (motion, amplitude, beats, waves) = match drawn.motion {
            SwarmMotion::Still => (0, 0.0, 0.0, 0.0),
            SwarmMotion::Swim { amplitude, beats, waves } => (1, amplitude, beats, waves),
            SwarmMotion::Flap { angle, beats } => (2, angle, beats, 0.0),
        };
        let species = drawn.species.unwrap_or(ALL_SPECIES);
        let vertices = vertices as u32;
        let copies = copies as u32;
        Self { vertices, copies, species, motion, scale: drawn.scale, amplitude, beats, waves }
    }
}

impl MaterialExtension for SwarmCopyExtension {
    fn vertex_shader() -> ShaderRef {
        shader()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shader()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        shader()
    }
}

fn shader() -> ShaderRef {
    ShaderRef::Path(bevy::asset::AssetPath::from_path_buf(embedded_path!("copies.wesl")).with_source("embedded"))
}

/// The entities that draw a [`SwarmMesh`], and the buffer of instances (places of individuals) that they read.
#[derive(Component)]
struct SwarmCopies {
    instances: wgpu::Buffer,
    entities: Vec<Entity>,
}

pub(crate) fn plugin(app: &mut App) {
    embedded_asset!(app, "copies.wesl");
    app.add_plugins(MaterialPlugin::<SwarmMaterial>::default())
        .add_systems(PostUpdate, (add_instances, add_copies).chain().in_set(SwarmSystems::Prepare));
}

/// The swarm that the mesh of an entity draws: the swarm of this entity, or of its parent. `has` returns a component of
/// a swarm's entity.
fn swarm_of<T>(entity: Entity, parent: Option<&ChildOf>, has: impl Fn(Entity) -> Option<T>) -> Option<(Entity, T)> {
    let with = |swarm| has(swarm).map(|found| (swarm, found));
    with(entity).or_else(|| with(parent?.parent()))
}

/// Adds a buffer of instances to each started swarm that a mesh draws.
fn add_instances(
    mut commands: Commands,
    meshes: Query<(Entity, Option<&ChildOf>), With<SwarmMesh>>,
    swarms: Query<(), (With<SwarmSimulation>, Without<SwarmInstances>)>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    mut gpu: Local<Option<Arc<Gpu>>>,
) {
    let mut found: Vec<Entity> = meshes
        .iter()
        .filter_map(|(entity, parent)| swarm_of(entity, parent, |swarm| swarms.get(swarm).ok()))
        .map(|(swarm, ())| swarm)
        .collect();
    found.sort_unstable();
    found.dedup();
    for swarm in found {
        let new = || Arc::new(Gpu::from_device(LIBRARY, device.wgpu_device(), &queue));
        commands.entity(swarm).insert(SwarmInstances::new(gpu.get_or_insert_with(new).clone()));
    }
}

/// Spawns the entities that draw a [`SwarmMesh`], when its mesh is loaded and the instances are listed. Spawns them
/// again when the swarm has another buffer of instances.
fn add_copies(
    mut commands: Commands,
    drawn: Query<(Entity, &SwarmMesh, Option<&ChildOf>, Option<&SwarmCopies>)>,
    swarms: Query<(&SwarmInstances, &SwarmSpace)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SwarmMaterial>>,
) {
    for (entity, own, parent, before) in &drawn {
        let Some((_, (instances, space))) = swarm_of(entity, parent, |swarm| swarms.get(swarm).ok()) else { continue };
        let Some((buffer, count)) = instances.listed() else { continue };
        if before.is_some_and(|before| before.instances == buffer) {
            continue;
        }
        let Some(mesh) = meshes.get(&own.mesh) else { continue };
        let vertices = mesh.count_vertices();
        let copies = (MAX_VERTICES / vertices.max(1)).clamp(1, count as usize);
        let mesh = match mesh_of_copies(mesh, copies) {
            Ok(mesh) => meshes.add(mesh),
            Err(problem) => {
                error_once!("the mesh of swarm {entity} cannot be copied: {problem}");
                continue;
            }
        };
        let material = materials.add(SwarmMaterial {
            base: own.material.clone(),
            extension: SwarmCopyExtension {
                instances: buffer.clone().into(),
                frame: instances.frame_numbers().clone().into(),
                numbers: CopyNumbers::new(own, vertices, copies),
            },
        });
        for part in before.iter().flat_map(|before| &before.entities) {
            commands.entity(*part).despawn();
        }
        let margin = Vec3::splat(own.scale);
        let bounds = Aabb { center: Vec3::ZERO.into(), half_extents: (space.half_extents() + margin).into() };
        let part = |part| {
            let mesh = Mesh3d(mesh.clone());
            let material = MeshMaterial3d(material.clone());
            commands.spawn((mesh, material, MeshTag::new(part), bounds, NoAutoAabb, ChildOf(entity))).id()
        };
        let entities = (0..count.div_ceil(copies as u32)).map(part).collect();
        commands.entity(entity).insert(SwarmCopies { instances: buffer, entities });
    }
}

/// A mesh that contains a mesh `copies` times, one copy after another.
fn mesh_of_copies(mesh: &Mesh, copies: usize) -> Result<Mesh, bevy::mesh::MeshMergeError> {
    let mut all = mesh.clone();
    for _ in 1..copies {
        all.merge(mesh)?;
    }
    all.asset_usage = RenderAssetUsages::RENDER_WORLD;
    Ok(all)
}
