//! The chunks of a terrain that are kept, up to a maximum memory. A chunk is a cube of voxels with the rock's surface
//! in it.

use glam::{DVec3, Vec3};
use murmuration_core::terrain::mesh::CHUNK;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The cosine of an angle from the direction of view. Chunks within the angle count as in view.
const IN_VIEW: f64 = 0.5;
/// The cosine of the maximum turn of the eye after which the chunks in view count as unchanged.
const SAME_VIEW: f32 = 0.97;

/// The first voxel of a chunk, counted in cells from place 0 of an endless world.
pub type ChunkPlace = [i64; 3];

/// The middle of a chunk, in cells from place 0 of an endless world.
pub fn middle(place: ChunkPlace) -> DVec3 {
    DVec3::from(place.map(|along| along as f64)) + 0.5 * f64::from(CHUNK)
}

/// The place of the eye, in cells from place 0 of an endless world, and the direction of its view (length 1).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Viewpoint {
    pub eye: DVec3,
    pub ahead: Vec3,
}

impl Viewpoint {
    /// Compares the priorities of two chunks, lowest first. A chunk in view has a higher priority than a chunk out of
    /// view. If both are in view or both out of view, the nearer chunk has the higher priority.
    pub fn compare(&self, one: ChunkPlace, other: ChunkPlace) -> Ordering {
        let ((one_hidden, one), (other_hidden, other)) = (self.rank(one), self.rank(other));
        other_hidden.cmp(&one_hidden).then(other.total_cmp(&one))
    }

    /// Whether a chunk is out of view, and the distance of its middle from the eye in cells.
    pub fn rank(&self, place: ChunkPlace) -> (bool, f64) {
        let to = middle(place) - self.eye;
        let distance = to.length();
        let ahead = to.dot(self.ahead.as_dvec3());
        let is_hidden = distance > f64::from(CHUNK) && ahead < IN_VIEW * distance;
        (is_hidden, distance)
    }

    /// Whether another viewpoint is so near that about the same chunks are in view.
    pub fn is_near(&self, other: &Self) -> bool {
        self.eye.distance(other.eye) <= f64::from(CHUNK) && self.ahead.dot(other.ahead) >= SAME_VIEW
    }
}

/// Chunks by their places, within a budget of memory.
#[derive(Debug)]
pub struct Chunks<T> {
    kept: BTreeMap<ChunkPlace, StoredChunk<T>>,
    /// The sum of the bytes of all kept chunks.
    bytes: u64,
    /// The maximum of `bytes`.
    budget: u64,
}

#[derive(Debug)]
struct StoredChunk<T> {
    chunk: T,
    bytes: u64,
    /// The number of the terrain from which the chunk was made.
    terrain: u64,
}

impl<T> Chunks<T> {
    pub fn new(budget: u64) -> Self {
        Self { kept: BTreeMap::new(), bytes: 0, budget }
    }

    /// Replaces the chunk at a place. While the budget is exceeded, chunks of other terrains are removed, and then the
    /// chunks with the lowest priority. Returns the chunks of this terrain that were removed. The new chunk may be
    /// among them.
    pub fn insert(
        &mut self,
        place: ChunkPlace,
        terrain: u64,
        bytes: u64,
        chunk: T,
        viewpoint: &Viewpoint,
    ) -> Vec<ChunkPlace> {
        self.remove(place);
        self.bytes += bytes;
        self.kept.insert(place, StoredChunk { chunk, bytes, terrain });
        let mut gone = Vec::new();
        while self.bytes > self.budget {
            let with_bytes = self.kept.iter().filter(|(_, kept)| kept.bytes > 0);
            let least_wanted = with_bytes.min_by(|(one, of), (other, with)| {
                let is_of_this = |kept: &StoredChunk<T>| kept.terrain == terrain;
                is_of_this(of).cmp(&is_of_this(with)).then_with(|| viewpoint.compare(**one, **other))
            });
            let Some((place, is_of_this)) = least_wanted.map(|(place, kept)| (*place, kept.terrain == terrain)) else {
                break;
            };
            self.remove(place);
            gone.extend(is_of_this.then_some(place));
        }
        gone
    }

    /// Marks kept chunks as made from another terrain, in which their surface is equal.
    pub fn take_over(&mut self, places: &[ChunkPlace], terrain: u64) {
        for place in places {
            self.kept.entry(*place).and_modify(|kept| kept.terrain = terrain);
        }
    }

    /// Removes the chunks that were not made from this terrain.
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

    /// A viewpoint from the middle of a chunk on the x axis.
    fn from(x: i64, ahead: Vec3) -> Viewpoint {
        Viewpoint { eye: middle([32 * x, 0, 0]), ahead }
    }

    fn all(chunks: &Chunks<i64>) -> Vec<i64> {
        chunks.iter().map(|(_, x)| *x).collect()
    }

    #[test]
    fn beyond_the_budget_the_least_wanted_chunks_go() {
        let mut chunks = Chunks::new(100);
        let at = |x: i64| [32 * x, 0, 0];
        for x in 0..4 {
            let gone = chunks.insert(at(x), 1, 30, x, &from(0, Vec3::X));
            assert_eq!(gone, if x < 3 { vec![] } else { vec![at(3)] });
        }
        assert_eq!(all(&chunks), [0, 1, 2]);
        // The eye has moved.
        assert_eq!(chunks.insert(at(9), 1, 30, 9, &from(8, Vec3::X)), [at(0)]);
        assert_eq!(all(&chunks), [1, 2, 9]);
        // The eye turns. Chunks behind it go before chunks in view, at any distance.
        assert_eq!(chunks.insert(at(6), 1, 30, 6, &from(7, Vec3::NEG_X)), [at(9)]);
        assert_eq!(all(&chunks), [1, 2, 6]);
        // A chunk without bytes needs no room.
        assert!(chunks.insert(at(5), 1, 0, 5, &from(7, Vec3::X)).is_empty());
        // The new chunk replaces another chunk, and is larger than all others together.
        assert!(chunks.insert(at(6), 2, 90, 10, &from(8, Vec3::X)).is_empty());
        assert_eq!(all(&chunks), [5, 10]);
        assert_eq!((chunks.of(2).count(), chunks.of(1).count()), (1, 1));
        // Chunks of another terrain go first, even near ones.
        assert!(chunks.insert(at(30), 3, 40, 30, &from(6, Vec3::X)).is_empty());
        assert_eq!(all(&chunks), [5, 30]);
        assert!(chunks.insert(at(9), 2, 10, 9, &from(9, Vec3::X)).is_empty());
        chunks.take_over(&[at(9), at(77)], 3);
        assert_eq!(chunks.of(3).collect::<Vec<_>>(), [at(9), at(30)]);
        chunks.keep_only(4);
        assert_eq!((chunks.iter().count(), chunks.bytes), (0, 0));
    }

    #[test]
    fn a_chunk_larger_than_the_budget_does_not_stay() {
        let mut chunks = Chunks::new(10);
        assert_eq!(chunks.insert([1 << 40; 3], 1, 11, 0, &Viewpoint::default()), [[1 << 40; 3]]);
        assert_eq!((chunks.iter().count(), chunks.bytes), (0, 0));
    }
}
