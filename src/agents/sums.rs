//! What an agent sums over its neighbours, one chunk of candidates at a time.
//!
//! A candidate is a neighbour for a rule where its squared distance, in units² (see [`super::rules::Units`]), is below
//! the rule's threshold. All sums are integers over a set, so the order of the candidates cannot matter.

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
pub struct Lanes<const L: usize> {
    cohesion: [[i32; L]; 3],
    cohering: [i32; L],
    separation: [[i32; L]; 3],
    alignment: [[i32; L]; 3],
    aligning: [i32; L],
    clarity: [[i32; L]; 3],
}

impl<const L: usize> Lanes<L> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            cohesion: [[0; L]; 3],
            cohering: [0; L],
            separation: [[0; L]; 3],
            alignment: [[0; L]; 3],
            aligning: [0; L],
            clarity: [[0; L]; 3],
        }
    }

    /// The sums over all lanes.
    #[inline(always)]
    pub fn total(&self) -> Sums {
        let sum = |lanes: &[i32; L]| lanes.iter().sum::<i32>();
        let sum3 = |lanes: &[[i32; L]; 3]| [sum(&lanes[0]), sum(&lanes[1]), sum(&lanes[2])];
        Sums {
            cohesion: sum3(&self.cohesion),
            cohering: sum(&self.cohering),
            separation: sum3(&self.separation),
            alignment: sum3(&self.alignment),
            aligning: sum(&self.aligning),
            clarity: sum3(&self.clarity),
        }
    }
}

/// Adds the candidates that are neighbours of `own`, the agent itself among them where it is one of them.
#[inline(always)]
pub fn gather<K: Kind, const AXES: usize, const L: usize>(
    sums: &mut Lanes<L>,
    own: &Own,
    units: &Units,
    way: Way,
    candidates: Candidates<'_>,
) {
    let count = candidates.places[0].len();
    let mut first = 0;
    while first + L <= count {
        let chunk = |from: &[i32]| -> [i32; L] { from[first..first + L].try_into().expect("a chunk has L lanes") };
        let places: [[i32; L]; AXES] = std::array::from_fn(|axis| chunk(candidates.places[axis]));
        let velocities: [[i32; L]; AXES] = std::array::from_fn(|axis| chunk(candidates.velocities[axis]));
        gather_chunk::<K, AXES, L>(sums, own, units, way, &places, &velocities, L as i32);
        first += L;
    }
    if first < count {
        let live = count - first;
        // Lanes without a candidate hold something whose square does not overflow.
        let chunk = |from: &[i32], idle: i32| -> [i32; L] {
            let mut lanes = [idle; L];
            lanes[..live].copy_from_slice(&from[first..count]);
            lanes
        };
        let places: [[i32; L]; AXES] = std::array::from_fn(|axis| chunk(candidates.places[axis], own.place[axis]));
        let velocities: [[i32; L]; AXES] = std::array::from_fn(|axis| chunk(candidates.velocities[axis], 0));
        gather_chunk::<K, AXES, L>(sums, own, units, way, &places, &velocities, live as i32);
    }
}

/// Adds one chunk, of which `live` lanes are candidates.
#[inline(always)]
fn gather_chunk<K: Kind, const AXES: usize, const L: usize>(
    sums: &mut Lanes<L>,
    own: &Own,
    units: &Units,
    way: Way,
    places: &[[i32; L]; AXES],
    velocities: &[[i32; L]; AXES],
    live: i32,
) {
    let mut offsets = [[0; L]; AXES];
    let mut squares = [0; L];
    for axis in 0..AXES {
        for lane in 0..L {
            let offset = away(own.place[axis], places[axis][lane], axis, way, units);
            offsets[axis][lane] = offset;
            squares[lane] += offset * offset;
        }
    }
    if let Way::Far { extents, is_torus: true } = way {
        // At exactly half a torus neither way is shorter: the distance counts, the direction is none.
        for axis in 0..AXES {
            for lane in 0..L {
                let is_half = 2 * offsets[axis][lane].abs() == extents[axis];
                offsets[axis][lane] = if is_half { 0 } else { offsets[axis][lane] };
            }
        }
    }
    for lane in 0..L {
        // Nobody is nearer than 0, so that a lane without a candidate is nobody's neighbour.
        let is_seen = (lane as i32) < live && (!K::HALF || offsets[AXES - 1][lane] > 0);
        squares[lane] = if is_seen { squares[lane] } else { i32::MAX };
    }
    if !squares.iter().any(|square| *square < units.reach * units.reach) {
        return;
    }
    for lane in 0..L {
        let cohering = mask(squares[lane] < units.cohesion);
        let separating = mask(squares[lane] < units.separation);
        let aligning = mask(squares[lane] < units.alignment);
        sums.cohering[lane] -= cohering;
        sums.aligning[lane] -= aligning;
        for axis in 0..AXES {
            let offset = offsets[axis][lane];
            sums.cohesion[axis][lane] += offset & cohering;
            let apart = if K::INVERSE { inverse(offset, squares[lane], units) } else { offset };
            sums.separation[axis][lane] += apart & separating;
            sums.alignment[axis][lane] += velocities[axis][lane] & aligning;
        }
        if K::CLARITY {
            let mut ahead = 0;
            for axis in 0..AXES {
                ahead += offsets[axis][lane] * own.velocity[axis];
            }
            let blocking = mask(ahead > 0 && squares[lane] < units.clarity);
            for axis in 0..AXES {
                sums.clarity[axis][lane] += offsets[axis][lane] & blocking;
            }
        }
    }
}

/// All ones for true.
#[inline(always)]
fn mask(is: bool) -> i32 {
    -(is as i32)
}

/// The offset from one place to another along an axis, in units; beyond the reach it is only known to be beyond.
#[inline(always)]
fn away(from: i32, to: i32, axis: usize, way: Way, units: &Units) -> i32 {
    match way {
        Way::Near => to - from,
        Way::Far { extents, is_torus } => {
            let extent = extents[axis];
            let straight = to - from;
            let short = if !is_torus {
                straight
            } else if 2 * straight > extent {
                straight - extent
            } else if 2 * straight < -extent {
                straight + extent
            } else {
                straight
            };
            // The square of what is beyond the reach must neither overflow nor be within it.
            short.clamp(-2 * units.reach, 2 * units.reach)
        }
    }
}

/// offset/distance², in `resolution` per cell; within a cell's length it fades to 0 instead of growing beyond all bounds.
#[inline(always)]
fn inverse(offset: i32, square: i32, units: &Units) -> i32 {
    let cell = units.cell();
    // Lanes that are no neighbours hold anything: their quotients are not used, but must not overflow.
    let near = square.min(1 << 21).max(cell * cell);
    let held = offset.clamp(-units.resolution, units.resolution);
    quotient(held * cell * units.resolution, near)
}
