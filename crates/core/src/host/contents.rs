//! Files as they were read, kept by path. A preset or a chain can be read again from them after the files changed, or on a computer that
//! lacks them.

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
    /// The text that is kept under a path; else the one on disk, which is kept from now on.
    ///
    /// # Errors
    /// If the file cannot be read. It then stands among the paths all the same, with no text: whoever waits for it
    /// to be mended has to know of it.
    pub fn read(&mut self, path: &Path, host: &dyn Host) -> Result<String, BadInput> {
        if let Some(text) = self.0.get(path) {
            return Ok(text.clone());
        }
        let read = host.read_text(path);
        self.0.insert(path.into(), read.clone().unwrap_or_default());
        read
    }

    /// Keeps a text under a path, so that no file is read for it.
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

/// The most bytes that are kept of all files together. Of a file that is too long only the hash is kept.
const MAX_KEPT: usize = 1 << 24;

/// What every file held, by the path under which it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Contents(BTreeMap<FilePath, Content>);

/// What one file held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// All of it; written as base 64.
    Bytes(Bytes),
    /// The BLAKE3 of it, in hex.
    Blake3(String),
}

/// The bytes of a file, shared; in text as base 64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bytes(Arc<Vec<u8>>);

impl Contents {
    /// Keeps bytes under a path, so that no file is read for it.
    pub fn insert(&mut self, path: impl Into<FilePath>, bytes: Vec<u8>) {
        self.0.insert(path.into(), Content::Bytes(Bytes(Arc::new(bytes))));
    }

    /// What the file held, as it is kept here or in `known`; else what it holds on disk. It is kept here from now on.
    ///
    /// # Errors
    /// If the file cannot be read, is no plain file or too long, or is not the one whose hash is known.
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

    /// What the file held, without reading it: as it is kept here, or in `known`, from where it is taken over.
    pub fn recall(&mut self, path: &Path, known: &Self) -> Option<Content> {
        let content = self.0.get(path).or(known.0.get(path))?.clone();
        self.0.insert(path.into(), content.clone());
        Some(content)
    }

    /// What the file of a path held; `None`: it was not read.
    pub fn get(&self, path: &Path) -> Option<&Content> {
        self.0.get(path)
    }

    /// What the files held, sorted by their paths.
    pub fn all(&self) -> impl Iterator<Item = &Content> {
        self.0.values()
    }

    /// What is not kept in `other` as well.
    pub fn beyond(&self, other: &Self) -> Self {
        let is_new = |(path, content): &(&FilePath, &Content)| other.0.get(*path) != Some(*content);
        Self(self.0.iter().filter(is_new).map(|(path, content)| (path.clone(), content.clone())).collect())
    }

    /// What is kept here, and of other files what is kept in `other`.
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
    /// The BLAKE3 of what the file held, in hex.
    pub fn hash(&self) -> String {
        match self {
            Content::Bytes(Bytes(bytes)) => blake3::hash(bytes).to_hex().to_string(),
            Content::Blake3(hash) => hash.clone(),
        }
    }

    /// Bytes that are kept.
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
