//! Entities that a swarm flees from or follows.

use crate::{Mood, SwarmSpace};
use bevy::prelude::*;
use murmuration::Pointer;
use murmuration_core::numbers::RULE_ONE;

/// Makes swarms flee from this entity, or follow it as a lure.
///
/// A swarm has one such hunter at a time: the nearest to its middle. An entity farther from the world than its reach hunts nobody. Hunters that
/// stand in the preset rest while there is one, and are back then.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
#[require(Transform)]
pub struct SwarmHunter {
    /// The swarm that it concerns; `None`: every swarm.
    pub swarm: Option<Entity>,
    /// How far it is noticed, in cells, at most 255.
    pub reach: u32,
    /// Whether the swarm flees from it or follows it.
    pub mood: Mood,
    /// The weight of the hunter's rule, at most 32.
    pub weight: f32,
    /// How far its jaws reach, in cells, at most 64: whoever is within is caught. 0: they are shut.
    pub jaws: u32,
}

impl Default for SwarmHunter {
    fn default() -> Self {
        Self { swarm: None, reach: 24, mood: Mood::Flee, weight: 2.0, jaws: 0 }
    }
}

impl SwarmHunter {
    /// A lure, which the swarm follows.
    pub fn lure() -> Self {
        Self { mood: Mood::Follow, ..Self::default() }
    }

    /// The hunter of a swarm and its jaws, from all hunters and their places in the game's world.
    pub(crate) fn of_swarm<'a>(
        hunters: impl Iterator<Item = (&'a Self, &'a GlobalTransform)>,
        swarm: Entity,
        space: &SwarmSpace,
        transform: &GlobalTransform,
    ) -> (Option<Pointer>, u32) {
        let from_world = transform.affine().inverse();
        let nearest = hunters
            .filter(|(hunter, _)| hunter.swarm.is_none_or(|own| own == swarm))
            .map(|(hunter, at)| (hunter, from_world.transform_point3(at.translation())))
            .filter(|(hunter, local)| space.distance(*local) <= hunter.reach as f32)
            .min_by(|(_, one), (_, other)| one.length_squared().total_cmp(&other.length_squared()));
        let Some((hunter, local)) = nearest else { return (None, 0) };
        let weight = (hunter.weight * RULE_ONE as f32).round() as i32;
        (Some(Pointer { place: space.place(local), reach: hunter.reach, mood: hunter.mood, weight }), hunter.jaws)
    }
}
