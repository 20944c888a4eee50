//! The shaders of overlap queries.

use super::BodySource;
use crate::shader::lattice::add_cells;
use crate::shader::{Shader, add_individuals};
use murmuration_core::host::library::Library;
use murmuration_core::numbers::BOID;
use murmuration_core::overlap::OVERLAP_WGSL;
use murmuration_core::world::{Edges, Extents, Space};

/// The shaders of overlap queries in each form, for a check.
pub fn all_shaders(library: &Library) -> Vec<Shader> {
    let space = |extents: Extents, edges| Space { extents: extents.along_axes(), edges };
    let (flat, deep) = (Extents::flat(40, 30), Extents::deep(40, 30, 20));
    let sources = [
        (BodySource::Individuals(false), space(flat, Edges::Torus)),
        (BodySource::Individuals(true), space(deep, Edges::Walls)),
        (BodySource::Cells(flat, 1), space(flat, Edges::Torus)),
        (BodySource::Cells(deep, 3), space(deep, Edges::Walls)),
    ];
    sources.map(|(source, space)| assemble(library, source, &space)).into()
}

/// The whole shader that answers overlap queries for a swarm in a space.
pub fn assemble(library: &Library, source: BodySource, space: &Space) -> Shader {
    let name = match source {
        BodySource::Individuals(_) => "overlap_of_individuals",
        BodySource::Cells(..) => "overlap_of_cells",
    };
    let mut shader = Shader::new(library, &format!("overlap/{name}"), []);
    match source {
        BodySource::Individuals(has_lives) => {
            shader.constant("BOID", "u32", BOID);
            add_individuals(&mut shader, library, has_lives);
        }
        BodySource::Cells(extents, layers) => {
            add_cells(&mut shader, library, extents, layers);
            shader.constant("AXES", "i32", space.axes());
        }
    }
    let [x, y, z] = space.ends();
    shader.constant("SPACE_ENDS", "vec3<i32>", format_args!("vec3<i32>({x}, {y}, {z})"));
    shader.constant("IS_TORUS", "bool", space.edges == Edges::Torus);
    shader.add(OVERLAP_WGSL);
    shader.buffer("queries", "array<OverlapNumbers>", false);
    shader.buffer("results", "array<vec4<u32>>", true);
    shader
}
