//! The numbers of individuals: their set of rules, the depth of their world, sights and weights.

use super::fixed;
use crate::agents::numbers::WEIGHT_LIMIT;
use crate::agents::table::ByRule;
use crate::agents::{AgentRules, LEAST_EXTENT, PLACE_BITS, Rule, RuleSet};
use crate::error::BadInput;
use crate::numbers::{ONE, RULE_ONE};
use crate::preset::AgentModel;
use crate::preset::source::Source;
use crate::preset::spec::{self, Spec};
use crate::rules::{Distribution, Rules};
use std::collections::BTreeMap;

/// One in a weight (Q20).
const WEIGHT_ONE: f64 = (1u32 << 20) as f64;

/// The individuals of a preset.
pub(super) fn model(source: &Source, spec: &Spec) -> Result<AgentModel, BadInput> {
    let missing = || source.wrong("agents.rules", "is missing", "say whose rules they follow, as in rules = \"flock\"");
    let agents = spec.agents.as_ref().ok_or_else(missing)?;
    let set = match agents.rules.ok_or_else(missing)? {
        spec::AgentSet::School => RuleSet::School,
        spec::AgentSet::Flock => RuleSet::Flock,
        spec::AgentSet::Circles => RuleSet::HalfFlock,
        spec::AgentSet::Reynolds => RuleSet::Reynolds,
    };
    source.check_conditions()?;
    let depth = source.whole("agents.depth", agents.depth)?;
    if depth > 1 && depth < i64::from(LEAST_EXTENT) {
        let cure = format!("1 is a flat world; one with a depth has {LEAST_EXTENT} at least");
        return Err(source.wrong("agents.depth", format!("{depth} layers are too few"), cure));
    }
    let movement = &spec.movement;
    let max = speed(source, "movement.max", movement.max)?;
    if max == 0 {
        return Err(source.wrong("movement.max", "nothing could move", "it must be above 0 and at most 2"));
    }
    let cruise = speed(source, "movement.cruise", movement.cruise)?;
    if cruise > max {
        let (problem, cure) = ("is above movement.max", "lower it, or raise movement.max");
        return Err(source.wrong("movement.cruise", problem, cure));
    }
    let force = match agents.force {
        Some(force) => speed(source, "agents.force", Some(force))?,
        None if set == RuleSet::Reynolds => ONE,
        None => {
            let cure = "say how much a velocity changes in a step at most, as in force = 0.02";
            return Err(source.wrong("agents.force", "is missing", cure));
        }
    };
    let sights = sights(source, spec, set)?;
    let weights = weights(source, spec, set)?;
    let radius = |rule| {
        sights.iter().find(|(seeing, _)| *seeing == rule).map_or(0, |(_, cells)| fixed(*cells, 1 << PLACE_BITS) as u32)
    };
    let keep = source.decimal("movement.keep", movement.keep)?;
    let crowd = source.decimal("separation.crowd", spec.separation.crowd)?;
    let rules = AgentRules {
        set,
        radii: ByRule::from_fn(radius),
        weights: ByRule::from_fn(|rule| {
            weights.get(rule.name()).map_or(0, |weight| in_sums(set, force, rule, *weight))
        }),
        force,
        keep: fixed(keep, RULE_ONE) as i32,
        cruise,
        max,
        crowd: fixed(crowd, RULE_ONE).max(1) as i32,
    };
    Ok(AgentModel { rules, depth: depth as u32, weights })
}

/// A speed or a change of it, in Q14.
fn speed(source: &Source, key: &str, cells: Option<f64>) -> Result<i32, BadInput> {
    Ok(fixed(source.decimal(key, cells)?, ONE) as i32)
}

/// A weight as it is summed (Q20): a multiple of the force. The rules of a flock are forces already, and those of Reynolds
/// have no force: their weights are taken as they are.
fn in_sums(set: RuleSet, force: i32, rule: Rule, weight: f64) -> i32 {
    let is_plain = set == RuleSet::Reynolds || set != RuleSet::School && rule.sees_neighbours();
    let unit = if is_plain { 1.0 } else { f64::from(force) / f64::from(ONE) };
    ((weight * unit * WEIGHT_ONE).round() as i32).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT)
}

/// The names of rules, as messages list them.
fn names(rules: impl Iterator<Item = Rule>) -> String {
    rules.map(Rule::name).collect::<Vec<_>>().join(", ")
}

/// The radius of each sight in cells. The sights of the rules that all sets have must be there.
fn sights(source: &Source, spec: &Spec, set: RuleSet) -> Result<Vec<(Rule, f64)>, BadInput> {
    let seeing = || set.rules().filter(|rule| rule.sees_neighbours());
    let is_required = |rule: &Rule| RuleSet::ALL.into_iter().all(|set| rule.is_of(set));
    if let Some(missing) = seeing().filter(is_required).find(|rule| !spec.sight.contains_key(rule.name())) {
        let cure = format!("add [sight.{}] with the radius of a disc, as in disc = 5", missing.name());
        return Err(source.wrong(&format!("sight.{}", missing.name()), "is missing", cure));
    }
    let mut radii = Vec::new();
    for (name, sight) in &spec.sight {
        let key = format!("sight.{name}");
        let Some(rule) = seeing().find(|rule| rule.name() == name) else {
            let cure = format!("remove it; the rules that see are {}", names(seeing()));
            source.stray(&key, "agents.rules", cure)?;
            continue;
        };
        let radius = match (source.choice(&key, &sight.forms())?, sight.disc) {
            (Some("disc"), Some(radius)) => radius,
            _ => return Err(source.wrong(&key, "is no disc", "individuals see in a disc or a ball, as in disc = 5")),
        };
        // A radius below a unit of the sums would see nobody without a message.
        radii.push((rule, source.decimal(&format!("{key}.disc"), Some(radius))?));
    }
    Ok(radii)
}

/// The weight of each rule of the set by name; 0 where the preset has none.
fn weights(source: &Source, spec: &Spec, set: RuleSet) -> Result<BTreeMap<String, f64>, BadInput> {
    let mut weights: BTreeMap<String, f64> = set.rules().map(|rule| (rule.name().to_owned(), 0.0)).collect();
    for (name, weight) in &spec.weights {
        let key = format!("weights.{name}");
        let Some(own) = weights.get_mut(name) else {
            let cure = format!("its rules are {}", names(set.rules()));
            source.stray(&key, "agents.rules", cure)?;
            continue;
        };
        *own = source.decimal(&key, Some(*weight))?;
    }
    Ok(weights)
}

/// The unused numbers of the cell system in a preset of individuals.
pub(super) fn no_cells() -> Rules {
    Rules {
        shift: 0,
        crowd: 1,
        keep: RULE_ONE,
        cruise: 0,
        max: ONE,
        distribution: Distribution::Bilinear,
        carry: true,
        wander: 0,
        weights: BTreeMap::new(),
        sights: BTreeMap::new(),
    }
}
