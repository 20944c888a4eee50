//! The kernels of the cell system in Rust: each is the twin of the WGSL file of its name under `shaders/cell/`.
//!
//! A kernel is a pure function of one cell: it reads any cell and writes its own. Here it works through whole rows, with its
//! formula as a small function on as many cells side by side as there are [`Lanes`]; a number is one lane. All of it is
//! inlined into the few functions of [`crate::engine::cpu`] that are compiled once for each instruction set.

pub mod advect;
pub mod alignment;
pub mod behaviour;
mod boxes;
pub mod cohesion;
pub mod gather;
pub mod hunter;
pub mod jaws;
pub mod movement;
pub mod outflow;
pub mod parameters;
pub mod separation;
pub mod steer;
pub mod sums;
pub mod walls;
pub mod wander;

use crate::fields::{FieldView, Texel};
use crate::lanes::Lanes;
use crate::rules::Rules;
use crate::sight::Sight;
use crate::world::{Edges, Extents, World};
use parameters::Parameters;
use std::ops::Range;
use sums::{Column, Mirrored};

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

/// What a kernel reads and writes, in the order in which its code expects it.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    pub read: &'static [(&'static str, Texel)],
    pub write: &'static [(&'static str, Texel)],
    /// Whether the kernel looks through a sight.
    pub looks: bool,
    /// Whether any number of control vectors may follow what it reads, to be weighted and summed.
    pub sums: bool,
    /// The rules that it works out itself and sums before those; they look through the sights of their names.
    pub rules: &'static [&'static str],
}

const DENSITY: (&str, Texel) = ("density", Texel::Amount);
const CAPACITY: (&str, Texel) = ("capacity", Texel::Amount);
const CONTROL: (&str, Texel) = ("control", Texel::Velocity);
const OUTFLOWS: [(&str, Texel); 3] =
    [("outflow_x", Texel::Amount), ("outflow_y", Texel::Amount), ("outflow_xy", Texel::Amount)];

impl BuiltInKernel {
    /// Every twin.
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

    /// The twin of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|twin| twin.name() == name)
    }

    /// What the kernel reads and writes.
    pub fn signature(self) -> Signature {
        let quiet = Signature { read: &[], write: &[], looks: false, sums: false, rules: &[] };
        match self {
            BuiltInKernel::Cohesion => {
                Signature { read: &[DENSITY], write: &[("cohesion", Texel::Vector)], looks: true, ..quiet }
            }
            BuiltInKernel::Separation => {
                Signature { read: &[DENSITY], write: &[("separation", Texel::Vector)], looks: true, ..quiet }
            }
            BuiltInKernel::Alignment => {
                Signature { read: &[DENSITY, CONTROL], write: &[("alignment", Texel::Vector)], looks: true, ..quiet }
            }
            BuiltInKernel::Jaws => Signature { read: &[DENSITY], write: &[DENSITY], ..quiet },
            BuiltInKernel::Hunter => Signature { write: &[("hunter", Texel::Vector)], ..quiet },
            BuiltInKernel::Walls => Signature { write: &[("walls", Texel::Vector)], ..quiet },
            BuiltInKernel::Steer => Signature { read: &[CONTROL], write: &[CONTROL], sums: true, ..quiet },
            BuiltInKernel::Outflow => Signature {
                read: &[DENSITY, CAPACITY, CONTROL],
                write: &[CONTROL, OUTFLOWS[0], OUTFLOWS[1], OUTFLOWS[2]],
                ..quiet
            },
            BuiltInKernel::Advect => Signature {
                read: &[DENSITY, CONTROL, OUTFLOWS[0], OUTFLOWS[1], OUTFLOWS[2]],
                write: &[DENSITY, CONTROL],
                ..quiet
            },
            BuiltInKernel::Wander => Signature { read: &[DENSITY, CAPACITY], write: &[DENSITY], ..quiet },
            BuiltInKernel::Gather => Signature { read: &[DENSITY, CAPACITY, CONTROL], write: &[DENSITY], ..quiet },
            BuiltInKernel::Behaviour => Signature {
                read: &[DENSITY, CAPACITY, CONTROL],
                write: &[CONTROL],
                sums: true,
                rules: &behaviour::RULES,
                ..quiet
            },
            BuiltInKernel::Movement => {
                Signature { read: &[DENSITY, CAPACITY, CONTROL], write: &[DENSITY, CONTROL], ..quiet }
            }
        }
    }

    /// Whether the kernel changes nothing with these numbers, so that a plan may leave it out.
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

/// A sight with what the kernels derive from it.
#[derive(Debug, Clone)]
pub struct PreparedSight {
    pub vectors: Vec<[i32; 2]>,
    /// Separation's pull of each vector, s/|s|² (Q10).
    pub pulls: Vec<[i32; 2]>,
    /// The same vectors, column by column.
    pub columns: Vec<Column>,
    pub mirrored: Option<Mirrored>,
    /// The radius of the box that it fills, if it does.
    pub box_radius: Option<i32>,
    pub reach: i32,
}

impl PreparedSight {
    pub fn new(sight: &Sight) -> Self {
        let pulls: Vec<_> = sight.pulls().collect();
        Self {
            vectors: sight.vectors().to_vec(),
            mirrored: Mirrored::new(sight.vectors(), &pulls),
            pulls,
            columns: sums::columns(sight.vectors()),
            box_radius: sight.box_radius(),
            reach: sight.reach(),
        }
    }
}

/// All that a kernel may see while it fills rows.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    pub extents: Extents,
    pub edges: Edges,
    pub parameters: &'a Parameters,
    /// In the order of the kernel's signature, then the control vectors to be summed.
    pub read: &'a [FieldView<'a>],
    /// Cells of halo to the left of each row that is written.
    pub halo: usize,
    /// Words of a row with its halos.
    pub stride: usize,
    /// Those that the kernel looks through, in its order.
    pub sights: behaviour::Sights<'a>,
}

impl Scene<'_> {
    /// The one sight of a rule.
    #[inline(always)]
    fn sight(&self) -> &PreparedSight {
        self.sights[0].expect("a rule that looks has a sight")
    }

    /// The first cell of each chunk of a row, which may end beyond the last cell.
    #[inline(always)]
    pub fn chunks<L: Lanes>(&self) -> impl Iterator<Item = i32> + use<L> {
        (0..self.extents.width as i32).step_by(L::COUNT)
    }

    /// A row that is written, from cell x on.
    #[inline(always)]
    pub fn at<'r>(&self, row: &'r mut [i32], x: i32) -> &'r mut [i32] {
        &mut row[self.halo + x as usize..]
    }
}

/// The most fields that a kernel writes.
pub const MOST_WRITES: usize = 4;

/// Rows of the lattice that one worker fills: their numbers, and the words of each field written, halos included.
pub struct Band<'a, 'b> {
    pub rows: Range<i32>,
    pub write: &'b mut [&'a mut [u32]],
    /// Room for what the kernel keeps of rows, as large as it asks for.
    pub scratch: &'b mut [i32],
    /// Room for places within it, for `behaviour`.
    pub places: &'b mut [usize],
}

/// Plays a kernel on a band of rows.
#[inline(always)]
pub fn play<L: Lanes>(twin: BuiltInKernel, scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    match twin {
        BuiltInKernel::Jaws => each_row::<L, jaws::Jaws>(scene, band),
        BuiltInKernel::Cohesion => each_row::<L, cohesion::Cohesion>(scene, band),
        BuiltInKernel::Separation => each_row::<L, separation::Separation>(scene, band),
        BuiltInKernel::Alignment => each_row::<L, alignment::Alignment>(scene, band),
        BuiltInKernel::Hunter => each_row::<L, hunter::Hunter>(scene, band),
        BuiltInKernel::Walls => each_row::<L, walls::Walls>(scene, band),
        BuiltInKernel::Steer => each_row::<L, steer::Steer>(scene, band),
        BuiltInKernel::Outflow => match scene.parameters.distribution {
            outflow::NEAREST => each_row::<L, outflow::Outflow<{ outflow::NEAREST }>>(scene, band),
            outflow::SPLIT => each_row::<L, outflow::Outflow<{ outflow::SPLIT }>>(scene, band),
            _ => each_row::<L, outflow::Outflow<{ outflow::BILINEAR }>>(scene, band),
        },
        BuiltInKernel::Advect => each_row::<L, advect::Advect>(scene, band),
        BuiltInKernel::Wander => each_row::<L, wander::Wander>(scene, band),
        BuiltInKernel::Gather => each_row::<L, gather::Gather>(scene, band),
        BuiltInKernel::Behaviour => behaviour::play::<L>(scene, band),
        BuiltInKernel::Movement => movement::play::<L>(scene, band),
    }
}

/// A kernel that fills each row on its own. A trait and not a function to be passed, so that it is inlined into the
/// functions that are compiled for an instruction set.
trait RowKernel {
    /// Fills row y of each field written, halos included.
    fn row<L: Lanes>(scene: &Scene<'_>, y: i32, write: &mut [&mut [i32]]);
}

#[inline(always)]
fn each_row<L: Lanes, K: RowKernel>(scene: &Scene<'_>, band: &mut Band<'_, '_>) {
    for (index, y) in band.rows.clone().enumerate() {
        let mut unused: [&mut [i32]; MOST_WRITES] = Default::default();
        let written = &mut unused[..band.write.len()];
        for (slot, words) in written.iter_mut().zip(band.write.iter_mut()) {
            *slot = bytemuck::cast_slice_mut(&mut words[index * scene.stride..][..scene.stride]);
        }
        K::row::<L>(scene, y, written);
    }
}

/// Perceived density p = min(D >> shift, p_max) (design, section 2).
#[inline(always)]
pub fn perceived<L: Lanes>(density: L, parameters: &Parameters) -> L {
    let (shift, most) = (L::splat(parameters.shift as i32), L::splat(parameters.most_perceived as i32));
    density.shift_right_unsigned_by(shift).min_unsigned(most)
}
