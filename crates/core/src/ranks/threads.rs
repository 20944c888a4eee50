//! Ranks that are threads of one process, joined by channels.

use super::{Ranks, ended};
use crate::error::Failure;
use crate::parallel::lock;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// One of several threads that simulate a world together. Messages between two ranks arrive in the order of sending.
#[derive(Debug)]
pub struct ThreadRanks {
    rank: usize,
    /// The senders to each rank.
    senders: Vec<Mutex<Sender<Vec<u8>>>>,
    /// The receivers from each rank.
    receivers: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl ThreadRanks {
    /// All ranks of a run of `size` threads, in order. Move each to its own thread.
    pub fn all(size: usize) -> Vec<Self> {
        let mut ranks: Vec<Self> =
            (0..size).map(|rank| Self { rank, senders: Vec::new(), receivers: Vec::new() }).collect();
        for from in 0..size {
            for to in 0..size {
                let (sender, receiver) = channel();
                ranks[from].senders.push(sender.into());
                ranks[to].receivers.push(receiver.into());
            }
        }
        ranks
    }

    fn send(&self, to: usize, bytes: &[u8]) -> Result<(), Failure> {
        lock(&self.senders[to]).send(bytes.to_vec()).map_err(|_| ended(to))
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, Failure> {
        lock(&self.receivers[from]).recv().map_err(|_| ended(from))
    }

    fn receive_words(&self, from: usize, words: &mut [u32]) -> Result<(), Failure> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(words);
        bytes.copy_from_slice(&self.receive(from)?);
        Ok(())
    }
}

impl Ranks for ThreadRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.senders.len()
    }

    fn exchange(&self, is_ring: bool, [first, last]: [&[u32]; 2], received: [&mut [u32]; 2]) -> Result<(), Failure> {
        let [before, after] = self.neighbours(is_ring);
        let [words_before, words_after] = received;
        before.map_or(Ok(()), |before| self.send(before, bytemuck::cast_slice(first)))?;
        after.map_or(Ok(()), |after| self.send(after, bytemuck::cast_slice(last)))?;
        // With two ranks in a ring, the other rank is both neighbours, and its two messages come over one channel. Each
        // rank sends first to the rank before it, so the first message to arrive comes from the rank after.
        after.map_or(Ok(()), |after| self.receive_words(after, words_after))?;
        before.map_or(Ok(()), |before| self.receive_words(before, words_before))
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), Failure> {
        let all = self.gather(bytemuck::cast_slice(numbers))?;
        numbers.fill(0);
        for own in &all {
            let own: Vec<u64> = bytemuck::allocation::pod_collect_to_vec(own);
            numbers.iter_mut().zip(own).for_each(|(sum, number)| *sum = sum.wrapping_add(number));
        }
        Ok(())
    }

    fn gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        (0..self.size()).try_for_each(|rank| self.send(rank, own))?;
        (0..self.size()).map(|rank| self.receive(rank)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_each<T: Send>(size: usize, work: impl Fn(ThreadRanks) -> T + Sync) -> Vec<T> {
        std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> =
                ThreadRanks::all(size).into_iter().map(|ranks| scope.spawn(move || work(ranks))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn neighbours_exchange_their_ends_and_all_add_up() {
        for size in 1..=4 {
            for is_ring in [true, false] {
                let results = on_each(size, |ranks| {
                    let own = ranks.rank() as u32;
                    let (mut before, mut after) = ([77], [77]);
                    ranks.exchange(is_ring, [&[10 * own], &[10 * own + 1]], [&mut before, &mut after]).unwrap();
                    let mut sums = [u64::from(own), u64::MAX];
                    ranks.sum(&mut sums).unwrap();
                    (before[0], after[0], sums, ranks.gather(&vec![9; own as usize]).unwrap())
                });
                for (rank, (before, after, sums, gathered)) in results.into_iter().enumerate() {
                    let (last, count) = (size - 1, size as u64);
                    let is_outer = [!is_ring && rank == 0, !is_ring && rank == last];
                    assert_eq!(before as usize, if is_outer[0] { 77 } else { 10 * ((rank + last) % size) + 1 });
                    assert_eq!(after as usize, if is_outer[1] { 77 } else { 10 * ((rank + 1) % size) });
                    assert_eq!(sums, [count * (count - 1) / 2, count.wrapping_neg()]);
                    assert_eq!(gathered, (0..size).map(|rank| vec![9; rank]).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn nobody_waits_for_a_rank_that_has_ended() {
        let results = on_each(3, |ranks| (ranks.rank() > 0).then(|| ranks.sum(&mut [1])));
        assert!(results.into_iter().flatten().all(|result| result.is_err()));
    }
}
