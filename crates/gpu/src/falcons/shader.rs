//! Assembles the shaders of falcons, for cells and for individuals: a shader that adds up the boids that a falcon sees
//! ("see"), and a shader that moves the falcons ("flight").

use crate::shader::lattice::add_densities;
use crate::shader::world::add_world;
use crate::shader::{ACCOUNT_WORDS, Shader};
use murmuration_core::chain::table::Model;
use murmuration_core::host::library::Library;
use murmuration_core::world::{Edges, Extents, HUNTERS, PLACE_BITS, Space};

/// The number of workgroups that add up the boids that one falcon sees.
pub const GROUPS: u32 = 32;

/// The shaders "see" and "flight" for a swarm of cells. `has_rock`: whether the world has rock. `layers`: the number of
/// layers (species) of the swarm.
pub fn assemble_falcons(
    library: &Library,
    extents: Extents,
    edges: Edges,
    has_rock: bool,
    layers: usize,
) -> [Shader; 2] {
    let add_model = |shader: &mut Shader| {
        add_world(shader, library, extents, edges);
        shader.import_shared(library, Model::Cell, extents.axes());
    };
    let mut see = seeing(library, "falcons/see_cells", add_model);
    add_densities(&mut see, library, layers);
    [see, flying(library, has_rock.then_some(extents), add_model)]
}

/// The shaders "see" and "flight" for a swarm of individuals.
/// `is_swept`: whether the world has a gap field, with which falcons avoid rock.
pub fn assemble_falcons_of_individuals(
    library: &Library,
    space: &Space,
    has_lives: bool,
    is_swept: bool,
) -> [Shader; 2] {
    let add_model = |shader: &mut Shader| {
        shader.world(space.extents(), space.ends(), space.edges);
        shader.individual_parameters();
        shader.import_shared(library, Model::Individuals, space.axes());
    };
    let mut see = seeing(library, "falcons/see_individuals", add_model);
    see.constant("AXES", "i32", space.axes());
    see.buffer("account", format_args!("array<u32, {ACCOUNT_WORDS}>"), false);
    see.individual(library, has_lives);
    see.buffer("individuals", "array<Individual>", false);
    [see, flying(library, is_swept.then(|| space.deep_extents()), add_model)]
}

/// Assembles a shader "see". `add_model` adds the part of the model: cells or individuals.
fn seeing(library: &Library, name: &str, add_model: impl Fn(&mut Shader)) -> Shader {
    let mut shader = Shader::new(library, name, []);
    add_model(&mut shader);
    shader.constant("GROUPS", "i32", GROUPS);
    shader.buffer("falcons", "array<Falcon>", false);
    shader.buffer("seen", format_args!("array<atomic<u32>, {}>", 8 * HUNTERS), true);
    shader
}

/// Assembles a shader "flight". `rock`: the extents of a world with rock, whose gap field is in the buffer `solids`;
/// `None`: the world has no rock.
fn flying(library: &Library, rock: Option<Extents>, add_model: impl Fn(&mut Shader)) -> Shader {
    let mut shader = Shader::new(library, "falcons/flight", [("HAS_ROCK", rock.is_some())]);
    add_model(&mut shader);
    shader.buffer("falcons", "array<Falcon>", true);
    shader.constant("HUNTERS", "u32", HUNTERS);
    shader.buffer("seen", format_args!("array<u32, {}>", 8 * HUNTERS), true);
    shader.buffer("flown", format_args!("array<HunterNumbers, {HUNTERS}>"), true);
    let Some(extents) = rock else { return shader };
    let [x, y, z] = extents.along_axes();
    shader.add(format!("const EXTENTS = Vector3({x}, {y}, {z});"));
    shader.constant("PLACE_BITS", "u32", PLACE_BITS);
    shader.buffer("solids", "array<u32>", false);
    shader
}
