//! Watches the files that a scene was read from, and says when something in one of them has changed.
//!
//! Many programs save by writing a temporary file and renaming it, of which a watcher of the file itself sees nothing. So
//! it is the folders that are watched; what happens there only makes the contents be compared.

use crate::files::folder_of;
use notify_debouncer_full::notify::event::{AccessKind, AccessMode};
use notify_debouncer_full::notify::{Config, Error, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that saves in several steps has this long for them.
const PATIENCE: Duration = Duration::from_millis(120);

/// What a file holds; `None` where it cannot be read.
type Contents = Option<blake3::Hash>;

/// The files that are watched.
pub struct Watch {
    debouncer: Debouncer<RecommendedWatcher, NoCache>,
    folders: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Contents>,
}

impl Watch {
    /// Watches nothing yet. `stirred` is called, from another thread, when something happened in a watched folder.
    ///
    /// # Errors
    /// Where the system watches no files.
    pub fn begin(stirred: impl Fn() + Send + 'static) -> Result<Self, Error> {
        let hear = move |events: DebounceEventResult| {
            let is_news = match &events {
                Ok(events) => events.iter().any(|event| may_change(event.kind)),
                // Something was missed.
                Err(_) => true,
            };
            if is_news {
                stirred();
            }
        };
        let debouncer = new_debouncer_opt(PATIENCE, None, hear, NoCache::new(), Config::default())?;
        Ok(Self { debouncer, folders: BTreeSet::new(), files: BTreeMap::new() })
    }

    /// Watches these files, and no others any longer. What they hold now is what a change is held against, but for
    /// those that were watched before.
    ///
    /// # Errors
    /// Where a folder cannot be watched; the others are.
    pub fn follow(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), Error> {
        let files: BTreeSet<PathBuf> = files.into_iter().collect();
        self.files.retain(|file, _| files.contains(file));
        // What changes after they are read is to be noticed, so the folders come first.
        let watched = self.watch(files.iter().flat_map(|file| folders_of(file)).collect());
        for file in files {
            self.files.entry(file).or_insert_with_key(|file| contents(file));
        }
        watched
    }

    /// Watches these folders, and no others any longer. Those that are watched are let go first: one that was deleted and
    /// made anew has the old name, and nobody watches it.
    fn watch(&mut self, folders: BTreeSet<PathBuf>) -> Result<(), Error> {
        for folder in std::mem::take(&mut self.folders) {
            // A folder that is gone needs no longer be let go.
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

    /// The files whose contents are not what they were when this was last asked.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        // Folders may have come and gone as well. What cannot be watched was said when the file was first followed.
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

/// The folder in which a file is named, and for a link the one of what it points to. In the place of a folder that is
/// not there, the nearest one in which it may come back.
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

/// Whether an event may mean other contents. That a file was read is one too, and our own reading would never end.
fn may_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

fn contents(file: &Path) -> Contents {
    // A pipe would be waited for.
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
        let (stirred, heard) = channel();
        let mut watch = Watch::begin(move || stirred.send(()).unwrap()).unwrap();
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
            heard.recv_timeout(LONG).unwrap();
            assert_eq!(watch.changed(), std::slice::from_ref(&file));
            assert!(watch.changed().is_empty());
            while heard.recv_timeout(3 * PATIENCE).is_ok() {}
        }
        // Reading is no change, and a neighbour is none of ours.
        std::fs::read(&file).unwrap();
        assert!(heard.recv_timeout(3 * PATIENCE).is_err(), "to be read stirs a file");
        std::fs::write(&other, "x").unwrap();
        heard.recv_timeout(LONG).unwrap();
        assert!(watch.changed().is_empty());
    }

    #[test]
    fn a_folder_that_is_deleted_and_made_anew_is_watched_again() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("scenes");
        let file = folder.join("scene.toml");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, "old").unwrap();
        let (stirred, heard) = channel();
        let mut watch = Watch::begin(move || stirred.send(()).unwrap()).unwrap();
        watch.follow([file.clone()]).unwrap();
        // At once, as another branch is checked out, and so slowly that nothing is there for a while.
        for pause in [Duration::ZERO, 5 * PATIENCE] {
            let mut changes = 0;
            let mut look = |watch: &mut Watch| {
                while heard.recv_timeout(3 * PATIENCE).is_ok() {
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
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (stirred, heard) = channel();
        let mut watch = Watch::begin(move || stirred.send(()).unwrap()).unwrap();
        watch.follow([old.path().join("a")]).unwrap();
        watch.follow([new.path().join("a")]).unwrap();
        std::fs::write(old.path().join("a"), "x").unwrap();
        assert!(heard.recv_timeout(3 * PATIENCE).is_err(), "what is left is still watched");
        std::fs::write(new.path().join("a"), "x").unwrap();
        heard.recv_timeout(LONG).unwrap();
        assert_eq!(watch.changed(), [new.path().join("a")]);
    }
}
