//! Requests that read the whole swarm: for files that the user saves, and for the hash at the end of a replay. A
//! request does not wait for a device. Its answer has the state at the step of the request. Answers are handled in the
//! order of the requests.

use super::{Controller, Event, SaveKind};
use murmuration_core::error::Failure;
use murmuration_core::host::file_path::FilePath;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::reading::StateHashReading;
use murmuration_core::simulation::replay::{Replay, ReplayReading};
use murmuration_core::ticket::{Patience, Ticket};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// A file of the run that the user saves, from the state at the step of the request.
#[derive(Debug)]
pub struct RunFile {
    /// The name of the preset.
    pub preset: String,
    /// The step of the request.
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
    /// The run from its beginning, from which a link is made.
    Link(Box<Replay>),
    /// The state for the user's next visit of the page, and the run that led to this state, if the run is known.
    Session(Box<Checkpoint>, Option<Box<Replay>>),
}

impl RunFile {
    /// Requests the content of a file from the present state.
    ///
    /// # Errors
    /// If the device fails, or if a replay is requested of a resumed run whose beginning is unknown.
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
            SaveKind::Session => {
                let run = simulation.record().cloned().map(Box::new);
                simulation.request(CheckpointReading)?.map(|saved| RunContent::Session(Box::new(saved), run))
            }
            SaveKind::Link => simulation.request(ReplayReading)?.map(|replay| RunContent::Link(Box::new(replay))),
        };
        let (preset, step) = (simulation.preset().name.clone(), simulation.step());
        Ok(content.map(move |content| Self { preset, step, content }))
    }
}

/// The answer to a request.
pub(super) enum Answer {
    File(RunFile),
    /// The run up to the step of the request, which the user wants to watch.
    Replay(Replay),
    EndOfReplay(EndOfReplay),
}

/// The hash of the state at the end of a replay, the expected hash, the engine that played the replay, and the time
/// that it took.
pub(super) struct EndOfReplay {
    hash: String,
    expected: String,
    /// The reason why the run may end in another state. `None` if program, preset and chain are unchanged.
    change: Option<String>,
    engine: String,
    took: Duration,
}

impl EndOfReplay {
    /// The message to the user.
    fn event(&self) -> Event {
        let Self { hash, expected, change, engine, took } = self;
        let played = format!("{engine} played it in {:.1} s", took.as_secs_f64());
        if hash == expected {
            let text = "the replay is over, in the very state that was saved; space goes on from here";
            Event::Info(format!("{text}. {played}; its hash is {hash}"))
        } else {
            let why = change.as_ref().map_or(String::new(), |change| format!(": it is {change}"));
            let text = format!("the replay is over, but not in the state that was saved{why}");
            Event::Error(format!("{text}. {played}; its hash is {hash}, and {expected} was expected"))
        }
    }
}

/// A request without an answer yet.
pub(super) struct Request {
    answer: Ticket<Answer>,
    /// Whether the user made the request. The user then gets a message if it is not answered.
    is_of_person: bool,
}

impl Request {
    fn of_person(answer: Ticket<Answer>) -> Self {
        Self { answer, is_of_person: true }
    }
}

/// The requests without an answer, oldest first.
pub(super) type Requests = VecDeque<Request>;

impl Controller {
    /// The number of requests without an answer.
    pub fn unanswered(&self) -> usize {
        self.requests.len()
    }

    /// Waits for the requested files if waiting is possible. Saves the run as the last hunt if the user has acted on
    /// the swarm, for example with the hunter. Call this function before the controller is dropped.
    pub fn finish(&mut self) {
        self.answer_requests(self.patience);
        if self.requests.iter().any(|request| request.is_of_person) {
            let text = "what was asked for last was not saved: it had not come from the graphics device yet";
            self.events.push(Event::Error(text.into()));
        }
        self.requests.clear();
        let can_read = self.patience == Patience::Wait || self.simulation.on_device().is_none();
        if self.has_hunted
            && can_read
            && let Err(failure) = self.storage.save_last_hunt(&mut self.simulation)
        {
            self.error(&failure);
        }
    }

    /// Saves the state when the program cannot continue. Returns a text for the user that says where the state was
    /// saved.
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
        let is_of_person = kind != SaveKind::Session;
        self.requests.push_back(Request { answer: file.map(Answer::File), is_of_person });
        Ok(())
    }

    /// At the end of a replay, requests the hash of the present state, to compare it with the hash in the replay.
    pub(super) fn request_comparison(&mut self, replay: &Replay) -> Result<(), Failure> {
        let expected = replay.state_hash.clone();
        // If the files of the replay cannot be loaded, no reason for another state is known.
        let begun = replay.load(self.simulation.preset().host()).ok();
        let change = begun.and_then(|(preset, chain)| replay.change(&preset, &chain));
        let hash = self.simulation.request(StateHashReading)?;
        let engine = format!("{} ({})", self.simulation.engine_name(), self.simulation.describe_engine());
        let took = (self.clock)().saturating_sub(self.began);
        let end = move |hash| Answer::EndOfReplay(EndOfReplay { hash, expected, change, engine, took });
        self.requests.push_back(Request::of_person(hash.map(end)));
        Ok(())
    }

    /// Requests the run up to the present step, which then plays as a replay.
    pub(super) fn request_replay(&mut self) -> Result<(), Failure> {
        let replay = self.simulation.request(ReplayReading)?;
        self.requests.push_back(Request::of_person(replay.map(Answer::Replay)));
        Ok(())
    }

    /// Handles the answers that have arrived. If a device is lost, another engine answers its requests. If no engine
    /// can, the user gets one message, and the requests are dropped.
    pub(super) fn answer_requests(&mut self, patience: Patience) {
        if self.requests.is_empty() {
            return;
        }
        if let Err(failure) = self.simulation.collect(patience) {
            self.requests.clear();
            return self.fail(&failure);
        }
        while let Some(first) = self.requests.front_mut() {
            let answered = match first.answer.take(patience) {
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
            Answer::File(file @ RunFile { content: RunContent::Session(..), .. }) => {
                return self.storage.save(&file).map(drop);
            }
            Answer::File(file) => Event::Info(format!("saved {}", self.storage.save(&file)?)),
            Answer::Replay(replay) => {
                self.begin_replay(Arc::new(replay));
                return Ok(());
            }
            Answer::EndOfReplay(end) => end.event(),
        };
        self.events.push(event);
        Ok(())
    }
}
