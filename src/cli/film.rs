//! The pictures of a run, and the film of them.

use super::remark;
use crate::chain::Chain;
use crate::engine::Adapters;
use crate::engine::gpu::{Gpu, has_hardware};
use crate::error::{BadInput, Failure};
use crate::film::Film;
use crate::look::PictureRenderer;
use crate::observe::{Caption, Picture, frame, glow, reduced};
use crate::preset::Preset;
use crate::simulation::Simulation;
use crate::state::State;
use std::path::PathBuf;

/// Draws on the GPU if a hardware adapter plays the swarm or the look is the user's, else on the CPU, which is faster than a
/// software adapter.
pub struct FramePainter {
    /// The chain of the user's look.
    look: Option<Chain>,
    /// The adapters that may draw; `None`: the CPU draws.
    adapters: Option<Adapters>,
    /// Opened for the first picture.
    gpu: Option<(Gpu, PictureRenderer)>,
}

impl FramePainter {
    /// A painter for the pictures of a simulation, drawn by a chain of the look; `None`: by the built-in one.
    pub fn new(simulation: &Simulation, look: Option<Chain>) -> Self {
        let adapters = match look {
            Some(_) => Some(Adapters::Any),
            None => (simulation.engine_name() == "gpu" && has_hardware()).then_some(Adapters::Hardware),
        };
        Self { look, adapters, gpu: None }
    }

    /// The picture of a state of a preset. If the GPU fails, the CPU draws the built-in look from then on; a look of the
    /// user's is tried once more on a new device.
    ///
    /// # Errors
    /// `Device` if no GPU can draw the look of the user's.
    pub fn paint(&mut self, state: &State, preset: &Preset) -> Result<Picture, Failure> {
        let Some(adapters) = self.adapters else { return Ok(glow(state, &preset.world, &preset.look)) };
        match self.paint_on(adapters, state, preset) {
            Err(Failure::Device(why)) => {
                self.gpu = None;
                if self.look.is_some() {
                    return self.paint_on(adapters, state, preset);
                }
                remark(format_args!("{why}; the CPU paints on"));
                self.adapters = None;
                self.paint(state, preset)
            }
            painted => painted,
        }
    }

    fn paint_on(&mut self, adapters: Adapters, state: &State, preset: &Preset) -> Result<Picture, Failure> {
        if self.gpu.is_none() {
            let gpu = Gpu::open(*crate::host().library(), adapters, state.extents)?;
            let pictures = match &self.look {
                Some(chain) => PictureRenderer::with_chain(&gpu, chain.clone())?,
                None => PictureRenderer::new(&gpu)?,
            };
            self.gpu = Some((gpu, pictures));
        }
        let (gpu, pictures) = self.gpu.as_mut().expect("it was opened");
        pictures.picture(gpu, state, &preset.world, &preset.look)
    }
}

/// The options of a film.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct FilmOptions {
    /// Write a film: .apng, .gif, or with ffmpeg .mp4 or .webm; without an extension a folder of PNGs
    #[arg(long, value_name = "PATH")]
    pub film: Option<PathBuf>,
    /// Frames of the film a second
    #[arg(long, value_name = "N", default_value_t = 30, requires = "film")]
    fps: u32,
    /// The width of the film in pixels, at most that of a frame of `render` [default: the width of a frame]
    #[arg(long, value_name = "PIXELS", requires = "film")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    width: Option<u32>,
}

/// A film under way.
pub struct FilmRecorder {
    pub film: Film,
    width: Option<u32>,
}

impl FilmRecorder {
    /// Begins a film if the options ask for one. It is not wider than the picture of the swarm.
    ///
    /// # Errors
    /// A width beyond that of the picture, or as [`Film::begin`].
    pub fn begin(options: &FilmOptions, simulation: &Simulation) -> Result<Option<Self>, Failure> {
        let Some(path) = &options.film else { return Ok(None) };
        let ([most, _], _) = frame(simulation.preset().world.extents);
        if let Some(width) = options.width.filter(|width| *width > most) {
            let problem = format!("the picture of this swarm is {most} pixels wide");
            return Err(BadInput::new(format!("--width {width}"), problem, format!("ask for {most} at most")).into());
        }
        let film = Film::begin(path, options.fps).map_err(|failure| match failure {
            Failure::BadInput(wrong) => BadInput { origin: format!("--film {}", wrong.origin), ..wrong }.into(),
            other => other,
        })?;
        Ok(Some(Self { film, width: options.width.filter(|width| *width < most) }))
    }

    /// Adds the picture of the present state.
    ///
    /// # Errors
    /// As [`FramePainter::paint`] and [`Film::add`].
    pub fn add(
        &mut self,
        state: &State,
        preset: &Preset,
        step: u64,
        painter: &mut FramePainter,
    ) -> Result<(), Failure> {
        let mut picture = painter.paint(state, preset)?;
        if let Some(width) = self.width {
            picture = reduced(&picture, width);
        }
        self.film.add(&picture, &Caption::new(preset, step))
    }
}
