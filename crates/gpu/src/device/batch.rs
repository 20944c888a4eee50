//! Batches: commands of several engines that are joined into one submission to the device.

use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The commands that a thread has joined and not submitted yet.
pub struct Batch {
    pub thread: ThreadId,
    /// The number of nested batches that the thread has opened.
    pub depth: usize,
    pub commands: Vec<wgpu::CommandBuffer>,
    /// The work of all joined commands, in cell updates.
    pub work: u64,
    /// The buffers of parameters that the commands read, one for each [`Player`](super::player::Player).
    pub parameters: Vec<wgpu::Buffer>,
    /// The measurements that wait for the time of the submission.
    pub timed: Vec<WorkTime>,
}

impl Batch {
    pub fn is_own(&self) -> bool {
        self.thread == thread::current().id()
    }

    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Takes the joined commands out of the batch.
    pub fn take(&mut self) -> Joined {
        self.parameters.clear();
        self.work = 0;
        (std::mem::take(&mut self.commands), std::mem::take(&mut self.timed))
    }
}

/// A measurement of the time that a part of a submission takes.
pub struct WorkTime {
    /// The work of the part, in cell updates.
    pub work: u64,
    /// The time, once the submission is done.
    pub took: Arc<OnceLock<Duration>>,
}

/// The joined commands of a batch, and their measurements.
pub type Joined = (Vec<wgpu::CommandBuffer>, Vec<WorkTime>);
