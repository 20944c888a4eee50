//! Several species of cells in one world: their meetings, and what they eat (`docs/model.md, Species of cells`).

pub mod chain;
pub(crate) mod keys;
pub(crate) mod predation;

use crate::cells::numbers::Rules;
use crate::world::MeetingKind;

impl MeetingKind {
    /// The kernel that computes the meeting on the fields of the other species; `None`: the other is ignored.
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
    /// The reaction of the species to the other.
    pub kind: MeetingKind,
    /// The weight (Q10) of the control vector of the meeting.
    pub weight: i32,
    /// The name of the sight through which the other is seen.
    pub sight: String,
    /// The part of the other that the species eats in a step (Q14): see [`Meal`](crate::cells::context::Meal).
    pub eats: u32,
}

/// The rules of a species, and its meetings with others.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeciesRules {
    /// The numbers of the rules.
    pub rules: Rules,
    /// The meetings with others, at most one with each.
    pub meetings: Vec<Meeting>,
}
