//! The keys of species, and the keys of a preset that a species may have as its own.

use crate::keys::OwnKeys;
use crate::keys::rows::*;
use crate::lives::FULL;
use crate::numbers::{ONE, RULE_ONE, WEIGHT_LIMIT, fixed};
use crate::state::MAX_INDIVIDUALS;
use crate::world::PLACE_BITS;

const HEAVIEST: f64 = (WEIGHT_LIMIT / RULE_ONE) as f64;

/// The keys and tables of a preset that each species may set for itself. A species' key replaces the preset's key.
pub const OWN_KEYS: OwnKeys = OwnKeys {
    list: "species",
    keys: &[
        "start.shape",
        "start.count",
        "start.at",
        "start.radius",
        "start.width",
        "start.positions",
        "start.velocities",
        "start.headings",
        "start.speed",
        "start.direction",
        "start.patch",
        "sight.",
        "weights.",
        "separation.",
        "movement.",
        "noise.",
        "agents.force",
        "agents.nearest",
        "agents.view",
        "agents.repulsion_view",
        "lives.",
    ],
};

/// The numbers of a meeting of a species with another, from a preset.
#[derive(Debug, Default)]
pub struct MeetingNumbers {
    /// The weight of the meeting's control vector, within ±32.
    pub weight: f64,
    /// The part of min(own quanta, quanta of the other species, free room) in a cell that is eaten in a step (Q14).
    pub eats: u32,
    /// The distance within which an individual eats individuals of the other species (Q16 of a cell); 0: none is eaten.
    pub jaws: u32,
    /// The hunger that one eaten individual removes, in parts of [`FULL`].
    pub meal: i32,
}

/// The keys of species.
#[rustfmt::skip]
pub const KEYS: &[Row<()>] = &[
    Row::new("species[*].name", Text, "", Needed, Restart)
        .doc("its name, by which others call it; as many species as there are tables, at most 8"),
    Row::new("species[*].colour", Decimal(0.0, 1.0), "", Otherwise("in even distances"), Nothing)
        .doc("the hue in which it is drawn, as a fraction of the colour wheel"),
    Row::new("species[*].seed", Whole(0, i64::MAX), "", Needed, Restart)
        .doc("the seed of all of it that is random; every species has another"),
    Row::new("species[*].boids", Whole(0, 1 << 44), "boids", Otherwise("start.boids"), Restart)
        .doc("its number at the start"),
    Row::new("species[*].most", Whole(1, MAX_INDIVIDUALS as i64), "individuals", Otherwise("no bound"), Nothing)
        .doc("while there are more of it none is born again; a birth that is refused is counted")
        .needs("model", &["agents"], INDIVIDUALS_ONLY),
];

/// The keys of a meeting of a species with another.
#[rustfmt::skip]
pub const MEETING: &[Row<MeetingNumbers>] = &[
    Row::new("species[*].meets.*.kind", Choice(&["flee", "follow", "align", "ignore"]), "", word("ignore"), Passes)
        .doc("what it does where it sees the species of this name"),
    Row::new("species[*].meets.*.weight", Decimal(-HEAVIEST, HEAVIEST), "", number(1.0), Nothing).doc("how strongly")
        .control(Section::Species, "weight", Linear(-4.0, 4.0)).decimal(|meeting, weight| meeting.weight = weight),
    Row::new("species[*].meets.*.sight", Text, "",
        Otherwise("that of the rule that it is like: separation, cohesion, alignment"), Passes)
        .doc("the sight of [sight] through which it sees that species; individuals may have sights for that alone"),
    Row::new("species[*].meets.*.eats", Decimal(0.0, 1.0), "", number(0.0), Passes)
        .doc("the part of what both have in a cell that it eats of that species in a step, and that is born to it")
        .needs("model", &["cell"], "say jaws, within which individuals eat")
        .control(Section::Species, "eats", Linear(0.0, 0.05))
        .decimal(|meeting, part| meeting.eats = fixed(part, ONE) as u32),
    Row::new("species[*].meets.*.jaws", Decimal(0.0, 16.0), "cells", number(0.0), Passes)
        .doc("how near individuals of that species are eaten; 0: none is").needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Section::Species, "jaws", Linear(0.1, 4.0))
        .decimal(|meeting, cells| meeting.jaws = fixed(cells, 1 << PLACE_BITS) as u32),
    Row::new("species[*].meets.*.meal", Decimal(0.0, 1.0), "meals", number(0.5), Nothing)
        .doc("what one of that species stills of the greatest hunger; nobody eats who is less hungry. Those who reach \
            one share it")
        .needs("model", &["agents"], INDIVIDUALS_ONLY).control(Section::Species, "meal", All)
        .decimal(|meeting, meals| meeting.meal = fixed(meals, FULL) as i32),
];
