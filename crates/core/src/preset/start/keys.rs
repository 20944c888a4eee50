//! The keys of the start.

use crate::keys::rows::*;
use crate::numbers::{ONE, fixed};
use crate::world::MAX_EXTENT;

const MAX_CELLS: i64 = MAX_EXTENT as i64;
const BLOBS_AND_RING: &str = "remove it; blobs and a ring have it";

/// The numbers in the section `start` of a preset. Lengths are parts of the world's smallest extent.
#[derive(Debug, Default)]
pub struct StartNumbers {
    /// The number of blobs.
    pub count: u32,
    /// The radius of a blob or a ring, and the width of the band of a ring.
    pub radius: f64,
    pub width: f64,
    /// The speed of the first headings, in cells a step (Q14), and the size of patches with similar random headings, in
    /// cells.
    pub speed: i32,
    pub patch: u32,
    /// The number of steps that run before step 0 (the run-in).
    pub run_in: u64,
}

/// The keys of the section `start` of a preset.
#[rustfmt::skip]
pub const KEYS: &[Row<StartNumbers>] = &[
    Row::new("start.boids", Whole(0, 1 << 44), "boids", Otherwise("an array holds quanta, 65536 are one boid"), Restart)
        .doc("how many there are at first, on the preset's own size")
        .control(Section::Start, "boids", Logarithmic(1.0, 4_000_000.0)),
    // The panel does not offer the shapes that need a file.
    Row::new("start.shape", Choice(&["uniform", "blobs", "ring", "map", "array", "positions"]), "", word("uniform"),
        Restart)
        .doc("where they are at first").control(Section::Start, "shape", Words(&["uniform", "blobs", "ring"])),
    Row::new("start.count", Whole(1, 1 << 20), "", number(40.0), Restart).doc("the number of blobs, at random places")
        .needs("start.shape", &["blobs"], "remove it; blobs have it")
        .control(Section::Start, "blobs", Logarithmic(1.0, 1000.0))
        .integer(|start, count| start.count = count as u32),
    Row::new("start.at", Decimals(0.0, 1.0, PlaceOrPlaces), "", Otherwise("random blobs, a ring in the middle"),
        Restart)
        .doc("the centres of the blobs, or the one centre of a ring and of a swirl; three numbers: a ball; two: \
              in the middle of z, or individuals through the whole depth")
        .needs("start.shape", &["blobs", "ring"], BLOBS_AND_RING),
    Row::new("start.radius", Decimal(0.0, 1.0), "of a side", number(0.05), Restart)
        .doc("the radius of a blob; a side is the smaller extent").needs("start.shape", &["blobs"], BLOBS_AND_RING)
        .control(Section::Start, "radius", All).decimal(|start, radius| start.radius = radius),
    Row::new("start.radius", Decimal(0.0, 1.0), "of a side", number(0.3), Restart)
        .doc("the radius of the ring; a side is the smaller extent").needs("start.shape", &["ring"], BLOBS_AND_RING)
        .control(Section::Start, "radius", All).decimal(|start, radius| start.radius = radius),
    Row::new("start.width", Decimal(0.0, 1.0), "of a side", number(0.1), Restart)
        .doc("the width of the ring; a side is the smaller extent")
        .needs("start.shape", &["ring"], "remove it; a ring has it")
        .control(Section::Start, "width", All).decimal(|start, width| start.width = width),
    Row::new("start.file", Text, "", Otherwise(""), Restart)
        .doc("a picture whose bright pixels hold more, or an NPY array of u8, u16 or u32 of shape (y, x) or (z, y, x)")
        .needs("start.shape", &["map", "array"], "remove it; a map and an array have it"),
    Row::new("start.positions", Text, "", Otherwise(""), Restart)
        .doc("the places of individuals, row by row: an NPY array of shape (individuals, 2) or (individuals, 3), \
              of floats in cells or of i32 in 1/65536 cell")
        .needs("start.shape", &["positions"], "remove it, or say start.shape = \"positions\""),
    Row::new("start.velocities", Text, "", Otherwise("start.headings"), Restart)
        .doc("their velocities: an array of the same shape, of floats in cells a step or of i32 in 1/16384 cell a step")
        .needs("start.shape", &["positions"], "remove it, or say start.shape = \"positions\""),
    Row::new("start.headings", Choice(&["none", "random", "aligned", "swirl"]), "", word("none"), Restart)
        .doc("where they go at first; a swirl goes around the middle (a mill)")
        .control(Section::Start, "headings", All),
    Row::new("start.speed", Decimal(0.0, 1.0), "cells/step", number(0.5), Restart).doc("how fast they go at first")
        .needs("start.headings", &["random", "aligned", "swirl"], "remove it; random, aligned and swirl have it")
        .control(Section::Start, "speed", All)
        .decimal(|start, speed| start.speed = fixed(speed, ONE) as i32),
    Row::new("start.direction", Decimals(-1.0, 1.0, Place), "", Otherwise("any, by the seed"), Restart)
        .doc("where aligned ones go, as a vector of any length")
        .needs("start.headings", &["aligned"], "remove it; aligned has it"),
    Row::new("start.patch", Whole(0, MAX_CELLS), "cells", number(24.0), Restart)
        .doc("the size of patches in which random headings are alike; 0: each cell and each individual has its own")
        .needs("start.headings", &["random"], "remove it; random has it")
        .control(Section::Start, "patches", Linear(0.0, 256.0))
        .integer(|start, cells| start.patch = cells as u32),
    Row::new("start.run_in", Whole(0, 1_000_000), "steps", number(0.0), Restart)
        .doc("so many steps are played before step 0")
        .integer(|start, steps| start.run_in = steps.unsigned_abs()),
];
