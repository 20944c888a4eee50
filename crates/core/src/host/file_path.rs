//! Paths of files, and their form in the files that this program writes.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Borrow;
use std::ffi::OsString;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The prefix of a path that is written as base 64.
const ENCODED: &str = "base64:";

/// The path of a file or the bare name of a built-in text. A file of this program holds a UTF-8 path as it is, and any
/// other path as `base64:` and its bytes. A path that itself begins with `base64:` is encoded too, so that every path
/// is read back unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FilePath(PathBuf);

impl Deref for FilePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for FilePath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Borrow<Path> for FilePath {
    fn borrow(&self) -> &Path {
        &self.0
    }
}

impl From<PathBuf> for FilePath {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl From<&Path> for FilePath {
    fn from(path: &Path) -> Self {
        Self(path.into())
    }
}

impl From<&str> for FilePath {
    fn from(path: &str) -> Self {
        Self(path.into())
    }
}

/// The path as messages show it.
impl From<&FilePath> for String {
    fn from(path: &FilePath) -> Self {
        path.display().to_string()
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl Serialize for FilePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str().filter(|text| !text.starts_with(ENCODED)) {
            Some(text) => serializer.serialize_str(text),
            None => {
                let bytes = BASE64_STANDARD.encode(self.0.as_os_str().as_encoded_bytes());
                serializer.serialize_str(&format!("{ENCODED}{bytes}"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for FilePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let Some(encoded) = text.strip_prefix(ENCODED) else { return Ok(Self(text.into())) };
        Ok(Self(os_string(BASE64_STANDARD.decode(encoded).map_err(de::Error::custom)?).into()))
    }
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

/// Only Unix has paths of arbitrary bytes.
#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use crate::host::file_path::*;

    #[test]
    fn every_path_is_read_as_it_was_written() {
        let paths = ["droplets", "my/Möwen.toml", "", "base64:", "base64:YQ==/x.toml", "a\nb"].map(OsString::from);
        #[cfg(unix)]
        let paths = paths.into_iter().chain([os_string(b"bad\xff/\xfe.toml".to_vec()), os_string(vec![0x80])]);
        let written: Vec<String> = paths
            .into_iter()
            .map(|path| {
                let path = FilePath(path.into());
                let text = serde_json::to_string(&path).unwrap();
                assert_eq!(serde_json::from_str::<FilePath>(&text).unwrap(), path, "{text}");
                text
            })
            .collect();
        assert_eq!(written[..4], ["\"droplets\"", "\"my/Möwen.toml\"", "\"\"", "\"base64:YmFzZTY0Og==\""]);
        assert!(serde_json::from_str::<FilePath>("\"base64:?\"").is_err());
    }
}
