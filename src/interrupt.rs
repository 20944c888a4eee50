//! Ctrl-C and other signals that end the program after it has saved its results. A second signal ends it at once.

use crate::error::Failure;
use signal_hook::{consts, flag};
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status after an interruption.
pub const STATUS: u8 = 130;

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
///
/// # Errors
/// If the system refuses.
pub fn listen() -> Result<Arc<AtomicBool>, Failure> {
    listen_to(&[consts::SIGINT, consts::SIGTERM])
}

/// Calls `end`, from a thread of its own, at Ctrl-C, at SIGTERM, and when the terminal or the session is closed. A second signal
/// ends the program at once. It does nothing on systems without such signals, such as Windows.
///
/// # Errors
/// If the system refuses.
pub fn call(end: impl Fn() + Send + 'static) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        let signals = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
        // Signals that a parent such as `nohup` set to be ignored stay ignored.
        let signals: Vec<c_int> = signals.into_iter().filter(|signal| !is_ignored(*signal)).collect();
        listen_to(&signals)?;
        let mut heard = signal_hook::iterator::Signals::new(&signals).map_err(failure)?;
        let listen = move || heard.forever().for_each(|_| end());
        std::thread::Builder::new().name("signals".into()).spawn(listen).map_err(failure)?;
    }
    #[cfg(not(unix))]
    drop(end);
    Ok(())
}

fn listen_to(signals: &[c_int]) -> Result<Arc<AtomicBool>, Failure> {
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in signals {
        flag::register_conditional_shutdown(*signal, i32::from(STATUS), interrupt.clone()).map_err(failure)?;
        flag::register(*signal, interrupt.clone()).map_err(failure)?;
    }
    // Exceeding the limit of file sizes becomes an error of the write instead of the end of the process.
    #[cfg(unix)]
    flag::register(consts::SIGXFSZ, Arc::new(AtomicBool::new(false))).map_err(failure)?;
    Ok(interrupt)
}

#[cfg(unix)]
fn is_ignored(signal: c_int) -> bool {
    #[cfg(target_os = "linux")]
    // SAFETY: with a null action the call only reads the present one into `now`, which is plain data.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = signal;
        false
    }
}

fn failure(source: std::io::Error) -> Failure {
    Failure::File { action: "cannot listen for", path: "Ctrl-C".into(), source }
}
