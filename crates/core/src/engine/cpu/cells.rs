//! The engine of the cells on the CPU.

use super::lattice::Lattice;
use super::{Options, Processor};
use crate::answer;
use crate::chain::plan::Plan;
use crate::engine::{Engine, LatticeEngine, Progress, Stop, Totals, TotalsReading, VectorReading};
use crate::error::Failure;
use crate::falcon::FalconsReading;
use crate::measures::{Measures, MeasuresReading};
use crate::points::{PointParameters, PointPlayer, Points, PointsReading};
use crate::rules::Parameters;
use crate::rules::Rules;
use crate::state::{RegionReading, State, StateReading};
use crate::state_sums::{StateSums, SumsReading};
use crate::ticket::Ticket;
use crate::world::World;
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
}

impl CpuEngine {
    fn totals(&self) -> Totals {
        let Lattice { plan, turnover, .. } = &self.lattice;
        let species = self.lattice.quanta_by_layer();
        let quanta = species.iter().sum();
        let species = if plan.layers() > 1 { species } else { Default::default() };
        Totals { quanta, turnover: *turnover, species, ..Totals::default() }
    }

    fn state(&self) -> State {
        let falcons = self.lattice.falcons.clone();
        State { falcons, ..self.lattice.region([0; 3], self.lattice.layout.extents) }
    }
}

answer! {
    CpuEngine {
        TotalsReading => |own, _| Ok(Ticket::ready(own.totals())),
        FalconsReading => |own, _| Ok(Ticket::ready(own.lattice.falcons.clone())),
        StateReading => |own, _| Ok(Ticket::ready(own.state())),
        SumsReading => |own, SumsReading { shift }| Ok(Ticket::ready(StateSums::new(&own.state().merged(), shift))),
        MeasuresReading => |own, MeasuresReading { space }| Ok(Ticket::ready(Measures::from_state(&own.state(), space.edges))),
        RegionReading => |own, RegionReading { first, size }| Ok(Ticket::ready(own.lattice.region(first, size))),
        VectorReading => |own, VectorReading { slot, cell }| Ok(Ticket::ready(own.lattice.vector(slot, cell))),
        PointsReading => |own, _| Ok(Ticket::ready(own.points.as_ref().map(|player| player.points().clone()))),
    }
}
