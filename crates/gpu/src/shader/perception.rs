//! The perception of `behaviour` on a GPU: sums over the sights of cohesion, separation and alignment.
//!
//! Reading cells costs most, so each cell is read once for all rules that read it in the same way.

use super::window_sums::add_blurred;
use super::{Row, Shader, ShaderConfig};
use murmuration_core::cells::sight::Sight;
use murmuration_core::cells::sights::{SumKind, columns};
use murmuration_core::chain::Kernel;
use murmuration_core::engine::Dispatch;
use murmuration_core::numbers::{Vector3, pack};
use murmuration_core::world::Extents;
use std::collections::BTreeMap;

/// The maximum number of cells of a sight whose reads are unrolled in a shader. More reads are a loop. A browser
/// without a GPU takes minutes to compile a long text.
const MAX_UNROLLED: usize = if cfg!(target_family = "wasm") { 8 } else { 80 };
/// The minimum and the maximum number of rows of a strip.
const STRIP: [usize; 2] = [16, 96];
/// The number of slices of a strip in a deep world.
const SLICES: u32 = 16;
/// The maximum number of iterations of all loops of an invocation. Mesa's CPU drivers end loops after 65 535
/// iterations.
const MAX_TURNS: usize = 60_000;

/// The method that sums a rule's perception over a sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumMethod {
    /// Reads each perceptual vector.
    Each,
    /// Updates the sums of the row above by the gain and the loss of each column.
    Sliding,
    /// Reads sums over boxes, which earlier passes make.
    Boxes,
    /// Reads the sums of a contrast, which earlier passes make.
    Blur,
}

/// The method of summing over a sight for a rule with this index.
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
    if kind.slides(sight.vectors(), columns(sight.vectors()).len()) { SumMethod::Sliding } else { SumMethod::Each }
}

/// Groups rules with equal sights and methods. `sights`: the sight of each rule. Each group has the indices of its
/// rules, their sight and their method.
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

/// The uniform of a sight as shaders read it: four numbers for each perceptual vector.
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

/// The word for the kind of a sight in the names of the functions of `shaders/perception/tables.wgsl`.
pub fn kind_of(sight: &Sight) -> &'static str {
    if sight.as_contrast().is_some() { "contrast" } else { "sight" }
}

/// The divisor of the centre of cohesion, in addition to the perceived sum: the reach of the sight in cells, or 1 for a
/// contrast.
pub fn centre_reach(sight: &Sight) -> i32 {
    if sight.as_contrast().is_some() { 1 } else { sight.reach() }
}

/// The uniform of a sight for a rule of `behaviour`. For sliding sums it is (column, first, last, 0) for each column of
/// the sight, in cells. For sums of a contrast it is empty. For other sums it is [`vector_table`].
pub fn sight_table(rule: usize, sight: &Sight, dispatch: Dispatch) -> Vec<[i32; 4]> {
    match method(rule, sight, dispatch) {
        SumMethod::Sliding => columns(sight.vectors()).iter().map(|run| [run.column, run.first, run.last, 0]).collect(),
        SumMethod::Blur => Vec::new(),
        _ => vector_table(sight),
    }
}

/// The number of rows of a strip, or of slices of a strip in a deep world. One invocation of a compute dispatch goes
/// through a strip from the top. Kernels that use the sums of the row above get many rows, and more rows on a larger
/// lattice. They sum the first row of a strip in full. The first row is then at most about 1/8 of the work, unless a
/// strip would have too many rows or loop iterations.
pub fn strip(kernel: &Kernel, sights: &[Option<&Sight>], dispatch: Dispatch, extents: Extents) -> u32 {
    if !kernel.is_built_in || !kernel.signature.is_some_and(|signature| signature.has_strips) {
        return 1;
    }
    if extents.depth.is_some() {
        let uses_row_above = kernel.signature.is_some_and(|signature| !signature.rules.is_empty());
        return if uses_row_above { 1 } else { SLICES };
    }
    // The loop iterations in the first row, the loop iterations in each later row, and the wanted number of rows.
    let (mut first, mut later, mut wanted) = (0, 0, extents.cells() >> 16);
    for (_, sight, method) in alike(sights, dispatch) {
        let (vectors, columns) = (sight.vectors().len(), columns(sight.vectors()).len());
        match method {
            SumMethod::Each if vectors > MAX_UNROLLED => (first, later) = (first + vectors, later + vectors),
            SumMethod::Sliding => {
                first += vectors + columns;
                later += if 2 * columns > MAX_UNROLLED { columns } else { 0 };
                wanted = wanted.max(8 * vectors.div_ceil(2 * columns));
            }
            _ => (),
        }
    }
    let possible = 1 + (MAX_TURNS - first) / later.max(1);
    wanted.clamp(STRIP[0], STRIP[1]).min(possible) as u32
}

/// Adds two functions to a shader. `perceived` computes the sums of `shaders/perception/sums.wgsl` in full.
/// `perceived_below` computes them from the perception of the cell above. A rule without a sight has no sums.
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
    let alike = alike(sights, dispatch);
    shader.define("HAS_CONTRAST", alike.iter().any(|(.., method)| *method == SumMethod::Blur));
    let mut rows = PerceptionRows::default();
    for (rules, sight, method) in alike {
        match method {
            SumMethod::Boxes => {
                for rule in &rules {
                    let texture = format!("box_{rule}");
                    shader.texture(&texture, "i32");
                    rows.boxes.push(Row::new([("name", &SUMS[*rule]), ("texture", &texture)]));
                }
            }
            SumMethod::Blur => add_blurred(shader, Some(("box_0", 1)), config),
            SumMethod::Each => rows.add_each(&rules, sight, axes),
            SumMethod::Sliding => rows.add_sliding(&rules, sight, axes),
        }
    }
    let read = |(v, sums): (Vector3, Vec<Row>)| Row::new([("vector", &components(v, axes))]).with("sums", sums);
    for (name, rows) in [
        ("BOXES", rows.boxes),
        ("SIGHTS", rows.tables),
        ("COLUMNS_IN_SIGHT", rows.columns_in_sight),
        ("SLIDING", rows.sliding),
        ("SLIDING_COLUMNS", rows.sliding_columns),
        ("READS", rows.reads.into_iter().map(read).collect()),
        ("READS_BELOW", rows.reads_below.into_iter().map(read).collect()),
    ] {
        shader.list(name, rows);
    }
    shader.import(&config.library, "perception/perceived");
}

/// The terms to add to the sums for a cell that is read, by the perceptual vector from the present cell to this cell.
type Reads = BTreeMap<Vector3, Vec<Row>>;

/// The lists over which the directives `#for` in `shaders/perception/perceived.wgsl` loop.
#[derive(Default)]
struct PerceptionRows {
    boxes: Vec<Row>,
    tables: Vec<Row>,
    columns_in_sight: Vec<Row>,
    sliding: Vec<Row>,
    sliding_columns: Vec<Row>,
    reads: Reads,
    reads_below: Reads,
}

impl PerceptionRows {
    /// Adds rules that read each perceptual vector of a sight.
    fn add_each(&mut self, rules: &[usize], sight: &Sight, axes: usize) {
        let count = sight.vectors().len();
        if count > MAX_UNROLLED {
            return self.tables.push(table(rules, sight, count, &format!("pull_in_{}(s)", kind_of(sight))));
        }
        for (v, pull) in sight.vectors().iter().zip(sight.pulls()) {
            for reads in [&mut self.reads, &mut self.reads_below] {
                let sums = rules.iter().map(|rule| sum(*rule, "", &vector(*v, axes), &vector(pull, axes)));
                reads.entry(*v).or_default().extend(sums);
            }
        }
    }

    /// Adds rules whose sums are updated from the sums of the row above.
    fn add_sliding(&mut self, rules: &[usize], sight: &Sight, axes: usize) {
        let columns = columns(sight.vectors());
        self.columns_in_sight.push(table(rules, sight, columns.len(), ""));
        self.sliding.extend(rules.iter().map(|rule| Row::new([("name", &SUMS[*rule])])));
        if 2 * columns.len() > MAX_UNROLLED {
            return self.sliding_columns.push(table(rules, sight, columns.len(), ""));
        }
        for run in &columns {
            for (y, sign) in [(run.last, ""), (run.first - 1, "-")] {
                let v = [run.column, y, 0];
                let sums = rules.iter().map(|rule| sum(*rule, sign, &vector(v, axes), ""));
                self.reads_below.entry(v).or_default().extend(sums);
            }
        }
    }
}

/// The row of a loop over the table of a sight, which sums for these rules. `count`: the number of entries of the
/// table. `pull`: see [`sum`].
fn table(rules: &[usize], sight: &Sight, count: usize, pull: &str) -> Row {
    let name = format!("sight_{}", rules[0]);
    let row = Row::new([("name", &name), ("count", &count), ("kind", &kind_of(sight))]);
    row.with("sums", rules.iter().map(|rule| sum(*rule, "", "v", pull)))
}

fn components(v: Vector3, axes: usize) -> String {
    v[..axes].iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

fn vector(v: Vector3, axes: usize) -> String {
    format!("Vector({})", components(v, axes))
}

/// The name of the sum of each rule, as in `shaders/perception/sums.wgsl`.
const SUMS: [&str; 3] = ["centre", "pressure", "momentum"];

/// The names and arguments of the function that adds the cell `there` to the sum of a rule. Another argument, the
/// perceived density, is in the WGSL text. `sign`: `-` if the density is subtracted. `vector`: the perceptual vector s,
/// in WGSL. `pull`: s/|s|² (Q10), in WGSL.
fn sum(rule: usize, sign: &str, vector: &str, pull: &str) -> Row {
    let weights = format!("{vector}, 1");
    let arguments = [&weights, pull, "there"][rule];
    Row::new([("name", &SUMS[rule]), ("sign", &sign), ("arguments", &arguments)])
}
