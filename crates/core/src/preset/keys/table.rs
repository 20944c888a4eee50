//! The rows of the table, in the order of `presets/reference.toml`.

use super::Cost::{Nothing, Passes, Restart};
use super::DefaultValue::{self, Needed, Otherwise};
use super::Kind::{Choice, Decimal, Decimals, Text, Whole, Wholes};
use super::ListForm::{Numbers, Pair, Place, PlaceOrPlaces, Places, Point, Span};
use super::Range::{All, Linear, Logarithmic, Words};
use super::Section::{Food, Hunt, Lives, Look, Movement, Rules, Sight, Species, Start, World};
use super::{Key, Kind, Value};
use crate::individuals::MOST_INDIVIDUALS;
use crate::lives::numbers::MOST_COUNTED;
use crate::numbers::{RULE_ONE, WEIGHT_LIMIT};
use crate::points::{DEFAULT_POINTS, MOST_POINTS};
use crate::sight::FARTHEST_REACH;
use crate::terrain::MOST_OCTAVES;
use crate::terrain::rays::{FARTHEST_RAY, MOST_RAYS};
use crate::world::{FARTHEST_HUNT, FARTHEST_ORIGIN, LARGEST_EXTENT, MOST_SPEED, WIDEST_JAWS};

/// The greatest number of neighbours that counts.
const MOST_NEIGHBOURS: i64 = MOST_COUNTED as i64;
const LARGEST: i64 = LARGEST_EXTENT as i64;
/// The greatest scale of noise, and the greatest height of a floor.
const COARSEST: f64 = 4096.0;
const LOWEST: f64 = LARGEST_EXTENT as f64;
const FARTHEST: i64 = FARTHEST_REACH as i64;
const HEAVIEST: f64 = (WEIGHT_LIMIT / RULE_ONE) as f64;
/// The greatest capacity in boids, rounded down to five decimals: 2^32 - 1 quanta.
const MOST_BOIDS_IN_A_CELL: f64 = 65535.99998;

const INDIVIDUALS_ONLY: &str = "remove it; only individuals have it";
const CELLS_ONLY: &str = "remove it; only the cell system has it";
const REYNOLDS_ONLY: &str = "remove it; reynolds has it";
const NOISE_ONLY: &str = "remove it, or say base = \"noise\"";
const LIVES: &[&str] = &["none", "starved", "all"];
const LIVES_ONLY: &str = "say lives.rebirth, as in rebirth = \"starved\"";
const FOOD: &[&str] = &["even", "patches"];
const FOOD_ONLY: &str = "say food.pattern, as in pattern = \"patches\"";
const BLOBS_AND_RING: &str = "remove it; blobs and a ring have it";

const fn number(number: f64) -> DefaultValue {
    DefaultValue::Value(Value::Number(number))
}

const fn word(word: &'static str) -> DefaultValue {
    DefaultValue::Value(Value::Word(word))
}

/// Every key of a preset.
pub const KEYS: &[Key] = &[
    Key::new("description", Text, "", Needed, Nothing).doc("one line that says what there is to see"),
    Key::new("model", Choice(&["cell", "agents"]), "", word("cell"), Restart)
        .doc("an amount in every cell, or individuals"),
    Key::new("chain", Text, "", Otherwise("the model's own"), Restart)
        .doc("a chain by name, or by path beside this file"),
    Key::new("seed", Whole(0, i64::MAX), "", number(1.0), Restart).doc("the seed of all that is random"),
    // [world]
    Key::new("world.size", Wholes(1, LARGEST, Place), "cells", Needed, Restart)
        .doc("extents along x and y; with a third one, along z, the world is deep"),
    Key::new("world.edges", Choice(&["torus", "walls", "endless"]), "", word("torus"), Passes)
        .doc("beyond an edge lies the opposite one, or nothing; endless: size is that of a window, which moves with the individuals")
        .control(World, "edges", Words(&["torus", "walls"])),
    Key::new("world.origin", Wholes(-FARTHEST_ORIGIN, FARTHEST_ORIGIN, Point), "cells", Otherwise("[0, 0, 0]"), Restart)
        .doc("where the window of an endless world begins: the place of its first cell")
        .needs("world.edges", &["endless"], "remove it, or say edges = \"endless\""),
    Key::new("world.margin", Whole(0, LARGEST), "cells", number(0.0), Nothing)
        .doc("from here on the rule `walls` turns boids inwards; at most a quarter of the smaller extent")
        .needs("world.edges", &["walls"], "a torus has no walls: remove it, or say edges = \"walls\"")
        .control(World, "margin", Linear(0.0, 64.0)),
    Key::new("world.margin", Whole(0, LARGEST), "cells", number(16.0), Nothing)
        .doc("as wide is the rim of an endless world's window, where the rule `walls` turns individuals inwards")
        .needs("world.edges", &["endless"], "a torus has no walls: remove it, or say edges = \"walls\"")
        .control(World, "margin", Linear(0.0, 64.0)),
    Key::new("world.capacity", Decimal(0.0, MOST_BOIDS_IN_A_CELL), "boids", number(65535.0), Passes)
        .doc("the most boids in a cell")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(World, "capacity", Logarithmic(1.0, 65535.0)),
    Key::new("world.solid[*].circle.at", Decimals(0.0, 1.0, Pair), "", Needed, Restart)
        .doc("the centre, as fractions of the extents"),
    Key::new("world.solid[*].circle.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smaller extent; a circle is a column of a deep world, and so is a rectangle"),
    Key::new("world.solid[*].rectangle.from", Decimals(0.0, 1.0, Pair), "", Needed, Restart)
        .doc("the corner with the smaller fractions of the extents"),
    Key::new("world.solid[*].rectangle.to", Decimals(0.0, 1.0, Pair), "", Needed, Restart).doc("the opposite corner"),
    Key::new("world.solid[*].ball.at", Decimals(0.0, 1.0, Point), "", Needed, Restart)
        .doc("the centre in a deep world, as fractions of the extents"),
    Key::new("world.solid[*].ball.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smallest extent"),
    Key::new("world.solid[*].box.from", Decimals(0.0, 1.0, Point), "", Needed, Restart)
        .doc("the corner with the smaller fractions of the extents, in a deep world"),
    Key::new("world.solid[*].box.to", Decimals(0.0, 1.0, Point), "", Needed, Restart).doc("the opposite corner"),
    Key::new("world.solid[*].mask", Text, "", Otherwise(""), Restart)
        .doc("a picture beside this file: bright is solid, dark or transparent is not"),
    // [world.terrain]
    Key::new("world.terrain.base", Choice(&["noise", "file", "water"]), "", word("noise"), Restart)
        .doc("the rock of a deep world to which shapes are added: where noise is strong, of a file, or none"),
    Key::new("world.terrain.seed", Whole(0, i64::MAX), "", Otherwise("that of the preset"), Restart)
        .doc("the seed of the noise")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY),
    Key::new("world.terrain.at", Wholes(-FARTHEST_ORIGIN, FARTHEST_ORIGIN, Point), "cells", Otherwise("[0, 0, 0]"), Restart)
        .doc("which place of the noise, which has no end, lies at the first cell, or in an endless world at the place 0")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY),
    Key::new("world.terrain.scale", Decimal(1.0, COARSEST), "cells", number(40.0), Restart)
        .doc("the size of the largest forms; that of the last octave is at least a cell")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY)
        .control(World, "rock: scale", Linear(16.0, 128.0)),
    Key::new("world.terrain.squash", Decimal(0.125, 8.0), "", number(1.0), Restart)
        .doc("how much longer forms are along z: below 1 ledges, above 1 pillars")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY)
        .control(World, "rock: squash", Linear(0.5, 2.5)),
    Key::new("world.terrain.octaves", Whole(1, MOST_OCTAVES as i64), "", number(4.0), Restart)
        .doc("how many times finer noise is added, each of half the scale and half as strong")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY),
    Key::new("world.terrain.threshold", Decimal(-4.0, 4.0), "", number(0.5), Restart)
        .doc("rock is where the noise is above it; the first octave is within about 1")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY)
        .control(World, "rock: threshold", Linear(-1.0, 2.0)),
    Key::new("world.terrain.floor_height", Decimal(-LOWEST, LOWEST), "cells", number(0.0), Restart)
        .doc("at this height the floor adds 1 to the noise, below it more")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY),
    Key::new("world.terrain.floor_width", Decimal(0.0, LOWEST), "cells", number(0.0), Restart)
        .doc("how far above floor_height that has fallen to 0; 0: there is no floor")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY),
    Key::new("world.terrain.tunnel_width", Decimal(0.0, 1.0), "", number(0.0), Restart)
        .doc("tunnels lie where two more noises are both within it; 0: there are none")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY)
        .control(World, "rock: tunnels", Linear(0.0, 0.3)),
    Key::new("world.terrain.tunnel_scale", Decimal(1.0, COARSEST), "cells", number(28.0), Restart)
        .doc("the scale of these noises: about how far tunnels lie from each other")
        .needs("world.terrain.base", &["noise"], NOISE_ONLY),
    Key::new("world.terrain.file", Text, "", Otherwise(""), Restart)
        .doc("an NPY array of shape (z, y, x), above 0 rock, or a stack of pictures, bright rock, numbered from 0 or 1 in the place of #")
        .needs("world.terrain.base", &["file"], "remove it, or say base = \"file\""),
    Key::new("world.terrain.closed", Kind::Switch, "", DefaultValue::Value(Value::Switch(true)), Restart)
        .doc("the outermost layer of cells is no rock, so that the surface of the rock is whole; an endless world has none"),
    Key::new("world.terrain.shape[*].sphere.at", Decimals(0.0, 1.0, Point), "", Needed, Restart)
        .doc("the middle, as fractions of the extents"),
    Key::new("world.terrain.shape[*].sphere.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smallest extent"),
    Key::new("world.terrain.shape[*].box.from", Decimals(0.0, 1.0, Point), "", Needed, Restart)
        .doc("the corner with the smaller fractions of the extents; [0, 0, 0] is that of the world"),
    Key::new("world.terrain.shape[*].box.to", Decimals(0.0, 1.0, Point), "", Needed, Restart).doc("the opposite corner"),
    Key::new("world.terrain.shape[*].torus.at", Decimals(0.0, 1.0, Point), "", Needed, Restart)
        .doc("the middle, as fractions of the extents"),
    Key::new("world.terrain.shape[*].torus.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius of the ring in the middle of the tube, as a fraction of the smallest extent"),
    Key::new("world.terrain.shape[*].torus.tube", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius of the tube, as a fraction of the smallest extent"),
    Key::new("world.terrain.shape[*].torus.axis", Choice(&["x", "y", "z"]), "", word("z"), Restart)
        .doc("the axis across which the ring lies"),
    Key::new("world.terrain.shape[*].cylinder.at", Decimals(0.0, 1.0, Point), "", Needed, Restart)
        .doc("the middle, as fractions of the extents"),
    Key::new("world.terrain.shape[*].cylinder.radius", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the radius, as a fraction of the smallest extent"),
    Key::new("world.terrain.shape[*].cylinder.length", Decimal(0.0, 1.0), "", Needed, Restart)
        .doc("the length, as a fraction of the extent along its axis"),
    Key::new("world.terrain.shape[*].cylinder.axis", Choice(&["x", "y", "z"]), "", word("z"), Restart)
        .doc("the axis along which it lies"),
    Key::new("world.terrain.shape[*].subtract", Kind::Switch, "", DefaultValue::Value(Value::Switch(false)), Restart)
        .doc("the shape is taken away from the rock that was there before it"),
    // [start]
    Key::new("start.boids", Whole(0, 1 << 44), "boids", Otherwise("an array holds quanta, 65536 are one boid"), Restart)
        .doc("how many there are at first, on the preset's own size")
        .control(Start, "boids", Logarithmic(1.0, 4_000_000.0)),
    // Shapes that are read from a file cannot be chosen by a click.
    Key::new("start.shape", Choice(&["uniform", "blobs", "ring", "map", "array"]), "", word("uniform"), Restart)
        .doc("where they are at first")
        .control(Start, "shape", Words(&["uniform", "blobs", "ring"])),
    Key::new("start.count", Whole(1, 1 << 20), "", number(40.0), Restart)
        .doc("the number of blobs, at random places")
        .needs("start.shape", &["blobs"], "remove it; blobs have it")
        .control(Start, "blobs", Logarithmic(1.0, 1000.0)),
    Key::new("start.at", Decimals(0.0, 1.0, PlaceOrPlaces), "", Otherwise("random blobs, a ring in the middle"), Restart)
        .doc("the centres of the blobs, or the one centre of a ring and of a swirl; two numbers: in the middle of z")
        .needs("start.shape", &["blobs", "ring"], BLOBS_AND_RING),
    Key::new("start.radius", Decimal(0.0, 1.0), "of a side", number(0.05), Restart)
        .doc("the radius of a blob; a side is the smaller extent")
        .needs("start.shape", &["blobs"], BLOBS_AND_RING)
        .control(Start, "radius", All),
    Key::new("start.radius", Decimal(0.0, 1.0), "of a side", number(0.3), Restart)
        .doc("the radius of the ring; a side is the smaller extent")
        .needs("start.shape", &["ring"], BLOBS_AND_RING)
        .control(Start, "radius", All),
    Key::new("start.width", Decimal(0.0, 1.0), "of a side", number(0.1), Restart)
        .doc("the width of the ring; a side is the smaller extent")
        .needs("start.shape", &["ring"], "remove it; a ring has it")
        .control(Start, "width", All),
    Key::new("start.file", Text, "", Otherwise(""), Restart)
        .doc("a picture whose bright pixels hold more, or an NPY array of u8, u16 or u32 of shape (y, x) or (z, y, x)")
        .needs("start.shape", &["map", "array"], "remove it; a map and an array have it"),
    Key::new("start.headings", Choice(&["none", "random", "swirl"]), "", word("none"), Restart)
        .doc("where they go at first; a swirl goes around the middle")
        .control(Start, "headings", All),
    Key::new("start.speed", Decimal(0.0, 1.0), "cells/step", number(0.5), Restart)
        .doc("how fast they go at first")
        .needs("start.headings", &["random", "swirl"], "remove it; random and swirl have it")
        .control(Start, "speed", All),
    Key::new("start.patch", Whole(1, LARGEST), "cells", number(24.0), Restart)
        .doc("the size of patches in which random headings are alike")
        .needs("start.headings", &["random"], "remove it; random has it")
        .control(Start, "patches", Linear(1.0, 256.0)),
    Key::new("start.run_in", Whole(0, 1_000_000), "steps", number(0.0), Restart)
        .doc("so many steps are played before step 0"),
    // [perception], [sight] and [weights]
    Key::new("perception.shift", Whole(0, 31), "bits", number(12.0), Nothing)
        .doc("a rule sees quanta >> shift; 12 bits are 1/16 boid")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Sight, "grain", Linear(6.0, 18.0)),
    Key::new("sight.*.disc", Decimal(1.0, FARTHEST as f64), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees, as the radius of a disc")
        .needs("model", &["cell"], "")
        .control(Sight, "", Linear(1.0, 24.0)),
    Key::new("sight.*.disc", Decimal(0.1, 255.0), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees, as the radius of a disc or a ball")
        .needs("model", &["agents"], "")
        .control(Sight, "", Linear(1.0, 24.0)),
    Key::new("sight.*.box", Whole(1, FARTHEST), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees along each axis, in a box; in a deep world a cube")
        .control(Sight, "", Linear(1.0, 24.0)),
    Key::new("sight.*.rings.directions", Whole(4, 32), "", Needed, Passes)
        .doc("in how many directions the rule sees, on rings: 4, 8, 16 or 32")
        .control(Sight, "", Words(&["4", "8", "16", "32"])),
    Key::new("sight.*.rings.radii", Wholes(1, FARTHEST, Numbers), "cells", Needed, Passes)
        .doc("the radii of the rings (the paper's Figure 2)"),
    Key::new("sight.*.list", Wholes(-FARTHEST, FARTHEST, Places), "cells", Otherwise(""), Passes)
        .doc("the perceptual vectors one by one, of three components in a deep world"),
    Key::new("sight.*.ball", Decimal(1.0, FARTHEST as f64), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees in a deep world, as the radius of a ball")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Sight, "", Linear(1.0, 9.0)),
    Key::new("sight.*.directions.directions", Whole(6, 50), "", Needed, Passes)
        .doc("in how many directions the rule sees in a deep world: 6, 14, 26 or 50")
        .control(Sight, "", Words(&["6", "14", "26", "50"])),
    Key::new("sight.*.directions.radii", Wholes(1, FARTHEST, Numbers), "cells", Needed, Passes)
        .doc("the radii of the spheres on which it sees in these directions"),
    Key::new("sight.*.contrast", Wholes(0, FARTHEST, Pair), "cells", Otherwise(""), Passes)
        .doc("cohesion only: the radii of two boxes that blur the density, one after the other; the rule sees where it grows"),
    Key::new("weights.*", Decimal(-HEAVIEST, HEAVIEST), "", Otherwise("the chain's own"), Nothing)
        .doc("how strong the rule is; below 0 it is turned round")
        .needs("model", &["cell"], "")
        .control(Rules, "", Linear(-4.0, 4.0)),
    Key::new("weights.*", Decimal(-8.0, 8.0), "", number(0.0), Nothing)
        .doc("how strong the rule is; a school's, and those of walls and hunter but for reynolds, are multiples of the force")
        .needs("model", &["agents"], "")
        .control(Rules, "", Linear(-4.0, 4.0)),
    // [[species]]
    Key::new("species[*].name", Text, "", Needed, Restart)
        .doc("its name, by which others call it; as many species as there are tables, at most 8"),
    Key::new("species[*].colour", Decimal(0.0, 1.0), "", Otherwise("in even distances"), Nothing)
        .doc("the hue in which it is drawn, as a fraction of the colour wheel"),
    Key::new("species[*].seed", Whole(0, i64::MAX), "", Needed, Restart)
        .doc("the seed of all of it that is random; every species has another"),
    Key::new("species[*].boids", Whole(0, 1 << 44), "boids", Otherwise("start.boids"), Restart)
        .doc("its number at the start"),
    Key::new("species[*].most", Whole(1, MOST_INDIVIDUALS as i64), "individuals", Otherwise("no bound"), Nothing)
        .doc("while there are more of it none is born again; a birth that is refused is counted")
        .needs("model", &["agents"], INDIVIDUALS_ONLY),
    Key::new("species[*].grazes", Kind::Switch, "", DefaultValue::Value(Value::Switch(true)), Nothing)
        .doc("whether its individuals eat what grows, where there is food")
        .needs("food.pattern", FOOD, FOOD_ONLY),
    Key::new("species[*].meets.*.kind", Choice(&["flee", "follow", "align", "ignore"]), "", word("ignore"), Passes)
        .doc("what it does where it sees the species of this name"),
    Key::new("species[*].meets.*.weight", Decimal(-HEAVIEST, HEAVIEST), "", number(1.0), Nothing)
        .doc("how strongly")
        .control(Species, "weight", Linear(-4.0, 4.0)),
    Key::new("species[*].meets.*.sight", Text, "", Otherwise("that of the rule that it is like: separation, cohesion, alignment"), Passes)
        .doc("the sight of [sight] through which it sees that species; individuals may have sights for that alone"),
    Key::new("species[*].meets.*.eats", Decimal(0.0, 1.0), "", number(0.0), Passes)
        .doc("the part of what both have in a cell that it eats of that species in a step, and that is born to it")
        .needs("model", &["cell"], "say jaws, within which individuals eat")
        .control(Species, "eats", Linear(0.0, 0.05)),
    Key::new("species[*].meets.*.jaws", Decimal(0.0, 16.0), "cells", number(0.0), Passes)
        .doc("how near individuals of that species are eaten; 0: none is")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Species, "jaws", Linear(0.1, 4.0)),
    Key::new("species[*].meets.*.meal", Decimal(0.0, 1.0), "meals", number(0.5), Nothing)
        .doc("what one of that species stills of the greatest hunger; nobody eats who is less hungry. Those who reach one share it")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Species, "meal", All),
    // [separation] and [movement]
    Key::new("separation.crowd", Decimal(0.0, 65536.0), "boids", number(1.0), Nothing)
        .doc("boids a cell that are a crowd: there separation has its full strength")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Rules, "crowd", Logarithmic(0.1, 100.0)),
    Key::new("separation.crowd", Decimal(0.001, 65536.0), "boids", number(1.0), Nothing)
        .doc("boids a cell that are a crowd: there separation has its full strength")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Rules, "crowd", Logarithmic(0.1, 100.0)),
    Key::new("movement.keep", Decimal(0.0, 1.0), "", number(1.0), Nothing)
        .doc("how much of its control vector a boid keeps; 0 is the paper's form")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Movement, "keep", All),
    Key::new("movement.keep", Decimal(0.0, 1.0), "", number(1.0), Nothing)
        .doc("how much of its velocity an individual keeps")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Movement, "keep", All),
    Key::new("movement.cruise", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the speed towards which boids tend, at most `max`; 0: none")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Movement, "cruise", Linear(0.0, 1.0)),
    Key::new("movement.cruise", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the speed towards which individuals tend, at most `max`; 0: none")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Movement, "cruise", Linear(0.0, 1.0)),
    Key::new("movement.min", Decimal(0.0, 2.0), "cells/step", number(0.0), Nothing)
        .doc("the least speed, at most `max`")
        .needs("agents.rules", &["aquarium"], "remove it; aquarium has it")
        .control(Movement, "least speed", Linear(0.0, 1.0)),
    Key::new("movement.max", Decimal(0.0, 2.0), "cells/step", number(0.95), Nothing)
        .doc("the greatest speed, above 0")
        .control(Movement, "top speed", Linear(0.05, 2.0)),
    Key::new("movement.distribution", Choice(&["bilinear", "split", "nearest"]), "", word("bilinear"), Nothing)
        .doc("how a cell spreads what it gives (the paper's Figure 3)")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Movement, "distribution", All),
    Key::new("movement.carry", Kind::Switch, "", DefaultValue::Value(Value::Switch(true)), Nothing)
        .doc("control vectors travel with the boids, or stay with the cell")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Movement, "carry", All),
    Key::new("movement.wander", Decimal(0.0, 0.125), "", number(0.0), Nothing)
        .doc("the part that strays to each neighbour in a step; 0 is the paper")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Movement, "wander", All),
    Key::new("movement.rest", Whole(0, 1 << 31), "quanta", Otherwise("0; 16 in a deep world"), Nothing)
        .doc("a cell with fewer quanta gives nothing and keeps its control vector; at most 2^perception.shift")
        .needs("model", &["cell"], CELLS_ONLY),
    // [[hunter]]
    Key::new("hunter[*].kind", Choice(&["path", "player", "falcon"]), "", word("path"), Nothing)
        .doc("it walks or stands; is where the player hunts, as the player has it; or flies by itself"),
    Key::new("hunter[*].mood", Choice(&["flee", "follow"]), "", word("flee"), Nothing)
        .doc("what boids do about it")
        .control(Hunt, "mood", All),
    Key::new("hunter[*].reach", Whole(1, FARTHEST_HUNT as i64), "cells", Otherwise("30; a falcon's: 0.18 of the smallest extent"), Nothing)
        .doc("how far it is noticed")
        .control(Hunt, "reach", All),
    Key::new("hunter[*].jaws", Whole(0, WIDEST_JAWS as i64), "cells", number(0.0), Nothing)
        .doc("how far from it boids are caught; 0: none")
        .control(Hunt, "jaws", All),
    Key::new("hunter[*].path", Decimals(0.0, 1.0, Places), "", Otherwise("it stands"), Nothing)
        .doc("the points that it walks around, as fractions of the extents; of two numbers it is a column of a deep world"),
    Key::new("hunter[*].speed", Decimal(0.0, 64.0), "cells/step", Otherwise("0.5; a falcon's: three times the cruise of the swarm, or 2"), Nothing)
        .doc("how fast it walks its path, or flies")
        .control(Hunt, "speed", Linear(0.0, 4.0)),
    Key::new("hunter[*].at", Decimals(0.0, 1.0, Place), "", Otherwise("in the middle; a falcon: in a corner"), Nothing)
        .doc("the place where it stands, if it has no path, or where a falcon begins"),
    Key::new("hunter[*].peak", Decimal(0.0, MOST_SPEED), "cells/step", Otherwise("1.5 times its speed"), Nothing)
        .doc("falcon: how fast it stoops")
        .control(Hunt, "peak", Linear(0.0, 6.0)),
    Key::new("hunter[*].turn", Decimal(0.0, MOST_SPEED), "cells/step²", Otherwise("a fifth of its speed"), Nothing)
        .doc("falcon: how much its velocity changes in a step at most")
        .control(Hunt, "turn", Linear(0.0, 1.0)),
    Key::new("hunter[*].sight", Whole(1, FARTHEST_HUNT as i64), "cells", Otherwise("three times its reach"), Nothing)
        .doc("falcon: how far it sees the swarm; it flies towards the mean of what it sees")
        .control(Hunt, "sight", All),
    Key::new("hunter[*].distance", Whole(1, FARTHEST_HUNT as i64), "cells", Otherwise("twice its reach"), Nothing)
        .doc("falcon: how far from that mean it waits")
        .control(Hunt, "distance", All),
    Key::new("hunter[*].rest", Whole(1, 10_000), "steps", number(60.0), Nothing)
        .doc("falcon: how long it rests between two stoops")
        .control(Hunt, "rest", Linear(1.0, 500.0)),
    // [roost]
    Key::new("roost.at", Decimals(0.0, 1.0, Place), "", Otherwise("in the middle"), Nothing)
        .doc("the place that the rule `roost` draws boids to, as fractions of the extents"),
    Key::new("roost.vertical", Decimal(0.0, 4.0), "", number(3.0), Nothing)
        .doc("how many times as strong it is along z"),
    // [agents]
    Key::new("agents.rules", Choice(&["school", "flock", "circles", "reynolds", "aquarium"]), "", Needed, Passes)
        .doc("whose rules the individuals follow; circles: a flock that sees half of its surroundings; reynolds: the cells' rules")
        .needs("model", &["agents"], "")
        .control(Rules, "rules", All),
    Key::new("agents.depth", Whole(1, 1024), "cells", number(1.0), Restart)
        .doc("the third extent, as presets said it before world.size could: not 2 or 3; 1: flat")
        .needs("model", &["agents"], "")
        .control(Start, "depth", Logarithmic(1.0, 1024.0)),
    Key::new("agents.force", Decimal(0.0, 2.0), "cells/step²", Otherwise("only with reynolds and aquarium, which have none"), Nothing)
        .doc("how much a velocity changes in a step at most")
        .needs("agents.rules", &["school", "flock", "circles"], "remove it; reynolds and aquarium have none")
        .control(Movement, "force", Logarithmic(0.001, 1.0)),
    // [avoidance]
    Key::new("avoidance.rays", Whole(0, MOST_RAYS as i64), "", Otherwise("100 with aquarium, else 0: none"), Passes)
        .doc("with how many rays, spread over a sphere, individuals look for a way past rock and walls")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Sight, "rays", Logarithmic(1.0, 512.0)),
    Key::new("avoidance.view", Decimal(1.0, 180.0), "degrees", number(120.0), Passes)
        .doc("the greatest angle between a ray and the heading")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Sight, "view", All),
    Key::new("avoidance.least", Decimal(0.0, 180.0), "degrees", number(0.0), Passes)
        .doc("rays within this angle are all looked through, and the mean of the free ones is taken; 0: the first free ray")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Sight, "least angle", Linear(0.0, 60.0)),
    Key::new("avoidance.reach", Decimal(1.0, FARTHEST_RAY as f64), "cells", number(12.0), Passes)
        .doc("how far the rays reach")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Sight, "ray reach", Linear(1.0, 32.0)),
    Key::new("avoidance.clearance", Decimal(0.5, 16.0), "cells", number(2.0), Passes)
        .doc("the radius of the ball that is traced along a ray, in quarters of a cell")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Sight, "clearance", Linear(0.5, 6.0)),
    Key::new("avoidance.growth", Decimal(0.0, 3.0), "", number(0.0), Passes)
        .doc("how much stronger avoidance is next to rock")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .control(Sight, "growth", All),
    // [lives]
    Key::new("lives.rebirth", Choice(LIVES), "", Otherwise("individuals have no lives"), Restart)
        .doc("individuals have lives, and those that have perished are gone, or are born again; all: those that were caught as well")
        .needs("model", &["agents"], INDIVIDUALS_ONLY),
    Key::new("lives.seed", Whole(0, i64::MAX), "", Otherwise("that of the preset"), Restart)
        .doc("the seed of their DNA and of where they are born again")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.mutation", Decimal(0.0, 1.0), "", number(0.0), Nothing)
        .doc("how much a trait differs at most from that of a parent, as a part of its range; 0: one is born again with its own DNA")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "mutation", Linear(0.0, 0.5)),
    Key::new("lives.parents", Choice(&["any", "healthy"]), "", word("healthy"), Nothing)
        .doc("who is a parent, by chance: each that lives as often, or the healthier the more often")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "parents", All),
    Key::new("lives.effort", Decimal(0.0, 4.0), "", number(0.0), Nothing)
        .doc("how much faster the fastest grow hungry, and so do those that see farthest, as a part of their appetite: traits have a cost")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "effort", All),
    Key::new("lives.dna.speed", Decimals(0.05, 1.0, Span), "", Otherwise("[0.7, 1]"), Nothing)
        .doc("their greatest speeds, as parts of movement.max; of each trait a number, or the range in which a DNA chooses")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.dna.force", Decimals(0.0, 1.0, Span), "", Otherwise("[0.7, 1]"), Nothing)
        .doc("the part of what the rules ask for that they follow")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.dna.sight", Decimals(0.1, 1.0, Span), "", Otherwise("[0.8, 1]"), Nothing)
        .doc("how far they see, as parts of the sights")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.dna.disposition", Decimals(-1.0, 1.0, Span), "", Otherwise("[-0.3, 0.3]"), Nothing)
        .doc("what is added to their moods; a mood is from -1 to 1")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.dna.health", Decimals(0.01, 1.0, Span), "", Otherwise("[0.6, 1]"), Nothing)
        .doc("their greatest health")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.dna.appetite", Decimals(0.0, 100.0, Span), "", Otherwise("[0.3, 0.6]"), Nothing)
        .doc("the hunger that grows in 1000 steps; with 1 they starve")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.few", Whole(0, MOST_NEIGHBOURS), "neighbours", number(4.0), Nothing)
        .doc("with fewer others within the sight of cohesion they are lonely")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "few", Linear(0.0, 64.0)),
    Key::new("lives.many", Whole(0, MOST_NEIGHBOURS), "neighbours", number(40.0), Nothing)
        .doc("with more they are crowded; at least `few`")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "many", Linear(0.0, 200.0)),
    Key::new("lives.content", Decimal(0.0, 4.0), "", number(0.4), Nothing)
        .doc("what the mood is better for company")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "content", Linear(0.0, 2.0)),
    Key::new("lives.lonely", Decimal(0.0, 4.0), "", number(0.25), Nothing)
        .doc("what the mood is worse for each neighbour below `few`")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "lonely", Linear(0.0, 1.0)),
    Key::new("lives.crowded", Decimal(0.0, 4.0), "", number(0.02), Nothing)
        .doc("what it is worse for each one above `many`")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "crowded", Linear(0.0, 0.2)),
    Key::new("lives.pressed", Decimal(0.0, 4.0), "", number(0.05), Nothing)
        .doc("what it is worse for each one within the sight of separation, which is too near")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "pressed", Linear(0.0, 0.5)),
    Key::new("lives.sulk", Decimal(0.0, 4.0), "", number(0.8), Nothing)
        .doc("what it is worse with the greatest hunger")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "sulk", Linear(0.0, 2.0)),
    Key::new("lives.pace", Decimal(0.0001, 1.0), "a step", number(0.01), Nothing)
        .doc("how fast the mood changes")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "pace", Logarithmic(0.001, 0.1)),
    Key::new("lives.hungry", Decimal(0.0, 1.0), "", number(0.6), Nothing)
        .doc("the hunger above which health is lost")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "hungry", All),
    Key::new("lives.sad", Decimal(-0.9, 0.9), "", number(-0.3), Nothing)
        .doc("the mood below which they are depressed: they follow their rules less, slow down, drift apart and lose health")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "sad", All),
    Key::new("lives.recovery", Decimal(0.0, 1000.0), "in 1000 steps", number(2.0), Nothing)
        .doc("the health that comes back, neither hungry nor depressed")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "recovery", Logarithmic(0.1, 100.0)),
    Key::new("lives.starvation", Decimal(0.0, 1000.0), "in 1000 steps", number(2.0), Nothing)
        .doc("the health that a hungry one loses")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "starvation", Logarithmic(0.1, 100.0)),
    Key::new("lives.gloom", Decimal(0.0, 1000.0), "in 1000 steps", number(1.0), Nothing)
        .doc("the health that a depressed one loses")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "gloom", Logarithmic(0.1, 100.0)),
    Key::new("lives.heed", Decimal(0.0, 1.0), "", number(0.2), Nothing)
        .doc("the part of what the rules ask for that is followed in the deepest depression")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "heed", All),
    Key::new("lives.slow", Decimal(0.0, 1.0), "", number(0.4), Nothing)
        .doc("the part of the greatest speed that is left in the deepest depression")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "slow", All),
    Key::new("lives.frail", Decimal(0.001, 1.0), "", number(0.03), Nothing)
        .doc("the health below which one begins to perish")
        .needs("lives.rebirth", LIVES, LIVES_ONLY),
    Key::new("lives.perishing", Whole(1, 60_000), "steps", number(120.0), Nothing)
        .doc("how long one perishes: it fades and sinks, and nothing helps")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "perishing", Linear(1.0, 600.0)),
    Key::new("lives.sink", Decimal(0.0, 1.0), "cells/step", number(0.1), Nothing)
        .doc("how fast one sinks meanwhile: down in the picture of a flat world, down in a deep one")
        .needs("lives.rebirth", LIVES, LIVES_ONLY)
        .control(Lives, "sink", Linear(0.0, 0.5)),
    // [food]
    Key::new("food.pattern", Choice(FOOD), "", Otherwise("there is no food"), Restart)
        .doc("individuals with lives have food: everywhere, or in patches")
        .needs("model", &["agents"], INDIVIDUALS_ONLY),
    Key::new("food.most", Decimal(0.001, 256.0), "meals", number(1.0), Passes)
        .doc("the most that grows in a cell of food, of patches in their middles; a meal stills the greatest hunger")
        .needs("food.pattern", FOOD, FOOD_ONLY)
        .control(Food, "most", Logarithmic(0.01, 100.0)),
    Key::new("food.growth", Decimal(0.0, 1000.0), "meals in 1000 steps", number(1.0), Nothing)
        .doc("what grows in a cell of food that has less than its most")
        .needs("food.pattern", FOOD, FOOD_ONLY)
        .control(Food, "growth", Logarithmic(0.01, 100.0)),
    Key::new("food.bite", Decimal(0.0001, 1.0), "meals", number(0.02), Nothing)
        .doc("the most that one eats in a step, and the least hunger with which it does")
        .needs("food.pattern", FOOD, FOOD_ONLY)
        .control(Food, "bite", Logarithmic(0.001, 0.5)),
    Key::new("food.forage", Decimal(0.0, 2.0), "cells/step²", number(0.02), Nothing)
        .doc("how strongly food in the cells around draws the hungriest")
        .needs("food.pattern", FOOD, FOOD_ONLY)
        .control(Food, "forage", Linear(0.0, 0.2)),
    Key::new("food.start", Decimal(0.0, 1.0), "", number(1.0), Restart)
        .doc("the part of the most that is there at the start")
        .needs("food.pattern", FOOD, FOOD_ONLY),
    Key::new("food.cell", Whole(1, 64), "cells", number(4.0), Restart)
        .doc("the size of a cell of food; food is seen in the cells around one's own")
        .needs("food.pattern", FOOD, FOOD_ONLY),
    Key::new("food.patches", Whole(1, 1024), "", number(12.0), Restart)
        .doc("how many patches there are, at places by chance")
        .needs("food.pattern", &["patches"], "remove it, or say pattern = \"patches\""),
    Key::new("food.radius", Whole(1, LARGEST), "cells", number(24.0), Restart)
        .doc("the radius of a patch")
        .needs("food.pattern", &["patches"], "remove it, or say pattern = \"patches\""),
    // [look]
    Key::new(
        "look.style",
        Choice(&["dusk", "glow", "cloud", "slice", "projection"]),
        "",
        Otherwise("dusk in a deep world, cloud in a flat one"),
        Nothing,
    )
    .doc("strokes before the sky at dusk, points of light, a field of light, or values of a layer or of sums")
    .needs("model", &["cell"], CELLS_ONLY)
    .control(Look, "style", All),
    Key::new("look.exposure", Decimal(0.001, 65536.0), "boids", number(1.0), Nothing)
        .doc("the density that glows at half brightness, in boids a cell")
        .control(Look, "exposure", Logarithmic(0.01, 100.0)),
    Key::new("look.bloom", Decimal(0.0, 1.0), "", number(0.6), Nothing)
        .doc("how much light spills around a bright place")
        .control(Look, "bloom", All),
    Key::new("look.hue", Decimal(0.0, 1.0), "turns", number(0.0), Nothing)
        .doc("turns the colours of the headings")
        .control(Look, "hue", All),
    Key::new(
        "look.colour",
        Choice(&["heading", "speed", "density", "mood", "species"]),
        "",
        Otherwise("\"species\" where there are several, \"mood\" where individuals have lives, else \"heading\""),
        Nothing,
    )
    .doc("what the hue says; the mood is that of individuals with lives")
    .control(Look, "colour", All),
    Key::new("look.point_size", Decimal(0.25, 4.0), "×", number(1.0), Nothing)
        .doc("the size of single boids, seen from near, in the window")
        .control(Look, "points", All),
    Key::new("look.points", Whole(0, MOST_POINTS as i64), "points", number(DEFAULT_POINTS as f64), Nothing)
        .doc("the most points of light; of more boids each point stands for several; 0: none")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Look, "most points", Logarithmic(1000.0, MOST_POINTS as f64)),
    Key::new("look.trails", Decimal(0.0, 0.98), "", number(0.0), Nothing)
        .doc("how much of the last picture's light stays, in the window")
        .control(Look, "trails", All),
    Key::new("look.axis", Choice(&["x", "y", "z"]), "", word("z"), Nothing)
        .doc("the axis across which a slice lies and along which a projection sums, in a deep world")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Look, "axis", All),
    Key::new("look.layer", Decimal(0.0, 1.0), "", number(0.5), Nothing)
        .doc("where a slice lies along its axis, as a part of the extent")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Look, "layer", All),
    Key::new("look.scale", Decimal(0.0, 1e9), "boids", number(0.0), Nothing)
        .doc("the last colour of slices and projections; 0: a round number beyond the greatest value")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Look, "scale", Logarithmic(0.01, 10_000.0)),
    Key::new("look.eye", Decimals(-4.0, 5.0, Point), "", Otherwise("all of the world is seen"), Nothing)
        .doc("the eye from which a deep world is first seen, as fractions of the extents"),
    Key::new("look.target", Decimals(0.0, 1.0, Point), "", Otherwise("the middle of the world"), Nothing)
        .doc("what this eye has in the middle of its picture, as fractions of the extents"),
];
