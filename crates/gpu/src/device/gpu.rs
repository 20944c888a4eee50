//! An open graphics device: its limits, errors and loss, turns and waits.

use crate::atlas::Atlas;
use crate::shader::StoredIndividual;
use murmuration_core::error::Failure;
use murmuration_core::host::Library;
use murmuration_core::world::{Extents, MAX_PLACE_EXTENT};
use parking_lot::{Mutex, ReentrantMutex, ReentrantMutexGuard};
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

use super::batch::Batch;
use super::guard::guarded;
use super::pipeline_cache::{Pipeline, PipelineCache};

/// Returns the time since a fixed moment.
pub type Clock = fn() -> Duration;

/// The value of `Gpu::touches` if no device loss is injected.
const UNLIMITED: u32 = u32::MAX;

/// An open graphics device. Engines, pictures, films and the window share it.
pub struct Gpu {
    /// The texts of the kernels.
    pub library: Library,
    /// The device of wgpu.
    pub device: wgpu::Device,
    /// The name, the kind and the driver of the adapter.
    pub info: wgpu::AdapterInfo,
    /// The adapter. `None`: the device belongs to another program.
    pub adapter: Option<wgpu::Adapter>,
    /// Whether no other adapter of the machine is of a better kind.
    pub is_best: bool,
    /// The clock that measures submissions, to keep them short. `None`: submissions keep their length.
    pub clock: Option<Clock>,
    /// The raw queue. It does not submit the joined commands of a batch.
    pub(super) queue: wgpu::Queue,
    /// The open batch, if a thread has one.
    pub(super) open_batch: Mutex<Option<Batch>>,
    pub(super) submissions: AtomicU64,
    pub(super) compute_pipelines: PipelineCache<Pipeline<wgpu::ComputePipeline>>,
    pub(super) render_pipelines: PipelineCache<Pipeline<wgpu::RenderPipeline>>,
    turn: ReentrantMutex<()>,
    /// The time when the last timed submission was found to be done.
    pub(super) last_done: Arc<Mutex<Duration>>,
    /// Whether the device was destroyed. When wgpu then drops resources, it takes its locks in another order than
    /// during uploads.
    is_destroyed: AtomicBool,
    /// Whether the device has failed, so that the pool does not share it any more.
    is_discarded: AtomicBool,
    reports: Arc<Reports>,
    /// The remaining touches before the injected device loss (see [`Gpu::lose_after`]).
    touches: AtomicU32,
}

/// Errors and loss, as the device reported them.
#[derive(Default)]
struct Reports {
    /// The first error of each thread's calls. wgpu reports some errors only during a later call.
    errors: Mutex<HashMap<ThreadId, String>>,
    /// The reason of the loss, once the device is lost.
    lost: OnceLock<String>,
}

impl Debug for Gpu {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Gpu {
    /// The device of another program. Its uncaptured errors and its loss go to that program's own handlers. The engines
    /// only see errors that a call returns.
    pub fn from_device(library: Library, device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let mut info = device.adapter_info();
        if info.name.is_empty() {
            // A browser does not tell the name of the device.
            info.name = "the browser's device".into();
        }
        Self {
            library,
            device: device.clone(),
            info,
            adapter: None,
            is_best: true,
            clock: None,
            queue: queue.clone(),
            open_batch: Mutex::default(),
            submissions: AtomicU64::default(),
            compute_pipelines: PipelineCache::default(),
            render_pipelines: PipelineCache::default(),
            turn: ReentrantMutex::default(),
            last_done: Arc::default(),
            is_destroyed: AtomicBool::new(false),
            is_discarded: AtomicBool::default(),
            reports: Arc::default(),
            touches: AtomicU32::new(UNLIMITED),
        }
    }

    /// Sets the clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// A device that was opened on an adapter. Its errors and its loss are recorded in `reports`.
    pub(super) fn opened(
        library: Library,
        (adapter, is_best): (wgpu::Adapter, bool),
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Self {
        let gpu = Self { adapter: Some(adapter), is_best, ..Self::from_device(library, device, queue) };
        let reports = gpu.reports.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut errors = reports.errors.lock();
            errors.entry(thread::current().id()).or_insert_with(|| error.to_string());
        }));
        let reports = gpu.reports.clone();
        device.set_device_lost_callback(move |_, message| {
            let _ = reports.lost.set(message);
        });
        gpu
    }

    /// The maximum size in bytes of a buffer that kernels can read and write.
    pub fn largest_buffer(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    /// Checks that a lattice and `individuals` individuals of the smallest stored size are within the limits of the
    /// device.
    ///
    /// # Errors
    /// If a limit is exceeded. The message names the limit.
    pub fn check_size(&self, extents: Extents, individuals: usize) -> Result<(), Failure> {
        if !extents.has_places() {
            let most = format!("engines on a GPU play at most {MAX_PLACE_EXTENT} cells a side, and not {extents}");
            return Err(Failure::Device(format!("{most}; use a smaller size, or the engine `cpu`")));
        }
        let limits = self.device.limits();
        let texels = Atlas::new(extents).size().into_iter().max().unwrap_or(0);
        let bytes = individuals as u64 * StoredIndividual::bytes(false);
        let (limit, needed) = if texels > limits.max_texture_dimension_2d {
            ("max_texture_dimension_2d", u64::from(texels))
        } else if bytes > self.largest_buffer() {
            ("max_storage_buffer_binding_size and max_buffer_size", bytes)
        } else {
            return Ok(());
        };
        let name = &self.info.name;
        Err(Failure::Device(match self.adapter {
            None => format!("the device on {name} is too small: request it with {limit} of {needed} or more"),
            Some(_) => {
                let with = if individuals > 0 { format!(" with {individuals} individuals") } else { String::new() };
                format!(
                    "the adapter {name} cannot hold a lattice of {extents}{with}: its {limit} is less than {needed}; \
                     use a smaller size, or the engine `cpu`"
                )
            }
        }))
    }

    /// Whether this device and `other` are the same device, so that resources of one can be bound on the other. wgpu
    /// takes the first devices of two instances for equal, although they differ. So the comparison of wgpu is used only
    /// for devices of other programs.
    pub fn is_same_device(&self, other: &Self) -> bool {
        let is_given = self.adapter.is_none() || other.adapter.is_none();
        std::ptr::eq(self, other) || (is_given && self.device == other.device)
    }

    /// Whether the device is a software renderer.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// A text for users: the name of the device, its graphics API and a kind of dispatch.
    pub(crate) fn describe(&self, dispatch: &str) -> String {
        format!("{} ({}), {dispatch}", self.info.name, self.info.backend)
    }

    /// Loses the device, as a driver's update does. Every later call fails.
    #[doc(hidden)]
    pub fn lose(&self) {
        let _turn = self.turn();
        self.is_destroyed.store(true, Ordering::Relaxed);
        self.device.destroy();
    }

    /// The turn, if the device was destroyed. Resources of a destroyed device must not be dropped during an upload.
    pub(super) fn turn_of_destroyed(&self) -> Option<ReentrantMutexGuard<'_, ()>> {
        self.is_destroyed.load(Ordering::Relaxed).then(|| self.turn())
    }

    /// Loses the device after `touches` more touches. A touch is an upload, a submission, a wait, or a check of their
    /// results.
    #[doc(hidden)]
    pub fn lose_after(&self, touches: u32) {
        self.touches.store(touches, Ordering::Relaxed);
    }

    pub(crate) fn touch(&self) {
        if self.touches.load(Ordering::Relaxed) != UNLIMITED && self.touches.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.touches.store(UNLIMITED, Ordering::Relaxed);
            self.lose();
        }
    }

    /// A turn on the device. An engine takes the turn to submit steps. To draw a state that an engine holds, take the
    /// turn from the choice of its textures to the submission, so that no step is submitted between. The thread that
    /// holds the turn may take it again. A second `Gpu` of the same device has its own turns.
    pub fn turn(&self) -> ReentrantMutexGuard<'_, ()> {
        self.turn.lock()
    }

    /// The time by the clock. Without a clock it is 0.
    pub fn now(&self) -> Duration {
        self.clock.map_or(Duration::ZERO, |clock| clock())
    }

    /// Checks that this thread's calls had no error since the last check. A lost device stays lost.
    ///
    /// # Errors
    /// If the device is lost, or reported an error.
    pub fn check(&self) -> Result<(), Failure> {
        self.touch();
        // wgpu reports the loss of a destroyed device only when the device is polled.
        self.poll(wgpu::PollType::Poll)?;
        let reported = self.report();
        if reported.is_err() {
            // A wait lets a destroyed device report its loss, and the loss explains more than the error.
            self.wait(None)?;
        }
        reported
    }

    /// Gives the device up: the pool returns another device from now on. The pool cannot find every loss by itself,
    /// because a lost device may report its loss only later.
    pub fn discard(&self) {
        self.is_discarded.store(true, Ordering::Relaxed);
    }

    /// Whether the device was given up.
    pub fn is_discarded(&self) -> bool {
        self.is_discarded.load(Ordering::Relaxed)
    }

    /// Whether the device is lost.
    pub fn is_lost(&self) -> bool {
        // wgpu may panic if the device fails meanwhile.
        let _turn = self.turn_of_destroyed();
        guarded(|| self.device.poll(wgpu::PollType::Poll)).is_err() || self.reports.lost.get().is_some()
    }

    /// Takes the first error of this thread's calls since the last error that was taken.
    pub fn take_error(&self) -> Option<String> {
        self.reports.errors.lock().remove(&thread::current().id())
    }

    /// Whether this thread's calls have an error that was not taken.
    pub(super) fn has_error(&self) -> bool {
        self.reports.errors.lock().contains_key(&thread::current().id())
    }

    /// The loss of the device, or the first error of this thread's calls since the last report.
    fn report(&self) -> Result<(), Failure> {
        if let Some(why) = self.reports.lost.get() {
            let why = if why.is_empty() { "its driver does not say why" } else { why };
            return Err(Failure::Device(format!("the GPU ({}) was lost: {why}", self.info.name)));
        }
        self.take_error().map_or(Ok(()), |error| Err(self.failed(&error)))
    }

    fn failed(&self, why: &str) -> Failure {
        Failure::Device(format!("the GPU ({}) failed: {why}", self.info.name))
    }

    /// Waits for all submitted and joined work, or for the work up to `submission`.
    ///
    /// # Errors
    /// As for [`Gpu::check`].
    pub fn wait(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<(), Failure> {
        self.submit_batch();
        self.touch();
        let waited = self.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None });
        // The loss of the device explains more than the failed wait.
        self.report()?;
        waited
    }

    /// Waits until the device has finished a submission, or is lost. Errors are left to [`Gpu::check`].
    pub fn finish(&self, submission: wgpu::SubmissionIndex) {
        let _ = self.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
    }

    fn poll(&self, poll: wgpu::PollType) -> Result<(), Failure> {
        let _turn = self.turn_of_destroyed();
        let polled = guarded(|| self.device.poll(poll)).and_then(|polled| polled.map_err(|error| error.to_string()));
        polled.map(drop).map_err(|why| self.failed(&why))
    }
}
