//! Reads the hunters of a preset: one table, or a list of tables.

use crate::error::BadInput;
use crate::falcons::check::{flight, speed};
use crate::source::Source;
use crate::source::places::{place_of, places, with_depth};
use crate::world::keys::HUNTER;
use crate::world::{Extents, Hunter, HunterKind, MAX_HUNT_RADIUS, MAX_HUNTERS, Mood, Place};

const MAX_CORNERS: usize = 1024;
/// The default reach of a hunter, in cells.
const REACH: u32 = 30;
/// The default reach of a falcon, in hundredths of the world's smallest extent.
const REACH_OF_FALCON: u32 = 18;
/// The default speed of a hunter on a path, in cells a step.
const SPEED: f64 = 0.5;
/// The keys that a hunter of each kind may have.
const KEYS: [(&str, &[&str]); 3] = [
    ("path", &["kind", "mood", "reach", "jaws", "at", "path", "speed"]),
    ("player", &["kind"]),
    ("falcon", &["kind", "mood", "reach", "jaws", "at", "speed", "peak", "turn", "sight", "distance", "rest"]),
];

/// Reads the hunters of a preset. `extents`: the extents of the simulated world.
pub(crate) fn hunters(source: &Source, extents: Extents) -> Result<Vec<Hunter>, BadInput> {
    let tables = source.tables("hunter");
    if tables.len() > MAX_HUNTERS {
        let problem = format!("there are {} hunters", tables.len());
        return Err(source.wrong("hunter", problem, format!("at most {MAX_HUNTERS} are possible")));
    }
    let mut falcons = 0;
    let hunter = |table: &String| {
        let hunter = hunter(source, table, extents, falcons)?;
        falcons += usize::from(hunter.flight().is_some());
        Ok(hunter)
    };
    tables.iter().map(hunter).collect()
}

/// Reads the hunter of a table. `falcons`: the number of falcons before it in the list.
fn hunter(source: &Source, table: &str, extents: Extents, falcons: usize) -> Result<Hunter, BadInput> {
    let key = |name: &str| format!("{table}.{name}");
    let kind = source.word(&key("kind")).unwrap_or_default();
    let own = KEYS.iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, keys)| keys);
    for name in source.names(table).into_iter().filter(|name| !own.contains(name)) {
        let cure = match kind {
            "player" => "remove it; the player decides it".to_owned(),
            _ => format!("remove it; the keys of this kind are {}", own.join(", ")),
        };
        source.refuse(&key(name), &key("kind"), cure)?;
    }
    let reach = if kind == "falcon" { extents.smallest() * REACH_OF_FALCON / 100 } else { REACH };
    let reach = reach.clamp(2, MAX_HUNT_RADIUS);
    let mut hunter = Hunter { kind: HunterKind::Player, mood: Mood::Flee, reach, jaws: 0 };
    source.read_table(HUNTER, table, &mut hunter)?;
    match kind {
        "player" => hunter.jaws = 0,
        "falcon" => hunter.kind = HunterKind::Falcon(flight(source, table, extents, hunter.reach, falcons)?),
        _ => hunter.kind = path(source, table, extents)?,
    }
    Ok(hunter)
}

/// Reads a hunter that follows a path or stands still.
fn path(source: &Source, table: &str, extents: Extents) -> Result<HunterKind, BadInput> {
    let key = |name: &str| format!("{table}.{name}");
    let walks = source.choice(table, &["at", "path"])? == Some("path");
    if source.item(&key("speed")).is_some() && !walks {
        source.refuse(&key("speed"), &key("at"), "only a hunter with a path walks: remove it, or give a path")?;
    }
    let speed = speed(source, &key("speed"), SPEED)?;
    let corners =
        if walks { corners(source, &key("path"), extents)? } else { vec![place_of(source, &key("at"), extents)?] };
    let is_column = corners[0].is_column();
    if corners.iter().any(|corner| corner.is_column() != is_column) {
        return Err(source.wrong(&key("path"), "has places of two numbers and of three", "give all of them as many"));
    }
    let corners = corners.into_iter().map(|corner| with_depth(corner, extents)).collect();
    Ok(HunterKind::Path { corners, is_column, speed: if walks { speed as u32 } else { 0 } })
}

fn corners(source: &Source, key: &str, extents: Extents) -> Result<Vec<Place>, BadInput> {
    let corners = source.length(key);
    if !(1..=MAX_CORNERS).contains(&corners) {
        let cure = format!("give from 1 to {MAX_CORNERS} places, as in [[0.2, 0.2], [0.8, 0.5]]");
        return Err(source.wrong(key, format!("has {corners} places"), cure));
    }
    places(source, key, extents)
}
