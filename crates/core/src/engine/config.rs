//! The configuration of an engine, and the other configurations that the engine can also play.

use crate::cells::numbers::Rules;
use crate::chain::Chain;
use crate::chain::plan::Plan;
use crate::individuals::Setup;
use crate::individuals::search::SearchKind;
use crate::state::Swarm;
use crate::world::{Cuts, World};
use std::sync::Arc;

/// The configuration of an engine.
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
        /// The max speed (Q14) of the individuals.
        max: i32,
    },
}

impl EngineConfig {
    /// Whether only the CPU can play this configuration: the search by octree has no shaders.
    pub(crate) fn is_of_processors(&self) -> bool {
        matches!(self, Self::Individuals { setup: Setup { search: SearchKind::Octree, .. }, .. })
    }

    /// Whether an engine for this config can also play `next`. They may differ only in the numbers of a step.
    pub(crate) fn is_made_for(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Individuals { chain, setup, .. }, Self::Individuals { chain: next_chain, setup: next, .. }) => {
                chain == next_chain && setup.fits(next)
            }
            _ => false,
        }
    }

    /// The cuts of the world into slabs; `None`: the slabs are even.
    pub(crate) fn cuts(&self) -> Option<&Cuts> {
        match self {
            Self::Cells { world, .. } => world.cuts.as_ref(),
            Self::Individuals { .. } => None,
        }
    }

    /// Whether an engine for this config can take the plan of `next`: both are lattices of the same extents.
    pub(crate) fn has_lattice_of(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Cells { world, .. }, Self::Cells { world: next, .. }) => world.extents == next.extents,
            _ => false,
        }
    }

    /// Whether an engine for this config can take the setup of `next`: both are individuals with the same chain and the
    /// same extents.
    pub(crate) fn has_individuals_of(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Individuals { chain, setup, .. }, Self::Individuals { chain: next_chain, setup: next, .. }) => {
                chain == next_chain && setup.has_memory_of(next)
            }
            _ => false,
        }
    }

    /// The max speed of individuals (Q14); `None`: the swarm has cells.
    pub(crate) fn max(&self) -> Option<i32> {
        match self {
            Self::Individuals { max, .. } => Some(*max),
            Self::Cells { .. } => None,
        }
    }

    /// Whether the max speed of individuals is greater in this configuration than in `next`.
    pub(crate) fn is_faster(&self, next: &Self) -> bool {
        next.max() < self.max()
    }

    /// Slows the individuals of a swarm down to the max speed of this configuration.
    pub(crate) fn slow_down(&self, swarm: &mut Swarm) {
        if let (Self::Individuals { max, .. }, Swarm::Individuals(individuals, _)) = (self, swarm) {
            individuals.slow_down(*max);
        }
    }
}
