//! Files of a web page, which has no disk. The user dropped them onto the page or edited them in the page, or the
//! program wrote them.
//!
//! A path is only a name. Folders, links and permissions do not exist.

use super::{Output, check_fault};
use murmuration_core::error::Failure;
use murmuration_core::faults::Operation;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static FILES: Mutex<Files> = Mutex::new(Files { present: BTreeMap::new(), written: Vec::new() });

struct Files {
    present: BTreeMap<PathBuf, Arc<[u8]>>,
    /// The files that the program wrote since the last call of [`take_written`].
    written: Vec<(PathBuf, Arc<[u8]>)>,
}

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds or replaces a file of the page, and notifies the watch of changed files.
pub fn put(path: impl Into<PathBuf>, bytes: impl Into<Arc<[u8]>>) {
    files().present.insert(path.into(), bytes.into());
    #[cfg(feature = "window")]
    watch::tell();
}

/// Removes a file of the page. A missing file is no error.
pub fn remove(path: &Path) {
    files().present.remove(path);
}

/// The contents of a file of the page; `None`: the page has no file of this name.
pub fn get(path: &Path) -> Option<Arc<[u8]>> {
    files().present.get(path).cloned()
}

/// The names of all files of the page.
pub fn names() -> Vec<PathBuf> {
    files().present.keys().cloned().collect()
}

/// The names and contents of the files that the program wrote since the last call. The page hands them to the browser.
pub fn take_written() -> Vec<(PathBuf, Arc<[u8]>)> {
    std::mem::take(&mut files().written)
}

/// At most `longest` + 1 bytes of a file. With more than `longest` bytes in the result, the caller knows that the file
/// is too long.
///
/// # Errors
/// If the page has no file of this name.
pub fn at_most(longest: u64, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let bytes = get(path.as_ref())
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no file of this name was dropped onto the page"))?;
    Ok(bytes[..bytes.len().min(longest as usize + 1)].to_vec())
}

/// Opens a file for reading.
///
/// # Errors
/// If the page has no file of this name.
pub fn plain_file(path: impl AsRef<Path>) -> io::Result<io::Cursor<Vec<u8>>> {
    at_most(u64::from(u32::MAX >> 1), path).map(io::Cursor::new)
}

/// Whether the page has a file of this name, or the program has written one.
pub fn is_taken(path: &Path) -> bool {
    files().present.contains_key(path)
}

/// Does nothing: a page has no folders.
///
/// # Errors
/// None.
pub fn create_folder(_: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Returns the path itself: a page has no links.
///
/// # Errors
/// None.
pub fn target_of(path: &Path) -> io::Result<PathBuf> {
    Ok(path.to_path_buf())
}

/// Always true: a write replaces the file as a whole.
pub fn is_replaced(_: &Path) -> bool {
    true
}

/// Writes a file as a whole.
///
/// # Errors
/// If `write` fails. An old file then stays as it was.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    write_draft(path, write).map_err(|source| Failure::File {
        action: "cannot write",
        path: path.display().to_string(),
        source,
    })
}

/// Writes a draft of the target, and finishes it.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_draft(target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut draft = Draft::begin(target)?;
    write(&mut Output(draft.file()))?;
    draft.finish()
}

/// Writes a file as a whole. Returns `None`, because a page has no other folder to which the file could be written.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_somewhere(
    path: &Path,
    mut write: impl FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    write_atomically(path, &mut write).map(|()| None)
}

/// Calls a function that writes to a path. Returns `None`, because a page has no other folder to which the file could
/// be written.
///
/// # Errors
/// The error of `write`.
pub fn try_somewhere(
    path: &Path,
    mut write: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    write(path).map(|()| None)
}

/// Creates an empty file in memory without a name.
///
/// # Errors
/// None.
pub fn temporary_file(_: &Path) -> io::Result<File> {
    Ok(File::default())
}

/// A file in memory. Clones share the bytes; each clone has its own position.
#[derive(Debug, Clone, Default)]
pub struct File {
    bytes: Arc<Mutex<Vec<u8>>>,
    at: usize,
}

impl File {
    /// Another handle on the same bytes. Both handles have the same position now, and move independently.
    ///
    /// # Errors
    /// None.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    fn contents(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for File {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.contents().get(self.at..).unwrap_or_default().read(into)?;
        self.at += read;
        Ok(read)
    }
}

impl Write for File {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let end = self.at + from.len();
        let mut bytes = self.contents();
        let length = bytes.len().max(end);
        let more = length - bytes.len();
        bytes.try_reserve(more).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        bytes.resize(length, 0);
        bytes[self.at..end].copy_from_slice(from);
        drop(bytes);
        self.at = end;
        Ok(from.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.contents().len() as u64, by),
            SeekFrom::Current(by) => (self.at as u64, by),
        };
        let at = from.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?;
        self.at = at as usize;
        Ok(at)
    }
}

/// A file that replaces its target when it is finished. A draft that is dropped before that is discarded.
pub struct Draft {
    file: File,
    target: PathBuf,
}

impl Draft {
    /// A draft for `target`.
    ///
    /// # Errors
    /// If a test injects a fault.
    pub fn begin(target: &Path) -> io::Result<Self> {
        check_fault(Operation::Write)?;
        Ok(Self { file: File::default(), target: target.to_path_buf() })
    }

    /// The file that takes the new contents.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Replaces the target by the contents of this draft.
    ///
    /// # Errors
    /// If a test injects a fault.
    pub fn finish(self) -> io::Result<()> {
        check_fault(Operation::Rename)?;
        let bytes: Arc<[u8]> = std::mem::take(&mut *self.file.contents()).into();
        files().written.push((self.target.clone(), bytes.clone()));
        put(self.target, bytes);
        Ok(())
    }
}

/// A folder that cannot be created: a page cannot hand folders to the browser.
pub struct FolderDraft(PathBuf);

impl FolderDraft {
    /// Always fails.
    ///
    /// # Errors
    /// Always.
    pub fn begin(_: &Path) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a page writes no folders"))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Does nothing.
    ///
    /// # Errors
    /// None.
    pub fn finish(self) -> io::Result<()> {
        Ok(())
    }
}

/// Access to files: a page may read all of its files.
pub mod access {
    use murmuration_core::error::Complaint;
    use std::path::Path;

    /// Does nothing: all files of the page may be read.
    pub fn name(_: impl AsRef<Path>) {}

    /// Allows every file.
    ///
    /// # Errors
    /// None.
    pub fn check(_: &Path) -> Result<(), Complaint> {
        Ok(())
    }
}

/// Files that the browser stores between two visits: the replay of the last run, the last swarm, and the best scores.
pub mod home {
    use murmuration_core::error::Failure;
    use std::path::{Path, PathBuf};

    /// The folder of all files that the browser stores between two visits. Their paths begin with this name.
    const FOLDER: &str = "kept";

    /// Whether the browser stores a file between two visits of the page.
    pub fn is_kept(path: &Path) -> bool {
        path.starts_with(FOLDER)
    }

    /// The path of the replay of the last run that the user has ended.
    pub fn last_hunt() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("last-hunt.replay.json"))
    }

    /// The path of the checkpoint of the swarm at the end of the last visit.
    pub fn session() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("session.checkpoint"))
    }

    /// The path of the replay of the run that ends in the checkpoint [`session`].
    pub fn run_of_session() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("session.replay.json"))
    }

    /// The path of the file with the best score of each preset.
    pub fn scores() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("scores.toml"))
    }

    /// Does nothing: a page has no folders.
    ///
    /// # Errors
    /// None.
    pub fn create() -> Result<(), Failure> {
        Ok(())
    }
}

/// Watches files of the page.
#[cfg(feature = "window")]
pub mod watch {
    use std::collections::BTreeMap;
    use std::convert::Infallible;
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, PoisonError};

    /// The function that is called when a file is added or replaced. A new watch sets its own function.
    static LISTENER: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

    /// Calls the function of the watch after a file was added or replaced.
    pub(super) fn tell() {
        if let Some(listener) = &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner) {
            listener();
        }
    }

    /// A set of watched files, with their contents.
    pub struct Watch(BTreeMap<PathBuf, Option<Arc<[u8]>>>);

    impl Watch {
        /// A watch without files. `on_event` is called when any file of the page is added or replaced. An earlier watch
        /// is no longer notified.
        ///
        /// # Errors
        /// None.
        pub fn new(on_event: impl Fn() + Send + 'static) -> Result<Self, Infallible> {
            *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(on_event));
            Ok(Self(BTreeMap::new()))
        }

        /// Replaces the set of watched files.
        ///
        /// # Errors
        /// None.
        pub fn set_files(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), Infallible> {
            let mut before = std::mem::take(&mut self.0);
            for file in files {
                let known = before.remove(&file);
                let contents = known.unwrap_or_else(|| super::get(&file));
                self.0.insert(file, contents);
            }
            Ok(())
        }

        /// The files whose contents have changed since the last call.
        pub fn changed(&mut self) -> Vec<PathBuf> {
            let mut changed = Vec::new();
            for (file, known) in &mut self.0 {
                let now = super::get(file);
                if *known != now {
                    *known = now;
                    changed.push(file.clone());
                }
            }
            changed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let path = Path::new("memory-whole.txt");
        write_atomically(path, |to| to.write_all(b"old")).unwrap();
        let failed = write_atomically(path, |to| {
            to.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.unwrap_err().to_string().contains("no more"));
        assert_eq!(at_most(2, path).unwrap(), b"old");
        assert_eq!(at_most(1, path).unwrap(), b"ol");
        let written: Vec<_> = take_written().into_iter().filter(|(name, _)| name == path).collect();
        assert_eq!(written, [(path.to_path_buf(), b"old"[..].into())]);
        assert!(is_taken(path) && !is_taken(Path::new("memory-other.txt")));
        assert!(at_most(9, "memory-other.txt").unwrap_err().to_string().contains("dropped"));
    }

    #[test]
    fn handles_of_a_file_share_its_bytes() {
        let mut file = File::default();
        let mut other = file.try_clone().unwrap();
        file.write_all(b"12345678").unwrap();
        other.seek(SeekFrom::Start(2)).unwrap();
        other.write_all(b"ab").unwrap();
        file.seek(SeekFrom::End(-7)).unwrap();
        let mut read = [0; 4];
        file.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"2ab5");
        assert!(file.seek(SeekFrom::Current(-6)).is_err());
        file.seek(SeekFrom::Start(10)).unwrap();
        assert_eq!(file.read(&mut read).unwrap(), 0);
        file.write_all(b"!").unwrap();
        assert_eq!(*file.contents(), b"12ab5678\0\0!");
    }

    #[cfg(feature = "window")]
    #[test]
    fn a_watch_tells_which_files_were_put_anew() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let told = Arc::new(AtomicUsize::new(0));
        let count = told.clone();
        let mut watch = watch::Watch::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        put("memory-watched.toml", *b"one");
        watch.set_files(["memory-watched.toml".into(), "memory-missing.toml".into()]).unwrap();
        assert!(watch.changed().is_empty());
        put("memory-watched.toml", *b"two");
        put("memory-missing.toml", *b"there");
        assert!(told.load(Ordering::Relaxed) >= 3);
        let names = ["memory-missing.toml", "memory-watched.toml"].map(PathBuf::from);
        assert_eq!(watch.changed(), names);
        assert!(watch.changed().is_empty());
    }
}
