//! A round: a minute to catch as many boids as possible.
//!
//! The minute is counted in steps, so that every machine plays the same number of them.

use super::{Facts, Snapshot};
use crate::numbers::BOID;

/// Steps of a round.
pub const STEPS: u64 = 60 * STEPS_A_SECOND;
/// Steps that count as a second.
pub const STEPS_A_SECOND: u64 = 60;

/// What a person sees of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundState {
    /// `left` in steps, `score` in boids caught.
    Running { left: u64, score: u64 },
    /// The best score is that of the rounds before.
    Over { score: u64, best: Option<u64> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The command with this number begins it; until then the scene has this number.
    Requested {
        command: u64,
        before: u64,
    },
    /// It runs in the scene with this number.
    Running {
        scene: u64,
        left: u64,
        score: u64,
    },
    Over {
        score: u64,
        best: Option<u64>,
    },
}

/// The current round, if any.
#[derive(Debug, Default)]
pub struct Round {
    stage: Option<Stage>,
    /// The name under which the score is kept, and the best score so far.
    name: Option<String>,
    best: Option<u64>,
}

impl Round {
    /// The name under which scores of a scene are kept: its preset, and its size if that is not the preset's. `None` if
    /// numbers of the preset were changed.
    pub fn score_name(facts: &Facts) -> Option<String> {
        let size = facts.overrides.size.map_or(String::new(), |(width, height)| format!(" {width}x{height}"));
        (facts.overrides.set.is_empty() && facts.has_own_chain).then(|| facts.named.clone() + &size)
    }

    /// The command with this number begins a round after the scene of `before`. Without a name its score is not kept.
    pub fn begin(&mut self, command: u64, before: &Snapshot, name: Option<String>, best: Option<u64>) {
        *self = Self { stage: Some(Stage::Requested { command, before: before.scene }), name, best };
    }

    /// Whether a round was requested and is not over.
    pub fn is_on(&self) -> bool {
        matches!(self.stage, Some(Stage::Requested { .. } | Stage::Running { .. }))
    }

    /// Ends the round without a score.
    pub fn cancel(&mut self) {
        self.stage = None;
    }

    /// Follows the simulation. Returns a new best score to be kept, with its name.
    pub fn update(&mut self, snapshot: &Snapshot) -> Option<(String, u64)> {
        let score = snapshot.account.ledger.caught / u64::from(BOID);
        self.stage = match self.stage {
            Some(Stage::Requested { command, .. }) if snapshot.commands < command => self.stage,
            // The scene could not be begun.
            Some(Stage::Requested { before, .. }) if snapshot.scene == before => None,
            // Something else has begun the scene anew, for example a changed file.
            Some(Stage::Running { scene, .. }) if snapshot.scene != scene => None,
            Some(Stage::Requested { .. } | Stage::Running { .. }) if snapshot.step < STEPS => {
                Some(Stage::Running { scene: snapshot.scene, left: STEPS - snapshot.step, score })
            }
            Some(Stage::Requested { .. } | Stage::Running { .. }) => {
                let best = self.best;
                self.stage = Some(Stage::Over { score, best });
                return self.name.take().filter(|_| best.is_none_or(|best| score > best)).map(|name| (name, score));
            }
            // The result stays in view until the next step.
            Some(Stage::Over { .. }) if snapshot.step == STEPS => self.stage,
            _ => None,
        };
        None
    }

    pub fn state(&self) -> Option<RoundState> {
        match self.stage? {
            Stage::Requested { .. } => None,
            Stage::Running { left, score, .. } => Some(RoundState::Running { left, score }),
            Stage::Over { score, best } => Some(RoundState::Over { score, best }),
        }
    }

    /// The best score of earlier rounds.
    pub fn best(&self) -> Option<u64> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::testing::{Stage as TestStage, scene};

    /// A snapshot at a step of a scene, with this many boids caught.
    fn at(first: &Snapshot, scene: u64, step: u64, boids: u64) -> Snapshot {
        let mut snapshot = Snapshot { scene, step, commands: 1, ..first.clone() };
        snapshot.account.ledger.caught = boids * u64::from(BOID);
        snapshot
    }

    fn first() -> Snapshot {
        TestStage::new(scene("droplets", 32)).controller.snapshot().unwrap()
    }

    #[test]
    fn a_round_counts_down_and_its_best_score_is_kept() {
        let first = first();
        for (best, is_kept) in [(None, true), (Some(6), true), (Some(7), false)] {
            let mut round = Round::default();
            round.begin(1, &first, Some("droplets".into()), best);
            assert_eq!((round.update(&first), round.state(), round.is_on()), (None, None, true));
            assert_eq!(round.update(&at(&first, 1, 10, 2)), None);
            assert_eq!(round.state(), Some(RoundState::Running { left: STEPS - 10, score: 2 }));
            let kept = round.update(&at(&first, 1, STEPS, 7));
            assert_eq!(kept, is_kept.then(|| ("droplets".into(), 7)));
            assert_eq!((round.state(), round.is_on()), (Some(RoundState::Over { score: 7, best }), false));
            assert_eq!(round.update(&at(&first, 1, STEPS, 7)), None, "a score is kept once");
            round.update(&at(&first, 1, STEPS + 1, 7));
            assert_eq!(round.state(), None);
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
        let facts = (*first().facts).clone();
        assert_eq!(Round::score_name(&facts).as_deref(), Some("droplets 32x32"));
        let mut changed = facts.clone();
        changed.overrides.set.push("weights.cohesion=1".into());
        assert_eq!(Round::score_name(&changed), None);
        assert_eq!(Round::score_name(&Facts { has_own_chain: false, ..facts }), None);
    }
}
