//! The keys of noise.

use super::numbers::{MAX_TIME, Noise};
use crate::keys::rows::*;
use crate::numbers::{ONE, fixed};
use crate::world::MAX_EXTENT;
use std::f64::consts::TAU;

/// 2π with the digits that messages and the panel show, rounded up.
#[expect(clippy::approx_constant, reason = "messages and the panel show it")]
const FULL_TURN: f64 = 6.2832;

/// π/2 with the digits that messages and the panel show, rounded up.
#[expect(clippy::approx_constant, reason = "messages and the panel show it")]
const QUARTER_TURN: f64 = 1.5708;

/// The keys of the section `noise` of a preset, for cells and individuals.
#[rustfmt::skip]
pub const KEYS: &[Row<Noise>] = &[
    Row::new("noise.angle", Decimal(0.0, FULL_TURN), "radians", number(0.0), Nothing)
        .doc("a new velocity turns by chance: by up to half of this to either side, in space within a cone; 6.2832: \
            anywhere")
        .control(Section::Movement, "noise angle", Linear(0.0, FULL_TURN))
        .decimal(|noise, angle| noise.set_angle(angle.min(TAU))),
    Row::new("noise.vector", Decimal(0.0, 2.0), "", number(0.0), Nothing)
        .doc("a vector by chance, so many times as long as the new velocity, is added to it; the speed stays")
        .control(Section::Movement, "noise vector", Linear(0.0, 1.0))
        .decimal(|noise, part| noise.vector = fixed(part, ONE) as i32),
    Row::new("noise.deviation", Decimal(0.0, QUARTER_TURN), "radians", number(0.0), Nothing)
        .doc("a new velocity turns by a random angle with a normal distribution: its standard deviation")
        .needs("model", &["agents"], "remove it; cells have noise.angle and noise.vector")
        .control(Section::Movement, "noise deviation", Linear(0.0, QUARTER_TURN))
        .decimal(|noise, deviation| noise.set_deviation(deviation.min(TAU / 4.0))),
    Row::new("noise.time", Whole(1, MAX_TIME as i64), "steps", number(1.0), Nothing)
        .doc("so many steps lie between the numbers that are drawn, and those between are interpolated; 1: each step \
            draws anew")
        .control(Section::Movement, "noise time", Logarithmic(1.0, 1000.0))
        .integer(|noise, steps| noise.time = steps as u32),
    Row::new("noise.length", Whole(1, MAX_EXTENT as i64), "cells", number(1.0), Nothing)
        .doc("so many cells lie between the numbers that are drawn, and those between are interpolated; 1: each cell \
            draws its own")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "noise length", Logarithmic(1.0, 256.0))
        .integer(|noise, cells| noise.length = cells as u32),
];
