//! What an agent sums over its neighbours, one chunk of candidates at a time.
//!
//! A candidate is a neighbour for a rule where its squared distance, in units² (see [`super::rules::Units`]), is below
//! the rule's threshold. All sums are integers over a set, so the order of the candidates cannot matter.

use super::lanes::Lanes;
use super::rules::{RuleSet, Units};
use super::vector::Vector3;
use crate::numbers::quotient;

/// How a set of rules differs in what it sums; chosen when the code is compiled.
pub trait Kind {
    /// Whether neighbours ahead are summed for the clarity of view.
    const CLARITY: bool;
    /// Whether only what lies towards the last axis is seen.
    const HALF: bool;
    /// Whether separation weighs a neighbour by 1/distance² (cells), as equation 3 does.
    const INVERSE: bool;
}

pub struct School;
pub struct Flock;
pub struct HalfFlock;
pub struct Reynolds;

impl Kind for School {
    const CLARITY: bool = false;
    const HALF: bool = false;
    const INVERSE: bool = false;
}

impl Kind for Flock {
    const CLARITY: bool = true;
    const HALF: bool = false;
    const INVERSE: bool = false;
}

impl Kind for HalfFlock {
    const CLARITY: bool = true;
    const HALF: bool = true;
    const INVERSE: bool = false;
}

impl Kind for Reynolds {
    const CLARITY: bool = false;
    const HALF: bool = false;
    const INVERSE: bool = true;
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
    /// Whether the sums of a set of rules count the agent itself.
    pub fn counts_self(set: RuleSet) -> bool {
        // As a cell of the cell system sees its own boids; in the documents of the others a boid ignores itself.
        set == RuleSet::Reynolds
    }
}

/// Positions and velocities of all agents in units, in the order of a search.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    pub places: [Vec<i32>; 3],
    pub velocities: [Vec<i32>; 3],
}

impl Measured {
    /// Candidates `range` of the axes that the world has.
    #[inline(always)]
    pub fn candidates(&self, range: std::ops::Range<usize>) -> Candidates<'_> {
        Candidates {
            places: [0, 1, 2].map(|axis| &self.places[axis][range.clone()]),
            velocities: [0, 1, 2].map(|axis| &self.velocities[axis][range.clone()]),
        }
    }
}

/// Some agents that may be neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<'a> {
    pub places: [&'a [i32]; 3],
    pub velocities: [&'a [i32]; 3],
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
pub struct SumLanes<const L: usize> {
    cohesion: [Lanes<L>; 3],
    cohering: Lanes<L>,
    separation: [Lanes<L>; 3],
    alignment: [Lanes<L>; 3],
    aligning: Lanes<L>,
    clarity: [Lanes<L>; 3],
}

impl<const L: usize> Default for SumLanes<L> {
    #[inline(always)]
    fn default() -> Self {
        let none = Lanes::all(0);
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

impl<const L: usize> SumLanes<L> {
    /// The sums over all lanes.
    #[inline(always)]
    pub fn total(&self) -> Sums {
        let sum3 = |[x, y, z]: [Lanes<L>; 3]| [x.sum(), y.sum(), z.sum()];
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

/// Adds the candidates that are neighbours of `own`, the agent itself among them where it is one of them.
#[inline(always)]
pub fn gather<K: Kind, const AXES: usize, const L: usize>(
    sums: &mut SumLanes<L>,
    own: &Own,
    units: &Units,
    way: Way,
    candidates: Candidates<'_>,
) {
    let count = candidates.places[0].len();
    let mut first = 0;
    while first + L <= count {
        let (mut places, mut velocities) = ([Lanes::all(0); AXES], [Lanes::all(0); AXES]);
        for axis in 0..AXES {
            places[axis] = Lanes::load(&candidates.places[axis][first..]);
            velocities[axis] = Lanes::load(&candidates.velocities[axis][first..]);
        }
        gather_chunk::<K, AXES, L>(sums, own, units, way, &places, &velocities, L as i32);
        first += L;
    }
    if first < count {
        // Lanes without a candidate hold something whose square does not overflow.
        let (mut places, mut velocities) = ([Lanes::all(0); AXES], [Lanes::all(0); AXES]);
        for axis in 0..AXES {
            places[axis] = Lanes::all(own.place[axis]);
            places[axis].0[..count - first].copy_from_slice(&candidates.places[axis][first..]);
            velocities[axis].0[..count - first].copy_from_slice(&candidates.velocities[axis][first..]);
        }
        gather_chunk::<K, AXES, L>(sums, own, units, way, &places, &velocities, (count - first) as i32);
    }
}

/// Adds one chunk, of which `live` lanes are candidates.
#[inline(always)]
fn gather_chunk<K: Kind, const AXES: usize, const L: usize>(
    sums: &mut SumLanes<L>,
    own: &Own,
    units: &Units,
    way: Way,
    places: &[Lanes<L>; AXES],
    velocities: &[Lanes<L>; AXES],
    live: i32,
) {
    let all = Lanes::<L>::all;
    let mut offsets = [all(0); AXES];
    let mut squares = all(0);
    for axis in 0..AXES {
        offsets[axis] = away(own.place[axis], places[axis], axis, way, units);
        squares = squares + offsets[axis] * offsets[axis];
    }
    let mut seen = Lanes::numbers().less(all(live));
    if K::HALF {
        seen = seen & all(0).less(offsets[AXES - 1]);
    }
    // Nobody is nearer than 0, so that a lane without a candidate is nobody's neighbour.
    squares = seen.select(squares, all(i32::MAX));
    if !squares.less(all(units.reach * units.reach)).any() {
        return;
    }
    if let Way::Far { extents, is_torus: true } = way {
        // At exactly half a torus neither way is shorter: the distance counts, the direction is none.
        for axis in 0..AXES {
            let half = all(extents[axis] / 2);
            let is_other = offsets[axis].less(half) & (all(0) - half).less(offsets[axis]);
            offsets[axis] = if extents[axis] % 2 == 0 { offsets[axis] & is_other } else { offsets[axis] };
        }
    }
    let cohering = squares.less(all(units.cohesion));
    let separating = squares.less(all(units.separation));
    let aligning = squares.less(all(units.alignment));
    sums.cohering = sums.cohering + cohering;
    sums.aligning = sums.aligning + aligning;
    for axis in 0..AXES {
        sums.cohesion[axis] = sums.cohesion[axis] + (offsets[axis] & cohering);
        sums.alignment[axis] = sums.alignment[axis] + (velocities[axis] & aligning);
        let apart = if K::INVERSE { inverse(offsets[axis], squares, units) } else { offsets[axis] };
        sums.separation[axis] = sums.separation[axis] + (apart & separating);
    }
    if K::CLARITY {
        let mut ahead = all(0);
        for axis in 0..AXES {
            ahead = ahead + offsets[axis] * all(own.velocity[axis]);
        }
        let blocking = all(0).less(ahead) & squares.less(all(units.clarity));
        for axis in 0..AXES {
            sums.clarity[axis] = sums.clarity[axis] + (offsets[axis] & blocking);
        }
    }
}

/// The offset from one place to others along an axis, in units; beyond the reach it is only known to be beyond.
#[inline(always)]
fn away<const L: usize>(from: i32, to: Lanes<L>, axis: usize, way: Way, units: &Units) -> Lanes<L> {
    let all = Lanes::<L>::all;
    match way {
        Way::Near => to - all(from),
        Way::Far { extents, is_torus } => {
            let straight = to - all(from);
            let short = if is_torus {
                // From half a torus before, round once where that is behind: 0 to the extent, without a sign.
                let (extent, half) = (extents[axis], extents[axis] / 2);
                let round = |n: Lanes<L>| n.min_unsigned(n + all(extent)).min_unsigned(n - all(extent));
                round(straight + all(half)) - all(half)
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
fn inverse<const L: usize>(offset: Lanes<L>, square: Lanes<L>, units: &Units) -> Lanes<L> {
    let (cell, resolution) = (units.cell(), units.resolution);
    let mut made = [0; L];
    for lane in 0..L {
        // Lanes that are no neighbours hold anything: their quotients are not used, but must not overflow.
        let near = square.0[lane].min(1 << 21).max(cell * cell);
        let held = offset.0[lane].clamp(-resolution, resolution);
        made[lane] = quotient(held * cell * resolution, near);
    }
    Lanes(made)
}
