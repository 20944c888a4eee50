//! The graphics adapter of the tests.
//!
//! `MURMURATION_TEST_GPU` is the policy on a machine without an adapter:
//! `require` (the default) a test that needs an adapter fails
//! `auto`    the test skips that part, and reports it on stderr
//! `off`     no adapter is used, and every such part is skipped

use murmuration_core::engine::Adapters;
use murmuration_core::world::Extents;
use murmuration_gpu::{DeviceRequest, Gpu};
use std::io::Write;
use std::sync::{Arc, OnceLock};

/// The largest lattice of any test on the shared adapter.
const MAX_EXTENTS: Extents = Extents::flat(4096, 4096);

/// The adapter that all tests share, because opening one takes a while. `None`: the caller may skip the part that
/// `left_out` names.
///
/// # Panics
/// If the policy is `require` and no adapter exists, or the policy is unknown.
pub fn shared(left_out: &str) -> Option<Arc<Gpu>> {
    static OPENED: OnceLock<Result<Arc<Gpu>, String>> = OnceLock::new();
    let policy = std::env::var("MURMURATION_TEST_GPU").unwrap_or_else(|_| "require".into());
    if policy == "off" {
        say(&format!("MURMURATION_TEST_GPU=off: left out {left_out}"));
        return None;
    }
    let open = || {
        let request = DeviceRequest::new(Adapters::Any, MAX_EXTENTS);
        murmuration::devices().get(&request).map_err(|failure| failure.to_string())
    };
    match (OPENED.get_or_init(open), policy.as_str()) {
        (Ok(gpu), "require" | "auto") => Some(gpu.clone()),
        (Err(why), "auto") => {
            say(&format!("NO GRAPHICS ADAPTER ({why}): left out {left_out}"));
            None
        }
        (Err(why), "require") => panic!("{left_out} needs a graphics adapter: {why}; or set MURMURATION_TEST_GPU=auto"),
        (_, other) => panic!("MURMURATION_TEST_GPU is {other:?}; it is require, auto or off"),
    }
}

/// Writes to stderr directly, because the test harness captures and drops the output of passing tests.
fn say(line: &str) {
    // The harness has begun a line with the name of the test.
    let _ = writeln!(std::io::stderr(), "\n{line}");
}
