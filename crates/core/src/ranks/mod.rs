//! Ranks: processes that simulate one world together. Each rank has a part of the world (a slab).
//!
//! All ranks make the same calls in the same order. They compute with integers, and sums over ranks are sums of
//! integers. So a swarm has equal bits on any number of ranks.

mod agreement;
pub mod hash;
mod threads;

pub use agreement::{SharedInput, check_shared_inputs};
pub use threads::ThreadRanks;

use crate::error::Failure;
use bytemuck::Pod;
use std::fmt::Debug;

/// The number of steps between two comparisons of the ranks' loads. A comparison may move the borders of slabs.
pub const BALANCE_INTERVAL: u64 = 64;

/// The connection of a rank with all other ranks.
///
/// All ranks must make each call. A call fails if another rank has ended.
pub trait Ranks: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends words to the rank before this rank and to the rank after it. Receives an equal number of words from each.
    /// `is_ring`: the first and the last rank are neighbours. `sent`, `received`: words for and from the rank before,
    /// then the rank after.
    ///
    /// If a neighbour does not exist ([`Self::neighbours`]), its words are neither sent nor received.
    ///
    /// # Errors
    /// If another rank has ended.
    fn exchange(&self, is_ring: bool, sent: [&[u32]; 2], received: [&mut [u32]; 2]) -> Result<(), Failure>;

    /// The rank before this rank and the rank after it. `None`: there is no such rank. With `is_ring` the first and the
    /// last rank are neighbours.
    fn neighbours(&self, is_ring: bool) -> [Option<usize>; 2] {
        let (rank, size) = (self.rank(), self.size());
        let before = (is_ring || rank > 0).then_some((rank + size - 1) % size);
        let after = (is_ring || rank + 1 < size).then_some((rank + 1) % size);
        [before, after]
    }

    /// Replaces each number by the sum of this number over all ranks, modulo 2^64.
    ///
    /// # Errors
    /// If another rank has ended.
    fn sum(&self, numbers: &mut [u64]) -> Result<(), Failure>;

    /// Returns the bytes of every rank, in the order of the ranks. `own`: the bytes of this rank. Ranks may have
    /// different numbers of bytes.
    ///
    /// # Errors
    /// If another rank has ended, or there is too little memory.
    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure>;

    /// Returns the bytes of every rank on the first rank; `None` on the other ranks. `own`: the bytes of this rank.
    ///
    /// # Errors
    /// The errors of [`Self::gather`].
    fn gather_to_first(&self, own: &[u8]) -> Result<Option<Vec<Vec<u8>>>, Failure> {
        let all = self.gather(own)?;
        Ok(self.is_first().then_some(all))
    }

    /// Whether `own` is true on at least one rank.
    ///
    /// # Errors
    /// If another rank has ended.
    fn any(&self, own: bool) -> Result<bool, Failure> {
        if self.size() == 1 {
            return Ok(own);
        }
        let mut count = [u64::from(own)];
        self.sum(&mut count)?;
        Ok(count[0] > 0)
    }

    /// The name and version of the library that connects the ranks, such as an MPI library; empty without a library.
    fn library(&self) -> String {
        String::new()
    }

    /// Whether this is the first rank, which prints messages and writes files.
    fn is_first(&self) -> bool {
        self.rank() == 0
    }
}

/// The ranks of a run with a single process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SingleRank;

impl Ranks for SingleRank {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&self, is_ring: bool, [first, last]: [&[u32]; 2], received: [&mut [u32]; 2]) -> Result<(), Failure> {
        if is_ring {
            let [before, after] = received;
            before.copy_from_slice(last);
            after.copy_from_slice(first);
        }
        Ok(())
    }

    fn sum(&self, _: &mut [u64]) -> Result<(), Failure> {
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        Ok(vec![own.to_vec()])
    }
}

/// The numbers of all ranks as one list, in the order of the ranks. Only the first rank gets it, others get an empty
/// list. `own`: the numbers of this rank.
///
/// # Errors
/// If another rank has ended.
pub fn concat_on_first<T: Pod>(ranks: &dyn Ranks, own: &[T]) -> Result<Vec<T>, Failure> {
    Ok(concat(&ranks.gather_to_first(bytemuck::cast_slice(own))?.unwrap_or_default()))
}

/// Joins lists of numbers, given as bytes, to one list.
pub fn concat<T: Pod>(parts: &[Vec<u8>]) -> Vec<T> {
    parts.iter().flat_map(|part| bytemuck::allocation::pod_collect_to_vec::<u8, T>(part)).collect()
}

/// The failure of a call if the rank with this number has ended.
pub fn ended(rank: usize) -> Failure {
    Failure::Rank(format!("rank {rank} has ended; the run goes on from its last checkpoint"))
}
