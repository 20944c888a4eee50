//! Walls: towards the inside (see [`crate::world::walls`]).

use super::WorldRule;
use crate::agents::parameters::AgentParameters;
use crate::agents::table::Rule;
use crate::agents::{Space, Vector3};
use crate::world::{Edges, PARTS, walls};

pub struct Walls;

impl WorldRule for Walls {
    const RULE: Rule = Rule::Walls;

    #[inline(always)]
    fn control(place: Vector3, space: &Space, parameters: &AgentParameters) -> Vector3 {
        let mut control = [0; 3];
        if parameters.margin > 0 && space.edges == Edges::Walls {
            for axis in 0..space.axes() {
                control[axis] = walls(place[axis], space.extents[axis] as i32 * PARTS, parameters.margin * PARTS);
            }
        }
        control
    }
}
