//! Finding a GPU, and opening it within WebGPU's default limits; or taking the device of another program.

use super::guard::guarded;
use super::stopwatch::CLOCK;
use crate::engine::Adapters;
use crate::error::Failure;
use crate::fault_injection::{self, Device};
use crate::library::Library;
use crate::world::Extents;
use std::fmt::{self, Debug, Formatter};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Bytes of the longest record of an individual: its place and its number.
pub const PLACE_BYTES: u64 = 16;
/// Touches of a device that is not to be lost on purpose.
const ENDLESS: u32 = u32::MAX;

/// An open graphics device.
pub struct Gpu {
    /// The texts of the kernels.
    pub library: Library,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    /// The first error that the device reported; wgpu reports some only when it is asked to do something else.
    trouble: Arc<Mutex<Option<String>>>,
    /// Why the device is gone, once it is.
    lost: Arc<OnceLock<String>>,
    /// The touches left before the device is lost on purpose.
    touches: AtomicU32,
}

impl Debug for Gpu {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Gpu {
    /// Opens the best adapter of those allowed, for lattices of these extents.
    ///
    /// # Errors
    /// There is none, or it cannot do what a lattice of this size needs.
    pub fn open(library: Library, adapters: Adapters, extents: Extents) -> Result<Self, Failure> {
        Self::open_for_agents(library, adapters, extents, 0)
    }

    /// Opens the best adapter of those allowed, for lattices of these extents and so many individuals.
    ///
    /// # Errors
    /// There is none, or it cannot do what a lattice of this size or so many individuals need.
    pub fn open_for_agents(
        library: Library,
        adapters: Adapters,
        extents: Extents,
        agents: usize,
    ) -> Result<Self, Failure> {
        fault_injection::check_outage(Device::Engine)?;
        let adapter = best_adapter(adapters)?;
        let info = adapter.get_info();
        let mut limits = wgpu::Limits::defaults();
        limits.max_texture_dimension_2d = limits.max_texture_dimension_2d.max(extents.width).max(extents.height);
        let places = agents as u64 * PLACE_BYTES;
        limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.max(places);
        limits.max_buffer_size = limits.max_buffer_size.max(places);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("murmuration"),
            required_features: adapter.features() & CLOCK,
            required_limits: limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
            let (Extents { width, height }, name) = (extents, &info.name);
            let with = if agents > 0 { format!(" with {agents} individuals") } else { String::new() };
            let problem = format!("the adapter {name} cannot hold a lattice of {width}x{height}{with}: {error}");
            Failure::Device(format!("{problem}; use a smaller --size, or --engine cpu"))
        })?;
        let gpu = Self::from_device(library, &device, &queue);
        let first = gpu.trouble.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut first) = first.lock() {
                first.get_or_insert_with(|| error.to_string());
            }
        }));
        let why = gpu.lost.clone();
        device.set_device_lost_callback(move |_, message| {
            let _ = why.set(message);
        });
        Ok(gpu)
    }

    /// The device of another program. Its uncaptured errors and its loss are reported to that program's own handlers; the
    /// engines notice only errors that a call returns.
    pub fn from_device(library: Library, device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let (device, queue, info) = (device.clone(), queue.clone(), device.adapter_info());
        let (trouble, lost) = Default::default();
        Self { library, device, queue, info, trouble, lost, touches: AtomicU32::new(ENDLESS) }
    }

    /// Checks that a lattice of these extents and so many individuals fit within the limits of the open device.
    ///
    /// # Errors
    /// They do not; the message names the limit.
    pub fn check_size(&self, extents: Extents, agents: usize) -> Result<(), Failure> {
        let limits = self.device.limits();
        let (longest, places) = (extents.width.max(extents.height), agents as u64 * PLACE_BYTES);
        let (limit, needed) = if longest > limits.max_texture_dimension_2d {
            ("max_texture_dimension_2d", u64::from(longest))
        } else if places > limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) {
            ("max_storage_buffer_binding_size and max_buffer_size", places)
        } else {
            return Ok(());
        };
        let name = &self.info.name;
        Err(Failure::Device(format!("the device on {name} is too small: request it with {limit} of {needed} or more")))
    }

    /// What an engine on this device runs on, for people.
    pub(crate) fn describe(&self, dispatch: &str) -> String {
        format!("{} ({}), {dispatch}", self.info.name, self.info.backend)
    }

    /// Loses the device, as a driver's update does: whatever is asked of it from now on fails.
    #[doc(hidden)]
    pub fn lose(&self) {
        self.device.destroy();
    }

    /// Loses the device when it was touched so many times more: a touch is an upload, a submission, a wait or a look at
    /// what came of them.
    #[doc(hidden)]
    pub fn lose_after(&self, touches: u32) {
        self.touches.store(touches, Ordering::Relaxed);
    }

    pub(crate) fn touch(&self) {
        if self.touches.load(Ordering::Relaxed) != ENDLESS && self.touches.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.touches.store(ENDLESS, Ordering::Relaxed);
            self.lose();
        }
    }

    /// Submits what was encoded.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        self.touch();
        self.queue.submit([encoder.finish()])
    }

    /// Checks that nothing went wrong on the device since the last call. A lost device stays lost.
    pub fn check(&self) -> Result<(), Failure> {
        self.touch();
        // wgpu reports the loss of a destroyed device only when the device is polled.
        self.poll(wgpu::PollType::Poll)?;
        self.report()
    }

    /// The loss of the device, or its first error since the last call.
    fn report(&self) -> Result<(), Failure> {
        if let Some(why) = self.lost.get() {
            let why = if why.is_empty() { "its driver does not say why" } else { why };
            return Err(Failure::Device(format!("the GPU ({}) was lost: {why}", self.info.name)));
        }
        let trouble = self.trouble.lock().ok().and_then(|mut trouble| trouble.take());
        trouble.map_or(Ok(()), |trouble| Err(self.failed(&trouble)))
    }

    fn failed(&self, why: &str) -> Failure {
        Failure::Device(format!("the GPU ({}) failed: {why}", self.info.name))
    }

    /// Waits until the device has done what was submitted: all of it, or all up to `submission`.
    pub fn wait(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<(), Failure> {
        self.touch();
        let waited = self.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None });
        // The loss of the device explains more than a wait that failed.
        self.report()?;
        waited
    }

    fn poll(&self, poll: wgpu::PollType) -> Result<(), Failure> {
        let polled = guarded(|| self.device.poll(poll)).and_then(|polled| polled.map_err(|error| error.to_string()));
        polled.map(drop).map_err(|why| self.failed(&why))
    }
}

/// Whether there is a GPU of which the `auto` engine makes use.
pub fn has_hardware() -> bool {
    best_adapter(Adapters::Hardware).is_ok()
}

fn best_adapter(adapters: Adapters) -> Result<wgpu::Adapter, Failure> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let found = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let rank = |adapter: &wgpu::Adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => 2,
        wgpu::DeviceType::Cpu => 3,
    };
    let allowed = found.into_iter().filter(|adapter| adapters == Adapters::Any || rank(adapter) < 3);
    allowed.min_by_key(rank).ok_or_else(|| {
        Failure::Device(match adapters {
            Adapters::Hardware => "no GPU was found; use --engine cpu".into(),
            Adapters::Any => "no graphics adapter was found, not even a software one; install a Vulkan driver \
                              (on Debian: mesa-vulkan-drivers), or use --engine cpu"
                .into(),
        })
    })
}
