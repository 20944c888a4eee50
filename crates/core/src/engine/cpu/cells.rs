//! The engine of the cells on the CPU.

use super::lattice::Lattice;
use super::{Options, Processor};
use crate::answer;
use crate::cells::numbers::{Parameters, Rules};
use crate::chain::plan::{Plan, Slot};
use crate::engine::{Engine, LatticeEngine, Progress, Stop, TotalsReading, VectorReading};
use crate::error::Failure;
use crate::measures::liveliness::{Blocks, LivelinessReading, SwarmSample};
use crate::measures::{Measures, MeasuresReading};
use crate::numbers::Vector3;
use crate::overlap::OverlapReading;
use crate::points::{PointParameters, PointPlayer, Points, PointsReading, StateFlow};
use crate::ranks::{Ranks, SingleRank};
use crate::state::sums::{StateSums, SumsReading};
use crate::state::{ColumnsReading, DensityReading, Entry, Ledger, RegionReading, State, StateReading};
use crate::ticket::Ticket;
use crate::world::{Slab, World};
use std::sync::Arc;
use std::time::Duration;

/// A lattice in memory, and the threads that play its steps.
pub struct CpuEngine {
    processor: Processor,
    lattice: Lattice,
    points: Option<PointPlayer>,
}

impl CpuEngine {
    /// An engine for a plan, with the preset's starting state. `clock` gives the time since a fixed moment. Without it,
    /// passes are not timed.
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
        Self::on_ranks(plan, rules, world, start, options, clock, Arc::new(SingleRank))
    }

    /// An engine for the slab of a rank. Every rank makes one, with the starting state of its slab or of the whole
    /// world. All ranks must make the same calls of their engines, because a call may exchange data.
    ///
    /// # Errors
    /// As [`Self::new`]. Also if a slab is thinner than the reach of a rule, or if another rank has ended.
    pub fn on_ranks(
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        start: &State,
        options: Options,
        clock: Option<fn() -> Duration>,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, Failure> {
        let processor = Processor::new(options, "cells", clock)?;
        let mut lattice = Lattice::new(plan, rules, world, processor.pool.size(), ranks)?;
        lattice.begin(world, start)?;
        Ok(Self { processor, lattice, points: None })
    }
}

impl Engine for CpuEngine {
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.lattice.load_capacities(capacities)
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
        // One call to the thread pool plays all steps.
        let each = lattice.plan.layers.len();
        let played = processor.pool.install(|| {
            for (index, parameters) in steps.chunks_exact(each).enumerate() {
                if !lattice.step(parameters, processor, stop)? {
                    return Ok(index);
                }
                if let Some(points) = points {
                    let step = parameters[0].step.wrapping_add(1);
                    match whole_layers(lattice)? {
                        None => {
                            let (flows, layers) = lattice.flows();
                            points.step(&flows[..layers], step);
                        }
                        Some(layers) => {
                            points.step(&StateFlow::of_layers(&layers, lattice.layout.edges, &lattice.solids), step);
                        }
                    }
                }
            }
            Ok::<_, Failure>(steps.len() / each)
        })?;
        Ok(Progress { steps: played, is_stopped: played < steps.len() / each })
    }

    fn layers(&self) -> usize {
        self.lattice.plan.layers.len()
    }

    fn slab(&mut self) -> Result<(Slab, State), Failure> {
        Ok((self.lattice.layout.slab, self.lattice.state_of_slab()))
    }

    fn take_loads(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.lattice.loads)
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.lattice.load(state)
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let ranks = self.lattice.ranks.clone();
        let mut lattice = Lattice::new(plan, rules, world, self.processor.pool.size(), ranks)?;
        lattice.take_over(&mut self.lattice, world)?;
        self.lattice = lattice;
        Ok(())
    }

    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure> {
        self.points = points.map(PointPlayer::new);
        Ok(())
    }

    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure> {
        let Self { processor, lattice, points } = self;
        let seeded = match whole_layers(lattice)? {
            None => {
                let (flows, layers) = lattice.flows();
                processor.pool.install(|| PointPlayer::seeded(&flows[..layers], parameters))
            }
            Some(layers) => {
                let flows = StateFlow::of_layers(&layers, lattice.layout.edges, &lattice.solids);
                processor.pool.install(|| PointPlayer::seeded(&flows, parameters))
            }
        };
        *points = Some(PointPlayer::new(seeded));
        Ok(())
    }
}

impl CpuEngine {
    fn totals(&self) -> Result<Ledger, Failure> {
        let mut totals = self.lattice.turnover;
        totals[Entry::Present] = self.lattice.quanta_by_layer();
        totals.sum_over(&*self.lattice.ranks)
    }

    /// The state of the whole world.
    fn state(&self) -> Result<State, Failure> {
        self.lattice.state_of_world()
    }

    /// The vector of a field in a cell of the world. Every rank gets the vector.
    fn vector(&self, slot: Slot, cell: Vector3) -> Result<Vector3, Failure> {
        let [x, y, z] = cell;
        let own = self.lattice.layout.in_slab([y, z]).map(|[y, z]| self.lattice.vector(slot, [x, y, z]));
        let mut sums = own.unwrap_or_default().map(|along| along as u64);
        self.lattice.ranks.sum(&mut sums)?;
        Ok(sums.map(|along| along as i32))
    }

    /// The sample for the liveliness. The cells of a single layer are not copied.
    fn sample(&self, blocks: &Blocks) -> Result<SwarmSample, Failure> {
        self.processor.pool.install(|| match (self.lattice.plan.layers.len(), self.lattice.layout.slab.is_whole()) {
            (1, true) => Ok(SwarmSample::from_rows(&self.lattice.rows(), blocks)),
            _ => {
                let Lattice { layout, ranks, .. } = &self.lattice;
                SwarmSample::from_slab(&self.lattice.state_of_slab(), &layout.slab, layout.edges, blocks, &**ranks)
            }
        })
    }
}

answer! {
    CpuEngine {
        TotalsReading => |own, _| Ok(Ticket::ready(own.totals()?)),
        StateReading => |own, _| Ok(Ticket::ready(own.state()?)),
        DensityReading => |own, _| {
            let is_whole = own.lattice.layout.slab.is_whole();
            Ok(Ticket::ready(if is_whole { own.lattice.densities() } else { own.state()?.into_densities() }))
        },
        RegionReading => |own, RegionReading { first, size }| {
            let region = if own.lattice.layout.slab.is_whole() {
                own.lattice.region(first, size)
            } else {
                own.state()?.region(first, size)
            };
            Ok(Ticket::ready(region))
        },
        VectorReading => |own, VectorReading { slot, cell }| Ok(Ticket::ready(own.vector(slot, cell)?)),
    }
}

answer! {
    dyn CpuEngine {
        ColumnsReading => |own, _| Ok(Ticket::ready(own.lattice.columns.clone())),
        SumsReading => |own, SumsReading { shift }| Ok(Ticket::ready(StateSums::new(&own.state()?.merged(), shift))),
        MeasuresReading => |own, MeasuresReading { space }| {
            let (state, slab) = (own.lattice.state_of_slab(), own.lattice.layout.slab);
            Ok(Ticket::ready(Measures::over_ranks(&state, &slab, space.edges, &*own.lattice.ranks)?))
        },
        LivelinessReading => |own, LivelinessReading { blocks }| Ok(Ticket::ready(own.sample(&blocks)?)),
        OverlapReading => |own, reading| {
            let Lattice { layout, .. } = &own.lattice;
            Ok(Ticket::ready(if layout.slab.is_whole() {
                own.lattice.overlap(&reading)
            } else {
                reading.in_state(&own.state()?)
            }))
        },
        PointsReading => |own, _| Ok(Ticket::ready(own.points.as_ref().map(|player| player.points().clone()))),
    }
}

/// The layers of the whole world, each as a state. `None`: the lattice is already the whole world. Every rank has all
/// points, which move over all slabs.
fn whole_layers(lattice: &Lattice) -> Result<Option<Vec<State>>, Failure> {
    let is_whole = lattice.layout.slab.is_whole();
    if is_whole { Ok(None) } else { Ok(Some(lattice.state_of_world()?.into_layers())) }
}
