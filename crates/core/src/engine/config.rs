//! What an engine is made for, and which other configs the same engine plays as well.

use crate::cells::numbers::Rules;
use crate::chain::Chain;
use crate::chain::plan::Plan;
use crate::individuals::Setup;
use crate::individuals::search::SearchKind;
use crate::state::Swarm;
use crate::world::{Cuts, World};
use std::sync::Arc;

/// What an engine is made for.
#[derive(Clone)]
pub enum EngineConfig {
    /// An engine of cells.
    Cells {
        /// The plan of the chain.
        plan: Arc<Plan>,
        /// The numbers of the rules.
        rules: Rules,
        /// The world of the swarm.
        world: World,
    },
    /// An engine of individuals.
    Individuals {
        /// The chain that names the passes.
        chain: Chain,
        /// The search, rules, species, food and habitat of the individuals.
        setup: Setup,
        /// The greatest speed (Q14) of the individuals.
        max: i32,
    },
}

impl EngineConfig {
    /// Whether only the CPU can play it.
    pub(crate) fn is_of_processors(&self) -> bool {
        matches!(self, Self::Individuals { setup: Setup { search: SearchKind::Octree, .. }, .. })
    }

    /// Whether an engine for this config plays another one as well: the two differ in numbers of a step only.
    pub(crate) fn is_made_for(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Individuals { chain, setup, .. }, Self::Individuals { chain: next_chain, setup: next, .. }) => {
                chain == next_chain && setup.fits(next)
            }
            _ => false,
        }
    }

    /// Where the world is cut into the slabs of its ranks, if it is not evenly.
    pub(crate) fn cuts(&self) -> Option<&Cuts> {
        match self {
            Self::Cells { world, .. } => world.cuts.as_ref(),
            Self::Individuals { .. } => None,
        }
    }

    /// Whether both are lattices of the same extents, so that an engine for one can take the plan of the other.
    pub(crate) fn has_lattice_of(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Cells { world, .. }, Self::Cells { world: next, .. }) => world.extents == next.extents,
            _ => false,
        }
    }

    /// Whether an engine for one can take the setup of the other: both are of individuals in a space of the same extents, moved by the
    /// same chain.
    pub(crate) fn has_individuals_of(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Individuals { chain, setup, .. }, Self::Individuals { chain: next_chain, setup: next, .. }) => {
                chain == next_chain && setup.has_memory_of(next)
            }
            _ => false,
        }
    }

    /// The greatest speed of individuals (Q14); `None`: the swarm is one of cells.
    pub(crate) fn max(&self) -> Option<i32> {
        match self {
            Self::Individuals { max, .. } => Some(*max),
            Self::Cells { .. } => None,
        }
    }

    /// Whether individuals may be faster than the next config allows.
    pub(crate) fn is_faster(&self, next: &Self) -> bool {
        next.max() < self.max()
    }

    /// Slows individuals down to the greatest speed.
    pub(crate) fn slow_down(&self, swarm: &mut Swarm) {
        if let (Self::Individuals { max, .. }, Swarm::Individuals(individuals, _)) = (self, swarm) {
            individuals.slow_down(*max);
        }
    }
}
