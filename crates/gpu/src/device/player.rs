//! The loop that plays steps on a GPU: their parameters are uploaded, the steps encoded, submitted and measured. Several short steps
//! go into one submission; a long one is cut between passes.

use super::Gpu;
use super::program::buffer;
use super::stopwatch::Stopwatch;
use crate::error::Failure;
use std::ops::Range;
use std::sync::Arc;

/// The most steps in one submission, each with its own parameters.
const MOST_STEPS: usize = 64;
/// The work in one submission, unless a single pass is more, in updates of a cell. A slow GPU makes 3 · 10^8 of them a second, and
/// drivers give up on a submission that takes two seconds; a fast one makes 10^10, to which a submission of 10 ms is no burden.
const WORK_PER_SUBMISSION: u64 = 1 << 27;
/// The distance of the parameters of two steps in bytes: they fit, and it is a multiple of the 256 that WebGPU asks of dynamic offsets.
const PARAMETERS_STRIDE: usize = 768;

/// The parameters of the steps of a submission, and the measuring of their passes.
pub struct Player {
    gpu: Arc<Gpu>,
    parameters: wgpu::Buffer,
    /// Measures the passes in the last step of a submission.
    stopwatch: Stopwatch,
    /// The work of each pass of a step, in updates of a cell.
    work: Vec<u64>,
    schedule: Schedule,
    /// The last submission.
    last: Option<wgpu::SubmissionIndex>,
}

/// How steps are divided into submissions.
#[derive(Debug, PartialEq, Eq)]
struct Schedule {
    /// Steps that are played together.
    steps: usize,
    /// The passes of each submission of theirs. There are several only where a single step is too long for one.
    parts: Vec<Range<usize>>,
}

impl Player {
    /// A player of steps with so many passes; the work of each is in updates of a cell.
    pub fn new(gpu: Arc<Gpu>, work: Vec<u64>) -> Self {
        let schedule = Schedule::new(&work, WORK_PER_SUBMISSION);
        let size = (PARAMETERS_STRIDE * MOST_STEPS) as u64;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let parameters = buffer(&gpu.device, "parameters", size, usage);
        let stopwatch = Stopwatch::new(&gpu.device, &gpu.queue, work.len());
        Self { gpu, parameters, stopwatch, work, schedule, last: None }
    }

    /// Sets the work in one submission, in updates of a cell.
    pub fn set_work_per_submission(&mut self, most: u64) {
        self.schedule = Schedule::new(&self.work, most);
    }

    /// The buffer of the parameters, to be bound as those of the step.
    pub fn parameters(&self) -> &wgpu::Buffer {
        &self.parameters
    }

    /// Plays a step for each of the parameters. `encode` encodes some passes of one, whose parameters lie at an offset in their
    /// buffer, and measures them where there is a stopwatch. `submitted` is called with the number of steps submitted so far, in
    /// the turn of their submission: nobody reads the swarm in the middle of a step.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn play<P: bytemuck::NoUninit>(
        &mut self,
        steps: &[P],
        mut encode: impl FnMut(&mut wgpu::CommandEncoder, Range<usize>, u32, Option<&Stopwatch>),
        mut submitted: impl FnMut(usize),
    ) -> Result<(), Failure> {
        let mut played = 0;
        for steps in steps.chunks(self.schedule.steps) {
            let mut words = Vec::new();
            for parameters in steps {
                words.extend_from_slice(bytemuck::bytes_of(parameters));
                words.resize(words.len().next_multiple_of(PARAMETERS_STRIDE), 0);
            }
            self.gpu.queue.write_buffer(&self.parameters, 0, &words);
            // An answer may have come while something else was waited for.
            self.stopwatch.collect();
            let is_timed = self.stopwatch.is_free();
            let mut encoders = Vec::new();
            for passes in &self.schedule.parts {
                let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
                for offset in (0..words.len()).step_by(PARAMETERS_STRIDE) {
                    let is_last = offset + PARAMETERS_STRIDE == words.len();
                    let stopwatch = (is_timed && is_last).then_some(&self.stopwatch);
                    encode(&mut encoder, passes.clone(), offset as u32, stopwatch);
                }
                encoders.push(encoder);
            }
            if let Some(encoder) = encoders.last_mut().filter(|_| is_timed) {
                self.stopwatch.fetch(&self.gpu.device, encoder, self.work.len());
            }
            played += steps.len();
            let turn = self.gpu.turn();
            let submission = encoders.into_iter().map(|encoder| self.gpu.submit(encoder)).last();
            submitted(played);
            drop(turn);
            self.stopwatch.collect();
            // The last submission but one is waited for, so that the queue stays short.
            if let Some(previous) = std::mem::replace(&mut self.last, submission) {
                self.gpu.wait(Some(previous))?;
            }
        }
        self.gpu.check()
    }

    /// The seconds that each pass took in a step of late; empty where that is not known.
    pub fn seconds_by_pass(&self) -> Vec<f64> {
        self.stopwatch.seconds().to_vec()
    }
}

impl Schedule {
    /// The longest submissions of at most this much work; a pass is not cut.
    fn new(work: &[u64], most: u64) -> Self {
        let step = work.iter().fold(0u64, |sum, pass| sum.saturating_add(*pass));
        let steps = (most / step.max(1)).clamp(1, MOST_STEPS as u64) as usize;
        let mut parts = Vec::new();
        let (mut first, mut sum) = (0, 0u64);
        for (index, pass) in work.iter().enumerate() {
            if index > first && sum.saturating_add(*pass) > most {
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
        let schedule = |work: &[u64]| Schedule::new(work, WORK_PER_SUBMISSION);
        let square = |extent: u64| schedule(&[extent * extent]).steps;
        assert_eq!([1, 512, 1024, 2048, 4096, 8192, 16_384].map(square), [64, 64, 64, 32, 8, 2, 1]);
        assert_eq!([0, u64::MAX].map(|work| schedule(&[work]).steps), [64, 1]);
    }

    #[test]
    fn a_step_is_cut_between_passes_where_it_alone_is_too_long() {
        let schedule = |work: &[u64]| {
            let Schedule { steps, parts } = Schedule::new(work, 10);
            (steps, parts.iter().map(|part| [part.start, part.end]).collect::<Vec<_>>())
        };
        assert_eq!(schedule(&[2, 1, 2]), (2, vec![[0, 3]]));
        assert_eq!(schedule(&[5, 5, 1, 9, 1]), (1, vec![[0, 2], [2, 4], [4, 5]]));
        // A pass that is too long alone is a submission of its own.
        assert_eq!(schedule(&[1, 50, u64::MAX, 1]), (1, vec![[0, 1], [1, 2], [2, 3], [3, 4]]));
        assert_eq!(schedule(&[]), (10, vec![[0, 0]]));
    }
}
