//! Estimates of the memory that a lattice or individuals need, compared with the free memory.
//!
//! Some systems overcommit memory and kill a program that uses too much, without an error message. The estimate raises
//! an error before the memory is allocated.

use crate::text::readable::grouped;
use crate::world::Extents;
use std::alloc::{Layout, alloc_zeroed};
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Bytes per cell of a run without a window, measured with the CPU engine (2048 × 2048 and 4096 × 2048 cells).
pub const RUN: u64 = 52;
/// Bytes per cell of a run in a window, with snapshots, a picture and a film. At 2048 × 2048 a run with the CPU engine
/// takes 65 bytes. A GPU engine takes 57 bytes without a film, measured on a software adapter, whose textures are in
/// system memory. A film takes 8 bytes or more in addition.
pub const WINDOW: u64 = 80;
/// Bytes per cell while the start of a preset is made: state, solids, a picture, and the order in which cells are
/// filled.
pub const PRESET: u64 = 20;
/// Bytes per cell of a state with its solids, in an undo point.
pub const SWARM: u64 = 9;
/// Bytes per individual in an undo point.
pub const SAVED_INDIVIDUAL: u64 = 28;
/// Bytes per cell of the engine of a run, without a copy of the state and its solids.
pub const ENGINE: u64 = RUN - 9;
/// Bytes per individual of a run, in addition to the lattice. The CPU engine takes 169 bytes (measured with 1 048 576
/// and 4 194 304 individuals). A run in a window needs a snapshot in addition.
pub const INDIVIDUAL: u64 = 200;
/// Bytes per voxel of rock: the scalar field, and the voxels of a file.
const ROCK: u64 = 6;
/// Bytes per pixel of a picture during reading: four samples of 16 bits, and the brightness.
const PIXEL: u64 = 12;
/// Additional bytes per cell of a deep world, for the z components of control vectors: a word in each of two GPU
/// textures and a word in states. With the CPU engine, fields have half a word, and a run takes at most 50 bytes per
/// cell (measured with 256³ cells).
const ALONG_Z: u64 = 12;
/// Needs below this number of bytes are not checked.
const LITTLE: u64 = 256 << 20;
/// The end of error messages about a lack of memory.
pub const LACK: &str = " MiB are free";
/// The advice in error messages about a lack of memory.
pub const CURE: &str = "use a smaller size";

/// Checks that a lattice fits into the free memory, before the memory is allocated. `free`: the free memory, in bytes;
/// `None`: not known, and every lattice is accepted.
///
/// # Errors
/// A message with the needed and the free memory.
pub fn check(extents: Extents, bytes_a_cell: u64, free: Option<u64>) -> Result<(), String> {
    admit(&lattice(extents), needed(extents, bytes_a_cell), free)
}

/// Checks that a number of individuals fits into the free memory, as [`check`].
///
/// # Errors
/// A message with the needed and the free memory.
pub fn check_individuals(count: u64, free: Option<u64>) -> Result<(), String> {
    admit(&format!("{} individuals need", grouped(count)), count.saturating_mul(INDIVIDUAL), free)
}

/// Checks that `count` runs at a time fit into the free memory, as [`check`]. `bytes`: the need of one run.
///
/// # Errors
/// A message with the needed and the free memory.
pub fn check_runs(count: u64, bytes: u64, free: Option<u64>) -> Result<(), String> {
    admit(&format!("{} runs at once need", grouped(count)), count.saturating_mul(bytes), free)
}

/// Checks that the scalar field of rock fits into the free memory, as [`check`].
///
/// # Errors
/// A message with the needed and the free memory.
pub fn check_terrain(extents: Extents, free: Option<u64>) -> Result<(), String> {
    admit(&format!("rock of {extents} needs"), (extents.cells() as u64).saturating_mul(ROCK), free)
}

/// Checks that a picture fits into the free memory while it is read, as [`check`].
///
/// # Errors
/// A message with the needed and the free memory.
pub fn check_picture(width: u32, height: u32, free: Option<u64>) -> Result<(), String> {
    admit(&format!("a picture of {width} × {height} needs"), u64::from(width) * u64::from(height) * PIXEL, free)
}

/// Checks that a run in a window fits into the free memory, as [`check`]. `before`: the extents of the run that it
/// replaces; `None`: it replaces no run.
///
/// # Errors
/// A message with the needed and the free memory.
pub fn check_window(extents: Extents, before: Option<Extents>, free: Option<u64>) -> Result<(), String> {
    admit(&lattice(extents), needed_in_window(extents, before), free)
}

/// A list of `count` zeros. Most systems allocate a page of memory only when it is written.
///
/// # Errors
/// A message if the system does not provide the memory.
pub fn zeros(count: usize) -> Result<Vec<u32>, String> {
    let lack = || missing(4 * count as u64);
    let layout = Layout::array::<u32>(count).map_err(|_| lack())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout is not empty.
    let words = expecting_lack(|| unsafe { alloc_zeroed(layout) }).cast::<u32>();
    if words.is_null() {
        return Err(lack());
    }
    // SAFETY: the global allocator has just allocated `count` words, and all are zero.
    Ok(unsafe { Vec::from_raw_parts(words, count, count) })
}

/// Words whose first address is a multiple of 64 bytes, a cache line. So vector registers that are loaded from rows do
/// not cross a cache line.
#[derive(Debug, Default)]
pub struct AlignedWords<T> {
    all: Vec<T>,
    first: usize,
}

/// The number of bytes of a cache line.
const LINE: usize = 64;
/// The number of words in addition to the requested words, to align the first word.
const PADDING: usize = LINE / 4;

impl<T: Copy + Default> AlignedWords<T> {
    /// An empty list.
    pub const EMPTY: Self = Self { all: Vec::new(), first: 0 };

    /// A list of `count` zeros.
    pub fn zeros(count: usize) -> Self {
        Self::from_words(vec![T::default(); count + PADDING])
    }

    /// A copy of a list.
    pub fn copy(words: &[T]) -> Self {
        let mut copy = Self::zeros(words.len());
        copy.copy_from_slice(words);
        copy
    }

    /// Makes an aligned list of `all.len()` - [`PADDING`] of the words.
    fn from_words(mut all: Vec<T>) -> Self {
        let count = all.len() - PADDING;
        let first = all.as_ptr().align_offset(LINE);
        all.truncate(first + count);
        Self { all, first }
    }
}

impl AlignedWords<u32> {
    /// A list of `count` zeros, or an error instead of an abort if memory is lacking.
    ///
    /// # Errors
    /// A message if the system does not provide the memory.
    pub fn try_zeros(count: usize) -> Result<Self, String> {
        Ok(Self::from_words(zeros(count + PADDING)?))
    }
}

impl<T: Copy + Default> Clone for AlignedWords<T> {
    fn clone(&self) -> Self {
        if self.all.is_empty() { Self::EMPTY } else { Self::copy(self) }
    }
}

impl<T> Deref for AlignedWords<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.all[self.first..]
    }
}

impl<T> DerefMut for AlignedWords<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.first..]
    }
}

/// Checks that the system can provide memory for this number of words.
///
/// # Errors
/// A message if the system cannot provide the memory.
pub fn check_capacity(words: usize) -> Result<(), String> {
    expecting_lack(|| Vec::<u32>::new().try_reserve_exact(words)).map_err(|_| missing(4 * words as u64))
}

thread_local! {
    static IS_LACK_EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `ask`, which requests memory that the system may not provide, while [`is_lack_expected`] is true.
fn expecting_lack<T>(ask: impl FnOnce() -> T) -> T {
    IS_LACK_EXPECTED.set(true);
    let asked = ask();
    IS_LACK_EXPECTED.set(false);
    asked
}

/// Whether this thread is requesting memory and reports a failure by itself. An allocator that reports failures reports
/// a failure only if this is false.
pub fn is_lack_expected() -> bool {
    IS_LACK_EXPECTED.get()
}

/// The message if the system does not provide this number of bytes.
pub fn missing(bytes: u64) -> String {
    format!("the system does not give {} MiB of memory", grouped((bytes >> 20).max(1)))
}

/// The number of bytes that a lattice needs. In a deep world, bytes for z components are added to `bytes_a_cell`.
pub fn needed(extents: Extents, bytes_a_cell: u64) -> u64 {
    let along_z = if extents.depth.is_some() { ALONG_Z } else { 0 };
    (extents.cells() as u64).saturating_mul(bytes_a_cell + along_z)
}

/// The number of bytes that a new run in a window needs in addition to the present run `before`. The present run stays
/// until the new run has started, so that it can continue if the start fails. Its snapshots and pictures are reused.
fn needed_in_window(extents: Extents, before: Option<Extents>) -> u64 {
    let all = needed(extents, WINDOW);
    match before {
        Some(before) => all.saturating_sub(needed(before, WINDOW)).max(needed(extents, RUN)),
        None => all,
    }
}

fn lattice(extents: Extents) -> String {
    format!("a lattice of {extents} needs")
}

fn admit(what: &str, needed: u64, free: Option<u64>) -> Result<(), String> {
    let Some(free) = free.filter(|free| needed >= LITTLE && needed > *free) else { return Ok(()) };
    let mebibytes = |bytes: u64| grouped(bytes >> 20);
    Err(format!("{what} some {} MiB of memory, and {}{LACK}", mebibytes(needed), mebibytes(free)))
}

#[cfg(test)]
mod tests {
    use crate::world::memory::*;

    #[test]
    fn a_lattice_fits_if_its_bytes_are_free() {
        let extents = Extents::flat(16_384, 16_384);
        let needed = (1 << 28) * RUN;
        assert_eq!(admit(&lattice(extents), needed, Some(needed)), Ok(()));
        let wrong = admit(&lattice(extents), needed, Some(2 << 30)).unwrap_err();
        let [needed, free] = [13_312, 2048].map(grouped);
        assert_eq!(
            wrong,
            format!("a lattice of 16384x16384 needs some {needed} MiB of memory, and {free} MiB are free")
        );
    }

    #[test]
    fn memory_that_is_not_given_is_a_message() {
        assert_eq!(zeros(3), Ok(vec![0; 3]));
        assert_eq!(zeros(1 << 58).unwrap_err(), missing(1 << 60));
        assert_eq!(missing(5), "the system does not give 1 MiB of memory");
    }

    #[test]
    fn a_replaced_lattice_is_credited() {
        let [small, large] = [256, 16_384].map(|extent| Extents::flat(extent, extent));
        assert_eq!(needed_in_window(large, None), (1 << 28) * WINDOW);
        assert_eq!(needed_in_window(large, Some(large)), (1 << 28) * RUN);
        assert_eq!(needed_in_window(small, Some(large)), (1 << 16) * RUN);
        assert_eq!(needed_in_window(large, Some(small)), ((1 << 28) - (1 << 16)) * WINDOW);
    }
}
