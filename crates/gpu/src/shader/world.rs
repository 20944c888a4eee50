//! Adds the world to the shaders of kernels of the cells: its extents and edges, the layout of cells in textures, and
//! the functions that read fields.

use super::{Row, Shader};
use crate::atlas::{Atlas, Subdomain};
use murmuration_core::cells::context::Meal;
use murmuration_core::cells::numbers::{Distribution, PARAMETERS_WGSL, Parameters};
use murmuration_core::cells::sight::Sight;
use murmuration_core::engine::Dispatch;
use murmuration_core::host::library::Library;
use murmuration_core::state::fields::Texel;
use murmuration_core::world::{Edges, Extents};
use std::collections::BTreeMap;
use std::fmt::Display;

/// The properties of a world and its rules on which the shader of a pass depends, apart from the plan.
#[derive(Debug, Clone, Copy)]
pub struct ShaderConfig<'a> {
    /// The texts of all built-in shader files.
    pub library: Library,
    /// The part of the world that the lattice holds.
    pub subdomain: Subdomain,
    /// The edges of the world.
    pub edges: Edges,
    /// The sights of the preset, by name.
    pub sights: &'a BTreeMap<String, Sight>,
    /// Whether the pass is a compute dispatch or a render pass.
    pub dispatch: Dispatch,
    /// The capacity of every cell in quanta, if all cells have the same capacity. Otherwise shaders read the capacity
    /// of each cell from a texture.
    pub capacity: Option<u32>,
    /// The meals in which the layer of the pass eats or is eaten.
    pub meals: &'a [Meal],
    /// Whether shaders have the code for noise of headings.
    pub has_noise: bool,
    /// Whether shaders have the code for hunters.
    pub has_hunters: bool,
}

impl ShaderConfig<'_> {
    /// The extents of the lattice, in cells.
    pub fn extents(&self) -> Extents {
        self.subdomain.extents()
    }
}

impl ShaderConfig<'static> {
    /// The configuration for a whole world without sights and meals, with noise and hunters. Shaders read the capacity
    /// of each cell from a texture.
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

/// Adds the constants of a whole world, and the declaration of the parameters of a step.
pub(crate) fn add_world(shader: &mut Shader, library: &Library, extents: Extents, edges: Edges) {
    add_subdomain(shader, library, &Subdomain::whole(extents), edges);
}

/// Adds the constants of a part of the world, and the declaration of the parameters of a step.
pub(crate) fn add_subdomain(shader: &mut Shader, library: &Library, subdomain: &Subdomain, edges: Edges) {
    shader.world(subdomain.extents(), subdomain.slab.world.ends(), edges);
    add_storage(shader, library, subdomain);
    for (method, word) in Distribution::ALL.into_iter().zip(Distribution::WORDS) {
        shader.constant(&word.to_uppercase(), "u32", format_args!("{}u", method as u32));
    }
    shader.parameters(PARAMETERS_WGSL, Parameters::binding_size().expect("it has numbers"));
}

/// Adds the constants and functions for the place of a cell in textures and in the world, and for packed vectors.
pub(crate) fn add_storage(shader: &mut Shader, library: &Library, subdomain: &Subdomain) {
    shader.constant("COLUMNS", "u32", Atlas::new(subdomain.extents()).columns);
    let first = if subdomain.slab.world.depth.is_some() { "0, 0, " } else { "0, " };
    let own = subdomain.own_pieces();
    shader.constant("FIRST_OF_LATTICE", "Cell", format_args!("Cell({first}{})", subdomain.first()));
    shader.constant("OWN_PIECES", "vec2<i32>", format_args!("vec2<i32>({}, {})", own.start, own.end));
    shader.import(library, "lattice/storage");
}

/// The value that the function for a field returns.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    /// A number of quanta, `u32`.
    Amount,
    Vector,
    /// Four sums, `vec4<i32>`.
    Sums,
    /// An amount that is equal in every cell: a constant of the shader, `u32`.
    Same(u32),
}

/// Adds the fields that a pass reads. `reach`: see [`add_fields`].
pub(crate) fn add_accessors(shader: &mut Shader, read: &[(&str, Texel)], reach: Option<u32>, config: ShaderConfig<'_>) {
    let value = |(name, texel): &(_, Texel)| match (*texel, config.capacity) {
        (Texel::Amount, Some(capacity)) if *name == "capacity" => Value::Same(capacity),
        (Texel::Amount, _) => Value::Amount,
        (Texel::Velocity | Texel::Vector, _) => Value::Vector,
    };
    let fields: Vec<_> = read.iter().map(|field| (field.0, value(field))).collect();
    add_fields(shader, &fields, reach, config);
}

/// The name of the function that maps a cell beyond the edges to a cell of the lattice. `reach`: the maximum distance
/// of the cell from the lattice in cells, if it is known.
pub(super) fn wrap(extents: Extents, reach: Option<u32>) -> &'static str {
    let extents = &extents.along_axes()[..extents.axes()];
    let is_near = reach.is_some_and(|reach| extents.iter().all(|extent| reach <= *extent));
    if is_near { "wrap_near" } else { "wrap_far" }
}

/// Adds fields, each with a function of the field's name that returns the value in a cell. `reach`: the maximum
/// distance of the cell from the lattice in cells, if it is known.
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
