//! This program as the host of `murmuration-core`. It provides compiled-in texts, disk access, pictures, the free
//! memory and GPU devices.

use crate::files::{array, picture, reading};
pub use crate::free_memory::{bound_memory, free_memory};
use crate::ranks;
use flate2::read::ZlibDecoder;
#[cfg(feature = "gpu")]
use murmuration_core::engine::GpuBackend;
use murmuration_core::engine::platform::Platform;
pub use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Complaint};
use murmuration_core::host::Host;
use murmuration_core::host::library::Library;
use murmuration_core::host::raster::{Raster, VectorList};
use murmuration_core::ranks::Ranks;
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
use murmuration_gpu::device;
#[cfg(feature = "gpu")]
use murmuration_gpu::{Backend, DevicePool, Gpu};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use web_time::Instant;

/// The path and the text of each file, listed by folders of the project.
macro_rules! texts {
    ($($folder:literal: $($file:literal)*;)*) => {
        &[$($((concat!($folder, "/", $file), include_str!(concat!("../", $folder, "/", $file)))),*),*]
    };
}

/// The path and the text of each file of the folder `shaders/` (see `build.rs`).
const SHADERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// All chains, kernels and presets, compiled in, so that the program runs from any folder. The presets are in the order
/// of the gallery.
pub static LIBRARY: Library = Library::new(&[
    SHADERS,
    texts! {
        "passes": "cell.toml" "cell-deep.toml" "cell-fast.toml" "paper-gather.toml" "agents-brute.toml"
            "agents-grid.toml" "agents-octree.toml" "glow.toml" "dusk.toml" "cloud.toml" "values.toml";
        "presets": "murmuration.toml" "veils.toml" "smoke.toml" "ink.toml" "stoop.toml" "droplets.toml" "ribbons.toml"
            "shoals.toml" "simmer.toml" "fog.toml" "lagoon.toml" "paper.toml" "million.toml" "caves.toml"
            "aquarium.toml" "rings.toml" "temple.toml" "reef.toml" "three.toml" "moods.toml" "feeding.toml"
            "evolve.toml" "chase.toml" "school.toml" "flock.toml" "circles.toml" "flock-million.toml"
            "shoal-compare.toml" "drift-compare.toml" "hunt-compare.toml" "mill-compare.toml" "reference.toml";
    },
]);

/// The thumbnails of the presets, made by `presets/thumbnails/make.sh`.
macro_rules! thumbnails {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../presets/thumbnails/", $name, ".jpg")))),*]
    };
}

const THUMBNAILS: &[(&str, &[u8])] = thumbnails!(
    "murmuration" "veils" "smoke" "ink" "stoop" "droplets" "ribbons" "shoals" "simmer" "fog" "lagoon" "paper" "million"
    "caves" "aquarium" "rings" "temple" "reef" "three" "moods" "feeding" "evolve" "chase" "school" "flock" "circles"
    "flock-million" "shoal-compare" "drift-compare" "hunt-compare" "mill-compare" "reference"
);

/// Deflated checkpoints of presets with a run-in. Each holds the state at step 0, after the run-in.
macro_rules! run_ins {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../presets/run-in/", $name, ".checkpoint.z")))),*]
    };
}

const RUN_INS: &[(&str, &[u8])] = run_ins!("murmuration");

/// The thumbnail of a built-in preset, a JPEG; empty for other names.
pub fn thumbnail(name: &str) -> &'static [u8] {
    THUMBNAILS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, bytes)| bytes)
}

/// The name and the description of every built-in preset. The default preset comes first.
///
/// ```
/// assert_eq!(murmuration::presets().next().unwrap().0, "murmuration");
/// ```
pub fn presets() -> impl Iterator<Item = (&'static str, String)> {
    murmuration_core::preset::descriptions(host())
}

/// The host of this program. It reads files and plays on the devices of [`devices`].
pub fn host() -> &'static SharedHost {
    static HOST: LazyLock<SharedHost> = LazyLock::new(|| Arc::new(Program::new(true)));
    &HOST
}

/// A host that reads no files, for presets and links from strangers.
pub fn host_without_files() -> &'static SharedHost {
    static HOST: LazyLock<SharedHost> = LazyLock::new(|| Arc::new(Program::new(false)));
    &HOST
}

/// The graphics devices of this program.
#[cfg(feature = "gpu")]
pub fn devices() -> &'static Arc<DevicePool> {
    static DEVICES: LazyLock<Arc<DevicePool>> = LazyLock::new(|| Arc::new(new_devices()));
    &DEVICES
}

/// A pool of devices that shares no device with this program.
#[cfg(feature = "gpu")]
pub fn new_devices() -> DevicePool {
    #[cfg(target_os = "linux")]
    drop_wayland_log();
    DevicePool::new(LIBRARY, open_device)
}

/// Drops the messages of libwayland on a machine without a desktop session. There Mesa's layer for choosing among
/// several GPUs asks for a display whenever a device is opened, and libwayland would write to standard error each time.
#[cfg(all(feature = "gpu", target_os = "linux"))]
fn drop_wayland_log() {
    use std::ffi::{c_char, c_void};
    type Handler = extern "C" fn(*const c_char, *mut c_void);
    extern "C" fn drop_line(_: *const c_char, _: *mut c_void) {}
    if std::env::var_os("XDG_RUNTIME_DIR").is_some() {
        return;
    }
    // SAFETY: the library stays loaded, and its function has this type. The handler reads none of its arguments.
    unsafe {
        let library = libc::dlopen(c"libwayland-client.so.0".as_ptr(), libc::RTLD_LAZY);
        if library.is_null() {
            return;
        }
        let set_handler = libc::dlsym(library, c"wl_log_set_handler_client".as_ptr());
        if !set_handler.is_null() {
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(Handler)>(set_handler)(drop_line);
        }
    }
}

/// Opens a device and waits for it. Only here does this program block on a future of a device.
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
fn open_device(
    instance: &wgpu::Instance,
    library: Library,
    request: &murmuration_gpu::DeviceRequest<'_>,
) -> Result<Gpu, murmuration_core::error::Failure> {
    Ok(pollster::block_on(device::open(instance, library, request))?.with_clock(elapsed))
}

/// Always fails: a page cannot wait. The page opens its devices itself, and adds them to the pool.
#[cfg(all(feature = "gpu", target_family = "wasm"))]
fn open_device(
    _: &wgpu::Instance,
    _: Library,
    _: &murmuration_gpu::DeviceRequest<'_>,
) -> Result<Gpu, murmuration_core::error::Failure> {
    Err(murmuration_core::error::Failure::Device("no graphics device is open, and a page cannot wait for one".into()))
}

/// Whether a GPU is present that the engine `auto` would use. A software adapter does not count.
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub fn has_hardware() -> bool {
    pollster::block_on(device::has_hardware(&devices().instance()))
}

/// A host whose GPU engines run on the device of an embedding program. The engine `gpu` always uses this device. The
/// engine `auto` uses this device unless it is a software adapter.
#[cfg(feature = "gpu")]
pub fn host_on_device(device: &wgpu::Device, queue: &wgpu::Queue) -> SharedHost {
    host_on_devices(DevicePool::from_gpu(Gpu::from_device(LIBRARY, device, queue).with_clock(elapsed)))
}

/// A host whose GPU engines run on the devices of a pool.
#[cfg(feature = "gpu")]
pub fn host_on_devices(devices: DevicePool) -> SharedHost {
    Arc::new(Program { gpu: Backend { devices: Arc::new(devices), free_memory }, ..Program::new(true) })
}

/// A host for one of several ranks, which are processes that play a world together. Each rank plays a slab of every
/// world.
pub fn host_on_ranks(ranks: Arc<dyn Ranks>) -> SharedHost {
    Arc::new(Program { ranks, ..Program::new(true) })
}

#[derive(Debug)]
struct Program {
    /// Whether the host reads files that the user or a preset names.
    has_files: bool,
    ranks: Arc<dyn Ranks>,
    #[cfg(feature = "gpu")]
    gpu: Backend,
}

impl Program {
    fn new(has_files: bool) -> Self {
        Self {
            has_files,
            ranks: ranks::present(),
            #[cfg(feature = "gpu")]
            gpu: Backend { devices: devices().clone(), free_memory },
        }
    }
}

impl Host for Program {
    fn library(&self) -> &Library {
        &LIBRARY
    }

    fn read_text(&self, path: &Path) -> Result<String, BadInput> {
        if self.has_files { reading::text(path) } else { LIBRARY.read_text(path) }
    }

    fn read_bytes(&self, path: &Path) -> Result<Vec<u8>, Complaint> {
        if self.has_files { reading::bytes(path) } else { LIBRARY.read_bytes(path) }
    }

    fn canonical_path(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    }

    fn absolute_path(&self, path: &Path) -> PathBuf {
        std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
    }

    fn decode_picture(&self, bytes: &[u8]) -> Result<Raster, Complaint> {
        picture::decode(bytes, free_memory())
    }

    fn decode_array(&self, bytes: &[u8]) -> Result<Raster, Complaint> {
        array::decode(bytes)
    }

    fn decode_voxels(&self, bytes: &[u8]) -> Result<Raster<i16>, Complaint> {
        array::decode_voxels(bytes)
    }

    fn decode_vectors(&self, bytes: &[u8]) -> Result<VectorList, Complaint> {
        array::decode_vectors(bytes)
    }

    fn end_of_run_in(&self, preset: &str) -> Option<Vec<u8>> {
        let (_, deflated) = RUN_INS.iter().find(|(name, _)| *name == preset)?;
        let mut bytes = Vec::new();
        ZlibDecoder::new(*deflated).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn free_memory(&self) -> Option<u64> {
        free_memory()
    }

    #[cfg(not(target_family = "wasm"))]
    fn pause(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn ranks(&self) -> Arc<dyn Ranks> {
        self.ranks.clone()
    }

    fn clock(&self) -> Option<fn() -> Duration> {
        Some(elapsed)
    }
}

impl Platform for Program {
    #[cfg(feature = "gpu")]
    fn gpu(&self) -> Option<&dyn GpuBackend> {
        Some(&self.gpu)
    }
}

/// The time since the first call of this function.
pub fn elapsed() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::preset::{DEFAULT, Overrides, Preset, descriptions};
    use murmuration_core::text::readable::grouped;
    use murmuration_core::world::{Extents, memory};
    use std::collections::BTreeSet;

    #[test]
    fn an_unknown_preset_lists_the_known_ones_the_default_first() {
        let text = Preset::load(host(), "dropplets", &Overrides::default()).unwrap_err().to_string();
        assert!(
            text.starts_with("dropplets: there is no preset of this name; known are murmuration, veils,"),
            "{text}"
        );
    }

    #[test]
    fn the_list_is_the_directory() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(host().library().preset_names().map(str::to_owned).collect::<BTreeSet<_>>(), files);
        assert_eq!(host().library().preset_names().count(), files.len());
        assert_eq!(host().library().preset_names().next(), Some(DEFAULT));
    }

    #[test]
    fn every_preset_loads_and_holds_its_boids() {
        for name in host().library().preset_names() {
            // The checks do not depend on the size. A small lattice saves time.
            let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
            let preset = Preset::load(host(), name, &overrides).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(preset.name, name);
            assert!(preset.start_spec.quanta() > 0, "{name} is empty");
            let of_individuals = preset.individuals.as_ref().map_or(0, |model| model.weights.len());
            assert!(preset.rules.weights.len() + of_individuals >= 3, "{name} has no weights");
        }
        assert!(descriptions(host()).all(|(_, description)| !description.is_empty()));
    }

    /// Fails if the reference preset lacks a key that the program knows.
    #[test]
    fn the_reference_says_every_key() {
        let reference = host().library().preset("reference").unwrap();
        for (table, rest) in [
            ("", ""),
            ("[world]", ""),
            ("[[world.solid]]", ""),
            ("[world]\nsolid = [{ circle = {", "} }]"),
            ("[world]\nsolid = [{ rectangle = {", "} }]"),
            ("[world.terrain]", ""),
            ("[[world.terrain.shape]]", ""),
            ("[world.terrain]\nshape = [{ torus = {", "} }]"),
            ("[world.terrain]\nshape = [{ cylinder = {", "} }]"),
            ("[start]", ""),
            ("[perception]", ""),
            ("[sight.cohesion]", ""),
            ("[sight.cohesion]\nrings = {", "}"),
            ("[separation]", ""),
            ("[movement]", ""),
            ("[hunter]", ""),
            ("[look]", ""),
            ("[agents]", ""),
        ] {
            let separator = if rest.is_empty() { "\n" } else { " " };
            let text = format!("{table}{separator}nonsense = 1 {rest}\n");
            let wrong = Preset::from_text(host(), "test", &text, &Overrides::default()).unwrap_err();
            let known: Vec<&str> = wrong.cure.split('`').skip(1).step_by(2).collect();
            assert!(!known.is_empty(), "{wrong}");
            for key in known {
                let said = reference.contains(&format!("{key} = "))
                    || reference.contains(&format!("[{key}"))
                    || reference.contains(&format!("{key}]"));
                assert!(said, "{table} {key} is not in the reference");
            }
        }
    }

    #[test]
    fn the_system_says_what_is_free_memory() {
        let free = free_memory().expect("Linux says it");
        assert!((16 << 20..1 << 50).contains(&free), "{free}");
        assert!(memory::check(Extents::flat(512, 512), memory::WINDOW, Some(free)).is_ok());
        assert!(memory::check(Extents::flat(16_384, 16_384), 1 << 30, Some(free)).is_err());
        assert_eq!(memory::check_individuals(1 << 16, Some(free)), Ok(()));
        assert!(
            memory::check_individuals(1 << 44, Some(free))
                .unwrap_err()
                .starts_with(&format!("{} individuals need", grouped(1 << 44)))
        );
    }
}
