//! A round of the game, in which the user has a minute to catch many boids. The minute is a fixed number of steps, so
//! that a round has the same number of steps on every machine.

use super::{SceneInfo, Snapshot};
use murmuration_core::numbers::BOID;
use murmuration_core::state::Entry;

/// The number of steps of a round.
pub const STEPS: u64 = 60 * STEPS_A_SECOND;
/// The number of steps that count as a second.
pub const STEPS_A_SECOND: u64 = 60;

/// The state of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundState {
    /// The round begins when the command with the number `command` is handled. The scene before it has the number
    /// `before`.
    Requested { command: u64, before: u64 },
    /// The round runs in the scene with the number `scene`. `left`: the steps that are left. `score`: the boids caught.
    Running { scene: u64, left: u64, score: u64 },
    /// The round is over. `score`: the boids caught. `best`: the best score of earlier rounds, if there is one.
    Over { score: u64, best: Option<u64> },
}

/// The current round, if the user plays one, and its best score.
#[derive(Debug, Default)]
pub struct Round {
    pub state: Option<RoundState>,
    /// The name under which the score is stored.
    name: Option<String>,
    /// The best score of earlier rounds under this name, in boids.
    pub best: Option<u64>,
}

impl Round {
    /// The name under which scores of a scene are stored: the name of its preset, and its size if the size was changed.
    /// `None` if keys or the chain of the preset were changed.
    pub fn score_name(info: &SceneInfo) -> Option<String> {
        let size = info.overrides.written_size().map_or(String::new(), |size| format!(" {size}"));
        (info.overrides.set.is_empty() && info.has_own_chain).then(|| info.named.clone() + &size)
    }

    /// Requests a round. `command`: the number of the command that begins it. `before`: a snapshot of the present
    /// scene. `name`: see [`Self::score_name`]. Without a name the score is not stored.
    pub fn begin(&mut self, command: u64, before: &Snapshot, name: Option<String>, best: Option<u64>) {
        *self = Self { state: Some(RoundState::Requested { command, before: before.scene }), name, best };
    }

    /// Whether a round was requested or runs.
    pub fn is_on(&self) -> bool {
        matches!(self.state, Some(RoundState::Requested { .. } | RoundState::Running { .. }))
    }

    /// Ends the round without a score.
    pub fn cancel(&mut self) {
        self.state = None;
    }

    /// Updates the state of the round from a snapshot. At the end of a round with a new best score, returns the name
    /// under which the score is stored, and the score.
    pub fn update(&mut self, snapshot: &Snapshot) -> Option<(String, u64)> {
        let score = snapshot.account.ledger.sum(Entry::Caught) / u64::from(BOID);
        self.state = match self.state {
            Some(RoundState::Requested { command, .. }) if snapshot.commands < command => self.state,
            // The command was handled, but the scene could not be started.
            Some(RoundState::Requested { before, .. }) if snapshot.scene == before => None,
            // The scene was restarted for another reason, for example a changed file.
            Some(RoundState::Running { scene, .. }) if snapshot.scene != scene => None,
            // The account of the last step may arrive later than the step.
            Some(RoundState::Requested { .. } | RoundState::Running { .. })
                if snapshot.step < STEPS || snapshot.account.step < STEPS =>
            {
                Some(RoundState::Running { scene: snapshot.scene, left: STEPS.saturating_sub(snapshot.step), score })
            }
            Some(RoundState::Requested { .. } | RoundState::Running { .. }) => {
                let best = self.best;
                self.state = Some(RoundState::Over { score, best });
                return self.name.take().filter(|_| best.is_none_or(|best| score > best)).map(|name| (name, score));
            }
            // The result stays in view until the next step.
            Some(RoundState::Over { .. }) if snapshot.step == STEPS => self.state,
            _ => None,
        };
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{Stage, scene};

    /// A snapshot at a step of a scene, with this number of boids caught.
    fn at(first: &Snapshot, scene: u64, step: u64, boids: u64) -> Snapshot {
        let mut snapshot = Snapshot { scene, step, commands: 1, ..first.clone() };
        snapshot.account.step = step;
        snapshot.account.ledger[Entry::Caught][0] = boids * u64::from(BOID);
        snapshot
    }

    fn first() -> Snapshot {
        Stage::new(scene("droplets", 32)).controller.snapshot().unwrap()
    }

    #[test]
    fn a_round_counts_down_and_its_best_score_is_kept() {
        let first = first();
        for (best, is_kept) in [(None, true), (Some(6), true), (Some(7), false)] {
            let mut round = Round::default();
            round.begin(1, &first, Some("droplets".into()), best);
            let requested = RoundState::Requested { command: 1, before: 0 };
            assert_eq!((round.update(&first), round.state, round.is_on()), (None, Some(requested), true));
            assert_eq!(round.update(&at(&first, 1, 10, 2)), None);
            assert_eq!(round.state, Some(RoundState::Running { scene: 1, left: STEPS - 10, score: 2 }));
            let kept = round.update(&at(&first, 1, STEPS, 7));
            assert_eq!(kept, is_kept.then(|| ("droplets".into(), 7)));
            assert_eq!((round.state, round.is_on()), (Some(RoundState::Over { score: 7, best }), false));
            assert_eq!(round.update(&at(&first, 1, STEPS, 7)), None, "a score is kept once");
            round.update(&at(&first, 1, STEPS + 1, 7));
            assert_eq!(round.state, None);
        }
    }

    #[test]
    fn a_round_ends_with_its_scene() {
        let first = first();
        let mut round = Round::default();
        round.begin(1, &first, None, None);
        round.update(&at(&first, 0, 3, 0));
        assert!(!round.is_on(), "the scene could not be begun");
        round.begin(1, &first, None, None);
        round.update(&at(&first, 1, 3, 0));
        assert!(round.is_on());
        round.update(&at(&first, 2, 1, 0));
        assert!(!round.is_on(), "another scene has begun");
        round.begin(1, &first, None, None);
        round.cancel();
        assert!(!round.is_on());
    }

    #[test]
    fn a_score_has_a_name_if_the_preset_is_as_written() {
        let info = (*first().info).clone();
        assert_eq!(Round::score_name(&info).as_deref(), Some("droplets 32x32"));
        let mut changed = info.clone();
        changed.overrides.set.push("weights.cohesion=1".into());
        assert_eq!(Round::score_name(&changed), None);
        assert_eq!(Round::score_name(&SceneInfo { has_own_chain: false, ..info }), None);
    }
}
