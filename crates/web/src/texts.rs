//! Texts that the page shows: built-in presets, chains and kernels, the files that the user has given, and galleries.

use crate::thrown;
use murmuration::files::memory;
use murmuration::link::Link;
use murmuration::link::gallery::Gallery;
use murmuration::{LIBRARY, host};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// The name and the description of each built-in preset, as an object of JSON.
#[wasm_bindgen]
pub fn presets() -> String {
    let list = murmuration::presets().map(|(name, description)| (name.to_owned(), description.into()));
    serde_json::Value::Object(list.collect()).to_string()
}

/// The paths of the built-in presets, chains and kernels, as a list of JSON.
#[wasm_bindgen]
pub fn built_in_paths() -> String {
    serde_json::Value::from_iter(LIBRARY.texts().map(|(path, _)| path)).to_string()
}

/// A text by its path: a file in the page's memory, or else a built-in text. `undefined` if neither exists.
#[wasm_bindgen]
pub fn text_of(path: &str) -> Option<String> {
    let own = memory::get(path.as_ref()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    own.or_else(|| LIBRARY.text(path).map(Into::into))
}

/// The names of the files in the page's memory, such as files that the user has given, as a list of JSON.
#[wasm_bindgen]
pub fn own_paths() -> String {
    serde_json::Value::from_iter(memory::names().into_iter().map(|name| name.display().to_string())).to_string()
}

/// The bytes of a small picture of a built-in preset, as a JPEG. Empty if the preset has no picture.
#[wasm_bindgen]
pub fn thumbnail(preset: &str) -> Vec<u8> {
    murmuration::host::thumbnail(preset).to_vec()
}

/// The runs of a gallery with their titles and links, as a list of JSON. `toml`: the text of the gallery.
///
/// # Errors
/// If the text is not a gallery.
#[wasm_bindgen]
pub fn gallery(toml: &str) -> Result<String, JsValue> {
    let gallery = Gallery::parse("the gallery", toml).map_err(thrown)?;
    let runs = gallery.run.into_iter().map(|run| {
        let link = Link::from_replay(host(), Arc::new(run.load()?.0))?.write()?;
        Ok(serde_json::json!({ "title": run.title, "line": run.line, "name": run.name, "link": link }))
    });
    let runs: Result<Vec<_>, murmuration::BadInput> = runs.collect();
    Ok(serde_json::Value::Array(runs.map_err(thrown)?).to_string())
}
