//! What gives the core its engines on a GPU.

use crate::cells::{GpuEngine, box_bytes};
use crate::device::{DevicePool, DeviceRequest, Gpu};
use crate::engine::{Adapters, AnyEngine, Dispatch, EngineConfig, GpuBackend, GpuDevice, other_model};
use crate::error::{BadInput, Failure};
use crate::fault_injection::{self, Device};
use crate::individuals::GpuIndividuals;
use crate::memory;
use crate::swarm::Swarm;
use std::sync::Arc;

/// Makes engines on the devices of a pool.
#[derive(Debug, Clone)]
pub struct Backend {
    /// The devices.
    pub devices: Arc<DevicePool>,
    /// Bytes of memory that may still be taken; `None` where that is not known.
    pub free_memory: fn() -> Option<u64>,
}

/// An open device, and the bytes of memory that may still be taken.
struct OpenDevice {
    gpu: Arc<Gpu>,
    free_memory: fn() -> Option<u64>,
}

impl GpuBackend for Backend {
    fn open(&self, adapters: Adapters, config: &EngineConfig, swarm: &Swarm) -> Result<Arc<dyn GpuDevice>, Failure> {
        let (extents, individuals) = match (config, swarm) {
            (EngineConfig::Cells { world, .. }, _) => (world.extents, 0),
            (EngineConfig::Individuals { setup, .. }, Swarm::Individuals(individuals)) => {
                (setup.habitat.space.extents(), individuals.len())
            }
            _ => return Err(other_model()),
        };
        let gpu = self.devices.get(&DeviceRequest { individuals, ..DeviceRequest::new(adapters, extents) })?;
        Ok(Arc::new(OpenDevice { gpu, free_memory: self.free_memory }))
    }
}

impl GpuDevice for OpenDevice {
    fn engine(self: Arc<Self>, dispatch: Dispatch, config: &EngineConfig, start: &Swarm) -> Result<AnyEngine, Failure> {
        self.check_memory(dispatch, config)?;
        let gpu = self.gpu.clone();
        match (config, start) {
            (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) => {
                let engine = GpuEngine::new(gpu, plan.clone(), rules, world, state, dispatch)?;
                Ok(AnyEngine::Lattice(Box::new(engine)))
            }
            (EngineConfig::Individuals { chain, setup, .. }, Swarm::Individuals(individuals)) => {
                if dispatch == Dispatch::Fragment {
                    let problem = "individuals are played by compute dispatches only";
                    return Err(BadInput::new("--dispatch", problem, "take the GPU by compute, or the CPU").into());
                }
                Ok(AnyEngine::Individuals(Box::new(GpuIndividuals::new(gpu, setup, individuals, chain)?)))
            }
            _ => Err(other_model()),
        }
    }

    /// Sums over boxes take memory beside the lattice.
    fn check_memory(&self, dispatch: Dispatch, config: &EngineConfig) -> Result<(), BadInput> {
        let EngineConfig::Cells { plan, rules, world } = config else { return Ok(()) };
        match box_bytes(plan, rules, dispatch) {
            0 => Ok(()),
            bytes => memory::check(world.extents, memory::ENGINE + bytes, (self.free_memory)())
                .map_err(|problem| BadInput::new("the sums over boxes", problem, memory::CURE)),
        }
    }

    fn wait(&self) -> Result<(), Failure> {
        self.gpu.wait(None)
    }

    fn note_steps(&self, played: u64) {
        if fault_injection::is_due(Device::Engine, played) {
            self.gpu.lose();
        }
    }

    fn discard(&self) {
        self.gpu.discard();
    }

    fn lose(&self) {
        self.gpu.lose();
    }

    fn lose_after(&self, touches: u32) {
        self.gpu.lose_after(touches);
    }
}
