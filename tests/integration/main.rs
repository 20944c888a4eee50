//! The tests of the whole: one module a subject.

mod adapter;
mod allocations;
mod replay;
