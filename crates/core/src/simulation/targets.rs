//! Targets of a game in a simulation.

use super::Simulation;
use super::input::held;
use crate::error::Failure;
use crate::numbers::RULE_ONE;
use crate::world::targets::{Target, Targets};

impl Simulation {
    /// The targets, by number.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Adds, changes or removes a target. Its places are wrapped or clamped to the world.
    pub(super) fn set_target(&mut self, number: u32, target: Option<Target>) -> Result<(), Failure> {
        self.put_target(number, target, self.engine.step)
    }

    /// Adds, changes or removes a target. `since`: the number of steps before it was added.
    pub(super) fn put_target(&mut self, number: u32, target: Option<Target>, since: u64) -> Result<(), Failure> {
        let space = self.preset.space();
        let target = target.map(|mut target| {
            target.waypoints.iter_mut().for_each(|place| *place = held(*place, &space));
            target
        });
        let species = self.preset.species.len().max(1);
        let all = self.targets.with(number, target, since, species)?;
        if all.len() > self.targets.len() {
            self.check_edges("a target")?;
            all.check_room(self.preset.world.hunters.len())?;
        }
        if !all.is_empty() {
            self.admit_player()?;
        }
        self.targets = all;
        Ok(())
    }

    /// The weight (Q10) of the hunters for a species whose rules give them `weight`. If this is 0, the weight is 1 if a
    /// target concerns the species.
    pub(super) fn weight_of_hunters(&self, species: usize, weight: i32) -> i32 {
        if weight == 0 && self.targets.has_target_for(species) { RULE_ONE } else { weight }
    }
}
