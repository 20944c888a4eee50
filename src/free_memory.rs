//! The free memory, and a bound on it that the user can set.

use std::sync::atomic::{AtomicU64, Ordering};

/// The free memory in bytes: the least of the free memory of the system, the memory that the container may still take,
/// the memory that the process may still take, and the value of [`bound_memory`]. `None`: all of them are unknown.
pub fn free_memory() -> Option<u64> {
    let bound = Some(BOUND.load(Ordering::Relaxed)).filter(|bound| *bound < u64::MAX);
    let given = [memory_of_system(), addresses_left(), bound];
    given.into_iter().flatten().min()
}

/// The least value of all calls of [`bound_memory`], in bytes; `u64::MAX`: no call.
static BOUND: AtomicU64 = AtomicU64::new(u64::MAX);

/// Bounds the result of [`free_memory`] to `bytes`. After several calls the lowest bound holds.
pub fn bound_memory(bytes: u64) {
    BOUND.fetch_min(bytes, Ordering::Relaxed);
}

/// The address space in bytes that the process may still take (`ulimit -v`). `None`: the process has no limit, or the
/// limit is unknown.
fn addresses_left() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call fills in the plain data that it is given.
        let is_known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
        if !is_known || limit.rlim_cur == libc::RLIM_INFINITY {
            return None;
        }
        let pages: u64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').next()?.parse().ok()?;
        // SAFETY: the call takes a constant and returns a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
        Some(limit.rlim_cur.saturating_sub(pages * page))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(not(target_family = "wasm"))]
fn memory_of_system() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let mut system = System::new_with_specifics(RefreshKind::nothing()).ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let available = Some(system.available_memory()).filter(|bytes| *bytes > 0)?;
    // `free_memory` of the cgroup would count cached files as memory in use.
    let allowed = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
    Some(available.min(allowed))
}

/// The memory in bytes that a web page may still take. A page has 4 GiB of addresses. One GiB is left to the browser.
#[cfg(target_family = "wasm")]
fn memory_of_system() -> Option<u64> {
    let used = core::arch::wasm32::memory_size(0) as u64 * (1 << 16);
    Some((3_u64 << 30).saturating_sub(used))
}
