//! Files of a page, which has no disk: what was dropped onto it or edited in it, and what was written and not handed to the browser yet.
//!
//! A path is a name. There are no folders, links and permissions.

use super::{Output, check_fault};
use murmuration_core::error::Failure;
use murmuration_core::faults::Operation;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The files of the page, by their names.
static FILES: Mutex<Files> = Mutex::new(Files { present: BTreeMap::new(), written: Vec::new() });

struct Files {
    present: BTreeMap<PathBuf, Arc<[u8]>>,
    /// The files that were written since the page asked last.
    written: Vec<(PathBuf, Arc<[u8]>)>,
}

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a file of the page in the place of an older one. What watches it is told.
pub fn put(path: impl Into<PathBuf>, bytes: impl Into<Arc<[u8]>>) {
    files().present.insert(path.into(), bytes.into());
    #[cfg(feature = "window")]
    watch::tell();
}

/// Removes a file.
pub fn remove(path: &Path) {
    files().present.remove(path);
}

/// The contents of a file; `None`: there is none.
pub fn get(path: &Path) -> Option<Arc<[u8]>> {
    files().present.get(path).cloned()
}

/// The names of all files.
pub fn names() -> Vec<PathBuf> {
    files().present.keys().cloned().collect()
}

/// The files that were written since the last call, for the browser to keep.
pub fn take_written() -> Vec<(PathBuf, Arc<[u8]>)> {
    std::mem::take(&mut files().written)
}

/// The first `longest` + 1 bytes of a file.
///
/// # Errors
/// There is none.
pub fn at_most(longest: u64, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let bytes = get(path.as_ref())
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no file of this name was dropped onto the page"))?;
    Ok(bytes[..bytes.len().min(longest as usize + 1)].to_vec())
}

/// A file, to be read.
///
/// # Errors
/// There is none.
pub fn plain_file(path: impl AsRef<Path>) -> io::Result<io::Cursor<Vec<u8>>> {
    at_most(u64::from(u32::MAX >> 1), path).map(io::Cursor::new)
}

/// Whether there is a file of this name, or one of this name was written.
pub fn is_taken(path: &Path) -> bool {
    files().present.contains_key(path)
}

/// Folders need not be created.
///
/// # Errors
/// None.
pub fn create_folder(_: &Path) -> Result<(), Failure> {
    Ok(())
}

/// A path stands for itself.
///
/// # Errors
/// None.
pub fn target_of(path: &Path) -> io::Result<PathBuf> {
    Ok(path.to_path_buf())
}

/// A file is always replaced as a whole.
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

/// Writes a file as a whole. There is no other place for it.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_somewhere(
    path: &Path,
    mut write: impl FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    write_atomically(path, &mut write).map(|()| None)
}

/// The same by a function that writes to a path.
///
/// # Errors
/// As the function.
pub fn try_somewhere(
    path: &Path,
    mut write: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    write(path).map(|()| None)
}

/// A file without a name.
///
/// # Errors
/// None.
pub fn temporary_file(_: &Path) -> io::Result<File> {
    Ok(File::default())
}

/// A file in memory. Clones share the bytes, and each has a place of its own in them.
#[derive(Debug, Clone, Default)]
pub struct File {
    bytes: Arc<Mutex<Vec<u8>>>,
    at: usize,
}

impl File {
    /// Another handle on the same bytes.
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

/// A file that takes the place of its target when it is finished. If it is dropped before that, it is gone.
pub struct Draft {
    file: File,
    target: PathBuf,
}

impl Draft {
    /// A draft for `target`.
    ///
    /// # Errors
    /// If a test has asked for one.
    pub fn begin(target: &Path) -> io::Result<Self> {
        check_fault(Operation::Write)?;
        Ok(Self { file: File::default(), target: target.to_path_buf() })
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Puts the file in the place of its target.
    ///
    /// # Errors
    /// If a test has asked for one.
    pub fn finish(self) -> io::Result<()> {
        check_fault(Operation::Rename)?;
        let bytes: Arc<[u8]> = std::mem::take(&mut *self.file.contents()).into();
        files().written.push((self.target.clone(), bytes.clone()));
        put(self.target, bytes);
        Ok(())
    }
}

/// Folders, which a page cannot hand to the browser.
pub struct FolderDraft(PathBuf);

impl FolderDraft {
    /// No folder can be begun.
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

/// Which files are read: a page has only those that were given to it.
pub mod access {
    use murmuration_core::error::Complaint;
    use std::path::Path;

    /// Files need not be named.
    pub fn name(_: impl AsRef<Path>) {}

    /// Every file of the page may be read.
    ///
    /// # Errors
    /// None.
    pub fn check(_: &Path) -> Result<(), Complaint> {
        Ok(())
    }
}

/// Files that the browser keeps between two visits: the last hunt and the best scores.
pub mod home {
    use murmuration_core::error::Failure;
    use std::path::{Path, PathBuf};

    /// The beginning of the names of these files.
    const FOLDER: &str = "kept";

    /// Whether a file is kept between two visits.
    pub fn is_kept(path: &Path) -> bool {
        path.starts_with(FOLDER)
    }

    /// The file of the last hunt.
    pub fn last_hunt() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("last-hunt.replay.json"))
    }

    /// The file of the swarm as it was at the end of the last visit.
    pub fn session() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("session.checkpoint"))
    }

    /// The file of the run that led to that swarm.
    pub fn run_of_session() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("session.replay.json"))
    }

    /// The file of the best scores.
    pub fn scores() -> Option<PathBuf> {
        Some(Path::new(FOLDER).join("scores.toml"))
    }

    /// Nothing has to be created.
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

    /// What is told that a file was put. The last watch takes the place of the others.
    static LISTENER: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

    /// Tells the watch that a file was put.
    pub(super) fn tell() {
        if let Some(listener) = &*LISTENER.lock().unwrap_or_else(PoisonError::into_inner) {
            listener();
        }
    }

    /// A set of watched files, with their contents.
    pub struct Watch(BTreeMap<PathBuf, Option<Arc<[u8]>>>);

    impl Watch {
        /// Watches no file yet. `on_event` is called when a file is put.
        ///
        /// # Errors
        /// None.
        pub fn new(on_event: impl Fn() + Send + 'static) -> Result<Self, Infallible> {
            *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(on_event));
            Ok(Self(BTreeMap::new()))
        }

        /// Watches these files and no others.
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
