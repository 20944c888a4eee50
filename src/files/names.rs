//! Names of files.

use super::system;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The first free path among `name`, `name-2`, `name-3`, … with an ending. The ending includes its dot, or is empty. If
/// a name is too long for a file, its middle is left out.
pub fn free_path(name: &Path, ending: &str) -> PathBuf {
    let [path] = free_paths(name, [ending]);
    path
}

/// The paths of one name with each of several endings. The name is the first among `name`, `name-2`, … for which none
/// of these paths exists. Each ending includes its dot, or is empty.
pub fn free_paths<const N: usize>(name: &Path, endings: [&str; N]) -> [PathBuf; N] {
    let name = shortened(name);
    // A dot in the name does not begin an extension, so `set_extension` is not used.
    let named = |number: &str| {
        endings.map(|ending| [name.as_os_str(), number.as_ref(), ending.as_ref()].join(OsStr::new("")).into())
    };
    let numbered = (2..).map(|number: u32| named(&format!("-{number}")));
    let is_free = |paths: &[PathBuf; N]| !paths.iter().any(|path| system::is_taken(path));
    std::iter::once(named("")).chain(numbered).find(is_free).unwrap_or_else(|| named(""))
}

/// The maximum number of bytes of a file name before its number and its ending. Most file systems allow 255 bytes for
/// the whole file name.
const MAX_NAME_BYTES: usize = 220;

/// The path with a name of at most [`MAX_NAME_BYTES`] bytes. The end of the name is kept, because it may be a step.
fn shortened(path: &Path) -> PathBuf {
    match path.file_name().and_then(OsStr::to_str) {
        Some(name) if name.len() > MAX_NAME_BYTES => {
            let [first, last] =
                [name.floor_char_boundary(MAX_NAME_BYTES - 33), name.ceil_char_boundary(name.len() - 30)];
            path.with_file_name(format!("{}…{}", &name[..first], &name[last..]))
        }
        _ => path.to_path_buf(),
    }
}

/// The folder of a path; `.` if the path is only a file name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
