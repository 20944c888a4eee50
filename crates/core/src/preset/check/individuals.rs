//! The individuals of a preset of the cell system: the rules of its cells, with its numbers, for whoever lives in them.
//!
//! A sight of n cells becomes a disc with the area of n cells; every other number stays what it is.

use crate::agents::numbers::WEIGHT_LIMIT;
use crate::agents::table::ByRule;
use crate::agents::{AgentRules, PLACE_BITS, Rule, RuleSet};
use crate::chain::Chain;
use crate::error::BadInput;
use crate::numbers::{BOID, RULE_ONE};
use crate::preset::AgentModel;
use crate::preset::source::Source;
use crate::rules::Rules;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The rules of these individuals.
const SET: RuleSet = RuleSet::Reynolds;

/// The model of the individuals, in a flat world. `chain`: the one that the cells are played with, for the weights that the
/// preset leaves to it.
pub(super) fn model(source: &Source, rules: &Rules, chain: &Chain) -> Result<AgentModel, BadInput> {
    let known: Vec<&str> = SET.rules().map(Rule::name).collect();
    let mut weights: BTreeMap<&str, i32> = known.iter().map(|name| (*name, 0)).collect();
    for (name, weight) in chain.weights.iter().chain(&rules.weights) {
        weights.insert(name, *weight);
    }
    for (name, weight) in &weights {
        let key = format!("weights.{name}");
        if !known.contains(name) && *weight != 0 {
            let cure = format!("theirs are {}; set it to 0", known.join(", "));
            return Err(source.wrong(&key, format!("individuals know no rule {name:?}"), cure));
        }
        if weight.abs() > WEIGHT_LIMIT >> 10 {
            let problem = "individuals weigh a rule with 8 at most";
            return Err(source.wrong(&key, problem, "it must be from -8 to 8"));
        }
    }
    weights.retain(|name, _| known.contains(name));
    // Perceived density is quanta >> shift.
    let crowd = (u64::from(rules.crowd.unsigned_abs()) << rules.shift) * RULE_ONE as u64 / u64::from(BOID);
    let agents = AgentRules {
        set: SET,
        radii: ByRule::from_fn(|rule| {
            rules
                .sights
                .get(rule.name())
                .filter(|_| rule.is_of(SET))
                .map_or(0, |sight| radius_of(sight.vectors().len()))
        }),
        // Q10 to Q20.
        weights: ByRule::from_fn(|rule| weights.get(rule.name()).map_or(0, |weight| weight << 10)),
        force: 0,
        keep: rules.keep,
        cruise: rules.cruise,
        max: rules.max,
        crowd: crowd.clamp(1, 1 << 26) as i32,
    };
    let decimal = |weight: i32| f64::from(weight) / f64::from(RULE_ONE);
    let weights = weights.into_iter().map(|(name, weight)| (name.to_owned(), decimal(weight))).collect();
    Ok(AgentModel { rules: agents, depth: 1, weights })
}

/// The radius (Q16 of a cell) of a disc with the area of so many cells.
fn radius_of(cells: usize) -> u32 {
    ((cells as f64 / PI).sqrt() * f64::from(1 << PLACE_BITS)).round() as u32
}
