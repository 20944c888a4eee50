//! The flight of falcons in a world that is divided among ranks. Each rank has all falcons in memory. All ranks
//! together add up the boids that a falcon sees.

use murmuration_core::cells::numbers::Parameters;
use murmuration_core::engine::halo::too_large;
use murmuration_core::error::Failure;
use murmuration_core::falcons::sight_of_cells::fly_over;
use murmuration_core::falcons::{Falcon, MAX_LOOK};
use murmuration_core::ranks::Ranks;
use murmuration_core::state::WorldColumns;
use murmuration_core::state::fields::{Field, Layout, Texel};
use murmuration_core::terrain::{GapField, gaps};
use murmuration_core::world::World;

/// The data of a rank for the flight of falcons over the whole world.
pub struct SlabFlight {
    /// The distances of the world's cells from rock (see [`gaps`]); `None`: the world has no rock.
    gaps: Option<Vec<u8>>,
    /// For each cell of the world, x fastest, whether it is solid; empty without solids.
    pub solids: Vec<bool>,
}

impl SlabFlight {
    pub fn new(world: &World) -> Self {
        Self { gaps: world.has_rock_of_cells().then(Vec::new), solids: Vec::new() }
    }

    /// Replaces the solid cells. `solids`: for each cell of the world, whether it is solid; empty without solids.
    pub fn take_solids(&mut self, layout: &Layout, solids: Vec<bool>) {
        if let Some(own) = &mut self.gaps {
            *own = gaps(layout.slab.world, layout.edges, &solids, MAX_LOOK);
        }
        self.solids = solids;
    }

    /// Moves the falcons by one step. Returns the parameters of the step with the new places of the falcons.
    /// `densities`: returns the density of each layer of the slab, in quanta.
    ///
    /// # Errors
    /// If another rank has ended, or there is too little memory.
    pub fn fly(
        &self,
        columns: &mut WorldColumns,
        densities: impl FnOnce() -> Result<Vec<Vec<u32>>, Failure>,
        parameters: &Parameters,
        layout: &Layout,
        ranks: &dyn Ranks,
    ) -> Result<Parameters, Failure> {
        let falcons = Falcon::all_of_mut(columns);
        if falcons.is_empty() {
            return Ok(*parameters);
        }
        let mut fields = Vec::new();
        for own in densities()? {
            let mut field = Field::new(*layout, Texel::Amount).map_err(too_large)?;
            field.load(&own);
            fields.push(field);
        }
        let views: Vec<_> = fields.iter().map(Field::view).collect();
        let (extents, edges) = (layout.slab.world, layout.edges);
        let rock = self.gaps.as_ref().map(|gaps| GapField { extents, edges, gaps });
        fly_over(&views, falcons, parameters, layout, rock, ranks)
    }
}
