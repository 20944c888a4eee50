//! A swarm as a density on a lattice: exact, the same bits on every engine, and not one boid lost.

pub mod agents;
pub mod chain;
pub mod cli;
pub mod engine;
pub mod error;
pub mod fields;
pub mod files;
pub mod film;
pub mod home;
pub mod kernels;
pub mod look;
pub mod memory;
pub mod numbers;
pub mod observe;
pub mod preset;
pub mod readable;
pub mod rehearsal;
pub mod rules;
pub mod shader;
pub mod sight;
pub mod simulation;
pub mod state;
pub mod text;
pub mod texts;
pub mod viewer;
pub mod world;
