//! The end of a run that gets no memory.

use super::FAILED;
use std::io::Write;

/// Reports that the system did not give this many bytes, and ends the program at once. Uses no memory and no lock.
/// Files under way stay as they are. The next run that writes there removes their temporary files.
pub fn end_without_memory(bytes: usize) -> ! {
    let mut line = [0u8; 128];
    let mut rest = &mut line[..];
    let mebibytes = (bytes >> 20).max(1);
    let _ = writeln!(rest, "murmuration: the system does not give {mebibytes} MiB of memory more; use a smaller size");
    let free = rest.len();
    let line = &line[..line.len() - free];
    #[cfg(unix)]
    {
        use std::os::fd::FromRawFd;
        // SAFETY: the descriptor is open for as long as the program runs, and is not closed here.
        let mut stderr = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(2) });
        let _ = stderr.write_all(line);
    }
    #[cfg(not(unix))]
    let _ = std::io::stderr().write_all(line);
    #[cfg(target_os = "linux")]
    // SAFETY: the process ends. Other threads need no cleanup.
    unsafe {
        libc::_exit(FAILED.into())
    }
    #[cfg(not(target_os = "linux"))]
    std::process::exit(FAILED.into())
}
