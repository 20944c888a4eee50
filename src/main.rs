use murmuration_core::faults::{self, Operation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: ReportingAllocator = ReportingAllocator;

fn main() -> ExitCode {
    murmuration::cli::run()
}

/// The system's allocator. If memory runs out, the program ends with a message and the exit status of a failure, and
/// does not abort. Code that can recover from a lack of memory allocates through [`murmuration_core::world::memory`].
struct ReportingAllocator;

/// The minimum size in bytes of an allocation that a test can make fail.
const LARGE: usize = 1 << 20;

// SAFETY: each function calls the system's allocator with the same arguments, or returns a null pointer.
unsafe impl GlobalAlloc for ReportingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        given(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        given(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        given(size, || unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Calls `ask` for `bytes` of memory and returns the pointer. Ends the program if the pointer is null, unless the
/// caller expects a lack of memory.
fn given(bytes: usize, ask: impl FnOnce() -> *mut u8) -> *mut u8 {
    let is_to_fail = bytes >= LARGE && faults::is_due(Operation::Allocation);
    let memory = if is_to_fail { std::ptr::null_mut() } else { ask() };
    if memory.is_null() && !murmuration_core::world::memory::is_lack_expected() {
        murmuration::cli::end_without_memory(bytes);
    }
    memory
}
