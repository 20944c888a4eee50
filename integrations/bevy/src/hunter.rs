//! Entities that a swarm flees from or follows.

use crate::{Mood, SwarmSpace};
use bevy::prelude::*;
use murmuration::Pointer;
use murmuration::targets::Target;
use murmuration_core::numbers::RULE_ONE;

/// Makes swarms flee from this entity, or follow it as a lure.
///
/// The hunter nearest to the middle of a swarm becomes the player's hunter. It suspends the hunters of the preset.
/// Further hunters act beside it, with its weight. A swarm has at most eight of them, including the preset's hunters
/// and the game's own targets. An endless world has only the player's hunter. A hunter has no effect on worlds beyond
/// its reach.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
#[require(Transform)]
pub struct SwarmHunter {
    /// The swarm that it affects; `None`: every swarm.
    pub swarm: Option<Entity>,
    /// The reach of its effect, in cells, at most 255.
    pub reach: u32,
    /// Whether the swarm flees from it or follows it.
    pub mood: Mood,
    /// The weight of the hunter's rule, at most 32.
    pub weight: f32,
    /// The reach of its jaws, in cells, at most 64. Individuals within are caught. 0: the jaws are closed.
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

    /// The hunters of a swarm, from all hunters and their places in the game's world.
    pub(crate) fn of_swarm<'a>(
        hunters: impl Iterator<Item = (&'a Self, &'a GlobalTransform)>,
        swarm: Entity,
        space: &SwarmSpace,
        transform: &GlobalTransform,
    ) -> Hunters {
        let from_world = transform.affine().inverse();
        let mut near: Vec<_> = hunters
            .filter(|(hunter, _)| hunter.swarm.is_none_or(|own| own == swarm))
            .map(|(hunter, at)| (hunter, from_world.transform_point3(at.translation())))
            .filter(|(hunter, local)| space.distance(*local) <= hunter.reach as f32)
            .collect();
        near.sort_by(|(_, one), (_, other)| one.length_squared().total_cmp(&other.length_squared()));
        let mut near = near.into_iter();
        let Some((hunter, local)) = near.next() else { return Hunters::default() };
        let weight = (hunter.weight * RULE_ONE as f32).round() as i32;
        let pointer = Pointer { place: space.place(local), reach: hunter.reach, mood: hunter.mood, weight };
        let target = |(hunter, local): (&Self, Vec3)| Target {
            mood: hunter.mood,
            jaws: hunter.jaws,
            ..Target::lure(space.place(local), hunter.reach)
        };
        Hunters { pointer: Some(pointer), jaws: hunter.jaws, others: near.map(target).collect() }
    }
}

/// The hunters of a swarm at a time: the player's with its jaws, and the others.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Hunters {
    pub pointer: Option<Pointer>,
    pub jaws: u32,
    pub others: Vec<Target>,
}
