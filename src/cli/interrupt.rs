//! Ctrl-C: what was written so far is kept.

use super::INTERRUPTED;
use crate::error::Failure;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub fn listen_for_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::{consts, flag};
    let interrupt = Arc::new(AtomicBool::new(false));
    let failed = |source| Failure::File { action: "cannot listen for", path: "Ctrl-C".into(), source };
    for signal in [consts::SIGINT, consts::SIGTERM] {
        flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), interrupt.clone()).map_err(failed)?;
        flag::register(signal, interrupt.clone()).map_err(failed)?;
    }
    // A file that grows past its limit is to be an error that can be reported, not the end of the process.
    #[cfg(unix)]
    flag::register(consts::SIGXFSZ, Arc::new(AtomicBool::new(false))).map_err(failed)?;
    Ok(interrupt)
}
