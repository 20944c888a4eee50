//! Queries for one individual, along a line of sight or by its number, for a user who watches a swarm. No rule of the
//! swarm uses them.

use crate::lives::Life;
use crate::numbers::{Vector3, each_axis};
use crate::state::Individuals;
use crate::terrain::Habitat;
use crate::ticket::{EngineReading, Reading};
use crate::world::PLACE_BITS;

/// The number of bits of an individual's index, which is below [`crate::state::MAX_INDIVIDUALS`].
const INDEX_BITS: u32 = 24;
/// The number of ranks of individuals on a line of sight: 0 in the middle of the line, `RANKS` - 1 at its border. The
/// individual that a query names by number has the rank `RANKS`, so any individual on the line comes first.
pub const RANKS: u32 = 254;
/// The shortest distance between two samples for rock along a line, in cells.
const MIN_PART: f32 = 0.5;
/// Individuals up to this distance behind the face of rock are still found, in cells.
const BEHIND: f32 = 1.0;

/// A line of sight with a breadth. Lengths are in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineOfSight {
    /// The place where the line begins.
    pub from: [f32; 3],
    /// The direction of the line, of length 1.
    pub ahead: [f32; 3],
    /// The distance from the beginning of the line to its end.
    pub length: f32,
    /// The radius of the line where it begins.
    pub radius: f32,
    /// The growth of the radius for each cell along the line.
    pub spread: f32,
}

/// A query for one individual: the individual nearest to the middle of a line, relative to the radius of the line
/// there. If no individual is on the line, the query finds the individual with the number [`Self::number`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IndividualQuery {
    /// The line along which the query looks for individuals; `None`: the query looks only for the number.
    pub line: Option<LineOfSight>,
    /// The number of the individual that the query finds if no individual is on the line.
    pub number: Option<u32>,
}

/// One individual between two steps: its number, place, velocity and life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Individual {
    /// The number, which an individual keeps for the whole run.
    pub number: u32,
    /// The position along each axis (Q16 of a cell).
    pub place: Vector3,
    /// The velocity along each axis (Q14 of a cell a step).
    pub velocity: Vector3,
    /// `None`: individuals have no lives.
    pub life: Option<Life>,
}

impl EngineReading for IndividualQuery {}

impl Reading for IndividualQuery {
    /// `None`: no individual matches.
    type Value = Option<Individual>;
}

impl LineOfSight {
    /// The line up to the first rock, which hides everything behind it.
    pub fn before_rock(mut self, habitat: &Habitat) -> Self {
        if !habitat.is_swept() {
            return self;
        }
        let extents = habitat.space.extents.map(|extent| extent as f32);
        let (mut along, mut end) = (0.0f32, self.length);
        for axis in 0..3 {
            let faces = [0.0, extents[axis]].map(|face| (face - self.from[axis]) / self.ahead[axis]);
            // A line that is parallel to the two faces of the world on this axis crosses neither face.
            if self.ahead[axis] != 0.0 {
                (along, end) = (along.max(faces[0].min(faces[1])), end.min(faces[0].max(faces[1])));
            }
        }
        while along < end {
            let place = each_axis(|axis| {
                let place = (self.from[axis] + along * self.ahead[axis]) * (1 << PLACE_BITS) as f32;
                (place as i32).clamp(0, ((habitat.space.extents[axis] as i32) << PLACE_BITS) - 1)
            });
            let gap = habitat.gap(place);
            if gap < 0 {
                self.length = along + BEHIND;
                return self;
            }
            along += (gap as f32 / 4.0).max(MIN_PART);
        }
        self
    }

    /// The rank of a place (cells): 0 in the middle of the line, and below [`RANKS`] up to its border; `None`: not on
    /// the line.
    fn rank(&self, place: [f32; 3]) -> Option<u32> {
        let away = each_axis(|axis| place[axis] - self.from[axis]);
        let along: f32 = (0..3).map(|axis| away[axis] * self.ahead[axis]).sum();
        let square: f32 = (0..3).map(|axis| (away[axis] - along * self.ahead[axis]).powi(2)).sum();
        let part = square.sqrt() / (self.radius + self.spread * along);
        (along >= 0.0 && along <= self.length && part < 1.0).then_some((part * RANKS as f32) as u32)
    }
}

impl Individuals {
    /// The individual that a query looks for. If several have the lowest rank, it is the first of them.
    pub fn find(&self, query: &IndividualQuery) -> Option<Individual> {
        let rank = |index: usize| {
            let place = self.position(index).map(|along| along as f32 / (1 << PLACE_BITS) as f32);
            let on_line = query.line.and_then(|line| line.rank(place));
            on_line.or((query.number == Some(self.numbers[index])).then_some(RANKS))
        };
        let ranked = (0..self.len()).filter_map(|index| Some(rank(index)? << INDEX_BITS | index as u32));
        let index = (ranked.min()? & ((1 << INDEX_BITS) - 1)) as usize;
        let (number, place, velocity) = (self.numbers[index], self.position(index), self.velocity(index));
        let life = self.life(index).map(Life::from_words);
        Some(Individual { number, place, velocity, life })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, Space};

    fn individuals(places: &[[f32; 3]]) -> Individuals {
        let mut individuals = Individuals::default();
        for (number, place) in (100..).zip(places) {
            individuals.push(number, place.map(|along| (along * 65_536.0) as i32), [number as i32, 0, 0]);
        }
        individuals
    }

    const LINE: LineOfSight =
        LineOfSight { from: [0.0, 5.5, 5.5], ahead: [1.0, 0.0, 0.0], length: 99.0, radius: 0.5, spread: 0.1 };

    #[test]
    fn the_nearest_to_the_line_is_found_and_else_the_one_with_the_number() {
        let swarm = individuals(&[[2.0, 6.0, 5.5], [12.0, 5.6, 5.5], [3.0, 9.0, 5.5], [-4.0, 5.5, 5.5]]);
        let number = |line, number| swarm.find(&IndividualQuery { line, number }).map(|found| found.number);
        assert_eq!(number(Some(LINE), None), Some(101));
        assert_eq!(number(Some(LineOfSight { length: 11.0, ..LINE }), Some(102)), Some(100));
        assert_eq!(number(Some(LineOfSight { length: 1.0, ..LINE }), Some(102)), Some(102), "nobody is on the line");
        assert_eq!(number(Some(LineOfSight { radius: 0.01, spread: 0.0, ..LINE }), None), None);
        assert_eq!([number(None, Some(103)), number(None, Some(104))], [Some(103), None]);
        let found = swarm.find(&IndividualQuery { line: None, number: Some(102) }).unwrap();
        assert_eq!((found.place, found.velocity), ([3 << 16, 9 << 16, 11 << 15], [102, 0, 0]));
    }

    #[test]
    fn nobody_is_seen_through_rock() {
        let space = Space { extents: [20, 11, 11], edges: Edges::Walls };
        let mut columns = vec![false; 20 * 11];
        columns[5 * 20 + 8] = true;
        let open = Habitat::new(space, Vec::new()).with_obstacles(None, None);
        let closed = Habitat::new(space, columns).with_obstacles(None, None);
        let from_outside = LineOfSight { from: [-30.0, 5.5, 5.5], ..LINE };
        for line in [LINE, from_outside] {
            assert_eq!(line.before_rock(&open), line);
            let seen = line.before_rock(&closed);
            let face = line.from[0] + seen.length - BEHIND;
            assert!((8.0..8.51).contains(&face), "{face}");
        }
        let beside = LineOfSight { from: [0.0, 3.5, 5.5], ..LINE };
        assert_eq!(beside.before_rock(&closed), beside);
        assert_eq!(LINE.before_rock(&Habitat::new(space, Vec::new())), LINE, "a habitat without gaps");
    }
}
