//! The rock of a deep world as a mesh.

use crate::SwarmSpace;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use murmuration::Simulation;
use murmuration_core::terrain::mesh::{NORMAL_ONE, PARTS, surface};

/// The surface of the rock in a deep world, which the swarm avoids, in the space of the swarm's entity (see
/// [`SwarmSpace`]). `None` if the world has no rock.
pub fn rock_mesh(simulation: &Simulation) -> Option<Mesh> {
    let field = simulation.preset().world.rock.as_ref()?;
    let space = SwarmSpace::of_preset(simulation.preset());
    let (mut places, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for chunk in surface(field) {
        let first = places.len() as u32;
        for vertex in &chunk.vertices {
            let cells = Vec3::from(chunk.place(vertex).map(|along| along as f32 / PARTS as f32));
            let normal = Vec3::from(vertex.normal.map(|along| f32::from(along) / f32::from(NORMAL_ONE)));
            places.push(space.local(cells));
            normals.push(space.local_direction(normal));
        }
        // The axes of the game are right-handed and the axes of cells left-handed, so the triangles are reversed.
        indices.extend(chunk.triangles.iter().flat_map(|[a, b, c]| [a, c, b].map(|index| first + index)));
    }
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, places)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    Some(mesh.with_inserted_indices(Indices::U32(indices)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration::{CpuOptions, EngineChoice, open};

    #[test]
    fn triangles_face_the_water_and_lie_within_the_world() {
        let swarm = open("aquarium").size(48, 40).depth(32).engine(EngineChoice::Cpu(CpuOptions::default()));
        let swarm = swarm.start().unwrap();
        let mesh = rock_mesh(&swarm).unwrap();
        let half = SwarmSpace::of_preset(swarm.preset()).half_extents();
        let of = |attribute| mesh.attribute(attribute).unwrap().as_float3().unwrap();
        let places = of(Mesh::ATTRIBUTE_POSITION);
        let normals = of(Mesh::ATTRIBUTE_NORMAL);
        assert!(places.iter().all(|place| Vec3::from(*place).abs().cmple(half).all()));
        let corners: Vec<usize> = mesh.indices().unwrap().iter().collect();
        let faces = |corners: &[usize]| {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(places[corners[corner]]));
            (b - a).cross(c - a).dot(Vec3::from(normals[corners[0]])) >= 0.0
        };
        let facing = corners.chunks(3).filter(|corners| faces(corners)).count();
        assert!(facing * 100 > corners.len() / 3 * 98, "{facing} of {} triangles", corners.len() / 3);
        // Six times the enclosed volume, which must be the volume of the rock.
        let volume = |corners: &[usize]| {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from(places[corners[corner]]));
            a.dot(b.cross(c))
        };
        assert!(corners.chunks(3).map(volume).sum::<f32>() > 0.0);
    }
}
