//! The window's side of a simulation: the task that plays it, the newest snapshot, and the requests after that
//! snapshot.
//!
//! The task is a loop around the [`Controller`]. It receives commands through a channel. The newest snapshot and the
//! events are left in a mailbox, so that the window never waits for a step.

use super::disk::Disk;
use super::film::{FilmSender, SentFrame};
use super::scheduler::{self, RunningTask, Task, TaskKind, TaskScheduler, Waker};
use crate::controller::{Command, Controller, Event, Pace, Scene, SceneChange, Snapshot, round};
use crate::files::watch::Watch;
use murmuration_core::error::Failure;
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::ticket::Patience;
use murmuration_gpu::Gpu;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// The maximum time that a closing window waits for the current step.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum time that a failing window waits for the swarm to be saved.
const RESCUE_TIMEOUT: Duration = Duration::from_secs(30);

/// A message to the task.
enum Message {
    Command(Command),
    /// Films every n-th state into this sender; `None` ends the film.
    Film(Option<(u64, FilmSender)>),
    /// Saves the swarm of a failing window.
    Rescue(Sender<String>),
    /// Sets the device that draws the window.
    DrawOn(Arc<Gpu>),
    /// Sets whether the window shows single boids.
    ViewFromNear(bool),
    /// A watched file may have changed.
    FilesChanged,
    /// The window closes.
    Close,
}

impl Message {
    /// Whether the task writes a file because of this message.
    fn saves(&self) -> bool {
        matches!(self, Self::Command(Command::Save(_)) | Self::Rescue(_))
    }
}

/// The place where the task leaves its results for the window.
#[derive(Default)]
struct Mailbox {
    snapshot: Mutex<Option<Snapshot>>,
    is_closed: AtomicBool,
    /// The number of requested files that are not written yet.
    saves: AtomicUsize,
}

/// The window's side of a simulation.
pub struct Session {
    messages: Sender<Message>,
    events: Receiver<Event>,
    mailbox: Arc<Mailbox>,
    task: Option<Box<dyn RunningTask>>,
    /// The number of commands sent.
    sent: u64,
    /// The last requested scene.
    scene: Scene,
    /// The snapshot that the window shows.
    pub snapshot: Option<Snapshot>,
    /// The last requested pace.
    pub pace: Pace,
    /// Whether a pause was requested last, and the number of that command.
    pause: (bool, u64),
    /// Whether the window last showed single boids.
    is_near: bool,
}

impl Session {
    /// Starts the task. `folder`: the folder of saved files. `gpu`: the device that draws the window. `wake`: called
    /// when the mailbox has something new.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(
        simulation: Simulation,
        scene: Scene,
        folder: PathBuf,
        gpu: Option<Arc<Gpu>>,
        scheduler: &dyn TaskScheduler,
        wake: Waker,
    ) -> Result<Self, Failure> {
        let (messages, received) = channel();
        let (reports, events) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let on_change = messages.clone();
        let watch = Watch::new(move || {
            // A task that has ended does not reload.
            let _ = on_change.send(Message::FilesChanged);
        });
        let disk = Box::new(Disk::new(folder, watch));
        let started = Instant::now();
        let clock = Box::new(move || started.elapsed());
        let patience = scheduler.patience();
        let mut controller = Controller::with_patience(simulation, scene.clone(), disk, clock, patience);
        gpu.into_iter().for_each(|gpu| controller.draw_on(gpu));
        let task = PlayTask {
            controller,
            messages: received,
            film: None,
            events: reports,
            mailbox: mailbox.clone(),
            wake,
            started,
            saving: 0,
            is_published: false,
        };
        let task = Some(scheduler.start(TaskKind::Simulation, Box::new(task))?);
        let snapshot = None;
        let pause = (false, 0);
        Ok(Self { messages, events, mailbox, task, sent: 0, scene, snapshot, pace: Pace::USUAL, pause, is_near: false })
    }

    /// Sends a command. Snapshots taken after it have at least the returned value of [`Snapshot::commands`].
    pub fn send(&mut self, command: Command) -> u64 {
        self.sent += 1;
        self.post(Message::Command(command));
        self.sent
    }

    /// Sends an input. Its places refer to the window of the world in the shown snapshot.
    pub fn send_input(&mut self, input: Input) -> u64 {
        self.send(Command::Input(input, self.origin()))
    }

    /// The origin of the window of an endless world in the shown snapshot.
    pub fn origin(&self) -> Option<[i64; 3]> {
        Some(self.snapshot.as_ref()?.info.world.window?.origin)
    }

    /// Films every n-th state into a sender; `None` ends the film.
    pub fn film(&mut self, film: Option<(u64, FilmSender)>) {
        self.sent += 1;
        self.post(Message::Film(film));
    }

    /// Sets the device that draws the window.
    pub fn draw_on(&self, gpu: Arc<Gpu>) {
        self.post(Message::DrawOn(gpu));
    }

    /// Sets whether the window shows single boids.
    pub fn view_from_near(&mut self, is_near: bool) {
        if std::mem::replace(&mut self.is_near, is_near) != is_near {
            self.post(Message::ViewFromNear(is_near));
        }
    }

    /// Saves the swarm of a failing window. Returns a message about the result.
    pub fn rescue(&mut self) -> String {
        let (answer, saved) = channel();
        self.post(Message::Rescue(answer));
        saved.recv_timeout(RESCUE_TIMEOUT).unwrap_or_else(|_| "the swarm could not be saved: it does not answer".into())
    }

    fn post(&self, message: Message) {
        if message.saves() {
            self.mailbox.saves.fetch_add(1, Ordering::Relaxed);
        }
        // A task that has ended has reported why.
        let _ = self.messages.send(message);
    }

    /// Takes the newest snapshot.
    pub fn take_snapshot(&self) -> Option<Snapshot> {
        self.mailbox.snapshot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The events since the last call.
    pub fn take_events(&self) -> Vec<Event> {
        self.events.try_iter().collect()
    }

    /// Whether a replay runs.
    pub fn is_replaying(&self) -> bool {
        self.snapshot.as_ref().is_some_and(|snapshot| snapshot.replay.is_some())
    }

    /// Whether the run is paused, or a requested pause is pending.
    pub fn is_paused(&self) -> bool {
        let (requested, command) = self.pause;
        let answered = self.snapshot.as_ref().filter(|snapshot| snapshot.commands >= command);
        answered.map_or(requested, |snapshot| snapshot.is_paused)
    }

    /// Records that the run is paused, because no further snapshot may tell it.
    pub fn note_pause(&mut self) {
        self.pause = (true, u64::MAX);
    }

    pub fn set_paused(&mut self, is_paused: bool) {
        self.pause = (is_paused, self.send(Command::Pause(is_paused)));
    }

    pub fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
        self.send(Command::Pace(pace));
    }

    /// Starts a built-in preset unchanged. It gets its own chain, because the present chain may not fit.
    pub fn begin_preset(&mut self, name: &str) {
        let choice = self.scene.choice;
        self.scene = Scene { preset: name.into(), overrides: Default::default(), chain: None, choice, replay: None };
        self.send(Command::Begin(self.scene.clone()));
    }

    /// The last requested engine.
    pub fn choice(&self) -> EngineChoice {
        self.scene.choice
    }

    /// Starts another scene.
    pub fn begin_scene(&mut self, scene: Scene) {
        self.scene = scene;
        self.send(Command::Begin(self.scene.clone()));
    }

    /// Resumes a checkpoint.
    pub fn resume(&mut self, checkpoint: Checkpoint) {
        self.scene.replay = None;
        self.send(Command::Resume(Box::new(checkpoint)));
    }

    /// Starts the scene again. A replay starts again as a replay.
    pub fn begin_again(&mut self) {
        match self.scene.replay {
            Some(_) => self.send(Command::Begin(self.scene.clone())),
            None => self.restart(SceneChange::default()),
        };
    }

    /// Restarts the scene with a change. Returns the number of the command.
    pub fn restart(&mut self, change: SceneChange) -> u64 {
        self.scene.replay = None;
        self.send(Command::Restart(change))
    }

    /// Starts a round at the usual pace. Returns the number of the command.
    pub fn begin_round(&mut self) -> u64 {
        self.scene.replay = None;
        self.set_pace(Pace::USUAL);
        let command = self.send(Command::Round(round::STEPS));
        self.pause = (false, command);
        command
    }

    /// Replays the run from its start to the present step.
    pub fn watch_replay(&mut self) {
        self.pause = (false, self.send(Command::WatchReplay));
    }

    /// Continues the simulation, if the system has no threads.
    pub fn turn(&mut self) {
        if let Some(task) = &mut self.task {
            task.turn();
        }
    }

    /// Ends the task once every requested file is written. Returns the last events.
    pub fn close(&mut self) -> Vec<Event> {
        self.mailbox.is_closed.store(true, Ordering::Relaxed);
        self.post(Message::Close);
        if let Some(task) = self.task.take() {
            scheduler::end(task, CLOSE_TIMEOUT, || self.mailbox.saves.load(Ordering::Relaxed) > 0);
        }
        self.take_events()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
    }
}

/// Plays the simulation.
struct PlayTask {
    controller: Controller,
    messages: Receiver<Message>,
    /// Receives the frames of the film.
    film: Option<FilmSender>,
    events: Sender<Event>,
    mailbox: Arc<Mailbox>,
    wake: Waker,
    /// The origin of the controller's clock.
    started: Instant,
    /// The number of requests to save a file that the controller has received and not yet answered.
    saving: usize,
    /// Whether the first snapshot is in the mailbox.
    is_published: bool,
}

impl Task for PlayTask {
    fn turn(&mut self, patience: Patience) -> bool {
        if !std::mem::replace(&mut self.is_published, true) {
            self.publish();
        }
        if self.mailbox.is_closed.load(Ordering::Relaxed) {
            self.close();
            return false;
        }
        let timeout = self.controller.next_due().map(|due| due.saturating_sub(self.started.elapsed()));
        match scheduler::receive(&self.messages, patience, timeout) {
            Ok(first) => {
                let messages: Vec<_> = std::iter::once(first).chain(self.messages.try_iter()).collect();
                self.handle(messages.into_iter());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        self.controller.tick();
        self.send_frame(patience);
        self.publish();
        self.count_saves();
        true
    }
}

impl PlayTask {
    fn handle(&mut self, messages: impl Iterator<Item = Message>) {
        let mut commands = Vec::new();
        for message in messages {
            match message {
                Message::Command(command) => commands.push(command),
                Message::DrawOn(gpu) => self.controller.draw_on(gpu),
                Message::ViewFromNear(is_near) => self.controller.view_from_near(is_near),
                Message::FilesChanged => self.controller.files_may_have_changed(),
                Message::Film(film) => {
                    if let Some(ended) = &self.film {
                        ended.count(self.controller.steps_since_frame());
                    }
                    commands.push(Command::Film(film.as_ref().map(|(every, _)| *every)));
                    self.film = film.map(|(_, sender)| sender);
                }
                Message::Rescue(answer) => {
                    self.handle_commands(&mut commands);
                    // The window may have closed already.
                    let _ = answer.send(self.controller.rescue());
                    self.mailbox.saves.fetch_sub(1, Ordering::Relaxed);
                }
                Message::Close => {}
            }
        }
        self.handle_commands(&mut commands);
    }

    fn handle_commands(&mut self, commands: &mut Vec<Command>) {
        self.saving += commands.iter().filter(|command| matches!(command, Command::Save(_))).count();
        self.controller.handle(commands.drain(..));
    }

    /// Counts the files that were written, or could not be written, since the last call.
    fn count_saves(&mut self) {
        let done = self.saving.saturating_sub(self.controller.unanswered());
        self.saving -= done;
        self.mailbox.saves.fetch_sub(done, Ordering::Relaxed);
    }

    /// Sends the due frame to the film. If the film is slower than the simulation, this waits or keeps the frame for
    /// the next turn.
    fn send_frame(&mut self, patience: Patience) {
        let Some(frame) = self.controller.take_frame() else { return };
        match self.film.as_ref().map_or(SentFrame::FilmEnded, |film| film.send(frame, patience)) {
            SentFrame::Sent => {}
            SentFrame::QueueFull(frame) => self.controller.put_frame_back(*frame),
            // A film that has failed reports the error itself.
            SentFrame::FilmEnded => {
                self.film = None;
                self.controller.end_film();
            }
        }
    }

    /// Sends the events, and leaves a snapshot if the window has taken the last one. While paused it always leaves a
    /// snapshot.
    fn publish(&mut self) {
        let mut is_news = false;
        let is_fetched = self.mailbox.snapshot.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        if (is_fetched || self.controller.is_paused())
            && let Some(snapshot) = self.controller.snapshot()
        {
            *self.mailbox.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Some(snapshot);
            is_news = true;
        }
        if self.send_events() || is_news {
            (self.wake)();
        }
    }

    /// Handles the remaining messages up to the last message that saves a file. If the user has acted on the swarm, the
    /// run is saved as the last hunt.
    fn close(&mut self) {
        let mut messages: Vec<_> = self.messages.try_iter().collect();
        // The window has a time limit for steps, but none for these files.
        self.mailbox.saves.fetch_add(1, Ordering::Relaxed);
        messages.truncate(messages.iter().rposition(Message::saves).map_or(0, |last| last + 1));
        self.handle(messages.into_iter());
        self.controller.finish();
        self.send_events();
    }

    /// Sends the events. Returns whether there were any.
    fn send_events(&mut self) -> bool {
        let events = self.controller.take_events();
        let is_news = !events.is_empty();
        // The window may have closed already.
        events.into_iter().for_each(|event| drop(self.events.send(event)));
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::SaveKind;
    use crate::controller::testing::{scene, simulation};
    use crate::viewer::desktop::ThreadScheduler;

    #[test]
    fn what_was_asked_for_just_before_the_window_closed_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let scene = scene("droplets", 96);
        let wake = Arc::new(|| {});
        let start = Session::start(simulation(&scene), scene, folder.path().into(), None, &ThreadScheduler, wake);
        let mut session = start.unwrap();
        // The task is in the middle of these steps when the files are requested.
        session.send(Command::Steps(u64::from(u32::MAX)));
        std::thread::sleep(2 * crate::controller::pace::MAX_TICK);
        for kind in [SaveKind::Replay, SaveKind::Checkpoint, SaveKind::Preset, SaveKind::Checkpoint] {
            session.send(Command::Save(kind));
        }
        let events = session.close();
        assert!(events.iter().all(|event| matches!(event, Event::Info(_))), "{events:?}");
        let saved: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(saved.len(), 4, "of four files these were saved: {saved:?}");
    }
}
