//! How many species a world may have, and how they meet.

/// The most species of a world. Each species of cells is a layer of the lattice.
pub const MAX_SPECIES: usize = 8;

/// The response of a species to another species that it sees.
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
