//! Which tests may use a graphics adapter.
//!
//! `MURMURATION_TEST_GPU` says what happens on a machine without one:
//! `require` (where nothing is said) a test that needs an adapter fails
//! `auto`    the test leaves that part out, and says so on stderr
//! `off`     no adapter is looked for, and every such part is left out

use murmuration_core::engine::Adapters;
use murmuration_core::world::Extents;
use murmuration_gpu::{DeviceRequest, Gpu};
use std::io::Write;
use std::sync::{Arc, OnceLock};

/// The largest lattice of any test that runs on the shared adapter.
const MAX_EXTENTS: Extents = Extents::flat(4096, 4096);

/// The adapter that all tests share, because opening one takes a while. `None`: the policy lets the caller leave out
/// what `left_out` says.
///
/// # Panics
/// Where the policy is `require` and there is no adapter, or where the policy is none of the three.
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

/// Past the capture of the test harness, which swallows what passing tests print.
fn say(line: &str) {
    // On a line of its own: the harness has begun one with the name of the test.
    let _ = writeln!(std::io::stderr(), "\n{line}");
}
