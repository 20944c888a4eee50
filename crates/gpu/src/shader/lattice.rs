//! The shaders of the passes on a lattice of cells, and of the sums that the account of the swarm needs.

use super::perception::{self, strip};
use super::world::{ShaderConfig, add_accessors, add_storage, add_subdomain, add_world};
use super::writer::stem_of;
use super::{Definitions, Row, Shader};
use crate::atlas::{Atlas, Subdomain};
use murmuration_core::cells::context::Meal;
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::Kernel;
use murmuration_core::chain::plan::{Plan, PlannedPass};
use murmuration_core::chain::table::Model;
use murmuration_core::engine::Dispatch;
use murmuration_core::host::library::Library;
use murmuration_core::state::fields::Texel;
use murmuration_core::world::{Edges, Extents};

/// The maximum number of rows of a texture that one workgroup sums for the account.
const LEDGER_ROWS: u32 = 4;
/// The maximum number of texels that one workgroup sums for the account, so that no sum overflows.
const LEDGER_TEXELS: u32 = 1 << 16;

/// The number of rows of a texture of this width (texels) that one workgroup sums for the account.
pub fn ledger_rows(width: u32) -> u32 {
    (LEDGER_TEXELS / width).clamp(1, LEDGER_ROWS)
}

/// The conditions (`#ifdef`) that the files of a kernel of the cells may use.
fn conditions(extents: Extents, has_noise: bool, has_hunters: bool) -> Definitions {
    [("DEEP", extents.axes() == 3), ("HAS_NOISE", has_noise), ("HAS_HUNTERS", has_hunters)].into()
}

/// The names and kinds of value of the fields that a pass reads, and of the fields that it writes.
pub(crate) fn fields<'a>(plan: &Plan, pass: &'a PlannedPass) -> [Vec<(&'a str, Texel)>; 2] {
    let [read, write] = &pass.names;
    [(&pass.read, read), (&pass.write, write)].map(|(slots, names)| {
        let texels = slots.iter().map(|slot| plan.fields[slot.field].texel);
        names.iter().map(String::as_str).zip(texels).collect()
    })
}

/// The whole shader of a pass of a plan.
pub fn assemble(plan: &Plan, pass: &PlannedPass, config: ShaderConfig<'_>) -> Shader {
    let [read, write] = fields(plan, pass);
    write_shader(&plan.kernels[pass.kernel], &read, &write, &pass.sights_of_fields(config.sights), config)
}

/// The whole shader that counts the quanta caught by hunters for the account.
pub fn assemble_caught(library: &Library, subdomain: &Subdomain, edges: Edges) -> Shader {
    let world = subdomain.slab.world;
    let mut shader = Shader::new(library, "ledger/caught", []);
    shader.texture("density_texture", "u32");
    shader.buffer("total", "array<u32, 2>", true);
    shader.constant("SLICES", "i32", world.slices());
    add_subdomain(&mut shader, library, subdomain, edges);
    shader.import_shared(library, Model::Cell, world.axes());
    shader
}

/// Adds the function that sums the meals of a cell. The sums are the quanta that the layer of a pass eats, and the
/// quanta of this layer that other layers eat.
pub(crate) fn add_meals(shader: &mut Shader, config: ShaderConfig<'_>) {
    let density = |place: usize| if place == 0 { "density".to_string() } else { format!("density_{place}") };
    let row = |Meal { eater, prey, rate }: &Meal| {
        let component = if *eater == 0 { "x" } else { "y" };
        Row::new([("component", &component), ("eater", &density(*eater)), ("prey", &density(*prey)), ("rate", rate)])
    };
    shader.list("MEALS", config.meals.iter().map(row));
    shader.import(&config.library, "species/eaten");
}

/// The whole shader that sums the quanta of a texture of densities for the account.
pub fn assemble_ledger(library: &Library, extents: Extents) -> Shader {
    let texture = Atlas::new(extents).as_lattice();
    let mut shader = Shader::new(library, "ledger/ledger", []);
    shader.texture("density_texture", "u32");
    shader.buffer("sums", "array<vec2<u32>>", true);
    shader.constant("EXTENT", "vec2<u32>", format_args!("vec2<u32>({}u, {}u)", texture.width, texture.height));
    shader.constant("ROWS", "u32", ledger_rows(texture.width));
    shader
}

/// The whole shader that sums the density of each row of cells over all layers.
pub fn assemble_row_sums(library: &Library, extents: Extents, layers: usize) -> Shader {
    let mut shader = Shader::new(library, "ledger/row_sums", []);
    add_cells(&mut shader, library, extents, layers);
    shader.buffer("sums", "array<RowSums>", true);
    shader.buffer("perception", "array<u32, 1>", false);
    shader
}

/// Adds the function `momentum_at`, which returns the momentum and the density of a cell, summed over all layers. The
/// function needs the functions of [`add_cells`].
pub(crate) fn add_momentum(shader: &mut Shader, library: &Library, layers: usize) {
    (0..layers).for_each(|own| shader.texture(&texture_of("control", own), "u32"));
    shader.import(library, "lattice/momentum");
}

/// Adds the extents of a lattice on three axes, and the function `density_at` (see [`add_densities`]).
pub(crate) fn add_cells(shader: &mut Shader, library: &Library, extents: Extents, layers: usize) {
    shader.world(extents, extents.ends(), Edges::Walls);
    add_storage(shader, library, &Subdomain::whole(extents));
    for file in ["numbers", "lattice"] {
        shader.import(library, &format!("shared/{file}"));
    }
    let [width, height, slices] = extents.along_axes();
    shader.constant("CELLS", "vec3<i32>", format_args!("vec3<i32>({width}, {height}, {slices})"));
    add_densities(shader, library, layers);
}

/// Adds the function `density_at` and the textures that it reads. The function returns the quanta of a cell, given by
/// three indices, summed over all layers, at most 2^32 - 1.
pub(crate) fn add_densities(shader: &mut Shader, library: &Library, layers: usize) {
    let fields = |own| ["density", "control"].map(|field| texture_of(field, own));
    (0..layers).for_each(|own| shader.texture(&texture_of("density", own), "u32"));
    let rows =
        (0..layers).map(fields).map(|[density, control]| Row::new([("density", &density), ("control", &control)]));
    shader.list("LAYERS", rows);
    shader.import(library, "lattice/densities");
}

/// The name of the variable for the texture of a layer's field, in a shader that reads several layers.
pub fn texture_of(field: &str, layer: usize) -> String {
    if layer == 0 { format!("{field}_texture") } else { format!("{field}_{layer}_texture") }
}

/// The shader around the changed text of a shared file, for a check. The shader has every function that the file may
/// call.
pub(crate) fn assemble_shared(library: &Library, text: &str, origin: &str, extents: Extents) -> Shader {
    let path = format!("shared/{}", murmuration_core::text::stem(origin));
    let mut shader = Shader::from_text(library, &path, origin, text, conditions(extents, true, true));
    add_world(&mut shader, library, extents, Edges::Torus);
    shader.import_shared(library, Model::Cell, extents.axes());
    shader
}

/// The path of the file with a built-in kernel's text for deep worlds. Kernels with one text for all worlds have no
/// such file.
pub(crate) fn deep_path(kernel: &str) -> String {
    format!("shaders/deep/{kernel}.wgsl")
}

/// Begins a shader with the text of a kernel. Some built-in kernels have another text for deep worlds.
fn begin_shader(kernel: &Kernel, config: ShaderConfig<'_>) -> Shader {
    let (ShaderConfig { library, has_noise, has_hunters, .. }, extents) = (config, config.extents());
    let deep_path = deep_path(&kernel.name);
    let other = (kernel.is_built_in && extents.axes() == 3).then(|| library.text(&deep_path)).flatten();
    let (origin, text) = other.map_or((&kernel.origin, &*kernel.text), |text| (&deep_path, text));
    let path = if kernel.signature.is_some() { Model::Cell.table().path(&kernel.name) } else { kernel.origin.clone() };
    let conditions = conditions(extents, has_noise, has_hunters);
    Shader::from_text(&library, stem_of(&path), origin, text, conditions)
}

/// The whole shader of a kernel. `read` and `write`: the fields of the pass. `sights`: the sight of each field that the
/// pass reads, if it has one.
pub(crate) fn write_shader(
    kernel: &Kernel,
    read: &[(&str, Texel)],
    write: &[(&str, Texel)],
    sights: &[Option<&Sight>],
    config: ShaderConfig<'_>,
) -> Shader {
    let axes = config.extents().axes();
    let mut shader = begin_shader(kernel, config);
    // The parameters are the first binding, because some drivers give dynamic offsets to the first uniform buffer only.
    add_subdomain(&mut shader, &config.library, &config.subdomain, config.edges);
    let own_rules = kernel.signature.map_or(&[][..], |signature| signature.rules);
    if !own_rules.is_empty() {
        perception::add_perception(&mut shader, sights, config);
    }
    if let ([Some(sight)], []) = (sights, own_rules) {
        let (count, reach) = (sight.vectors().len(), sight.reach());
        shader.uniform("sight_vectors", format_args!("array<vec4<i32>, {count}>"));
        shader.text("SIGHT_COUNT", count);
        shader.text("SIGHT_REACH", reach);
        shader.text("SIGHT_KIND", perception::kind_of(sight));
        shader.constant("CENTRE_REACH", "i32", perception::centre_reach(sight));
        shader.import(&config.library, "perception/sight");
    }
    // A built-in kernel reads no cell beyond its sight, or one cell beyond the sight if it updates sums from cell to
    // cell. Other kernels may read any cell.
    let reach = sights.iter().flatten().map(|sight| sight.reach() + 1).max().unwrap_or(1);
    let reach = kernel.is_built_in.then_some(reach as u32);
    add_accessors(&mut shader, read, reach, config);
    if kernel.signature.is_some_and(|signature| signature.has_meals) {
        add_meals(&mut shader, config);
    }
    if kernel.signature.is_some_and(|signature| signature.has_sum) {
        let summed = read.iter().filter(|(_, texel)| *texel == Texel::Vector);
        let rows = summed.zip(own_rules.len()..);
        shader.list("SUMMED", rows.map(|((name, _), index)| Row::new([("name", name), ("index", &index)])));
        shader.import(&config.library, "lattice/weighted_sum");
    }
    add_entry(&mut shader, kernel, write, sights, config);
    shader.import_shared(&config.library, Model::Cell, axes);
    shader
}

/// The number of words of a texel of a field: 1, or 2 for a vector of a deep world.
pub fn words_of(texel: Texel, extents: Extents) -> usize {
    if texel == Texel::Amount { 1 } else { extents.axes() - 1 }
}

/// The expression in WGSL that packs a field of a kernel's result into a word, by a function of
/// `shaders/lattice/store.wgsl`.
fn stored_word((name, texel): &(&str, Texel), is_only: bool) -> String {
    let member = if is_only { String::new() } else { format!(".{name}") };
    format!("word_of_{}(written{member})", texel.name())
}

/// The name in WGSL of the type of a kernel's result.
pub(super) fn result(write: &[(&str, Texel)]) -> &'static str {
    match write {
        [(_, Texel::Amount)] => "u32",
        [_] => "Vector",
        _ => "Written",
    }
}

/// Adds the entry point: it computes the cells of an invocation or a pixel, and stores the result.
fn add_entry(
    shader: &mut Shader,
    kernel: &Kernel,
    write: &[(&str, Texel)],
    sights: &[Option<&Sight>],
    config: ShaderConfig<'_>,
) {
    if write.len() > 1 {
        let kind = |texel: &Texel| if *texel == Texel::Amount { "u32" } else { "Vector" };
        let members: String = write.iter().map(|(name, texel)| format!("    {name}: {},\n", kind(texel))).collect();
        shader.add(format!("struct Written {{\n{members}}}"));
    }
    let name = &kernel.name;
    let words = write.iter().map(|field| stored_word(field, write.len() == 1));
    let mut stored = Vec::new();
    shader.text("RESULT", result(write));
    match config.dispatch {
        Dispatch::Compute { workgroup } => {
            for ((name, texel), word) in write.iter().zip(words) {
                let components = words_of(*texel, config.extents());
                shader.target(&format!("{name}_target"), ["r32uint", "rg32uint"][components - 1]);
                let zeros = ", 0u".repeat(4 - components);
                stored.push(Row::new([("name", name), ("word", &word), ("zeros", &zeros)]));
            }
            let id = if config.extents().axes() == 3 { "id" } else { "id.xy" };
            let body = match strip(kernel, sights, config.dispatch, config.extents()) {
                1 => format!("    let cell = Cell({id});\n    if (inside(cell)) {{ store(cell, {name}(cell)); }}\n"),
                rows => {
                    let (across, axis) = if config.extents().axes() == 3 { ("1, 1", "z") } else { ("1", "y") };
                    format!(
                        "    let first = Cell({id}) * Cell({across}, {rows});\n    \
                         if (inside(first)) {{ fill_strip(first, min(first.{axis} + {rows}, EXTENT.{axis})); }}\n"
                    )
                }
            };
            shader.compute_entry(workgroup, &body);
        }
        Dispatch::Fragment => {
            let target = |(index, (name, texel)): (usize, &(&str, Texel))| {
                let kind = ["u32", "vec2<u32>"][words_of(*texel, config.extents()) - 1];
                format!("    @location({index}) {name}_target: {kind},\n")
            };
            let targets: String = write.iter().enumerate().map(target).collect();
            shader.add(format!("struct Targets {{\n{targets}}}"));
            let words = words.collect::<Vec<_>>().join(", ");
            // Tiles after the last slice of a deep world hold no cells.
            let beyond = match config.extents().axes() {
                2 => "",
                _ => "    if (!inside(cell)) { return Targets(); }\n",
            };
            let body = format!(
                "    let cell = cell_of_texel(vec2<u32>(position.xy));\n{beyond}    let written = {name}(cell);\n    \
                 return Targets({words});\n"
            );
            shader.pixel_entry(&config.library, "Targets", &body);
        }
    }
    shader.list("STORED", stored);
    shader.import(&config.library, "lattice/store");
}
