//! Reads files that the user or a preset names: presets, chains, kernels, pictures and arrays.

pub use super::system::at_most;

use super::system::access;
use murmuration_core::error::{BadInput, Complaint};
use murmuration_core::text::from_bytes;
use std::io;
use std::path::Path;

/// The maximum size of a preset, a chain or a kernel in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 20;
/// The maximum size of a picture or an array in bytes: 2^28 numbers of 32 bits with their header.
const MAX_BYTES: u64 = (1 << 30) + (1 << 16);

/// The text of a preset, a chain or a kernel.
///
/// # Errors
/// If [`access`] does not allow the file, or the file cannot be read, is longer than 1 MiB or is not UTF-8.
pub fn text(file: impl AsRef<Path>) -> Result<String, BadInput> {
    let file = file.as_ref();
    let path = &*file.display().to_string();
    access::check(file).map_err(|(problem, cure)| BadInput::new(path, problem, cure))?;
    let unreadable = |error: io::Error| {
        BadInput::new(path, format!("cannot be read: {error}"), "name a text file, or a built-in one by its bare name")
    };
    let bytes = at_most(MAX_TEXT_BYTES, file).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_TEXT_BYTES {
        return Err(BadInput::new(path, "the file is too long", format!("at most {MAX_TEXT_BYTES} bytes")));
    }
    from_bytes(path, bytes, "save it in that encoding")
}

/// The bytes of a picture or an array.
///
/// # Errors
/// If [`access`] does not allow the file, or the file cannot be read, is no regular file, or is longer than about 1
/// GiB.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Complaint> {
    access::check(path)?;
    let cure = "name a file that can be read; a path is taken from where the preset is";
    let bytes = at_most(MAX_BYTES, path).map_err(|error| (error.to_string(), cure))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err((format!("is longer than {MAX_BYTES} bytes"), "give a smaller picture or array"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use crate::host;
    use murmuration_core::host::contents::{Contents, Texts};
    use std::path::Path;

    fn read(contents: &mut Contents, path: &str, known: &Contents) -> Result<Vec<u8>, String> {
        contents.read(path.as_ref(), known, host().as_ref()).map(|bytes| bytes.to_vec()).map_err(|(problem, _)| problem)
    }

    #[test]
    fn a_text_stays_what_it_was_when_it_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml").display().to_string();
        let mut texts = Texts::default();
        assert!(texts.read(path.as_ref(), host().as_ref()).is_err());
        assert_eq!(texts.paths().collect::<Vec<_>>(), [Path::new(&path)]);
        let mut texts = Texts::default();
        std::fs::write(&path, "old").unwrap();
        assert_eq!(texts.read(path.as_ref(), host().as_ref()).unwrap(), "old");
        std::fs::write(&path, "new").unwrap();
        assert_eq!(texts.read(path.as_ref(), host().as_ref()).unwrap(), "old");
        let kept: Texts = serde_json::from_str(&serde_json::to_string(&texts).unwrap()).unwrap();
        assert_eq!(kept, texts);
    }

    #[test]
    fn a_picture_stays_what_it_was_when_it_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mask.png").display().to_string();
        assert!(read(&mut Contents::default(), &path, &Contents::default()).is_err());
        std::fs::write(&path, [0, 255, 3]).unwrap();
        let mut contents = Contents::default();
        assert_eq!(read(&mut contents, &path, &Contents::default()).unwrap(), [0, 255, 3]);
        std::fs::remove_file(&path).unwrap();
        let written = serde_json::to_string(&contents).unwrap();
        let kept: Contents = serde_json::from_str(&written).unwrap();
        assert_eq!(kept, contents);
        let mut again = Contents::default();
        assert_eq!(read(&mut again, &path, &kept).unwrap(), [0, 255, 3]);
        assert_eq!(again, contents);
        assert!(serde_json::from_str::<Contents>(&written.replace("AP8D", "A?8D")).is_err());
    }

    #[test]
    fn of_a_long_file_the_hash_is_kept_and_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("start.npy").display().to_string();
        std::fs::write(&path, vec![7; (1 << 24) + 1]).unwrap();
        let mut contents = Contents::default();
        read(&mut contents, &path, &Contents::default()).unwrap();
        assert!(serde_json::to_string(&contents).unwrap().len() < 1000);
        assert!(read(&mut Contents::default(), &path, &contents).is_ok());
        std::fs::write(&path, vec![8; (1 << 24) + 1]).unwrap();
        assert!(read(&mut Contents::default(), &path, &contents).unwrap_err().contains("is not the file that it was"));
    }
}
