//! Checks, before a run begins, whether the result files can be written.

use super::atomic::{Draft, stream_of, target_of, write_atomically};
use crate::files::{folder_of, free_path};
use crate::ranks::is_first_rank;
use murmuration_core::error::{BadInput, Failure};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Checks that a file can be written or replaced. The file stays as it is. `option`: the command-line option that names
/// the file, for the message. `created`: a folder that the command creates before it writes, and that may be missing
/// now.
///
/// # Errors
/// If a folder has this path, the parent folder is missing, or the system refuses.
pub fn check_destination(option: &str, path: &Path, created: Option<&Path>) -> Result<(), BadInput> {
    if !is_first_rank() {
        return Ok(());
    }
    let wrong = |problem: String, cure: &str| Err(BadInput::new(format!("{option} {}", path.display()), problem, cure));
    if path == Path::new("-") {
        return wrong(
            "is the name of a file here".into(),
            "write /dev/stdout for standard output, or ./- for a file of this name",
        );
    }
    if path.is_dir() {
        return wrong("a folder is there".into(), "name a file");
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        if created == Some(folder) {
            return Ok(());
        }
        return wrong("its folder is not there".into(), "create it first");
    }
    match probe(path) {
        Ok(()) => Ok(()),
        Err(error) => wrong(format!("cannot be written: {error}"), "name a file in a folder that you may write to"),
    }
}

/// Returns the error that a write to the path would give.
fn probe(path: &Path) -> io::Result<()> {
    let target = target_of(path)?;
    match fs::metadata(&target) {
        // A pipe, a device or a stream is not opened. A pipe may have no reader yet.
        Ok(there) if !there.is_file() || stream_of(&there).is_some() => Ok(()),
        // For example a name that is too long.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Draft::begin(&target).map(drop),
    }
}

/// Checks that no two command-line options name the same file. `destinations`: each option with its path, if the option
/// is given.
///
/// # Errors
/// If two options name the same file, and the second write would replace the result of the first.
pub fn check_distinct(destinations: &[(&str, Option<&Path>)]) -> Result<(), BadInput> {
    let place = |path: &Path| {
        let folder = folder_of(path);
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let own = folder.join(path.file_name().unwrap_or_default());
        target_of(&own).unwrap_or(own)
    };
    let named: Vec<(&str, &Path, PathBuf)> =
        destinations.iter().filter_map(|(option, path)| path.map(|path| (*option, path, place(path)))).collect();
    for (index, (option, path, own)) in named.iter().enumerate() {
        let is_same = |(_, _, other): &&(&str, &Path, PathBuf)| other == own && is_replaced(own);
        if let Some((other, ..)) = named[..index].iter().find(is_same) {
            let problem = format!("{other} names the same file");
            return Err(BadInput::new(format!("{option} {}", path.display()), problem, "name another file"));
        }
    }
    Ok(())
}

/// Whether a write to this path replaces earlier contents. A stream or a device gets each write after the one before.
pub fn is_replaced(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |there| there.is_file() && stream_of(&there).is_none())
}

/// Writes a result that must not be lost. If a regular file cannot be written, the result is written into the working
/// folder, or else into the folder of temporary files. `write` is called once for each attempt. Returns `None` if
/// `path` was written, else the other path and the first failure.
///
/// # Errors
/// As [`write_atomically`], if none of these folders takes the file.
pub fn write_somewhere(
    path: &Path,
    mut write: impl FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    try_somewhere(path, |path| write_atomically(path, &mut write))
}

/// As [`write_somewhere`], for a function that gets a path and writes the file by itself.
///
/// # Errors
/// As [`write_somewhere`].
pub fn try_somewhere(
    path: &Path,
    mut write: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    let Err(failure) = write(path) else { return Ok(None) };
    if !is_replaced(path) {
        return Err(failure);
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    for folder in [PathBuf::from("."), std::env::temp_dir()] {
        let other = free_path(&folder.join(name), "");
        if write(&other).is_ok() {
            return Ok(Some((other, failure)));
        }
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_known_before_and_nothing_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("old"), b"old").unwrap();
        let said = |name: &str| check_destination("--metrics", &at(name), None).map_err(|wrong| wrong.to_string());
        assert_eq!((said("new"), said("old")), (Ok(()), Ok(())));
        assert!(said("folder").unwrap_err().contains("a folder is there; name a file"));
        assert!(said("missing/x").unwrap_err().contains("its folder is not there; create it first"));
        assert_eq!(check_destination("--metrics", &at("missing/x"), Some(&at("missing"))), Ok(()));
        assert_eq!(check_destination("--metrics", Path::new("/dev/null"), None), Ok(()));
        let long = said(&"n".repeat(256)).unwrap_err();
        assert!(long.contains("cannot be written: ") && long.contains("too long"), "{long}");
        let dash = check_destination("--metrics", Path::new("-"), None).unwrap_err().to_string();
        assert!(dash.ends_with("write /dev/stdout for standard output, or ./- for a file of this name"), "{dash}");
        assert_eq!(fs::read(at("old")).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn one_file_is_not_named_twice_under_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let check = |one: &Path, other: &Path| check_distinct(&[("--metrics", Some(one)), ("--film", Some(other))]);
        assert_eq!(check(&at("a"), &at("b")), Ok(()));
        assert_eq!(check(Path::new("/dev/null"), Path::new("/dev/null")), Ok(()));
        assert_eq!(check_distinct(&[("--metrics", None), ("--film", None)]), Ok(()));
        let other = folder.path().join(".").join("a");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("link")).unwrap();
            assert!(check(&at("link"), &at("a")).is_err(), "the target of a link that is not there yet");
        }
        let said = check(&at("a"), &other).unwrap_err().to_string();
        assert!(said.starts_with("--film ") && said.contains("--metrics names the same file"), "{said}");
    }

    #[test]
    fn a_result_without_its_folder_is_written_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/murmuration-test.checkpoint");
        let (other, why) = write_somewhere(&path, |to| to.write_all(b"swarm")).unwrap().expect("the folder is missing");
        assert_eq!(fs::read(&other).unwrap(), b"swarm");
        assert!(why.to_string().contains("cannot write"), "{why}");
        fs::remove_file(other).unwrap();
        assert!(write_somewhere(&folder.path().join("kept"), |to| to.write_all(b"swarm")).unwrap().is_none());
    }
}
