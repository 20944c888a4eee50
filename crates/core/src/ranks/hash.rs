//! The BLAKE3 hash of bytes that are distributed over several ranks.
//!
//! BLAKE3 is a binary tree whose leaves are chunks of 1024 bytes. A rank hashes the complete subtrees within its own
//! bytes. It sends their hashes, and the incomplete chunks at the ends of its bytes, to all ranks. Every rank joins all
//! of them to the root.

use super::Ranks;
use crate::error::Failure;
use crate::parallel::*;
use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use blake3::{CHUNK_LEN, Hasher};
use std::collections::BTreeMap;
use std::ops::Range;

const CHUNK: u64 = CHUNK_LEN as u64;
/// The number of bytes that a subtree hashes at once.
const PIECE: u64 = 1 << 16;
/// The number of items that [`Segment::update`] hashes at once.
const ITEMS: usize = 1 << 14;
/// The max number of chunks in a subtree that one thread hashes.
const MAX_CHUNKS: u64 = 1 << 12;

/// Appends the bytes of a range of items to a list of bytes.
pub type Append<'a> = Box<dyn Fn(Range<usize>, &mut Vec<u8>) + Sync + 'a>;

/// Consecutive bytes of the hashed data that are on one rank. They consist of items of equal size.
pub struct Segment<'a> {
    /// The offset of the segment's first byte in the hashed data.
    pub first: u64,
    /// The number of items in the segment.
    pub items: usize,
    /// The number of bytes in an item.
    pub item_bytes: u64,
    /// Appends the bytes of a range of the segment's items to a list.
    pub append: Append<'a>,
}

impl<'a> Segment<'a> {
    /// A segment of bytes in memory. `first`: the offset of its first byte in the hashed data.
    pub fn from_bytes(first: u64, bytes: Vec<u8>) -> Self {
        let items = bytes.len();
        let append = Box::new(move |items: Range<usize>, to: &mut Vec<u8>| to.extend_from_slice(&bytes[items]));
        Self { first, items, item_bytes: 1, append }
    }

    fn range(&self) -> Range<u64> {
        self.first..self.first + self.items as u64 * self.item_bytes
    }

    /// The bytes of the segment in a range of offsets in the hashed data. The range must be within the segment.
    fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        let own = range.start - self.first..range.end - self.first;
        let items = own.start / self.item_bytes..own.end.div_ceil(self.item_bytes);
        let mut bytes = Vec::new();
        (self.append)(items.start as usize..items.end as usize, &mut bytes);
        let skipped = (own.start - items.start * self.item_bytes) as usize;
        bytes.drain(..skipped);
        bytes.truncate((own.end - own.start) as usize);
        bytes
    }

    /// Adds all bytes of the segment to a hash.
    pub fn update(&self, hasher: &mut Hasher) {
        let mut bytes = Vec::new();
        for first in (0..self.items).step_by(ITEMS) {
            bytes.clear();
            (self.append)(first..self.items.min(first + ITEMS), &mut bytes);
            hasher.update(&bytes);
        }
    }

    /// The hash of a subtree (its chaining value). `chunks`: the numbers of its chunks, which must be within the
    /// segment.
    fn subtree(&self, chunks: Range<u64>) -> ChainingValue {
        let mut hasher = Hasher::new();
        hasher.set_input_offset(chunks.start * CHUNK);
        let end = chunks.end * CHUNK;
        for first in (chunks.start * CHUNK..end).step_by(PIECE as usize) {
            hasher.update(&self.bytes(first..end.min(first + PIECE)));
        }
        hasher.finalize_non_root()
    }
}

/// The hash of data that is distributed over all ranks. `total`: the number of bytes of the data. `segments`: the bytes
/// on this rank. Every byte must be in one segment of one rank.
///
/// # Errors
/// If another rank has ended, or a byte is in no segment.
pub fn hash(ranks: &dyn Ranks, total: u64, segments: &[Segment<'_>]) -> Result<blake3::Hash, Failure> {
    let chunks = total.div_ceil(CHUNK);
    let mut subtrees = Vec::new();
    let mut message = Message::default();
    for segment in segments {
        let Range { start, end } = segment.range();
        let first = start.div_ceil(CHUNK).min(end / CHUNK);
        // A single chunk is the root of the tree, so it is not hashed as a subtree.
        let last = if chunks == 1 { first } else { end / CHUNK };
        if first == last {
            message.add_part(start, segment.bytes(start..end));
            continue;
        }
        message.add_part(start, segment.bytes(start..first * CHUNK));
        message.add_part(last * CHUNK, segment.bytes(last * CHUNK..end));
        let mut chunk = first;
        while chunk < last {
            let longest = 1 << chunk.trailing_zeros().min(MAX_CHUNKS.ilog2());
            let count = (1 << (last - chunk).ilog2()).min(longest).min(chunks.next_power_of_two() / 2);
            subtrees.push((segment, chunk..chunk + count));
            chunk += count;
        }
    }
    let values: Vec<_> = subtrees.par_iter().map(|(segment, chunks)| segment.subtree(chunks.clone())).collect();
    for ((_, chunks), value) in subtrees.iter().zip(values) {
        message.add_subtree(chunks.start, chunks.end - chunks.start, &value);
    }
    let mut tree = Tree { total, chunks, nodes: BTreeMap::new() };
    tree.take(&ranks.gather(&message.bytes)?)
}

/// The bytes that a rank sends to all ranks. Each entry is a part of a chunk with its offset, or the hash of a subtree
/// with its first chunk and number of chunks.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
}

/// The size of the two numbers before each entry of a message, in bytes.
const HEAD: usize = 16;

impl Message {
    /// This bit of the length marks a part of a chunk. Without it, the entry is a subtree.
    const PART: u64 = 1 << 63;

    fn add_part(&mut self, first: u64, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.add(first, bytes.len() as u64 | Self::PART, &bytes);
        }
    }

    fn add_subtree(&mut self, first: u64, chunks: u64, value: &ChainingValue) {
        self.add(first, chunks, value);
    }

    fn add(&mut self, first: u64, length: u64, bytes: &[u8]) {
        self.bytes.extend(first.to_le_bytes());
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend_from_slice(bytes);
    }
}

/// The hashes of subtrees that are known. The key in `nodes` is the number of a subtree's first chunk. The value is the
/// number of the subtree's chunks, and its hash.
struct Tree {
    total: u64,
    chunks: u64,
    nodes: BTreeMap<u64, (u64, ChainingValue)>,
}

impl Tree {
    /// Joins the messages of all ranks to the hash of the data.
    fn take(&mut self, messages: &[Vec<u8>]) -> Result<blake3::Hash, Failure> {
        let mut parts: BTreeMap<u64, &[u8]> = BTreeMap::new();
        for message in messages {
            let mut rest = &message[..];
            while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
                let [first, length]: [u64; 2] = bytemuck::pod_read_unaligned(head);
                let is_part = length & Message::PART != 0;
                let bytes = if is_part { (length & !Message::PART) as usize } else { size_of::<ChainingValue>() };
                let (own, after) = after.split_at_checked(bytes).ok_or_else(cut)?;
                rest = after;
                match (is_part, own.try_into()) {
                    (false, Ok(value)) => drop(self.nodes.insert(first, (length, value))),
                    _ => drop(parts.insert(first, own)),
                }
            }
        }
        let mut whole: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        for (first, mut bytes) in parts {
            let mut place = first;
            while !bytes.is_empty() {
                let room = (CHUNK - place % CHUNK) as usize;
                let (own, after) = bytes.split_at(room.min(bytes.len()));
                whole.entry(place / CHUNK).or_default().extend_from_slice(own);
                (place, bytes) = (place + own.len() as u64, after);
            }
        }
        if self.chunks <= 1 {
            let bytes = whole.remove(&0).unwrap_or_default();
            return if bytes.len() as u64 == self.total { Ok(blake3::hash(&bytes)) } else { Err(cut()) };
        }
        for (chunk, bytes) in whole {
            if bytes.len() as u64 != CHUNK.min(self.total - chunk * CHUNK) {
                return Err(cut());
            }
            let mut hasher = Hasher::new();
            hasher.set_input_offset(chunk * CHUNK);
            self.nodes.insert(chunk, (1, hasher.update(&bytes).finalize_non_root()));
        }
        let left = self.chunks.next_power_of_two() / 2;
        let (left, right) = (self.value(0, left)?, self.value(left, self.chunks - left)?);
        Ok(merge_subtrees_root(&left, &right, Mode::Hash))
    }

    fn value(&self, first: u64, count: u64) -> Result<ChainingValue, Failure> {
        match self.nodes.get(&first) {
            Some((own, value)) if *own == count => return Ok(*value),
            _ if count == 1 => return Err(cut()),
            _ => {}
        }
        let left = count.next_power_of_two() / 2;
        let before = self.value(first, left)?;
        let after = self.value(first + left, count - left)?;
        Ok(merge_subtrees_non_root(&before, &after, Mode::Hash))
    }
}

fn cut() -> Failure {
    Failure::Broken("some bytes of the state are on no rank".into())
}

#[cfg(test)]
mod tests {
    use super::super::{SingleRank, ThreadRanks};
    use super::*;

    /// Tests data of any length, distributed over ranks in any way, in items of one or several bytes.
    #[test]
    fn the_hash_of_parts_is_the_hash_of_the_whole() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for case in 0..200 {
            let length = match case {
                0..4 => case * 1024,
                4..8 => (case - 3) * 1024 + 1,
                _ => random(40_000),
            } / 6
                * 6;
            let bytes: Vec<u8> = (0..length).map(|index| (index * index % 251) as u8).collect();
            let size = 1 + random(5) as usize;
            let mut cuts: Vec<u64> = (0..size * 2 - 1).map(|_| random(length / 6 + 1) * 6).collect();
            cuts.extend([0, length]);
            cuts.sort_unstable();
            let expected = blake3::hash(&bytes);
            let (bytes, cuts) = (&bytes, &cuts);
            std::thread::scope(|scope| {
                for ranks in ThreadRanks::all(size) {
                    scope.spawn(move || {
                        // Each rank has a segment in the first half of the data, and a segment in the second half.
                        let segments: Vec<_> = [ranks.rank(), size + ranks.rank()]
                            .map(|index| {
                                let first = cuts[index];
                                let end = cuts[index + 1];
                                let append = move |items: Range<usize>, to: &mut Vec<u8>| {
                                    let at = |item: usize| first as usize + 6 * item;
                                    to.extend_from_slice(&bytes[at(items.start)..at(items.end)]);
                                };
                                Segment {
                                    first,
                                    items: ((end - first) / 6) as usize,
                                    item_bytes: 6,
                                    append: Box::new(append),
                                }
                            })
                            .into();
                        assert_eq!(hash(&ranks, length, &segments).unwrap(), expected, "{length} {cuts:?}");
                    });
                }
            });
        }
    }

    #[test]
    fn bytes_that_nobody_has_are_missed() {
        let segments = [Segment::from_bytes(0, vec![1; 3000])];
        assert!(hash(&SingleRank, 3000, &segments).is_ok() && hash(&SingleRank, 4000, &segments).is_err());
    }
}
