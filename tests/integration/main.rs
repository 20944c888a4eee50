//! The tests of the whole: one module a subject.

mod adapter;
mod allocations;
mod bad_input;
mod command;
mod mutations;
mod outputs;
mod program;
mod replay;
