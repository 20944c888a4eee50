//! Reliable timing. Several runs are warmed up, and then repeated alternately, so that other load on the machine
//! affects all runs equally.

use murmuration_core::error::Failure;
use serde::Serialize;

/// The median, the minimum and the maximum of repeated measurements, all in the unit of the measurements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// The spread of samples; `None` without samples.
    pub fn new(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let (below, above) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        Some(Self { median: (below + above) / 2.0, least, most })
    }
}

/// The number and the length of the repetitions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplingPlan {
    /// The number of repetitions of each run.
    pub rounds: usize,
    /// The wanted time of a repetition, in seconds.
    pub seconds: f64,
    /// The number of bytes of each of the two arrays of the copy benchmark. It is many times the size of a cache.
    pub copied: usize,
}

impl SamplingPlan {
    pub const QUICK: Self = Self { rounds: 3, seconds: 0.03, copied: 64 << 20 };
    pub const USUAL: Self = Self { rounds: 7, seconds: 0.15, copied: 256 << 20 };
    pub const THOROUGH: Self = Self { rounds: 9, seconds: 0.3, copied: 256 << 20 };
}

/// The times of one run.
#[derive(Debug, Default)]
pub struct Times {
    /// The number of steps of a repetition.
    pub steps: u64,
    /// The seconds per step in each repetition.
    pub seconds: Vec<f64>,
    /// The failure that ended the run.
    pub failed: Option<Failure>,
}

/// For each repetition and warm-up: the kernels of the passes of a step or a picture, and the seconds that each pass
/// takes.
#[derive(Default)]
pub struct PassTimes(pub Vec<Vec<(String, f64)>>);

impl PassTimes {
    /// The median of each pass over the last `rounds` repetitions. Warm-ups are left out, because a driver may still
    /// compile during them.
    pub fn medians(&self, rounds: usize) -> Vec<(String, f64)> {
        let warm = &self.0[self.0.len().saturating_sub(rounds)..];
        let median = |(index, (kernel, _)): (usize, &(String, f64))| {
            let seconds: Vec<f64> = warm.iter().filter_map(|passes| Some(passes.get(index)?.1)).collect();
            Some((kernel.clone(), Spread::new(&seconds)?.median))
        };
        warm.last().into_iter().flatten().enumerate().filter_map(median).collect()
    }
}

/// Warms several runs up, and repeats them alternately. `most_steps`: the maximum number of steps of a repetition of
/// each run. `play`: plays a number of steps of the run with an index, and returns the time in seconds. `go_on` is
/// called before each turn, also of a warm-up. If it returns `false`, the times until then are returned.
pub fn interleave(
    most_steps: &[u64],
    sampling: SamplingPlan,
    play: &mut dyn FnMut(usize, u64) -> Result<f64, Failure>,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Times> {
    let mut times: Vec<Times> = Vec::new();
    for (run, most) in most_steps.iter().enumerate() {
        let steps = warm_up(*most, sampling.seconds, &mut |steps| play(run, steps), go_on);
        times.push(match steps {
            Ok(steps) => Times { steps, ..Times::default() },
            Err(failure) => Times { failed: Some(failure), ..Times::default() },
        });
    }
    for run in turns(sampling.rounds, times.len()) {
        let times = &mut times[run];
        if times.failed.is_some() {
            continue;
        }
        if !go_on() {
            break;
        }
        match play(run, times.steps) {
            Ok(seconds) => times.seconds.push(seconds / times.steps as f64),
            Err(failure) => times.failed = Some(failure),
        }
    }
    times
}

/// Plays more and more steps until their time is long enough. Returns the number of steps of a repetition. `most`: its
/// maximum. `seconds`: the wanted time of a repetition.
fn warm_up(
    most: u64,
    seconds: f64,
    play: &mut dyn FnMut(u64) -> Result<f64, Failure>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<u64, Failure> {
    let (most, mut steps) = (most.max(1), 1);
    if go_on() {
        // The first step includes costs that occur only once.
        play(1)?;
    }
    while go_on() {
        let taken = play(steps)?;
        let wanted = (seconds / taken.max(1e-9) * steps as f64).ceil() as u64;
        if taken >= seconds / 3.0 || steps == most {
            return Ok(wanted.clamp(1, most));
        }
        steps = wanted.clamp(steps + 1, 10 * steps).min(most);
    }
    Ok(steps)
}

/// The indices of the runs in the order of their turns. The order of each round is reversed in the next round, so that
/// a gradual slowdown of the machine affects all runs equally.
fn turns(rounds: usize, count: usize) -> impl Iterator<Item = usize> {
    let round =
        move |round: usize| (0..count).map(move |turn| if round.is_multiple_of(2) { turn } else { count - 1 - turn });
    (0..rounds).flat_map(round)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLING: SamplingPlan = SamplingPlan { rounds: 4, seconds: 1.0, copied: 0 };

    #[test]
    fn a_spread_is_the_median_between_the_extremes() {
        assert_eq!(Spread::new(&[]), None);
        assert_eq!(Spread::new(&[3.0]), Some(Spread { median: 3.0, least: 3.0, most: 3.0 }));
        assert_eq!(Spread::new(&[9.0, 1.0, 2.0]), Some(Spread { median: 2.0, least: 1.0, most: 9.0 }));
        assert_eq!(Spread::new(&[4.0, 1.0, 2.0, 90.0]), Some(Spread { median: 3.0, least: 1.0, most: 90.0 }));
    }

    /// The times of runs, and the calls of `play` (run, steps). `steps`: the seconds that a step of each run takes.
    /// A negative number makes the run fail.
    fn interleaved(steps: &[f64], most: u64, mut turns_left: usize) -> (Vec<Times>, Vec<(usize, u64)>) {
        let mut turns = Vec::new();
        let mut play = |run: usize, count: u64| {
            turns.push((run, count));
            match steps[run] {
                seconds if seconds < 0.0 => Err(Failure::Device("it broke".into())),
                seconds => Ok(seconds * count as f64),
            }
        };
        let mut go_on = || {
            turns_left = turns_left.saturating_sub(1);
            turns_left > 0
        };
        let most = vec![most; steps.len()];
        (interleave(&most, SAMPLING, &mut play, &mut go_on), turns)
    }

    #[test]
    fn runs_take_turns_forward_and_backward() {
        let (times, turns) = interleaved(&[0.5, 0.25, 2.0], 1000, usize::MAX);
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
        let (times, _) = interleaved(&[1e-4], 1 << 20, usize::MAX);
        assert!((9_999..=10_001).contains(&times[0].steps), "{}", times[0].steps);
        assert_eq!(interleaved(&[1e-4], 32, usize::MAX).0[0].steps, 32);
        assert_eq!(interleaved(&[1e9], 32, usize::MAX).0[0].steps, 1);
    }

    #[test]
    fn who_fails_keeps_nobody_else_from_going_on() {
        let (times, _) = interleaved(&[-1.0, 0.5], 1000, usize::MAX);
        assert!(times[0].failed.is_some() && times[0].seconds.is_empty());
        assert_eq!(times[1].seconds, [0.5; 4]);
    }

    #[test]
    fn what_was_measured_before_an_interruption_is_kept() {
        let (all, turns) = interleaved(&[0.5, 0.5], 1000, usize::MAX);
        assert_eq!(all[1].seconds.len(), 4);
        let (some, fewer) = interleaved(&[0.5, 0.5], 1000, turns.len() - 3);
        assert!(fewer.len() < turns.len());
        let counts = [some[0].seconds.len(), some[1].seconds.len()];
        assert!(counts.iter().sum::<usize>() < 8 && counts[0] >= 1 && counts[0].abs_diff(counts[1]) <= 1, "{counts:?}");
    }
}
