//! A device for tests. It computes on the CPU, answers late, and can be lost.

use crate::cells::numbers::{Parameters, Rules};
use crate::chain::plan::Plan;
use crate::engine::cpu::{CpuEngine, CpuIndividuals, Options};
use crate::engine::platform::Platform;
use crate::engine::{
    Adapters, AnyEngine, Dispatch, Engine, EngineConfig, GpuBackend, GpuDevice, IndividualsEngine, LatticeEngine,
    Progress, Stop, other_model,
};
use crate::error::{BadInput, Failure};
use crate::host::Host;
use crate::host::library::Library;
use crate::individuals::{IndividualParameters, Setup};
use crate::points::{PointParameters, Points};
use crate::ranks::Ranks;
use crate::state::{Individuals, State, Swarm, WorldColumns};
use crate::terrain::Habitat;
use crate::testing::host;
use crate::ticket::{AnyReading, AnyReadingSource, Patience, Reading, ReadingSource, Ticket};
use crate::world::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The number of times that a ticket is polled in vain before the answer is ready.
const POLLS: u32 = 3;

/// Options of an engine on the CPU with one thread.
pub fn options() -> Options {
    Options { threads: Some(1), instruction_set: None }
}

/// A host whose only GPU is a [`LateDevice`].
#[derive(Debug, Default)]
pub struct LateHost(LateBackend);

impl Host for LateHost {
    fn library(&self) -> &Library {
        host().library()
    }
}

impl Platform for LateHost {
    fn gpu(&self) -> Option<&dyn GpuBackend> {
        Some(&self.0)
    }
}

#[derive(Debug, Default)]
struct LateBackend {
    waits: Arc<AtomicU32>,
}

impl LateHost {
    /// The number of times that a caller waited for an answer that was not ready.
    pub fn waits(&self) -> u32 {
        self.0.waits.load(Ordering::Relaxed)
    }
}

impl GpuBackend for LateBackend {
    fn open(&self, _: Adapters, _: &EngineConfig, _: &Swarm, _: &dyn Ranks) -> Result<Arc<dyn GpuDevice>, Failure> {
        let touches = Arc::new(AtomicU32::new(u32::MAX));
        Ok(Arc::new(LateDevice { touches, is_lost: Arc::new(AtomicBool::new(false)), waits: self.waits.clone() }))
    }
}

#[derive(Clone)]
struct LateDevice {
    /// A touch is a call to the device, or a poll of one of its answers. The device is lost after this number of
    /// further touches. `u32::MAX`: it is not lost.
    touches: Arc<AtomicU32>,
    is_lost: Arc<AtomicBool>,
    waits: Arc<AtomicU32>,
}

impl LateDevice {
    fn touch(&self) -> Result<(), Failure> {
        if self.touches.load(Ordering::Relaxed) != u32::MAX && self.touches.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.lose();
        }
        if self.is_lost.load(Ordering::Relaxed) {
            return Err(Failure::Device("the late device was lost".into()));
        }
        Ok(())
    }

    /// The ticket of an answer that is ready after [`POLLS`] polls.
    fn late<T: Send + 'static>(&self, mut answer: Ticket<T>) -> Result<Ticket<T>, Failure> {
        self.touch()?;
        let device = self.clone();
        let mut polls = POLLS;
        Ok(Ticket::new(move |patience| {
            device.touch()?;
            if patience == Patience::Poll && polls > 0 {
                polls -= 1;
                return Ok(None);
            }
            device.waits.fetch_add(u32::from(polls > 0), Ordering::Relaxed);
            answer.take(patience)
        }))
    }
}

impl GpuDevice for LateDevice {
    fn engine(
        self: Arc<Self>,
        _: Dispatch,
        config: &EngineConfig,
        start: &Swarm,
        _: Arc<dyn Ranks>,
    ) -> Result<AnyEngine, Failure> {
        self.touch()?;
        let device = Self::clone(&self);
        Ok(match (config, start) {
            (EngineConfig::Cells { plan, rules, world }, Swarm::Cells(state)) => {
                let engine = CpuEngine::new(plan.clone(), rules, world, state, options(), None)?;
                AnyEngine::Lattice(Box::new(LateEngine { engine, device }))
            }
            (EngineConfig::Individuals { setup, .. }, Swarm::Individuals(individuals, columns)) => {
                let engine = CpuIndividuals::new(setup, (individuals, columns), options(), None)?;
                AnyEngine::Individuals(Box::new(LateEngine { engine, device }))
            }
            _ => return Err(other_model()),
        })
    }

    fn check_memory(&self, _: Dispatch, _: &EngineConfig, _: &dyn Ranks) -> Result<(), BadInput> {
        Ok(())
    }

    fn wait(&self) -> Result<(), Failure> {
        self.touch()
    }

    fn discard(&self) {}

    fn lose(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
    }

    fn lose_after(&self, touches: u32) {
        self.touches.store(touches, Ordering::Relaxed);
    }
}

/// An engine on the CPU whose answers come late.
struct LateEngine<E> {
    engine: E,
    device: LateDevice,
}

impl<R: Reading, E: ReadingSource<R>> ReadingSource<R> for LateEngine<E> {
    fn request(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure> {
        self.device.late(self.engine.request(reading)?)
    }
}

impl<E: Engine> AnyReadingSource for LateEngine<E> {
    fn answer(&mut self, any_reading: &mut AnyReading<'_>) -> Result<(), Failure> {
        self.engine.answer(any_reading)?;
        any_reading.answer = any_reading.answer.take().map(|ticket| self.device.late(ticket)).transpose()?;
        Ok(())
    }
}

impl<E: Engine> Engine for LateEngine<E> {
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_capacities(capacities)
    }

    fn set_step(&mut self, step: u64) {
        self.engine.set_step(step);
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.engine.seconds_by_pass()
    }

    fn describe(&self) -> String {
        self.engine.describe()
    }
}

impl<E: LatticeEngine> LatticeEngine for LateEngine<E> {
    fn play_until(&mut self, steps: &[Parameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        self.device.touch()?;
        self.engine.play_until(steps, stop)
    }

    fn layers(&self) -> usize {
        self.engine.layers()
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_state(state)
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_plan(plan, rules, world)
    }

    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_points(points)
    }

    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.seed_points(parameters)
    }
}

impl<E: IndividualsEngine> IndividualsEngine for LateEngine<E> {
    fn play_until(&mut self, steps: &[IndividualParameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        self.device.touch()?;
        self.engine.play_until(steps, stop)
    }

    fn set_setup(&mut self, setup: &Setup) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_setup(setup)
    }

    fn set_individuals(&mut self, individuals: &Individuals, columns: &WorldColumns) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_individuals(individuals, columns)
    }

    fn record_ends(&mut self) -> Result<(), Failure> {
        self.engine.record_ends()
    }

    fn stop_recording(&mut self) {
        self.engine.stop_recording();
    }

    fn set_habitat(&mut self, habitat: &Habitat) -> Result<(), Failure> {
        self.device.touch()?;
        self.engine.set_habitat(habitat)
    }
}
