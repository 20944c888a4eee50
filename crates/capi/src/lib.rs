//! The C interface of Murmuration: `include/murmuration.h` is made from these files, and `docs/c.md` describes it.
//!
//! Every exported function goes through [`status::run`], which turns a failure or a panic into a code and a message.

#![warn(missing_docs)]

mod events;
mod inputs;
mod obstacles;
mod options;
mod overlap;
mod readings;
mod rollback;
mod snapshots;
mod status;
mod swarm;
mod targets;
mod tickets;

use std::ffi::{CStr, c_char};

/// The number of quanta that make a boid. Amounts of boids are whole numbers of quanta.
pub const MURMURATION_BOID: u32 = 65_536;
/// The maximum number of species in a world.
pub const MURMURATION_MAX_SPECIES: u32 = 8;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version holds no NUL"),
};

/// The version of the library, such as `0.1.0`. The text lives as long as the program. Any thread may call this
/// function.
#[unsafe(no_mangle)]
pub extern "C" fn murmuration_version() -> *const c_char {
    VERSION.as_ptr()
}

const _: () = assert!(MURMURATION_BOID == murmuration::BOID);
const _: () = assert!(MURMURATION_MAX_SPECIES as usize == murmuration_core::world::MAX_SPECIES);
