//! What `behaviour` perceives on a GPU: the sums over the sights of cohesion, separation and alignment.
//!
//! What is looked at costs most, so each cell is read once for all rules that look at it in one way.

use super::window_sums::add_blurred;
use super::{Row, Shader, ShaderConfig};
use murmuration_core::cells::sight::Sight;
use murmuration_core::cells::sights::{SumKind, columns};
use murmuration_core::chain::Kernel;
use murmuration_core::engine::Dispatch;
use murmuration_core::numbers::{Vector3, pack};
use murmuration_core::world::Extents;
use std::collections::BTreeMap;

/// The most cells of a sight whose reads are written out one by one in a shader; reads of more cells are a loop. A browser without a graphics
/// card compiles a long text for minutes.
const MAX_UNROLLED: usize = if cfg!(target_family = "wasm") { 8 } else { 80 };
/// The fewest and the most rows of a strip.
const STRIP: [usize; 2] = [16, 96];
/// The slices of a strip in a deep world.
const SLICES: u32 = 16;
/// The most turns of all loops of an invocation: Mesa's drivers for processors end them after 65 535.
const MAX_TURNS: usize = 60_000;

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

/// The kind of the table of a sight, in the names of the functions of `shaders/perception/tables.wgsl`.
pub fn kind_of(sight: &Sight) -> &'static str {
    if sight.as_contrast().is_some() { "contrast" } else { "sight" }
}

/// The number by which the centre that cohesion sees is divided, in addition to the sum of what is seen.
pub fn centre_reach(sight: &Sight) -> i32 {
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

/// Adds `perceived`, which fills the sums of `shaders/perception/sums.wgsl` in full, and `perceived_below`, which fills them from what the
/// cell above perceives. A rule without a sight has no part in them.
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
    let (mut boxes, mut tables, mut columns_in_sight) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sliding, mut sliding_columns) = (Vec::new(), Vec::new());
    let (mut reads, mut reads_below) = (Reads::default(), Reads::default());
    let in_wgsl = |v: Vector3| v[..axes].iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    let spelt_out = |v: Vector3| format!("Vector({})", in_wgsl(v));
    let alike = alike(sights, dispatch);
    shader.define("HAS_CONTRAST", alike.iter().any(|(.., method)| *method == SumMethod::Blur));
    for (rules, sight, method) in alike {
        // The table of all these rules.
        let table = |count: usize, pull: &str| {
            let name = format!("sight_{}", rules[0]);
            let row = Row::new([("name", &name), ("count", &count), ("kind", &kind_of(sight))]);
            row.with("sums", rules.iter().map(|rule| sum(*rule, "", "v", pull)))
        };
        let vectors = sight.vectors().len();
        match method {
            SumMethod::Boxes => {
                for rule in &rules {
                    let texture = format!("box_{rule}");
                    shader.texture(&texture, "i32");
                    boxes.push(Row::new([("name", &SUMS[*rule]), ("texture", &texture)]));
                }
            }
            SumMethod::Blur => add_blurred(shader, Some(("box_0", 1)), config),
            SumMethod::Each if vectors <= MAX_UNROLLED => {
                for (v, pull) in sight.vectors().iter().zip(sight.pulls()) {
                    for reads in [&mut reads, &mut reads_below] {
                        let sums = rules.iter().map(|rule| sum(*rule, "", &spelt_out(*v), &spelt_out(pull)));
                        reads.entry(*v).or_default().extend(sums);
                    }
                }
            }
            SumMethod::Each => tables.push(table(vectors, &format!("pull_in_{}(s)", kind_of(sight)))),
            SumMethod::Sliding => {
                let columns = columns(sight.vectors());
                columns_in_sight.push(table(columns.len(), ""));
                sliding.extend(rules.iter().map(|rule| Row::new([("name", &SUMS[*rule])])));
                if 2 * columns.len() > MAX_UNROLLED {
                    sliding_columns.push(table(columns.len(), ""));
                    continue;
                }
                for run in &columns {
                    for (y, sign) in [(run.last, ""), (run.first - 1, "-")] {
                        let v = [run.column, y, 0];
                        let sums = rules.iter().map(|rule| sum(*rule, sign, &spelt_out(v), ""));
                        reads_below.entry(v).or_default().extend(sums);
                    }
                }
            }
        }
    }
    let read = |(v, sums): (Vector3, Vec<Row>)| Row::new([("vector", &in_wgsl(v))]).with("sums", sums);
    for (name, rows) in [
        ("BOXES", boxes),
        ("SIGHTS", tables),
        ("COLUMNS_IN_SIGHT", columns_in_sight),
        ("SLIDING", sliding),
        ("SLIDING_COLUMNS", sliding_columns),
        ("READS", reads.into_iter().map(read).collect()),
        ("READS_BELOW", reads_below.into_iter().map(read).collect()),
    ] {
        shader.list(name, rows);
    }
    shader.import(&config.library, "perception/perceived");
}

/// What cells at perceptual vectors add to the sums.
type Reads = BTreeMap<Vector3, Vec<Row>>;

/// The sums of the rules in `shaders/perception/sums.wgsl`.
const SUMS: [&str; 3] = ["centre", "pressure", "momentum"];

/// What a cell `there` at a perceptual vector adds to the sum of a rule, beside the perceived density; `sign`: `-` where it is taken away.
fn sum(rule: usize, sign: &str, vector: &str, pull: &str) -> Row {
    let weights = format!("{vector}, 1");
    let arguments = [&weights, pull, "there"][rule];
    Row::new([("name", &SUMS[rule]), ("sign", &sign), ("arguments", &arguments)])
}
