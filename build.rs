//! Writes the list `shaders.rs`: the path and the text of every WGSL file in `shaders/`, for the library of texts in
//! the program.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var(name).expect("cargo sets it");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed=shaders");
    let mut files = Vec::new();
    add_files(&root, Path::new("shaders"), &mut files)?;
    files.sort();
    let rows = files.iter().map(|file| format!("    ({file:?}, include_str!({:?})),\n", root.join(file)));
    let list = format!("&[\n{}]\n", rows.collect::<String>());
    fs::write(Path::new(&variable("OUT_DIR")).join("shaders.rs"), list)
}

/// Adds the paths of all WGSL files below a folder, relative to `root` and with `/` between their parts.
fn add_files(root: &Path, folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let path = folder.join(entry?.file_name());
        if root.join(&path).is_dir() {
            add_files(root, &path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "wgsl") {
            files.push(path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"));
        }
    }
    Ok(())
}
