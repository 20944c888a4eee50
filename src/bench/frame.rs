//! Rows of frames. A frame is a step and its picture on the same device, as a window plays and draws them. No picture
//! is read back.

use super::families::Row;
use super::figures::{Figures, TimedRow, Timing};
use super::timing::PassTimes;
use crate::run::Stepper;
use glam::UVec2;
use murmuration_core::engine::Adapters;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use murmuration_gpu::look::{Part, PictureRenderer, ViewTransform, swarm_of};
use murmuration_gpu::{DeviceRequest, Gpu};
use std::sync::Arc;
use std::time::Instant;

/// The size of a picture in pixels.
pub const SIZE: UVec2 = UVec2::new(1280, 800);

/// A simulation that is played and drawn.
pub struct TimedFrames {
    simulation: Simulation,
    pictures: PictureRenderer,
    passes: PassTimes,
}

impl TimedFrames {
    /// Plays the start of a row.
    ///
    /// # Errors
    /// If the engine of the row is the CPU, or the device fails.
    pub fn new(row: &Row) -> Result<Self, Failure> {
        let preset = row.scenario.preset()?;
        let chain = preset.load_chain(row.chain.as_deref())?;
        let request = DeviceRequest::new(Adapters::Any, preset.world.extents);
        let simulation = Simulation::new(preset, &chain, row.setup.choice())?;
        let pictures = PictureRenderer::new(&crate::devices().get(&request)?)?;
        Ok(Self { simulation, pictures, passes: PassTimes::default() })
    }

    fn draw(&mut self, gpu: &Gpu) -> Result<(), Failure> {
        let (source, individuals) = swarm_of(&mut self.simulation, Some(gpu))?;
        let preset = self.simulation.preset();
        let (world, look) = (&preset.world, &preset.look);
        let transform = ViewTransform::of_preset(preset, SIZE);
        self.pictures.draw(&[Part { source, individuals, world, transform, pane: SIZE.into() }], look, SIZE)
    }
}

impl TimedRow for TimedFrames {
    /// Plays frames of one step each, and waits until the last frame is drawn.
    fn play(&mut self, frames: u64) -> Result<f64, Failure> {
        let gpu: Arc<Gpu> = self.pictures.gpu().clone();
        let begun = Instant::now();
        for _ in 0..frames {
            self.simulation.play(1)?;
            self.draw(&gpu)?;
        }
        gpu.wait(None)?;
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(remark) = self.simulation.remarks().first() {
            return Err(Failure::Device(remark.clone()));
        }
        self.passes.0.push(self.pictures.seconds_by_pass().to_vec());
        Ok(seconds)
    }

    fn figures(&mut self, of: Timing<'_>, _: &mut dyn FnMut() -> bool) -> Result<Option<Figures>, Failure> {
        let many = u64::from(SIZE.x) * u64::from(SIZE.y);
        let figures = Figures::of_times(of.times, many, self.simulation.describe_engine());
        let Some(figures) = figures else { return Ok(None) };
        let (chain, lost) = (self.simulation.chain().name.clone(), self.simulation.account()?.lost);
        Ok(Some(Figures { chain, passes: self.passes.medians(figures.rounds), lost, ..figures }))
    }
}
