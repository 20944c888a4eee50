//! Rows of frames: a step and its picture on the same device, as a window plays them. No picture is read back.

use super::families::Row;
use super::figures::Figures;
use super::timing::{Spread, Times};
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
    /// Seconds of the passes of a picture in each repetition.
    passes: Vec<Vec<(String, f64)>>,
}

impl TimedFrames {
    /// Plays the start of a row.
    ///
    /// # Errors
    /// The row is of the CPU, or the device fails.
    pub fn new(row: &Row) -> Result<Self, Failure> {
        let preset = row.scenario.preset()?;
        let chain = preset.load_chain(row.chain.as_deref())?;
        let request = DeviceRequest::new(Adapters::Any, preset.world.extents);
        let simulation = Simulation::new(preset, &chain, row.setup.choice())?;
        let pictures = PictureRenderer::new(&crate::devices().get(&request)?)?;
        Ok(Self { simulation, pictures, passes: Vec::new() })
    }

    /// Plays so many frames, one step each, and waits until the last one is drawn. Returns the seconds.
    ///
    /// # Errors
    /// The device fails.
    pub fn play(&mut self, frames: u64) -> Result<f64, Failure> {
        let gpu: Arc<Gpu> = self.pictures.gpu().clone();
        let begun = Instant::now();
        for _ in 0..frames {
            self.simulation.advance(1)?;
            self.draw(&gpu)?;
        }
        gpu.wait(None)?;
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(remark) = self.simulation.remarks().first() {
            return Err(Failure::Device(remark.clone()));
        }
        self.passes.push(self.pictures.seconds_by_pass().to_vec());
        Ok(seconds)
    }

    fn draw(&mut self, gpu: &Gpu) -> Result<(), Failure> {
        let (source, individuals) = swarm_of(&mut self.simulation, Some(gpu))?;
        let preset = self.simulation.preset();
        let (world, look) = (&preset.world, &preset.look);
        let transform = ViewTransform::of_preset(preset, SIZE);
        self.pictures.draw(&[Part { source, individuals, world, transform, pane: SIZE.into() }], look, SIZE)
    }

    /// The figures; `None` without a repetition.
    ///
    /// # Errors
    /// The device fails.
    pub fn figures(&mut self, times: &Times) -> Result<Option<Figures>, Failure> {
        let Some(seconds) = Spread::new(&times.seconds) else { return Ok(None) };
        // The warm-up is left out.
        let warm = &self.passes[self.passes.len().saturating_sub(times.seconds.len())..];
        let last = warm.last().cloned().unwrap_or_default();
        let median = |index: usize| {
            let pass = |passes: &Vec<(String, f64)>| passes.get(index).map(|(_, seconds)| *seconds);
            Spread::new(&warm.iter().filter_map(pass).collect::<Vec<_>>()).map(|spread| spread.median)
        };
        let passes = last
            .iter()
            .enumerate()
            .map(|(index, (kernel, seconds))| (kernel.clone(), median(index).unwrap_or(*seconds)));
        Ok(Some(Figures {
            engine: self.simulation.describe_engine(),
            chain: self.simulation.chain().name.clone(),
            many: u64::from(SIZE.x) * u64::from(SIZE.y),
            steps: times.steps,
            rounds: times.seconds.len(),
            seconds,
            traffic: None,
            copied: None,
            pairs: None,
            passes: passes.collect(),
            lost: self.simulation.account()?.lost,
            is_same_as_cpu: None,
            not_compared: None,
        }))
    }
}
