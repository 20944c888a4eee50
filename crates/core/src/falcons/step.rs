//! The flight of falcons in a step of individuals on the CPU.

use super::sight_of_individuals::see;
use super::{Falcon, fly_all};
use crate::error::Failure;
use crate::individuals::step::{StepPart, StepState};
use crate::state::WorldColumns;

/// The flight of all falcons over individuals.
#[derive(Default)]
pub struct FalconStep {
    /// The falcons before the present step.
    before: Vec<Falcon>,
}

impl StepPart for FalconStep {
    fn begin(&mut self, step: &mut StepState<'_>) -> Result<(), Failure> {
        let StepState { setup, parameters, individuals, columns, ranks, .. } = step;
        let space = &setup.habitat.space;
        let rock = setup.habitat.gap_field();
        let falcons = Falcon::all_of_mut(columns);
        self.before.clear();
        self.before.extend_from_slice(falcons);
        fly_all(falcons, &mut parameters.hunters, space.ends(), space.edges, rock, |numbers, place| {
            let seen = see(individuals, space, numbers.sight, place);
            ranks.map_or(Ok(seen), |ranks| seen.sum_over(ranks))
        })
    }

    fn go_back(&self, columns: &mut WorldColumns) {
        Falcon::all_of_mut(columns).copy_from_slice(&self.before);
    }
}
