//! Times that can be believed: contestants warm up, then take turns, round after round, so that whatever else the machine
//! does falls on all of them alike.

use crate::error::Failure;

/// Medians and extremes of repeated measurements, all in the same unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// `None` where nothing was measured.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = match sorted.len() % 2 {
            0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
            _ => sorted[middle],
        };
        Some(Self { median, least, most })
    }
}

/// How thoroughly to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplingPlan {
    /// Repetitions of each contestant.
    pub rounds: usize,
    /// The seconds that a repetition should take.
    pub seconds: f64,
    /// Bytes of each of the two arrays between which is copied: many times what a cache holds.
    pub copied: usize,
}

impl SamplingPlan {
    pub const QUICK: Self = Self { rounds: 3, seconds: 0.03, copied: 64 << 20 };
    pub const USUAL: Self = Self { rounds: 7, seconds: 0.15, copied: 256 << 20 };
    pub const THOROUGH: Self = Self { rounds: 9, seconds: 0.3, copied: 256 << 20 };
}

/// What came of one contestant.
#[derive(Debug, Default)]
pub struct Times {
    /// Steps of a repetition.
    pub steps: u64,
    /// Seconds a step, of each repetition.
    pub seconds: Vec<f64>,
    /// Why it went no further.
    pub failed: Option<Failure>,
}

/// Several contestants who take turns.
pub struct InterleavedRuns<'a> {
    /// The most steps of a repetition, by contestant.
    pub most: &'a [u64],
    pub effort: SamplingPlan,
    /// Plays so many steps of a contestant; the seconds that they took.
    pub play: &'a mut dyn FnMut(usize, u64) -> Result<f64, Failure>,
    /// Hears of every turn, warm-ups too; whether to go on.
    pub go_on: &'a mut dyn FnMut() -> bool,
}

impl InterleavedRuns<'_> {
    /// Warms all up, and lets them take turns. Where it has to end early, what is measured by then is kept.
    pub fn run(mut self) -> Vec<Times> {
        let mut times: Vec<Times> = self.most.iter().map(|_| Times::default()).collect();
        for (contestant, times) in times.iter_mut().enumerate() {
            match self.warm_up(contestant) {
                Ok(steps) => times.steps = steps,
                Err(failure) => times.failed = Some(failure),
            }
        }
        for contestant in turns(self.effort.rounds, times.len()) {
            let times = &mut times[contestant];
            if times.failed.is_some() {
                continue;
            }
            if !(self.go_on)() {
                break;
            }
            match (self.play)(contestant, times.steps) {
                Ok(seconds) => times.seconds.push(seconds / times.steps as f64),
                Err(failure) => times.failed = Some(failure),
            }
        }
        times
    }

    /// Plays until a repetition takes long enough; how many steps that is.
    fn warm_up(&mut self, contestant: usize) -> Result<u64, Failure> {
        let most = self.most[contestant].max(1);
        let mut steps = 1;
        if (self.go_on)() {
            // The very first one pays for what is made only once.
            (self.play)(contestant, 1)?;
        }
        while (self.go_on)() {
            let seconds = (self.play)(contestant, steps)?;
            let wanted = (self.effort.seconds / seconds.max(1e-9) * steps as f64).ceil() as u64;
            if seconds >= self.effort.seconds / 3.0 || steps == most {
                return Ok(wanted.clamp(1, most));
            }
            steps = wanted.clamp(steps + 1, 10 * steps).min(most);
        }
        Ok(steps)
    }
}

/// Whose turn it is: forward and backward, so that a machine that slows down slows nobody more than others.
fn turns(rounds: usize, count: usize) -> impl Iterator<Item = usize> {
    let round =
        move |round: usize| (0..count).map(move |turn| if round.is_multiple_of(2) { turn } else { count - 1 - turn });
    (0..rounds).flat_map(round)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: SamplingPlan = SamplingPlan { rounds: 4, seconds: 1.0, copied: 0 };

    #[test]
    fn a_spread_is_the_median_between_the_extremes() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[3.0]), Some(Spread { median: 3.0, least: 3.0, most: 3.0 }));
        assert_eq!(Spread::of(&[9.0, 1.0, 2.0]), Some(Spread { median: 2.0, least: 1.0, most: 9.0 }));
        assert_eq!(Spread::of(&[4.0, 1.0, 2.0, 90.0]), Some(Spread { median: 3.0, least: 1.0, most: 90.0 }));
    }

    /// Contestants whose steps take these seconds; the turns that they took.
    fn contest(steps: &[f64], most: u64, mut turns_left: usize) -> (Vec<Times>, Vec<(usize, u64)>) {
        let mut turns = Vec::new();
        let mut play = |contestant: usize, count: u64| {
            turns.push((contestant, count));
            match steps[contestant] {
                seconds if seconds < 0.0 => Err(Failure::Device("it broke".into())),
                seconds => Ok(seconds * count as f64),
            }
        };
        let mut go_on = || {
            turns_left = turns_left.saturating_sub(1);
            turns_left > 0
        };
        let most = vec![most; steps.len()];
        let times = InterleavedRuns { most: &most, effort: EFFORT, play: &mut play, go_on: &mut go_on }.run();
        (times, turns)
    }

    #[test]
    fn contestants_take_turns_forward_and_backward() {
        let (times, turns) = contest(&[0.5, 0.25, 2.0], 1000, usize::MAX);
        assert_eq!(times.iter().map(|times| times.steps).collect::<Vec<_>>(), [2, 4, 1]);
        assert_eq!(times[1].seconds, [0.25; 4]);
        let measured = &turns[turns.len() - 12..];
        let forward = [(0, 2), (1, 4), (2, 1)];
        assert_eq!(measured[..3], forward);
        assert_eq!(measured[3..6], [forward[2], forward[1], forward[0]]);
        assert_eq!(measured[6..9], forward);
    }

    #[test]
    fn a_repetition_is_as_long_as_it_should_be_and_no_longer_than_it_may() {
        let (times, _) = contest(&[1e-4], 1 << 20, usize::MAX);
        assert!((9_999..=10_001).contains(&times[0].steps), "{}", times[0].steps);
        assert_eq!(contest(&[1e-4], 32, usize::MAX).0[0].steps, 32);
        assert_eq!(contest(&[1e9], 32, usize::MAX).0[0].steps, 1);
    }

    #[test]
    fn who_fails_keeps_nobody_else_from_going_on() {
        let (times, _) = contest(&[-1.0, 0.5], 1000, usize::MAX);
        assert!(times[0].failed.is_some() && times[0].seconds.is_empty());
        assert_eq!(times[1].seconds, [0.5; 4]);
    }

    #[test]
    fn what_was_measured_before_an_interruption_is_kept() {
        let (all, turns) = contest(&[0.5, 0.5], 1000, usize::MAX);
        assert_eq!(all[1].seconds.len(), 4);
        let (some, fewer) = contest(&[0.5, 0.5], 1000, turns.len() - 3);
        assert!(fewer.len() < turns.len());
        let counts = [some[0].seconds.len(), some[1].seconds.len()];
        assert!(counts.iter().sum::<usize>() < 8 && counts[0] >= 1 && counts[0].abs_diff(counts[1]) <= 1, "{counts:?}");
    }
}
