//! The shaders that mix species of cells for pictures, and that count meals.

use crate::atlas::Atlas;
use crate::shader::lattice::{add_meals, fields};
use crate::shader::world::{add_accessors, add_subdomain};
use crate::shader::{Definitions, Row, Shader, ShaderConfig, assemble_caught, ledger_rows, words_of};
use murmuration_core::chain::plan::{Plan, PlannedPass};
use murmuration_core::chain::table::Model;
use murmuration_core::host::library::Library;
use murmuration_core::state::fields::Texel;
use murmuration_core::world::Extents;

/// The whole shader that counts for the account in a pass, and its number of workgroups. For a pass with meals it
/// counts the quanta that the layer eats, and the layer's quanta that others eat. For any other pass it counts caught
/// quanta.
pub fn assemble_count(plan: &Plan, pass: &PlannedPass, config: ShaderConfig<'_>) -> (Shader, u32) {
    if config.meals.is_empty() {
        return (assemble_caught(&config.library, &config.subdomain, config.edges), 1);
    }
    let ([read, _], extents) = (fields(plan, pass), config.extents());
    (write_fed(&read, config), (extents.height * extents.slices()).div_ceil(ledger_rows(extents.width)))
}

/// The whole shader that counts the quanta that a layer eats, and the layer's quanta that others eat. `read`: the
/// fields that the pass reads.
pub fn write_fed(read: &[(&str, Texel)], config: ShaderConfig<'_>) -> Shader {
    let mut shader = Shader::new(&config.library, "species/fed", []);
    add_subdomain(&mut shader, &config.library, &config.subdomain, config.edges);
    add_accessors(&mut shader, read, Some(1), config);
    add_meals(&mut shader, config);
    shader.buffer("totals", "array<vec4<u32>>", true);
    shader.constant("ROWS", "i32", ledger_rows(config.extents().width));
    shader.constant("SLICES", "i32", config.extents().slices());
    shader.import_shared(&config.library, Model::Cell, config.extents().axes());
    shader
}

/// The whole shader that mixes species for pictures. `colours`: the vector (Q14) that stands for the colour of each
/// species. The shader writes two textures: the sum of the densities, and the mean of the colours.
pub fn assemble_mixture(library: &Library, extents: Extents, colours: &[[i32; 2]]) -> Shader {
    let texture = Atlas::new(extents).as_lattice();
    let texture_of = |species| format!("species_{species}_texture");
    let row = |(species, [x, y]): (usize, &[i32; 2])| Row::new([("texture", &texture_of(species)), ("x", x), ("y", y)]);
    let species = Row::default().with("SPECIES", colours.iter().enumerate().map(row));
    let mut shader = Shader::new(library, "species/mixture", Definitions { row: species, ..Definitions::default() });
    (0..colours.len()).for_each(|species| shader.texture(&texture_of(species), "u32"));
    shader.constant("TEXELS", "vec2<i32>", format_args!("vec2<i32>({}, {})", texture.width, texture.height));
    let words = words_of(Texel::Velocity, extents);
    shader.target("density_target", "r32uint");
    shader.target("control_target", ["r32uint", "rg32uint"][words - 1]);
    shader
}
