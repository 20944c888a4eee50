//! The browser's storage and downloads. The storage keeps the program's own files between visits. Files that the user
//! saves become downloads.

use js_sys::Uint8Array;
use murmuration::files::{home, memory};
use murmuration::viewer::LINK;
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Storage, Url};

/// The prefix of the names of the program's files in the browser's storage.
const PREFIX: &str = "murmuration/";

thread_local! {
    /// The last link to the run that the user has requested, until a script takes it.
    static LINKS: Cell<Option<String>> = const { Cell::new(None) };
    /// The swarm saved for the user's next visit, until a script takes it.
    static KEPT: Cell<Option<Kept>> = const { Cell::new(None) };
}

/// A swarm saved at the end of a visit of the page, to be resumed at the next visit.
#[wasm_bindgen]
pub struct Kept {
    /// The bytes of the checkpoint of the swarm.
    checkpoint: Arc<[u8]>,
    /// The run that led to the swarm, as the JSON of a replay. `None` if the run is not known.
    replay: Option<String>,
}

#[wasm_bindgen]
impl Kept {
    /// A swarm from the bytes of its checkpoint, and the run that led to it, as the JSON of a replay.
    #[wasm_bindgen(constructor)]
    pub fn new(swarm: Vec<u8>, run: Option<String>) -> Self {
        Self { checkpoint: swarm.into(), replay: run }
    }

    /// The bytes of the checkpoint of the swarm.
    #[wasm_bindgen(getter)]
    pub fn swarm(&self) -> Uint8Array {
        Uint8Array::from(&*self.checkpoint)
    }

    /// The run that led to the swarm, as the JSON of a replay; `undefined` if the run is not known.
    #[wasm_bindgen(getter)]
    pub fn run(&self) -> Option<String> {
        self.replay.clone()
    }
}

impl Kept {
    /// The bytes of the checkpoint.
    pub fn checkpoint(&self) -> &[u8] {
        &self.checkpoint
    }
}

/// Takes the swarm saved for the next visit, if a script has not taken it.
pub fn take_kept() -> Option<Kept> {
    KEPT.take()
}

/// Takes the last link to the run that the user has requested, if a script has not taken it.
pub fn take_link() -> Option<String> {
    LINKS.take()
}

fn window() -> web_sys::Window {
    web_sys::window().expect("a page has a window")
}

/// The document of the page.
pub fn document() -> web_sys::Document {
    window().document().expect("a window has a document")
}

/// The browser's storage between visits. `None` if the user has forbidden it.
fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Loads the program's files from the browser's storage.
pub fn restore_files() {
    let Some(storage) = storage() else { return };
    for index in 0..storage.length().unwrap_or(0) {
        let Some(key) = storage.key(index).ok().flatten() else { continue };
        if let (Some(path), Ok(Some(text))) = (key.strip_prefix(PREFIX), storage.get_item(&key)) {
            memory::put(path, text.into_bytes());
        }
    }
    memory::take_written();
}

/// Hands the files that the program has written since the last call to the browser. The browser stores some of them,
/// and saves others as downloads. The swarm for the next visit and links wait for a script.
///
/// # Errors
/// If the browser refuses.
pub fn hand_over_files() -> Result<(), JsValue> {
    for (path, bytes) in memory::take_written() {
        if home::session().as_ref() == Some(&path) {
            memory::remove(&path);
            KEPT.set(Some(Kept { checkpoint: bytes, replay: None }));
        } else if home::run_of_session().as_ref() == Some(&path) {
            memory::remove(&path);
            let replay = String::from_utf8(bytes.to_vec()).ok();
            // The replay is written after its swarm.
            KEPT.set(KEPT.take().map(|kept| Kept { replay, ..kept }));
        } else if home::is_kept(&path) {
            // The user may forbid storage, and its size is limited.
            if let (Some(storage), Ok(text)) = (storage(), std::str::from_utf8(&bytes)) {
                let _ = storage.set_item(&format!("{PREFIX}{}", path.display()), text);
            }
        } else if path.to_string_lossy().ends_with(LINK) {
            LINKS.set(Some(String::from_utf8_lossy(&bytes).trim().to_owned()));
        } else {
            save(&path, &bytes)?;
            if !is_read_again(&path) {
                memory::remove(&path);
            }
        }
    }
    Ok(())
}

/// Whether a downloaded file also stays in the page: a preset, which the user can edit and play, or the file of its
/// solid cells.
fn is_read_again(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".toml") || name.contains(".solids.")
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), JsValue> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let parts = js_sys::Array::of1(&Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(&name);
    link.click();
    Url::revoke_object_url(&address)
}

/// Writes a line to the console of the browser.
pub fn say(text: &str) {
    web_sys::console::log_1(&text.into());
}

/// Shows a text in place of the canvas, for a page that cannot go on.
pub fn show_failure(text: &str) {
    say(text);
    if let Some(status) = document().get_element_by_id("status") {
        status.set_text_content(Some(text));
        let _ = status.remove_attribute("hidden");
    }
}

pub fn hide_status() {
    if let Some(status) = document().get_element_by_id("status") {
        let _ = status.set_attribute("hidden", "");
    }
}
