//! The targets of a game (places that attract or repel species) in a simulation.

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

    /// Adds, changes or removes (`None`) the target with a number. Its waypoints are wrapped or clamped to the world.
    pub(super) fn set_target(&mut self, number: u32, target: Option<Target>) -> Result<(), Failure> {
        self.put_target(number, target, self.engine.step)
    }

    /// [`Self::set_target`] for a target that was added after `since` steps.
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

    /// The weight (Q10) of the hunter rule of a species. `weight`: the weight in the preset. If that is 0 and a target
    /// applies to the species, the weight is 1, because targets act through this rule.
    pub(super) fn weight_of_hunters(&self, species: usize, weight: i32) -> i32 {
        if weight == 0 && self.targets.has_target_for(species) { RULE_ONE } else { weight }
    }
}
