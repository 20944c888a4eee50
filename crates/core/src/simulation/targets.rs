//! Targets of a game in a simulation.

use super::Simulation;
use super::input::held;
use crate::error::{BadInput, Failure};
use crate::numbers::RULE_ONE;
use crate::preset::Preset;
use crate::targets::{Target, Targets};
use crate::world::MOST_HUNTERS;

impl Simulation {
    /// The targets by their numbers.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Puts a target into the world, changes it, or takes it away. Its places are held within the world.
    pub(super) fn set_target(&mut self, number: u32, target: Option<Target>) -> Result<(), Failure> {
        self.put_target(number, target, self.engine.step)
    }

    /// Goes on with a target that was put into the world after so many steps.
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
            check_count(all.len(), &self.preset)?;
        }
        if !all.is_empty() {
            self.admit_player()?;
        }
        self.targets = all;
        Ok(())
    }

    /// Checks that the present targets have room beside the hunters of a preset.
    pub(super) fn check_targets(&self, preset: &Preset) -> Result<(), BadInput> {
        check_count(self.targets.len(), preset)
    }

    /// The weight (Q10) of the hunters for a species whose rules give them this one: 1 if they give none, and a target concerns the species.
    pub(super) fn weight_of_hunters(&self, species: usize, weight: i32) -> i32 {
        if weight == 0 && self.targets.has_target_for(species) { RULE_ONE } else { weight }
    }
}

fn check_count(count: usize, preset: &Preset) -> Result<(), BadInput> {
    let own = preset.world.hunters.len();
    if count == 0 || own + count <= MOST_HUNTERS {
        return Ok(());
    }
    let cure = format!("{MOST_HUNTERS} are possible with the {own} hunters of the preset");
    Err(BadInput::new("targets", format!("{count} are too many"), cure))
}
