//! Ctrl-C and other signals that end the program after it has saved its results. A second signal ends it at once.

use murmuration_core::error::Failure;
#[cfg(unix)]
use murmuration_core::faults::{self, Operation};
use signal_hook::{consts, flag};
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status of the program after an interruption by a signal.
pub const STATUS: u8 = 130;

/// Returns a flag that becomes true at Ctrl-C, at SIGTERM, or when the terminal or the session ends. The function
/// `heard` is then called on a thread of its own. A second signal ends the program at once. On Windows only Ctrl-C sets
/// the flag, and `heard` is not called.
///
/// # Errors
/// If the system refuses to report signals, or cannot start the thread.
pub fn listen(heard: impl Fn() + Send + 'static) -> Result<Arc<AtomicBool>, Failure> {
    #[cfg(unix)]
    {
        let signals = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
        // `nohup` makes a process ignore SIGHUP. This program then ignores SIGHUP too.
        let is_heard = |signal: &c_int| *signal != consts::SIGHUP || !is_ignored(*signal);
        let signals: Vec<c_int> = signals.into_iter().filter(is_heard).collect();
        let interrupt = listen_to(&signals)?;
        let mut all = signal_hook::iterator::Signals::new(&signals).map_err(failure)?;
        if faults::is_due(Operation::Thread) {
            return Err(failure(std::io::Error::other(faults::SAID)));
        }
        let call = move || all.forever().for_each(|_| heard());
        std::thread::Builder::new().name("signals".into()).spawn(call).map_err(failure)?;
        Ok(interrupt)
    }
    #[cfg(not(unix))]
    {
        drop(heard);
        listen_to(&[consts::SIGINT, consts::SIGTERM])
    }
}

fn listen_to(signals: &[c_int]) -> Result<Arc<AtomicBool>, Failure> {
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in signals {
        flag::register_conditional_shutdown(*signal, i32::from(STATUS), interrupt.clone()).map_err(failure)?;
        flag::register(*signal, interrupt.clone()).map_err(failure)?;
    }
    // A write beyond the limit of file sizes becomes an error and does not end the process.
    #[cfg(unix)]
    flag::register(consts::SIGXFSZ, Arc::new(AtomicBool::new(false))).map_err(failure)?;
    Ok(interrupt)
}

#[cfg(unix)]
fn is_ignored(signal: c_int) -> bool {
    #[cfg(target_os = "linux")]
    // SAFETY: with a null action the call only reads the present action into `now`, which is plain data.
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
