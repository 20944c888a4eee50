//! A swarm as a density on a lattice: exact, the same bits on every engine, and not one boid lost.
//!
//! [`open`] opens a swarm, a [`Simulation`] plays it, [`Simulation::account`] proves that nothing is lost:
//!
//! ```
//! let mut swarm = murmuration::open("droplets").size(96, 64).seed(7).start()?;
//! swarm.advance(20)?;
//! assert_eq!(swarm.account()?.lost, 0);
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! Without the builder:
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
//! Pictures, films and measures:
//!
//! ```no_run
//! use murmuration::run::{Metrics, Run};
//! use murmuration::{Caption, FilmRecorder, FramePainter, open, write_png};
//!
//! let mut swarm = open("droplets").size(96, 64).start()?;
//! let film = FilmRecorder::new("droplets.apng", 30, None, &swarm)?.every(2);
//! let mut metrics = Metrics::every(10, &swarm);
//! Run::new(&mut swarm).to(40).with(film).with(&mut metrics).play()?;
//! write_png(&FramePainter::default().paint(&mut swarm)?, "droplets.png".as_ref(), &Caption::new(&swarm))?;
//! println!("polarisation {:.3}", metrics.rows()[4].polarisation);
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! A [`run`] plays a swarm with observers, such as films, metrics or an [`Observer`](run::Observer) of your own. A
//! `FramePainter` draws a picture, and an [`Observation`] measures a step. An [`Input`] moves a hunter, paints with a
//! brush, or changes a key of the preset.
//!
//! Obstacles of a game:
//!
//! ```
//! # let mut swarm = murmuration::open("droplets").size(96, 64).start()?;
//! use murmuration::Input;
//! use murmuration::obstacles::ObstacleShape;
//!
//! let wall = ObstacleShape::cuboid([48.0, 32.0], [[20.0, 4.0], [-0.4, 2.0]]);
//! swarm.apply(Input::Obstacle { number: 1, shape: Some(wall) })?;
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! Targets of a game:
//!
//! ```
//! # let mut swarm = murmuration::open("droplets").size(96, 64).start()?;
//! use murmuration::targets::Target;
//! use murmuration::{Input, Place};
//!
//! let way = [[10.0, 10.0], [86.0, 10.0], [48.0, 54.0]].map(Place::from_cells);
//! let lure = Target { waypoints: way.to_vec(), speed: 512, species: Some(0), ..Target::lure(way[0], 30) };
//! swarm.apply(Input::Target { number: 1, target: Some(lure) })?;
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! Queries of a game:
//!
//! ```
//! # let mut swarm = murmuration::open("droplets").size(96, 64).start()?;
//! use murmuration::overlap::Overlap;
//!
//! let ball = Overlap::ball([48.0, 32.0], 6.5);
//! let cuboid = Overlap::cuboid([20.0, 20.0], [4.0, 8.0]);
//! let queries = [ball, cuboid, Overlap::cell([10, 12].into())];
//! let results = swarm.overlap(&queries)?.wait()?;
//! println!("{} quanta within 6.5 cells, the nearest at {:?}", results[0].quanta, results[0].nearest);
//! # Ok::<(), murmuration::Failure>(())
//! ```
//!
//! The crate `murmuration-core` has the model and its CPU engines. The crate `murmuration-gpu` has the GPU engines, and
//! draws pictures on a GPU. This package adds files, the program, and the texts of all chains, kernels and presets.
//! Items of the other two crates that this page does not show may change with every version.
//!
//! A preset describes a world, its start and its rules. A chain lists the kernels that compute a step, and their order.
//! A quantum is 1/65536 of a boid.
//!
//! A program with a frame loop calls [`Simulation::try_advance`], which does not wait. The program asks for values by
//! [`Simulation::request`] with one of the [`reading`]s, and polls the returned [`Ticket`]s once a frame.
//!
//! The name of the package is `murmuration-sim`:
//!
//! ```toml
//! [dependencies.murmuration]
//! package = "murmuration-sim"
//! version = "0.1"
//! default-features = false
//! features = ["threads", "gpu", "look"]
//! ```
//!
//! | feature | adds; all are on by default |
//! |---|---|
//! | `threads` | all cores |
//! | `gpu` | the engines on a GPU |
//! | `look` | pictures drawn on a GPU |
//! | `film` | films: APNG, GIF, and others by `ffmpeg` |
//! | `lab` | comparisons of the two models |
//! | `data` | sweeps, and trajectories of individuals |
//! | `bench` | the benchmark |
//! | `window` | the window |
//! | `cli` | the program; it opens a window only with `window` |

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
mod free_memory;
#[doc(hidden)]
pub mod host;
#[cfg(feature = "lab")]
mod html_page;
#[cfg(all(any(feature = "cli", feature = "window"), not(target_family = "wasm")))]
mod interrupt;
#[cfg(any(feature = "cli", feature = "data", feature = "window"))]
pub mod link;
#[doc(hidden)]
pub mod observe;
#[cfg(feature = "look")]
mod painter;
pub mod provenance;
pub mod ranks;
pub mod run;
/// Snapshots of a swarm, and a simulation that accepts inputs for past steps
/// (`docs/library.md, Snapshots, rollback and lockstep`).
pub mod rollback {
    pub use murmuration_core::simulation::rollback::{InputTime, Rollback, Snapshot};
}
/// Obstacles that a game puts into a world (`docs/library.md, Obstacles`).
pub mod obstacles {
    pub use murmuration_core::world::obstacles::{MAX_OBSTACLES, ObstacleShape, Obstacles};
}
/// Targets: places that a swarm or a species follows or flees from (`docs/library.md, Targets`).
pub mod targets {
    pub use murmuration_core::world::targets::{MAX_TARGET_SPEED, MAX_WAYPOINTS, Target, Targets};
}
/// The account of a swarm: the amounts at the start and now, and all changes between. Each entry has a unit, a name and
/// a sign.
pub mod account {
    pub use murmuration_core::state::{Entry, ROWS, Row, Unit};
}
/// Overlap queries: the quanta of a swarm in a ball or a box, and the individual or cell nearest to its middle
/// (`docs/library.md, Queries`).
pub mod overlap {
    pub use murmuration_core::overlap::{MAX_QUERY_LENGTH, Nearest, Overlap, OverlapResult, OverlapShape};
}
/// Events of a swarm between two frames, such as catches, births and deaths (`docs/library.md, Events`).
pub mod events {
    pub use murmuration_core::simulation::events::{Event, EventKind, EventWatcher};
}
/// Places and velocities of a swarm in a GPU buffer, for the meshes of a game (`docs/library.md, Meshes`).
#[cfg(feature = "gpu")]
pub mod instances {
    pub use murmuration_gpu::instances::{INSTANCE_WGSL, Instance, InstanceBuffer};
}
#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod soundness;
#[cfg(feature = "data")]
#[doc(hidden)]
pub mod sweep;
#[cfg(feature = "window")]
#[doc(hidden)]
pub mod viewer;

pub use builder::{SimulationBuilder, open};
pub use host::{LIBRARY, host, presets};
#[cfg(feature = "gpu")]
pub use host::{devices, host_on_device};

// Swarms: presets, chains, engines, inputs and readings.
pub use murmuration_core::chain::Chain;
pub use murmuration_core::engine::Dispatch;
pub use murmuration_core::engine::cpu::Options as CpuOptions;
pub use murmuration_core::engine::platform::SharedHost;
pub use murmuration_core::error::{BadInput, Failure};
pub use murmuration_core::falcons::Falcon;
pub use murmuration_core::host::Host;
pub use murmuration_core::host::library::Library;
pub use murmuration_core::individuals::find::{Individual, IndividualQuery, LineOfSight};
pub use murmuration_core::lanes::InstructionSet;
pub use murmuration_core::lives::Life;
pub use murmuration_core::look::{Colouring, Look, Style};
pub use murmuration_core::numbers::{BOID, ONE};
pub use murmuration_core::preset::{Overrides, Preset, PresetSource, Species};
pub use murmuration_core::simulation::checkpoint::Checkpoint;
pub use murmuration_core::simulation::probe::{IndividualProbe, Probe};
pub use murmuration_core::simulation::replay::{Playback, Replay};
pub use murmuration_core::simulation::{Account, EngineChoice, Input, Pointer, RunIn, Simulation, StopCheck, reading};
pub use murmuration_core::state::{Individuals, Ledger, State, Swarm};
pub use murmuration_core::ticket::{Patience, Ticket};
pub use murmuration_core::world::{Edges, Extents, Hunter, HunterKind, Mood, Place, World};

// Files, films, metrics and pictures.
pub use files::{read_checkpoint, read_replay, save_checkpoint, save_preset, write_replay};
#[cfg(all(feature = "film", feature = "look"))]
pub use film::FilmRecorder;
#[cfg(feature = "film")]
pub use film::{Film, FilmFormat};
pub use observe::{Caption, FrameKind, Observation, Picture, metrics_table, npy, write_png};
#[cfg(feature = "look")]
pub use painter::FramePainter;

// Engines and pictures on the GPU device of the embedding program.
#[cfg(feature = "look")]
pub use murmuration_gpu::look::{Camera, PictureRenderer, SwarmRenderer, SwarmSource};
#[cfg(feature = "gpu")]
pub use murmuration_gpu::{DevicePool, Gpu, shader::check_kernel};
/// The version of wgpu that this package uses.
#[cfg(feature = "gpu")]
pub use wgpu;

/// The keys of presets, each with its unit, bounds, default, documentation and the cost of a change. A program can
/// build a settings panel from them.
pub mod keys {
    pub use murmuration_core::keys::{
        Control, Cost, DefaultValue, Key, KeyCondition, Kind, ListForm, Range, Section, Value,
    };
    pub use murmuration_core::preset::keys::KEYS;
}
