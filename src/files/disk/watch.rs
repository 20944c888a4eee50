//! Watches files, and reports those whose contents have changed.
//!
//! Many programs save by renaming a temporary file, which a watcher of the file itself does not notice. So the folders
//! of the files are watched. After an event in a folder, the contents of the watched files are compared with their
//! former contents.

use crate::files::{access, folder_of};
use notify_debouncer_full::notify::event::{AccessKind, AccessMode};
use notify_debouncer_full::notify::{Config, Error, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time from an event to its report, in which a program that saves in several steps can finish.
const DEBOUNCE: Duration = Duration::from_millis(120);

/// The hash of the contents of a file; `None`: the file cannot be read.
type Contents = Option<blake3::Hash>;

/// A set of watched files.
pub struct Watch {
    debouncer: Debouncer<RecommendedWatcher, NoCache>,
    folders: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Contents>,
}

impl Watch {
    /// A watch without files. `on_event` is called from another thread when something happens in a watched folder.
    ///
    /// # Errors
    /// If the system does not support watching.
    pub fn new(on_event: impl Fn() + Send + 'static) -> Result<Self, Error> {
        let handle = move |events: DebounceEventResult| {
            let may_change = match &events {
                Ok(events) => events.iter().any(|event| may_change(event.kind)),
                // The watcher has missed events. Any file may have changed.
                Err(_) => true,
            };
            if may_change {
                on_event();
            }
        };
        let debouncer = new_debouncer_opt(DEBOUNCE, None, handle, NoCache::new(), Config::default())?;
        Ok(Self { debouncer, folders: BTreeSet::new(), files: BTreeMap::new() })
    }

    /// Replaces the set of watched files. A new file counts as changed once its contents differ from the present
    /// contents.
    ///
    /// # Errors
    /// If a folder cannot be watched. The other folders are watched.
    pub fn set_files(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), Error> {
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        self.files.retain(|file, _| files.contains(file));
        // The folders are watched first, so that no change after the contents are read is missed.
        let watched = self.set_folders(files.iter().flat_map(|file| folders_of(file)).collect());
        for file in files {
            self.files.entry(file).or_insert_with_key(|file| contents(file));
        }
        watched
    }

    /// Replaces the set of watched folders. Each folder of the old set is unwatched first, because a folder that was
    /// deleted and created again has the old name but no watcher.
    fn set_folders(&mut self, folders: BTreeSet<PathBuf>) -> Result<(), Error> {
        for folder in std::mem::take(&mut self.folders) {
            // The call fails for a deleted folder, which is no longer watched anyway.
            let _ = self.debouncer.unwatch(folder);
        }
        let mut watched = Ok(());
        for folder in folders {
            match self.debouncer.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.folders.insert(folder);
                }
                Err(error) => watched = watched.and(Err(error)),
            }
        }
        watched
    }

    /// The files whose contents have changed since the last call.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        // Folders may have been deleted or created, so they are watched again. Errors are ignored here, because
        // `set_files` has reported them.
        let _ = self.set_folders(self.files.keys().flat_map(|file| folders_of(file)).collect());
        let mut changed = Vec::new();
        for (file, known) in &mut self.files {
            let now = contents(file);
            if *known != now {
                *known = now;
                changed.push(file.clone());
            }
        }
        changed
    }
}

/// The folders to watch for a file: its folder, and for a symbolic link also the folder of the target. A missing folder
/// is replaced by its nearest existing parent, because the folder may be created again.
fn folders_of(file: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let folder = |path: &Path| {
        let mut folder = folder_of(path);
        while !folder.is_dir() && folder != folder_of(folder) {
            folder = folder_of(folder);
        }
        folder.to_path_buf()
    };
    let is_link = std::fs::symlink_metadata(file).is_ok_and(|there| there.is_symlink());
    let target = is_link.then(|| std::fs::canonicalize(file).ok()).flatten();
    std::iter::once(folder(file)).chain(target.as_deref().map(folder))
}

/// Whether an event may mean that the contents of a file have changed. Events of reading do not count: the program
/// reads after each event, and would react to itself for ever.
fn may_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

fn contents(file: &Path) -> Contents {
    // Reading a pipe would block.
    let is_plain = access::check(file).is_ok() && std::fs::metadata(file).is_ok_and(|there| there.is_file());
    is_plain.then(|| std::fs::read(file).ok().map(|bytes| blake3::hash(&bytes))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_atomically;
    use std::sync::mpsc::channel;

    const TIMEOUT: Duration = Duration::from_secs(10);

    #[test]
    fn a_file_that_is_saved_in_any_way_is_noticed_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rule.wgsl");
        let other = folder.path().join("other");
        std::fs::write(&file, "old").unwrap();
        let (sender, events) = channel();
        let mut watch = Watch::new(move || sender.send(()).unwrap()).unwrap();
        watch.set_files([file.clone()]).unwrap();
        assert!(watch.changed().is_empty());
        type Save = fn(&Path);
        let saves: [Save; 4] = [
            |file| std::fs::write(file, "in place").unwrap(),
            |file| write_atomically(file, |to| to.write_all(b"renamed")).unwrap(),
            |file| std::fs::remove_file(file).unwrap(),
            |file| std::fs::write(file, "there again").unwrap(),
        ];
        for save in saves {
            save(&file);
            events.recv_timeout(TIMEOUT).unwrap();
            assert_eq!(watch.changed(), std::slice::from_ref(&file));
            assert!(watch.changed().is_empty());
            while events.recv_timeout(3 * DEBOUNCE).is_ok() {}
        }
        // Reading changes nothing, and other files of the folder do not matter.
        std::fs::read(&file).unwrap();
        assert!(events.recv_timeout(3 * DEBOUNCE).is_err(), "reading a file is an event");
        std::fs::write(&other, "x").unwrap();
        events.recv_timeout(TIMEOUT).unwrap();
        assert!(watch.changed().is_empty());
    }

    #[test]
    fn a_folder_that_is_deleted_and_made_anew_is_watched_again() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("scenes");
        let file = folder.join("scene.toml");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, "old").unwrap();
        let (sender, events) = channel();
        let mut watch = Watch::new(move || sender.send(()).unwrap()).unwrap();
        watch.set_files([file.clone()]).unwrap();
        // The folder is deleted and created again: first without a pause, as by `git checkout`, then after a pause.
        for pause in [Duration::ZERO, 5 * DEBOUNCE] {
            let mut changes = 0;
            let mut look = |watch: &mut Watch| {
                while events.recv_timeout(3 * DEBOUNCE).is_ok() {
                    changes += watch.changed().len();
                }
                std::mem::take(&mut changes)
            };
            std::fs::remove_dir_all(&folder).unwrap();
            if !pause.is_zero() {
                assert_eq!(look(&mut watch), 1, "a file that is gone is not noticed");
            }
            std::fs::create_dir(&folder).unwrap();
            look(&mut watch);
            std::fs::write(&file, format!("new {pause:?}")).unwrap();
            assert_eq!(look(&mut watch), 1, "after {pause:?} nobody watches the folder");
        }
    }

    #[test]
    fn only_the_folders_of_the_present_files_are_watched() {
        let old = tempfile::tempdir().unwrap();
        let new = tempfile::tempdir().unwrap();
        let (sender, events) = channel();
        let mut watch = Watch::new(move || sender.send(()).unwrap()).unwrap();
        watch.set_files([old.path().join("a")]).unwrap();
        watch.set_files([new.path().join("a")]).unwrap();
        std::fs::write(old.path().join("a"), "x").unwrap();
        assert!(events.recv_timeout(3 * DEBOUNCE).is_err(), "a folder is watched without need");
        std::fs::write(new.path().join("a"), "x").unwrap();
        events.recv_timeout(TIMEOUT).unwrap();
        assert_eq!(watch.changed(), [new.path().join("a")]);
    }
}
