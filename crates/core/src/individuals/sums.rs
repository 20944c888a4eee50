//! Sums over the neighbours of individuals in lanes, one candidate at a time.
//!
//! A candidate is a neighbour for a rule if its squared distance, in units² (see [`super::numbers::Units`]), is below
//! the rule's threshold. All sums are integers over a set, so the order of the candidates does not matter.

use super::Setup;
use super::numbers::Units;
use super::parameters::IndividualParameters;
use super::rules::*;
use super::situation::{Neighbour, SUMMING, Sums};
use super::table::{NeighbourRuleArray, RuleArray, rules};
use crate::lanes::vector::{splat, subtract};
use crate::lanes::{BLOCK, Lanes, MAX_LANES};
use crate::lives::needs::sight;
use crate::numbers::{Vector3, each_axis, round_shift_any};
use crate::parallel::*;
use crate::state::{Individuals, PART};
use crate::world::Edges;
use std::ops::Range;

/// The [`Sums`] of up to [`BLOCK`] individuals.
pub struct SumBlock([[[i32; BLOCK]; 4]; SUMMING]);

impl Default for SumBlock {
    fn default() -> Self {
        Self([[[0; BLOCK]; 4]; SUMMING])
    }
}

impl SumBlock {
    /// Stores the sums of the individuals in the lanes, from `first` on. Lanes beyond the end of the block are skipped.
    #[inline(always)]
    pub fn store<V: Lanes>(&mut self, first: usize, sums: &Sums<V>) {
        for rule in 0..SUMMING {
            for part in 0..4 {
                sums.0[rule][part].store_some(&mut self.0[rule][part][first..]);
            }
        }
    }

    /// Loads the sums of individuals into lanes, from `first` on.
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

/// Positions and velocities of all individuals in the units of [`Units`], in the order of a search.
///
/// After the last individual there are [`MAX_LANES`] zeros, so that lanes may read beyond the end.
#[derive(Debug, Clone, Default)]
pub struct IndividualsInUnits {
    places: [Vec<i32>; 3],
    velocities: [Vec<i32>; 3],
    /// For each individual the part of the radii of the rules within which it sees (Q10); empty if individuals have no
    /// lives.
    sights: Vec<i32>,
    /// The numbers and the velocities (Q14 of a cell a step) of the individuals. Both are empty if all individuals
    /// within the radii are neighbours.
    numbers: Vec<u32>,
    exact_velocities: [Vec<i32>; 3],
    count: usize,
}

impl IndividualsInUnits {
    /// Replaces the individuals.
    pub fn fill(&mut self, individuals: &Individuals, units: &Units, parameters: &IndividualParameters) {
        self.fill_places(individuals, units);
        self.sights.clear();
        if individuals.has_lives() {
            let lives = (0..individuals.len()).filter_map(|index| individuals.life(index));
            self.sights.extend(lives.map(|life| sight(life, &parameters.of_life(life).lives)));
        }
    }

    /// Replaces the places and the velocities.
    pub fn fill_places(&mut self, individuals: &Individuals, units: &Units) {
        self.count = individuals.len();
        let mut parts: Vec<(&mut [i32], &[i32], bool)> = Vec::new();
        let lists = self.places.iter_mut().zip(&individuals.positions).map(|(list, from)| (list, from, true));
        let velocities = self.velocities.iter_mut().zip(&individuals.velocities);
        for (list, from, are_places) in lists.chain(velocities.map(|(list, from)| (list, from, false))) {
            list.resize(self.count + MAX_LANES, 0);
            list[self.count..].fill(0);
            let own = list[..self.count].chunks_mut(PART).zip(from.chunks(PART));
            parts.extend(own.map(|(list, from)| (list, from, are_places)));
        }
        parts.par_chunks_mut(1).for_each(|parts| {
            let (list, from, are_places) = &mut parts[0];
            for index in 0..list.len() {
                list[index] =
                    if *are_places { from[index] >> units.place } else { round_shift_any(from[index], units.velocity) };
            }
        });
    }

    /// Copies the numbers and the exact velocities, which a selection of neighbours reads.
    pub fn fill_selection(&mut self, individuals: &Individuals) {
        self.numbers.clone_from(&individuals.numbers);
        self.exact_velocities.clone_from(&individuals.velocities);
    }

    /// The number of individuals.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The places of individuals in lanes, from `first` on.
    #[inline(always)]
    pub fn places<V: Lanes, const AXES: usize>(&self, first: usize) -> [V; AXES] {
        let mut places = [V::splat(0); AXES];
        for axis in 0..AXES {
            places[axis] = V::load(&self.places[axis][first..]);
        }
        places
    }

    /// The places of the candidates of a run from `first` on, and a mask of the lanes that hold a candidate. The other
    /// lanes repeat `own`, so that no square overflows.
    #[inline(always)]
    pub fn candidates<V: Lanes, const AXES: usize>(&self, first: usize, end: usize, own: &[V; AXES]) -> ([V; AXES], V) {
        let is_there = V::iota().less_than(V::splat((end - first) as i32));
        let mut places = self.places::<V, AXES>(first);
        for axis in 0..AXES {
            places[axis] = is_there.select(places[axis], own[axis]);
        }
        (places, is_there)
    }

    /// The velocities of individuals in lanes, from `first` on.
    #[inline(always)]
    pub fn velocities<V: Lanes, const AXES: usize>(&self, first: usize) -> [V; AXES] {
        let mut velocities = [V::splat(0); AXES];
        for axis in 0..AXES {
            velocities[axis] = V::load(&self.velocities[axis][first..]);
        }
        velocities
    }

    /// The place of an individual, in units of places.
    pub fn place(&self, index: usize) -> Vector3 {
        each_axis(|axis| self.places[axis][index])
    }

    /// The velocity of an individual, in units of velocities.
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

    /// Up to one individual a lane, each with the radii of `units`, reduced by the sight of its life. The other lanes
    /// repeat the first individual.
    #[inline(always)]
    pub fn own<V: Lanes, const AXES: usize>(
        &self,
        individuals: Range<usize>,
        units: &Units,
    ) -> SelfIndividuals<V, AXES> {
        let first = individuals.start;
        let is_there = V::iota().less_than(V::splat(individuals.len() as i32));
        let (mut place, mut velocity) = (self.places::<V, AXES>(first), self.velocities::<V, AXES>(first));
        for axis in 0..AXES {
            place[axis] = is_there.select(place[axis], V::splat(self.places[axis][first]));
            velocity[axis] = is_there.select(velocity[axis], V::splat(self.velocities[axis][first]));
        }
        let mut thresholds = RuleArray([V::splat(0); SUMMING]);
        for rule in 0..SUMMING {
            thresholds.0[rule] = V::splat(units.thresholds.0[rule]);
        }
        if !self.sights.is_empty() {
            let sights = is_there.select(V::load_some(&self.sights[first..]), V::splat(self.sights[first]));
            for rule in 0..SUMMING {
                thresholds.0[rule] = within_sight(thresholds.0[rule], sights);
            }
        }
        // The compiler must not know that the value is 1. Otherwise the compiler subtracts a mask, and a masked
        // addition needs one instruction less.
        let one = V::splat(std::hint::black_box(1));
        let sees = RuleArray(units.thresholds.0.map(|square| square > 0));
        SelfIndividuals { place, velocity, thresholds, sees, one }
    }
}

/// Individuals in lanes, whose neighbours are summed.
#[derive(Debug, Clone, Copy)]
pub struct SelfIndividuals<V, const AXES: usize> {
    /// The places, in units of places.
    pub place: [V; AXES],
    /// The velocities, in units of velocities.
    pub velocity: [V; AXES],
    /// For each rule the bound of a neighbour's squared distance, in units².
    pub thresholds: NeighbourRuleArray<V>,
    /// For each rule, whether it sees neighbours at all.
    pub sees: NeighbourRuleArray<bool>,
    /// The count of one neighbour: 1, hidden from the compiler.
    one: V,
}

impl<V: Lanes, const AXES: usize> SelfIndividuals<V, AXES> {
    /// The individuals moved back by a distance, in units. Offsets to candidates at this distance beyond an edge of the
    /// torus become plain differences.
    #[inline(always)]
    pub fn from_beyond(&self, shift: Vector3) -> Self {
        Self { place: subtract(self.place, splat(shift)), ..*self }
    }
}

/// The bound (units²) of the squared distances that an individual with this sight (Q10) sees. The bound is at most
/// 2^20, the sight at most 2^10. The bound is at least 1 if the rule sees neighbours, because an individual is among
/// its own neighbours.
#[inline(always)]
fn within_sight<V: Lanes>(square: V, sight: V) -> V {
    let part = sight.multiply(sight).shift_right::<10>();
    square.multiply(part).shift_right::<10>().max(square.min(V::splat(1)))
}

/// The individuals among which neighbours are searched, and the world's extents and edges.
pub struct NeighbourSource<'a> {
    /// The individuals, in the units of `units`.
    pub measured: &'a IndividualsInUnits,
    /// The units of places and velocities.
    pub units: &'a Units,
    /// The extents of the world in units of places.
    pub extents: [i32; 3],
    /// Whether the world is a torus; else it has walls.
    pub is_torus: bool,
}

impl<'a> NeighbourSource<'a> {
    /// The individuals as their neighbours see them.
    pub fn new(measured: &'a IndividualsInUnits, setup: &'a Setup) -> Self {
        let space = &setup.habitat.space;
        let units = setup.units();
        Self { measured, units, extents: units.extents(space), is_torus: space.edges == Edges::Torus }
    }
}

/// How an offset is found from two places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffsetMethod {
    /// Candidates are near: the difference of the places.
    Near,
    /// Candidates may be anywhere: the difference, limited to twice the reach.
    Straight,
    /// Candidates may be anywhere: the short way round a torus.
    Torus,
}

/// Repeats a body for each axis. A loop over axes would make the compiler put axes into lanes.
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

/// Adds the neighbours among the candidates of a run. Each candidate is compared with the individuals of all lanes at
/// once. An individual itself is added if it is a candidate.
#[inline(always)]
pub fn gather<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    own: &SelfIndividuals<V, AXES>,
    source: &NeighbourSource<'_>,
    method: OffsetMethod,
    run: Range<usize>,
) {
    let count = run.len();
    let reach = V::splat(source.units.reach * source.units.reach);
    let (mut all_places, mut all_velocities) = ([&[][..]; AXES], [&[][..]; AXES]);
    for axis in 0..AXES {
        all_places[axis] = &source.measured.places[axis][run.start..][..count];
        all_velocities[axis] = &source.measured.velocities[axis][run.start..][..count];
    }
    for index in 0..count {
        let (mut place, mut velocity) = ([V::splat(0); AXES], [V::splat(0); AXES]);
        each_axis!(AXES, {
            place[AXIS] = V::splat(all_places[AXIS][index]);
            velocity[AXIS] = V::splat(all_velocities[AXIS][index]);
        });
        let (offset, square) = measure::<S, AXES, V>(&own.place, source, method, &place);
        // Most near candidates are neighbours of at least one individual, so they are not tested.
        if method != OffsetMethod::Near && !square.less_than(reach).any() {
            continue;
        }
        let neighbour = Neighbour { offset, square, velocity, own_velocity: own.velocity };
        add_neighbours::<S, COUNTED, AXES, V>(sums, &neighbour, own, source.units);
    }
}

/// The offsets to candidates and their squared distances. A candidate that the set does not see gets a square above
/// every threshold. The individual or the candidate may be equal in all lanes.
#[inline(always)]
pub fn measure<S: Steering, const AXES: usize, V: Lanes>(
    own: &[V; AXES],
    source: &NeighbourSource<'_>,
    method: OffsetMethod,
    places: &[V; AXES],
) -> ([V; AXES], V) {
    let splat = V::splat;
    let mut offset = [splat(0); AXES];
    let mut square = splat(0);
    each_axis!(AXES, {
        offset[AXIS] = offset_along(own[AXIS], places[AXIS], source.extents[AXIS], method, source.units);
        square = square.add(offset[AXIS].multiply(offset[AXIS]));
    });
    if S::SET.sees_half() {
        // No threshold exceeds `i32::MAX`.
        square = splat(0).less_than(offset[AXES - 1]).select(square, splat(i32::MAX));
    }
    if method == OffsetMethod::Torus {
        // At exactly half a torus neither way is shorter: the distance counts, the direction is zero.
        each_axis!(AXES, {
            let half = splat(source.extents[AXIS] / 2);
            let is_other = offset[AXIS].less_than(half).and(splat(0).subtract(half).less_than(offset[AXIS]));
            offset[AXIS] = if source.extents[AXIS] % 2 == 0 { offset[AXIS].and(is_other) } else { offset[AXIS] };
        });
    }
    (offset, square)
}

/// Adds neighbours to the sums of the rules of a set.
#[inline(always)]
pub fn add_neighbours<S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    neighbour: &Neighbour<V, AXES>,
    own: &SelfIndividuals<V, AXES>,
    units: &Units,
) {
    macro_rules! add_all {
        (neighbours { $($Rule:ident $name:literal $sets:tt)* } world $world:tt) => {
            $(if $Rule::RULE.is_of(S::SET) && own.sees[$Rule::RULE] {
                add::<$Rule, S, COUNTED, AXES, V>(sums, neighbour, own, units);
            })*
        };
    }
    rules!(add_all);
}

#[inline(always)]
fn add<R: NeighbourRule, S: Steering, const COUNTED: bool, const AXES: usize, V: Lanes>(
    sums: &mut Sums<V>,
    neighbour: &Neighbour<V, AXES>,
    SelfIndividuals { thresholds, one, .. }: &SelfIndividuals<V, AXES>,
    units: &Units,
) {
    let mut within = neighbour.square.less_than(thresholds[R::RULE]);
    let inside = S::SET.zones_inside(R::RULE);
    if !inside.is_empty() {
        // A neighbour at the same place is in the innermost zone only.
        let mut least = V::splat(1);
        for zone in inside {
            least = least.max(thresholds[*zone]);
        }
        within = least.subtract(V::splat(1)).less_than(neighbour.square).and(within);
    }
    let seen = R::mask_of_sight(neighbour, within);
    let quantity = R::quantity::<S, V, AXES>(neighbour, units);
    let sum = &mut sums.0[R::RULE as usize];
    each_axis!(AXES, {
        sum[AXIS] = sum[AXIS].add(quantity[AXIS].and(seen));
    });
    if COUNTED {
        sum[3] = sum[3].add(one.and(seen));
    }
}

/// The offset from one place to others along an axis, in units of places. An offset beyond the reach is inexact, but
/// stays beyond the reach.
#[inline(always)]
pub fn offset_along<V: Lanes>(from: V, to: V, extent: i32, method: OffsetMethod, units: &Units) -> V {
    let splat = V::splat;
    let mut offset = to.subtract(from);
    if method == OffsetMethod::Near {
        return offset;
    }
    if method == OffsetMethod::Torus {
        // n is the offset plus half of the extent. If n is outside 0 to the extent, n goes round the torus once. The
        // result is the unsigned minimum of n, n plus the extent and n minus the extent.
        let half = splat(extent / 2);
        let n = offset.add(half);
        offset = n.min_unsigned(n.add(splat(extent))).min_unsigned(n.subtract(splat(extent))).subtract(half);
    }
    // The square of an offset beyond the reach must neither overflow nor fall within the reach.
    offset.max(splat(-2 * units.reach)).min(splat(2 * units.reach))
}
