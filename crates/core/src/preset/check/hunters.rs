//! The hunters: one table, or a list of them.

use super::{middle, place, places, with_depth};
use crate::error::BadInput;
use crate::numbers::{RULE_ONE, Vector3, each_axis, fixed};
use crate::source::Source;
use crate::world::{Extents, FARTHEST_HUNT, FlightNumbers, Hunter, HunterKind, MOST_HUNTERS, MOST_SPEED, Mood, Place};

const MOST_CORNERS: usize = 1024;
/// How far a hunter is noticed whose table does not say it, in cells; of a falcon, in hundredths of the smallest extent.
const REACH: u32 = 30;
const REACH_OF_FALCON: u32 = 18;
/// The same for the speed, in cells a step; of a falcon where the swarm has no cruise.
const SPEED: f64 = 0.5;
const SPEED_OF_FALCON: f64 = 2.0;
/// The keys of each kind.
const KEYS: [(&str, &[&str]); 3] = [
    ("path", &["kind", "mood", "reach", "jaws", "at", "path", "speed"]),
    ("player", &["kind"]),
    ("falcon", &["kind", "mood", "reach", "jaws", "at", "speed", "peak", "turn", "sight", "distance", "rest"]),
];

/// The hunters of a preset on the extents that are played.
pub(super) fn hunters(source: &Source, extents: Extents) -> Result<Vec<Hunter>, BadInput> {
    let tables = source.tables("hunter");
    if tables.len() > MOST_HUNTERS {
        let problem = format!("there are {} hunters", tables.len());
        return Err(source.wrong("hunter", problem, format!("at most {MOST_HUNTERS} are possible")));
    }
    let mut falcons = 0;
    let hunter = |table: &String| {
        let hunter = hunter(source, table, extents, falcons)?;
        falcons += usize::from(hunter.flight().is_some());
        Ok(hunter)
    };
    tables.iter().map(hunter).collect()
}

/// The hunter of a table; `falcons`: how many falcons come before it.
fn hunter(source: &Source, table: &str, extents: Extents, falcons: usize) -> Result<Hunter, BadInput> {
    let key = |name: &str| format!("{table}.{name}");
    let kind = source.word(&key("kind")).unwrap_or_default();
    let own = KEYS.iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, keys)| keys);
    for name in source.names(table).into_iter().filter(|name| !own.contains(name)) {
        let cure = match kind {
            "player" => "remove it; the player decides it".to_owned(),
            _ => format!("remove it; the keys of this kind are {}", own.join(", ")),
        };
        source.stray(&key(name), &key("kind"), cure)?;
    }
    let reach = match source.item(&key("reach")) {
        Some(_) => source.whole(&key("reach"))? as u32,
        None if kind == "falcon" => (smallest(extents) * REACH_OF_FALCON / 100).clamp(2, FARTHEST_HUNT),
        None => REACH,
    };
    let mood = if source.word(&key("mood")) == Some("follow") { Mood::Follow } else { Mood::Flee };
    let (kind, jaws) = match kind {
        "player" => (HunterKind::Player, 0),
        "falcon" => (HunterKind::Falcon(flight(source, table, extents, reach, falcons)?), source.whole(&key("jaws"))?),
        _ => (path(source, table, extents)?, source.whole(&key("jaws"))?),
    };
    Ok(Hunter { kind, mood, reach, jaws: jaws as u32 })
}

fn smallest(extents: Extents) -> u32 {
    extents.smallest()
}

/// A hunter that walks or stands.
fn path(source: &Source, table: &str, extents: Extents) -> Result<HunterKind, BadInput> {
    let key = |name: &str| format!("{table}.{name}");
    let walks = source.choice(table, &["at", "path"])? == Some("path");
    if source.item(&key("speed")).is_some() && !walks {
        source.stray(&key("speed"), &key("at"), "only a hunter with a path walks: remove it, or give a path")?;
    }
    let speed = speed(source, &key("speed"), SPEED)?;
    let corners = if walks { corners(source, &key("path"), extents)? } else { vec![at(source, &key("at"), extents)?] };
    let is_column = corners[0].is_column();
    if corners.iter().any(|corner| corner.is_column() != is_column) {
        return Err(source.wrong(&key("path"), "has points of two numbers and of three", "give all of them as many"));
    }
    let corners = corners.into_iter().map(|corner| with_depth(corner, extents)).collect();
    Ok(HunterKind::Path { corners, is_column, speed: if walks { speed as u32 } else { 0 } })
}

fn corners(source: &Source, key: &str, extents: Extents) -> Result<Vec<Place>, BadInput> {
    let corners = source.length(key);
    if !(1..=MOST_CORNERS).contains(&corners) {
        let cure = format!("give from 1 to {MOST_CORNERS} points, as in [[0.2, 0.2], [0.8, 0.5]]");
        return Err(source.wrong(key, format!("has {corners} points"), cure));
    }
    places(source, key, extents)
}

/// The place of a key; the middle, if it is left out.
fn at(source: &Source, key: &str, extents: Extents) -> Result<Place, BadInput> {
    Ok(places(source, key, extents)?.pop().unwrap_or_else(|| middle(extents).into()))
}

/// A speed in 1/1024 of a cell a step.
fn speed(source: &Source, key: &str, otherwise: f64) -> Result<i32, BadInput> {
    let speed = if source.item(key).is_some() { source.decimal(key)? } else { otherwise };
    Ok(fixed(speed, RULE_ONE) as i32)
}

/// The flight of a falcon that is noticed so far.
fn flight(
    source: &Source,
    table: &str,
    extents: Extents,
    reach: u32,
    falcons: usize,
) -> Result<FlightNumbers, BadInput> {
    let key = |name: &str| format!("{table}.{name}");
    let cruise = source.decimal("movement.cruise")?;
    let usual = if cruise > 0.0 { 3.0 * cruise } else { SPEED_OF_FALCON };
    let flown = speed(source, &key("speed"), usual)?;
    if !(1..=(MOST_SPEED * f64::from(RULE_ONE)) as i32).contains(&flown) {
        let cure = format!("that of a falcon must be above 0 and at most {MOST_SPEED}");
        return Err(source.wrong(&key("speed"), "is no speed that a falcon can fly", cure));
    }
    let own = f64::from(flown) / f64::from(RULE_ONE);
    let cells = |name: &str, otherwise: u32| match source.item(&key(name)) {
        Some(_) => Ok(source.whole(&key(name))? as i32),
        None => Ok(otherwise.min(FARTHEST_HUNT) as i32),
    };
    Ok(FlightNumbers {
        start: match source.item(&key("at")) {
            Some(_) => with_depth(at(source, &key("at"), extents)?, extents),
            None => corner(extents, falcons),
        },
        speed: flown,
        peak: speed(source, &key("peak"), (1.5 * own).min(MOST_SPEED))?,
        turn: speed(source, &key("turn"), 0.2 * own)?.max(1),
        sight: cells("sight", 3 * reach)?,
        distance: cells("distance", 2 * reach)?,
        rest: source.whole(&key("rest"))? as i32,
    })
}

/// Where the falcon of this number begins: in the corners of the world one after the other, first in opposite ones.
fn corner(extents: Extents, number: usize) -> Vector3 {
    let fraction = |is_far: bool| if is_far { 0.9 } else { 0.1 };
    let is_far = [number % 2 == 1, (number / 2 + number) % 2 == 1, (number / 4 + number) % 2 == 1];
    each_axis(|axis| place(fraction(is_far[axis]), extents.along_axes()[axis]))
}
