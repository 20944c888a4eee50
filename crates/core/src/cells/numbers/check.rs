//! The numbers of the cells' rules: perception, sights, weights, separation and movement.

use crate::cells::numbers::{KEYS, PERCEPTION, Rules};
use crate::cells::sight::Sight;
use crate::error::BadInput;
use crate::noise;
use crate::numbers::{BOID, RULE_ONE, each_axis, fixed};
use crate::source::Source;
use std::collections::BTreeMap;

const NEEDED_SIGHTS: [&str; 3] = ["cohesion", "separation", "alignment"];
/// The forms of a sight.
pub(crate) const FORMS: [&str; 7] = ["disc", "box", "rings", "list", "ball", "directions", "contrast"];
/// The only rule that may look through a contrast.
const CONTRASTING: &str = "sight.cohesion";
/// The min quanta of an awake cell in a deep world, if the preset does not set them.
const DEEP_REST: u32 = 16;
/// The max crowd in perceived density: four crowds in Q10 fit in 31 bits.
const MAX_CROWD: i64 = (1 << 19) - 1;

/// Reads the rules of the cells.
pub(crate) fn rules(source: &Source) -> Result<Rules, BadInput> {
    source.check_conditions()?;
    let mut rules = Rules::default();
    source.read(PERCEPTION, &mut rules)?;
    source.read(KEYS, &mut rules)?;
    source.read(noise::keys::KEYS, &mut rules.noise)?;
    check_speeds(source, rules.cruise, rules.max)?;
    let rules = Rules {
        crowd: crowd(source, rules.shift)?,
        rest: rest(source, &rules)?,
        weights: named(source, "weights", |key| Ok(fixed(source.decimal(key)?, RULE_ONE) as i32))?,
        sights: sights(source)?,
        ..rules
    };
    Ok(rules)
}

/// Refuses a `max` of 0 and a `cruise` above `max`, in either model.
pub(crate) fn check_speeds(source: &Source, cruise: i32, max: i32) -> Result<(), BadInput> {
    if max == 0 {
        return Err(source.wrong("movement.max", "nothing could move", "it must be above 0 and at most 2"));
    }
    if cruise > max {
        let (problem, cure) = ("is above movement.max", "lower it, or raise movement.max");
        return Err(source.wrong("movement.cruise", problem, cure));
    }
    Ok(())
}

/// Reads the quanta below which a cell rests.
fn rest(source: &Source, rules: &Rules) -> Result<u32, BadInput> {
    let (key, most) = ("movement.rest", 1 << rules.shift);
    if source.item(key).is_none() {
        return Ok(if is_deep(source) { DEEP_REST.min(most) } else { 0 });
    }
    if rules.rest <= most {
        return Ok(rules.rest);
    }
    let problem = format!("{} quanta are more than a rule overlooks", rules.rest);
    Err(source.wrong(key, problem, format!("it must be at most 2^perception.shift, here {most}")))
}

fn is_deep(source: &Source) -> bool {
    source.length("world.size") == 3
}

/// Reads the crowd, in perceived density.
fn crowd(source: &Source, shift: u32) -> Result<i32, BadInput> {
    let key = "separation.crowd";
    let quanta = source.decimal(key)? * f64::from(BOID);
    let perceived = (quanta / (1u64 << shift) as f64).round() as i64;
    if (1..=MAX_CROWD).contains(&perceived) {
        return Ok(perceived as i32);
    }
    let problem = format!("{perceived} in perceived density (quanta >> {shift}); possible are 1 to 524 287");
    let [crowd, of_shift] = if perceived == 0 { ["raise", "lower"] } else { ["lower", "raise"] };
    // The message is about the key that the user set.
    let shift = "perception.shift";
    if source.is_set(shift) && !source.is_set(key) || source.item(key).is_none() {
        return Err(source.wrong(shift, format!("makes {key} {problem}"), format!("{of_shift} it, or {crowd} {key}")));
    }
    Err(source.wrong(key, format!("is {problem}"), format!("{crowd} it, or {of_shift} {shift}")))
}

/// Reads the entries of a table in which the user chooses the names. Each name must be a possible name of a kernel.
/// `value`: reads the value of an entry by its key.
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
        let cure = format!("add [sight.{missing}] with {}", forms(is_deep(source)));
        return Err(source.wrong(&format!("sight.{missing}"), "is missing", cure));
    }
    named(source, "sight", |key| sight(source, key))
}

/// The forms of a sight in a deep or a flat world, as messages list them.
fn forms(is_deep: bool) -> &'static str {
    if is_deep { "ball, box, directions or list, as in ball = 3" } else { "disc, box, rings or list, as in disc = 5" }
}

fn sight(source: &Source, key: &str) -> Result<Sight, BadInput> {
    let (is_deep, table) = (is_deep(source), key);
    let form = source
        .choice(table, &FORMS)?
        .ok_or_else(|| source.wrong(table, "says no form", format!("add one of {}", forms(is_deep))))?;
    let key = format!("{table}.{form}");
    let elsewhere = |problem: &str, cure: &str| Err(source.wrong(&key, problem, cure));
    let (is_flat_form, is_deep_form) = ("is flat, and the world is deep", "is deep, and the world is flat");
    let radii =
        || Ok(source.numbers(&format!("{key}.radii"))?.into_iter().map(|radius| radius as u32).collect::<Vec<_>>());
    let directions = || Ok(source.integer(&format!("{key}.directions"))? as u32);
    let sight = match (form, is_deep) {
        ("disc", true) => return elsewhere(is_flat_form, "say ball instead of disc"),
        ("rings", true) => return elsewhere(is_flat_form, "say directions = { directions = 26, radii = [3] } instead"),
        ("ball", false) => return elsewhere(is_deep_form, "say disc instead of ball"),
        ("directions", false) => return elsewhere(is_deep_form, "say rings = { directions = 8, radii = [3] } instead"),
        ("contrast", _) if table != CONTRASTING => return elsewhere("is for cohesion alone", "take another form"),
        ("disc", _) => Sight::disc(fixed(source.decimal(&key)?, 1024) as u32),
        ("ball", _) => Sight::ball(fixed(source.decimal(&key)?, 1024) as u32),
        ("box", false) => Sight::square(source.integer(&key)? as u32),
        ("box", true) => Sight::cube(source.integer(&key)? as u32),
        ("rings", _) => Sight::rings(directions()?, &radii()?),
        ("directions", _) => Sight::directions(directions()?, &radii()?),
        ("contrast", _) => match source.numbers(&key)?[..] {
            [first, second] => Sight::contrast([first as u32, second as u32], if is_deep { 3 } else { 2 }),
            _ => unreachable!("{key} has two numbers"),
        },
        _ => listed(source, &key, is_deep)?,
    };
    // The message of a sight has the form "problem; cure".
    sight.map_err(|problem| {
        let (problem, cure) = problem.split_once("; ").unwrap_or((&problem, "change the vectors"));
        source.wrong(&key, problem, cure)
    })
}

/// Reads a sight from a list of vectors. The inner error is the message of the sight.
fn listed(source: &Source, key: &str, is_deep: bool) -> Result<Result<Sight, String>, BadInput> {
    let vectors = source.vectors(key)?;
    let axes = if is_deep { 3 } else { 2 };
    if let Some(other) = vectors.iter().find(|vector| vector.len() != axes) {
        let (problem, cure) =
            (format!("has a vector of {} components", other.len()), format!("each must have {axes} here"));
        return Err(source.wrong(key, problem, cure));
    }
    let whole = |vector: &Vec<f64>, axis: usize| vector[axis] as i32;
    Ok(if is_deep {
        Sight::deep_list(&vectors.iter().map(|v| each_axis(|axis| whole(v, axis))).collect::<Vec<_>>())
    } else {
        Sight::list(&vectors.iter().map(|v| [0, 1].map(|axis| whole(v, axis))).collect::<Vec<_>>())
    })
}
