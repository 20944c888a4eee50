//! The kernels of the cells in Rust. Each has the name of its twin, a WGSL file in `shaders/cells/`.
//!
//! A kernel is a pure function of one cell: it reads any cell and writes its own. Here a kernel works through whole
//! rows. Its formula is a small function on [`Lanes`], which hold several cells; an `i32` is one lane.
//!
//! A kernel of the default chain is a type. All of it is inlined into the functions that
//! [`crate::lanes::InstructionSet::run`] compiles once per instruction set. A kernel of the chains that have one pass
//! for each rule is a function on one lane, a `ScalarKernel`.

pub(crate) mod band;
pub(crate) mod behaviour;
mod boxes;
pub(crate) mod capacity;
pub mod context;
mod contrast;
pub(crate) mod deep;
mod feed;
pub(crate) mod jaws;
mod neighbourhood;
pub mod numbers;
pub(crate) mod rule_sums;
pub mod rules;
mod shares;
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
use band::{Band, BandKernel, Rows, ScalarKernel, fill_rows};
use context::PassContext;
use deep::DeepMovement;
use rules::{fill_rule, hunter_at, roost, walls_at};
use transport::Movement;

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

    /// The quanta that a pass of this kernel counts in a slab before the pass runs. The bands of the pass count the
    /// other quanta.
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

/// Runs a kernel that has one form for two and for three axes.
macro_rules! run_rule {
    ($($Kernel:ident)::+, $set:expr, $context:expr, $band:expr) => {
        match $context.layout.extents.axes() {
            2 => $set.run((Rows::<_, 2>($($Kernel)::+::<2>), $context, $band)),
            _ => $set.run((Rows::<_, 3>($($Kernel)::+::<3>), $context, $band)),
        }
    };
}

/// Runs a kernel on a band of the lattice. Each kernel and instruction set has a function of its own: one function for
/// all kernels would take minutes to compile.
pub fn run(kernel: BuiltInKernel, set: InstructionSet, context: &PassContext<'_>, band: &mut Band<'_, '_>) {
    let is_deep = context.layout.extents.depth.is_some();
    let scalar: ScalarKernel = match kernel {
        BuiltInKernel::Jaws => return set.run((Rows::<_, 2>(jaws::Jaws), context, band)),
        BuiltInKernel::Cohesion => return run_rule!(rules::Cohesion, set, context, band),
        BuiltInKernel::Separation => return run_rule!(rules::Separation, set, context, band),
        BuiltInKernel::Alignment | BuiltInKernel::AlignmentWith => {
            return run_rule!(rules::Alignment, set, context, band);
        }
        BuiltInKernel::Feed => return set.run((feed::Feed, context, band)),
        BuiltInKernel::Wander => return run_rule!(transport::Wander, set, context, band),
        BuiltInKernel::Behaviour if is_deep => return set.run((deep::behaviour::DeepBehaviour, context, band)),
        BuiltInKernel::Behaviour => return set.run((behaviour::Behaviour, context, band)),
        BuiltInKernel::Movement if is_deep => return set.run((DeepMovement, context, band)),
        BuiltInKernel::Movement => return set.run((Movement, context, band)),
        BuiltInKernel::Hunter => |context, row, write| fill_rule(context, row, write, hunter_at),
        BuiltInKernel::Walls => |context, row, write| fill_rule(context, row, write, walls_at),
        BuiltInKernel::Roost => |context, row, write| {
            fill_rule(context, row, write, |context, [x, y, z]| roost(context, x, [y, z]));
        },
        BuiltInKernel::Steer => rules::steer,
        BuiltInKernel::Outflow => transport::outflow::<2>,
        BuiltInKernel::OutflowAlongAxes => transport::outflow::<3>,
        BuiltInKernel::OutflowAlongDiagonals => transport::outflow_along_diagonals,
        BuiltInKernel::Advect | BuiltInKernel::AdvectInSpace => transport::advect,
        BuiltInKernel::Gather => transport::gather,
    };
    fill_rows(scalar, context, band);
}

impl<K: BandKernel> LaneWork for (K, &PassContext<'_>, &mut Band<'_, '_>) {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        K::run::<L>(self.1, self.2);
    }
}
