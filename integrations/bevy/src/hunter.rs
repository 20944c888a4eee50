//! Entities of a game from which a swarm flees, or which it follows.

use crate::{Mood, SwarmSpace};
use bevy::prelude::*;
use murmuration::Pointer;
use murmuration::targets::Target;
use murmuration_core::numbers::RULE_ONE;

/// Makes swarms flee from this entity, or follow it as a lure.
///
/// For each swarm, the hunter nearest to the middle of its world becomes the player's hunter. The player's hunter
/// suspends the hunters of the preset. Further hunters act beside the player's hunter, with the weight of the player's
/// hunter. A swarm has at most eight further hunters, including the preset's hunters and the game's own targets. An
/// endless world has only the player's hunter. A hunter has no effect on a swarm whose world is beyond the hunter's
/// reach.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
#[require(Transform)]
pub struct SwarmHunter {
    /// The entity of the swarm that the hunter affects. `None` for every swarm.
    pub swarm: Option<Entity>,
    /// The distance in cells up to which the hunter affects individuals, at most 255.
    pub reach: u32,
    /// Whether the swarm flees from the hunter or follows it.
    pub mood: Mood,
    /// The weight of the rule by which individuals flee or follow, at most 32.
    pub weight: f32,
    /// The distance in cells up to which the hunter catches individuals, at most 64. 0: it catches none.
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

    /// The hunters that affect a swarm, from all hunters and their places in the game. `transform`: the place of the
    /// swarm's entity.
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

/// The hunters that affect a swarm: the player's hunter, the reach of its jaws in cells, and the other hunters.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Hunters {
    pub pointer: Option<Pointer>,
    pub jaws: u32,
    pub others: Vec<Target>,
}
