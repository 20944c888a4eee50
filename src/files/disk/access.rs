//! Restricts which files the program reads. Presets, chains, replays and checkpoints may come from strangers, so the
//! program does not read every file that they name. A preset or a chain that the user names allows its folder with
//! everything below. A picture or an array that the user names allows only itself. Replays and checkpoints contain
//! their files, and allow no others.
//!
//! The program restricts itself when it starts. A program that embeds the library is not restricted.

use crate::files::folder_of;
use murmuration_core::error::Complaint;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// The files that may be read; `None`: all files.
static ALLOWED: RwLock<Option<AllowedPaths>> = RwLock::new(None);

#[derive(Default)]
struct AllowedPaths {
    /// Absolute paths of folders. Everything below them may be read.
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl AllowedPaths {
    /// Allows a file that the user named. For a preset, a chain or a kernel, the whole folder of the file is allowed.
    fn add(&mut self, path: &Path) {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("toml" | "wgsl") => self.folders.push(resolved(folder_of(path))),
            _ => self.files.push(resolved(path)),
        }
    }

    fn has(&self, path: &Path) -> bool {
        let path = resolved(path);
        // A resolved path contains `..` only if the path does not exist. Such a path may lead anywhere.
        if path.components().any(|part| part == Component::ParentDir) {
            return false;
        }
        self.files.contains(&path) || self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// Restricts the process: from now on the program reads only files that [`name`] has allowed.
pub fn confine() {
    *ALLOWED.write().unwrap_or_else(PoisonError::into_inner) = Some(AllowedPaths::default());
}

/// Allows a file that the user named. For a preset, a chain or a kernel, the whole folder of the file is allowed.
/// Without [`confine`] this call has no effect.
pub fn name(path: impl AsRef<Path>) {
    if let Some(allowed) = ALLOWED.write().unwrap_or_else(PoisonError::into_inner).as_mut() {
        allowed.add(path.as_ref());
    }
}

/// Checks that a file may be read. Without [`confine`] every file may be read.
///
/// # Errors
/// If [`name`] has allowed neither the file nor a folder above it.
pub fn check(path: &Path) -> Result<(), Complaint> {
    let allowed = ALLOWED.read().unwrap_or_else(PoisonError::into_inner);
    if allowed.as_ref().is_none_or(|allowed| allowed.has(path)) {
        return Ok(());
    }
    let problem = "is not read, because it lies outside the folders of the presets and chains that were named";
    Err((problem.into(), "if you trust what names it, add --allow-files"))
}

/// The absolute path without links and `..`. If the file does not exist, its folder is resolved.
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
