//! The table of the individuals: their kernels and given buffers.
//!
//! Every kernel replaces a field by one of another name (`counts` becomes `starts`), also where both lie in the same
//! memory. So the order of the passes follows from what they read and write.

use super::table::{Element, FieldKind, GivenField, Invocation, KernelSignature, ModelTable, Parameter, Role};
use crate::agents::search::SearchKind;

pub static TABLE: ModelTable = ModelTable {
    name: "agents",
    noun: "kernel of the agents",
    folder: "shaders/agents",
    reference: "passes/agents-grid.toml",
    kernels: &KERNELS,
    given: &[
        GivenField { name: "places", kind: FieldKind::Buffer(Element::Place), role: Role::State },
        GivenField { name: "velocities", kind: FieldKind::Buffer(Element::Vector), role: Role::State },
        GivenField { name: "account", kind: FieldKind::Buffer(Element::Account), role: Role::State },
        GivenField { name: "solids", kind: FieldKind::Buffer(Element::Column), role: Role::World },
    ],
    shared: &["shaders/shared/numbers.wgsl", "shaders/shared/lattice.wgsl", "shaders/shared/space.wgsl"],
    generated: &["parameters", "flat", "in_space"],
    invocation: Invocation::Agent,
    most_writes: 4,
    parse_kind,
    kind: ["element", "\"place\", \"vector\", \"number\", \"cell\", \"block\" or \"tree\""],
    is_matched_by_name: true,
    has_free_kernels: false,
    has_replaced_kernels: true,
    has_rules: false,
};

fn parse_kind(text: &[&str]) -> Option<FieldKind> {
    Element::DECLARED.into_iter().find(|element| text == [element.name()]).map(FieldKind::Buffer)
}

const ACCOUNT: Parameter = Parameter::buffer("account", Element::Account);
const PLACES: Parameter = Parameter::buffer("places", Element::Place);
const VELOCITIES: Parameter = Parameter::buffer("velocities", Element::Vector);
const SOLIDS: Parameter = Parameter::buffer("solids", Element::Column);
const RANKS: Parameter = Parameter::buffer("ranks", Element::Number);
const COUNTS: Parameter = Parameter::buffer("counts", Element::Cell);
const BLOCK_COUNTS: Parameter = Parameter::buffer("block_counts", Element::Block);
const BLOCK_STARTS: Parameter = Parameter::buffer("block_starts", Element::Block);
const STARTS: Parameter = Parameter::buffer("starts", Element::Cell);
const SORTED_PLACES: Parameter = Parameter::buffer("sorted_places", Element::Place);
const SORTED_VELOCITIES: Parameter = Parameter::buffer("sorted_velocities", Element::Vector);
const CANDIDATES: Parameter = Parameter::buffer("candidates", Element::Vector);
const LIVING: Parameter = Parameter::buffer("living", Element::Place);
const LEAF_PLACES: Parameter = Parameter::buffer("leaf_places", Element::Place);
const LEAF_VELOCITIES: Parameter = Parameter::buffer("leaf_velocities", Element::Vector);
const TREE: Parameter = Parameter::buffer("tree", Element::Tree);

/// What the kernels that steer on a GPU call.
const STEERS: &[&str] = &["account", "candidate", "sums", "rules", "surroundings", "movement"];

static KERNELS: [KernelSignature; 10] = [
    KernelSignature {
        read: &[PLACES],
        write: &[Parameter::atomic("account", Element::Account), RANKS, Parameter::atomic("counts", Element::Cell)],
        parts: &["account", "surroundings"],
        phases: &["jaws"],
        ..KernelSignature::new("count", Invocation::Agent)
    },
    KernelSignature {
        read: &[COUNTS],
        write: &[BLOCK_COUNTS],
        ..KernelSignature::new("sum_blocks", Invocation::Block)
    },
    KernelSignature {
        read: &[BLOCK_COUNTS],
        write: &[ACCOUNT, BLOCK_STARTS],
        in_place: &[["block_starts", "block_counts"]],
        parts: &["account", "prefix"],
        ..KernelSignature::new("scan_blocks", Invocation::Once)
    },
    KernelSignature {
        read: &[COUNTS, BLOCK_STARTS],
        write: &[STARTS],
        in_place: &[["starts", "counts"]],
        parts: &["prefix"],
        ..KernelSignature::new("scan_cells", Invocation::Block)
    },
    KernelSignature {
        read: &[ACCOUNT, PLACES, VELOCITIES, RANKS, STARTS],
        write: &[SORTED_PLACES, SORTED_VELOCITIES, CANDIDATES],
        parts: &["account", "candidate"],
        ..KernelSignature::new("scatter", Invocation::Agent)
    },
    KernelSignature {
        read: &[ACCOUNT, STARTS, SORTED_PLACES, SORTED_VELOCITIES, CANDIDATES, SOLIDS],
        write: &[PLACES, VELOCITIES],
        parts: STEERS,
        search: Some(SearchKind::Grid),
        phases: &["grid", "sums_grid", "steer"],
        ..KernelSignature::new("steer_grid", Invocation::Agent)
    },
    KernelSignature {
        read: &[ACCOUNT, SORTED_PLACES, SORTED_VELOCITIES, SOLIDS],
        write: &[PLACES, VELOCITIES],
        parts: STEERS,
        search: Some(SearchKind::Brute),
        phases: &["measure", "sums_brute", "steer"],
        ..KernelSignature::new("steer_brute", Invocation::Agent)
    },
    // The octree is searched on the CPU only: these have no shader.
    KernelSignature {
        read: &[PLACES],
        write: &[LIVING],
        phases: &["jaws"],
        ..KernelSignature::new("jaws", Invocation::Agent)
    },
    KernelSignature {
        read: &[LIVING, VELOCITIES],
        write: &[LEAF_PLACES, LEAF_VELOCITIES, TREE],
        phases: &["octree"],
        ..KernelSignature::new("octree", Invocation::Once)
    },
    KernelSignature {
        read: &[LEAF_PLACES, LEAF_VELOCITIES, TREE, SOLIDS],
        write: &[PLACES, VELOCITIES],
        search: Some(SearchKind::Octree),
        phases: &["sums_octree", "steer"],
        ..KernelSignature::new("steer_octree", Invocation::Agent)
    },
];
