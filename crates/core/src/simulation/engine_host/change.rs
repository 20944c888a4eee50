//! Changes the configuration of an engine. Some changes only replace numbers, some need new passes, and others need a
//! new engine.

use super::copies::SwarmCopy;
use super::recovery::RecoveryPoint;
use super::{EngineHost, can_recover, make};
use crate::engine::{EngineConfig, other_model};
use crate::error::Failure;
use crate::simulation::EngineChoice;
use crate::state::SwarmReading;

impl EngineHost {
    /// Continues the swarm with another configuration. If this fails, the old configuration remains.
    ///
    /// # Errors
    /// The errors of [`EngineHost::new`].
    pub fn change(&mut self, config: EngineConfig) -> Result<(), Failure> {
        if self.config.is_made_for(&config) {
            self.slow_down(&config)?;
            self.config = config;
            return Ok(());
        }
        if self.config.has_lattice_of(&config) {
            return self.take_plan(config);
        }
        if self.config.has_individuals_of(&config) {
            return self.take_setup(config);
        }
        self.update_lineage()?;
        let (mut swarm, points, turnover) = (self.read(SwarmReading)?, self.points_now()?, self.turnover_now()?);
        if self.config.is_faster(&config) {
            config.slow_down(&mut swarm);
        }
        loop {
            let made =
                make(&self.host, self.choice, self.adapters, self.gpu.as_ref(), &config, &swarm, self.host.ranks());
            match made.and_then(|(engine, gpu)| Ok((self.prepared(engine, &points)?, gpu))) {
                Ok((engine, gpu)) => {
                    (self.engine, self.gpu, self.config, self.turnover_before) = (engine, gpu, config, turnover);
                    let copy = SwarmCopy { swarm, points, turnover };
                    self.kept = can_recover(&self.host, self.gpu.as_ref()).then(|| RecoveryPoint::new(copy));
                    self.preparations[0] += 1;
                    self.set_step(self.step);
                    return Ok(());
                }
                Err(Failure::Device(why)) if self.kept.is_some() => self.recover(&why)?,
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Limits the speeds of individuals to the max speed of the next configuration, if it is lower.
    fn slow_down(&mut self, next: &EngineConfig) -> Result<(), Failure> {
        if !self.config.is_faster(next) {
            return Ok(());
        }
        let mut swarm = self.read(SwarmReading)?;
        next.slow_down(&mut swarm);
        self.set_swarm(&swarm)
    }

    /// Continues with another configuration of individuals and the same engine.
    fn take_setup(&mut self, config: EngineConfig) -> Result<(), Failure> {
        let EngineConfig::Individuals { setup, .. } = &config else { return Err(other_model()) };
        self.slow_down(&config)?;
        self.keep_present()?;
        self.attempt(|engine| engine.individuals()?.set_setup(setup))?;
        self.preparations[1] += 1;
        self.config = config;
        Ok(())
    }

    /// Continues with another configuration of cells and the same engine. The engine gets the new plan if its passes
    /// differ.
    fn take_plan(&mut self, config: EngineConfig) -> Result<(), Failure> {
        let (
            EngineConfig::Cells { plan, rules, world },
            EngineConfig::Cells { plan: old_plan, rules: old_rules, world: old_world },
        ) = (&config, &self.config)
        else {
            return Ok(());
        };
        let (is_same_capacity, has_same_cuts) = (old_world.capacity == world.capacity, old_world.cuts == world.cuts);
        let is_same_shader = (&old_rules.sights, old_rules.noise.is_any(), old_world.edges)
            == (&rules.sights, rules.noise.is_any(), world.edges);
        let has_same_passes = is_same_capacity && is_same_shader && has_same_cuts && old_plan.has_passes_of(plan);
        if !has_same_passes {
            if let (Some(device), EngineChoice::Gpu(dispatch)) = (&self.gpu, self.choice) {
                device.check_memory(dispatch, &config, &*self.host.ranks())?;
            }
            self.keep_present()?;
            self.attempt(|engine| engine.lattice()?.set_plan(plan.clone(), rules, world))?;
            self.preparations[1] += 1;
        }
        let capacities = (!is_same_capacity).then(|| world.capacities());
        // If the device is lost from here on, the next engine is made with the new configuration.
        self.config = config;
        capacities.map_or(Ok(()), |capacities| self.set_capacities(&capacities))
    }
}
