//! The keys of individuals: their rules and their movement.

use crate::cells::numbers::greatest_speed;
use crate::individuals::numbers::IndividualRules;
use crate::individuals::selection::{MAX_NEAREST, cosine, sine};
use crate::keys::rows::*;
use crate::numbers::{ONE, RULE_ONE, fixed};

const REYNOLDS_ONLY: &str = "remove it; reynolds has it";

/// The keys of movement.
#[rustfmt::skip]
pub const MOVEMENT: &[Row<IndividualRules>] = &[
    Row::new("separation.crowd", Decimal(0.001, 65536.0), "boids", number(1.0), Nothing)
        .doc("boids a cell that are a crowd: there separation has its full strength")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY).control(Section::Rules, "crowd", Logarithmic(0.1, 100.0))
        .decimal(|rules, boids| rules.crowd = fixed(boids, RULE_ONE).max(1) as i32),
    Row::new("movement.keep", Decimal(0.0, 1.0), "", number(1.0), Nothing)
        .doc("how much of its velocity an individual keeps")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY).control(Section::Movement, "keep", All)
        .decimal(|rules, part| rules.keep = fixed(part, RULE_ONE) as i32),
    Row::new("movement.cruise", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the speed towards which individuals tend, at most `max`; 0: none")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Section::Movement, "cruise", Linear(0.0, 1.0))
        .decimal(|rules, speed| rules.cruise = fixed(speed, ONE) as i32),
    Row::new("movement.min", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the least speed, at most `max`")
        .needs("agents.rules", &["aquarium"], "remove it; aquarium has it")
        .control(Section::Movement, "least speed", Linear(0.0, 1.0))
        .decimal(|rules, speed| rules.min = fixed(speed, ONE) as i32),
    Row::new("movement.turn", Decimal(0.0, 180.0), "degrees/step", number(180.0), Nothing)
        .doc("the greatest angle by which a heading turns in a step")
        .needs("agents.rules", &["couzin"], "remove it; couzin has it")
        .control(Section::Movement, "turn", Linear(0.0, 45.0))
        .decimal(|rules, degrees| rules.turn = [cosine(degrees), sine(degrees)]),
    greatest_speed(|rules, speed| rules.max = fixed(speed, ONE) as i32),
];

/// The keys of individuals alone.
#[rustfmt::skip]
pub const KEYS: &[Row<IndividualRules>] = &[
    Row::new("agents.rules", Choice(&["school", "flock", "circles", "reynolds", "aquarium", "couzin", "vicsek"]), "",
        Needed, Passes)
        .doc("whose rules the individuals follow; circles: a flock that sees half of its surroundings; reynolds: the \
            cells' rules; couzin: zones; vicsek: all at the speed movement.max along the mean heading")
        .needs("model", &["agents"], "").control(Section::Rules, "rules", All),
    Row::new("agents.depth", Whole(1, 1024), "cells", number(1.0), Restart)
        .doc("the third extent, as presets said it before world.size could: not 2 or 3; 1: flat")
        .needs("model", &["agents"], "")
        .control(Section::Start, "depth", Logarithmic(1.0, 1024.0)),
    Row::new("agents.nearest", Whole(0, MAX_NEAREST as i64), "", number(0.0), Passes)
        .doc("how many of the nearest within their sights are neighbours; a lower number goes first at equal distance; \
            0: all are")
        .needs("model", &["agents"], "").control(Section::Sight, "nearest", All)
        .integer(|rules, count| rules.selection.nearest = count as u32),
    Row::new("agents.view", Decimal(1.0, 360.0), "degrees", number(360.0), Passes)
        .doc("the angle of their view about their heading; what is left is the blind angle behind them")
        .needs("model", &["agents"], "").control(Section::Sight, "view", All)
        .decimal(|rules, degrees| {
            rules.selection.view = cosine(degrees / 2.0);
            rules.selection.repulsion_view = rules.selection.view;
        }),
    Row::new("agents.repulsion_view", Decimal(1.0, 360.0), "degrees", Otherwise("that of agents.view"), Passes)
        .doc("the angle of their view in the zone of repulsion; the paper of couzin has none there: 360")
        .needs("agents.rules", &["couzin"], "remove it; only couzin has a zone of repulsion")
        .control(Section::Sight, "repulsion view", All)
        .decimal(|rules, degrees| rules.selection.repulsion_view = cosine(degrees / 2.0)),
    Row::new("agents.force", Decimal(0.0, 2.0), "cells/step²",
        Otherwise("only with reynolds, aquarium, couzin and vicsek, which have none"), Nothing)
        .doc("how much a velocity changes in a step at most")
        .needs("agents.rules", &["school", "flock", "circles"],
            "remove it; reynolds, aquarium, couzin and vicsek have none")
        .control(Section::Movement, "force", Logarithmic(0.001, 1.0))
        .decimal(|rules, force| rules.force = fixed(force, ONE) as i32),
];
