//! The engine of the cells on the CPU.

use super::lattice::Lattice;
use super::{Options, Processor};
use crate::chain::plan::{Plan, Slot};
use crate::engine::{Engine, LatticeEngine, Progress, Stop, Totals};
use crate::error::Failure;
use crate::falcon::Falcon;
use crate::numbers::Vector3;
use crate::points::{PointParameters, PointPlayer, Points};
use crate::rules::Parameters;
use crate::rules::Rules;
use crate::state::State;
use crate::ticket::Ticket;
use crate::world::{Extents, World};
use std::sync::Arc;
use std::time::Duration;

/// A lattice in memory and the threads that step it.
pub struct CpuEngine {
    processor: Processor,
    lattice: Lattice,
    points: Option<PointPlayer>,
}

impl CpuEngine {
    /// An engine for a plan, with the preset's starting state. Without a `clock`, which tells the time since some fixed
    /// moment, passes are not timed.
    ///
    /// # Errors
    /// If a kernel of the plan has no Rust twin, or no threads can be started.
    pub fn new(
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        start: &State,
        options: Options,
        clock: Option<fn() -> Duration>,
    ) -> Result<Self, Failure> {
        let processor = Processor::new(options, "cells", clock)?;
        let mut lattice = Lattice::new(plan, rules, world, processor.pool.size())?;
        lattice.take_fields(Vec::new())?;
        lattice.load_capacities(&world.capacities());
        lattice.load(start);
        Ok(Self { processor, lattice, points: None })
    }
}

impl Engine for CpuEngine {
    fn totals(&mut self) -> Result<Ticket<Totals>, Failure> {
        let Lattice { plan, turnover, .. } = &self.lattice;
        let species = self.lattice.quanta_by_layer();
        let quanta = species.iter().sum();
        let species = if plan.layers() > 1 { species } else { Default::default() };
        Ok(Ticket::ready(Totals { quanta, food: 0, turnover: *turnover, species, energy: Default::default() }))
    }

    fn falcons(&mut self) -> Result<Ticket<Vec<Falcon>>, Failure> {
        Ok(Ticket::ready(self.lattice.falcons.clone()))
    }

    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.lattice.load_capacities(capacities);
        Ok(())
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.processor.seconds(&self.lattice.durations)
    }

    fn describe(&self) -> String {
        self.processor.to_string()
    }
}

impl LatticeEngine for CpuEngine {
    fn play_until(&mut self, steps: &[Parameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        let Self { processor, lattice, points } = self;
        // The threads are entered once for all the steps.
        let each = lattice.plan.layers();
        let played = processor.pool.install(|| {
            for (index, parameters) in steps.chunks_exact(each).enumerate() {
                if !lattice.step(parameters, processor, stop) {
                    return index;
                }
                if let Some(points) = points {
                    let (flows, layers) = lattice.flows();
                    points.step(&flows[..layers], parameters[0].step.wrapping_add(1));
                }
            }
            steps.len() / each
        });
        Ok(Progress { steps: played, is_stopped: played < steps.len() / each })
    }

    fn layers(&self) -> usize {
        self.lattice.plan.layers()
    }

    fn state(&mut self) -> Result<Ticket<State>, Failure> {
        let falcons = self.lattice.falcons.clone();
        Ok(Ticket::ready(State { falcons, ..self.lattice.region([0; 3], self.lattice.layout.extents) }))
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.lattice.load(state);
        Ok(())
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let mut lattice = Lattice::new(plan, rules, world, self.processor.pool.size())?;
        lattice.take_over(&mut self.lattice)?;
        self.lattice = lattice;
        Ok(())
    }

    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure> {
        self.points = points.map(PointPlayer::new);
        Ok(())
    }

    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure> {
        let (flows, layers) = self.lattice.flows();
        let seeded = self.processor.pool.install(|| PointPlayer::seeded(&flows[..layers], parameters));
        self.points = Some(PointPlayer::new(seeded));
        Ok(())
    }

    fn points(&mut self) -> Result<Ticket<Option<Points>>, Failure> {
        Ok(Ticket::ready(self.points.as_ref().map(|player| player.points().clone())))
    }

    fn region(&mut self, first: [u32; 3], size: Extents) -> Result<Ticket<State>, Failure> {
        Ok(Ticket::ready(self.lattice.region(first, size)))
    }

    fn vector(&mut self, slot: Slot, cell: Vector3) -> Result<Ticket<Vector3>, Failure> {
        Ok(Ticket::ready(self.lattice.vector(slot, cell)))
    }
}
