//! The hardware that a benchmark runs on.

use super::families::{Adapter, Devices};
use crate::engine::Adapters;
use crate::engine::gpu::{Gpu, has_hardware};
use crate::lanes::InstructionSet;
use crate::world::Extents;
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread::available_parallelism;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine, its graphics adapter if there is one, and the build of the program.
pub struct Hardware {
    /// The name of the processor.
    pub cpu: String,
    /// Hardware threads.
    pub threads: usize,
    /// Memory in bytes.
    pub memory: u64,
    pub system: String,
    pub gpu: Option<Graphics>,
}

/// An open adapter.
pub struct Graphics {
    pub gpu: Arc<Gpu>,
    pub is_hardware: bool,
}

impl Hardware {
    /// Detects the hardware, and opens an adapter if one may be needed.
    pub fn detect(needs_gpu: bool) -> Self {
        let kind = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kind).ok();
        let brand = system.as_ref().and_then(|system| Some(system.cpus().first()?.brand().trim().to_owned()));
        let open = || Gpu::open(*crate::host().library(), Adapters::Any, Extents { width: 64, height: 64 }).ok();
        let gpu = if needs_gpu { open() } else { None };
        Self {
            cpu: brand.filter(|brand| !brand.is_empty()).unwrap_or_else(|| "an unknown processor".into()),
            threads: available_parallelism().map_or(1, usize::from),
            memory: system.map_or(0, |system| system.total_memory()),
            system: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.into()),
            gpu: gpu.map(|gpu| Graphics { gpu: Arc::new(gpu), is_hardware: has_hardware() }),
        }
    }

    /// The devices that engines can run on.
    pub fn devices(&self) -> Devices {
        let kind = |gpu: &Graphics| if gpu.is_hardware { Adapter::Hardware } else { Adapter::Software };
        Devices { threads: self.threads, gpu: self.gpu.as_ref().map(kind) }
    }

    /// A description in lines of text.
    pub fn lines(&self) -> Vec<String> {
        let plural = if self.threads == 1 { "" } else { "s" };
        let memory = self.memory >> 30;
        let mut lines = vec![format!(
            "{}, {} thread{plural}, {}, {memory} GiB of memory, {}",
            self.cpu,
            self.threads,
            InstructionSet::widest(),
            self.system
        )];
        if let Some(graphics) = &self.gpu {
            let info = &graphics.gpu.info;
            let kind = if graphics.is_hardware { "" } else { ", a software adapter on the same cores" };
            let driver = format!("{} {}", info.driver, info.driver_info);
            lines.push(format!("{} ({}, {}{kind})", info.name, info.backend, driver.trim()));
        }
        let version = env!("CARGO_PKG_VERSION");
        let debug = if cfg!(debug_assertions) { ", a debug build: its numbers say little" } else { "" };
        lines.push(format!("murmuration {version}{debug}"));
        lines
    }

    pub fn object(&self) -> Value {
        let adapter = self.gpu.as_ref().map(|graphics| {
            let info = &graphics.gpu.info;
            json!({
                "name": info.name,
                "backend": info.backend.to_string(),
                "driver": format!("{} {}", info.driver, info.driver_info).trim(),
                "hardware": graphics.is_hardware,
            })
        });
        json!({
            "cpu": self.cpu,
            "threads": self.threads,
            "instruction_set": InstructionSet::widest().to_string(),
            "memory_bytes": self.memory,
            "system": self.system,
            "adapter": adapter,
            "version": env!("CARGO_PKG_VERSION"),
            "debug": cfg!(debug_assertions),
        })
    }
}
