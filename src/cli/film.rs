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
    gpu: Option<(Gpu, PictureRenderer)>,
    /// Whether the CPU cannot draw the same picture.
    has_own_look: bool,
}

impl FramePainter {
    /// A painter for the pictures of a simulation, drawn by a chain of the look; `None`: by the built-in one.
    ///
    /// # Errors
    /// `Device` if a GPU is needed and there is none that can hold the picture.
    pub fn new(simulation: &Simulation, look: Option<Chain>) -> Result<Self, Failure> {
        let has_own_look = look.is_some();
        if !has_own_look && (simulation.engine_name() != "gpu" || !has_hardware()) {
            return Ok(Self { gpu: None, has_own_look });
        }
        let adapters = if has_own_look { Adapters::Any } else { Adapters::Hardware };
        let gpu = Gpu::open(*crate::host().library(), adapters, simulation.preset().world.extents)?;
        let pictures = match look {
            Some(chain) => PictureRenderer::with_chain(&gpu, chain)?,
            None => PictureRenderer::new(&gpu)?,
        };
        Ok(Self { gpu: Some((gpu, pictures)), has_own_look })
    }

    /// The picture of a state of a preset. If the GPU fails, the CPU draws the built-in look from then on.
    ///
    /// # Errors
    /// `Device` if the GPU fails and the look is the user's.
    pub fn paint(&mut self, state: &State, preset: &Preset) -> Result<Picture, Failure> {
        if let Some((gpu, pictures)) = &mut self.gpu {
            match pictures.picture(gpu, state, &preset.world, &preset.look) {
                Err(Failure::Device(why)) if !self.has_own_look => remark(format_args!("{why}; the CPU paints on")),
                painted => return painted,
            }
        }
        self.gpu = None;
        Ok(glow(state, &preset.world, &preset.look))
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
