//! The table of the rules of individuals.
//!
//! A rule is one row here, one file in `shaders/individuals/` and, in [`super::rules`], one type (rules of neighbours)
//! or a part of `surroundings` (rules of the world). All have the same name. Presets (`weights.<name>`,
//! `sight.<name>`), the parameters of a step and the shaders follow the table.

use std::ops::{Index, IndexMut};

/// Applies a macro to the rules: first the rules that look at neighbours within a radius, then the rules that look at
/// the world. A row has the name in Rust, the name in presets and WGSL, and the sets that have the rule.
macro_rules! rules {
    ($apply:ident) => {
        $apply! {
            neighbours {
                Cohesion "cohesion" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
                Separation "separation" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
                Alignment "alignment" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
                Clarity "clarity" [Flock HalfFlock]
            }
            world {
                Hunter "hunter" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
                Walls "walls" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
                Roost "roost" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
                Avoidance "avoidance" [School Flock HalfFlock Reynolds Aquarium Couzin Vicsek]
            }
        }
    };
}
pub(super) use rules;

macro_rules! declare {
    ($($looks_at:ident { $($Rule:ident $name:literal [$($set:ident)*])* })*) => {
        /// A rule of individuals, in the order of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Rule {
            $($(
                #[doc = concat!("`", $name, "` in presets and shaders.")]
                $Rule,
            )*)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Self] = &[$($(Self::$Rule,)*)*];

            /// The name in presets, and of its file and its functions in WGSL.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Self::$Rule => $name,)*)*
                }
            }

            /// Whether a set has the rule.
            #[inline(always)]
            pub const fn is_of(self, set: RuleSet) -> bool {
                match self {
                    $($(Self::$Rule => matches!(set, $(RuleSet::$set)|*),)*)*
                }
            }
        }
    };
}
rules!(declare);

impl Rule {
    /// The rules that look at neighbours, each within a radius of its own. They come first.
    pub const OF_NEIGHBOURS: &'static [Self] = Self::ALL.split_at(Self::Hunter as usize).0;
    /// The rules that look at the world.
    pub const OF_WORLD: &'static [Self] = Self::ALL.split_at(Self::Hunter as usize).1;

    /// Whether the rule looks at neighbours.
    pub const fn sees_neighbours(self) -> bool {
        (self as usize) < Self::OF_NEIGHBOURS.len()
    }
}

// `surroundings` returns their vectors in this order.
const _: () = assert!(matches!(Rule::OF_WORLD, [Rule::Hunter, Rule::Walls, Rule::Roost, Rule::Avoidance]));

/// A set of rules, and how they are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSet {
    /// The school of fish (*Unreal Engine 4 Parallel Processing School of Fish*, Nikolay Lazarev).
    School,
    /// The flock (*I flock, you flock*, Vojtěch Tomas), with the fourth rule, clarity of view.
    Flock,
    /// The flock in which an individual sees only the half space towards the last axis, so that it flies in circles.
    HalfFlock,
    /// The form of the cell system's rules for individuals.
    Reynolds,
    /// The fish of an aquarium (*Let's make an aquarium*, Michael Yang).
    Aquarium,
    /// The zones of *Collective memory and spatial sorting in animal groups*, I. D. Couzin and others.
    Couzin,
    /// Self-driven particles (*Novel type of phase transition in a system of self-driven particles*, T. Vicsek and
    /// others).
    Vicsek,
}

impl RuleSet {
    /// All sets of rules.
    pub const ALL: [Self; 7] =
        [Self::School, Self::Flock, Self::HalfFlock, Self::Reynolds, Self::Aquarium, Self::Couzin, Self::Vicsek];

    /// The rules of the set.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| rule.is_of(self))
    }

    /// Whether only neighbours in the direction of the last axis are seen.
    #[inline(always)]
    pub const fn sees_half(self) -> bool {
        matches!(self, Self::HalfFlock)
    }

    /// Whether the rules of neighbours look at zones and sum directions over them. A zone begins where the zone inside
    /// it ends.
    #[inline(always)]
    pub const fn has_zones(self) -> bool {
        matches!(self, Self::Couzin)
    }

    /// The rules whose zones lie inside the zone of a rule.
    #[inline(always)]
    pub const fn zones_inside(self, rule: Rule) -> &'static [Rule] {
        match (self, rule) {
            (Self::Couzin, Rule::Alignment) => &[Rule::Separation],
            (Self::Couzin, Rule::Cohesion) => &[Rule::Separation, Rule::Alignment],
            _ => &[],
        }
    }

    /// Whether an individual is among its own neighbours for a rule, at distance 0. A sight in a half space does not
    /// include the individual, nor does a zone around another zone.
    #[inline(always)]
    pub const fn counts_itself(self, rule: Rule) -> bool {
        !self.sees_half() && self.zones_inside(rule).is_empty()
    }

    /// Whether the rules have the cell system's form, which is equations 2 to 4 of the paper that `docs/model.md`
    /// names. They take means over the neighbours and the individual itself, and separation falls with the distance.
    /// The sources of the other sets leave the individual itself out and take sums.
    #[inline(always)]
    pub const fn is_of_cells(self) -> bool {
        matches!(self, Self::Reynolds | Self::Vicsek)
    }

    /// Whether the rules give a wanted direction, noise turns it, and the heading then turns towards it by at most the
    /// greatest turn.
    #[inline(always)]
    pub const fn limits_turns(self) -> bool {
        matches!(self, Self::Couzin)
    }

    /// Whether each velocity is brought to the greatest speed after noise is added to it. The zones of Couzin have the
    /// greatest speed too, but by their rules.
    #[inline(always)]
    pub const fn has_constant_speed(self) -> bool {
        matches!(self, Self::Vicsek)
    }
}

/// A value for each of the first `COUNT` rules of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleArray<T, const COUNT: usize = { Rule::ALL.len() }>(pub [T; COUNT]);

/// A value for each rule that looks at neighbours.
pub type NeighbourRuleArray<T> = RuleArray<T, { Rule::OF_NEIGHBOURS.len() }>;

impl<T, const COUNT: usize> RuleArray<T, COUNT> {
    /// An array with the value of a function for each rule.
    pub fn from_fn(mut value: impl FnMut(Rule) -> T) -> Self {
        Self(std::array::from_fn(|index| value(Rule::ALL[index])))
    }
}

impl<T: Default + Copy, const COUNT: usize> Default for RuleArray<T, COUNT> {
    fn default() -> Self {
        Self([T::default(); COUNT])
    }
}

impl<T, const COUNT: usize> Index<Rule> for RuleArray<T, COUNT> {
    type Output = T;

    #[inline(always)]
    fn index(&self, rule: Rule) -> &T {
        &self.0[rule as usize]
    }
}

impl<T, const COUNT: usize> IndexMut<Rule> for RuleArray<T, COUNT> {
    #[inline(always)]
    fn index_mut(&mut self, rule: Rule) -> &mut T {
        &mut self.0[rule as usize]
    }
}
