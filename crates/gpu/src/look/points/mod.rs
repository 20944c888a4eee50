//! The points of the cells in pictures: strokes, discs and their camera.

pub(crate) mod disc_count;
pub(crate) mod strokes;
