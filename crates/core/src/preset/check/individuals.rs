//! Reads and checks the numbers of individuals: their set of rules, the depth of their world, sights and weights.

use super::are_met_by;
use crate::cells::numbers::Rules;
use crate::cells::numbers::check::{FORMS, check_speeds};
use crate::chain::Chain;
use crate::error::BadInput;
use crate::individuals::numbers::WEIGHT_LIMIT;
use crate::individuals::table::{NeighbourRuleArray, RuleArray};
use crate::individuals::{IndividualRules, MIN_EXTENT, Rule, RuleSet, keys};
use crate::lives::{self, LifeRules};
use crate::noise::{self, Noise};
use crate::numbers::{BOID, ONE, RULE_ONE, fixed};
use crate::preset::IndividualModel;
use crate::source::Source;
use crate::source::places::is_endless;
use crate::terrain;
use crate::world::{Extents, PLACE_BITS};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The default number of rays by which individuals with the rules `aquarium` (fish) find a way past rock.
const RAYS_OF_AQUARIUM: u32 = 100;
/// The default weight of the rule `walls` in an endless world. There it acts at the rim of the moving window.
const RIM_WEIGHT: f64 = 0.3;

/// The old key of the depth. New presets give the depth as the third number of `world.size`.
pub(super) const OWN_DEPTH: &str = "agents.depth";
/// The max depth of a world of individuals, in cells.
const DEEPEST: u32 = 1024;
/// The integer for the weight 1.0 (Q20).
const WEIGHT_ONE: f64 = (1u32 << 20) as f64;

/// Reads the individuals of a preset. `seed`: the seed of the preset. It applies to their lives unless `lives.seed` is
/// given.
pub(super) fn model(source: &Source, seed: u64) -> Result<IndividualModel, BadInput> {
    let set = match source.word("agents.rules") {
        Some("school") => RuleSet::School,
        Some("flock") => RuleSet::Flock,
        Some("circles") => RuleSet::HalfFlock,
        Some("aquarium") => RuleSet::Aquarium,
        Some("couzin") => RuleSet::Couzin,
        Some("vicsek") => RuleSet::Vicsek,
        Some(_) => RuleSet::Reynolds,
        None => {
            let cure = "say whose rules they follow, as in rules = \"flock\"";
            return Err(source.wrong("agents.rules", "is missing", cure));
        }
    };
    source.check_conditions()?;
    let mut rules = IndividualRules::new(set);
    source.read(keys::MOVEMENT, &mut rules)?;
    source.read(keys::KEYS, &mut rules)?;
    source.read(noise::keys::KEYS, &mut rules.noise)?;
    check_speeds(source, rules.cruise, rules.max)?;
    if rules.min > rules.max {
        return Err(source.wrong("movement.min", "is above movement.max", "lower it, or raise movement.max"));
    }
    if source.item("agents.force").is_none() {
        rules.force = match set {
            RuleSet::Reynolds | RuleSet::Couzin | RuleSet::Vicsek => ONE,
            // For fish, the weights of walls, hunters and rock are parts of the max speed.
            RuleSet::Aquarium => rules.max,
            _ => {
                let cure = "say how much a velocity changes in a step at most, as in force = 0.02";
                return Err(source.wrong("agents.force", "is missing", cure));
            }
        };
    }
    let radii = sights(source, set)?;
    let weights = weights(source, set)?;
    // No individual may sink faster than its max speed.
    let lives = lives::check::rules(source, seed)?.map(|lives| LifeRules { sink: lives.sink.min(rules.max), ..lives });
    let in_sums = |rule: Rule| weights.get(rule.name()).map_or(0, |weight| in_sums(set, rules.force, rule, *weight));
    let mut rules = IndividualRules {
        radii,
        weights: RuleArray::from_fn(in_sums),
        rays: terrain::check::rays(source, if set == RuleSet::Aquarium { RAYS_OF_AQUARIUM } else { 0 })?,
        lives,
        ..rules
    };
    crate::FEATURES.iter().try_for_each(|row| (row.read_rules)(source, &mut rules))?;
    Ok(IndividualModel { rules: vec![rules], depth: 1, weights })
}

/// Checks the depth of a world of individuals, in cells. `extents`: the extents of the simulated world.
pub(super) fn depth(source: &Source, extents: Extents) -> Result<u32, BadInput> {
    let depth = extents.slices();
    let key = if source.item(OWN_DEPTH).is_some() { OWN_DEPTH } else { "world.size" };
    if depth > 1 && depth < MIN_EXTENT {
        let cure = format!("1 is a flat world; one with a depth has {MIN_EXTENT} at least");
        return Err(source.wrong(key, format!("{depth} layers are too few"), cure));
    }
    if depth > DEEPEST {
        let cure = format!("individuals have {DEEPEST} at most");
        return Err(source.wrong(key, format!("{depth} layers are too many"), cure));
    }
    Ok(depth)
}

/// A weight in the unit in which kernels sum it (Q20). With the rules `school`, the result is `weight` × `force` (Q14)
/// for all rules. With `reynolds` and `vicsek`, it is `weight` for all rules. With other sets, it is `weight` × `force`
/// only for rules that see no neighbours, such as walls and hunters. Rules that see neighbours compute a force already.
pub(super) fn in_sums(set: RuleSet, force: i32, rule: Rule, weight: f64) -> i32 {
    let is_plain = set.is_of_cells() || set != RuleSet::School && rule.sees_neighbours();
    let unit = if is_plain { 1.0 } else { f64::from(force) / f64::from(ONE) };
    ((weight * unit * WEIGHT_ONE).round() as i32).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT)
}

/// The names of rules in a message, separated by commas.
fn names(rules: impl Iterator<Item = Rule>) -> String {
    rules.map(Rule::name).collect::<Vec<_>>().join(", ")
}

/// Reads the radius of each sight (Q16 of a cell). A preset must give the sights of the rules that all sets have. With
/// the rules `vicsek` it must give only the sight of alignment.
fn sights(source: &Source, set: RuleSet) -> Result<NeighbourRuleArray<u32>, BadInput> {
    let seeing = || set.rules().filter(|rule| rule.sees_neighbours());
    let (given, is_required) = (source.names("sight"), |rule: &Rule| match set {
        RuleSet::Vicsek => *rule == Rule::Alignment,
        _ => RuleSet::ALL.into_iter().all(|set| rule.is_of(set)),
    });
    if let Some(missing) = seeing().filter(is_required).find(|rule| !given.contains(rule.name())) {
        let cure = format!("add [sight.{}] with the radius of a disc, as in disc = 5", missing.name());
        return Err(source.wrong(&format!("sight.{}", missing.name()), "is missing", cure));
    }
    let mut radii = NeighbourRuleArray::default();
    for name in given {
        let key = format!("sight.{name}");
        match seeing().find(|rule| rule.name() == name) {
            Some(rule) => radii[rule] = radius(source, name)?,
            // The sight of a meeting with another species. `species.rs` reads it.
            None if are_met_by(source, name) => {}
            None => {
                let cure = format!("remove it; the rules that see are {}", names(seeing()));
                source.refuse(&key, "agents.rules", cure)?;
            }
        }
    }
    Ok(radii)
}

/// Reads the radius of a sight (Q16 of a cell). `sight`: its name.
pub(super) fn radius(source: &Source, sight: &str) -> Result<u32, BadInput> {
    let key = format!("sight.{sight}");
    if source.choice(&key, &FORMS)? != Some("disc") {
        return Err(source.wrong(&key, "is no disc", "individuals see in a disc or a ball, as in disc = 5"));
    }
    Ok(fixed(source.decimal(&format!("{key}.disc"))?, 1 << PLACE_BITS) as u32)
}

/// The weight of each rule of a set, by name. A weight that the preset leaves out is 0. Only the walls of an endless
/// world and the alignment of `vicsek` have other defaults.
fn weights(source: &Source, set: RuleSet) -> Result<BTreeMap<String, f64>, BadInput> {
    let own = |rule: Rule| match rule {
        Rule::Walls if is_endless(source) => RIM_WEIGHT,
        Rule::Alignment if set == RuleSet::Vicsek => 1.0,
        _ => 0.0,
    };
    let mut weights: BTreeMap<String, f64> = set.rules().map(|rule| (rule.name().to_owned(), own(rule))).collect();
    for name in source.names("weights") {
        let key = format!("weights.{name}");
        match weights.get_mut(name) {
            Some(own) => *own = source.decimal(&key)?,
            None => source.refuse(&key, "agents.rules", format!("its rules are {}", names(set.rules())))?,
        }
    }
    Ok(weights)
}

/// Individuals in a flat world with the rules and numbers of a preset of cells. A sight of n cells becomes a disc with
/// the area of n cells. `chain`: the chain of the cells. Weights that the preset leaves out come from the chain.
pub(super) fn of_cells(source: &Source, rules: &Rules, chain: &Chain) -> Result<IndividualModel, BadInput> {
    const SET: RuleSet = RuleSet::Reynolds;
    let mut weights: BTreeMap<&str, i32> = SET.rules().map(|rule| (rule.name(), 0)).collect();
    let known: Vec<&str> = SET.rules().map(Rule::name).collect();
    weights.extend(chain.weights.iter().chain(&rules.weights).map(|(name, weight)| (name.as_str(), *weight)));
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
    // A perceived density is `quanta >> shift`.
    let crowd = (u64::from(rules.crowd.unsigned_abs()) << rules.shift) * RULE_ONE as u64 / u64::from(BOID);
    let radius = |cells: usize| ((cells as f64 / PI).sqrt() * f64::from(1 << PLACE_BITS)).round() as u32;
    let sight = |rule: Rule| rules.sights.get(rule.name()).filter(|_| rule.is_of(SET));
    let individuals = IndividualRules {
        radii: RuleArray::from_fn(|rule| sight(rule).map_or(0, |sight| radius(sight.vectors().len()))),
        // Converts Q10 to Q20.
        weights: RuleArray::from_fn(|rule| weights.get(rule.name()).map_or(0, |weight| weight << 10)),
        keep: rules.keep,
        cruise: rules.cruise,
        max: rules.max,
        crowd: crowd.clamp(1, 1 << 26) as i32,
        // Each individual draws noise of its own, so noise has no length of correlation.
        noise: Noise { length: 1, ..rules.noise },
        ..IndividualRules::new(SET)
    };
    let decimal = |weight: i32| f64::from(weight) / f64::from(RULE_ONE);
    let weights = weights.into_iter().map(|(name, weight)| (name.to_owned(), decimal(weight))).collect();
    Ok(IndividualModel { rules: vec![individuals], depth: 1, weights })
}
