//! Writes files and folders so that they appear completely or not at all. If several ranks (processes) play together,
//! only the first rank writes.

use crate::files::{Output, check_fault, folder_of};
use crate::ranks::is_first_rank;
use murmuration_core::error::Failure;
use murmuration_core::faults::Operation;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The prefix of the names of temporary files and folders.
const PREFIX: &str = ".murmuration-";
/// The minimum age of a temporary file that `remove_stale` removes if no process has locked it.
const STALE: Duration = Duration::from_secs(60);

/// Creates a folder and its parents if they do not exist.
///
/// # Errors
/// If a file has the path of the folder or of a parent, or the system refuses.
pub fn create_folder(path: &Path) -> Result<(), Failure> {
    if !is_first_rank() {
        return Ok(());
    }
    // The message of the system ("File exists") does not name the parent that is a file.
    let created = match file_above(path) {
        Some(file) => {
            let problem = format!("`{}` is a file, not a folder", file.display());
            Err(io::Error::new(io::ErrorKind::NotADirectory, problem))
        }
        None => fs::create_dir_all(path),
    };
    created.map_err(|source| failure("cannot create the folder", path, source))
}

/// The file (not a folder) at the path of `folder` or of its nearest parent that is a file. `None`: neither `folder`
/// nor a parent is a file.
pub fn file_above(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|ancestor| ancestor.exists() && !ancestor.is_dir())
}

/// The maximum number of links that are followed one after the other.
const MAX_LINKS: usize = 40;

/// Follows symbolic links, and returns the path of the file or folder to which they lead. That file or folder need not
/// exist yet.
///
/// # Errors
/// If links lead in a circle.
pub fn target_of(path: &Path) -> io::Result<PathBuf> {
    if let Ok(target) = fs::canonicalize(path) {
        return Ok(target);
    }
    let mut target = path.to_path_buf();
    // A link to a stream, such as `/dev/stdout`, leads to a target that is no path.
    if fs::metadata(path).is_ok() {
        return Ok(target);
    }
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = folder_of(&target).join(next);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its links lead in a circle"))
}

/// Writes a file atomically: into a temporary file of the same folder, which then replaces the old file.
///
/// If `path` is a symbolic link, the target of the link is replaced. A write-protected file is not replaced. A device
/// or a pipe is written directly. The file to which standard output or standard error is redirected is written directly
/// too, behind its present contents.
///
/// # Errors
/// If `write` or the system fails. The old file then stays as it was, and no temporary file is left.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if !is_first_rank() {
        return Ok(());
    }
    let written = target_of(path).and_then(|target| {
        let there = fs::metadata(&target).ok();
        match (&there, there.as_ref().and_then(stream_of)) {
            (_, Some(mut stream)) => buffered(&mut stream, write),
            (Some(there), None) if !there.is_file() && !there.is_dir() => {
                fs::OpenOptions::new().write(true).open(target).and_then(|mut device| buffered(&mut device, write))
            }
            _ => write_draft(&target, write),
        }
    });
    written.map_err(|source| failure("cannot write", path, source))
}

/// Standard output or standard error, if it is redirected to the file with the metadata `there`; else `None`.
#[cfg(unix)]
pub fn stream_of(there: &fs::Metadata) -> Option<fs::File> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let out = io::stdout();
    let error = io::stderr();
    [out.as_fd(), error.as_fd()].into_iter().find_map(|stream| {
        let file = fs::File::from(stream.try_clone_to_owned().ok()?);
        let own = file.metadata().ok()?;
        (there.is_file() && (own.dev(), own.ino()) == (there.dev(), there.ino())).then_some(file)
    })
}

/// Always `None`: systems other than Unix have no files that stand for streams.
#[cfg(not(unix))]
pub fn stream_of(_: &fs::Metadata) -> Option<fs::File> {
    None
}

/// Writes a file through a [`Draft`], on every rank.
///
/// # Errors
/// As [`write_atomically`].
pub fn write_draft(target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut draft = Draft::begin(target)?;
    buffered(draft.file(), write)?;
    draft.finish()
}

fn buffered(file: &mut fs::File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, Output(file));
    write(&mut buffered)?;
    buffered.flush()
}

/// A temporary file in the folder of its target. It replaces the target when it is finished, and is removed if it is
/// dropped before that.
///
/// Some targets can be written but not replaced, such as a mount point or a file in a read-only folder. The contents of
/// the finished draft are copied into such a target.
pub struct Draft {
    temporary: tempfile::NamedTempFile,
    target: PathBuf,
}

impl Draft {
    /// Creates the temporary file for `target`.
    ///
    /// # Errors
    /// If `target` is a folder or may not be written to, or the system refuses.
    pub fn begin(target: &Path) -> io::Result<Self> {
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let is_there = target.is_file();
        if is_there {
            fs::OpenOptions::new().append(true).open(target)?;
        }
        remove_stale(folder_of(target));
        check_fault(Operation::Write)?;
        let temporary = match builder(0o666).tempfile_in(folder_of(target)) {
            Err(_) if is_there => builder(0o600).tempfile(),
            made => made,
        };
        // The message of the system would name the temporary file, which the user does not know.
        let temporary = temporary.map_err(|error| error.raw_os_error().map_or(error, io::Error::from_raw_os_error))?;
        // Locked until this process ends: see `remove_stale`.
        let _ = temporary.as_file().lock();
        Ok(Self { temporary, target: target.to_path_buf() })
    }

    pub fn file(&mut self) -> &mut fs::File {
        self.temporary.as_file_mut()
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Moves the temporary file to its target. The file takes the permissions of an existing target, and its owner if
    /// the system allows that.
    ///
    /// # Errors
    /// If the system refuses. A target that had to be overwritten may then be damaged. The draft is kept, and the
    /// message names it.
    pub fn finish(self) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.target) {
            #[cfg(unix)]
            {
                use std::os::unix::fs::{MetadataExt, fchown};
                // Only root may change an owner. A change of owner clears special permissions, so the permissions come
                // second.
                let _ = fchown(self.temporary.as_file(), Some(old.uid()), Some(old.gid()));
            }
            self.temporary.as_file().set_permissions(old.permissions())?;
        }
        check_fault(Operation::Rename)?;
        match self.temporary.persist(&self.target) {
            Err(unmoved) if self.target.is_file() => write_over(unmoved.file, &self.target),
            Err(unmoved) => Err(unmoved.error),
            Ok(_) => Ok(()),
        }
    }
}

/// Copies the contents of a complete draft into the existing file `target`.
fn write_over(draft: tempfile::NamedTempFile, target: &Path) -> io::Result<()> {
    let copied = fs::File::open(draft.path()).and_then(|mut whole| {
        let mut target = fs::OpenOptions::new().write(true).open(target)?;
        let length = io::copy(&mut whole, &mut target)?;
        target.set_len(length)
    });
    copied.map_err(|error| {
        let kept = draft.path().display().to_string();
        // A draft that cannot be kept is removed, so the message names no path.
        match draft.keep() {
            Ok(_) => io::Error::new(error.kind(), format!("{error}; it is whole in {kept}")),
            Err(_) => error,
        }
    })
}

/// Removes the temporary files and folders that killed processes have left in a folder. Living processes have locked
/// their temporary files, which stay. A new temporary file is not locked for a moment, so only files older than
/// `STALE` are removed.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_ours = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(PREFIX);
    for entry in entries.flatten().filter(is_ours) {
        let is_old = |there: &fs::Metadata| {
            there.modified().ok().and_then(|time| time.elapsed().ok()).is_some_and(|age| age > STALE)
        };
        let is_free = |file: fs::File| file.try_lock().is_ok();
        // For a link, these are the metadata of the link itself. This program creates no temporary links.
        let Some(there) = entry.metadata().ok().filter(|there| !there.is_symlink() && is_old(there)) else { continue };
        if fs::File::open(entry.path()).is_ok_and(is_free) {
            let _ = if there.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        }
    }
}

/// A temporary folder beside its target. The folder takes the name of the target when it is finished, and is removed if
/// it is dropped before that.
pub struct FolderDraft {
    temporary: tempfile::TempDir,
    target: PathBuf,
    /// Locked until this process ends, if the system can lock folders: see `remove_stale`.
    _lock: Option<fs::File>,
}

impl FolderDraft {
    /// Creates the temporary folder for `target`.
    ///
    /// # Errors
    /// If `target` is a file or a folder that is not empty, or the system refuses.
    pub fn begin(target: &Path) -> io::Result<Self> {
        match fs::read_dir(target).map(|mut entries| entries.next()) {
            Ok(Some(_)) => return Err(io::ErrorKind::DirectoryNotEmpty.into()),
            Err(_) if target.exists() => return Err(io::ErrorKind::NotADirectory.into()),
            Ok(None) | Err(_) => {}
        }
        remove_stale(folder_of(target));
        check_fault(Operation::Write)?;
        let temporary = builder(0o777).tempdir_in(folder_of(target))?;
        let lock = fs::File::open(temporary.path()).ok().filter(|folder| folder.lock().is_ok());
        Ok(Self { temporary, target: target.to_path_buf(), _lock: lock })
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Renames the temporary folder to the path of its target.
    ///
    /// # Errors
    /// If the target has come into being since [`Self::begin`], or the system refuses. The folder then keeps its
    /// temporary name, which the message contains.
    pub fn finish(self) -> io::Result<()> {
        let kept = self.temporary.keep();
        // An empty folder at the target is removed first. Only on Unix does a rename replace it.
        let placed = match fs::remove_dir(&self.target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => check_fault(Operation::Rename).and_then(|()| fs::rename(&kept, &self.target)),
        };
        placed.map_err(|error| io::Error::new(error.kind(), format!("{error}; it stays in {}", kept.display())))
    }
}

/// Whether a file, a folder or a link has this path. A link without a target counts too.
pub fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Creates a temporary file without a name in a folder. The file disappears when it is closed.
///
/// # Errors
/// If the system cannot create the file.
pub fn temporary_file(folder: &Path) -> io::Result<fs::File> {
    tempfile::tempfile_in(folder)
}

/// Builds temporary files and folders with the usual permissions of new files and folders. By default the crate
/// `tempfile` makes them private.
fn builder(#[cfg_attr(not(unix), expect(unused_variables))] mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    builder
}

fn failure(action: &'static str, path: &Path, source: io::Error) -> Failure {
    Failure::File { action, path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::free_path;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_failed_write_keeps_the_old_file_and_leaves_no_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_atomically(&path, |to| to.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |to| {
            to.write_all(b"half of the n")?;
            Err(io::Error::other("the disk is full"))
        });
        let message = failed.unwrap_err().to_string();
        assert!(message.contains("table.csv") && message.contains("the disk is full"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["table.csv"]);
    }

    #[test]
    fn a_write_replaces_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frame.png");
        write_atomically(&path, |to| to.write_all(b"a long old file")).unwrap();
        write_atomically(&path, |to| to.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names_in(folder.path()), ["frame.png"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.checkpoint");
        write_atomically(&path, |to| to.write_all(b"old")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write_atomically(&path, |to| to.write_all(b"new")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_temporary_file_of_a_killed_process_is_removed_and_that_of_a_living_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("table.csv");
        let living = Draft::begin(&target).unwrap();
        let living_folder = FolderDraft::begin(&folder.path().join("film")).unwrap();
        let [dead, dead_folder] =
            ["dead", "dead-folder"].map(|name| folder.path().join(format!(".murmuration-{name}")));
        let new = folder.path().join(".murmuration-new");
        let other = folder.path().join(".another-program");
        let before = std::time::SystemTime::now() - 2 * STALE;
        fs::create_dir(&dead_folder).unwrap();
        for path in [&dead, &new, &other, &dead_folder.join("00000000.png")] {
            fs::write(path, b"half").unwrap();
        }
        for path in [living.path(), living_folder.path(), &dead, &dead_folder, &other] {
            fs::File::open(path).unwrap().set_modified(before).unwrap();
        }
        write_atomically(&target, |to| to.write_all(b"whole")).unwrap();
        assert!(!dead.exists() && !dead_folder.exists());
        assert!([living.path(), living_folder.path(), &new, &other].iter().all(|path| path.exists()));
    }

    #[test]
    fn a_free_path_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("fog.v2-003600");
        for taken in ["fog.v2-003600.png", "fog.v2-003600-2.png", "fog.v2-003600-3.png"] {
            let free = free_path(&name, ".png");
            assert_eq!(free, folder.path().join(taken));
            fs::write(free, b"").unwrap();
        }
        assert_eq!(free_path(&name, ""), name);
        let long = format!("murmuration-{}-000120", "ö".repeat(200));
        let free = free_path(&folder.path().join(long), ".checkpoint");
        fs::write(&free, b"").unwrap();
        let free = free.file_name().unwrap().to_str().unwrap();
        assert!(free.starts_with("murmuration-ö") && free.ends_with("ö-000120.checkpoint"), "{free}");
    }

    #[test]
    fn a_folder_is_created_with_its_parents_but_not_over_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        create_folder(&deep).unwrap();
        create_folder(&deep).unwrap();
        assert!(deep.is_dir());
        fs::write(folder.path().join("file"), b"").unwrap();
        let message = create_folder(&folder.path().join("file/frames")).unwrap_err().to_string();
        assert!(message.contains("file` is a file, not a folder"), "{message}");
    }

    #[test]
    fn a_folder_that_finds_its_place_taken_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("film");
        let draft = FolderDraft::begin(&target).unwrap();
        fs::write(draft.path().join("000000.png"), b"a picture").unwrap();
        fs::create_dir(&target).unwrap();
        fs::write(target.join("theirs"), b"").unwrap();
        let message = draft.finish().unwrap_err().to_string();
        let (_, kept) = message.split_once("; it stays in ").unwrap();
        assert_eq!(names_in(Path::new(kept)), ["000000.png"]);
        assert_eq!(names_in(&target), ["theirs"]);
    }

    #[test]
    fn a_folder_in_the_place_of_a_file_and_a_missing_folder_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write_atomically(&folder.path().join("taken"), |to| to.write_all(b"x")).is_err());
        assert!(write_atomically(&folder.path().join("missing/x"), |to| to.write_all(b"x")).is_err());
        assert_eq!(names_in(folder.path()), ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_a_target_that_is_not_there_yet_and_a_circle_nowhere() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("store")).unwrap();
        symlink("store/new", at("link")).unwrap();
        symlink(at("link"), at("link-to-link")).unwrap();
        write_atomically(&at("link-to-link"), |to| to.write_all(b"new")).unwrap();
        assert_eq!(fs::read(at("store/new")).unwrap(), b"new");
        assert!(["link", "link-to-link"].iter().all(|name| fs::symlink_metadata(at(name)).unwrap().is_symlink()));
        symlink("two", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        let message = write_atomically(&at("one"), |to| to.write_all(b"lost")).unwrap_err().to_string();
        assert!(message.contains("its links lead in a circle"), "{message}");
        assert!(fs::symlink_metadata(at("one")).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_whole_draft_is_written_over_a_file_that_cannot_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("kept");
        fs::write(&target, b"a long old file").unwrap();
        let mut draft = builder(0o600).tempfile().unwrap();
        draft.write_all(b"new").unwrap();
        let place = draft.path().to_path_buf();
        write_over(draft, &target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"new");
        assert!(!place.exists());
        // The draft is kept if the target cannot be overwritten.
        let mut draft = builder(0o600).tempfile().unwrap();
        draft.write_all(b"new").unwrap();
        let message = write_over(draft, folder.path()).unwrap_err().to_string();
        let (_, kept) = message.split_once("; it is whole in ").unwrap();
        assert_eq!(fs::read(kept).unwrap(), b"new");
        fs::remove_file(kept).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_stays_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let link = folder.path().join("link");
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, |to| to.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        write_atomically(Path::new("/dev/null"), |to| to.write_all(b"gone")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
