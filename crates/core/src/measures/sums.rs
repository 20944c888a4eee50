//! Sums over the bodies of a swarm. Measures are computed from them.

use super::bodies::{BATCH, Batch, Bodies};
use crate::lanes::{InstructionSet, LaneWork, Lanes};
use crate::numbers::{ONE, Vector3, each_axis};
use crate::parallel::*;
use crate::state::sums::PARTS;
use crate::world::{Edges, Space, offset, undecided};
use std::f64::consts::TAU;
use std::ops::Range;

/// The value 1 in the unit of the terms of a sum, which is 2^−52.
const UNIT: f64 = (1u64 << 52) as f64;
/// The min length of a mean over a circle that has a direction. Shorter means are rounding errors.
const MIN_MEAN: f64 = 1e-9;
/// The min offset from the centre that has a direction, in cells. Shorter offsets are rounding errors.
const MIN_OFFSET: f64 = 1e-9;

/// Sums over all ranks. Each sum is split into four parts of 32 bits in words of 64 bits, which 2^32 ranks do not
/// overflow.
fn wide_sums_over_ranks<const TERMS: usize>(bodies: &impl Bodies, sums: [i128; TERMS]) -> [i128; TERMS] {
    let mut limbs: Vec<u64> =
        sums.iter().flat_map(|sum| [0, 32, 64, 96].map(|bits| u64::from((sum >> bits) as u32))).collect();
    bodies.sum_over_ranks(&mut limbs);
    let sum_of = |limbs: &[u64]| {
        limbs.iter().rev().fold(0_i128, |sum, limb| sum.wrapping_shl(32).wrapping_add(i128::from(*limb)))
    };
    let mut sums = limbs.chunks_exact(4).map(sum_of);
    [0; TERMS].map(|_| sums.next().unwrap_or_default())
}

/// The sums of the first round, over bodies with the weight w and the velocity v.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionSums {
    /// Σ w.
    pub weight: f64,
    /// Σ w|v|, in cells a step.
    pub speed: f64,
    /// Σ w v/|v|.
    pub heading: [f64; 3],
    /// The sums for the places x along each axis. Between walls: Σ w x in cells, and 0. On a torus: Σ w cos α and Σ w
    /// sin α, with α = 2πx/L and the extent L of the axis.
    pub places: [[f64; 2]; 3],
}

/// The centre of mass along each axis, in cells from the corner of the world. `None`: the axis has no centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre(pub [Option<f64>; 3]);

/// The sums of the second round, over bodies with the weight w. The offset d of a body starts at the place `from`,
/// which is near the centre.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FormSums {
    /// The place from which offsets start, in the unit of [`Body::place`](super::Body::place).
    pub from: Vector3,
    /// Σ w d, with the offsets d in cells.
    pub offsets: [f64; 3],
    /// Σ w d_a d_b for each pair of axes a and b in [`super::PAIRS`], in cells².
    pub products: [f64; 6],
    /// Σ w r̂ × v̂, with the unit offset r̂ from the exact centre and the unit heading v̂.
    pub rotation: [f64; 3],
}

impl MotionSums {
    /// The sums over bodies in a space.
    pub fn new(bodies: &impl Bodies, space: &Space) -> Self {
        let sums = if space.axes() == 2 { sums(bodies, MotionTerms::<2>) } else { sums(bodies, MotionTerms::<3>) };
        Self {
            weight: sums[0] as f64,
            speed: sums[1] as f64 / UNIT,
            heading: each_axis(|axis| sums[2 + axis] as f64 / UNIT),
            places: each_axis(|axis| if axis < space.axes() { places_along(bodies, axis, space) } else { [0.0; 2] }),
        }
    }

    /// The centre of mass in a space.
    pub fn centre(&self, space: &Space) -> Centre {
        let along = |axis: usize| {
            let [first, second] = self.places[axis].map(|sum| sum / self.weight);
            let extent = f64::from(space.extents[axis]);
            match space.edges {
                Edges::Walls => Some(first),
                // A tiny negative angle wraps to the extent itself. That is place 0.
                Edges::Torus if first.hypot(second) > MIN_MEAN => {
                    Some((second.atan2(first) / TAU * extent).rem_euclid(extent) % extent)
                }
                Edges::Torus => None,
            }
        };
        Centre(each_axis(|axis| if axis < space.axes() && self.weight > 0.0 { along(axis) } else { None }))
    }
}

/// The sums of places along an axis, as in [`MotionSums::places`]. If all bodies are in the middles of cells, all
/// bodies with one coordinate share one term.
fn places_along(bodies: &impl Bodies, axis: usize, space: &Space) -> [f64; 2] {
    let turn = TAU / (f64::from(space.extents[axis]) * cell(space));
    let terms = |place: i32| match space.edges {
        Edges::Walls => [i64::from(place), 0],
        Edges::Torus => {
            let (sine, cosine) = (f64::from(place) * turn).sin_cos();
            [units(cosine), units(sine)]
        }
    };
    let sums = match bodies.weights_along(axis) {
        None => sums(bodies, PlaceTerms { axis, terms }),
        Some(weights) => {
            let bits = space.place_bits();
            let places = (0..weights.len() as i32).map(|cell| (cell << bits) + (1 << (bits - 1)));
            places.zip(weights).fold([0; 2], |sums: [i128; 2], (place, weight)| {
                let terms = terms(place);
                [0, 1].map(|part| sums[part] + i128::from(weight) * i128::from(terms[part]))
            })
        }
    };
    let unit = if space.edges == Edges::Walls { cell(space) } else { UNIT };
    sums.map(|sum| sum as f64 / unit)
}

impl Centre {
    /// The place nearest to the centre, in the unit of [`Body::place`](super::Body::place); 0 along an axis without a
    /// centre.
    fn place(&self, space: &Space) -> Vector3 {
        self.0.map(|centre| (centre.unwrap_or(0.0) * cell(space)).round() as i32)
    }

    /// The offset from a place to the centre, in cells. Round a torus it goes the shorter way. `place`: in the unit of
    /// [`Body::place`](super::Body::place).
    pub fn offset_from(&self, place: Vector3, space: &Space) -> [f64; 3] {
        each_axis(|axis| {
            let offset = self.0[axis].map_or(0.0, |centre| centre - f64::from(place[axis]) / cell(space));
            let extent = f64::from(space.extents[axis]);
            if space.edges == Edges::Torus { offset - extent * (offset / extent).round() } else { offset }
        })
    }
}

impl FormSums {
    /// The sums over bodies in a space, about a centre.
    pub fn new(bodies: &impl Bodies, space: &Space, centre: &Centre) -> Self {
        let (from, cell) = (centre.place(space), cell(space));
        let sums = if space.axes() == 2 {
            sums(bodies, FormTerms::<2>::new(space, centre, from))
        } else {
            sums(bodies, FormTerms::<3>::new(space, centre, from))
        };
        let of = |index: usize, unit: f64| sums[index] as f64 / unit;
        Self {
            from,
            offsets: each_axis(|axis| of(axis, cell)),
            products: std::array::from_fn(|pair| of(3 + pair, cell * cell)),
            rotation: each_axis(|axis| of(9 + axis, UNIT)),
        }
    }
}

/// The terms of a body in several sums, as integers.
trait Terms<const TERMS: usize>: Sync {
    /// The indices of the terms that are not always 0.
    const USED: &'static [usize];

    /// Computes the terms of all bodies of a batch.
    fn fill(&self, batch: &Batch, terms: &mut [[i64; BATCH]; TERMS]);
}

/// The terms of a body in [`MotionSums`]: 1, |v|, and v/|v| along each axis, with the velocity v. The term along z is 0
/// on two axes.
struct MotionTerms<const AXES: usize>;

impl<const AXES: usize> Terms<5> for MotionTerms<AXES> {
    const USED: &'static [usize] = if AXES == 2 { &[0, 1, 2, 3] } else { &[0, 1, 2, 3, 4] };

    #[inline(always)]
    fn fill(&self, batch: &Batch, terms: &mut [[i64; BATCH]; 5]) {
        for index in 0..BATCH {
            let v = components::<AXES>(&batch.velocities, index);
            let speed = square(v).sqrt();
            terms[0][index] = 1;
            terms[1][index] = units(speed / f64::from(ONE));
            // A body at rest has a heading of 0.
            let divisor = if speed == 0.0 { 1.0 } else { speed };
            for axis in 0..AXES {
                terms[2 + axis][index] = units(v[axis] / divisor);
            }
        }
    }
}

struct PlaceTerms<F> {
    axis: usize,
    terms: F,
}

impl<F: Fn(i32) -> [i64; 2] + Sync> Terms<2> for PlaceTerms<F> {
    const USED: &'static [usize] = &[0, 1];

    #[inline(always)]
    fn fill(&self, batch: &Batch, terms: &mut [[i64; BATCH]; 2]) {
        for index in 0..batch.count {
            [terms[0][index], terms[1][index]] = (self.terms)(batch.places[self.axis][index]);
        }
    }
}

/// The terms of a body in [`FormSums`]: the offset from the place `from`, its products, and r̂ × v̂. Terms with z are 0
/// on two axes.
struct FormTerms<const AXES: usize> {
    from: Vector3,
    /// The offset from the place `from` to the centre, in cells.
    rest: [f64; 3],
    /// The extents in the unit of places.
    extents: Vector3,
    edges: Edges,
    /// One cell in the unit of places.
    cell: f64,
}

impl<const AXES: usize> FormTerms<AXES> {
    fn new(space: &Space, centre: &Centre, from: Vector3) -> Self {
        let extents = each_axis(|axis| (space.extents[axis] as i32) << space.place_bits());
        Self { from, rest: centre.offset_from(from, space), extents, edges: space.edges, cell: cell(space) }
    }
}

impl<const AXES: usize> Terms<12> for FormTerms<AXES> {
    const USED: &'static [usize] =
        if AXES == 2 { &[0, 1, 3, 4, 6, 11] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };

    #[inline(always)]
    fn fill(&self, batch: &Batch, terms: &mut [[i64; BATCH]; 12]) {
        for index in 0..BATCH {
            let (mut whole, mut d, mut r) = ([0; 3], [0; 3], [0.0; 3]);
            for axis in 0..AXES {
                let along = offset(self.from[axis], batch.places[axis][index], self.extents[axis], self.edges);
                // An offset of half a torus has a length, but no direction.
                let has_direction = !undecided(along, self.extents[axis], self.edges);
                whole[axis] = i64::from(along);
                d[axis] = if has_direction { i64::from(along) } else { 0 };
                r[axis] = if has_direction { f64::from(along) / self.cell - self.rest[axis] } else { 0.0 };
            }
            let turn = rotation::<AXES>(r, components::<AXES>(&batch.velocities, index));
            for axis in 0..3 {
                terms[axis][index] = d[axis];
                terms[3 + axis][index] = whole[axis] * whole[axis];
                terms[9 + axis][index] = units(turn[axis]);
            }
            terms[6][index] = d[0] * d[1];
            terms[7][index] = d[0] * d[2];
            terms[8][index] = d[1] * d[2];
        }
    }
}

/// One cell in the unit of places.
fn cell(space: &Space) -> f64 {
    f64::from(1 << space.place_bits())
}

/// The components of the velocity of a body on these axes; the others are 0.
#[inline(always)]
fn components<const AXES: usize>(velocities: &[[i32; BATCH]; 3], index: usize) -> [f64; 3] {
    each_axis(|axis| if axis < AXES { f64::from(velocities[axis][index]) } else { 0.0 })
}

/// The square of the length of a vector.
#[inline(always)]
fn square([x, y, z]: [f64; 3]) -> f64 {
    x * x + y * y + z * z
}

/// r̂ × v̂ of an offset r from the centre and a velocity v; 0 at the centre and for a body at rest.
#[inline(always)]
fn rotation<const AXES: usize>(r: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    let (r2, v2) = (square(r), square(v));
    // A single root makes this exact for right angles.
    let lengths = (r2 * v2).sqrt();
    let lengths = if r2 <= MIN_OFFSET * MIN_OFFSET || v2 == 0.0 { f64::INFINITY } else { lengths };
    let z = (r[0] * v[1] - r[1] * v[0]) / lengths;
    if AXES == 2 {
        return [0.0, 0.0, z];
    }
    [(r[1] * v[2] - r[2] * v[1]) / lengths, (r[2] * v[0] - r[0] * v[2]) / lengths, z]
}

/// A value in units of 2^−52, rounded to an integer, halves to even. |value| < 2^11.
///
/// Floats from 2^52 on are integers. So the sum of a smaller float and 2^52 is rounded to an integer, without a call of
/// `rint`.
#[inline(always)]
fn units(value: f64) -> i64 {
    let value = value * UNIT;
    let whole = UNIT.copysign(value);
    (if value.abs() < UNIT { (value + whole) - whole } else { value }) as i64
}

/// The sums of the terms of all bodies, each multiplied by the weight of its body. They are integers, so their order
/// does not matter.
fn sums<const TERMS: usize, T: Terms<TERMS>>(bodies: &impl Bodies, terms: T) -> [i128; TERMS] {
    let of_part = bodies.count().div_ceil(PARTS).max(1);
    let set = InstructionSet::widest();
    let sum_of = |part: usize| {
        let mut sums = [0; TERMS];
        let first = bodies.count().min(part * of_part);
        let range = first..bodies.count().min(first + of_part);
        set.run(PartSums { bodies, range, terms: &terms, sums: &mut sums });
        sums
    };
    let parts: Vec<_> = (0..PARTS).into_par_iter().map(sum_of).collect();
    let own = parts.into_iter().fold([0; TERMS], |mut sums: [i128; TERMS], part| {
        sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        sums
    });
    wide_sums_over_ranks(bodies, own)
}

/// The sums over a part of the bodies. The compiler vectorises the loops over a batch for each instruction set. The
/// floats are equal in all sets, bit for bit.
struct PartSums<'a, B, T, const TERMS: usize> {
    bodies: &'a B,
    range: Range<usize>,
    terms: &'a T,
    sums: &'a mut [i128; TERMS],
}

impl<B: Bodies, T: Terms<TERMS>, const TERMS: usize> LaneWork for PartSums<'_, B, T, TERMS> {
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (mut batch, mut terms) = (Batch::empty(), [[0; BATCH]; TERMS]);
        while !self.range.is_empty() {
            self.bodies.take(&mut self.range, &mut batch);
            if batch.count == 0 {
                continue;
            }
            self.terms.fill(&batch, &mut terms);
            for term in T::USED {
                let (list, mut sum) = (&terms[*term], 0);
                for index in 0..batch.count {
                    sum += i128::from(batch.weights[index]) * i128::from(list[index]);
                }
                self.sums[*term] += sum;
            }
        }
    }
}
