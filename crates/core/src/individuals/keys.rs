//! The keys of individuals: their rules, their movement and the rays with which they avoid rock.

use crate::individuals::numbers::IndividualRules;
use crate::keys::rows::*;
use crate::numbers::{ONE, RULE_ONE, fixed};
use crate::rules::greatest_speed;
use crate::terrain::rays::{FARTHEST_RAY, LEAST_CLEARANCE, MOST_RAYS, RayNumbers};

const REYNOLDS_ONLY: &str = "remove it; reynolds has it";

/// A key of the rays.
const fn rays(
    path: &'static str,
    kind: Kind,
    unit: &'static str,
    default: DefaultValue,
    cost: Cost,
) -> Row<RayNumbers> {
    Row::new(path, kind, unit, default, cost).needs("model", &["agents"], "remove it; only individuals have it")
}

/// An angle in 1/2^32 turn. A half turn is the greatest angle, and fits.
fn angle(degrees: f64) -> u32 {
    (degrees / 360.0 * (1u64 << 32) as f64).round() as u32
}

/// The keys of movement.
#[rustfmt::skip]
pub const MOVEMENT: &[Row<IndividualRules>] = &[
    Row::new("separation.crowd", Decimal(0.001, 65536.0), "boids", number(1.0), Nothing)
        .doc("boids a cell that are a crowd: there separation has its full strength")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY).control(Section::Rules, "crowd", Logarithmic(0.1, 100.0))
        .decimal(|rules, boids| rules.crowd = fixed(boids, RULE_ONE).max(1) as i32),
    Row::new("movement.keep", Decimal(0.0, 1.0), "", number(1.0), Nothing).doc("how much of its velocity an individual keeps")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY).control(Section::Movement, "keep", All)
        .decimal(|rules, part| rules.keep = fixed(part, RULE_ONE) as i32),
    Row::new("movement.cruise", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the speed towards which individuals tend, at most `max`; 0: none").needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Section::Movement, "cruise", Linear(0.0, 1.0)).decimal(|rules, speed| rules.cruise = fixed(speed, ONE) as i32),
    Row::new("movement.min", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing).doc("the least speed, at most `max`")
        .needs("agents.rules", &["aquarium"], "remove it; aquarium has it")
        .control(Section::Movement, "least speed", Linear(0.0, 1.0)).decimal(|rules, speed| rules.min = fixed(speed, ONE) as i32),
    greatest_speed(|rules, speed| rules.max = fixed(speed, ONE) as i32),
];

/// The keys of individuals alone.
#[rustfmt::skip]
pub const KEYS: &[Row<IndividualRules>] = &[
    Row::new("agents.rules", Choice(&["school", "flock", "circles", "reynolds", "aquarium"]), "", Needed, Passes)
        .doc("whose rules the individuals follow; circles: a flock that sees half of its surroundings; reynolds: the cells' rules")
        .needs("model", &["agents"], "").control(Section::Rules, "rules", All),
    Row::new("agents.depth", Whole(1, 1024), "cells", number(1.0), Restart)
        .doc("the third extent, as presets said it before world.size could: not 2 or 3; 1: flat").needs("model", &["agents"], "")
        .control(Section::Start, "depth", Logarithmic(1.0, 1024.0)),
    Row::new("agents.force", Decimal(0.0, 2.0), "cells/step²", Otherwise("only with reynolds and aquarium, which have none"), Nothing)
        .doc("how much a velocity changes in a step at most")
        .needs("agents.rules", &["school", "flock", "circles"], "remove it; reynolds and aquarium have none")
        .control(Section::Movement, "force", Logarithmic(0.001, 1.0)).decimal(|rules, force| rules.force = fixed(force, ONE) as i32),
];

/// The keys of avoidance.
#[rustfmt::skip]
pub const AVOIDANCE: &[Row<RayNumbers>] = &[
    rays("avoidance.rays", Whole(0, MOST_RAYS as i64), "", Otherwise("100 with aquarium, else 0: none"), Passes)
        .doc("with how many rays, spread over a sphere, individuals look for a way past rock and walls")
        .control(Section::Sight, "rays", Logarithmic(1.0, 512.0)).whole(|rays, count| rays.count = count as u32),
    rays("avoidance.view", Decimal(1.0, 180.0), "degrees", number(120.0), Passes)
        .doc("the greatest angle between a ray and the heading").control(Section::Sight, "view", All)
        .decimal(|rays, degrees| rays.view = angle(degrees)),
    rays("avoidance.least", Decimal(0.0, 180.0), "degrees", number(0.0), Passes)
        .doc("rays within this angle are all looked through, and the mean of the free ones is taken; 0: the first free ray")
        .control(Section::Sight, "least angle", Linear(0.0, 60.0)).decimal(|rays, degrees| rays.least = angle(degrees)),
    rays("avoidance.reach", Decimal(1.0, FARTHEST_RAY as f64), "cells", number(12.0), Passes).doc("how far the rays reach")
        .control(Section::Sight, "ray reach", Linear(1.0, 32.0)).decimal(|rays, cells| rays.reach = fixed(cells, 1 << 8) as i32),
    rays("avoidance.clearance", Decimal(0.5, 16.0), "cells", number(2.0), Passes)
        .doc("the radius of the ball that is traced along a ray, in quarters of a cell")
        .control(Section::Sight, "clearance", Linear(0.5, 6.0))
        .decimal(|rays, cells| rays.clearance = (fixed(cells, 4) as i32).max(LEAST_CLEARANCE)),
    rays("avoidance.growth", Decimal(0.0, 3.0), "", number(0.0), Passes).doc("how much stronger avoidance is next to rock")
        .control(Section::Sight, "growth", All).decimal(|rays, part| rays.growth = fixed(part, RULE_ONE) as i32),
];
