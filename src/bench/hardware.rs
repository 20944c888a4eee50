//! The hardware that a benchmark runs on.

use super::families::{Adapter, Devices};
use murmuration_core::engine::Adapters;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::world::Extents;
use murmuration_gpu::{DeviceRequest, Gpu};
use serde::Serialize;
use std::sync::Arc;
use std::thread::available_parallelism;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine, its graphics adapter if there is one, and the build of the program.
#[derive(Serialize)]
pub struct Hardware {
    /// The name of the processor.
    cpu: String,
    /// The number of hardware threads of the processor.
    threads: usize,
    /// The widest instruction set of the processor.
    instruction_set: String,
    memory_bytes: u64,
    system: String,
    adapter: Option<Graphics>,
    version: &'static str,
    debug: bool,
    /// The adapter, if it was opened.
    #[serde(skip)]
    pub gpu: Option<Arc<Gpu>>,
}

/// A graphics adapter.
#[derive(Serialize)]
struct Graphics {
    name: String,
    backend: String,
    driver: String,
    #[serde(rename = "hardware")]
    is_hardware: bool,
}

impl Hardware {
    /// Detects the hardware, and opens an adapter if one may be needed.
    pub fn detect(needs_gpu: bool) -> Self {
        let kind = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kind).ok();
        let brand = system.as_ref().and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()));
        let request = DeviceRequest::new(Adapters::Any, Extents::flat(64, 64));
        let open = || crate::devices().get(&request).ok();
        let gpu = if needs_gpu { open() } else { None };
        Self {
            cpu: brand.filter(|brand| !brand.is_empty()).unwrap_or_else(|| "an unknown processor".into()),
            threads: available_parallelism().map_or(1, usize::from),
            instruction_set: InstructionSet::widest().to_string(),
            memory_bytes: system.map_or(0, |system| system.total_memory()),
            system: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.into()),
            adapter: gpu.as_ref().map(|gpu| Graphics {
                name: gpu.info.name.clone(),
                backend: gpu.info.backend.to_string(),
                driver: format!("{} {}", gpu.info.driver, gpu.info.driver_info).trim().into(),
                is_hardware: !gpu.is_software(),
            }),
            version: env!("CARGO_PKG_VERSION"),
            debug: cfg!(debug_assertions),
            gpu,
        }
    }

    /// The devices that engines can run on.
    pub fn devices(&self) -> Devices {
        let kind = |gpu: &Graphics| if gpu.is_hardware { Adapter::Hardware } else { Adapter::Software };
        Devices { threads: self.threads, gpu: self.adapter.as_ref().map(kind) }
    }

    /// A description in lines of text.
    pub fn lines(&self) -> Vec<String> {
        let Self { cpu, threads, instruction_set, system, version, .. } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        let memory = self.memory_bytes >> 30;
        let mut lines =
            vec![format!("{cpu}, {threads} thread{plural}, {instruction_set}, {memory} GiB of memory, {system}")];
        lines.extend(self.adapter.as_ref().map(|Graphics { name, backend, driver, is_hardware }| {
            let kind = if *is_hardware { "" } else { ", a software adapter on the same cores" };
            format!("{name} ({backend}, {driver}{kind})")
        }));
        let debug = if self.debug { ", a debug build: its numbers say little" } else { "" };
        lines.push(format!("murmuration {version}{debug}"));
        lines
    }
}
