//! The keys of falcons.

use crate::keys::rows::*;
use crate::numbers::{RULE_ONE, fixed};
use crate::world::{FlightNumbers, MAX_HUNT_RADIUS, MAX_SPEED};

/// The keys that only falcons have, beside the keys of every hunter.
#[rustfmt::skip]
pub const KEYS: &[Row<FlightNumbers>] = &[
    Row::new("hunter[*].peak", Decimal(0.0, MAX_SPEED), "cells/step", Otherwise("1.5 times its speed"), Nothing)
        .doc("falcon: how fast it stoops").control(Section::Hunt, "peak", Linear(0.0, 6.0))
        .decimal(|flight, speed| flight.peak = fixed(speed, RULE_ONE) as i32),
    Row::new("hunter[*].turn", Decimal(0.0, MAX_SPEED), "cells/step²", Otherwise("a fifth of its speed"), Nothing)
        .doc("falcon: how much its velocity changes in a step at most").control(Section::Hunt, "turn", Linear(0.0, 1.0))
        .decimal(|flight, speed| flight.turn = (fixed(speed, RULE_ONE) as i32).max(1)),
    Row::new("hunter[*].sight", Whole(1, MAX_HUNT_RADIUS as i64), "cells", Otherwise("three times its reach"), Nothing)
        .doc("falcon: how far it sees the swarm; it flies towards the mean of what it sees")
        .control(Section::Hunt, "sight", All)
        .integer(|flight, cells| flight.sight = cells as i32),
    Row::new("hunter[*].distance", Whole(1, MAX_HUNT_RADIUS as i64), "cells", Otherwise("twice its reach"), Nothing)
        .doc("falcon: how far from that mean it waits").control(Section::Hunt, "distance", All)
        .integer(|flight, cells| flight.distance = cells as i32),
    Row::new("hunter[*].rest", Whole(1, 10_000), "steps", number(60.0), Nothing)
        .doc("falcon: how long it rests between two stoops")
        .control(Section::Hunt, "rest", Linear(1.0, 500.0)).integer(|flight, steps| flight.rest = steps as i32),
];
