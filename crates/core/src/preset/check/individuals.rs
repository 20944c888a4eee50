//! The individuals of a preset of the cell system: the rules of its cells, with its numbers, for whoever lives in them.
//!
//! A sight of n cells becomes a disc with the area of n cells; every other number stays what it is.

use crate::agents::PLACE_BITS;
use crate::agents::rules::{AgentRules, RuleSet, WEIGHT_LIMIT, Weights};
use crate::chain::Chain;
use crate::error::BadInput;
use crate::numbers::{BOID, RULE_ONE};
use crate::preset::AgentModel;
use crate::preset::source::Source;
use crate::rules::Rules;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The rules that individuals know.
const KNOWN: [&str; 5] = ["cohesion", "separation", "alignment", "hunter", "walls"];

/// The model of the individuals, in a flat world. `chain`: the one that the cells are played with, for the weights that the
/// preset leaves to it.
pub(super) fn model(source: &Source, rules: &Rules, chain: &Chain) -> Result<AgentModel, BadInput> {
    let mut weights: BTreeMap<&str, i32> = KNOWN.iter().map(|name| (*name, 0)).collect();
    for (name, weight) in chain.weights.iter().chain(&rules.weights) {
        weights.insert(name, *weight);
    }
    for (name, weight) in &weights {
        let key = format!("weights.{name}");
        if !KNOWN.contains(name) && *weight != 0 {
            let cure = format!("theirs are {}; set it to 0", KNOWN.join(", "));
            return Err(source.wrong(&key, format!("individuals know no rule {name:?}"), cure));
        }
        if weight.abs() > WEIGHT_LIMIT >> 10 {
            let problem = "individuals weigh a rule with 8 at most";
            return Err(source.wrong(&key, problem, "it must be from -8 to 8"));
        }
    }
    weights.retain(|name, _| KNOWN.contains(name));
    let weight = |name: &str| weights.get(name).map_or(0, |weight| weight << 10);
    let radius = |name: &str| rules.sights.get(name).map_or(0, |sight| radius_of(sight.vectors().len()));
    // Perceived density is quanta >> shift.
    let crowd = (u64::from(rules.crowd.unsigned_abs()) << rules.shift) * RULE_ONE as u64 / u64::from(BOID);
    let agents = AgentRules {
        set: RuleSet::Reynolds,
        cohesion: radius("cohesion"),
        separation: radius("separation"),
        alignment: radius("alignment"),
        clarity: 0,
        weights: Weights {
            cohesion: weight("cohesion"),
            separation: weight("separation"),
            alignment: weight("alignment"),
            clarity: 0,
            hunter: weight("hunter"),
            walls: weight("walls"),
        },
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
