//! Targets of a game: places that a swarm, or one species of it, follows or flees from. They stand, or go round waypoints.
//!
//! A target is a hunter beside the hunters of a preset (see [`crate::world::Hunter`]), with the same control vector and the same jaws. Lengths are
//! in 1/16 cell.

use crate::error::BadInput;
use crate::world::{
    Hunter, HunterKind, HunterNumbers, HuntersOfStep, MAX_HUNT_RADIUS, MAX_HUNTERS, MAX_JAWS, Mood, Place,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most waypoints of a target.
pub const MAX_WAYPOINTS: usize = 256;
/// The greatest speed of a target, in 1/1024 of a cell a step: 64 cells.
pub const MAX_TARGET_SPEED: u32 = 1 << 16;

/// A place that a swarm, or one species of it, follows or flees from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its waypoints, in 1/16 cell: it goes round them, and begins at the first. With one it stands. All have two numbers, or all three; a place of
    /// two is a column through the whole depth of a world.
    pub waypoints: Vec<Place>,
    /// How far it goes in a step, in 1/1024 of a cell, at most [`MAX_TARGET_SPEED`].
    pub speed: u32,
    /// Whether it is fled from or followed.
    pub mood: Mood,
    /// How far it is noticed, in cells, at most [`MAX_HUNT_RADIUS`].
    pub reach: u32,
    /// How far away boids are caught, in cells, at most [`MAX_JAWS`]; 0: none is caught.
    pub jaws: u32,
    /// The number of the species that it concerns, from 0 on; `None`: all.
    pub species: Option<u32>,
}

impl Target {
    /// A lure that stands, for all species.
    pub fn lure(at: Place, reach: u32) -> Self {
        Self { waypoints: vec![at], speed: 0, mood: Mood::Follow, reach, jaws: 0, species: None }
    }

    /// Checks the target. `species`: how many the swarm has.
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

/// A target in a world.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TargetEntry {
    target: Target,
    /// The steps made before it was put there.
    since: u64,
}

/// The targets in a world, by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Targets(Arc<BTreeMap<u32, TargetEntry>>);

impl Targets {
    /// The number of each target, with the step at which it was put into the world.
    pub fn list(&self) -> Vec<(u32, u64, Target)> {
        self.0.iter().map(|(number, placed)| (*number, placed.since, placed.target.clone())).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The same with another target of a number, or without the number. `step`: the steps made so far. `species`: how many the swarm has.
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

    /// Checks that they have room in a world. `others`: its hunters beside them.
    ///
    /// # Errors
    /// If the hunters are more than [`MAX_HUNTERS`].
    pub fn check_room(&self, others: usize) -> Result<(), BadInput> {
        let count = self.len();
        if count == 0 || others + count <= MAX_HUNTERS {
            return Ok(());
        }
        let cure = format!("{MAX_HUNTERS} are possible with the {others} hunters of the preset");
        Err(BadInput::new("targets", format!("{count} are too many"), cure))
    }

    /// Whether a target concerns a species.
    pub fn has_target_for(&self, species: usize) -> bool {
        self.0.values().any(|placed| placed.target.species.is_none_or(|own| own as usize == species))
    }

    /// Adds the targets at a step to its hunters, in the order of their numbers.
    pub fn add_to(&self, hunters: &mut HuntersOfStep, step: u64) {
        for TargetEntry { target, since } in self.0.values() {
            let own = HunterNumbers::from_hunter(&target.hunter(), step.saturating_sub(*since));
            hunters.add(own, target.species.map(|own| own as usize));
        }
    }
}
