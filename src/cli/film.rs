//! The pictures of a run, and the film of them.

use super::remark;
use crate::chain::Chain;
use crate::engine::Adapters;
use crate::engine::gpu::{DeviceRequest, Gpu};
use crate::error::{BadInput, Failure};
use crate::film::Film;
use crate::look::{PictureRenderer, SwarmSource, on_device};
use crate::observe::{Caption, Picture, frame, glow, reduced};
use crate::preset::Preset;
use crate::simulation::Simulation;
use std::path::PathBuf;
use std::sync::Arc;

/// Draws a swarm on the device where it is; one in memory on the CPU, which is faster than a software adapter, unless the look is
/// the user's.
pub struct FramePainter {
    /// The chain of the user's look.
    look: Option<Chain>,
    /// Made for the first picture on a device.
    pictures: Option<PictureRenderer>,
}

impl FramePainter {
    /// A painter of pictures, drawn by a chain of the look; `None`: by the built-in one.
    pub fn new(look: Option<Chain>) -> Self {
        Self { look, pictures: None }
    }

    /// The picture of the present step of a simulation.
    ///
    /// # Errors
    /// If the swarm cannot be read, or as [`FramePainter::paint`].
    pub fn paint_step(&mut self, simulation: &mut Simulation) -> Result<Picture, Failure> {
        if let Some(textures) = on_device(simulation) {
            match self.paint(SwarmSource::Device(textures), simulation.preset()) {
                // The device may be lost; reading the state below replaces the engine then.
                Err(Failure::Device(why)) => remark(format_args!("{why}; the picture is drawn elsewhere")),
                painted => return painted,
            }
        }
        let state = simulation.state()?;
        self.paint(state.into(), simulation.preset())
    }

    /// The picture of a swarm of a preset. A look of the user's is tried once more on a new device.
    ///
    /// # Errors
    /// `Device` if no GPU can draw it.
    pub fn paint(&mut self, source: SwarmSource, preset: &Preset) -> Result<Picture, Failure> {
        match (&source, &self.look) {
            (SwarmSource::Device(textures), _) => self.paint_on(&textures.gpu.clone(), source, preset),
            (SwarmSource::Memory(state), None) => Ok(glow(state, &preset.world, &preset.look)),
            (SwarmSource::Memory(_), Some(_)) => {
                let request = DeviceRequest::new(Adapters::Any, source.extents());
                let mut paint = || self.paint_on(&crate::devices().get(&request)?, source.clone(), preset);
                paint().or_else(|_| paint())
            }
        }
    }

    fn paint_on(&mut self, gpu: &Arc<Gpu>, source: SwarmSource, preset: &Preset) -> Result<Picture, Failure> {
        let kept = self.pictures.take().filter(|pictures| pictures.gpu().device == gpu.device);
        let pictures = match (kept, &self.look) {
            (Some(kept), _) => kept,
            (None, Some(chain)) => PictureRenderer::with_chain(gpu, chain.clone())?,
            (None, None) => PictureRenderer::new(gpu)?,
        };
        self.pictures.insert(pictures).picture(source, &preset.world, &preset.look)
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

    /// Adds the picture of the present step.
    ///
    /// # Errors
    /// As [`FramePainter::paint_step`] and [`Film::add`].
    pub fn add(&mut self, simulation: &mut Simulation, painter: &mut FramePainter) -> Result<(), Failure> {
        let picture = painter.paint_step(simulation)?;
        self.add_picture(picture, &Caption::new(simulation.preset(), simulation.step()))
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// As [`Film::add`].
    pub fn add_picture(&mut self, mut picture: Picture, caption: &Caption) -> Result<(), Failure> {
        if let Some(width) = self.width {
            picture = reduced(&picture, width);
        }
        self.film.add(&picture, caption)
    }
}
