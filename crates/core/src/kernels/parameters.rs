//! The parameters of one step, as every kernel reads them; declared once for Rust and WGSL.

use crate::numbers::MOST_RULES;
use crate::rules::{Distribution, Rules};
use crate::world::World;

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $kind:ident,)*) => {
        /// The parameters of one step. The weights come first, because an array in a uniform starts at a multiple of 16 bytes.
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct Parameters {
            /// The weight (Q10) of each control vector in the sum of the steering pass, in its order.
            pub weights: [i32; MOST_RULES + 1],
            $($(#[$doc])* pub $name: $kind,)*
        }

        /// The structure in WGSL.
        pub const PARAMETERS_WGSL: &str = concat!(
            "struct Parameters {\n    weights: array<vec4<i32>, 4>,\n",
            $("    ", stringify!($name), ": ", stringify!($kind), ",\n",)*
            "}\n"
        );
    };
}

parameters! {
    /// Steps made before this one, modulo 2^32.
    step: u32,
    /// Perceived density is density >> shift, at most `most_perceived`.
    shift: u32,
    /// The greatest perceived density.
    most_perceived: u32,
    /// The reference density of separation, in perceived density.
    crowd: i32,
    /// The fraction of its control vector that a boid keeps (Q10).
    keep: i32,
    /// The speed that boids tend to (Q14); 0: none.
    cruise: i32,
    /// The greatest speed (Q14).
    max: i32,
    /// 0: nearest, 1: split, 2: bilinear.
    distribution: u32,
    /// 1: a control vector travels with the boids.
    carry: u32,
    /// The fraction of a cell that wanders to each face neighbour (Q14).
    wander: u32,
    /// Cells from a wall within which boids turn inwards.
    margin: i32,
    /// The hunter's position in 1/16 cell.
    hunter_x: i32,
    hunter_y: i32,
    /// How far the hunter is noticed, in cells; 0: there is none.
    hunter_reach: i32,
    /// 1: flee; -1: follow.
    hunter_towards: i32,
    /// Boids at most so many cells from the hunter are caught; 0: none.
    hunter_jaws: i32,
}

impl Parameters {
    /// The size of the structure as a uniform in bytes, which WGSL rounds up to a multiple of 16.
    pub fn binding_size() -> Option<std::num::NonZeroU64> {
        std::num::NonZeroU64::new((size_of::<Self>() as u64).next_multiple_of(16))
    }

    /// The parameters of the step after `step` steps. `weights`: in the order of the control vectors that `steer` sums.
    pub fn new(rules: &Rules, world: &World, weights: &[i32], step: u64) -> Self {
        let mut padded = [0; MOST_RULES + 1];
        padded[..weights.len()].copy_from_slice(weights);
        let hunter = world.hunter_at(step);
        Self {
            weights: padded,
            step: step as u32,
            shift: rules.shift,
            most_perceived: rules.most_perceived(),
            crowd: rules.crowd,
            keep: rules.keep,
            cruise: rules.cruise,
            max: rules.max,
            distribution: match rules.distribution {
                Distribution::Nearest => 0,
                Distribution::Split => 1,
                Distribution::Bilinear => 2,
            },
            carry: u32::from(rules.carry),
            wander: rules.wander,
            margin: world.margin as i32,
            hunter_x: hunter.map_or(0, |hunter| hunter.place[0]),
            hunter_y: hunter.map_or(0, |hunter| hunter.place[1]),
            hunter_reach: hunter.map_or(0, |hunter| hunter.reach),
            hunter_towards: hunter.map_or(0, |hunter| hunter.towards),
            hunter_jaws: hunter.map_or(0, |hunter| hunter.jaws),
        }
    }
}
