//! Drawing of the pictures of a run.

use super::remark;
use crate::engine::Adapters;
use crate::engine::gpu::{Gpu, has_hardware};
use crate::error::Failure;
use crate::look::PictureRenderer;
use crate::observe::{Picture, glow};
use crate::preset::Look;
use crate::simulation::Simulation;
use crate::state::State;
use crate::world::World;

/// Draws on the GPU if a hardware adapter plays the swarm, else on the CPU, which is faster than a software adapter.
pub struct FramePainter(Option<(Gpu, PictureRenderer)>);

impl FramePainter {
    /// A painter for the pictures of a simulation.
    ///
    /// # Errors
    /// If the device fails.
    pub fn new(simulation: &Simulation) -> Result<Self, Failure> {
        if simulation.engine_name() != "gpu" || !has_hardware() {
            return Ok(Self(None));
        }
        let gpu = Gpu::open(*crate::host().library(), Adapters::Hardware, simulation.preset().world.extents)?;
        let pictures = PictureRenderer::new(&gpu)?;
        Ok(Self(Some((gpu, pictures))))
    }

    /// The picture of a state. If the GPU fails, the CPU draws from then on.
    ///
    /// # Errors
    /// If the picture cannot be drawn.
    pub fn paint(&mut self, state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
        if let Some((gpu, pictures)) = &mut self.0 {
            match pictures.picture(gpu, state, world, look) {
                Err(Failure::Device(why)) => remark(format_args!("{why}; the CPU paints on")),
                painted => return painted,
            }
        }
        self.0 = None;
        Ok(glow(state, world, look))
    }
}
