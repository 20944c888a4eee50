//! The window of an endless world: the simulated part. The window follows the school in whole chunks.

use super::PLACE_BITS;
use crate::numbers::{Vector3, each_axis};
use crate::ticket::reading;

/// The number of cells of a chunk along each axis. The window moves by multiples of a chunk.
pub const WINDOW_CHUNK: i32 = 32;
/// The number of steps between two moves of the window.
pub const WINDOW_INTERVAL: u64 = 16;
/// The largest distance of the window's first cell from 0 along each axis, in cells.
pub const MAX_ORIGIN: i64 = 1 << 40;

/// The place of an endless world's window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The place of the first cell before the first step, in cells.
    pub first: [i64; 3],
    /// The present place of the first cell, in cells.
    pub origin: [i64; 3],
}

impl Window {
    /// The move, in chunks, that brings the middle of the window within a chunk of the mean place. The window does not
    /// move if this leaves an individual outside, unless the mean place is two chunks away. An individual trapped
    /// behind rock therefore does not hold back the others. The window does not move beyond [`MAX_ORIGIN`].
    pub fn chunks_towards(&self, school: &PlaceSums, extents: [u32; 3]) -> Vector3 {
        let Some(centre) = school.mean() else { return [0; 3] };
        let chunk = i64::from(WINDOW_CHUNK);
        each_axis(|axis| {
            let extent = i64::from(extents[axis]);
            let away = centre[axis] - (extent << PLACE_BITS) / 2;
            let wanted = away / (chunk << PLACE_BITS);
            let [least, greatest] = [school.least, school.greatest].map(|place| i64::from(place[axis] >> PLACE_BITS));
            let waiting = wanted.clamp(-((extent - 1 - greatest) / chunk), least / chunk);
            let late = wanted - wanted.signum();
            let chunks = if wanted < 0 { waiting.min(late) } else { waiting.max(late) };
            let [back, ahead] = [MAX_ORIGIN + self.origin[axis], MAX_ORIGIN - self.origin[axis]];
            chunks.clamp(-(back / chunk), ahead / chunk) as i32
        })
    }

    /// The place of the first cell after a move by this number of cells.
    pub fn moved(&self, cells: Vector3) -> [i64; 3] {
        each_axis(|axis| self.origin[axis] + i64::from(cells[axis]))
    }

    /// Whether the window may be at `origin`: whole chunks from its first place, and within [`MAX_ORIGIN`].
    pub fn reaches(&self, origin: [i64; 3]) -> bool {
        (0..3).all(|axis| {
            let cells = origin[axis].wrapping_sub(self.first[axis]);
            (-MAX_ORIGIN..=MAX_ORIGIN).contains(&origin[axis]) && cells % i64::from(WINDOW_CHUNK) == 0
        })
    }
}

/// Exact sums over the places of a swarm's individuals (Q16 of a cell).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceSums {
    /// The number of individuals.
    pub count: u64,
    /// The sum of the places along each axis.
    pub sum: [i64; 3],
    /// The lowest place along each axis. Without individuals it is above `greatest`.
    pub least: Vector3,
    /// The highest place along each axis.
    pub greatest: Vector3,
}

reading! {
    engine
    /// The sums over the places of the present swarm's individuals.
    PlaceSumsReading -> PlaceSums
}

impl PlaceSums {
    /// The sums over these places.
    pub fn from_places(places: impl Iterator<Item = Vector3>) -> Self {
        let mut sums = Self { count: 0, sum: [0; 3], least: [i32::MAX; 3], greatest: [i32::MIN; 3] };
        for place in places {
            sums.count += 1;
            for axis in 0..3 {
                sums.sum[axis] += i64::from(place[axis]);
                sums.least[axis] = sums.least[axis].min(place[axis]);
                sums.greatest[axis] = sums.greatest[axis].max(place[axis]);
            }
        }
        sums
    }

    /// The mean of the places, rounded down; `None` without individuals.
    pub fn mean(&self) -> Option<[i64; 3]> {
        (self.count > 0).then(|| self.sum.map(|sum| sum.div_euclid(self.count as i64)))
    }
}

#[cfg(test)]
mod tests {
    use crate::numbers::random::generator;
    use crate::world::endless::*;

    const EXTENTS: [u32; 3] = [200, 160, 64];

    fn window(origin: [i64; 3]) -> Window {
        Window { first: [0; 3], origin }
    }

    /// The window's move in chunks, and the places relative to the moved window.
    fn moved(window: Window, places: &[Vector3]) -> (Vector3, Vec<Vector3>) {
        let chunks = window.chunks_towards(&PlaceSums::from_places(places.iter().copied()), EXTENTS);
        let ends = EXTENTS.map(|extent| (extent as i32) << PLACE_BITS);
        let along = |place: &Vector3, axis: usize| place[axis] - ((chunks[axis] * WINDOW_CHUNK) << PLACE_BITS);
        let by = |place: &Vector3| [0, 1, 2].map(|axis| along(place, axis).clamp(0, ends[axis] - 1));
        (chunks, places.iter().map(by).collect())
    }

    /// Whether the window waits: an individual would be outside, and the mean place is less than two chunks away.
    fn is_waiting(sums: &PlaceSums, axis: usize, away: i64) -> bool {
        let chunk = i64::from(WINDOW_CHUNK) << PLACE_BITS;
        let end = i64::from(EXTENTS[axis]) << PLACE_BITS;
        let room = if away > 0 { sums.least[axis].into() } else { end - 1 - i64::from(sums.greatest[axis]) };
        away.abs() < 2 * chunk && room < chunk
    }

    #[test]
    fn the_window_follows_by_whole_chunks() {
        let mut random = generator(3, 1);
        let mut moves = 0;
        for round in 0..2000 {
            let [first, width] = [0; 2].map(|_| EXTENTS.map(|extent| random.below(extent.into()) as i32));
            let places: Vec<Vector3> = (0..1 + round % 7)
                .map(|_| {
                    [0, 1, 2].map(|axis| {
                        let cell = (first[axis] + random.below(1 + width[axis] as u64 / 4) as i32)
                            .min(EXTENTS[axis] as i32 - 1);
                        (cell << PLACE_BITS) + random.below(1 << PLACE_BITS) as i32
                    })
                })
                .collect();
            let (chunks, after) = moved(window([0; 3]), &places);
            moves += i32::from(chunks != [0; 3]);
            let [sums, sums_after] = [&places, &after].map(|places| PlaceSums::from_places(places.iter().copied()));
            for axis in 0..3 {
                let middle = i64::from(EXTENTS[axis]) << (PLACE_BITS - 1);
                let [away, now] = [&sums, &sums_after].map(|sums| sums.mean().unwrap()[axis] - middle);
                let chunk = i64::from(WINDOW_CHUNK) << PLACE_BITS;
                assert_eq!(chunks[axis] == 0, away.abs() < chunk || is_waiting(&sums, axis, away), "{places:?}");
                assert!(now.abs() <= away.abs(), "{places:?}");
            }
        }
        assert!(moves > 500, "{moves}");
    }

    #[test]
    fn the_window_waits_for_the_last_and_stops_at_the_end() {
        let at = |x: i32| [x << PLACE_BITS, 80 << PLACE_BITS, 32 << PLACE_BITS];
        assert_eq!(moved(window([0; 3]), &[at(131), at(131)]).0, [0; 3]);
        assert_eq!(moved(window([0; 3]), &[at(132), at(132)]).0, [1, 0, 0]);
        assert_eq!(moved(window([0; 3]), &[at(199)]).0, [3, 0, 0]);
        assert_eq!(moved(window([0; 3]), &[at(199), at(199), at(199), at(31)]).0, [0; 3]);
        assert_eq!(moved(window([0; 3]), &[at(199), at(199), at(199), at(32)]).0, [1, 0, 0]);
        assert_eq!(moved(window([0; 3]), &[at(0), at(68)]).0, [-2, 0, 0]);
        // The mean place is two chunks away, so the window moves without the last individual.
        assert_eq!(moved(window([0; 3]), &[at(198), at(198), at(198), at(62)]).0, [1, 0, 0]);
        let (chunks, after) = moved(window([0; 3]), &[at(199), at(199), at(199), at(199), at(24)]);
        assert_eq!((chunks, after[4][0]), ([1, 0, 0], 0));
        assert_eq!(moved(window([MAX_ORIGIN - 40, 0, 0]), &[at(199)]).0, [1, 0, 0]);
        assert_eq!(moved(window([-MAX_ORIGIN, 0, 0]), &[at(0)]).0, [0; 3]);
        assert_eq!(moved(window([0; 3]), &[]).0, [0; 3]);
    }
}
