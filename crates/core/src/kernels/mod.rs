//! The kernels of the cells in Rust: each is a type under the name of its twin, a WGSL file in `shaders/cell/`.
//!
//! A kernel is a pure function of one cell: it reads any cell and writes its own. Here it works through whole rows, with its
//! formula as a small function on as many cells as there are [`Lanes`]; an `i32` is one lane. Everything is inlined into the
//! functions that [`crate::lanes::InstructionSet::run`] compiles once per instruction set.

pub mod behaviour;
mod boxes;
pub mod context;
pub mod jaws;
pub mod parameters;
pub mod rules;
pub mod sights;
pub mod sums;
pub mod transport;
mod window;

use crate::lanes::Lanes;
use crate::rules::Rules;
use crate::world::World;
use context::{Band, PassContext, for_each_row};
use transport::{Advect, BILINEAR, Gather, NEAREST, Outflow, SPLIT, Wander};

/// Declares the kernels with their names.
macro_rules! kernels {
    ($($Kernel:ident $name:literal)*) => {
        /// A kernel that exists in WGSL and in Rust.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BuiltInKernel {
            $($Kernel,)*
        }

        impl BuiltInKernel {
            /// All built-in kernels.
            pub const ALL: &[Self] = &[$(Self::$Kernel,)*];

            /// The kernel's name: that of its WGSL file and function, and of the control vector it writes if it is a rule.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Kernel => $name,)*
                }
            }
        }
    };
}

kernels! {
    Jaws "jaws"
    Cohesion "cohesion"
    Separation "separation"
    Alignment "alignment"
    Hunter "hunter"
    Walls "walls"
    Steer "steer"
    Outflow "outflow"
    Advect "advect"
    Wander "wander"
    Gather "gather"
    Behaviour "behaviour"
    Movement "movement"
}

impl BuiltInKernel {
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
        BuiltInKernel::Cohesion => for_each_row::<L, rules::Cohesion>(context, band),
        BuiltInKernel::Separation => for_each_row::<L, rules::Separation>(context, band),
        BuiltInKernel::Alignment => for_each_row::<L, rules::Alignment>(context, band),
        BuiltInKernel::Hunter => for_each_row::<L, rules::Hunter>(context, band),
        BuiltInKernel::Walls => for_each_row::<L, rules::Walls>(context, band),
        BuiltInKernel::Steer => for_each_row::<L, rules::Steer>(context, band),
        BuiltInKernel::Outflow => match context.parameters.distribution {
            NEAREST => for_each_row::<L, Outflow<NEAREST>>(context, band),
            SPLIT => for_each_row::<L, Outflow<SPLIT>>(context, band),
            _ => for_each_row::<L, Outflow<BILINEAR>>(context, band),
        },
        BuiltInKernel::Advect => for_each_row::<L, Advect>(context, band),
        BuiltInKernel::Wander => for_each_row::<L, Wander>(context, band),
        BuiltInKernel::Gather => for_each_row::<L, Gather>(context, band),
        BuiltInKernel::Behaviour => behaviour::run::<L>(context, band),
        BuiltInKernel::Movement => transport::run_movement::<L>(context, band),
    }
}
