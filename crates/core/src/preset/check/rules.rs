//! The numbers of the cells' rules: perception, sights, weights, separation and movement.

use super::fixed;
use crate::error::BadInput;
use crate::numbers::{BOID, ONE, RULE_ONE};
use crate::preset::source::Source;
use crate::rules::{Distribution, Rules};
use crate::sight::Sight;
use std::collections::BTreeMap;
use toml_edit::Item;

/// The sights that the cell model cannot do without.
const NEEDED_SIGHTS: [&str; 3] = ["cohesion", "separation", "alignment"];
/// The forms of a sight.
pub(super) const FORMS: [&str; 4] = ["disc", "box", "rings", "list"];
/// Perceived density of a crowd, at most: four of them in Q10 must fit in 31 bits.
const MOST_CROWD: i64 = (1 << 19) - 1;

pub(super) fn rules(source: &Source) -> Result<Rules, BadInput> {
    source.check_conditions()?;
    let shift = source.whole("perception.shift")? as u32;
    let [keep, cruise, max] = movement(source)?;
    Ok(Rules {
        shift,
        crowd: crowd(source, shift)?,
        keep,
        cruise,
        max,
        distribution: match source.word("movement.distribution") {
            Some("nearest") => Distribution::Nearest,
            Some("split") => Distribution::Split,
            _ => Distribution::Bilinear,
        },
        carry: source.item("movement.carry").and_then(Item::as_bool).unwrap_or(true),
        wander: fixed(source.decimal("movement.wander")?, ONE) as u32,
        rest: 0,
        weights: named(source, "weights", |key| Ok(fixed(source.decimal(key)?, RULE_ONE) as i32))?,
        sights: sights(source)?,
    })
}

/// The numbers of movement that both models have: keep (Q10), cruise and max (Q14).
pub(super) fn movement(source: &Source) -> Result<[i32; 3], BadInput> {
    let speed = |key: &str| Ok(fixed(source.decimal(key)?, ONE) as i32);
    let (max, cruise) = (speed("movement.max")?, speed("movement.cruise")?);
    if max == 0 {
        return Err(source.wrong("movement.max", "nothing could move", "it must be above 0 and at most 2"));
    }
    if cruise > max {
        let (problem, cure) = ("is above movement.max", "lower it, or raise movement.max");
        return Err(source.wrong("movement.cruise", problem, cure));
    }
    Ok([fixed(source.decimal("movement.keep")?, RULE_ONE) as i32, cruise, max])
}

/// A crowd in perceived density.
fn crowd(source: &Source, shift: u32) -> Result<i32, BadInput> {
    let key = "separation.crowd";
    let quanta = source.decimal(key)? * f64::from(BOID);
    let perceived = (quanta / (1u64 << shift) as f64).round() as i64;
    if (1..=MOST_CROWD).contains(&perceived) {
        return Ok(perceived as i32);
    }
    let problem = format!("is {perceived} in perceived density (quanta >> {shift}); possible are 1 to 524 287");
    let cure =
        if perceived == 0 { "raise it, or lower perception.shift" } else { "lower it, or raise perception.shift" };
    Err(source.wrong(key, problem, cure))
}

/// The value of each entry of a table of free names, by the name and from the key. A name must be possible for a kernel.
fn named<T>(
    source: &Source,
    table: &str,
    value: impl Fn(&str) -> Result<T, BadInput>,
) -> Result<BTreeMap<String, T>, BadInput> {
    let entry = |name: &str| {
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
            let cure = "a name is made of letters, digits, _ and -";
            return Err(source.wrong(table, format!("the name {name:?} cannot be that of a rule"), cure));
        }
        Ok((name.to_owned(), value(&format!("{table}.{name}"))?))
    };
    source.names(table).into_iter().map(entry).collect()
}

fn sights(source: &Source) -> Result<BTreeMap<String, Sight>, BadInput> {
    let names = source.names("sight");
    if let Some(missing) = NEEDED_SIGHTS.iter().find(|name| !names.contains(**name)) {
        let cure = format!("add [sight.{missing}] with disc, box, rings or list, as in disc = 5");
        return Err(source.wrong(&format!("sight.{missing}"), "is missing", cure));
    }
    named(source, "sight", |key| sight(source, key))
}

fn sight(source: &Source, key: &str) -> Result<Sight, BadInput> {
    let form = source
        .choice(key, &FORMS)?
        .ok_or_else(|| source.wrong(key, "says no form", "add one of disc, box, rings or list, as in disc = 5"))?;
    let key = format!("{key}.{form}");
    let sight = match form {
        "disc" => Sight::disc(fixed(source.decimal(&key)?, 1024) as u32),
        "box" => Sight::square(source.whole(&key)? as u32),
        "rings" => {
            let radii = source.numbers(&format!("{key}.radii"))?.into_iter().map(|radius| radius as u32);
            Sight::rings(source.whole(&format!("{key}.directions"))? as u32, &radii.collect::<Vec<_>>())
        }
        _ => {
            let vectors = source.points(&key)?.into_iter().map(|vector| vector.map(|n| n as i32));
            Sight::list(&vectors.collect::<Vec<_>>())
        }
    };
    // The complaint of a sight is a problem and a cure.
    sight.map_err(|problem| {
        let (problem, cure) = problem.split_once("; ").unwrap_or((&problem, "change the vectors"));
        source.wrong(&key, problem, cure)
    })
}
