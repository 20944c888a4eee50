//! A film of a swarm under way.

use super::Film;
use crate::observe::{Caption, Picture, frame_in, reduced};
use crate::painter::{FramePainter, rock_around};
use crate::provenance::Provenance;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::{Simulation, StopCheck};
use std::path::Path;
use std::sync::Arc;

/// A film of a swarm under way: it takes the picture of a step whenever it is asked to.
///
/// ```no_run
/// use murmuration::{FilmRecorder, FramePainter, open};
///
/// let mut swarm = open("murmuration").start()?;
/// let mut film = FilmRecorder::new("swarm.apng", 30, None, &swarm)?;
/// let mut painter = FramePainter::default();
/// for _ in 0..90 {
///     swarm.advance(2)?;
///     film.add(&mut swarm, &mut painter)?;
/// }
/// assert_eq!(film.finish()?, 90);
/// # Ok::<(), murmuration::Failure>(())
/// ```
#[derive(Debug)]
pub struct FilmRecorder {
    film: Film,
    /// The width in pixels; `None`: the width of a picture.
    width: Option<u32>,
}

impl FilmRecorder {
    /// Begins a film of a swarm. Its format follows from the ending of the path: `.apng`, `.gif`, with `ffmpeg` `.mp4` or `.webm`, and none
    /// for a folder of PNGs. `width`: the width in pixels, at most the width of a picture of the swarm, which is the default.
    ///
    /// # Errors
    /// A greater width, or as [`Film::begin`].
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
        let film = Film::begin(path.as_ref(), frames_a_second)?;
        Ok(Self { film, width: width.filter(|width| *width < most) })
    }

    /// From when on the program is to end, so that an `ffmpeg` that does nothing for some seconds is ended. There is no film then.
    pub fn end_when(&mut self, is_ending: StopCheck) {
        self.film.end_when(is_ending);
    }

    /// Adds the picture of the present step.
    ///
    /// # Errors
    /// As [`FramePainter::paint`] and [`Film::add`].
    pub fn add(&mut self, simulation: &mut Simulation, painter: &mut FramePainter) -> Result<(), Failure> {
        let picture = painter.paint_step(simulation, None)?;
        let provenance = Provenance::new(simulation).with_look(painter.look());
        self.add_picture(picture, &Caption { provenance: Arc::new(provenance), step: simulation.step() })
    }

    /// Adds a picture of a swarm that was drawn already.
    ///
    /// # Errors
    /// As [`Film::add`].
    pub fn add_picture(&mut self, picture: Picture, caption: &Caption) -> Result<(), Failure> {
        let picture = match self.width {
            Some(width) => reduced(&picture, width),
            None => picture,
        };
        self.film.add(&picture, caption)
    }

    /// Completes the film and returns the number of its frames; 0: there is no film.
    ///
    /// # Errors
    /// As [`Film::finish`].
    pub fn finish(self) -> Result<u64, Failure> {
        self.film.finish()
    }
}
