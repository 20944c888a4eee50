//! Integration tests, a folder for each subject. `support` contains the shared code.

mod cells;
mod deep;
mod falcons;
mod food;
mod individuals;
mod input;
mod layout;
mod lives;
mod look;
mod measures;
mod noise;
mod points;
mod program;
mod ranks;
mod shaders;
mod simulation;
mod species;
mod support;
mod sweep;
mod terrain;
