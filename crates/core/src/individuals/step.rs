//! Parts that features, such as food, add to a step of individuals on the CPU, beside the rules and the movement.

use super::search::Search;
use super::species::SpeciesNumbers;
use super::sums::IndividualsInUnits;
use super::{IndividualParameters, Setup};
use crate::error::Failure;
use crate::lanes::InstructionSet;
use crate::lives::needs::Meals;
use crate::parallel::ThreadPool;
use crate::ranks::Ranks;
use crate::state::{Individuals, LIFE_WORDS, Ledger, WorldColumns};

/// The state of a step, as parts of the step read and change it.
pub struct StepState<'a> {
    /// The setup of the engine.
    pub setup: &'a Setup,
    /// The numbers of the step.
    pub parameters: &'a mut IndividualParameters,
    /// The individuals of this process.
    pub individuals: &'a mut Individuals,
    /// The columns of the world.
    pub columns: &'a mut WorldColumns,
    /// The changes of the account in the step.
    pub turnover: &'a mut Ledger,
    /// The search for neighbours.
    pub search: &'a Search,
    /// The individuals before their movement, in the units of the search and in its order. Until the search has sorted
    /// the individuals, they are the individuals of the last step.
    pub measured: &'a IndividualsInUnits,
    /// The threads of the engine.
    pub pool: &'a ThreadPool,
    /// The instruction set of the engine.
    pub instruction_set: InstructionSet,
    /// The ranks among which the individuals are divided; `None`: this process has all of them.
    pub ranks: Option<&'a dyn Ranks>,
}

/// A part of a step of individuals on the CPU.
pub trait StepPart: Send + Sync {
    /// Called first, before any life ends.
    ///
    /// # Errors
    /// If another rank has ended.
    fn begin(&mut self, _step: &mut StepState<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Called when the individuals are in the order of the search, before any of them moves. It changes neither
    /// individuals nor columns, because [`Self::go_back`] only undoes [`Self::begin`].
    ///
    /// # Errors
    /// If another rank has ended.
    fn prepare(&mut self, _step: &mut StepState<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// The meals of the individuals of a block, which are all of one species. `None`: this part of the step gives no
    /// meals. If several parts return meals, the individuals eat the meals of the first. `places` has a list for each
    /// axis (Q16 of a cell), and `lives` a list for each word of a life.
    fn meals(
        &self,
        _columns: &WorldColumns,
        _parameters: &IndividualParameters,
        _own: &SpeciesNumbers,
        _places: [&[i32]; 3],
        _lives: [&[i32]; LIFE_WORDS],
    ) -> Option<Meals> {
        None
    }

    /// Called when all individuals have moved.
    ///
    /// # Errors
    /// If another rank has ended.
    fn end(&mut self, _step: &mut StepState<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Undoes [`Self::begin`] if a step is abandoned.
    fn go_back(&self, _columns: &mut WorldColumns) {}
}
