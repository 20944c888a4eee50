//! The loop that plays steps on a GPU. It uploads their parameters, and encodes, submits and measures the steps.
//! Several short steps go into one submission. A long step is cut between passes.

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

/// The maximum number of steps in one submission. Each step has its own parameters.
const MAX_STEPS: usize = 64;
/// The maximum work in one submission, in cell updates, unless a single pass has more. A slow GPU makes 3 · 10^8
/// updates a second, and drivers abort a submission that takes two seconds. A fast GPU makes 10^10 updates a second,
/// and a submission of 10 ms costs it little.
pub(super) const WORK_PER_SUBMISSION: u64 = 1 << 27;
/// The distance of two sets of parameters in bytes: their size, rounded up to a multiple of 256, as WebGPU requires of
/// dynamic offsets.
pub const fn stride_of<P>() -> usize {
    size_of::<P>().next_multiple_of(256)
}

/// Sets of parameters as bytes, [`stride_of`] apart.
pub fn parameter_bytes<P: bytemuck::NoUninit>(sets: impl Iterator<Item = P>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for parameters in sets {
        bytes.extend_from_slice(bytemuck::bytes_of(&parameters));
        bytes.resize(bytes.len().next_multiple_of(stride_of::<P>()), 0);
    }
    bytes
}

/// The maximum number of submissions under way: one runs on the device, and one follows it without a gap. With more
/// submissions, tickets and stops would take longer.
const MAX_IN_FLIGHT: usize = 2;
/// The maximum time of a submission. After a longer one, submissions get shorter. A single step is cut at the first
/// limit. Several steps are joined up to the second limit, so that a window can draw its pictures between submissions.
const MAX_DURATION: Duration = Duration::from_millis(250);
const MAX_JOINED_DURATION: Duration = Duration::from_millis(30);

/// The passes of an engine's steps.
pub trait StepEncoder {
    /// Encodes some passes of the present step, and measures them if there is a stopwatch. The parameters of the step
    /// lie at an offset in their buffer.
    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        passes: Range<usize>,
        offset: u32,
        stopwatch: Option<&Stopwatch>,
    );

    /// The number of first passes of the present step that do not overwrite the state before the step.
    fn passes_before_change(&self) -> usize;

    /// Encodes a copy of the data that even these passes change, such as the account. If `is_back`, restores that copy.
    fn encode_copy(&self, encoder: &mut wgpu::CommandEncoder, is_back: bool);

    /// Called with the number of steps submitted by now, while the player holds the turn. So no step is seen half done.
    fn submitted(&mut self, _played: usize) {}
}

/// Plays steps: it holds the parameters of a submission's steps, and measures their passes.
pub struct Player {
    gpu: Arc<Gpu>,
    parameters: wgpu::Buffer,
    /// The number of sets of parameters of a step, and the distance of two sets in bytes.
    each: usize,
    stride: usize,
    /// Measures the passes in the last step of a submission.
    stopwatch: Stopwatch,
    /// The work of each pass of a step, in cell updates.
    work: Vec<u64>,
    schedule: Schedule,
    limits: Limits,
    /// The submissions under way, oldest first.
    under_way: VecDeque<Submission>,
}

/// A submission under way.
struct Submission {
    /// `None`: the submission was joined to a batch.
    index: Option<wgpu::SubmissionIndex>,
    /// In cell updates.
    work: u64,
    /// The time that the submission took, once it is done. Without a clock it is 0.
    took: Arc<OnceLock<Duration>>,
}

/// Limits of the work in one submission, in cell updates: for a part of a step, and for several steps. They adapt to
/// what the device does within the maximum times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    part: u64,
    joined: u64,
    most: u64,
}

impl Limits {
    fn new(most: u64) -> Self {
        Self { part: most, joined: most, most }
    }

    /// The limits after a submission with this work and this time.
    fn adapted(self, work: u64, took: Duration) -> Self {
        let limit = |now, longest| adapted(now, self.most, work, took, longest);
        Self { part: limit(self.part, MAX_DURATION), joined: limit(self.joined, MAX_JOINED_DURATION), ..self }
    }
}

/// The division of steps into submissions.
#[derive(Debug, PartialEq, Eq)]
struct Schedule {
    /// The number of steps that are played together.
    steps: usize,
    /// The passes of each submission. There are several ranges only if a single step is too long for one submission.
    parts: Vec<Range<usize>>,
}

impl Player {
    /// A player of steps. `work`: the work of each pass, in cell updates. `each`: the number of sets of parameters of a
    /// step. `stride`: the distance of two sets in bytes (see [`stride_of`]).
    pub fn new(gpu: Arc<Gpu>, work: Vec<u64>, each: usize, stride: usize) -> Self {
        let limits = Limits::new(WORK_PER_SUBMISSION);
        let schedule = Schedule::new(&work, limits);
        let size = (stride * MAX_STEPS * each) as u64;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let parameters = buffer(&gpu.device, "parameters", size, usage);
        let stopwatch = Stopwatch::new(&gpu.device, gpu.queue(), work.len());
        Self { gpu, parameters, each, stride, stopwatch, work, schedule, limits, under_way: VecDeque::new() }
    }

    /// Sets the work of each pass, in cell updates. The number of passes stays as it is.
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

    /// Plays a step for each set of parameters, or for each group of `each` sets. It ends when the queue is full or a
    /// stop is wanted. Only a step that was cut can be left undone, as long as its passes have not overwritten the
    /// state before it.
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
            // A measurement may have arrived during another wait.
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
            // A page cannot wait.
            let has_waited = patience == Patience::Wait && !cfg!(target_family = "wasm");
            Ok((has_waited || took.get().is_some()).then_some(()))
        })
    }

    fn is_full(&self) -> bool {
        self.under_way.len() >= MAX_IN_FLIGHT
    }

    /// Removes the submissions that are done. Returns whether the queue has room for another one.
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

    /// Submits some steps in all their parts.
    fn submit(&mut self, count: usize, played: usize, engine: &mut impl StepEncoder) {
        let gpu = self.gpu.clone();
        // The parts of a cut step are submitted separately. The ticks of a stopwatch are requested after their
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

    /// Submits a step part by part, until a stop is wanted and the step can be undone. Returns whether the step was
    /// played.
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
            // The wait leaves no queued work that a stop would have to wait for.
            gpu.wait(Some(submission))?;
            self.adapt(work, gpu.now().saturating_sub(begun));
        }
        engine.submitted(played);
        Ok(true)
    }

    /// Encodes some passes of `count` steps.
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

    /// Adapts the limits to the time of a submission, because a kernel may be slower than its number of cell updates
    /// suggests.
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

    /// The seconds that each pass took in a recent step. The list is empty if they are not known.
    pub fn seconds_by_pass(&self) -> Vec<f64> {
        self.stopwatch.seconds().to_vec()
    }
}

/// The next limit of work, after a submission with this work and this time.
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
    /// The longest submissions within the limits. A pass is never cut.
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
        // A pass that is too long has its own submission.
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
        // A submission of 100 ms is not too long for a part of a step, but too long for several steps.
        assert_eq!(Limits::new(1000).adapted(1000, usual), Limits { part: 1000, joined: 300, most: 1000 });
    }
}
