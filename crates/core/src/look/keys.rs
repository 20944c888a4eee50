//! The keys of the look.

use crate::keys::rows::*;
use crate::look::{DEFAULT_POINTS, Look as LookNumbers, MAX_POINTS};

/// The keys of the section `look` of a preset: how pictures are drawn.
#[rustfmt::skip]
pub const KEYS: &[Row<LookNumbers>] = &[
    Row::new("look.style", Choice(&["dusk", "glow", "cloud", "slice", "projection"]), "",
        Otherwise("dusk in a deep world, cloud in a flat one"), Nothing)
        .doc("strokes before the sky at dusk, points of light, a field of light, or values of a layer or of sums")
        .needs("model", &["cell"], CELLS_ONLY).control(Section::Look, "style", All),
    Row::new("look.exposure", Decimal(0.001, 65536.0), "boids", number(1.0), Nothing)
        .doc("the density that glows at half brightness, in boids a cell")
        .control(Section::Look, "exposure", Logarithmic(0.01, 100.0))
        .decimal(|look, value| look.exposure = value as f32),
    Row::new("look.bloom", Decimal(0.0, 1.0), "", number(0.6), Nothing)
        .doc("how much light spills around a bright place")
        .control(Section::Look, "bloom", All).decimal(|look, value| look.bloom = value as f32),
    Row::new("look.hue", Decimal(0.0, 1.0), "turns", number(0.0), Nothing).doc("turns the colours of the headings")
        .control(Section::Look, "hue", All).decimal(|look, value| look.hue = value as f32),
    Row::new("look.colour", Choice(&["heading", "speed", "density", "mood", "species"]), "",
        Otherwise("\"species\" where there are several, \"mood\" where individuals have lives, else \"heading\""),
        Nothing)
        .doc("what the hue says; the mood is that of individuals with lives").control(Section::Look, "colour", All),
    Row::new("look.point_size", Decimal(0.25, 4.0), "×", number(1.0), Nothing)
        .doc("the size of single boids, seen from near, in the window").control(Section::Look, "points", All)
        .decimal(|look, value| look.point_size = value as f32),
    Row::new("look.points", Whole(0, MAX_POINTS as i64), "points", number(DEFAULT_POINTS as f64), Nothing)
        .doc("the most points of light; of more boids each point stands for several; 0: none")
        .needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Look, "most points", Logarithmic(1000.0, MAX_POINTS as f64))
        .integer(|look, points| look.points = points as u32),
    Row::new("look.trails", Decimal(0.0, 0.98), "", number(0.0), Nothing)
        .doc("how much of the last picture's light stays, in the window").control(Section::Look, "trails", All)
        .decimal(|look, value| look.trails = value as f32),
    Row::new("look.axis", Choice(&["x", "y", "z"]), "", word("z"), Nothing)
        .doc("the axis across which a slice lies and along which a projection sums, in a deep world")
        .needs("model", &["cell"], CELLS_ONLY).control(Section::Look, "axis", All)
        .word(|look, axis| look.axis = ["x", "y", "z"].iter().position(|own| *own == axis).unwrap_or(2)),
    Row::new("look.layer", Decimal(0.0, 1.0), "", number(0.5), Nothing)
        .doc("where a slice lies along its axis, as a part of the extent").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Look, "layer", All).decimal(|look, value| look.layer = value as f32),
    Row::new("look.scale", Decimal(0.0, 1e9), "boids", number(0.0), Nothing)
        .doc("the last colour of slices and projections; 0: a round number beyond the greatest value")
        .needs("model", &["cell"], CELLS_ONLY).control(Section::Look, "scale", Logarithmic(0.01, 10_000.0))
        .decimal(|look, value| look.scale = value as f32),
    Row::new("look.eye", Decimals(-4.0, 5.0, Triple), "", Otherwise("all of the world is seen"), Nothing)
        .doc("the eye from which a deep world is first seen, as fractions of the extents"),
    Row::new("look.target", Decimals(0.0, 1.0, Triple), "", Otherwise("the middle of the world"), Nothing)
        .doc("what this eye has in the middle of its picture, as fractions of the extents"),
];
