//! What gives the core its engines on a GPU.

use crate::cells::{GpuEngine, box_bytes};
use crate::device::Gpu;
use crate::engine::{Adapters, Dispatch, Engine, GpuBackend, GpuDevice};
use crate::error::{BadInput, Failure};
use crate::fault_injection::{self, Device};
use crate::individuals::GpuIndividuals;
use crate::library::Library;
use crate::memory;
use crate::simulation::EngineConfig;
use crate::swarm::Swarm;
use crate::world::Extents;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How long to wait before a device that was lost is looked for again.
const PAUSE: Duration = Duration::from_millis(500);

/// Opens devices and makes engines on them.
#[derive(Debug, Clone)]
pub struct Backend {
    pub library: Library,
    /// The device of the program that embeds the swarm, used instead of one of the backend's own.
    pub device: Option<Arc<Gpu>>,
    /// Bytes of memory that may still be taken; `None` where that is not known.
    pub free_memory: fn() -> Option<u64>,
}

/// An open device and the backend that opened it.
struct OpenDevice {
    gpu: Arc<Gpu>,
    backend: Backend,
}

impl GpuBackend for Backend {
    fn open(&self, adapters: Adapters, config: &EngineConfig, swarm: &Swarm) -> Result<Arc<dyn GpuDevice>, Failure> {
        let (extents, agents) = match (config, swarm) {
            (EngineConfig::Cells { world, .. }, _) => (world.extents, 0),
            (EngineConfig::Agents { ground, .. }, Swarm::Agents(agents)) => {
                let [width, height, _] = ground.space.extents;
                (Extents { width, height }, agents.len())
            }
            _ => return Err(other_model()),
        };
        let gpu = match &self.device {
            Some(gpu) if adapters == Adapters::Hardware && gpu.info.device_type == wgpu::DeviceType::Cpu => {
                return Err(Failure::Device(format!("{} is no GPU; use the engine `gpu` or `cpu`", gpu.info.name)));
            }
            Some(gpu) => {
                gpu.check_size(extents, agents)?;
                gpu.clone()
            }
            None => Arc::new(Gpu::open_for_agents(self.library, adapters, extents, agents)?),
        };
        Ok(Arc::new(OpenDevice { gpu, backend: self.clone() }))
    }

    fn pause(&self) {
        thread::sleep(PAUSE);
    }
}

impl Backend {
    /// Sums over boxes take memory beside the lattice.
    fn check_memory(&self, config: &EngineConfig, dispatch: Dispatch) -> Result<(), BadInput> {
        let EngineConfig::Cells { plan, rules, world } = config else { return Ok(()) };
        match box_bytes(plan, rules, dispatch) {
            0 => Ok(()),
            bytes => memory::check(world.extents, memory::ENGINE + bytes, (self.free_memory)())
                .map_err(|problem| BadInput::new("the sums over boxes", problem, memory::CURE)),
        }
    }
}

impl GpuDevice for OpenDevice {
    fn engine(
        self: Arc<Self>,
        dispatch: Dispatch,
        config: &EngineConfig,
        start: &Swarm,
    ) -> Result<Box<dyn Engine>, Failure> {
        self.backend.check_memory(config, dispatch)?;
        let gpu = self.gpu.clone();
        match (config, start) {
            (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) => {
                Ok(Box::new(GpuEngine::new(gpu, plan.clone(), rules, world, state, dispatch)?))
            }
            (EngineConfig::Agents { chain, rules, units, ground }, Swarm::Agents(agents)) => {
                if dispatch == Dispatch::Fragment {
                    let problem = "individuals are played by compute dispatches only";
                    return Err(BadInput::new("--dispatch", problem, "take the GPU by compute, or the CPU").into());
                }
                Ok(Box::new(GpuIndividuals::new(gpu, rules.clone(), *units, ground.clone(), agents, chain)?))
            }
            _ => Err(other_model()),
        }
    }

    fn check_memory(&self, dispatch: Dispatch, config: &EngineConfig) -> Result<(), BadInput> {
        self.backend.check_memory(config, dispatch)
    }

    fn wait(&self) -> Result<(), Failure> {
        self.gpu.wait(None)
    }

    fn note_steps(&self, played: u64) {
        if fault_injection::is_due(Device::Engine, played) {
            self.gpu.lose();
        }
    }

    fn lose(&self) {
        self.gpu.lose();
    }

    fn lose_after(&self, touches: u32) {
        self.gpu.lose_after(touches);
    }
}

fn other_model() -> Failure {
    Failure::Broken("a swarm of one model was given to the other".into())
}
