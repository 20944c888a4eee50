//! Individuals on a GPU as an engine that a simulation plays: their number is the total, their deposit the state.

use super::GpuIndividuals;
use crate::agents::deposit::deposit;
use crate::agents::engine::{no_lattice, solids};
use crate::agents::rules::{AgentRules, Units};
use crate::chain::plan::Slot;
use crate::engine::Engine;
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
use crate::numbers::{BOID, Cell};
use crate::state::State;
use crate::swarm::Swarm;

impl Engine for GpuIndividuals {
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        GpuIndividuals::play(self, steps)
    }

    fn total(&mut self) -> Result<u64, Failure> {
        Ok(self.living()? * u64::from(BOID))
    }

    fn caught(&mut self) -> Result<u64, Failure> {
        Ok(GpuIndividuals::caught(self)? * u64::from(BOID))
    }

    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.set_solids(solids(capacities))
    }

    fn swarm(&mut self) -> Result<Swarm, Failure> {
        Ok(Swarm::Agents(self.agents()?))
    }

    fn set_swarm(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        match swarm {
            Swarm::Agents(agents) => self.set_agents(agents),
            Swarm::Cells(_) => Err(no_lattice()),
        }
    }

    fn state(&mut self) -> Result<State, Failure> {
        Ok(deposit(&self.agents()?, &self.space()))
    }

    fn set_rules(&mut self, rules: &AgentRules, units: &Units) -> Result<(), Failure> {
        GpuIndividuals::set_rules(self, rules.clone(), *units);
        Ok(())
    }

    fn set_state(&mut self, _: &State) -> Result<(), Failure> {
        Err(no_lattice())
    }

    fn word(&mut self, _: Slot, _: Cell) -> Result<u32, Failure> {
        Err(no_lattice())
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        GpuIndividuals::seconds_by_pass(self)
    }

    fn describe(&self) -> String {
        GpuIndividuals::describe(self)
    }
}
