//! Records films of a simulation.

use super::Film;
use crate::observe::{Caption, Picture, frame_in, reduced};
use crate::painter::{FramePainter, rock_around};
use crate::provenance::Provenance;
use crate::ranks::is_first_rank;
use crate::run::{Moment, Observer, RunTime};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::{Simulation, StopCheck};
use std::path::Path;
use std::sync::Arc;

/// A film of a swarm. The recorder is an observer of a run, and draws every step or every few steps.
///
/// A program with its own loop calls [`Self::add`] to draw the present step.
///
/// ```no_run
/// use murmuration::run::Run;
/// use murmuration::{FilmRecorder, open};
///
/// let mut swarm = open("murmuration").start()?;
/// let mut film = FilmRecorder::new("swarm.apng", 30, None, &swarm)?.every(2);
/// Run::new(&mut swarm).to(180).with(&mut film).play()?;
/// assert_eq!(film.frames(), 91);
/// # Ok::<(), murmuration::Failure>(())
/// ```
#[derive(Debug)]
pub struct FilmRecorder {
    /// The film; `None`: the film is finished, or another rank records it.
    film: Option<Film>,
    /// The number of steps between two frames of a run.
    every: u64,
    /// The number of frames of the finished film.
    frames: u64,
    /// The width of the film in pixels; `None`: the width of a picture of the swarm.
    width: Option<u32>,
}

impl FilmRecorder {
    /// Begins a film of a swarm. The ending of the path gives the format: `.apng`, `.gif`, or with `ffmpeg` `.mp4` or
    /// `.webm`. A path without an ending is a folder of PNGs. `width`: the width of the film in pixels, at most the
    /// width of a picture of the swarm; `None`: that width.
    ///
    /// # Errors
    /// If the width is too great, or as [`Film::begin`].
    pub fn new(
        path: impl AsRef<Path>,
        frames_a_second: u32,
        width: Option<u32>,
        simulation: &Simulation,
    ) -> Result<Self, Failure> {
        let preset = simulation.preset();
        let extents = rock_around(preset).map_or(preset.world.extents, |rock| rock.extents);
        let ([most, _], _) = frame_in(extents, &preset.look);
        if let Some(width) = width.filter(|width| *width > most) {
            let problem = format!("the picture of this swarm is {most} pixels wide");
            return Err(BadInput::of_argument("width", width, problem, format!("ask for {most} at most")).into());
        }
        let film = is_first_rank().then(|| Film::begin(path.as_ref(), frames_a_second)).transpose()?;
        Ok(Self { film, every: 1, frames: 0, width: width.filter(|width| *width < most) })
    }

    /// Sets a function that tells whether this program is to end. Once it returns true, an `ffmpeg` that does nothing
    /// for 5 s is killed, and there is no film.
    pub fn end_when(&mut self, is_ending: StopCheck) {
        self.film.iter_mut().for_each(|film| film.end_when(is_ending.clone()));
    }

    /// Sets the number of steps between two frames; 1 by default. The first step of a run is always recorded.
    pub fn every(self, every: u64) -> Self {
        Self { every: every.max(1), ..self }
    }

    /// The number of frames of the finished film; 0: the film is not finished, or there is no film.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Draws the present step and adds the picture, reduced to the width of the film.
    ///
    /// # Errors
    /// As [`FramePainter::paint`] and [`Film::add`].
    pub fn add(&mut self, simulation: &mut Simulation, painter: &mut FramePainter) -> Result<(), Failure> {
        let picture = painter.paint_step(simulation, None)?;
        let provenance = Provenance::new(simulation).with_look(painter.look());
        self.add_picture(picture, &Caption { provenance: Arc::new(provenance), step: simulation.step() })
    }

    /// Adds a picture that was already drawn, reduced to the width of the film.
    ///
    /// # Errors
    /// As [`Film::add`].
    pub fn add_picture(&mut self, picture: Picture, caption: &Caption) -> Result<(), Failure> {
        let picture = match self.width {
            Some(width) => reduced(&picture, width),
            None => picture,
        };
        self.film.as_mut().map_or(Ok(()), |film| film.add(&picture, caption))
    }

    /// Completes the film and returns the number of its frames; 0: there is no film.
    ///
    /// # Errors
    /// As [`Film::finish`].
    pub fn finish(mut self) -> Result<u64, Failure> {
        self.complete()?;
        Ok(self.frames)
    }

    fn complete(&mut self) -> Result<(), Failure> {
        self.frames = self.film.take().map_or(Ok(0), Film::finish)?;
        Ok(())
    }
}

impl Observer for FilmRecorder {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every)
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let Some(picture) = moment.picture()? else { return Ok(()) };
        self.add_picture(picture, &moment.caption())
    }

    fn finish(&mut self, _: &mut Moment<'_>) -> Result<(), Failure> {
        self.complete()
    }
}
