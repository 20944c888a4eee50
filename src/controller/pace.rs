//! The pace of a run in the window: the number of steps in each tick, and the times of the ticks.

use std::fmt;
use std::time::Duration;

/// The time from one tick to the next: 60 ticks a second.
pub const TICK: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The maximum time of a tick. Steps that are left then are dropped, so that commands are handled at any pace.
pub const MAX_TICK: Duration = Duration::from_millis(60);
/// The maximum number of steps that are played before the clock is read again.
const STEPS_PER_BATCH: u64 = 4;
/// The minimum length of the intervals over which the step rate is measured.
const RATE_INTERVAL: Duration = Duration::from_millis(500);

/// A pace `n`: `2^n` steps in every tick, or, for negative `n`, one step every `2^-n` ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pace(i32);

impl Pace {
    /// One step per tick.
    pub const USUAL: Self = Self(0);
    /// 64 steps per tick.
    pub const MAX: Self = Self(6);

    /// The pace multiplied by `2^by`, between one step in eight ticks and 64 steps per tick.
    pub fn faster(self, by: i32) -> Self {
        Self((self.0 + by).clamp(-3, 6))
    }

    /// The number of steps a second, if the machine is fast enough.
    pub fn steps_a_second(self) -> f64 {
        2f64.powi(self.0) / TICK.as_secs_f64()
    }

    /// The number of steps in the tick with this number.
    fn steps(self, tick: u64) -> u64 {
        match self.0 {
            many @ 0.. => 1 << many,
            few => u64::from(tick.is_multiple_of(1 << -few)),
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("1 step a frame"),
            many @ 1.. => write!(f, "{} steps a frame", 1 << many),
            few => write!(f, "a step every {} frames", 1 << -few),
        }
    }
}

/// Decides the number of steps to play now. All times are from the controller's clock.
#[derive(Debug)]
pub struct Pacer {
    pub pace: Pace,
    is_paused: bool,
    /// The step at which the run pauses by itself. `None` if there is no such step.
    pub pause_at: Option<u64>,
    /// The number of steps that the user has requested one by one. These steps are played even in a pause.
    pub requested: u64,
    /// The number of steps left in the current tick.
    left: u64,
    /// The number of ticks that have begun.
    ticks: u64,
    /// The time at which the current tick began.
    tick_began: Duration,
    /// The time at which the next tick is due.
    next_tick: Duration,
    rate: StepRate,
}

impl Pacer {
    pub fn new(now: Duration) -> Self {
        Self {
            pace: Pace::USUAL,
            is_paused: false,
            pause_at: None,
            requested: 0,
            left: 0,
            ticks: 0,
            tick_began: now,
            next_tick: now,
            rate: StepRate::new(now),
        }
    }

    /// Pauses the run, or continues it.
    pub fn set_paused(&mut self, is_paused: bool, now: Duration) {
        self.is_paused = is_paused;
        self.left = 0;
        self.restart_rate(now);
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether no step is due until the next command.
    pub fn is_idle(&self) -> bool {
        self.is_paused && self.requested == 0 && self.left == 0
    }

    /// The time at which [`Self::batch`] has steps again. `None` if it has no steps until the next command.
    pub fn next_due(&self, now: Duration) -> Option<Duration> {
        match self.left {
            _ if self.is_idle() => None,
            0 => Some(self.next_tick),
            _ => Some(now),
        }
    }

    /// Begins the next tick if it is due and the current tick has no steps left.
    pub fn begin_tick(&mut self, now: Duration) {
        if self.left > 0 || now < self.next_tick {
            return;
        }
        self.ticks += 1;
        self.tick_began = now;
        self.next_tick = (self.next_tick + TICK).max(now);
        let running = if self.is_paused { 0 } else { self.pace.steps(self.ticks) };
        self.left = running + std::mem::take(&mut self.requested);
    }

    /// The number of steps to play now, at most `most`. 0 if the current tick is over. `step`: the present step.
    pub fn batch(&mut self, now: Duration, step: u64, most: u64) -> u64 {
        if now.saturating_sub(self.tick_began) >= MAX_TICK {
            // In a pause, all steps that are left were requested by the user. They wait for the next tick, in which a
            // busy device may have room for them.
            if self.is_paused {
                self.requested += self.left;
            }
            self.left = 0;
        }
        let until_pause = self.pause_at.filter(|end| *end > step).map_or(u64::MAX, |end| end - step);
        self.left.min(STEPS_PER_BATCH).min(most).min(until_pause)
    }

    /// Counts `steps` steps that were played, up to the present step `step`. Pauses at `pause_at`.
    pub fn count(&mut self, steps: u64, step: u64, now: Duration) {
        self.left = self.left.saturating_sub(steps);
        self.rate.count(steps, now);
        if self.pause_at == Some(step) {
            self.pause_at = None;
            self.set_paused(true, now);
        }
    }

    /// Drops the remaining steps of the current tick.
    pub fn end_tick(&mut self) {
        self.left = 0;
    }

    /// The number of steps played per second of wall-clock time. 0 in a pause.
    pub fn steps_a_second(&self, now: Duration) -> f64 {
        if self.is_paused { 0.0 } else { self.rate.rate(now) }
    }

    /// Starts a new measurement of the rate, for example after a change of the engine.
    pub fn restart_rate(&mut self, now: Duration) {
        self.rate = StepRate::new(now);
    }
}

/// Measures the number of steps per second over intervals of [`RATE_INTERVAL`].
#[derive(Debug)]
struct StepRate {
    began: Duration,
    steps: u64,
    rate: f64,
}

impl StepRate {
    fn new(now: Duration) -> Self {
        Self { began: now, steps: 0, rate: 0.0 }
    }

    fn count(&mut self, steps: u64, now: Duration) {
        self.steps += steps;
        let elapsed = now.saturating_sub(self.began);
        if elapsed > RATE_INTERVAL {
            self.rate = self.steps as f64 / elapsed.as_secs_f64();
            (self.began, self.steps) = (now, 0);
        }
    }

    /// The rate of the last complete interval. During the first interval, the rate since its beginning.
    fn rate(&self, now: Duration) -> f64 {
        let so_far = self.steps as f64 / now.saturating_sub(self.began).as_secs_f64().max(1e-3);
        if self.rate > 0.0 { self.rate } else { so_far }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays one tick that begins at `now`. Each batch of steps takes `cost`. Returns the number of steps played.
    fn tick(pacer: &mut Pacer, step: &mut u64, mut now: Duration, cost: Duration) -> u64 {
        let before = *step;
        pacer.begin_tick(now);
        loop {
            let steps = pacer.batch(now, *step, u64::MAX);
            if steps == 0 {
                return *step - before;
            }
            now += cost;
            *step += steps;
            pacer.count(steps, *step, now);
        }
    }

    #[test]
    fn a_pace_is_steps_per_tick() {
        for (by, ticks, steps) in [(0, 8, 8), (3, 2, 16), (99, 1, 64), (-1, 8, 4), (-99, 16, 2)] {
            let (mut pacer, mut step) = (Pacer::new(Duration::ZERO), 0);
            pacer.pace = Pace::USUAL.faster(by);
            for number in 0..ticks {
                tick(&mut pacer, &mut step, number * TICK, Duration::ZERO);
            }
            assert_eq!(step, steps, "{}", pacer.pace);
        }
    }

    #[test]
    fn a_slow_tick_is_cut_short_and_missed_ticks_are_not_made_up_for() {
        let (mut pacer, mut step) = (Pacer::new(Duration::ZERO), 0);
        pacer.pace = Pace::USUAL.faster(6);
        // 25 ms per batch: the third batch ends after the limit.
        assert_eq!(tick(&mut pacer, &mut step, Duration::ZERO, Duration::from_millis(25)), 12);
        pacer.pace = Pace::USUAL;
        let late = Duration::from_secs(3);
        assert_eq!(tick(&mut pacer, &mut step, late, Duration::ZERO), 1);
        assert_eq!(pacer.next_due(late), Some(late), "at most one tick is made up for");
        assert_eq!(tick(&mut pacer, &mut step, late, Duration::ZERO), 1);
        assert_eq!(tick(&mut pacer, &mut step, late, Duration::ZERO), 0);
        assert_eq!(pacer.next_due(late), Some(late + TICK));
    }

    #[test]
    fn a_pause_plays_only_requested_steps() {
        let (mut pacer, mut step) = (Pacer::new(Duration::ZERO), 0);
        pacer.set_paused(true, Duration::ZERO);
        assert!(pacer.is_idle() && pacer.next_due(Duration::ZERO).is_none());
        assert_eq!(tick(&mut pacer, &mut step, TICK, Duration::ZERO), 0);
        pacer.requested += 3;
        assert!(!pacer.is_idle());
        assert_eq!(tick(&mut pacer, &mut step, 2 * TICK, Duration::ZERO), 3);
        assert!(pacer.is_idle());
        assert_eq!(pacer.steps_a_second(3 * TICK), 0.0);
    }

    #[test]
    fn steps_requested_in_a_pause_wait_for_a_busy_device() {
        let mut pacer = Pacer::new(Duration::ZERO);
        pacer.set_paused(true, Duration::ZERO);
        pacer.requested = 2;
        pacer.begin_tick(TICK);
        assert_eq!(pacer.batch(TICK, 0, 0), 0, "no room");
        let late = TICK + MAX_TICK;
        assert_eq!(pacer.batch(late, 0, u64::MAX), 0, "the tick is over");
        assert!(!pacer.is_idle());
        let mut step = 0;
        assert_eq!(tick(&mut pacer, &mut step, late, Duration::ZERO), 2);
        assert!(pacer.is_idle());
    }

    #[test]
    fn a_run_pauses_at_the_step_that_was_set() {
        let (mut pacer, mut step) = (Pacer::new(Duration::ZERO), 0);
        pacer.pace = Pace::USUAL.faster(3);
        pacer.pause_at = Some(11);
        assert_eq!(tick(&mut pacer, &mut step, Duration::ZERO, Duration::ZERO), 8);
        assert_eq!(tick(&mut pacer, &mut step, TICK, Duration::ZERO), 3);
        assert!(pacer.is_idle());
        pacer.set_paused(false, TICK);
        assert_eq!(tick(&mut pacer, &mut step, 2 * TICK, Duration::ZERO), 8);
    }

    #[test]
    fn the_rate_is_that_of_the_last_half_second() {
        let mut rate = StepRate::new(Duration::ZERO);
        rate.count(10, Duration::from_millis(100));
        assert_eq!(rate.rate(Duration::from_millis(100)), 100.0);
        rate.count(20, Duration::from_millis(600));
        assert_eq!(rate.rate(Duration::from_millis(900)), 50.0);
    }
}
