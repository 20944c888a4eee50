//! Finding a GPU, and opening it within WebGPU's default limits.

use crate::error::Failure;
use crate::world::Extents;
use std::sync::{Arc, Mutex};

/// An open graphics device.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    /// The first error that the device reported; wgpu reports some only when it is asked to do something else.
    trouble: Arc<Mutex<Option<String>>>,
}

/// Which adapters may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapters {
    /// Only real GPUs.
    Hardware,
    /// A real GPU, or else a software adapter such as lavapipe.
    Any,
}

impl Gpu {
    /// Opens the best adapter of those allowed, for lattices of these extents.
    ///
    /// # Errors
    /// There is none, or it cannot do what a lattice of this size needs.
    pub fn open(adapters: Adapters, extents: Extents) -> Result<Self, Failure> {
        let adapter = best_adapter(adapters)?;
        let info = adapter.get_info();
        let mut limits = wgpu::Limits::defaults();
        let largest = extents.width.max(extents.height);
        if largest > limits.max_texture_dimension_2d {
            limits.max_texture_dimension_2d = largest;
        }
        let descriptor =
            wgpu::DeviceDescriptor { label: Some("murmuration"), required_limits: limits, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
            Failure::Device(format!(
                "the adapter {} cannot hold a lattice of {}x{}: {error}; use a smaller --size, or --engine cpu",
                info.name, extents.width, extents.height
            ))
        })?;
        let trouble = Arc::new(Mutex::new(None));
        let first = trouble.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut first) = first.lock() {
                first.get_or_insert_with(|| error.to_string());
            }
        }));
        Ok(Self { device, queue, info, trouble })
    }

    /// What went wrong on the device since the last call, if anything did.
    pub fn check(&self) -> Result<(), Failure> {
        let trouble = self.trouble.lock().ok().and_then(|mut trouble| trouble.take());
        match trouble {
            Some(trouble) => Err(Failure::Device(format!("the GPU ({}) failed: {trouble}", self.info.name))),
            None => Ok(()),
        }
    }

    /// Waits until the device has done what was submitted: all of it, or all up to `submission`.
    pub fn wait(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<(), Failure> {
        let poll = wgpu::PollType::Wait { submission_index: submission, timeout: None };
        self.device
            .poll(poll)
            .map_err(|error| Failure::Device(format!("the GPU ({}) does not answer: {error}", self.info.name)))?;
        self.check()
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
