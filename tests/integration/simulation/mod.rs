//! A preset under way.

pub mod changes;
pub mod copies;
pub mod events;
pub mod obstacles;
pub mod one_device;
pub mod probe;
pub mod queries;
pub mod replay;
pub mod resume;
pub mod rollback;
pub mod run_in;
pub mod stops;
pub mod submissions;
pub mod targets;
pub mod tickets;
