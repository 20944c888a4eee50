//! What takes the whole swarm: the files that a person asks for, and whether a replay has ended as it was saved. No device is waited for. Each
//! is of the step at which it was asked for, and they are handed over in the order in which they were asked for.

use super::{Controller, Event, SaveKind};
use murmuration_core::error::Failure;
use murmuration_core::file_path::FilePath;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::reading::StateHashReading;
use murmuration_core::simulation::replay::{Replay, ReplayReading};
use murmuration_core::ticket::{Patience, Ticket};
use std::collections::VecDeque;

/// What is to be saved of a run, as it was when a person asked for it.
#[derive(Debug)]
pub struct RunFile {
    /// The name of the preset.
    pub preset: String,
    pub step: u64,
    pub content: RunContent,
}

/// The content of a [`RunFile`].
#[derive(Debug)]
pub enum RunContent {
    Replay(Box<Replay>),
    Checkpoint(Box<Checkpoint>),
    /// The preset, and the name or the path of the chain.
    Preset(Box<Preset>, FilePath),
}

impl RunFile {
    /// Asks for the content of a file.
    ///
    /// # Errors
    /// If the device fails, or for a replay of a run that was resumed and has no beginning.
    pub fn request(simulation: &mut Simulation, kind: SaveKind) -> Result<Ticket<Self>, Failure> {
        let content = match kind {
            SaveKind::Replay => simulation.request(ReplayReading)?.map(|replay| RunContent::Replay(Box::new(replay))),
            SaveKind::Checkpoint => {
                simulation.request(CheckpointReading)?.map(|saved| RunContent::Checkpoint(Box::new(saved)))
            }
            SaveKind::Preset => {
                let preset = Box::new(simulation.preset().clone());
                Ticket::ready(RunContent::Preset(preset, simulation.chain().named.clone()))
            }
        };
        let (preset, step) = (simulation.preset().name.clone(), simulation.step());
        Ok(content.map(move |content| Self { preset, step, content }))
    }
}

/// What has come of a request.
pub(super) enum Answer {
    File(RunFile),
    EndOfReplay { is_same: bool },
}

/// The requests that are not answered, in their order.
pub(super) type Requests = VecDeque<Ticket<Answer>>;

impl Controller {
    /// The number of files and ends of replays that were asked for and are not there yet.
    pub fn unanswered(&self) -> usize {
        self.requests.len()
    }

    /// Waits for the files that were asked for, and saves the run as the last hunt, if the person has touched it. To be called before the
    /// controller is dropped.
    pub fn finish(&mut self) {
        self.answer_requests(Patience::Wait);
        if self.has_hunted
            && let Err(failure) = self.storage.save_last_hunt(&mut self.simulation)
        {
            self.error(&failure);
        }
    }

    /// Saves the state of a program that cannot go on. Returns what came of it, in words.
    pub fn rescue(&mut self) -> String {
        if self.simulation.run_in().is_some() {
            return "step 0 was not reached: there was nothing to save".into();
        }
        self.answer_requests(Patience::Wait);
        let file = RunFile::request(&mut self.simulation, SaveKind::Checkpoint);
        let file = file.and_then(|file| self.simulation.collect(Patience::Wait).and_then(|()| file.wait()));
        match file.and_then(|file| self.storage.save(&file)) {
            Ok(path) => format!("the swarm was saved to {path}"),
            Err(_) => self.storage.save_last_known(&mut self.simulation),
        }
    }

    pub(super) fn request_file(&mut self, kind: SaveKind) -> Result<(), Failure> {
        let file = RunFile::request(&mut self.simulation, kind)?;
        self.requests.push_back(file.map(Answer::File));
        Ok(())
    }

    /// Asks whether the present state has this hash, at the end of a replay.
    pub(super) fn request_comparison(&mut self, expected: String) -> Result<(), Failure> {
        let hash = self.simulation.request(StateHashReading)?;
        self.requests.push_back(hash.map(move |hash| Answer::EndOfReplay { is_same: hash == expected }));
        Ok(())
    }

    /// Hands over what has come. Where the device is lost that was asked, the next engine is asked; if there is none, that is said once.
    pub(super) fn answer_requests(&mut self, patience: Patience) {
        if self.requests.is_empty() {
            return;
        }
        if let Err(failure) = self.simulation.collect(patience) {
            self.requests.clear();
            return self.fail(&failure);
        }
        while let Some(first) = self.requests.front_mut() {
            let answered = match first.take(patience) {
                Ok(None) => return,
                answered => answered,
            };
            self.requests.pop_front();
            let handed_over = answered.and_then(|answer| answer.map_or(Ok(()), |answer| self.answer(answer)));
            if let Err(failure) = handed_over {
                self.fail(&failure);
            }
        }
    }

    fn answer(&mut self, answer: Answer) -> Result<(), Failure> {
        let event = match answer {
            Answer::File(file) => Event::Info(format!("saved {}", self.storage.save(&file)?)),
            Answer::EndOfReplay { is_same: true } => {
                Event::Info("the replay is over, in the very state that was saved; space goes on from here".into())
            }
            Answer::EndOfReplay { is_same: false } => {
                Event::Error("the replay is over, but not in the state that was saved".into())
            }
        };
        self.events.push(event);
        Ok(())
    }
}
