//! Work on all cores: loops, thread pools, and work divided over threads. Without the feature `threads` all work runs
//! on the calling thread, with bit-identical results.

use crate::error::{BadInput, Failure};
#[cfg(feature = "threads")]
use crate::faults::{self, Operation};
use std::fmt;
#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "threads")]
use std::sync::mpsc::{self, RecvTimeoutError};
#[cfg(feature = "threads")]
use std::sync::{Arc, OnceLock};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(feature = "threads")]
use std::time::Duration;

#[cfg(feature = "threads")]
pub use rayon::{join, prelude::*};

#[cfg(not(feature = "threads"))]
pub use sequential::*;

/// The most threads of a pool.
pub const MAX_THREADS: usize = 1024;

/// Checks the number of threads of a request.
///
/// # Errors
/// If it is 0, or above [`MAX_THREADS`].
pub fn check_threads(threads: usize) -> Result<(), BadInput> {
    if (1..=MAX_THREADS).contains(&threads) {
        return Ok(());
    }
    let cure = format!("give 1 to {MAX_THREADS}, or none for one thread on each core");
    Err(BadInput::of_argument("threads", threads, "this number is out of bounds", cure))
}

/// Locks a value that a panic of another thread does not invalidate.
pub(crate) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The threads of an engine. A pool of one thread starts its thread only for a caller outside another pool of one
/// thread. Thousands of engines that run inside such a pool therefore start no threads.
pub struct ThreadPool {
    #[cfg(feature = "threads")]
    pool: OnceLock<rayon::ThreadPool>,
    #[cfg(feature = "threads")]
    name: &'static str,
    #[cfg(feature = "threads")]
    size: usize,
}

impl ThreadPool {
    /// Starts threads called `name-0`, `name-1` and so on, by default one for each core.
    ///
    /// # Errors
    /// If the number is out of bounds, or the system starts no threads.
    #[cfg(feature = "threads")]
    pub fn new(threads: Option<usize>, name: &'static str) -> Result<Self, Failure> {
        threads.map_or(Ok(()), check_threads)?;
        if faults::is_due(Operation::Thread) {
            return Err(Failure::Device(format!("no threads could be started: {}", faults::SAID)));
        }
        if threads == Some(1) {
            return Ok(Self { pool: OnceLock::new(), name, size: 1 });
        }
        let pool = started(threads.unwrap_or(0), name)
            .map_err(|error| Failure::Device(format!("no threads could be started: {error}")))?;
        Ok(Self { size: pool.current_num_threads(), pool: pool.into(), name })
    }

    /// A pool that runs everything on the calling thread.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "threads"))]
    pub fn new(_: Option<usize>, _: &'static str) -> Result<Self, Failure> {
        Ok(Self {})
    }

    /// Runs work on a thread of the pool. Work divided with [`for_each_part`] is spread over all threads of the pool. A
    /// pool of one thread runs the work on the caller's thread if the caller is the only thread of another pool.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "threads")]
        {
            let is_alone = rayon::current_thread_index().is_some() && rayon::current_num_threads() == 1;
            if is_alone && self.size == 1 {
                return work();
            }
            let pool = self.pool.get().or_else(|| {
                let pool = started(self.size, self.name).ok()?;
                Some(self.pool.get_or_init(|| pool))
            });
            // If the thread cannot be started, the threads of the caller do the work, with bit-identical results.
            match pool {
                Some(pool) => pool.install(work),
                None => work(),
            }
        }
        #[cfg(not(feature = "threads"))]
        work()
    }

    /// The number of threads.
    pub fn size(&self) -> usize {
        #[cfg(feature = "threads")]
        return self.size;
        #[cfg(not(feature = "threads"))]
        1
    }
}

/// The number of threads that share work started by this thread.
pub fn thread_count() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Starts the global threads, for work without its own pool. Without this call, a failure to start them would abort the
/// program.
///
/// # Errors
/// If the system starts no threads.
#[cfg(feature = "threads")]
pub fn start_threads() -> Result<(), Failure> {
    let started = builder().build_global();
    started.map_err(|error| Failure::Device(format!("no threads could be started: {error}")))
}

/// Starts no threads.
///
/// # Errors
/// None.
#[cfg(not(feature = "threads"))]
pub fn start_threads() -> Result<(), Failure> {
    Ok(())
}

/// Does work that may use threads. A forked process has none of its parent's threads, so a new pool does the work
/// there.
///
/// # Errors
/// The errors of `work`; or the system starts no threads.
#[cfg(feature = "threads")]
pub fn in_this_process<T: Send, E: From<Failure> + Send>(work: impl FnOnce() -> Result<T, E> + Send) -> Result<T, E> {
    static FORKED: Mutex<Option<(u32, &rayon::ThreadPool)>> = Mutex::new(None);
    if !is_forked() {
        return work();
    }
    let mut forked = lock(&FORKED);
    let pool = match *forked {
        Some((process, pool)) if process == std::process::id() => pool,
        _ => {
            let started = started(0, "forked");
            let failed = |error| Failure::Device(format!("no threads could be started: {error}"));
            // A pool ends with its process.
            let pool: &'static _ = Box::leak(Box::new(started.map_err(failed)?));
            *forked = Some((std::process::id(), pool));
            pool
        }
    };
    drop(forked);
    pool.install(work)
}

/// Whether this process was forked after the first call of this function.
#[cfg(feature = "threads")]
fn is_forked() -> bool {
    static FIRST: OnceLock<u32> = OnceLock::new();
    *FIRST.get_or_init(process) != process()
}

/// The number of this process; 0 in a web page, which has no processes.
pub fn process() -> u32 {
    #[cfg(feature = "threads")]
    return std::process::id();
    #[cfg(not(feature = "threads"))]
    0
}

/// The time between two polls of [`while_wanted`].
#[cfg(feature = "threads")]
const QUESTION: Duration = Duration::from_millis(50);

/// Does work on a new thread, and polls every 50 ms whether the result is still wanted. If not, sets the flag of the
/// work and returns `None`. The thread ends later, and its result is dropped.
///
/// # Errors
/// The errors of `work`; or the system starts no thread.
#[cfg(feature = "threads")]
pub fn while_wanted<T: Send + 'static>(
    work: impl FnOnce(Arc<AtomicBool>) -> Result<T, Failure> + Send + 'static,
    mut is_wanted: impl FnMut() -> bool,
) -> Result<Option<T>, Failure> {
    let (sender, receiver) = mpsc::channel();
    let is_unwanted = Arc::new(AtomicBool::new(false));
    let flag = is_unwanted.clone();
    let all = move || drop(sender.send(in_this_process(|| work(flag))));
    let thread = std::thread::Builder::new().name("work".into()).stack_size(STACK).spawn(all);
    thread.map_err(|error| Failure::Device(format!("no thread could be started: {error}")))?;
    loop {
        match receiver.recv_timeout(QUESTION) {
            Ok(done) => return done.map(Some),
            Err(RecvTimeoutError::Timeout) if is_wanted() => {}
            Err(RecvTimeoutError::Timeout) => {
                is_unwanted.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::Broken("a thread has panicked".into())),
        }
    }
}

/// Starts threads called `name-0`, `name-1` and so on; 0: one for each core.
#[cfg(feature = "threads")]
fn started(threads: usize, name: &'static str) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    builder().thread_name(move |index| format!("{name}-{index}")).num_threads(threads).build()
}

/// The stack of a thread, in bytes. A build without optimisation needs more than 2 MiB for a kernel with the widest
/// lanes. The system allocates the memory when a thread uses it.
#[cfg(feature = "threads")]
const STACK: usize = 8 << 20;

#[cfg(feature = "threads")]
fn builder() -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().stack_size(STACK)
}

impl fmt::Display for ThreadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.size();
        write!(f, "{count} thread{}", if count == 1 { "" } else { "s" })
    }
}

/// An ordered list of independent parts of work.
pub trait Divisible: Send + Sized {
    /// The number of parts.
    fn parts(&self) -> usize;

    /// The parts before `middle`, and the parts from `middle` on.
    fn split_at(self, middle: usize) -> (Self, Self);
}

/// Does the work of every part, on all threads of the current pool. Allocates nothing.
pub fn for_each_part<T: Divisible>(work: T, each: &(impl Fn(T) + Sync)) {
    match work.parts() {
        0 => {}
        1 => each(work),
        parts => {
            let (before, after) = work.split_at(parts / 2);
            join(|| for_each_part(before, each), || for_each_part(after, each));
        }
    }
}

/// Replacements for the items of rayon that the workspace uses. They run on one thread.
#[cfg(not(feature = "threads"))]
mod sequential {
    /// Anything that can be iterated over, as if in parallel.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        /// The items, one after the other.
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// Slices that are read in chunks, as if in parallel.
    pub trait ParallelSlice<T> {
        /// The items, one after the other.
        fn par_iter(&self) -> std::slice::Iter<'_, T>;
        /// The chunks of `size` items, one after the other; the last one may be shorter.
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> std::slice::Iter<'_, T> {
            self.iter()
        }

        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }
    }

    /// Slices that are written in chunks, as if in parallel.
    pub trait ParallelSliceMut<T> {
        /// The chunks of `size` items, one after the other; the last one may be shorter.
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T>;
    }

    impl<T> ParallelSliceMut<T> for [T] {
        fn par_chunks_mut(&mut self, size: usize) -> std::slice::ChunksMut<'_, T> {
            self.chunks_mut(size)
        }
    }

    /// The methods that rayon adds to iterators.
    pub trait ParallelIterator: Iterator + Sized {
        /// Calls a function with each item and one shared state.
        fn for_each_init<S>(self, init: impl Fn() -> S, each: impl Fn(&mut S, Self::Item)) {
            let mut state = init();
            self.for_each(|item| each(&mut state, item));
        }
    }

    impl<I: Iterator> ParallelIterator for I {}

    /// Calls `a`, then `b`.
    pub fn join(a: impl FnOnce(), b: impl FnOnce()) {
        a();
        b();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Divisible for &mut [u32] {
        fn parts(&self) -> usize {
            self.len()
        }

        fn split_at(self, middle: usize) -> (Self, Self) {
            self.split_at_mut(middle)
        }
    }

    #[cfg(feature = "threads")]
    #[test]
    fn unwanted_work_is_left_and_hears_of_it() {
        assert_eq!(while_wanted(|_| Ok(3), || true).unwrap(), Some(3));
        let (sender, receiver) = mpsc::channel();
        let busy = move |is_unwanted: Arc<AtomicBool>| {
            while !is_unwanted.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            sender.send(()).unwrap();
            Ok(())
        };
        assert_eq!(while_wanted(busy, || false).unwrap(), None);
        receiver.recv_timeout(Duration::from_secs(20)).unwrap();
        let broken = while_wanted(|_| -> Result<(), Failure> { panic!("on purpose") }, || true);
        assert!(matches!(broken, Err(Failure::Broken(_))));
    }

    #[test]
    fn a_number_of_threads_has_bounds() {
        assert!(check_threads(1).is_ok() && check_threads(MAX_THREADS).is_ok());
        for threads in [0, MAX_THREADS + 1, 4_000_000_000] {
            let said = check_threads(threads).unwrap_err().to_string();
            assert!(said.starts_with(&format!("threads {threads}: ")) && said.contains("1 to 1024"), "{said}");
        }
        #[cfg(feature = "threads")]
        assert!(ThreadPool::new(Some(4_000_000_000), "test").is_err());
    }

    #[test]
    fn every_part_is_worked_on_once() {
        for threads in [1, 3] {
            let pool = ThreadPool::new(Some(threads), "test").unwrap();
            for count in [0, 1, 2, 7, 100] {
                let mut parts = vec![0; count];
                pool.install(|| for_each_part(&mut parts[..], &|part: &mut [u32]| part[0] += 1));
                assert_eq!(parts, vec![1; count]);
            }
        }
    }
}
