//! The tests of the whole: one module a subject, shared helpers in `scenes`, `herds`, `adapter` and `command`.

mod adapter;
mod agents;
mod agents_gpu;
mod agreement;
mod allocations;
mod bad_input;
mod changes;
mod command;
mod conservation;
mod film;
mod golden;
mod herds;
mod look;
mod mutations;
mod numbers;
mod oracle;
mod outputs;
mod plan;
mod probe;
mod program;
mod readme;
mod replay;
mod scenes;
mod shaders;
mod symmetry;
mod trouble;
