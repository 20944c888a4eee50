//! The kernels of the cells in Rust. Each is a type with the name of its twin, a WGSL file in `shaders/cells/`.
//!
//! A kernel is a pure function of one cell: it reads any cell and writes its own. Here a kernel works through whole
//! rows. Its formula is a small function on [`Lanes`], which hold several cells; an `i32` is one lane. Everything is
//! inlined into the functions that [`crate::lanes::InstructionSet::run`] compiles once per instruction set.

pub(crate) mod behaviour;
mod boxes;
pub(crate) mod capacity;
pub mod context;
mod contrast;
pub(crate) mod deep;
mod feed;
pub(crate) mod jaws;
pub mod numbers;
pub(crate) mod rule_sums;
pub mod rules;
pub mod sight;
pub mod sights;
mod stage;
pub(crate) mod sums;
pub(crate) mod transport;
mod window;

use crate::cells::numbers::{Parameters, Rules};
use crate::lanes::{InstructionSet, LaneWork, Lanes};
use crate::state::Entry;
use crate::state::fields::{FieldView, Layout};
use crate::world::World;
use context::{Band, BandKernel, DeepRows, PassContext, Rows};
use deep::{DeepMovement, DeepWander, OutflowAlongAxes, OutflowAlongDiagonals};
use transport::{Advect, BILINEAR, Gather, Movement, NEAREST, Outflow, SPLIT, Wander};

macro_rules! kernels {
    ($($Kernel:ident $name:literal)*) => {
        /// A kernel that exists in WGSL and in Rust.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BuiltInKernel {
            $(
                #[doc = concat!("`", $name, "` in chains and shaders.")]
                $Kernel,
            )*
        }

        impl BuiltInKernel {
            /// All built-in kernels.
            pub const ALL: &[Self] = &[$(Self::$Kernel,)*];

            /// The kernel's name, which is also the name of its WGSL file and function, and of a rule's control vector.
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
    Roost "roost"
    Steer "steer"
    Outflow "outflow"
    Advect "advect"
    Wander "wander"
    Gather "gather"
    OutflowAlongAxes "outflow_along_axes"
    OutflowAlongDiagonals "outflow_along_diagonals"
    AdvectInSpace "advect_deep"
    Behaviour "behaviour"
    Movement "movement"
    AlignmentWith "alignment_with"
    Feed "feed"
}

impl BuiltInKernel {
    /// The number of rows or slices around its own that a kernel without a sight reads. Kernels of movement compute the
    /// outflows of a cell's neighbours.
    pub const fn pieces_around(self) -> usize {
        match self {
            Self::Jaws | Self::Hunter | Self::Walls | Self::Roost | Self::Steer | Self::Feed => 0,
            _ => 2,
        }
    }
}

impl BuiltInKernel {
    /// The entries of the account for which a pass of the kernel counts quanta, in the order of its sums.
    pub const fn counts(self) -> &'static [Entry] {
        match self {
            Self::Jaws => &[Entry::Caught],
            Self::Feed => &[Entry::Fed, Entry::Prey],
            _ => &[],
        }
    }

    /// The quanta that a pass counts in a slab before it runs. The bands of the pass count the other quanta.
    pub fn count_before(self, density: FieldView<'_>, layout: &Layout, parameters: &Parameters) -> u64 {
        if self == Self::Jaws { jaws::caught(density, layout, parameters) } else { 0 }
    }

    /// Whether the kernel has no effect with these numbers, so that a plan may leave it out.
    pub fn is_idle(self, rules: &Rules, world: &World) -> bool {
        match self {
            BuiltInKernel::Jaws => world.hunters.iter().all(|hunter| hunter.jaws == 0),
            BuiltInKernel::Hunter => world.hunters.is_empty(),
            BuiltInKernel::Walls => world.margin == 0,
            BuiltInKernel::Wander => rules.wander == 0,
            // The plan itself adds the passes of this kernel.
            BuiltInKernel::Feed => true,
            _ => false,
        }
    }
}

/// Runs a kernel compiled for the step's distribution method.
macro_rules! run_method {
    (|$METHOD:ident| $kernel:expr, $set:expr, $context:expr, $band:expr) => {
        match $context.parameters.distribution {
            NEAREST => {
                const $METHOD: u32 = NEAREST;
                $set.run(($kernel, $context, $band))
            }
            SPLIT => {
                const $METHOD: u32 = SPLIT;
                $set.run(($kernel, $context, $band))
            }
            _ => {
                const $METHOD: u32 = BILINEAR;
                $set.run(($kernel, $context, $band))
            }
        }
    };
}

/// Runs a kernel that has one form for two and for three axes.
macro_rules! run_rule {
    ($($Kernel:ident)::+, $set:expr, $context:expr, $band:expr) => {
        match $context.layout.extents.axes() {
            2 => $set.run((Rows($($Kernel)::+::<2>), $context, $band)),
            _ => $set.run((DeepRows($($Kernel)::+::<3>), $context, $band)),
        }
    };
}

/// Runs a kernel on a band of the lattice. Each kernel and instruction set has a function of its own: one function for
/// all kernels would take minutes to compile.
pub fn run(kernel: BuiltInKernel, set: InstructionSet, context: &PassContext<'_>, band: &mut Band<'_, '_>) {
    let is_deep = context.layout.extents.depth.is_some();
    match kernel {
        BuiltInKernel::Jaws => set.run((Rows(jaws::Jaws), context, band)),
        BuiltInKernel::Cohesion => run_rule!(rules::Cohesion, set, context, band),
        BuiltInKernel::Separation => run_rule!(rules::Separation, set, context, band),
        BuiltInKernel::Alignment => run_rule!(rules::Alignment, set, context, band),
        BuiltInKernel::AlignmentWith => run_rule!(rules::AlignmentWith, set, context, band),
        BuiltInKernel::Feed => set.run((feed::Feed, context, band)),
        BuiltInKernel::Hunter => run_rule!(rules::Hunter, set, context, band),
        BuiltInKernel::Walls => run_rule!(rules::Walls, set, context, band),
        BuiltInKernel::Roost => run_rule!(rules::Roost, set, context, band),
        BuiltInKernel::Steer => run_rule!(rules::Steer, set, context, band),
        BuiltInKernel::Outflow => run_method!(|METHOD| Rows(Outflow::<METHOD>), set, context, band),
        BuiltInKernel::Advect => set.run((Rows(Advect), context, band)),
        BuiltInKernel::Wander if is_deep => set.run((DeepRows(DeepWander), context, band)),
        BuiltInKernel::Wander => set.run((Rows(Wander), context, band)),
        BuiltInKernel::Gather => set.run((Rows(Gather), context, band)),
        BuiltInKernel::OutflowAlongAxes => set.run((DeepRows(OutflowAlongAxes), context, band)),
        BuiltInKernel::OutflowAlongDiagonals => set.run((DeepRows(OutflowAlongDiagonals), context, band)),
        BuiltInKernel::AdvectInSpace => set.run((DeepMovement, context, band)),
        BuiltInKernel::Behaviour if is_deep => set.run((deep::behaviour::DeepBehaviour, context, band)),
        BuiltInKernel::Behaviour => set.run((behaviour::Behaviour, context, band)),
        BuiltInKernel::Movement if is_deep => set.run((DeepMovement, context, band)),
        BuiltInKernel::Movement => run_method!(|METHOD| Movement::<METHOD>, set, context, band),
    }
}

impl<K: BandKernel> LaneWork for (K, &PassContext<'_>, &mut Band<'_, '_>) {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        K::run::<L>(self.1, self.2);
    }
}
