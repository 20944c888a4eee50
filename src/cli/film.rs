//! The film of a run.

use super::frame_painter::FramePainter;
use crate::error::{BadInput, Failure};
use crate::film::Film;
use crate::observe::{Caption, frame, reduced};
use crate::simulation::Simulation;
use crate::state::State;
use std::path::{Path, PathBuf};

/// The options of a film.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct FilmOptions {
    /// Write a film: .apng, .gif, or with ffmpeg .mp4 or .webm; without an extension a folder of PNGs
    #[arg(long, value_name = "PATH")]
    pub film: Option<PathBuf>,
    /// Frames of the film a second
    #[arg(long, value_name = "N", default_value_t = 30, requires = "film")]
    pub fps: u32,
    /// The width of the film in pixels, at most that of a frame of `render` [default: the width of a frame]
    #[arg(long, value_name = "PIXELS", requires = "film")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub width: Option<u32>,
}

/// A film under way.
pub struct FilmRecorder {
    film: Film,
    path: PathBuf,
    width: Option<u32>,
}

impl FilmRecorder {
    /// Begins a film if the options ask for one.
    ///
    /// # Errors
    /// As [`Film::begin`], and if the film would be wider than the picture of the swarm.
    pub fn begin(options: &FilmOptions, simulation: &Simulation) -> Result<Option<Self>, Failure> {
        let Some(path) = &options.film else { return Ok(None) };
        let ([most, _], _) = frame(simulation.preset().world.extents);
        if let Some(width) = options.width.filter(|width| *width > most) {
            let problem = format!("the picture of this swarm is {most} pixels wide");
            return Err(BadInput::new(format!("--width {width}"), problem, format!("ask for {most} at most")).into());
        }
        let film = Film::begin(path, options.fps).map_err(|failure| match failure {
            Failure::BadInput(wrong) => {
                Failure::BadInput(BadInput { origin: format!("--film {}", wrong.origin), ..wrong })
            }
            other => other,
        })?;
        Ok(Some(Self { film, path: path.clone(), width: options.width.filter(|width| *width < most) }))
    }

    /// Adds the picture of the present state.
    ///
    /// # Errors
    /// If the picture cannot be drawn or written.
    pub fn add(
        &mut self,
        simulation: &Simulation,
        state: &State,
        frame_painter: &mut FramePainter,
    ) -> Result<(), Failure> {
        let preset = simulation.preset();
        let mut picture = frame_painter.paint(state, &preset.world, &preset.look)?;
        if let Some(width) = self.width {
            picture = reduced(&picture, width);
        }
        let caption = Caption { preset: preset.name.clone(), step: simulation.step(), seed: preset.seed };
        self.film.add(&picture, &caption)
    }

    /// Completes the film.
    ///
    /// # Errors
    /// If it cannot be completed.
    pub fn finish(self) -> Result<FilmSummary, Failure> {
        Ok(FilmSummary { frames: self.film.finish()?, path: self.path })
    }
}

/// A finished film.
pub struct FilmSummary {
    pub frames: u64,
    path: PathBuf,
}

impl FilmSummary {
    pub fn path(&self) -> &Path {
        &self.path
    }
}
