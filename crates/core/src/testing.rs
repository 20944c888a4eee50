//! The host of unit tests. It reads built-in presets, chains and kernels, and files, from the disk.

#[path = "../../testing/library.rs"]
mod library;

pub use library::library;

use crate::engine::platform::{Platform, SharedHost};
use crate::error::BadInput;
use crate::host::Host;
use crate::host::library::Library;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// A host with the built-in presets, chains and kernels of the project. It reads files and has no GPU.
pub fn host() -> &'static SharedHost {
    static HOST: LazyLock<SharedHost> = LazyLock::new(|| Arc::new(TestHost));
    &HOST
}

#[derive(Debug)]
struct TestHost;

impl Platform for TestHost {}

impl Host for TestHost {
    fn library(&self) -> &Library {
        library()
    }

    fn read_text(&self, path: &Path) -> Result<String, BadInput> {
        std::fs::read_to_string(path).map_err(|error| {
            BadInput::new(path.display().to_string(), format!("cannot be read: {error}"), "name a text file")
        })
    }
}
