//! Murmuration in Bevy: swarms that are played on the game's graphics device, and drawn there.
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
//!     let fish = meshes.add(Cone { radius: 0.3, height: 1.5 }.mesh().build().rotated_by(Quat::from_rotation_x(-1.57)));
//!     commands.spawn((Swarm::new("aquarium"), SwarmMesh::new(fish)));
//! }
//! ```
//!
//! A [`Swarm`] opens a preset. Its entity gets a [`SwarmSimulation`] once the swarm has begun, or a [`SwarmError`]. The swarm is drawn by the
//! look into an image ([`SwarmPicture`]), or as copies of the game's mesh, which take the game's lights and cast its shadows ([`SwarmMesh`]).
//! A [`SwarmHunter`] makes the swarm flee from an entity, or follow it. Nothing of the state leaves the graphics device.

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
/// The library that plays the swarms: readings, inputs, presets.
pub use murmuration;
/// Whether a swarm flees from a hunter or follows it.
pub use murmuration::Mood;
pub use picture::SwarmPicture;
pub use rock::rock_mesh;
pub use space::SwarmSpace;
pub use swarm::{Swarm, SwarmError, SwarmSimulation};

use bevy::prelude::*;

/// Plays and draws the swarms of a game. It needs the plugins that render, which come before it.
#[derive(Debug, Default, Clone, Copy)]
pub struct SwarmPlugin;

impl Plugin for SwarmPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((swarm::plugin, play::plugin, mesh::plugin, render::plugin));
    }
}

/// The order of the plugin's systems, for systems of the game that come before or after them.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwarmSystems {
    /// In `PreUpdate`: swarms are begun.
    Begin,
    /// In `FixedUpdate`: steps are played.
    Play,
    /// In `PostUpdate`: entities that draw are made.
    Prepare,
}
