//! A swarm as a density on a lattice: exact, the same bits on every engine, and not one boid lost.
//!
//! The crate `murmuration-core` holds the swarm, `murmuration-gpu` its engines and its look on a GPU; this package adds the
//! texts of all chains, kernels and presets, files, and the program. What a program needs to embed a swarm is named at the
//! root:
//!
//! ```
//! let mut swarm = murmuration::open("droplets").size(96, 64).seed(7).start()?;
//! swarm.advance(20)?;
//! assert_eq!(swarm.account()?.lost, 0);
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! The same in its parts:
//!
//! ```
//! use murmuration::{EngineChoice, Overrides, Preset, Simulation, host};
//!
//! let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
//! let preset = Preset::load(host(), "droplets", &overrides)?;
//! let chain = preset.load_chain(None)?;
//! let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default()))?;
//! simulation.advance(20)?;
//! assert_eq!(simulation.account()?.lost, 0);
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! The features choose what is built: `threads`, `gpu`, `look`, `film`, `lab`, `window` and `cli`, all of them by default.
//! With `default-features = false` neither a window nor arguments are compiled.

#![warn(missing_docs)]

#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod bench;
mod builder;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "lab")]
#[doc(hidden)]
pub mod compare;
#[cfg(feature = "window")]
#[doc(hidden)]
pub mod controller;
#[doc(hidden)]
pub mod files;
#[cfg(feature = "film")]
#[doc(hidden)]
pub mod film;
#[doc(hidden)]
pub mod host;
#[cfg(feature = "window")]
mod interrupt;
#[doc(hidden)]
pub mod observe;
#[cfg(feature = "window")]
#[doc(hidden)]
pub mod viewer;

pub use builder::{SimulationBuilder, open};
pub use host::{LIBRARY, host};
#[cfg(feature = "gpu")]
pub use host::{devices, host_on_device};
pub use murmuration_core::chain::Chain;
pub use murmuration_core::engine::Dispatch;
pub use murmuration_core::error::{BadInput, Failure};
pub use murmuration_core::numbers::BOID;
pub use murmuration_core::platform::SharedHost;
pub use murmuration_core::preset::{Overrides, Preset};
pub use murmuration_core::simulation::{Account, EngineChoice, Input, Simulation};
pub use murmuration_core::state::State;
pub use murmuration_core::swarm::Swarm;
pub use murmuration_core::world::Extents;
