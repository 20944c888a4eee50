//! Sums over the bodies of a swarm, from which measures are made.

use crate::individuals::{Individuals, PLACE_BITS, Space};
use crate::numbers::{BOID, ONE, Vector3, each_axis};
use crate::parallel::*;
use crate::state::State;
use crate::state_sums::PARTS;
use crate::world::{Edges, offset, undecided};
use std::f64::consts::TAU;
use std::ops::Range;

/// The unit of the terms of a sum: 2^52 of it are 1.
const UNIT: f64 = (1u64 << 52) as f64;
/// A cell in the unit of places.
const CELL: f64 = (1u64 << PLACE_BITS) as f64;
/// The least length of a mean over a circle that has a direction. A shorter one is rounding.
const LEAST_MEAN: f64 = 1e-9;
/// The least offset from the centre that has a direction, in cells. A shorter one is rounding.
const LEAST_OFFSET: f64 = 1e-9;

/// An individual, or what a cell holds.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// 1 of an individual; quanta of a cell.
    pub weight: u32,
    /// Its place from the corner of the world (Q16 of a cell).
    pub place: Vector3,
    /// Its velocity (Q14 of a cell a step).
    pub velocity: Vector3,
}

/// The bodies of a swarm.
pub trait Bodies: Sync {
    /// The weight of a boid.
    const BOID: u32;

    /// The number of bodies. Bodies without weight count too.
    fn count(&self) -> usize;

    /// A body by its index.
    fn body(&self, index: usize) -> Body;

    /// Calls `each` with the bodies of a range that have a weight, in the order of their indices.
    #[inline(always)]
    fn for_each(&self, range: Range<usize>, mut each: impl FnMut(&Body)) {
        for index in range {
            each(&self.body(index));
        }
    }

    /// The weights of the bodies in each cell along an axis, if all are in the middles of cells.
    fn weights_along(&self, _axis: usize) -> Option<Vec<u64>> {
        None
    }
}

impl Bodies for Individuals {
    const BOID: u32 = 1;

    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn body(&self, index: usize) -> Body {
        Body { weight: 1, place: self.position(index), velocity: self.velocity(index) }
    }
}

/// The first layer. A body is in the middle of its cell.
impl Bodies for State {
    const BOID: u32 = BOID;

    fn count(&self) -> usize {
        self.density.len()
    }

    #[inline(always)]
    fn body(&self, index: usize) -> Body {
        let half = 1 << (PLACE_BITS - 1);
        let cell = self.extents.cell(index);
        let is_deep = self.extents.depth.is_some();
        let middle = |axis: usize| if axis < 2 || is_deep { (cell[axis] << PLACE_BITS) + half } else { 0 };
        Body { weight: self.density[index], place: each_axis(middle), velocity: self.velocity(index) }
    }

    /// Cells without boids cost a look at their density.
    #[inline(always)]
    fn for_each(&self, range: Range<usize>, mut each: impl FnMut(&Body)) {
        let width = self.extents.width as usize;
        let mut first = range.start;
        while first < range.end {
            let row = first - first % width;
            let last = Ord::min(row + width, range.end);
            let mut body = self.body(row);
            let middle = body.place[0];
            for index in first..last {
                if self.density[index] > 0 {
                    body.weight = self.density[index];
                    body.place[0] = middle + (((index - row) as i32) << PLACE_BITS);
                    body.velocity = self.velocity(index);
                    each(&body);
                }
            }
            first = last;
        }
    }

    fn weights_along(&self, axis: usize) -> Option<Vec<u64>> {
        let [width, height, _] = self.extents.along_axes().map(|extent| extent as usize);
        let mut weights = vec![0; self.extents.along_axes()[axis] as usize];
        for (row, densities) in self.density.chunks(width).enumerate() {
            if axis == 0 {
                for x in 0..width {
                    weights[x] += u64::from(densities[x]);
                }
            } else {
                let along = if axis == 1 { row % height } else { row / height };
                for quanta in densities {
                    weights[along] += u64::from(*quanta);
                }
            }
        }
        Some(weights)
    }
}

/// The sums of the first round.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionSums {
    /// Σ w, with the weights w of the bodies.
    pub weight: f64,
    /// Σ w|v|, in cells a step.
    pub speed: f64,
    /// Σ w v/|v|.
    pub heading: [f64; 3],
    /// Along each axis: Σ w x between walls, in cells, and 0; on a torus Σ w cos α and Σ w sin α, α = 2πx/L.
    pub places: [[f64; 2]; 3],
}

/// The centre of mass along each axis, in cells from the corner of the world; `None` where there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre(pub [Option<f64>; 3]);

/// The sums of the second round. Offsets are from a place that is near the centre.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FormSums {
    /// The place (Q16 of a cell).
    pub from: Vector3,
    /// Σ w d, with the offsets d in cells.
    pub offsets: [f64; 3],
    /// Σ w d d along the pairs of axes of [`super::PAIRS`], in cells².
    pub products: [f64; 6],
    /// Σ w r̂ × v̂, with the unit offset r̂ from the centre itself.
    pub rotation: [f64; 3],
}

impl MotionSums {
    /// The sums over bodies in a space.
    pub fn new(bodies: &impl Bodies, space: &Space) -> Self {
        let sums = if space.axes() == 2 { motion::<2>(bodies) } else { motion::<3>(bodies) };
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
                // A tiny negative angle wraps to the extent itself, which is place 0.
                Edges::Torus if first.hypot(second) > LEAST_MEAN => {
                    Some((second.atan2(first) / TAU * extent).rem_euclid(extent) % extent)
                }
                Edges::Torus => None,
            }
        };
        Centre(each_axis(|axis| if axis < space.axes() && self.weight > 0.0 { along(axis) } else { None }))
    }
}

/// The sums of places along an axis. Cells with the same place have one term.
fn places_along(bodies: &impl Bodies, axis: usize, space: &Space) -> [f64; 2] {
    let turn = TAU / (f64::from(space.extents[axis]) * CELL);
    let terms = |place: i32| match space.edges {
        Edges::Walls => [i64::from(place), 0],
        Edges::Torus => {
            let (sine, cosine) = (f64::from(place) * turn).sin_cos();
            [units(cosine), units(sine)]
        }
    };
    let sums = match bodies.weights_along(axis) {
        None => sums(bodies, |body| terms(body.place[axis])),
        Some(weights) => {
            let places = (0..weights.len() as i32).map(|cell| (cell << PLACE_BITS) + (1 << (PLACE_BITS - 1)));
            places.zip(weights).fold([0; 2], |sums: [i128; 2], (place, weight)| {
                let terms = terms(place);
                [0, 1].map(|part| sums[part] + i128::from(weight) * i128::from(terms[part]))
            })
        }
    };
    let unit = if space.edges == Edges::Walls { CELL } else { UNIT };
    sums.map(|sum| sum as f64 / unit)
}

impl Centre {
    /// The nearest place (Q16 of a cell); 0 where there is no centre.
    fn place(&self) -> Vector3 {
        self.0.map(|centre| (centre.unwrap_or(0.0) * CELL).round() as i32)
    }

    /// The offset of the centre from a place (Q16 of a cell), in cells; the short way round a torus.
    pub fn offset_from(&self, place: Vector3, space: &Space) -> [f64; 3] {
        each_axis(|axis| {
            let offset = self.0[axis].map_or(0.0, |centre| centre - f64::from(place[axis]) / CELL);
            let extent = f64::from(space.extents[axis]);
            if space.edges == Edges::Torus { offset - extent * (offset / extent).round() } else { offset }
        })
    }
}

impl FormSums {
    /// The sums over bodies in a space, about a centre.
    pub fn new(bodies: &impl Bodies, space: &Space, centre: &Centre) -> Self {
        let from = centre.place();
        let sums = if space.axes() == 2 {
            form::<2>(bodies, space, centre, from)
        } else {
            form::<3>(bodies, space, centre, from)
        };
        let of = |index: usize, unit: f64| sums[index] as f64 / unit;
        Self {
            from,
            offsets: each_axis(|axis| of(axis, CELL)),
            products: std::array::from_fn(|pair| of(3 + pair, CELL * CELL)),
            rotation: each_axis(|axis| of(9 + axis, UNIT)),
        }
    }
}

/// Σ w, Σ w|v|, and Σ w v/|v| along each axis. Along z it is 0 with two axes.
fn motion<const AXES: usize>(bodies: &impl Bodies) -> [i128; 5] {
    sums(bodies, |body| {
        let v = components::<AXES>(body.velocity);
        let speed = square(v).sqrt();
        if speed == 0.0 {
            return [1, 0, 0, 0, 0];
        }
        let z = if AXES == 3 { units(v[2] / speed) } else { 0 };
        [1, units(speed / f64::from(ONE)), units(v[0] / speed), units(v[1] / speed), z]
    })
}

/// The sums of offsets, of their products, and of r̂ × v̂, about a place `from` near a centre. Terms with z are 0 with two axes.
fn form<const AXES: usize>(bodies: &impl Bodies, space: &Space, centre: &Centre, from: Vector3) -> [i128; 12] {
    let rest = centre.offset_from(from, space);
    let extent = each_axis(|axis| (space.extents[axis] as i32) << PLACE_BITS);
    sums(bodies, |body| {
        let (mut whole, mut d, mut r) = ([0; 3], [0; 3], [0.0; 3]);
        for axis in 0..AXES {
            let along = offset(from[axis], body.place[axis], extent[axis], space.edges);
            whole[axis] = i64::from(along);
            // An offset of half a torus has a length and no direction.
            if !undecided(along, extent[axis], space.edges) {
                (d[axis], r[axis]) = (whole[axis], f64::from(along) / CELL - rest[axis]);
            }
        }
        let [x, y, z] = whole;
        let turn = rotation::<AXES>(r, components::<AXES>(body.velocity));
        let [turn_x, turn_y, turn_z] = [units(turn[0]), units(turn[1]), units(turn[2])];
        [d[0], d[1], d[2], x * x, y * y, z * z, d[0] * d[1], d[0] * d[2], d[1] * d[2], turn_x, turn_y, turn_z]
    })
}

/// The components of a vector, as many as there are axes; the others are 0.
#[inline(always)]
fn components<const AXES: usize>(v: Vector3) -> [f64; 3] {
    each_axis(|axis| if axis < AXES { f64::from(v[axis]) } else { 0.0 })
}

/// The square of the length of a vector.
#[inline(always)]
fn square([x, y, z]: [f64; 3]) -> f64 {
    x * x + y * y + z * z
}

/// r̂ × v̂; 0 at the centre and of a body at rest.
#[inline(always)]
fn rotation<const AXES: usize>(r: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    let (r2, v2) = (square(r), square(v));
    if r2 <= LEAST_OFFSET * LEAST_OFFSET || v2 == 0.0 {
        return [0.0; 3];
    }
    // A single root makes this exact for right angles.
    let lengths = (r2 * v2).sqrt();
    let z = (r[0] * v[1] - r[1] * v[0]) / lengths;
    if AXES == 2 {
        return [0.0, 0.0, z];
    }
    [(r[1] * v[2] - r[2] * v[1]) / lengths, (r[2] * v[0] - r[0] * v[2]) / lengths, z]
}

/// A value in whole units, halves to even. |value| < 2^11.
///
/// Floats from 2^52 on are whole. A sum with 2^52 of a smaller one is rounded to a whole number, without a call of `rint`.
#[inline(always)]
fn units(value: f64) -> i64 {
    let value = value * UNIT;
    let whole = UNIT.copysign(value);
    (if value.abs() < UNIT { (value + whole) - whole } else { value }) as i64
}

/// The sums of terms of all bodies, each multiplied by the weight of the body. They are whole numbers, so that no order matters.
fn sums<const TERMS: usize>(bodies: &impl Bodies, terms: impl Fn(&Body) -> [i64; TERMS] + Sync) -> [i128; TERMS] {
    let of_part = bodies.count().div_ceil(PARTS).max(1);
    let sum_of = |part: usize| {
        let mut sums = [0; TERMS];
        let first = bodies.count().min(part * of_part);
        bodies.for_each(first..bodies.count().min(first + of_part), |body| {
            let (weight, terms) = (i128::from(body.weight), terms(body));
            for term in 0..TERMS {
                sums[term] += weight * i128::from(terms[term]);
            }
        });
        sums
    };
    let parts: Vec<_> = (0..PARTS).into_par_iter().map(sum_of).collect();
    parts.into_iter().fold([0; TERMS], |mut sums: [i128; TERMS], part| {
        sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        sums
    })
}
