//! What is read back of a lattice on a device.

use super::GpuEngine;
use super::lattice::Lattice;
use super::state_textures;
use super::sums::SumPasses;
use crate::chain::plan::Slot;
use crate::device::transfer::{self, Words};
use crate::engine::{Totals, TotalsReading, VectorReading};
use crate::error::Failure;
use crate::falcons::{self, Falcons};
use crate::numbers::{Vector3, unpack};
use crate::state::{RegionReading, State, StateReading};
use crate::ticket::{ReadingSource, Ticket};
use murmuration_core::answer;
use murmuration_core::falcon::FalconsReading;
use murmuration_core::points::PointsReading;
use murmuration_core::state_sums::{StateSums, SumsReading};

impl ReadingSource<SumsReading> for GpuEngine {
    fn request(&mut self, SumsReading { shift }: SumsReading) -> Result<Ticket<StateSums>, Failure> {
        let Self { lattice, sums, .. } = self;
        let made = || {
            let textures = |state: [Slot; 2]| state.map(|slot| lattice.texture(slot).clone());
            let states = |phase| lattice.plan.states(phase).map(textures).collect();
            let states: Vec<_> = (0..lattice.plan.phases.len()).map(states).collect();
            SumPasses::new(&lattice.gpu, lattice.extents, &states)
        };
        sums.get_or_insert_with(made).sums(&lattice.gpu, self.phase, shift)
    }
}

impl ReadingSource<StateReading> for GpuEngine {
    fn request(&mut self, _: StateReading) -> Result<Ticket<State>, Failure> {
        let Lattice { gpu, plan, extents, .. } = &self.lattice;
        let textures = plan.states(self.phase).flatten().map(|slot| Words::texels_of(self.lattice.texture(slot)));
        let falcons = self.falcons.iter().map(|falcons| Words::all_of(falcons.state()));
        let read = transfer::read(gpu, &textures.chain(falcons).collect::<Vec<_>>(), "state")?;
        let (extents, layers) = (*extents, plan.layers());
        Ok(read.map(move |words| state_textures::state_of(extents, layers, words)))
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
        TotalsReading => |own, _| {
            let before = own.turnover_before;
            let totals = own.ledger.totals(&own.lattice.gpu, own.phase)?;
            Ok(totals.map(move |totals| Totals { turnover: before.plus(&totals.turnover), ..totals }))
        },
        FalconsReading => |own, _| falcons::request(&own.lattice.gpu, own.falcons.as_ref().map(Falcons::state)),
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
