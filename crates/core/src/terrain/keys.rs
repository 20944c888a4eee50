//! The keys of presets for the rock in deep worlds, and for the rays with which individuals avoid rock.

use crate::keys::rows::*;
use crate::numbers::{ONE, RULE_ONE, fixed};
use crate::terrain::rays::{MAX_RAY_LENGTH, MAX_RAYS, MIN_CLEARANCE, RayNumbers};
use crate::terrain::{MAX_OCTAVES, PARTS_OF_FLOOR};
use crate::world::{MAX_ORIGIN, MAX_PLACE_EXTENT};

/// The greatest scale of noise, in cells.
const COARSEST: f64 = 4096.0;
/// The greatest absolute height of a floor, in cells.
const LOWEST: f64 = MAX_PLACE_EXTENT as f64;

/// The numbers of the noise of rock in a preset. Scales are in cells. The other fields are fields of
/// [`NoiseTerrain`](super::NoiseTerrain) as decimal numbers.
#[derive(Debug, Default)]
pub struct NoiseNumbers {
    pub seed: u64,
    pub scale: f64,
    pub squash: f64,
    pub octaves: u32,
    pub threshold: i32,
    pub floor_height: i32,
    pub floor_width: i32,
    pub tunnel_width: i32,
    pub tunnel_scale: f64,
}

const fn noise(
    path: &'static str,
    kind: Kind,
    unit: &'static str,
    default: DefaultValue,
    cost: Cost,
) -> Row<NoiseNumbers> {
    Row::new(path, kind, unit, default, cost).needs(
        "world.terrain.base",
        &["noise"],
        "remove it, or say base = \"noise\"",
    )
}

/// The keys of rock.
#[rustfmt::skip]
pub const KEYS: &[Row<NoiseNumbers>] = &[
    Row::new("world.terrain.base", Choice(&["noise", "file", "water"]), "", word("noise"), Restart)
        .doc("the rock of a deep world to which shapes are added: where noise is strong, of a file, or none"),
    noise("world.terrain.seed", Whole(0, i64::MAX), "", Otherwise("that of the preset"), Restart)
        .doc("the seed of the noise")
        .integer(|noise, seed| noise.seed = seed.unsigned_abs()),
    noise("world.terrain.at", Wholes(-MAX_ORIGIN, MAX_ORIGIN, Triple), "cells", Otherwise("[0, 0, 0]"), Restart)
        .doc("which place of the noise, which has no end, lies at the first cell, or in an endless world at the place \
            0"),
    noise("world.terrain.scale", Decimal(1.0, COARSEST), "cells", number(40.0), Restart)
        .doc("the size of the largest forms; that of the last octave is at least a cell")
        .control(Section::World, "rock: scale", Linear(16.0, 128.0)).decimal(|noise, cells| noise.scale = cells),
    noise("world.terrain.squash", Decimal(0.125, 8.0), "", number(1.0), Restart)
        .doc("how much longer forms are along z: below 1 ledges, above 1 pillars")
        .control(Section::World, "rock: squash", Linear(0.5, 2.5)).decimal(|noise, times| noise.squash = times),
    noise("world.terrain.octaves", Whole(1, MAX_OCTAVES as i64), "", number(4.0), Restart)
        .doc("how many times finer noise is added, each of half the scale and half as strong")
        .integer(|noise, count| noise.octaves = count as u32),
    noise("world.terrain.threshold", Decimal(-4.0, 4.0), "", number(0.5), Restart)
        .doc("rock is where the noise is above it; the first octave is within about 1")
        .control(Section::World, "rock: threshold", Linear(-1.0, 2.0))
        .decimal(|noise, threshold| noise.threshold = fixed(threshold, ONE) as i32),
    noise("world.terrain.floor_height", Decimal(-LOWEST, LOWEST), "cells", number(0.0), Restart)
        .doc("at this height the floor adds 1 to the noise, below it more")
        .decimal(|noise, cells| noise.floor_height = fixed(cells, PARTS_OF_FLOOR) as i32),
    noise("world.terrain.floor_width", Decimal(0.0, LOWEST), "cells", number(0.0), Restart)
        .doc("how far above floor_height that has fallen to 0; 0: there is no floor")
        .decimal(|noise, cells| noise.floor_width = fixed(cells, PARTS_OF_FLOOR) as i32),
    noise("world.terrain.tunnel_width", Decimal(0.0, 1.0), "", number(0.0), Restart)
        .doc("tunnels lie where two more noises are both within it; 0: there are none")
        .control(Section::World, "rock: tunnels", Linear(0.0, 0.3))
        .decimal(|noise, width| noise.tunnel_width = fixed(width, ONE) as i32),
    noise("world.terrain.tunnel_scale", Decimal(1.0, COARSEST), "cells", number(28.0), Restart)
        .doc("the scale of these noises: about how far tunnels lie from each other")
        .decimal(|noise, cells| noise.tunnel_scale = cells),
    Row::new("world.terrain.file", Text, "", Otherwise(""), Restart)
        .doc("an NPY array of shape (z, y, x), above 0 rock, or a stack of pictures, bright rock, numbered from 0 or 1 \
            in the place of #")
        .needs("world.terrain.base", &["file"], "remove it, or say base = \"file\""),
    Row::new("world.terrain.closed", Switch, "", switch(true), Restart)
        .doc("the outermost layer of cells is no rock, so that the surface of the rock is whole; an endless world has \
            none"),
    Row::new("world.terrain.shape[*].sphere.at", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the middle, as fractions of the extents"),
    Row::new("world.terrain.shape[*].sphere.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smallest extent"),
    Row::new("world.terrain.shape[*].box.from", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the corner with the smaller fractions of the extents; [0, 0, 0] is that of the world"),
    Row::new("world.terrain.shape[*].box.to", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the opposite corner"),
    Row::new("world.terrain.shape[*].torus.at", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the middle, as fractions of the extents"),
    Row::new("world.terrain.shape[*].torus.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius of the ring in the middle of the tube, as a fraction of the smallest extent"),
    Row::new("world.terrain.shape[*].torus.tube", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius of the tube, as a fraction of the smallest extent"),
    Row::new("world.terrain.shape[*].torus.axis", Choice(&["x", "y", "z"]), "", word("z"), Restart)
        .doc("the axis across which the ring lies"),
    Row::new("world.terrain.shape[*].cylinder.at", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the middle, as fractions of the extents"),
    Row::new("world.terrain.shape[*].cylinder.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smallest extent"),
    Row::new("world.terrain.shape[*].cylinder.length", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the length, as a fraction of the extent along its axis"),
    Row::new("world.terrain.shape[*].cylinder.axis", Choice(&["x", "y", "z"]), "", word("z"), Restart)
        .doc("the axis along which it lies"),
    Row::new("world.terrain.shape[*].subtract", Switch, "", switch(false), Restart)
        .doc("the shape is taken away from the rock that was there before it"),
];

const fn rays(
    path: &'static str,
    kind: Kind,
    unit: &'static str,
    default: DefaultValue,
    cost: Cost,
) -> Row<RayNumbers> {
    Row::new(path, kind, unit, default, cost).needs("model", &["agents"], INDIVIDUALS_ONLY)
}

/// The keys of avoidance.
#[rustfmt::skip]
pub const AVOIDANCE: &[Row<RayNumbers>] = &[
    rays("avoidance.rays", Whole(0, MAX_RAYS as i64), "", Otherwise("100 with aquarium, else 0: none"), Passes)
        .doc("with how many rays, spread over a sphere, individuals look for a way past rock and walls")
        .control(Section::Sight, "rays", Logarithmic(1.0, 512.0)).integer(|rays, count| rays.count = count as u32),
    rays("avoidance.view", Decimal(1.0, 180.0), "degrees", number(120.0), Passes)
        .doc("the greatest angle between a ray and the heading").control(Section::Sight, "view", All)
        .decimal(|rays, degrees| rays.view = angle(degrees)),
    rays("avoidance.least", Decimal(0.0, 180.0), "degrees", number(0.0), Passes)
        .doc("rays within this angle are all looked through, and the mean of the free ones is taken; 0: the first free \
            ray")
        .control(Section::Sight, "least angle", Linear(0.0, 60.0)).decimal(|rays, degrees| rays.least = angle(degrees)),
    rays("avoidance.reach", Decimal(1.0, MAX_RAY_LENGTH as f64), "cells", number(12.0), Passes)
        .doc("how far the rays reach")
        .control(Section::Sight, "ray reach", Linear(1.0, 32.0))
        .decimal(|rays, cells| rays.reach = fixed(cells, 1 << 8) as i32),
    rays("avoidance.clearance", Decimal(0.5, 16.0), "cells", number(2.0), Passes)
        .doc("the radius of the ball that is traced along a ray, in quarters of a cell")
        .control(Section::Sight, "clearance", Linear(0.5, 6.0))
        .decimal(|rays, cells| rays.clearance = (fixed(cells, 4) as i32).max(MIN_CLEARANCE)),
    rays("avoidance.growth", Decimal(0.0, 3.0), "", number(0.0), Passes)
        .doc("how much stronger avoidance is next to rock")
        .control(Section::Sight, "growth", All).decimal(|rays, part| rays.growth = fixed(part, RULE_ONE) as i32),
];

/// Converts an angle from degrees (at most 180) to 1/2^32 turn.
fn angle(degrees: f64) -> u32 {
    (degrees / 360.0 * (1u64 << 32) as f64).round() as u32
}
