//! The thread of the simulation: it takes commands, plays steps at its own pace, and leaves the newest snapshot for
//! the window to fetch.

use super::autosave::{self, Autosave};
use super::beside::{ComparePane, Other};
use super::film::{Filmed, Lens};
use super::priority;
use super::reload::{Disk, Reloaded};
use super::scene::{Change, Facts, Scene};
use crate::agents::Agents;
use crate::compare::measures::Row;
use crate::compare::pair;
use crate::error::Failure;
use crate::files::watch::Watch;
use crate::numbers::Cell;
use crate::observe::Observation;
use crate::simulation::probe::Probe;
use crate::simulation::replay::{Playback, Replay};
use crate::simulation::{Account, EngineChoice, Input, Pointer, Simulation};
use crate::state::{Ledger, State};
use crate::swarm::Swarm;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A round of steps takes at least this long: 60 rounds a second.
const ROUND: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// A round is cut short after this long, so that a hunter is heard at any pace.
const LONGEST_ROUND: Duration = Duration::from_millis(60);
/// Steps between two looks at the clock.
const STEPS_AT_ONCE: u64 = 4;
/// How often the metrics are taken; they read every cell.
const BETWEEN_METRICS: Duration = Duration::from_millis(120);
/// How long a window that closes waits for the step under way.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a window that cannot go on waits until the swarm is saved.
const RESCUE: Duration = Duration::from_secs(30);

/// Steps in a round: many, one, or one every few rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace(i32);

impl Pace {
    pub const USUAL: Self = Self(0);

    /// Twice or half as fast for each step of `by`, between one step in eight rounds and 64 in one.
    pub fn faster(self, by: i32) -> Self {
        Self((self.0 + by).clamp(-3, 6))
    }

    fn steps(self, round: u64) -> u64 {
        match self.0 {
            many @ 0.. => 1 << many,
            few => u64::from(round.is_multiple_of(1 << -few)),
        }
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("1 step a frame"),
            many @ 1.. => write!(f, "{} steps a frame", 1 << many),
            few => write!(f, "a step every {} frames", 1 << -few),
        }
    }
}

/// What the window asks of the simulation.
#[derive(Debug)]
pub enum Command {
    Input(Input),
    Pause(bool),
    /// The same scene anew, with a pause of itself after so many steps.
    Round(u64),
    /// No pause of itself.
    EndRound,
    /// This many steps, though it is paused.
    Steps(u64),
    Pace(Pace),
    /// Another scene, from its first step, on the engine in use.
    Begin(Scene),
    /// The hunt so far, once more from its first step.
    Rewatch,
    /// A replay is no longer followed: the hunt goes on with the player.
    TakeOver,
    /// A look into this cell with every snapshot, or no longer.
    Probe(Option<Cell>),
    /// Every state that is due goes there from now on; `None`: none does.
    Film(Option<Lens>),
    /// The same scene with all that was set, from its first step.
    Restart(Change),
    /// The same, with its individuals played beside its cells; or these alone from now on.
    Compare(bool),
    /// The same swarm goes on on another engine.
    Engine(EngineChoice),
    /// Something happened in the folders of the scene's files. Not the window's.
    Look,
    /// Into a file in the folder where the program was started.
    Keep(Autosave),
    /// Into a checkpoint, whatever it takes; what came of it is sent back, for people.
    Rescue(Sender<String>),
}

impl Command {
    /// Whether a file comes of it.
    fn saves(&self) -> bool {
        matches!(self, Self::Keep(_) | Self::Rescue(_))
    }
}

/// A moment of the simulation.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The lattice, or what it sees of the individuals.
    pub state: Arc<State>,
    /// The individuals, where it is they who are played.
    pub agents: Option<Arc<Agents>>,
    /// The individuals beside the cells, and how alike both are; taken now and then.
    pub beside: Option<Arc<Other>>,
    pub comparison_panel: Option<Arc<Row>>,
    pub step: u64,
    pub account: Account,
    pub facts: Arc<Facts>,
    pub is_paused: bool,
    /// The replay that is watched.
    pub watched: Option<Watched>,
    /// What the probe shows; taken as often as the metrics, and where the mouse moves.
    pub probe: Option<Arc<Probe>>,
    /// Taken now and then; its step says when.
    pub metrics: Arc<Observation>,
    /// The seconds that each pass of a step takes, by its kernel.
    pub passes: Arc<Vec<(String, f64)>>,
    /// Steps made in the last second or so, by the clock.
    pub steps_a_second: f64,
    /// How many commands were heard before it was taken.
    pub heard: u64,
    /// How many scenes were begun.
    pub scene: u64,
    /// How often the files of one were taken over while its swarm went on.
    pub reloads: u64,
}

/// A moment of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    /// Steps played, and in all.
    pub steps: u64,
    pub of: u64,
    /// Who hunts, and how far the jaws reach in cells.
    pub pointer: Option<(Pointer, u32)>,
}

/// What the simulation has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Remark(String),
    Trouble(String),
    /// What was complained of is mended.
    Mended(String),
}

/// Where the newest snapshot waits, with what there is to say.
#[derive(Default)]
struct Mailbox {
    newest: Mutex<Option<Snapshot>>,
    words: Mutex<Vec<Word>>,
    closed: AtomicBool,
    /// Files that were asked for and are not written yet.
    saves: AtomicUsize,
}

impl Mailbox {
    fn is_empty(&self) -> bool {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// The window's end.
pub struct Play {
    commands: Sender<Command>,
    mailbox: Arc<Mailbox>,
    thread: Option<JoinHandle<()>>,
    sent: u64,
}

impl Play {
    /// Begins to play. What is kept goes to `folder`. `wake` is called whenever there is something new in the mailbox.
    pub fn begin(
        simulation: Simulation,
        scene: Scene,
        folder: PathBuf,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, Failure> {
        let (commands, heard) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let stirred = commands.clone();
        let watch = Watch::begin(move || {
            // A thread that has ended plays nothing that could be reloaded.
            let _ = stirred.send(Command::Look);
        });
        let player = Player::new(simulation, scene, folder, mailbox.clone(), Box::new(wake), Disk::new(watch));
        let thread = thread::Builder::new().name("play".into()).spawn(move || {
            priority::give_way(priority::SIMULATION);
            player.run(&heard);
        });
        let thread = thread.map_err(|source| Failure::File {
            action: "cannot begin a thread for",
            path: "the swarm".into(),
            source,
        })?;
        Ok(Self { commands, mailbox, thread: Some(thread), sent: 0 })
    }

    /// Sends a command, and gives the value of [`Snapshot::heard`] from which on it was obeyed.
    pub fn send(&mut self, command: Command) -> u64 {
        self.sent += 1;
        if command.saves() {
            self.mailbox.saves.fetch_add(1, Ordering::Relaxed);
        }
        // A thread that ended has said why; there is nobody else to tell.
        let _ = self.commands.send(command);
        self.sent
    }

    /// Saves the swarm of a window that cannot go on, and says where.
    pub fn rescue(&mut self) -> String {
        let (answer, saved) = channel();
        self.send(Command::Rescue(answer));
        saved.recv_timeout(RESCUE).unwrap_or_else(|_| "the swarm could not be saved: it does not answer".into())
    }

    /// The newest snapshot, unless it was fetched before.
    pub fn newest(&self) -> Option<Snapshot> {
        self.mailbox.newest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What there was to say since the last call.
    pub fn words(&self) -> Vec<Word> {
        std::mem::take(&mut *self.mailbox.words.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends, once every file that was asked for is written, and gives what there was to say.
    pub fn end(&mut self) -> Vec<Word> {
        self.mailbox.closed.store(true, Ordering::Relaxed);
        // Wakes a thread that waits for a command.
        let _ = self.commands.send(Command::Pause(true));
        if let Some(thread) = self.thread.take() {
            let asked = Instant::now();
            let is_saving = || self.mailbox.saves.load(Ordering::Relaxed) > 0;
            while !thread.is_finished() && (asked.elapsed() < PATIENCE || is_saving()) {
                thread::sleep(Duration::from_millis(2));
            }
            // A step of a huge lattice may take longer than anyone wants to wait for: it then ends with the process.
            if thread.is_finished() {
                let _ = thread.join();
            }
        }
        self.words()
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        self.end();
    }
}

/// The simulation's end.
struct Player {
    simulation: Simulation,
    /// The individuals beside it, and whether there are to be any where there can be.
    beside: Option<ComparePane>,
    wants_beside: bool,
    scene: Scene,
    /// Where the files go that are kept.
    folder: PathBuf,
    mailbox: Arc<Mailbox>,
    wake: Box<dyn Fn() + Send>,
    facts: Arc<Facts>,
    metrics: Arc<Observation>,
    measured: Instant,
    /// The seconds of each pass, smoothed.
    passes: Arc<Vec<(String, f64)>>,
    /// The cell that is to be looked into, and the last look.
    probed: Option<Cell>,
    probe: Option<Arc<Probe>>,
    paused: bool,
    pause_at: Option<u64>,
    pace: Pace,
    /// The replay that is watched, and how far it has come.
    playback: Option<(Arc<Replay>, Playback)>,
    /// Whether the player has touched the swarm.
    has_hunted: bool,
    /// Where the states of a film go.
    lens: Option<Lens>,
    /// Steps asked for one by one.
    asked: u64,
    round: u64,
    heard: u64,
    scenes: u64,
    reloads: u64,
    /// Whether something changed that no snapshot shows yet.
    is_news: bool,
    clock: StepClock,
    disk: Disk,
    /// Whether something happened on disk while a replay was watched.
    has_stirred: bool,
}

impl Player {
    fn new(
        simulation: Simulation,
        scene: Scene,
        folder: PathBuf,
        mailbox: Arc<Mailbox>,
        wake: Box<dyn Fn() + Send>,
        disk: Disk,
    ) -> Self {
        let facts = Arc::new(Facts::of(&simulation, None));
        let start = &simulation.preset().start;
        let ledger = Ledger { start: start.total(), ..Ledger::default() };
        let metrics = Arc::new(observe(&simulation, start, &ledger));
        Self {
            simulation,
            beside: None,
            wants_beside: false,
            playback: playback(&scene),
            has_hunted: false,
            scene,
            folder,
            mailbox,
            wake,
            facts,
            metrics,
            measured: Instant::now(),
            passes: Arc::default(),
            probed: None,
            probe: None,
            paused: false,
            pause_at: None,
            pace: Pace::USUAL,
            lens: None,
            asked: 0,
            round: 0,
            heard: 0,
            scenes: 0,
            reloads: 0,
            is_news: true,
            clock: StepClock::new(),
            disk,
            has_stirred: false,
        }
    }

    fn run(mut self, commands: &Receiver<Command>) {
        let mut due = Instant::now();
        self.follow();
        self.publish();
        while !self.mailbox.closed.load(Ordering::Relaxed) {
            let is_resting = self.paused && self.asked == 0;
            let first = if is_resting {
                commands.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                commands.recv_timeout(due.saturating_duration_since(Instant::now()))
            };
            match first {
                Ok(first) => self.obey(std::iter::once(first).chain(commands.try_iter()).collect()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let now = Instant::now();
            if now >= due {
                due = (due + ROUND).max(now);
                self.play_round();
            }
            if self.has_stirred {
                self.look();
            }
            self.publish();
        }
        self.obey_last(commands.try_iter().collect());
        // Nobody waits for a step that takes too long, but for this everyone does.
        self.mailbox.saves.fetch_add(1, Ordering::Relaxed);
        self.keep_last_hunt();
    }

    /// Of what was still asked for when the window closed, obeys all up to the last that is to be saved.
    fn obey_last(&mut self, mut commands: Vec<Command>) {
        commands.truncate(commands.iter().rposition(Command::saves).map_or(0, |last| last + 1));
        self.obey(commands);
    }

    fn obey(&mut self, commands: Vec<Command>) {
        let mut commands = commands.into_iter().peekable();
        while let Some(command) = commands.next() {
            self.heard += u64::from(!matches!(command, Command::Look));
            self.is_news = true;
            // Of a slider that is dragged and a hunter that runs, only the last of what came meanwhile counts.
            let outdated = match (&command, commands.peek()) {
                (Command::Input(Input::Hunter(_)), Some(Command::Input(Input::Hunter(_)))) => true,
                (Command::Input(Input::Set { key, .. }), Some(Command::Input(Input::Set { key: next, .. }))) => {
                    key == next
                }
                (Command::Look, Some(Command::Look)) => true,
                _ => false,
            };
            let saves = command.saves();
            if !outdated && let Err(failure) = self.handle_command(command) {
                self.fail(&failure);
            }
            if saves {
                self.mailbox.saves.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    fn handle_command(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            // Whoever watches has no hand in it.
            Command::Input(_) if self.playback.is_some() => {}
            // Nothing left to undo is no trouble.
            Command::Input(Input::Undo) => match self.apply(Input::Undo) {
                Err(Failure::BadInput(wrong)) => self.speak(Word::Remark(wrong.problem)),
                Err(failure) => return Err(failure),
                Ok(()) => self.facts = Arc::new(Facts::of(&self.simulation, Some(&self.facts.world))),
            },
            Command::Input(input) => {
                self.has_hunted |= !matches!(input, Input::Set { .. } | Input::Hunter(None) | Input::Jaws(_));
                // Only these change what is known of the scene; a hunter comes sixty times a second.
                let changes = matches!(input, Input::Set { .. } | Input::Solid { .. });
                self.apply(input)?;
                if changes {
                    self.facts = Arc::new(Facts::of(&self.simulation, Some(&self.facts.world)));
                }
            }
            Command::Pause(paused) => self.pause(paused),
            Command::Round(steps) => {
                let overrides = self.simulation.preset().written().overrides.clone();
                if self.begin(Scene { overrides, replay: None, ..self.scene.clone() }) {
                    self.pause_at = Some(steps);
                    self.pause(false);
                }
            }
            Command::EndRound => self.pause_at = None,
            Command::Steps(steps) => self.asked += steps,
            Command::Pace(pace) => self.pace = pace,
            Command::Probe(cell) => {
                self.probed = cell;
                if cell.is_none() {
                    self.simulation.end_probe();
                }
            }
            Command::Film(lens) => self.lens = lens,
            Command::Keep(autosave) => {
                let saved = autosave::keep(&mut self.simulation, autosave, &self.folder)?;
                self.speak(Word::Remark(format!("saved {saved}")));
            }
            Command::Rescue(answer) => {
                // Who asked may have left.
                let _ = answer.send(autosave::rescue(&mut self.simulation, &self.folder));
            }
            Command::Begin(scene) => {
                self.begin(Scene { choice: self.scene.choice, ..scene });
            }
            Command::Rewatch => {
                let replay = match &self.playback {
                    Some((replay, _)) => replay.clone(),
                    None => Arc::new(self.simulation.replay()?),
                };
                if self.begin(Scene::watching(replay, self.scene.choice)) {
                    self.pause(false);
                }
            }
            Command::TakeOver => {
                if self.playback.is_some() {
                    self.end_playback()?;
                    self.speak(Word::Remark("the hunt is yours".into()));
                }
            }
            Command::Restart(change) => {
                let overrides = change.laid_over(&self.simulation.preset().written().overrides);
                self.begin(Scene { overrides, replay: None, ..self.scene.clone() });
            }
            Command::Compare(false) => (self.wants_beside, self.beside) = (false, None),
            Command::Compare(true) => {
                // Before the swarm under way is given up for them.
                if let Err(wrong) = pair::individuals_of(self.simulation.preset(), self.simulation.chain()) {
                    self.complain(&wrong.into());
                    return Ok(());
                }
                self.wants_beside = true;
                let overrides = self.simulation.preset().written().overrides.clone();
                self.begin(Scene { overrides, replay: None, ..self.scene.clone() });
            }
            Command::Engine(choice) => {
                // The present engine goes on where the other one is not to be had.
                if let Err(failure) = self.simulation.switch(choice) {
                    self.complain(&failure);
                    return Ok(());
                }
                self.scene.choice = choice;
                if let Some(beside) = &mut self.beside
                    && let Err(failure) = beside.switch(choice)
                {
                    self.complain(&failure);
                }
                self.facts = Arc::new(Facts::of(&self.simulation, Some(&self.facts.world)));
                self.clock = StepClock::new();
            }
            Command::Look => self.look(),
        }
        Ok(())
    }

    /// Begins another scene. `false`: it is not to be had, and the present one goes on.
    fn begin(&mut self, scene: Scene) -> bool {
        let before = self.simulation.preset().world.extents;
        let simulation = match scene.begin_after(Some(before)) {
            Ok(simulation) => simulation,
            Err(failure) => {
                self.complain(&failure);
                return false;
            }
        };
        self.take(scene, simulation);
        true
    }

    /// Begins the individuals of the scene that has just begun, where it has any.
    fn begin_beside(&mut self) {
        self.beside = None;
        if !self.wants_beside {
            return;
        }
        if self.playback.is_some() {
            let words = "the hunt that is watched is the cells' own: its individuals are not played";
            return self.speak(Word::Remark(words.into()));
        }
        if self.simulation.preset().agents.is_some() {
            let words = format!("{} has no cells: its individuals are all there is", self.simulation.preset().name);
            return self.speak(Word::Remark(words));
        }
        match ComparePane::begin(&self.simulation) {
            Ok(beside) => self.beside = Some(beside),
            Err(failure) => self.complain(&failure),
        }
    }

    /// Applies an input to all that is played.
    fn apply(&mut self, input: Input) -> Result<(), Failure> {
        let Some(beside) = &mut self.beside else { return self.simulation.apply(input) };
        let theirs = beside.accepted(&self.simulation, &input)?;
        self.simulation.apply(input)?;
        if let Err(failure) = beside.take(theirs) {
            self.lose_beside(&failure);
        }
        Ok(())
    }

    /// Without a device the individuals are gone, and the cells go on.
    fn lose_beside(&mut self, failure: &Failure) {
        self.beside = None;
        self.complain(failure);
    }

    /// Plays the cells' steps after them.
    fn advance_beside(&mut self, steps: u64, theirs: Duration) {
        if let Some(beside) = &mut self.beside
            && let Err(failure) = beside.advance(steps, theirs)
        {
            self.lose_beside(&failure);
        }
    }

    fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.clock = StepClock::new();
    }

    /// Keeps the hunt that ends for `murmuration replay`, if there was one.
    fn keep_last_hunt(&mut self) {
        if self.has_hunted
            && let Err(failure) = autosave::keep_last_hunt(&mut self.simulation)
        {
            self.complain(&failure);
        }
    }

    /// A scene that has begun is played from now on.
    fn take(&mut self, scene: Scene, simulation: Simulation) {
        self.keep_last_hunt();
        if let Some(trouble) = self.disk.forget() {
            self.speak(Word::Mended(trouble));
        }
        self.simulation = simulation;
        (self.playback, self.has_hunted, self.pause_at) = (playback(&scene), false, None);
        self.scene = scene;
        self.scenes += 1;
        self.begin_beside();
        self.facts = Arc::new(Facts::of(&self.simulation, None));
        self.clock = StepClock::new();
        self.measured = Instant::now() - BETWEEN_METRICS;
        self.follow();
    }

    /// Watches what the scene was read from.
    fn follow(&mut self) {
        if let Err(unwatched) = self.disk.follow(&self.scene, &self.simulation) {
            self.speak(Word::Remark(unwatched));
        }
    }

    /// Takes over what has changed in the files. A replay that is watched has its own texts, so they wait until it is over.
    fn look(&mut self) {
        self.has_stirred = self.playback.is_some();
        if self.has_stirred {
            return;
        }
        let Some(look) = self.disk.look(&self.scene, &mut self.simulation) else { return };
        match look.reloaded {
            Reloaded::Same => {}
            Reloaded::Rules => {
                self.facts = Arc::new(Facts::of(&self.simulation, Some(&self.facts.world)));
                self.reloads += 1;
                if let Some(beside) = &mut self.beside
                    && let Err(failure) = beside.reload(&self.simulation)
                {
                    self.beside = None;
                    self.complain(&failure);
                }
            }
            Reloaded::Start(begun) => self.take(Scene { replay: None, ..self.scene.clone() }, *begun),
        }
        let words = [look.mended.map(Word::Mended), look.trouble.map(Word::Trouble), look.remark.map(Word::Remark)];
        for word in words.into_iter().flatten() {
            self.speak(word);
        }
    }

    fn play_round(&mut self) {
        self.round += 1;
        let running = if self.paused { 0 } else { self.pace.steps(self.round) };
        let mut left = running + std::mem::take(&mut self.asked);
        let begun = Instant::now();
        while left > 0 && begun.elapsed() < LONGEST_ROUND {
            let until_due = self.lens.as_ref().map_or(STEPS_AT_ONCE, Lens::until_due);
            let mut steps = left.min(STEPS_AT_ONCE).min(until_due);
            if let Some(end) = self.pause_at.filter(|end| *end > self.simulation.step()) {
                steps = steps.min(end - self.simulation.step());
            }
            if let Err(failure) = self.advance(steps) {
                return self.fail(&failure);
            }
            left -= steps;
            self.is_news = true;
            self.clock.count(steps);
            if self.pause_at == Some(self.simulation.step()) {
                self.pause_at = None;
                self.pause(true);
                return;
            }
        }
    }

    /// From here on the player hunts, from whom nothing was heard yet.
    fn end_playback(&mut self) -> Result<(), Failure> {
        self.playback = None;
        self.simulation.apply(Input::Hunter(None))?;
        self.simulation.apply(Input::Jaws(0))
    }

    /// Plays this many steps, or fewer where a replay ends.
    fn advance(&mut self, steps: u64) -> Result<(), Failure> {
        let Some((replay, playback)) = &mut self.playback else {
            let begun = Instant::now();
            self.simulation.advance(steps)?;
            if self.beside.is_some() {
                // Their times are compared.
                self.simulation.wait()?;
            }
            self.advance_beside(steps, begun.elapsed());
            return self.film(steps);
        };
        let before = playback.steps();
        let has_inputs = match playback.advance(replay, &mut self.simulation, steps) {
            Ok(has_inputs) => has_inputs,
            // What cannot be played now cannot be played in the next round either.
            Err(failure) => {
                self.end_playback()?;
                self.pause(true);
                return Err(failure);
            }
        };
        let Some((replay, playback)) = &self.playback else { return Ok(()) };
        if has_inputs {
            self.facts = Arc::new(Facts::of(&self.simulation, Some(&self.facts.world)));
        }
        let (played, end) = (playback.steps() - before, playback.is_over(replay).then(|| replay.clone()));
        self.film(played)?;
        let Some(replay) = end else { return Ok(()) };
        let is_same = self.simulation.state_hash()? == replay.state_hash;
        self.end_playback()?;
        self.pause(true);
        self.speak(if is_same {
            Word::Remark("the replay is over, in the very state that was saved; space goes on from here".into())
        } else {
            Word::Trouble("the replay is over, but not in the state that was saved".into())
        });
        Ok(())
    }

    /// Gives the state to the film, if one is made and it is due. This waits for a film that is slower.
    fn film(&mut self, steps: u64) -> Result<(), Failure> {
        if let Some(lens) = &mut self.lens
            && lens.count(steps)
        {
            let (state, agents) = read(&mut self.simulation)?;
            let beside = match self.beside.as_mut().map(ComparePane::look).transpose() {
                Ok(beside) => beside,
                Err(failure) => {
                    self.lose_beside(&failure);
                    None
                }
            };
            let Some(lens) = &mut self.lens else { return Ok(()) };
            if !lens.take(Filmed { state, agents, beside }, &self.facts, self.simulation.step()) {
                self.lens = None;
            }
        }
        Ok(())
    }

    /// Leaves a snapshot, if there is news, and if the window has fetched the last one or nothing more will come.
    fn publish(&mut self) {
        if !self.is_news || !(self.paused || self.mailbox.is_empty()) {
            return;
        }
        self.is_news = false;
        let read = read(&mut self.simulation).and_then(|seen| Ok((seen, self.simulation.account()?)));
        let ((state, agents), account) = match read {
            Ok(read) => read,
            Err(failure) => return self.fail(&failure),
        };
        let beside = match self.beside.as_mut().map(ComparePane::look).transpose() {
            Ok(beside) => beside.map(Arc::new),
            Err(failure) => {
                self.beside = None;
                self.complain(&failure);
                None
            }
        };
        let comparison_panel = match (&beside, &mut self.beside) {
            (Some(other), Some(beside)) => Some(beside.compare(&self.simulation, &state, &account, other)),
            _ => None,
        };
        let is_due = self.measured.elapsed() >= BETWEEN_METRICS || self.paused;
        if is_due {
            self.metrics = Arc::new(observe(&self.simulation, &state, &account.ledger));
            self.measured = Instant::now();
            self.time_passes();
        }
        if is_due || self.probed != self.probe.as_ref().map(|probe| probe.cell) {
            self.look_into(&state);
        }
        self.tell_remarks();
        let snapshot = Snapshot {
            state: Arc::new(state),
            agents,
            beside,
            comparison_panel,
            step: self.simulation.step(),
            account,
            is_paused: self.paused && self.asked == 0,
            watched: self.playback.as_ref().map(|(replay, playback)| Watched {
                steps: playback.steps(),
                of: replay.total_steps(),
                pointer: self.simulation.pointer().map(|pointer| (*pointer, self.simulation.jaws())),
            }),
            probe: self.probe.clone(),
            passes: self.passes.clone(),
            facts: self.facts.clone(),
            metrics: self.metrics.clone(),
            steps_a_second: if self.paused { 0.0 } else { self.clock.rate() },
            heard: self.heard,
            scene: self.scenes,
            reloads: self.reloads,
        };
        *self.mailbox.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(snapshot);
        (self.wake)();
    }

    /// Takes the times of the passes in, a part of each, so that the numbers can be read.
    fn time_passes(&mut self) {
        let now = self.simulation.seconds_by_pass();
        let is_known = self.passes.iter().map(|(name, _)| name.as_str()).eq(now.iter().map(|(name, _)| *name));
        let part = if is_known { 0.15 } else { 1.0 };
        let before = self.passes.iter().map(|(_, seconds)| *seconds).chain(std::iter::repeat(0.0));
        let smoothed = now
            .iter()
            .zip(before)
            .map(|((name, seconds), before)| (name.to_string(), before + part * (seconds - before)));
        self.passes = Arc::new(smoothed.collect());
    }

    /// Looks into the cell that the probe is at.
    fn look_into(&mut self, state: &State) {
        let extents = state.extents.as_cell();
        let cell = self.probed.filter(|cell| (0..2).all(|axis| (0..extents[axis]).contains(&cell[axis])));
        match cell.map(|cell| self.simulation.probe(state, cell)).transpose() {
            Ok(probe) => self.probe = probe.map(Arc::new),
            Err(failure) => {
                (self.probed, self.probe) = (None, None);
                self.complain(&failure);
            }
        }
    }

    /// Passes on what happened to the engine, which may be another one now.
    fn tell_remarks(&mut self) {
        let theirs = self.beside.as_mut().map(ComparePane::remarks).unwrap_or_default();
        for remark in self.simulation.remarks().into_iter().chain(theirs) {
            self.facts = Arc::new(Facts::of(&self.simulation, Some(&self.facts.world)));
            self.speak(Word::Remark(remark));
        }
    }

    fn complain(&self, failure: &Failure) {
        self.speak(Word::Trouble(failure.to_string()));
    }

    /// Complains. A swarm that no engine can play on stands still, where it can still be looked at, and is saved.
    fn fail(&mut self, failure: &Failure) {
        let mut text = failure.to_string();
        if matches!(failure, Failure::Device(_)) {
            self.paused = true;
            text = format!("{text}; {}", autosave::rescue_last_known(&mut self.simulation, &self.folder));
        }
        self.speak(Word::Trouble(text));
    }

    fn speak(&self, word: Word) {
        self.mailbox.words.lock().unwrap_or_else(PoisonError::into_inner).push(word);
        (self.wake)();
    }
}

/// The replay of a scene, at its beginning.
fn playback(scene: &Scene) -> Option<(Arc<Replay>, Playback)> {
    scene.replay.clone().map(|replay| (replay, Playback::default()))
}

/// The lattice of a swarm, or what it sees of individuals; and these, if that is what they are.
pub fn read(simulation: &mut Simulation) -> Result<(State, Option<Arc<Agents>>), Failure> {
    match simulation.swarm()? {
        Swarm::Cells(state) => Ok((state, None)),
        Swarm::Agents(agents) => {
            let swarm = Swarm::Agents(agents);
            let seen = simulation.seen(&swarm).into_owned();
            let Swarm::Agents(agents) = swarm else { return Ok((seen, None)) };
            Ok((seen, Some(Arc::new(agents))))
        }
    }
}

fn observe(simulation: &Simulation, state: &State, ledger: &Ledger) -> Observation {
    let preset = simulation.preset();
    Observation::of(simulation.step(), state, &preset.world, &preset.rules, ledger)
}

/// Counts steps by the clock.
struct StepClock {
    begun: Instant,
    steps: u64,
    rate: f64,
}

impl StepClock {
    fn new() -> Self {
        Self { begun: Instant::now(), steps: 0, rate: 0.0 }
    }

    fn count(&mut self, steps: u64) {
        self.steps += steps;
        let seconds = self.begun.elapsed().as_secs_f64();
        if seconds > 0.5 {
            self.rate = self.steps as f64 / seconds;
            (self.begun, self.steps) = (Instant::now(), 0);
        }
    }

    /// Steps a second, in the last whole half second; of the time so far before there was one.
    fn rate(&self) -> f64 {
        let so_far = self.steps as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        if self.rate > 0.0 { self.rate } else { so_far }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu;
    use crate::preset::Overrides;

    #[test]
    fn what_was_asked_for_just_before_the_window_closed_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let scene = Scene {
            preset: "droplets".into(),
            overrides: Overrides { size: Some((96, 96)), ..Overrides::default() },
            chain: None,
            choice: EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None }),
            replay: None,
        };
        let simulation = scene.begin().unwrap();
        let mut play = Play::begin(simulation, scene, folder.path().into(), || {}).unwrap();
        // So many that it is in the middle of them whenever something is asked for.
        play.send(Command::Steps(u64::from(u32::MAX)));
        thread::sleep(2 * LONGEST_ROUND);
        for autosave in [Autosave::Replay, Autosave::Checkpoint, Autosave::Preset, Autosave::Checkpoint] {
            play.send(Command::Keep(autosave));
        }
        let words = play.end();
        assert!(words.iter().all(|word| matches!(word, Word::Remark(_))), "{words:?}");
        let saved: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(saved.len(), 4, "of four files these were saved: {saved:?}");
    }
}
