//! Noise of headings in whole steps: what a step does with a given field, on every engine, and what comes of it.

mod cells;
mod individuals;
mod vicsek;
