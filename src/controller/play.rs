//! Plays the steps of the controller's simulation, of a comparison and of a replay, and prepares the frames of a film.

use super::Controller;
use super::film::FilmFrame;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Input;
use murmuration_core::state::ColumnsReading;
use murmuration_core::ticket::{Patience, Ticket};
use murmuration_gpu::look::{copy_of, on_device};

impl Controller {
    /// Plays steps. Fewer steps are played at the end of a replay, or if the queue of the device is full.
    pub(super) fn play(&mut self, steps: u64) -> Result<(), Failure> {
        if self.replay.is_some() {
            return self.play_replay(steps);
        }
        let (began, before) = ((self.clock)(), self.simulation.step());
        let Some(pane) = &mut self.pane else {
            self.simulation.try_advance(steps)?;
            return self.film(self.simulation.step() - before);
        };
        // The time of each model is measured, so the function waits until the steps of the cells are complete.
        self.simulation.advance(steps)?;
        self.simulation.wait()?;
        let took = (self.clock)().saturating_sub(began);
        if let Err(failure) = pane.play(steps, took, &self.clock) {
            self.drop_pane(&failure);
        }
        self.film(steps)
    }

    fn play_replay(&mut self, steps: u64) -> Result<(), Failure> {
        let Some((replay, playback)) = &mut self.replay else { return Ok(()) };
        let replay = replay.clone();
        let before = playback.steps();
        let advanced = playback.advance(&replay, &mut self.simulation, steps, Patience::Poll);
        let (played, is_over) = (playback.steps() - before, playback.is_over(&replay));
        match advanced {
            Ok(true) => {
                self.is_changed = true;
                self.update_info();
            }
            Ok(false) => {}
            // The replay ends, because another attempt would fail too.
            Err(failure) => {
                self.end_replay()?;
                self.pause(true);
                return Err(failure);
            }
        }
        self.film(played)?;
        if !is_over {
            return Ok(());
        }
        self.is_changed = true;
        self.request_comparison(&replay)?;
        self.end_replay()?;
        self.pause(true);
        Ok(())
    }

    /// Ends the replay, so that the user controls the swarm. There is no hunter until the next input of the user.
    pub(super) fn end_replay(&mut self) -> Result<(), Failure> {
        self.replay = None;
        self.simulation.apply(Input::Hunter(None))?;
        self.simulation.apply(Input::Jaws(0))
    }

    /// Counts steps for the film. If a frame is due, prepares it with a copy of the state.
    pub(super) fn film(&mut self, steps: u64) -> Result<(), Failure> {
        let Some(steps) = self.film.count(steps) else { return Ok(()) };
        // If the engine has a device, this device draws the film, and otherwise another one. Later steps do not change
        // the copy of the state.
        let device = on_device(&self.simulation).map(|textures| textures.gpu.clone());
        let (source, individuals) = copy_of(&mut self.simulation, device.as_deref())?;
        let drawn_on = if source.state().is_none() { device.as_deref() } else { None };
        let compared = self.read_individuals(|individuals| copy_of(individuals, drawn_on));
        self.follow_window();
        let (info, school, step) = (self.info.clone(), self.simulation.school(), self.simulation.step());
        // If the state is in memory, the columns are read at once, so that a loss of the device does not matter.
        let columns = match source.state() {
            Some(_) => Ticket::ready(self.simulation.read(ColumnsReading)?),
            None => self.simulation.request(ColumnsReading)?,
        };
        let inputs = self.simulation.inputs();
        self.film.frame = Some(FilmFrame { source, individuals, compared, info, school, columns, step, inputs, steps });
        Ok(())
    }
}
