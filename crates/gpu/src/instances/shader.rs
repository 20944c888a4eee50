//! The shaders that write a list of instances, with which a game draws boids or individuals as meshes.

use crate::points::shader::STORED_POINT_WGSL;
use crate::shader::{STORED_BODY_WGSL, Shader, structure};
use murmuration_core::host::library::Library;

structure! {
    /// An entry of the list of instances, 32 bytes.
    Instance, INSTANCE_WGSL {
        /// The place along x, in cells.
        x: f32,
        /// The place along y, in cells.
        y: f32,
        /// The place along z, in cells.
        z: f32,
        /// A stable number: the individual's own, or a random one for a point.
        number: u32,
        /// The velocity along x, in cells a step.
        velocity_x: f32,
        /// The velocity along y, in cells a step.
        velocity_y: f32,
        /// The velocity along z, in cells a step.
        velocity_z: f32,
        /// The lower half has the presence, from 0 (invisible) to 65 535 (fully visible). The upper half has the number
        /// of the species.
        presence_species: u32,
    }
}

/// Examples of all shaders of this module, for a check of their text.
pub fn all_shaders(library: &Library) -> [Shader; 3] {
    [assemble_points(library, 0, 1), assemble_points(library, 256, 3), assemble_individuals(library)]
}

/// The shader that writes an instance for each point. `count_at`: the offset in bytes, in the buffer `starts`, of the
/// number of points. `layers`: the number of species.
pub fn assemble_points(library: &Library, count_at: u64, layers: u32) -> Shader {
    let mut shader = assemble(library, "instances_of_points");
    shader.constant("COUNT_AT", "u32", count_at / 4);
    shader.constant("LAYERS", "u32", layers);
    shader.add(STORED_POINT_WGSL);
    shader.buffer("point_list", "array<StoredPoint>", false);
    shader.buffer("starts", "array<u32>", false);
    shader
}

/// The shader that writes an instance for each individual.
pub fn assemble_individuals(library: &Library) -> Shader {
    let mut shader = assemble(library, "instances_of_individuals");
    shader.add(STORED_BODY_WGSL);
    shader.buffer("bodies", "array<StoredBody>", false);
    shader
}

fn assemble(library: &Library, name: &str) -> Shader {
    let mut shader = Shader::new(library, &format!("instances/{name}"), []);
    shader.add(INSTANCE_WGSL);
    shader.buffer("instances", "array<Instance>", true);
    shader
}
