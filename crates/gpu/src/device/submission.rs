//! Submissions to the queue of a device. A batch joins the steps of several engines into one submission.

use super::Gpu;
use super::batch::{Batch, Joined, WorkTime};
use super::guard::guarded;
use super::player::WORK_PER_SUBMISSION;
use murmuration_core::error::Failure;
use murmuration_core::faults::{self, Operation};
use parking_lot::{MutexGuard, ReentrantMutexGuard};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Joins the submissions of a thread: the steps of all engines on the device become one submission. The joined commands
/// are submitted earlier before a wait, a readback or an upload, and before their work exceeds the limit of a
/// submission. So every value is the same with and without a batch.
///
/// The batch holds the turn of the device. End the batch before you submit your own commands that read a swarm.
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
        // wgpu may panic if the device fails meanwhile. The next check of the device reports the failure.
        let _ = guarded(|| last.map(|mut last| self.gpu.submit_joined(last.take())));
    }
}

impl SubmissionBatch<'_> {
    /// Ends the batch.
    ///
    /// # Errors
    /// If the device fails. It is then unknown which of the joined steps were played.
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
            // This thread holds the turn, so the open batch belongs to this thread.
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

    /// The number of submissions that engines have made on the device.
    pub fn submissions(&self) -> u64 {
        self.submissions.load(Ordering::Relaxed)
    }

    /// The queue, for immediate calls. The joined commands of this thread's batch are submitted first.
    pub fn queue(&self) -> &wgpu::Queue {
        self.submit_batch();
        &self.queue
    }

    pub(crate) fn is_in_batch(&self) -> bool {
        self.open_batch().as_ref().is_some_and(Batch::is_own)
    }

    /// Writes a buffer of parameters for the commands that follow. Write it before all commands that read it.
    pub(crate) fn write_parameters(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        // wgpu makes all writes before all commands of a submission.
        let is_read = self.own_batch(|batch| batch.parameters.contains(buffer)).unwrap_or_default();
        if is_read {
            self.submit_batch();
        }
        self.queue.write_buffer(buffer, 0, bytes);
    }

    /// Submits the commands of an encoder, after the joined commands of this thread's batch.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        self.submit_batch();
        self.submit_commands([encoder.finish()])
    }

    /// Submits the commands of an encoder, or joins them to the batch of this thread. `work`: in cell updates.
    /// `parameters`: the buffer of parameters that the commands read.
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

    /// The time that the device takes for the last submitted or joined work, once the work is done. The time starts at
    /// the latest of `begun`, the submission of its batch, and the end of the timed submission before. It ends when the
    /// device is polled after the work. The parts of a batch share its time in proportion to their work. Without a
    /// clock the time is 0.
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
            let mut last_done = last_done.lock();
            let free = std::mem::replace(&mut *last_done, now);
            let all = now.saturating_sub(begun.max(free));
            let sum: f64 = timed.iter().map(|timed| timed.work as f64).sum();
            for WorkTime { work, took, .. } in &timed {
                let share = if timed.len() > 1 && sum > 0.0 { *work as f64 / sum } else { 1.0 };
                let _ = took.set(all.mul_f64(share));
            }
        });
    }

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
        self.open_batch.lock()
    }
}
