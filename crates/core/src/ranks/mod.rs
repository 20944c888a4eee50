//! Ranks: the processes that play one world together, each with a slab of it.
//!
//! Every rank makes the same calls in the same order. What a rank computes alone are whole numbers, and sums over all ranks are sums of
//! whole numbers. So a swarm has the same bits on any number of ranks.

mod agreement;
pub mod hash;
mod threads;

pub use agreement::{SharedInput, check_shared_inputs};
pub use threads::ThreadRanks;

use crate::error::Failure;
use bytemuck::Pod;
use std::fmt::Debug;

/// Steps between two comparisons of the loads of the ranks.
pub const BALANCE_INTERVAL: u64 = 64;

/// What a rank needs of the others.
///
/// A call fails if another rank has ended. No call may be left out by some of the ranks.
pub trait Ranks: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends words to the rank before this one and to the rank after it, and receives as many from each.
    ///
    /// Where there is no such rank ([`Self::neighbours`]), nothing is sent and nothing is received.
    ///
    /// # Errors
    /// If another rank has ended.
    fn exchange(&self, is_ring: bool, sent: [&[u32]; 2], received: [&mut [u32]; 2]) -> Result<(), Failure>;

    /// The rank before this one and the rank after it. The rank before the first is the last one if `is_ring`, else there is none.
    fn neighbours(&self, is_ring: bool) -> [Option<usize>; 2] {
        let (rank, size) = (self.rank(), self.size());
        let before = (is_ring || rank > 0).then_some((rank + size - 1) % size);
        let after = (is_ring || rank + 1 < size).then_some((rank + 1) % size);
        [before, after]
    }

    /// Replaces each number by its sum over all ranks, modulo 2^64.
    ///
    /// # Errors
    /// If another rank has ended.
    fn sum(&self, numbers: &mut [u64]) -> Result<(), Failure>;

    /// The bytes of every rank, in the order of the ranks.
    ///
    /// # Errors
    /// If another rank has ended, or there is too little memory.
    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure>;

    /// The same for the first rank alone; `None` on the others.
    ///
    /// # Errors
    /// As [`Self::gather`].
    fn gather_to_first(&self, own: &[u8]) -> Result<Option<Vec<Vec<u8>>>, Failure> {
        let all = self.gather(own)?;
        Ok(self.is_first().then_some(all))
    }

    /// Whether something is true on any rank.
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

    /// The library that joins the ranks, with its version, for people; empty if no library does.
    fn library(&self) -> String {
        String::new()
    }

    /// Whether this rank speaks to people and writes files.
    fn is_first(&self) -> bool {
        self.rank() == 0
    }
}

/// The only rank.
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

/// The numbers of all ranks in their order, on the first one; none on the others.
///
/// # Errors
/// If another rank has ended.
pub fn concat_on_first<T: Pod>(ranks: &dyn Ranks, own: &[T]) -> Result<Vec<T>, Failure> {
    Ok(concat(&ranks.gather_to_first(bytemuck::cast_slice(own))?.unwrap_or_default()))
}

/// The numbers of several ranks as one list.
pub fn concat<T: Pod>(parts: &[Vec<u8>]) -> Vec<T> {
    parts.iter().flat_map(|part| bytemuck::allocation::pod_collect_to_vec::<u8, T>(part)).collect()
}

/// Another rank has ended.
pub fn ended(rank: usize) -> Failure {
    Failure::Rank(format!("rank {rank} has ended; the run goes on from its last checkpoint"))
}
