//! Detection of changes of the files from which a scene was read.
//!
//! Many programs save by renaming a temporary file, which a watcher of the file itself does not see. Therefore the folders are
//! watched, and an event there leads to a comparison of the contents.

use super::folder_of;
use notify_debouncer_full::notify::event::{AccessKind, AccessMode};
use notify_debouncer_full::notify::{Config, Error, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that a program has for saving in several steps.
const DEBOUNCE: Duration = Duration::from_millis(120);

/// The hash of the content of a file; `None` if it cannot be read.
type Hash = Option<blake3::Hash>;

/// A watch over a set of files.
pub struct Watch {
    debouncer: Debouncer<RecommendedWatcher, NoCache>,
    folders: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Hash>,
}

impl Watch {
    /// A watch over no files. `notify` is called, from another thread, after an event in a watched folder.
    ///
    /// # Errors
    /// If the system does not support it.
    pub fn begin(notify: impl Fn() + Send + 'static) -> Result<Self, Error> {
        let handle = move |events: DebounceEventResult| {
            let is_change = match &events {
                Ok(events) => events.iter().any(|event| may_change(event.kind)),
                // Events were lost.
                Err(_) => true,
            };
            if is_change {
                notify();
            }
        };
        let debouncer = new_debouncer_opt(DEBOUNCE, None, handle, NoCache::new(), Config::default())?;
        Ok(Self { debouncer, folders: BTreeSet::new(), files: BTreeMap::new() })
    }

    /// Watches exactly these files. Changes are relative to their present contents, or for files that were watched before to
    /// the known contents.
    ///
    /// # Errors
    /// If a folder cannot be watched. The others are watched.
    pub fn follow(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), Error> {
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        self.files.retain(|file, _| files.contains(file));
        // The folders come first, so that no change after reading the contents is missed.
        let watched = self.watch(files.iter().flat_map(|file| folders_of(file)).collect());
        for file in files {
            self.files.entry(file).or_insert_with_key(|file| contents(file));
        }
        watched
    }

    /// Watches exactly these folders. All are watched anew: a folder that was deleted and created again has the old name but is
    /// not watched.
    fn watch(&mut self, folders: BTreeSet<PathBuf>) -> Result<(), Error> {
        for folder in std::mem::take(&mut self.folders) {
            // This fails for a folder that no longer exists.
            let _ = self.debouncer.unwatch(folder);
        }
        let mut watched = Ok(());
        for folder in folders {
            match self.debouncer.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.folders.insert(folder);
                }
                Err(refused) => watched = watched.and(Err(refused)),
            }
        }
        watched
    }

    /// The files whose contents have changed since the last call.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        // Folders may have changed as well. Errors were reported by `follow`.
        let _ = self.watch(self.files.keys().flat_map(|file| folders_of(file)).collect());
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

/// The folder of a file, and of its target if it is a link. A folder that does not exist is replaced by its nearest existing
/// ancestor.
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

/// Whether an event may mean other contents. Reads are events too and must not count, because the watch itself reads.
fn may_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

fn contents(file: &Path) -> Hash {
    // Reading a pipe could block.
    let is_plain = std::fs::metadata(file).is_ok_and(|there| there.is_file());
    is_plain.then(|| std::fs::read(file).ok().map(|bytes| blake3::hash(&bytes))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_whole;
    use std::sync::mpsc::channel;

    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn a_file_that_is_saved_in_any_way_is_noticed_once() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("rule.wgsl"), folder.path().join("other"));
        std::fs::write(&file, "old").unwrap();
        let (sender, receiver) = channel();
        let mut watch = Watch::begin(move || sender.send(()).unwrap()).unwrap();
        watch.follow([file.clone()]).unwrap();
        assert!(watch.changed().is_empty());
        type Save = fn(&Path);
        let saves: [Save; 4] = [
            |file| std::fs::write(file, "in place").unwrap(),
            |file| write_whole(file, |to| to.write_all(b"renamed")).unwrap(),
            |file| std::fs::remove_file(file).unwrap(),
            |file| std::fs::write(file, "there again").unwrap(),
        ];
        for save in saves {
            save(&file);
            receiver.recv_timeout(LONG).unwrap();
            assert_eq!(watch.changed(), std::slice::from_ref(&file));
            assert!(watch.changed().is_empty());
            while receiver.recv_timeout(3 * DEBOUNCE).is_ok() {}
        }
        // Neither a read nor another file in the folder is a change.
        std::fs::read(&file).unwrap();
        assert!(receiver.recv_timeout(3 * DEBOUNCE).is_err(), "a read counts as a change");
        std::fs::write(&other, "x").unwrap();
        receiver.recv_timeout(LONG).unwrap();
        assert!(watch.changed().is_empty());
    }

    #[test]
    fn a_folder_that_is_deleted_and_made_anew_is_watched_again() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("scenes");
        let file = folder.join("scene.toml");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, "old").unwrap();
        let (sender, receiver) = channel();
        let mut watch = Watch::begin(move || sender.send(()).unwrap()).unwrap();
        watch.follow([file.clone()]).unwrap();
        // At once, as a checkout of another branch does, and with a pause in which nothing exists.
        for pause in [Duration::ZERO, 5 * DEBOUNCE] {
            let mut changes = 0;
            let mut look = |watch: &mut Watch| {
                while receiver.recv_timeout(3 * DEBOUNCE).is_ok() {
                    changes += watch.changed().len();
                }
                std::mem::take(&mut changes)
            };
            std::fs::remove_dir_all(&folder).unwrap();
            if !pause.is_zero() {
                assert_eq!(look(&mut watch), 1, "a deleted file is not noticed");
            }
            std::fs::create_dir(&folder).unwrap();
            look(&mut watch);
            std::fs::write(&file, format!("new {pause:?}")).unwrap();
            assert_eq!(look(&mut watch), 1, "after {pause:?} the folder is not watched");
        }
    }

    #[test]
    fn only_the_folders_of_the_present_files_are_watched() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (sender, receiver) = channel();
        let mut watch = Watch::begin(move || sender.send(()).unwrap()).unwrap();
        watch.follow([old.path().join("a")]).unwrap();
        watch.follow([new.path().join("a")]).unwrap();
        std::fs::write(old.path().join("a"), "x").unwrap();
        assert!(receiver.recv_timeout(3 * DEBOUNCE).is_err(), "a former folder is still watched");
        std::fs::write(new.path().join("a"), "x").unwrap();
        receiver.recv_timeout(LONG).unwrap();
        assert_eq!(watch.changed(), [new.path().join("a")]);
    }
}
