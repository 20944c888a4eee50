//! The hunter: away from it or towards it (see [`HunterPlace::control`]). It is a column through the whole depth of a world.
//!
//! [`HunterPlace::control`]: crate::world::HunterPlace::control

use super::WorldRule;
use crate::agents::parameters::AgentParameters;
use crate::agents::table::Rule;
use crate::agents::{Space, Vector3};

pub struct Hunter;

impl WorldRule for Hunter {
    const RULE: Rule = Rule::Hunter;

    #[inline(always)]
    fn control([x, y, _]: Vector3, space: &Space, parameters: &AgentParameters) -> Vector3 {
        let [x, y] = parameters.hunter().control([x, y], space.extents(), space.edges);
        [x, y, 0]
    }
}
