//! The program as WebAssembly for a web page: its window in a canvas, and a swarm that scripts play.

mod app;
mod browser;
mod given_file;
mod swarm;
mod texts;

use murmuration_core::error::Failure;
use wasm_bindgen::prelude::*;

/// Makes panics appear in the console of the browser. Runs when the page loads the module.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Converts a failure to the `Error` that a script catches.
fn thrown(failure: impl Into<Failure>) -> JsValue {
    js_sys::Error::new(&failure.into().to_string()).into()
}
