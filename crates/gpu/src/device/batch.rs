//! Commands that wait to be submitted together.

use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The batch of a thread.
pub struct Batch {
    pub thread: ThreadId,
    /// The batches of the thread that are open, one within another.
    pub depth: usize,
    pub commands: Vec<wgpu::CommandBuffer>,
    /// The work of the commands, in updates of a cell.
    pub work: u64,
    /// The buffers of parameters that the commands read, one for each player.
    pub parameters: Vec<wgpu::Buffer>,
    /// The work of parts of the commands that are timed.
    pub timed: Vec<WorkTime>,
}

impl Batch {
    pub fn is_own(&self) -> bool {
        self.thread == thread::current().id()
    }

    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Takes the joined commands out.
    pub fn take(&mut self) -> Joined {
        self.parameters.clear();
        self.work = 0;
        (std::mem::take(&mut self.commands), std::mem::take(&mut self.timed))
    }
}

/// Work of a submission whose time is wanted.
pub struct WorkTime {
    pub work: u64,
    pub took: Arc<OnceLock<Duration>>,
}

/// The commands that were joined, and their parts that are timed.
pub type Joined = (Vec<wgpu::CommandBuffer>, Vec<WorkTime>);
