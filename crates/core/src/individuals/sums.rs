//! Sums over the neighbours of an individual, one chunk of candidates at a time.
//!
//! A candidate is a neighbour for a rule if its squared distance, in units² (see [`super::numbers::Units`]), is below the
//! rule's threshold. All sums are integers over a set, so the order of the candidates does not matter.

use super::Individuals;
use super::numbers::Units;
use super::parameters::IndividualParameters;
use super::rules::*;
use super::situation::{Neighbour, SUMMING, Sums};
use super::table::{NeighbourRuleArray, rules};
use crate::lanes::{Lanes, MAX_LANES};
use crate::lives::needs::sight;
use crate::numbers::{Vector3, each_axis, round_shift_any};
use std::ops::Range;

/// Individuals that are worked on together.
pub const BLOCK: usize = 512;

/// The [`Sums`] of up to [`BLOCK`] individuals.
pub struct SumBlock([[[i32; BLOCK]; 4]; SUMMING]);

impl Default for SumBlock {
    fn default() -> Self {
        Self([[[0; BLOCK]; 4]; SUMMING])
    }
}

impl SumBlock {
    /// Keeps the sums of an individual.
    #[inline(always)]
    pub fn set(&mut self, index: usize, sums: &Sums<i32>) {
        for rule in 0..SUMMING {
            for part in 0..4 {
                self.0[rule][part][index] = sums.0[rule][part];
            }
        }
    }

    /// The sums of individuals side by side, from `first` on.
    #[inline(always)]
    pub fn load<V: Lanes>(&self, first: usize) -> Sums<V> {
        let mut sums = Sums::none();
        for rule in 0..SUMMING {
            for part in 0..4 {
                sums.0[rule][part] = V::load(&self.0[rule][part][first..]);
            }
        }
        sums
    }
}

/// Positions and velocities of all individuals in units, in the order of a search.
///
/// After the last individual there are as many idle places as there may be lanes, so that a run of candidates can be read in
/// whole chunks wherever it ends.
#[derive(Debug, Clone, Default)]
pub struct IndividualsInUnits {
    places: [Vec<i32>; 3],
    velocities: [Vec<i32>; 3],
    /// How far each sees, as a part of the sights of the rules (Q10); empty where individuals have no lives.
    sights: Vec<i32>,
    /// The numbers and the velocities (Q14 of a cell a step); empty where all within the radii are neighbours.
    numbers: Vec<u32>,
    exact_velocities: [Vec<i32>; 3],
    count: usize,
}

impl IndividualsInUnits {
    /// Replaces the individuals, which have these numbers.
    pub fn fill(&mut self, individuals: &Individuals, units: &Units, parameters: &IndividualParameters) {
        self.count = individuals.len();
        self.sights.clear();
        let lives = (0..individuals.len()).filter_map(|index| individuals.life(index));
        self.sights.extend(lives.map(|life| sight(life, &parameters.of_life(Some(life)).lives)));
        for axis in 0..3 {
            let (places, velocities) = (&mut self.places[axis], &mut self.velocities[axis]);
            places.clear();
            places.extend(individuals.positions[axis].iter().map(|place| place >> units.place));
            places.resize(self.count + MAX_LANES, 0);
            velocities.clear();
            velocities
                .extend(individuals.velocities[axis].iter().map(|velocity| round_shift_any(*velocity, units.velocity)));
            velocities.resize(self.count + MAX_LANES, 0);
        }
    }

    /// Adds what a [`super::selection`] of neighbours reads of the individuals.
    pub fn fill_selection(&mut self, individuals: &Individuals) {
        self.numbers.clone_from(&individuals.numbers);
        self.exact_velocities.clone_from(&individuals.velocities);
    }

    /// The number of individuals.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The places of individuals side by side, from `first` on.
    #[inline(always)]
    pub fn places<V: Lanes, const AXES: usize>(&self, first: usize) -> [V; AXES] {
        let mut places = [V::splat(0); AXES];
        for axis in 0..AXES {
            places[axis] = V::load(&self.places[axis][first..]);
        }
        places
    }

    /// The velocities of individuals side by side, from `first` on.
    #[inline(always)]
    pub fn velocities<V: Lanes, const AXES: usize>(&self, first: usize) -> [V; AXES] {
        let mut velocities = [V::splat(0); AXES];
        for axis in 0..AXES {
            velocities[axis] = V::load(&self.velocities[axis][first..]);
        }
        velocities
    }

    /// The place of an individual, in units.
    pub fn place(&self, index: usize) -> Vector3 {
        each_axis(|axis| self.places[axis][index])
    }

    /// The velocity of an individual, in units.
    #[inline(always)]
    pub fn velocity(&self, index: usize) -> Vector3 {
        each_axis(|axis| self.velocities[axis][index])
    }

    /// The velocity of an individual (Q14 of a cell a step).
    #[inline(always)]
    pub fn exact_velocity(&self, index: usize) -> Vector3 {
        each_axis(|axis| self.exact_velocities[axis][index])
    }

    /// The number that an individual keeps for the whole run.
    #[inline(always)]
    pub fn number(&self, index: usize) -> u32 {
        self.numbers[index]
    }

    /// One individual. It sees as far as the units say, or as its life says.
    #[inline(always)]
    pub fn own(&self, index: usize, units: &Units) -> SelfIndividual {
        let ([x, y, z], [u, v, w]) = (&self.places, &self.velocities);
        let mut thresholds = units.thresholds;
        if let Some(sight) = self.sights.get(index) {
            thresholds.0.iter_mut().for_each(|square| *square = within_sight(*square, *sight));
        }
        SelfIndividual { place: [x[index], y[index], z[index]], velocity: [u[index], v[index], w[index]], thresholds }
    }
}

/// The individual whose neighbours are summed.
#[derive(Debug, Clone, Copy)]
pub struct SelfIndividual {
    /// The place, in units.
    pub place: Vector3,
    /// The velocity, in units.
    pub velocity: Vector3,
    /// For each rule the bound of a neighbour's squared distance, in units².
    pub thresholds: NeighbourRuleArray<i32>,
}

/// The bound (units²) of the squared distances that an individual with this sight (Q10) sees. It is at least 1 if the rule sees anybody, because
/// an individual is among its own neighbours. The bound is at most 2^20, the sight at most 2^10.
#[inline(always)]
fn within_sight(square: i32, sight: i32) -> i32 {
    Ord::max((square * ((sight * sight) >> 10)) >> 10, Ord::min(square, 1))
}

/// The individuals among which neighbours are searched, and the world's extents and edges.
pub struct NeighbourSource<'a> {
    /// The individuals, in units.
    pub measured: &'a IndividualsInUnits,
    /// The units of places and velocities.
    pub units: &'a Units,
    /// The extents in units.
    pub extents: [i32; 3],
    /// Whether the world is a torus; else it has walls.
    pub is_torus: bool,
}

/// How an offset is found from two places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffsetMethod {
    /// Candidates are near: the difference of the places.
    Near,
    /// Candidates may be anywhere: the difference, which counts up to twice the reach.
    Straight,
    /// Candidates may be anywhere: the short way round a torus.
    Torus,
}

/// The same for each axis, written out: a loop over axes would tempt the compiler to put axes side by side.
macro_rules! each_axis {
    ($axes:expr, $body:block) => {{
        const AXIS: usize = 0;
        $body
    }
    {
        const AXIS: usize = 1;
        $body
    }
    if $axes == 3 {
        const AXIS: usize = 2;
        $body
    }};
}

/// Adds the candidates of a run that are neighbours of `own`. The individual itself is added if it is one of the candidates.
#[inline(always)]
pub fn gather<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    own: &SelfIndividual,
    source: &NeighbourSource<'_>,
    method: OffsetMethod,
    run: Range<usize>,
) {
    let mut first = run.start;
    while first < run.end {
        let (mut places, mut velocities) = ([V::splat(0); AXES], [V::splat(0); AXES]);
        each_axis!(AXES, {
            places[AXIS] = V::load(&source.measured.places[AXIS][first..]);
            velocities[AXIS] = V::load(&source.measured.velocities[AXIS][first..]);
        });
        gather_chunk::<S, COUNTED, AXES, V>(sums, own, source, method, &places, &velocities, (run.end - first) as i32);
        first += V::COUNT;
    }
}

/// Adds one chunk of candidates, of which the first `live` lanes hold one.
#[inline(always)]
fn gather_chunk<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    own: &SelfIndividual,
    source: &NeighbourSource<'_>,
    method: OffsetMethod,
    places: &[V; AXES],
    velocities: &[V; AXES],
    live: i32,
) {
    if let Some((offset, square)) = measure::<S, AXES, V>(own, source, method, places, live) {
        let neighbour = Neighbour { offset, square, velocity: *velocities, own_velocity: own.velocity };
        add_neighbours::<S, COUNTED, AXES, V>(sums, &neighbour, own, source.units);
    }
}

/// The offsets to candidates and their squared distances; `None`: all are beyond the greatest reach. The first `live` lanes hold a
/// candidate. The square of a lane without one, or with one that the set does not see, is beyond every threshold.
#[inline(always)]
pub fn measure<S: Steering, const AXES: usize, V: Lanes>(
    own: &SelfIndividual,
    source: &NeighbourSource<'_>,
    method: OffsetMethod,
    places: &[V; AXES],
    live: i32,
) -> Option<([V; AXES], V)> {
    let (splat, units) = (V::splat, source.units);
    let mut offset = [splat(0); AXES];
    let mut square = splat(0);
    let mut seen = V::iota().less_than(splat(live));
    each_axis!(AXES, {
        // A lane without a candidate may hold any place, and its square must not overflow.
        let places = seen.select(places[AXIS], splat(own.place[AXIS]));
        offset[AXIS] = offset_along(own.place[AXIS], places, source.extents[AXIS], method, units);
        square = square.add(offset[AXIS].multiply(offset[AXIS]));
    });
    if S::SET.sees_half() {
        seen = seen.and(splat(0).less_than(offset[AXES - 1]));
    }
    // No threshold is above the greatest number, so that a lane without a candidate is nobody's neighbour.
    square = seen.select(square, splat(i32::MAX));
    if !square.less_than(splat(units.reach * units.reach)).any() {
        return None;
    }
    if method == OffsetMethod::Torus {
        // At exactly half a torus neither way is shorter: the distance counts, the direction is zero.
        each_axis!(AXES, {
            let half = splat(source.extents[AXIS] / 2);
            let is_other = offset[AXIS].less_than(half).and(splat(0).subtract(half).less_than(offset[AXIS]));
            offset[AXIS] = if source.extents[AXIS] % 2 == 0 { offset[AXIS].and(is_other) } else { offset[AXIS] };
        });
    }
    Some((offset, square))
}

/// Adds what the rules of a set sum over some neighbours.
#[inline(always)]
pub fn add_neighbours<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    neighbour: &Neighbour<V, AXES>,
    own: &SelfIndividual,
    units: &Units,
) {
    macro_rules! add_all {
        (neighbours { $($Rule:ident $name:literal $sets:tt)* } world $world:tt) => {
            $(if $Rule::RULE.is_of(S::SET) {
                add::<$Rule, S, COUNTED, AXES, V>(sums, neighbour, own, units);
            })*
        };
    }
    rules!(add_all);
}

/// Adds the quantity of a rule.
#[inline(always)]
fn add<R: NeighbourRule, S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    neighbour: &Neighbour<V, AXES>,
    own: &SelfIndividual,
    units: &Units,
) {
    let mut within = neighbour.square.less_than(V::splat(own.thresholds[R::RULE]));
    let inside = S::SET.zones_inside(R::RULE);
    if !inside.is_empty() {
        // Who is at the same place is in the innermost zone alone.
        let mut least = 1;
        for zone in inside {
            least = Ord::max(least, own.thresholds[*zone]);
        }
        within = V::splat(least - 1).less_than(neighbour.square).and(within);
    }
    let seen = R::mask_of_sight(neighbour, within);
    let quantity = R::quantity::<S, V, AXES>(neighbour, units);
    let sum = &mut sums.0[R::RULE as usize];
    each_axis!(AXES, {
        sum[AXIS] = sum[AXIS].add(quantity[AXIS].and(seen));
    });
    if COUNTED {
        // A mask is -1.
        sum[3] = sum[3].subtract(seen);
    }
}

/// The offset from one place to others along an axis, in units. An offset beyond the reach is only known to be beyond it.
#[inline(always)]
pub fn offset_along<V: Lanes>(from: i32, to: V, extent: i32, method: OffsetMethod, units: &Units) -> V {
    let splat = V::splat;
    let mut offset = to.subtract(splat(from));
    if method == OffsetMethod::Near {
        return offset;
    }
    if method == OffsetMethod::Torus {
        // From half a torus before, round once where that is behind: 0 to the extent, without a sign.
        let half = splat(extent / 2);
        let n = offset.add(half);
        offset = n.min_unsigned(n.add(splat(extent))).min_unsigned(n.subtract(splat(extent))).subtract(half);
    }
    // The square of what is beyond the reach must neither overflow nor be within it.
    offset.max(splat(-2 * units.reach)).min(splat(2 * units.reach))
}
