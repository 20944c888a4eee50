//! What an agent sums over its neighbours, one chunk of candidates at a time.
//!
//! A candidate is a neighbour for a rule where its squared distance, in units² (see [`super::rules::Units`]), is below
//! the rule's threshold. All sums are integers over a set, so the order of the candidates cannot matter.

use super::Agents;
use super::rules::{AgentRules, Units};
use super::steer::{self, Surroundings};
use super::vector::Vector3;
use super::vector::round_shift_any;
use crate::lanes::Lanes;
pub use crate::lanes::MOST as MOST_LANES;
use crate::numbers::quotient;
use std::ops::Range;

/// How a set of rules differs in what it sums; chosen when the code is compiled.
pub trait Kind {
    /// Whether neighbours ahead are summed for the clarity of view.
    const CLARITY: bool = false;
    /// Whether only what lies towards the last axis is seen.
    const HALF: bool = false;
    /// Whether separation weighs a neighbour by 1/distance² (cells), as equation 3 does.
    const INVERSE: bool = false;
    /// Whether the agent is one of those it sees, as a cell of the cell system sees its own boids; in the documents of
    /// the others a boid ignores itself.
    const COUNTS_SELF: bool = false;

    /// The next velocity of an agent.
    fn steer(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3;
}

pub struct School;
pub struct Flock;
pub struct HalfFlock;
pub struct Reynolds;

impl Kind for School {
    #[inline(always)]
    fn steer(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
        steer::school(velocity, sums, around, rules, units)
    }
}

impl Kind for Flock {
    const CLARITY: bool = true;

    #[inline(always)]
    fn steer(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
        steer::flock(velocity, sums, around, rules, units)
    }
}

impl Kind for HalfFlock {
    const CLARITY: bool = true;
    const HALF: bool = true;

    #[inline(always)]
    fn steer(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
        steer::flock(velocity, sums, around, rules, units)
    }
}

impl Kind for Reynolds {
    const INVERSE: bool = true;
    const COUNTS_SELF: bool = true;

    #[inline(always)]
    fn steer(velocity: Vector3, sums: &Sums, around: &Surroundings, rules: &AgentRules, units: &Units) -> Vector3 {
        steer::reynolds(velocity, sums, around, rules, units)
    }
}

/// The sums of one agent, over its neighbours and itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums {
    /// Σ of the offsets to those within cohesion's radius, in units, and their number.
    pub cohesion: Vector3,
    pub cohering: i32,
    /// Σ of the offsets within separation's radius; reynolds: Σ offset/distance² in `resolution` per cell.
    pub separation: Vector3,
    /// Σ of the velocities within alignment's radius, in units, and their number.
    pub alignment: Vector3,
    pub aligning: i32,
    /// Σ of the offsets to those ahead within clarity's radius.
    pub clarity: Vector3,
}

impl Sums {
    /// The same without the agent itself, who stands among its neighbours at distance 0 where a rule sees at all.
    #[inline(always)]
    pub fn without_self<K: Kind>(mut self, velocity: Vector3, units: &Units) -> Self {
        if K::COUNTS_SELF || K::HALF {
            return self;
        }
        let is_aligning = i32::from(units.alignment > 0);
        self.aligning -= is_aligning;
        for axis in 0..3 {
            self.alignment[axis] -= is_aligning * velocity[axis];
        }
        self.cohering -= i32::from(units.cohesion > 0);
        self
    }
}

/// The sums of up to [`BLOCK`] agents, each quantity by itself.
pub struct SumBlock {
    cohesion: [[i32; BLOCK]; 3],
    cohering: [i32; BLOCK],
    separation: [[i32; BLOCK]; 3],
    alignment: [[i32; BLOCK]; 3],
    aligning: [i32; BLOCK],
    clarity: [[i32; BLOCK]; 3],
}

/// Agents that are worked on together.
pub const BLOCK: usize = 512;

impl Default for SumBlock {
    fn default() -> Self {
        let none = [0; BLOCK];
        Self {
            cohesion: [none; 3],
            cohering: none,
            separation: [none; 3],
            alignment: [none; 3],
            aligning: none,
            clarity: [none; 3],
        }
    }
}

impl SumBlock {
    #[inline(always)]
    pub fn set(&mut self, index: usize, sums: &Sums) {
        (self.cohering[index], self.aligning[index]) = (sums.cohering, sums.aligning);
        for axis in 0..3 {
            self.cohesion[axis][index] = sums.cohesion[axis];
            self.separation[axis][index] = sums.separation[axis];
            self.alignment[axis][index] = sums.alignment[axis];
            self.clarity[axis][index] = sums.clarity[axis];
        }
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> Sums {
        let of = |[x, y, z]: &[[i32; BLOCK]; 3]| [x[index], y[index], z[index]];
        Sums {
            cohesion: of(&self.cohesion),
            cohering: self.cohering[index],
            separation: of(&self.separation),
            alignment: of(&self.alignment),
            aligning: self.aligning[index],
            clarity: of(&self.clarity),
        }
    }
}

/// Positions and velocities of all agents in units, in the order of a search.
///
/// After the last agent there are as many idle places as there may be lanes, so that a run of candidates can be read in
/// whole chunks wherever it ends.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    places: [Vec<i32>; 3],
    velocities: [Vec<i32>; 3],
    count: usize,
}

impl Measured {
    /// Takes agents in.
    pub fn fill(&mut self, agents: &Agents, units: &Units) {
        self.count = agents.len();
        for axis in 0..3 {
            let places = &mut self.places[axis];
            places.clear();
            places.extend(agents.positions[axis].iter().map(|place| place >> units.place));
            places.resize(self.count + MOST_LANES, 0);
            let velocities = &mut self.velocities[axis];
            velocities.clear();
            let measure = |velocity: &i32| round_shift_any(*velocity, units.velocity);
            velocities.extend(agents.velocities[axis].iter().map(measure));
            velocities.resize(self.count + MOST_LANES, 0);
        }
    }

    /// How many agents there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// One agent.
    #[inline(always)]
    pub fn own(&self, index: usize) -> Own {
        let ([x, y, z], [u, v, w]) = (&self.places, &self.velocities);
        Own { place: [x[index], y[index], z[index]], velocity: [u[index], v[index], w[index]] }
    }
}

/// The agent whose neighbours are summed.
#[derive(Debug, Clone, Copy)]
pub struct Own {
    pub place: Vector3,
    pub velocity: Vector3,
}

/// How an offset is found from two places.
#[derive(Debug, Clone, Copy)]
pub enum Way {
    /// Candidates are near: the difference of the places, both shifted alike.
    Near,
    /// Candidates may be anywhere, in a world of these extents in units; by the short way round a torus.
    Far { extents: [i32; 3], is_torus: bool },
}

/// The sums of one agent in lanes, to be added up at the end.
#[derive(Clone, Copy)]
pub struct SumLanes<V> {
    cohesion: [V; 3],
    cohering: V,
    separation: [V; 3],
    alignment: [V; 3],
    aligning: V,
    clarity: [V; 3],
}

impl<V: Lanes> Default for SumLanes<V> {
    #[inline(always)]
    fn default() -> Self {
        let none = V::all(0);
        Self {
            cohesion: [none; 3],
            cohering: none,
            separation: [none; 3],
            alignment: [none; 3],
            aligning: none,
            clarity: [none; 3],
        }
    }
}

impl<V: Lanes> SumLanes<V> {
    /// The sums over all lanes.
    #[inline(always)]
    pub fn total(&self) -> Sums {
        let sum3 = |[x, y, z]: [V; 3]| [x.sum(), y.sum(), z.sum()];
        Sums {
            cohesion: sum3(self.cohesion),
            // A mask is -1 for each.
            cohering: -self.cohering.sum(),
            separation: sum3(self.separation),
            alignment: sum3(self.alignment),
            aligning: -self.aligning.sum(),
            clarity: sum3(self.clarity),
        }
    }
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

/// Adds those of a run of candidates that are neighbours of `own`, the agent itself among them where it is one.
#[inline(always)]
pub fn gather<K: Kind, const AXES: usize, V: Lanes>(
    sums: &mut SumLanes<V>,
    own: &Own,
    units: &Units,
    way: Way,
    measured: &Measured,
    run: Range<usize>,
) {
    let mut first = run.start;
    while first < run.end {
        let (mut places, mut velocities) = ([V::all(0); AXES], [V::all(0); AXES]);
        each_axis!(AXES, {
            places[AXIS] = V::load(&measured.places[AXIS][first..]);
            velocities[AXIS] = V::load(&measured.velocities[AXIS][first..]);
        });
        gather_chunk::<K, AXES, V>(sums, own, units, way, &places, &velocities, (run.end - first) as i32);
        first += V::COUNT;
    }
}

/// Adds one chunk, of which the first `live` lanes are candidates.
#[inline(always)]
fn gather_chunk<K: Kind, const AXES: usize, V: Lanes>(
    sums: &mut SumLanes<V>,
    own: &Own,
    units: &Units,
    way: Way,
    places: &[V; AXES],
    velocities: &[V; AXES],
    live: i32,
) {
    let all = V::all;
    let mut offsets = [all(0); AXES];
    let mut squares = all(0);
    let mut seen = V::numbers().less(all(live));
    each_axis!(AXES, {
        // Who is no candidate may be anywhere, and its square must not overflow.
        let places = seen.select(places[AXIS], all(own.place[AXIS]));
        offsets[AXIS] = away(own.place[AXIS], places, AXIS, way, units);
        squares = squares.add(offsets[AXIS].multiply(offsets[AXIS]));
    });
    if K::HALF {
        seen = seen.and(all(0).less(offsets[AXES - 1]));
    }
    // Nobody is nearer than 0, so that a lane without a candidate is nobody's neighbour.
    squares = seen.select(squares, all(i32::MAX));
    if !squares.less(all(units.reach * units.reach)).any() {
        return;
    }
    if let Way::Far { extents, is_torus: true } = way {
        // At exactly half a torus neither way is shorter: the distance counts, the direction is none.
        each_axis!(AXES, {
            let half = all(extents[AXIS] / 2);
            let is_other = offsets[AXIS].less(half).and(all(0).subtract(half).less(offsets[AXIS]));
            offsets[AXIS] = if extents[AXIS] % 2 == 0 { offsets[AXIS].and(is_other) } else { offsets[AXIS] };
        });
    }
    let cohering = squares.less(all(units.cohesion));
    let separating = squares.less(all(units.separation));
    let aligning = squares.less(all(units.alignment));
    sums.cohering = sums.cohering.add(cohering);
    sums.aligning = sums.aligning.add(aligning);
    each_axis!(AXES, {
        sums.cohesion[AXIS] = sums.cohesion[AXIS].add(offsets[AXIS].and(cohering));
        sums.alignment[AXIS] = sums.alignment[AXIS].add(velocities[AXIS].and(aligning));
        let apart = if K::INVERSE { inverse(offsets[AXIS], squares, units) } else { offsets[AXIS] };
        sums.separation[AXIS] = sums.separation[AXIS].add(apart.and(separating));
    });
    if K::CLARITY {
        let mut ahead = all(0);
        each_axis!(AXES, {
            ahead = ahead.add(offsets[AXIS].multiply(all(own.velocity[AXIS])));
        });
        let blocking = all(0).less(ahead).and(squares.less(all(units.clarity)));
        each_axis!(AXES, {
            sums.clarity[AXIS] = sums.clarity[AXIS].add(offsets[AXIS].and(blocking));
        });
    }
}

/// The offset from one place to others along an axis, in units; beyond the reach it is only known to be beyond.
#[inline(always)]
fn away<V: Lanes>(from: i32, to: V, axis: usize, way: Way, units: &Units) -> V {
    let all = V::all;
    match way {
        Way::Near => to.subtract(all(from)),
        Way::Far { extents, is_torus } => {
            let straight = to.subtract(all(from));
            let short = if is_torus {
                // From half a torus before, round once where that is behind: 0 to the extent, without a sign.
                let (extent, half) = (extents[axis], extents[axis] / 2);
                let round = |n: V| n.min_unsigned(n.add(all(extent))).min_unsigned(n.subtract(all(extent)));
                round(straight.add(all(half))).subtract(all(half))
            } else {
                straight
            };
            // The square of what is beyond the reach must neither overflow nor be within it.
            short.max(all(-2 * units.reach)).min(all(2 * units.reach))
        }
    }
}

/// offset/distance², in `resolution` per cell; within a cell's length it fades to 0 instead of growing beyond all bounds.
#[inline(always)]
fn inverse<V: Lanes>(offset: V, square: V, units: &Units) -> V {
    let (cell, resolution) = (units.cell(), units.resolution);
    let (mut offsets, mut squares, mut made) = ([0; MOST_LANES], [0; MOST_LANES], [0; MOST_LANES]);
    offset.store(&mut offsets);
    square.store(&mut squares);
    for lane in 0..V::COUNT {
        // Lanes that are no neighbours hold anything: their quotients are not used, but must not overflow.
        let near = squares[lane].min(1 << 21).max(cell * cell);
        let held = offsets[lane].clamp(-resolution, resolution);
        made[lane] = quotient(held * cell * resolution, near);
    }
    V::load(&made)
}
