//! The window of the program in a page, and the swarm for scripts.

mod app;
mod browser;
mod given_file;
mod swarm;
mod texts;

use murmuration_core::error::Failure;
use wasm_bindgen::prelude::*;

/// Shows panics in the console.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Makes the error that a script gets.
fn thrown(failure: impl Into<Failure>) -> JsValue {
    js_sys::Error::new(&failure.into().to_string()).into()
}
