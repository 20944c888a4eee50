//! The loop that plays steps on a GPU. It uploads the parameters of steps, and encodes, submits and measures the steps.
//! Several short steps become one submission. A long step becomes several submissions, cut between its passes.

use super::Gpu;
use super::program::buffer;
use super::stopwatch::Stopwatch;
use murmuration_core::engine::{Progress, Stop, is_wanted};
use murmuration_core::error::Failure;
use murmuration_core::ticket::{Patience, Ticket};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The maximum number of steps in one submission. The buffer of parameters has room for this number of steps.
const MAX_STEPS: usize = 64;
/// The maximum work in one submission, in cell updates. (A single pass with more work is not cut.) A slow GPU makes 3 ·
/// 10^8 updates a second, and drivers abort a submission that takes two seconds. A fast GPU makes 10^10 updates a
/// second, and submissions of about 10 ms are long enough for its full speed.
pub(super) const WORK_PER_SUBMISSION: u64 = 1 << 27;
/// The distance from one set of parameters to the next in a buffer, in bytes. It is the size of `P`, rounded up to a
/// multiple of 256, because WebGPU requires this of dynamic offsets.
pub const fn stride_of<P>() -> usize {
    size_of::<P>().next_multiple_of(256)
}

/// The bytes of several sets of parameters. The beginnings of two sets are [`stride_of`] bytes apart.
pub fn parameter_bytes<P: bytemuck::NoUninit>(sets: impl Iterator<Item = P>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for parameters in sets {
        bytes.extend_from_slice(bytemuck::bytes_of(&parameters));
        bytes.resize(bytes.len().next_multiple_of(stride_of::<P>()), 0);
    }
    bytes
}

/// The maximum number of submissions that are not done: one runs on the device, and one follows it without a gap. With
/// more submissions, requested values and stops would take longer.
const MAX_IN_FLIGHT: usize = 2;
/// The maximum time of a submission with one step or a part of a step. After a longer submission, [`Limits::part`] is
/// reduced.
const MAX_DURATION: Duration = Duration::from_millis(250);
/// The maximum time of a submission with several steps. It is less than [`MAX_DURATION`], so that a window can draw its
/// pictures between submissions. After a longer submission, [`Limits::joined`] is reduced.
const MAX_JOINED_DURATION: Duration = Duration::from_millis(30);

/// An engine that encodes the passes of its steps for a [`Player`].
pub trait StepEncoder {
    /// Encodes some passes of the present step. `offset`: the place of the step's parameters in their buffer, in bytes.
    /// `stopwatch`: measures the passes; `None`: they are not measured.
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        passes: Range<usize>,
        offset: u32,
        stopwatch: Option<&Stopwatch>,
    );

    /// The number of passes at the beginning of the present step that do not overwrite the state before the step. As
    /// long as only these have run, the step can be undone.
    fn passes_before_change(&self) -> usize;

    /// Encodes commands that copy the data that even the first [`Self::passes_before_change`] passes change, such as
    /// the account. If `is_back`, the commands restore the data from the copy.
    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool);

    /// Called after each submission of whole steps, with the number of steps that were submitted in this call of
    /// [`Player::play`]. The player still has exclusive access to the device, so pictures never show a half step.
    fn submitted(&mut self, _played: usize) {}
}

/// Plays the steps of one engine. It has the buffer with the parameters of a submission's steps.
pub struct Player {
    gpu: Arc<Gpu>,
    parameters: wgpu::Buffer,
    /// The number of sets of parameters of a step, such as one for each layer.
    each: usize,
    /// The distance from one set of parameters to the next, in bytes.
    stride: usize,
    /// Measures the time of each pass in the last step of a submission.
    stopwatch: Stopwatch,
    /// The work of each pass of a step, in cell updates.
    work: Vec<u64>,
    schedule: Schedule,
    limits: Limits,
    /// The submissions that are not done, the oldest first.
    under_way: VecDeque<Submission>,
}

/// A submission that is not done.
struct Submission {
    /// The index with which to wait for the submission. `None`: its commands were joined to a batch.
    index: Option<wgpu::SubmissionIndex>,
    /// The work of the submission, in cell updates.
    work: u64,
    /// The duration of the submission, once it is done. Without a clock it is 0.
    took: Arc<OnceLock<Duration>>,
}

/// Limits of the work in one submission, in cell updates. They adapt to the speed of the device. So a submission takes
/// at most [`MAX_JOINED_DURATION`] if it has several steps, otherwise at most [`MAX_DURATION`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    /// The limit for one step or a part of a step.
    part: u64,
    /// The limit for several steps together.
    joined: u64,
    /// The maximum of both limits.
    most: u64,
}

impl Limits {
    fn new(most: u64) -> Self {
        Self { part: most, joined: most, most }
    }

    /// The limits for the next submission. `work`, `took`: the work of the last submission, in cell updates, and its
    /// time.
    fn adapted(self, work: u64, took: Duration) -> Self {
        let limit = |now, longest| adapted(now, self.most, work, took, longest);
        Self { part: limit(self.part, MAX_DURATION), joined: limit(self.joined, MAX_JOINED_DURATION), ..self }
    }
}

/// The division of steps into submissions: several steps in one, or one step in several.
#[derive(Debug, PartialEq, Eq)]
struct Schedule {
    /// The number of steps in one submission.
    steps: usize,
    /// The passes of a step in each submission. There are several ranges only if a step is too long for one submission.
    parts: Vec<Range<usize>>,
}

impl Player {
    /// Makes a player. `work`: the work of each pass of a step, in cell updates. `each`: the number of sets of
    /// parameters of a step. `stride`: the distance from one set to the next, in bytes (see [`stride_of`]).
    pub fn new(gpu: Arc<Gpu>, work: Vec<u64>, each: usize, stride: usize) -> Self {
        let limits = Limits::new(WORK_PER_SUBMISSION);
        let schedule = Schedule::new(&work, limits);
        let size = (stride * MAX_STEPS * each) as u64;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let parameters = buffer(&gpu.device, "parameters", size, usage);
        let stopwatch = Stopwatch::new(&gpu.device, gpu.queue(), work.len());
        Self { gpu, parameters, each, stride, stopwatch, work, schedule, limits, under_way: VecDeque::new() }
    }

    /// Sets the work of each pass, in cell updates. The number of passes must stay the same.
    pub fn set_work(&mut self, work: Vec<u64>) {
        if self.work != work {
            self.schedule = Schedule::new(&work, self.limits);
            self.work = work;
        }
    }

    /// Sets the maximum work in one submission, in cell updates.
    pub fn set_work_per_submission(&mut self, most: u64) {
        self.limits = Limits::new(most);
        self.schedule = Schedule::new(&self.work, self.limits);
    }

    pub fn parameters(&self) -> &wgpu::Buffer {
        &self.parameters
    }

    /// Plays a step for each group of `each` sets of parameters in `steps`. Ends earlier if the queue is full or `stop`
    /// asks for it. A step that is cut into several submissions is undone if a stop is asked for before its passes
    /// overwrite the state before the step.
    ///
    /// # Errors
    /// If the device fails.
    pub fn play<P: bytemuck::NoUninit>(
        &mut self,
        steps: &[P],
        stop: Stop<'_>,
        engine: &mut impl StepEncoder,
    ) -> Result<Progress, Failure> {
        assert_eq!(stride_of::<P>(), self.stride, "each step has its own place");
        let (each, mut played) = (self.each, 0);
        let all = steps.len() / each;
        let mut is_stopped = false;
        while played < all {
            is_stopped = is_wanted(stop);
            if is_stopped || !self.has_queue_space()? {
                break;
            }
            let count = self.schedule.steps.min(all - played);
            let words = parameter_bytes(steps[played * each..(played + count) * each].iter().copied());
            self.gpu.write_parameters(&self.parameters, &words);
            // A measurement may have arrived while other code waited for the device.
            self.stopwatch.collect();
            if stop.is_none() || self.schedule.parts.len() == 1 {
                played += count;
                self.submit(count, played, engine);
            } else if self.submit_until(played + 1, stop, engine)? {
                played += 1;
            } else {
                is_stopped = true;
                break;
            }
            self.stopwatch.collect();
        }
        self.gpu.check()?;
        Ok(Progress { steps: played, is_stopped })
    }

    /// A ticket that is ready when [`Self::play`] accepts more steps.
    pub fn queue_space(&self) -> Ticket<()> {
        let Some(Submission { index, took, .. }) = self.under_way.front().filter(|_| self.is_full()) else {
            return Ticket::ready(());
        };
        let (gpu, index, took) = (self.gpu.clone(), index.clone(), took.clone());
        Ticket::new(move |patience| {
            match patience {
                Patience::Poll => gpu.check()?,
                Patience::Wait => gpu.wait(index.clone())?,
            }
            // A web page cannot wait for a device.
            let has_waited = patience == Patience::Wait && !cfg!(target_family = "wasm");
            Ok((has_waited || took.get().is_some()).then_some(()))
        })
    }

    fn is_full(&self) -> bool {
        self.under_way.len() >= MAX_IN_FLIGHT
    }

    /// Removes the submissions that are done from the queue. Returns whether the queue has room for another submission.
    fn has_queue_space(&mut self) -> Result<bool, Failure> {
        if self.is_full() {
            self.gpu.check()?;
        }
        while let Some(took) = self.under_way.front().and_then(|oldest| oldest.took.get().copied()) {
            let Some(Submission { work, .. }) = self.under_way.pop_front() else { break };
            self.adapt(work, took);
        }
        Ok(!self.is_full())
    }

    /// Submits `count` steps, or all parts of one step. `played`: the number of steps that [`Self::play`] has
    /// submitted, including these steps.
    fn submit(&mut self, count: usize, played: usize, engine: &mut impl StepEncoder) {
        let gpu = self.gpu.clone();
        // Only whole steps are joined to a batch. They are not measured, because a stopwatch must be read after its own
        // submission.
        let is_joined = gpu.is_in_batch() && self.schedule.parts.len() == 1;
        let is_timed = self.stopwatch.is_free() && !is_joined;
        let parts = self.schedule.parts.clone();
        let encoders: Vec<_> = parts.into_iter().map(|passes| self.encode(passes, count, is_timed, engine)).collect();
        let _turn = gpu.turn();
        let begun = gpu.now();
        let work = total(&self.work).saturating_mul(count as u64);
        let mut index = None;
        for encoder in encoders {
            if is_joined {
                gpu.submit_or_join(encoder, work, Some(&self.parameters));
            } else {
                index = Some(gpu.submit(encoder));
            }
        }
        engine.submitted(played);
        self.under_way.push_back(Submission { index, work, took: gpu.time_submission(work, begun) });
    }

    /// Submits one step part by part and waits for each part. If `stop` asks for it while the step can be undone,
    /// undoes the step. Returns whether the step was played.
    fn submit_until(&mut self, played: usize, stop: Stop<'_>, engine: &mut impl StepEncoder) -> Result<bool, Failure> {
        let (is_timed, whole) = (self.stopwatch.is_free(), engine.passes_before_change());
        let gpu = self.gpu.clone();
        let _turn = gpu.turn();
        for passes in self.schedule.parts.clone() {
            if passes.start > 0 && passes.start <= whole && is_wanted(stop) {
                let mut encoder = gpu.device.create_command_encoder(&Default::default());
                engine.encode_copy(&mut encoder, true);
                gpu.submit(encoder);
                return Ok(false);
            }
            let work = total(&self.work[passes.clone()]);
            let encoder = self.encode(passes, 1, is_timed, engine);
            let begun = gpu.now();
            let submission = gpu.submit(encoder);
            // Waits for each part, so that a stop need not wait for parts in the queue of the device.
            gpu.wait(Some(submission))?;
            self.adapt(work, gpu.now().saturating_sub(begun));
        }
        engine.submitted(played);
        Ok(true)
    }

    /// Encodes some passes of each of `count` steps. `is_timed`: the passes of the last step are measured.
    fn encode(
        &mut self,
        passes: Range<usize>,
        count: usize,
        is_timed: bool,
        engine: &mut impl StepEncoder,
    ) -> wgpu::CommandEncoder {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        if passes.start == 0 && self.schedule.parts.len() > 1 {
            engine.encode_copy(&mut encoder, false);
        }
        for step in 0..count {
            let stopwatch = (is_timed && step + 1 == count).then_some(&self.stopwatch);
            engine.encode(&mut encoder, passes.clone(), (step * self.each * self.stride) as u32, stopwatch);
        }
        if is_timed && passes.end == self.work.len() {
            self.stopwatch.fetch(&self.gpu.device, &mut encoder, self.work.len());
        }
        encoder
    }

    /// Adapts the limits to the work of the last submission, in cell updates, and to the time that it took. A kernel
    /// may be slower than its number of cell updates suggests.
    fn adapt(&mut self, work: u64, took: Duration) {
        if self.gpu.clock.is_none() {
            return;
        }
        let next = self.limits.adapted(work, took);
        if next != self.limits {
            self.limits = next;
            self.schedule = Schedule::new(&self.work, next);
        }
    }

    /// The time of each pass in a recent step, in seconds; empty if nothing was measured.
    pub fn seconds_by_pass(&self) -> Vec<f64> {
        self.stopwatch.seconds().to_vec()
    }
}

/// The next limit of work, from the present limit `now`. `work`, `took`: the work of the last submission and its time.
/// `most`: the maximum of the limit. `longest`: the maximum time of a submission.
fn adapted(now: u64, most: u64, work: u64, took: Duration, longest: Duration) -> u64 {
    if took > longest {
        let part = u128::from(work) * longest.as_micros() / took.as_micros();
        now.min((part as u64).max(1))
    } else if took < longest / 8 {
        now.saturating_mul(2).clamp(now, most.max(now))
    } else {
        now
    }
}

fn total(work: &[u64]) -> u64 {
    work.iter().fold(0, |sum, pass| sum.saturating_add(*pass))
}

impl Schedule {
    /// Makes each submission as long as the limits allow. A pass is never cut.
    fn new(work: &[u64], limits: Limits) -> Self {
        let steps = (limits.joined / total(work).max(1)).clamp(1, MAX_STEPS as u64) as usize;
        let mut parts = Vec::new();
        let (mut first, mut sum) = (0, 0u64);
        for (index, pass) in work.iter().enumerate() {
            if index > first && sum.saturating_add(*pass) > limits.part {
                parts.push(first..index);
                (first, sum) = (index, 0);
            }
            sum = sum.saturating_add(*pass);
        }
        parts.push(first..work.len());
        Self { steps, parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_is_as_long_as_a_driver_is_patient() {
        let schedule = |work: &[u64]| Schedule::new(work, Limits::new(WORK_PER_SUBMISSION));
        let square = |extent: u64| schedule(&[extent * extent]).steps;
        assert_eq!([1, 512, 1024, 2048, 4096, 8192, 16_384].map(square), [64, 64, 64, 32, 8, 2, 1]);
        assert_eq!([0, u64::MAX].map(|work| schedule(&[work]).steps), [64, 1]);
    }

    #[test]
    fn a_step_is_cut_between_passes_where_it_alone_is_too_long() {
        let schedule = |work: &[u64]| {
            let Schedule { steps, parts } = Schedule::new(work, Limits::new(10));
            (steps, parts.iter().map(|part| [part.start, part.end]).collect::<Vec<_>>())
        };
        assert_eq!(schedule(&[2, 1, 2]), (2, vec![[0, 3]]));
        assert_eq!(schedule(&[5, 5, 1, 9, 1]), (1, vec![[0, 2], [2, 4], [4, 5]]));
        // A pass with more work than the limit has its own submission.
        assert_eq!(schedule(&[1, 50, u64::MAX, 1]), (1, vec![[0, 1], [1, 2], [2, 3], [3, 4]]));
        assert_eq!(schedule(&[]), (10, vec![[0, 0]]));
    }

    #[test]
    fn a_submission_that_takes_too_long_is_followed_by_shorter_ones() {
        let [short, usual, long] = [1, 100, 2500].map(Duration::from_millis);
        let adapted = |now, most, work, took| super::adapted(now, most, work, took, MAX_DURATION);
        assert_eq!(adapted(1000, 1000, 640, long), 64);
        assert_eq!(adapted(10, 1000, 640, long), 10, "of what was submitted before the change");
        assert_eq!(adapted(1000, 1000, 1, Duration::MAX), 1);
        assert_eq!(adapted(1000, 1000, u64::MAX, long), 1000);
        assert_eq!(adapted(64, 1000, 64, usual), 64);
        assert_eq!([64, 512, 1000].map(|now| adapted(now, 1000, 64, short)), [128, 1000, 1000]);
        assert_eq!([adapted(0, 0, 64, short), adapted(u64::MAX, u64::MAX, 64, short)], [0, u64::MAX]);
        // 100 ms are within the maximum time for a part of a step, but not for several steps.
        assert_eq!(Limits::new(1000).adapted(1000, usual), Limits { part: 1000, joined: 300, most: 1000 });
    }
}
