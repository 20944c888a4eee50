//! The rules of the cells: their numbers in the units of the exact arithmetic, the keys of these numbers, and the
//! numbers of a step.

pub(crate) mod check;

use crate::cells::sight::Sight;
use crate::keys::rows::*;
use crate::noise::{Noise, NoiseNumbers};
use crate::numbers::{MAX_PERCEIVED, MAX_RULES, ONE, RULE_ONE, fixed};
use crate::world::{self, World};
use std::collections::BTreeMap;

/// How a cell distributes the amount that moves over the neighbours ahead (the paper's Figure 3). Its number in shaders
/// is its place here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Distribution {
    /// The whole larger component goes to the neighbour nearest to the heading.
    Nearest,
    /// The diagonal neighbour gets the smaller component, the axis neighbour the rest of the larger one.
    Split,
    /// The three neighbours that the moved unit square overlaps get their parts of it.
    Bilinear,
}

impl Distribution {
    /// All methods, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Nearest, Self::Split, Self::Bilinear];
    /// The words for the methods in presets, in the order of their numbers.
    pub const WORDS: [&str; 3] = ["nearest", "split", "bilinear"];

    /// The method with this word in presets; bilinear for a word that no method has.
    fn from_word(word: &str) -> Self {
        let mut methods = Self::ALL.into_iter().zip(Self::WORDS);
        methods.find(|(_, known)| *known == word).map_or(Self::Bilinear, |(method, _)| method)
    }
}

/// Declares the numbers of the rules. The numbers of a step contain them.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $kind:ident = $value:expr,)*) => {
        /// Every number that a kernel of the cells may use.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Rules {
            $($(#[$doc])* pub $name: $kind,)*
            /// How the moving amount is shared among the neighbours ahead.
            pub distribution: Distribution,
            /// Whether a control vector travels with the boids or stays with the cell.
            pub carry: bool,
            /// The noise of headings.
            pub noise: Noise,
            /// The weight of each control vector by name (Q10), within ±32.
            pub weights: BTreeMap<String, i32>,
            /// The sights by name.
            pub sights: BTreeMap<String, Sight>,
        }

        /// No rule and no sight.
        impl Default for Rules {
            fn default() -> Self {
                Self {
                    $($name: $value,)*
                    distribution: Distribution::Bilinear,
                    carry: true,
                    noise: Noise::default(),
                    weights: BTreeMap::new(),
                    sights: BTreeMap::new(),
                }
            }
        }

        world::parameters! {
            /// The numbers of one step of the cell system, as every kernel sees them.
            Parameters, PARAMETERS_WGSL;
            /// The weights (Q10) of the control vectors that the steering pass sums, in its order.
            weights: [i32; 16] as "array<vec4<i32>, 4>";
            /// The noise of headings.
            noise: NoiseNumbers,
            /// Steps made before this one, modulo 2^32.
            step: u32,
            /// The max perceived density.
            most_perceived: u32,
            $($(#[$doc])* $name: $kind,)*
            /// The number of the [`Distribution`].
            distribution: u32,
            /// 1: a control vector travels with the boids.
            carry: u32,
            /// The index of the species whose density the step moves.
            own_species: u32,
        }

        impl Parameters {
            /// The numbers of the step that follows `step` steps. `weights`: in the order of the control vectors of
            /// `steer`.
            pub fn new(rules: &Rules, world: &World, weights: &[i32], step: u64) -> Self {
                let mut parameters = Self {
                    noise: NoiseNumbers::on_lattice(&rules.noise, step, world.extents, world.edges),
                    step: step as u32,
                    most_perceived: rules.most_perceived(),
                    $($name: rules.$name,)*
                    distribution: rules.distribution as u32,
                    carry: u32::from(rules.carry),
                    ..bytemuck::Zeroable::zeroed()
                };
                parameters.weights[..weights.len()].copy_from_slice(weights);
                parameters.set_world(world);
                parameters.set_hunters(world.hunters_at(step, None).as_slice());
                parameters
            }
        }
    };
}

const _: () = assert!(std::mem::offset_of!(Parameters, noise).is_multiple_of(16), "as a structure in a uniform");
const _: () = assert!(MAX_RULES < 16, "there is a weight for every control vector that is summed");

numbers! {
    /// Perceived density is the density in quanta >> `shift`, at most [`Rules::most_perceived`].
    shift: u32 = 0,
    /// The reference density of separation, in perceived density; 1 to 2^19 - 1.
    crowd: i32 = 1,
    /// The fraction of its control vector that a boid keeps (Q10), 0 to 1.
    keep: i32 = RULE_ONE,
    /// The speed that boids tend to (Q14 of a cell a step); 0: boids tend to no speed.
    cruise: i32 = 0,
    /// The max speed (Q14 of a cell a step), at most 2 cells a step.
    max: i32 = ONE,
    /// The fraction of a cell's amount that wanders in a step to each neighbour that shares a face (Q14), at most 1/8.
    wander: u32 = 0,
    /// A cell with fewer quanta rests: it gives nothing and keeps its control vector; 0: none rests. At most 2^`shift`.
    rest: u32 = 0,
}

impl Rules {
    /// The max perceived density: the min of [`Sight::most_perceived`] over all sights.
    pub fn most_perceived(&self) -> u32 {
        self.sights.values().map(Sight::most_perceived).min().unwrap_or(MAX_PERCEIVED)
    }
}

/// The key of the speed that boids tend to.
pub const CRUISE: &str = "movement.cruise";

/// The key of the max speed, for cells and individuals.
pub const fn greatest_speed<T>(destination: fn(&mut T, f64)) -> Row<T> {
    Row::new("movement.max", Decimal(0.0, 2.0), "cells/step", number(0.95), Nothing)
        .doc("the greatest speed, above 0")
        .control(Section::Movement, "top speed", Linear(0.05, 2.0))
        .decimal(destination)
}

/// The key of the resolution at which the rules of cells perceive the density.
pub const PERCEPTION: &[Row<Rules>] = &[Row::new("perception.shift", Whole(0, 31), "bits", number(12.0), Nothing)
    .doc("a rule sees quanta >> shift; 12 bits are 1/16 boid")
    .needs("model", &["cell"], CELLS_ONLY)
    .control(Section::Sight, "grain", Linear(6.0, 18.0))
    .integer(|rules, bits| rules.shift = bits as u32)];

/// The keys of the rules of cells.
#[rustfmt::skip]
pub const KEYS: &[Row<Rules>] = &[
    Row::new("separation.crowd", Decimal(0.0, 65536.0), "boids", number(1.0), Nothing)
        .doc("boids a cell that are a crowd: there separation has its full strength")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Rules, "crowd", Logarithmic(0.1, 100.0)),
    Row::new("movement.keep", Decimal(0.0, 1.0), "", number(1.0), Nothing)
        .doc("how much of its control vector a boid keeps; 0 is the paper's form").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "keep", All).decimal(|rules, part| rules.keep = fixed(part, RULE_ONE) as i32),
    Row::new(CRUISE, Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the speed towards which boids tend, at most `max`; 0: none").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "cruise", Linear(0.0, 1.0))
        .decimal(|rules, speed| rules.cruise = fixed(speed, ONE) as i32),
    greatest_speed(|rules, speed| rules.max = fixed(speed, ONE) as i32),
    Row::new("movement.distribution", Choice(&Distribution::WORDS), "", word("bilinear"), Nothing)
        .doc("how a cell spreads what it gives (the paper's Figure 3)").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "distribution", All)
        .word(|rules, word| rules.distribution = Distribution::from_word(word)),
    Row::new("movement.carry", Switch, "", switch(true), Nothing)
        .doc("control vectors travel with the boids, or stay with the cell").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "carry", All).switch(|rules, is_carried| rules.carry = is_carried),
    Row::new("movement.wander", Decimal(0.0, 0.125), "", number(0.0), Nothing)
        .doc("the part that strays to each neighbour in a step; 0 is the paper").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "wander", All).decimal(|rules, part| rules.wander = fixed(part, ONE) as u32),
    Row::new("movement.rest", Whole(0, 1 << 31), "quanta", Otherwise("0; 16 in a deep world"), Nothing)
        .doc("a cell with fewer quanta gives nothing and keeps its control vector; at most 2^perception.shift")
        .needs("model", &["cell"], CELLS_ONLY).integer(|rules, quanta| rules.rest = quanta as u32),
];
