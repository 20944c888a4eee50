//! The world in kernels of the cells: its numbers, the layout of cells in textures, the fields that a kernel reads, and
//! the functions that all kernels may call.

use super::{Row, Shader};
use crate::atlas::{Atlas, Subdomain};
use murmuration_core::cells::context::Meal;
use murmuration_core::cells::numbers::{PARAMETERS_WGSL, Parameters};
use murmuration_core::cells::sight::Sight;
use murmuration_core::engine::Dispatch;
use murmuration_core::host::library::Library;
use murmuration_core::state::fields::Texel;
use murmuration_core::world::{Edges, Extents};
use std::collections::BTreeMap;
use std::fmt::Display;

/// The parameters of a pass's shader beside the plan.
#[derive(Debug, Clone, Copy)]
pub struct ShaderConfig<'a> {
    /// The texts of the shared files.
    pub library: Library,
    /// The part of the world that the lattice holds.
    pub subdomain: Subdomain,
    /// The edges of the world.
    pub edges: Edges,
    /// The sights of the preset, by name.
    pub sights: &'a BTreeMap<String, Sight>,
    /// Whether the pass is a compute dispatch or a render pass.
    pub dispatch: Dispatch,
    /// The capacity of every cell, if all cells have the same capacity. Otherwise shaders look up capacities.
    pub capacity: Option<u32>,
    /// The meals in which the layer of the pass eats or is eaten.
    pub meals: &'a [Meal],
    /// Whether headings have noise.
    pub has_noise: bool,
    /// Whether there may be hunters.
    pub has_hunters: bool,
}

impl ShaderConfig<'_> {
    /// The extents of the lattice, in cells.
    pub fn extents(&self) -> Extents {
        self.subdomain.extents()
    }
}

impl ShaderConfig<'static> {
    /// The configuration of a lattice without sights and meals, with noise and hunters. Shaders look up capacities.
    pub fn plain(library: &Library, extents: Extents, edges: Edges) -> Self {
        static NO_SIGHTS: BTreeMap<String, Sight> = BTreeMap::new();
        let (library, dispatch) = (*library, Dispatch::default());
        Self {
            library,
            subdomain: Subdomain::whole(extents),
            edges,
            sights: &NO_SIGHTS,
            dispatch,
            capacity: None,
            meals: &[],
            has_noise: true,
            has_hunters: true,
        }
    }
}

/// Adds the constants of a whole world, and the parameters of the step.
pub(crate) fn add_world(shader: &mut Shader, library: &Library, extents: Extents, edges: Edges) {
    add_subdomain(shader, library, &Subdomain::whole(extents), edges);
}

/// Adds the constants of a subdomain of the world, and the parameters of the step.
pub(crate) fn add_subdomain(shader: &mut Shader, library: &Library, subdomain: &Subdomain, edges: Edges) {
    shader.world(subdomain.extents(), subdomain.slab.world.ends(), edges);
    add_storage(shader, library, subdomain);
    shader.parameters(PARAMETERS_WGSL, Parameters::binding_size().expect("it has numbers"));
}

/// Adds the layout of cells in textures and in the world, and the storage of vectors.
pub(crate) fn add_storage(shader: &mut Shader, library: &Library, subdomain: &Subdomain) {
    shader.constant("COLUMNS", "u32", Atlas::new(subdomain.extents()).columns);
    let first = if subdomain.slab.world.depth.is_some() { "0, 0, " } else { "0, " };
    let own = subdomain.own_pieces();
    shader.constant("FIRST_OF_LATTICE", "Cell", format_args!("Cell({first}{})", subdomain.first()));
    shader.constant("OWN_PIECES", "vec2<i32>", format_args!("vec2<i32>({}, {})", own.start, own.end));
    shader.import(library, "lattice/storage");
}

/// The value that an accessor returns.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Amount,
    Vector,
    /// Four sums.
    Sums,
    /// An amount that is the same in every cell, and is not looked up.
    Same(u32),
}

/// Adds the fields that a pass reads.
pub(crate) fn add_accessors(shader: &mut Shader, read: &[(&str, Texel)], reach: Option<u32>, config: ShaderConfig<'_>) {
    let value = |(name, texel): &(_, Texel)| match (*texel, config.capacity) {
        (Texel::Amount, Some(capacity)) if *name == "capacity" => Value::Same(capacity),
        (Texel::Amount, _) => Value::Amount,
        (Texel::Velocity | Texel::Vector, _) => Value::Vector,
    };
    let fields: Vec<_> = read.iter().map(|field| (field.0, value(field))).collect();
    add_fields(shader, &fields, reach, config);
}

/// The function that wraps cells of a lattice. `reach`: their maximum distance from the lattice, if it is known.
pub(super) fn wrap(extents: Extents, reach: Option<u32>) -> &'static str {
    let extents = &extents.along_axes()[..extents.axes()];
    let is_near = reach.is_some_and(|reach| extents.iter().all(|extent| reach <= *extent));
    if is_near { "wrap_near" } else { "wrap_far" }
}

/// Adds fields, each with an accessor of its name. `reach`: the maximum distance of the cell from the lattice, if it is
/// known.
pub(crate) fn add_fields(shader: &mut Shader, fields: &[(&str, Value)], reach: Option<u32>, config: ShaderConfig<'_>) {
    let wrap = wrap(config.extents(), reach);
    let (mut looked_up, mut constants) = (Vec::new(), Vec::new());
    for (name, value) in fields {
        let (component, kind, value_of, part) = match value {
            Value::Amount | Value::Same(_) => ("u32", "u32", "u32", ".r"),
            Value::Vector => ("u32", "Vector", "vector_of", ""),
            Value::Sums => ("i32", "vec4<i32>", "vec4<i32>", ""),
        };
        shader.texture(&format!("{name}_texture"), component);
        match value {
            Value::Same(amount) => constants.push(Row::new([("name", name), ("amount", amount)])),
            _ => {
                let texts: [(_, &dyn Display); 5] =
                    [("name", name), ("kind", &kind), ("wrap", &wrap), ("value_of", &value_of), ("part", &part)];
                looked_up.push(Row::new(texts));
            }
        }
    }
    shader.list("FIELDS", looked_up);
    shader.list("CONSTANTS", constants);
    shader.import(&config.library, "lattice/fields");
}
