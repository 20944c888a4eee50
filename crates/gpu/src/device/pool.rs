//! The open devices of a program, and how a device is found and opened within WebGPU's default limits.

use super::gpu::Gpu;
use super::stopwatch::CLOCK;
use crate::device::fault_injection;
use murmuration_core::engine::Adapters;
use murmuration_core::error::Failure;
use murmuration_core::faults::{self, Operation};
use murmuration_core::host::library::Library;
use murmuration_core::parallel::process;
use murmuration_core::world::Extents;
use parking_lot::Mutex;
use std::fmt::{self, Debug, Formatter};
use std::sync::{Arc, Weak};

/// The requirements of a device.
#[derive(Debug, Clone, Copy)]
pub struct DeviceRequest<'a> {
    /// The allowed kinds of adapters.
    pub adapters: Adapters,
    /// The extents of the largest lattice, in cells.
    pub extents: Extents,
    /// The number of individuals.
    pub individuals: usize,
    /// The surface that the device has to draw on, if any.
    pub surface: Option<&'a wgpu::Surface<'static>>,
}

impl DeviceRequest<'_> {
    /// A device for a lattice of these extents.
    pub fn new(adapters: Adapters, extents: Extents) -> Self {
        Self { adapters, extents, individuals: 0, surface: None }
    }

    /// The device whose loss tests can inject.
    fn injected(&self) -> fault_injection::Device {
        match self.surface {
            Some(_) => fault_injection::Device::Canvas,
            None => fault_injection::Device::Engine,
        }
    }
}

/// Opens a device and waits for it, by running [`open`] on an executor.
pub type Opener = fn(&wgpu::Instance, Library, &DeviceRequest<'_>) -> Result<Gpu, Failure>;

/// The open devices of a program. An engine, its pictures, a film and the window share a device that serves them all.
pub struct DevicePool {
    library: Library,
    opener: Opener,
    /// The device of another program. It serves every request.
    given: Option<Arc<Gpu>>,
    open: Mutex<OpenDevices>,
}

#[derive(Default)]
struct OpenDevices {
    instance: Option<wgpu::Instance>,
    /// The number of the process that made the instance.
    process: u32,
    devices: Vec<Weak<Gpu>>,
}

impl Debug for DevicePool {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("DevicePool").finish_non_exhaustive()
    }
}

impl DevicePool {
    /// An empty pool.
    pub const fn new(library: Library, opener: Opener) -> Self {
        Self {
            library,
            opener,
            given: None,
            open: Mutex::new(OpenDevices { instance: None, process: 0, devices: Vec::new() }),
        }
    }

    /// A pool with only the device of another program.
    pub fn from_gpu(gpu: Gpu) -> Self {
        let no_opener: Opener = |_, _, _| Err(Failure::Device("only the device of the program is used".into()));
        let pool = Self::new(gpu.library, no_opener);
        Self { given: Some(Arc::new(gpu)), ..pool }
    }

    /// The instance on which all devices are opened. If no device is open, a new instance is made, which finds newly
    /// installed drivers.
    pub fn instance(&self) -> wgpu::Instance {
        let mut open = self.open.lock();
        open.forget_lost();
        if open.devices.is_empty() {
            open.instance = None;
        }
        open.instance()
    }

    /// An open device that serves the request. If none does, another device is opened.
    ///
    /// # Errors
    /// If no device serves the request.
    pub fn get(&self, request: &DeviceRequest<'_>) -> Result<Arc<Gpu>, Failure> {
        if let Some(gpu) = &self.given {
            if request.adapters == Adapters::Hardware && gpu.is_software() {
                return Err(Failure::Device(format!("{} is no GPU; use the engine `gpu` or `cpu`", gpu.info.name)));
            }
            gpu.check_size(request.extents, request.individuals)?;
            return Ok(gpu.clone());
        }
        // Other threads that request a device wait here, and then share the new device.
        let mut open = self.open.lock();
        fault_injection::check_refusal(request.injected())?;
        if open.instance.is_some() && open.process != process() {
            let cure = "use the engine `cpu`, or start processes without a fork (in Python by \"spawn\")";
            return Err(Failure::Device(format!("a graphics device does not live on in a forked process; {cure}")));
        }
        open.forget_lost();
        if let Some(gpu) = open.devices.iter().filter_map(Weak::upgrade).find(|gpu| serves(gpu, request)) {
            return Ok(gpu);
        }
        if faults::is_due(Operation::Device) {
            return Err(Failure::Device(format!("no graphics adapter could be opened: {}", faults::SAID)));
        }
        let gpu = Arc::new((self.opener)(&open.instance(), self.library, request)?);
        gpu.check_size(request.extents, request.individuals)?;
        open.devices.push(Arc::downgrade(&gpu));
        Ok(gpu)
    }
}

impl DevicePool {
    /// Adds a device that was opened on the instance of the pool. It stays in the pool while it is in use.
    pub fn add(&self, gpu: Gpu) -> Arc<Gpu> {
        let gpu = Arc::new(gpu);
        self.open.lock().devices.push(Arc::downgrade(&gpu));
        gpu
    }
}

impl OpenDevices {
    fn forget_lost(&mut self) {
        self.devices.retain(|gpu| gpu.upgrade().is_some_and(|gpu| !gpu.is_discarded() && !gpu.is_lost()));
    }

    fn instance(&mut self) -> wgpu::Instance {
        let make = || {
            self.process = process();
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle())
        };
        self.instance.get_or_insert_with(make).clone()
    }
}

/// Whether an open device is allowed, draws on the surface, and has room for the extents and individuals of the
/// request. A request without a surface needs the best kind of device. A lesser device may only have been opened for a
/// window.
fn serves(gpu: &Gpu, request: &DeviceRequest<'_>) -> bool {
    let draws = |surface| gpu.adapter.as_ref().is_some_and(|adapter| adapter.is_surface_supported(surface));
    (request.adapters == Adapters::Any || !gpu.is_software())
        && request.surface.map_or(gpu.is_best, draws)
        && gpu.check_size(request.extents, request.individuals).is_ok()
}

/// Opens the best adapter that a request allows. Textures and buffers may have the adapter's maximum sizes, so that
/// later requests can share the device. The other limits are WebGPU's defaults.
///
/// # Errors
/// If there is no such adapter, or it cannot be used.
pub async fn open(instance: &wgpu::Instance, library: Library, request: &DeviceRequest<'_>) -> Result<Gpu, Failure> {
    let (adapter, is_best) = best_adapter(instance, request.adapters, request.surface).await?;
    let most = adapter.limits();
    let limits = wgpu::Limits {
        max_texture_dimension_2d: most.max_texture_dimension_2d,
        max_storage_buffer_binding_size: most.max_storage_buffer_binding_size,
        max_buffer_size: most.max_buffer_size,
        ..wgpu::Limits::defaults().or_worse_values_from(&most)
    };
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("murmuration"),
        required_features: adapter.features() & CLOCK,
        required_limits: limits,
        ..Default::default()
    };
    let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
        Failure::Device(format!("the graphics adapter {} cannot be used: {error}", adapter.get_info().name))
    })?;
    Ok(Gpu::opened(library, (adapter, is_best), &device, &queue))
}

/// Whether there is a GPU that the engine `auto` would use.
pub async fn has_hardware(instance: &wgpu::Instance) -> bool {
    best_adapter(instance, Adapters::Hardware, None).await.is_ok()
}

/// The best adapter that is allowed and draws on the surface, and whether no other adapter has a better kind.
async fn best_adapter(
    instance: &wgpu::Instance,
    adapters: Adapters,
    surface: Option<&wgpu::Surface<'static>>,
) -> Result<(wgpu::Adapter, bool), Failure> {
    let found = instance.enumerate_adapters(wgpu::Backends::all()).await;
    let rank = |adapter: &wgpu::Adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => 2,
        wgpu::DeviceType::Cpu => 3,
    };
    let is_allowed = |adapter: &wgpu::Adapter| adapters == Adapters::Any || rank(adapter) < 3;
    let draws = |adapter: &wgpu::Adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface));
    let best_rank = found.iter().map(rank).min();
    let allowed = found.into_iter().filter(|adapter| is_allowed(adapter) && draws(adapter));
    let best = allowed.min_by_key(rank).map(|adapter| (best_rank == Some(rank(&adapter)), adapter));
    best.map(|(is_best, adapter)| (adapter, is_best)).ok_or_else(|| {
        let cure = "install a Vulkan driver (on Debian: mesa-vulkan-drivers)";
        Failure::Device(match (adapters, surface) {
            (_, Some(_)) => format!("no graphics adapter can draw on the window; {cure}, or use `murmuration render`"),
            (Adapters::Hardware, None) => "no GPU was found; use the engine `cpu`".into(),
            (Adapters::Any, None) => {
                format!("no graphics adapter was found, not even a software one; {cure}, or use the engine `cpu`")
            }
        })
    })
}
