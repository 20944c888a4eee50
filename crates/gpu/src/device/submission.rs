//! Submissions to the queue of a device. A batch joins the steps of several engines into one submission.

use super::Gpu;
use super::batch::{Batch, Joined, WorkTime};
use super::guard::guarded;
use super::player::WORK_PER_SUBMISSION;
use murmuration_core::error::Failure;
use murmuration_core::faults::{self, Operation};
use parking_lot::ReentrantMutexGuard;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// Joins the submissions of a thread: the steps of all engines on the device become one submission. A wait, a readback, an upload and more work than a
/// driver has patience for submit the joined commands earlier. So every value is the same as without a batch.
///
/// The batch holds the turn of the device. End the batch before commands of your own read a swarm.
#[must_use = "a batch ends when it is dropped"]
pub struct SubmissionBatch<'a> {
    gpu: &'a Gpu,
    _turn: ReentrantMutexGuard<'a, ()>,
}

impl Drop for SubmissionBatch<'_> {
    fn drop(&mut self) {
        let mut open = self.gpu.open_batch();
        if let Some(outer) = open.as_mut().filter(|batch| batch.depth > 1) {
            outer.depth -= 1;
            return;
        }
        let last = open.take();
        drop(open);
        // wgpu may panic if the device fails meanwhile; the next check of the device tells.
        let _ = guarded(|| last.map(|mut last| self.gpu.submit_joined(last.take())));
    }
}

impl SubmissionBatch<'_> {
    /// Ends the batch.
    ///
    /// # Errors
    /// If the device fails. Then it is not known which of the joined steps it has made.
    pub fn finish(self) -> Result<(), Failure> {
        let gpu = self.gpu;
        drop(self);
        gpu.check()
    }
}

impl Gpu {
    /// Begins a batch: see [`SubmissionBatch`].
    pub fn batch(&self) -> SubmissionBatch<'_> {
        let turn = self.turn();
        let mut open = self.open_batch();
        match open.as_mut() {
            // The turn is held, so that it is this thread's.
            Some(batch) => batch.depth += 1,
            None => {
                let thread = thread::current().id();
                let (commands, parameters, timed, work) = Default::default();
                *open = Some(Batch { thread, depth: 1, commands, work, parameters, timed });
            }
        }
        drop(open);
        SubmissionBatch { gpu: self, _turn: turn }
    }

    /// How many submissions the engines have made on the device so far.
    pub fn submissions(&self) -> u64 {
        self.submissions.load(Ordering::Relaxed)
    }

    /// The queue, for a call at once. The joined commands of this thread's batch are submitted before.
    pub fn queue(&self) -> &wgpu::Queue {
        self.submit_batch();
        &self.queue
    }

    /// Whether a batch of this thread is open.
    pub(crate) fn is_in_batch(&self) -> bool {
        self.open_batch().as_ref().is_some_and(Batch::is_own)
    }

    /// Writes a buffer of parameters for the commands that follow. All commands that read the buffer are preceded by a write of it.
    pub(crate) fn write_parameters(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        // All writes come before all commands of a submission.
        let is_read = self.own_batch(|batch| batch.parameters.contains(buffer)).unwrap_or_default();
        if is_read {
            self.submit_batch();
        }
        self.queue.write_buffer(buffer, 0, bytes);
    }

    /// Submits what was encoded, after the joined commands of this thread's batch.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        self.submit_batch();
        self.submit_commands([encoder.finish()])
    }

    /// Submits what was encoded, or joins it to the batch of this thread. `work`: in updates of a cell. `parameters`: the buffer of parameters that the
    /// commands read.
    pub(crate) fn submit_or_join(&self, encoder: wgpu::CommandEncoder, work: u64, parameters: Option<&wgpu::Buffer>) {
        if self.own_batch(|batch| batch.work.saturating_add(work) > WORK_PER_SUBMISSION) == Some(true) {
            self.submit_batch();
        }
        let mut encoder = Some(encoder);
        self.own_batch(|batch| {
            batch.work = batch.work.saturating_add(work);
            batch.parameters.extend(parameters.cloned());
            batch.commands.extend(encoder.take().map(wgpu::CommandEncoder::finish));
        });
        if let Some(encoder) = encoder {
            self.submit(encoder);
        }
    }

    /// The time that the device takes for the work that was submitted or joined last, once it is done. It begins at `begun`, at the submission of its
    /// batch, or at the end of the timed submission before. It ends when somebody polls the device afterwards. The parts of a batch share its time by
    /// their work. Without a clock it is 0.
    pub fn time_submission(&self, work: u64, begun: Duration) -> Arc<OnceLock<Duration>> {
        let took = Arc::new(OnceLock::new());
        let mut timed = Some(WorkTime { work, took: took.clone() });
        self.own_batch(|batch| {
            if !batch.is_empty() {
                batch.timed.extend(timed.take());
            }
        });
        if timed.is_some() {
            self.time_all(timed.into_iter().collect(), begun);
        }
        took
    }

    fn time_all(&self, timed: Vec<WorkTime>, begun: Duration) {
        let (clock, last_done) = (self.clock, self.last_done.clone());
        self.queue.on_submitted_work_done(move || {
            let now = clock.map_or(Duration::ZERO, |clock| clock());
            let mut last_done = last_done.lock().unwrap_or_else(PoisonError::into_inner);
            let free = std::mem::replace(&mut *last_done, now);
            let all = now.saturating_sub(begun.max(free));
            let sum: f64 = timed.iter().map(|timed| timed.work as f64).sum();
            for WorkTime { work, took, .. } in &timed {
                let share = if timed.len() > 1 && sum > 0.0 { *work as f64 / sum } else { 1.0 };
                let _ = took.set(all.mul_f64(share));
            }
        });
    }

    /// Submits the joined commands of this thread's batch.
    pub(super) fn submit_batch(&self) {
        if let Some(joined) = self.own_batch(Batch::take) {
            self.submit_joined(joined);
        }
    }

    fn submit_joined(&self, (commands, timed): Joined) {
        if commands.is_empty() {
            return;
        }
        let begun = self.now();
        self.submit_commands(commands);
        self.time_all(timed, begun);
    }

    fn submit_commands(&self, commands: impl IntoIterator<Item = wgpu::CommandBuffer>) -> wgpu::SubmissionIndex {
        self.touch();
        if faults::is_due(Operation::Submission) {
            self.lose();
        }
        let _turn = self.turn_of_destroyed();
        self.submissions.fetch_add(1, Ordering::Relaxed);
        self.queue.submit(commands)
    }

    fn own_batch<T>(&self, act: impl FnOnce(&mut Batch) -> T) -> Option<T> {
        self.open_batch().as_mut().filter(|batch| batch.is_own()).map(act)
    }

    fn open_batch(&self) -> MutexGuard<'_, Option<Batch>> {
        self.open_batch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
