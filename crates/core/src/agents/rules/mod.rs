//! The rules of individuals, one file each; the table that lists them is [`super::table`].
//!
//! A rule that looks at neighbours takes two steps. It sums a quantity over the neighbours within its radius; from the sum
//! it makes a direction, for the sets whose rules only have directions (school, flock), or a control vector, for the set that
//! has the form of the cell system (reynolds). The twins in WGSL are the files of the same names in `shaders/agents/`.

mod alignment;
mod clarity;
mod cohesion;
mod hunter;
mod separation;
mod walls;

pub use alignment::Alignment;
pub use clarity::Clarity;
pub use cohesion::Cohesion;
pub use hunter::Hunter;
pub use separation::Separation;
pub use walls::Walls;

use super::numbers::Units;
use super::parameters::AgentParameters;
use super::situation::{Neighbour, Situation, Surroundings};
use super::table::{KnownSet, Rule, rules};
use super::{PLACE_BITS, Space};
use crate::lanes::Lanes;
use crate::numbers::Vector3;
use crate::vector::zero;
use crate::world::PARTS;

/// A rule that looks at neighbours.
pub trait NeighbourRule {
    const RULE: Rule;
    /// Whether the rule's control vector needs the number of neighbours.
    const COUNTS: bool = false;

    /// Which of the neighbours `within` the radius count (masks).
    #[inline(always)]
    fn seen<V: Lanes, const AXES: usize>(_: &Neighbour<V, AXES>, within: V) -> V {
        within
    }

    /// What is summed over the neighbours.
    fn quantity<S: KnownSet, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, units: &Units) -> [V; AXES];

    /// The direction in which the rule asks to go; its length does not matter.
    fn direction<S: KnownSet, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES];

    /// The control vector (Q10) in the form of the cell system, for the sets that have it.
    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(_: &Situation<'_, V, AXES>) -> [V; AXES] {
        zero()
    }
}

/// A rule that looks at the world around an agent.
pub trait WorldRule {
    const RULE: Rule;

    /// The control vector (Q10) at a place in 1/16 cell.
    fn control(place: Vector3, space: &Space, parameters: &AgentParameters) -> Vector3;
}

/// The control vectors of all rules that look at the world, at a position (Q16).
#[inline(always)]
pub fn surroundings(position: Vector3, space: &Space, parameters: &AgentParameters) -> Surroundings<i32> {
    let place = position.map(in_parts);
    macro_rules! controls {
        (neighbours $neighbours:tt world { $($Rule:ident $name:literal $sets:tt)* }) => {
            [$(<$Rule as WorldRule>::control(place, space, parameters)),*]
        };
    }
    rules!(controls)
}

/// A position (Q16) in 1/16 cell, counted from the middle of a cell as the cell system does.
#[inline(always)]
pub fn in_parts(position: i32) -> i32 {
    ((position + (1 << (PLACE_BITS - 5))) >> (PLACE_BITS - 4)) - PARTS / 2
}
