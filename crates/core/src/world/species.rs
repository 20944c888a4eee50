//! The number of species of a world, and the kinds of their meetings.

/// The most species of a world. Each species of cells is a layer of the lattice.
pub const MAX_SPECIES: usize = 8;

/// The response of a species to another species that it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeetingKind {
    /// Turns away from the other species, as separation does from a crowd.
    Flee,
    /// Turns towards the centre of the other species, as cohesion does.
    Follow,
    /// Turns to the heading of the other species, as alignment does.
    Align,
    /// No response.
    Ignore,
}
