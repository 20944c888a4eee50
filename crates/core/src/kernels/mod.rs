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

use crate::lanes::{InstructionSet, Lanes, Unrolled, Vectorized};
use crate::rules::Rules;
use crate::world::World;
use context::{Band, BandKernel, PassContext, Rows};

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

/// Runs a kernel on a band of rows. Each kernel is a function of its own for each instruction set: one function with all of
/// them would take the compiler minutes.
pub fn run(kernel: BuiltInKernel, set: InstructionSet, context: &PassContext<'_>, band: &mut Band<'_, '_>) {
    match kernel {
        BuiltInKernel::Jaws => set.run((Rows(jaws::Jaws), context, band)),
        BuiltInKernel::Cohesion => set.run((Rows(cohesion::Cohesion), context, band)),
        BuiltInKernel::Separation => set.run((Rows(separation::Separation), context, band)),
        BuiltInKernel::Alignment => set.run((Rows(alignment::Alignment), context, band)),
        BuiltInKernel::Hunter => set.run((Rows(hunter::Hunter), context, band)),
        BuiltInKernel::Walls => set.run((Rows(walls::Walls), context, band)),
        BuiltInKernel::Steer => set.run((Rows(steer::Steer), context, band)),
        BuiltInKernel::Outflow => match context.parameters.distribution {
            outflow::NEAREST => set.run((Rows(outflow::Outflow::<{ outflow::NEAREST }>), context, band)),
            outflow::SPLIT => set.run((Rows(outflow::Outflow::<{ outflow::SPLIT }>), context, band)),
            _ => set.run((Rows(outflow::Outflow::<{ outflow::BILINEAR }>), context, band)),
        },
        BuiltInKernel::Advect => set.run((Rows(advect::Advect), context, band)),
        BuiltInKernel::Wander => set.run((Rows(wander::Wander), context, band)),
        BuiltInKernel::Gather => set.run((Rows(gather::Gather), context, band)),
        BuiltInKernel::Behaviour => set.run((behaviour::Behaviour, context, band)),
        BuiltInKernel::Movement => match context.parameters.distribution {
            outflow::NEAREST => set.run((movement::Movement::<{ outflow::NEAREST }>, context, band)),
            outflow::SPLIT => set.run((movement::Movement::<{ outflow::SPLIT }>, context, band)),
            _ => set.run((movement::Movement::<{ outflow::BILINEAR }>, context, band)),
        },
    }
}

impl<K: BandKernel> Vectorized for (K, &PassContext<'_>, &mut Band<'_, '_>) {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        K::band::<Unrolled<L>>(self.1, self.2);
    }
}
