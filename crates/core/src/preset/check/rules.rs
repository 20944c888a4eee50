//! The numbers of the rules: perception, sights, weights, separation and movement.

use super::fixed;
use crate::error::BadInput;
use crate::numbers::{BOID, ONE, RULE_ONE};
use crate::preset::source::Source;
use crate::preset::spec::{self, Spec};
use crate::rules::{Distribution, Rules};
use crate::sight::Sight;
use std::collections::BTreeMap;

/// The sights that the cell model cannot do without.
const NEEDED_SIGHTS: [&str; 3] = ["cohesion", "separation", "alignment"];
/// Perceived density of a crowd, at most: four of them in Q10 must fit in 31 bits.
const MOST_CROWD: i64 = (1 << 19) - 1;

pub(super) fn rules(source: &Source, spec: &Spec) -> Result<Rules, BadInput> {
    source.check_conditions()?;
    let shift = source.whole("perception.shift", spec.perception.shift)? as u32;
    let movement = &spec.movement;
    let max = fixed(source.decimal("movement.max", movement.max)?, ONE);
    if max == 0 {
        return Err(source.wrong("movement.max", "nothing could move", "it must be above 0 and at most 2"));
    }
    let cruise = fixed(source.decimal("movement.cruise", movement.cruise)?, ONE);
    if cruise > max {
        let (problem, cure) = ("is above movement.max", "lower it, or raise movement.max");
        return Err(source.wrong("movement.cruise", problem, cure));
    }
    let keep = source.decimal("movement.keep", movement.keep)?;
    let wander = source.decimal("movement.wander", movement.wander)?;
    Ok(Rules {
        shift,
        crowd: crowd(source, &spec.separation, shift)?,
        keep: fixed(keep, RULE_ONE) as i32,
        cruise: cruise as i32,
        max: max as i32,
        distribution: match movement.distribution.unwrap_or_default() {
            spec::Distribution::Nearest => Distribution::Nearest,
            spec::Distribution::Split => Distribution::Split,
            spec::Distribution::Bilinear => Distribution::Bilinear,
        },
        carry: movement.carry.unwrap_or(true),
        wander: fixed(wander, ONE) as u32,
        weights: weights(source, &spec.weights)?,
        sights: sights(source, &spec.sight)?,
    })
}

/// A crowd in perceived density.
fn crowd(source: &Source, separation: &spec::Separation, shift: u32) -> Result<i32, BadInput> {
    let key = "separation.crowd";
    let quanta = source.decimal(key, separation.crowd)? * f64::from(BOID);
    let perceived = (quanta / (1u64 << shift) as f64).round() as i64;
    if (1..=MOST_CROWD).contains(&perceived) {
        return Ok(perceived as i32);
    }
    let problem = format!("is {perceived} in perceived density (quanta >> {shift}); possible are 1 to 524 287");
    let cure =
        if perceived == 0 { "raise it, or lower perception.shift" } else { "lower it, or raise perception.shift" };
    Err(source.wrong(key, problem, cure))
}

fn weights(source: &Source, weights: &BTreeMap<String, f64>) -> Result<BTreeMap<String, i32>, BadInput> {
    let check = |(name, weight): (&String, &f64)| {
        let key = named(source, "weights", name)?;
        let weight = source.decimal(&key, Some(*weight))?;
        Ok((name.clone(), fixed(weight, RULE_ONE) as i32))
    };
    weights.iter().map(check).collect()
}

fn sights(source: &Source, sights: &BTreeMap<String, spec::Sight>) -> Result<BTreeMap<String, Sight>, BadInput> {
    if let Some(missing) = NEEDED_SIGHTS.iter().find(|name| !sights.contains_key(**name)) {
        let cure = format!("add [sight.{missing}] with disc, box, rings or list, as in disc = 5");
        return Err(source.wrong(&format!("sight.{missing}"), "is missing", cure));
    }
    let check = |(name, spec): (&String, &spec::Sight)| {
        let key = named(source, "sight", name)?;
        Ok((name.clone(), sight(source, &key, spec)?))
    };
    sights.iter().map(check).collect()
}

/// The dotted key of an entry with a free name, which must be a possible name of a kernel.
fn named(source: &Source, table: &str, name: &str) -> Result<String, BadInput> {
    if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Ok(format!("{table}.{name}"));
    }
    let cure = "a name is made of letters, digits, _ and -";
    Err(source.wrong(table, format!("the name {name:?} cannot be that of a rule"), cure))
}

fn sight(source: &Source, key: &str, spec: &spec::Sight) -> Result<Sight, BadInput> {
    let form = source
        .choice(key, &spec.forms())?
        .ok_or_else(|| source.wrong(key, "says no form", "add one of disc, box, rings or list, as in disc = 5"))?;
    let key = format!("{key}.{form}");
    let sight = match spec {
        spec::Sight { disc: Some(radius), .. } if form == "disc" => {
            Sight::disc(fixed(source.decimal(&key, Some(*radius))?, 1024) as u32)
        }
        spec::Sight { square: Some(radius), .. } if form == "box" => {
            Sight::square(source.whole(&key, Some(*radius))? as u32)
        }
        spec::Sight { rings: Some(rings), .. } if form == "rings" => {
            let directions = source.whole(&format!("{key}.directions"), Some(rings.directions))? as u32;
            let key = format!("{key}.radii");
            let radius = |radius: &i64| source.whole(&key, Some(*radius)).map(|radius| radius as u32);
            Sight::rings(directions, &rings.radii.iter().map(radius).collect::<Result<Vec<_>, _>>()?)
        }
        spec => {
            let component = |n: i64| source.whole(&key, Some(n)).map(|n| n as i32);
            let vectors = spec.list.iter().flatten().map(|spec::Pair([x, y])| Ok([component(*x)?, component(*y)?]));
            Sight::list(&vectors.collect::<Result<Vec<_>, _>>()?)
        }
    };
    // The complaint of a sight is a problem and a cure.
    sight.map_err(|problem| match problem.split_once("; ") {
        Some((problem, cure)) => source.wrong(&key, problem, cure),
        None => source.wrong(&key, problem, "change the vectors"),
    })
}
