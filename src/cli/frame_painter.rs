//! What paints the pictures of a run.

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

/// The GPU where it plays the swarm and is a real one; a software adapter is slower than the CPU's own picture.
pub struct FramePainter(Option<(Gpu, PictureRenderer)>);

impl FramePainter {
    /// For the pictures of a simulation.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn new(simulation: &Simulation) -> Result<Self, Failure> {
        if simulation.engine_name() != "gpu" || !has_hardware() {
            return Ok(Self(None));
        }
        let gpu = Gpu::open(*crate::host().library(), Adapters::Hardware, simulation.preset().world.extents)?;
        let pictures = PictureRenderer::new(&gpu)?;
        Ok(Self(Some((gpu, pictures))))
    }

    /// The picture of a state. Where the GPU fails, the CPU paints on.
    ///
    /// # Errors
    /// Where the picture cannot be painted at all.
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
