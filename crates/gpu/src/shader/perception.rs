//! What `behaviour` perceives on a GPU: the sums over the sights of cohesion, separation and alignment.
//!
//! What is looked at costs most, so each cell is read once for all rules that look at it in one way.

use super::window_sums::blur_accessor;
use super::{Shader, ShaderConfig};
use murmuration_core::cells::sight::Sight;
use murmuration_core::cells::sights::{SumKind, columns};
use murmuration_core::chain::Kernel;
use murmuration_core::engine::Dispatch;
use murmuration_core::numbers::{Vector3, pack};
use murmuration_core::world::Extents;
use std::collections::BTreeMap;

/// The most cells of a sight whose reads are written out one by one in a shader; reads of more cells are a loop. A browser without a graphics
/// card compiles a long text for minutes.
const MOST_SPELT_OUT: usize = if cfg!(target_family = "wasm") { 8 } else { 80 };
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
    /// From the sums of the row above, by the gain and the loss of each column.
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
    match kind.slides(sight.vectors(), columns(sight.vectors()).len()) {
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

/// The number by which the centre that cohesion sees is divided, in addition to the sum of what is seen.
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

/// The rows that one invocation of a kernel works on from above, in a compute dispatch; the slices, in a deep world. Kernels that use the
/// sums of the row above take many rows, more on a larger lattice. The first row, which is summed in full, is then an eighth of the work
/// or less, unless its loops have too many turns for that.
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

/// Adds the unrolled reads of the sights: `perceived`, which fills the sums of `shaders/perception/sums.wgsl` in full, and `perceived_below`,
/// which fills them from what the cell above perceives. A rule without a sight has no part in it.
pub fn add_perception(shader: &mut Shader, sights: &[Option<&Sight>], config: ShaderConfig<'_>) {
    let (dispatch, axes) = (config.dispatch, config.extents().axes());
    shader.constant("COHESION_REACH", "i32", sights[0].map_or(1, centre_reach));
    for (rule, sight) in sights.iter().enumerate() {
        let Some(sight) = sight else { continue };
        let count = sight_table(rule, sight, dispatch).len();
        if count > 0 {
            shader.uniform(&format!("sight_{rule}"), format_args!("array<vec4<i32>, {count}>"));
        }
    }
    let mut sums = SumText::default();
    for (rules, sight, method) in alike(sights, dispatch) {
        match method {
            SumMethod::Boxes => rules.iter().for_each(|rule| sums.add_box(shader, *rule)),
            SumMethod::Blur => {
                shader.texture("box_0", "u32");
                shader.add(blur_accessor("box_0", 1, config));
                shader.import(&config.library, "perception/contrast");
                sums.add_to_both("    add_contrast(&seen, cell);\n");
            }
            SumMethod::Each if sight.vectors().len() <= MOST_SPELT_OUT => sums.add_spelt_out(&rules, sight, axes),
            SumMethod::Each => {
                let names = Names::in_table(sight, axes);
                let added = rules.iter().map(|rule| add(*rule, "", &names)).collect::<Vec<_>>().join(" ");
                sums.add_to_both(&each(&table(&rules), sight.vectors().len(), &look(&names.vector, &added)));
            }
            SumMethod::Sliding => sums.add_sliding(&rules, sight),
        }
    }
    let [full, below] = sums.functions(axes);
    shader.add(format!(
        "fn perceived(cell: Cell) -> PerceivedSums {{\n    var seen: PerceivedSums;\n{full}    return seen;\n}}\n\
         fn perceived_below(cell: Cell, above: PerceivedSums) -> PerceivedSums {{\n    var seen: PerceivedSums;\n\
         {below}    return seen;\n}}"
    ));
}

/// The name of the table of the vectors of some rules with one sight.
fn table(rules: &[usize]) -> String {
    format!("sight_{}", rules[0])
}

/// The text that fills what is perceived, in full and from what the cell above perceives.
#[derive(Default)]
struct SumText {
    /// What is spelt out: what each cell that is looked at adds.
    full: Terms,
    below: Terms,
    full_loops: String,
    below_loops: String,
}

impl SumText {
    /// The same lines for both.
    fn add_to_both(&mut self, lines: &str) {
        self.full_loops.push_str(lines);
        self.below_loops.push_str(lines);
    }

    /// A sum over a box that a pass before has made.
    fn add_box(&mut self, shader: &mut Shader, rule: usize) {
        shader.texture(&format!("box_{rule}"), "i32");
        let sum = sum_of(rule);
        self.add_to_both(&format!("    take_{sum}(&seen, textureLoad(box_{rule}, cell, 0));\n"));
    }

    /// One read for each vector, without a loop.
    fn add_spelt_out(&mut self, rules: &[usize], sight: &Sight, axes: usize) {
        for (v, names) in Names::spelt_out(sight, axes) {
            for rule in rules {
                let added = add(*rule, "", &names);
                self.full.entry(v).or_default().push(added.clone());
                self.below.entry(v).or_default().push(added);
            }
        }
    }

    /// Columns in full, and from the cell above what comes in at the lower end of each column and goes out at the upper one.
    fn add_sliding(&mut self, rules: &[usize], sight: &Sight) {
        let (table, columns) = (table(rules), columns(sight.vectors()));
        let all = |sign: &str, s: &str| {
            let names = Names { vector: s.into(), pull: String::new(), centre: s.into(), seen: "1".into() };
            rules.iter().map(|rule| add(*rule, sign, &names)).collect::<Vec<_>>().join(" ")
        };
        let column = look("Cell(s.x, y)", &all("", "Vector(s.x, y)"));
        let column = format!("        for (var y = s.y; y <= s.z; y += 1) {{\n{column}        }}\n");
        self.full_loops.push_str(&each(&table, columns.len(), &column));
        for rule in rules {
            self.below_loops.push_str(&format!("    move_{}(&seen, above);\n", sum_of(*rule)));
        }
        if 2 * columns.len() <= MOST_SPELT_OUT {
            for run in &columns {
                for (y, sign) in [(run.last, ""), (run.first - 1, "-")] {
                    let added = all(sign, &format!("Vector({}, {y})", run.column));
                    self.below.entry([run.column, y, 0]).or_default().push(added);
                }
            }
        } else {
            let gained = look("Cell(s.x, s.z)", &all("", "Vector(s.x, s.z)"));
            let lost = look("Cell(s.x, s.y - 1)", &all("-", "Vector(s.x, s.y - 1)"));
            self.below_loops.push_str(&each(&table, columns.len(), &format!("{gained}{lost}")));
        }
    }

    /// The lines of both functions.
    fn functions(self, axes: usize) -> [String; 2] {
        let spelt = |cells: Terms| -> String {
            let cell = |v: &Vector3| v[..axes].iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
            cells.iter().map(|(v, added)| look(&format!("Cell({})", cell(v)), &added.join(" "))).collect()
        };
        [self.full_loops + &spelt(self.full), self.below_loops + &spelt(self.below)]
    }
}

/// What cells at perceptual vectors add to the sums.
type Terms = BTreeMap<Vector3, Vec<String>>;

/// The sum of a rule in `shaders/perception/sums.wgsl`.
fn sum_of(rule: usize) -> &'static str {
    ["centre", "pressure", "momentum"][rule]
}

/// The call by which a cell `there` with the perceived density p adds to the sum of a rule; `sign`: `-` where it is taken from the sum.
fn add(rule: usize, sign: &str, Names { pull, centre, seen, .. }: &Names) -> String {
    let arguments = match rule {
        0 => format!("{centre}, {seen}"),
        1 => pull.clone(),
        _ => "there".into(),
    };
    format!("add_to_{}(&seen, {sign}p, {arguments});", sum_of(rule))
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
