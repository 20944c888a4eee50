//! The film of the window: begins it, follows it and ends it.

use super::MainWindow;
use crate::controller::Snapshot;
use crate::error::Failure;
use crate::viewer::film::{FilmRecorder, Finished, Outcome, Viewpoint};
use crate::viewer::film_panel::FilmProgress;

/// The current film, and the size of the last one.
#[derive(Default)]
pub struct FilmControl {
    recorder: Option<FilmRecorder>,
    /// Frames and steps of the current or the last film.
    frames: u64,
    steps: u64,
}

impl FilmControl {
    pub fn is_on(&self) -> bool {
        self.recorder.is_some()
    }

    /// Frames and steps of the current or the last film.
    pub fn size(&self) -> [u64; 2] {
        [self.frames, self.steps]
    }

    /// The result of a film that has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.recorder.as_ref().and_then(FilmRecorder::outcome)
    }

    /// Completes the current film and waits for that.
    ///
    /// # Errors
    /// If the film could not be completed.
    pub fn finish(&mut self) -> Result<Option<Finished>, Failure> {
        self.recorder.take().map(FilmRecorder::finish).transpose()
    }
}

impl MainWindow {
    /// Begins a film, or ends the current one.
    pub(super) fn toggle_film(&mut self) {
        if let Some(recorder) = &mut self.film.recorder {
            if !recorder.is_stopping {
                recorder.is_stopping = true;
                self.session.film(None);
            }
            return;
        }
        let (Some(viewpoint), Some(snapshot)) = (self.viewpoint(), self.session.snapshot()) else { return };
        let settings = &self.interface.film;
        let name = format!("murmuration-{}-{:06}", snapshot.facts.preset, snapshot.step);
        let (rate, every) = (settings.frames_a_second, settings.every);
        match FilmRecorder::start(settings.form, &name, rate, viewpoint, self.waker()) {
            Ok((recorder, sender)) => {
                self.film.recorder = Some(recorder);
                self.session.film(Some((every, sender)));
            }
            Err(failure) => self.interface.messages.show_error(failure.to_string()),
        }
    }

    /// Takes note of a film that has ended.
    pub(super) fn end_film(&mut self, outcome: Outcome) {
        self.update_film();
        self.film.recorder = None;
        // If the film has failed the simulation still sends frames.
        self.session.film(None);
        match outcome {
            Ok(finished) => self.interface.messages.show_info(finished.to_string()),
            Err(failure) => self.interface.messages.show_error(failure.to_string()),
        }
    }

    /// Gives the film the current view, and the panel the film's progress.
    pub(super) fn update_film(&mut self) {
        let viewpoint = self.viewpoint();
        self.interface.film.progress = match &self.film.recorder {
            None => FilmProgress::None,
            Some(recorder) => {
                (self.film.frames, self.film.steps) = (recorder.frames(), recorder.steps());
                if let Some(viewpoint) = viewpoint {
                    recorder.set_viewpoint(viewpoint);
                }
                match recorder.is_stopping {
                    true => FilmProgress::Completing,
                    false => {
                        FilmProgress::Filming { frames: recorder.frames(), frames_a_second: recorder.frames_a_second }
                    }
                }
            }
        };
    }

    /// What the window shows of the world.
    fn viewpoint(&self) -> Option<Viewpoint> {
        let Snapshot { facts, .. } = self.session.snapshot()?;
        let (extents, edges) = (facts.world.extents, facts.world.edges);
        Some(Viewpoint { arrangement: self.view.arrangement, extents, edges, depth: facts.depth })
    }
}
