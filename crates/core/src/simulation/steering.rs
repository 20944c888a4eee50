//! Replaces the velocities of a swarm with velocities from a program.

use super::Simulation;
use crate::error::{BadInput, Failure};
use crate::lanes::vector::limit_length;
use crate::numbers::ONE;
use crate::state::{Individuals, Layer, State, Swarm};

impl Simulation {
    /// Replaces the velocities of the present swarm: the control vectors of cells, or the velocities of individuals.
    /// Longer vectors are shortened to one cell a step, or to the maximum speed of individuals. Individuals may be in
    /// any order, because their numbers identify them. The run can no longer be saved as a replay, because replays
    /// contain only inputs.
    ///
    /// # Errors
    /// `BadInput` if `swarm` differs from the present swarm in more than velocities. Another error if the device fails,
    /// and no other engine can continue.
    pub fn set_velocities(&mut self, mut swarm: Swarm) -> Result<(), Failure> {
        if !is_alike(&self.swarm()?, &swarm) {
            let problem = "something other than the velocities has changed";
            return Err(BadInput::new("velocities", problem, "change the velocities of the present swarm alone").into());
        }
        match &mut swarm {
            Swarm::Cells(state) => limit_control(state),
            Swarm::Individuals(individuals, _) => {
                individuals.slow_down(self.preset.individuals.as_ref().map_or(ONE, |model| model.max()));
            }
        }
        self.engine.set_swarm(&swarm)?;
        self.record = None;
        self.inputs += 1;
        Ok(())
    }
}

/// Whether two swarms differ only in their velocities.
fn is_alike(present: &Swarm, swarm: &Swarm) -> bool {
    match (present, swarm) {
        (Swarm::Cells(present), Swarm::Cells(state)) => {
            let are_alike = |(own, other): (&Layer, &Layer)| {
                own.density == other.density && own.control.len() == other.control.len()
            };
            (present.extents, &present.columns) == (state.extents, &state.columns)
                && present.layers.len() == state.layers.len()
                && present.layers.iter().zip(&state.layers).all(are_alike)
        }
        (Swarm::Individuals(present, columns), Swarm::Individuals(individuals, next)) => {
            // An engine orders individuals by place, and a caller may order them by number.
            let still = |of: &Individuals| Individuals { velocities: Default::default(), ..of.in_order() };
            lengths(present) == lengths(individuals) && still(present) == still(individuals) && columns == next
        }
        _ => false,
    }
}

fn lengths(individuals: &Individuals) -> impl PartialEq {
    let Individuals { numbers, positions, velocities, lives } = individuals;
    let vectors = [positions, velocities].map(|lists| lists.each_ref().map(Vec::len));
    (numbers.len(), vectors, lives.each_ref().map(Vec::len))
}

/// Limits all control vectors to one cell a step.
fn limit_control(state: &mut State) {
    for layer in &mut state.layers {
        for index in 0..layer.density.len() {
            layer.set_velocity(index, limit_length(layer.velocity(index), ONE));
        }
    }
}

#[cfg(test)]
mod tests;
