//! The numbers of a falcon's flight in a preset.

use super::keys::KEYS;
use crate::cells::numbers::CRUISE;
use crate::error::BadInput;
use crate::numbers::{RULE_ONE, Vector3, each_axis, fixed};
use crate::source::Source;
use crate::source::places::{place, place_of, with_depth};
use crate::world::{Extents, FlightNumbers, MAX_HUNT_RADIUS, MAX_SPEED};

/// The default speed of a falcon in cells a step, if the preset gives neither the falcon's speed nor a cruising speed
/// of the swarm.
const SPEED: f64 = 2.0;

/// Reads a speed and converts it to 1/1024 cell a step. `otherwise`: the speed in cells a step if the preset leaves the
/// key out.
pub(crate) fn speed(source: &Source, key: &str, otherwise: f64) -> Result<i32, BadInput> {
    let speed = if source.item(key).is_some() { source.decimal(key)? } else { otherwise };
    Ok(fixed(speed, RULE_ONE) as i32)
}

/// Reads the numbers of a falcon's flight from its table in the preset. `reach`: the reach of the falcon as a hunter,
/// in cells. `falcons`: the number of falcons before it, which decides where it starts.
pub(crate) fn flight(
    source: &Source,
    table: &str,
    extents: Extents,
    reach: u32,
    falcons: usize,
) -> Result<FlightNumbers, BadInput> {
    let key = |name: &str| format!("{table}.{name}");
    let cruise = source.decimal(CRUISE)?;
    let usual = if cruise > 0.0 { 3.0 * cruise } else { SPEED };
    let flown = speed(source, &key("speed"), usual)?;
    if !(1..=(MAX_SPEED * f64::from(RULE_ONE)) as i32).contains(&flown) {
        let cure = format!("that of a falcon must be above 0 and at most {MAX_SPEED}");
        return Err(source.wrong(&key("speed"), "is no speed that a falcon can fly", cure));
    }
    let own = f64::from(flown) / f64::from(RULE_ONE);
    let cells = |cells: u32| cells.min(MAX_HUNT_RADIUS) as i32;
    let start = match source.item(&key("at")) {
        Some(_) => with_depth(place_of(source, &key("at"), extents)?, extents),
        None => corner(extents, falcons),
    };
    let mut flight = FlightNumbers {
        start,
        speed: flown,
        peak: fixed((1.5 * own).min(MAX_SPEED), RULE_ONE) as i32,
        turn: (fixed(0.2 * own, RULE_ONE) as i32).max(1),
        sight: cells(3 * reach),
        distance: cells(2 * reach),
        rest: 0,
    };
    source.read_table(KEYS, table, &mut flight)?;
    Ok(flight)
}

/// The place (1/16 cell) where the falcon with this number starts: near a corner of the world. The corners are used in
/// turn, first opposite ones.
fn corner(extents: Extents, number: usize) -> Vector3 {
    let fraction = |is_far: bool| if is_far { 0.9 } else { 0.1 };
    let is_far = [number % 2 == 1, (number / 2 + number) % 2 == 1, (number / 4 + number) % 2 == 1];
    each_axis(|axis| place(fraction(is_far[axis]), extents.along_axes()[axis]))
}
