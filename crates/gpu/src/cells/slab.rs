//! The engine of a rank on a GPU. It has a [`GpuEngine`] for its slab and the halo around it, and encodes the passes of
//! that engine.
//!
//! The engine exchanges the same words with other ranks, in the same order, as the engine of a rank on the CPU. So one
//! world may be computed by ranks of both kinds. A pass also updates the halo, although some cells that it needs there
//! are missing. The wrong halo pieces that later passes read are then replaced by pieces of the neighbouring ranks.

use super::GpuEngine;
use super::earlier_turnover::EarlierTurnover;
use crate::atlas::Subdomain;
use crate::device::Gpu;
use crate::device::player::{StepEncoder, parameter_bytes};
use crate::device::transfer::{self, Words};
use crate::falcons::SlabFlight;
use crate::lattice::Lattice;
use murmuration_core::answer;
use murmuration_core::cells::numbers::{Parameters, Rules};
use murmuration_core::chain::plan::{Plan, Slot};
use murmuration_core::engine::halo::{BorderPieces, HaloDepths, built_in_kernels, check_slabs, halo_depths};
use murmuration_core::engine::{
    Dispatch, Engine, LatticeEngine, Progress, Stop, TotalsReading, VectorReading, is_wanted,
};
use murmuration_core::error::Failure;
use murmuration_core::measures::liveliness::{LivelinessReading, SwarmSample};
use murmuration_core::measures::{Measures, MeasuresReading};
use murmuration_core::numbers::Vector3;
use murmuration_core::overlap::OverlapReading;
use murmuration_core::points::{PointParameters, PointPlayer, Points, PointsReading, StateFlow};
use murmuration_core::ranks::Ranks;
use murmuration_core::state::fields::Layout;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::state::{
    ColumnsReading, DensityReading, Entry, Layer, Ledger, RegionReading, State, StateReading, WorldColumns,
};
use murmuration_core::ticket::{ReadingSource, Ticket};
use murmuration_core::world::{Cuts, Slab, World, solids_of};
use std::ops::Range;
use std::sync::Arc;

/// The engine of a rank's slab on a GPU.
pub struct GpuSlab {
    ranks: Arc<dyn Ranks>,
    /// The division of the world into the slabs of all ranks.
    cuts: Cuts,
    layout: Layout,
    engine: GpuEngine,
    depths: HaloDepths,
    border: BorderPieces,
    columns: WorldColumns,
    flight: SlabFlight,
    points: Option<PointPlayer>,
}

/// A buffer of a field, and the number of halo pieces to fill on each side of the slab.
type HaloRequest = (Slot, usize);

impl GpuSlab {
    /// Makes an engine for the slab of a rank. `start`: the state at the start, of the slab or of the whole world.
    ///
    /// All ranks must make the same calls in the same order, because each call may exchange data with the other ranks.
    ///
    /// # Errors
    /// If a kernel is not built in or does not compile, or a slab is thinner than the reach of a rule. Also if the
    /// device has no room for the slab, or another rank has ended.
    pub fn new(
        gpu: Arc<Gpu>,
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        start: &State,
        dispatch: Dispatch,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, Failure> {
        let kernels = built_in_kernels(&plan, |name| {
            let problem = format!("the kernel `{name}` is not built in, and may read cells of any slab");
            (problem, "take one rank")
        })?;
        let (layout, subdomain) = Subdomain::of_rank(world, &plan, &*ranks);
        let cuts = world.cuts_of(ranks.size());
        check_slabs(&layout, &cuts)?;
        gpu.check_size(subdomain.extents(), 0)?;
        let depths = halo_depths(&plan, &kernels, layout.around);
        let part = (subdomain, world);
        let engine = GpuEngine::on_subdomain(gpu, plan, rules, part, dispatch, Default::default(), None)?;
        let mut slab = Self {
            border: BorderPieces::new(&layout)?,
            flight: SlabFlight::new(world),
            ranks,
            cuts,
            layout,
            engine,
            depths,
            columns: WorldColumns::default(),
            points: None,
        };
        slab.flight.take_solids(&slab.layout, world.solids.to_vec());
        slab.take_capacities(&world.capacities_of(slab.layout.slab.cells()))?;
        slab.set_state(start)?;
        Ok(slab)
    }

    /// Adds zeros for the halo to the words of the slab. `own`: the words of the slab, `of_cell` words for each cell.
    fn with_halo(&self, own: &[u32], of_cell: usize) -> Vec<u32> {
        let Lattice { subdomain, extents, .. } = &self.engine.lattice;
        let mut words = vec![0; extents.cells() * of_cell];
        let cells = subdomain.cells_of(subdomain.own_pieces());
        words[cells.start * of_cell..cells.end * of_cell].copy_from_slice(own);
        words
    }

    /// Sets the capacities of the slab's cells, in quanta, and receives the capacities of the halo from other ranks.
    fn take_capacities(&mut self, own: &[u32]) -> Result<(), Failure> {
        let slot = self.engine.lattice.plan.capacity;
        self.engine.lattice.upload(slot, &self.with_halo(own, 1));
        self.fill_halo(&[slot])
    }

    /// Fills the whole halo of some buffers with the cells of the neighbouring ranks.
    fn fill_halo(&mut self, slots: &[Slot]) -> Result<(), Failure> {
        let requests: Vec<HaloRequest> = slots.iter().map(|slot| (*slot, self.layout.around)).collect();
        let encoder = self.engine.lattice.gpu.device.create_command_encoder(&Default::default());
        self.exchange(encoder, &requests)
    }

    /// Submits the commands of the encoder. Then sends the pieces at the ends of the slab to the neighbouring ranks,
    /// and writes the pieces from these ranks into the halo.
    fn exchange(&mut self, encoder: wgpu::CommandEncoder, requests: &[HaloRequest]) -> Result<(), Failure> {
        let Self { ranks, engine: GpuEngine { lattice, .. }, border, .. } = self;
        let own = lattice.subdomain.own_pieces();
        let borders_of = |depth: u32| [own.start..own.start + depth, own.end - depth..own.end];
        let words: Vec<Words<'_>> = requests
            .iter()
            .flat_map(|(slot, depth)| borders_of(*depth as u32).map(|pieces| (*slot, pieces)))
            .flat_map(|(slot, pieces)| {
                let texture = lattice.texture(slot);
                let rectangles = rectangles_of_pieces(lattice, pieces).into_iter();
                rectangles.map(move |(first, size)| Words::Texture(texture, first, size))
            })
            .collect();
        let mut read = transfer::request(&lattice.gpu, encoder, &words, "halo")?.wait()?.into_iter();
        for (slot, depth) in requests {
            let texel = lattice.plan.fields[slot.field].texel;
            let both = borders_of(*depth as u32).map(|pieces| {
                let rectangles = rectangles_of_pieces(lattice, pieces).len();
                read.by_ref().take(rectangles).flatten().collect()
            });
            let [before, after] = border.exchange(&**ranks, texel, *depth, &both)?;
            let depth = *depth as u32;
            let halos = [(before, own.start.saturating_sub(depth)..own.start), (after, own.end..own.end + depth)];
            for (cells, pieces) in halos {
                if let Some(cells) = cells {
                    upload_pieces(lattice, *slot, pieces, &cells);
                }
            }
        }
        lattice.gpu.check()
    }

    fn state_of_slab(&mut self) -> Result<State, Failure> {
        let before = self.engine.lattice.subdomain.halo[0];
        let first = if self.layout.extents.depth.is_some() { [0, 0, before] } else { [0, before, 0] };
        let state = self.engine.request(StateReading)?.wait()?.region(first, self.layout.extents);
        Ok(State { columns: self.columns.clone(), ..state })
    }

    fn state_of_world(&mut self) -> Result<State, Failure> {
        self.state_of_slab()?.gathered(self.layout.slab.world, &*self.ranks)
    }

    /// Plays one step. `parameters`: the parameters of the step for each layer.
    fn step(&mut self, parameters: &[Parameters]) -> Result<(), Failure> {
        let Self { engine, flight, columns, layout, ranks, .. } = self;
        let first = flight.fly(columns, || densities(engine), &parameters[0], layout, &**ranks)?;
        let words = parameter_bytes(parameters.iter().map(|own| Parameters { hunters: first.hunters, ..*own }));
        let Lattice { gpu, plan, parameters, .. } = &self.engine.lattice;
        let (gpu, plan, phase) = (gpu.clone(), plan.clone(), self.engine.phase);
        gpu.queue().write_buffer(parameters, 0, &words);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (index, pass) in plan.phases[phase].iter().enumerate() {
            self.engine.player_and_steps().1.encode(&mut encoder, index..index + 1, 0, None);
            let depths = pass.write.iter().copied().zip(self.depths[phase][index].iter().copied());
            let requests: Vec<HaloRequest> = depths.filter(|(_, depth)| *depth > 0).collect();
            if !requests.is_empty() {
                let next = gpu.device.create_command_encoder(&Default::default());
                self.exchange(std::mem::replace(&mut encoder, next), &requests)?;
            }
        }
        gpu.submit(encoder);
        gpu.check()
    }

    /// The layers of the whole world, each as a state. Every rank needs them, because each rank moves all points.
    fn whole_layers(&mut self) -> Result<Vec<State>, Failure> {
        Ok(self.state_of_world()?.into_layers())
    }
}

/// The density of each layer in the cells of the slab, without the halo, in quanta.
fn densities(engine: &mut GpuEngine) -> Result<Vec<Vec<u32>>, Failure> {
    let Lattice { subdomain, extents, .. } = &engine.lattice;
    let (own, cells) = (subdomain.cells_of(subdomain.own_pieces()), extents.cells());
    let all = engine.request(DensityReading)?.wait()?;
    Ok(all.chunks_exact(cells).map(|layer| layer[own.clone()].to_vec()).collect())
}

/// The rectangles of texels that contain some pieces. Each has its first texel, and its width and height.
fn rectangles_of_pieces(lattice: &Lattice, pieces: Range<u32>) -> Vec<([u32; 2], [u32; 2])> {
    let (width, height) = (lattice.extents.width, lattice.extents.height);
    match lattice.extents.depth {
        None => vec![([0, pieces.start], [width, pieces.len() as u32])],
        Some(_) => pieces.map(|slice| (lattice.atlas.tile(slice), [width, height])).collect(),
    }
}

/// Uploads the words of some pieces, x fastest, to the texture of a field.
fn upload_pieces(lattice: &Lattice, slot: Slot, pieces: Range<u32>, texels: &[u32]) {
    lattice.gpu.touch();
    let mut rest = texels;
    let words = texels.len() / lattice.subdomain.cells_of(pieces.clone()).len().max(1);
    for (first, size) in rectangles_of_pieces(lattice, pieces) {
        let (own, after) = rest.split_at(words * (size[0] * size[1]) as usize);
        rest = after;
        transfer::upload_part(lattice.gpu.queue(), lattice.texture(slot), first, size, own);
    }
}

impl Engine for GpuSlab {
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.take_capacities(&capacities[self.layout.slab.cells()])?;
        self.flight.take_solids(&self.layout, solids_of(capacities));
        self.engine.passes.take_capacities(&self.engine.lattice, capacities)?;
        self.engine.lattice.gpu.check()
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        Vec::new()
    }

    fn describe(&self) -> String {
        self.engine.describe()
    }
}

impl LatticeEngine for GpuSlab {
    fn play_until(&mut self, steps: &[Parameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        self.engine.passes.take_steps(&self.engine.lattice, steps)?;
        let each = self.layers();
        for (index, parameters) in steps.chunks_exact(each).enumerate() {
            // Before each step, all ranks agree whether to stop.
            if self.ranks.any(is_wanted(stop))? {
                return Ok(Progress { steps: index, is_stopped: true });
            }
            self.step(parameters)?;
            if self.points.is_some() {
                let layers = self.whole_layers()?;
                let flows = StateFlow::of_layers(&layers, self.layout.edges, &self.flight.solids);
                let step = parameters[0].step.wrapping_add(1);
                self.points.iter_mut().for_each(|points| points.step(&flows, step));
            }
        }
        Ok(Progress { steps: steps.len() / each, is_stopped: false })
    }

    fn layers(&self) -> usize {
        self.engine.layers()
    }

    fn slab(&mut self) -> Result<(Slab, State), Failure> {
        Ok((self.layout.slab, self.state_of_slab()?))
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.columns.clone_from(&state.columns);
        let cells = self.layout.slab.cells_in(state.extents);
        let extended = state.layers.iter().map(|layer| {
            let [density, control] = layer
                .columns()
                .map(|(words, of_cell)| self.with_halo(&words[cells.start * of_cell..cells.end * of_cell], of_cell));
            Layer { density, control }
        });
        let extended = State::new(self.engine.lattice.extents, extended.collect());
        self.engine.set_state(&extended)?;
        self.fill_halo(&self.engine.lattice.plan.states(0).flatten().collect::<Vec<_>>())
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let Lattice { gpu, dispatch, .. } = &self.engine.lattice;
        let (gpu, dispatch, ranks) = (gpu.clone(), *dispatch, self.ranks.clone());
        let cuts = world.cuts_of(ranks.size());
        let state = self.state_of_slab()?.with_cuts(&self.cuts, &cuts, &*ranks)?;
        let mut next = Self::new(gpu, plan, rules, world, &state, dispatch, ranks)?;
        next.engine.turnover_before = EarlierTurnover::from_ticket(self.engine.request(TotalsReading)?);
        next.points = self.points.take();
        *self = next;
        Ok(())
    }

    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure> {
        self.points = points.map(PointPlayer::new);
        Ok(())
    }

    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure> {
        let layers = self.whole_layers()?;
        let flows = StateFlow::of_layers(&layers, self.layout.edges, &self.flight.solids);
        self.points = Some(PointPlayer::new(PointPlayer::seeded(&flows, parameters)));
        Ok(())
    }
}

impl GpuSlab {
    fn totals(&mut self) -> Result<Ledger, Failure> {
        let mut totals = self.engine.request(TotalsReading)?.wait()?;
        for (total, density) in totals[Entry::Present].iter_mut().zip(densities(&mut self.engine)?) {
            *total = density.iter().map(|quanta| u64::from(*quanta)).sum();
        }
        totals.sum_over(&*self.ranks)
    }

    /// The vector of a field in a cell. The rank whose slab has the cell sends the vector to all ranks.
    fn vector(&mut self, slot: Slot, [x, y, z]: Vector3) -> Result<Vector3, Failure> {
        let mut sums = [0; 3];
        if let Some([y, z]) = self.layout.in_slab([y, z]) {
            let before = self.engine.lattice.subdomain.halo[0] as i32;
            let cell = if self.layout.extents.depth.is_some() { [x, y, z + before] } else { [x, y + before, z] };
            sums = self.engine.request(VectorReading { slot, cell })?.wait()?.map(|along| along as u64);
        }
        self.ranks.sum(&mut sums)?;
        Ok(sums.map(|along| along as i32))
    }
}

answer! {
    GpuSlab {
        TotalsReading => |own, _| Ok(Ticket::ready(own.totals()?)),
        StateReading => |own, _| Ok(Ticket::ready(own.state_of_world()?)),
        DensityReading => |own, _| Ok(Ticket::ready(own.state_of_world()?.into_densities())),
        RegionReading => |own, RegionReading { first, size }| {
            Ok(Ticket::ready(own.state_of_world()?.region(first, size)))
        },
        VectorReading => |own, VectorReading { slot, cell }| Ok(Ticket::ready(own.vector(slot, cell)?)),
    }
}

answer! {
    dyn GpuSlab {
        ColumnsReading => |own, _| Ok(Ticket::ready(own.columns.clone())),
        SumsReading => |own, SumsReading { shift }| {
            Ok(Ticket::ready(StateSums::new(&own.state_of_world()?.merged(), shift)))
        },
        MeasuresReading => |own, MeasuresReading { space }| {
            let (state, slab) = (own.state_of_slab()?, own.layout.slab);
            Ok(Ticket::ready(Measures::over_ranks(&state, &slab, space.edges, &*own.ranks)?))
        },
        LivelinessReading => |own, LivelinessReading { blocks }| {
            let (state, Layout { slab, edges, .. }) = (own.state_of_slab()?, own.layout);
            Ok(Ticket::ready(SwarmSample::from_slab(&state, &slab, edges, &blocks, &*own.ranks)?))
        },
        OverlapReading => |own, reading| Ok(Ticket::ready(reading.in_state(&own.state_of_world()?))),
        PointsReading => |own, _| Ok(Ticket::ready(own.points.as_ref().map(|player| player.points().clone()))),
    }
}
