//! A graphics device: the pool of open devices, errors and loss of devices, exclusive access by turns, submissions and
//! batches, the clock, and transfers to and from memory.

mod batch;
mod buffer;
pub mod fault_injection;
mod feature;
mod gpu;
mod guard;
pub(crate) mod lists;
mod pipeline_cache;
pub(crate) mod player;
mod pool;
pub mod program;
pub(crate) mod readback;
mod reading_passes;
mod step_part;
pub(crate) mod stopwatch;
mod submission;
pub mod transfer;

pub use feature::{DeviceFeature, IndividualBuffers};
pub use gpu::Gpu;
pub use guard::guarded;
pub use pool::{DevicePool, DeviceRequest, Opener, has_hardware, open};
pub use reading_passes::ReadingPasses;
pub use step_part::{Count, DeviceStepPart};
pub use stopwatch::{CLOCK, Stopwatch};
pub use submission::SubmissionBatch;
pub use transfer::BufferCopy;
