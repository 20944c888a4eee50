//! A builder that opens and starts a swarm in one expression.

use crate::SharedHost;
use crate::host::host;
use murmuration_core::error::Failure;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Opens a swarm: a built-in preset by its name, or a preset in a file by its path, which ends in `.toml`.
///
/// ```
/// let mut swarm = murmuration::open("droplets").size(96, 64).seed(7).start()?;
/// murmuration::run::Run::new(&mut swarm).to(20).play()?;
/// assert_eq!(swarm.account()?.lost, 0);
/// # Ok::<(), murmuration::Failure>(())
/// ```
///
/// `murmuration presets` lists the names.
pub fn open(preset: impl AsRef<Path>) -> SimulationBuilder {
    SimulationBuilder {
        host: host().clone(),
        preset: preset.as_ref().to_path_buf(),
        overrides: Overrides::default(),
        chain: None,
        engine: EngineChoice::Auto,
    }
}

/// A preset with settings that replace parts of it, made by [`open`]. [`SimulationBuilder::start`] starts the swarm.
#[derive(Debug, Clone)]
pub struct SimulationBuilder {
    host: SharedHost,
    preset: PathBuf,
    overrides: Overrides,
    chain: Option<PathBuf>,
    engine: EngineChoice,
}

impl SimulationBuilder {
    /// Sets the extents in cells along x and y. The number of boids is scaled, so that the density of the preset stays.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.overrides.size = Some((width, height));
        self
    }

    /// Sets the extent in cells along z of a deep world. [`Self::size`] has to be set too.
    pub fn depth(mut self, depth: u32) -> Self {
        self.overrides.depth = Some(depth);
        self
    }

    /// Sets the seed of the start and of all random numbers.
    pub fn seed(mut self, seed: u64) -> Self {
        self.overrides.seed = Some(seed);
        self
    }

    /// Sets a key of the preset: `set("weights.cohesion", 0.8)`, or `set("world.edges", "walls")`. A value is in the
    /// notation of TOML, or a word without quotation marks.
    ///
    /// ```
    /// let rounds = murmuration::open("lagoon").size(80, 60).set("world.solid[1].circle.radius", 0.2);
    /// assert!(rounds.start().is_ok());
    /// ```
    pub fn set(mut self, key: &str, value: impl Display) -> Self {
        self.overrides.set.push(format!("{key}={value}"));
        self
    }

    /// Plays a preset of cells with individuals: every boid of its start becomes one individual.
    pub fn as_individuals(mut self) -> Self {
        self.overrides.individuals = true;
        self
    }

    /// Sets the chain of kernels, by its name or path.
    pub fn chain(mut self, chain: impl AsRef<Path>) -> Self {
        self.chain = Some(chain.as_ref().to_path_buf());
        self
    }

    /// Sets the engine. [`EngineChoice::Auto`], the default, is a GPU if the machine has a hardware GPU, else the CPU.
    /// All engines give the same bits.
    pub fn engine(mut self, engine: EngineChoice) -> Self {
        self.engine = engine;
        self
    }

    /// Sets the host, which gives the swarm files, pictures and devices, for example a host on the device of a game
    #[cfg_attr(feature = "gpu", doc = "([`host_on_device`](crate::host_on_device)).")]
    pub fn host(mut self, host: SharedHost) -> Self {
        self.host = host;
        self
    }

    /// Starts the swarm at its step 0, after the run-in of the preset.
    ///
    /// # Errors
    /// `BadInput` if there is no such preset, a key or a value is wrong, or the chain does not fit. `Device` if the
    /// chosen engine cannot play.
    pub fn start(self) -> Result<Simulation, Failure> {
        let preset = Preset::load(&self.host, &self.preset, &self.overrides)?;
        let chain = preset.load_chain(self.chain.as_deref())?;
        Simulation::new(preset, &chain, self.engine)
    }
}
