//! The ranks of a run as processes of MPI, and their exchanges, sums and gathers.

use mpi::collective::SystemOperation;
use mpi::datatype::PartitionMut;
use mpi::request::{WaitGuard, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use murmuration_core::error::Failure;
use murmuration_core::ranks::Ranks;
use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The maximum number of bytes in a collective call, over all ranks. MPI counts in 31 bits.
const MAX_BYTES: usize = 1 << 24;

/// Tags of messages to the rank before and to the rank after.
const TO_BEFORE: i32 = 1;
const TO_AFTER: i32 = 2;

/// The time between two checks of a rank that waits for the others to end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The ranks of an MPI communicator.
pub struct MpiRanks {
    rank: usize,
    size: usize,
    // One thread at a time calls MPI.
    world: Mutex<Handle>,
    /// The communicator of [`Self::wait_for_all`], whose barrier must not match a call of another rank on `world`.
    end: Mutex<Handle>,
}

/// A communicator of MPI.
struct Handle(SimpleCommunicator);

// SAFETY: MPI was started with MPI_THREAD_SERIALIZED: any thread may call it, one at a time. The handle lies in a
// mutex.
unsafe impl Send for Handle {}

impl MpiRanks {
    /// The ranks of a copy of a communicator.
    pub fn new(world: &SimpleCommunicator) -> Self {
        let copy = || Mutex::new(Handle(world.duplicate()));
        Self { rank: world.rank() as usize, size: world.size() as usize, world: copy(), end: copy() }
    }

    fn world(&self) -> MutexGuard<'_, Handle> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all ranks call this function, at most for the given time. Returns whether all have called it.
    pub fn wait_for_all(&self, patience: Option<Duration>) -> bool {
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        let mut barrier = end.0.immediate_barrier();
        loop {
            barrier = match barrier.test() {
                Ok(_) => return true,
                Err(waiting) => waiting,
            };
            if patience.is_some_and(|patience| begun.elapsed() > patience) {
                // A drop of the barrier would wait until all ranks call it. The process ends soon, so the barrier is
                // forgotten instead.
                std::mem::forget(barrier);
                return false;
            }
            sleep(BETWEEN_LOOKS);
        }
    }

    /// Ends all ranks.
    pub fn abort(&self, status: u8) -> ! {
        self.world().0.abort(status.into())
    }
}

impl fmt::Debug for MpiRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {} by MPI", self.rank, self.size)
    }
}

// MPI's error handler ends all ranks, so a call never returns after another rank has failed.
impl Ranks for MpiRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn library(&self) -> String {
        let text = mpi::environment::library_version().unwrap_or_default();
        // The rest of the text describes the build of the library.
        let end = text.find([',', '\n', '\0']).unwrap_or(text.len());
        text[..end].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn exchange(&self, is_ring: bool, [first, last]: [&[u32]; 2], received: [&mut [u32]; 2]) -> Result<(), Failure> {
        let world = self.world();
        let [before, after] =
            self.neighbours(is_ring).map(|rank| rank.map(|rank| world.0.process_at_rank(rank as i32)));
        let [words_before, words_after] = received;
        scope(|scope| {
            let mut open = Vec::with_capacity(4);
            if let Some(after) = &after {
                open.push(WaitGuard::from(after.immediate_receive_into_with_tag(scope, words_after, TO_BEFORE)));
            }
            if let Some(before) = &before {
                open.push(WaitGuard::from(before.immediate_receive_into_with_tag(scope, words_before, TO_AFTER)));
            }
            let mut sent = Vec::with_capacity(2);
            if let Some(before) = &before {
                sent.push(WaitGuard::from(before.immediate_send_with_tag(scope, first, TO_BEFORE)));
            }
            if let Some(after) = &after {
                sent.push(WaitGuard::from(after.immediate_send_with_tag(scope, last, TO_AFTER)));
            }
        });
        Ok(())
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), Failure> {
        let own = numbers.to_vec();
        // MPI sums unsigned integers modulo 2^64.
        self.world().0.all_reduce_into(&own[..], numbers, SystemOperation::sum());
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        Ok(self.gathered(own, true))
    }

    fn gather_to_first(&self, own: &[u8]) -> Result<Option<Vec<Vec<u8>>>, Failure> {
        let gathered = self.gathered(own, false);
        Ok(self.is_first().then_some(gathered))
    }
}

impl MpiRanks {
    /// Gathers the bytes of all ranks. Returns a list of bytes for each rank. `own`: the bytes of this rank.
    /// `is_for_all`: every rank gets the bytes; otherwise only the first rank gets them, and all lists of the other
    /// ranks are empty.
    fn gathered(&self, own: &[u8], is_for_all: bool) -> Vec<Vec<u8>> {
        let world = self.world();
        // The address of an empty list is 1, which OpenMPI takes for MPI_IN_PLACE.
        let own = if own.is_empty() { &NOTHING[..0] } else { own };
        let first = world.0.process_at_rank(0);
        let mut lengths = vec![0u64; self.size];
        world.0.all_gather_into(&(own.len() as u64), &mut lengths[..]);
        let mut gathered = vec![Vec::new(); self.size];
        let senders = lengths.iter().filter(|length| **length > 0).count();
        for piece in Pieces::new(&lengths, senders.max(1)) {
            let sent = &own[piece.range_of(own.len())];
            if !is_for_all && !self.is_first() {
                first.gather_varcount_into(sent);
                continue;
            }
            let mut all = vec![0u8; piece.total()];
            let mut parts = PartitionMut::new(&mut all[..], &piece.counts[..], &piece.places[..]);
            if is_for_all {
                world.0.all_gather_varcount_into(sent, &mut parts);
            } else {
                first.gather_varcount_into_root(sent, &mut parts);
            }
            piece.append_to(&mut gathered, &all);
        }
        gathered
    }
}

/// The buffer of a rank that sends nothing.
static NOTHING: [u8; 1] = [0];

/// Cuts the bytes of all ranks into pieces, each for one collective call. `lengths`: the number of bytes of each rank.
/// `first`: the first byte of the next piece on each rank. `most`: the maximum number of bytes of a piece on a rank.
struct Pieces<'a> {
    lengths: &'a [u64],
    first: usize,
    most: usize,
}

/// A piece: on each rank the bytes from `first` on, at most `most`. `counts`: the number of bytes of each rank in the
/// piece. `places`: the place of the bytes of each rank in the received bytes.
struct Piece {
    first: usize,
    most: usize,
    counts: Vec<i32>,
    places: Vec<i32>,
}

impl<'a> Pieces<'a> {
    fn new(lengths: &'a [u64], senders: usize) -> Self {
        Self { lengths, first: 0, most: (MAX_BYTES / senders).max(1) }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let longest = self.lengths.iter().max().map_or(0, |longest| *longest as usize);
        if self.first >= longest {
            return None;
        }
        let mut piece = Piece { first: self.first, most: self.most, counts: Vec::new(), places: Vec::new() };
        let mut place = 0;
        for length in self.lengths {
            let count = piece.range_of(*length as usize).len() as i32;
            piece.counts.push(count);
            piece.places.push(place);
            place += count;
        }
        self.first += self.most;
        Some(piece)
    }
}

impl Piece {
    /// The bytes of a rank that belong to the piece, as a range. `length`: the number of all bytes of the rank.
    fn range_of(&self, length: usize) -> Range<usize> {
        self.first.min(length)..(self.first + self.most).min(length)
    }

    fn total(&self) -> usize {
        self.counts.iter().map(|count| *count as usize).sum()
    }

    fn append_to(&self, lists: &mut [Vec<u8>], all: &[u8]) {
        for (list, (place, count)) in lists.iter_mut().zip(self.places.iter().zip(&self.counts)) {
            list.extend_from_slice(&all[*place as usize..][..*count as usize]);
        }
    }
}
