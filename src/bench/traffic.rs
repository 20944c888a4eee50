//! The memory traffic of a step: the least that the method needs, and that of the passes of a plan.

use crate::chain::plan::{Plan, Slot};

/// Bytes of a cell in a field.
const WORD: u64 = 4;
/// Bytes per cell and step of the method in two passes. The first reads density and control vector and writes the vector; the
/// second reads both and writes both.
pub const METHOD: u64 = 7 * WORD;

/// Bytes per cell that the passes of a plan read and write in a step.
///
/// A field counts once for each pass that reads it, however many neighbours the pass reads: these come from the cache. Cache
/// lines that a processor reads before it overwrites them, and halos, do not count.
pub fn of(plan: &Plan) -> u64 {
    let distinct = |slots: &[Slot]| (0..slots.len()).filter(|index| !slots[..*index].contains(&slots[*index])).count();
    plan.phases[0].iter().map(|pass| WORD * (distinct(&pass.read) + distinct(&pass.write)) as u64).sum()
}

/// Bytes per second at this many cells per second.
pub fn bandwidth(bytes_a_cell: u64, cells_a_second: f64) -> f64 {
    bytes_a_cell as f64 * cells_a_second
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Chain;
    use crate::preset::{Overrides, Preset};

    fn plan(chain: &str, set: &[&str]) -> Plan {
        let overrides = Overrides {
            size: Some((16, 16)),
            set: set.iter().map(ToString::to_string).collect(),
            ..Default::default()
        };
        let preset = Preset::load(crate::host(), "droplets", &overrides).unwrap();
        Plan::new(&Chain::load(crate::host().as_ref(), chain).unwrap(), &preset.rules, &preset.world).unwrap()
    }

    #[test]
    fn the_papers_chain_moves_what_its_passes_list() {
        // cohesion and separation 1 + 1 each, alignment 2 + 1, steer 4 + 1, outflow 3 + 4, advect 5 + 2.
        assert_eq!(of(&plan("cell", &["movement.wander=0"])), 4 * (2 + 2 + 3 + 5 + 7 + 7));
        // Wandering reads two and writes one.
        assert_eq!(of(&plan("cell", &[])), 4 * (2 + 2 + 3 + 5 + 7 + 7 + 3));
        // A rule that weighs nothing is not played, and not summed.
        assert_eq!(of(&plan("cell", &["movement.wander=0", "weights.separation=0"])), 4 * (2 + 3 + 4 + 7 + 7));
    }

    #[test]
    fn bandwidth_is_bytes_by_cells() {
        assert_eq!(bandwidth(METHOD, 1e9), 28e9);
    }
}
