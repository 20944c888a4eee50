//! The kernels of the cells in Rust: each is the twin of the WGSL file of its name in `shaders/cell/`.
//!
//! A kernel is a pure function of one cell: it reads any cell and writes its own. Here it works through whole rows, with its
//! formula as a small function on as many cells as there are [`Lanes`]; an `i32` is one lane. Everything is inlined into the
//! functions that [`crate::lanes::InstructionSet::run`] compiles once per instruction set.

pub mod advect;
pub mod alignment;
pub mod behaviour;
mod boxes;
pub mod cohesion;
pub mod context;
pub mod gather;
pub mod hunter;
pub mod jaws;
pub mod movement;
pub mod outflow;
pub mod parameters;
pub mod separation;
pub mod sights;
pub mod steer;
pub mod sums;
pub mod walls;
pub mod wander;
mod window;

use crate::lanes::Lanes;
use crate::rules::Rules;
use crate::world::World;
use context::{Band, PassContext, for_each_row};

/// A kernel that exists in WGSL and in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltInKernel {
    Jaws,
    Cohesion,
    Separation,
    Alignment,
    Hunter,
    Walls,
    Steer,
    Outflow,
    Advect,
    Wander,
    Gather,
    Behaviour,
    Movement,
}

impl BuiltInKernel {
    /// All built-in kernels.
    pub const ALL: [BuiltInKernel; 13] = [
        BuiltInKernel::Jaws,
        BuiltInKernel::Cohesion,
        BuiltInKernel::Separation,
        BuiltInKernel::Alignment,
        BuiltInKernel::Hunter,
        BuiltInKernel::Walls,
        BuiltInKernel::Steer,
        BuiltInKernel::Outflow,
        BuiltInKernel::Advect,
        BuiltInKernel::Wander,
        BuiltInKernel::Gather,
        BuiltInKernel::Behaviour,
        BuiltInKernel::Movement,
    ];

    /// The kernel's name: that of its file, of its function, and of the control vector it writes if it is a rule.
    pub fn name(self) -> &'static str {
        match self {
            BuiltInKernel::Jaws => "jaws",
            BuiltInKernel::Cohesion => "cohesion",
            BuiltInKernel::Separation => "separation",
            BuiltInKernel::Alignment => "alignment",
            BuiltInKernel::Hunter => "hunter",
            BuiltInKernel::Walls => "walls",
            BuiltInKernel::Steer => "steer",
            BuiltInKernel::Outflow => "outflow",
            BuiltInKernel::Advect => "advect",
            BuiltInKernel::Wander => "wander",
            BuiltInKernel::Gather => "gather",
            BuiltInKernel::Behaviour => "behaviour",
            BuiltInKernel::Movement => "movement",
        }
    }

    /// Whether the kernel has no effect with these numbers, so that a plan may leave it out.
    pub fn is_idle(self, rules: &Rules, world: &World) -> bool {
        match self {
            BuiltInKernel::Jaws => world.hunter.as_ref().is_none_or(|hunter| hunter.jaws == 0),
            BuiltInKernel::Hunter => world.hunter.is_none(),
            BuiltInKernel::Walls => world.margin == 0,
            BuiltInKernel::Wander => rules.wander == 0,
            _ => false,
        }
    }
}

/// Runs a kernel on a band of rows.
#[inline(always)]
pub fn run<L: Lanes>(kernel: BuiltInKernel, context: &PassContext<'_>, band: &mut Band<'_, '_>) {
    match kernel {
        BuiltInKernel::Jaws => for_each_row::<L, jaws::Jaws>(context, band),
        BuiltInKernel::Cohesion => for_each_row::<L, cohesion::Cohesion>(context, band),
        BuiltInKernel::Separation => for_each_row::<L, separation::Separation>(context, band),
        BuiltInKernel::Alignment => for_each_row::<L, alignment::Alignment>(context, band),
        BuiltInKernel::Hunter => for_each_row::<L, hunter::Hunter>(context, band),
        BuiltInKernel::Walls => for_each_row::<L, walls::Walls>(context, band),
        BuiltInKernel::Steer => for_each_row::<L, steer::Steer>(context, band),
        BuiltInKernel::Outflow => match context.parameters.distribution {
            outflow::NEAREST => for_each_row::<L, outflow::Outflow<{ outflow::NEAREST }>>(context, band),
            outflow::SPLIT => for_each_row::<L, outflow::Outflow<{ outflow::SPLIT }>>(context, band),
            _ => for_each_row::<L, outflow::Outflow<{ outflow::BILINEAR }>>(context, band),
        },
        BuiltInKernel::Advect => for_each_row::<L, advect::Advect>(context, band),
        BuiltInKernel::Wander => for_each_row::<L, wander::Wander>(context, band),
        BuiltInKernel::Gather => for_each_row::<L, gather::Gather>(context, band),
        BuiltInKernel::Behaviour => behaviour::run::<L>(context, band),
        BuiltInKernel::Movement => movement::run::<L>(context, band),
    }
}
