//! The table of the cell system: its kernels and given fields.

use super::table::{DEEP, FLAT, FieldKind, GivenField, Invocation, KernelSignature, ModelTable, Parameter, Role};
use crate::cells::BuiltInKernel;
use crate::cells::context::MAX_WRITES;
use crate::cells::rule_sums::RULES;
use crate::state::fields::Texel;

pub static TABLE: ModelTable = ModelTable {
    name: "cell",
    noun: "kernel",
    folder: "shaders/cells",
    features: &[("shaders/species/cells", &["alignment_with", "feed"])],
    reference: "passes/cell.toml",
    kernels: &KERNELS,
    given: &[
        GivenField { name: "density", kind: FieldKind::Texel(Texel::Amount), role: Role::State },
        GivenField { name: "control", kind: FieldKind::Texel(Texel::Velocity), role: Role::State },
        GivenField { name: "capacity", kind: FieldKind::Texel(Texel::Amount), role: Role::World },
    ],
    shared: &[
        "shaders/shared/numbers.wgsl",
        "shaders/shared/vector.wgsl",
        "shaders/shared/lattice.wgsl",
        "shaders/shared/random.wgsl",
        "shaders/shared/noise.wgsl",
        "shaders/shared/cell_noise.wgsl",
        "shaders/shared/surroundings.wgsl",
        "shaders/shared/cell_hunters.wgsl",
        "shaders/shared/swarm.wgsl",
        "shaders/shared/transport.wgsl",
        "shaders/shared/deep_transport.wgsl",
    ],
    beside: &[
        "shaders/lattice/storage.wgsl",
        "shaders/lattice/store.wgsl",
        "shaders/lattice/weighted_sum.wgsl",
        "shaders/perception/sums.wgsl",
        "shaders/perception/perceived.wgsl",
        "shaders/perception/tables.wgsl",
        "shaders/perception/sight.wgsl",
        "shaders/perception/contrast.wgsl",
        "shaders/perception/blurred.wgsl",
        "shaders/species/eaten.wgsl",
        "shaders/cells/behaviour.wgsl",
    ],
    generated: "cell id position i sight_vectors sight_0 sight_1 sight_2 box_0 box_2",
    invocation: Invocation::Cell,
    most_writes: MAX_WRITES,
    parse_kind,
    kind: ["texel", "\"amount\", \"velocity\" or \"vector\""],
    is_matched_by_name: true,
    has_free_kernels: true,
    has_replaced_kernels: false,
    has_rules: true,
};

fn parse_kind(text: &[&str]) -> Option<FieldKind> {
    let texels = [Texel::Amount, Texel::Velocity, Texel::Vector];
    texels.into_iter().find(|texel| text == [texel.name()]).map(FieldKind::Texel)
}

const fn amount(name: &'static str) -> Parameter {
    Parameter::new(name, FieldKind::Texel(Texel::Amount))
}

const DENSITY: Parameter = amount("density");
const CAPACITY: Parameter = amount("capacity");
const CONTROL: Parameter = Parameter::new("control", FieldKind::Texel(Texel::Velocity));
const OUTFLOWS: [Parameter; 3] = [amount("outflow_x"), amount("outflow_y"), amount("outflow_xy")];
const OUTFLOW_Z: Parameter = amount("outflow_z");
const DIAGONAL_OUTFLOWS: [Parameter; 4] =
    [amount("outflow_xy"), amount("outflow_xz"), amount("outflow_yz"), amount("outflow_xyz")];
const STATE: &[Parameter] = &[DENSITY, CAPACITY, CONTROL];

const fn vector(name: &'static str) -> Parameter {
    Parameter::new(name, FieldKind::Texel(Texel::Vector))
}

const fn kernel(
    name: &'static str,
    cpu: BuiltInKernel,
    read: &'static [Parameter],
    write: &'static [Parameter],
) -> KernelSignature {
    KernelSignature { cpu: Some(cpu), ..KernelSignature::new(name, Invocation::Cell, read, write) }
}

const fn looking(
    name: &'static str,
    cpu: BuiltInKernel,
    read: &'static [Parameter],
    write: &'static [Parameter],
) -> KernelSignature {
    KernelSignature { has_sight: true, ..kernel(name, cpu, read, write) }
}

/// A kernel that is written only for worlds with these numbers of axes.
const fn only(axes: &'static [usize], signature: KernelSignature) -> KernelSignature {
    KernelSignature { axes, ..signature }
}

static KERNELS: [KernelSignature; 19] = [
    kernel("jaws", BuiltInKernel::Jaws, &[DENSITY], &[DENSITY]),
    looking("cohesion", BuiltInKernel::Cohesion, &[DENSITY], &[vector("cohesion")]),
    looking("separation", BuiltInKernel::Separation, &[DENSITY], &[vector("separation")]),
    looking("alignment", BuiltInKernel::Alignment, &[DENSITY, CONTROL], &[vector("alignment")]),
    looking(
        "alignment_with",
        BuiltInKernel::AlignmentWith,
        &[DENSITY, CONTROL, Parameter::new("own_control", FieldKind::Texel(Texel::Velocity))],
        &[vector("alignment_with")],
    ),
    kernel("hunter", BuiltInKernel::Hunter, &[], &[vector("hunter")]),
    kernel("walls", BuiltInKernel::Walls, &[], &[vector("walls")]),
    kernel("roost", BuiltInKernel::Roost, &[], &[vector("roost")]),
    KernelSignature {
        has_sum: true,
        implied: &["density"],
        ..kernel("steer", BuiltInKernel::Steer, &[DENSITY, CONTROL], &[CONTROL])
    },
    only(FLAT, kernel("outflow", BuiltInKernel::Outflow, STATE, &[CONTROL, OUTFLOWS[0], OUTFLOWS[1], OUTFLOWS[2]])),
    only(
        FLAT,
        kernel(
            "advect",
            BuiltInKernel::Advect,
            &[DENSITY, CONTROL, OUTFLOWS[0], OUTFLOWS[1], OUTFLOWS[2]],
            &[DENSITY, CONTROL],
        ),
    ),
    only(
        DEEP,
        kernel(
            "outflow_along_axes",
            BuiltInKernel::OutflowAlongAxes,
            STATE,
            &[CONTROL, OUTFLOWS[0], OUTFLOWS[1], OUTFLOW_Z],
        ),
    ),
    only(DEEP, kernel("outflow_along_diagonals", BuiltInKernel::OutflowAlongDiagonals, STATE, &DIAGONAL_OUTFLOWS)),
    only(
        DEEP,
        kernel(
            "advect_deep",
            BuiltInKernel::AdvectInSpace,
            &[
                DENSITY,
                CONTROL,
                OUTFLOWS[0],
                OUTFLOWS[1],
                OUTFLOW_Z,
                DIAGONAL_OUTFLOWS[0],
                DIAGONAL_OUTFLOWS[1],
                DIAGONAL_OUTFLOWS[2],
                DIAGONAL_OUTFLOWS[3],
            ],
            &[DENSITY, CONTROL],
        ),
    ),
    kernel("wander", BuiltInKernel::Wander, &[DENSITY, CAPACITY], &[DENSITY]),
    only(FLAT, kernel("gather", BuiltInKernel::Gather, STATE, &[DENSITY])),
    KernelSignature {
        has_sum: true,
        rules: &RULES,
        has_strips: true,
        ..kernel("behaviour", BuiltInKernel::Behaviour, STATE, &[CONTROL])
    },
    KernelSignature { has_meals: true, ..kernel("feed", BuiltInKernel::Feed, &[CAPACITY, DENSITY], &[DENSITY]) },
    KernelSignature { has_strips: true, ..kernel("movement", BuiltInKernel::Movement, STATE, &[DENSITY, CONTROL]) },
];
