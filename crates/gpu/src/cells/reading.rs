//! The values that can be requested from a lattice on a device: state, densities, sums and vectors.

use super::sums::{SumPasses, state_texture};
use super::{GpuEngine, state_textures};
use crate::device::transfer::{self, Words};
use crate::lattice::Lattice;
use crate::measures::DeviceSwarm;
use crate::measures::shader::BodySource;
use murmuration_core::answer;
use murmuration_core::chain::plan::Slot;
use murmuration_core::engine::{TotalsReading, VectorReading};
use murmuration_core::error::Failure;
use murmuration_core::measures::MeasuresReading;
use murmuration_core::measures::liveliness::LivelinessReading;
use murmuration_core::numbers::{Vector3, unpack};
use murmuration_core::overlap::OverlapReading;
use murmuration_core::points::PointsReading;
use murmuration_core::state::sums::SumsReading;
use murmuration_core::state::{ColumnsReading, DensityReading, RegionReading, State, StateReading};
use murmuration_core::ticket::{ReadingSource, Ticket};

impl GpuEngine {
    /// For each phase, the textures of density and control vectors of each layer in the state before this phase.
    fn state_textures(&self) -> Vec<Vec<[wgpu::Texture; 2]>> {
        let Lattice { plan, .. } = &self.lattice;
        let textures = |state: [Slot; 2]| state.map(|slot| self.lattice.texture(slot).clone());
        (0..plan.phases.len()).map(|phase| plan.states(phase).map(textures).collect()).collect()
    }

    fn device_swarm(&self) -> DeviceSwarm<'static> {
        let (states, Lattice { gpu, extents, .. }) = (self.state_textures(), &self.lattice);
        DeviceSwarm {
            gpu: gpu.clone(),
            source: BodySource::Cells(*extents, states[0].len()),
            max_individuals: 0,
            phases: states.len(),
            phase: self.phase,
            resource: Box::new(move |phase, name| {
                state_texture(&states[phase], name).unwrap_or_else(|| unreachable!("cells have no buffer `{name}`"))
            }),
        }
    }
}

impl ReadingSource<StateReading> for GpuEngine {
    fn request(&mut self, _: StateReading) -> Result<Ticket<State>, Failure> {
        let Lattice { gpu, plan, extents, .. } = &self.lattice;
        let textures = plan.states(self.phase).flatten().map(|slot| Words::texels_of(self.lattice.texture(slot)));
        let (rows, columns): (Vec<_>, Vec<_>) = self.columns.words().unzip();
        let read = transfer::read(gpu, &textures.chain(columns).collect::<Vec<_>>(), "state")?;
        let (extents, layers) = (*extents, plan.layers.len());
        Ok(read.map(move |words| state_textures::state_of(extents, layers, &rows, words)))
    }
}

impl ReadingSource<DensityReading> for GpuEngine {
    fn request(&mut self, _: DensityReading) -> Result<Ticket<Vec<u32>>, Failure> {
        let Lattice { gpu, plan, atlas, .. } = &self.lattice;
        let textures = plan.states(self.phase).map(|[density, _]| Words::texels_of(self.lattice.texture(density)));
        let (read, atlas) = (transfer::read(gpu, &textures.collect::<Vec<_>>(), "density")?, *atlas);
        Ok(read.map(move |layers| {
            let mut layers = layers.into_iter().map(|texels| atlas.cells(texels));
            let mut densities = layers.next().unwrap_or_default();
            layers.for_each(|layer| densities.extend(layer));
            densities
        }))
    }
}

impl ReadingSource<VectorReading> for GpuEngine {
    fn request(&mut self, reading: VectorReading) -> Result<Ticket<Vector3>, Failure> {
        let VectorReading { slot, cell: [x, y, z] } = reading;
        let gpu = &self.lattice.gpu;
        let encoder = gpu.device.create_command_encoder(&Default::default());
        let [left, top] = self.lattice.atlas.tile(z as u32);
        let word = Words::Texture(self.lattice.texture(slot), [left + x as u32, top + y as u32], [1; 2]);
        Ok(transfer::request(gpu, encoder, &[word], "state")?.map(|words| {
            let [x, y] = unpack(words[0][0]);
            [x, y, words[0].get(1).map_or(0, |word| *word as i32)]
        }))
    }
}

answer! {
    GpuEngine {
        TotalsReading => |own, _| Ok(own.turnover_before.added_to(own.ledger.totals(&own.lattice.gpu, own.phase)?)),
        RegionReading => |own, RegionReading { first, size }| {
            let Lattice { gpu, extents, .. } = &own.lattice;
            state_textures::request_region(gpu, *extents, &own.lattice.state(own.phase), first, size)
        },
    }
}

answer! {
    dyn GpuEngine {
        ColumnsReading => |own, _| transfer::request_columns(&own.lattice.gpu, own.columns.words()),
        MeasuresReading => |own, reading| own.device_swarm().measures(&mut own.passes_of_readings, reading),
        LivelinessReading => |own, reading| own.device_swarm().sample(&mut own.passes_of_readings, reading),
        OverlapReading => |own, reading| own.device_swarm().overlap(&mut own.passes_of_readings, &reading),
        SumsReading => |own, SumsReading { shift }| {
            let (Lattice { gpu, extents, .. }, states) = (&own.lattice, own.state_textures());
            let make = || Ok(SumPasses::new(gpu, *extents, &states));
            own.passes_of_readings.get(|_| true, make)?.sums(gpu, own.phase, shift)
        },
        PointsReading => |own, _| {
            let Some(points) = &own.points else { return Ok(Ticket::ready(None)) };
            Ok(points.memory().request(&own.lattice.gpu, own.step as u32)?.map(Some))
        },
    }
}
