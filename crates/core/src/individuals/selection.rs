//! Who of the candidates within the radii is a neighbour: those in the view of an individual, and of these the nearest
//! (`docs/model.md, Neighbours`). The twin is `shaders/individuals/selection.wgsl`.
//!
//! in view: h·d ≥ |d| cos(view / 2)      the nearest: the first k by (|d|², number)
//!
//! h is the heading of the individual and d the offset to another. The individual itself is always in view, and is none of the k.

use super::numbers::Units;
use super::rules::Steering;
use super::search::Run;
use super::situation::{Neighbour, Sums};
use super::sums::{NeighbourSource, OffsetMethod, SelfIndividual, add_neighbours, measure};
use super::table::RuleSet;
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::{ONE, Vector3, each_axis};
use crate::vector::{normalise, subtract, zero};
use std::ops::Range;

/// The most neighbours that `nearest` may ask for.
pub const MOST_NEAREST: usize = 32;
/// The cosine (Q14) of half a view that goes all around: no angle is beyond it.
pub const ALL_AROUND: i32 = -2 * ONE;
/// Bits of a distance below a unit, where it is compared with the view.
const FRACTION: u32 = 5;
/// Candidates beyond the `nearest` that are kept before the farther ones are dropped.
const SLACK: usize = 64;

/// Who of those within the radii is a neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// How many of the nearest are neighbours, at most [`MOST_NEAREST`]; 0: all.
    pub nearest: u32,
    /// The cosine (Q14) of half the view; [`ALL_AROUND`]: the view has no blind angle.
    pub view: i32,
}

impl Selection {
    /// All within the radii are neighbours.
    pub const ALL: Self = Self { nearest: 0, view: ALL_AROUND };
}

/// The cosine (Q14) of an angle in degrees up to which others count; [`ALL_AROUND`] for 180 degrees and more.
pub fn cosine(degrees: f64) -> i32 {
    if degrees >= 180.0 { ALL_AROUND } else { (degrees.to_radians().cos() * f64::from(ONE)).round() as i32 }
}

/// The sine (Q14) of an angle in degrees, up to 180.
pub fn sine(degrees: f64) -> i32 {
    (degrees.to_radians().sin() * f64::from(ONE)).round() as i32
}

/// A candidate within the reach of an individual and in its view.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    square: i32,
    number: u32,
    index: usize,
    offset: Vector3,
}

impl Candidate {
    fn key(&self) -> (i32, u32) {
        (self.square, self.number)
    }
}

/// The neighbours of one individual while they are found.
#[derive(Debug, Default)]
pub struct SelectedNeighbours {
    candidates: Vec<Candidate>,
    /// The index of the individual itself, and whether it was among the candidates.
    own: usize,
    has_own: bool,
    /// The heading (Q14) of the individual, and the cosine (Q14) of half its view. One at rest sees all around.
    heading: Vector3,
    view: i32,
    /// How many there may be.
    most: usize,
    /// The bound (units²) of the squared distances of candidates.
    bound: i32,
    /// A bound within which as many are likely to be: twice the greatest squared distance of the individual before; 0: none is known.
    likely: i32,
}

impl SelectedNeighbours {
    /// Finds the neighbours of an individual with this index in runs of candidates, by the sight of `units`. They are the same whatever
    /// bound is tried first.
    #[inline(always)]
    pub fn select<S: Steering, const AXES: usize, V: Lanes>(
        &mut self,
        index: usize,
        own: &SelfIndividual,
        source: &NeighbourSource<'_>,
        units: &Units,
        (method, runs): (OffsetMethod, &[Run]),
    ) {
        let greatest = self.begin(index, own, source, units, S::SET);
        self.bound = if self.likely > 0 { Ord::min(self.likely, greatest) } else { greatest };
        loop {
            let tried = self.bound;
            for (run, shift) in runs {
                let own = SelfIndividual { place: subtract(own.place, *shift), ..*own };
                self.find::<S, AXES, V>(&own, source, method, run.clone());
            }
            if tried == greatest || self.candidates.len() >= self.most {
                break;
            }
            self.candidates.clear();
            self.bound = greatest;
        }
        self.drop_the_farther();
        let is_full = self.candidates.len() == self.most;
        let farthest = self.candidates.iter().map(|candidate| candidate.square).max();
        self.likely = farthest.filter(|_| is_full).map_or(0, |square| 2 * square + 1);
    }

    /// Begins anew for an individual; the bound of the squared distances that any rule sees.
    fn begin(
        &mut self,
        index: usize,
        own: &SelfIndividual,
        source: &NeighbourSource<'_>,
        units: &Units,
        set: RuleSet,
    ) -> i32 {
        let Selection { nearest, view } = units.selection;
        self.candidates.clear();
        (self.own, self.has_own) = (index, false);
        self.most = if nearest == 0 { usize::MAX } else { nearest as usize };
        self.heading = if view == ALL_AROUND { [0; 3] } else { normalise(source.measured.exact_velocity(index)) };
        self.view = if self.heading == [0; 3] { ALL_AROUND } else { view };
        let seeing = set.rules().filter(|rule| rule.sees_neighbours());
        seeing.map(|rule| own.thresholds[rule]).fold(0, Ord::max)
    }

    /// Adds the candidates of a run.
    #[inline(always)]
    fn find<S: Steering, const AXES: usize, V: Lanes>(
        &mut self,
        own: &SelfIndividual,
        source: &NeighbourSource<'_>,
        method: OffsetMethod,
        run: Range<usize>,
    ) {
        let mut first = run.start;
        while first < run.end {
            let places = source.measured.places::<V, AXES>(first);
            let live = (run.end - first) as i32;
            if let Some((offset, square)) = measure::<S, AXES, V>(own, source, method, &places, live) {
                self.add(source, first, &offset, square);
            }
            first += V::COUNT;
        }
    }

    /// Adds one chunk of candidates that begins with the individual `first`.
    #[inline(always)]
    fn add<V: Lanes, const AXES: usize>(
        &mut self,
        source: &NeighbourSource<'_>,
        first: usize,
        offset: &[V; AXES],
        square: V,
    ) {
        let within = square.less_than(V::splat(self.bound));
        let seen = if self.view == ALL_AROUND { within } else { self.mask_of_view(offset, square, within) };
        if !seen.any() {
            return;
        }
        let (mut squares, mut offsets) = ([0; MAX_LANES], [[0; MAX_LANES]; 3]);
        seen.select(square, V::splat(i32::MAX)).store(&mut squares);
        for axis in 0..AXES {
            offset[axis].store(&mut offsets[axis]);
        }
        for lane in (0..V::COUNT).filter(|lane| squares[*lane] < i32::MAX) {
            let index = first + lane;
            if index == self.own {
                self.has_own = true;
                continue;
            }
            let offset = each_axis(|axis| offsets[axis][lane]);
            self.candidates.push(Candidate {
                square: squares[lane],
                number: source.measured.number(index),
                index,
                offset,
            });
        }
        if self.candidates.len() >= self.most.saturating_add(SLACK) {
            self.drop_the_farther();
        }
    }

    /// Which of the candidates `within` the radii are in view (masks). All numbers are below 2^30: |h| is about 2^14, and |d| below 2^10.
    #[inline(always)]
    fn mask_of_view<V: Lanes, const AXES: usize>(&self, offset: &[V; AXES], square: V, within: V) -> V {
        let mut along = V::splat(0);
        for axis in 0..AXES {
            along = along.add(offset[axis].and(within).multiply(V::splat(self.heading[axis])));
        }
        let distance = square.and(within).shift_left::<{ 2 * FRACTION }>().square_root();
        let is_hidden = along.shift_left::<FRACTION>().less_than(distance.multiply(V::splat(self.view)));
        is_hidden.select(V::splat(0), within)
    }

    /// Keeps the nearest, as many as there may be.
    fn drop_the_farther(&mut self) {
        if self.candidates.len() > self.most {
            let (_, last, _) = self.candidates.select_nth_unstable_by_key(self.most - 1, Candidate::key);
            self.bound = last.square + 1;
            self.candidates.truncate(self.most);
        }
    }

    /// Adds what the rules of a set sum over the neighbours that were found.
    #[inline(always)]
    pub fn sum<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
        &mut self,
        sums: &mut Sums<V>,
        own: &SelfIndividual,
        source: &NeighbourSource<'_>,
    ) {
        if self.has_own {
            self.candidates.push(Candidate { square: 0, number: 0, index: self.own, offset: [0; 3] });
        }
        for chunk in self.candidates.chunks(V::COUNT) {
            let mut squares = [i32::MAX; MAX_LANES];
            let (mut offsets, mut velocities) = ([[0; MAX_LANES]; AXES], [[0; MAX_LANES]; AXES]);
            for (lane, candidate) in chunk.iter().enumerate() {
                squares[lane] = candidate.square;
                let velocity = source.measured.velocity(candidate.index);
                for axis in 0..AXES {
                    (offsets[axis][lane], velocities[axis][lane]) = (candidate.offset[axis], velocity[axis]);
                }
            }
            let (mut offset, mut velocity) = (zero(), zero());
            for axis in 0..AXES {
                (offset[axis], velocity[axis]) = (V::load(&offsets[axis]), V::load(&velocities[axis]));
            }
            let neighbour = Neighbour { offset, square: V::load(&squares), velocity, own_velocity: own.velocity };
            add_neighbours::<S, COUNTED, AXES, V>(sums, &neighbour, own, source.units);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosine_is_that_of_the_angle_up_to_half_a_turn() {
        assert_eq!([0.0, 60.0, 90.0, 120.0].map(cosine), [ONE, ONE / 2, 0, -ONE / 2]);
        assert_eq!([180.0, 200.0].map(cosine), [ALL_AROUND; 2]);
        assert_eq!(cosine(135.0), -11585);
    }
}
