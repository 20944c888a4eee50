//! Turns panics of wgpu into errors.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function. If the call panics, returns the message of the panic as an error and prints nothing.
///
/// wgpu panics if a device is lost during a wait or a write. Use this function only for such calls, not for the
/// program's own code.
///
/// # Errors
/// The first line of the panic's message.
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
    // Unwind safety: a panic may leave the device in a broken state, but the device is then discarded.
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
