//! The rows of the table, in the order of `presets/reference.toml`.

use super::Cost::{Nothing, Passes, Restart};
use super::DefaultValue::{Needed, Number, Otherwise, Switch, Word};
use super::Kind::{Choice, Decimal, Decimals, Text, Whole, Wholes};
use super::Range::{All, Linear, Logarithmic, Words};
use super::{Key, Kind, Section};
use crate::numbers::{RULE_ONE, WEIGHT_LIMIT};
use crate::sight::FARTHEST_REACH;
use crate::world::{FARTHEST_HUNT, LARGEST_EXTENT, WIDEST_JAWS};

const LARGEST: i64 = LARGEST_EXTENT as i64;
const FARTHEST: i64 = FARTHEST_REACH as i64;
const HEAVIEST: f64 = (WEIGHT_LIMIT / RULE_ONE) as f64;
/// The greatest capacity in boids, rounded down to five decimals: 2^32 - 1 quanta.
const MOST_BOIDS_IN_A_CELL: f64 = 65535.99998;

const CELLS_ONLY: &str = "remove it; only the cell system has it";
const REYNOLDS_ONLY: &str = "remove it; reynolds has it";
const BLOBS_AND_RING: &str = "remove it; blobs and a ring have it";

/// Every key of a preset.
pub const KEYS: &[Key] = &[
    Key::new("description", Text, Needed, Nothing, "one line that says what there is to see"),
    Key::new("model", Choice(&["cell", "agents"]), Word("cell"), Restart, "an amount in every cell, or individuals"),
    Key::new("chain", Text, Otherwise("the model's own"), Restart, "a chain by name, or by path beside this file"),
    Key::new("seed", Whole(0, i64::MAX), Number(1.0), Restart, "the seed of all that is random"),
    // [world]
    Key::new("world.size", Wholes(1, LARGEST), Needed, Restart, "extents along x and y").unit("cells"),
    Key::new(
        "world.edges",
        Choice(&["torus", "walls"]),
        Word("torus"),
        Passes,
        "beyond an edge lies the opposite one, or nothing",
    )
    .control(Section::World, "edges", All),
    Key::new(
        "world.margin",
        Whole(0, LARGEST),
        Number(0.0),
        Nothing,
        "from here on the rule `walls` turns boids inwards; at most a quarter of the smaller extent",
    )
    .unit("cells")
    .needs("world.edges", &["walls"], "a torus has no walls: remove it, or say edges = \"walls\"")
    .control(Section::World, "margin", Linear(0.0, 64.0)),
    Key::new("world.capacity", Decimal(0.0, MOST_BOIDS_IN_A_CELL), Number(65535.0), Passes, "the most boids in a cell")
        .unit("boids")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::World, "capacity", Logarithmic(1.0, 65535.0)),
    Key::new("world.solid[*].circle.at", Decimals(0.0, 1.0), Needed, Restart, "the centre, as fractions of the extents"),
    Key::new(
        "world.solid[*].circle.radius",
        Decimal(0.0, 1.0),
        Needed,
        Restart,
        "the radius, as a fraction of the smaller extent",
    ),
    Key::new(
        "world.solid[*].rectangle.from",
        Decimals(0.0, 1.0),
        Needed,
        Restart,
        "the corner with the smaller fractions of the extents",
    ),
    Key::new("world.solid[*].rectangle.to", Decimals(0.0, 1.0), Needed, Restart, "the opposite corner"),
    Key::new(
        "world.solid[*].mask",
        Text,
        Otherwise(""),
        Restart,
        "a picture beside this file: bright is solid, dark or transparent is not",
    ),
    // [start]
    Key::new(
        "start.boids",
        Whole(0, 1 << 44),
        Otherwise("an array holds quanta, 65536 are one boid"),
        Restart,
        "how many there are at first, on the preset's own size",
    )
    .unit("boids")
    .control(Section::Start, "boids", Logarithmic(1.0, 4_000_000.0)),
    Key::new(
        "start.shape",
        Choice(&["uniform", "blobs", "ring", "map", "array"]),
        Word("uniform"),
        Restart,
        "where they are at first",
    )
    // Shapes that are read from a file cannot be chosen by a click.
    .control(Section::Start, "shape", Words(&["uniform", "blobs", "ring"])),
    Key::new("start.count", Whole(1, 1 << 20), Number(40.0), Restart, "the number of blobs, at random places")
        .needs("start.shape", &["blobs"], "remove it; blobs have it")
        .control(Section::Start, "blobs", Logarithmic(1.0, 1000.0)),
    Key::new(
        "start.at",
        Decimals(0.0, 1.0),
        Otherwise("random blobs, a ring in the middle"),
        Restart,
        "the centres of the blobs, or the one centre of a ring and of a swirl",
    )
    .needs("start.shape", &["blobs", "ring"], BLOBS_AND_RING),
    Key::new(
        "start.radius",
        Decimal(0.0, 1.0),
        Number(0.05),
        Restart,
        "the radius of a blob; a side is the smaller extent",
    )
    .unit("of a side")
    .needs("start.shape", &["blobs"], BLOBS_AND_RING)
    .control(Section::Start, "radius", All),
    Key::new(
        "start.radius",
        Decimal(0.0, 1.0),
        Number(0.3),
        Restart,
        "the radius of the ring; a side is the smaller extent",
    )
    .unit("of a side")
    .needs("start.shape", &["ring"], BLOBS_AND_RING)
    .control(Section::Start, "radius", All),
    Key::new(
        "start.width",
        Decimal(0.0, 1.0),
        Number(0.1),
        Restart,
        "the width of the ring; a side is the smaller extent",
    )
    .unit("of a side")
    .needs("start.shape", &["ring"], "remove it; a ring has it")
    .control(Section::Start, "width", All),
    Key::new(
        "start.file",
        Text,
        Otherwise(""),
        Restart,
        "a picture whose bright pixels hold more, or a two-dimensional NPY array of u8, u16 or u32, rows first",
    )
    .needs("start.shape", &["map", "array"], "remove it; a map and an array have it"),
    Key::new(
        "start.headings",
        Choice(&["none", "random", "swirl"]),
        Word("none"),
        Restart,
        "where they go at first; a swirl goes around the middle",
    )
    .control(Section::Start, "headings", All),
    Key::new("start.speed", Decimal(0.0, 1.0), Number(0.5), Restart, "how fast they go at first")
        .unit("cells/step")
        .needs("start.headings", &["random", "swirl"], "remove it; random and swirl have it")
        .control(Section::Start, "speed", All),
    Key::new("start.patch", Whole(1, LARGEST), Number(24.0), Restart, "the size of patches in which random headings are alike")
        .unit("cells")
        .needs("start.headings", &["random"], "remove it; random has it")
        .control(Section::Start, "patches", Linear(1.0, 256.0)),
    // [perception], [sight] and [weights]
    Key::new(
        "perception.shift",
        Whole(0, 31),
        Number(12.0),
        Nothing,
        "a rule sees quanta >> shift; 12 bits are 1/16 boid",
    )
    .unit("bits")
    .needs("model", &["cell"], CELLS_ONLY)
    .control(Section::Sight, "grain", Linear(6.0, 18.0)),
    Key::new("sight.*.disc", Decimal(1.0, FARTHEST as f64), Otherwise(""), Passes, "how far the rule sees, as the radius of a disc")
        .unit("cells")
        .needs("model", &["cell"], "")
        .control(Section::Sight, "", Linear(1.0, 24.0)),
    Key::new("sight.*.disc", Decimal(0.1, 255.0), Otherwise(""), Passes, "how far the rule sees, as the radius of a disc or a ball")
        .unit("cells")
        .needs("model", &["agents"], "")
        .control(Section::Sight, "", Linear(1.0, 24.0)),
    Key::new("sight.*.box", Whole(1, FARTHEST), Otherwise(""), Passes, "how far the rule sees along each axis, in a box")
        .unit("cells")
        .control(Section::Sight, "", Linear(1.0, 24.0)),
    Key::new("sight.*.rings.directions", Whole(4, 32), Otherwise(""), Passes, "in how many directions the rule sees, on rings: 4, 8, 16 or 32")
        .control(Section::Sight, "", Words(&["4", "8", "16", "32"])),
    Key::new("sight.*.rings.radii", Wholes(1, FARTHEST), Otherwise(""), Passes, "the radii of the rings (the paper's Figure 2)").unit("cells"),
    Key::new("sight.*.list", Wholes(-FARTHEST, FARTHEST), Otherwise(""), Passes, "the perceptual vectors one by one").unit("cells"),
    Key::new(
        "weights.*",
        Decimal(-HEAVIEST, HEAVIEST),
        Otherwise("the chain's own"),
        Nothing,
        "how strong the rule is; below 0 it is turned round",
    )
    .needs("model", &["cell"], "")
    .control(Section::Rules, "", Linear(-4.0, 4.0)),
    Key::new(
        "weights.*",
        Decimal(-8.0, 8.0),
        Number(0.0),
        Nothing,
        "how strong the rule is; a school's, and those of walls and hunter but for reynolds, are multiples of the force",
    )
    .needs("model", &["agents"], "")
    .control(Section::Rules, "", Linear(-4.0, 4.0)),
    // [separation] and [movement]
    Key::new(
        "separation.crowd",
        Decimal(0.0, 65536.0),
        Number(1.0),
        Nothing,
        "boids a cell that are a crowd: there separation has its full strength",
    )
    .unit("boids")
    .needs("model", &["cell"], CELLS_ONLY)
    .control(Section::Rules, "crowd", Logarithmic(0.1, 100.0)),
    Key::new(
        "separation.crowd",
        Decimal(0.001, 65536.0),
        Number(1.0),
        Nothing,
        "boids a cell that are a crowd: there separation has its full strength",
    )
    .unit("boids")
    .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
    .control(Section::Rules, "crowd", Logarithmic(0.1, 100.0)),
    Key::new("movement.keep", Decimal(0.0, 1.0), Number(1.0), Nothing, "how much of its control vector a boid keeps; 0 is the paper's form")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "keep", All),
    Key::new("movement.keep", Decimal(0.0, 1.0), Number(1.0), Nothing, "how much of its velocity an individual keeps")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Section::Movement, "keep", All),
    Key::new("movement.cruise", Decimal(0.0, 2.0), Number(0.0), Nothing, "the speed towards which boids tend, at most `max`; 0: none")
        .unit("cells/step")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "cruise", Linear(0.0, 1.0)),
    Key::new("movement.cruise", Decimal(0.0, 2.0), Number(0.0), Nothing, "the speed towards which individuals tend, at most `max`; 0: none")
        .unit("cells/step")
        .needs("agents.rules", &["reynolds"], REYNOLDS_ONLY)
        .control(Section::Movement, "cruise", Linear(0.0, 1.0)),
    Key::new("movement.max", Decimal(0.0, 2.0), Number(0.95), Nothing, "the greatest speed, above 0")
        .unit("cells/step")
        .control(Section::Movement, "top speed", Linear(0.05, 2.0)),
    Key::new(
        "movement.distribution",
        Choice(&["bilinear", "split", "nearest"]),
        Word("bilinear"),
        Nothing,
        "how a cell spreads what it gives (the paper's Figure 3)",
    )
    .needs("model", &["cell"], CELLS_ONLY)
    .control(Section::Movement, "distribution", All),
    Key::new(
        "movement.carry",
        Kind::Switch,
        Switch(true),
        Nothing,
        "control vectors travel with the boids, or stay with the cell",
    )
    .needs("model", &["cell"], CELLS_ONLY)
    .control(Section::Movement, "carry", All),
    Key::new("movement.wander", Decimal(0.0, 0.125), Number(0.0), Nothing, "the part that strays to each neighbour in a step; 0 is the paper")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Movement, "wander", All),
    // [hunter]
    Key::new(
        "hunter.mood",
        Choice(&["flee", "follow"]),
        Word("flee"),
        Nothing,
        "what boids do about the preset's own hunter",
    )
    .control(Section::Hunt, "mood", All),
    Key::new(
        "hunter.reach",
        Whole(1, FARTHEST_HUNT as i64),
        Number(30.0),
        Nothing,
        "how far the preset's own hunter is noticed",
    )
    .unit("cells")
    .control(Section::Hunt, "reach", All),
    Key::new(
        "hunter.path",
        Decimals(0.0, 1.0),
        Otherwise("it stands"),
        Nothing,
        "the points that it walks around, as fractions of the extents",
    ),
    Key::new(
        "hunter.speed",
        Decimal(0.0, 64.0),
        Number(0.5),
        Nothing,
        "how fast the preset's own hunter walks its path",
    )
    .unit("cells/step")
    .control(Section::Hunt, "speed", Linear(0.0, 4.0)),
    Key::new(
        "hunter.jaws",
        Whole(0, WIDEST_JAWS as i64),
        Number(0.0),
        Nothing,
        "how far from it boids are caught; 0: none",
    )
    .unit("cells")
    .control(Section::Hunt, "jaws", All),
    Key::new("hunter.at", Decimals(0.0, 1.0), Otherwise("in the middle"), Nothing, "the place where it stands, if it has no path"),
    // [agents]
    Key::new(
        "agents.rules",
        Choice(&["school", "flock", "circles", "reynolds"]),
        Needed,
        Passes,
        "whose rules the individuals follow; circles: a flock that sees half of its surroundings; reynolds: the cells' rules",
    )
    .needs("model", &["agents"], "")
    .control(Section::Rules, "rules", All),
    Key::new(
        "agents.depth",
        Whole(1, 1024),
        Number(1.0),
        Restart,
        "how deep the world of the individuals is, but not 2 or 3; 1: flat",
    )
    .unit("cells")
    .needs("model", &["agents"], "")
    .control(Section::Start, "depth", Logarithmic(1.0, 1024.0)),
    Key::new(
        "agents.force",
        Decimal(0.0, 2.0),
        Otherwise("only with reynolds, which has none"),
        Nothing,
        "how much a velocity changes in a step at most",
    )
    .unit("cells/step²")
    .needs("agents.rules", &["school", "flock", "circles"], "remove it; reynolds has none")
    .control(Section::Movement, "force", Logarithmic(0.001, 1.0)),
    // [look]
    Key::new("look.exposure", Decimal(0.001, 65536.0), Number(1.0), Nothing, "the density that glows at half brightness, in boids a cell")
        .unit("boids")
        .control(Section::Look, "exposure", Logarithmic(0.01, 100.0)),
    Key::new("look.bloom", Decimal(0.0, 1.0), Number(0.6), Nothing, "how much light spills around a bright place").control(
        Section::Look,
        "bloom",
        All,
    ),
    Key::new("look.hue", Decimal(0.0, 1.0), Number(0.0), Nothing, "turns the colours of the headings")
        .unit("turns")
        .control(Section::Look, "hue", All),
    Key::new(
        "look.colour",
        Choice(&["heading", "speed", "density"]),
        Word("heading"),
        Nothing,
        "what the hue says",
    )
    .control(Section::Look, "colour", All),
    Key::new("look.point_size", Decimal(0.25, 4.0), Number(1.0), Nothing, "the size of single boids, seen from near, in the window")
        .unit("×")
        .control(Section::Look, "points", All),
    Key::new("look.trails", Decimal(0.0, 0.98), Number(0.0), Nothing, "how much of the last picture's light stays, in the window")
        .control(Section::Look, "trails", All),
];
