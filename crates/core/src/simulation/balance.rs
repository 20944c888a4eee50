//! Divides a world of cells among ranks again, so that all ranks have similar loads.

use super::Simulation;
use crate::engine::{AnyEngine, EngineConfig};
use crate::error::Failure;
use crate::measures::form::BLOCK;
use crate::ranks::BALANCE_INTERVAL;
use crate::state::fields::pieces_around;
use crate::world::{Cuts, Slab, memory};

impl Simulation {
    /// The next step at which ranks compare their loads; `u64::MAX` with a single rank.
    pub(super) fn next_balance(&self) -> u64 {
        if self.preset.host().ranks().size() == 1 {
            return u64::MAX;
        }
        (self.engine.step / BALANCE_INTERVAL + 1).saturating_mul(BALANCE_INTERVAL)
    }

    /// Moves the borders of slabs if this reduces the largest load of a rank by 1/10 or more. Only slabs of deep worlds
    /// on CPUs move. In a flat world every step visits every cell, so slabs of equal size have equal loads. GPUs do not
    /// count their work.
    pub(super) fn balance(&mut self) -> Result<(), Failure> {
        let ranks = self.preset.host().ranks();
        let extents = self.preset.world.extents;
        if ranks.size() == 1 || extents.depth.is_none() || !self.engine.step.is_multiple_of(BALANCE_INTERVAL) {
            return Ok(());
        }
        let AnyEngine::Lattice(engine) = &mut self.engine.engine else { return Ok(()) };
        let own = engine.take_loads();
        if ranks.any(own.is_empty())? {
            return Ok(());
        }
        let mut config = self.config()?;
        let EngineConfig::Cells { plan, world, .. } = &mut config else { return Ok(()) };
        let before = world.cuts_of(ranks.size());
        let mut loads = vec![0; extents.pieces() as usize];
        let slab = before.slab(ranks.rank());
        loads[slab.start as usize..slab.end as usize].copy_from_slice(&own);
        ranks.sum(&mut loads)?;
        // A swarm returns to earlier places. So earlier loads also count, with weights that decrease with age.
        loads.iter_mut().zip(&self.loads).for_each(|(load, before)| *load = (*load + 3 * before) / 4);
        self.loads.clone_from(&loads);
        // A slab must have room for the halos of its neighbours and for the blocks of measures. The max size of a slab
        // is limited, because the memory of a rank is.
        let even = extents.pieces() as usize / ranks.size();
        let least = pieces_around(plan.reach as usize).max(BLOCK).min(even);
        let most = (even + even / 2).max(even + 1);
        let Some(cuts) = Cuts::by_load(&loads, ranks.size(), least..=most) else { return Ok(()) };
        if !before.is_improved_by(&cuts, &loads) {
            return Ok(());
        }
        // If a rank has too little memory for its new slab, all ranks keep their slabs.
        let next = Slab::of_cuts(extents, &cuts, ranks.rank()).extents();
        let bytes = memory::RUN * plan.layers.len() as u64;
        if ranks.any(memory::check(next, bytes, self.preset.host().free_memory()).is_err())? {
            return Ok(());
        }
        world.cuts = Some(cuts);
        self.take_config(config)
    }
}
