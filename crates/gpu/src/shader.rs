//! Whole shaders around kernels: entry point, bindings and accessors are generated from a pass of the plan.
//!
//! A kernel's file holds functions on `Cell` and `Vector` and nothing of the machinery. It comes first in the shader, so
//! that lines in error messages are its own; WGSL lets declarations stand in any order. After it come the generated
//! part and `shaders/shared/`. Everything is checked here by naga, without a device.

mod boxes;
mod check;
mod perception;

pub use boxes::{Along, assemble_boxes};
pub use check::{check, check_kernel, check_shared, is_cell_kernel, is_shared, is_taken, validate_text};
pub use perception::{Way, alike, sight_table, strip};

use crate::chain::Kernel;
use crate::chain::plan::{Plan, PlannedPass};
use crate::engine::Dispatch;
use crate::fields::Texel;
use crate::kernels::parameters::PARAMETERS_WGSL;
use crate::kernels::sights::LOOKING;
use crate::library::Library;
use crate::sight::Sight;
use crate::world::{Edges, Extents};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The names of the entry points.
pub const COMPUTE_ENTRY: &str = "murmuration_compute";
pub const VERTEX_ENTRY: &str = "murmuration_vertex";
pub const FRAGMENT_ENTRY: &str = "murmuration_fragment";

/// Bindings of a pass, all in group 0: the parameters, the sights, then the fields read and (in a compute dispatch) those
/// written and the sums over boxes.
pub const PARAMETERS_BINDING: u32 = 0;
pub const FIRST_SIGHT_BINDING: u32 = 1;
pub const FIRST_FIELD_BINDING: u32 = FIRST_SIGHT_BINDING + LOOKING as u32;

/// Names that the generated part may use beside those of `shaders/shared/`.
const GENERATED: &[&str] = &[
    "Cell",
    "Vector",
    "EXTENT",
    "TORUS",
    "Parameters",
    "parameters",
    "Written",
    "sight",
    "sight_count",
    "sight_reach",
    "sight_vectors",
    "pull",
    "weighted_sum",
    "Perceived",
    "perceived",
    "perceived_below",
    "sight_0",
    "sight_1",
    "sight_2",
    "box_0",
    "box_2",
    "store",
    "march",
    "behave",
    "COHESION_REACH",
    "Targets",
    "cell",
    "id",
    "position",
    "i",
    COMPUTE_ENTRY,
    VERTEX_ENTRY,
    FRAGMENT_ENTRY,
];

/// Rows of the lattice that one workgroup of the ledger sums: of at most 16 384 cells each, so that no sum overflows.
pub const LEDGER_ROWS: u32 = 4;

/// What the shader of a pass depends on beside the plan.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub library: Library,
    pub extents: Extents,
    pub edges: Edges,
    /// Those of the preset, by name.
    pub sights: &'a BTreeMap<String, Sight>,
    pub dispatch: Dispatch,
    /// The capacity of every cell, where all have the same: it is not looked up then.
    pub capacity: Option<u32>,
}

/// The whole shader of a pass.
pub fn assemble(plan: &Plan, pass: &PlannedPass, setting: Setting<'_>) -> String {
    let kernel = &plan.kernels[pass.kernel];
    let fields = |slots: &[crate::chain::plan::Slot]| {
        slots
            .iter()
            .map(|slot| (plan.fields[slot.field].name.as_str(), plan.fields[slot.field].texel))
            .collect::<Vec<_>>()
    };
    let sights = pass.seen_through(setting.sights);
    write_shader(kernel, &fields(&pass.read), &fields(&pass.write), &sights, setting)
}

/// The whole shader of the ledger of what is caught.
pub fn assemble_caught(library: &Library, extents: Extents, edges: Edges) -> String {
    let caught = library.shader("ledger/caught");
    format!("{caught}{}{}", world_declarations(extents, edges), shared_text(library, ""))
}

/// What every kernel may know of the world, and the numbers of the step.
pub(crate) fn world_declarations(extents: Extents, edges: Edges) -> String {
    format!(
        "alias Cell = vec2<i32>;\nalias Vector = vec2<i32>;\nconst EXTENT = Cell({}, {});\nconst TORUS = {};\n\
         {PARAMETERS_WGSL}@group(0) @binding({PARAMETERS_BINDING}) var<uniform> parameters: Parameters;\n",
        extents.width,
        extents.height,
        edges == Edges::Torus
    )
}

/// The files of `shaders/shared/`, without the one of this name.
fn shared_text(library: &Library, without: &str) -> String {
    library.shared().filter(|(file, _)| *file != without).map(|(_, text)| text).collect()
}

/// The whole shader of the ledger: the sums of the density.
pub fn assemble_ledger(library: &Library, extents: Extents) -> String {
    let ledger = library.shader("ledger/ledger");
    let Extents { width, height } = extents;
    format!("{ledger}\nconst EXTENT = vec2<u32>({width}u, {height}u);\nconst ROWS = {LEDGER_ROWS}u;\n")
}

fn write_shader(
    kernel: &Kernel,
    read: &[(&str, Texel)],
    write: &[(&str, Texel)],
    sights: &[Option<&Sight>],
    setting: Setting<'_>,
) -> String {
    let mut shader = kernel.text.clone();
    if !shader.ends_with('\n') {
        shader.push('\n');
    }
    let own_rules = kernel.twin.map_or(&[][..], |twin| twin.signature().rules);
    if !own_rules.is_empty() {
        let first_box = FIRST_FIELD_BINDING + (read.len() + write.len()) as u32;
        shader.push_str(&perception::perception(sights, setting.dispatch, first_box));
        // Those of its rules that look at nothing are the kernels themselves.
        own_rules[sights.len()..]
            .iter()
            .filter_map(|name| setting.library.kernel(name))
            .for_each(|text| shader.push_str(text));
    }
    let mut line = |text: &str| {
        shader.push_str(text);
        shader.push('\n');
    };
    line(&world_declarations(setting.extents, setting.edges));
    if let ([Some(sight)], []) = (sights, own_rules) {
        let (count, reach) = (sight.vectors().len(), sight.reach());
        line(&format!(
            "@group(0) @binding({FIRST_SIGHT_BINDING}) var<uniform> sight_vectors: array<vec4<i32>, {count}>;"
        ));
        line(&format!("fn sight_count() -> i32 {{ return {count}; }}"));
        line(&format!("fn sight_reach() -> i32 {{ return {reach}; }}"));
        line("fn sight(i: i32) -> Vector { return sight_vectors[i].xy; }");
        line("fn pull(i: i32) -> Vector { return sight_vectors[i].zw; }");
    }
    // A kernel of ours looks no farther than its sight, and where its sums slide, one cell beyond; any other may look
    // anywhere.
    let reach = sights.iter().flatten().map(|sight| sight.reach() + 1).max().unwrap_or(1);
    let reach = kernel.twin.map(|_| reach as u32);
    for (index, (name, texel)) in read.iter().enumerate() {
        let value = match (*texel, setting.capacity) {
            (Texel::Amount, Some(capacity)) if *name == "capacity" => Value::Same(capacity),
            (Texel::Amount, _) => Value::Amount,
            (Texel::Velocity | Texel::Vector, _) => Value::Vector,
        };
        line(&accessor(name, FIRST_FIELD_BINDING + index as u32, value, reach, setting));
    }
    let summed = read.iter().filter(|(_, texel)| *texel == Texel::Vector);
    let terms = summed
        .enumerate()
        .map(|(index, (name, _))| (own_rules.len() + index, name))
        .map(|(index, name)| format!("parameters.weights[{}][{}] * {name}(cell)", index / 4, index % 4))
        .collect::<Vec<_>>();
    if kernel.twin.is_some_and(|twin| twin.signature().sums) {
        let sum = if terms.is_empty() { "Vector(0)".to_string() } else { terms.join("\n        + ") };
        line(&format!("fn weighted_sum(cell: Cell) -> Vector {{\n    return {sum};\n}}"));
    }
    write_entry(&mut shader, kernel, write, read.len() as u32, sights, setting);
    shader.push_str(&shared_text(&setting.library, ""));
    shader
}

/// What an accessor gives.
#[derive(Debug, Clone, Copy)]
enum Value {
    Amount,
    Vector,
    /// Four sums.
    Sums,
    /// The same amount in every cell, which is not looked up.
    Same(u32),
}

/// The binding of a field, and the function of its name that looks up a cell of it; `reach`: how far beyond the lattice that
/// may lie, if that is known.
fn accessor(name: &str, binding: u32, value: Value, reach: Option<u32>, setting: Setting<'_>) -> String {
    let is_near = reach.is_some_and(|reach| reach <= setting.extents.width.min(setting.extents.height));
    let wrap = if is_near { "wrap_near" } else { "wrap_far" };
    let (texel, kind, nothing, found) = match value {
        Value::Amount => ("u32", "u32", "0u", "textureLoad(NAME_texture, place, 0).r".to_string()),
        Value::Vector => ("u32", "Vector", "Vector(0)", "unpack(textureLoad(NAME_texture, place, 0).r)".to_string()),
        Value::Sums => ("i32", "vec4<i32>", "vec4<i32>(0)", "textureLoad(NAME_texture, place, 0)".to_string()),
        Value::Same(amount) => ("u32", "u32", "0u", format!("{amount}u")),
    };
    let found = found.replace("NAME", name);
    let place = match setting.edges {
        Edges::Torus => format!("    let place = {wrap}(cell);\n"),
        Edges::Walls => format!("    let place = cell;\n    if (!inside(cell)) {{ return {nothing}; }}\n"),
    };
    format!(
        "@group(0) @binding({binding}) var {name}_texture: texture_2d<{texel}>;\n\
         fn {name}(cell: Cell) -> {kind} {{\n{place}    return {found};\n}}"
    )
}

/// What the uniform of a sight holds: each perceptual vector and separation's pull.
pub fn vector_table(sight: &Sight) -> Vec<[i32; 4]> {
    sight.vectors().iter().zip(sight.pulls()).map(|(&[x, y], [pull_x, pull_y])| [x, y, pull_x, pull_y]).collect()
}

/// The words that a kernel's results are stored as: (name, WGSL expression) of each field.
fn stored_words<'a>(write: &'a [(&'a str, Texel)]) -> impl Iterator<Item = (&'a str, String)> + 'a {
    write.iter().map(|(name, texel)| {
        let value = if write.len() == 1 { "written".to_string() } else { format!("written.{name}") };
        // A store holds a vector within its bound, so that no kernel can break the movement.
        let word = match texel {
            Texel::Amount => value,
            Texel::Velocity => format!("pack(clamp_components({value}, ONE))"),
            Texel::Vector => format!("pack(clamp_components({value}, RULE_LIMIT))"),
        };
        (*name, word)
    })
}

/// The type of what a kernel returns.
fn result(write: &[(&str, Texel)]) -> &'static str {
    match write {
        [(_, Texel::Amount)] => "u32",
        [_] => "Vector",
        _ => "Written",
    }
}

fn write_entry(
    shader: &mut String,
    kernel: &Kernel,
    write: &[(&str, Texel)],
    reads: u32,
    sights: &[Option<&Sight>],
    setting: Setting<'_>,
) {
    let mut text = String::new();
    if write.len() > 1 {
        text.push_str("struct Written {\n");
        for (name, texel) in write {
            let kind = if *texel == Texel::Amount { "u32" } else { "Vector" };
            text.push_str(&format!("    {name}: {kind},\n"));
        }
        text.push_str("}\n");
    }
    match setting.dispatch {
        Dispatch::Compute { workgroup: [width, height] } => {
            for (index, (name, _)) in write.iter().enumerate() {
                let binding = FIRST_FIELD_BINDING + reads + index as u32;
                let _ = writeln!(
                    text,
                    "@group(0) @binding({binding}) var {name}_target: texture_storage_2d<r32uint, write>;"
                );
            }
            let _ = writeln!(
                text,
                "@compute @workgroup_size({width}, {height})\n\
                 fn {COMPUTE_ENTRY}(@builtin(global_invocation_id) id: vec3<u32>) {{"
            );
            let rows = strip(kernel.twin, sights, setting.dispatch, setting.extents);
            let _ = match rows {
                1 => writeln!(
                    text,
                    "    let cell = Cell(id.xy);\n    if (inside(cell)) {{ store(cell, {}(cell)); }}\n}}",
                    kernel.name
                ),
                _ => writeln!(
                    text,
                    "    let top = Cell(id.xy) * Cell(1, {rows});\n    \
                     if (inside(top)) {{ march(top, min(top.y + {rows}, EXTENT.y)); }}\n}}"
                ),
            };
            let _ = writeln!(text, "fn store(cell: Cell, written: {}) {{", result(write));
            for (name, word) in stored_words(write) {
                let _ = writeln!(text, "    textureStore({name}_target, cell, vec4<u32>({word}, 0u, 0u, 0u));");
            }
            text.push_str("}\n");
        }
        Dispatch::Fragment => {
            let _ = writeln!(text, "fn store(cell: Cell, written: {}) {{}}", result(write));
            text.push_str("struct Targets {\n");
            for (index, (name, _)) in write.iter().enumerate() {
                let _ = writeln!(text, "    @location({index}) {name}_target: u32,");
            }
            let words = stored_words(write).map(|(_, word)| word).collect::<Vec<_>>().join(", ");
            let _ = writeln!(
                text,
                "}}\n\
                 @vertex\n\
                 fn {VERTEX_ENTRY}(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {{\n\
                 \x20   // One triangle that covers the whole lattice.\n\
                 \x20   return vec4<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u), 0.0, 1.0);\n\
                 }}\n\
                 @fragment\n\
                 fn {FRAGMENT_ENTRY}(@builtin(position) position: vec4<f32>) -> Targets {{\n\
                 \x20   let written = {}(Cell(position.xy));\n    return Targets({words});\n}}",
                kernel.name
            );
        }
    }
    shader.push_str(&text);
}
