//! Files as they were read, kept by path. A preset or a chain can be read again from the kept files after the files on
//! disk changed, or on a computer that lacks them.

use crate::error::{BadInput, Complaint};
use crate::host::Host;
use crate::host::file_path::FilePath;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The text of every file that was read, by the path under which it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Texts(BTreeMap<FilePath, String>);

impl Texts {
    /// The text kept under a path. A text that is not kept is read from disk and then kept.
    ///
    /// # Errors
    /// If the file cannot be read. The path is then kept with an empty text, so that a caller can wait until the file
    /// is mended.
    pub fn read(&mut self, path: &Path, host: &dyn Host) -> Result<String, BadInput> {
        if let Some(text) = self.0.get(path) {
            return Ok(text.clone());
        }
        let read = host.read_text(path);
        self.0.insert(path.into(), read.clone().unwrap_or_default());
        read
    }

    /// Keeps a text under a path. From now on [`Self::read`] returns this text for the path, and reads no file.
    pub fn insert(&mut self, path: impl Into<FilePath>, text: String) {
        self.0.insert(path.into(), text);
    }

    /// The paths under which texts were read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(|path| &**path)
    }

    /// The texts, sorted by their paths.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }

    /// Whether no text was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The maximum number of bytes that are kept of all files together. If the bytes of a file would exceed this limit,
/// only the hash of the file is kept.
const MAX_KEPT: usize = 1 << 24;

/// The content of every file that was read, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Contents(BTreeMap<FilePath, Content>);

/// The content of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// All bytes; written as base 64.
    Bytes(Bytes),
    /// The BLAKE3 hash of the bytes, in hex.
    Blake3(String),
}

/// The bytes of a file, shared by all copies. In JSON and other text they are written as base 64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bytes(Arc<Vec<u8>>);

impl Contents {
    /// Keeps bytes under a path. From now on [`Self::read`] returns these bytes for the path, and reads no file.
    pub fn insert(&mut self, path: impl Into<FilePath>, bytes: Vec<u8>) {
        self.0.insert(path.into(), Content::Bytes(Bytes(Arc::new(bytes))));
    }

    /// The file's content as kept here or in `known`, else as it is on disk. The content is kept here from now on.
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, is too long, or differs from the known hash.
    pub fn read(&mut self, path: &Path, known: &Self, host: &dyn Host) -> Result<Arc<Vec<u8>>, Complaint> {
        let known = self.0.get(path).or(known.0.get(path)).cloned();
        let bytes = match &known {
            Some(Content::Bytes(Bytes(bytes))) => bytes.clone(),
            _ => Arc::new(host.read_bytes(path)?),
        };
        if let Some(Content::Blake3(hash)) = &known
            && blake3::hash(&bytes).to_hex().as_str() != hash
        {
            let problem = "is not the file that it was when this was saved, and was too long to be saved with it";
            return Err((problem.into(), "put the old file back"));
        }
        let kept = self.0.iter().filter(|(other, _)| ***other != *path).map(|(_, content)| content.len());
        let content = match kept.sum::<usize>() + bytes.len() {
            0..=MAX_KEPT => Content::Bytes(Bytes(bytes.clone())),
            _ => Content::Blake3(blake3::hash(&bytes).to_hex().to_string()),
        };
        self.0.insert(path.into(), content);
        Ok(bytes)
    }

    /// The file's content as kept here or in `known`, without reading the file. Content from `known` is kept here from
    /// now on. `None`: neither holds the file.
    pub fn recall(&mut self, path: &Path, known: &Self) -> Option<Content> {
        let content = self.0.get(path).or(known.0.get(path))?.clone();
        self.0.insert(path.into(), content.clone());
        Some(content)
    }

    /// The kept content of a file; `None` if the file was not read.
    pub fn get(&self, path: &Path) -> Option<&Content> {
        self.0.get(path)
    }

    /// The kept contents, sorted by path.
    pub fn all(&self) -> impl Iterator<Item = &Content> {
        self.0.values()
    }

    /// The contents that `other` lacks or has in another version.
    pub fn beyond(&self, other: &Self) -> Self {
        let is_new = |(path, content): &(&FilePath, &Content)| other.0.get(*path) != Some(*content);
        Self(self.0.iter().filter(is_new).map(|(path, content)| (path.clone(), content.clone())).collect())
    }

    /// The contents kept here, and the contents of `other` for all other paths.
    pub fn over(&self, other: &Self) -> Self {
        let mut all = other.clone();
        all.0.extend(self.0.clone());
        all
    }

    /// Whether no file was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Content {
    /// The BLAKE3 hash of the file, in hex.
    pub fn hash(&self) -> String {
        match self {
            Content::Bytes(Bytes(bytes)) => blake3::hash(bytes).to_hex().to_string(),
            Content::Blake3(hash) => hash.clone(),
        }
    }

    /// The number of kept bytes.
    fn len(&self) -> usize {
        match self {
            Content::Bytes(Bytes(bytes)) => bytes.len(),
            Content::Blake3(_) => 0,
        }
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(self.0.as_slice()))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64_STANDARD.decode(text).map(|bytes| Self(Arc::new(bytes))).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::host::contents::*;

    #[test]
    fn only_what_differs_is_beyond_and_it_lies_over_the_rest() {
        let contents = |files: &[(&str, u8)]| {
            let content = |byte: u8| Content::Bytes(Bytes(Arc::new(vec![byte])));
            Contents(files.iter().map(|(path, byte)| ((*path).into(), content(*byte))).collect())
        };
        let (old, new) = (contents(&[("a", 1), ("b", 2)]), contents(&[("a", 1), ("b", 3), ("c", 4)]));
        assert_eq!(new.beyond(&old), contents(&[("b", 3), ("c", 4)]));
        assert_eq!(new.beyond(&old).over(&old), new);
    }
}
