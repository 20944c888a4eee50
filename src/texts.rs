//! Texts that were read from disk, kept by path: what is made of them can be made again after the files have changed.

use crate::error::BadInput;
use crate::files::reading;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The text of every file that was read, by the path under which it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// The text that is kept under a path; else the one on disk, which is kept from now on.
    ///
    /// # Errors
    /// Where the file cannot be read. It then stands among the paths all the same, with no text: whoever waits for it
    /// to be mended has to know of it.
    pub fn read(&mut self, path: &str) -> Result<String, BadInput> {
        if let Some(text) = self.0.get(path) {
            return Ok(text.clone());
        }
        let read = reading::text(path);
        self.0.insert(path.to_owned(), read.clone().unwrap_or_default());
        read
    }

    /// Under which paths texts were read.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_what_it_was_when_it_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml").display().to_string();
        let mut texts = Texts::default();
        assert!(texts.read(&path).is_err());
        assert_eq!(texts.paths().collect::<Vec<_>>(), [path.as_str()]);
        let mut texts = Texts::default();
        std::fs::write(&path, "old").unwrap();
        assert_eq!(texts.read(&path).unwrap(), "old");
        std::fs::write(&path, "new").unwrap();
        assert_eq!(texts.read(&path).unwrap(), "old");
        let kept: Texts = serde_json::from_str(&serde_json::to_string(&texts).unwrap()).unwrap();
        assert_eq!(kept, texts);
    }
}
