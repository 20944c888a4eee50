//! Several species of cells in one world: how each meets the others, and what it eats (`docs/model.md, Species of cells`).

pub mod chain;
pub(crate) mod keys;
pub(crate) mod predation;

use crate::cells::numbers::Rules;
use crate::world::MeetingKind;

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
