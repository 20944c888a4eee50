//! Commands that are joined into one submission.

use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The batch of a thread.
pub struct Batch {
    pub thread: ThreadId,
    /// The number of open batches of the thread, one inside another.
    pub depth: usize,
    pub commands: Vec<wgpu::CommandBuffer>,
    /// The work of the commands, in cell updates.
    pub work: u64,
    /// The buffers of parameters that the commands read, one for each player.
    pub parameters: Vec<wgpu::Buffer>,
    /// The work of the timed parts of the commands.
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

/// The work of a submission to be timed, in cell updates.
pub struct WorkTime {
    pub work: u64,
    pub took: Arc<OnceLock<Duration>>,
}

/// Joined commands, and their timed parts.
pub type Joined = (Vec<wgpu::CommandBuffer>, Vec<WorkTime>);
