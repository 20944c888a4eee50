//! The loop that plays steps on a GPU: their parameters are uploaded, the steps encoded, submitted and measured.

use super::Gpu;
use super::program::buffer;
use super::stopwatch::Stopwatch;
use crate::error::Failure;
use std::sync::Arc;

/// The most steps in one submission, each with its own parameters.
const MOST_STEPS: usize = 64;
/// The work in one submission, unless a single step is more, in updates of a cell. A slow GPU makes 3 · 10^8 of them a second, and
/// drivers give up on a submission that takes two seconds; a fast one makes 10^10, to which a submission of 10 ms is no burden.
const WORK_PER_SUBMISSION: u64 = 1 << 27;
/// The least distance of two dynamic offsets in WebGPU, in bytes.
const PARAMETERS_STRIDE: usize = 256;

/// The parameters of the steps of a submission, and the measuring of their passes.
pub struct Player {
    gpu: Arc<Gpu>,
    parameters: wgpu::Buffer,
    /// Measures the passes in the last step of a submission.
    stopwatch: Stopwatch,
    /// Passes of a step.
    passes: usize,
    /// Steps in one submission.
    steps_per_submission: usize,
    /// The last submission.
    last: Option<wgpu::SubmissionIndex>,
}

impl Player {
    /// A player of steps with so many passes; each is as much work as so many updates of a cell.
    pub fn new(gpu: Arc<Gpu>, passes: usize, work: u64) -> Self {
        let steps_per_submission = steps_per_submission(work);
        let size = (PARAMETERS_STRIDE * steps_per_submission) as u64;
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let parameters = buffer(&gpu.device, "parameters", size, usage);
        let stopwatch = Stopwatch::new(&gpu.device, &gpu.queue, passes);
        Self { gpu, parameters, stopwatch, passes, steps_per_submission, last: None }
    }

    /// The buffer of the parameters, to be bound as those of the step.
    pub fn parameters(&self) -> &wgpu::Buffer {
        &self.parameters
    }

    /// Plays a step for each of the parameters. `encode` encodes one, whose parameters lie at an offset in their buffer,
    /// and measures its passes where there is a stopwatch. `submitted` is called with the number of steps submitted so far,
    /// in the turn of their submission.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn play<P: bytemuck::NoUninit>(
        &mut self,
        steps: &[P],
        mut encode: impl FnMut(&mut wgpu::CommandEncoder, u32, Option<&Stopwatch>),
        mut submitted: impl FnMut(usize),
    ) -> Result<(), Failure> {
        let mut played = 0;
        for steps in steps.chunks(self.steps_per_submission) {
            let mut words = Vec::new();
            for parameters in steps {
                words.extend_from_slice(bytemuck::bytes_of(parameters));
                words.resize(words.len().next_multiple_of(PARAMETERS_STRIDE), 0);
            }
            self.gpu.queue.write_buffer(&self.parameters, 0, &words);
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            // An answer may have come while something else was waited for.
            self.stopwatch.collect();
            let is_timed = self.stopwatch.is_free();
            for offset in (0..words.len()).step_by(PARAMETERS_STRIDE) {
                let is_last = offset + PARAMETERS_STRIDE == words.len();
                encode(&mut encoder, offset as u32, (is_timed && is_last).then_some(&self.stopwatch));
            }
            if is_timed {
                self.stopwatch.fetch(&self.gpu.device, &mut encoder, self.passes);
            }
            played += steps.len();
            let turn = self.gpu.turn();
            let submission = self.gpu.submit(encoder);
            submitted(played);
            drop(turn);
            self.stopwatch.collect();
            // The last submission but one is waited for, so that the queue stays short.
            if let Some(previous) = self.last.replace(submission) {
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

/// The steps in one submission, where each is so much work.
fn steps_per_submission(work: u64) -> usize {
    (WORK_PER_SUBMISSION / work.max(1)).clamp(1, MOST_STEPS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_is_as_long_as_a_driver_is_patient() {
        let square = |extent: u64| steps_per_submission(extent * extent);
        assert_eq!([1, 512, 1024, 2048, 4096, 8192, 16_384].map(square), [64, 64, 64, 32, 8, 2, 1]);
        assert_eq!([0, u64::MAX].map(steps_per_submission), [64, 1]);
    }
}
