//! The numbers of the rules: perception, sights, weights, separation and movement.

use super::fixed;
use crate::error::BadInput;
use crate::numbers::{BOID, ONE, RULE_ONE, WEIGHT_LIMIT};
use crate::preset::source::Source;
use crate::preset::spec::{self, Spec};
use crate::rules::{Distribution, Rules};
use crate::sight::{FARTHEST_REACH, Sight};
use std::collections::BTreeMap;

/// The sights that the cell model cannot do without.
const NEEDED_SIGHTS: [&str; 3] = ["cohesion", "separation", "alignment"];
/// Perceived density of a crowd, at most: four of them in Q10 must fit in 31 bits.
const MOST_CROWD: i64 = (1 << 19) - 1;

pub(super) fn rules(source: &Source, spec: &Spec) -> Result<Rules, BadInput> {
    let shift = source.within("perception.shift", spec.perception.shift.unwrap_or(12), 0..=31)? as u32;
    let movement = &spec.movement;
    let max = fixed(source.within("movement.max", movement.max.unwrap_or(0.95), 0.0..=2.0)?, ONE);
    if max == 0 {
        return Err(source.wrong("movement.max", "nothing could move", "it must be above 0 and at most 2"));
    }
    let cruise = fixed(source.within("movement.cruise", movement.cruise.unwrap_or(0.0), 0.0..=2.0)?, ONE);
    if cruise > max {
        let (problem, cure) = ("is above movement.max", "lower it, or raise movement.max");
        return Err(source.wrong("movement.cruise", problem, cure));
    }
    let keep = source.within("movement.keep", movement.keep.unwrap_or(1.0), 0.0..=1.0)?;
    let wander = source.within("movement.wander", movement.wander.unwrap_or(0.0), 0.0..=0.125)?;
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
    let quanta = source.within(key, separation.crowd.unwrap_or(1.0), 0.0..=65536.0)? * f64::from(BOID);
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
    let most = f64::from(WEIGHT_LIMIT / RULE_ONE);
    let check = |(name, weight): (&String, &f64)| {
        let key = named(source, "weights", name)?;
        let weight = source.within(&key, *weight, -most..=most)?;
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

/// The dotted key of an entry whose name is free, where a kernel could have that name.
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
    let farthest = i64::from(FARTHEST_REACH);
    let sight = match spec {
        spec::Sight { disc: Some(radius), .. } if form == "disc" => {
            Sight::disc(fixed(source.within(&key, *radius, 1.0..=farthest as f64)?, 1024) as u32)
        }
        spec::Sight { square: Some(radius), .. } if form == "box" => {
            Sight::square(source.within(&key, *radius, 1..=farthest)? as u32)
        }
        spec::Sight { rings: Some(rings), .. } if form == "rings" => {
            let directions = source.within(&format!("{key}.directions"), rings.directions, 4..=32)? as u32;
            let radius = |radius: &i64| source.within(&format!("{key}.radii"), *radius, 1..=farthest).map(|r| r as u32);
            Sight::rings(directions, &rings.radii.iter().map(radius).collect::<Result<Vec<_>, _>>()?)
        }
        spec => {
            let component = |n: i64| source.within(&key, n, -farthest..=farthest).map(|n| n as i32);
            let vectors = spec.list.iter().flatten().map(|spec::Pair([x, y])| Ok([component(*x)?, component(*y)?]));
            Sight::list(&vectors.collect::<Result<Vec<_>, _>>()?)
        }
    };
    // A sight says both what is wrong with it and what would be right.
    sight.map_err(|problem| match problem.split_once("; ") {
        Some((problem, cure)) => source.wrong(&key, problem, cure),
        None => source.wrong(&key, problem, "change the vectors"),
    })
}
