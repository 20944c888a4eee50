//! The scheduler of a run. It plays a run in pieces of several steps, and calls the observers that are due after a
//! piece.

use super::moment::{Moment, RunRecord};
use murmuration_core::error::Failure;
use murmuration_core::simulation::replay::{Playback, Replay};
use murmuration_core::simulation::{Simulation, StopCheck};
use murmuration_core::ticket::Patience;
use std::time::Duration;
use web_time::Instant;

/// The intended duration of a piece of steps, after which the progress is reported.
pub const SLICE: Duration = Duration::from_millis(50);
/// The maximum number of steps of a piece.
const MAX_PIECE: u64 = 1 << 12;

/// The number of steps of a piece. The number doubles or halves, so that a piece takes about [`SLICE`].
#[derive(Debug, Clone, Copy)]
pub struct PieceLength(u64);

impl Default for PieceLength {
    fn default() -> Self {
        Self(1)
    }
}

impl PieceLength {
    /// The number of steps of the next piece, at most `left`.
    pub fn next(self, left: u64) -> u64 {
        self.0.min(left)
    }

    /// Adapts the number of steps to the time that a piece of `steps` steps took.
    pub fn adapt(&mut self, steps: u64, took: Duration) {
        if took < SLICE && steps == self.0 {
            self.0 = (2 * self.0).min(MAX_PIECE);
        } else if took > 2 * SLICE {
            self.0 = (self.0 / 2).max(1);
        }
    }
}

/// A model that plays steps: a [`Simulation`], or a pair of simulations that are compared.
pub trait Stepper {
    /// The number of the present step.
    fn step(&self) -> u64;

    /// Plays at most `steps` steps, and returns the number of played steps. The number is less than `steps` if the
    /// model was stopped.
    ///
    /// # Errors
    /// If the engine fails.
    fn play(&mut self, steps: u64) -> Result<u64, Failure>;

    /// Waits for the steps that a device still plays.
    ///
    /// # Errors
    /// If the device fails.
    fn wait(&mut self) -> Result<(), Failure>;

    /// Sets a function that ends [`Self::play`] early once it returns true.
    fn stop_when(&mut self, stop: StopCheck);

    /// Messages of the engines for the user since the last call.
    fn remarks(&mut self) -> Vec<String>;
}

impl Stepper for Simulation {
    fn step(&self) -> u64 {
        self.step()
    }

    fn play(&mut self, steps: u64) -> Result<u64, Failure> {
        let before = self.step();
        self.advance(steps)?;
        Ok(self.step() - before)
    }

    fn wait(&mut self) -> Result<(), Failure> {
        self.wait()
    }

    fn stop_when(&mut self, stop: StopCheck) {
        self.stop_when(stop);
    }

    fn remarks(&mut self) -> Vec<String> {
        self.remarks()
    }
}

/// A time of a run. An undo in a replay decreases `step`, but not `played`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunTime {
    /// The number of steps that the run has played.
    pub played: u64,
    /// The number of the present step of the model.
    pub step: u64,
}

impl RunTime {
    /// The number of steps until `played` is a multiple of `every`; 0: `played` is a multiple now.
    pub fn until(self, every: u64) -> u64 {
        self.played.checked_next_multiple_of(every).map_or(u64::MAX, |due| due - self.played)
    }

    /// The number of steps until `step` is a multiple of `every`; 0: `step` is a multiple now.
    pub fn until_step(self, every: u64) -> u64 {
        self.step.checked_next_multiple_of(every).map_or(u64::MAX, |due| due - self.step)
    }
}

/// An observer of a run. The observer tells at which steps it is due, and is called at these steps.
pub trait Observer<T = Simulation>: Send {
    /// The number of steps from `time` to the next step at which the observer is due; 0: the observer is due at `time`;
    /// [`u64::MAX`]: at no later step. The first step of a run is observed too if the observer is due.
    fn until_due(&self, time: RunTime) -> u64;

    /// Whether the observer is called at the last step of a run even if it is not due. `is_stopped`: the run was
    /// stopped early.
    fn takes_last(&self, is_stopped: bool) -> bool {
        _ = is_stopped;
        false
    }

    /// Observes the present step, which `moment` gives.
    ///
    /// # Errors
    /// If the swarm cannot be read, or a result cannot be drawn or written. The run then ends.
    fn observe(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure>;

    /// Completes the results of the observer at the end of the run. It is called even if the run failed or was stopped.
    ///
    /// # Errors
    /// If a result cannot be written.
    fn finish(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure> {
        _ = moment;
        Ok(())
    }

    /// Reports the progress after each piece of steps. `remarks`: the messages since the piece before.
    fn progress(&mut self, time: RunTime, remarks: &[String]) {
        _ = (time, remarks);
    }
}

impl<T, O: Observer<T> + ?Sized> Observer<T> for &mut O {
    fn until_due(&self, time: RunTime) -> u64 {
        (**self).until_due(time)
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        (**self).takes_last(is_stopped)
    }

    fn observe(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure> {
        (**self).observe(moment)
    }

    fn finish(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure> {
        (**self).finish(moment)
    }

    fn progress(&mut self, time: RunTime, remarks: &[String]) {
        (**self).progress(time, remarks);
    }
}

/// An observer that is a function (see [`every`]).
pub struct Every<F> {
    every: u64,
    has_last: bool,
    observe: F,
}

/// An observer that calls a function at the first step of a run and at every `every`-th step after it.
///
/// ```
/// use murmuration::run::{Run, every};
///
/// let mut swarm = murmuration::open("droplets").size(48, 32).start()?;
/// let mut speeds = Vec::new();
/// let speed = every(10, |moment| {
///     speeds.push(murmuration::Observation::new(moment.model)?.mean_speed);
///     Ok(())
/// });
/// Run::new(&mut swarm).to(40).with(speed).play()?;
/// assert_eq!(speeds.len(), 5);
/// # Ok::<(), murmuration::Failure>(())
/// ```
pub fn every<F>(every: u64, observe: F) -> Every<F>
where
    F: FnMut(&mut Moment<'_>) -> Result<(), Failure> + Send,
{
    Every { every: every.max(1), has_last: false, observe }
}

impl<F> Every<F> {
    /// Calls the function at the last step of a run too.
    pub fn with_last(self) -> Self {
        Self { has_last: true, ..self }
    }
}

impl<F: FnMut(&mut Moment<'_>) -> Result<(), Failure> + Send> Observer for Every<F> {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every)
    }

    fn takes_last(&self, _: bool) -> bool {
        self.has_last
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        (self.observe)(moment)
    }
}

/// `None` observes nothing.
impl<T, O: Observer<T>> Observer<T> for Option<O> {
    fn until_due(&self, time: RunTime) -> u64 {
        self.as_ref().map_or(u64::MAX, |observer| observer.until_due(time))
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        self.as_ref().is_some_and(|observer| observer.takes_last(is_stopped))
    }

    fn observe(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure> {
        self.as_mut().map_or(Ok(()), |observer| observer.observe(moment))
    }

    fn finish(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure> {
        self.as_mut().map_or(Ok(()), |observer| observer.finish(moment))
    }

    fn progress(&mut self, time: RunTime, remarks: &[String]) {
        self.iter_mut().for_each(|observer| observer.progress(time, remarks));
    }
}

/// A function that plays steps of a model and returns their number.
type PlayFunction<'a, T> = Box<dyn FnMut(&mut T, u64) -> Result<u64, Failure> + Send + 'a>;

/// Plays a run in pieces and calls its observers. Each call of [`Self::poll`] plays a piece. The caller owns the model,
/// and may use the model between pieces.
pub struct Scheduler<'a, T = Simulation> {
    observers: Vec<Box<dyn Observer<T> + 'a>>,
    play: PlayFunction<'a, T>,
    /// The number of steps of the run.
    steps: u64,
    played: u64,
    piece: PieceLength,
    is_stopped: bool,
    /// Whether the first step was observed.
    has_begun: bool,
    pub(super) record: RunRecord,
    /// Messages that observers have not received.
    remarks: Vec<String>,
}

impl<'a, T: Stepper> Scheduler<'a, T> {
    /// A run of `steps` steps, without observers.
    pub fn new(steps: u64) -> Self {
        Self {
            observers: Vec::new(),
            play: Box::new(|model: &mut T, steps| model.play(steps)),
            steps,
            played: 0,
            piece: PieceLength::default(),
            is_stopped: false,
            has_begun: false,
            record: RunRecord::default(),
            remarks: Vec::new(),
        }
    }

    pub(super) fn set_steps(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Adds an observer. Observers are called in the order in which they are added.
    pub fn add(&mut self, observer: impl Observer<T> + 'a) {
        self.observers.push(Box::new(observer));
    }

    /// Plays a piece of about 50 ms, at most to the next step at which an observer is due. After the piece, calls the
    /// observers that are due. The first call also calls them before the piece. Returns whether the run continues.
    /// [`Self::finish`] ends a run.
    ///
    /// # Errors
    /// If the engine or an observer fails.
    pub fn poll(&mut self, model: &mut T) -> Result<bool, Failure> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.observe(model, false)?;
        }
        if self.played == self.steps {
            return Ok(false);
        }
        let time = RunTime { played: self.played + 1, step: model.step() + 1 };
        let until_due = self.observers.iter().map(|observer| observer.until_due(time).saturating_add(1)).min();
        let left = (self.steps - self.played).min(until_due.unwrap_or(u64::MAX));
        let piece = self.piece.next(left);
        let begun = Instant::now();
        let done = (self.play)(model, piece)?;
        let took = begun.elapsed();
        self.record.step_time += took;
        self.piece.adapt(piece, took);
        self.played += done;
        self.report(model);
        if done > 0 {
            self.observe(model, false)?;
        }
        // If several ranks play the world, the engine stops all of them at the same step.
        self.is_stopped = done < piece;
        Ok(!self.is_stopped && self.played < self.steps)
    }

    /// Ends a run after its last piece or after a failure. `played`: the result of the last [`Self::poll`]. Waits until
    /// a device has played its steps, calls observers at the last step, and completes the results of every observer.
    /// Returns the first failure.
    ///
    /// # Errors
    /// If the engine or an observer has failed.
    pub fn finish(&mut self, model: &mut T, played: Result<(), Failure>) -> Result<(), Failure> {
        let ended = played.and_then(|()| self.end(model));
        let mut observers = std::mem::take(&mut self.observers);
        let (is_stopped, time) = (self.is_stopped, self.time(model));
        let mut finished = Ok(());
        for observer in &mut observers {
            let own = observer.finish(&mut Moment::new(model, &mut self.record, time, [true, is_stopped]));
            finished = finished.and(own);
        }
        self.observers = observers;
        if ended.is_ok() {
            self.report(model);
        }
        ended.and(finished)
    }

    fn end(&mut self, model: &mut T) -> Result<(), Failure> {
        if self.played == self.steps {
            // A replay may have inputs after its last step.
            (self.play)(model, 0)?;
        }
        let begun = Instant::now();
        // A lost device is reported by the observers that read the swarm.
        _ = model.wait();
        self.record.step_time += begun.elapsed();
        self.observe(model, true)
    }

    /// Calls the observers that are due. If `is_last`, calls only the observers that are not due but want the last step
    /// of a run ([`Observer::takes_last`]).
    fn observe(&mut self, model: &mut T, is_last: bool) -> Result<(), Failure> {
        let (time, is_stopped) = (self.time(model), self.is_stopped);
        self.record.forget();
        for observer in &mut self.observers {
            let is_due = observer.until_due(time) == 0;
            if if is_last { !is_due && observer.takes_last(is_stopped) } else { is_due } {
                observer.observe(&mut Moment::new(model, &mut self.record, time, [is_last, is_stopped]))?;
            }
        }
        Ok(())
    }

    /// Reports the progress and new messages to the observers.
    fn report(&mut self, model: &mut T) {
        let time = self.time(model);
        self.remarks.extend(model.remarks());
        self.remarks.extend(self.record.remarks());
        self.observers.iter_mut().for_each(|observer| observer.progress(time, &self.remarks));
        self.record.said.append(&mut self.remarks);
    }

    fn time(&self, model: &T) -> RunTime {
        RunTime { played: self.played, step: model.step() }
    }

    /// The number of steps that were played.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Whether the run was stopped before its last step.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

impl<'a> Scheduler<'a> {
    /// Plays the steps of a replay with its inputs. The number of steps of the replay replaces the number of
    /// [`Self::new`].
    pub fn replay(&mut self, replay: &'a Replay) {
        let mut playback = Playback::default();
        self.steps = replay.total_steps();
        self.record.inputs = Some(replay.events.len() as u64);
        // The call with 0 steps at the end plays the last inputs.
        self.play = Box::new(move |simulation, steps| {
            let before = playback.steps();
            playback.advance(replay, simulation, steps, Patience::Wait)?;
            Ok(playback.steps() - before)
        });
    }
}
