//! Murmuration in Bevy: swarms that the library plays and draws on the game's graphics device.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_murmuration::{Swarm, SwarmMesh, SwarmPlugin};
//!
//! fn main() {
//!     App::new().add_plugins((DefaultPlugins, SwarmPlugin)).add_systems(Startup, begin).run();
//! }
//!
//! fn begin(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) {
//!     commands.spawn((Camera3d::default(), Transform::from_xyz(0.0, 40.0, 120.0).looking_at(Vec3::ZERO, Vec3::Y)));
//!     commands.spawn((DirectionalLight::default(), Transform::default().looking_to(Vec3::NEG_Y, Vec3::X)));
//!     let fish = Cone { radius: 0.3, height: 1.5 }.mesh().build().rotated_by(Quat::from_rotation_x(-1.57));
//!     commands.spawn((Swarm::new("aquarium"), SwarmMesh::new(meshes.add(fish))));
//! }
//! ```
//!
//! A [`Swarm`] opens a preset. After the start its entity has a [`SwarmSimulation`], or after a failure a
//! [`SwarmError`]. A [`SwarmPicture`] draws the swarm into an image, in the colours of the preset's look. A
//! [`SwarmMesh`] draws it as copies of a mesh of the game, with the game's lights and shadows. A swarm flees from a
//! [`SwarmHunter`] or follows it. The state never leaves the graphics device.

#![warn(missing_docs)]

mod hunter;
mod mesh;
mod picture;
mod play;
mod render;
mod rock;
mod space;
mod swarm;

pub use hunter::SwarmHunter;
pub use mesh::{SwarmMaterial, SwarmMesh, SwarmMotion};
/// The library that plays the swarms, for readings, inputs and presets.
pub use murmuration;
/// Whether a swarm flees from a hunter or follows it.
pub use murmuration::Mood;
pub use picture::SwarmPicture;
pub use rock::rock_mesh;
pub use space::SwarmSpace;
pub use swarm::{Swarm, SwarmError, SwarmSimulation};

use bevy::prelude::*;

/// Plays and draws the swarms of a game. Add this plugin after the plugins that render, such as `DefaultPlugins`.
#[derive(Debug, Default, Clone, Copy)]
pub struct SwarmPlugin;

impl Plugin for SwarmPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((swarm::plugin, play::plugin, mesh::plugin, render::plugin));
    }
}

/// The sets of the plugin's systems. A game can order its own systems before or after a set.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwarmSystems {
    /// Starts swarms, in `PreUpdate`.
    Begin,
    /// Plays steps, in `FixedUpdate`.
    Play,
    /// Spawns the entities that draw swarms as meshes, in `PostUpdate`.
    Prepare,
}
