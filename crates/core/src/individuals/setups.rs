//! Setups of every kind of world whose shaders differ, for checks of kernels.

use super::search::SearchKind;
use super::selection::Selection;
use super::species::{MeetingUnits, SpeciesUnits};
use super::table::{RuleArray, RuleSet};
use super::{IndividualRules, Setup};
use crate::food::{FoodLattice, FoodRules};
use crate::noise::Noise;
use crate::terrain::Habitat;
use crate::terrain::rays::{RayNumbers, Rays};
use crate::world::{Edges, MeetingKind, Space};
use std::sync::Arc;

/// One setup for each shader that differs in more than numbers. Movements on one of the spaces are swept, with rays.
///
/// # Panics
/// Never: the radii are small.
pub fn all_setups() -> impl Iterator<Item = Setup> {
    let spaces =
        [([64, 48, 1], Edges::Torus, false), ([64, 48, 1], Edges::Walls, false), ([64, 48, 32], Edges::Torus, true)];
    let numbers = RayNumbers { count: 64, view: 1 << 30, least: 0, reach: 8 << 8, clearance: 8, growth: 512 };
    let worlds = spaces.into_iter().flat_map(|space| [false, true].map(|has_lives| (space, has_lives)));
    RuleSet::ALL.into_iter().flat_map(move |set| {
        worlds.clone().map(move |((extents, edges, is_swept), has_lives)| {
            // Worlds with lives have noise.
            let has_noise = has_lives;
            // Walls have a selection of neighbours, and so has one deep world.
            let has_selection = edges == Edges::Walls || is_swept && has_lives;
            let selection = if has_selection { Selection { nearest: 7, view: -8192 } } else { Selection::ALL };
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
                food: FoodRules::default(),
                meetings: Vec::new(),
                most: None,
            };
            let space = Space { extents, edges };
            // Walls have food, and the worlds without lives none.
            let has_food = has_lives && (edges == Edges::Walls || extents[2] > 1);
            let food = has_food.then(|| Arc::new(FoodLattice::new(space, 4, 1, &[], |_| false)));
            let units = rules.units(1).expect("the radii are small");
            let rays = is_swept.then(|| Arc::new(Rays::new(numbers, space.axes())));
            let gaps = Arc::new(vec![0; usize::from(is_swept)]);
            let habitat = Habitat { rays, gaps, ..Habitat::new(space, vec![true]) };
            let mut species = vec![SpeciesUnits { units, meetings: Vec::new(), has_noise }];
            if has_lives && edges == Edges::Torus {
                let meeting = MeetingUnits { other: 0, kind: MeetingKind::Flee, radius: 1, threshold: 1, jaws: 1 };
                species = vec![SpeciesUnits { units, meetings: vec![meeting; 2], has_noise }; 3];
            }
            Setup { search: SearchKind::Grid, set, species, has_lives, food, habitat }
        })
    })
}
