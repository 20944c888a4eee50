//! Individuals (`docs/model.md, Individuals`): the second model, in the same world and the same exact arithmetic.
//!
//! An individual is a boid with its own position and velocity, on two or three axes. In a step every individual finds
//! its neighbours ([`search`]), and sums the quantities of its [`rules`] over them ([`sums`]). Its set of rules makes
//! the next velocity from the sums, and the individual moves ([`movement`]). All state is integer, and no sum depends
//! on an order. So every search and every engine gives the same bits.

pub mod couzin;
pub mod deposit;
pub mod feature;
pub mod find;
pub(crate) mod keys;
pub mod movement;
pub mod numbers;
pub mod parameters;
pub mod rules;
pub mod search;
pub mod selection;
pub mod situation;
pub mod species;
pub mod step;
pub mod sums;
pub mod table;

pub use numbers::{IndividualRules, Units};
pub use parameters::IndividualParameters;
pub use table::{Rule, RuleSet};

use crate::individuals::species::{MeetingUnits, SpeciesUnits};
use crate::noise::Noise;
use crate::terrain::Habitat;
use crate::terrain::rays::{RayNumbers, Rays};
use crate::world::{Edges, MeetingKind, Space};
use feature::WorldFeatures;
use search::SearchKind;
use selection::{ALL_AROUND, Selection};
use std::sync::Arc;
use table::RuleArray;

/// The least number of cells along x and y. An individual moves by at most two cells along an axis in a step.
pub const MIN_EXTENT: u32 = 4;

/// The properties for which an engine of individuals is made. The numbers of a step come with [`IndividualParameters`].
#[derive(Debug, Clone)]
pub struct Setup {
    /// How neighbours are searched.
    pub search: SearchKind,
    /// The set of rules.
    pub set: RuleSet,
    /// The units of the sums of each species; there is at least one species. Sums in these units do not overflow for
    /// the present number of individuals. Units of places and velocities are equal for all species.
    pub species: Vec<SpeciesUnits>,
    /// Whether the individuals have lives. Individuals of several species always have lives, because a life holds the
    /// number of the species.
    pub has_lives: bool,
    /// The features of the world, such as food.
    pub features: WorldFeatures,
    /// The space with its solids and rock.
    pub habitat: Habitat,
}

impl Setup {
    /// The units of places and velocities.
    pub fn units(&self) -> &Units {
        &self.species[0].units
    }

    /// Whether individuals of some species select neighbours by more than their distance.
    pub fn has_selection(&self) -> bool {
        self.species.iter().any(|own| own.units.selection != Selection::ALL)
    }

    /// Whether headings of some species have noise.
    pub fn has_noise(&self) -> bool {
        self.species.iter().any(|own| own.has_noise)
    }

    /// Whether individuals of some species eat individuals of another.
    pub fn has_predators(&self) -> bool {
        self.species.iter().flat_map(|own| &own.meetings).any(|meeting| meeting.jaws > 0)
    }

    /// Whether the last row of cells in the search lies beside the first one, because the world is a torus.
    pub fn is_ring(&self) -> bool {
        self.habitat.space.edges == Edges::Torus
    }

    /// Whether an engine needs equally much memory for another setup: the individuals and the features have equal
    /// sizes.
    pub fn has_memory_of(&self, other: &Self) -> bool {
        let sizes = |setup: &Self| (setup.search, setup.has_lives, setup.habitat.space.extents);
        sizes(self) == sizes(other) && self.features.sizes() == other.features.sizes()
    }

    /// Whether an engine made for this setup can continue under another one: only the solids may differ.
    pub fn fits(&self, other: &Self) -> bool {
        let made_for = |setup: &Self| (setup.search, setup.set, setup.has_lives, setup.habitat.space);
        made_for(self) == made_for(other)
            && self.species == other.species
            && self.features == other.features
            && self.habitat.has_obstacles_of(&other.habitat)
    }

    /// Setups for all shaders that differ in more than numbers. In one of the spaces, individuals stop before rock
    /// (movements are swept) and see rock by rays.
    pub fn of_each_kind() -> impl Iterator<Item = Self> {
        let spaces = [
            ([64, 48, 1], Edges::Torus, false),
            ([64, 48, 1], Edges::Walls, false),
            ([64, 48, 32], Edges::Torus, true),
        ];
        let numbers = RayNumbers { count: 64, view: 1 << 30, least: 0, reach: 8 << 8, clearance: 8, growth: 512 };
        let worlds = spaces.into_iter().flat_map(|space| [false, true].map(|has_lives| (space, has_lives)));
        RuleSet::ALL.into_iter().flat_map(move |set| {
            worlds.clone().map(move |((extents, edges, is_swept), has_lives)| {
                // Worlds with lives have noise.
                let has_noise = has_lives;
                // Worlds with walls select neighbours, and so does a deep world with lives.
                let has_selection = edges == Edges::Walls || is_swept && has_lives;
                let selection = if has_selection {
                    Selection { nearest: 7, view: -8192, repulsion_view: ALL_AROUND }
                } else {
                    Selection::ALL
                };
                let rules = IndividualRules {
                    set,
                    radii: RuleArray([6 << 16, 2 << 16, 4 << 16, 5 << 16]),
                    selection,
                    weights: RuleArray::from_fn(|_| 1 << 20),
                    force: 1000,
                    keep: 1024,
                    cruise: 9000,
                    min: 100,
                    max: 15000,
                    turn: [16368, 714],
                    crowd: 1024,
                    noise: Noise::default(),
                    rays: None,
                    lives: None,
                    food: Default::default(),
                    meetings: Vec::new(),
                    most: None,
                };
                let space = Space { extents, edges };
                // Deep worlds and worlds with walls have all features, if they have lives.
                let has_features = has_lives && (edges == Edges::Walls || extents[2] > 1);
                let features = crate::FEATURES.iter().filter(|_| has_features).map(|row| (row.example)(space));
                let features = WorldFeatures(features.collect());
                let units = rules.units(1).expect("the radii are small");
                let rays = is_swept.then(|| Arc::new(Rays::new(numbers, space.axes())));
                let gaps = Arc::new(vec![0; usize::from(is_swept)]);
                let habitat = Habitat { rays, gaps, ..Habitat::new(space, vec![true]) };
                let mut species = vec![SpeciesUnits { units, meetings: Vec::new(), has_noise }];
                if has_lives && edges == Edges::Torus {
                    let meeting = MeetingUnits { other: 0, kind: MeetingKind::Flee, radius: 1, threshold: 1, jaws: 1 };
                    species = vec![SpeciesUnits { units, meetings: vec![meeting; 2], has_noise }; 3];
                }
                Self { search: SearchKind::Grid, set, species, has_lives, features, habitat }
            })
        })
    }
}
