//! The parameters of several steps. The model is cells or individuals.

use crate::cells::numbers::Parameters;
use crate::individuals::IndividualParameters;

/// The parameters of several steps.
#[derive(Clone)]
pub enum Steps {
    /// Steps of the cell system.
    Cells(CellSteps),
    /// Steps of individuals, one set of parameters for each step.
    Individuals(Vec<IndividualParameters>),
}

/// The parameters of several steps of the cell system: one set for each layer of each step.
#[derive(Clone)]
pub struct CellSteps {
    /// The sets of parameters: one set for each layer of the first step, then one for each layer of the second step,
    /// and so on.
    pub parameters: Vec<Parameters>,
    /// The number of layers, which is the number of sets in a step.
    pub layers: usize,
}

impl Steps {
    /// The number of steps.
    pub fn len(&self) -> usize {
        match self {
            Self::Cells(CellSteps { parameters, layers }) => parameters.len() / layers,
            Self::Individuals(steps) => steps.len(),
        }
    }

    /// Whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes the first `count` steps, and returns them.
    pub fn take_first(&mut self, count: usize) -> Self {
        match self {
            Self::Cells(CellSteps { parameters, layers }) => {
                let first = parameters.drain(..count * *layers).collect();
                Self::Cells(CellSteps { parameters: first, layers: *layers })
            }
            Self::Individuals(steps) => Self::Individuals(steps.drain(..count).collect()),
        }
    }

    /// Removes all steps.
    pub fn clear(&mut self) {
        match self {
            Self::Cells(steps) => steps.parameters.clear(),
            Self::Individuals(steps) => steps.clear(),
        }
    }

    /// Adds the first `count` steps of later steps of the same model.
    pub fn extend(&mut self, later: &Self, count: usize) {
        match (self, later) {
            (Self::Cells(steps), Self::Cells(later)) => {
                steps.layers = later.layers;
                steps.parameters.extend_from_slice(&later.parameters[..count * later.layers]);
            }
            (Self::Individuals(steps), Self::Individuals(later)) => steps.extend_from_slice(&later[..count]),
            _ => unreachable!("an engine has played them"),
        }
    }
}
