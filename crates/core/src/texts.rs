//! Texts that were read from disk, kept by path: what is made of them can be made again after the files have changed.

use crate::error::BadInput;
use crate::host::Host;
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
    pub fn read(&mut self, path: &str, host: &dyn Host) -> Result<String, BadInput> {
        if let Some(text) = self.0.get(path) {
            return Ok(text.clone());
        }
        let read = host.read_text(path);
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
