//! Failures as codes and messages, and access to a caller's pointers.

use murmuration::{BadInput, Failure};
use murmuration_core::parallel::{in_this_process, process};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// The outcome of a call. `murmuration_last_error` has the message of every code but `MURMURATION_STATUS_OK`.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationStatus {
    /// The call succeeded.
    Ok = 0,
    /// An argument, a preset, a chain, a kernel or a checkpoint is wrong. The swarm is unchanged.
    BadInput = 1,
    /// A file cannot be read or written.
    File = 2,
    /// A graphics device failed, and no other engine could continue.
    Device = 3,
    /// An invariant does not hold: the library is at fault.
    Broken = 4,
    /// A pointer that must not be NULL is NULL.
    NullArgument = 5,
    /// The caller's buffer is too small. Nothing was written into it.
    BufferTooSmall = 6,
    /// Another thread uses this object now.
    Busy = 7,
    /// The library panicked. The object in use refuses every further call but the one that frees it.
    Panic = 8,
    /// The value of a ticket has not come yet.
    NotReady = 9,
    /// The caller stopped the call. No object was made.
    Stopped = 10,
}

/// A code and its message.
#[derive(Debug)]
pub struct Error {
    pub status: MurmurationStatus,
    pub message: String,
}

impl Error {
    pub fn new(status: MurmurationStatus, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// A message about a wrong argument.
    pub fn bad(argument: &str, problem: impl Into<String>, cure: &str) -> Self {
        Failure::from(BadInput::new(argument, problem, cure)).into()
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let failure = match failure {
            Failure::BadInput(wrong) => of_members(wrong).into(),
            other => other,
        };
        let status = match &failure {
            Failure::BadInput(_) => MurmurationStatus::BadInput,
            Failure::File { .. } => MurmurationStatus::File,
            Failure::Device(_) => MurmurationStatus::Device,
            Failure::Rank(_) | Failure::Broken(_) => MurmurationStatus::Broken,
        };
        Self::new(status, failure.to_string())
    }
}

/// Renames an argument of the library to the member of [`crate::options::MurmurationOptions`] that holds it.
fn of_members(wrong: BadInput) -> BadInput {
    let members =
        [("set ", "settings "), ("size ", "width, height, depth "), ("seed ", "seed "), ("threads ", "threads ")];
    let of = members.iter().find_map(|(argument, member)| Some((member, wrong.origin.strip_prefix(argument)?)));
    match of.filter(|_| wrong.is_argument) {
        Some((member, value)) => BadInput { origin: format!("options.{member}{value}"), ..wrong },
        None => wrong,
    }
}

impl From<BadInput> for Error {
    fn from(wrong: BadInput) -> Self {
        Failure::from(wrong).into()
    }
}

/// The result of the body of an exported function.
pub type Outcome<T = ()> = Result<T, Error>;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// A closure that another thread runs while its caller waits.
struct ForOneThread<W>(W);

// SAFETY: only one thread at a time uses the borrowed values, because the caller waits.
unsafe impl<W> Send for ForOneThread<W> {}

impl<W: FnOnce() -> Outcome> ForOneThread<W> {
    fn run(self) -> Outcome {
        (self.0)()
    }
}

/// Runs the body of an exported function. A panic in it becomes a code. In a forked process a thread of the process's
/// pool runs the body, while the caller waits.
pub fn run(work: impl FnOnce() -> Outcome) -> MurmurationStatus {
    let work = ForOneThread(work);
    run_here(|| in_this_process(|| work.run()))
}

/// Runs the body of an exported function on the calling thread. A panic in it becomes a code.
pub fn run_here(work: impl FnOnce() -> Outcome) -> MurmurationStatus {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        let message = format!("the library panicked: {text}");
        // The payload of a panic may panic when it is dropped.
        std::mem::forget(panic);
        Err(Error::new(MurmurationStatus::Panic, message))
    });
    let Err(Error { status, message }) = outcome else { return MurmurationStatus::Ok };
    let message = CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default();
    // `LAST` is gone while the thread ends.
    let _ = LAST.try_with(|last| last.replace(message));
    status
}

/// The message of the last failed call of this thread, in UTF-8. The text is empty if no call has failed. The library
/// owns the text. It is valid until the next call of this thread into the library.
#[unsafe(no_mangle)]
pub extern "C" fn murmuration_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Locks an object for this thread.
///
/// # Errors
/// `Busy` while another thread uses the object, and `Panic` if an earlier call has panicked.
pub fn lock<T>(value: &Mutex<T>) -> Outcome<MutexGuard<'_, T>> {
    value.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => Error::new(MurmurationStatus::Busy, "another thread uses this object; wait for it"),
        TryLockError::Poisoned(_) => Error::new(
            MurmurationStatus::Panic,
            "a call before has panicked in this object; free it and make another one",
        ),
    })
}

fn null(argument: &str) -> Error {
    Error::new(MurmurationStatus::NullArgument, format!("{argument}: is NULL; give an address"))
}

/// The object behind a pointer.
///
/// # Safety
/// The pointer is NULL or an object of the library that was not freed.
pub unsafe fn object<'a, T>(pointer: *const T, argument: &str) -> Outcome<&'a T> {
    // SAFETY: as the caller promises.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(argument))
}

/// A value that only the process that made it uses and drops. A drop in a fork would wait for threads that no longer
/// exist.
pub struct ProcessLocal<T> {
    value: ManuallyDrop<T>,
    process: u32,
}

impl<T> ProcessLocal<T> {
    pub fn new(value: T) -> Self {
        Self { value: ManuallyDrop::new(value), process: process() }
    }

    /// # Errors
    /// `BadInput` in a forked process.
    pub fn get(&self, argument: &str) -> Outcome<&T> {
        if self.process != process() {
            let problem = "was made before this process was forked, and its threads do not live on in a fork";
            return Err(Error::bad(argument, problem, "open a swarm in the child"));
        }
        Ok(&self.value)
    }
}

impl<T> Drop for ProcessLocal<T> {
    fn drop(&mut self) {
        if self.process == process() {
            // SAFETY: the value is dropped once, because its owner is dropped once.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}

/// Frees an object, unless another thread uses it. A forked process frees nothing that its parent made.
///
/// # Safety
/// The pointer is NULL or an object of the library that was not freed.
pub unsafe fn free<T, V>(pointer: *mut T, value: impl FnOnce(&T) -> &ProcessLocal<Mutex<V>>) -> Outcome {
    // SAFETY: as the caller promises.
    let Some(own) = (unsafe { pointer.as_ref() }) else { return Ok(()) };
    // An object in use during a panic is freed too. The lock is released before the object is freed.
    let is_used = matches!(value(own).get("").map(Mutex::try_lock), Ok(Err(TryLockError::WouldBlock)));
    if is_used {
        return Err(Error::new(MurmurationStatus::Busy, "another thread uses this object; wait for it"));
    }
    // SAFETY: the caller promises that the pointer is an object of the library, which was made as a box.
    drop(unsafe { Box::from_raw(pointer) });
    Ok(())
}

/// A pointer of the caller through which a function returns a value.
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// # Safety
    /// The pointer is NULL or has space for a value, until [`Self::put`] is called.
    pub unsafe fn new(pointer: *mut T, argument: &str) -> Outcome<Self> {
        if pointer.is_null() { Err(null(argument)) } else { Ok(Self(pointer)) }
    }

    pub fn put(self, value: T) {
        // SAFETY: the caller of `new` promised the space. In C the address need not be aligned.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// The text of a caller; `None` for NULL.
///
/// # Safety
/// The pointer is NULL or points to a text that ends with a NUL. The text is valid and unchanged during the call.
pub unsafe fn text<'a>(pointer: *const c_char, argument: &str) -> Outcome<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some).map_err(|error| Error::bad(argument, format!("is not UTF-8: {error}"), "give it in UTF-8"))
}

/// The text of a caller. NULL is an error.
///
/// # Safety
/// As for [`text`].
pub unsafe fn needed_text<'a>(pointer: *const c_char, argument: &str) -> Outcome<&'a str> {
    // SAFETY: as the caller promises.
    unsafe { text(pointer, argument) }?.ok_or_else(|| null(argument))
}

/// An array of a caller with `count` values.
///
/// # Safety
/// The pointer is NULL or has `count` values. They are valid and unchanged during the call.
pub unsafe fn values<'a, T>(pointer: *const T, count: usize, argument: &str) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(argument));
    }
    if !pointer.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        let problem = format!("{count} values at {pointer:p} are no array");
        return Err(Error::bad(argument, problem, "give the address and the number of its values"));
    }
    // SAFETY: as the caller promises; address and size were checked.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A buffer of a caller, and a place for the number of bytes needed.
pub struct Buffer {
    bytes: *mut c_void,
    capacity: usize,
    needed: *mut usize,
}

impl Buffer {
    /// # Errors
    /// If `bytes` and `needed` are both NULL.
    ///
    /// # Safety
    /// `bytes` is NULL or has `capacity` bytes, and `needed` is NULL or has space, until [`Self::fill`] is called.
    pub unsafe fn new(bytes: *mut c_void, capacity: usize, needed: *mut usize) -> Outcome<Self> {
        if bytes.is_null() && needed.is_null() { Err(null("buffer")) } else { Ok(Self { bytes, capacity, needed }) }
    }

    /// Copies bytes to the caller, and writes their number. Without a buffer it only writes the number. Returns whether
    /// it copied.
    ///
    /// # Errors
    /// `BufferTooSmall`, with nothing copied.
    pub fn fill(self, from: &[u8]) -> Outcome<bool> {
        if !self.needed.is_null() {
            // SAFETY: the caller of `new` promised the space.
            unsafe { self.needed.write_unaligned(from.len()) };
        }
        if self.bytes.is_null() {
            return Ok(false);
        }
        if self.capacity < from.len() {
            let message = format!("buffer: has {} bytes, and {} are needed", self.capacity, from.len());
            return Err(Error::new(MurmurationStatus::BufferTooSmall, message));
        }
        // SAFETY: the caller of `new` promised `capacity` bytes, which suffice. They do not overlap the library's
        // memory.
        unsafe { self.bytes.cast::<u8>().copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        // SAFETY: the text is the library's.
        unsafe { CStr::from_ptr(murmuration_last_error()) }.to_string_lossy().into_owned()
    }

    #[test]
    fn a_panic_becomes_a_code_and_leaves_its_object_unusable() {
        let value = Mutex::new(3);
        let panicked = run(|| {
            let held = lock(&value)?;
            assert_eq!(*held, 4, "on purpose");
            Ok(())
        });
        assert_eq!(panicked, MurmurationStatus::Panic);
        assert!(last().contains("on purpose"), "{}", last());
        assert_eq!(run(|| lock(&value).map(drop)), MurmurationStatus::Panic);
        assert!(last().contains("free it"), "{}", last());
        assert_eq!(run(|| std::panic::panic_any(7)), MurmurationStatus::Panic);
        assert!(last().ends_with("without a message"), "{}", last());
    }

    #[test]
    fn an_object_in_use_is_busy() {
        let value = Mutex::new(3);
        let held = lock(&value).unwrap();
        assert_eq!(run(|| lock(&value).map(drop)), MurmurationStatus::Busy);
        drop(held);
        assert_eq!(run(|| lock(&value).map(drop)), MurmurationStatus::Ok);
    }

    #[test]
    fn messages_end_at_no_zero() {
        assert_eq!(run(|| Err(Error::new(MurmurationStatus::Broken, "a\0b"))), MurmurationStatus::Broken);
        assert_eq!(last(), "a\u{fffd}b");
    }
}
