//! Ends the program if the system gives it no more memory.

use super::FAILED;
use std::io::Write;

/// Reports that the system did not give this number of bytes, and ends the program at once. The function allocates no
/// memory and takes no lock. Unfinished files stay as temporary files, which the next run with these paths removes.
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
