//! Individuals as an engine that a simulation plays: their number is the total, their deposit the state.

use super::cpu::CpuIndividuals;
use super::deposit::deposit;
use super::rules::{AgentRules, Units};
use crate::chain::plan::Slot;
use crate::engine::Engine;
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
use crate::numbers::{BOID, Cell};
use crate::state::State;
use crate::swarm::Swarm;

impl Engine for CpuIndividuals {
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        CpuIndividuals::play(self, steps);
        Ok(())
    }

    fn total(&mut self) -> Result<u64, Failure> {
        Ok(self.agents().len() as u64 * u64::from(BOID))
    }

    fn caught(&mut self) -> Result<u64, Failure> {
        Ok(CpuIndividuals::caught(self) * u64::from(BOID))
    }

    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.set_solids(solids(capacities));
        Ok(())
    }

    fn swarm(&mut self) -> Result<Swarm, Failure> {
        Ok(Swarm::Agents(self.agents().clone()))
    }

    fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        match swarm {
            Swarm::Agents(agents) => self.set_agents(agents.clone()),
            Swarm::Cells(_) => return Err(no_lattice()),
        }
        Ok(())
    }

    fn state(&mut self) -> Result<State, Failure> {
        Ok(deposit(self.agents(), &self.ground().space))
    }

    fn set_rules(&mut self, rules: &AgentRules, units: &Units) -> Result<(), Failure> {
        CpuIndividuals::set_rules(self, rules.clone(), *units);
        Ok(())
    }

    fn set_state(&mut self, _: &State) -> Result<(), Failure> {
        Err(no_lattice())
    }

    fn word(&mut self, _: Slot, _: Cell) -> Result<u32, Failure> {
        Err(no_lattice())
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        CpuIndividuals::seconds_by_pass(self)
    }

    fn describe(&self) -> String {
        CpuIndividuals::describe(self)
    }
}

/// Which columns are solid: those that can hold nothing.
pub fn solids(capacities: &[u32]) -> Vec<bool> {
    match capacities.contains(&0) {
        true => capacities.iter().map(|capacity| *capacity == 0).collect(),
        false => Vec::new(),
    }
}

pub fn no_lattice() -> Failure {
    Failure::Broken("individuals were taken for a lattice".into())
}
