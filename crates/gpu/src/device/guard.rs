//! Calls to the graphics driver that must not end the program.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Makes a call, and gives the message of a panic on the way as an error, without printing it.
///
/// wgpu and its friends panic, where they could return an error, when a device is lost while it is waited for or
/// written to. Only such calls belong in here, never the program's own code.
///
/// # Errors
/// The first line of what the panic said.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let before = IS_GUARDED.replace(true);
    // What the call left half done belongs to a device that is thrown away.
    let done = catch_unwind(AssertUnwindSafe(call));
    IS_GUARDED.set(before);
    done.map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        said.and_then(|said| said.lines().next()).unwrap_or("it panicked").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_an_error_with_its_first_line() {
        assert_eq!(guarded(|| 7), Ok(7));
        let failed = guarded(|| -> u32 { panic!("the device {}\nand more", "is lost") });
        assert_eq!(failed, Err("the device is lost".to_owned()));
        assert_eq!(guarded(|| guarded(|| panic!("within")).is_err()), Ok(true));
    }
}
