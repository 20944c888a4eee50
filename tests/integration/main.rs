//! The tests of the whole: a folder a subject. `support` holds what they share.

mod cells;
mod deep;
mod falcons;
mod individuals;
mod input;
mod layout;
mod lives;
mod look;
mod noise;
mod points;
mod program;
mod shaders;
mod simulation;
mod species;
mod support;
mod sweep;
mod terrain;
