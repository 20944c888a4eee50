//! The chunks of a surface that are kept, within a bound of memory.

use glam::DVec3;
use murmuration_core::terrain::mesh::CHUNK;
use std::collections::BTreeMap;

/// The first voxel of a chunk, from the origin of all worlds.
pub type ChunkPlace = [i64; 3];

/// The middle of a chunk, from the origin of all worlds.
pub fn middle(place: ChunkPlace) -> DVec3 {
    DVec3::from(place.map(|along| along as f64)) + 0.5 * f64::from(CHUNK)
}

/// Chunks by their places.
#[derive(Debug)]
pub struct Chunks<T> {
    kept: BTreeMap<ChunkPlace, Kept<T>>,
    bytes: u64,
    /// The most bytes.
    budget: u64,
}

#[derive(Debug)]
struct Kept<T> {
    chunk: T,
    bytes: u64,
    /// The number of the terrain that it was made of.
    terrain: u64,
}

impl<T> Chunks<T> {
    pub fn new(budget: u64) -> Self {
        Self { kept: BTreeMap::new(), bytes: 0, budget }
    }

    /// Takes a chunk in the place of the one that was there. Beyond the budget chunks of other terrains go, and then those that are
    /// farthest from the eye; returns whether this one stays.
    pub fn insert(&mut self, place: ChunkPlace, terrain: u64, bytes: u64, chunk: T, eye: DVec3) -> bool {
        self.remove(place);
        self.bytes += bytes;
        self.kept.insert(place, Kept { chunk, bytes, terrain });
        while self.bytes > self.budget {
            let least_wanted = self.kept.iter().max_by(|(one, of), (other, with)| {
                let away = |place: &ChunkPlace| middle(*place).distance_squared(eye);
                (of.terrain != terrain).cmp(&(with.terrain != terrain)).then(away(one).total_cmp(&away(other)))
            });
            let Some(place) = least_wanted.map(|(place, _)| *place) else { break };
            self.remove(place);
        }
        self.kept.contains_key(&place)
    }

    /// Removes the chunks that were not made of this terrain.
    pub fn keep_only(&mut self, terrain: u64) {
        let others = self.kept.iter().filter(|(_, kept)| kept.terrain != terrain);
        let others: Vec<_> = others.map(|(place, _)| *place).collect();
        others.into_iter().for_each(|place| self.remove(place));
    }

    pub fn remove(&mut self, place: ChunkPlace) {
        if let Some(kept) = self.kept.remove(&place) {
            self.bytes -= kept.bytes;
        }
    }

    /// The places of the chunks of this terrain.
    pub fn of(&self, terrain: u64) -> impl Iterator<Item = ChunkPlace> {
        self.kept.iter().filter(move |(_, kept)| kept.terrain == terrain).map(|(place, _)| *place)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ChunkPlace, &T)> {
        self.kept.iter().map(|(place, kept)| (*place, &kept.chunk))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_budget_the_farthest_chunks_go() {
        let mut chunks = Chunks::new(100);
        let at = |x: i64| [32 * x, 0, 0];
        let eye = middle(at(0));
        for x in 0..4 {
            assert!(chunks.insert(at(x), 1, 30, x, eye) == (x < 3), "{x}");
        }
        assert_eq!(chunks.iter().map(|(_, x)| *x).collect::<Vec<_>>(), [0, 1, 2]);
        // The eye is elsewhere now.
        assert!(chunks.insert(at(9), 1, 30, 9, middle(at(8))));
        assert_eq!(chunks.iter().map(|(_, x)| *x).collect::<Vec<_>>(), [1, 2, 9]);
        // In the place of another one, larger than all others together.
        assert!(chunks.insert(at(9), 2, 90, 10, middle(at(8))));
        assert_eq!(chunks.iter().map(|(_, x)| *x).collect::<Vec<_>>(), [10]);
        assert_eq!((chunks.of(2).count(), chunks.of(1).count()), (1, 0));
        // What is of another terrain goes first, however near.
        assert!(chunks.insert(at(30), 3, 40, 30, middle(at(9))));
        assert_eq!(chunks.iter().map(|(_, x)| *x).collect::<Vec<_>>(), [30]);
        assert!(chunks.insert(at(9), 2, 10, 9, middle(at(9))));
        chunks.keep_only(4);
        assert_eq!((chunks.iter().count(), chunks.bytes), (0, 0));
    }

    #[test]
    fn a_chunk_larger_than_the_budget_does_not_stay() {
        let mut chunks = Chunks::new(10);
        assert!(!chunks.insert([1 << 40; 3], 1, 11, (), DVec3::ZERO));
        assert_eq!((chunks.iter().count(), chunks.bytes), (0, 0));
    }
}
