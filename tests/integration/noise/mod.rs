//! Noise of headings: a step with a given field of noise on every engine, and the order of whole runs.

mod cells;
mod individuals;
mod vicsek;
