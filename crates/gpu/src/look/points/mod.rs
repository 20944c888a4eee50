//! The points that stand for the boids of cells in pictures, drawn as strokes or as discs.

pub(crate) mod disc_count;
pub(crate) mod strokes;
