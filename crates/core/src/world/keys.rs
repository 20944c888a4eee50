//! The keys of presets for the world: the lattice, hunters and the roost.

use crate::keys::rows::*;
use crate::numbers::{RULE_ONE, fixed};
use crate::world::{Hunter, MAX_EXTENT, MAX_HUNT_RADIUS, MAX_JAWS, MAX_ORIGIN, Mood, Roost};

const MAX_CELLS: i64 = MAX_EXTENT as i64;
/// The maximum capacity of a cell: 2^32 - 1 quanta, in boids, rounded down to five decimals.
const MAX_BOIDS_PER_CELL: f64 = 65535.99998;

/// The keys of the lattice and its solids.
#[rustfmt::skip]
pub const KEYS: &[Row<()>] = &[
    Row::new("world.size", Wholes(1, MAX_CELLS, Place), "cells", Needed, Restart)
        .doc("extents along x and y; with a third one, along z, the world is deep; \
              deep worlds and individuals have at most 16384 cells a side"),
    Row::new("world.edges", Choice(&["torus", "walls", "endless"]), "", word("torus"), Passes)
        .doc("beyond an edge lies the opposite one, or nothing; endless: size is that of a window, \
              which moves with the individuals")
        .control(Section::World, "edges", Words(&["torus", "walls"])),
    Row::new("world.origin", Wholes(-MAX_ORIGIN, MAX_ORIGIN, Triple), "cells", Otherwise("[0, 0, 0]"), Restart)
        .doc("where the window of an endless world begins: the place of its first cell")
        .needs("world.edges", &["endless"], "remove it, or say edges = \"endless\""),
    Row::new("world.margin", Whole(0, MAX_CELLS), "cells", number(0.0), Nothing)
        .doc("from here on the rule `walls` turns boids inwards; at most a quarter of the smaller extent")
        .needs("world.edges", &["walls"], "a torus has no walls: remove it, or say edges = \"walls\"")
        .control(Section::World, "margin", Linear(0.0, 64.0)),
    Row::new("world.margin", Whole(0, MAX_CELLS), "cells", number(16.0), Nothing)
        .doc("as wide is the rim of an endless world's window, where the rule `walls` turns individuals inwards")
        .needs("world.edges", &["endless"], "a torus has no walls: remove it, or say edges = \"walls\"")
        .control(Section::World, "margin", Linear(0.0, 64.0)),
    Row::new("world.capacity", Decimal(0.0, MAX_BOIDS_PER_CELL), "boids", number(65535.0), Passes)
        .doc("the most boids in a cell")
        .needs("model", &["cell"], CELLS_ONLY).control(Section::World, "capacity", Logarithmic(1.0, 65535.0)),
    Row::new("world.solid[*].circle.at", Decimals(0.0, 1.0, Pair), "", Needed, Restart)
        .doc("the centre, as fractions of the extents"),
    Row::new("world.solid[*].circle.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smaller extent; a circle is a column of a deep world, \
              and so is a rectangle"),
    Row::new("world.solid[*].rectangle.from", Decimals(0.0, 1.0, Pair), "", Needed, Restart)
        .doc("the corner with the smaller fractions of the extents"),
    Row::new("world.solid[*].rectangle.to", Decimals(0.0, 1.0, Pair), "", Needed, Restart).doc("the opposite corner"),
    Row::new("world.solid[*].ball.at", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the centre in a deep world, as fractions of the extents"),
    Row::new("world.solid[*].ball.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smallest extent"),
    Row::new("world.solid[*].box.from", Decimals(0.0, 1.0, Triple), "", Needed, Restart)
        .doc("the corner with the smaller fractions of the extents, in a deep world"),
    Row::new("world.solid[*].box.to", Decimals(0.0, 1.0, Triple), "", Needed, Restart).doc("the opposite corner"),
    Row::new("world.solid[*].mask", Text, "", Otherwise(""), Restart)
        .doc("a picture beside this file: bright is solid, dark or transparent is not"),
];

/// The keys of hunters.
#[rustfmt::skip]
pub const HUNTER: &[Row<Hunter>] = &[
    Row::new("hunter[*].kind", Choice(&["path", "player", "falcon"]), "", word("path"), Nothing)
        .doc("it walks or stands; is where the player hunts, as the player has it; or flies by itself"),
    Row::new("hunter[*].mood", Choice(&["flee", "follow"]), "", word("flee"), Nothing).doc("what boids do about it")
        .control(Section::Hunt, "mood", All)
        .word(|hunter, mood| hunter.mood = if mood == "follow" { Mood::Follow } else { Mood::Flee }),
    Row::new("hunter[*].reach", Whole(1, MAX_HUNT_RADIUS as i64), "cells",
        Otherwise("30; a falcon's: 0.18 of the smallest extent"), Nothing)
        .doc("how far it is noticed").control(Section::Hunt, "reach", All)
        .integer(|hunter, cells| hunter.reach = cells as u32),
    Row::new("hunter[*].jaws", Whole(0, MAX_JAWS as i64), "cells", number(0.0), Nothing)
        .doc("how far from it boids are caught; 0: none").control(Section::Hunt, "jaws", All)
        .integer(|hunter, cells| hunter.jaws = cells as u32),
    Row::new("hunter[*].path", Decimals(0.0, 1.0, Places), "", Otherwise("it stands"), Nothing)
        .doc("the places that it walks around, as fractions of the extents; \
              of two numbers it is a column of a deep world"),
    Row::new("hunter[*].speed", Decimal(0.0, 64.0), "cells/step",
        Otherwise("0.5; a falcon's: three times the cruise of the swarm, or 2"), Nothing)
        .doc("how fast it walks its path, or flies").control(Section::Hunt, "speed", Linear(0.0, 4.0)),
    Row::new("hunter[*].at", Decimals(0.0, 1.0, Place), "", Otherwise("in the middle; a falcon: in a corner"), Nothing)
        .doc("the place where it stands, if it has no path, or where a falcon begins"),
];

/// The keys of the roost.
#[rustfmt::skip]
pub const ROOST: &[Row<Roost>] = &[
    Row::new("roost.at", Decimals(0.0, 1.0, Place), "", Otherwise("in the middle"), Nothing)
        .doc("the place that the rule `roost` draws boids to, as fractions of the extents"),
    Row::new("roost.vertical", Decimal(0.0, 4.0), "", number(3.0), Nothing)
        .doc("how many times as strong it is along z")
        .decimal(|roost, times| roost.vertical = fixed(times, RULE_ONE) as i32),
];
