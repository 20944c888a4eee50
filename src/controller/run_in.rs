//! Plays the run-in of a scene: the steps before step 0. They are played as fast as possible, even in a pause, and
//! snapshots show them. Commands about the swarm wait for step 0, so that they cannot change the run-in.

use super::pace::MAX_TICK;
use super::{Command, Controller};
use murmuration_core::ticket::Patience;
use std::time::Duration;

/// The maximum number of steps that the CPU plays before the clock is read again.
const STEPS_PER_BATCH: u64 = 4;
/// The maximum number of steps that are given to a device at once. The device may accept only a part of them.
const STEPS_ON_DEVICE: u64 = 64;
/// The time between two snapshots of the run-in. Snapshots slow the steps down.
const BETWEEN_SNAPSHOTS: Duration = Duration::from_secs(1);

/// The state of the run-in.
#[derive(Debug, Default)]
pub struct RunIn {
    /// The commands that wait for step 0.
    pub waiting: Vec<Command>,
    /// Whether the run-in cannot continue after a failure.
    pub has_failed: bool,
    /// The time at which the last snapshot was due.
    shown: Duration,
}

impl Controller {
    /// Plays steps of the run-in for the time of a tick, or until the device has no room for more steps. At the end of
    /// the run-in the scene begins at step 0, and the waiting commands are handled.
    pub(super) fn tick_run_in(&mut self) {
        let began = (self.clock)();
        let most = if self.simulation.gpu().is_some() { STEPS_ON_DEVICE } else { STEPS_PER_BATCH };
        self.has_room = true;
        while self.has_room && !self.run_in.has_failed {
            let Some(before) = self.simulation.run_in() else { break };
            if let Err(failure) = self.simulation.play_run_in(most, Patience::Poll) {
                self.run_in.has_failed = true;
                self.fail(&failure);
            }
            self.has_room = self.simulation.run_in().is_none_or(|now| now.played > before.played);
            let now = (self.clock)();
            if now.saturating_sub(self.run_in.shown) >= BETWEEN_SNAPSHOTS {
                (self.run_in.shown, self.is_changed) = (now, true);
            }
            if now.saturating_sub(began) >= MAX_TICK {
                break;
            }
        }
        if self.simulation.run_in().is_none() {
            self.begin_at_step_0();
        }
    }

    fn begin_at_step_0(&mut self) {
        self.is_changed = true;
        self.readings.begin_anew();
        self.begin_pane();
        self.pacer.restart_rate((self.clock)());
        let waiting = std::mem::take(&mut self.run_in.waiting);
        self.handle(waiting);
    }
}
