//! The selected neighbours of an individual: of the individuals in its view the nearest ones (`docs/model.md,
//! Neighbours`). The twin is `shaders/individuals/selection.wgsl`.
//!
//! in view: h·d ≥ |d| cos(view / 2)      the nearest: the first k by (|d|², number)
//!
//! h is the heading of the individual, d the offset to another individual, `view` the angle of view, and k the number
//! of nearest. The individual itself is always in view. It is not counted among the k nearest.

use super::Run;
use crate::individuals::numbers::Units;
use crate::individuals::rules::Steering;
use crate::individuals::selection::{ALL_AROUND, MAX_NEAREST, Selection};
use crate::individuals::situation::{Neighbour, Sums};
use crate::individuals::sums::{NeighbourSource, OffsetMethod, SelfIndividuals, add_neighbours, measure, offset_along};
use crate::individuals::table::{Rule, RuleSet};
use crate::lanes::vector::{normalise, zero};
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::Vector3;
use std::ops::Range;

/// Fraction bits of a distance (units) in the comparison with the view.
const FRACTION: u32 = 5;

/// Another individual. The key has its squared distance (units²) in the upper half, and its number in the lower half.
#[derive(Debug, Clone, Copy, Default)]
struct Other {
    key: u64,
    index: usize,
}

impl Other {
    fn square(&self) -> i32 {
        (self.key >> 32) as i32
    }
}

/// A number for each axis and lane.
type Rows = [[i32; MAX_LANES]; 3];

/// The neighbours of one individual while they are found.
#[derive(Debug, Default)]
pub struct SelectedNeighbours {
    /// The nearest candidates found until now, in ascending order of their keys, and their number `count`.
    nearest: [Other; MAX_NEAREST],
    count: usize,
    /// The maximum number of nearest candidates; 0: there is no maximum, and each neighbour is summed when it is found.
    most: usize,
    /// The index of the individual itself, and whether it was among the candidates.
    own: usize,
    has_own: bool,
    /// The heading (Q14) of the individual, and the cosine (Q14) of half its view. An individual at rest sees all
    /// around.
    heading: Vector3,
    view: i32,
    /// The cosine (Q14) of half the view in the zone of repulsion, and the bound (units²) of the squared distances in
    /// this zone.
    repulsion_view: i32,
    repulsion: i32,
    /// The bound (units²) of the squared distances of candidates.
    bound: i32,
    /// The bound to try first: twice the greatest squared distance that the previous individual needed; 0: unknown.
    likely: i32,
    /// Buffers for the numbers of all lanes.
    squares: [i32; MAX_LANES],
    offsets: Rows,
    velocities: Rows,
}

impl SelectedNeighbours {
    /// Adds the neighbours of the individual `index` among the candidates of some runs to the sums of the rules of a
    /// set. `units` have the radii of its sight. The result does not depend on the bound that is tried first.
    #[inline(always)]
    pub fn gather<S: Steering, const AXES: usize, V: Lanes>(
        &mut self,
        sums: &mut Sums<V>,
        index: usize,
        source: &NeighbourSource<'_>,
        units: &Units,
        (method, runs): (OffsetMethod, &[Run]),
    ) {
        let own = &source.measured.own::<V, AXES>(index..index + 1, units);
        let greatest = self.begin(index, own, source, units.selection, S::SET);
        self.bound = if self.likely > 0 { Ord::min(self.likely, greatest) } else { greatest };
        loop {
            let tried = self.bound;
            for (run, shift) in runs {
                self.find::<S, AXES, V>(sums, &own.from_beyond(*shift), source, method, run.clone());
            }
            if tried == greatest || self.count == self.most {
                break;
            }
            (self.count, self.bound) = (0, greatest);
        }
        if self.most > 0 {
            self.likely = if self.count == self.most { 2 * self.nearest[self.most - 1].square() + 1 } else { 0 };
            self.sum_nearest::<S, AXES, V>(sums, own, source);
        }
    }

    /// Resets the state for an individual. Returns the bound of the squared distances that any rule sees.
    #[inline(always)]
    fn begin<const AXES: usize, V: Lanes>(
        &mut self,
        index: usize,
        own: &SelfIndividuals<V, AXES>,
        source: &NeighbourSource<'_>,
        Selection { nearest, view, repulsion_view }: Selection,
        set: RuleSet,
    ) -> i32 {
        (self.own, self.has_own, self.count, self.most) = (index, false, 0, nearest as usize);
        let is_blind = view != ALL_AROUND || repulsion_view != ALL_AROUND;
        self.heading = if is_blind { normalise(source.measured.exact_velocity(index)) } else { [0; 3] };
        let sees_all = self.heading == [0; 3];
        self.view = if sees_all { ALL_AROUND } else { view };
        self.repulsion_view = if sees_all { ALL_AROUND } else { repulsion_view };
        own.thresholds[Rule::Separation].store(&mut self.squares);
        self.repulsion = self.squares[0];
        self.likely = if nearest > 0 { self.likely } else { 0 };
        let mut greatest = V::splat(0);
        for rule in Rule::OF_NEIGHBOURS {
            if rule.is_of(set) {
                greatest = greatest.max(own.thresholds[*rule]);
            }
        }
        greatest.store(&mut self.squares);
        self.squares[0]
    }

    /// Adds the candidates of a run to the sums, or to the list of the nearest candidates if their number is limited.
    #[inline(always)]
    fn find<S: Steering, const AXES: usize, V: Lanes>(
        &mut self,
        sums: &mut Sums<V>,
        own: &SelfIndividuals<V, AXES>,
        source: &NeighbourSource<'_>,
        method: OffsetMethod,
        run: Range<usize>,
    ) {
        let mut first = run.start;
        while first < run.end {
            let (places, is_there) = source.measured.candidates(first, run.end, &own.place);
            let (offset, square) = measure::<S, AXES, V>(&own.place, source, method, &places);
            let within = square.less_than(V::splat(self.bound)).and(is_there);
            if within.any() {
                let sees_all = self.view == ALL_AROUND && self.repulsion_view == ALL_AROUND;
                let seen = if sees_all { within } else { self.mask_of_view(&offset, square, within) };
                if self.most > 0 {
                    self.keep_nearest(source, first, square, seen);
                } else if seen.any() {
                    let (square, velocity) =
                        (seen.select(square, V::splat(i32::MAX)), source.measured.velocities(first));
                    let neighbour = Neighbour { offset, square, velocity, own_velocity: own.velocity };
                    add_neighbours::<S, true, AXES, V>(sums, &neighbour, own, source.units);
                }
            }
            first += V::COUNT;
        }
    }

    /// The mask of the candidates that are in view. `within`: the mask of the candidates within the radii. No number
    /// overflows, because |h| is about 2^14, and |d| is below 2^10, so all numbers are below 2^30.
    #[inline(always)]
    fn mask_of_view<V: Lanes, const AXES: usize>(&self, offset: &[V; AXES], square: V, within: V) -> V {
        let mut along = V::splat(0);
        for axis in 0..AXES {
            along = along.add(offset[axis].and(within).multiply(V::splat(self.heading[axis])));
        }
        let distance = square.and(within).shift_left::<{ 2 * FRACTION }>().square_root();
        let is_close = square.less_than(V::splat(self.repulsion));
        let view = is_close.select(V::splat(self.repulsion_view), V::splat(self.view));
        let is_hidden = along.shift_left::<FRACTION>().less_than(distance.multiply(view));
        is_hidden.select(V::splat(0), within)
    }

    /// Adds the `seen` candidates of a chunk to the list of the nearest candidates. The chunk begins with the
    /// individual `first`. `seen`: a mask. `square`: the squared distances of the candidates.
    #[inline(always)]
    fn keep_nearest<V: Lanes>(&mut self, source: &NeighbourSource<'_>, first: usize, square: V, seen: V) {
        let mut bits = seen.bits();
        if bits == 0 {
            return;
        }
        square.store(&mut self.squares);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let index = first + lane;
            if index == self.own {
                self.has_own = true;
                continue;
            }
            let key = (self.squares[lane] as u64) << 32 | u64::from(source.measured.number(index));
            self.keep(Other { key, index });
        }
    }

    /// Inserts another individual into the list of the nearest candidates, unless the list is full of nearer
    /// individuals.
    #[inline(always)]
    fn keep(&mut self, other: Other) {
        let mut at = self.count;
        if at == self.most {
            at -= 1;
            if other.key > self.nearest[at].key {
                return;
            }
        } else {
            self.count += 1;
        }
        while at > 0 && other.key < self.nearest[at - 1].key {
            self.nearest[at] = self.nearest[at - 1];
            at -= 1;
        }
        self.nearest[at] = other;
        if self.count == self.most {
            // Another individual at this distance may have a lower number.
            self.bound = self.nearest[self.most - 1].square() + 1;
        }
    }

    /// Adds the nearest candidates, and the individual itself, to the sums of the rules of a set.
    #[inline(always)]
    fn sum_nearest<S: Steering, const AXES: usize, V: Lanes>(
        &mut self,
        sums: &mut Sums<V>,
        own: &SelfIndividuals<V, AXES>,
        source: &NeighbourSource<'_>,
    ) {
        let itself = Other { key: 0, index: self.own };
        let from = source.measured.place(self.own);
        let mut next = 0;
        let end = self.count + usize::from(self.has_own);
        while next < end {
            self.squares[..V::COUNT].fill(i32::MAX);
            for lane in 0..Ord::min(V::COUNT, end - next) {
                let other = if next + lane < self.count { self.nearest[next + lane] } else { itself };
                self.squares[lane] = other.square();
                let (place, velocity) = (source.measured.place(other.index), source.measured.velocity(other.index));
                for axis in 0..AXES {
                    self.offsets[axis][lane] = short_way(from[axis], place[axis], source.extents[axis], source);
                    self.velocities[axis][lane] = velocity[axis];
                }
            }
            let (mut offset, mut velocity) = (zero(), zero());
            for axis in 0..AXES {
                (offset[axis], velocity[axis]) = (V::load(&self.offsets[axis]), V::load(&self.velocities[axis]));
            }
            let neighbour = Neighbour { offset, square: V::load(&self.squares), velocity, own_velocity: own.velocity };
            add_neighbours::<S, true, AXES, V>(sums, &neighbour, own, source.units);
            next += V::COUNT;
        }
    }
}

/// The offset along an axis from one place to another place within the reach, in units of places. Round a torus it goes
/// the shorter way. At exactly half a torus neither way is shorter, and the offset is zero.
#[inline(always)]
fn short_way(from: i32, to: i32, extent: i32, source: &NeighbourSource<'_>) -> i32 {
    if !source.is_torus {
        return to - from;
    }
    let offset = offset_along(from, to, extent, OffsetMethod::Torus, source.units);
    if 2 * offset.abs() == extent { 0 } else { offset }
}
