use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: ReportingAllocator = ReportingAllocator;

fn main() -> ExitCode {
    quieten_mesa();
    murmuration::cli::run()
}

/// Mesa's layer for choosing among several GPUs complains on a machine without a desktop session. The program chooses
/// by itself, so it does without the layer there.
fn quieten_mesa() {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: nothing else runs yet that could read the environment.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// The system's allocator. Where it gives no memory, the program ends with a message and the status of a failure, and does not abort.
/// Whoever can do better asks in [`murmuration::memory`].
struct ReportingAllocator;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for ReportingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        given(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The memory, if it was given or its lack is expected; else the program ends.
fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() && !murmuration::memory::is_lack_expected() {
        murmuration::cli::end_without_memory(bytes);
    }
    memory
}
