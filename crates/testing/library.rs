//! The chains, kernels and presets of the project, read from the disk, for unit tests.

use super::Library;
use std::path::Path;
use std::sync::LazyLock;

/// The texts of the folders `passes`, `shaders` and `presets`, which the program contains.
pub fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut texts = Vec::new();
        for folder in ["passes", "shaders", "presets"] {
            read_folder(&root, folder, &mut texts);
        }
        Library::new(Vec::leak(vec![Vec::leak(texts) as &[_]]))
    });
    &LIBRARY
}

fn read_folder(root: &Path, folder: &str, texts: &mut Vec<(&'static str, &'static str)>) {
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            read_folder(root, &path, texts);
        } else if path.ends_with(".toml") || path.ends_with(".wgsl") {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            texts.push((path.leak(), text.leak()));
        }
    }
}
