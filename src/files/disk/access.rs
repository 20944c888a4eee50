//! Which files are read on this computer. Presets, chains, replays and checkpoints come from strangers, so what they name is not read
//! wherever it lies: a preset or a chain that the user named opens its own folder and what is below, and a picture or an array that the
//! user named opens itself. Replays and checkpoints carry their files, and open nothing.
//!
//! The program confines itself when it starts; a program that embeds the library is not confined.

use crate::files::folder_of;
use murmuration_core::error::Complaint;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// What may be read; `None`: everything.
static ALLOWED: RwLock<Option<AllowedPaths>> = RwLock::new(None);

#[derive(Default)]
struct AllowedPaths {
    /// With all that is below.
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl AllowedPaths {
    /// Opens a file that the user named, and the folder of a preset, a chain or a kernel.
    fn add(&mut self, path: &Path) {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("toml" | "wgsl") => self.folders.push(resolved(folder_of(path))),
            _ => self.files.push(resolved(path)),
        }
    }

    fn has(&self, path: &Path) -> bool {
        let path = resolved(path);
        // Of what is not there, `..` may lead anywhere.
        if path.components().any(|part| part == Component::ParentDir) {
            return false;
        }
        self.files.contains(&path) || self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// From now on only what is named is read.
pub fn confine() {
    *ALLOWED.write().unwrap_or_else(PoisonError::into_inner) = Some(AllowedPaths::default());
}

/// Opens what the user named: a preset, a chain or a kernel with its folder, or a picture or an array.
pub fn name(path: impl AsRef<Path>) {
    if let Some(allowed) = ALLOWED.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
        allowed.add(path.as_ref());
    }
}

/// Checks that a file may be read.
///
/// # Errors
/// If neither it nor its folder was opened.
pub fn check(path: &Path) -> Result<(), Complaint> {
    let allowed = ALLOWED.read().unwrap_or_else(PoisonError::into_inner);
    if allowed.as_ref().is_none_or(|allowed| allowed.has(path)) {
        return Ok(());
    }
    let problem = "is not read, because it lies outside the folders of the presets and chains that were named";
    Err((problem.into(), "if you trust what names it, add --allow-files"))
}

/// The path from the root, without links and `..`; of what is not there that of its folder, and its name.
fn resolved(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        _ => path.to_path_buf(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_opens_its_folder_and_a_picture_itself() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("mine/below")).unwrap();
        for file in ["mine/preset.toml", "mine/below/mask.png", "secret.png", "picture.png", "mine-not/x.png"] {
            fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            fs::write(at(file), "").unwrap();
        }
        let mut allowed = AllowedPaths::default();
        allowed.add(&at("mine/preset.toml"));
        allowed.add(&at("picture.png"));
        for path in ["mine/below/mask.png", "mine/../mine/missing.png", "mine/new/x.png", "picture.png", "mine"] {
            assert!(allowed.has(&at(path)), "{path}");
        }
        for path in
            ["secret.png", "mine/../secret.png", "mine/below/../../secret.png", "mine-not/x.png", ".", "mine/a/../../x"]
        {
            assert!(!allowed.has(&at(path)), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("secret.png"), at("mine/link.png")).unwrap();
            assert!(!allowed.has(&at("mine/link.png")));
        }
    }

    #[test]
    fn a_preset_in_the_working_folder_opens_that() {
        let mut allowed = AllowedPaths::default();
        allowed.add(Path::new("preset.toml"));
        assert!(
            allowed.has(Path::new("x.png"))
                && allowed.has(Path::new("./src/x.png"))
                && !allowed.has(Path::new("../x.png"))
        );
    }
}
