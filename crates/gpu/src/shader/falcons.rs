//! The shaders by which falcons see and fly, over cells and among individuals.

use super::lattice::{add_shared, add_world};
use super::{ACCOUNT_WORDS, Shader, individual_wgsl};
use crate::chain::table::Model;
use crate::library::Library;
use crate::world::{Edges, Extents, HUNTERS};
use murmuration_core::individuals::lives::numbers::LIFE_RULES_WGSL;
use murmuration_core::individuals::numbers::AGENT_PARAMETERS_WGSL;
use murmuration_core::individuals::{AgentParameters, Space};

/// The workgroups that sum what one falcon sees.
pub const GROUPS: u32 = 32;

/// The whole shaders by which falcons see the cells, and fly over them.
pub fn assemble_falcons(library: &Library, extents: Extents, edges: Edges) -> [Shader; 2] {
    let add_model = |shader: &mut Shader| {
        add_world(shader, extents, edges);
        add_shared(shader, library, extents.axes(), "");
    };
    let mut see = seeing(library, "falcon/see_cells", add_model);
    see.texture("density_texture", "u32");
    see.add("fn density_at(cell: Vector3) -> u32 { return textureLoad(density_texture, texel(on_axes(cell)), 0).r; }");
    [see, flying(library, add_model)]
}

/// The whole shaders by which falcons see the individuals, and fly among them.
pub fn assemble_falcons_of_individuals(library: &Library, space: &Space, has_lives: bool) -> [Shader; 2] {
    let add_model = |shader: &mut Shader| {
        shader.world(space.extents(), space.ends(), space.edges);
        shader.add(LIFE_RULES_WGSL);
        shader.parameters(AGENT_PARAMETERS_WGSL, AgentParameters::binding_size().expect("it has numbers"));
        for path in Model::Agents.table().shared {
            shader.add(library.text(path).unwrap_or_default());
        }
    };
    let mut see = seeing(library, "falcon/see_individuals", add_model);
    see.constant("AXES", "i32", space.axes());
    see.buffer("account", format_args!("array<u32, {ACCOUNT_WORDS}>"), false);
    see.add(individual_wgsl(has_lives));
    see.buffer("individuals", "array<Individual>", false);
    [see, flying(library, add_model)]
}

/// A shader by which falcons see. The parameters of the step are its first binding.
fn seeing(library: &Library, name: &str, add_model: impl Fn(&mut Shader)) -> Shader {
    let mut shader = Shader::new(library.shader(name));
    add_model(&mut shader);
    shader.constant("GROUPS", "i32", GROUPS);
    shader.buffer("falcons", "array<Falcon>", false);
    shader.buffer("seen", format_args!("array<atomic<u32>, {}>", 8 * HUNTERS), true);
    shader.add(library.shader("falcon/seen"));
    shader.add(library.shader("falcon/add"));
    shader
}

/// The shader by which they fly.
fn flying(library: &Library, add_model: impl Fn(&mut Shader)) -> Shader {
    let mut shader = Shader::new(library.shader("falcon/flight"));
    add_model(&mut shader);
    shader.buffer("falcons", "array<Falcon>", true);
    shader.constant("HUNTERS", "u32", HUNTERS);
    shader.buffer("seen", format_args!("array<u32, {}>", 8 * HUNTERS), true);
    shader.buffer("flown", format_args!("array<HunterNumbers, {HUNTERS}>"), true);
    shader.add(library.shader("falcon/seen"));
    shader
}
