//! What an agent sums over its neighbours, one chunk of candidates at a time.
//!
//! A candidate is a neighbour for a rule where its squared distance, in units² (see [`super::rules::Units`]), is below
//! the rule's threshold. All sums are integers over a set, so the order of the candidates cannot matter.

use super::Agents;
use super::rules::{AgentRules, Units};
use super::steer::{self, Surroundings};
use crate::lanes::Lanes;
use crate::lanes::MAX_LANES;
use crate::numbers::{Vector3, round_shift_any};
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

    /// Whether the rules ask for means, and so how many neighbours there are.
    const MEANS: bool = false;

    /// The next velocities of agents side by side.
    fn steer<V: Lanes, const AXES: usize>(
        velocity: [V; AXES],
        sums: &Sums<V>,
        around: &Surroundings<V>,
        rules: &AgentRules,
        units: &Units,
    ) -> [V; AXES];
}

pub struct School;
pub struct Flock;
pub struct HalfFlock;
pub struct Reynolds;

impl Kind for School {
    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(
        velocity: [V; AXES],
        sums: &Sums<V>,
        around: &Surroundings<V>,
        rules: &AgentRules,
        units: &Units,
    ) -> [V; AXES] {
        steer::school(velocity, sums, around, rules, units)
    }
}

impl Kind for Flock {
    const CLARITY: bool = true;

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(
        velocity: [V; AXES],
        sums: &Sums<V>,
        around: &Surroundings<V>,
        rules: &AgentRules,
        units: &Units,
    ) -> [V; AXES] {
        steer::flock(velocity, sums, around, rules, units)
    }
}

impl Kind for HalfFlock {
    const CLARITY: bool = true;
    const HALF: bool = true;

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(
        velocity: [V; AXES],
        sums: &Sums<V>,
        around: &Surroundings<V>,
        rules: &AgentRules,
        units: &Units,
    ) -> [V; AXES] {
        steer::flock(velocity, sums, around, rules, units)
    }
}

impl Kind for Reynolds {
    const INVERSE: bool = true;
    const COUNTS_SELF: bool = true;
    const MEANS: bool = true;

    #[inline(always)]
    fn steer<V: Lanes, const AXES: usize>(
        velocity: [V; AXES],
        sums: &Sums<V>,
        around: &Surroundings<V>,
        rules: &AgentRules,
        units: &Units,
    ) -> [V; AXES] {
        steer::reynolds(velocity, sums, around, rules, units)
    }
}

/// What is summed over neighbours, the agent itself among them: numbers for one agent, or lanes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums<N> {
    /// Σ of the offsets to those within cohesion's radius, in units, and their number where it is asked for.
    pub cohesion: [N; 3],
    pub cohering: N,
    /// Σ of the offsets within separation's radius; reynolds: Σ offset/distance² in `resolution` per cell.
    pub separation: [N; 3],
    /// Σ of the velocities within alignment's radius, in units, and their number where it is asked for.
    pub alignment: [N; 3],
    pub aligning: N,
    /// Σ of the offsets to those ahead within clarity's radius.
    pub clarity: [N; 3],
}

impl<V: Lanes> Sums<V> {
    /// Those over nobody.
    #[inline(always)]
    pub fn none() -> Self {
        let none = V::splat(0);
        Self {
            cohesion: [none; 3],
            cohering: none,
            separation: [none; 3],
            alignment: [none; 3],
            aligning: none,
            clarity: [none; 3],
        }
    }

    /// The sums over all lanes.
    #[inline(always)]
    pub fn total(&self) -> Sums<i32> {
        let mut total = Sums::default();
        (total.cohering, total.aligning) = (self.cohering.reduce_sum(), self.aligning.reduce_sum());
        for axis in 0..3 {
            total.cohesion[axis] = self.cohesion[axis].reduce_sum();
            total.separation[axis] = self.separation[axis].reduce_sum();
            total.alignment[axis] = self.alignment[axis].reduce_sum();
            total.clarity[axis] = self.clarity[axis].reduce_sum();
        }
        total
    }

    /// Those of agents side by side without each agent itself, who stands among its neighbours at distance 0 where a rule
    /// sees at all. `velocity` in units.
    #[inline(always)]
    pub fn without_self<K: Kind, const AXES: usize>(mut self, velocity: [V; AXES], units: &Units) -> Self {
        if !K::COUNTS_SELF && !K::HALF && units.alignment > 0 {
            for axis in 0..AXES {
                self.alignment[axis] = self.alignment[axis].subtract(velocity[axis]);
            }
        }
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
    pub fn set(&mut self, index: usize, sums: &Sums<i32>) {
        (self.cohering[index], self.aligning[index]) = (sums.cohering, sums.aligning);
        for axis in 0..3 {
            self.cohesion[axis][index] = sums.cohesion[axis];
            self.separation[axis][index] = sums.separation[axis];
            self.alignment[axis][index] = sums.alignment[axis];
            self.clarity[axis][index] = sums.clarity[axis];
        }
    }

    /// Those of agents side by side, from one on.
    #[inline(always)]
    pub fn load<V: Lanes>(&self, first: usize) -> Sums<V> {
        let mut sums = Sums::none();
        sums.cohering = V::load(&self.cohering[first..]);
        sums.aligning = V::load(&self.aligning[first..]);
        for axis in 0..3 {
            sums.cohesion[axis] = V::load(&self.cohesion[axis][first..]);
            sums.separation[axis] = V::load(&self.separation[axis][first..]);
            sums.alignment[axis] = V::load(&self.alignment[axis][first..]);
            sums.clarity[axis] = V::load(&self.clarity[axis][first..]);
        }
        sums
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
            places.resize(self.count + MAX_LANES, 0);
            let velocities = &mut self.velocities[axis];
            velocities.clear();
            let measure = |velocity: &i32| round_shift_any(*velocity, units.velocity);
            velocities.extend(agents.velocities[axis].iter().map(measure));
            velocities.resize(self.count + MAX_LANES, 0);
        }
    }

    /// How many agents there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The velocities of agents side by side, from one on.
    #[inline(always)]
    pub fn velocities<V: Lanes, const AXES: usize>(&self, first: usize) -> [V; AXES] {
        let mut velocities = [V::splat(0); AXES];
        for axis in 0..AXES {
            velocities[axis] = V::load(&self.velocities[axis][first..]);
        }
        velocities
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
    sums: &mut Sums<V>,
    own: &Own,
    units: &Units,
    way: Way,
    measured: &Measured,
    run: Range<usize>,
) {
    let mut first = run.start;
    while first < run.end {
        let (mut places, mut velocities) = ([V::splat(0); AXES], [V::splat(0); AXES]);
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
    sums: &mut Sums<V>,
    own: &Own,
    units: &Units,
    way: Way,
    places: &[V; AXES],
    velocities: &[V; AXES],
    live: i32,
) {
    let splat = V::splat;
    let mut offsets = [splat(0); AXES];
    let mut squares = splat(0);
    let mut seen = V::iota().less_than(splat(live));
    each_axis!(AXES, {
        // Who is no candidate may be anywhere, and its square must not overflow.
        let places = seen.select(places[AXIS], splat(own.place[AXIS]));
        offsets[AXIS] = away(own.place[AXIS], places, AXIS, way, units);
        squares = squares.add(offsets[AXIS].multiply(offsets[AXIS]));
    });
    if K::HALF {
        seen = seen.and(splat(0).less_than(offsets[AXES - 1]));
    }
    // Nobody is nearer than 0, so that a lane without a candidate is nobody's neighbour.
    squares = seen.select(squares, splat(i32::MAX));
    if !squares.less_than(splat(units.reach * units.reach)).any() {
        return;
    }
    if let Way::Far { extents, is_torus: true } = way {
        // At exactly half a torus neither way is shorter: the distance counts, the direction is none.
        each_axis!(AXES, {
            let half = splat(extents[AXIS] / 2);
            let is_other = offsets[AXIS].less_than(half).and(splat(0).subtract(half).less_than(offsets[AXIS]));
            offsets[AXIS] = if extents[AXIS] % 2 == 0 { offsets[AXIS].and(is_other) } else { offsets[AXIS] };
        });
    }
    let cohering = squares.less_than(splat(units.cohesion));
    let separating = squares.less_than(splat(units.separation));
    let aligning = squares.less_than(splat(units.alignment));
    let inverse = if K::INVERSE { Some(inverse(squares, units)) } else { None };
    if K::MEANS {
        // A mask is -1.
        sums.cohering = sums.cohering.subtract(cohering);
        sums.aligning = sums.aligning.subtract(aligning);
    }
    each_axis!(AXES, {
        sums.cohesion[AXIS] = sums.cohesion[AXIS].add(offsets[AXIS].and(cohering));
        sums.alignment[AXIS] = sums.alignment[AXIS].add(velocities[AXIS].and(aligning));
        let apart = match inverse {
            Some((factor, divisor)) => {
                offsets[AXIS].clamp_magnitude(splat(units.resolution)).multiply(factor).quotient(divisor)
            }
            None => offsets[AXIS],
        };
        sums.separation[AXIS] = sums.separation[AXIS].add(apart.and(separating));
    });
    if K::CLARITY {
        let mut ahead = splat(0);
        each_axis!(AXES, {
            ahead = ahead.add(offsets[AXIS].multiply(splat(own.velocity[AXIS])));
        });
        let blocking = splat(0).less_than(ahead).and(squares.less_than(splat(units.clarity)));
        each_axis!(AXES, {
            sums.clarity[AXIS] = sums.clarity[AXIS].add(offsets[AXIS].and(blocking));
        });
    }
}

/// The offset from one place to others along an axis, in units; beyond the reach it is only known to be beyond.
#[inline(always)]
fn away<V: Lanes>(from: i32, to: V, axis: usize, way: Way, units: &Units) -> V {
    let splat = V::splat;
    match way {
        Way::Near => to.subtract(splat(from)),
        Way::Far { extents, is_torus } => {
            let straight = to.subtract(splat(from));
            let short = if is_torus {
                // From half a torus before, round once where that is behind: 0 to the extent, without a sign.
                let (extent, half) = (extents[axis], extents[axis] / 2);
                let round = |n: V| n.min_unsigned(n.add(splat(extent))).min_unsigned(n.subtract(splat(extent)));
                round(straight.add(splat(half))).subtract(splat(half))
            } else {
                straight
            };
            // The square of what is beyond the reach must neither overflow nor be within it.
            short.max(splat(-2 * units.reach)).min(splat(2 * units.reach))
        }
    }
}

/// What an offset is multiplied and divided by for offset/distance², in `resolution` per cell; within a cell's length that
/// fades to 0 instead of growing beyond all bounds.
#[inline(always)]
fn inverse<V: Lanes>(square: V, units: &Units) -> (V, V::Divisor) {
    let (cell, resolution) = (units.cell(), units.resolution);
    // Lanes that are no neighbours hold anything: their quotients are not used, but must not overflow.
    let near = square.min(V::splat(1 << 21)).max(V::splat(cell * cell));
    (V::splat(cell * resolution), near.divisor())
}
