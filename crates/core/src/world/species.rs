//! The maximum number of species, and the kinds of reactions of a species to another.

/// The maximum number of species of a world. In a swarm of cells, each species is a layer of the lattice.
pub const MAX_SPECIES: usize = 8;

/// The reaction of a species to another species that it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeetingKind {
    /// Turns away from the other species, as separation does from a crowd.
    Flee,
    /// Turns towards the centre of the other species, as cohesion does.
    Follow,
    /// Turns to the heading of the other species, as alignment does.
    Align,
    /// No reaction.
    Ignore,
}
