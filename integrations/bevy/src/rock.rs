//! The rock of a deep world as a mesh of the game.

use crate::SwarmSpace;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use murmuration::Simulation;
use murmuration_core::terrain::mesh::{NORMAL_ONE, PARTS, surface};

/// The surface of the rock in a deep world, in the space of the swarm's entity; `None`: the world has none. The swarm finds its way among the
/// same rock.
pub fn rock_mesh(simulation: &Simulation) -> Option<Mesh> {
    let world = &simulation.preset().world;
    let field = world.rock.as_ref()?;
    let space = SwarmSpace::new(world.extents);
    let (mut places, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for chunk in surface(field) {
        let first = places.len() as u32;
        for vertex in &chunk.vertices {
            let cells = Vec3::from(chunk.place(vertex).map(|along| along as f32 / PARTS as f32));
            let normal = Vec3::from(vertex.normal.map(|along| f32::from(along) / f32::from(NORMAL_ONE)));
            places.push(space.local(cells));
            normals.push(space.local_direction(normal));
        }
        // The axes of the game are turned over, and so are the triangles.
        indices.extend(chunk.triangles.iter().flat_map(|[a, b, c]| [a, c, b].map(|index| first + index)));
    }
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    Some(mesh.with_inserted_indices(Indices::U32(indices)))
}
