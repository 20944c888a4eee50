//! Arrays of NPZ files.

use ndarray_npy::ReadNpyExt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zip::ZipArchive;

/// Reads an array of an NPZ file.
pub fn array<A: ReadNpyExt>(path: &Path, name: &str) -> A {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut bytes = Vec::new();
    archive.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut bytes).unwrap();
    A::read_npy(&bytes[..]).unwrap()
}
