//! Makes engines on a GPU for the core.

use crate::atlas::Subdomain;
use crate::cells::{GpuEngine, GpuSlab, StateTextures, box_bytes};
use crate::device::fault_injection::{self, Device};
use crate::device::{DevicePool, DeviceRequest, Gpu};
use crate::individuals::GpuIndividuals;
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::{Adapters, AnyEngine, Dispatch, EngineConfig, GpuBackend, GpuDevice, other_model};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::ranks::Ranks;
use murmuration_core::simulation::Simulation;
use murmuration_core::state::Swarm;
use murmuration_core::world::{Extents, World, memory};
use std::sync::Arc;

/// The device on which a simulation is played, if its pictures can be drawn there too.
/// `None`: the engine is on the CPU, or the device has no room for pictures.
pub fn device_of(simulation: &Simulation) -> Option<Arc<Gpu>> {
    let textures: Arc<StateTextures> = simulation.on_device()?.downcast().ok()?;
    Some(textures.gpu.clone())
}

/// Makes engines on the devices of a pool.
#[derive(Debug, Clone)]
pub struct Backend {
    /// The devices that are open or can be opened.
    pub devices: Arc<DevicePool>,
    /// Returns the free memory of the system, in bytes; `None`: it is not known.
    pub free_memory: fn() -> Option<u64>,
}

/// An open device, and the function that returns the free memory of the system.
struct OpenDevice {
    gpu: Arc<Gpu>,
    free_memory: fn() -> Option<u64>,
}

impl GpuBackend for Backend {
    fn open(
        &self,
        adapters: Adapters,
        config: &EngineConfig,
        swarm: &Swarm,
        ranks: &dyn Ranks,
    ) -> Result<Arc<dyn GpuDevice>, Failure> {
        let (extents, individuals) = match (config, swarm) {
            (EngineConfig::Cells { world, plan, .. }, _) => (extents_of_rank(world, plan, ranks), 0),
            (EngineConfig::Individuals { setup, .. }, Swarm::Individuals(individuals, _)) => {
                (setup.habitat.space.extents(), individuals.len())
            }
            _ => return Err(other_model()),
        };
        let gpu = self.devices.get(&DeviceRequest { individuals, ..DeviceRequest::new(adapters, extents) })?;
        Ok(Arc::new(OpenDevice { gpu, free_memory: self.free_memory }))
    }
}

impl GpuDevice for OpenDevice {
    fn engine(
        self: Arc<Self>,
        dispatch: Dispatch,
        config: &EngineConfig,
        start: &Swarm,
        ranks: Arc<dyn Ranks>,
    ) -> Result<AnyEngine, Failure> {
        self.check_memory(dispatch, config, &*ranks)?;
        let gpu = self.gpu.clone();
        match (config, start) {
            (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) if ranks.size() > 1 => {
                let engine = GpuSlab::new(gpu, plan.clone(), rules, world, state, dispatch, ranks)?;
                Ok(AnyEngine::Lattice(Box::new(engine)))
            }
            (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) => {
                let engine = GpuEngine::new(gpu, plan.clone(), rules, world, state, dispatch)?;
                Ok(AnyEngine::Lattice(Box::new(engine)))
            }
            (EngineConfig::Individuals { chain, setup, .. }, Swarm::Individuals(individuals, columns)) => {
                if dispatch == Dispatch::Fragment {
                    let problem = "individuals are played by compute dispatches only";
                    let cure = "take the GPU by compute, or the CPU";
                    return Err(BadInput::of_argument("dispatch", "fragment", problem, cure).into());
                }
                Ok(AnyEngine::Individuals(Box::new(GpuIndividuals::new(gpu, setup, (individuals, columns), chain)?)))
            }
            _ => Err(other_model()),
        }
    }

    /// Checks that a lattice and its sums over boxes fit into the free memory.
    fn check_memory(&self, dispatch: Dispatch, config: &EngineConfig, ranks: &dyn Ranks) -> Result<(), BadInput> {
        let EngineConfig::Cells { plan, rules, world } = config else { return Ok(()) };
        let extents = extents_of_rank(world, plan, ranks);
        match box_bytes(plan, rules, dispatch) {
            0 => Ok(()),
            bytes => memory::check(extents, memory::ENGINE + bytes, (self.free_memory)())
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

/// The extents, in cells, of the part of a world that this rank's device contains: the whole world, or a slab and its
/// halo.
fn extents_of_rank(world: &World, plan: &Plan, ranks: &dyn Ranks) -> Extents {
    Subdomain::of_rank(world, plan, ranks).1.extents()
}
