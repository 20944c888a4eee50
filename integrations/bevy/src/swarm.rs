//! The components of a swarm: its preset and settings, then its simulation, or the error that prevented the start.

use crate::play::Pace;
use crate::{SwarmSpace, SwarmSystems};
use bevy::prelude::*;
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, futures_lite::future};
use murmuration::{Dispatch, EngineChoice, Failure, Input, SharedHost, Simulation, host_on_device};
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A swarm of the game: a preset, its settings and its pace.
///
/// After the component is added, the swarm starts in the background. The middle of its world is at the entity (see
/// [`SwarmSpace`]). The last three fields may change at any time. All other fields are read once, at the start.
#[derive(Component, Debug, Clone)]
#[require(Transform, Visibility)]
pub struct Swarm {
    /// The name of a built-in preset, or the path of a preset file that ends in `.toml`.
    pub preset: String,
    /// The extents of the world along x and y, in cells. `None` for the extents in the preset.
    pub size: Option<(u32, u32)>,
    /// The extent of a deep world along z, in cells, which requires `size`. `None` for the extent in the preset.
    pub depth: Option<u32>,
    /// The seed of the random start. `None` for the seed in the preset.
    pub seed: Option<u64>,
    /// Keys of the preset, such as `weights.cohesion`, and their values in TOML.
    pub settings: Vec<(String, String)>,
    /// The name or path of a chain of kernels. `None` for the chain of the preset.
    pub chain: Option<String>,
    /// Whether a preset of cells is played with individuals.
    pub as_individuals: bool,
    /// The number of steps a second of the game's fixed time.
    pub steps_per_second: f32,
    /// The factor of `steps_per_second`: 1 is normal, 0.1 is slow motion.
    pub speed: f32,
    /// Whether the swarm is paused.
    pub is_paused: bool,
}

impl Swarm {
    /// A swarm of a preset, at 60 steps a second.
    pub fn new(preset: impl Into<String>) -> Self {
        Self {
            preset: preset.into(),
            size: None,
            depth: None,
            seed: None,
            settings: Vec::new(),
            chain: None,
            as_individuals: false,
            steps_per_second: 60.0,
            speed: 1.0,
            is_paused: false,
        }
    }

    /// Sets the extents along x and y, in cells. The density of the preset is kept.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = Some((width, height));
        self
    }

    /// Sets the extent of a deep world along z, in cells. The extents of [`Self::size`] have to be set too.
    pub fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Sets the seed of the random start.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets a key of the preset, such as `set("weights.cohesion", 0.8)`.
    pub fn set(mut self, key: &str, value: impl Display) -> Self {
        self.settings.push((key.into(), value.to_string()));
        self
    }

    /// Sets the chain of kernels, by its name or path.
    pub fn chain(mut self, chain: impl Into<String>) -> Self {
        self.chain = Some(chain.into());
        self
    }

    /// Plays a preset of cells with individuals.
    pub fn as_individuals(mut self) -> Self {
        self.as_individuals = true;
        self
    }

    /// Sets the number of steps a second of the game's fixed time.
    pub fn steps_per_second(mut self, steps: f32) -> Self {
        self.steps_per_second = steps;
        self
    }

    fn start(self, host: SharedHost) -> Result<Simulation, Failure> {
        let mut builder = murmuration::open(self.preset).host(host).engine(EngineChoice::Gpu(Dispatch::default()));
        if let Some((width, height)) = self.size {
            builder = builder.size(width, height);
        }
        if let Some(depth) = self.depth {
            builder = builder.depth(depth);
        }
        if let Some(seed) = self.seed {
            builder = builder.seed(seed);
        }
        if let Some(chain) = self.chain {
            builder = builder.chain(chain);
        }
        if self.as_individuals {
            builder = builder.as_individuals();
        }
        self.settings.iter().fold(builder, |builder, (key, value)| builder.set(key, value)).start()
    }
}

/// A started swarm, on the entity of its [`Swarm`]. Clones share one simulation.
#[derive(Component, Clone)]
pub struct SwarmSimulation(Arc<Mutex<Simulation>>);

impl SwarmSimulation {
    fn new(simulation: Simulation) -> Self {
        Self(Arc::new(Mutex::new(simulation)))
    }

    /// Locks the simulation, for readings and all other functions of the library. While the lock is held, the swarm is
    /// neither played nor drawn.
    pub fn lock(&self) -> MutexGuard<'_, Simulation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps played.
    pub fn step(&self) -> u64 {
        self.lock().step()
    }

    /// Applies an input before the next step, such as a brush, food or a setting.
    ///
    /// # Errors
    /// If the input is out of bounds, or changes a fixed setting. The swarm is then unchanged.
    pub fn apply(&self, input: Input) -> Result<(), Failure> {
        self.lock().apply(input)
    }
}

/// The simulations of several handles, each locked once. All systems lock simulations in the order of their addresses,
/// so that no deadlock occurs.
pub(crate) struct SimulationGuards<'a>(Vec<(*const Mutex<Simulation>, MutexGuard<'a, Simulation>)>);

impl<'a> SimulationGuards<'a> {
    pub fn new(handles: impl Iterator<Item = &'a SwarmSimulation>) -> Self {
        let mut handles: Vec<_> = handles.map(|handle| (Arc::as_ptr(&handle.0), handle)).collect();
        handles.sort_unstable_by_key(|(address, _)| *address);
        handles.dedup_by_key(|(address, _)| *address);
        Self(handles.into_iter().map(|(address, handle)| (address, handle.lock())).collect())
    }

    /// The simulation of a handle. `None` if the handle was not among the locked ones.
    pub fn get(&mut self, handle: &SwarmSimulation) -> Option<&mut Simulation> {
        let index = self.0.binary_search_by_key(&Arc::as_ptr(&handle.0), |(address, _)| *address).ok()?;
        Some(&mut self.0[index].1)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Simulation> {
        self.0.iter().map(|(_, simulation)| &**simulation)
    }
}

/// The error that prevented the start of a swarm, or stopped the swarm, on the entity of its [`Swarm`]. The error is
/// also logged, and the game continues.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
pub struct SwarmError {
    /// One line of the form `file:line: key: problem; advice`.
    pub message: String,
}

impl SwarmError {
    pub(crate) fn new(swarm: Entity, failure: &Failure) -> Self {
        error!("swarm {swarm}: {failure}");
        Self { message: failure.to_string() }
    }
}

/// The host of all swarms, which gives their engines the game's graphics device.
#[derive(Resource)]
struct SwarmHost(SharedHost);

/// A swarm that is being started.
#[derive(Component)]
struct SwarmStart(Task<Result<Simulation, Failure>>);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(PreUpdate, (start_swarms, take_started).chain().in_set(SwarmSystems::Begin));
}

fn start_swarms(
    mut commands: Commands,
    swarms: Query<(Entity, &Swarm), Added<Swarm>>,
    host: Option<Res<SwarmHost>>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    if swarms.is_empty() {
        return;
    }
    let host = match host {
        Some(host) => host.0.clone(),
        None => {
            let host = host_on_device(device.wgpu_device(), &queue);
            commands.insert_resource(SwarmHost(host.clone()));
            host
        }
    };
    for (entity, swarm) in &swarms {
        let swarm = swarm.clone();
        let host = host.clone();
        let task = AsyncComputeTaskPool::get().spawn(async move { swarm.start(host) });
        commands.entity(entity).insert(SwarmStart(task));
    }
}

fn take_started(mut commands: Commands, mut starts: Query<(Entity, &mut SwarmStart)>) {
    for (entity, mut start) in &mut starts {
        let Some(started) = block_on(future::poll_once(&mut start.0)) else { continue };
        let mut swarm = commands.entity(entity);
        swarm.remove::<SwarmStart>();
        match started {
            Ok(simulation) => {
                let space = SwarmSpace::of_preset(simulation.preset());
                swarm.insert((space, SwarmSimulation::new(simulation), Pace::default()));
            }
            Err(failure) => {
                swarm.insert(SwarmError::new(entity, &failure));
            }
        }
    }
}
