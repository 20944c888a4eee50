//! What `behaviour` perceives on a GPU: the sums over the sights of cohesion, separation and alignment.
//!
//! What is looked at costs most, so each cell is read once for all rules that look at it in one way.

use super::lattice::{Value, add_accessor, add_shared, add_world};
use super::{Shader, ShaderConfig};
use crate::atlas::Atlas;
use crate::chain::Kernel;
use crate::engine::Dispatch;
use crate::library::Library;
use crate::sight::Sight;
use crate::world::{Edges, Extents};
use murmuration_core::cells::sights::{SumKind, columns};
use murmuration_core::numbers::{Vector3, pack};
use std::collections::BTreeMap;

/// The most cells looked at that are spelt out in a shader.
const MOST_SPELT_OUT: usize = 80;
/// The fewest and the most rows of a strip.
const STRIP: [usize; 2] = [16, 96];
/// The slices of a strip in a deep world.
const SLICES: u32 = 16;
/// The most turns of all loops of an invocation: Mesa's drivers for processors end them after 65 535.
const MOST_TURNS: usize = 60_000;

/// How a rule's sums over a sight are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumMethod {
    /// By single vectors.
    Each,
    /// From those of the row above, by what each column gains and loses.
    Sliding,
    /// By passes of their own, before.
    Boxes,
    /// From the sums of a contrast, which passes of their own make before.
    Blur,
}

/// How the sums of a rule (by its number) over a sight are made.
fn method(rule: usize, sight: &Sight, dispatch: Dispatch) -> SumMethod {
    let kind = SumKind::BY_RULE[rule];
    if kind == SumKind::Centre && sight.as_contrast().is_some() {
        return SumMethod::Blur;
    }
    if sight.axes() == 3 || sight.as_contrast().is_some() {
        return SumMethod::Each;
    }
    let is_compute = matches!(dispatch, Dispatch::Compute { .. });
    if is_compute && kind.box_radius(sight.box_radius()).is_some() {
        return SumMethod::Boxes;
    }
    match kind.slides(sight.vectors(), &columns(sight.vectors())) {
        true => SumMethod::Sliding,
        false => SumMethod::Each,
    }
}

/// The rules that see the same in the same way.
pub fn alike<'a>(sights: &[Option<&'a Sight>], dispatch: Dispatch) -> Vec<(Vec<usize>, &'a Sight, SumMethod)> {
    let mut alike: Vec<(Vec<usize>, &Sight, SumMethod)> = Vec::new();
    for (rule, sight) in sights.iter().enumerate() {
        let Some(sight) = *sight else { continue };
        let method = method(rule, sight, dispatch);
        match alike.iter_mut().find(|(_, other, other_method)| *other == sight && *other_method == method) {
            Some((rules, ..)) => rules.push(rule),
            None => alike.push((vec![rule], sight, method)),
        }
    }
    alike
}

/// What the uniform of a sight holds, four numbers for each perceptual vector, as shaders read them.
pub fn vector_table(sight: &Sight) -> Vec<[i32; 4]> {
    let pair = |x: i32, y: i32| pack([x, y]) as i32;
    if let Some(contrast) = sight.as_contrast() {
        let weighed = sight.vectors().iter().zip(&contrast.weights);
        return weighed.map(|([x, y, z], [a, b, c, seen])| [pair(*x, *y), pair(*z, *seen), pair(*a, *b), *c]).collect();
    }
    let pulled = sight.vectors().iter().zip(sight.pulls());
    match sight.axes() {
        2 => pulled.map(|(&[x, y, _], [a, b, _])| [x, y, a, b]).collect(),
        _ => pulled.map(|(&[x, y, z], [a, b, c])| [pair(x, y), z, pair(a, b), c]).collect(),
    }
}

/// What a perceptual vector is to the rules, in WGSL.
struct Names {
    vector: String,
    /// Separation's pull.
    pull: String,
    /// What a cell there adds to the centre that cohesion sees, and to the divisor, for each unit of perceived density.
    centre: String,
    seen: String,
}

impl Names {
    /// The names of what the four numbers `s` of a table say.
    fn in_table(sight: &Sight, axes: usize) -> Self {
        let pair = |component: &str| format!("unpack(bitcast<u32>(s.{component}))");
        let joined = |pair: String, last: &str| if axes == 2 { pair } else { format!("Vector({pair}, {last})") };
        if sight.as_contrast().is_some() {
            let vector = joined(pair("x"), &format!("{}.x", pair("y")));
            let pull = format!("each_ratio({vector}, max(dot({vector}, {vector}), 1))");
            return Self { vector, pull, centre: joined(pair("z"), "s.w"), seen: format!("{}.y", pair("y")) };
        }
        let [vector, pull] = match axes {
            2 => ["s.xy", "s.zw"].map(String::from),
            _ => [joined(pair("x"), "s.y"), joined(pair("z"), "s.w")],
        };
        Self { centre: vector.clone(), vector, pull, seen: "1".into() }
    }

    /// The numbers of each vector of a sight.
    fn spelt_out(sight: &Sight, axes: usize) -> impl Iterator<Item = (Vector3, Self)> {
        let in_wgsl = move |v: Vector3| {
            let components = v[..axes].iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
            format!("Vector({components})")
        };
        let weights = sight.as_contrast().map_or(&[][..], |contrast| &contrast.weights);
        sight.vectors().iter().zip(sight.pulls()).enumerate().map(move |(index, (v, pull))| {
            let weighed = weights.get(index).map(|[x, y, z, seen]| ([*x, *y, *z], *seen));
            let (centre, seen) = weighed.unwrap_or((*v, 1));
            let names =
                Self { vector: in_wgsl(*v), pull: in_wgsl(pull), centre: in_wgsl(centre), seen: seen.to_string() };
            (*v, names)
        })
    }
}

/// The functions through which a kernel looks through its sight.
pub fn sight_functions(sight: &Sight, axes: usize) -> String {
    let Names { vector, pull, centre, seen } = Names::in_table(sight, axes);
    let function = |name, kind, value| {
        format!("fn {name}(i: i32) -> {kind} {{\n    let s = sight_vectors[i];\n    return {value};\n}}\n")
    };
    function("sight", "Vector", vector)
        + &function("pull", "Vector", pull)
        + &function("centre_weight", "Vector", centre)
        + &function("seen_weight", "i32", seen)
        + &format!("const CENTRE_REACH: i32 = {};\n", centre_reach(sight))
}

/// What the centre that cohesion sees is divided by, beside the sum of what is seen.
fn centre_reach(sight: &Sight) -> i32 {
    if sight.as_contrast().is_some() { 1 } else { sight.reach() }
}

/// What the uniform of a sight holds for a rule of `behaviour`: its columns as (column, first, last), nothing for the sums of a
/// contrast, or what [`vector_table`] says.
pub fn sight_table(rule: usize, sight: &Sight, dispatch: Dispatch) -> Vec<[i32; 4]> {
    match method(rule, sight, dispatch) {
        SumMethod::Sliding => columns(sight.vectors()).iter().map(|run| [run.column, run.first, run.last, 0]).collect(),
        SumMethod::Blur => Vec::new(),
        _ => vector_table(sight),
    }
}

/// The rows that one invocation of a kernel works on from above, in a compute dispatch; the slices, in a deep world. Kernels that use the sums of the row
/// above take many: the more the larger the lattice is, and so many that the first row, which is summed in full, is an eighth of
/// the work or less, if the turns of its loops are not too many for that.
pub fn strip(kernel: &Kernel, sights: &[Option<&Sight>], dispatch: Dispatch, extents: Extents) -> u32 {
    if !kernel.is_built_in || !kernel.signature.is_some_and(|signature| signature.has_strips) {
        return 1;
    }
    if extents.depth.is_some() {
        let uses_row_above = kernel.signature.is_some_and(|signature| !signature.rules.is_empty());
        return if uses_row_above { 1 } else { SLICES };
    }
    // The turns of loops in the first row and in each later one.
    let (mut first, mut later, mut wanted) = (0, 0, extents.cells() >> 16);
    for (_, sight, method) in alike(sights, dispatch) {
        let (vectors, columns) = (sight.vectors().len(), columns(sight.vectors()).len());
        match method {
            SumMethod::Each if vectors > MOST_SPELT_OUT => (first, later) = (first + vectors, later + vectors),
            SumMethod::Sliding => {
                first += vectors + columns;
                later += if 2 * columns > MOST_SPELT_OUT { columns } else { 0 };
                wanted = wanted.max(8 * vectors.div_ceil(2 * columns));
            }
            _ => (),
        }
    }
    let possible = 1 + (MOST_TURNS - first) / later.max(1);
    wanted.clamp(STRIP[0], STRIP[1]).min(possible) as u32
}

/// Adds the structure of what is perceived, and two functions that fill it: `perceived`, in full, and `perceived_below`,
/// from what the cell above perceives. A rule without a sight has no part in it.
pub fn add_perception(shader: &mut Shader, sights: &[Option<&Sight>], config: ShaderConfig<'_>) {
    let (dispatch, axes) = (config.dispatch, config.extents.axes());
    shader.add(
        "struct Perceived {\n    centre: Vector,\n    by_cohesion: i32,\n    pressure: Vector,\n    momentum: Vector,\n    \
         by_alignment: i32,\n}",
    );
    shader.constant("COHESION_REACH", "i32", sights[0].map_or(1, centre_reach));
    for (rule, sight) in sights.iter().enumerate() {
        let Some(sight) = sight else { continue };
        let count = sight_table(rule, sight, dispatch).len();
        if count > 0 {
            shader.uniform(&format!("sight_{rule}"), format_args!("array<vec4<i32>, {count}>"));
        }
    }
    // What is spelt out: what each cell that is looked at adds.
    let (mut full, mut below) = (Terms::new(), Terms::new());
    let (mut full_loops, mut below_loops) = (String::new(), String::new());
    for (rules, sight, method) in alike(sights, dispatch) {
        let (vectors, columns) = (sight.vectors(), columns(sight.vectors()));
        let all = |sign: &str, s: &str| {
            let names = Names { vector: s.into(), pull: String::new(), centre: s.into(), seen: "1".into() };
            rules.iter().map(|rule| add(*rule, sign, &names)).collect::<Vec<_>>().join(" ")
        };
        let table = format!("sight_{}", rules[0]);
        match method {
            SumMethod::Boxes => {
                for rule in &rules {
                    shader.texture(&format!("box_{rule}"), "i32");
                    let taken = match rule {
                        0 => "seen.by_cohesion = in_box.x; seen.centre = in_box.yz;",
                        _ => "seen.by_alignment = in_box.x; seen.momentum = in_box.zw;",
                    };
                    let take = format!(
                        "    {{\n        let in_box = textureLoad(box_{rule}, cell, 0);\n        {taken}\n    }}\n"
                    );
                    full_loops.push_str(&take);
                    below_loops.push_str(&take);
                }
            }
            SumMethod::Blur => {
                shader.texture("box_0", "u32");
                shader.add(blur_accessor("box_0", 1, config));
                full_loops.push_str(&contrast(axes));
                below_loops.push_str(&contrast(axes));
            }
            SumMethod::Each if vectors.len() <= MOST_SPELT_OUT => {
                for (v, names) in Names::spelt_out(sight, axes) {
                    for rule in &rules {
                        let added = add(*rule, "+", &names);
                        full.entry(v).or_default().push(added.clone());
                        below.entry(v).or_default().push(added);
                    }
                }
            }
            SumMethod::Each => {
                let names = Names::in_table(sight, axes);
                let added = rules.iter().map(|rule| add(*rule, "+", &names)).collect::<Vec<_>>().join(" ");
                let looked = each(&table, vectors.len(), &look(&names.vector, &added));
                full_loops.push_str(&looked);
                below_loops.push_str(&looked);
            }
            SumMethod::Sliding => {
                let column = look("Cell(s.x, y)", &all("+", "Vector(s.x, y)"));
                let column = format!("        for (var y = s.y; y <= s.z; y += 1) {{\n{column}        }}\n");
                full_loops.push_str(&each(&table, columns.len(), &column));
                for rule in &rules {
                    // A row further down, each cell in sight is a row further up.
                    below_loops.push_str(match rule {
                        0 => {
                            "    seen.by_cohesion = last.by_cohesion;\n    \
                              seen.centre = last.centre - Vector(0, last.by_cohesion);\n"
                        }
                        _ => "    seen.by_alignment = last.by_alignment;\n    seen.momentum = last.momentum;\n",
                    });
                }
                if 2 * columns.len() <= MOST_SPELT_OUT {
                    for run in &columns {
                        for (y, sign) in [(run.last, "+"), (run.first - 1, "-")] {
                            let added = all(sign, &format!("Vector({}, {y})", run.column));
                            below.entry([run.column, y, 0]).or_default().push(added);
                        }
                    }
                } else {
                    let gained = look("Cell(s.x, s.z)", &all("+", "Vector(s.x, s.z)"));
                    let lost = look("Cell(s.x, s.y - 1)", &all("-", "Vector(s.x, s.y - 1)"));
                    below_loops.push_str(&each(&table, columns.len(), &format!("{gained}{lost}")));
                }
            }
        }
    }
    let spelt = |cells: Terms| -> String {
        let cell = |v: &Vector3| v[..axes].iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
        cells.iter().map(|(v, added)| look(&format!("Cell({})", cell(v)), &added.join(" "))).collect()
    };
    let (full, below) = (spelt(full), spelt(below));
    shader.add(format!(
        "fn perceived(cell: Cell) -> Perceived {{\n    var seen: Perceived;\n{full_loops}{full}    return seen;\n}}\n\
         fn perceived_below(cell: Cell, last: Perceived) -> Perceived {{\n    var seen: Perceived;\n\
         {below_loops}{below}    return seen;\n}}"
    ));
}

/// What cells at perceptual vectors add to the sums.
type Terms = BTreeMap<Vector3, Vec<String>>;

/// What a cell `there` with the perceived density p adds to the sums of a rule, or takes from them.
fn add(rule: usize, sign: &str, Names { pull, centre, seen, .. }: &Names) -> String {
    match rule {
        0 => format!("seen.centre {sign}= p * {centre}; seen.by_cohesion {sign}= p * {seen};"),
        1 => format!("seen.pressure {sign}= p * {pull};"),
        _ => format!("seen.momentum {sign}= p * to_q10(control(there)); seen.by_alignment {sign}= p;"),
    }
}

/// Looks at the cell at a perceptual vector.
fn look(vector: &str, added: &str) -> String {
    format!(
        "    {{\n        let there = cell + {vector};\n        let p = perceive(density(there));\n        {added}\n    }}\n"
    )
}

/// A loop over a table of a sight.
fn each(table: &str, count: usize, body: &str) -> String {
    format!("    for (var i = 0; i < {count}; i += 1) {{\n        let s = {table}[i];\n{body}    }}\n")
}

/// The cells in a strip of a box sum: one invocation sums along it.
pub const SUM_STRIP: u32 = 64;
/// The invocations of a workgroup.
pub const WORKGROUP: u32 = 64;

/// What the sums are made along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumAxis {
    /// Sums of what cells perceive, from density and control vector.
    Columns,
    /// Sums of the sums along columns.
    Rows,
}

impl SumAxis {
    /// The workgroups of a dispatch in a flat world: across the strips, and along them.
    pub fn workgroups(self, extents: Extents) -> [u32; 3] {
        let (across, along) = match self {
            Self::Columns => (extents.width, extents.height),
            Self::Rows => (extents.height, extents.width),
        };
        [across.div_ceil(WORKGROUP), along.div_ceil(SUM_STRIP), 1]
    }
}

/// The whole shader of the sums over a box of this reach, for cohesion (rule 0) or alignment (rule 2). The rows give
/// (Σ p, Σ x·p, Σ y·p, 0) or (Σ p, Σ x·p, Σ p·V_x, Σ p·V_y); the columns of alignment serve both rules.
pub fn assemble_boxes(
    library: &Library,
    rule: usize,
    reach: i32,
    axis: SumAxis,
    extents: Extents,
    edges: Edges,
) -> Shader {
    let dispatch = Dispatch::Compute { workgroup: [WORKGROUP, 1] };
    let config = ShaderConfig { dispatch, ..ShaderConfig::plain(library, extents, edges) };
    let mut shader = Shader::new(library.shader("perception/boxes"));
    add_world(&mut shader, extents, edges);
    let fields: &[_] = match axis {
        SumAxis::Columns => &[("density", Value::Amount), ("control", Value::Vector)],
        SumAxis::Rows => &[("columns", Value::Sums)],
    };
    for (name, value) in fields {
        add_accessor(&mut shader, name, *value, Some(reach as u32 + 1), config);
    }
    let (step, start) = match axis {
        SumAxis::Columns => ("0, 1", "i32(id.x), i32(id.y) * SUM_STRIP"),
        SumAxis::Rows => ("1, 0", "i32(id.y) * SUM_STRIP, i32(id.x)"),
    };
    shader.constant("REACH", "i32", reach);
    shader.constant("AXIS", "Cell", format_args!("Cell({step})"));
    shader.constant("SUM_STRIP", "i32", SUM_STRIP);
    let addend = match (axis, rule) {
        (SumAxis::Columns, 0) => "vec4<i32>(perceive(density(cell)), 0, 0, 0)",
        (SumAxis::Columns, _) => "vec4<i32>(perceive(density(cell)) * vec4<i32>(1, 0, to_q10(control(cell))))",
        (SumAxis::Rows, 0) => "columns(cell).xwyw * vec4<i32>(1, 0, 1, 0)",
        (SumAxis::Rows, _) => "columns(cell) * vec4<i32>(1, 0, 1, 1)",
    };
    shader.add(format!("fn addend(cell: Cell) -> vec4<i32> {{\n    return {addend};\n}}"));
    shader.target("sums_target", "rgba32sint");
    shader.add("fn store(cell: Cell, sums: vec4<i32>) {\n    textureStore(sums_target, cell, sums);\n}");
    shader.compute_entry(
        [WORKGROUP, 1],
        &format!(
            "    let start = Cell({start});\n    \
             if (inside(start)) {{ fill_strip(start, min(SUM_STRIP, dot(EXTENT - start, AXIS))); }}\n"
        ),
    );
    add_shared(&mut shader, library, extents.axes(), "");
    shader
}

/// What a contrast adds to the sums, from the blurred density of the neighbours along the axes.
fn contrast(axes: usize) -> String {
    let along = |axis: &str| {
        format!(
            "    {{\n        let step = Cell({});\n        let ahead = i32(blurred(cell + step));\n        \
             let behind = i32(blurred(cell - step));\n        seen.centre.{axis} += {axes} * (ahead - behind);\n        \
             seen.by_cohesion += ahead + behind;\n    }}\n",
            ["x", "y", "z"][..axes]
                .iter()
                .map(|own| if *own == axis { "1" } else { "0" })
                .collect::<Vec<_>>()
                .join(", ")
        )
    };
    ["x", "y", "z"][..axes].iter().map(|axis| along(axis)).collect()
}

/// The lattice of the sums of a contrast, and how many cells it begins before the world: within walls the cells one beyond each
/// edge have sums too, from which the contrast of the last cells is made.
pub fn blur_lattice(extents: Extents, edges: Edges) -> (Extents, u32) {
    let margin = u32::from(edges == Edges::Walls);
    let Extents { width, height, depth } = extents;
    let wider = |extent| extent + 2 * margin;
    (Extents { width: wider(width), height: wider(height), depth: depth.map(wider) }, margin)
}

/// The function `blurred`, which looks up the sums of a cell at most `reach` cells beyond the lattice in a texture of this name.
fn blur_accessor(texture: &str, reach: u32, config: ShaderConfig<'_>) -> String {
    let (lattice, margin) = blur_lattice(config.extents, config.edges);
    let extents = &config.extents.along_axes()[..config.extents.axes()];
    let wrap = if extents.iter().all(|extent| reach <= *extent) { "wrap_near" } else { "wrap_far" };
    let place = match config.edges {
        Edges::Torus => format!("    let place = {wrap}(cell);\n"),
        Edges::Walls => format!(
            "    let place = cell;\n    if (any(cell < Cell(-{margin})) || any(cell >= EXTENT + {margin})) {{ return 0u; }}\n"
        ),
    };
    let texel = Atlas::new(lattice).texel_function("blur_texel", margin);
    format!(
        "{texel}\nfn blurred(cell: Cell) -> u32 {{\n{place}    return textureLoad({texture}, blur_texel(place), 0).r;\n}}"
    )
}

/// The cells of a strip along an axis of so many.
fn blur_strip(extent: u32) -> u32 {
    extent.div_ceil(extent.div_ceil(SUM_STRIP))
}

/// The workgroups that blur along an axis (by its number).
pub fn blur_workgroups(extents: Extents, edges: Edges, axis: usize) -> [u32; 3] {
    let [width, height, slices] = blur_lattice(extents, edges).0.along_axes();
    let strips = |extent: u32| extent.div_ceil(blur_strip(extent));
    match axis {
        0 => [height.div_ceil(WORKGROUP), strips(width), slices],
        1 => [width.div_ceil(WORKGROUP), strips(height), slices],
        _ => [width.div_ceil(WORKGROUP), strips(slices), height],
    }
}

/// The whole shader that blurs along an axis (by its number) for the contrast of these radii: the first one perceived density, each
/// other one what the one before gave.
pub fn assemble_blur(library: &Library, radii: [i32; 2], axis: usize, extents: Extents, edges: Edges) -> Shader {
    let dispatch = Dispatch::Compute { workgroup: [WORKGROUP, 1] };
    let config = ShaderConfig { dispatch, ..ShaderConfig::plain(library, extents, edges) };
    let mut shader = Shader::new(library.shader("perception/blur"));
    add_world(&mut shader, extents, edges);
    let (reach, (lattice, margin)) = (radii[0] + radii[1], blur_lattice(extents, edges));
    let farthest = reach as u32 + 2 + margin;
    let addend = match axis {
        0 => {
            add_accessor(&mut shader, "density", Value::Amount, Some(farthest), config);
            shader.add(Atlas::new(lattice).texel_function("blur_texel", margin));
            "u32(perceive(density(cell)))"
        }
        _ => {
            shader.texture("blurred_texture", "u32");
            shader.add(blur_accessor("blurred_texture", farthest, config));
            "blurred(cell)"
        }
    };
    shader.add(format!("fn addend(cell: Cell) -> u32 {{\n    return {addend};\n}}"));
    let axes = extents.axes();
    let unit = (0..axes).map(|own| i32::from(own == axis).to_string()).collect::<Vec<_>>().join(", ");
    shader.constant("AXIS", "Cell", format_args!("Cell({unit})"));
    shader.constant("REACH", "i32", reach);
    shader.constant("RAMP", "i32", 2 * radii[0].min(radii[1]) + 1);
    let strip = blur_strip(lattice.along_axes()[axis]);
    let start = match (axis, axes) {
        (0, 2) => format!("id.y * {strip}u, id.x"),
        (0, _) => format!("id.y * {strip}u, id.x, id.z"),
        (1, 2) => format!("id.x, id.y * {strip}u"),
        (1, _) => format!("id.x, id.y * {strip}u, id.z"),
        _ => format!("id.x, id.z, id.y * {strip}u"),
    };
    shader.target("sums_target", "r32uint");
    shader.add(
        "fn store(cell: Cell, sum: u32) {\n    textureStore(sums_target, blur_texel(cell), vec4<u32>(sum, 0u, 0u, 0u));\n}",
    );
    shader.compute_entry(
        [WORKGROUP, 1],
        &format!(
            "    let start = Cell(vec{axes}<u32>({start})) - {margin};\n    let end = EXTENT + {margin};\n    \
             if (all(start < end)) {{ fill_strip(start, min({strip}, dot(end - start, AXIS))); }}\n"
        ),
    );
    add_shared(&mut shader, library, axes, "");
    shader
}
