//! Submissions to the queue of a device, and batches: what several engines play in a frame becomes one submission.

use super::Gpu;
use crate::faults::{self, Operation};
use parking_lot::ReentrantMutexGuard;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The batch of a thread.
pub(super) struct OpenBatch {
    thread: ThreadId,
    /// The batches of the thread that are open, one within another.
    depth: usize,
    commands: Vec<wgpu::CommandBuffer>,
    /// The buffers of parameters that the commands read, each written since the last submission.
    parameters: Vec<wgpu::Buffer>,
    /// The work of parts of the commands that are timed.
    timed: Vec<TimedWork>,
}

impl OpenBatch {
    fn is_own(&self) -> bool {
        self.thread == thread::current().id()
    }

    fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }
}

/// Work of a submission whose time is wanted.
struct TimedWork {
    work: u64,
    begun: Duration,
    took: Arc<OnceLock<Duration>>,
}

/// Joins the submissions of a thread until it is dropped: the steps of all engines on the device become one submission. A wait, a readback and an
/// upload submit what there is so far, so that every value is the same as without a batch.
///
/// The batch holds the turn of the device. A program that submits commands of its own ends the batch before, where they read a swarm.
#[must_use = "a batch ends when it is dropped"]
pub struct SubmissionBatch<'a> {
    gpu: &'a Gpu,
    _turn: ReentrantMutexGuard<'a, ()>,
}

impl Drop for SubmissionBatch<'_> {
    fn drop(&mut self) {
        let is_last = {
            let mut open = self.gpu.open_batch();
            let batch = open.as_mut().filter(|batch| batch.depth > 1);
            batch.map(|batch| batch.depth -= 1).is_none()
        };
        if is_last {
            self.gpu.submit_batch();
            *self.gpu.open_batch() = None;
        }
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
                let (commands, parameters, timed) = Default::default();
                *open = Some(OpenBatch { thread, depth: 1, commands, parameters, timed });
            }
        }
        drop(open);
        SubmissionBatch { gpu: self, _turn: turn }
    }

    /// How many submissions the engines have made on the device so far.
    pub fn submissions(&self) -> u64 {
        self.submissions.load(Ordering::Relaxed)
    }

    /// The queue. What a batch of this thread has joined so far is submitted before, so that whatever the queue does comes after it.
    pub fn queue(&self) -> &wgpu::Queue {
        self.submit_batch();
        &self.queue
    }

    /// Whether a batch of this thread is open.
    pub(crate) fn is_in_batch(&self) -> bool {
        self.open_batch().as_ref().is_some_and(OpenBatch::is_own)
    }

    /// Writes a buffer of parameters for the commands that follow. All commands that read the buffer are preceded by a write of it.
    pub(crate) fn write_parameters(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        // All writes come before all commands of a submission.
        let is_read = self.own_batch(|batch| batch.parameters.contains(buffer)).unwrap_or_default();
        if is_read {
            self.submit_batch();
        }
        self.own_batch(|batch| batch.parameters.push(buffer.clone()));
        self.queue.write_buffer(buffer, 0, bytes);
    }

    /// Submits what was encoded, after what a batch of this thread has joined so far.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        let earlier = self.take_batch();
        let commands = encoder.finish();
        let (joined, timed) = earlier.unwrap_or_default();
        let index = self.submit_commands(joined.into_iter().chain([commands]));
        self.time_all(timed);
        index
    }

    /// Submits what was encoded, or joins it to the batch of this thread.
    pub(crate) fn submit_or_join(&self, encoder: wgpu::CommandEncoder) {
        let mut encoder = Some(encoder);
        self.own_batch(|batch| batch.commands.extend(encoder.take().map(wgpu::CommandEncoder::finish)));
        if let Some(encoder) = encoder {
            self.submit(encoder);
        }
    }

    /// The time that the device takes for work that was submitted last, once it is done, or for work that was joined to the batch of this thread.
    /// It begins at `begun`, or at the end of the timed submission before. It ends when somebody polls the device afterwards. The parts of a batch
    /// share its time by their work. Without a clock it is 0.
    pub fn time_submission(&self, work: u64, begun: Duration) -> Arc<OnceLock<Duration>> {
        let took = Arc::new(OnceLock::new());
        let mut timed = Some(TimedWork { work, begun, took: took.clone() });
        self.own_batch(|batch| {
            if !batch.is_empty() {
                batch.timed.extend(timed.take());
            }
        });
        self.time_all(timed.into_iter().collect());
        took
    }

    fn time_all(&self, timed: Vec<TimedWork>) {
        let Some(begun) = timed.iter().map(|timed| timed.begun).min() else { return };
        let (clock, last_done) = (self.clock, self.last_done.clone());
        self.queue.on_submitted_work_done(move || {
            let now = clock.map_or(Duration::ZERO, |clock| clock());
            let mut last_done = last_done.lock().unwrap_or_else(PoisonError::into_inner);
            let free = std::mem::replace(&mut *last_done, now);
            let all = now.saturating_sub(begun.max(free));
            let sum: f64 = timed.iter().map(|timed| timed.work as f64).sum();
            for TimedWork { work, took, .. } in &timed {
                let share = if timed.len() > 1 && sum > 0.0 { *work as f64 / sum } else { 1.0 };
                let _ = took.set(all.mul_f64(share));
            }
        });
    }

    /// Submits what a batch of this thread has joined so far.
    pub(super) fn submit_batch(&self) {
        if let Some((joined, timed)) = self.take_batch() {
            self.submit_commands(joined);
            self.time_all(timed);
        }
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

    fn take_batch(&self) -> Option<Joined> {
        self.own_batch(|batch| {
            batch.parameters.clear();
            (!batch.is_empty()).then(|| (std::mem::take(&mut batch.commands), std::mem::take(&mut batch.timed)))
        })
        .flatten()
    }

    fn own_batch<T>(&self, act: impl FnOnce(&mut OpenBatch) -> T) -> Option<T> {
        self.open_batch().as_mut().filter(|batch| batch.is_own()).map(act)
    }

    fn open_batch(&self) -> MutexGuard<'_, Option<OpenBatch>> {
        self.open_batch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The commands that were joined, and their parts that are timed.
type Joined = (Vec<wgpu::CommandBuffer>, Vec<TimedWork>);
