//! The table of the cell system: its kernels and given fields.

use super::table::{FieldKind, GivenField, Invocation, KernelSignature, ModelTable, Parameter, Role};
use crate::fields::Texel;
use crate::kernels::behaviour::RULES;
use crate::kernels::{BuiltInKernel, MOST_WRITES};

pub static TABLE: ModelTable = ModelTable {
    name: "cell",
    noun: "kernel",
    folder: "shaders/cell",
    reference: "passes/cell.toml",
    kernels: &KERNELS,
    given: &[
        GivenField { name: "density", kind: FieldKind::Texel(Texel::Amount), role: Role::State },
        GivenField { name: "control", kind: FieldKind::Texel(Texel::Velocity), role: Role::State },
        GivenField { name: "capacity", kind: FieldKind::Texel(Texel::Amount), role: Role::World },
    ],
    shared: &["shaders/shared/numbers.wgsl", "shaders/shared/lattice.wgsl", "shaders/shared/swarm.wgsl"],
    generated: &[
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
    ],
    invocation: Invocation::Cell,
    most_writes: MOST_WRITES,
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

const DENSITY: Parameter = Parameter::texel("density", Texel::Amount);
const CAPACITY: Parameter = Parameter::texel("capacity", Texel::Amount);
const CONTROL: Parameter = Parameter::texel("control", Texel::Velocity);
const OUTFLOW_X: Parameter = Parameter::texel("outflow_x", Texel::Amount);
const OUTFLOW_Y: Parameter = Parameter::texel("outflow_y", Texel::Amount);
const OUTFLOW_XY: Parameter = Parameter::texel("outflow_xy", Texel::Amount);

const fn kernel(name: &'static str, cpu: BuiltInKernel) -> KernelSignature {
    KernelSignature { cpu: Some(cpu), ..KernelSignature::new(name, Invocation::Cell) }
}

static KERNELS: [KernelSignature; 13] = [
    KernelSignature { read: &[DENSITY], write: &[DENSITY], ..kernel("jaws", BuiltInKernel::Jaws) },
    KernelSignature {
        read: &[DENSITY],
        write: &[Parameter::texel("cohesion", Texel::Vector)],
        looks: true,
        ..kernel("cohesion", BuiltInKernel::Cohesion)
    },
    KernelSignature {
        read: &[DENSITY],
        write: &[Parameter::texel("separation", Texel::Vector)],
        looks: true,
        ..kernel("separation", BuiltInKernel::Separation)
    },
    KernelSignature {
        read: &[DENSITY, CONTROL],
        write: &[Parameter::texel("alignment", Texel::Vector)],
        looks: true,
        ..kernel("alignment", BuiltInKernel::Alignment)
    },
    KernelSignature { write: &[Parameter::texel("hunter", Texel::Vector)], ..kernel("hunter", BuiltInKernel::Hunter) },
    KernelSignature { write: &[Parameter::texel("walls", Texel::Vector)], ..kernel("walls", BuiltInKernel::Walls) },
    KernelSignature { read: &[CONTROL], write: &[CONTROL], sums: true, ..kernel("steer", BuiltInKernel::Steer) },
    KernelSignature {
        read: &[DENSITY, CAPACITY, CONTROL],
        write: &[CONTROL, OUTFLOW_X, OUTFLOW_Y, OUTFLOW_XY],
        ..kernel("outflow", BuiltInKernel::Outflow)
    },
    KernelSignature {
        read: &[DENSITY, CONTROL, OUTFLOW_X, OUTFLOW_Y, OUTFLOW_XY],
        write: &[DENSITY, CONTROL],
        ..kernel("advect", BuiltInKernel::Advect)
    },
    KernelSignature { read: &[DENSITY, CAPACITY], write: &[DENSITY], ..kernel("wander", BuiltInKernel::Wander) },
    KernelSignature {
        read: &[DENSITY, CAPACITY, CONTROL],
        write: &[DENSITY],
        ..kernel("gather", BuiltInKernel::Gather)
    },
    KernelSignature {
        read: &[DENSITY, CAPACITY, CONTROL],
        write: &[CONTROL],
        sums: true,
        rules: &RULES,
        marches: true,
        ..kernel("behaviour", BuiltInKernel::Behaviour)
    },
    KernelSignature {
        read: &[DENSITY, CAPACITY, CONTROL],
        write: &[DENSITY, CONTROL],
        marches: true,
        ..kernel("movement", BuiltInKernel::Movement)
    },
];
