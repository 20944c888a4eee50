//! The conflicts of endless worlds with other keys.

use crate::source::conflicts::Conflict;

pub(super) const CONFLICTS: &[Conflict] = &[
    Conflict {
        key: "world.edges",
        has: |preset| preset.is_endless && !preset.is_of_individuals,
        problem: "cells lie on a lattice, which does not move: their world has an end",
        cure: "say \"torus\" or \"walls\", or model = \"agents\"",
    },
    Conflict {
        key: "world.edges",
        has: |preset| preset.is_endless && !preset.is_deep,
        problem: "is of deep worlds, and this one is flat",
        cure: "give world.size a third extent",
    },
];
