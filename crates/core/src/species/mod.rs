//! Several species of cells in one world: their meetings, and what they eat (`docs/model.md, Species of cells`).

pub mod chain;
pub(crate) mod keys;
pub(crate) mod predation;

use crate::cells::numbers::Rules;
use crate::world::MeetingKind;

impl MeetingKind {
    /// The name of the kernel that computes the control vector of the meeting from the fields of the other species;
    /// `None`: the other species is ignored.
    pub fn kernel(self) -> Option<&'static str> {
        match self {
            Self::Flee => Some("separation"),
            Self::Follow => Some("cohesion"),
            Self::Align => Some("alignment_with"),
            Self::Ignore => None,
        }
    }
}

/// The reaction of one species of cells to another species.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The number of the other species.
    pub other: usize,
    /// Whether the species flees from the other, follows it, aligns with it or ignores it.
    pub kind: MeetingKind,
    /// The weight (Q10) of the control vector of the meeting.
    pub weight: i32,
    /// The name of the sight, a set of vectors in cells, with which the species perceives the other.
    pub sight: String,
    /// The rate at which the species eats the other (Q14): see [`Meal::rate`](crate::cells::context::Meal::rate).
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
