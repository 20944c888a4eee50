//! Targets of a game: places that a swarm, or one of its species, follows or avoids. They stand still or move along
//! waypoints.
//!
//! A target acts as an additional hunter (see [`crate::world::Hunter`]): it attracts or repels boids, and may catch
//! them. Places are in 1/16 cell.

use crate::error::BadInput;
use crate::world::{
    Hunter, HunterKind, HunterNumbers, HuntersOfStep, MAX_HUNT_RADIUS, MAX_HUNTERS, MAX_JAWS, Mood, Place,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of waypoints of a target.
pub const MAX_WAYPOINTS: usize = 256;
/// The maximum speed of a target, in 1/1024 cell a step: 64 cells a step.
pub const MAX_TARGET_SPEED: u32 = 1 << 16;

/// A place that a swarm, or one of its species, follows or avoids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The waypoints, in 1/16 cell. The target moves from one to the next, and from the last to the first. With one
    /// waypoint the target stands still. All waypoints have two numbers, or all have three. Two numbers are a column
    /// through the whole depth of a world.
    pub waypoints: Vec<Place>,
    /// The speed, in 1/1024 cell a step, at most [`MAX_TARGET_SPEED`].
    pub speed: u32,
    /// Whether the swarm avoids or follows the target.
    pub mood: Mood,
    /// The distance at which boids notice the target, in cells, at most [`MAX_HUNT_RADIUS`].
    pub reach: u32,
    /// The distance within which the target catches boids, in cells, at most [`MAX_JAWS`]; 0: it catches none.
    pub jaws: u32,
    /// The index of the affected species, from 0 on; `None`: all species.
    pub species: Option<u32>,
}

impl Target {
    /// A target that stands at a place (in 1/16 cell) and that all species follow. `reach`: see [`Self::reach`].
    pub fn lure(at: Place, reach: u32) -> Self {
        Self { waypoints: vec![at], speed: 0, mood: Mood::Follow, reach, jaws: 0, species: None }
    }

    /// Checks the target. `species`: the number of species of the swarm.
    fn check(&self, species: usize) -> Result<(), BadInput> {
        let wrong =
            |what: &str, problem: String, cure: String| Err(BadInput::new("a target", problem, cure).at_key(what));
        let count = self.waypoints.len();
        if !(1..=MAX_WAYPOINTS).contains(&count) {
            return wrong("waypoints", format!("there are {count}"), format!("give 1 to {MAX_WAYPOINTS}"));
        }
        if self.waypoints.iter().any(|place| place.is_column() != self.waypoints[0].is_column()) {
            let problem = "are places of two numbers and of three";
            return wrong("waypoints", problem.into(), "give all of them two, or all of them three".into());
        }
        for (what, value, most) in [
            ("speed", self.speed, MAX_TARGET_SPEED),
            ("reach", self.reach, MAX_HUNT_RADIUS),
            ("jaws", self.jaws, MAX_JAWS),
        ] {
            if value > most {
                return wrong(what, format!("{value} is out of bounds"), format!("at most {most}"));
            }
        }
        match self.species {
            Some(own) if own as usize >= species => {
                wrong("species", format!("there is no species {own}"), format!("the last one is {}", species - 1))
            }
            _ => Ok(()),
        }
    }

    fn hunter(&self) -> Hunter {
        let is_column = self.waypoints[0].is_column();
        let corners = self.waypoints.iter().map(|place| place.to_vector()).collect();
        let kind = HunterKind::Path { corners, is_column, speed: self.speed };
        Hunter { kind, mood: self.mood, reach: self.reach, jaws: self.jaws }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct TargetEntry {
    target: Target,
    /// The number of steps before the target was added.
    since: u64,
}

/// All targets in a world, each with its number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Targets(Arc<BTreeMap<u32, TargetEntry>>);

impl Targets {
    /// The number of each target, the step at which it was added, and the target.
    pub fn list(&self) -> Vec<(u32, u64, Target)> {
        self.0.iter().map(|(number, placed)| (*number, placed.since, placed.target.clone())).collect()
    }

    /// Whether there are no targets.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of targets.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds or replaces the target with a number. `target` is `None`: removes it. `step`: the number of completed
    /// steps. `species`: the number of species of the swarm.
    ///
    /// # Errors
    /// If the target is out of bounds.
    pub fn with(&self, number: u32, target: Option<Target>, step: u64, species: usize) -> Result<Self, BadInput> {
        let mut all = BTreeMap::clone(&self.0);
        match target {
            Some(target) => {
                target.check(species)?;
                all.insert(number, TargetEntry { target, since: step });
            }
            None => drop(all.remove(&number)),
        }
        Ok(Self(Arc::new(all)))
    }

    /// Checks that a world may have all targets in addition to its hunters. `others`: the number of hunters.
    ///
    /// # Errors
    /// If hunters and targets together are more than [`MAX_HUNTERS`].
    pub fn check_room(&self, others: usize) -> Result<(), BadInput> {
        let count = self.len();
        if count == 0 || others + count <= MAX_HUNTERS {
            return Ok(());
        }
        let cure = format!("{MAX_HUNTERS} are possible with the {others} hunters of the preset");
        Err(BadInput::new("targets", format!("{count} are too many"), cure))
    }

    /// Whether any target affects a species.
    pub fn has_target_for(&self, species: usize) -> bool {
        self.0.values().any(|placed| placed.target.species.is_none_or(|own| own as usize == species))
    }

    /// Adds the targets to the hunters of a step, in the order of their numbers.
    pub fn add_to(&self, hunters: &mut HuntersOfStep, step: u64) {
        for TargetEntry { target, since } in self.0.values() {
            let own = HunterNumbers::from_hunter(&target.hunter(), step.saturating_sub(*since));
            hunters.add(own, target.species.map(|own| own as usize));
        }
    }
}
