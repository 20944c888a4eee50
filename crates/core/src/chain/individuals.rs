//! The table for chains of individuals: their kernels, and the buffers that exist before the first pass.
//!
//! A kernel that replaces a field writes the result under another name (`counts` becomes `starts`), even in the same
//! memory. So the order of the passes follows from the names of the fields that they read and write.

use super::table::Invocation::{Block, Individual, IndividualGroup, Once};
use super::table::{Element, FieldKind, GivenField, KernelSignature, ModelTable, Parameter, Role};
use crate::individuals::search::SearchKind::{self, Brute, Grid, Octree};

pub static TABLE: ModelTable = ModelTable {
    name: "agents",
    noun: "kernel of the individuals",
    folder: "shaders/individuals",
    features: &[
        ("shaders/food", &["eaters", "food_cells", "meals"]),
        (
            "shaders/lives",
            &["lives", "lookup", "note", "note_born", "note_gone", "parents", "rebirth", "sum_energy", "traits"],
        ),
        ("shaders/species", &["count_predators", "feed", "meetings", "predation"]),
        ("shaders/terrain", &["avoidance", "gaps", "sweep"]),
    ],
    reference: "passes/agents-grid.toml",
    kernels: &KERNELS,
    given: &[
        GivenField { name: "individuals", kind: FieldKind::Buffer(Element::Individual), role: Role::State },
        GivenField { name: "account", kind: FieldKind::Buffer(Element::Account), role: Role::State },
        GivenField { name: "solids", kind: FieldKind::Buffer(Element::Column), role: Role::World },
    ],
    shared: &[
        "shaders/shared/numbers.wgsl",
        "shaders/shared/lattice.wgsl",
        "shaders/shared/surroundings.wgsl",
        "shaders/shared/vector.wgsl",
        "shaders/shared/random.wgsl",
        "shaders/shared/noise.wgsl",
    ],
    beside: &["shaders/individuals/axes.wgsl"],
    generated: "parameters",
    invocation: Individual,
    most_writes: 4,
    parse_kind,
    kind: ["element", "\"individual\", \"vector\", \"number\", \"cell\", \"block\" or \"tree\""],
    is_matched_by_name: true,
    has_free_kernels: false,
    has_replaced_kernels: true,
    has_rules: false,
};

fn parse_kind(text: &[&str]) -> Option<FieldKind> {
    Element::DECLARED.into_iter().find(|element| text == [element.name()]).map(FieldKind::Buffer)
}

const fn buffer(name: &'static str, element: Element) -> Parameter {
    Parameter::new(name, FieldKind::Buffer(element))
}

const ACCOUNT: Parameter = buffer("account", Element::Account);
const INDIVIDUALS: Parameter = buffer("individuals", Element::Individual);
const SOLIDS: Parameter = buffer("solids", Element::Column);
const RANKS: Parameter = buffer("ranks", Element::Number);
const COUNTS: Parameter = buffer("counts", Element::Cell);
const BLOCK_COUNTS: Parameter = buffer("block_counts", Element::Block);
const BLOCK_STARTS: Parameter = buffer("block_starts", Element::Block);
const STARTS: Parameter = buffer("starts", Element::Cell);
const SORTED: Parameter = buffer("sorted", Element::Individual);
const CANDIDATES: Parameter = buffer("candidates", Element::Vector);
const LIVING: Parameter = buffer("living", Element::Individual);
const TREE: Parameter = buffer("tree", Element::Tree);
const PREDATORS: Parameter = buffer("predators", Element::Number);
const LIFE_LOG: Parameter = buffer("life_log", Element::Number);

static KERNELS: [KernelSignature; 10] = [
    KernelSignature::new("count", Individual, &[INDIVIDUALS], &[ACCOUNT.atomic(), RANKS, COUNTS.atomic()])
        .phases(&["jaws"]),
    KernelSignature::new("sum_blocks", Block, &[COUNTS], &[BLOCK_COUNTS]),
    KernelSignature::new("scan_blocks", Once, &[BLOCK_COUNTS], &[ACCOUNT.atomic(), BLOCK_STARTS])
        .in_place(&[["block_starts", "block_counts"]]),
    KernelSignature::new("scan_cells", Block, &[COUNTS, BLOCK_STARTS], &[STARTS]).in_place(&[["starts", "counts"]]),
    KernelSignature::new("scatter", Individual, &[ACCOUNT, INDIVIDUALS, RANKS, STARTS], &[SORTED, CANDIDATES]),
    steering("steer_grid", Grid, &[ACCOUNT, STARTS, SORTED, CANDIDATES, SOLIDS]).phases(&[
        "grid",
        "sums_grid",
        "steer",
    ]),
    steering("steer_brute", Brute, &[ACCOUNT, SORTED, SOLIDS]).phases(&["measure", "sums_brute", "steer"]),
    // The octree exists only on the CPU, so these kernels have no shader.
    KernelSignature::new("jaws", Individual, &[INDIVIDUALS], &[LIVING]).phases(&["jaws"]),
    KernelSignature::new("octree", Once, &[LIVING], &[SORTED, TREE]).phases(&["octree"]),
    steering("steer_octree", Octree, &[SORTED, TREE, SOLIDS]).phases(&["sums_octree", "steer"]),
];

/// The kernels that log lives. `note_gone` logs the lives that end in a step, before its passes. `note_born` logs the
/// lives that begin, after its passes. They are in no chain: an engine runs them if a lineage (a family tree) is
/// recorded.
pub static NOTING: [KernelSignature; 2] = [
    KernelSignature::new("note_gone", Individual, &[ACCOUNT, INDIVIDUALS], &[LIFE_LOG.atomic()]),
    KernelSignature::new("note_born", Individual, &[ACCOUNT, INDIVIDUALS, SORTED], &[LIFE_LOG.atomic()]),
];

/// The kernels in which species eat each other, after the passes of a step. They are in no chain: an engine runs them
/// if a species eats another.
pub static PREDATION: [KernelSignature; 2] = [
    KernelSignature::new("count_predators", Individual, &[ACCOUNT, STARTS, SORTED], &[PREDATORS]),
    KernelSignature::new("feed", Individual, &[STARTS, SORTED, PREDATORS], &[ACCOUNT.atomic(), INDIVIDUALS]),
];

/// The kernel that begins new lives and keeps the account of energy, after the passes of a step. It is in no chain: an
/// engine runs it if individuals have lives.
pub static REBIRTH: KernelSignature =
    KernelSignature::new("rebirth", IndividualGroup, &[SORTED, SOLIDS], &[ACCOUNT.atomic(), INDIVIDUALS]);

/// The kernel that sums the energy of all individuals, on request.
pub static SUM_ENERGY: KernelSignature =
    KernelSignature::new("sum_energy", IndividualGroup, &[INDIVIDUALS], &[ACCOUNT.atomic()]);

/// All kernels that are in no chain.
pub fn outside_of_chains() -> impl Iterator<Item = &'static KernelSignature> + Clone {
    NOTING.iter().chain(&PREDATION).chain([&REBIRTH, &SUM_ENERGY])
}

/// A kernel that finds the neighbours of each individual, steers it and moves it.
const fn steering(name: &'static str, search: SearchKind, read: &'static [Parameter]) -> KernelSignature {
    let signature = KernelSignature::new(name, Individual, read, &[INDIVIDUALS]);
    KernelSignature { search: Some(search), ..signature }
}
