//! What is read back of a lattice on a device.

use super::sums::{SumPasses, state_texture};
use super::{GpuEngine, state_textures};
use crate::device::program::Resource;
use crate::device::transfer::{self, Words};
use crate::lattice::Lattice;
use crate::measures::shader::BodySource;
use crate::measures::{BlockPasses, MeasurePasses};
use crate::overlap::OverlapPass;
use murmuration_core::answer;
use murmuration_core::chain::plan::Slot;
use murmuration_core::engine::{TotalsReading, VectorReading};
use murmuration_core::error::Failure;
use murmuration_core::falcon::FALCONS;
use murmuration_core::measures::liveliness::{LivelinessReading, SwarmSample};
use murmuration_core::measures::{Measures, MeasuresReading};
use murmuration_core::numbers::{Vector3, unpack};
use murmuration_core::overlap::OverlapReading;
use murmuration_core::points::PointsReading;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::state::{ColumnReading, DensityReading, RegionReading, State, StateReading, WorldColumn};
use murmuration_core::ticket::{ReadingSource, Ticket};

impl GpuEngine {
    /// The columns of the world on the device.
    fn columns(&self) -> impl Iterator<Item = (&'static WorldColumn, Words<'_>)> {
        self.falcons.iter().map(|falcons| (&FALCONS, Words::all_of(falcons.state())))
    }

    /// The textures of density and control vectors of each layer, by phase.
    fn state_textures(&self) -> Vec<Vec<[wgpu::Texture; 2]>> {
        let Lattice { plan, .. } = &self.lattice;
        let textures = |state: [Slot; 2]| state.map(|slot| self.lattice.texture(slot).clone());
        (0..plan.phases.len()).map(|phase| plan.states(phase).map(textures).collect()).collect()
    }
}

impl ReadingSource<SumsReading> for GpuEngine {
    fn request(&mut self, SumsReading { shift }: SumsReading) -> Result<Ticket<StateSums>, Failure> {
        let sums = self.sums.take();
        let Lattice { gpu, extents, .. } = &self.lattice;
        let sums = sums.unwrap_or_else(|| SumPasses::new(gpu, *extents, &self.state_textures()));
        self.sums.insert(sums).sums(gpu, self.phase, shift)
    }
}

impl ReadingSource<MeasuresReading> for GpuEngine {
    fn request(&mut self, MeasuresReading { space }: MeasuresReading) -> Result<Ticket<Measures>, Failure> {
        let measures = self.measures.take();
        let Lattice { gpu, extents, .. } = &self.lattice;
        let made = || {
            let states = self.state_textures();
            let source = BodySource::Cells(*extents, states[0].len());
            MeasurePasses::new(gpu, source, space, states.len(), |phase, name| {
                state_texture(&states[phase], name).unwrap_or_else(|| unreachable!("cells have no buffer `{name}`"))
            })
        };
        let measures = measures.unwrap_or_else(made);
        self.measures.insert(measures).request(gpu, self.phase)
    }
}

impl ReadingSource<LivelinessReading> for GpuEngine {
    fn request(&mut self, LivelinessReading { blocks }: LivelinessReading) -> Result<Ticket<SwarmSample>, Failure> {
        let passes = self.blocks.take().filter(|passes| *passes.blocks() == blocks);
        let Lattice { gpu, extents, .. } = &self.lattice;
        let made = || {
            let states = self.state_textures();
            let source = BodySource::Cells(*extents, states[0].len());
            BlockPasses::new(gpu, source, 0, blocks, states.len(), |phase, name| {
                state_texture(&states[phase], name).unwrap_or_else(|| unreachable!("cells have no buffer `{name}`"))
            })
        };
        let passes = passes.map_or_else(made, Ok)?;
        self.blocks.insert(passes).request(gpu, self.phase)
    }
}

impl ReadingSource<StateReading> for GpuEngine {
    fn request(&mut self, _: StateReading) -> Result<Ticket<State>, Failure> {
        let Lattice { gpu, plan, extents, .. } = &self.lattice;
        let textures = plan.states(self.phase).flatten().map(|slot| Words::texels_of(self.lattice.texture(slot)));
        let (rows, columns): (Vec<_>, Vec<_>) = self.columns().unzip();
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
        ColumnReading => |own, ColumnReading { row }| transfer::request_column(&own.lattice.gpu, own.columns(), row),
        OverlapReading => |own, reading| {
            let overlap = own.overlap.take().filter(|pass| pass.is_for(&reading.space));
            let (Lattice { gpu, extents, plan, .. }, phase) = (&own.lattice, own.phase);
            let made = || OverlapPass::new(gpu, BodySource::Cells(*extents, plan.layers.len()), reading.space);
            own.overlap.insert(overlap.unwrap_or_else(made)).request(gpu, &reading, |name| {
                Resource::Texture(own.lattice.density_view(phase, name))
            })
        },
        RegionReading => |own, RegionReading { first, size }| {
            let Lattice { gpu, extents, .. } = &own.lattice;
            state_textures::request_region(gpu, *extents, &own.lattice.state(own.phase), first, size)
        },
        PointsReading => |own, _| {
            let Some(points) = &own.points else { return Ok(Ticket::ready(None)) };
            Ok(points.memory().request(&own.lattice.gpu, own.step as u32)?.map(Some))
        },
    }
}
