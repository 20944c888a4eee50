//! Controls a running simulation for a user: pace, inputs, undo, film, reload, comparison, replay, saving.
//!
//! A [`Controller`] takes [`Command`]s, plays the steps that are due, and returns [`Snapshot`]s, [`Event`]s and
//! [`FilmFrame`]s. A controller has no thread, window, clock or files of its own. The caller hands in a [`Clock`] and a
//! [`Storage`], and decides when to call the controller. Presets come from their host.
//! `docs/engines.md, A device that plays and draws` says which calls wait for a device.
//!
//! ```text
//! loop {
//!     wait for a command, or until next_due()
//!     handle(commands); tick();
//!     take_frame() → film      snapshot() → window      take_events() → window
//! }
//! ```

mod compare_pane;
#[cfg(test)]
mod endless_tests;
mod features;
mod film;
mod handle;
pub mod pace;
mod play;
mod readings;
mod requests;
#[cfg(test)]
mod resume_tests;
pub mod round;
mod run_in;
mod scene;
mod snapshot;
mod storage;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;

pub use compare_pane::{IndividualsSnapshot, SwarmSources};
pub use features::{LifeOrigin, SceneFeatures};
pub use film::FilmFrame;
pub use pace::Pace;
pub use requests::{RunContent, RunFile};
pub use scene::{Command, Event, ProbeTarget, SaveKind, Scene, SceneChange};
pub use snapshot::{ReplayProgress, SceneInfo, Snapshot};
pub use storage::Storage;

use compare_pane::ComparePane;
use film::FilmSource;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::replay::{Playback, Replay};
use murmuration_core::ticket::Patience;
use murmuration_gpu::Gpu;
use murmuration_gpu::look::{keep_points, swarm_of};
use pace::Pacer;
use readings::Readings;
use requests::Requests;
use run_in::RunIn;
use std::sync::Arc;
use std::time::Duration;
use storage::{Reload, SceneFiles};

/// The time between two checks whether a device has answered a request.
const ANSWER_INTERVAL: Duration = Duration::from_millis(2);

/// A clock: the time since a fixed origin. The time never decreases.
pub type Clock = Box<dyn Fn() -> Duration + Send>;

/// A running simulation that a user controls.
pub struct Controller {
    simulation: Simulation,
    scene: Scene,
    info: Arc<SceneInfo>,
    /// The replay that plays, and its progress. While a replay plays, the user's inputs are ignored.
    replay: Option<(Arc<Replay>, Playback)>,
    /// The individuals for a comparison with the cells. `None` without a comparison.
    pane: Option<ComparePane>,
    /// The number of readbacks of the swarm for ended comparisons in this scene.
    pane_readbacks: u64,
    /// Whether the user wants a comparison with individuals.
    is_pane_wanted: bool,
    pacer: Pacer,
    run_in: RunIn,
    film: FilmSource,
    readings: Readings,
    requests: Requests,
    files: SceneFiles,
    storage: Box<dyn Storage>,
    clock: Clock,
    /// Whether calls may wait for values from a device. A web page cannot wait.
    patience: Patience,
    /// The device that draws the snapshots.
    drawn_on: Option<Arc<Gpu>>,
    /// Whether the scale of the view is so large that single boids are seen.
    is_near: bool,
    events: Vec<Event>,
    /// The number of handled commands, as in [`Snapshot`].
    commands: u64,
    /// The number of scenes that were begun after the first scene, as in [`Snapshot`].
    scenes: u64,
    /// The number of times that changed files were applied, as in [`Snapshot`].
    reloads: u64,
    /// Commands that wait until the swarm was read from the device.
    held: Vec<Command>,
    /// The time at which the scene began.
    began: Duration,
    /// Whether the user has acted on the swarm in this scene, for example with the hunter or a brush. Changed keys, an
    /// undo and the jaws alone do not count.
    has_hunted: bool,
    /// Whether the queue of the engine had room for all steps of the last tick.
    has_room: bool,
    /// Whether something has changed since the last snapshot.
    is_changed: bool,
    /// The swarm of the last snapshot, if it is in memory and some requested values of it have not arrived.
    shown: Option<SwarmSources>,
}

impl Controller {
    /// A controller of a scene. `simulation` is the scene's simulation before its first step.
    pub fn new(simulation: Simulation, scene: Scene, storage: Box<dyn Storage>, clock: Clock) -> Self {
        Self::with_patience(simulation, scene, storage, clock, Patience::Wait)
    }

    /// A controller as from [`Self::new`]. `patience`: whether calls may wait for values from a device.
    pub fn with_patience(
        simulation: Simulation,
        scene: Scene,
        storage: Box<dyn Storage>,
        clock: Clock,
        patience: Patience,
    ) -> Self {
        let began = clock();
        let mut controller = Self {
            info: Arc::new(SceneInfo::new(&simulation, None)),
            replay: scene.replay.clone().map(|replay| (replay, Playback::default())),
            pane: None,
            pane_readbacks: 0,
            is_pane_wanted: false,
            pacer: Pacer::new(clock()),
            run_in: RunIn::default(),
            film: FilmSource::default(),
            readings: Readings::default(),
            requests: Requests::new(),
            files: SceneFiles::default(),
            simulation,
            scene,
            storage,
            clock,
            patience,
            drawn_on: None,
            is_near: false,
            events: Vec::new(),
            commands: 0,
            scenes: 0,
            reloads: 0,
            held: Vec::new(),
            began,
            has_hunted: false,
            has_room: true,
            is_changed: true,
            shown: None,
        };
        controller.watch_files();
        controller.expect_player();
        controller.keep_points();
        controller
    }

    /// If calls cannot wait for a device, prepares the engine for the user's hunter. Later, the preparation would have
    /// to wait for the device.
    fn expect_player(&mut self) {
        if self.patience == Patience::Poll
            && let Err(failure) = self.simulation.expect_player()
        {
            self.error(&failure);
        }
    }

    /// Whether a command has to wait until the swarm was read from the device. This is so if calls cannot wait for a
    /// device and the command may need the swarm, or if an earlier command waits.
    pub(super) fn is_to_be_held(&mut self, command: &Command) -> bool {
        let reads_swarm = match command {
            Command::Input(input, _) => input.reads_swarm(),
            Command::Engine(_) | Command::WatchReplay | Command::TakeOver => true,
            _ => false,
        };
        !self.held.is_empty() || reads_swarm && !self.is_swarm_known()
    }

    /// Whether the present swarm was read from the device, or a call can wait for it. If not, the swarm is requested.
    /// The answer is `true` for a failed device, because the command that needs the swarm replaces the device.
    fn is_swarm_known(&mut self) -> bool {
        self.patience == Patience::Wait || self.simulation.keep_soon().unwrap_or(true)
    }

    /// Handles the waiting commands, if the swarm was read from the device. Returns whether commands are still waiting.
    fn handle_held(&mut self) -> bool {
        if self.held.is_empty() {
            return false;
        }
        if self.is_swarm_known() {
            let held = std::mem::take(&mut self.held);
            self.handle(held);
        }
        !self.held.is_empty()
    }

    /// Whether changed files have to be read. A replay has its own texts, so changes wait until the replay is over.
    fn is_reload_due(&self) -> bool {
        self.files.may_have_changed && self.replay.is_none()
    }

    /// Makes the simulation keep points, which stand for the boids of cells, while pictures show them. Otherwise
    /// removes them, because they make steps slower.
    fn keep_points(&mut self) {
        let simulation = &mut self.simulation;
        let kept = match keep_points(simulation) {
            Ok(false) if self.is_near => simulation.keep_points(),
            Ok(false) => simulation.drop_points(),
            kept => kept.map(drop),
        };
        if let Err(failure) = kept {
            self.error(&failure);
        }
    }

    /// The time at which [`Self::tick`] has steps to play, or [`Self::snapshot`] may have something new. `None` if this
    /// is not before the next command, or not before a frame of the film is taken.
    pub fn next_due(&self) -> Option<Duration> {
        if self.film.until_due() == 0 {
            return None;
        }
        let now = (self.clock)();
        if !self.held.is_empty() {
            return Some(now + ANSWER_INTERVAL);
        }
        if self.simulation.run_in().is_some() {
            let due = if self.has_room { now } else { now + ANSWER_INTERVAL };
            return (!self.run_in.has_failed).then_some(due);
        }
        if self.is_reload_due() {
            return Some(now + ANSWER_INTERVAL);
        }
        // While steps are played, `tick` takes the answers of the device between them.
        let is_waiting = || self.is_waiting() || !self.requests.is_empty();
        let is_answer_due = if self.pacer.is_idle() { is_waiting() } else { !self.has_room };
        if is_answer_due { Some(now + ANSWER_INTERVAL) } else { self.pacer.next_due(now) }
    }

    pub fn is_paused(&self) -> bool {
        self.pacer.is_paused()
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Takes the next frame of the film, if one is due. No step is played until it is taken.
    pub fn take_frame(&mut self) -> Option<FilmFrame> {
        self.film.frame.take()
    }

    /// Returns a taken frame that the film cannot accept yet. No step is played until the frame is taken again.
    pub fn put_frame_back(&mut self, frame: FilmFrame) {
        self.film.frame = Some(frame);
    }

    /// The number of steps since the last frame of the film.
    pub fn steps_since_frame(&self) -> u64 {
        self.film.since_frame()
    }

    /// Ends a film that has failed.
    pub fn end_film(&mut self) {
        self.film.set(None);
    }

    /// Sets the device that draws the snapshots. If the engine is on this device too, no state is read back for
    /// snapshots.
    pub fn draw_on(&mut self, gpu: Arc<Gpu>) {
        self.drawn_on = Some(gpu);
        self.is_changed = true;
    }

    /// Sets whether the scale of the view is so large that single boids are seen
    /// ([`NEAR`](murmuration_gpu::look::NEAR)). Then the simulation keeps points in every style of the look.
    pub fn view_from_near(&mut self, is_near: bool) {
        self.is_near = is_near;
        self.keep_points();
        self.is_changed = true;
    }

    /// Notes that a watched file may have changed. The next [`Self::tick`] checks the files.
    pub fn files_may_have_changed(&mut self) {
        self.files.may_have_changed = true;
    }

    /// Plays the steps that are due, up to the next film frame, and applies changed files. Before step 0 it plays the
    /// run-in.
    pub fn tick(&mut self) {
        if self.simulation.run_in().is_some() {
            return self.tick_run_in();
        }
        if self.handle_held() {
            return self.answer_requests(Patience::Poll);
        }
        if self.patience == Patience::Poll && self.is_reload_due() {
            // No step is played until the swarm was read from the device, because a step would make the values
            // outdated.
            if self.is_swarm_known() {
                self.reload();
            }
            return self.answer_requests(Patience::Poll);
        }
        self.pacer.begin_tick((self.clock)());
        self.has_room = true;
        while self.has_room {
            let before = self.simulation.step();
            let until_due = self.film.until_due().min(Readings::until_sample(&self.simulation));
            let steps = self.pacer.batch((self.clock)(), before, until_due);
            if steps == 0 {
                break;
            }
            let sampled = self.readings.sample(&mut self.simulation);
            if let Err(failure) = sampled.and_then(|()| self.play(steps)) {
                self.pacer.end_tick();
                self.fail(&failure);
                break;
            }
            let played = self.simulation.step().saturating_sub(before);
            self.has_room = played == steps;
            self.is_changed |= played > 0;
            self.pacer.count(played, self.simulation.step(), (self.clock)());
        }
        self.answer_requests(Patience::Poll);
        if self.is_reload_due() {
            self.reload();
        }
    }

    /// The current state of the swarm and the scene. `None` if nothing has changed and no value has arrived since the
    /// last call, or if the device fails.
    pub fn snapshot(&mut self) -> Option<Snapshot> {
        let is_changed = std::mem::take(&mut self.is_changed);
        if is_changed {
            self.readings.outdate();
            self.pane.iter_mut().for_each(ComparePane::outdate);
        }
        let arrived = self.collect();
        // If a device fails, the change is shown when another device has replaced it.
        let arrived = arrived.inspect_err(|_| self.is_changed = is_changed);
        let has_arrived = arrived.map_err(|failure| self.fail(&failure)).ok()?;
        if !is_changed && !has_arrived {
            return None;
        }
        // If only a value has arrived, the swarm is not read again.
        let shown = self.shown.take().filter(|_| !is_changed);
        let snapshot = self.read_snapshot(shown).map_err(|failure| self.fail(&failure)).ok()?;
        // Missing values are requested again.
        self.is_changed |= snapshot.is_none();
        snapshot
    }

    /// The snapshot of the compared individuals. If their device fails, the comparison ends, and the cells continue.
    fn read_individuals(
        &mut self,
        find: impl FnOnce(&mut Simulation) -> Result<SwarmSources, Failure>,
    ) -> Option<IndividualsSnapshot> {
        let patience = self.patience;
        let snapshot = self.pane.as_mut()?.snapshot(find, patience);
        snapshot.map_err(|failure| self.drop_pane(&failure)).ok().flatten()
    }

    /// Ends the comparison. The cells continue.
    fn end_pane(&mut self) {
        self.pane_readbacks += self.pane.take().map_or(0, |pane| pane.state_readbacks());
    }

    fn drop_pane(&mut self, failure: &Failure) {
        self.end_pane();
        self.error(failure);
    }

    fn pause(&mut self, is_paused: bool) {
        self.pacer.set_paused(is_paused, (self.clock)());
    }

    fn update_info(&mut self) {
        self.info = Arc::new(SceneInfo::new(&self.simulation, Some(&self.info.world)));
    }

    /// Updates the description of the scene if the window of an endless world has moved.
    fn follow_window(&mut self) {
        if self.info.world.window != self.simulation.preset().world.window {
            self.update_info();
        }
    }

    fn watch_files(&mut self) {
        if let Err(unwatched) = SceneFiles::watch(&mut *self.storage, &self.scene, &self.simulation) {
            self.events.push(Event::Info(unwatched));
        }
    }

    fn reload(&mut self) {
        let reloaded = self.files.reload(&mut *self.storage, &self.scene, &mut self.simulation);
        let Some((reload, events)) = reloaded else { return };
        self.is_changed = true;
        match reload {
            Reload::Unchanged => {}
            Reload::Rules => {
                self.update_info();
                self.reloads += 1;
                if let Some(pane) = &mut self.pane
                    && let Err(failure) = pane.reload(&self.simulation)
                {
                    self.drop_pane(&failure);
                }
            }
            Reload::Start(begun) => self.replace(Scene { replay: None, ..self.scene.clone() }, *begun),
        }
        self.events.extend(events);
    }

    /// Whether a requested value has not arrived yet.
    fn is_waiting(&self) -> bool {
        self.readings.is_waiting() || self.pane.as_ref().is_some_and(ComparePane::is_waiting)
    }

    /// Takes the requested values that have arrived. Returns whether any value has arrived.
    fn collect(&mut self) -> Result<bool, Failure> {
        let of_pane = self.pane.as_mut().map_or(Ok(false), ComparePane::collect);
        let of_pane = of_pane.unwrap_or_else(|failure| {
            self.drop_pane(&failure);
            true
        });
        Ok(self.readings.collect(&mut self.simulation)? | of_pane)
    }

    /// The present state. `shown`: the swarm, if it was read before. `None` until the first account and the first
    /// metrics of the scene have arrived.
    fn read_snapshot(&mut self, shown: Option<SwarmSources>) -> Result<Option<Snapshot>, Failure> {
        self.keep_points();
        let drawn_on = self.drawn_on.clone();
        let find = |simulation: &mut _| swarm_of(simulation, drawn_on.as_deref());
        let (source, individuals) = shown.map_or_else(|| find(&mut self.simulation), Ok)?;
        self.follow_window();
        let compared = self.read_individuals(find);
        let patience = self.patience;
        let account = self.readings.account(&mut self.simulation, patience)?;
        let (now, is_paused) = ((self.clock)(), self.pacer.is_paused());
        let comparison = match (&compared, &mut self.pane) {
            (Some(_), Some(pane)) => pane.compare(&mut self.simulation, &source, &self.clock)?,
            _ => None,
        };
        let world = &self.info.world;
        let metrics = self.readings.metrics(&mut self.simulation, &source, world, now, is_paused, patience)?;
        let (Some(account), Some(metrics)) = (account, metrics) else { return Ok(None) };
        let columns = self.readings.columns(&mut self.simulation)?;
        let probe = self.readings.probe(&mut self.simulation);
        let probe = probe.map_err(|failure| self.error(&failure)).ok().flatten();
        let probed = self.readings.individual(&mut self.simulation);
        let probed_individual = probed.map_err(|failure| self.error(&failure)).ok().flatten();
        // The births and deaths up to the step of the probe arrive with the probe.
        self.simulation.collect(Patience::Poll)?;
        let origin_of_life = probed_individual.as_ref().and_then(|probe| LifeOrigin::new(&self.simulation, probe));
        self.report_engine();
        let run_in = self.simulation.run_in();
        let is_read_again = self.is_waiting() && source.state().is_some();
        self.shown = is_read_again.then(|| (source.clone(), individuals.clone()));
        Ok(Some(Snapshot {
            source,
            individuals,
            compared: compared.map(Arc::new),
            comparison,
            step: if run_in.is_some() { 0 } else { self.simulation.step() },
            run_in,
            account,
            info: self.info.clone(),
            inputs: self.simulation.inputs(),
            school: self.simulation.school(),
            travelled: self.simulation.travelled(),
            is_paused: self.pacer.is_idle(),
            replay: self.replay_progress(),
            probe,
            probed_individual,
            origin_of_life,
            metrics,
            columns,
            passes: self.readings.passes.clone(),
            steps_a_second: self.pacer.steps_a_second(now),
            state_readbacks: self.simulation.state_readbacks()
                + self.pane_readbacks
                + self.pane.as_ref().map_or(0, ComparePane::state_readbacks),
            commands: self.commands,
            scene: self.scenes,
            reloads: self.reloads,
        }))
    }

    /// Adds the messages of the engines to the events. An engine may have been replaced, so the description is updated.
    fn report_engine(&mut self) {
        let mut remarks = self.simulation.remarks();
        remarks.extend(self.pane.iter_mut().flat_map(|pane| pane.individuals.remarks()));
        if !remarks.is_empty() {
            self.update_info();
        }
        self.events.extend(remarks.into_iter().map(Event::Info));
    }

    fn replay_progress(&self) -> Option<ReplayProgress> {
        let (replay, playback) = self.replay.as_ref()?;
        Some(ReplayProgress {
            steps: playback.steps(),
            of: replay.total_steps(),
            pointer: self.simulation.pointer().map(|pointer| (*pointer, self.simulation.jaws())),
        })
    }

    fn error(&mut self, failure: &Failure) {
        self.events.push(Event::Error(failure.to_string()));
    }

    /// Reports a failure to the user. If the device has failed, pauses the run and saves its last known state.
    fn fail(&mut self, failure: &Failure) {
        let mut text = failure.to_string();
        if matches!(failure, Failure::Device(_)) && self.simulation.run_in().is_none() {
            self.pause(true);
            self.events.push(Event::Paused);
            text = format!("{text}; {}", self.storage.save_last_known(&mut self.simulation));
        }
        self.events.push(Event::Error(text));
    }
}
