//! Several species of cells in one world: how each meets the others, and what it eats (`docs/model.md, Species of cells`).

pub mod chain;
mod individuals;
pub(crate) mod keys;
pub mod mixture;
pub mod numbers;
pub(crate) mod predation;

use crate::fields::MOST_LAYERS;
use crate::rules::Rules;

/// The most species of a world.
pub const MOST_SPECIES: usize = MOST_LAYERS;

/// What a species does where it sees another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeetingKind {
    /// It turns away from it, as separation does from a crowd.
    Flee,
    /// It turns towards the centre of it, as cohesion does.
    Follow,
    /// It turns into the direction in which that one moves, as alignment does.
    Align,
    /// It does not care.
    Ignore,
}

impl MeetingKind {
    /// The kernel that works it out, on the fields of the other species; `None`: there is nothing to be worked out.
    pub fn kernel(self) -> Option<&'static str> {
        match self {
            Self::Flee => Some("separation"),
            Self::Follow => Some("cohesion"),
            Self::Align => Some("alignment_with"),
            Self::Ignore => None,
        }
    }
}

/// How a species meets another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The number of the other species.
    pub other: usize,
    /// What the species does.
    pub kind: MeetingKind,
    /// The weight (Q10) of the control vector that follows from it.
    pub weight: i32,
    /// The sight, by name, through which the other is seen.
    pub sight: String,
    /// What it eats of the other in a step (Q14): see [`Meal`](crate::cells::context::Meal).
    pub eats: u32,
}

/// The rules of a species, and how it meets others.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeciesRules {
    /// The numbers of the rules.
    pub rules: Rules,
    /// How it meets others, at most once each.
    pub meetings: Vec<Meeting>,
}
